"""Evidence of a load: numbers with their rounding, what they leave unknown, and by how much a reading misses them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

Key = tuple[str, str]
"""The name of an unknown, or of a number, and the part that it is of; "" is the whole."""

Values = Mapping[Key, float | str]
"""A value for each unknown."""


@dataclass(frozen=True, slots=True)
class Value:
    """One number of the evidence.

    `scale` is what the error of the model is a share of, where it is not the number itself: of a queue, the requests
    present.  Its chance is a half-width where there are intervals, else it follows from how many samples were taken.
    """

    name: str
    part: str
    value: float
    rounding: float = 0.0
    """Half a unit of the last printed digit."""
    scale: float | None = None
    samples: float | None = None
    half_width: float | None = None
    bound: Literal["", "least"] = ""
    """Whether it only bounds the mean: a queue of a saturated base is that of a moment."""
    judged: Literal["part", "whole", "never"] = "part"
    """What it judges: the families that a part may take, whole readings alone, or nothing: it is only aimed at."""

    @property
    def key(self) -> Key:
        """Name and part."""
        return self.name, self.part


@dataclass(frozen=True, slots=True)
class Evidence:
    """One setting of one subject; several intervals or pages are several of these.

    `at` is what was set when the numbers were taken: the number of aliases, the limit.
    """

    subject: str
    at: Mapping[str, float | str]
    length_s: float
    values: tuple[Value, ...]
    origin: str = ""

    @property
    def by_key(self) -> Mapping[Key, Value]:
        """Its numbers by name and part."""
        return {value.key: value for value in self.values}

    def without(self, *names: str) -> Evidence:
        """The same without some numbers."""
        return replace(self, values=tuple(value for value in self.values if value.name not in names))


Evidences = Sequence[Evidence]


@dataclass(frozen=True, slots=True)
class Unknown:
    """An unknown of a load, with its bounds; a whole one is moved by one where nothing else fits."""

    name: str
    part: str
    low: float
    high: float
    unit: str
    scale: Literal["log", "linear", "whole", "choice"]
    source: str = ""

    @property
    def key(self) -> Key:
        """Name and part."""
        return self.name, self.part


@dataclass(frozen=True, slots=True)
class Miss:
    """A number of the evidence beside that of a reading.

    `off` is the difference, less the reading's own standard error.  `aimed` is what a search allows, `allowed` what
    leaves it among the readings; `close` and `far` are the difference in these allowances, above 1 beyond them.
    """

    value: Value
    found: float
    off: float
    aimed: float
    allowed: float
    close: float
    far: float

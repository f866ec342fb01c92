"""A setting of a control program: the operands of SET SRM for its logical processors, and their number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from slicewright.statistics import plural
from slicewright.values.numerals import in_scenario

ALLOWED = "one scenario with control_program in a [[partition]]; slicewright new zvm"
"""Which files are asked."""
HORIZONTAL, VERTICAL = "horizontal", "vertical"
METHODS = ("reshuffle", "rebalance", "none")
SMALL = "small"
UNPARKINGS = ("large", "medium", SMALL)
MOST_CPUPAD = 6400.0
MOST_PROCESSORS = 256

Wanted = tuple[tuple[str, str | float | int], ...]
"""What of a setting is to be another: fields and values."""


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """Polarization, DSPWDMETHOD, CPUPAD in percent (100 is one processor), UNPARKING, logical processors.

    >>> Setting("vertical", "reshuffle", 100.0, "large", 8).words()
    'vertical reshuffle'
    """

    polarization: str
    method: str
    cpupad: float
    unparking: str
    processors: int

    @property
    def vertical(self) -> bool:
        """Whether it is vertical; else method, CPUPAD and UNPARKING say nothing."""
        return self.polarization == VERTICAL

    @property
    def key(self) -> tuple[str | float | int, ...]:
        """The parts of the setting that have an effect."""
        if not self.vertical:
            return (self.polarization, self.processors)
        return (self.polarization, self.method, self.cpupad, self.unparking, self.processors)

    def __eq__(self, other: object) -> bool:
        """Whether it does the same: two horizontal settings are one, whatever their CPUPAD.

        >>> setting = Setting("horizontal", "reshuffle", 100.0, "large", 8)
        >>> setting == setting.with_(cpupad=300.0)
        True
        """
        return isinstance(other, Setting) and self.key == other.key

    def __hash__(self) -> int:
        """The hash of what it does."""
        return hash(self.key)

    def with_(self, **changes: Any) -> Setting:
        """The setting with some of it another.

        >>> Setting("vertical", "reshuffle", 100.0, "large", 8).with_(processors=6).processors
        6
        """
        return replace(self, **changes)

    def words(self, beside: Setting | None = None) -> str:
        """The setting in words; CPUPAD, UNPARKING and processors where they differ from those of another, or of z/VM.

        >>> now = Setting("vertical", "reshuffle", 100.0, "large", 8)
        >>> now.with_(cpupad=300.0, processors=6).words(now)
        'vertical reshuffle, CPUPAD 300 %, 6 processors'
        """
        other = beside or self.with_(cpupad=DEFAULT_CPUPAD, unparking=DEFAULT_UNPARKING)
        parts = [f"{self.polarization} {self.method}" if self.vertical else self.polarization]
        if self.vertical and self.cpupad != other.cpupad:
            parts.append(f"CPUPAD {self.cpupad:g} %")
        if self.vertical and self.unparking != other.unparking:
            parts.append(f"UNPARKING {self.unparking.upper()}")
        if self.processors != other.processors:
            parts.append(plural(self.processors, "processor"))
        return ", ".join(parts)

    def distance(self, other: Setting) -> int:
        """How many of its parts differ from those of another.

        >>> now = Setting("vertical", "reshuffle", 100.0, "large", 8)
        >>> now.distance(now.with_(method="rebalance", processors=6))
        2
        """
        if self.vertical and other.vertical:
            return sum(part != its for part, its in zip(self.key, other.key, strict=True))
        return (self.polarization != other.polarization) + (self.processors != other.processors)

    def changes(self, partition: str, now: Setting, physical: int) -> list[str]:
        """The `--set` changes that give this setting to a scenario with `now`, on a machine of `physical` processors.

        More logical processors than there are physical ones are given as many.

        >>> now = Setting("vertical", "reshuffle", 100.0, "large", 8)
        >>> now.with_(processors=6).changes("ZVM", now, 8)[-1]
        'partition.ZVM.logical_processors=6'
        """
        program = f"partition.{partition}.control_program"
        made = [
            f'{program}.polarization="{self.polarization}"',
            f'{program}.method="{self.method}"',
            f'{program}.cpupad="{in_scenario(self.cpupad)} %"',
            f'{program}.unparking="{self.unparking}"',
        ]
        if self.processors == now.processors:
            return made
        more = [f"cec.processors={self.processors}"] if self.processors > physical else []
        return [*made, *more, f"partition.{partition}.logical_processors={self.processors}"]


DEFAULT_CPUPAD = 100.0
DEFAULT_UNPARKING = "large"
"""z/VM's default for unparking (SRM statement, CP Planning and Administration)."""


def product_default(processors: int) -> Setting:
    """z/VM's default setting, from 6.3 on.

    >>> product_default(8).words()
    'vertical reshuffle'
    """
    return Setting(VERTICAL, "reshuffle", DEFAULT_CPUPAD, DEFAULT_UNPARKING, processors)


def parse(text: str) -> Wanted | None:
    """The parts of a requested setting, "vertical rebalance, CPUPAD 300 %" or "6"; None where it cannot be read.

    >>> parse("rebalance, CPUPAD 300 %, 6 processors")
    (('method', 'rebalance'), ('cpupad', 300.0), ('processors', 6), ('polarization', 'vertical'))
    >>> parse("diagonal") is None
    True
    """
    found: dict[str, str | float | int] = {}
    rest = re.sub(r"(?i)\b(polarization|method|dspwdmethod|unparking|processors?)\b|[,;=]", " ", text.strip())
    for match in re.finditer(r"(?i)(?:cpupad\s*)?(\d{1,4}(?:\.\d{1,3})?)\s*%|(\d{1,3})(?=\s|$)|(\S+)", rest):
        percent, count, word = match.groups()
        if percent is not None and float(percent) <= MOST_CPUPAD:
            part: tuple[str, str | float | int] | None = ("cpupad", float(percent))
        elif count is not None and 1 <= int(count) <= MOST_PROCESSORS:
            part = ("processors", int(count))
        else:
            part = _word(word.lower()) if word else None
        if part is None or part[0] in found:
            return None
        found[part[0]] = part[1]
    if found.keys() & {"method", "cpupad", "unparking"}:
        found.setdefault("polarization", VERTICAL)
    contradicts = found.get("polarization") == HORIZONTAL and len(found.keys() & {"method", "cpupad", "unparking"}) > 0
    return None if contradicts or not found else tuple(found.items())


def wanted(now: Setting, asked: Mapping[str, Any] | Wanted) -> Setting:
    """A setting with what is asked for.

    >>> wanted(product_default(8), parse("horizontal")).words()
    'horizontal'
    """
    return now.with_(**dict(asked))


def _word(word: str) -> tuple[str, str] | None:
    for name, words in (("polarization", (HORIZONTAL, VERTICAL)), ("method", METHODS), ("unparking", UNPARKINGS)):
        if word in words:
            return name, word
    return None

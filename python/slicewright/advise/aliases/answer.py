"""The answer for one pool: recommendation, rule of thumb, curve, readings, evidence, caveats, open questions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from slicewright.advise.aliases.curve import Point
from slicewright.advise.aliases.load import Load
from slicewright.advise.aliases.volumes import VolumeLine
from slicewright.advise.target import Target


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A total of aliases: the knee of the saturated reading, and the smallest and largest knee over all readings."""

    aliases: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """The rule of thumb: aliases present and the queue summed over the bases, rounded up.

    Source: z/VM HyperPAV Support, DASD Tuning via Classic PAV and via HyperPAV.

    >>> Estimate(8, 7.39).aliases
    16
    """

    present: int
    queue_depth: float

    @property
    def aliases(self) -> int:
        """The total it gives; a queue that sums to a whole number but for floating point is that number."""
        return self.present + math.ceil(self.queue_depth - 1e-9)


@dataclass(frozen=True, slots=True)
class ReadingLine:
    """One reading as reported: its load, whether it fits, its knee if it does, why not if it does not.

    >>> from slicewright.advise.aliases.example import advice
    >>> line = advice().readings[0]
    >>> line.population, line.arrivals, line.accepted, line.knee
    ('3 requests per volume', 'closed', True, 2)
    """

    name: str
    population: str
    arrivals: str
    think_ms: float | None
    load: Load | None
    saturated: bool
    miss: float | None
    found: tuple[tuple[float, float, float], ...] = ()
    knee: int | None = None
    target: int | None = None
    text: str = ""
    """The scenario as TOML, with the aliases that are there now; empty for a rejected reading."""
    why: str = ""

    @property
    def accepted(self) -> bool:
        """Whether it reproduces everything reported."""
        return not self.why


@dataclass(frozen=True, slots=True)
class TargetAnswer:
    """The fewest aliases that meet a condition: under the main reading, and over all; None where none do."""

    target: Target
    aliases: int | None
    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class Now:
    """The values read (or, of a scenario, simulated) at the aliases present."""

    aliases: int
    io_per_s: float
    response_ms: float
    service_ms: float
    queue_depth: float
    in_service: float


@dataclass(frozen=True, slots=True)
class Answer:
    """All of it, for one pool.

    >>> from slicewright.advise.aliases.example import advice
    >>> found = advice()
    >>> found.pool, found.estimate.aliases, found.recommendation.aliases
    ('522A', 2, 2)
    """

    files: tuple[str, ...]
    heading: str
    pool: str
    single: bool
    """Whether it is one volume."""
    now: Now
    knee: Recommendation | None
    """The knee of the curve and its range, which is what is recommended unless there is a `reason` against it."""
    estimate: Estimate
    curve: tuple[Point, ...] = ()
    readings: tuple[ReadingLine, ...] = ()
    laws: tuple[Mapping[str, Any], ...] = ()
    facts: tuple[str, ...] = ()
    """Evidence in words, as printed."""
    open: tuple[str, ...] = ()
    """Questions that the evidence leaves open, as printed."""
    caveats: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    reason: str = ""
    """Why nothing is recommended, though the curve may have a knee."""
    warning: str = ""
    """Doubts that a reader needs before anything else, as a sentence."""
    at: tuple[int, ...] = ()
    target: TargetAnswer | None = None
    growth: float = 1.0
    knee_percent: float = 5.0
    margin_percent: float = 0.0
    chance: float = 0.0
    """The share by which the range goes beyond the readings for the chance of what was measured."""
    observed: tuple[Now, ...] = field(default=())
    """Every report's own numbers, fewest aliases first."""
    volumes: tuple[VolumeLine, ...] = field(default=())
    """Each volume under the main reading, in the order of the report."""
    excluded: frozenset[str] = frozenset()
    """Redispatch policies that the pool's tries and fails exclude."""

    @property
    def recommendation(self) -> Recommendation | None:
        """The knee, unless there is a reason to recommend nothing."""
        return None if self.reason else self.knee

    @property
    def ranged(self) -> bool:
        """Whether several loads reproduce the evidence, or may, so that every number is a range."""
        return bool(self.observed) or sum(reading.accepted for reading in self.readings) > 1

    def point(self, aliases: int) -> Point | None:
        """The point of the curve with this number of aliases."""
        return next((point for point in self.curve if point.aliases == aliases), None)

"""The answer about a limit: what to set, one point per setting, readings, evidence, caveats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from slicewright.advise.limits.aim import Aim
from slicewright.advise.limits.fit import Observed, Reading
from slicewright.advise.limits.forecast import Check
from slicewright.advise.limits.intervals import Interval
from slicewright.advise.limits.model import Group, Setting
from slicewright.advise.limits.telling import Judged
from slicewright.statistics import Estimate

SHOWN = ("mean_ms", "p50_ms", "p90_ms", "p95_ms", "p99_ms", "throttled_percent", "stopped_percent", "used_percent")
"""Columns of the curve; 100 % is one processor, but of throttled periods."""


class Lever(Enum):
    """A setting that can be changed, on the pod or on the node.

    >>> Lever.LIMIT.owner, Lever.PERIOD.owner
    (True, False)
    """

    LIMIT = "limit"
    THREADS = "threads"
    PERIOD = "period"
    BURST = "burst"

    @property
    def owner(self) -> bool:
        """Whether it is the pod's owner; the others are set on the node."""
        return self in (Lever.LIMIT, Lever.THREADS)


@dataclass(frozen=True, slots=True)
class Point:
    """One setting under the main reading, with what throttling is of each latency; low and high over all readings."""

    lever: Lever
    setting: Setting
    columns: Mapping[str, Estimate]
    throttling: Mapping[str, Estimate]
    """Of `trial.LATENCY`: how much longer than without a limit, in ms."""
    low: Mapping[str, float] = field(default_factory=dict)
    high: Mapping[str, float] = field(default_factory=dict)
    text: str = field(default="", repr=False)
    """The complete scenario."""


@dataclass(frozen=True, slots=True)
class ReadingLine:
    """A reading with its forecast of the last interval, and the least limit that it asks for; inf is none.

    >>> from slicewright.advise.limits.example import advice
    >>> advice().readings[0].why
    ''
    """

    reading: Reading
    check: Check | None
    limit: float | None = None
    text: str = field(default="", repr=False)

    @property
    def why(self) -> str:
        """Why it is not simulated further; empty where it is."""
        if self.reading.why or self.check is None:
            return self.reading.why
        return "" if self.check.holds else "does not predict the last interval"


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The least limit that does, over all readings from `low` to `high`; inf where only no limit at all does."""

    limit: float
    low: float
    high: float
    threads: int | None = None
    """The most threads that do it with the limit of now, if any do."""


@dataclass(frozen=True, slots=True)
class LimitAnswer:
    """All of it, of one group.

    >>> from slicewright.advise.limits.example import advice
    >>> advice().recommendation is not None
    True
    """

    files: tuple[str, ...]
    heading: str
    group: Group
    requests_per_s: float
    copies: int
    intervals: tuple[Interval, ...]
    recommendation: Recommendation | None
    reason: str
    aim: Aim
    """The aim of a limit; by default, to come near to no limit at all."""
    margin_percent: float
    first: Observed | None = None
    cpu_ms: float = 0.0
    points: tuple[Point, ...] = ()
    """By lever: limits from the least on, then threads, periods, bursts."""
    readings: tuple[ReadingLine, ...] = ()
    """Those that hold first, the main one leading."""
    replications: int = 0
    interval_s: float = 0.0
    growth: float = 1.0
    skipped: tuple[str, ...] = ()
    """Settings that were asked for and not simulated, each with the reason."""
    threads: int | None = None
    """Threads that the asker knows of."""
    rate_known: bool = True
    judged: Judged = field(default_factory=lambda: Judged(()))
    """The intervals judged one by one: those that are used, and those that are excluded."""
    facts: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()

    @property
    def bursts(self) -> bool:
        """Whether the rate of requests is not known, so that latency is that of bursts."""
        return self.rate_known is False

    @property
    def now(self) -> Point | None:
        """The point of the settings of now, if anything was simulated."""
        return next((point for point in self.points if self.is_now(point)), None)

    @property
    def main(self) -> ReadingLine | None:
        """The reading that points are simulated under."""
        return next((reading for reading in self.readings if not reading.why), None)

    def is_now(self, point: Point) -> bool:
        """Whether a point is that of the limit of now, with everything else as it is."""
        return point.lever is Lever.LIMIT and abs(point.setting.limit - self.group.limit) < 1e-9

    def of(self, lever: Lever) -> list[Point]:
        """The points of one lever."""
        return [point for point in self.points if point.lever is lever]

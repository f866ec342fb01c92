"""The answer about yields: those to choose, one point per yield and number of processors, readings, evidence, caveats.

It leaves out how it is worked out and how it is printed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from slicewright.advise.constants import Constant, Reading
from slicewright.advise.target import Target
from slicewright.advise.yields.contention import Contention
from slicewright.advise.yields.locked import Locked
from slicewright.advise.yields.yielding import Yielding
from slicewright.statistics import Estimate

SHOWN = (
    "work_percent", "programs_per_s", "total_percent", "guests_percent", "spinning_percent", "chargeable_cp_percent",
    "nonchargeable_cp_percent", "dispatches_per_s", "moved_percent", "ready", "unparked", "vector_empty_percent",
    "vector_depth", "x44_per_s", "fast_x44_per_s", "fast_x44_percent", "x9c_per_s", "x9c_yielded_per_s",
    "x9c_not_ready_per_s", "x9c_wait_per_s", "x9c_soft_wait_per_s", "x9c_dispatched_per_s", "sensed_per_s",
    "diagnoses_per_s", "taken_per_s", "contended_per_s", "contended_percent", "wait_us", "longest_wait_ms", "held_us",
    "spinning",
)  # fmt: skip
"""Columns of the curve; 100 % is one processor, but for shares."""


@dataclass(frozen=True, slots=True)
class YieldPoint:
    """Some yields on so many processors: columns, gains over X'44' everywhere and over now in percent, and what from.

    `low` and `high`, of the gain over X'44', are None where only the main reading was simulated.

    >>> from slicewright.advise.yields.example import advice
    >>> point = advice().rows[0].point(advice().partition.now)
    >>> point.gain.mean, set(one.mean for one in point.saved.values())
    (0.0, {0.0})
    """

    yielding: Yielding
    processors: int
    columns: Mapping[str, Estimate]
    gain: Estimate
    from_now: Estimate
    saved: Mapping[str, Estimate]
    """By `yield_budget.SAVED`; what the gain over X'44' is made of."""
    low: float | None = None
    high: float | None = None
    text: str = field(default="", repr=False)
    """The complete scenario."""


@dataclass(frozen=True, slots=True)
class Row:
    """One number of processors: virtual processors for each, a point per yield, and what is to be expected there.

    >>> from slicewright.advise.yields.example import advice
    >>> [one.processors for one in advice().rows]
    [1, 2, 3, 4, 8]
    """

    processors: int
    each: float
    points: tuple[YieldPoint, ...]
    contention: Contention

    def point(self, yielding: Yielding | None) -> YieldPoint | None:
        """The point of some yields, if there is one."""
        return next((one for one in self.points if one.yielding == yielding), None)


@dataclass(frozen=True, slots=True)
class YieldTarget:
    """A condition, and the fewest processors on which some yields meet it; None where none do.

    >>> YieldTarget(Target("work_percent", ">=", 400.0)).processors is None
    True
    """

    target: Target
    processors: int | None = None
    yielding: Yielding | None = None


@dataclass(frozen=True, slots=True)
class YieldAnswer:
    """All of it, of one partition.

    >>> from slicewright.advise.yields.example import advice
    >>> advice().partition.name, advice().compared.words()
    ('ZVM', "X'9C'")
    """

    file: str
    heading: str
    partition: Locked
    recommendation: Yielding | None
    reason: str
    alike: tuple[Yielding, ...]
    """Yields that cannot be told from the recommended ones."""
    base: Yielding
    """X'44' everywhere, over which gains are."""
    compared: Yielding
    """Those whose gain readings are about: the recommended ones, or X'9C'."""
    rows: tuple[Row, ...]
    """By processors, fewest first; that of now among them."""
    readings: tuple[Reading[Yielding], ...]
    constants: tuple[Constant, ...]
    replications: int
    warm_up_s: float
    interval_s: float
    least_percent: float = 1.0
    skipped: tuple[str, ...] = ()
    """Numbers of processors that could not be simulated, each with the reason."""
    growth: float = 1.0
    grown: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    asked: tuple[Yielding, ...] = ()
    asked_processors: tuple[int, ...] = ()
    target: YieldTarget | None = None

    @property
    def here(self) -> Row:
        """The row of now."""
        return next(one for one in self.rows if one.processors == self.partition.processors)

    @property
    def none_from(self) -> Row | None:
        """From where on, with more processors, nothing is to be expected; None where that was not reached."""
        found = None
        for row in reversed(self.rows):
            if row.contention.expected:
                break
            found = row
        return found

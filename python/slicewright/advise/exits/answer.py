"""The answer about exits: the structure to choose, what each costs, what filters save, readings, evidence, caveats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from slicewright.advise.constants import Constant, Reading
from slicewright.advise.target import Target
from slicewright.statistics import Estimate

SHOWN = (
    "cpu_percent", "pairs_per_s", "global_per_s", "cpu_us_per_pair", "base_us", "front_end_us", "fast_us", "slow_us",
    "storage_us", "message_us", "elapsed_us_per_pair", "lock_held_percent", "lock_wait_us",
)  # fmt: skip
"""Columns of the table; 100 % is one processor, for the pairs of now."""


@dataclass(frozen=True, slots=True)
class ExitPoint:
    """One structure: columns, and what it saves over now and over slow exits without a filter, in % of a processor.

    `fits` says whether it completes as many pairs as those that see every request do at most.

    >>> from slicewright.advise.exits.example import advice
    >>> advice().point("batch").saved.mean
    0.0
    """

    structure: str
    columns: Mapping[str, Estimate]
    saved: Estimate
    """Over slow exits at every request; below 0 where it costs more."""
    from_now: Estimate
    fits: bool = True
    low: float | None = None
    high: float | None = None
    """What it saves over the readings; None where only one was simulated."""
    text: str = field(default="", repr=False)
    """The complete scenario."""


@dataclass(frozen=True, slots=True)
class ExitAnswer:
    """All of it, of one partition.

    >>> from slicewright.advise.exits.example import advice
    >>> advice().partition, advice().now, advice().recommendation
    ('MVS', 'batch', 'prebatch-single-area')
    """

    file: str
    heading: str
    partition: str
    processors: int
    now: str
    recommendation: str | None
    reason: str
    alike: tuple[str, ...]
    """Structures that cannot be told from the recommended one."""
    points: tuple[ExitPoint, ...]
    readings: tuple[Reading[str], ...]
    constants: tuple[Constant, ...]
    replications: int
    warm_up_s: float
    interval_s: float
    least_percent: float = 1.0
    growth: float = 1.0
    grown: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    target: Target | None = None
    meets: tuple[str, ...] = ()
    """Structures that meet the target."""

    def point(self, structure: str) -> ExitPoint:
        """The point of a structure; raises StopIteration without one."""
        return next(one for one in self.points if one.structure == structure)

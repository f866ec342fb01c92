"""DIAGNOSEs and the scheduler lock over a day: rates, and the processor time that they take.

Records 5/12 have the rates of X'44' and X'9C', 0/23 the scheduler lock.  No record has the time in which guests hold
their locks or spin for them, so no yield is recommended from a day.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slicewright.advise.alike import MOST_GROUPS, alike
from slicewright.advise.answer import Request
from slicewright.advise.day import Day
from slicewright.experiment.progress import Progress, silent
from slicewright.scenario.starters import read_starter

STARTER, PARTITION = "apache-spin", "ZVM"
"""The shipped scenario whose costs of DIAGNOSEs are borrowed."""

_LOCK = ("spin_percent", "collisions_per_s")
"""Of the table of locks."""


@dataclass(frozen=True)
class Interval:
    """One interval: processors used in percent of one, DIAGNOSEs per second, and spinning for the scheduler lock.

    `spinning` is in percent of one processor, `collisions_per_s` are requests that found the lock held; None without
    record 0/23.
    """

    number: int
    total_percent: float
    tv_ratio: float | None
    x44_per_s: float
    x9c_per_s: float
    spinning: float | None
    collisions_per_s: float | None


@dataclass(frozen=True)
class Group:
    """Like intervals of a day."""

    intervals: tuple[Interval, ...]

    def mean(self, name: str) -> float | None:
        """The mean of a value over the intervals that have it."""
        known = [value for interval in self.intervals if (value := getattr(interval, name)) is not None]
        return float(np.mean(known)) if known else None


@dataclass(frozen=True)
class DayYields:
    """All of it; `groups` hardest first: with most processor time in DIAGNOSEs and spinning."""

    day: Day
    groups: tuple[Group, ...]
    x44_us: float
    x9c_us: float

    @property
    def hardest(self) -> Group:
        """The group with most processor time in DIAGNOSEs and spinning."""
        return self.groups[0]

    @property
    def peak(self) -> Interval:
        """The hardest interval."""
        return max((interval for group in self.groups for interval in group.intervals), key=self.taken)

    def cost(self, interval: Interval) -> float:
        """The processor time of its DIAGNOSEs, percent of one processor."""
        return (interval.x44_per_s * self.x44_us + interval.x9c_per_s * self.x9c_us) / 1e4

    def taken(self, interval: Interval) -> float:
        """The processor time of DIAGNOSEs and of spinning for the scheduler lock, percent of one processor."""
        return self.cost(interval) + (interval.spinning or 0.0)

    def mean(self, group: Group | None = None) -> float:
        """The mean of this time over a group, or over the day."""
        groups = self.groups if group is None else (group,)
        return float(np.mean([self.taken(interval) for each in groups for interval in each.intervals]))


def answer_day(day: Day, request: Request, progress: Progress = silent) -> list[DayYields]:
    """The rates and costs of a day in groups of like intervals; nothing is simulated."""
    costs = read_starter(STARTER).view.partition(PARTITION).program.costs
    found = DayYields(day, (), 1e6 * costs.x44_s, 1e6 * costs.x9c_s)
    intervals = _intervals(day)
    values = np.array([[each.total_percent, each.x44_per_s + each.x9c_per_s, found.taken(each)] for each in intervals])
    groups = [Group(tuple(intervals[at] for at in rows)) for rows in alike(values, [0] * len(intervals), MOST_GROUPS)]
    progress(1.0)
    ordered = tuple(sorted(groups, key=lambda group: -found.mean(group)))
    return [DayYields(day, ordered, found.x44_us, found.x9c_us)]


def missing(day: Day) -> list[str]:
    """The records that a day lacks for the question.

    >>> from tests.advise.alias_example import day
    >>> missing(day())
    ["5/12: rates of DIAGNOSE X'44' and X'9C'"]
    """
    return day.lacks("control_programs", "diagnoses_per_s", "5/12: rates of DIAGNOSE X'44' and X'9C'")


def _intervals(day: Day) -> list[Interval]:
    import polars as pl

    locks = day.table("locks").group_by("interval").agg(pl.col("spin_percent").sum(), pl.col("collisions_per_s").sum())
    lock = {row["interval"]: row for row in locks.iter_rows(named=True)}
    return [
        Interval(
            row["interval"], row["total_percent"] or 0.0, row["tv_ratio"], row["x44_per_s"] or 0.0,
            row["x9c_per_s"] or 0.0, *(lock.get(row["interval"], {}).get(of) for of in _LOCK),
        )
        for row in day.table("control_programs").sort("interval").iter_rows(named=True)
    ]  # fmt: skip

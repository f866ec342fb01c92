"""The answer about installation exits over a day: rates of ENQ by groups of intervals, and contention by name.

Record 72-5 gives the requests of a system by scope, 77-1 names in contention.  Requests with SCOPE=STEP reach no exit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slicewright.advise.alike import alike
from slicewright.advise.answer import Request
from slicewright.advise.day import Day
from slicewright.advise.exits.comparison import ExitAnswer
from slicewright.advise.exits.rates import Rate, as_scenario
from slicewright.experiment.progress import Progress, piece
from slicewright.run.tables import per_replication

if TYPE_CHECKING:
    from collections.abc import Callable

GROUPS = 3
"""Groups of a day: the choice depends little on the rate."""


@dataclass(frozen=True)
class Interval:
    """The requests of an interval, per second: those that reach exits, and of them those with SCOPE=SYSTEMS."""

    number: int
    enq_per_s: float
    systems_per_s: float


@dataclass(frozen=True)
class Group:
    """Like intervals of a day, and the answer at their mean rate."""

    intervals: tuple[Interval, ...]
    answer: ExitAnswer

    @property
    def enq_per_s(self) -> float:
        """Requests per second, on the average."""
        return float(np.mean([interval.enq_per_s for interval in self.intervals]))

    @property
    def systems_per_s(self) -> float:
        """Of them those with SCOPE=SYSTEMS."""
        return float(np.mean([interval.systems_per_s for interval in self.intervals]))


@dataclass(frozen=True)
class Contended:
    """A name in contention: how often in the intervals in all, share of the time, mean and longest time in ms."""

    qname: str
    rname: str
    scope: str
    contentions: float
    share: float
    mean_ms: float | None
    longest_ms: float | None
    hardest: int
    """The interval with most time in contention."""


@dataclass(frozen=True)
class DayExitAnswer:
    """All of it; `groups` hardest first: with most requests."""

    day: Day
    groups: tuple[Group, ...]
    names: tuple[Contended, ...]

    @property
    def wide(self) -> float:
        """The share of requests with SCOPE=SYSTEMS in the hardest intervals."""
        return self.hardest.systems_per_s / self.hardest.enq_per_s

    @property
    def hardest(self) -> Group:
        """The group with most requests."""
        return self.groups[0]

    @property
    def recommendation(self) -> str | None:
        """The structure for the hardest intervals; None where none saves more than noise."""
        return self.hardest.answer.recommendation

    @property
    def saved_percent(self) -> float:
        """Its saving over slow exits at every request, percent of a processor, over the day."""
        chosen = self.recommendation
        if chosen is None:
            return 0.0
        rows = [(len(group.intervals), group.answer.point(chosen).differences["saved"].mean) for group in self.groups]
        return sum(count * saved for count, saved in rows) / sum(count for count, _ in rows)


def answer_day(
    day: Day, request: Request, progress: Progress, ask: Callable[[bytes, Request, Progress], ExitAnswer]
) -> list[DayExitAnswer]:
    """The answer on a day; `ask` compares the structures for one scenario.  Raises InputError and RunError."""
    intervals = _intervals(day)
    values = np.array([[interval.enq_per_s, interval.systems_per_s] for interval in intervals])
    groups = [[intervals[at] for at in group] for group in alike(values, [0] * len(intervals), GROUPS)]
    made = []
    for at, members in enumerate(groups):
        enq, systems = (float(mean) for mean in values[[intervals.index(member) for member in members]].mean(axis=0))
        made.append(Group(tuple(members), ask(_world(enq, systems, day), request, piece(progress, at, len(groups)))))
    return [DayExitAnswer(day, tuple(sorted(made, key=lambda group: -group.enq_per_s)), contended(day))]


def _intervals(day: Day) -> list[Interval]:
    """The intervals with requests that reach exits."""
    import polars as pl

    outside = pl.col("enq_per_s") - pl.col("enq_step_per_s")
    rows = day.table("serialization").select("interval", outside, "enq_systems_per_s").drop_nulls()
    return [Interval(at, enq, systems) for at, enq, systems in rows.iter_rows() if enq > 0]


def missing(day: Day) -> list[str]:
    """The records that a day lacks for the question.

    >>> from tests.advise.alias_example import day
    >>> missing(day())
    ['72-5: the rate of ENQ and DEQ; 77-1 adds names in contention']
    """
    return [] if _intervals(day) else ["72-5: the rate of ENQ and DEQ; 77-1 adds names in contention"]


def contended(day: Day) -> tuple[Contended, ...]:
    """The names in contention over the intervals, longest time first."""
    rows = day.table("enqueues")
    if rows.is_empty():
        return ()
    measured, count = day.measured, len(day.chosen)
    total_ms = sum(measured.ends_us[at] - measured.starts_us[at] for at in day.chosen) / 1e3
    found = []
    for row in per_replication(rows, "enqueues").iter_rows(named=True):
        own = rows.filter((rows["enqueue"] == row["enqueue"]) & (rows["scope"] == row["scope"]))
        worst = own.sort("contention_total_ms", descending=True, nulls_last=True)["interval"][0]
        found.append(
            Contended(
                row["qname"], row["rname"], row["scope"], row["contentions"] or 0.0,
                (row["contention_total_ms"] or 0.0) / total_ms if count else 0.0,
                row["contention_mean_ms"], row["contention_max_ms"], worst,
            )
        )  # fmt: skip
    return tuple(sorted(found, key=lambda name: (-name.share, name.qname, name.rname)))


def _world(enq_per_s: float, systems_per_s: float, day: Day) -> bytes:
    rates = [Rate("ALL", "LOCAL", "system", enq_per_s - systems_per_s), Rate("ALL", "GLOBAL", "systems", systems_per_s)]
    return as_scenario([rate for rate in rates if rate.pairs_per_s > 0], day.name).encode()

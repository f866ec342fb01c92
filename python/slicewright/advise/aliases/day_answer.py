"""The answer about one pool over a day: an answer per group of like intervals, and the aliases that serve all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from slicewright.advise.aliases.answer import Answer, Recommendation, TargetAnswer
from slicewright.advise.aliases.borrowed import borrow
from slicewright.advise.aliases.curve import Point
from slicewright.advise.aliases.evidence import PoolReport
from slicewright.advise.aliases.from_reports import Case, answer_reports
from slicewright.advise.aliases.irrelevant import irrelevant_to_reports
from slicewright.advise.aliases.measured_pool import DayPool, Interval, read_day_pools
from slicewright.advise.aliases.request import REDISPATCH, AliasRequest
from slicewright.advise.alike import alike, groups_each
from slicewright.advise.day import Day
from slicewright.errors import problem, refusal
from slicewright.experiment.progress import Progress, piece, silent


@dataclass(frozen=True)
class Group:
    """Like intervals of a day, their means as a report, and the answer of these."""

    intervals: tuple[Interval, ...]
    report: PoolReport
    answer: Answer

    @property
    def hardest(self) -> Interval:
        """The interval in which most requests wait, the first of equals."""
        return max(self.intervals, key=lambda interval: interval.waiting)

    @property
    def ios(self) -> float:
        """I/Os in the unit of one interval, which weigh a mean over the day."""
        return sum(interval.io_per_s for interval in self.intervals)

    def point(self, aliases: int) -> Point | None:
        """The point of the curve with a number of aliases; more than were simulated change nothing."""
        curve = self.answer.curve
        return next((point for point in reversed(curve) if point.aliases <= aliases), None)


@dataclass(frozen=True)
class DayAnswer:
    """All of it, for one pool; `groups` hardest first.

    >>> from slicewright.advise.aliases.example import day_advice
    >>> found = day_advice()
    >>> found.hardest.hardest.number, len(found.groups)
    (1, 2)
    """

    day: Day
    pool: DayPool
    groups: tuple[Group, ...]

    @property
    def hardest(self) -> Group:
        """The group with the longest queue."""
        return self.groups[0]

    @property
    def name(self) -> str:
        """The pool by its bases."""
        return self.hardest.answer.pool

    @property
    def present(self) -> int:
        """The aliases of the hardest intervals."""
        return self.hardest.report.aliases_present

    @property
    def answered(self) -> tuple[Group, ...]:
        """The groups that a load reproduces."""
        return tuple(group for group in self.groups if group.answer.recommendation)

    @property
    def recommendation(self) -> Recommendation | None:
        """Aliases that serve every group: the most that one needs; so are both ends of the range.

        None where no load reproduces the hardest group.
        """
        if self.hardest.answer.recommendation is None:
            return None
        return _most(self.answered)

    @property
    def easier(self) -> Recommendation | None:
        """The aliases that would serve the day without its hardest group; None where there is no other."""
        others = [group for group in self.answered if group is not self.hardest]
        return _most(others) if others else None

    @property
    def deciding(self) -> Group:
        """The group that needs the aliases that are recommended, the hardest of equals."""
        return max(self.answered, key=lambda group: _aliases(group), default=self.hardest)

    @property
    def excluded(self) -> tuple[str, ...]:
        """Redispatch policies that tries and fails exclude."""
        return tuple(name for name in REDISPATCH if any(name in group.answer.excluded for group in self.groups))

    @property
    def target(self) -> TargetAnswer | None:
        """The fewest aliases that meet the condition in every group; None where none is asked for."""
        found = [group.answer.target for group in self.answered if group.answer.target]
        if not found:
            return None
        return TargetAnswer(
            found[0].target, *(_largest([getattr(met, of) for met in found]) for of in ("aliases", "low", "high"))
        )

    def response_ms(self, aliases: int) -> tuple[float, float, float, float] | None:
        """The response over the day, weighted by I/O: as measured, and with these aliases (mean, low, high)."""
        rows = []
        for group in self.answered:
            point = group.point(aliases)
            if point is not None:
                name = "response_ms"
                means = (group.report.response_ms, point.estimates[name].mean, point.low[name], point.high[name])
                rows.append([group.ios, *means])
        if not rows:
            return None
        ios, *columns = np.array(rows).T
        now, then, low, high = (float((ios * column).sum() / ios.sum()) for column in columns)
        return now, then, low, high

    @property
    def track(self) -> Iterator[tuple[Interval, Group]]:
        """The intervals in the order of time, each with its group."""
        every = [(interval, group) for group in self.groups for interval in group.intervals]
        return iter(sorted(every, key=lambda pair: pair[0].number))


def answer_day(day: Day, question: AliasRequest, progress: Progress = silent) -> list[DayAnswer]:
    """One answer per pool of a day, those first in which most requests wait; raises InputError.

    >>> from slicewright.advise.aliases.example import day_advice
    >>> day_advice().recommendation.low <= 2 <= day_advice().recommendation.high
    True
    """
    if question.pool_listing is not None:
        why = "monitor data name the pool of each volume"
        raise refusal(problem("does not apply to monitor data", key="pool-listing", why=why))
    pools = read_day_pools(day, question)
    most = groups_each(len(pools))
    grouped = [(pool, _groups(pool, most)) for pool in pools]
    idle = irrelevant_to_reports(question.assumed, [report for _, groups in grouped for _, report in groups])
    if idle:
        raise refusal(*idle)
    return [
        DayAnswer(day, pool, _answered(groups, question, piece(progress, at, len(grouped))))
        for at, (pool, groups) in enumerate(grouped)
    ]


def _groups(pool: DayPool, most: int) -> list[tuple[tuple[Interval, ...], PoolReport]]:
    """The groups of a pool with their means, the longest queue first; one where nothing ever waits."""
    intervals = pool.intervals
    values = np.array([[interval.io_per_s, interval.service_ms, interval.present] for interval in intervals])
    waits = any(interval.waiting > 0 for interval in intervals)
    groups = [
        tuple(intervals[at] for at in group)
        for group in alike(values, [interval.aliases for interval in intervals], most if waits else 1)
    ]
    found = [(group, pool.report([interval.number for interval in group], pool.day.span(group))) for group in groups]
    return sorted(found, key=lambda pair: -pair[1].queue_depth)


def _answered(
    groups: Sequence[tuple[tuple[Interval, ...], PoolReport]], question: AliasRequest, progress: Progress
) -> tuple[Group, ...]:
    """The answers, the hardest first; a redispatch policy that one excludes is excluded for all that follow."""
    borrowed, gone, found = borrow(), frozenset[str](), []
    for at, (intervals, report) in enumerate(groups):
        case = Case((report,), question, borrowed, piece(progress, at, len(groups)), gone)
        answer = answer_reports(case)
        if gone | answer.excluded < frozenset(REDISPATCH):
            gone |= answer.excluded
        found.append(Group(intervals, report, answer))
    return tuple(found)


def _aliases(group: Group) -> int:
    chosen = group.answer.recommendation
    return chosen.aliases if chosen else -1


def _most(groups: Sequence[Group]) -> Recommendation:
    """The most aliases that one of the groups needs, and the most of each end of the ranges."""
    every = [group.answer.recommendation for group in groups if group.answer.recommendation]
    return Recommendation(*(max(getattr(chosen, of) for chosen in every) for of in ("aliases", "low", "high")))


def _largest(values: Sequence[int | None]) -> int | None:
    """The most of some numbers of aliases; None where one group has none that meets the condition."""
    known = [value for value in values if value is not None]
    return max(known) if len(known) == len(values) else None

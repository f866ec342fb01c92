"""Checks that copies of `cpu.stat` and the options agree, before anything is simulated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from slicewright.advise.limits.fit import MOST_AT_ONCE
from slicewright.advise.limits.intervals import Clock, Interval, pooled
from slicewright.advise.limits.quantity import limit
from slicewright.advise.limits.request import LimitRequest
from slicewright.statistics import fixed, percent, plural, seconds

SLACK = 1.03
"""ASSUME: how far sums may stray, for the ends of intervals."""
LEAST_OF_QUOTA = 0.5
"""ASSUME: of the quota, what a throttled period uses at least: processors may keep a slice that they do not run."""
MOST_LISTED = 6
"""Intervals that have a line each."""
SLICE_S = 0.005
"""sched_cfs_bandwidth_slice_us: what a processor may have left over from the period before."""


LIMIT_OF_GROUP = "the limit in cpu.max of the group, as --limit"


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A contradiction, and the data that would settle it."""

    what: str
    settles: str


def contradictions(found: Sequence[Interval], question: LimitRequest) -> list[Contradiction]:
    """Statements that cannot be true together.

    >>> from slicewright.advise.limits.example import QUESTION
    >>> from slicewright.advise.limits.intervals import Clock
    >>> [one.settles for one in contradictions([Interval(1, 2, 60.0, 600, 120, 9.0, 60.0, Clock.EVERY)], QUESTION)]
    ['the limit in cpu.max of the group, as --limit']
    """
    return [
        problem
        for interval in found
        for problem in (*_beyond(interval, question), *_unfilled(interval, question), *_stopped(interval, question))
    ]


def _beyond(interval: Interval, question: LimitRequest) -> list[Contradiction]:
    """More used than the limit, the processors or the threads allow."""
    group, problems = question.group, []
    allowed = group.limit * group.period_ms / 1000 * interval.periods
    threads = question.threads or group.processors
    room = (group.processors or threads or 1) * SLICE_S + group.burst_ms / 1000 + group.quota_ms / 1000
    if interval.used_s > SLACK * allowed + room + (interval.periods * group.burst_ms / 1000 if group.burst_ms else 0.0):
        got = limit(round(interval.used_s / interval.periods / group.period_ms * 1000, 3))
        problems.append(
            Contradiction(f"{interval.name}: {got} was used under a limit of {limit(group.limit)}", LIMIT_OF_GROUP)
        )
    used = interval.used_s / interval.length_s if interval.length_s else 0.0
    for most, what in ((group.processors, "processor"), (question.threads, "thread")):
        if most is not None and interval.clock is not Clock.PERIODS and used > SLACK * most:
            got = f"{interval.name}: {fixed(used, 2)} processors were used on average"
            problems.append(Contradiction(f"{got}, but there are {plural(most, what)}", f"the number of {what}s"))
    return problems


def _unfilled(interval: Interval, question: LimitRequest) -> list[Contradiction]:
    """Periods that were throttled though the limit cannot have been used up in them."""
    group = question.group
    if not interval.throttled:
        return []
    least = interval.throttled * group.quota_ms / 1000
    if LEAST_OF_QUOTA * least > interval.used_s:
        what = (
            f"{interval.name}: {interval.throttled:,} throttled periods use up {fixed(least, 1)} s of a limit of"
            f" {limit(group.limit)}, but {fixed(interval.used_s, 1)} s were used"
        )
        return [Contradiction(what, LIMIT_OF_GROUP)]
    most = min(group.processors or math.inf, question.threads or math.inf)
    if group.limit > most:
        what = "threads" if most == question.threads else "processors"
        seen = f"{interval.name}: {interval.throttled:,} periods were throttled, but {most:g} {what} cannot use up"
        return [Contradiction(f"{seen} a limit of {limit(group.limit)}", f"the number of {what}, and {LIMIT_OF_GROUP}")]
    return []


def _stopped(interval: Interval, question: LimitRequest) -> list[Contradiction]:
    """More stopped than throttled periods, or threads, explain."""
    group, problems = question.group, []
    threads = question.threads or group.processors
    # One may have been stopped at the first copy: then its period is counted before it, and its time after it.
    left_over_s = (threads or MOST_AT_ONCE) * group.period_ms / 1000
    if interval.stopped_s is None:
        return []
    if not interval.throttled and interval.stopped_s > SLACK * left_over_s:
        problems.append(
            Contradiction(
                f"{interval.name}: processors were stopped for {seconds(interval.stopped_s)}, but no period"
                " is counted as throttled",
                "whole copies of cpu.stat: nr_throttled and throttled_usec of one group at one moment",
            )
        )
    # Each thread can keep one processor stopped, and no more.
    if (
        interval.throttled
        and threads is not None
        and interval.stopped_s > SLACK * threads * interval.throttled * group.period_ms / 1000
    ):
        least = interval.stopped_s / interval.throttled / group.period_ms * 1000
        problems.append(
            Contradiction(
                f"{interval.name}: {fixed(least, 1)} processors were stopped at a time, but there are"
                f" {threads} threads",
                "the number of threads in the container, including those of its runtime, as --threads",
            )
        )
    return problems


def agreements(found: Sequence[Interval], question_limit: float, period_ms: float) -> list[str]:
    """The agreements, in words: the time used of the time allowed, in each interval; of many, in all but the last.

    >>> from slicewright.advise.limits.intervals import Clock
    >>> agreements([Interval(1, 2, 24.0, 600, 120, 9.0, 60.0, Clock.EVERY)], 0.5, 100.0)
    ['copy 1 to 2: used 24.0 s of at most 30.0 s (80.0 %), 120 of 600 periods throttled (20.0 %)']
    """
    said = []
    several = len(found) > MOST_LISTED
    for interval in [pooled(found[:-1]), found[-1]] if several else found:
        name = f"{len(found) - 1} intervals" if several and interval is not found[-1] else interval.name
        most = question_limit * period_ms / 1000 * interval.periods
        said.append(
            f"{name}: used {fixed(interval.used_s, 1)} s of at most {fixed(most, 1)} s"
            f" ({percent(interval.used_s / most)}), {interval.throttled:,} of {interval.periods:,} periods throttled"
            f" ({percent(interval.throttled / interval.periods)})"
        )
    return said

"""The answer from copies of `cpu.stat`: what they say by themselves, what was found from them, what would do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from slicewright.advise.limits.aim import Aim
from slicewright.advise.limits.answer import LimitAnswer, ReadingLine
from slicewright.advise.limits.build import Case, build, read
from slicewright.advise.limits.causes import LONGER, causes
from slicewright.advise.limits.cpu_stat import Copy
from slicewright.advise.limits.evidence import Contradiction, contradictions
from slicewright.advise.limits.intervals import Clock, Interval, intervals, read_all, since_it_was_made
from slicewright.advise.limits.model import Load
from slicewright.advise.limits.request import LimitRequest
from slicewright.advise.limits.simulations import CURVE_RUNS, LimitSimulations
from slicewright.advise.limits.telling import FEWEST_THROTTLED, LEAST_PERCENT, Judged, judged_one_by_one, tells
from slicewright.advise.limits.words import heading, no_limit_does, say, why_none_foretells
from slicewright.experiment.progress import Progress, counting, silent
from slicewright.statistics import percent, plural

SIMULATIONS = 900
"""Replications that an answer takes, about: only a bar needs to know."""
SECOND = "a second copy of cpu.stat, a minute or more after the first"
APART = "the time between copies: --every, or a line 'time SECONDS' before each"
MOST_TIMES = 20
"""As far apart as is proposed: beyond that throttling is too rare to be advised on."""
MOST_REST = 0.1
"""Of the time, that may go uncounted where only periods say how long it was."""


def answer_copies(
    named: Sequence[tuple[str, bytes]], question: LimitRequest, progress: Progress = silent
) -> LimitAnswer:
    """The answer from files (name, content) with copies of one group; raises InputError with every problem.

    There is a reason in place of a recommendation where there is one copy, or nothing was throttled.  The same holds
    where copies and options contradict each other, or no reading foretells the last interval.

    >>> from slicewright.advise.limits.example import COPIES, QUESTION
    >>> one = b"".join(COPIES.splitlines(keepends=True)[:4])
    >>> answer_copies([("cpu.stat", one)], QUESTION).needed
    ('a second copy of cpu.stat, a minute or more after the first',)
    """
    copies = read_all(named)
    found = intervals(copies, question.group.period_ms, question.every_s)
    judged = judged_one_by_one(found, question.group)
    answer = _bare(named, copies, (found, judged), question)
    against = contradictions([interval for interval in found if interval.periods], question)
    if against:
        return _none(answer, "; ".join(contradiction.what for contradiction in against), _settles(against))
    case = Case(judged.used, question, tuple(found))
    reason, settles = _too_few(copies, found, judged)
    if not reason:
        reason, settles = _too_rare(copies, case)
    if not reason and len(judged.used) < 2:
        reason = "only one interval gives information about throttling, which leaves none to check the model against"
        settles = ("more copies from a time in which the group is throttled",)
    if reason:
        return _none(answer, reason, settles)
    simulations = LimitSimulations(question.group.processors, question.tick_ms, counting(progress, SIMULATIONS))
    lines = read(simulations, case)
    answer = replace(answer, first=case.first, cpu_ms=case.cpu_ms, readings=tuple(lines))
    reason, settles = _no_ground(lines, case)
    if reason:
        return _none(answer, reason, settles)
    built = build(simulations, case, lines, answer.aim)
    load = built.curve.load
    answer = replace(
        answer, recommendation=built.recommendation, points=built.points, readings=built.readings,
        replications=CURVE_RUNS, interval_s=built.curve.plan.interval_s,
        cpu_ms=load.cpu_ms * (load.batch if question.bursts else 1),
        requests_per_s=load.requests_per_s, skipped=built.skipped,
    )  # fmt: skip
    if built.recommendation is None:
        answer = replace(answer, reason=no_limit_does(answer))
    progress(1.0)
    said = say(answer)
    return replace(answer, facts=said.facts, open=said.open, caveats=said.caveats, needed=said.needed)


def _too_few(copies: Sequence[Copy], found: Sequence[Interval], judged: Judged) -> tuple[str, tuple[str, ...]]:
    """Why there are too few intervals for an answer, and what would settle it; nothing where there are enough."""
    if len(copies) == 1:
        reason = "one copy shows how often the group was throttled, but leaves nothing to check the model against"
        return reason, (SECOND,)
    if len(found) == 1:
        reason = "nothing was counted before the first copy, so no earlier interval predicts the one after it"
        return reason, ("a third copy of cpu.stat",)
    if len(judged.used) < 2 and judged.full:
        reason = (
            "the limit was used up nearly all of the time: the copies do not show how much more the group would use"
            " without it"
        )
        return reason, ("copies from a time with fewer requests, or with a higher limit",)
    return "", ()


def _too_rare(copies: Sequence[Copy], case: Case) -> tuple[str, tuple[str, ...]]:
    """Why nothing is to be found from how often it was throttled, and what would settle it; nothing where enough is.

    That a limit costs nothing is said only where no interval says otherwise, the time before the first copy included.
    """
    before = [
        interval for interval in since_it_was_made(copies, case.question.group.period_ms) if interval not in case.every
    ]
    slowed = [interval for interval in (*before, *case.every) if _is_slowed(interval)]
    throttled = sum(interval.throttled for interval in case.intervals)
    if slowed and (len(case.intervals) < 2 or case.first.throttled_percent >= LEAST_PERCENT):
        if len(case.intervals) < 2 or tells(sum(interval.periods for interval in case.intervals), throttled):
            return "", ()
        reason = (
            f"{plural(throttled, 'period')} were throttled, fewer than {FEWEST_THROTTLED}: too few to find a load from"
        )
        return reason, ("copies further apart, under the same load",)
    if slowed:
        seen = "; ".join(
            f"{interval.name}: {percent(interval.throttled / interval.periods)} of periods throttled"
            for interval in slowed
        )
        reason = (
            f"the group was throttled for only a part of the time ({seen}): the rest gives no information about that"
            " part"
        )
        return reason, ("copies from a time in which the group is throttled throughout",)
    if case.question.growth > 1:
        reason = f"the group was hardly ever throttled: the copies do not predict {case.question.growth:g} times"
        return f"{reason} the requests", ("copies from a time with more requests, or with a lower limit",)
    return "the group was hardly ever throttled: the limit costs no latency", ()


def _is_slowed(one: Interval) -> bool:
    return one.throttled_percent >= LEAST_PERCENT or (one.stopped_percent or 0.0) >= LEAST_PERCENT


def _no_ground(lines: Sequence[ReadingLine], case: Case) -> tuple[str, tuple[str, ...]]:
    """Why readings are no ground for advice, and what would settle it; nothing where they are."""
    if _rests(lines[0].reading.load, case):
        reason = "the group was idle for much of the time, which nr_periods does not count: the time between the"
        return f"{reason} copies, and so the CPU time per request, is unknown", (APART,)
    if all(line.why for line in lines):
        return why_none_foretells(lines), tuple(cause.settles for cause in causes(lines, case.first))
    fitting = [line for line in lines if not line.why]
    # A clock varies so little that its forecast says nothing about the others.
    random = [line for line in fitting if not line.reading.load.pattern.regular]
    if not any(line.check is not None and line.check.tells for line in random or fitting):
        return "the last interval is too short for a check: its random variation is too large", (_longer(lines),)
    return "", ()


def _longer(lines: Sequence[ReadingLine]) -> str:
    times = min(line.check.longer for line in lines if not line.why and line.check is not None)
    return f"copies {math.ceil(times) + 1} times as far apart, under the same load" if times <= MOST_TIMES else LONGER


def _rests(nearest: Load, case: Case) -> bool:
    """Whether only counted periods say how long it was, and there was much that they do not count."""
    last = case.intervals[-1]
    return last.clock is Clock.PERIODS and nearest.cpu_ms < (1 - MOST_REST) * case.cpu_ms


def _bare(
    named: Sequence[tuple[str, bytes]],
    copies: Sequence[Copy],
    all_and_judged: tuple[Sequence[Interval], Judged],
    question: LimitRequest,
) -> LimitAnswer:
    """Everything that needs no model."""
    found, judged = all_and_judged
    return LimitAnswer(
        tuple(name for name, _ in named), heading([name for name, _ in named], copies, found, question), question.group,
        question.requests_per_s, len(copies), judged.used, None, "", Aim(question.target, question.knee_percent),
        question.margin_percent, growth=question.growth, threads=question.threads, rate_known=not question.bursts,
        judged=judged,
    )  # fmt: skip


def _none(answer: LimitAnswer, reason: str, needed: tuple[str, ...]) -> LimitAnswer:
    answer = replace(answer, reason=reason)
    said = say(answer)
    return replace(answer, facts=said.facts, open=said.open, caveats=said.caveats, needed=needed)


def _settles(against: Sequence[Contradiction]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(contradiction.settles for contradiction in against))

"""Limits from copies of cpu.stat: the answer of one group, and the words about it."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from slicewright.advise.limits.answer import Case, Check, Forecast, Lever, LimitAnswer, Point, ReadingLine, build, read
from slicewright.advise.limits.cpu_stat import Copy, date_of, is_cpu_stat, limit_of
from slicewright.advise.limits.fleet.cluster import FORMS
from slicewright.advise.limits.intervals import (
    FEWEST_THROTTLED,
    LEAST_PERCENT,
    Judged,
    intervals,
    judged_one_by_one,
    read_all,
    since_it_was_made,
    tells,
)
from slicewright.advise.limits.quantity import limit, rate, span
from slicewright.advise.limits.request import LimitRequest
from slicewright.advise.limits.request import check as request_of
from slicewright.advise.options import AdviceOptions
from slicewright.advise.question import Files
from slicewright.advise.report import holding
from slicewright.reading.cgroup import CURVE_RUNS, Clock, Interval, LimitSimulations, Load, Setting, pooled
from slicewright.reading.limits import MOST_AT_ONCE, Observed, Off
from slicewright.statistics import fixed, milliseconds, percent, plural, plus_minus, seconds, significant, there_are
from slicewright.values.errors import Problem, gathered, problem, refusal
from slicewright.values.progress import Progress, counting, silent

SLACK = 1.03
"""ASSUME: how far sums may stray, for the ends of intervals."""
LEAST_OF_QUOTA = 0.5
"""ASSUME: of the quota, what a throttled period uses at least: processors may keep a slice that they do not run."""
_MOST_LISTED = 6
"""Intervals that have a line each."""
_SLICE_S = 0.005
"""sched_cfs_bandwidth_slice_us: what a processor may have left over from the period before."""


_LIMIT_OF_GROUP = "the limit in cpu.max of the group, as --limit"


@dataclass(frozen=True, slots=True)
class _Cause:
    """Something that is, or may be, so, and what would settle it."""

    what: str
    settles: str


def contradictions(found: Sequence[Interval], question: LimitRequest) -> list[_Cause]:
    """Statements that cannot be true together."""
    return [
        problem
        for interval in found
        for problem in (*_beyond(interval, question), *_unfilled(interval, question), *_stopped(interval, question))
    ]


def _beyond(interval: Interval, question: LimitRequest) -> list[_Cause]:
    """More used than the limit, the processors or the threads allow."""
    group, problems = question.group, []
    allowed = group.limit * group.period_ms / 1000 * interval.periods
    threads = question.threads or group.processors
    room = (group.processors or threads or 1) * _SLICE_S + group.burst_ms / 1000 + group.quota_ms / 1000
    if interval.used_s > SLACK * allowed + room + (interval.periods * group.burst_ms / 1000 if group.burst_ms else 0.0):
        got = limit(round(interval.used_s / interval.periods / group.period_ms * 1000, 3))
        problems.append(
            _Cause(f"{interval.name}: {got} was used under a limit of {limit(group.limit)}", _LIMIT_OF_GROUP)
        )
    used = interval.used_s / interval.length_s if interval.length_s else 0.0
    for most, what in ((group.processors, "processor"), (question.threads, "thread")):
        if most is not None and interval.clock is not Clock.PERIODS and used > SLACK * most:
            got = f"{interval.name}: {fixed(used, 2)} processors were used on average"
            problems.append(_Cause(f"{got}, but there are {plural(most, what)}", f"the number of {what}s"))
    return problems


def _unfilled(interval: Interval, question: LimitRequest) -> list[_Cause]:
    """Periods that were throttled though the limit cannot have been used up in them."""
    group = question.group
    if not interval.throttled:
        return []
    least = interval.throttled * group.quota_ms / 1000
    if LEAST_OF_QUOTA * least > interval.used_s:
        what = (
            f"{interval.name}: {plural(interval.throttled, 'throttled period uses', 'throttled periods use')} up "
            f"{fixed(least, 1)} s of a limit of"
            f" {limit(group.limit)}, but {fixed(interval.used_s, 1)} s were used"
        )
        return [_Cause(what, _LIMIT_OF_GROUP)]
    most = min(group.processors or math.inf, question.threads or math.inf)
    if group.limit > most:
        what = "thread" if most == question.threads else "processor"
        throttled = plural(interval.throttled, "period was", "periods were")
        seen = f"{interval.name}: {throttled} throttled, but {plural(int(most), what)} cannot use up"
        return [_Cause(f"{seen} a limit of {limit(group.limit)}", f"the number of {what}s, and {_LIMIT_OF_GROUP}")]
    return []


def _stopped(interval: Interval, question: LimitRequest) -> list[_Cause]:
    """More stopped than throttled periods, or threads, explain."""
    group, problems = question.group, []
    threads = question.threads or group.processors
    # One may have been stopped at the first copy: then its period is counted before it, and its time after it.
    left_over_s = (threads or MOST_AT_ONCE) * group.period_ms / 1000
    if interval.stopped_s is None:
        return []
    if not interval.throttled and interval.stopped_s > SLACK * left_over_s:
        problems.append(
            _Cause(
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
            _Cause(
                f"{interval.name}: {fixed(least, 1)} processors were stopped at a time, but"
                f" {there_are(threads, 'thread')}",
                "the number of threads in the container, including those of its runtime, as --threads",
            )
        )
    return problems


def _agreements(found: Sequence[Interval], question_limit: float, period_ms: float) -> list[str]:
    """The agreements, in words: the time used of the time allowed, in each interval; of many, in all but the last.

    >>> from slicewright.advise.limits.intervals import Clock
    >>> _agreements([Interval(1, 2, 24.0, 600, 120, 9.0, 60.0, Clock.EVERY)], 0.5, 100.0)
    ['copy 1 to 2: used 24.0 s of at most 30.0 s (80.0 %), 120 of 600 periods throttled (20.0 %)']
    """
    said = []
    several = len(found) > _MOST_LISTED
    for interval in [pooled(found[:-1]), found[-1]] if several else found:
        name = f"{len(found) - 1} intervals" if several and interval is not found[-1] else interval.name
        most = question_limit * period_ms / 1000 * interval.periods
        said.append(
            f"{name}: used {fixed(interval.used_s, 1)} s of at most {fixed(most, 1)} s"
            f" ({percent(interval.used_s / most)}), {interval.throttled:,} of {plural(interval.periods, 'period')}"
            " throttled"
            f" ({percent(interval.throttled / interval.periods)})"
        )
    return said


_LONGER = "copies further apart, or more of them, under the same load"


_STEADIER = _Cause(
    "requests may arrive more evenly than at random (behind a queue or one busy client), or be more and smaller"
    " than --requests says",
    "the count of all requests served, including health checks, as --requests",
)
_LUMPS = _Cause(
    "work may come in larger lumps than requests: a start, a job, garbage collection; or requests are fewer than"
    " --requests says",
    "copies from a time without a start or a job, with the requests served in that time as --requests",
)
_SURGES = _Cause(
    "the rate may rise and fall from copy to copy by more than any load that was tried: work varies more from"
    " interval to interval than random arrivals would",
    "copies from a time with a steady rate, or closer together than the rate changes, each at least 10 s apart",
)
_MORE_STOPPED = _Cause(
    "more threads may have been stopped than serve requests: runtime threads, such as garbage collection or"
    " compilation",
    "all threads of the container (Threads in /proc/PID/status) as --threads, without --processors if the node's"
    " number is uncertain",
)
_FEWER_STOPPED = _Cause(
    "fewer threads may run at once than was tried: threads wait for each other, or for something outside, within"
    " a request",
    "the number of requests in progress at once, as --threads; or the share under one lock, as --assume lock=70%",
)
_CHANGED = _Cause(
    "the load may have changed: the model allows another rate, but not other batches, CPU times or threads",
    "copies from a time with one kind of load, without a start of the container",
)
_BEFORE_FIRST = _Cause(
    "the counters until the first copy include the start of the container",
    "a third copy of cpu.stat, so that the time before the first copy is not needed",
)


_BY_NUMBER = {
    Off.OFTEN: _STEADIER, Off.SELDOM: _LUMPS, Off.LESS: _SURGES, Off.MORE: _STEADIER, Off.SHORTER: _MORE_STOPPED,
    Off.LONGER: _FEWER_STOPPED,
}  # fmt: skip
"""The possible cause by the number that rejects the loads that were tried."""


def _causes(lines: Sequence[ReadingLine], first: Observed) -> list[_Cause]:
    """Possible causes, where none of the readings explains the counters, or foretells the last interval."""
    if any(line.check is not None for line in lines):
        return [_CHANGED, *([_BEFORE_FIRST] if first.interval.first == 0 else [])]
    rejected = {line.reading.rejected_by for line in lines}
    return list(dict.fromkeys(cause for off, cause in _BY_NUMBER.items() if off in rejected))


def _nearest(lines: Sequence[ReadingLine], first: Observed) -> list[str]:
    """The counters of the first intervals, and the readings nearest to them, on either side."""
    measured, tried = first.stopped_ms, [line.reading for line in lines]
    if measured is None:
        said = [f"measured: {fixed(first.throttled_percent, 1)} % of periods throttled"]
        nearest = sorted(tried, key=lambda one: abs(one.throttled_percent - first.throttled_percent))[:1]
    else:
        said = [f"measured: {_words(first.throttled_percent, measured)} in each of them"]
        ordered = sorted(tried, key=lambda one: abs(one.stopped_ms - measured))
        longer = [reading.stopped_ms > measured for reading in ordered]
        nearest = [ordered[longer.index(side)] for side in (False, True) if side in longer]
    return said + [
        f"tried: {reading.words}: {_words(reading.throttled_percent, reading.stopped_ms)}" for reading in nearest
    ]


def _words(throttled_percent: float, stopped_ms: float) -> str:
    stopped = milliseconds(stopped_ms)
    return f"{fixed(throttled_percent, 1)} % of periods throttled, processors stopped for {stopped} ms"


_CLOCKS = {
    Clock.TIME: "the length is the difference of the times in the copies",
    Clock.EVERY: "the length is given by --every",
    Clock.PERIODS: "the length is nr_periods x period, a lower bound: the kernel's timer stops while the group is idle",
}
_FORECASTS = {
    "throttled_percent": "periods throttled", "throttled_of_time_percent": "periods of the time throttled",
    "stopped_percent": "processors stopped",
}  # fmt: skip


def _heading(files: Sequence[str], copies: Sequence[Copy], found: Sequence[Interval], question: LimitRequest) -> str:
    """The copies that were read, in a line."""
    names = ", ".join(dict.fromkeys(files))
    group = question.group
    length = sum(interval.length_s for interval in found if interval.first > 0)
    many = plural(len(copies), "copy", "copies") + (f", {seconds(float(f'{length:.4g}'))}" if length else "")
    burst = f", burst {span(group.burst_ms)}" if group.burst_ms else ""
    quota = f"{span(group.quota_ms)} of {span(group.period_ms)}{burst}"
    low, high = question.between or (question.requests_per_s, question.requests_per_s)
    tail = f"{rate(low)} requests" if low == high else f"{rate(low)} to {rate(high)} requests"
    tail = "rate of requests not known" if question.bursts else tail
    if question.threads:
        tail = f"{plural(question.threads, 'thread')}, {tail}"
    return f"{names}  {many}: limit {limit(group.limit)} ({quota}), {tail}"


def _why_none_foretells(lines: Sequence[ReadingLine]) -> str:
    """Why no recommendation is given, from what the readings did."""
    fitting = [line for line in lines if line.check is not None]
    if not fitting:
        return "no load that was tried reproduces how often, and for how long, the group was throttled"
    tried = fitting[0].check
    assert tried is not None
    missed = ", ".join(_foretold(tried, lambda forecast: not forecast.holds))
    return f"the load that reproduces the first intervals does not predict the last: {missed}"


def _foretold(check: Check, which: Callable[[Forecast], bool] = lambda forecast: True) -> list[str]:
    return [
        f"{_FORECASTS[forecast.name]} {fixed(forecast.simulated, 1)} ± {fixed(forecast.band, 1)} % predicted,"
        f" {fixed(forecast.measured, 1)} % measured"
        for forecast in check.forecasts
        if which(forecast)
    ]


def _no_limit_does(answer: LimitAnswer) -> str:
    """Why no limit does what is asked."""
    without = answer.of(Lever.LIMIT)[-1]
    name = answer.aim.name
    value = significant(without.columns[name].mean)
    return f"even without a limit it would be {value} ms: throttling is not the cause"


def setting_words(lever: Lever, setting: Setting) -> str:
    """The changes of a setting, in words.

    >>> setting = Setting(0.5, 4, 100.0, 25.0)
    >>> setting_words(Lever.LIMIT, setting), setting_words(Lever.BURST, setting)
    ('500m', 'burst 25 ms')
    """
    match lever:
        case Lever.LIMIT:
            return limit(setting.limit)
        case Lever.THREADS:
            return plural(setting.threads, "thread")
        case Lever.PERIOD:
            return f"period {span(setting.period_ms)}"
        case Lever.BURST:
            return f"burst {span(setting.burst_ms)}" if setting.burst_ms else "no burst"


def percentile(point: Point, name: str) -> str:
    """A latency of a point with its half-width."""
    one = point.columns[name]
    return plus_minus(one.mean, one.half_width)


def _said(answer: LimitAnswer) -> LimitAnswer:
    """The same with all lines around it."""
    return replace(
        answer, facts=tuple(_facts(answer)), open=tuple(_open(answer)), caveats=tuple(_caveats(answer)),
        needed=tuple(_needed(answer)),
    )  # fmt: skip


def _facts(answer: LimitAnswer) -> list[str]:
    group = answer.group
    lines = _agreements(answer.intervals, group.limit, group.period_ms)
    lines += answer.judged.words()
    if any(interval.stopped_s is None for interval in answer.intervals):
        lines.append("the copies have no throttled_usec: how many threads were stopped is not known")
    clocks = {interval.clock for interval in answer.intervals if interval.first > 0}
    lines += [f"intervals between copies: {_CLOCKS[clock]}" for clock in Clock if clock in clocks]
    main = answer.main
    if main is None and answer.first is not None and answer.readings:
        lines += _nearest(answer.readings, answer.first)
    if answer.cpu_ms and main is not None:
        others = sorted(reading.reading.load.cpu_ms for reading in answer.readings if reading.reading.rate != 1)
        about = f" ({milliseconds(others[0])} to {milliseconds(others[-1])} with other rates)" if others else ""
        per = f"CPU per request {milliseconds(answer.cpu_ms)} ms: time used over requests served, between copies{about}"
        if answer.bursts:
            per = (
                f"a burst takes {milliseconds(answer.cpu_ms)} ms of processor time, fitted; without --requests a burst"
                " is what comes at once, one request or several"
            )
        lines.append(per)
    if main is not None and main.check is not None:
        lines.append(f"the last interval, predicted from those before: {'; '.join(_foretold(main.check))}")
    return lines


def _open(answer: LimitAnswer) -> list[str]:
    holding = [reading for reading in answer.readings if not reading.why]
    if not holding:
        return [cause.what for cause in _causes(answer.readings, answer.first)] if answer.first is not None else []
    lines = [f"{line.reading.words}: {_asks(line.limit)}" for line in holding if line.limit is not None or line.text]
    more = sum(line.limit is None and not line.text for line in holding)
    if more:
        lines.append(f"{plural(more, 'more reading')} that fit: not simulated under other limits")
    if any(interval.first == 0 for interval in answer.intervals):
        lines.append("the time until the first copy is assumed to have the same load at another rate")
    return lines


def _asks(least: float | None) -> str:
    if least is None:
        return "no limit meets it, not even none"
    return "no limit at all" if math.isinf(least) else f"a limit of {limit(least)}"


def _caveats(answer: LimitAnswer) -> list[str]:
    if not answer.points:
        return []
    load = answer.main.reading.load if answer.main is not None else None
    return holding({
        "latency is from the arrival of a request to its end, on processors and threads of this group; waits for"
        " storage, other services and locks are extra": True,
        "requests arrive at random or by a clock, alone or in batches, and each takes one thread; readings differ in"
        " the spread of CPU times, in how sizes of batches and gaps vary, and in whether the rate does": True,
        "other groups on the node are not modelled": answer.group.processors,
        "--processors is unknown: each thread finds a free processor, and no other group competes": (
            not answer.group.processors
        ),
        "period and burst are settings of the node, not of the pod (cpuCFSQuotaPeriod of the kubelet; cpu.max.burst)":
            True,
        "a lock that limits threads (an interpreter's, a pool of one) is inferred from how long processors"
        " were stopped; the copies do not identify it": load and load.serial and load.threads > 1,
        **{f"not simulated: {setting}": True for setting in answer.skipped},
        f"the present limit, {limit(answer.group.limit)}, is below the demand: the queue of requests grows"
        " without bound": answer.now is None,
        f"latencies, counters and limits in the tables are for {answer.growth:g} times the measured rate:"
        f" {rate(answer.requests_per_s)}; Evidence is for the load as it was measured": answer.growth != 1,
        f"each of {plural(answer.replications, 'run')} simulates {seconds(answer.interval_s)}; percentiles are"
        " resolved to 3 %": True,
    })  # fmt: skip


def _needed(answer: LimitAnswer) -> list[str]:
    """What would narrow the ranges: every fact in which readings that hold differ, whether they agree or not."""
    fitting = [line.reading for line in answer.readings if not line.why]
    untimed = any(interval.clock is Clock.PERIODS for interval in answer.intervals if interval.first > 0)
    narrower = {
        "copies with throttled_usec, the time for which processors were stopped": any(
            interval.stopped_s is None for interval in answer.intervals
        ),
        "the requests served per second while the copies were made, as --requests": answer.bursts,
        "the spread of the CPU times of requests (a histogram), as --assume scv=": len(
            {reading.load.scv for reading in fitting}
        ) > 1,
        "copies further apart, with less random variation": any(reading.moved for reading in fitting),
        "a more exact count of the requests served, as --requests": any(reading.rate != 1 for reading in fitting),
        "the number of threads that serve requests, as --threads": answer.threads is None,
    }  # fmt: skip
    return holding({
        **(narrower if fitting else {}),
        "the time between copies, as --every, or in a line 'time SECONDS' before each": (
            answer.recommendation is not None and untimed
        ),
    })  # fmt: skip


def check(files: Files, options: AdviceOptions) -> LimitRequest:
    """The question; problems of the options and of the files are raised together."""
    problems: list[Problem] = []
    why, allowed = "it has none of the counters of cpu.stat", f"copies of a group's cpu.stat; or {FORMS}"
    others = [name for name, data in files if not is_cpu_stat(data) and data.strip()]
    problems += [problem("no cpu.stat", file=name, why=why, allowed=allowed) for name in others]
    if not others:
        gathered(problems, functools.partial(read_all, files))
    if "limit" not in options.own and (limit := limit_of([data for _, data in files])) is not None:
        options = replace(options, own={**options.own, "limit": limit})
    asked = gathered(problems, functools.partial(request_of, options))
    if problems:
        raise refusal(*problems)
    return asked[0]


_SIMULATIONS = 900
"""Replications that an answer takes, about: only a bar needs to know."""
_SECOND = "a second copy of cpu.stat, a minute or more after the first"
_APART = "the time between copies: --every, or a line 'time SECONDS' before each"
_MOST_TIMES = 20
"""As far apart as is proposed: beyond that throttling is too rare to be advised on."""
_MOST_REST = 0.1
"""Of the time, that may go uncounted where only periods say how long it was."""


@dataclass(frozen=True)
class Searched:
    """The readings of copies, with all of an answer that needs no curve; with a `reason` where none may be used."""

    answer: LimitAnswer
    simulations: LimitSimulations
    case: Case | None = None
    reason: str = ""
    settles: tuple[str, ...] = ()


def answer_copies(
    named: Sequence[tuple[str, bytes]], question: LimitRequest, progress: Progress = silent
) -> LimitAnswer:
    """The answer from files (name, content) with copies of one group; raises InputError with every problem.

    There is a reason in place of a recommendation where there is one copy, or nothing was throttled.  The same holds
    where copies and options contradict each other, or no reading foretells the last interval.
    """
    simulations = LimitSimulations(question.group.processors, question.tick_ms, counting(progress, _SIMULATIONS))
    searched = search(named, question, simulations)
    if searched.reason or searched.case is None:
        return without(searched.answer, searched.reason, searched.settles)
    answer = with_curve(searched.answer, simulations, searched.case)
    progress(1.0)
    return answer


def search(named: Sequence[tuple[str, bytes]], question: LimitRequest, simulations: LimitSimulations) -> Searched:
    """The readings of copies; raises InputError with every problem of these."""
    copies = read_all(named)
    found = intervals(copies, question.group.period_ms, question.every_s)
    judged = judged_one_by_one(found, question.group)
    answer = bare(named, copies, (found, judged), question)
    refused = Searched(answer, simulations)
    against = contradictions([interval for interval in found if interval.periods], question)
    if against:
        reason = "; ".join(contradiction.what for contradiction in against)
        return replace(refused, reason=reason, settles=tuple(dict.fromkeys(each.settles for each in against)))
    case = Case(judged.used, question, tuple(found))
    reason, settles = _too_few(copies, found, judged)
    if not reason:
        reason, settles = _too_rare(copies, case)
    if not reason and len(judged.used) < 2:
        reason = "only one interval gives information about throttling, which leaves none to check the model against"
        settles = ("more copies from a time in which the group is throttled",)
    if reason:
        return replace(refused, reason=reason, settles=settles)
    lines = read(simulations, case)
    answer = replace(answer, first=case.first, cpu_ms=case.cpu_ms, readings=tuple(lines))
    reason, settles = _no_ground(lines, case)
    return Searched(answer, simulations, case, reason, settles)


def with_curve(answer: LimitAnswer, simulations: LimitSimulations, case: Case) -> LimitAnswer:
    """The answer with settings simulated under its readings, and the least limit that does what is asked."""
    question = case.question
    built = build(simulations, case, answer.readings, answer.aim)
    load = built.curve.load
    answer = replace(
        answer, recommendation=built.recommendation, points=built.points, readings=built.readings,
        replications=CURVE_RUNS, interval_s=built.curve.plan.interval_s,
        cpu_ms=load.cpu_ms * (load.batch if question.bursts else 1),
        requests_per_s=load.requests_per_s, skipped=built.skipped,
    )  # fmt: skip
    if built.recommendation is None:
        answer = replace(answer, reason=_no_limit_does(answer))
    return _said(answer)


def _too_few(copies: Sequence[Copy], found: Sequence[Interval], judged: Judged) -> tuple[str, tuple[str, ...]]:
    """Why there are too few intervals for an answer, and what would settle it; nothing where there are enough."""
    if len(copies) == 1:
        reason = "one copy shows how often the group was throttled, but leaves nothing to check the model against"
        return reason, (_SECOND,)
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
        return f"{reason} copies, and so the CPU time per request, is unknown", (_APART,)
    if all(line.why for line in lines):
        return _why_none_foretells(lines), tuple(cause.settles for cause in _causes(lines, case.first))
    fitting = [line for line in lines if not line.why]
    # A clock varies so little that its forecast says nothing about the others, nor does a load that chance has moved.
    random = [line for line in fitting if not line.reading.load.pattern.regular and not line.reading.moved]
    told = [line.check is not None and line.check.tells for line in random or fitting]
    if 2 * sum(told) < len(told):  # of many loads one happens to have little chance
        return "the last interval is too short for a check: its random variation is too large", (_longer(lines),)
    return "", ()


def _longer(lines: Sequence[ReadingLine]) -> str:
    times = min(line.check.longer for line in lines if not line.why and line.check is not None)
    return f"copies {math.ceil(times) + 1} times as far apart, under the same load" if times <= _MOST_TIMES else _LONGER


def _rests(nearest: Load, case: Case) -> bool:
    """Whether only counted periods say how long it was, and there was much that they do not count."""
    last = case.intervals[-1]
    return last.clock is Clock.PERIODS and nearest.cpu_ms < (1 - _MOST_REST) * case.cpu_ms


def bare(
    named: Sequence[tuple[str, bytes]],
    copies: Sequence[Copy],
    all_and_judged: tuple[Sequence[Interval], Judged],
    question: LimitRequest,
) -> LimitAnswer:
    """Everything of an answer that needs no model."""
    found, judged = all_and_judged
    return LimitAnswer(
        question.group, question.requests_per_s, len(copies), judged.used, None, question.aim, question.margin_percent,
        files=tuple(name for name, _ in named),
        heading=_heading([name for name, _ in named], copies, found, question),
        growth=question.growth, threads=question.threads, rate_known=not question.bursts,
        judged=judged, date=date_of(copies),
    )  # fmt: skip


def without(answer: LimitAnswer, reason: str, needed: tuple[str, ...]) -> LimitAnswer:
    """The answer without a recommendation, and why there is none."""
    return replace(_said(replace(answer, reason=reason)), needed=needed)

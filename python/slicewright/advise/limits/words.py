"""The sentences around an answer about a limit: what was read, evidence, what cannot be known, what would settle it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from slicewright.advise.answer import Explanation
from slicewright.advise.limits.answer import Lever, LimitAnswer, Point, ReadingLine
from slicewright.advise.limits.causes import causes, nearest
from slicewright.advise.limits.cpu_stat import Copy
from slicewright.advise.limits.evidence import agreements
from slicewright.advise.limits.intervals import Clock, Interval
from slicewright.advise.limits.model import Setting
from slicewright.advise.limits.quantity import limit, rate, span
from slicewright.advise.limits.request import LimitRequest
from slicewright.statistics import fixed, milliseconds, plural, plus_minus, seconds, significant

CLOCKS = {
    Clock.TIME: "the length is the difference of the times in the copies",
    Clock.EVERY: "the length is given by --every",
    Clock.PERIODS: "the length is nr_periods x period, a lower bound: the kernel's timer stops while the group is idle",
}
FORECASTS = {
    "throttled_percent": "periods throttled", "throttled_of_time_percent": "periods of the time throttled",
    "stopped_percent": "processors stopped",
}  # fmt: skip


def heading(files: Sequence[str], copies: Sequence[Copy], found: Sequence[Interval], question: LimitRequest) -> str:
    """The copies that were read, in a line.

    >>> from slicewright.advise.limits.example import advice
    >>> advice().heading.startswith("cpu.stat  3 copies, 240 s: limit 500m")
    True
    """
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


def why_none_foretells(lines: Sequence[ReadingLine]) -> str:
    """Why no recommendation is given, from what the readings did.

    >>> from slicewright.advise.limits.example import lines
    >>> from dataclasses import replace
    >>> why_none_foretells([replace(lines()[0], check=None)])
    'no load that was tried reproduces how often, and for how long, the group was throttled'
    """
    fitting = [line for line in lines if line.check is not None]
    if not fitting:
        return "no load that was tried reproduces how often, and for how long, the group was throttled"
    tried = fitting[0].check
    assert tried is not None
    missed = [forecast for forecast in tried.forecasts if not forecast.holds]
    numbers = ", ".join(
        f"{FORECASTS[forecast.name]} {fixed(forecast.simulated, 1)} ± {fixed(forecast.band, 1)} % predicted,"
        f" {fixed(forecast.measured, 1)} % measured"
        for forecast in missed
    )
    return f"the load that reproduces the first intervals does not predict the last: {numbers}"


def no_limit_does(answer: LimitAnswer) -> str:
    """Why no limit does what is asked.

    >>> from slicewright.advise.limits.example import advice
    >>> no_limit_does(advice()).startswith("even without a limit")
    True
    """
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
            return "none" if math.isinf(setting.limit) else limit(setting.limit)
        case Lever.THREADS:
            return plural(setting.threads, "thread")
        case Lever.PERIOD:
            return f"period {span(setting.period_ms)}"
        case Lever.BURST:
            return f"burst {span(setting.burst_ms)}" if setting.burst_ms else "no burst"


def percentile(point: Point, name: str) -> str:
    """A latency of a point with its half-width.

    >>> from slicewright.advise.limits.example import advice
    >>> " ± " in percentile(advice().now, "p99_ms")
    True
    """
    one = point.columns[name]
    return plus_minus(one.mean, one.half_width)


def say(answer: LimitAnswer) -> Explanation:
    """All lines around an answer.

    >>> from slicewright.advise.limits.example import advice
    >>> say(advice()).facts[0].startswith("copy 1 to 2: used ")
    True
    """
    return Explanation(tuple(_facts(answer)), tuple(_open(answer)), tuple(_caveats(answer)), tuple(_needed(answer)))


def _facts(answer: LimitAnswer) -> list[str]:
    group = answer.group
    lines = agreements(answer.intervals, group.limit, group.period_ms)
    lines += answer.judged.words()
    if any(interval.stopped_s is None for interval in answer.intervals):
        lines.append("the copies have no throttled_usec: how many threads were stopped is not known")
    clocks = {interval.clock for interval in answer.intervals if interval.first > 0}
    lines += [f"intervals between copies: {CLOCKS[clock]}" for clock in Clock if clock in clocks]
    main = answer.main
    if main is None and answer.first is not None and answer.readings:
        lines += nearest(answer.readings, answer.first)
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
        predicted = "; ".join(
            f"{FORECASTS[forecast.name]} {fixed(forecast.simulated, 1)} ± {fixed(forecast.band, 1)} % predicted,"
            f" {fixed(forecast.measured, 1)} % measured"
            for forecast in main.check.forecasts
        )
        lines.append(f"the last interval, predicted from those before: {predicted}")
    return lines


def _open(answer: LimitAnswer) -> list[str]:
    holding = [reading for reading in answer.readings if not reading.why]
    if not holding:
        return [cause.what for cause in causes(answer.readings, answer.first)] if answer.first is not None else []
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
    lines = [
        "latency is from the arrival of a request to its end, on processors and threads of this group; waits for"
        " storage, other services and locks are extra",
        "requests arrive at random or by a clock, alone or in batches, and each takes one thread; readings differ in"
        " the spread of CPU times, in how sizes of batches and gaps vary, and in whether the rate does",
        "other groups on the node are not modelled"
        if answer.group.processors
        else "--processors is unknown: each thread finds a free processor, and no other group competes",
    ]
    lines.append(
        "period and burst are settings of the node, not of the pod (cpuCFSQuotaPeriod of the kubelet; cpu.max.burst)"
    )
    if answer.main is not None and answer.main.reading.load.serial and answer.main.reading.load.threads > 1:
        lines.append(
            "a lock that limits threads (an interpreter's, a pool of one) is inferred from how long processors"
            " were stopped; the copies do not identify it"
        )
    lines += [f"not simulated: {setting}" for setting in answer.skipped]
    if answer.now is None:
        lines.append(
            f"the present limit, {limit(answer.group.limit)}, is below the demand: the queue of requests grows"
            " without bound"
        )
    if answer.growth != 1:
        lines.append(
            f"latencies, counters and limits in the tables are for {answer.growth:g} times the measured rate:"
            f" {rate(answer.requests_per_s)}; Evidence is for the load as it was measured"
        )
    lines.append(
        f"each of {plural(answer.replications, 'run')} simulates {seconds(answer.interval_s)}; percentiles are"
        " resolved to 3 %"
    )
    return lines


def _needed(answer: LimitAnswer) -> list[str]:
    """What would narrow the ranges: every fact in which readings that hold differ, whether they agree or not."""
    chosen = answer.recommendation
    lines = []
    holding = [line.reading for line in answer.readings if not line.why]
    if holding:
        if any(interval.stopped_s is None for interval in answer.intervals):
            lines.append("copies with throttled_usec, the time for which processors were stopped")
        if answer.bursts:
            lines.append("the requests served per second while the copies were made, as --requests")
        if len({reading.load.scv for reading in holding}) > 1:
            lines.append("the spread of the CPU times of requests (a histogram), as --assume scv=")
        if any(reading.moved for reading in holding):
            lines.append("copies further apart, with less random variation")
        if any(reading.rate != 1 for reading in holding):
            lines.append("a more exact count of the requests served, as --requests")
        if answer.threads is None:
            lines.append("the number of threads that serve requests, as --threads")
    if chosen is not None and any(
        interval.clock is Clock.PERIODS for interval in answer.intervals if interval.first > 0
    ):
        lines.append("the time between copies, as --every, or in a line 'time SECONDS' before each")
    return lines

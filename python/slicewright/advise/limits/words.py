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
    Clock.TIME: "its length is the difference of the times in the copies",
    Clock.EVERY: "its length is as --every says",
    Clock.PERIODS: "its length is nr_periods x period, the least it can have been: the kernel's timer rests while the"
    " group does nothing",
}
FORECASTS = {"throttled_percent": "periods throttled", "stopped_percent": "processors stopped"}


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
    if question.threads:
        tail = f"{plural(question.threads, 'thread')}, {tail}"
    return f"{names}  {many}: limit {limit(group.limit)} ({quota}), {tail}"


def why_none_foretells(lines: Sequence[ReadingLine]) -> str:
    """Why no recommendation is given, from what the readings did.

    >>> from slicewright.advise.limits.example import lines
    >>> from dataclasses import replace
    >>> why_none_foretells([replace(lines()[0], check=None)])
    'nothing that was tried explains how often, and for how long, it was throttled'
    """
    fitting = [line for line in lines if line.check is not None]
    if not fitting:
        return "nothing that was tried explains how often, and for how long, it was throttled"
    tried = fitting[0].check
    assert tried is not None
    missed = [forecast for forecast in tried.forecasts if not forecast.holds]
    numbers = ", ".join(
        f"{FORECASTS[forecast.name]} {fixed(forecast.simulated, 1)} ± {fixed(forecast.band, 1)} % foretold,"
        f" {fixed(forecast.measured, 1)} % measured"
        for forecast in missed
    )
    return f"what explains the first intervals does not foretell the last: {numbers}"


def no_limit_does(answer: LimitAnswer) -> str:
    """Why no limit does what is asked.

    >>> from slicewright.advise.limits.example import advice
    >>> no_limit_does(advice()).startswith("even without a limit")
    True
    """
    without = answer.of(Lever.LIMIT)[-1]
    name = answer.aim.name
    value = significant(without.columns[name].mean)
    return f"even without a limit it would be {value} ms: it is not throttling that it waits for"


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
    clocks = {interval.clock for interval in answer.intervals if interval.first > 0}
    lines += [f"of each interval between copies {CLOCKS[clock]}" for clock in Clock if clock in clocks]
    main = answer.main
    if main is None and answer.first is not None and answer.readings:
        lines += nearest(answer.readings, answer.first)
    if answer.cpu_ms and main is not None:
        others = sorted(reading.reading.load.cpu_ms for reading in answer.readings if reading.reading.rate != 1)
        about = f" ({milliseconds(others[0])} to {milliseconds(others[-1])} with other rates)" if others else ""
        lines.append(f"CPU per request {milliseconds(answer.cpu_ms)} ms: used over served, between copies{about}")
    if main is not None and main.check is not None:
        predicted = "; ".join(
            f"{FORECASTS[forecast.name]} {fixed(forecast.simulated, 1)} ± {fixed(forecast.band, 1)} % foretold,"
            f" {fixed(forecast.measured, 1)} % measured"
            for forecast in main.check.forecasts
        )
        lines.append(f"the last interval, from what was found in those before: {predicted}")
    return lines


def _open(answer: LimitAnswer) -> list[str]:
    holding = [reading for reading in answer.readings if not reading.why]
    if not holding:
        return [cause.what for cause in causes(answer.readings, answer.first)] if answer.first is not None else []
    lines = [f"{line.reading.words}: {_asks(line.limit)}" for line in holding if line.limit is not None or line.text]
    more = sum(line.limit is None and not line.text for line in holding)
    if more:
        lines.append(f"{plural(more, 'reading')} more that fit are not simulated under other limits")
    if any(interval.first == 0 for interval in answer.intervals):
        lines.append("what was counted until the first copy is taken for the same load, at another rate")
    return lines


def _asks(least: float | None) -> str:
    if least is None:
        return "nothing does, not even no limit"
    return "no limit at all" if math.isinf(least) else f"a limit of {limit(least)}"


def _caveats(answer: LimitAnswer) -> list[str]:
    if not answer.points:
        return []
    lines = [
        "latency is from the arrival of a request to its end, on processors and for threads of this group alone: waits"
        " for others (storage, other services, locks) come on top",
        "requests come by chance, in batches of random size, and each takes one thread; how their CPU times are spread"
        " is one of the readings",
        "other groups on the node are not there: whoever has no limit takes what they leave"
        if answer.group.processors
        else "--processors is not known: each thread finds a processor, and no other group is in the way",
    ]
    lines.append(
        "period and burst are settings of the node (cpuCFSQuotaPeriod of the kubelet; cpu.max.burst): not the pod's"
    )
    if answer.main is not None and answer.main.reading.load.serial and answer.main.reading.load.threads > 1:
        lines.append(
            "that a lock holds threads back (an interpreter's, a pool of one) is read from how long processors were"
            " stopped; which lock it is, or what else, the copies do not say"
        )
    lines += [f"not looked at: {setting}" for setting in answer.skipped]
    if answer.now is None:
        lines.append(
            f"the limit of now, {limit(answer.group.limit)}, is less than what would be used: requests pile up"
        )
    if answer.growth != 1:
        lines.append(f"for {answer.growth:g} times the requests that were measured: {rate(answer.requests_per_s)}")
    lines.append(
        f"each of {plural(answer.replications, 'run')} looks at {seconds(answer.interval_s)}; percentiles are told"
        " apart within 3 %"
    )
    return lines


def _needed(answer: LimitAnswer) -> list[str]:
    chosen = answer.recommendation
    lines = []
    kinds = {reading.reading.load.scv for reading in answer.readings if not reading.why}
    if chosen is not None and chosen.low != chosen.high:
        if len(kinds) > 1:
            lines.append("how CPU times of requests are spread (a histogram of them), as --assume scv=")
        if any(reading.reading.aimed for reading in answer.readings if not reading.why):
            lines.append("copies further apart: chance has less of a say in them")
        if any(reading.reading.rate != 1 for reading in answer.readings if not reading.why):
            lines.append("how many requests were served, more nearly, as --requests")
        if answer.threads is None:
            lines.append("how many threads serve requests, as --threads")
    if chosen is not None and any(
        interval.clock is Clock.PERIODS for interval in answer.intervals if interval.first > 0
    ):
        lines.append("how far apart the copies are, as --every, or with a line 'time SECONDS' before each")
    return lines

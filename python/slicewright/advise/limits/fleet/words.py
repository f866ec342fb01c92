"""The sentences around an answer about a fleet: what it rests on, what stays open, and what would settle it."""

from __future__ import annotations

import math

from slicewright.advise.limits.fleet.answer import FleetAnswer
from slicewright.advise.limits.fleet.lines import Line, Verdict
from slicewright.statistics import fixed, plural


def readings_words(answer: FleetAnswer) -> list[str]:
    """What the numbers rest on: the surrogate with its error, and how many loads fit.

    >>> from slicewright.advise.limits.fleet.example import answer
    >>> "simulations" in readings_words(answer())[0]
    True
    """
    told = [line for line in answer.lines if line.reading is not None]
    if not told:
        return []
    p99, share = (_factor(answer, name) for name in ("ratio_p99_ms", "throttled"))
    usual = sorted(line.reading.fits for line in told if line.reading is not None)[len(told) // 2]
    return [
        f"latency and throttling are from a surrogate fitted to {answer.draws:,} simulations; of simulations that it"
        f" was not fitted to, 95 % differ by less than a factor of {p99} in how throttling multiplies the 99th"
        f" percentile, and of {share} in the odds of a throttled period",
        f"{plural(usual, 'load')} (threads, batches, spread of CPU times) fit the counters of a workload (median)",
    ]


def open_questions(answer: FleetAnswer) -> list[str]:
    """The questions that counters leave open, over workloads."""
    lines = []
    if wide := [line for line in answer.lines if _is_wide(line)]:
        lines.append(
            f"{plural(len(wide), 'workload')}: the range of the limit is over a factor of 4, first {wide[0].workload}"
        )
    if uncounted := [line for line in answer.lines if line.reading is not None and line.reading.bursts]:
        lines.append(
            f"{plural(len(uncounted), 'workload')}: requests are not counted, so latency is that of bursts of work,"
            f" first {uncounted[0].workload}"
        )
    return lines


def caveats(answer: FleetAnswer) -> list[str]:
    """The assumptions about every workload.

    >>> from slicewright.advise.limits.fleet.example import answer
    >>> len(caveats(answer()))
    4
    """
    lines = [
        "latency is that inside the container, from the arrival of a request to its end; waits for storage, other"
        " services and locks are extra",
        "the busy time is the tenth of the time with the most use; a peak shorter than two minutes is not seen",
        "a node has a processor for each thread that may run: neighbours are not modelled",
        "the surrogate is fitted for periods of 100 ms and ticks of 4 ms, without a burst; other periods are scaled",
    ]
    if answer.request.growth != 1:
        lines.append(f"costs and limits are for {answer.request.growth:g} times the measured work")
    return lines


def needed(answer: FleetAnswer) -> list[str]:
    """The measurements that would settle most, by the number of workloads."""
    found: dict[str, list[Line]] = {}
    for line in answer.lines:
        if line.settles:
            found.setdefault(line.settles, []).append(line)
    listed = sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    lines = [
        f"{settles} ({plural(len(each), 'workload')}: {each[0].workload}{_more(each)})" for settles, each in listed
    ]
    if any(line.reading is not None and line.reading.bursts for line in answer.lines):
        lines.append("a counter of requests (a mesh's or OpenTelemetry's) beside the others, and threads by --workload")
    if answer.of(Verdict.RAISE):
        first = answer.of(Verdict.RAISE)[0].workload
        lines.append(f"the engine's own simulations of one workload: --workload {first}")
    return lines


def _more(lines: list[Line]) -> str:
    return " and others" if len(lines) > 1 else ""


def _is_wide(line: Line) -> bool:
    if line.low is None or line.high is None:
        return False
    return math.isinf(line.high) or line.high > 4 * line.low


def _factor(answer: FleetAnswer, name: str) -> str:
    return fixed(math.exp(answer.errors[name][1]), 2)

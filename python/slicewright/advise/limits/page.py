"""The answer about a limit as a page of text: what to set, latency under limits and threads, node settings apart.

It leaves out deciding anything: every number is in the answer.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence

from slicewright.advise.limits.answer import Lever, LimitAnswer, Point
from slicewright.advise.limits.quantity import limit
from slicewright.advise.limits.words import setting_words
from slicewright.advise.notes import notes
from slicewright.statistics import fixed, milliseconds, plus_minus, plus_minus_column
from slicewright.text import aligned, plural

WIDTH = 118


def page(answer: LimitAnswer) -> str:
    """The answer as text, no line wider than 118 characters but for long file names.

    >>> from slicewright.advise.limits.example import advice
    >>> print(page(advice()))
    cpu.stat  3 copies, 240 s: limit 500m (50 ms of 100 ms), 4 threads, 40/s requests
    ...
    """
    blocks = [
        answer.heading, _headline(answer), _latency(answer), _table(answer, (Lever.LIMIT,), "limit"),
        _table(answer, (Lever.THREADS,), "threads, limit as it is"),
        _table(answer, (Lever.PERIOD, Lever.BURST), "on the node"), notes(answer, _rejected(answer)),
    ]  # fmt: skip
    return "\n\n".join(block for block in blocks if block) + "\n"


def _headline(answer: LimitAnswer) -> str:
    told, now = answer.recommendation, answer.now
    if told is None:
        lines = textwrap.wrap(f"No recommendation: {answer.reason}.", WIDTH - 2)
        return "\n".join(f"  {line}" for line in lines)
    which = "No limit" if math.isinf(told.limit) else f"A limit of {limit(told.limit)}"
    change = " (as now)" if told.limit == answer.group.limit else f" instead of {limit(answer.group.limit)}"
    between = "every reading agrees"
    if told.low != told.high:
        between = f"range {_limit(told.low)} to {_limit(told.high)}"
    lines = [f"{which + change}".ljust(42) + f"  {between}", f"Asked: {answer.aim.words}."]
    if math.isfinite(told.high) and told.high > told.limit:
        lines[-1] += f" {limit(told.high)} does it under every reading."
    if any(one.text and not one.why and one.limit is None for one in answer.readings):
        lines[-1] += " Under a reading nothing does it."
    lines += textwrap.wrap(_gain(answer, now), WIDTH - 2) if now is not None else []
    lines += textwrap.wrap(_fewer(answer), WIDTH - 2)
    return "\n".join(f"  {line}" for line in lines)


def _gain(answer: LimitAnswer, now: Point) -> str:
    """What throttling is of the latency now, and what the recommended limit makes of it."""
    told = answer.recommendation
    assert told is not None
    after = next(one for one in answer.of(Lever.LIMIT) if one.setting.limit == told.limit)
    before, part = now.columns["p99_ms"].mean, now.throttling["p99_ms"].mean
    share = 100 * part / before if before > 0 else 0.0
    text = f"99 % of requests take at most {milliseconds(before)} ms now, {fixed(share, 0)} % of that is throttling"
    if after is now:
        return f"{text}."
    other = after.columns
    return (
        f"{text}; then {milliseconds(other['p99_ms'].mean)} ms. Periods throttled"
        f" {fixed(now.columns['throttled_percent'].mean, 1)} -> {fixed(other['throttled_percent'].mean, 1)} %."
    )


def _fewer(answer: LimitAnswer) -> str:
    told, main = answer.recommendation, answer.main
    if told is None or main is None or told.threads is None or told.limit == answer.group.limit:
        return ""
    now = main.reading.load.threads
    if told.threads == now:
        return ""
    than = "fewer" if told.threads < now else "more"
    return f"With the limit of now {plural(told.threads, 'thread')} in place of {now} do it too: {than} at once."


def _limit(value: float) -> str:
    return "none" if math.isinf(value) else limit(value)


def _latency(answer: LimitAnswer) -> str:
    """The latency of now: percentiles, with what of them is throttling."""
    now = answer.now
    if now is None:
        return ""
    names = {"p50_ms": "50 %", "p90_ms": "90 %", "p95_ms": "95 %", "p99_ms": "99 %", "mean_ms": "mean"}
    rows = []
    for name, words in names.items():
        one, part = now.columns[name], now.throttling[name]
        share = 100 * part.mean / one.mean if one.mean > 0 else 0.0
        between = f"{milliseconds(now.low[name])} - {milliseconds(now.high[name])}"
        rows.append([
            words, milliseconds(one.mean), f"{milliseconds(max(0.0, one.low))} to {milliseconds(one.high)}", between,
            plus_minus(part.mean, part.half_width), fixed(share, 0),
        ])  # fmt: skip
    head = ["of requests, now", "at most ms", "95 % interval", "all readings", "of it throttling ms", "%"]
    return "\n".join(aligned(head, rows))


def _table(answer: LimitAnswer, levers: Sequence[Lever], name: str) -> str:
    points = [one for lever in levers for one in answer.of(lever)]
    if len(points) < 2:
        return ""
    names = ("p50_ms", "p90_ms", "p95_ms", "p99_ms")
    columns = {
        one: plus_minus_column([(point.columns[one].mean, point.columns[one].half_width) for point in points])
        for one in names
    }
    ranges = levers == (Lever.LIMIT,)
    rows = []
    for at, point in enumerate(points):
        between = f"{milliseconds(point.low['p99_ms'])} - {milliseconds(point.high['p99_ms'])}"
        rows.append([
            setting_words(point.lever, point.setting), *(columns[one][at] for one in names),
            *([between] if ranges else []), fixed(point.columns["throttled_percent"].mean, 1),
            fixed(point.columns["stopped_percent"].mean, 1), _mark(answer, point),
        ])  # fmt: skip
    head = [name, "50 % ms", "90 % ms", "95 % ms", "99 % ms", *(["all readings"] if ranges else [])]
    head += ["throttled %", "stopped %", ""]
    width = max(len(row[-1]) for row in rows)
    lines = aligned(head, [[*row[:-1], row[-1].ljust(width)] for row in rows])
    if ranges:
        lines += textwrap.wrap(
            "Latency that 50, 90, 95 and 99 % of requests do not exceed. Throttled: of periods; stopped: processors"
            f" that were kept from it, 100 % is one. ± is simulation noise (95 %, {answer.replications} runs); the"
            " range is what the copies cannot tell.",
            WIDTH, initial_indent="  ", subsequent_indent="  ",
        )  # fmt: skip
    return "\n".join(lines)


def _mark(answer: LimitAnswer, point: Point) -> str:
    told, main = answer.recommendation, answer.main
    marks = []
    if told is not None and point.lever is Lever.LIMIT and point.setting.limit == told.limit:
        marks.append("does it")
    group = answer.group
    same = {
        Lever.LIMIT: point.setting.limit == group.limit,
        Lever.THREADS: main is not None and point.setting.threads == main.reading.load.threads,
        Lever.PERIOD: point.setting.period_ms == group.period_ms,
        Lever.BURST: point.setting.burst_ms == group.burst_ms,
    }
    if same[point.lever]:
        marks.append("now")
    return f"<- {'; '.join(marks)}" if marks else ""


def _rejected(answer: LimitAnswer) -> list[str]:
    found = [one for one in answer.readings if one.why]
    reasons: dict[str, list[str]] = {}
    for one in found:
        reasons.setdefault(one.why.split(":")[0], []).append(one.reading.words)
    return [f"{plural(len(words), 'reading')}, {why}: {words[0]}" for why, words in reasons.items()]

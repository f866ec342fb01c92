"""The answer about a limit as a report: what to set, the curve, readings, and what stays open."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from slicewright.advise.limits.answer import Lever, LimitAnswer, Point, ReadingLine
from slicewright.advise.limits.from_copies import percentile, setting_words
from slicewright.advise.limits.quantity import limit
from slicewright.advise.report import Parts, advice_report, between, holding
from slicewright.reading.cgroup import Interval
from slicewright.report.figure import Figure, Panel, Series
from slicewright.report.json import fields, record
from slicewright.report.model import Block, Face, Lead, Paragraph, Report, Table
from slicewright.report.spec import columns, series
from slicewright.statistics import fixed, milliseconds, plural

_TABLES = ("cgroups",)
_POINTS = """
    programs  mean_ms mean_ms..
    p50_ms                       | ±     | 50 % | ms
    programs  p50_ms..
    p90_ms                       | ±     | 90 % | ms
    programs  p90_ms..
    p95_ms                       | ±     | 95 % | ms
    programs  p95_ms..
    p99_ms                       | ±     | 99 % | ms
    people    range              | right | all readings
    html      throttling         | right | of 99 % throttling | ms
    programs  p99_ms..
    throttled_percent
    programs  throttled_percent..
    stopped_percent              | .1    | stopped | %
    programs  stopped_percent..
    page      used_percent       | .1    | used | %
    programs  used_percent..
    programs  throttling_mean_ms throttling_p50_ms throttling_p90_ms throttling_p95_ms throttling_p99_ms
"""
_LATENCY = """
    whole                        | ms    | at most | ms
    interval                     | right | 95 % interval
    range                        | right | all readings
    throttling                   | right | of it throttling | ms
    share                        | .0    | - | %
"""
_READINGS = """
    what                         |       | reading
    throttled_percent
    stopped_ms                   | 3     | stopped | ms a throttled period
    limit
    why ?                        |       | why not
"""
_CAPTION = (
    "Left: latency under limits, with simulation noise and, of the 99th percentile, the range over all readings."
    " Right: periods throttled. The last point is without a limit. Limits with far longer latencies"
    " than now are in the table alone."
)
_MOST_ABOVE = 1.5
"""Of the latency of now, up to which lower limits are drawn."""
_DRAWN = {"p99_ms": "99 %", "p90_ms": "90 %", "p50_ms": "50 %"}


def picture(answer: LimitAnswer) -> Figure:
    """Latency and throttled periods over limits; the point without a limit is at the right end."""
    points = _worth_drawing(answer)
    finite_ones = [point.setting.limit for point in points if math.isfinite(point.setting.limit)]
    end = max(finite_ones) * 1.15
    x = [point.setting.limit if math.isfinite(point.setting.limit) else end for point in points]
    latency = [_curve(points, x, name, words) for name, words in _DRAWN.items()]
    marks = [(answer.group.limit, "now")]
    chosen = answer.recommendation
    if chosen is not None and math.isfinite(chosen.limit) and chosen.limit != answer.group.limit:
        marks.append((chosen.limit, "does it"))
    panels = [
        Panel("Latency, ms", latency, marks),
        Panel("Periods throttled, %", [_curve(points, x, "throttled_percent", "simulated")], marks),
    ]
    return Figure(panels, "Limit, processors")


def _worth_drawing(answer: LimitAnswer) -> list[Point]:
    """Limits, but those below that of now with much longer latencies, beside which nothing else could be seen."""
    points, now = answer.of(Lever.LIMIT), answer.now
    if now is None:
        return points
    most = _MOST_ABOVE * now.columns["p99_ms"].mean
    return [
        point for point in points if point.setting.limit >= answer.group.limit or point.columns["p99_ms"].mean <= most
    ]


def _curve(points: Sequence[Point], x: Sequence[float], name: str, label: str) -> Series:
    found = series(x, [point.columns[name] for point in points], label)
    if name != "p99_ms":
        return found
    return replace(found, low=[point.low[name] for point in points], high=[point.high[name] for point in points])


_GROWN = ("now.requests_per_s", "recommendation", "latency", "curve", "node", "readings.limit")
_MEASURED = ("now.cpu_ms", "evidence", "readings.requests_per_s", "readings.throttled_percent", "readings.stopped_ms")
"""Parts of an answer that are for the load times `--growth`, and those that are of the load as it was measured."""


def report(answer: LimitAnswer) -> Report:
    """The answer as a report."""
    chosen, now = answer.recommendation, answer.now
    facts = [("recommendation", "none")]
    if chosen is not None:
        facts = [
            ("limit", limit(chosen.limit)),
            ("over all readings", f"{limit(chosen.low)} to {limit(chosen.high)}"),
        ]
    if now is not None:
        facts.append((f"99 % of {_unit(answer)} take at most, {_when(answer)}", f"{percentile(now, 'p99_ms')} ms"))
        facts.append(("of that throttling", f"{now.throttling['p99_ms']} ms"))
    blocks = _headline(answer)
    if answer.points:
        blocks.append(picture(answer).captioned(_CAPTION))
    if now is not None:
        blocks.append(_latency_table(answer, now))
    for levers, name in (
        ((Lever.LIMIT,), "limit"),
        ((Lever.THREADS,), "threads, limit as it is"),
        ((Lever.PERIOD, Lever.BURST), "on the node"),
    ):
        blocks.append(_settings_table(answer, levers, name))
    blocks.append(_readings_table(answer))
    title = f"A CPU limit of {limit(answer.group.limit)}"
    return advice_report(answer, Parts(title, "Latency", answer.heading, facts, blocks, rejected=_rejected(answer)))


def _latency_table(answer: LimitAnswer, now: Point) -> Table[str]:
    """The latency of now: percentiles, with what of them is throttling."""
    told: dict[str, Callable[[str], Any]] = {
        "requests": lambda name: _SHARES[name],
        "whole": now.columns.__getitem__,
        "interval": lambda name: _span(max(0.0, now.columns[name].low), now.columns[name].high, "to"),
        "range": lambda name: _span(now.low[name], now.high[name]),
        "throttling": lambda name: str(now.throttling[name]),
        "share": lambda name: _throttling_percent(now, name),
    }
    made = columns(f"requests || of {_unit(answer)}, {_when(answer)}; {_LATENCY}", values=told)
    return Table(made, list(_SHARES), face=Face.PEOPLE)


_SHARES = {"p50_ms": "50 %", "p90_ms": "90 %", "p95_ms": "95 %", "p99_ms": "99 %", "mean_ms": "mean"}


def _settings_table(answer: LimitAnswer, levers: Sequence[Lever], name: str) -> Table[Point]:
    """A row per setting of one lever or of several; the first column is called by `name`."""
    points = [point for lever in levers for point in answer.of(lever)]
    legend = (
        f"Latency that 50, 90, 95 and 99 % of {_unit(answer)} do not exceed. Throttled: share of periods; stopped:"
        " processors withheld from the group, 100 % is one."
        f" ± is simulation noise (95 %, {answer.replications} runs); the range covers all readings of the copies."
        + f" Every number is for {_load_words(answer)}."
        * (answer.growth != 1)
    )
    told: dict[str, Callable[[Point], Any]] = {
        "setting": lambda point: setting_words(point.lever, point.setting),
        "range": lambda point: _span(point.low["p99_ms"], point.high["p99_ms"]),
        "throttling": lambda point: str(point.throttling["p99_ms"]),
    }
    return Table(
        columns(f"people setting || {name}; {_POINTS}", _TABLES, told), points if len(points) > 1 else [],
        legend=legend if levers == (Lever.LIMIT,) else "", marks=lambda point: _marks(answer, point), face=Face.PEOPLE,
    )  # fmt: skip


def _readings_table(answer: LimitAnswer) -> Table[ReadingLine]:
    """Every load that was tried, its simulated counters, and the limit that it asks for."""
    told: dict[str, Callable[[ReadingLine], Any]] = {
        "what": lambda line: line.reading.words,
        "throttled_percent": lambda line: line.reading.throttled_percent,
        "stopped_ms": lambda line: line.reading.stopped_ms,
        "limit": _asks,
    }
    return Table(columns(_READINGS, _TABLES, told), answer.readings, "Readings", face=Face.HTML)


def document(answer: LimitAnswer) -> dict[str, Any]:
    """One answer as an object: recommendation (or null with `reason`), latency, curve, node, readings, evidence.

    A limit of null is no limit; of a reading, `meets` says whether any does.

    `curve` is what a pod's owner can change, `node` what is set on the node.
    """
    chosen, group, points = answer.recommendation, answer.group, _settings_table(answer, (), "")
    return fields(
        question="limits", files=list(answer.files), copies=answer.copies,
        recommendation=chosen and fields(
            limit=chosen.limit, low=chosen.low, high=chosen.high, threads=chosen.threads,
            as_now=chosen.limit == group.limit,
        ),
        **({} if chosen else {"reason": answer.reason}), asked=answer.aim.words,
        growth={"factor": answer.growth, "grown": list(_GROWN), "as_measured": list(_MEASURED)},
        now={
            "limit": group.limit, "period_ms": group.period_ms, "burst_ms": group.burst_ms,
            "processors": group.processors, "threads": answer.threads,
            **fields(
                requests_per_s=None if answer.bursts else answer.requests_per_s, cpu_ms=answer.cpu_ms or None,
                of=_unit(answer),
            ),
        },
        needed=list(answer.needed), latency=_point(points, answer.now) if answer.now else None,
        curve=[_point(points, point) for point in answer.points if point.lever.owner],
        node=[_point(points, point) for point in answer.points if not point.lever.owner],
        readings=[_reading(line) for line in answer.readings],
        evidence={
            "facts": list(answer.facts), "intervals": [_interval(interval) for interval in answer.intervals],
            "excluded": [{**_interval(each.interval), "why": each.why} for each in answer.judged.excluded],
            "margin_percent": answer.margin_percent, "growth_factor": answer.growth,
            "replications": answer.replications, "interval_s": answer.interval_s,
        },
        caveats=[*answer.open, *answer.caveats],
    )  # fmt: skip


def _point(points: Table[Point], point: Point) -> dict[str, Any]:
    # Settings are not rounded as measured values are.
    setting = point.setting
    return {
        **fields(lever=point.lever.value, limit=setting.limit, threads=setting.threads),
        "period_ms": setting.period_ms, "burst_ms": setting.burst_ms, **record(points, point),
    }  # fmt: skip


def _reading(line: ReadingLine) -> dict[str, Any]:
    load, why = line.reading.load, line.why
    found = {"limit": line.limit, "meets": line.limit is not None if line.text else None}
    checked = line.check and [
        fields(name=each.name, simulated=each.simulated, band=each.band, measured=each.measured, holds=each.holds)
        for each in line.check.forecasts
    ]
    return {
        **fields(what=line.reading.words, accepted=not why, threads=load.threads, batch=load.batch), "scv": load.scv,
        "lock": load.serial,
        **fields(
            cpu_ms=load.cpu_ms, requests_per_s=load.requests_per_s,
            throttled_percent=line.reading.throttled_percent, stopped_ms=line.reading.stopped_ms,
            **({"why": why} if why else found), **({} if checked is None else {"forecasts": checked}),
        ),
    }  # fmt: skip


def _interval(interval: Interval) -> dict[str, Any]:
    return fields(
        first=interval.first, last=interval.last, length_s=interval.length_s, clock=interval.clock.value,
        used_s=interval.used_s, nr_periods=interval.periods, nr_throttled=interval.throttled,
        throttled_s=interval.stopped_s,
    )  # fmt: skip


def _headline(answer: LimitAnswer) -> list[Block]:
    chosen, now = answer.recommendation, answer.now
    if chosen is None:
        return [Paragraph(f"No recommendation: {answer.reason}.")]
    which = "No limit" if math.isinf(chosen.limit) else f"A limit of {limit(chosen.limit)}"
    change = " (as now)" if chosen.limit == answer.group.limit else f" instead of {limit(answer.group.limit)}"
    asked = f"Asked: {answer.aim.words}."
    if math.isfinite(chosen.high) and chosen.high > chosen.limit:
        asked += f" {limit(chosen.high)} meets it under every reading."
    if any(line.text and not line.why and line.limit is None for line in answer.readings):
        asked += " Under at least one reading, no limit meets it."
    said = [asked, _gain(answer, now) if now is not None else "", _fewer(answer)]
    return [
        Lead(which + change, between(limit(chosen.low), limit(chosen.high))),
        *(Paragraph(text) for text in said if text),
    ]


def _gain(answer: LimitAnswer, now: Point) -> str:
    """The part of throttling in the latency now, and under the recommended limit."""
    chosen = answer.recommendation
    assert chosen is not None
    after = next(point for point in answer.of(Lever.LIMIT) if point.setting.limit == chosen.limit)
    before, share = now.columns["p99_ms"].mean, _throttling_percent(now, "p99_ms")
    text = f"99 % of {_unit(answer)} take at most {milliseconds(before)} ms {_when(answer)}"
    text += f", {fixed(share, 0)} % of it throttling"
    if after is now:
        return f"{text}."
    other = after.columns
    return (
        f"{text}; then {milliseconds(other['p99_ms'].mean)} ms. Periods throttled"
        f" {fixed(now.columns['throttled_percent'].mean, 1)} -> {fixed(other['throttled_percent'].mean, 1)} %."
    )


def _fewer(answer: LimitAnswer) -> str:
    chosen, main = answer.recommendation, answer.main
    if chosen is None or main is None or chosen.threads is None or chosen.limit == answer.group.limit:
        return ""
    now = main.reading.load.threads
    if chosen.threads == now:
        return ""
    than = "fewer" if chosen.threads < now else "more"
    return f"With the present limit, {plural(chosen.threads, 'thread')} in place of {now} also meet it: {than} at once."


def _unit(answer: LimitAnswer) -> str:
    """The unit of work whose latency is shown."""
    return "bursts" if answer.bursts else "requests"


def _when(answer: LimitAnswer) -> str:
    """The load that the latency under the present limit is of."""
    return "now" if answer.growth == 1 else f"with {_load_words(answer)}"


def _load_words(answer: LimitAnswer) -> str:
    return f"{answer.growth:g} times the {_unit(answer)}"


def _asks(line: ReadingLine) -> str:
    """The limit that a reading asks for."""
    if line.limit is not None:
        return limit(line.limit)
    if line.why:
        return ""
    return "nothing does" if line.text else "not simulated"


def _marks(answer: LimitAnswer, point: Point) -> list[str]:
    chosen, main, group = answer.recommendation, answer.main, answer.group
    now = {
        Lever.LIMIT: point.setting.limit == group.limit,
        Lever.THREADS: main is not None and point.setting.threads == main.reading.load.threads,
        Lever.PERIOD: point.setting.period_ms == group.period_ms,
        Lever.BURST: point.setting.burst_ms == group.burst_ms,
    }
    does = chosen is not None and point.lever is Lever.LIMIT and point.setting.limit == chosen.limit
    return holding({"does it": does, "now": now[point.lever]})


def _rejected(answer: LimitAnswer) -> list[str]:
    reasons: dict[str, list[str]] = {}
    for line in answer.readings:
        if line.why:
            reasons.setdefault(line.why.split(":")[0], []).append(line.reading.words)
    return [f"{plural(len(words), 'reading')}, {why}: {words[0]}" for why, words in reasons.items()]


def _throttling_percent(point: Point, name: str) -> float:
    """Of a latency."""
    whole = point.columns[name].mean
    return 100 * point.throttling[name].mean / whole if whole > 0 else 0.0


def _span(low: float, high: float, between: str = "-") -> str:
    return f"{milliseconds(low)} {between} {milliseconds(high)}"

"""The answer about a limit as a report: what to set, the curve, readings, and what stays open."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from slicewright.advise.limits.answer import Lever, LimitAnswer, Point, ReadingLine
from slicewright.advise.limits.from_copies import percentile, setting_words
from slicewright.advise.limits.intervals import Interval
from slicewright.advise.limits.quantity import limit
from slicewright.advise.report import Parts, advice_report
from slicewright.report.figure import Figure, Panel, Series
from slicewright.report.forms import Span, decimals, digits, estimates, estimates_apart, words_right
from slicewright.report.json import values
from slicewright.report.model import Block, Column, Face, Lead, Paragraph, Report, Table
from slicewright.values.numerals import finite
from slicewright.values.statistics import Estimate, fixed, milliseconds, plural

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
    values = [point.columns[name] for point in points]
    ranges = name == "p99_ms"
    low = [point.low[name] for point in points] if ranges else None
    high = [point.high[name] for point in points] if ranges else None
    means, noise = [finite(value.mean) for value in values], [finite(value.half_width) for value in values]
    return Series(x, means, half_width=noise, low=low, high=high, label=label)


_GROWN = ("now.requests_per_s", "recommendation", "latency", "curve", "node", "readings.limit")
_MEASURED = ("now.cpu_ms", "evidence", "readings.requests_per_s", "readings.throttled_percent", "readings.stopped_ms")
"""Parts of an answer that are for the load times `--growth`, and those that are of the load as it was measured."""
_LATENCIES = {"p50_ms": "50 %", "p90_ms": "90 %", "p95_ms": "95 %", "p99_ms": "99 %"}


@dataclass(frozen=True, slots=True)
class _Latency:
    """One percentile of latency now: all of it, the range over readings, and what throttling is of it."""

    words: str
    whole: Estimate
    span: Span
    throttling: Estimate


def report(answer: LimitAnswer) -> Report:
    """The answer as a report."""
    chosen, now = answer.recommendation, answer.now
    facts = [("recommendation", "none")]
    if chosen is not None:
        facts = [
            ("limit", _limit(chosen.limit)),
            ("over all readings", f"{_limit(chosen.low)} to {_limit(chosen.high)}"),
        ]
    if now is not None:
        facts.append((f"99 % of {_unit(answer)} take at most, {_when(answer)}", f"{percentile(now, 'p99_ms')} ms"))
        facts.append(("of that throttling", f"{now.throttling['p99_ms']} ms"))
    blocks = _headline(answer)
    if answer.points:
        blocks.append(picture(answer).captioned(_CAPTION))
    blocks.append(_latency_table(answer))
    for levers, name in (
        ((Lever.LIMIT,), "limit"),
        ((Lever.THREADS,), "threads, limit as it is"),
        ((Lever.PERIOD, Lever.BURST), "on the node"),
    ):
        blocks.append(_settings_table(answer, levers, name))
    blocks.append(_readings_table(answer))
    title = f"A CPU limit of {limit(answer.group.limit)}"
    return advice_report(answer, Parts(title, "Latency", answer.heading, facts, blocks, rejected=_rejected(answer)))


def _latency_table(answer: LimitAnswer) -> Table[_Latency]:
    """The latency of now: percentiles, with what of them is throttling."""
    now = answer.now
    rows = []
    for name, words in {**_LATENCIES, "mean_ms": "mean"}.items() if now is not None else ():
        assert now is not None
        span = Span(now.low[name], now.high[name])
        rows.append(_Latency(words, now.columns[name], span, now.throttling[name]))
    return Table(
        [
            Column("requests", f"of {_unit(answer)}, {_when(answer)}", lambda latency: latency.words),
            Column("latency_ms", "at most", lambda latency: latency.whole, "ms", _times),
            Column("latency_ms", "95 % interval", _interval_of, form=words_right),
            Column("latency_ms", "all readings", lambda latency: latency.span, form=_ranges),
            Column("throttling_ms", "of it throttling", lambda latency: latency.throttling, "ms", estimates_apart),
            Column("throttling_percent", "", _share, "%", decimals(0)),
        ],
        rows,
        face=Face.PEOPLE,
    )


def _settings_table(answer: LimitAnswer, levers: Sequence[Lever], name: str) -> Table[Point]:
    """A row per setting of one lever or of several; the first column is called by `name`."""
    points = [point for lever in levers for point in answer.of(lever)]
    limits = levers == (Lever.LIMIT,)
    columns: list[Column[Point]] = [Column("setting", name, lambda point: setting_words(point.lever, point.setting))]
    columns += [Column(key, words, _counter(key), "ms", estimates) for key, words in _LATENCIES.items()]
    columns += [
        Column("p99_ms", "all readings", _span("p99_ms"), form=_ranges),
        Column("throttling_p99_ms", "of 99 % throttling", _throttling, "ms", estimates_apart, face=Face.HTML),
        Column("throttled_percent", "throttled", _counter("throttled_percent"), "%", decimals(1)),
        Column("stopped_percent", "stopped", _counter("stopped_percent"), "%", decimals(1)),
        Column("used_percent", "used", _counter("used_percent"), "%", decimals(1), face=Face.HTML),
    ]
    unit = _unit(answer)
    legend = (
        f"Latency that 50, 90, 95 and 99 % of {unit} do not exceed. Throttled: share of periods; stopped: processors"
        f" withheld from the group, 100 % is one. ± is simulation noise (95 %, {answer.replications} runs); the"
        " range covers all readings of the copies."
        + f" Every number is for {_load_words(answer)}."
        * (answer.growth != 1)
    )
    return Table(
        columns, points if len(points) > 1 else [], legend=legend if limits else "",
        marks=lambda point: _marks(answer, point), face=Face.PEOPLE,
    )  # fmt: skip


def _readings_table(answer: LimitAnswer) -> Table[ReadingLine]:
    """Every load that was tried, its simulated counters, and the limit that it asks for."""
    return Table(
        [
            Column("what", "reading", lambda line: line.reading.words),
            Column("throttled_percent", "throttled", lambda line: line.reading.throttled_percent, "%", decimals(1)),
            Column("stopped_ms", "stopped", lambda line: line.reading.stopped_ms, "ms a throttled period", digits),
            Column("limit", "limit", _asks),
            Column("why", "why not", lambda line: line.why, optional=True),
        ],
        answer.readings,
        "Readings",
        face=Face.HTML,
    )


def document(answer: LimitAnswer) -> dict[str, Any]:
    """One answer as an object: recommendation (or null with `reason`), latency, curve, node, readings, evidence.

    A limit of null is no limit; of a reading, `meets` says whether any does.

    `curve` is what a pod's owner can change, `node` what is set on the node.
    """
    chosen, group = answer.recommendation, answer.group
    made: dict[str, Any] = {"question": "limits", "files": list(answer.files), "copies": answer.copies}
    made["recommendation"] = None
    if chosen is not None:
        made["recommendation"] = {
            **values("limit", chosen.limit), **values("low", chosen.low), **values("high", chosen.high),
            "threads": chosen.threads, "as_now": chosen.limit == group.limit,
        }  # fmt: skip
    else:
        made["reason"] = answer.reason
    made |= {
        "asked": answer.aim.words,
        "growth": {"factor": answer.growth, "grown": list(_GROWN), "as_measured": list(_MEASURED)},
        "now": {
            "limit": group.limit, "period_ms": group.period_ms, "burst_ms": group.burst_ms,
            "processors": group.processors, "threads": answer.threads,
            **values("requests_per_s", None if answer.bursts else answer.requests_per_s),
            **values("cpu_ms", answer.cpu_ms or None), "of": _unit(answer),
        },
        "needed": list(answer.needed),
        "latency": _point(answer.now) if answer.now else None,
        "curve": [_point(point) for point in answer.points if point.lever.owner],
        "node": [_point(point) for point in answer.points if not point.lever.owner],
        "readings": [_reading(line) for line in answer.readings],
        "evidence": {
            "facts": list(answer.facts), "intervals": [_interval(interval) for interval in answer.intervals],
            "excluded": [{**_interval(each.interval), "why": each.why} for each in answer.judged.excluded],
            "margin_percent": answer.margin_percent, "growth_factor": answer.growth,
            "replications": answer.replications, "interval_s": answer.interval_s,
        },
        "caveats": [*answer.open, *answer.caveats],
    }  # fmt: skip
    return made


def _point(point: Point) -> dict[str, Any]:
    setting = point.setting
    made: dict[str, Any] = {
        "lever": point.lever.value, **values("limit", setting.limit), "threads": setting.threads,
        "period_ms": setting.period_ms, "burst_ms": setting.burst_ms,
    }  # fmt: skip
    for name, value in point.columns.items():
        made |= values(name, value)
        made |= values(name, Span(point.low[name], point.high[name]))
    for name, value in point.throttling.items():
        made |= values(f"throttling_{name}", value)
    return made


def _reading(line: ReadingLine) -> dict[str, Any]:
    load = line.reading.load
    made: dict[str, Any] = {
        "what": line.reading.words, "accepted": not line.why, "threads": load.threads, **values("batch", load.batch),
        "scv": load.scv, "lock": load.serial, **values("cpu_ms", load.cpu_ms),
        **values("requests_per_s", load.requests_per_s),
        **values("throttled_percent", line.reading.throttled_percent),
        **values("stopped_ms", line.reading.stopped_ms),
    }  # fmt: skip
    if line.why:
        made["why"] = line.why
    else:
        made |= values("limit", line.limit)
        made["meets"] = line.limit is not None if line.text else None
    if line.check is not None:
        made["forecasts"] = [
            {
                "name": forecast.name, **values("simulated", forecast.simulated), **values("band", forecast.band),
                **values("measured", forecast.measured), "holds": forecast.holds,
            }
            for forecast in line.check.forecasts
        ]  # fmt: skip
    return made


def _interval(interval: Interval) -> dict[str, Any]:
    return {
        "first": interval.first, "last": interval.last, **values("length_s", interval.length_s),
        "clock": interval.clock.value, **values("used_s", interval.used_s), "nr_periods": interval.periods,
        "nr_throttled": interval.throttled, **values("throttled_s", interval.stopped_s),
    }  # fmt: skip


def _headline(answer: LimitAnswer) -> list[Block]:
    chosen, now = answer.recommendation, answer.now
    if chosen is None:
        return [Paragraph(f"No recommendation: {answer.reason}.")]
    which = "No limit" if math.isinf(chosen.limit) else f"A limit of {limit(chosen.limit)}"
    change = " (as now)" if chosen.limit == answer.group.limit else f" instead of {limit(answer.group.limit)}"
    between = "every reading agrees"
    if chosen.low != chosen.high:
        between = f"range {_limit(chosen.low)} to {_limit(chosen.high)}"
    asked = f"Asked: {answer.aim.words}."
    if math.isfinite(chosen.high) and chosen.high > chosen.limit:
        asked += f" {limit(chosen.high)} meets it under every reading."
    if any(line.text and not line.why and line.limit is None for line in answer.readings):
        asked += " Under at least one reading, no limit meets it."
    said = [asked, _gain(answer, now) if now is not None else "", _fewer(answer)]
    return [Lead(which + change, between), *(Paragraph(text) for text in said if text)]


def _gain(answer: LimitAnswer, now: Point) -> str:
    """The part of throttling in the latency now, and under the recommended limit."""
    chosen = answer.recommendation
    assert chosen is not None
    after = next(point for point in answer.of(Lever.LIMIT) if point.setting.limit == chosen.limit)
    before, part = now.columns["p99_ms"].mean, now.throttling["p99_ms"].mean
    share = 100 * part / before if before > 0 else 0.0
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


def _limit(value: float) -> str:
    return "none" if math.isinf(value) else limit(value)


def _asks(line: ReadingLine) -> str:
    """The limit that a reading asks for."""
    if line.limit is not None:
        return _limit(line.limit)
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
    return [mark for mark, holds in {"does it": does, "now": now[point.lever]}.items() if holds]


def _rejected(answer: LimitAnswer) -> list[str]:
    reasons: dict[str, list[str]] = {}
    for line in answer.readings:
        if line.why:
            reasons.setdefault(line.why.split(":")[0], []).append(line.reading.words)
    return [f"{plural(len(words), 'reading')}, {why}: {words[0]}" for why, words in reasons.items()]


def _counter(name: str) -> Callable[[Point], Estimate]:
    return lambda point: point.columns[name]


def _span(name: str) -> Callable[[Point], Span]:
    return lambda point: Span(point.low[name], point.high[name])


def _throttling(point: Point) -> Estimate:
    return point.throttling["p99_ms"]


def _interval_of(latency: _Latency) -> str:
    whole = latency.whole
    return f"{milliseconds(max(0.0, whole.low))} to {milliseconds(whole.high)}"


def _share(latency: _Latency) -> float:
    whole = latency.whole.mean
    return 100 * latency.throttling.mean / whole if whole > 0 else 0.0


def _times(latencies: Sequence[Estimate]) -> list[str]:
    return [milliseconds(latency.mean) for latency in latencies]


def _ranges(spans: Sequence[Span]) -> list[str]:
    return [f"{milliseconds(span.low)} - {milliseconds(span.high)}" for span in spans]

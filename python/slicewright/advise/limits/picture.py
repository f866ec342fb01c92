"""The answer about a limit as one HTML page: latency and throttling under limits, what the node sets, and the text.

It leaves out drawing: `figures` and `html` do that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from slicewright.advise.limits.answer import Lever, LimitAnswer, Point
from slicewright.advise.limits.page import page
from slicewright.advise.limits.quantity import limit
from slicewright.advise.limits.words import percentile, setting_words
from slicewright.advise.notes import note_sections
from slicewright.html import Page, Section, Table, render
from slicewright.numerals import finite
from slicewright.report.figure import Figure, Panel, Series
from slicewright.statistics import fixed, plus_minus, significant

CAPTION = (
    "Left: latency under limits, with simulation noise and, of the 99th percentile, the range over all readings. Right:"
    " in how many of the periods somebody was stopped. The last point has no limit. Limits with far longer latencies"
    " than now are in the table alone."
)
MOST_ABOVE = 1.5
"""Of the latency of now, up to which lower limits are drawn."""
LATENCIES = {"p99_ms": "99 %", "p90_ms": "90 %", "p50_ms": "50 %"}


def report_page(answers: Sequence[LimitAnswer]) -> str:
    """The answer as one self-contained document; the same answer gives the same bytes.

    >>> from slicewright.advise.limits.example import advice
    >>> "<title>A CPU limit of 500m</title>" in report_page([advice()])
    True
    """
    answer = answers[0]
    told, now = answer.recommendation, answer.now
    facts = [("recommendation", "none")]
    if told is not None:
        facts = [("limit", _limit(told.limit)), ("over all readings", f"{_limit(told.low)} to {_limit(told.high)}")]
    if now is not None:
        facts.append(("99 % of requests take at most, now", f"{percentile(now, 'p99_ms')} ms"))
        part = now.throttling["p99_ms"]
        facts.append(("of that throttling", f"{plus_minus(part.mean, part.half_width)} ms"))
    why = f"No recommendation: {answer.reason}."
    sections = [Section("Latency", [why] if answer.reason else [], folded=(("As text", page(answer)),))]
    if answer.readings and not answer.points:
        sections.append(Section("Readings", tables=[_readings(answer)]))
    if answer.points:
        threads = answer.of(Lever.THREADS)
        tables = [_points(answer, answer.of(Lever.LIMIT), "Limits: the pod's owner can change them.")]
        if len(threads) > 1:
            tables.append(_points(answer, threads, "Threads, with the limit of now: so can these."))
        node = [one for one in answer.points if not one.lever.owner]
        sections = [
            Section(
                "Latency", [f"Asked: {answer.aim.words}."], [picture(answer).captioned(CAPTION)],
                tables, (("As text", page(answer)),),
            ),
            Section("On the node", tables=[_points(answer, node, "What is set on the node, with the limit of now.")]),
            Section("Readings", tables=[_readings(answer)]),
        ]  # fmt: skip
    return render(
        Page(f"A CPU limit of {limit(answer.group.limit)}", answer.heading, facts, [*sections, *note_sections(answer)])
    )


def picture(answer: LimitAnswer) -> Figure:
    """Latency and throttled periods over limits; without a limit stands at the right end.

    >>> from slicewright.advise.limits.example import advice
    >>> len(picture(advice()).panels)
    2
    """
    points = _worth_drawing(answer)
    finite_ones = [one.setting.limit for one in points if math.isfinite(one.setting.limit)]
    end = max(finite_ones) * 1.15
    x = [one.setting.limit if math.isfinite(one.setting.limit) else end for one in points]
    latency = [_curve(points, x, name, words) for name, words in LATENCIES.items()]
    marks = [(answer.group.limit, "now")]
    told = answer.recommendation
    if told is not None and math.isfinite(told.limit) and told.limit != answer.group.limit:
        marks.append((told.limit, "does it"))
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
    most = MOST_ABOVE * now.columns["p99_ms"].mean
    return [one for one in points if one.setting.limit >= answer.group.limit or one.columns["p99_ms"].mean <= most]


def _limit(value: float) -> str:
    return "none" if math.isinf(value) else limit(value)


def _curve(points: Sequence[Point], x: Sequence[float], name: str, label: str) -> Series:
    values = [one.columns[name] for one in points]
    ranges = name == "p99_ms"
    low = [one.low[name] for one in points] if ranges else None
    high = [one.high[name] for one in points] if ranges else None
    means, noise = [finite(one.mean) for one in values], [finite(one.half_width) for one in values]
    return Series(x, means, half_width=noise, low=low, high=high, label=label)


def _points(answer: LimitAnswer, points: Sequence[Point], caption: str) -> Table:
    names = {"p50_ms": "50 %, ms", "p90_ms": "90 %, ms", "p95_ms": "95 %, ms", "p99_ms": "99 %, ms"}
    rows = []
    for one in points:
        part = one.throttling["p99_ms"]
        told = answer.recommendation
        does = told is not None and one.lever is Lever.LIMIT and one.setting.limit == told.limit
        now = " (now)" if answer.is_now(one) else " (does it)" if does else ""
        rows.append([
            setting_words(one.lever, one.setting) + now, *(percentile(one, name) for name in names),
            plus_minus(part.mean, part.half_width), fixed(one.columns["throttled_percent"].mean, 1),
            fixed(one.columns["used_percent"].mean, 1),
        ])  # fmt: skip
    head = ["setting", *names.values(), "of 99 % throttling, ms", "throttled, %", "used, %"]
    return Table(head, rows, caption)


def _readings(answer: LimitAnswer) -> Table:
    rejected = any(one.why for one in answer.readings)
    rows = []
    for one in answer.readings:
        asks = "not simulated" if not one.why and not one.text else "nothing does"
        if one.limit is not None or one.why:
            asks = "" if one.limit is None else _limit(one.limit)
        row = [one.reading.words, fixed(one.reading.throttled_percent, 1), significant(one.reading.stopped_ms), asks]
        rows.append([*row, one.why] if rejected else row)
    head = ["reading", "throttled, %", "stopped, ms a throttled period", "limit"]
    return Table([*head, *(["why not"] * rejected)], rows)

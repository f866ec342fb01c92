"""The answer about queue depth as a report and as an object."""

from __future__ import annotations

from typing import Any

from slicewright.advise.aliases.depth import DepthAnswer, DepthPoint
from slicewright.advise.report import Parts, advice_report
from slicewright.io.numerals import finite, in_json
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.report.forms import decimals
from slicewright.report.model import Block, Column, Face, Lead, Paragraph, Report, Table
from slicewright.statistics import plural

CAPTION = "Points: fio. Line: the law of the disk that fits all points; marked: the depth that is recommended."


def report(answer: DepthAnswer) -> Report:
    """The answer as a report.

    >>> from slicewright.advise.aliases.example import depth_advice
    >>> report(depth_advice()).facts[0]
    ('queue depth', '4')
    """
    chosen = answer.recommendation
    facts = [("queue depth", str(chosen.aliases)), ("range", f"{chosen.low} to {chosen.high}")] if chosen else []
    blocks: list[Block] = [*_headline(answer)]
    if len(answer.points) > 1:
        blocks.append(picture(answer).captioned(CAPTION if answer.measured else "Response by Erlang's formula."))
    if answer.points:
        blocks.append(_table(answer))
    parts = Parts(f"Queue depth of {answer.device}", answer.device, answer.heading, facts, blocks)
    return advice_report(answer, parts)


def picture(answer: DepthAnswer) -> Figure:
    """Rate and response over depth."""
    x = [float(point.depth) for point in answer.points]
    marks = [(float(answer.recommendation.aliases), "choose")] if answer.recommendation else []
    response = [finite(point.response_ms) for point in answer.points]
    if not answer.measured:
        return Figure([Panel("Response, ms", [Series(x, response, label="Erlang")], marks)], "Requests in flight")
    law = answer.law
    line = [Series(x, [law.rate(n) for n in x], label="law")] if law else []
    rates = dots(x, [point.io_per_s for point in answer.points], label="fio")
    latency = [dots(x, response, label="fio")]
    if law:
        latency.insert(0, Series(x, [1000 * n / law.rate(n) for n in x], label="law"))
    return Figure(
        [Panel("I/O per second", [*line, rates], marks), Panel("Response, ms", latency, marks)], "Requests in flight"
    )


def document(answer: DepthAnswer) -> dict[str, Any]:
    """The answer as an object: recommendation (or null with `reason`), curve, law, evidence, caveats.

    >>> from slicewright.advise.aliases.example import depth_advice
    >>> document(depth_advice())["recommendation"]
    {'depth': 4, 'low': 4, 'high': 5}
    """
    chosen, law = answer.recommendation, answer.law
    made: dict[str, Any] = {"question": "aliases", "files": list(answer.files), "device": answer.device}
    made["recommendation"] = {"depth": chosen.aliases, "low": chosen.low, "high": chosen.high} if chosen else None
    if chosen is None:
        made["reason"] = answer.reason
    made["needed"] = list(answer.needed)
    if answer.target is not None:
        made["target"] = {"condition": str(answer.target[0]), "depth": answer.target[1]}
    made["curve"] = [
        {
            "depth": point.depth, "io_per_s": in_json(point.io_per_s), "response_ms": in_json(point.response_ms),
            "response_p99_ms": in_json(point.p99_ms), "in_flight": in_json(point.in_flight),
            "io_per_s_without_it": in_json(point.law_io_per_s),
        }
        for point in answer.points
    ]  # fmt: skip
    if law is not None:
        made["law"] = {"service_ms": in_json(law.service_ms), "growth": in_json(law.growth),
                       "ceiling_per_s": in_json(law.ceiling), "largest_miss": in_json(answer.miss)}  # fmt: skip
    made["evidence"] = {"facts": list(answer.facts), "measured": answer.measured, "knee_percent": answer.knee_percent}
    made["caveats"] = [*answer.open, *answer.caveats]
    return made


def _headline(answer: DepthAnswer) -> list[Block]:
    chosen = answer.recommendation
    blocks: list[Block] = []
    if chosen is None:
        blocks.append(Paragraph(f"No recommendation: {answer.reason}."))
    else:
        scope = f"range {chosen.low} to {chosen.high}"
        if chosen.low == chosen.high:
            scope = "no other depth fits" if answer.measured else "the fewest there can be"
        blocks.append(Lead(f"{plural(chosen.aliases, 'request')} in flight", scope))
        if answer.measured:
            blocks.append(Paragraph(f"From there on the rate is within {answer.knee_percent:g} % of the highest."))
        else:
            blocks.append(Paragraph(f"The response is then within {answer.knee_percent:g} % of that without a limit."))
    blocks += [Paragraph(line) for line in answer.lines]
    if answer.target is not None:
        target, depth = answer.target
        met = f"depth {depth}" if depth is not None else "no depth below"
        blocks.append(Paragraph(f"{target}: met by {met}."))
    return blocks


def _table(answer: DepthAnswer) -> Table[DepthPoint]:
    """The depths."""
    columns: list[Column[DepthPoint]] = [
        Column("depth", "depth", lambda point: str(point.depth)),
        Column("io_per_s", "I/O per s", lambda point: point.io_per_s, form=decimals(0)),
        Column("without", "without it", lambda point: point.law_io_per_s, form=decimals(0), optional=True),
        Column("response_ms", "response", lambda point: point.response_ms, "ms", decimals(3)),
        Column("p99_ms", "99 %", lambda point: point.p99_ms, "ms", decimals(2), optional=True),
        Column("in_flight", "in flight", lambda point: point.in_flight, form=decimals(1), optional=True),
    ]
    legend = "Rate at the measured load; response with this many places for requests in front of the disk."
    if answer.measured:
        legend = "Measured by fio. Without it: the rate by the law of the other depths alone."
    return Table(columns, answer.points, legend=legend, marks=lambda point: _marks(answer, point), face=Face.PEOPLE)


def _marks(answer: DepthAnswer, point: DepthPoint) -> list[str]:
    chosen = answer.recommendation
    marks = ["choose"] if chosen and point.depth == chosen.aliases else []
    return [*marks, *(["asked"] if point.depth in answer.at else [])]

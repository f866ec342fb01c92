"""The answer as one HTML page: the curve with its two bands, what was read as points, and everything the text says.

It leaves out drawing: `figures` and `html` do that.
"""

from __future__ import annotations

from slicewright.advise.aliases.answer import Answer
from slicewright.advise.aliases.page import page
from slicewright.advise.notes import note_sections
from slicewright.html import Page, Section, Table, render
from slicewright.numerals import finite
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.statistics import fixed, plus_minus

COLUMNS = {"io_per_s": "I/O per second", "response_ms": "Response, ms", "queue_depth": "Waiting requests"}


def report_page(answers: list[Answer]) -> str:
    """All answers as one self-contained document; the same answers give the same bytes.

    >>> from slicewright.advise.aliases.example import advice
    >>> "<title>Aliases for 522A</title>" in report_page([advice()])
    True
    """
    sections = [section for answer in answers for section in _sections(answer)]
    first = answers[0]
    told = first.recommendation
    facts = [("rule of thumb", str(first.estimate.aliases))]
    if told:
        facts = [("aliases", str(told.aliases)), ("range", f"{told.low} to {told.high}"), *facts]
    title = f"Aliases for {', '.join(answer.pool for answer in answers)}"
    return render(Page(title, first.heading.splitlines()[0], facts, sections))


def picture(answer: Answer) -> Figure:
    """Rate, response and queue over aliases: noise within the range over readings, the knee marked.

    >>> from slicewright.advise.aliases.example import advice
    >>> len(picture(advice()).panels)
    3
    """
    x = [point.aliases for point in answer.curve]
    told = answer.recommendation
    marks = [(float(told.aliases), "knee")] if told else []
    panels = []
    for name, label in COLUMNS.items():
        line = Series(
            x, [finite(point.estimates[name].mean) for point in answer.curve],
            half_width=[finite(point.estimates[name].half_width) for point in answer.curve],
            low=[finite(point.low[name]) for point in answer.curve],
            high=[finite(point.high[name]) for point in answer.curve],
            label="if saturated" if answer.observed else "simulated",
        )  # fmt: skip
        read = [
            dots(
                [one.aliases for one in answer.observed], [getattr(one, name) for one in answer.observed], label="read"
            )
        ]
        panels.append(Panel(label, [line, *(read if answer.observed else ())], marks))
    return Figure(panels, "Aliases in the pool")


def _sections(answer: Answer) -> list[Section]:
    caption = "Dark band: simulation noise. Light band: what the evidence cannot tell."
    pictures = [picture(answer).captioned(caption)] if answer.curve else []
    sections = [Section(f"Pool {answer.pool}", pictures=pictures, folded=(("As text", page(answer)),))]
    if answer.curve:
        sections[0] = Section(
            f"Pool {answer.pool}", [answer.heading], pictures, [_points(answer)], (("As text", page(answer)),)
        )
    sections.append(Section("Readings", tables=[_readings(answer)]))
    sections += note_sections(answer)
    return sections


def _points(answer: Answer) -> Table:
    rows = []
    for point in answer.curve:
        row = [str(point.aliases)]
        for name, places in (("io_per_s", 0), ("response_ms", 2), ("queue_depth", 1)):
            own = point.estimates[name]
            row += [
                plus_minus(own.mean, own.half_width),
                fixed(point.low[name], places),
                fixed(point.high[name], places),
            ]
        rows.append(row)
    head = ["aliases"]
    for label in ("I/O per s", "response, ms", "waiting"):
        head += [label, "low", "high"]
    return Table(head, rows)


def _readings(answer: Answer) -> Table:
    rows = []
    for one in answer.readings:
        load = one.load
        rows.append(
            [
                one.population, fixed(one.think_ms, 2),
                f"{load.growth}, {fixed(load.sharing_percent, 2)} %" if load else "",
                load.redispatch if load else "", str(one.knee) if one.knee is not None else "", one.why or "fits",
            ]
        )  # fmt: skip
    return Table(["load", "think, ms", "growth", "redispatch", "knee", "fits"], rows)

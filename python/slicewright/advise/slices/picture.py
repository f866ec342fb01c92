"""The answer about slices as one HTML page: hold against the slice, what switches take, and what the text says.

It leaves out drawing: `figures` and `html` do that.
"""

from __future__ import annotations

from dataclasses import replace

from slicewright.advise.notes import note_sections
from slicewright.advise.slices.answer import SliceAnswer
from slicewright.advise.slices.page import page
from slicewright.advise.slices.words import span
from slicewright.html import Page, Section, Table, render
from slicewright.numerals import finite
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.statistics import fixed, plus_minus

MOST_CURVES = 3
"""Devices with a curve of their own, those with most I/O of all services first."""
LONGEST_MS = 40.0


def report_page(answer: SliceAnswer) -> str:
    """The answer as a self-contained document; the same answer gives the same bytes.

    >>> from slicewright.advise.slices.example import advice
    >>> "<title>Slices for PEMDFI, PEMDFT</title>" in report_page(advice())
    True
    """
    told = answer.recommendation
    facts = [("rule of thumb", f"{fixed(answer.estimate_ms, 1)} ms")]
    if told:
        facts = [("slice", span(told.slice_ms)), ("range", f"{told.low_ms:g} to {told.high_ms:g} ms"), *facts]
        facts.append(("scheduling parameter", str(told.parameter or "none")))
    sections = [
        Section(
            "Slices", list(answer.warnings),
            [picture(answer).captioned("Lines: simulated, with the band of noise. Points: the exact formula.")],
            [_points(answer)], (("As text", page(answer)),),
        )
    ]  # fmt: skip
    sections += note_sections(answer)
    name = f"Slices for {', '.join(one.name for one in answer.domains)}"
    return render(Page(name, answer.heading, facts, sections))


def picture(answer: SliceAnswer) -> Figure:
    """Hold, and the cost with what it is made of, against the slice.

    >>> from slicewright.advise.slices.example import advice
    >>> len(picture(advice()).panels)
    2
    """
    points = [one for one in answer.curve if one.slice_ms <= max(LONGEST_MS, 1.3 * (answer.now_ms or 0.0))]
    x = [one.slice_ms for one in points]
    many = len([one for one in answer.readings if one.accepted]) > 1
    curves = []
    exact: dict[tuple[float, ...], Series] = {}
    for name in _drawn(answer):
        held = [one.devices[name] for one in points]
        line = Series(
            x, [finite(one.simulated.mean) for one in held],
            half_width=[finite(one.simulated.half_width) for one in held], label=name,
        )  # fmt: skip
        if many:
            low, high = [finite(one.low_ms) for one in held], [finite(one.high_ms) for one in held]
            line = replace(line, low=low, high=high)
        curves.append(line)
        told = [(slice_ms, one.exact_ms) for slice_ms, one in zip(x, held, strict=True) if one.exact_ms is not None]
        values = tuple(value for _, value in told)
        if told:
            exact.setdefault(values, dots([at for at, _ in told], values, label=f"{name}, exact"))
    marks = [(answer.now_ms, "now")] if answer.now_ms is not None else []
    if answer.recommendation:
        marks.append((answer.recommendation.slice_ms, "least"))
    cost = [
        Series(x, [one.cost.mean for one in points], half_width=[one.cost.half_width for one in points], label="cost"),
        Series(x, [one.waiting.mean for one in points], label="I/Os that wait"),
        Series(x, [one.lost for one in points], label="processors lost"),
    ]
    return Figure([Panel("Hold, ms", [*curves, *exact.values()], marks), Panel("Cost", cost, marks)], "Slice, ms")


def _drawn(answer: SliceAnswer) -> list[str]:
    """The busiest devices, each of a service time of its own: alike ones would hide each other."""
    chosen: list[tuple[str, str, float]] = []
    for one in sorted(answer.devices, key=lambda line: -line.io_per_s):
        alike = [(domain, service) for _, domain, service in chosen]
        if all(one.domain != domain or abs(one.service_ms / service - 1) > 0.05 for domain, service in alike):
            chosen.append((one.name, one.domain, one.service_ms))
    return [name for name, _, _ in chosen[:MOST_CURVES]]


def _points(answer: SliceAnswer) -> Table:
    rows = []
    for one in answer.curve:
        hold, cost = one.hold, one.cost
        rows.append(
            [
                f"{one.slice_ms:g}", plus_minus(hold.simulated.mean, hold.simulated.half_width),
                fixed(hold.low_ms, 1), fixed(hold.high_ms, 1), fixed(hold.exact_ms, 1), fixed(one.waiting.mean, 2),
                fixed(one.switch_percent, 2), plus_minus(cost.mean, cost.half_width),
            ]
        )  # fmt: skip
    head = ["slice, ms", "hold, ms", "low", "high", "exact", "I/Os that wait", "switches, %", "cost"]
    return Table(head, rows)

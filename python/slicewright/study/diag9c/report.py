"""The study as one HTML page: gains over contention, where they come from, every cell, what is assumed and fitted."""

from __future__ import annotations

from slicewright import html
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.statistics import fixed
from slicewright.study.cells import Cell
from slicewright.study.diag9c.breakdown import MEANINGS
from slicewright.study.diag9c.cases import ABLATIONS
from slicewright.study.diag9c.constants import FORMS, UNITS, Form, bounds, committed, spans
from slicewright.study.diag9c.constants import MEANINGS as CONSTANTS
from slicewright.study.diag9c.directions import directions
from slicewright.study.diag9c.judge import aside, by_place
from slicewright.study.diag9c.page import LOOK, PLACES, TITLES, against, missed, name
from slicewright.study.diag9c.points import Point
from slicewright.study.diag9c.published import RUNS
from slicewright.study.diag9c.reproduce import BREAKDOWN, budget
from slicewright.study.page import in_words
from slicewright.study.report import cells, facts, near_the_edge
from slicewright.study.reproduction import Reproduction, Wish

Row = list[str | html.Cell]

DRAWN = {
    "throughput_gain_percent": "gain in throughput with X'9C', %",
    "diag9c.total_diags_per_s": "DIAGNOSEs a second, SLES 10 with X'9C'",
    "diag44.rate_per_s": "DIAGNOSEs a second, with X'44'",
}
"""Rows that are drawn over the runs."""


def page(result: Reproduction[Point], wish: Wish) -> html.Page:
    """The page of a reproduction; the same reproduction gives the same page.

    >>> page(Reproduction("diag9c", 1), Wish(quick=True)).title
    "DIAGNOSE X'9C': published and simulated"
    """
    sections = [
        _drawn(result),
        html.Section("Directions", [f"{one.said}." for one in directions([*result.cells, *result.comparison])]),
        _gains(result),
        html.Section("Cells") if result.ablation else cells(result.cells, LOOK, ("table", "value")),
        _sets(result),
        _taken_away(result),
        _variant(result),
        *(_constants(form) for form in (FORMS if result.variant else FORMS[:1])),
        _limits(result),
    ]
    return html.Page(
        "DIAGNOSE X'9C': published and simulated",
        "Tables 1 to 4 of “Diagnose X'9C' Support”, every number beside the simulated one",
        [
            *facts(result, budget(wish).interval_s),
            *([("variant with intercepts", in_words(result.variant))] if result.variant else []),
        ],
        [section for section in sections if section.tables or section.pictures or section.text],
    )


def _drawn(result: Reproduction[Point]) -> html.Section:
    found = by_place(result.cells)
    panels = []
    for row, label in DRAWN.items():
        own = [(at + 1.0, found[f"run.{run}", row]) for at, run in enumerate(RUNS) if (f"run.{run}", row) in found]
        if len(own) == len(RUNS):
            panels.append(_panel(label, own))
    if not panels or result.ablation:
        return html.Section("Gains and DIAGNOSEs")
    runs = f"Runs: {', '.join(f'{at + 1} {run}' for at, run in enumerate(RUNS))}"
    drawn = Figure(panels, runs, "Each pair of runs.", "Tables 1 to 4")
    text = [
        "Points are published, with the bands declared before any run; lines are means over the ensemble, shaded from "
        "its least to its largest. Calibrated points have no band."
    ]
    return html.Section("Gains and DIAGNOSEs", text, pictures=[drawn])


def _panel(label: str, own: list[tuple[float, Cell]]) -> Panel:
    x, found = [at for at, _ in own], [cell for _, cell in own]
    low = [cell.spread.least if cell.spread else cell.estimate.mean for cell in found]
    high = [cell.spread.largest if cell.spread else cell.estimate.mean for cell in found]
    line = Series(x, [cell.estimate.mean for cell in found], low=low, high=high)
    margins = [cell.ruling.band.width(cell.published) if cell.ruling.scored else 0.0 for cell in found]
    return Panel(label, [line, dots(x, [cell.published for cell in found], margins)])


def _gains(result: Reproduction[Point]) -> html.Section:
    """Where each gain is from: a row per pair of runs, and per ablation where there are."""
    found = by_place([*result.cells, *result.comparison])
    rows: list[Row] = []
    for table, title in TITLES.items():
        for column in (BREAKDOWN, *(f"{one} {BREAKDOWN}" for one in ABLATIONS)):
            own = [found.get((table, part, column)) for part in MEANINGS]
            if all(own):
                means = [cell.estimate.mean for cell in own if cell]
                parts = [fixed(one, 1) for one in (*means, sum(means))]
                rows.append([title.partition(":")[0], column.removesuffix(BREAKDOWN).strip() or "whole", *parts])
    if not rows:
        return html.Section("Where gains come from")
    text = [f"{part.replace('_', ' ')}: {meaning}." for part, meaning in MEANINGS.items()]
    columns = ("runs", "ablation", *(part.replace("_", " ") for part in MEANINGS), "gain")
    caption = "Percent of throughput, exact: processor time per piece before less that after."
    return html.Section("Where gains come from", text, tables=[html.Table(columns, rows, caption)])


def _sets(result: Reproduction[Point]) -> html.Section:
    """How far apart the sets of the ensemble are in each scored cell."""
    rows: list[Row] = []
    for cell in result.cells:
        if cell.spread and cell.ruling.scored:
            own = cell.spread
            values = (cell.published, cell.estimate.mean, own.deviation, own.least, own.largest)
            rows.append([name(cell), *(fixed(value, PLACES[cell.place.row]) for value in values)])
    if not rows:
        return html.Section("Spread over the ensemble")
    columns = ("cell", "published", "mean", "standard deviation", "least", "largest")
    return html.Section("Spread over the ensemble", tables=[html.Table(columns, rows)])


def _taken_away(result: Reproduction[Point]) -> html.Section:
    """What the scored cells are under each ablation; where one ablation was asked for, what they are as a whole."""
    if result.ablation:
        return _ablated(result)
    known = by_place(result.comparison)
    rows: list[Row] = []
    for cell in result.cells:
        without = [known.get((*cell.place.key, ablation)) for ablation in ABLATIONS]
        if cell.ruling.scored and any(without):
            places = PLACES[cell.place.row]
            numbers = [fixed(one.estimate.mean, places) if one else "-" for one in without]
            rows.append([name(cell), LOOK.published(cell), fixed(cell.estimate.mean, places), *numbers])
    if not rows:
        return html.Section("Ablations")
    text = [f"{one}: {what}." for one, what in ABLATIONS.items()]
    columns = ("cell", "published", "whole", *ABLATIONS)
    return html.Section("Ablations", text, tables=[html.Table(columns, rows, "Constants stay as they are.")])


def _ablated(result: Reproduction[Point]) -> html.Section:
    rows: list[Row] = []
    for cell, whole in against(result):
        places = PLACES[cell.place.row]
        numbers = [fixed(one.estimate.mean, places) for one in (whole, cell)]
        rows.append([name(whole), LOOK.published(cell), *numbers])
    text = [f"{result.ablation}: {ABLATIONS[result.ablation]}; constants stay as they are, and nothing is judged."]
    table = html.Table(("cell", "published", "whole", "without"), rows)
    return html.Section("The whole model beside it", text, tables=[table])


def _variant(result: Reproduction[Point]) -> html.Section:
    """The cells and directions of the form that was left out and is kept in sight."""
    name = "The variant with intercepts inside sections"
    if not result.variant:
        return html.Section(name)
    text = [
        f"Declared before it was simulated, by somebody who had seen every cell (decision 0019). "
        f"{in_words(result.variant)}. By its own rule it is left out, as it misses a direction that the first form "
        "holds, and so it counts for nothing; it is shown as a tested explanation of what misses in B and C.",
        *(f"{one.said}." for one in directions([*result.variant, *aside(result.comparison, "intercepts")])),
        *(f"Missed: {text}." for text in missed(result.variant, "intercepts")),
    ]
    return html.Section(name, text, tables=cells(result.variant, LOOK, ("table", "value")).tables)


def _constants(form: Form) -> html.Section:
    found = committed(form)
    sets = [one.constants for one in found.members]
    rows: list[Row] = []
    for constant, (low, high) in spans(sets).items():
        ends = bounds(form)[constant]
        span, within = f"{low:g} to {high:g} {UNITS[constant]}", f"{ends[0]:g} to {ends[1]:g}"
        rows.append([constant, span, within, CONSTANTS[constant], *(f"{one[constant]:g}" for one in sets)])
    rows.append(["misfit", "", "", "sum of squared residuals", *(f"{one.misfit:.1f}" for one in found.members)])
    fit: list[Row] = []
    for at, cell in enumerate(found.cells):
        places = PLACES[cell.row]
        each = [fixed(one.simulated[at], places) for one in found.members]
        fit.append([f"{cell.table} {cell.row}", fixed(cell.published, places), fixed(cell.simulated, places), *each])
    numbers = tuple(f"set {at + 1}" for at in range(len(sets)))
    tables = [
        html.Table(("constant", "span", "bounds", "what it is", *numbers), rows),
        html.Table(("cell", "published", "mean", *numbers), fit, "The calibration cells at each set."),
    ]
    text = ["Found on calibration cells alone; `slicewright calibrate diag9c` finds them again."]
    return html.Section("Constants" if form == "first" else "Constants of the variant", text, tables=tables)


def _limits(result: Reproduction[Point]) -> html.Section:
    return html.Section(
        "What this does not show",
        [
            *(f"Missed: {text}." for text in missed(result.cells)),
            near_the_edge(result.cells),
            "No throughput is published: what a file costs is not identified, and nothing here depends on it but how "
            "long bursts are.",
            "Not published and assumed: what paths of the control program cost, how slow storage is, what virtual "
            "processors have in the caches, and that each guest has one lock.",
            "The constants are those of these machines under this workload. Elsewhere they are borrowed.",
        ],
    )

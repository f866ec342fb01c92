"""What the pages of the study have and no other: directions, where gains come from, and the picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.report.forms import decimals
from slicewright.report.model import Block, Column, Notes, Paragraph, Table
from slicewright.results.judge import Cell
from slicewright.statistics import fixed, signed
from slicewright.study.diag9c.breakdown import MEANINGS
from slicewright.study.diag9c.cases import ROOMY, RUNS
from slicewright.study.diag9c.directions import directions
from slicewright.study.diag9c.runs import BREAKDOWN, aside
from slicewright.study.ensemble.directions import Direction
from slicewright.study.summary import Context

DRAWN = {
    "throughput_gain_percent": "gain in throughput with X'9C', %",
    "diag9c.total_diags_per_s": "DIAGNOSEs a second, SLES 10 with X'9C'",
    "diag44.rate_per_s": "DIAGNOSEs a second, with X'44'",
}
"""Rows that are drawn over the runs."""

Gain = tuple[str, str, list[float]]
"""A pair of runs, what was taken away, and the parts of its gain."""


def directions_of(context: Context) -> list[Direction]:
    """The directions that the document states, in one form."""
    return directions([*context.cells, *aside(context.result.comparison, context.form)])


def said_directions(context: Context) -> Iterable[str]:
    """The directions as paragraphs of a summary."""
    return (f"Direction  {direction.said}" for direction in directions_of(context))


def listed_directions(context: Context) -> Iterable[str]:
    """The directions as sentences."""
    return (f"{direction.said}." for direction in directions_of(context))


def roomy(context: Context) -> Iterable[str]:
    """The DIAGNOSEs that are issued without contention."""
    beside = aside(context.result.comparison, context.form)
    own = {cell.place.row: cell for cell in beside if cell.place.table == f"run.{ROOMY}"}
    if own:
        rates = [fixed(own[row].estimate.mean, 0) for row in ("diag44.rate_per_s", "diag9c.total_diags_per_s")]
        fast = fixed(own["diag44.fast_path_percent"].estimate.mean, 1)
        yield (
            f"No contest run A with 16 processors: {rates[0]} X'44' a second, {fast} % of them fast; {rates[1]} X'9C'"
        )


def gained(cells: Iterable[Cell], table: str, ablation: str = "") -> str:
    """Where the gain of a pair of runs is from, in percent of throughput; empty where that is not among the cells.

    >>> gained([], "run.A")
    ''
    """
    column = f"{ablation} {BREAKDOWN}".strip()
    own = {cell.place.row: cell for cell in cells if cell.place.table == table and cell.place.column == column}
    parts = [f"{name.replace('_', ' ')} {signed(own[name].estimate.mean, 1)}" for name in MEANINGS if name in own]
    return ", ".join(parts)


def parts(context: Context) -> Iterable[Block]:
    """The meaning of the parts of a gain, where there are gains."""
    if _gains(context):
        yield from (Paragraph(f"{part.replace('_', ' ')}: {meaning}.") for part, meaning in MEANINGS.items())


def meant(context: Context) -> Iterable[Block]:
    """The meaning of the parts of a gain, as a list."""
    yield Notes("", [f"*{part.replace('_', ' ')}*: {meaning}" for part, meaning in MEANINGS.items()])


def gains(context: Context) -> Iterable[Block]:
    """Where each gain is from, whole and under each ablation, by what the runs are."""
    titles = context.study.titles()
    caption = "Percent of throughput, exact: processor time per piece before less that after."
    rows = [(titles[table].partition(":")[0], what, parts) for table, what, parts in _gains(context)]
    if rows:
        yield _gain_table(rows, caption)


def gains_of_runs(context: Context) -> Iterable[Block]:
    """The same by the names of the runs."""
    yield _gain_table(_gains(context), "")


def _gains(context: Context) -> list[Gain]:
    """Of a form: a row per pair of runs, and per ablation where there are."""
    beside = [*context.cells, *aside(context.result.comparison, context.form)]
    found = {cell.place.key: cell.estimate.mean for cell in beside}
    rows = []
    for table in context.study.titles():
        for ablation in ("", *context.spec.ablations):
            keys = [(table, part, f"{ablation} {BREAKDOWN}".strip()) for part in MEANINGS]
            means = [found[key] for key in keys if key in found]
            if means:
                rows.append((table, ablation or "whole", [*means, sum(means)]))
    return rows


def _gain_table(rows: list[Gain], legend: str) -> Table[Gain]:
    columns: list[Column[Gain]] = [
        Column("runs", "runs", lambda row: row[0]),
        Column("ablation", "ablation", lambda row: row[1]),
    ]
    for at, part in enumerate((*MEANINGS, "gain")):
        columns.append(Column(part, part.replace("_", " "), _at(at), form=decimals(1)))
    return Table(columns, rows, legend=legend)


def _at(at: int) -> Callable[[Gain], float]:
    return lambda row: row[2][at]


def picture(context: Context) -> Iterable[Block]:
    """Gains and DIAGNOSEs of each pair of runs, published and simulated."""
    found = {cell.place.key: cell for cell in context.result.cells}
    panels = []
    for row, label in DRAWN.items():
        own = [(at + 1.0, found[f"run.{run}", row]) for at, run in enumerate(RUNS) if (f"run.{run}", row) in found]
        if len(own) == len(RUNS):
            panels.append(_panel(label, own))
    if panels and not context.result.ablation:
        runs = f"Runs: {', '.join(f'{at + 1} {run}' for at, run in enumerate(RUNS))}"
        yield Figure(panels, runs, "Each pair of runs.", "Tables 1 to 4")


def _panel(label: str, own: list[tuple[float, Cell]]) -> Panel:
    x, found = [at for at, _ in own], [cell for _, cell in own]
    low = [cell.spread.least if cell.spread else cell.estimate.mean for cell in found]
    high = [cell.spread.largest if cell.spread else cell.estimate.mean for cell in found]
    line = Series(x, [cell.estimate.mean for cell in found], low=low, high=high)
    margins = [cell.ruling.band.width(cell.published) if cell.ruling.scored else 0.0 for cell in found]
    return Panel(label, [line, dots(x, [cell.published for cell in found], margins, of=["simulated"])])

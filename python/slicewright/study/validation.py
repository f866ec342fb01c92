"""The validation page of the study: every cell with role, band and verdict, and what is thought of those that miss.

It leaves out pictures: `slicewright reproduce hyperpav --html FILE` draws them.
"""

from __future__ import annotations

from slicewright.statistics import fixed
from slicewright.study.cells import Cell
from slicewright.study.constants import committed
from slicewright.study.kept import Kept
from slicewright.study.page import PLACES, difference, margin, simulated, summary
from slicewright.study.published import Report
from slicewright.study.reproduce import Wish

_HEAD = ("value", "unit", "published", "simulated", "off", "band", "role", "verdict", "mark")


def markdown(kept: Kept) -> str:
    """The page of a full reproduction, in Markdown, from the numbers that it simulated.

    >>> markdown(Kept(1, "", {}, {})).splitlines()[0]
    '# Validation: HyperPAV and classic PAV'
    """
    result = kept.reproduction()
    budget = Wish(seed=kept.seed).budget
    simulations = f"Seed {budget.seed}, {budget.replications} replications of 10 min"
    runs = [
        _run(point.report, [cell for cell in result.cells if cell.place.table == point.report.table])
        for point in result.points
    ]
    text = summary(result, committed())
    parts = [_BEFORE.replace("SIMULATIONS", simulations), f"```text\n{text}\n```", *runs, _AFTER, _misfits()]
    return "\n\n".join(parts) + "\n"


def _run(report: Report, cells: list[Cell]) -> str:
    """One run: a heading, a row per cell, and what is to be known of it."""
    lines = [f"| {' | '.join(_HEAD)} |", "|---|---|--:|--:|--:|--:|---|---|---|", *map(_row, cells)]
    return "\n".join([f"## {report.table}: {report.title}", "", *lines, *map("\n{}".format, _notes(cells))])


def _notes(cells: list[Cell]) -> list[str]:
    """What the bands say of a run's cells; whose it is where it is not about all of them."""
    said: dict[str, list[str]] = {}
    for cell in cells:
        said.setdefault(cell.ruling.note, []).append(f"`{cell.place.row}`")
    told = {note: rows for note, rows in said.items() if note}
    return [f"{note[0].upper()}{note[1:]} ({', '.join(rows)})." for note, rows in told.items()]


def _row(cell: Cell) -> str:
    ruling = cell.ruling
    verdict = f"**{cell.verdict}**" if ruling.scored else cell.verdict
    follows = "follows from the others" if cell.identity else ""
    marks = ", ".join(part for part in ("must" if ruling.must else "", follows, cell.doubt) if part)
    published = fixed(cell.published, PLACES[cell.place.row])
    numbers = (published, simulated(cell), difference(cell), margin(cell) or "-")
    row = (f"`{cell.place.row}`", cell.place.unit, *numbers, ruling.role, verdict, marks)
    return f"| {' | '.join(row)} |"


def _misfits() -> str:
    off = [cell for cell in committed().cells if abs(cell.residual) > 1]
    rows = [f"| {cell.table} | {cell.row} | {cell.residual:+.1f} |" for cell in off]
    return "\n".join(["| run | value | off, in units of its rounding |", "|---|---|--:|", *rows])


_BEFORE = """\
# Validation: HyperPAV and classic PAV

Written by `python -m slicewright.study validation`; not edited by hand. What was decided before any run stands in
[decision 0003](../decisions/0003-hyperpav-study.md); what roles and verdicts mean, on the page of
[roles and verdicts](../concepts/roles-and-verdicts.md).

The source is “z/VM HyperPAV Support”: eight volumes of one control unit, with aliases in a pool or bound to a volume.
SIMULATIONS, more where a cell needs them; ± is simulation noise (95 %).

*Off* is simulated less published. A miss of a cell that *must* match would mean a wrong mechanism, not merely an
imprecise one. A cell that *follows from the others* of its run, by Little's law, is not independent of them.

How it came out, as `slicewright reproduce hyperpav` prints it:"""

_AFTER = """\
## What misses, and why

Y040181P misses, as expected: its connect time, 1.45 ms at 1.84 concurrent I/Os, is above the 1.23 ms of Y040182P, which
has more concurrency. Nothing in the model can do that; the run may have met another load at the disk subsystem. It is
shown, not fitted, not counted. Service in Y040182P is predicted low by nearly its whole band for the same reason that
made the band wide: another day.

Calibration cells that the model does not reach within the rounding of the print stand below. What is thought to cause
it, seen only after the runs: rate x service of Y032180H says that a base is idle for 5 % of the time although
requests wait, which asks for a gap of about .07 ms, while the nearly empty queues of Y032182H leave no room for one
as long as a freed alias takes nobody up (redispatch `none`). And with 16 aliases the pool shares I/Os more evenly
between bases and aliases than the model, with 8 less evenly: how the control program picks an exposure is not exactly
this. Another policy would be chosen knowing the numbers, and every cell that it was meant for would be `informed`."""

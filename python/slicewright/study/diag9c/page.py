"""The study as text: a table per pair of runs, with the span of the ensemble and where its gain is from, and a summary.

It leaves out pictures and the HTML page (`report.py`).
"""

from __future__ import annotations

from collections.abc import Iterable

from slicewright.statistics import fixed, signed
from slicewright.study.causes import missed as together
from slicewright.study.cells import Cell, Tally
from slicewright.study.diag9c.breakdown import MEANINGS
from slicewright.study.diag9c.cases import ABLATIONS, ROOMY
from slicewright.study.diag9c.causes import cause
from slicewright.study.diag9c.constants import Form, ensemble, shown
from slicewright.study.diag9c.directions import directions
from slicewright.study.diag9c.judge import aside
from slicewright.study.diag9c.points import Point
from slicewright.study.diag9c.reproduce import BREAKDOWN, budget
from slicewright.study.page import Look, Widths, close, counted, filled, in_words, scores, simulated
from slicewright.study.reproduction import Reproduction, Wish

PLACES = {
    "diag44.rate_per_s": 0,
    "diag44.fast_path_percent": 1,
    "diag44.pldv_empty_percent": 1,
    "diag44.pldv_queue": 2,
    "diag44.pldv_mean": 2,
    "diag44.throughput": 0,
    "diag9c.throughput": 0,
    "diag9c.total_diags_per_s": 0,
    "diag9c.diag9c_percent": 1,
    "throughput_gain_percent": 1,
    "zvm52_total_diags_per_s": 0,
    "zvm52_diag9c_percent": 1,
    "gain_percent": 1,
    **dict.fromkeys(MEANINGS, 1),
}
"""Decimal places of each value, about as they are printed in the document."""

TITLES = {
    "run.A": "Run A, table 1: 2 clients of 4, 8 servers of 1 (SLES 9)",
    "run.B": "Run B, table 1: 2 clients of 6, 16 servers of 2 (SLES 9)",
    "run.C": "Run C, table 1: 2 clients of 6, 32 servers of 2 (SLES 9)",
    "run.E": "Run E, tables 2 and 4: 2 clients of 9, 32 servers of 6",
    "run.H": "Run H, table 2: as E, spin_retry 0",
    "run.X": "Run X, table 4: as E, on a z9",
    "table3": "Table 3: E with X'9C', z/VM 5.2 and 5.3",
}
"""What each pair of runs is, by how many virtual processors a guest has."""

LOOK = Look(
    PLACES,
    absolute=frozenset(row for row in PLACES if row.endswith(("_percent", "_queue"))),
    widths=Widths(row=27, unit=4, published=9, simulated=17, off=9, band=6),
    unsaid=("predicted",),
)
"""How the cells of this study are printed."""


def heading(wish: Wish) -> str:
    """What is about to be printed.

    >>> "z/VM 5.3" in heading(Wish(quick=True))
    True
    """
    own = budget(wish)
    lines = [
        "diag9c   Diagnose X'9C' Support: Apache under z/VM 5.3 on 9 processors, X'44' against X'9C'",
        f"seeds from {own.seed}, {own.simulated} after {own.warm_up_s:g} s of each run with each of {len(ensemble())} "
        "sets of constants; values are means over",
        "the sets, ± is simulation noise of the mean (95 %), `sets` is from the least to the largest",
    ]
    if wish.ablation:
        what = ABLATIONS[wish.ablation]
        lines.append(f"Ablation {wish.ablation}: {what}; nothing is judged, constants stay as they are")
    return "\n".join([*lines, ""])


def table(run: str, cells: list[Cell]) -> str:
    """One pair of runs: a line per value with the span of the sets, and where the gain is from.

    >>> print(table("run.A", []).splitlines()[0])
    Run A, table 1: 2 clients of 4, 8 servers of 1 (SLES 9)
    """
    judged = [cell for cell in cells if cell.place.row not in MEANINGS and cell.place.column in ("", *ABLATIONS)]
    lines = [title(run), LOOK.widths.head]
    run = run.rpartition(" ")[2]
    for cell in judged:
        lines.append(f"{LOOK.line(cell)}{_sets(cell)}")
    for column in ("", *ABLATIONS):
        named = f"{column} {BREAKDOWN}".strip()
        lines += [f"  gain from: {said}" for said in [gained(cells, run, named)] if said]
    return "\n".join(lines) + "\n"


def title(run: str) -> str:
    """What a pair of runs is, of the first form unless it says another.

    >>> title("intercepts run.H")
    'Variant with intercepts, run H, table 2: as E, spin_retry 0'
    """
    form, _, own = run.rpartition(" ")
    said = TITLES[own]
    return f"Variant with {form}, {said[0].lower()}{said[1:]}" if form else said


def gained(cells: Iterable[Cell], run: str, column: str = BREAKDOWN) -> str:
    """Where the gain of a pair of runs is from, in percent of throughput; empty where that is not among the cells.

    >>> gained([], "run.A")
    ''
    """
    own = {cell.place.row: cell for cell in cells if cell.place.table == run and cell.place.column == column}
    parts = [f"{name.replace('_', ' ')} {signed(own[name].estimate.mean, 1)}" for name in MEANINGS if name in own]
    return ", ".join(parts)


def summary(result: Reproduction[Point]) -> str:
    """How the scored cells came out, which directions hold, why some miss, with which constants; or an ablation.

    >>> summary(Reproduction("diag9c", 1)).startswith("Scored     0 of 0 match")
    True
    """
    if result.ablation:
        return ablated(result)
    paragraphs = scores(result.cells, "which guests can spin")
    near = close(result.cells)
    paragraphs += [f"Close      {', '.join(map(name, near))}: in the outer tenth of the band"] if near else []
    first = filled([*paragraphs, *_told(result.cells, result.comparison, "first")])
    if not result.variant:
        return first
    own = filled([*_variant(result.variant), *_told(result.variant, result.comparison, "intercepts")])
    return f"{first}\n\n{own}"


def ablated(result: Reproduction[Point]) -> str:
    """An ablation beside the whole: each value with everything there, without what is taken away, and the difference.

    >>> ablated(Reproduction("diag9c", 1)).split()
    ['published', 'whole', 'without', 'change']
    """
    lines = [f"{'':36}{'published':>10}{'whole':>16}{'without':>16}{'change':>9}"]
    for cell, whole in against(result):
        change = signed(cell.estimate.mean - whole.estimate.mean, PLACES[cell.place.row])
        called = f"{cell.place.table}{'   from' * (cell.place.row in MEANINGS)} {cell.place.row.replace('_', ' ')}"
        lines.append(f"{called:36}{LOOK.published(cell):>10}{simulated(whole):>16}{simulated(cell):>16}{change:>9}")
    return "\n".join(lines)


def against(result: Reproduction[Point]) -> list[tuple[Cell, Cell]]:
    """Under an ablation, each cell without what is taken away, and the same with everything there.

    >>> against(Reproduction("diag9c", 1))
    []
    """
    whole = {cell.place.key: cell for cell in result.comparison}
    found = []
    for cell in result.cells:
        column = cell.place.column.removeprefix(result.ablation).strip()
        key = (cell.place.table, cell.place.row, column) if column else (cell.place.table, cell.place.row)
        found.append((cell, whole[key]))
    return found


def missed(cells: list[Cell], form: Form = "first") -> list[str]:
    """The cells that miss, with what causes it: those with one cause together.

    >>> missed([])
    []
    """
    return together(cells, lambda place: cause(place, form), name)


def name(cell: Cell) -> str:
    """A cell by its table, row and column.

    >>> from slicewright.statistics import Estimate
    >>> from slicewright.study.bands import Band, Ruling
    >>> from slicewright.study.cells import Place
    >>> judged = (Estimate(7.0, 0.1, 4), Ruling("predicted", Band()))
    >>> name(Cell(Place("run.A", "throughput_gain_percent", "%"), 7.0, *judged))
    'run.A throughput_gain_percent'
    """
    return " ".join(cell.place.key)


def _variant(cells: list[Cell]) -> list[str]:
    """How the cells of the variant came out, and what it is."""
    own, apart = Tally.of(cells), Tally.of(cells, independent=True)
    return [
        f"Variant    {in_words(cells)}, {own.trend} in trend only, {own.misses} missed; of those independent of each "
        f"other, {counted(apart)}",
        "What it is one section under a lock in so many is cut by an intercept; declared before it was simulated, by "
        "somebody who had seen every cell; by its own rule left out, as it misses a direction that the first form "
        "holds, and kept in sight as the explanation of what misses in B and C that was tested; it counts for nothing "
        "(decision 0019)",
    ]


def _told(cells: list[Cell], comparison: list[Cell], form: Form) -> list[str]:
    """What a summary says of either form once it has counted."""
    beside = aside(comparison, form)
    paragraphs = [f"Direction  {one.said}" for one in directions([*cells, *beside])]
    paragraphs += [f"Misses     {text}" for text in missed(cells, form)]
    paragraphs.append(
        f"Constants  {len(ensemble(form))} sets: {shown(ensemble(form))}; from `slicewright calibrate diag9c`, which "
        "sees calibrated cells alone"
    )
    return [*paragraphs, *_roomy(beside)]


def _sets(cell: Cell) -> str:
    if cell.spread is None:
        return ""
    places = PLACES[cell.place.row]
    return f"  sets {fixed(cell.spread.least, places)} to {fixed(cell.spread.largest, places)}"


def _roomy(cells: list[Cell]) -> list[str]:
    own = {cell.place.row: cell for cell in cells if cell.place.table == f"run.{ROOMY}"}
    if not own:
        return []
    rates = [fixed(own[row].estimate.mean, 0) for row in ("diag44.rate_per_s", "diag9c.total_diags_per_s")]
    fast = fixed(own["diag44.fast_path_percent"].estimate.mean, 1)
    return [f"No contest run A with 16 processors: {rates[0]} X'44' a second, {fast} % of them fast; {rates[1]} X'9C'"]

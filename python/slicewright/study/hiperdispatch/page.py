"""The study as text: a table per figure and per column of Table 1, printed as it is done, and one summary."""

from __future__ import annotations

from itertools import groupby

from slicewright.statistics import signed
from slicewright.study import causes
from slicewright.study.cells import Cell, Tally
from slicewright.study.hiperdispatch.cases import ABLATIONS, Case
from slicewright.study.hiperdispatch.causes import cause
from slicewright.study.hiperdispatch.constants import Form, committed_constants, shown
from slicewright.study.hiperdispatch.points import Point
from slicewright.study.hiperdispatch.reproduce import budget
from slicewright.study.page import Look, Widths, close, counted, filled, in_words, scores, simulated
from slicewright.study.reproduction import Reproduction, Wish

PLACES = {
    "gain_percent": 1,
    "etr": 0,
    "unparked_lpus": 1,
    "total_percent": 1,
    "guests_percent": 1,
    "chargeable_cp_percent": 1,
    "nonchargeable_cp_percent": 1,
    "tv_ratio": 2,
    "srmslock_collisions_per_s": 0,
    "srmslock_spin_us_per_collision": 2,
    "srmslock_spin_s_per_s": 3,
    "transactions_per_s": 0,
    "total_percent_per_tx": 4,
    "guests_percent_per_tx": 4,
    "chargeable_cp_percent_per_tx": 4,
    "nonchargeable_cp_percent_per_tx": 4,
    "srmslock_collisions_per_tx": 2,
    "srmslock_spin_us_per_tx": 1,
}
"""Decimal places of each value, about as they are printed in the document."""

TITLES = {
    "figure1": "Figure 1: 8 light tiles, high T/V, on a zEC12",
    "figure2": "Figure 2: 16 light tiles, low T/V, on a zEC12",
    "figure3": "Figure 3: 2 heavy tiles, low T/V, on a zEC12",
    "figure4": "Figure 4: 8 heavy tiles, low T/V, on a zEC12",
    "table1.n8": "Table 1, N = 8: 8 light tiles, high T/V, on a z10",
    "table1.n16": "Table 1, N = 16: 8 light tiles, high T/V, on a z10",
}
"""What each run is."""


def row_name(cell: Cell) -> str:
    """A cell within its run: the row, and of a figure N, too.

    >>> from slicewright.statistics import Estimate
    >>> from slicewright.study.bands import Band, Ruling
    >>> from slicewright.study.cells import Place
    >>> judged = (Estimate(7.0, 0.1, 4), Ruling("predicted", Band()))
    >>> row_name(Cell(Place("figure4", "gain_percent", "%", "n=16"), 7.0, *judged))
    'gain_percent n=16'
    """
    place = cell.place
    return place.row if place.table.startswith("table1") else f"{place.row} {place.column}"


LOOK = Look(
    PLACES,
    absolute=frozenset({"gain_percent", "unparked_lpus", "tv_ratio"}),
    widths=Widths(row=31, unit=0, published=9, simulated=17, off=10, band=6),
    unsaid=("predicted",),
    named=row_name,
)
"""How the cells of this study are printed; the unit is the suffix of the row, percents are of one processor."""


def heading(wish: Wish) -> str:
    """What is about to be printed.

    >>> "4 replications of 5 s" in heading(Wish(quick=True))
    True
    """
    figure, parked = budget(Case("figure2", 16, "H"), wish), budget(Case("table1", 16, "V F"), wish)
    lines = [
        "hiperdispatch   z/VM HiperDispatch: tiles of virtual servers on 1 to 32 processors, horizontal and vertical",
        f"seed {figure.seed}, {figure.simulated} of each run; of those that park {parked.simulated} after "
        f"{parked.warm_up_s:g} s; ± is simulation noise (95 %)",
    ]
    if wish.ablation:
        lines.append(
            f"Ablation {wish.ablation}: {ABLATIONS[wish.ablation]}; nothing is judged, constants stay as they are"
        )
    return "\n".join([*lines, ""])


def table(run: str, cells: list[Cell]) -> str:
    """One run: a line per value, under the column of Table 1 that it is of; `=` marks what follows from others.

    >>> print(table("table1.n16", []).splitlines()[0])
    Table 1, N = 16: 8 light tiles, high T/V, on a z10
    """
    lines = [title(run), LOOK.widths.head]
    if run.rpartition(" ")[2].startswith("table1"):
        for column, own in groupby(cells, key=lambda cell: cell.place.column):
            lines += [column, *map(LOOK.line, own)]
    else:
        lines += map(LOOK.line, cells)
    return "\n".join(lines) + "\n"


def title(run: str) -> str:
    """What a run is: a table or figure, in the first form unless it says another.

    >>> title("adopted figure4")
    'Adopted form, figure 4: 8 heavy tiles, low T/V, on a zEC12'
    """
    form, _, own = run.rpartition(" ")
    said = TITLES[own]
    return f"{form.capitalize()} form, {said[0].lower()}{said[1:]}" if form else said


def summary(result: Reproduction[Point]) -> str:
    """How the scored cells came out, form by form, why some miss, with which constants; or what an ablation changed.

    >>> summary(Reproduction("hiperdispatch", 1)).startswith("Scored     0 of 0 match")
    True
    """
    if result.ablation:
        return beside(result)
    blocks = [filled([*scores(result.cells, "the column's other values"), *_told(result.cells, "first")])]
    if result.adopted:
        blocks.append(filled([*_adopted(result.adopted), *_told(result.adopted, "adopted")]))
        blocks.append(
            filled(
                [
                    f"In all     first form: {in_words(result.cells)}",
                    f"           adopted form: {in_words(result.adopted)}",
                ]
            )
        )
    return "\n\n".join(blocks)


def beside(result: Reproduction[Point]) -> str:
    """An ablation beside the whole: each value with everything there, without what is taken away, and the difference.

    >>> beside(Reproduction("hiperdispatch", 1)).split()
    ['published', 'whole', 'without', 'change']
    """
    lines = [f"{'':50}{'published':>10}{'whole':>16}{'without':>16}{'change':>9}"]
    whole = {cell.place: cell for cell in result.comparison}
    for cell in result.cells:
        known, places = whole[cell.place], PLACES[cell.place.row]
        change = signed(cell.estimate.mean - known.estimate.mean, places)
        numbers = f"{LOOK.published(cell):>10}{simulated(known):>16}{simulated(cell):>16}{change:>9}"
        lines.append(f"{name(cell):50}{numbers}")
    return "\n".join(lines)


def missed(cells: list[Cell], form: Form = "first") -> list[str]:
    """The cells that miss, with what causes it: those with one cause together.

    >>> missed([])
    []
    """
    return causes.missed(cells, lambda place: cause(place, form), name)


def name(cell: Cell) -> str:
    """A cell by its table, row and column.

    >>> from slicewright.statistics import Estimate
    >>> from slicewright.study.bands import Band, Ruling
    >>> from slicewright.study.cells import Place
    >>> judged = (Estimate(7.0, 0.1, 4), Ruling("predicted", Band()))
    >>> name(Cell(Place("figure4", "gain_percent", "%", "n=16"), 7.0, *judged))
    'figure4 gain_percent n=16'
    """
    return " ".join(cell.place.key)


def _adopted(cells: list[Cell]) -> list[str]:
    own, apart = Tally.of(cells), Tally.of(cells, independent=True)
    return [
        f"Adopted    {in_words(cells)}, {own.trend} in trend only, {own.misses} missed; "
        f"of those independent of each other, {counted(apart)}",
        "Variant    in horizontal mode the processor that has been idle longest handles a wake-up; adopted knowing all "
        "cells, and meant for those of the figures, which are informed (decision 0014)",
    ]


def _told(cells: list[Cell], form: Form) -> list[str]:
    """What a summary says of either form once it has counted."""
    near = close(cells)
    close_by = [f"Close      {', '.join(map(name, near))}: in the outer tenth of the band"] if near else []
    misses = [f"Misses     {text}" for text in missed(cells, form)]
    constants = shown(committed_constants(form).of)
    said = f"Constants  {constants}; from `slicewright calibrate hiperdispatch`, which sees calibrated cells alone"
    return [*close_by, *misses, said]

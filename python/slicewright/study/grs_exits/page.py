"""The study as text: the five rows, a table per sweep, and a summary that says the stated miss whatever the verdict."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from slicewright.statistics import fixed, plus_minus_column
from slicewright.study.cells import Cell, Tally
from slicewright.study.grs_exits.cases import BATCH, PROCESSORS, SHARES, SHORT, SINGLE, STRUCTURES, UNLOCKED
from slicewright.study.grs_exits.constants import MEANINGS, committed
from slicewright.study.grs_exits.directions import directions
from slicewright.study.grs_exits.points import Point
from slicewright.study.grs_exits.published import numbers
from slicewright.study.grs_exits.reproduce import ROWS
from slicewright.study.grs_exits.reproduce import SHARES as SHARE_SWEEP
from slicewright.study.page import LINE, Look, Widths, counted, filled
from slicewright.study.reproduction import Reproduction, Wish
from slicewright.text import aligned

PLACES = {
    "wall_s": 2,
    "elapsed_us": 1,
    "cpu_us": 1,
    "pairs_per_s": 0,
    "lock_held_percent": 1,
    "lock_wait_us": 1,
}
"""Decimal places of each value."""


def named(cell: Cell) -> str:
    """A row by its number and the structure of its exits.

    >>> from slicewright.statistics import Estimate
    >>> from slicewright.study.bands import Band, Ruling
    >>> from slicewright.study.cells import Place
    >>> judged = (Estimate(33.0, 0.0, 2), Ruling("predicted", Band(rel=0.3)))
    >>> named(Cell(Place("elapsed", "wall_s", "s", "3"), 45.0, *judged))
    'row 3  pooled'
    """
    structure = next(one.structure for one in numbers() if one.row == cell.place.column)
    return f"row {cell.place.column}  {SHORT[structure]}"


LOOK = Look(PLACES, widths=Widths(row=20, unit=2, published=10, simulated=12, off=9, band=6), named=named)
"""How the cells of this study are printed."""


def heading(wish: Wish) -> str:
    """What is about to be printed.

    >>> "999,999 pairs" in heading(Wish())
    True
    """
    return (
        "grs-exits   GRS/MIM Installation Exit Performance: 999,999 pairs of ENQ and DEQ, not global, one resource\n"
        f"seed {wish.seed}; nothing is drawn in the five rows; wall clock is processor time of one guest alone\n"
    )


def table(run: str, cells: Sequence[Cell]) -> str:
    """The rows, or one sweep, as printed when done.

    >>> print(table("elapsed", []).splitlines()[0])
    Elapsed, s
    """
    if run == ROWS:
        said = [line for text in _stated(cells) for line in textwrap.wrap(text, LINE - 2)]
        return (
            "\n".join([*("Elapsed, s", LOOK.widths.head), *map(LOOK.line, cells), *(f"  {one}" for one in said)]) + "\n"
        )
    return "\n".join(share_table(cells) if run == SHARE_SWEEP else processor_table(cells)) + "\n"


def summary(result: Reproduction[Point]) -> str:
    """How the scored cell came out, with its stated miss; which directions hold; where prices come from.

    >>> summary(Reproduction("grs-exits", 1)).startswith("Scored     0 of 0 match")
    True
    """
    paragraphs = [f"Scored     {counted(Tally.of(result.cells))}"]
    paragraphs += [f"Stated     {text}" for text in _stated(result.cells)]
    paragraphs.append("Not scored rows 1, 2, 4 and 5: calibrated, four prices from four rows, so they come out")
    paragraphs += [f"Direction  {one.said}" for one in directions(result.comparison)]
    return filled([*paragraphs, f"Prices     {prices()}"])


def prices() -> str:
    """The four prices, the free one called so.

    >>> "ONE FREE PARAMETER" in prices()
    True
    """
    found = committed()
    shown = ", ".join(f"{name} {value:g}" for name, value in found.prices.named.items())
    return (
        f"us a pair: {shown}; {MEANINGS['rest'][1]}, {found.prices.rest:g} us; differences of rows printed in seconds "
        f"leave open ± {found.open_us:g}; from `slicewright calibrate grs-exits`, which sees rows 1, 2, 4 and 5 alone"
    )


def missed(cells: Iterable[Cell]) -> list[str]:
    """What is off in the row that is predicted, in words; empty where it is not among the cells.

    >>> missed([])
    []
    """
    return list(_stated(cells))


def share_table(cells: Iterable[Cell]) -> list[str]:
    """Elapsed and processor time per pair over the share of global pairs.

    >>> share_table([])
    []
    """
    found = {cell.place.key: cell.estimate for cell in cells}
    if not found:
        return []
    lines = []
    for value, title in (("elapsed_us", "elapsed time a pair, us"), ("cpu_us", "processor time a pair, us")):
        own = {form: [found[f"share.{form}", value, f"g={share}"] for share in SHARES] for form in STRUCTURES}
        columns = [plus_minus_column([(one.mean, one.half_width) for one in own[form]]) for form in STRUCTURES]
        ratios = [one.mean / other.mean for one, other in zip(own[BATCH], own[SINGLE], strict=True)]
        rows = [
            [f"{share} %", *(column[at] for column in columns), fixed(ratios[at], 2)] for at, share in enumerate(SHARES)
        ]
        head = ["global", *(SHORT[form] for form in STRUCTURES), "batch / single area"]
        lines += [f"Global pairs: {title}", *aligned(head, rows)]
    return lines


def processor_table(cells: Iterable[Cell]) -> list[str]:
    """Pairs per second, how much the lock is held and what a pair waits for it, over processors.

    >>> processor_table([])
    []
    """
    found = {cell.place.key: cell.estimate.mean for cell in cells}
    if not found:
        return []
    forms, lines = (*STRUCTURES, UNLOCKED), []
    for value, title in _OVER.items():
        rows = [
            [str(count), *(fixed(found[f"processors.{form}", value, f"n={count}"], 0) for form in forms)]
            for count in PROCESSORS
        ]
        lines += [title, *aligned(["processors", *(SHORT[form] for form in forms)], rows)]
    return lines


_OVER = {
    "pairs_per_s": "Processors, a guest for each: pairs per s",
    "lock_held_percent": "ENQ/DEQ lock held, % of the time",
    "lock_wait_us": "Wait for it, us a pair",
}


def _stated(cells: Iterable[Cell]) -> list[str]:
    """The miss that was stated before any run, beside whatever verdict the band gives."""
    return [
        f"row {cell.place.column} misses by {abs(100 * cell.difference / cell.published):.0f} %: "
        f"{fixed(cell.estimate.mean, 0)} s simulated, {fixed(cell.published, 0)} published. Stated before any run: "
        f"nothing in the model tells it from row 4. The band of {100 * cell.ruling.band.rel:.0f} % calls it a match; "
        "that is its width, no merit."
        for cell in cells
        if cell.ruling.scored
    ]

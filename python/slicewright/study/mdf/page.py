"""The study as text: a table per scheduling parameter, printed as it is done, and one summary.

It leaves out pictures and the HTML page (`report.py`).
"""

from __future__ import annotations

from itertools import groupby

from slicewright.study.cells import Cell, Tally
from slicewright.study.mdf.causes import cause
from slicewright.study.mdf.constants import committed, shown
from slicewright.study.mdf.points import Point
from slicewright.study.mdf.published import COLUMNS
from slicewright.study.mdf.reproduce import budget
from slicewright.study.page import Look, Widths, close, counted, filled, scores
from slicewright.study.reproduction import Reproduction, Wish

PLACES = {
    "response_ms": 2,
    "iosq_ms": 2,
    "rate_per_s": 2,
    "io_per_s": 1,
    "front_end_4705_rate_per_s": 2,
    "tpns_queue_s": 2,
    "input_queue_s": 2,
    "execution_s": 2,
    "output_queue_s": 2,
    "response_s": 2,
    "external_transactions_per_s": 2,
    "cpu_percent": 2,
}
"""Decimal places of each value, as they are printed in the document."""

LOOK = Look(
    PLACES,
    absolute=frozenset({"tpns_queue_s", "input_queue_s", "execution_s", "output_queue_s", "cpu_percent"}),
    widths=Widths(row=27, unit=0, published=8, simulated=14),
    unsaid=("predicted",),
)
"""How the cells of this study are printed; the unit is the suffix of the row."""


def heading(wish: Wish) -> str:
    """What is about to be printed.

    >>> "replications of 600 s" in heading(Wish(quick=True))
    True
    """
    own = budget(wish)
    length = f"{own.interval_s} s" if own.interval_s else "1 h"
    return (
        "mdf   Partitioning Large Processors: IMS and TSO in two domains of a 580/MDF\n"
        f"seed {own.seed}, {own.replications} replications of {length}; ± is simulation noise (95 %); "
        "must: a miss means a wrong mechanism\n"
    )


def table(run: str, cells: list[Cell]) -> str:
    """One scheduling parameter: a line per value under the name of its table; `=` marks what follows from others.

    >>> print(table("sched3", []).splitlines()[0])
    Scheduling parameter 3: slices of 20 ms
    """
    lines = [title(run), LOOK.widths.head]
    for name, own in groupby(cells, key=lambda cell: cell.place.table):
        lines += [name, *map(LOOK.line, own)]
    return "\n".join(lines) + "\n"


def title(column: str) -> str:
    """What a published column is.

    >>> title("sched5")
    'Scheduling parameter 5: slices of 10 ms'
    """
    return f"Scheduling parameter {COLUMNS[column]}: slices of {35 - 5 * COLUMNS[column]} ms"


def summary(result: Reproduction[Point]) -> str:
    """How the scored cells came out, all and independent ones, why some miss, and where the constants come from.

    >>> summary(Reproduction("mdf", 1)).startswith("Scored     0 of 0 match")
    True
    """
    paragraphs = scores(result.cells, "the column's other values")
    must = Tally.of(cell for cell in result.cells if cell.ruling.must)
    if must.scored:
        paragraphs.append(f"Must       {counted(must)} of the cells whose miss would mean a wrong mechanism")
    near = close(result.cells)
    if near:
        paragraphs.append(f"Close      {', '.join(map(_named, near))}: in the outer tenth of the band")
    paragraphs += [f"Misses     {text}" for text in missed(result.cells)]
    constants = "; ".join(f"{part.upper()} {shown(committed(part).constants)}" for part in ("ims", "tso"))
    paragraphs.append(f"Constants  {constants}; from `slicewright calibrate mdf`, which sees sched1 alone")
    if result.comparison:
        other = Tally.of(result.comparison)
        paragraphs.append(f"Compared   TSO with .3 ms of reload a slice (informed, not counted): {counted(other)}")
    return filled(paragraphs)


def missed(cells: list[Cell]) -> list[str]:
    """The cells that miss, with what probably causes it: those with one cause together.

    >>> missed([])
    []
    """
    found: dict[str, list[str]] = {}
    for cell in cells:
        if cell.verdict in ("misses", "trend"):
            found.setdefault(cause(cell.place), []).append(_named(cell) + (" (trend)" * (cell.verdict == "trend")))
    return [f"{', '.join(names)}: {why}" for why, names in found.items()]


def _named(cell: Cell) -> str:
    return " ".join(cell.place.key)

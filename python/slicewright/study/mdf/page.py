"""The study as text: a table per scheduling parameter, printed as it is done, and one summary."""

from __future__ import annotations

from itertools import groupby

from slicewright.scenario.sharing import parameter_slice_ms
from slicewright.statistics import fixed
from slicewright.study import causes
from slicewright.study.cells import Cell, Tally
from slicewright.study.mdf.causes import cause
from slicewright.study.mdf.constants import Form, committed, parts, shown
from slicewright.study.mdf.points import Point
from slicewright.study.mdf.published import COLUMNS
from slicewright.study.mdf.reproduce import budget
from slicewright.study.mdf.workload import FIRST_MESSAGES, RELOAD_MS
from slicewright.study.page import Look, Widths, close, counted, filled, in_words, scores
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


def title(run: str) -> str:
    """What a run is: a published column, in the first form unless it says another.

    >>> title("sched5"), title("adopted sched5")
    ('Scheduling parameter 5: slices of 10 ms', 'Adopted form, scheduling parameter 5: slices of 10 ms')
    """
    form, _, column = run.rpartition(" ")
    said = f"Scheduling parameter {COLUMNS[column]}: slices of {parameter_slice_ms(COLUMNS[column]):g} ms"
    return f"{form.capitalize()} form, s{said[1:]}" if form else said


def summary(result: Reproduction[Point]) -> str:
    """How the scored cells came out, form by form: all and independent ones, why some miss, and with which constants.

    >>> summary(Reproduction("mdf", 1)).startswith("Scored     0 of 0 match")
    True
    """
    blocks = [filled([*scores(result.cells, "the column's other values"), *_told(result.cells, "first")])]
    if result.adopted:
        blocks.append(filled([*_adopted(result.adopted), *_told(result.adopted, "adopted")]))
        blocks.append(filled(_forms(result)))
    return "\n\n".join(blocks)


def missed(cells: list[Cell], form: Form = "first") -> list[str]:
    """The cells that miss, with what probably causes it: those with one cause together.

    >>> missed([])
    []
    """
    return causes.missed(cells, lambda place: cause(place, form), _named)


def _adopted(cells: list[Cell]) -> list[str]:
    own, apart = Tally.of(cells), Tally.of(cells, independent=True)
    return [
        f"Adopted    {in_words(cells)}, {own.trend} in trend only, {own.misses} missed; "
        f"of those independent of each other, {counted(apart)}",
        f"Variants   {fixed(RELOAD_MS, 1)} ms of reload in each slice of TSO, {FIRST_MESSAGES:g} messages on the first "
        "front-end I/O of a slice, part of the I/O to volumes of the program's own; adopted knowing the cells that are "
        "informed (decision 0011)",
    ]


def _told(cells: list[Cell], form: Form) -> list[str]:
    """What a summary says of either form once it has counted."""
    paragraphs = []
    must = [cell for cell in cells if cell.ruling.must and cell.ruling.scored]
    if must:
        off = ", ".join(f"{_named(cell)} ({cell.verdict})" for cell in must if cell.verdict in causes.MISSING)
        text = f"Must       {counted(Tally.of(must))} of the cells whose miss would mean a wrong mechanism"
        paragraphs.append(f"{text}: {off}" if off else text)
    near = close(cells)
    if near:
        paragraphs.append(f"Close      {', '.join(map(_named, near))}: in the outer tenth of the band")
    paragraphs += [f"Misses     {text}" for text in missed(cells, form)]
    constants = "; ".join(
        f"{domain} {shown(committed(part).constants)}" for domain, part in zip(("IMS", "TSO"), parts(form), strict=True)
    )
    return [*paragraphs, f"Constants  {constants}; from `slicewright calibrate mdf`, which sees sched1 alone"]


def _forms(result: Reproduction[Point]) -> list[str]:
    own = Tally.of(result.cells)
    return [
        f"In all     first form: {own.matches} of {own.scored} match, all predicted",
        f"           adopted form: {in_words(result.adopted)}",
    ]


def _named(cell: Cell) -> str:
    return " ".join(cell.place.key)

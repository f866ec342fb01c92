"""Parts of a validation page: the table of cells of one run, and what is to be known of them."""

from __future__ import annotations

from collections.abc import Callable

from slicewright.study.cells import Cell
from slicewright.study.page import Look, simulated

_HEAD = ("value", "unit", "published", "simulated", "off", "band", "role", "verdict", "mark")


def row_name(cell: Cell) -> str:
    """A cell by its row alone: what is enough where the table names the run.

    >>> from slicewright.statistics import Estimate
    >>> from slicewright.study.bands import Band, Ruling
    >>> from slicewright.study.cells import Place
    >>> row_name(Cell(Place("T", "rate", "1/s"), 1.0, Estimate(1.0, 0.1, 10), Ruling("predicted", Band())))
    '`rate`'
    """
    return f"`{cell.place.row}`"


def section(title: str, cells: list[Cell], look: Look, named: Callable[[Cell], str] = row_name) -> str:
    """A heading, a row per cell, and what is to be known of them.

    >>> section("Y032180H", [], Look({})).splitlines()[0]
    '## Y032180H'
    """
    lines = [f"| {' | '.join(_HEAD)} |", "|---|---|--:|--:|--:|--:|---|---|---|"]
    lines += [_row(cell, look, named) for cell in cells]
    return "\n".join([f"## {title}", "", *lines, *map("\n{}".format, _notes(cells, named))])


def _notes(cells: list[Cell], named: Callable[[Cell], str]) -> list[str]:
    """What the bands say of a run's cells; whose it is where it is not about all of them."""
    said: dict[str, list[str]] = {}
    for cell in cells:
        said.setdefault(cell.ruling.note, []).append(named(cell))
    told = {note: rows for note, rows in said.items() if note}
    return [f"{note[0].upper()}{note[1:]} ({', '.join(rows)})." for note, rows in told.items()]


def _row(cell: Cell, look: Look, named: Callable[[Cell], str]) -> str:
    ruling = cell.ruling
    verdict = f"**{cell.verdict}**" if ruling.scored else cell.verdict
    follows = "follows from the others" if cell.identity else ""
    marks = ", ".join(part for part in ("must" if ruling.must else "", follows, cell.doubt) if part)
    numbers = (look.published(cell), simulated(cell), look.difference(cell), look.margin(cell) or "-")
    row = (named(cell), cell.place.unit, *numbers, ruling.role, verdict, marks)
    return f"| {' | '.join(row)} |"

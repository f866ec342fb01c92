"""How the cells of a study are printed: numbers, bands and verdicts, and the tables that hold them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from slicewright.report.forms import words_right
from slicewright.report.model import Cell as Printed
from slicewright.report.model import Column, Table, Tone
from slicewright.results.judge import NO_INTERVAL, ON_EDGE, TOO_WIDE, Cell
from slicewright.statistics import NOTHING, fixed, plus_minus, signed
from slicewright.study.spec import Spec

MISSING = ("misses", "trend")
"""Verdicts that ask for a cause."""

EDGE = 0.9
"""Share of its band beyond which a match is named as close."""

Row = Cell | str
"""A cell of a printed run, or the name of those that follow."""

_TONES: dict[str, Tone] = {"matches": "good", "trend": "fair", "misses": "bad"}
_DOUBTS = {"": "", ON_EDGE: "edge", NO_INTERVAL: "no interval", TOO_WIDE: "too noisy"}


@dataclass(frozen=True, slots=True)
class Look:
    """Numbers of a cell as they are printed: in the places that the study declares, differences as they are judged.

    >>> from slicewright.results.judge import Band, Ruling
    >>> from slicewright.results.judge import Place
    >>> from slicewright.statistics import Estimate
    >>> judged = (Estimate(1.484, 0.002, 10), Ruling("predicted", Band(rel=0.05)))
    >>> look, cell = Look(Spec.read("hyperpav")), Cell(Place("Y032181H", "service_ms", "ms"), 1.439, *judged)
    >>> look.published(cell), look.simulated(cell), look.difference(cell), look.margin(cell)
    ('1.439', '1.484 ± .002', '+3.1 %', '5 %')
    """

    spec: Spec

    def published(self, cell: Cell) -> str:
        """The published value."""
        return self.value(cell, cell.published)

    def value(self, cell: Cell, value: float) -> str:
        """Any value in the places of a cell."""
        return fixed(value, self.spec.places(cell.place.row))

    def simulated(self, cell: Cell) -> str:
        """The simulated value with its noise; a dash where nothing is simulated."""
        if math.isnan(cell.estimate.mean):
            return NOTHING
        return plus_minus(cell.estimate.mean, cell.estimate.half_width)

    def difference(self, cell: Cell) -> str:
        """Simulated less published: in percent where the band is relative, else in the unit of the value."""
        if math.isnan(cell.difference):
            return NOTHING
        if self._relative(cell) and cell.published:
            return f"{signed(100 * cell.difference / cell.published, 1)} %"
        return signed(cell.difference, self.spec.places(cell.place.row))

    def margin(self, cell: Cell) -> str:
        """The band as declared: the part of it that decides; empty where nothing is judged."""
        if not cell.ruling.scored:
            return ""
        band = cell.ruling.band
        return f"{band.rel * 100:g} %" if self._relative(cell) else fixed(band.abs, _decimals(band.abs))

    def standing(self, cell: Cell) -> str:
        """Role and verdict, with doubts that a reader should know of; a role that goes without saying is omitted."""
        said = cell.ruling.scored and cell.ruling.role not in self.spec.data.get("unsaid", ())
        standing = f"{cell.ruling.role}  {cell.verdict}" if said else cell.verdict
        aside = ", ".join(part for part in ("must" if cell.ruling.must else "", _DOUBTS[cell.doubt]) if part)
        return f"{standing} ({aside})" if aside else standing

    def spread(self, cell: Cell) -> str:
        """From the least to the largest over several sets of constants; empty where there is one."""
        if cell.spread is None:
            return ""
        return f"{self.value(cell, cell.spread.least)} to {self.value(cell, cell.spread.largest)}"

    def _relative(self, cell: Cell) -> bool:
        """Whether differences are shown in percent: as judged, and where nothing is judged as its kind is elsewhere."""
        if cell.ruling.scored:
            band = cell.ruling.band
            return band.rel > 0 and band.rel * abs(cell.published) >= band.abs
        return cell.place.row not in self.spec.absolute


def numbers(look: Look) -> list[Column[Cell]]:
    """The columns of what was published and simulated."""
    return [
        right("published", "published", look.published),
        right("simulated", "simulated", look.simulated),
        right("off", "off", look.difference),
    ]


def run_table(look: Look, rows: Sequence[Row], named: Callable[[Cell], str]) -> Table[Row]:
    """The cells of a run for a terminal; `=` marks what follows from others."""
    units = look.spec.data.get("print_units", True)

    def name(row: Row) -> str:
        if isinstance(row, str):
            return row
        return f"{'=' if row.identity and row.ruling.scored else ' '} {named(row)}"

    columns: list[Column[Row]] = [Column("cell", "", name)]
    if units:
        columns.append(Column("unit", "", _of_cell(lambda cell: cell.place.unit), optional=True))
    columns += [
        right("published", "published", _of_cell(look.published)),
        right("simulated", "simulated", _of_cell(look.simulated)),
        right("off", "off", _of_cell(look.difference)),
        right("band", "band", _of_cell(look.margin)),
        Column("verdict", "", _of_cell(look.standing)),
        Column("sets", "sets", _of_cell(look.spread), optional=True),
    ]
    return Table(columns, rows)


def page_table(look: Look, cells: Sequence[Cell], title: str = "", form: str = "") -> Table[Cell]:
    """Cells for a page: those of one published table under its `title`, or of all.

    With a `form` they have its roles, the probable causes of its misses, and notes.
    """
    columns = [_place(at, heading) for at, heading in enumerate(look.spec.place) if at or not title]
    columns += [
        Column("unit", "unit", lambda cell: cell.place.unit),
        *numbers(look),
        right("band", "band", look.margin),
    ]
    columns += [Column("role", "role", lambda cell: cell.ruling.role)] if form else []
    columns.append(Column("verdict", "verdict", lambda cell: Printed(cell.verdict, _TONES.get(cell.verdict, "quiet"))))
    if form:
        notes = _notes(look.spec, cells, form)
        header = "probable cause, notes" if any(cell.verdict in MISSING for cell in cells) else "notes"
        columns.append(Column("note", header, lambda cell: notes[cell.place.key], optional=True))
    return Table(columns, cells, title)


def validation_table(look: Look, cells: Sequence[Cell], named: Callable[[Cell], str]) -> Table[Cell]:
    """Cells of one published table for its validation page: verdicts that count stand out."""

    def marks(cell: Cell) -> str:
        follows = "follows from the others" if cell.identity else ""
        return ", ".join(part for part in ("must" if cell.ruling.must else "", follows, cell.doubt) if part)

    columns: list[Column[Cell]] = [
        Column("value", "value", named),
        Column("unit", "unit", lambda cell: cell.place.unit),
        *numbers(look),
        right("band", "band", lambda cell: look.margin(cell) or "-"),
        Column("role", "role", lambda cell: cell.ruling.role),
        Column("verdict", "verdict", lambda cell: f"**{cell.verdict}**" if cell.ruling.scored else cell.verdict),
        Column("mark", "mark", marks),
    ]
    return Table(columns, cells)


def right(key: str, header: str, value: Callable[[Any], str]) -> Column[Any]:
    """A column of numbers that are text already.

    >>> right("off", "off", str).is_left
    False
    """
    return Column(key, header, value, form=words_right)


def close(cells: Sequence[Cell]) -> list[Cell]:
    """The matches in the outer tenth of their band.

    >>> close([])
    []
    """
    return [cell for cell in cells if cell.verdict == "matches" and cell.share > EDGE]


def name_of(cell: Cell) -> str:
    """A cell by its table, row and column.

    >>> from slicewright.results.judge import Band, Ruling
    >>> from slicewright.results.judge import Place
    >>> from slicewright.statistics import Estimate
    >>> name_of(Cell(Place("figure4", "gain", "%", "n=16"), 7.0, Estimate(7.0, 0.1, 4), Ruling("predicted", Band())))
    'figure4 gain n=16'
    """
    return " ".join(cell.place.key)


def _place(at: int, heading: str) -> Column[Cell]:
    return Column(heading, heading, lambda cell: cell.place.key[at] if at < len(cell.place.key) else "")


def _of_cell(show: Callable[[Cell], str]) -> Callable[[Row], str]:
    return lambda row: "" if isinstance(row, str) else show(row)


def _notes(spec: Spec, cells: Sequence[Cell], form: str) -> dict[tuple[str, ...], str]:
    """The note on each cell, of a miss with its probable cause first; the same cause again refers to the first."""
    found, above = {}, ""
    for cell in cells:
        cause = spec.cause(cell.place, form) if cell.verdict in MISSING else ""
        said = "cause as above" if cause and cause == above else cause
        above = cause or above
        parts = (said, "must match" if cell.ruling.must else "", cell.note)
        found[cell.place.key] = "; ".join(part for part in parts if part)
    return found


def _decimals(value: float) -> int:
    return len(f"{value:g}".partition(".")[2])

"""What the cells of the study are judged with: bands, published numbers, calibration, and which runs each is of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from slicewright.statistics import Estimate
from slicewright.study.bands import Bands, Ruling
from slicewright.study.cells import Cell, Change, Place
from slicewright.study.diag9c.cases import RELEASES, Case, cases_of, pair
from slicewright.study.diag9c.constants import FORMS, Form, committed
from slicewright.study.diag9c.published import Number, numbers, setting

ALONE = "100 % by construction: only SLES 10 can spin"
"""Why the share of X'9C' follows where no SLES 9 server has more than one virtual processor."""

MEANT_FOR = "the variant was declared knowing it"
"""Why every scored cell is informed in the variant (decision 0019)."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Published numbers of one table or pair of runs, and the runs that they are made of.

    >>> Unit("table3", (), ()).table
    'table3'
    """

    table: str
    cases: tuple[Case, ...]
    numbers: tuple[Number, ...]

    @property
    def gain(self) -> tuple[Case, Case]:
        """The two runs that its gain is of.

        >>> [case.name for case in Unit("run.A", (), ()).gain], [case.zvm for case in Unit("table3", (), ()).gain]
        (['A-x44', 'A-x9c'], ['5.2', '5.3'])
        """
        return RELEASES if self.table == "table3" else pair(self.table.removeprefix("run."))


class Judge:
    """The bands, the published numbers and the calibration that the cells of a form are judged with.

    >>> from slicewright.study.diag9c.published import study_folder
    >>> [unit.table for unit in Judge(study_folder()).units()]
    ['run.A', 'run.B', 'run.C', 'run.E', 'run.H', 'run.X', 'table3']
    """

    def __init__(self, folder: Path, form: Form = "first") -> None:
        self.bands = Bands.read("diag9c", folder.parent)
        self.published = numbers(folder)
        self.form = form

    def units(self) -> list[Unit]:
        """Everything that is published, table by table, in the order of publication."""
        kept: dict[str, list[Number]] = {}
        for one in self.published:
            kept.setdefault(one.place.table, []).append(one)
        return [
            Unit(table, tuple(dict.fromkeys(case for one in own for case in cases_of(one))), tuple(own))
            for table, own in kept.items()
        ]

    def ruling(self, number: Number) -> Ruling:
        """What the bands say of a number, in the variant with all informed; raises LookupError without bands."""
        found = self.bands.ruling(*number.place.key)
        if self.form == "first" or not found.scored:
            return found
        return replace(found, role="informed", note="; ".join(part for part in (found.note, MEANT_FOR) if part))

    def cell(self, number: Number, estimate: Estimate) -> Cell:
        """The cell of one number."""
        ruling = self.ruling(number)
        change = self._change(number, estimate.mean) if ruling.scored else None
        return Cell(number.place, number.value, estimate, ruling, change, _identity(number))

    def _change(self, number: Number, simulated: float) -> Change | None:
        """From the nearest calibrated cell; none where none was calibrated."""
        place = _nearest(number.place)
        known = next((one.value for one in self.published if one.place.key == place), None)
        before = committed(self.form).simulated(*place) if place else None
        if known is None or before is None:
            return None
        return Change(number.value - known, simulated - before)


def beside(cell: Cell, column: str) -> Cell:
    """A cell that is shown beside those that are judged: under an ablation, or of one set of the ensemble.

    >>> from slicewright.study.bands import Band
    >>> judged = (Estimate(2.0, 0.1, 4), Ruling("predicted", Band(abs=3)))
    >>> beside(Cell(Place("run.A", "throughput_gain_percent", "%"), 2.1, *judged), "no-reload").verdict
    'excluded'
    """
    ruling = Ruling("excluded", cell.ruling.band, note=column)
    return replace(cell, place=replace(cell.place, column=column), ruling=ruling, change=None, identity="")


def aside(cells: Iterable[Cell], form: Form) -> list[Cell]:
    """What stands beside the cells of a form, among what stands beside those of both.

    >>> aside([], "intercepts")
    []
    """
    own, other = f"{form} ", tuple(f"{one} " for one in FORMS)
    if form == "first":
        return [cell for cell in cells if not cell.place.table.startswith(other)]
    found = [cell for cell in cells if cell.place.table.startswith(own)]
    return [replace(cell, place=replace(cell.place, table=cell.place.table.removeprefix(own))) for cell in found]


def marked(cells: Iterable[Cell], form: Form) -> list[Cell]:
    """The same cells of another form than the first, with its name before that of their table: `aside` finds them.

    >>> marked([], "intercepts")
    []
    """
    return [replace(cell, place=replace(cell.place, table=f"{form} {cell.place.table}")) for cell in cells]


def by_place(cells: list[Cell]) -> Mapping[tuple[str, ...], Cell]:
    """Cells by where they stand.

    >>> by_place([])
    {}
    """
    return {cell.place.key: cell for cell in cells}


def _identity(number: Number) -> str:
    if number.place.row != "diag9c.diag9c_percent":
        return ""
    own = setting(number.run)
    return ALONE if own["servers_run"] != "SLES 9" or own["server_processors"] == 1 else ""


def _nearest(place: Place) -> tuple[str, ...]:
    """The nearest calibrated cell, for the verdict `trend`, as declared; empty where there is none."""
    if place.table in ("run.H", "run.X"):
        return ("run.E", place.row) if place.row.startswith("diag44.") else ()
    return (place.table, "diag44.rate_per_s") if place.row == "diag9c.total_diags_per_s" else ()

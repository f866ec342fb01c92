"""What the cells of the study are judged with: bands, published numbers, calibration, and which runs each is of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from slicewright.statistics import Estimate
from slicewright.study.bands import Bands, Ruling
from slicewright.study.cells import Cell, Change
from slicewright.study.hiperdispatch.cases import Case, column_case, compared, etr_cases
from slicewright.study.hiperdispatch.constants import Form, committed
from slicewright.study.hiperdispatch.points import Point, gain, mean_etr
from slicewright.study.hiperdispatch.published import Number, numbers

FOLLOWS = {
    "total_percent": "follows from its three parts",
    "tv_ratio": "follows from %Total and %Guests",
    "chargeable_cp_percent": "follows from %Guests and the declared draw",
}
"""Rows of Table 1 that follow from others of their column, and from what."""

MEANT_FOR = "free wake-ups in horizontal mode were adopted knowing it"
"""Why the cells of the figures, all of which compare with horizontal mode, are informed in the adopted form (0014)."""

NEAREST: Mapping[str, tuple[str, str]] = {
    "table1.n16": ("table1.n16", "6.3 CPUPAD 6400%"),
    "figure2": ("figure2", "n=16"),
    "figure3": ("figure3", "n=16"),
    "figure4": ("figure3", "n=16"),
}
"""The nearest calibrated cell of the same row, for the verdict `trend`: its table and column."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Published numbers that are made of the same simulated runs.

    >>> unit = Unit("figure4", (Case("figure4", 8, "H"),), (), scored=False)
    >>> unit.run
    'figure4'
    """

    run: str
    cases: tuple[Case, ...]
    numbers: tuple[Number, ...]
    scored: bool


class Judge:
    """The bands, the published numbers and the calibration that the cells of a form are judged with.

    >>> from slicewright.study.hiperdispatch.published import study_folder
    >>> sum(unit.scored for unit in Judge(study_folder()).units())
    17
    """

    def __init__(self, folder: Path, form: Form = "first") -> None:
        self.bands = Bands.read("hiperdispatch", folder.parent)
        self.published = numbers(folder)
        self.form = form

    def units(self) -> list[Unit]:
        """Everything that can be simulated, in the order of publication."""
        kept: dict[tuple[str, str], list[Number]] = {}
        for one in self.published:
            table = one.place.table
            apart = one.place.column if table.startswith("table1") else str(one.n)
            kept.setdefault((table, apart), []).append(one)
        return [self._unit(table, tuple(own)) for (table, _), own in kept.items()]

    def ruling(self, number: Number) -> Ruling:
        """What the bands say of a number, in the adopted form with gains informed; raises LookupError without bands."""
        found = self.bands.ruling(*number.place.key)
        if self.form == "first" or not found.scored or not number.place.table.startswith("figure"):
            return found
        return replace(found, role="informed", note="; ".join(part for part in (found.note, MEANT_FOR) if part))

    def cells(self, unit: Unit, points: Mapping[Case, Point], ablation: str = "") -> list[Cell]:
        """The cells of a unit's simulated runs; under an ablation those that would be scored, and nothing is judged."""
        found = [self.cell(one, estimated(one, points)) for one in unit.numbers]
        return [unjudged(cell, ablation) for cell in found if cell.ruling.scored] if ablation else found

    def cell(self, number: Number, estimate: Estimate) -> Cell:
        """The cell of one number."""
        ruling = self.ruling(number)
        change = self._change(number, estimate.mean) if ruling.scored else None
        identity = FOLLOWS.get(number.place.row, "")
        return Cell(number.place, number.value, estimate, ruling, change, identity)

    def in_order(self, cells: list[Cell]) -> list[Cell]:
        """The same cells in the order of publication."""
        order = {one.place: at for at, one in enumerate(self.published)}
        return sorted(cells, key=lambda cell: order[cell.place])

    def _unit(self, table: str, own: tuple[Number, ...]) -> Unit:
        cases = tuple(dict.fromkeys(case for one in own for case in cases_of(one)))
        return Unit(table, cases, own, any(self.ruling(one).scored for one in own))

    def _change(self, number: Number, simulated: float) -> Change | None:
        """From the nearest calibrated cell of the same row; none for figure 1, of which nothing was calibrated."""
        table, column = NEAREST.get(number.place.table, ("", ""))
        place = (table, number.place.row, column)
        known = {one.place.key: one.value for one in self.published}.get(place)
        before = committed(self.form).simulated(*place)
        if known is None or before is None:
            return None
        return Change(number.value - known, simulated - before)


def unjudged(cell: Cell, ablation: str) -> Cell:
    """The cell as it stands under an ablation.

    >>> from slicewright.study.bands import Band
    >>> from slicewright.study.cells import Place
    >>> judged = (Estimate(16.0, 0.1, 4), Ruling("predicted", Band(abs=0.5)))
    >>> unjudged(Cell(Place("table1.n16", "unparked_lpus", ""), 13.7, *judged), "no-lock").verdict
    'excluded'
    """
    return replace(cell, ruling=Ruling("excluded", cell.ruling.band, note=ablation), change=None)


def cases_of(number: Number) -> tuple[Case, ...]:
    """The runs that a number is made of; for a gain, the one that is compared with comes first.

    >>> from slicewright.study.hiperdispatch.published import numbers
    >>> [case.mode for case in cases_of(numbers()[0])]
    ['H', 'V B']
    """
    place = number.place
    if place.table.startswith("table1"):
        return (column_case(number.n, place.column),)
    if place.row == "gain_percent":
        return compared(place.table, number.n)
    return etr_cases(place.table, number.n, place.column.partition(" ")[2])


def estimated(number: Number, points: Mapping[Case, Point]) -> Estimate:
    """A published number as simulated; raises KeyError when its runs are not among the points.

    >>> from slicewright.study.cells import Place
    >>> case = Case("table1", 8, "H")
    >>> number = Number(Place("table1.n8", "tv_ratio", "", "6.2"), 1.39)
    >>> estimated(number, {case: Point(case, 0.0, samples={"tv_ratio": [1.4, 1.4]})}).mean
    1.4
    """
    own = [points[case] for case in cases_of(number)]
    if number.place.row == "gain_percent":
        return gain(own)
    return mean_etr(own) if number.place.row == "etr" else own[0].estimate(number.place.row)

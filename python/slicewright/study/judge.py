"""What cells are judged with: roles and bands, published numbers, and the calibration of one form of the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slicewright.results.judge import Cell, Change, Ruling
from slicewright.statistics import Estimate
from slicewright.study.points import Point
from slicewright.study.published import Number
from slicewright.study.spec import first_match, moved

if TYPE_CHECKING:
    from slicewright.study.study import Study

NOTHING = Estimate(float("nan"), float("nan"), 0)
"""The estimate for a number that no run gives."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Published numbers that are made of the same simulated runs, and under which name they are printed."""

    run: str
    cases: tuple[Any, ...]
    numbers: tuple[Number, ...]
    scored: bool


class Judge:
    """The roles, the published numbers and the calibration that the cells of one form are judged with.

    >>> from slicewright.study.studies import named
    >>> [unit.run for unit in Judge(named("hyperpav")).units() if unit.scored]
    ['Y032181H', 'Y040180P', 'Y040182P']
    """

    def __init__(self, study: Study, folder: Path | None = None, form: str = "") -> None:
        self.study = study
        self.spec = study.spec(folder)
        self.form = self.spec.forms[form or self.spec.first]
        self.bands = self.spec.bands

    @cached_property
    def published(self) -> list[Number]:
        """Every published number, in the order of publication."""
        return self.study.published(self.spec)

    @cached_property
    def _known(self) -> Mapping[tuple[str, ...], float]:
        return {number.place.key: number.value for number in self.published}

    def units(self) -> list[Unit]:
        """Everything that is published, by the runs that it is made of, in the order of publication."""
        groups: dict[tuple[str, str], list[Number]] = {}
        for number in self.published:
            groups.setdefault(self.study.unit_of(number), []).append(number)
        return [self._unit(run, tuple(numbers)) for (run, _), numbers in groups.items()]

    def ruling(self, number: Number) -> Ruling:
        """The bands' ruling, informed where this form was chosen knowing the number; LookupError without a band."""
        found = self.bands.ruling(number.place.table, number.place.row, number.place.column)
        known = first_match(self.form.informed, number.place) if found.scored else None
        if known is None:
            return found
        return replace(found, role="informed", note="; ".join(part for part in (found.note, known["why"]) if part))

    def cell(self, number: Number, estimate: Estimate) -> Cell:
        """The cell of one number; raises LookupError when no band was declared for it."""
        ruling = self.ruling(number)
        change = self._change(number, estimate.mean) if ruling.scored else None
        follows = first_match(self.spec.rules("follows"), number.place)
        return Cell(number.place, number.value, estimate, ruling, change, str(follows["why"]) if follows else "")

    def cells(self, unit: Unit, points: Mapping[Any, Point], ablation: str = "") -> list[Cell]:
        """The cells of a unit's simulated runs; under an ablation those that would be scored, and nothing is judged."""
        found = [self.cell(number, self.study.estimated(number, points)) for number in unit.numbers]
        return [unjudged(cell, ablation) for cell in found if cell.ruling.scored] if ablation else found

    def kept(self, found: Mapping[tuple[str, ...], Estimate]) -> list[Cell]:
        """The cells of numbers whose estimates are known, in the order of publication."""
        return [self.cell(number, found[number.place.key]) for number in self.published if number.place.key in found]

    def without_runs(self) -> list[Cell]:
        """The cells of numbers that no run gives."""
        return [self.cell(number, NOTHING) for number in self.published if not self.study.cases(number)]

    def in_order(self, cells: list[Cell]) -> list[Cell]:
        """The same cells in the order of publication."""
        order = {number.place: at for at, number in enumerate(self.published)}
        return sorted(cells, key=lambda cell: order[cell.place])

    def _unit(self, run: str, own: tuple[Number, ...]) -> Unit:
        cases = tuple(dict.fromkeys(case for number in own for case in self.study.cases(number)))
        return Unit(run, cases, own, any(self.ruling(number).scored for number in own))

    def _change(self, number: Number, simulated: float) -> Change | None:
        """From the nearest calibrated cell, as `nearest` declares; None where there is none."""
        near = moved(self.spec.rules("nearest"), number.place)
        if near is None:
            return None
        place, scale = near
        known, before = self._known.get(place.key), self.study.simulated(self.form, place.key)
        if known is None or before is None:
            return None
        return Change(number.value - scale * known, simulated - scale * before)


def unjudged(cell: Cell, why: str) -> Cell:
    """The cell without a verdict, because of `why`.

    >>> from slicewright.results.judge import Band
    >>> from slicewright.results.judge import Place
    >>> judged = (Estimate(16.0, 0.1, 4), Ruling("predicted", Band(abs=0.5)))
    >>> unjudged(Cell(Place("table1.n16", "unparked_lpus", ""), 13.7, *judged), "no-lock").verdict
    'excluded'
    """
    return replace(cell, ruling=Ruling("excluded", cell.ruling.band, note=why), change=None)

"""The hardware form simulated with every set of its ensemble: judged cells, and the values beside them.

Beside the judged books of 24 processors, books of 20 are simulated where they differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from slicewright.statistics import Estimate
from slicewright.study.calibration import Constants
from slicewright.study.cells import Cell, Place
from slicewright.study.ensemble.beside import aside, marked, of_set, sets_of, shown
from slicewright.study.ensemble.members import Ensemble
from slicewright.study.ensemble.pool import pooled, spread_over
from slicewright.study.hiperdispatch.cases import Case
from slicewright.study.hiperdispatch.machines import SMALL_BOOK, machine
from slicewright.study.hiperdispatch.scenario import HARDWARE
from slicewright.study.judge import Judge, Unit
from slicewright.study.points import Point, Progress, side_by_side
from slicewright.study.published import Number
from slicewright.study.reproduction import Reproduction, Request

if TYPE_CHECKING:
    from slicewright.study.hiperdispatch.study import HiperDispatch

SMALL = f"books of {SMALL_BOOK}"
"""The end of a column whose value is of a zEC12 with small books."""

Points = dict[Case, Point]


@dataclass(slots=True)
class Bench:
    """The judge of the form, its sets of constants, and the reproduction that takes their points."""

    study: HiperDispatch
    judge: Judge
    sets: Sequence[Constants]
    request: Request
    result: Reproduction
    done: float = field(default=0.0)

    def run(self) -> None:
        """Simulate every run that carries scored cells, and put its cells where those of the form stand."""
        units = [unit for unit in self.judge.units() if unit.cases and unit.scored]
        order = self.judge.spec.data["order"]["full"]
        for name in order:
            for unit in (unit for unit in units if unit.run == name):
                cells, beside = self._cells(unit)
                self.result.variant += cells
                self.result.comparison += marked(beside, HARDWARE)
                self.request.done(f"{HARDWARE} {name}", cells)
        self.result.comparison += marked(calibrated(self.study), HARDWARE)

    def _cells(self, unit: Unit) -> tuple[list[Cell], list[Cell]]:
        points = self._simulated(unit.cases)
        small = tuple(in_small_books(case) for case in unit.cases)
        few = self._simulated(small) if small != unit.cases else []
        cells, beside = [], []
        for number in unit.numbers:
            by_set = [self.study.samples(number, set_) for set_ in points]
            cell = replace(self.judge.cell(number, pooled(by_set)), spread=spread_over(by_set))
            cells.append(cell)
            beside += sets_of(cell, by_set)
            if few:
                beside.append(self._small(number, few))
        return cells, beside

    def _small(self, number: Number, few: Sequence[Points]) -> Cell:
        large = [{replace(case, book=0): point for case, point in points.items()} for points in few]
        by_set = [self.study.samples(number, points) for points in large]
        return shown(replace(number.place, column=f"{number.place.column} {SMALL}"), by_set)

    def _simulated(self, cases: Sequence[Case]) -> list[Points]:
        """The points of some runs, set by set; sets are simulated side by side."""
        found = side_by_side([partial(self._of_set, at, cases) for at in range(len(self.sets))])
        for points in found:
            self.result.points += points.values()
        self.done += sum(map(self.study.weight, cases))
        self.request.progress(min(1.0, self.done / self._expected))
        return found

    def _of_set(self, at: int, cases: Sequence[Case], progress: Progress) -> Points:
        budget = {case: self.study.budget(case, "set", self.request.seed + at) for case in cases}
        return {case: self.study.simulate(case, self.sets[at], budget[case], progress=progress) for case in cases}

    @property
    def _expected(self) -> float:
        """The weight of all runs that there will be."""
        units = [unit for unit in self.judge.units() if unit.cases and unit.scored]
        return sum(self.study.weight(case) for unit in units for case in unit.cases)


def in_small_books(case: Case) -> Case:
    """The same run on a machine with small books; the run itself where that makes no difference.

    >>> in_small_books(Case("figure4", 32, "H")).book, in_small_books(Case("figure4", 16, "H")).book
    (20, 0)
    """
    crosses = machine(case.table).cores_per_book > SMALL_BOOK and case.n > SMALL_BOOK
    return replace(case, book=SMALL_BOOK) if crosses else case


def calibrated(study: HiperDispatch) -> list[Cell]:
    """The values of each set in the calibration cells that a direction is about; nothing is simulated."""
    found = study.committed(HARDWARE)
    members = found.members if isinstance(found, Ensemble) else ()
    return [
        shown(Place(cell.table, cell.row, "", of_set(cell.column, at + 1)), [[member.simulated[number]]])
        for number, cell in enumerate(found.cells)
        if cell.row == "gain_percent" or (cell.column == "6.3 CPUPAD 6400%" and cell.table == "table1.n16")
        for at, member in enumerate(members)
    ]


def beside(cells: Iterable[Cell], forms: Sequence[str]) -> dict[tuple[str, ...], Estimate]:
    """The values beside the cells of the form, by table, row and column.

    >>> beside([], ("first", "hardware"))
    {}
    """
    return {cell.place.key: cell.estimate for cell in aside(cells, HARDWARE, forms)}

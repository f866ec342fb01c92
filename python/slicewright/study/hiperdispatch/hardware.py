"""The hardware form simulated with every set of its ensemble: judged cells, and the values beside them.

Beside the judged books of 24 processors, books of 20 are simulated where they differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from slicewright.results.judge import Cell, Place
from slicewright.statistics import Estimate
from slicewright.study.calibration import Constants
from slicewright.study.ensemble.beside import aside, marked, of_set, sets_of, shown
from slicewright.study.ensemble.members import Ensemble
from slicewright.study.ensemble.pool import pooled, spread_over
from slicewright.study.hiperdispatch.cases import Case
from slicewright.study.hiperdispatch.machines import SMALL_BOOK, machine
from slicewright.study.hiperdispatch.scenario import HARDWARE
from slicewright.study.judge import Judge, Unit
from slicewright.study.points import Point, Progress, in_turn
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

    def run(self) -> None:
        """Simulate every run that carries scored cells, and put its cells where those of the form stand."""
        order = self.judge.spec.data["order"]["full"]
        units = [unit for unit in self.judge.units() if unit.cases and unit.scored]
        units.sort(key=lambda unit: order.index(unit.run))
        simulated = self._simulated(units)
        for name, group in groupby(units, key=lambda unit: unit.run):
            cells: list[Cell] = []
            for unit in group:
                judged, beside = self._cells(unit, [next(simulated) for _ in self.sets])
                cells += judged
                self.result.comparison += marked(beside, HARDWARE)
            self.result.variant += cells
            self.request.done(f"{HARDWARE} {name}", cells)
        self.result.comparison += marked(calibrated(self.study), HARDWARE)

    def _cells(self, unit: Unit, points: Sequence[Points]) -> tuple[list[Cell], list[Cell]]:
        for set_ in points:
            self.result.points += set_.values()
        cells, beside = [], []
        for number in unit.numbers:
            by_set = [self.study.samples(number, set_) for set_ in points]
            cell = replace(self.judge.cell(number, pooled(by_set)), spread=spread_over(by_set))
            cells.append(cell)
            beside += sets_of(cell, by_set)
            if set(unit.cases) != set(points[0]):
                beside.append(self._small(number, points))
        return cells, beside

    def _small(self, number: Number, points: Sequence[Points]) -> Cell:
        by_set = []
        for set_ in points:
            small = {replace(case, book=0): point for case, point in set_.items() if case.book == SMALL_BOOK}
            by_set.append(self.study.samples(number, small))
        return shown(replace(number.place, column=f"{number.place.column} {SMALL}"), by_set)

    def _simulated(self, units: Sequence[Unit]) -> Iterator[Points]:
        """The points of each unit, set by set; all are simulated side by side, the longest first."""
        cases = [tuple(dict.fromkeys((*unit.cases, *map(in_small_books, unit.cases)))) for unit in units]
        jobs = [(at, group) for group in cases for at in range(len(self.sets))]
        weights = [sum(self.study.weight(case, "set") for case in group) for _, group in jobs]
        total = sum(weights) or 1.0

        def heard(done: float) -> None:
            self.request.progress(min(1.0, done / total))

        simulations = [partial(self._of_set, *job, weight) for job, weight in zip(jobs, weights, strict=True)]
        return in_turn(simulations, heard, weights)

    def _of_set(self, at: int, cases: Sequence[Case], weight: float, progress: Progress) -> Points:
        found: Points = {}
        for case in cases:
            budget = self.study.budget(case, "set", self.request.seed + at)
            share = partial(_share, progress, weight, (len(found), len(cases)))
            found[case] = self.study.simulate(case, self.sets[at], budget, progress=share)
        progress(weight)
        return found


def _share(progress: Progress, weight: float, done: tuple[int, int], share: float) -> None:
    """Report the part of a weight that is done: some of its cases, and a share of one more."""
    progress(weight * (done[0] + min(1.0, share)) / done[1])


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

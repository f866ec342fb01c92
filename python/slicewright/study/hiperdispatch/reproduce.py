"""The HiperDispatch study reproduced: every run of the figures and of Table 1, in both forms, beside the document."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from slicewright.study.cells import Cell
from slicewright.study.hiperdispatch.cases import ABLATIONS, Case
from slicewright.study.hiperdispatch.constants import FORMS, Constants, Form, committed_constants
from slicewright.study.hiperdispatch.judge import Judge, Unit
from slicewright.study.hiperdispatch.points import Point, simulate
from slicewright.study.hiperdispatch.published import study_folder
from slicewright.study.points import Budget, Progress, side_by_side
from slicewright.study.reproduction import Reproduction, Wish

Points = dict[Case, Point]

ROUND_S = 60
"""How long the controller's rounds are where it parks at CPUPAD 100 %: down to 11 processors and back to 16."""

ORDER = ("figure4", "figure3", "figure2", "figure1", "table1.n8", "table1.n16")
"""The runs, the cheapest first."""


def budget(case: Case, wish: Wish, *, short: bool = False) -> Budget:
    """How much of a case is simulated: more where the controller has to settle, longer where little happens at a time.

    `short`: as much as an ablation that stands beside a full reproduction; a quick one has as much, but one replication
    of what parks.

    >>> budget(Case("figure2", 16, "H"), Wish()).simulated, budget(Case("table1", 16, "V F", 100), Wish()).interval_s
    ('4 replications of 20 s', 120)
    >>> parks = Case("table1", 16, "V F", 100)
    >>> [budget(parks, Wish(quick=True)).simulated, budget(parks, Wish(), short=True).simulated]
    ['1 replications of 60 s', '2 replications of 60 s']
    """
    own = Budget(4, 16, 20, 10.0, wish.seed)
    if case.parks:
        # The controller goes round in a minute: a measurement is of whole rounds.
        rounds = replace(own, most=4, interval_s=2 * ROUND_S, warm_up_s=float(ROUND_S))
        if not (short or wish.quick):
            return rounds
        replications = 2 if short else 1
        return replace(rounds, replications=replications, most=replications, interval_s=ROUND_S, warm_up_s=2.0)
    if case.high_tv:
        own = replace(own, interval_s=10)
    if not (short or wish.quick):
        return own
    shorter = replace(own, most=4, interval_s=5, warm_up_s=3.0)
    return replace(shorter, interval_s=1, warm_up_s=1.0) if case.high_tv else shorter


def reproduce(wish: Wish | None = None) -> Reproduction[Point]:
    """Simulate what was published with the committed constants and judge every cell, form by form.

    In full, the adopted form stands beside the first one, and every ablation of the first one beside both.

    With `quick` only the runs of the first form that carry scored cells, without ablations.  With `ablation`, those
    runs twice: what is taken away is away in `cells`, of which none is judged, and everything is there in `comparison`.
    Raises RunError for a run that cannot go on.

    >>> [unit.cases[0].n for unit in Judge(study_folder()).units() if unit.run == "figure4"]
    [1, 4, 8, 16, 24, 32]
    """
    wish = wish or Wish()
    began = time.perf_counter()
    result: Reproduction[Point] = Reproduction("hiperdispatch", wish.seed, ablation=wish.ablation)
    folder = wish.folder or study_folder()
    benches = [Bench(Judge(folder, form), committed_constants(form), wish, result) for form in _forms(wish)]
    for bench in benches:
        for run, own in bench.runs():
            cells = bench.cells(own, wish.ablation)
            first = bench.judge.form == "first"
            (result.cells if first else result.adopted).extend(cells)
            if wish.ablation:
                result.comparison += bench.cells(own)
            wish.done(run if first else f"{bench.judge.form} {run}", cells)
    judge = benches[0].judge
    if not wish.quick and not wish.ablation:
        result.comparison = _ablated(benches[0])
    result.cells, result.adopted = judge.in_order(result.cells), judge.in_order(result.adopted)
    result.wall_s = time.perf_counter() - began
    return result


@dataclass(slots=True)
class Bench:
    """What runs are simulated with, and where their points go.

    >>> bench = Bench(Judge(study_folder()), committed_constants(), Wish(quick=True), Reproduction("hiperdispatch", 1))
    >>> [run for run, _ in bench.runs()]
    ['figure4', 'figure3', 'figure2', 'figure1', 'table1.n16']
    """

    judge: Judge
    constants: Constants
    wish: Wish
    result: Reproduction[Point]
    short: bool = False

    def runs(self) -> Iterator[tuple[str, list[Unit]]]:
        """What is simulated, run by run: what carries scored cells, and in full all else too."""
        some = self.short or self.wish.quick or self.wish.ablation
        wanted = [unit for unit in self.judge.units() if unit.scored or not some]
        for run in ORDER:
            own = [unit for unit in wanted if unit.run == run]
            if own:
                yield run, own

    def cells(self, units: Sequence[Unit], ablation: str = "") -> list[Cell]:
        """The cells of some units, with as many replications as they ask for, whole or without something.

        Units of a single replication are simulated beside each other.
        """
        tasks = [functools.partial(self._unit, unit, ablation) for unit in units]
        lonely = all(self._budget(unit.cases[0]).most == 1 for unit in units)
        cells = []
        for found, points in side_by_side(tasks) if lonely else (task(None) for task in tasks):
            self.result.points += points
            self.wish.progress(min(1.0, len(self.result.points) / self._expected()))
            cells += found
        return cells

    def _unit(self, unit: Unit, ablation: str, progress: Progress | None) -> tuple[list[Cell], list[Point]]:
        points: Points = {}
        while True:
            for case in unit.cases:
                own = case.without(ablation)
                known = points.get(case)
                points[case] = simulate(own, self.constants, self._budget(own), point=known, progress=progress)
            found = self.judge.cells(unit, points, ablation)
            done = min(point.replications for point in points.values())
            if done >= self._budget(unit.cases[0]).most or all(cell.settled for cell in found):
                return found, list(points.values())

    def _budget(self, case: Case) -> Budget:
        return budget(case, self.wish, short=self.short)

    def _expected(self) -> int:
        """How many points there will be."""
        units = list(self.judge.units())
        scored = sum(len(unit.cases) for unit in units if unit.scored)
        if self.wish.ablation:
            return 2 * scored
        every = sum(len(unit.cases) for unit in units)
        return scored if self.wish.quick else len(FORMS) * every + scored * len(ABLATIONS)


def _forms(wish: Wish) -> tuple[Form, ...]:
    """Which forms are simulated: quickly, and under an ablation, the first alone."""
    return FORMS[:1] if wish.quick or wish.ablation else FORMS


def _ablated(bench: Bench) -> list[Cell]:
    """The scored cells under each ablation, by a short budget; the table's name says which."""
    cells: list[Cell] = []
    short = replace(bench, short=True)
    for ablation in ABLATIONS:
        found = [cell for _, own in short.runs() for cell in short.cells(own, ablation)]
        cells += [replace(cell, place=replace(cell.place, table=f"{ablation} {cell.place.table}")) for cell in found]
    return cells

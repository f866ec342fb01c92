"""A study reproduced: its runs simulated form by form, every published number beside the simulated one."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from slicewright.study.cells import Cell
from slicewright.study.judge import Judge, Unit
from slicewright.study.points import Budget, Point, Progress, side_by_side
from slicewright.study.reproduction import Reproduction, Request
from slicewright.study.spec import Form

if TYPE_CHECKING:
    from slicewright.study.study import Study


def reproduce(study: Study, request: Request) -> Reproduction:
    """Simulate what was published with the committed constants and judge every cell, form by form.

    With `quick` only the runs that carry scored cells, of the forms that are declared quick.  With `ablation` those
    runs twice: what is taken away is away in `cells`, of which none is judged, and `comparison` has everything there.
    In full, forms for comparison and every ablation of the first form stand in `comparison`, simulated briefly.
    Raises InputError for published data that cannot be read and RunError for a run that cannot go on.

    >>> from slicewright.study.studies import named
    >>> sum(cell.ruling.scored for cell in named("hyperpav").reproduce(Request(quick=True)).cells)
    13
    """
    began = time.perf_counter()
    result: Reproduction = Reproduction(study.name, request.seed, ablation=request.ablation)
    benches = [bench_of(study, form, request, result) for form in _forms(study, request)]
    for bench in benches:
        for run, units in bench.runs():
            _add(result, bench, run, bench.cells(units, request.ablation))
            if request.ablation:
                result.comparison += bench.cells(units)
    first = benches[0]
    if not request.quick and not request.ablation:
        result.cells += first.judge.without_runs()
        result.comparison = first.judge.in_order(result.comparison) + _ablated(first)
    result.cells, result.adopted, result.variant = map(
        first.judge.in_order, (result.cells, result.adopted, result.variant)
    )
    result.wall_s = time.perf_counter() - began
    return result


@dataclass(slots=True)
class Bench:
    """The judge, constants and request of the runs of a form, and the reproduction that takes their points."""

    judge: Judge
    constants: Any
    request: Request
    result: Reproduction
    short: bool = False
    """Whether the runs are as short as those beside a full reproduction."""

    @property
    def mode(self) -> str:
        """How much is simulated: `short`, `quick` or `full`."""
        return "short" if self.short else "quick" if self.request.quick else "full"

    def runs(self) -> Iterator[tuple[str, list[Unit]]]:
        """The units to simulate, run by run: those that carry scored cells, and in full everything that a run gives."""
        some = self.short or self.request.quick or self.request.ablation
        wanted = [unit for unit in self.judge.units() if unit.cases and (unit.scored or not some)]
        named = dict.fromkeys(unit.run for unit in wanted)
        orders = self.judge.spec.data.get("order", {})
        order = orders.get("quick" if self.request.quick else "full", list(named))
        for run in order:
            if run in named:
                yield run, [unit for unit in wanted if unit.run == run]

    def cells(self, units: Sequence[Unit], ablation: str = "") -> list[Cell]:
        """The cells of some units, with as many replications as they ask for, whole or without something.

        Units of a single replication are simulated beside each other.
        """
        tasks = [functools.partial(self._unit, unit, ablation) for unit in units]
        lonely = all(self._budget(unit.cases[0]).most == 1 for unit in units)
        share = functools.partial(self._share, self.judge.study.weight(units[0].cases[0]))
        cells = []
        for judged, points in side_by_side(tasks, share) if lonely else (task(share) for task in tasks):
            self.result.points += points
            share(0.0)
            cells += judged
        return cells

    def _unit(self, unit: Unit, ablation: str, progress: Progress | None) -> tuple[list[Cell], list[Point]]:
        points: dict[Any, Point] = {}
        study = self.judge.study
        while True:
            for case in unit.cases:
                own = case.without(ablation) if ablation else case
                budget = self._budget(own)
                points[case] = study.simulate(own, self.constants, budget, points.get(case), progress)
            found = self.judge.cells(unit, points, ablation)
            done = min(point.replications for point in points.values())
            if done >= self._budget(unit.cases[0]).most or all(cell.settled for cell in found):
                return found, list(points.values())

    def _budget(self, case: Any) -> Budget:
        return self.judge.study.budget(case, self.mode, self.request.seed)

    def _share(self, weight: float, share: float) -> None:
        """Report how far the reproduction is, where a share of one more run of some weight is done."""
        done = sum(self.judge.study.weight(point.case) for point in self.result.points) + weight * share
        self.request.progress(min(1.0, done / _expected(self.judge, self.request)))


def bench_of(study: Study, form: Form, request: Request, result: Reproduction) -> Bench:
    """The bench of a form; one for comparison is simulated as briefly as with `--quick`, and not counted."""
    judge = Judge(study, request.folder, form.name)
    if form.shown == "comparison":
        request, result = replace(request, quick=True), Reproduction(study.name, request.seed)
    return Bench(judge, study.constants(form.name), request, result)


def _forms(study: Study, request: Request) -> list[Form]:
    """Which forms are simulated: quickly those that are declared so, under an ablation the first alone."""
    first, *others = (form for form in study.spec().forms.values() if not form.ensemble)
    if request.ablation:
        return [first]
    return [first, *(form for form in others if form.quick or not request.quick)]


def _add(result: Reproduction, bench: Bench, run: str, cells: list[Cell]) -> None:
    """Put the cells of a run where those of its form stand, and say that it is done."""
    form = bench.judge.form
    if form.shown == "comparison":
        result.comparison += [cell for cell in cells if cell.ruling.scored]
        return
    {"cells": result.cells, "adopted": result.adopted, "variant": result.variant}[form.shown].extend(cells)
    bench.request.done(run if form.shown == "cells" else f"{form.name} {run}", cells)


def _ablated(bench: Bench) -> list[Cell]:
    """The scored cells under each ablation, by a short budget; the table's name says which."""
    cells: list[Cell] = []
    short = replace(bench, short=True)
    for ablation in bench.judge.spec.ablations:
        found = [cell for _, units in short.runs() for cell in short.cells(units, ablation)]
        cells += [replace(cell, place=replace(cell.place, table=f"{ablation} {cell.place.table}")) for cell in found]
    return cells


@functools.cache
def _weights_of(study: Study) -> tuple[float, float]:
    """The weight of the runs that carry scored cells, and of all runs."""
    weights = [(unit.scored, sum(map(study.weight, unit.cases))) for unit in Judge(study).units()]
    return sum(weight for scored, weight in weights if scored), sum(weight for _, weight in weights)


def _expected(judge: Judge, request: Request) -> float:
    """The weight of all points that there will be."""
    scored, every = _weights_of(judge.study)
    forms = len(_forms(judge.study, request))
    if request.ablation:
        return max(1.0, 2 * scored)
    return max(1.0, forms * scored if request.quick else forms * every + scored * len(judge.spec.ablations))

"""A study reproduced: its runs simulated form by form, every published number beside the simulated one."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from slicewright.results.judge import Cell, ask_for_more
from slicewright.study.judge import Judge, Unit
from slicewright.study.points import Budget, Point, Progress, in_turn
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
    first, full = benches[0], not request.quick and not request.ablation
    jobs = [job for bench in benches for job in _jobs(bench, request.ablation)]
    ablated = list(_ablations(first)) if full else []
    beside: list[Cell] = []
    for (bench, run, ablation), cells in _by_run([*jobs, *ablated], request.progress):
        if bench.short:
            beside += [
                replace(cell, place=replace(cell.place, table=f"{ablation} {cell.place.table}")) for cell in cells
            ]
        elif request.ablation and not ablation:
            result.comparison += cells
        else:
            _add(result, bench, run, cells)
    if full:
        result.cells += first.judge.without_runs()
        result.comparison = first.judge.in_order(result.comparison) + beside
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

    def cells(self, unit: Unit, ablation: str, progress: Progress) -> tuple[list[Cell], list[Point]]:
        """The cells of a unit, whole or without something, with as many replications as they ask for; its points."""
        points: dict[Any, Point] = {}
        study, count = self.judge.study, len(unit.cases)
        while True:
            for at, case in enumerate(unit.cases):
                own = case.without(ablation) if ablation else case
                done = 1.0 if case in points else at / count
                share = functools.partial(_share_of_unit, progress, done, count)
                points[case] = study.simulate(own, self.constants, self._budget(own), points.get(case), share)
            found = self.judge.cells(unit, points, ablation)
            fewest = min(point.replications for point in points.values())
            if not ask_for_more(found, fewest, self._budget(unit.cases[0]).most):
                return found, list(points.values())

    def _budget(self, case: Any) -> Budget:
        return self.judge.study.budget(case, self.mode, self.request.seed)


@dataclass(frozen=True, slots=True)
class Job:
    """A unit to be simulated on a bench, for a run, whole or without something."""

    bench: Bench
    run: str
    ablation: str
    unit: Unit

    @property
    def weight(self) -> float:
        """How long it takes beside others."""
        return sum(self.bench.judge.study.weight(case, self.bench.mode) for case in self.unit.cases)

    def done(self, progress: Progress) -> tuple[list[Cell], list[Point]]:
        """Its cells and points; `progress` hears its weight times the share done."""
        found = self.bench.cells(self.unit, self.ablation, lambda share: progress(self.weight * share))
        progress(self.weight)
        return found


Run = tuple[Bench, str, str]
"""The cells that are printed together: of a run on a bench, whole or without something."""


def _jobs(bench: Bench, ablation: str = "") -> Iterator[Job]:
    """The units of each run; under an ablation each run twice, with something away and whole."""
    for run, units in bench.runs():
        for away in dict.fromkeys([ablation, ""]):
            yield from (Job(bench, run, away, unit) for unit in units)


def _ablations(bench: Bench) -> Iterator[Job]:
    """The scored units under each ablation, by a short budget."""
    short = replace(bench, short=True)
    for ablation in bench.judge.spec.ablations:
        yield from (Job(short, run, ablation, unit) for run, units in short.runs() for unit in units)


def _by_run(jobs: Sequence[Job], progress: Progress) -> Iterator[tuple[Run, list[Cell]]]:
    """The cells of each run in the order of the jobs, which are simulated side by side, the longest first."""
    weights = [job.weight for job in jobs]
    total = sum(weights) or 1.0
    results = in_turn([job.done for job in jobs], lambda done: progress(min(1.0, done / total)), weights)
    for _, group in groupby(zip(jobs, results, strict=True), lambda pair: _key(pair[0])):
        cells: list[Cell] = []
        for job, (judged, points) in group:
            job.bench.result.points += points
            cells += judged
        yield (job.bench, job.run, job.ablation), cells


def _key(job: Job) -> tuple[int, str, str]:
    return id(job.bench), job.run, job.ablation


def _share_of_unit(progress: Progress, done: float, count: int, share: float) -> None:
    """Report the share of a unit, of which some is done, where a share of one more of its cases is."""
    progress(min(1.0, done + share / count))


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

"""A study reproduced: its runs simulated form by form, every published number beside the simulated one."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from slicewright._core import student_t
from slicewright.results.judge import Cell, Spread, ask_for_more
from slicewright.statistics import Estimate, estimate
from slicewright.study.calibrate import Constants
from slicewright.study.judge import Judge, Reproduction, Request, Unit, aside, before_table, of_set, without
from slicewright.study.points import Budget, Point, Progress, in_turn
from slicewright.study.spec import Form, Mode, Number, Spec

if TYPE_CHECKING:
    from slicewright.study.study import Study

BySet = Sequence[Sequence[float]]
"""A value as simulated: for each set of constants, one number per replication."""


@dataclass(slots=True)
class Points:
    """Simulated runs: by case, a point for each set of constants of a form; and what was taken away from them."""

    study: Study
    form: str
    of: dict[Any, list[Point]]
    ablation: str = ""

    @property
    def sets(self) -> list[Mapping[Any, Point]]:
        """By set, the points of the whole cases that they stand for."""
        count = len(next(iter(self.of.values()), []))
        return [{case: points[at] for case, points in self.of.items()} for at in range(count)]

    def by_set(self, number: Number) -> BySet:
        """A number as simulated; raises KeyError without its runs."""
        return [self.study.samples(number, points) for points in self.sets]

    @property
    def replications(self) -> int:
        """Replications of the point that has fewest."""
        return min((point.replications for points in self.of.values() for point in points), default=0)


def _pooled(by_set: BySet) -> Estimate:
    """The mean over sets, with the simulation noise of that mean: sets have random numbers of their own.

    Of S sets with R replications each its variance is the sum of theirs over S^2 R, with S (R - 1) degrees of freedom.

    >>> _pooled([[1.0, 3.0], [3.0, 5.0]])
    Estimate(mean=3.0, half_width=3.0424..., replications=4)
    """
    if len(by_set) == 1:
        return estimate(by_set[0])
    means = [math.fsum(values) / len(values) for values in by_set]
    mean, degrees = math.fsum(means) / len(means), sum(len(values) - 1 for values in by_set)
    if degrees < 1:
        return Estimate(mean, math.nan, len(means))
    squares = ((value - at) ** 2 for values, at in zip(by_set, means, strict=True) for value in values)
    each = len(by_set[0])
    error = math.sqrt(math.fsum(squares) / degrees / (len(means) * each))
    return Estimate(mean, student_t(degrees) * error, len(means) * each)


def _spread_over(by_set: BySet) -> Spread:
    """How far apart the means of the sets are."""
    return Spread.of([_pooled([values]).mean for values in by_set])


def reproduce(study: Study, request: Request) -> Reproduction:
    """Simulate what was published with the committed constants and judge every cell, form by form.

    A form with several sets of constants is simulated with each, and judged by the mean over them.

    With `quick` only the runs that carry scored cells, of the forms that are declared quick.  With `ablation` those
    runs twice: what is taken away is away in `cells`, of which none is judged, and `comparison` has everything there.
    In full, `comparison` has forms for comparison, every ablation of the first form, simulated briefly, and values of
    which nothing is published.
    Raises InputError for published data that cannot be read and RunError for a run that cannot go on.

    >>> from slicewright.study.studies import named
    >>> sum(cell.ruling.scored for cell in named("hyperpav").reproduce(Request(quick=True)).cells)
    13
    """
    began = time.perf_counter()
    result: Reproduction = Reproduction(study.name, request.seed, ablation=request.ablation)
    jobs = jobs_of(study, request, result)
    for (bench, run, ablation), cells, others in _by_run(jobs, request):
        if ablation and not request.ablation:
            result.comparison += cells if bench.judge.spec.in_column else before_table(cells, ablation)
        elif request.ablation and not ablation:
            result.comparison += cells + others
        else:
            bench.add(run, cells, others)
    first = jobs[0].bench.judge
    if not request.quick and not request.ablation:
        result.cells += first.without_runs()
        result.comparison = first.in_order(result.comparison)
    for shown in ("cells", "adopted", "variant", "fourth"):
        setattr(result, shown, first.in_order(getattr(result, shown)))
    result.wall_s = time.perf_counter() - began
    return result


@dataclass(slots=True)
class Bench:
    """The judge, sets of constants and request of the runs of a form, and the reproduction that takes their points."""

    judge: Judge
    sets: Sequence[Constants]
    request: Request
    result: Reproduction
    mode: Mode
    """How much is simulated: `short`, `quick`, `full`, or as the form declares."""

    @staticmethod
    def of(study: Study, form: Form, request: Request, result: Reproduction) -> Bench:
        """The bench of a form; one for comparison is simulated as briefly as with `--quick`, and not counted."""
        judge, mode = Judge(study, request.folder, form.name), form.mode or ("quick" if request.quick else "full")
        if form.shown == "comparison":
            mode, result = "quick", replace(result, points=[])
        return Bench(judge, study.sets(form.name), request, result, mode)

    def groups(self) -> list[tuple[Unit, ...]]:
        """The units to simulate, run by run, those that share a case together.

        They are those that carry scored cells, and in full everything that a run gives.
        """
        some = self.request.ablation or (self.mode != "full" and not _everything(self.judge.spec))
        wanted = [unit for unit in self.judge.units() if unit.cases and (unit.scored or not some)]
        named = dict.fromkeys(unit.run for unit in wanted)
        order = self.judge.spec.order.get("quick" if self.request.quick else "full", tuple(named))
        groups: list[tuple[Unit, ...]] = []
        for unit in sorted((unit for unit in wanted if unit.run in order), key=lambda unit: order.index(unit.run)):
            shares = (at for at, group in enumerate(groups) if any(set(unit.cases) & set(each.cases) for each in group))
            at = next(shares, None)
            if at is None:
                groups.append((unit,))
            else:
                groups[at] += (unit,)
        return groups

    def simulated(self, cases: Sequence[Any], units: Sequence[Unit], ablation: str, progress: Progress) -> Points:
        """The points of cases with each set, whole or without something, with as many replications as cells ask for.

        Each set has a seed of its own.
        """
        study, points = self.judge.study, Points(self.judge.study, self.judge.form.name, {}, ablation)
        count = len(cases) * len(self.sets)
        while True:
            fresh = not points.of
            for at, case in enumerate(cases):
                own = case.without(ablation) if ablation else case
                known = points.of.setdefault(case, [])
                for number, constants in enumerate(self.sets):
                    before = None if fresh else known[number]
                    done = (at * len(self.sets) + number) / count if fresh else 1.0
                    share = functools.partial(_share, progress, done, count)
                    budget = self._budget(own, number)
                    point = study.simulate(own, constants, budget, before, share)
                    if fresh:
                        known.append(point)
            if not cases or (ablation and not self.judge.spec.in_column):
                return points
            numbers = [number for unit in units for number in unit.numbers]
            found = [self.judge.cell(number, _pooled(points.by_set(number))) for number in numbers]
            if not ask_for_more(found, points.replications, self._budget(cases[0], 0).most):
                return points

    def cells(self, unit: Unit, points: Points) -> tuple[list[Cell], list[Cell]]:
        """The cells of a unit, and the values beside them: of each set, and what the study adds.

        Under an ablation they are those that would be scored, and nothing is judged.
        """
        cells: list[Cell] = []
        others: list[Cell] = []
        for number in unit.numbers:
            by_set = points.by_set(number)
            cell = self.judge.cell(number, _pooled(by_set), _spread_over(by_set) if len(by_set) > 1 else None)
            cells.append(cell)
            if len(by_set) > 1 and not points.ablation:
                others += _of_sets(cell, by_set)
        beside = list(self.judge.study.beside(unit, points))
        if points.ablation:
            scored = [cell for cell in cells if cell.ruling.scored]
            away = [without(cell, points.ablation, in_column=self.judge.spec.in_column) for cell in scored]
            return away + beside, []
        return cells, others + beside

    def add(self, run: str, cells: list[Cell], others: list[Cell]) -> None:
        """Put the cells of a run where those of its form stand, and say that it is done."""
        form, result = self.judge.form, self.result
        first = form.name == self.judge.spec.first
        if form.shown == "comparison":
            result.comparison += [cell for cell in cells if cell.ruling.scored]
            return
        getattr(result, form.shown).extend(cells)
        result.comparison += others if first else before_table(others, form.name)
        if run:
            printed = cells + [cell for cell in others if math.isnan(cell.published)]
            self.request.done(run if first else f"{form.name} {run}", printed)

    def _budget(self, case: Any, at: int) -> Budget:
        return self.judge.study.budget(case, self.mode, self.request.seed + at)


@dataclass(frozen=True, slots=True)
class _Job:
    """Units to be simulated together on a bench, whole or without something."""

    bench: Bench
    units: tuple[Unit, ...]
    ablation: str = ""

    @property
    def cases(self) -> tuple[Any, ...]:
        """The runs to be simulated."""
        return tuple(dict.fromkeys(case for unit in self.units for case in unit.cases))

    @property
    def weight(self) -> float:
        """How long it takes beside others."""
        study, mode = self.bench.judge.study, self.bench.mode
        return sum(study.weight(case, mode) for case in self.cases) * len(self.bench.sets)

    def done(self, progress: Progress) -> Points:
        """Its points; `progress` hears its weight times the share done."""
        heard = lambda share: progress(self.weight * share)  # noqa: E731
        points = self.bench.simulated(self.cases, self.units, self.ablation, heard)
        progress(self.weight)
        return points


Run = tuple[Bench, str, str]
"""The cells that are printed together: of a run on a bench, whole or without something."""


def jobs_of(study: Study, request: Request, result: Reproduction | None = None) -> list[_Job]:
    """All simulations of a reproduction: form by form, and in full those of every ablation of the first form."""
    result = result or Reproduction(study.name, request.seed)
    benches = [Bench.of(study, form, request, result) for form in _forms(study, request)]
    full = not request.quick and not request.ablation
    jobs = [job for bench in benches for job in _jobs(bench, full=full)]
    return [*jobs, *(_ablations(benches[0]) if full else ())]


def _jobs(bench: Bench, *, full: bool) -> Iterator[_Job]:
    """The units of each run, under an ablation with something away and whole; then runs without published numbers."""
    for _, groups in groupby(bench.groups(), lambda units: units[0].run):
        own = list(groups)
        for ablation in dict.fromkeys([bench.request.ablation, ""]):
            yield from (_Job(bench, units, ablation) for units in own)
    if full or _everything(bench.judge.spec):
        yield from (_Job(bench, (unit,)) for unit in bench.judge.study.extra(bench.judge.form.name))


def _everything(spec: Spec) -> bool:
    """Whether `--quick` simulates all that a full reproduction does, for a shorter time."""
    return spec.quick == "everything"


def _ablations(bench: Bench) -> Iterator[_Job]:
    """The scored units under each ablation, by a short budget."""
    short = replace(bench, mode="short")
    for ablation in bench.judge.spec.ablations:
        yield from (_Job(short, units, ablation) for units in short.groups())


def _by_run(jobs: Sequence[_Job], request: Request) -> Iterator[tuple[Run, list[Cell], list[Cell]]]:
    """The cells of each run in the order of the jobs, which are simulated side by side, the longest first."""
    weights = [job.weight for job in jobs]
    total = sum(weights) or 1.0
    simulations = [job.done for job in jobs]
    results = in_turn(simulations, lambda done: request.progress(min(1.0, done / total)), weights)
    for _, group in groupby(_units(jobs, results), lambda found: _key(found[0], found[1])):
        cells: list[Cell] = []
        others: list[Cell] = []
        for job, unit, points in group:
            judged, beside = job.bench.cells(unit, points)
            cells += judged
            others += beside
        yield (job.bench, unit.run, job.ablation), cells, others


def _units(jobs: Sequence[_Job], results: Iterator[Points]) -> Iterator[tuple[_Job, Unit, Points]]:
    for job, points in zip(jobs, results, strict=True):
        job.bench.result.points += [point for by_set in points.of.values() for point in by_set]
        yield from ((job, unit, points) for unit in job.units)


def _key(job: _Job, unit: Unit) -> tuple[int, str, str]:
    return id(job.bench), unit.run, job.ablation


def _share(progress: Progress, done: float, count: int, share: float) -> None:
    """Report the share of a batch, of which some is done, where a share of one more of its points is."""
    progress(min(1.0, done + share / count))


def _of_sets(cell: Cell, by_set: BySet) -> Iterator[Cell]:
    """The value of a cell in each set, judged by nothing."""
    for at, values in enumerate(by_set):
        own = replace(cell, estimate=_pooled([values]), spread=None)
        yield without(own, of_set(cell.place.column, at + 1), in_column=True)


def shown(place: Any, by_set: BySet) -> Cell:
    """A value of which nothing is published, with its spread over the sets."""
    return aside(place, _pooled(by_set), _spread_over(by_set))


def _forms(study: Study, request: Request) -> list[Form]:
    """Which forms are simulated: quickly those that are declared so, under an ablation the first alone."""
    first, *others = study.spec().forms.values()
    if request.ablation:
        return [first]
    return [first, *(form for form in others if form.quick or not request.quick)]

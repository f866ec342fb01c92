"""The runs of the study with every set of an ensemble: the judged cells, and the values beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from slicewright.results.judge import Cell, Place, ask_for_more
from slicewright.study.diag9c.breakdown import parts
from slicewright.study.diag9c.cases import ROOMY, Case, gain_of, pair
from slicewright.study.diag9c.measure import THROUGHPUT
from slicewright.study.diag9c.pool import Pool
from slicewright.study.diag9c.scenario import Constants
from slicewright.study.ensemble import beside as values
from slicewright.study.ensemble.beside import beside, sets_of, shown
from slicewright.study.ensemble.pool import pooled, spread_over
from slicewright.study.judge import Judge, Unit
from slicewright.study.points import Budget, Progress
from slicewright.study.published import Number

BREAKDOWN = "breakdown"
"""The column in which parts of a gain stand."""

FORMS = ("first", "adopted", "intercepts")
"""The study's own form, the adopted one (decision 0046), and the variant with intercepts, which was rejected (0019)."""

Judged = list[tuple[str, list[Cell], list[Cell]]]
"""By published run, its cells and the values beside them."""


@dataclass(slots=True)
class Bench:
    """The judge and constants of the runs of a form, and how much of each is simulated.

    >>> from slicewright.study.diag9c.study import STUDY
    >>> Bench(Judge(STUDY), (), "quick").groups()[3][1].run
    'table3'
    """

    judge: Judge
    sets: Sequence[Constants]
    mode: str
    seed: int = 1

    def groups(self) -> list[list[Unit]]:
        """The units, those that share a run together."""
        found: list[list[Unit]] = []
        for unit in self.judge.units():
            shares = (group for group in found if any(set(unit.cases) & set(other.cases) for other in group))
            group = next(shares, None)
            if group is None:
                found.append([unit])
            else:
                group.append(unit)
        return found

    def simulated(self, cases: Sequence[Case], units: Sequence[Unit], progress: Progress) -> Pool:
        """The points of some cases with each set, with as many replications as the cells of the units ask for."""
        pool, ablation = Pool(), cases[0].ablation
        while True:
            self._add(pool, cases, progress)
            numbers = [number for unit in units for number in unit.numbers]
            cells = [self.cell(number, pool.by_set(number, ablation)) for number in numbers]
            if not ask_for_more(cells, pool.replications, self._budget(cases[0]).most):
                return pool

    def cells(self, unit: Unit, pool: Pool) -> tuple[list[Cell], list[Cell]]:
        """The cells of a unit, and the values beside them: of each set, and of the parts of the gain."""
        judged, aside = [], []
        for number in unit.numbers:
            by_set = pool.by_set(number)
            cell = self.cell(number, by_set)
            judged.append(cell)
            aside += sets_of(cell, by_set)
        own = [case for case in unit.cases if (case.zvm == "5.2") == (unit.run == "table3")]
        return judged, aside + [cell for case in own for cell in _uncounted(case, pool)] + _parts(unit, "", pool)

    def without(self, unit: Unit, pool: Pool, ablation: str) -> list[Cell]:
        """The scored cells of a unit with something taken away, judged by nothing, and where the gain then is from."""
        scored = [number for number in unit.numbers if self.judge.ruling(number).scored]
        cells = [beside(self.cell(number, pool.by_set(number, ablation)), ablation) for number in scored]
        return cells + _parts(unit, ablation, pool)

    def cell(self, number: Number, by_set: Sequence[Sequence[float]]) -> Cell:
        """The cell of a number, with the spread over the sets."""
        return replace(self.judge.cell(number, pooled(by_set)), spread=spread_over(by_set))

    def weight(self, case: Case) -> float:
        """How long the first batch of a case takes with all sets."""
        return self.judge.study.weight(case, self.mode) * len(self.sets)

    def _add(self, pool: Pool, cases: Sequence[Case], progress: Progress) -> None:
        """The next batch of each case with each set, each set with a seed of its own."""
        count, done = len(cases) * len(self.sets), 0
        for case in cases:
            budget = self._budget(case)
            points = pool.points.setdefault(case, [])
            for at, constants in enumerate(self.sets):
                known = points[at] if at < len(points) else None
                share = partial(_share, progress, 1.0 if known else done / count, count)
                own = replace(budget, seed=budget.seed + at)
                point = self.judge.study.simulate(case, constants, own, known, share)
                if known is None:
                    points.append(point)
                done += 1

    def _budget(self, case: Case) -> Budget:
        return self.judge.study.budget(case, self.mode, self.seed)


@dataclass(frozen=True, slots=True)
class Job:
    """Units to be simulated together on a bench, whole or without something; without units the run that has room."""

    bench: Bench
    units: tuple[Unit, ...] = ()
    ablation: str = ""

    @property
    def cases(self) -> tuple[Case, ...]:
        """The runs to be simulated."""
        own = dict.fromkeys(case for unit in self.units for case in unit.cases)
        return tuple(case.without(self.ablation) for case in own) or pair(ROOMY)

    @property
    def weight(self) -> float:
        """How long it takes beside others."""
        return sum(map(self.bench.weight, self.cases))

    def done(self, progress: Progress) -> tuple[Judged, Pool]:
        """Its cells, the values beside them, and the points; `progress` hears its weight times the share done."""
        pool = self.bench.simulated(self.cases, self.units, lambda share: progress(self.weight * share))
        progress(self.weight)
        if not self.units:
            return [("", [], roomy(pool))], pool
        if self.ablation:
            return [(unit.run, self.bench.without(unit, pool, self.ablation), []) for unit in self.units], pool
        return [(unit.run, *self.bench.cells(unit, pool)) for unit in self.units], pool


def roomy(pool: Pool) -> list[Cell]:
    """The gain with a processor for each virtual one, and the DIAGNOSEs issued there."""
    before, after = pair(ROOMY)
    own = {"throughput_gain_percent": pool.gains(before, after)}
    own["diag44.rate_per_s"] = pool.samples(before, "diag44.rate_per_s")
    own["diag44.fast_path_percent"] = pool.samples(before, "diag44.fast_path_percent")
    own["diag9c.total_diags_per_s"] = pool.samples(after, "diag9c.total_diags_per_s")
    return [shown(Place(f"run.{ROOMY}", row, ""), by_set) for row, by_set in own.items()]


def _uncounted(case: Case, pool: Pool) -> list[Cell]:
    """What is not published of a run: throughput of each set, and the mean of vectors over all time."""
    part = "diag44" if case.yields == "x44" else "diag9c"
    table = f"run.{case.run}" if case.zvm == "5.3" else "table3"
    rates = pool.samples(case, THROUGHPUT)
    made = [
        shown(Place(table, f"{part}.{THROUGHPUT}", "1/s", f"set {at + 1}"), [values]) for at, values in enumerate(rates)
    ]
    if part == "diag44":
        made.append(shown(Place(table, "diag44.pldv_mean", "", "over all time"), pool.samples(case, "pldv_mean")))
    return made


def _parts(unit: Unit, ablation: str, pool: Pool) -> list[Cell]:
    """Where the gain of a unit comes from: the mean over sets of each part."""
    before, after = (case.without(ablation) for case in gain_of(unit.run))
    found = parts(pool.points[before], pool.points[after])
    column = f"{ablation} {BREAKDOWN}".strip()
    return [shown(Place(unit.run, part, "%", column), by_set) for part, by_set in found.items()]


def _share(progress: Progress, done: float, count: int, share: float) -> None:
    """Report the share of a batch, of which some is done, where a share of one more of its points is."""
    progress(min(1.0, done + share / count))


def aside(cells: Iterable[Cell], form: str) -> list[Cell]:
    """The values beside the cells of a form, among those of all forms.

    >>> aside([], "intercepts")
    []
    """
    return values.aside(cells, form, FORMS)

"""The DIAGNOSE X'9C' study reproduced: every run of tables 1 to 4 with every set of an ensemble, beside the document.

It leaves out how that is shown (`page.py`, `report.py`), what the cells are judged by (`judge.py`), and where the
constants come from (`calibrate.py`).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from slicewright.statistics import Estimate
from slicewright.study.bands import Band, Ruling
from slicewright.study.cells import Cell, Place, Spread
from slicewright.study.diag9c.breakdown import parts
from slicewright.study.diag9c.cases import ABLATIONS, ROOMY, Case, pair
from slicewright.study.diag9c.constants import FORMS, Constants, Form, ensemble
from slicewright.study.diag9c.judge import Judge, Unit, beside, marked
from slicewright.study.diag9c.points import THROUGHPUT, Point, simulate
from slicewright.study.diag9c.pool import Pool, pooled
from slicewright.study.diag9c.published import Number, study_folder
from slicewright.study.points import Budget
from slicewright.study.reproduction import Reproduction, Wish

BREAKDOWN = "breakdown"
"""The column in which parts of a gain stand."""


def budget(wish: Wish, *, short: bool = False) -> Budget:
    """How much of a run is simulated with each set: many replications, since each has its own homes.

    `short`: as much as an ablation that stands beside a full reproduction.

    >>> budget(Wish()).simulated, budget(Wish(quick=True)).simulated
    ('8 replications of 1 s', '2 replications of 0.25 s')
    >>> budget(Wish(), short=True).simulated
    '4 replications of 0.3 s'
    """
    own = Budget(8, 8, 1, 1.0, wish.seed)
    if short:
        return replace(own, replications=4, most=4, interval_s=0.3, warm_up_s=0.3)
    return replace(own, replications=2, most=2, interval_s=0.25, warm_up_s=0.25) if wish.quick else own


def reproduce(wish: Wish | None = None) -> Reproduction[Point]:
    """Simulate what was published with every set of the committed ensemble and judge every cell by their mean.

    `comparison` has what stands beside the cells: what each set gives (columns `set 1` and so on), where gains come
    from (column `breakdown`), and in full the run without contention and every ablation (columns of their names); of
    the variant, which is simulated in full alone and stands in `variant`, with its name before that of the table.
    With `ablation` what is taken away is away in `cells`, of which none is judged, and in `comparison` nothing is.
    Raises RunError for a run that cannot go on.

    >>> Judge(study_folder()).units()[-1].cases[0].name
    'E-x9c-5.2'
    """
    wish = wish or Wish()
    began = time.perf_counter()
    result: Reproduction[Point] = Reproduction("diag9c", wish.seed, ablation=wish.ablation)
    bench = Bench(Judge(wish.folder or study_folder()), ensemble(), wish, result)
    for unit in bench.judge.units():
        cells, aside = bench.cells(unit)
        if wish.ablation:
            result.comparison += [*cells, *aside]
            cells, aside = bench.without(unit, wish.ablation), []
        result.cells += cells
        result.comparison += aside
        wish.done(unit.table, [*cells, *aside])
    if not wish.quick and not wish.ablation:
        result.comparison += bench.roomy()
        short = replace(bench, short=True, pool=Pool())
        for ablation in ABLATIONS:
            result.comparison += [cell for unit in bench.judge.units() for cell in short.without(unit, ablation)]
        for form in FORMS[1:]:
            _variant(form, wish, result)
    result.wall_s = time.perf_counter() - began
    return result


def _variant(form: Form, wish: Wish, result: Reproduction[Point]) -> None:
    """Simulate a form that was left out and stands beside the first one, and judge its cells apart."""
    bench = Bench(Judge(wish.folder or study_folder(), form), ensemble(form), wish, result)
    for unit in bench.judge.units():
        cells, aside = bench.cells(unit)
        result.variant += cells
        result.comparison += marked(aside, form)
        wish.done(f"{form} {unit.table}", [*cells, *aside])
    result.comparison += marked(bench.roomy(), form)


@dataclass(slots=True)
class Bench:
    """What runs are simulated with, what has been simulated, and where its points are counted.

    >>> bench = Bench(Judge(study_folder()), (), Wish(quick=True), Reproduction("diag9c", 1))
    >>> bench.pool.points
    {}
    """

    judge: Judge
    sets: Sequence[Constants]
    wish: Wish
    result: Reproduction[Point]
    pool: Pool = field(default_factory=Pool)
    short: bool = False

    def cells(self, unit: Unit) -> tuple[list[Cell], list[Cell]]:
        """The cells of a unit, and what stands beside them: each set, and where the gain comes from."""
        self._simulate(unit.cases)
        judged, aside = [], []
        for number in unit.numbers:
            by_set = self.pool.by_set(number)
            cell = self._cell(number, by_set)
            judged.append(cell)
            aside += [beside(replace(cell, estimate=one, spread=None), f"set {at}") for at, one in _numbered(by_set)]
        own = [case for case in unit.cases if (case.zvm == "5.2") == (unit.table == "table3")]
        return judged, aside + [cell for case in own for cell in self._uncounted(case)] + self._parts(unit, "")

    def without(self, unit: Unit, ablation: str) -> list[Cell]:
        """The scored cells of a unit with something taken away, judged by nothing, and where the gain then is from."""
        self._simulate(case.without(ablation) for case in unit.cases)
        scored = [one for one in unit.numbers if self.judge.ruling(one).scored]
        cells = [beside(self._cell(one, self.pool.by_set(one, ablation)), ablation) for one in scored]
        return cells + self._parts(unit, ablation)

    def roomy(self) -> list[Cell]:
        """What is gained with a processor for each virtual one, and with which DIAGNOSEs."""
        before, after = pair(ROOMY)
        self._simulate((before, after))
        own = {"throughput_gain_percent": self.pool.gains(before, after)}
        own["diag44.rate_per_s"] = self._samples(before, "diag44.rate_per_s")
        own["diag44.fast_path_percent"] = self._samples(before, "diag44.fast_path_percent")
        own["diag9c.total_diags_per_s"] = self._samples(after, "diag9c.total_diags_per_s")
        return [_shown(Place(f"run.{ROOMY}", row, ""), by_set) for row, by_set in own.items()]

    def _simulate(self, cases: Iterable[Case]) -> None:
        for case in cases:
            if case not in self.pool.points:
                how = budget(self.wish, short=self.short)
                own = []
                for at, constants in enumerate(self.sets):
                    own.append(simulate(case, constants, replace(how, seed=how.seed + at)))
                    self.result.points.append(own[-1])
                    self.wish.progress(min(1.0, len(self.result.points) / self._expected()))
                self.pool.points[case] = own

    def _cell(self, number: Number, by_set: Sequence[Sequence[float]]) -> Cell:
        means = [one.mean for _, one in _numbered(by_set)]
        return replace(self.judge.cell(number, pooled(by_set)), spread=Spread.of(means))

    def _uncounted(self, case: Case) -> list[Cell]:
        """What is not published of a run: throughput of each set, and the mean of vectors over all time."""
        part = "diag44" if case.yields == "x44" else "diag9c"
        table = f"run.{case.run}" if case.zvm == "5.3" else "table3"
        rates = self._samples(case, THROUGHPUT)
        made = [
            _shown(Place(table, f"{part}.{THROUGHPUT}", "1/s", f"set {at + 1}"), [own]) for at, own in enumerate(rates)
        ]
        if part == "diag44":
            made.append(_shown(Place(table, "diag44.pldv_mean", "", "over all time"), self._samples(case, "pldv_mean")))
        return made

    def _parts(self, unit: Unit, ablation: str) -> list[Cell]:
        """Where the gain of a unit comes from: the mean over sets of each part."""
        before, after = (case.without(ablation) for case in unit.gain)
        found = parts(self.pool.points[before], self.pool.points[after])
        column = f"{ablation} {BREAKDOWN}".strip()
        return [_shown(Place(unit.table, part, "%", column), by_set) for part, by_set in found.items()]

    def _samples(self, case: Case, row: str) -> list[list[float]]:
        return [one.samples[row] for one in self.pool.points[case]]

    def _expected(self) -> int:
        """How many points there will be."""
        runs = len({case for unit in self.judge.units() for case in unit.cases})
        if self.wish.ablation:
            runs *= 2
        elif not self.wish.quick:
            runs = runs * (len(FORMS) + len(ABLATIONS)) + 2 * len(FORMS)
        return max(1, runs * len(self.sets))


def _numbered(by_set: Sequence[Sequence[float]]) -> list[tuple[int, Estimate]]:
    return [(at + 1, pooled([own])) for at, own in enumerate(by_set)]


def _shown(place: Place, by_set: Sequence[Sequence[float]]) -> Cell:
    """A value of which nothing is published."""
    spread = Spread.of([one.mean for _, one in _numbered(by_set)])
    return Cell(place, float("nan"), pooled(by_set), Ruling("excluded", Band()), spread=spread)

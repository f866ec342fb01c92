"""The runs of the study with every set of an ensemble: the judged cells, and the values beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from slicewright.study.cells import Cell, Place
from slicewright.study.diag9c.breakdown import parts
from slicewright.study.diag9c.cases import ROOMY, Case, ablations, gain_of, pair
from slicewright.study.diag9c.measure import THROUGHPUT
from slicewright.study.diag9c.pool import Pool
from slicewright.study.diag9c.scenario import Constants
from slicewright.study.ensemble import beside as values
from slicewright.study.ensemble.beside import beside, sets_of, shown
from slicewright.study.ensemble.pool import pooled, spread_over
from slicewright.study.judge import Judge, Unit
from slicewright.study.published import Number
from slicewright.study.reproduction import Reproduction, Request

BREAKDOWN = "breakdown"
"""The column in which parts of a gain stand."""

FORMS = ("first", "adopted", "intercepts")
"""The study's own form, the adopted one (decision 0046), and the variant with intercepts, which was rejected (0019)."""


@dataclass(slots=True)
class Bench:
    """The judge and constants of runs, the points simulated so far, and the reproduction that counts them.

    >>> from slicewright.study.diag9c.study import STUDY
    >>> Bench(Judge(STUDY), (), Request(quick=True), Reproduction("diag9c", 1)).pool.points
    {}
    """

    judge: Judge
    sets: Sequence[Constants]
    request: Request
    result: Reproduction
    pool: Pool = field(default_factory=Pool)
    short: bool = False

    def cells(self, unit: Unit) -> tuple[list[Cell], list[Cell]]:
        """The cells of a unit, and the values beside them: of each set, and of the parts of the gain."""
        self._simulate(unit.cases)
        judged, aside = [], []
        for number in unit.numbers:
            by_set = self.pool.by_set(number)
            cell = self._cell(number, by_set)
            judged.append(cell)
            aside += sets_of(cell, by_set)
        own = [case for case in unit.cases if (case.zvm == "5.2") == (unit.run == "table3")]
        return judged, aside + [cell for case in own for cell in self._uncounted(case)] + self._parts(unit, "")

    def without(self, unit: Unit, ablation: str) -> list[Cell]:
        """The scored cells of a unit with something taken away, judged by nothing, and where the gain then is from."""
        self._simulate(case.without(ablation) for case in unit.cases)
        scored = [number for number in unit.numbers if self.judge.ruling(number).scored]
        cells = [beside(self._cell(number, self.pool.by_set(number, ablation)), ablation) for number in scored]
        return cells + self._parts(unit, ablation)

    def roomy(self) -> list[Cell]:
        """The gain with a processor for each virtual one, and the DIAGNOSEs issued there."""
        before, after = pair(ROOMY)
        self._simulate((before, after))
        own = {"throughput_gain_percent": self.pool.gains(before, after)}
        own["diag44.rate_per_s"] = self._samples(before, "diag44.rate_per_s")
        own["diag44.fast_path_percent"] = self._samples(before, "diag44.fast_path_percent")
        own["diag9c.total_diags_per_s"] = self._samples(after, "diag9c.total_diags_per_s")
        return [shown(Place(f"run.{ROOMY}", row, ""), by_set) for row, by_set in own.items()]

    def _simulate(self, cases: Iterable[Case]) -> None:
        for case in cases:
            if case not in self.pool.points:
                how = self.judge.study.budget(case, self._mode, self.request.seed)
                own = []
                for at, constants in enumerate(self.sets):
                    own.append(self.judge.study.simulate(case, constants, replace(how, seed=how.seed + at)))
                    self.result.points.append(own[-1])
                    self.request.progress(min(1.0, len(self.result.points) / self._expected()))
                self.pool.points[case] = own

    @property
    def _mode(self) -> str:
        return "short" if self.short else "quick" if self.request.quick else "full"

    def _cell(self, number: Number, by_set: Sequence[Sequence[float]]) -> Cell:
        return replace(self.judge.cell(number, pooled(by_set)), spread=spread_over(by_set))

    def _uncounted(self, case: Case) -> list[Cell]:
        """What is not published of a run: throughput of each set, and the mean of vectors over all time."""
        part = "diag44" if case.yields == "x44" else "diag9c"
        table = f"run.{case.run}" if case.zvm == "5.3" else "table3"
        rates = self._samples(case, THROUGHPUT)
        made = [
            shown(Place(table, f"{part}.{THROUGHPUT}", "1/s", f"set {at + 1}"), [values])
            for at, values in enumerate(rates)
        ]
        if part == "diag44":
            made.append(shown(Place(table, "diag44.pldv_mean", "", "over all time"), self._samples(case, "pldv_mean")))
        return made

    def _parts(self, unit: Unit, ablation: str) -> list[Cell]:
        """Where the gain of a unit comes from: the mean over sets of each part."""
        before, after = (case.without(ablation) for case in gain_of(unit.run))
        found = parts(self.pool.points[before], self.pool.points[after])
        column = f"{ablation} {BREAKDOWN}".strip()
        return [shown(Place(unit.run, part, "%", column), by_set) for part, by_set in found.items()]

    def _samples(self, case: Case, row: str) -> list[list[float]]:
        return [point.samples[row] for point in self.pool.points[case]]

    def _expected(self) -> int:
        """How many points there will be."""
        forms = len(self.judge.spec.forms)
        runs = len({case for unit in self.judge.units() for case in unit.cases})
        if self.request.ablation:
            runs *= 2
        elif not self.request.quick:
            runs = runs * (forms + len(ablations())) + 2 * forms
        return max(1, runs * len(self.sets))


def aside(cells: Iterable[Cell], form: str) -> list[Cell]:
    """The values beside the cells of a form, among those of all forms.

    >>> aside([], "intercepts")
    []
    """
    return values.aside(cells, form, FORMS)

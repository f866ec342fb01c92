"""The runs of the study with every set of an ensemble: the judged cells, and the values beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from slicewright.statistics import Estimate
from slicewright.study.bands import Band, Ruling
from slicewright.study.cells import Cell, Place, Spread
from slicewright.study.diag9c.breakdown import parts
from slicewright.study.diag9c.cases import ROOMY, Case, ablations, gain_of, pair
from slicewright.study.diag9c.measure import THROUGHPUT
from slicewright.study.diag9c.pool import Pool, pooled
from slicewright.study.diag9c.scenario import Constants
from slicewright.study.judge import Judge, Unit
from slicewright.study.kept import Estimates
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
            aside += [
                beside(replace(cell, estimate=estimate, spread=None), f"set {at}") for at, estimate in _numbered(by_set)
            ]
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
        return [_shown(Place(f"run.{ROOMY}", row, ""), by_set) for row, by_set in own.items()]

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
        means = [estimate.mean for _, estimate in _numbered(by_set)]
        return replace(self.judge.cell(number, pooled(by_set)), spread=Spread.of(means))

    def _uncounted(self, case: Case) -> list[Cell]:
        """What is not published of a run: throughput of each set, and the mean of vectors over all time."""
        part = "diag44" if case.yields == "x44" else "diag9c"
        table = f"run.{case.run}" if case.zvm == "5.3" else "table3"
        rates = self._samples(case, THROUGHPUT)
        made = [
            _shown(Place(table, f"{part}.{THROUGHPUT}", "1/s", f"set {at + 1}"), [values])
            for at, values in enumerate(rates)
        ]
        if part == "diag44":
            made.append(_shown(Place(table, "diag44.pldv_mean", "", "over all time"), self._samples(case, "pldv_mean")))
        return made

    def _parts(self, unit: Unit, ablation: str) -> list[Cell]:
        """Where the gain of a unit comes from: the mean over sets of each part."""
        before, after = (case.without(ablation) for case in gain_of(unit.run))
        found = parts(self.pool.points[before], self.pool.points[after])
        column = f"{ablation} {BREAKDOWN}".strip()
        return [_shown(Place(unit.run, part, "%", column), by_set) for part, by_set in found.items()]

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


def _numbered(by_set: Sequence[Sequence[float]]) -> list[tuple[int, Estimate]]:
    return [(at + 1, pooled([values])) for at, values in enumerate(by_set)]


def _shown(place: Place, by_set: Sequence[Sequence[float]]) -> Cell:
    """A value of which nothing is published."""
    spread = Spread.of([estimate.mean for _, estimate in _numbered(by_set)])
    return Cell(place, float("nan"), pooled(by_set), Ruling("excluded", Band()), spread=spread)


def beside(cell: Cell, column: str) -> Cell:
    """A cell that is shown beside those that are judged: under an ablation, or of one set of the ensemble.

    >>> from slicewright.study.bands import Band
    >>> judged = (Estimate(2.0, 0.1, 4), Ruling("predicted", Band(abs=3)))
    >>> beside(Cell(Place("run.A", "throughput_gain_percent", "%"), 2.1, *judged), "no-reload").verdict
    'excluded'
    """
    ruling = Ruling("excluded", cell.ruling.band, note=column)
    return replace(cell, place=replace(cell.place, column=column), ruling=ruling, change=None, identity="")


def aside(cells: Iterable[Cell], form: str) -> list[Cell]:
    """The values beside the cells of a form, among those of both forms.

    >>> aside([], "intercepts")
    []
    """
    own, other = f"{form} ", tuple(f"{form} " for form in FORMS)
    if form == FORMS[0]:
        return [cell for cell in cells if not cell.place.table.startswith(other)]
    found = [cell for cell in cells if cell.place.table.startswith(own)]
    return [replace(cell, place=replace(cell.place, table=cell.place.table.removeprefix(own))) for cell in found]


def marked(cells: Iterable[Cell], form: str) -> list[Cell]:
    """The same cells of another form than the first, with its name before that of their table: `aside` finds them.

    >>> marked([], "intercepts")
    []
    """
    return [replace(cell, place=replace(cell.place, table=f"{form} {cell.place.table}")) for cell in cells]


def by_place(cells: list[Cell]) -> Mapping[tuple[str, ...], Cell]:
    """Cells by where they stand.

    >>> by_place([])
    {}
    """
    return {cell.place.key: cell for cell in cells}


def spread_of(place: Place, other: Estimates) -> Spread | None:
    """How far apart the sets are, from what each of them gave; None where they are not known.

    >>> spread_of(Place("run.A", "diag44.pldv_queue", ""), {})
    """
    means = [
        estimate.mean
        for key, estimate in other.items()
        if key[:2] == (place.table, place.row) and key[2:] and key[2].startswith("set ")
    ]
    return Spread.of(means) if means else None


def unjudged(other: Estimates) -> list[Cell]:
    """The values beside the cells, as cells without a verdict.

    >>> unjudged({})
    []
    """
    nothing = Ruling("excluded", Band())
    return [
        Cell(Place(key[0], key[1], "", "".join(key[2:])), float("nan"), estimate, nothing)
        for key, estimate in other.items()
    ]

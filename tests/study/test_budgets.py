"""Is as much simulated of a study as its half-widths ask for, and do the longest simulations start first?"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import pytest
from slicewright.results.judge import Band, Cell, Place, Ruling, ask_for_more
from slicewright.statistics import Estimate
from slicewright.study.diag9c import STUDY as DIAG9C
from slicewright.study.hiperdispatch import STUDY as HIPERDISPATCH
from slicewright.study.judge import Judge, Reproduction, Request, Unit
from slicewright.study.points import Budget, Point, heaviest_first
from slicewright.study.reproduce import Bench, jobs_of
from slicewright.study.studies import STUDIES, named

HYPERPAV = named("hyperpav")
SCORED, UNSCORED = "Y032181H", "Y032180H"


class Scattered:
    """A study whose values are the published ones, and scatter by a share of their band."""

    def __init__(self, judge: Judge, bands: float) -> None:
        self.judge, self.bands = judge, bands

    def simulate(self, case: Any, constants: Any, budget: Budget, point: Point | None, progress: Any) -> Point:
        """The next batch: values above and below the published one in turn."""
        own = point or Point(case)
        signs = itertools.islice(itertools.cycle((1, -1)), own.replications, budget.after(own.replications))
        for sign in list(signs):
            for number in self.judge.published:
                if number.place.table == case.name:
                    width = self.width(self.judge.ruling(number), number.value)
                    own.samples.setdefault(number.place.row, []).append(number.value + sign * self.bands * width)
        return own

    def width(self, ruling: Ruling, published: float) -> float:
        """The band, or 1 where there is none."""
        return ruling.band.width(published) if ruling.scored else 1.0


def simulated(monkeypatch: pytest.MonkeyPatch, run: str, bands: float) -> int:
    """How many replications a run of hyperpav takes in full, when its values scatter by a number of bands."""
    judge = Judge(HYPERPAV)
    monkeypatch.setattr(type(HYPERPAV), "simulate", lambda study, *rest: Scattered(judge, bands).simulate(*rest))
    bench = Bench(judge, HYPERPAV.sets(), Request(), Reproduction("hyperpav", 1), "full")
    unit: Unit = next(unit for unit in judge.units() if unit.run == run)
    return bench.simulated(unit.cases, [unit], "", lambda share: None).replications


def test_a_cell_without_scatter_has_the_first_batch_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert simulated(monkeypatch, SCORED, 0.0) == HYPERPAV.spec().budgeted("full").replications


def test_batches_follow_until_the_half_width_is_under_a_third_of_the_band(monkeypatch: pytest.MonkeyPatch) -> None:
    budget = HYPERPAV.spec().budgeted("full")
    taken = simulated(monkeypatch, SCORED, 0.5)
    assert budget.replications < taken < budget.most
    assert (taken - budget.replications) % budget.more == 0


def test_batches_end_at_half_of_the_budget_where_all_of_it_settles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert simulated(monkeypatch, SCORED, 50.0) == HYPERPAV.spec().budgeted("full").most // 2


@pytest.mark.parametrize(
    ("half_width", "replications", "asks"),
    [(3.0, 8, False), (3.0, 4, False), (1.5, 4, True), (3.0, 2, True), (1.0, 4, False), (math.nan, 1, True)],
)
def test_cells_ask_for_more_while_it_settles_one_of_them(half_width: float, replications: int, asks: bool) -> None:
    band = Ruling("predicted", Band(abs=4))
    cell = Cell(Place("T", "rate", "1/s"), 100.0, Estimate(101.0, half_width, replications), band)
    assert ask_for_more([cell], replications, 8) == asks


def test_a_run_without_a_scored_cell_has_the_first_batch_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert simulated(monkeypatch, UNSCORED, 50.0) == HYPERPAV.spec().budgeted("full").replications


def budgets() -> Iterator[tuple[str, str, Budget]]:
    """The full budget of every kind of run of every study."""
    for study in STUDIES:
        spec = named(study).spec()
        for kind in spec.kinds:
            yield study, kind, spec.budgeted("full", kind)


@pytest.mark.parametrize(("study", "kind", "budget"), list(budgets()))
def test_a_first_batch_has_a_half_width(study: str, kind: str, budget: Budget) -> None:
    assert 2 <= budget.replications <= budget.most


def test_the_longest_units_of_hiperdispatch_are_those_whose_controller_parks() -> None:
    jobs = jobs_of(HIPERDISPATCH, Request(quick=True))
    first = [jobs[at].units[0] for at in heaviest_first(len(jobs), [job.weight for job in jobs])[:2]]
    assert {number.place.column for unit in first for number in unit.numbers} == {
        "6.3 CPUPAD 100%",
        "6.3 CPUPAD 300%",
    }


def test_units_of_diag9c_that_share_a_run_simulate_it_once() -> None:
    jobs = jobs_of(DIAG9C, Request(quick=True))
    runs = [case for job in jobs for case in job.cases]
    assert len(runs) == len(set(runs)) == 13


def test_a_full_reproduction_of_diag9c_has_all_forms_and_ablations_in_one_pool() -> None:
    jobs = jobs_of(DIAG9C, Request())
    forms = [job.bench.judge.form.name for job in jobs if not job.ablation]
    assert [forms.count(form) for form in DIAG9C.spec().forms] == [7, 7, 7]
    assert {job.ablation for job in jobs} == {"", *DIAG9C.spec().ablations}

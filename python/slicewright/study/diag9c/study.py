"""The DIAGNOSE X'9C' study: the gain of guests that spin for locks when they name the holder of the lock.

Every choice made here was declared before the runs that it is for: docs/decisions/0015-diag9c-study.md, for the variant
0019-diag9c-intercepts.md, for the adopted form 0046-diag9c-cycles-caches-network.md.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from slicewright.report.model import Block
from slicewright.results.judge import Cell, Place
from slicewright.study.calibrate import Target
from slicewright.study.calibration import Calibration
from slicewright.study.diag9c import pages, slow
from slicewright.study.diag9c.breakdown import MEANINGS
from slicewright.study.diag9c.cases import RELEASES, ROOMY, RUNS, Case, ablations, cases_of, pair
from slicewright.study.diag9c.measure import measured
from slicewright.study.diag9c.pool import Pool
from slicewright.study.diag9c.runs import FORMS, Bench, Job, Judged, aside
from slicewright.study.diag9c.scenario import Constants, scenario
from slicewright.study.ensemble import pages as sets
from slicewright.study.ensemble.beside import marked, spread_of, unjudged
from slicewright.study.ensemble.calibrate import plan_of, search
from slicewright.study.ensemble.members import Ensemble, Sets, shown
from slicewright.study.fit import Tell
from slicewright.study.judge import Judge
from slicewright.study.kept import VARIANT, Estimates, Kept
from slicewright.study.look import Row
from slicewright.study.pages import Blocks
from slicewright.study.points import Budget, Key, Tables, in_turn
from slicewright.study.published import Number, Wanted
from slicewright.study.reproduction import Reproduction, Request
from slicewright.study.spec import Spec
from slicewright.study.study import Study
from slicewright.study.summary import Context, Lines, Paragraphs

SHIPPED = (*(case for run in (*RUNS, ROOMY) for case in pair(run)), RELEASES[0])
"""Whose scenarios are shipped: both runs of every pair, without contention too, and z/VM 5.2."""

SEEN = (
    *(("first", case) for case in (Case("A", "x44"), *pair("C"), Case("X", "x44"), RELEASES[0])),
    *(("adopted", case) for case in (*pair("C"), Case("X", "x44"))),
    *(("intercepts", case) for case in pair("C")),
)
"""A run of every kind of guest, machine, yield, release and form, with the best set."""


class Diag9c(Study):
    """The study: a case is one run of a pair; constants are an ensemble of sets, with each of which it is simulated."""

    name = "diag9c"
    reads = ("control_programs", "guests", "spin_locks")
    layout = Sets()

    def numbers(self, spec: Spec, wanted: Wanted) -> Iterable[Number]:
        """Every number, run by run, then table 3; what table 3 repeats of run E is not listed twice."""
        found = spec.tables
        listed = [number for entry in found["run"] for number in _run(spec, entry)]
        return listed + [
            Number(Place("table3", row, spec.unit(row)), float(value))
            for row, value in found.get("table3", {}).items()
            if row in spec.data["values"]
        ]

    def cases(self, number: Number) -> tuple[Case, ...]:
        """The runs of a number; of a gain the one that is compared with comes first."""
        return cases_of(number)

    def scenario(self, case: Case, constants: Constants, budget: Budget) -> str:
        """A run with one set of constants as a complete scenario file (TOML), measured as the budget says."""
        return scenario(case, constants, budget)

    def measure(self, case: Case, run: Tables, constants: Constants) -> Mapping[Key, float]:
        """The values of one replication."""
        return measured(run)

    def ensemble(self, form: str = "first") -> tuple[Constants, ...]:
        """The sets of the committed ensemble of a form, best first.

        >>> len(STUDY.ensemble())
        8
        """
        return tuple(member.constants for member in self.fitted(form).members)

    def fitted(self, form: str) -> Ensemble:
        """The committed ensemble of a form."""
        found = self.committed(form)
        if not isinstance(found, Ensemble):
            raise TypeError(f"{self.constants_file} holds no ensemble")
        return found

    def calibrate(
        self, folder: Path | None = None, budget: Budget | None = None, tell: Tell = lambda line: None
    ) -> list[Calibration]:
        """The ensembles of all forms, found on the calibration cells alone."""
        return [search(self, plan_of(self.spec(), form), folder, budget, tell) for form in FORMS]

    def made(self, form: str, fits: Mapping[str, Calibration], folder: Path | None) -> Constants:
        """A set of constants as it is."""
        return next(iter(fits.values())).constants

    def residual(self, target: Target, simulated: float) -> float:
        """How far off, in bands: of a rate by the logarithm, so that twice and half are as far.

        >>> from slicewright.study.calibrate import targets
        >>> round(STUDY.residual(targets(STUDY, "first")[0], 119868 * 1.25), 6)
        1.0
        """
        value = target.number.value
        if target.number.place.row.endswith("rate_per_s"):
            # A rate of nothing is as far off as one a thousand times too low.
            return math.log(max(simulated / value, 1e-3)) / math.log(1 + target.scale / value)
        return super().residual(target, simulated)

    def reproduce(self, request: Request) -> Reproduction:
        """Simulate what was published with every set of the committed ensemble and judge every cell by their mean.

        `comparison` has what stands beside the cells: what each set gives (columns `set 1` and so on), where gains
        come from (column `breakdown`), and in full the run without contention and every ablation (columns of their
        names); of the other forms, which are simulated in full alone, with the form's name before that of the table.
        With `ablation` what is taken away is away in `cells`, of which none is judged, and in `comparison` nothing is.
        """
        began = time.perf_counter()
        result: Reproduction = Reproduction(self.name, request.seed, ablation=request.ablation)
        jobs = self.jobs(request)
        for job, (judged, pool) in zip(jobs, _done(jobs, request), strict=True):
            result.points += [point for points in pool.points.values() for point in points]
            for run, cells, beside in judged:
                _add(result, job, cells, beside)
                if run and job.ablation == request.ablation:
                    form = job.bench.judge.form.name
                    request.done(run if form == FORMS[0] else f"{form} {run}", [*cells, *beside])
        for cells in _kept_in(result).values():
            cells[:] = Judge(self, request.folder).in_order(cells) if not request.ablation else cells
        result.wall_s = time.perf_counter() - began
        return result

    def jobs(self, request: Request) -> list[Job]:
        """The simulations of the first form, then those of ablations and other forms, which only a full one has."""

        def bench(form: str, mode: str) -> Bench:
            return Bench(Judge(self, request.folder, form), self.ensemble(form), mode, request.seed)

        mode = "quick" if request.quick else "full"
        first = bench(FORMS[0], mode)
        away = dict.fromkeys(["", request.ablation])
        jobs = [Job(first, tuple(units), ablation) for units in first.groups() for ablation in away]
        if request.quick or request.ablation:
            return jobs
        short = replace(first, mode="short")
        jobs.append(Job(first))
        jobs += [Job(short, tuple(units), ablation) for ablation in ablations() for units in first.groups()]
        for form in FORMS[1:]:
            other = bench(form, mode)
            jobs += [*(Job(other, tuple(units)) for units in other.groups()), Job(other)]
        return jobs

    def judged(self, numbers: Kept) -> Reproduction:
        """Cells of all forms judged again, with the spread over their sets, and the values beside them."""
        # The cells of the other forms are among the other numbers; what is left are the values beside them.
        cells = {number.place.key for number in self.published(self.spec())}
        rest = {
            key: estimate
            for key, estimate in numbers.other.items()
            if key not in cells and not key[0].startswith(VARIANT)
        }
        result: Reproduction = Reproduction(self.name, numbers.seed, comparison=unjudged(rest))
        found = {"first": numbers.own, "adopted": numbers.other, "intercepts": numbers.variant}
        for form, cells_of_form in _kept_in(result).items():
            sets = {cell.place.key: cell.estimate for cell in aside(result.comparison, form)}
            cells_of_form += _spread(Judge(self, form=form), found[form], sets)
        return result

    def shipping(self) -> Mapping[str, tuple[Case, Constants]]:
        """Every run, with the best set."""
        return {f"{case.name}.toml": (case, self.ensemble()[0]) for case in SHIPPED}

    def seen(self) -> Iterable[tuple[Case, Constants]]:
        """A run of every kind, with the best set."""
        return [(case, self.ensemble(form)[0]) for form, case in SEEN]

    def ablated(self, place: Place, ablation: str) -> tuple[str, ...]:
        """A value under an ablation is in the column with the ablation's name."""
        return replace(place, column=ablation).key

    def fields(self, context: Context) -> Mapping[str, Any]:
        """How many sets there are, and how short ablations are beside a full reproduction."""
        short = self.spec().budget("short")
        return {"sets": len(self.ensemble()), "short": f"{short.simulated} after {short.warm_up_s:g} s with each set"}

    def shown(self, part: str) -> str:
        """How many sets there are, and the spans of their constants."""
        sets = self.ensemble(part)
        return f"{len(sets)} sets: {shown(self.spec(), part, sets)}"

    def within(self, run: str, cells: Sequence[Cell]) -> list[Row]:
        """The cells that are judged, or stand for them without something."""
        return [cell for cell in cells if cell.place.row not in MEANINGS and cell.place.column in ("", *self.ablations)]

    def in_run(self, cell: Cell) -> str:
        """The row alone: a column names a value beside the cells of a run."""
        return cell.place.row

    def below(self, run: str, cells: Sequence[Cell]) -> str:
        """Where the gain is from."""
        table = run.rpartition(" ")[2]
        found = (pages.gained(cells, table, ablation) for ablation in ("", *self.ablations))
        return "; ".join(f"gain from: {gained}" for gained in found if gained)

    def called(self, cell: Cell) -> str:
        """A cell, or a part of a gain."""
        place = cell.place
        return f"{place.table}{'   from' * (place.row in MEANINGS)} {place.row.replace('_', ' ')}"

    def said(self) -> Mapping[str, Paragraphs]:
        """Paragraphs that only this summary has."""
        return {"directions": pages.said_directions, "roomy": pages.roomy}

    def lines(self) -> Mapping[str, Lines]:
        """Lists that both pages have."""
        return {"directions": pages.listed_directions}

    def blocks(self) -> Mapping[str, Blocks]:
        """Blocks that only these pages have."""
        return {
            "parts": pages.parts,
            "meant": pages.meant,
            "gains": pages.gains,
            "gains_of_runs": pages.gains_of_runs,
            "slow": slow.table,
            "spread": sets.spread,
            "spans": sets.spans_table,
            "sets": sets.sets_table,
            "fit": sets.fit_table,
        }

    def figures(self, context: Context) -> Iterable[Block]:
        """Gains and DIAGNOSEs of each pair of runs."""
        return pages.picture(context)


STUDY = Diag9c()
"""The study."""


def _run(spec: Spec, own: Mapping[str, Any]) -> Iterable[Number]:
    table = f"run.{own['id']}"
    flat = {f"{part}.{row}": value for part in ("diag44", "diag9c") for row, value in own.get(part, {}).items()}
    for row, value in (flat | dict(own)).items():
        if row in spec.data["values"]:
            yield Number(Place(table, row, spec.unit(row)), float(value))


def _done(jobs: Sequence[Job], request: Request) -> Iterator[tuple[Judged, Pool]]:
    """The results of the jobs in their order; all are simulated side by side, the longest first."""
    weights = [job.weight for job in jobs]
    total = sum(weights) or 1.0
    return in_turn([job.done for job in jobs], lambda done: request.progress(min(1.0, done / total)), weights)


def _add(result: Reproduction, job: Job, cells: list[Cell], beside: list[Cell]) -> None:
    """Put the cells of a run where those of its form stand, and the values beside them."""
    form = job.bench.judge.form.name
    if job.ablation and not result.ablation:
        result.comparison += cells
    elif result.ablation and not job.ablation:
        result.comparison += [*cells, *beside]
    else:
        _kept_in(result)[form] += cells
        result.comparison += beside if form == FORMS[0] else marked(beside, form)


def _kept_in(result: Reproduction) -> dict[str, list[Cell]]:
    """Where the cells of each form stand."""
    return dict(zip(FORMS, (result.cells, result.adopted, result.variant), strict=True))


def _spread(judge: Judge, found: Estimates, sets: Estimates) -> list[Cell]:
    """The cells of a form, with how far its sets are apart."""
    return [replace(cell, spread=spread_of(cell.place, sets)) for cell in judge.kept(found)]

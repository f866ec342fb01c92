"""The ensembles of constants of the DIAGNOSE X'9C' study, from its calibration cells alone.

What is fitted to what was declared before any run to be predicted (docs/decisions/0015-diag9c-study.md); in the variant
to the same cells by the same search (0019-diag9c-intercepts.md).
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from slicewright.study.diag9c.cases import Case, cases_of
from slicewright.study.diag9c.constants import BOUNDS, Calibration, Constants, Fitted, Form, Member, bounds
from slicewright.study.diag9c.judge import Judge
from slicewright.study.diag9c.points import Point, simulate
from slicewright.study.diag9c.published import Number, study_folder
from slicewright.study.diag9c.search import Bounds, Trial, improved
from slicewright.study.fit import DIGITS, Tell, squares
from slicewright.study.points import Budget

TRIAL = Budget(replications=8, most=8, interval_s=0.3, warm_up_s=0.2)
"""What one run of one trial costs: many replications, since each has its own homes and much depends on them."""

COARSE = Budget(replications=2, most=2, interval_s=0.5, warm_up_s=0.2)
"""The same in a first search from every start."""

LOOK = replace(COARSE, replications=1, most=1)
"""What one run of a set costs that is only looked at, to see where to search from."""

JUDGED = "run.H"
"""A run whose rows are judged: by their bands residuals are counted."""

MIDDLE: Constants = {name: float(f"{math.sqrt(low * high):.{DIGITS}g}") for name, (low, high) in BOUNDS.items()}
"""The middle of the first form's bounds, by ratio: constants to try things with."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How many sets are spread over the bounds, how many of them are searched from, and how many ends are kept.

    >>> Plan().keep
    8
    """

    spread: int = 64
    starts: int = 12
    keep: int = 8
    rounds: tuple[int, int] = (2, 1)
    """How often slopes are taken and followed from each start, and then again from each that is kept."""
    seed: int = 1
    form: Form = "first"
    """Whose constants are looked for."""


@dataclass(frozen=True, slots=True)
class Target:
    """A published calibration cell and the width of its band.

    >>> targets()[0].scale
    29967.0
    """

    number: Number
    scale: float

    def residual(self, simulated: float) -> float:
        """How far off, in bands: of a rate by the logarithm, so that twice and half are as far.

        >>> round(targets()[0].residual(119868 * 1.25), 6)
        1.0
        """
        if self.number.place.row.endswith("rate_per_s"):
            # A rate of nothing is as far off as one a thousand times too low.
            ratio = max(simulated / self.number.value, 1e-3)
            return math.log(ratio) / math.log(1 + self.scale / self.number.value)
        return (simulated - self.number.value) / self.scale


def calibrate(
    folder: Path | None = None, budget: Budget = TRIAL, tell: Tell = lambda line: None, plan: Plan | None = None
) -> Calibration:
    """The ensemble, fitted to the calibration cells of the study in `folder`; `tell` hears how far it is.

    >>> len(BOUNDS)
    8
    """
    plan = plan or Plan()
    wanted = targets(folder)
    sets = spread_out(plan.spread, plan.seed, plan.form)
    within = bounds(plan.form)
    looking, coarse, fine = (_Bench(wanted, how, tell, within) for how in (LOOK, COARSE, budget))
    looked = sorted((looking.trial(one) for one in sets), key=lambda one: one.misfit)
    starts = [coarse.trial(one.constants) for one in looked[: plan.starts]]
    found = sorted((coarse.searched(one, plan.rounds[0]) for one in starts), key=lambda one: one.misfit)
    again = [fine.searched(fine.trial(one.constants), plan.rounds[1]) for one in found[: plan.keep]]
    kept = sorted((fine.member(one) for one in again), key=lambda one: one.misfit)
    return calibration(kept, wanted, budget, plan)


def targets(folder: Path | None = None) -> list[Target]:
    """The calibration cells; no other number is looked at.

    >>> sorted({one.number.place.table for one in targets()}), len(targets())
    (['run.A', 'run.B', 'run.C', 'run.E'], 16)
    """
    judge = Judge(folder or study_folder())
    own = [one for one in judge.published if judge.ruling(one).role == "calibrated"]
    return [Target(one, _width(judge, one)) for one in own]


def spread_out(count: int, seed: int, form: Form = "first") -> list[Constants]:
    """So many sets spread evenly over the bounds, in logarithms: each constant once in each of as many parts.

    McKay, Beckman and Conover, Technometrics 21 (1979): Latin hypercube sampling.

    >>> [len(one) for one in spread_out(3, 1)]
    [8, 8, 8]
    """
    draw = random.Random(seed)
    columns = {}
    for name, (low, high) in bounds(form).items():
        order = list(range(count))
        draw.shuffle(order)
        shares = [(at + draw.random()) / count for at in order]
        columns[name] = [float(f"{low * (high / low) ** share:.{DIGITS}g}") for share in shares]
    return [{name: column[at] for name, column in columns.items()} for at in range(count)]


def member(constants: Constants, wanted: Iterable[Target], budget: Budget) -> Member:
    """A set with what the calibration cells are at it, and its misfit.

    >>> member(MIDDLE, targets()[:4], Budget(1, 1, 1, 0.0)).misfit > 0
    True
    """
    points: dict[Case, Point] = {}
    simulated, residuals = [], []
    for one in wanted:
        (case,) = cases_of(one.number)
        if case not in points:
            points[case] = simulate(case, constants, budget)
        simulated.append(points[case].estimate(one.number.place.row).mean)
        residuals.append(one.residual(simulated[-1]))
    return Member(constants, float(f"{squares(residuals):.6g}"), tuple(simulated))


def calibration(members: list[Member], wanted: list[Target], budget: Budget, plan: Plan) -> Calibration:
    """The ensemble with the means of its calibration cells and where it comes from.

    >>> made = calibration([Member(MIDDLE, 1.0, (2.0,) * 16)], targets(), TRIAL, Plan())
    >>> made.simulated("run.A", "diag44.pldv_queue")
    2.0
    """
    from slicewright._core import __version__

    seen = []
    for at, one in enumerate(wanted):
        mean = math.fsum(own.simulated[at] for own in members) / len(members)
        seen.append(
            Fitted(one.number.place.table, one.number.place.row, one.number.value, one.scale, float(f"{mean:.7g}"))
        )
    provenance = {
        "study": "diag9c",
        "version": __version__,
        "seed": budget.seed,
        "simulated": f"{budget.simulated} after {budget.warm_up_s:g} s; {plan.spread} sets spread, "
        f"{plan.starts} searched from, {plan.keep} kept",
    }
    return Calibration(tuple(members), tuple(seen), provenance, plan.form)


@dataclass(frozen=True, slots=True)
class _Bench:
    """What trials are made with, and who hears of them."""

    wanted: list[Target]
    budget: Budget
    tell: Tell
    within: Bounds

    def trial(self, constants: Constants) -> Trial:
        """A set tried, and told."""
        own = member(constants, self.wanted, self.budget)
        pairs = zip(self.wanted, own.simulated, strict=True)
        self.tell(", ".join(f"{name} {value:g}" for name, value in constants.items()) + f": {own.misfit:.4g}")
        return Trial(constants, tuple(one.residual(value) for one, value in pairs))

    def searched(self, start: Trial, rounds: int) -> Trial:
        """The end of a search from a set."""
        for _ in range(rounds):
            start = improved(start, lambda constants: self.trial(constants).residuals, self.within)
        return start

    def member(self, trial: Trial) -> Member:
        """A set of the ensemble."""
        return member(trial.constants, self.wanted, self.budget)


def _width(judge: Judge, number: Number) -> float:
    """The band that the row has where it is judged."""
    return judge.bands.ruling(JUDGED, number.place.row).band.width(number.value)

"""The ensemble of constants of the DIAGNOSE X'9C' study, from its calibration cells alone.

It leaves out every other cell: a copy of the published numbers without them gives the same constants.  What is fitted
to what was declared before any run to be predicted: docs/decisions/0015-diag9c-study.md.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from slicewright.study.diag9c.cases import Case, cases_of
from slicewright.study.diag9c.constants import BOUNDS, Calibration, Constants, Fitted, Member
from slicewright.study.diag9c.judge import Judge
from slicewright.study.diag9c.points import Point, simulate
from slicewright.study.diag9c.published import Number, study_folder
from slicewright.study.fit import DIGITS, Search, Tell, least_squares, squares
from slicewright.study.points import Budget

TRIAL = Budget(replications=4, most=4, interval_s=1, warm_up_s=0.3)
"""What one run of one trial costs: several replications, since each has its own homes."""

LOOK = Budget(replications=1, most=1, interval_s=1, warm_up_s=0.3)
"""What one run of a set costs that is only looked at, to see where to search from."""

JUDGED = "run.H"
"""A run whose rows are judged: by their bands residuals are counted."""

MIDDLE: Constants = {name: float(f"{math.sqrt(low * high):.{DIGITS}g}") for name, (low, high) in BOUNDS.items()}
"""The middle of the bounds, by ratio: constants to try things with."""

STEP = 0.15
"""By which part a constant grows for a slope: coarse beside noise."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How many sets are spread over the bounds, how many of them are searched from, and how many ends are kept.

    >>> Plan().keep
    8
    """

    spread: int = 64
    starts: int = 12
    keep: int = 8
    rounds: int = 2
    """How often slopes are taken anew in one search."""
    trials: int = 4
    """Points of one round at most, slopes apart."""
    seed: int = 1


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
    sets = spread_out(plan.spread, plan.seed)
    seen = sorted((_told(member(one, wanted, LOOK), tell) for one in sets), key=lambda one: one.misfit)
    ends = [_searched(one.constants, wanted, budget, (tell, plan)) for one in seen[: plan.starts]]
    kept = sorted(ends, key=lambda one: one.misfit)[: plan.keep]
    return calibration(kept, wanted, budget, plan)


def targets(folder: Path | None = None) -> list[Target]:
    """The calibration cells; no other number is looked at.

    >>> sorted({one.number.place.table for one in targets()}), len(targets())
    (['run.A', 'run.B', 'run.C', 'run.E'], 16)
    """
    judge = Judge(folder or study_folder())
    own = [one for one in judge.published if judge.ruling(one).role == "calibrated"]
    return [Target(one, _width(judge, one)) for one in own]


def spread_out(count: int, seed: int) -> list[Constants]:
    """So many sets spread evenly over the bounds, in logarithms: each constant once in each of as many parts.

    McKay, Beckman and Conover, Technometrics 21 (1979): Latin hypercube sampling.

    >>> [len(one) for one in spread_out(3, 1)]
    [8, 8, 8]
    """
    draw = random.Random(seed)
    columns = {}
    for name, (low, high) in BOUNDS.items():
        order = list(range(count))
        draw.shuffle(order)
        shares = [(at + draw.random()) / count for at in order]
        columns[name] = [float(f"{low * (high / low) ** share:.{DIGITS}g}") for share in shares]
    return [{name: column[at] for name, column in columns.items()} for at in range(count)]


def member(trial: Constants, wanted: Iterable[Target], budget: Budget) -> Member:
    """A set with what the calibration cells are at it, and its misfit.

    >>> member(MIDDLE, targets()[:4], Budget(1, 1, 1, 0.0)).misfit > 0
    True
    """
    points: dict[Case, Point] = {}
    simulated, residuals = [], []
    for one in wanted:
        (case,) = cases_of(one.number)
        if case not in points:
            points[case] = simulate(case, trial, budget)
        simulated.append(points[case].estimate(one.number.place.row).mean)
        residuals.append(one.residual(simulated[-1]))
    return Member(trial, squares(residuals), tuple(simulated))


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
    return Calibration(tuple(members), tuple(seen), provenance)


def _searched(start: Constants, wanted: list[Target], budget: Budget, how: tuple[Tell, Plan]) -> Member:
    """The end of a search from a set: what fits best there, slopes included, as noise may lead the search past it."""
    tell, plan = how
    seen: list[Member] = []

    def residuals(trial: dict[str, float]) -> list[float]:
        own = {name: float(f"{value:.{DIGITS}g}") for name, value in trial.items()}
        seen.append(member(own, wanted, budget))
        return [one.residual(value) for one, value in zip(wanted, seen[-1].simulated, strict=True)]

    least, most = ({name: ends[at] for name, ends in BOUNDS.items()} for at in (0, 1))
    steps = dict.fromkeys(BOUNDS, STEP)
    for _ in range(plan.rounds):
        search = Search(start, steps, most, once=True, ratio=True, least=least, trials=plan.trials)
        least_squares(search, residuals, tell)
        inside = (one for one in seen if all(least[name] <= one.constants[name] <= most[name] for name in BOUNDS))
        start = min(inside, key=lambda one: one.misfit).constants
    best = next(one for one in seen if one.constants == start)
    return replace(best, misfit=float(f"{best.misfit:.6g}"))


def _told(one: Member, tell: Tell) -> Member:
    tell(", ".join(f"{name} {value:g}" for name, value in one.constants.items()) + f": {one.misfit:.4g}")
    return one


def _width(judge: Judge, number: Number) -> float:
    """The band that the row has where it is judged."""
    return judge.bands.ruling(JUDGED, number.place.row).band.width(number.value)

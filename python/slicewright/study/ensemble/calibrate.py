"""The search for the ensemble of a form: sets spread over its bounds, searched from, and kept.

It sees the calibration cells alone.  It was declared for the study of DIAGNOSE X'9C' before any run to be predicted
(docs/decisions/0015-diag9c-study.md); other ensembles are found by the same search.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from slicewright.study.calibrate import Target, targets
from slicewright.study.calibration import Calibration
from slicewright.study.ensemble.members import Ensemble, Member, Set, bounds, together
from slicewright.study.ensemble.search import Trial, improved
from slicewright.study.fit import DIGITS, Tell, squares
from slicewright.study.points import Budget, Point, Progress, side_by_side
from slicewright.study.spec import Spec

if TYPE_CHECKING:
    from slicewright.study.study import Study

T = TypeVar("T")


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
    form: str = "first"
    """The form whose constants the search fits."""


def plan_of(spec: Spec, form: str) -> Plan:
    """The search of a form: with the numbers that it declares, the usual ones where it declares none.

    >>> diag9c = Spec.read("diag9c")
    >>> plan_of(diag9c, "first").starts, plan_of(diag9c, "adopted").starts
    (12, 8)
    """
    declared = spec.data["forms"][form]
    own = {name: declared[name] for name in ("spread", "starts", "keep") if name in declared}
    return Plan(form=form, rounds=tuple(declared.get("rounds", Plan().rounds)), **own)


def search(
    study: Study, plan: Plan, folder: Path | None = None, budget: Budget | None = None, tell: Tell = lambda line: None
) -> Ensemble:
    """The ensemble of a form, fitted to the calibration cells in `folder`; `tell` hears how far it is.

    With `budget`, the fit itself simulates as much of every run.  Searches run side by side, which changes no result.
    """
    spec, wanted = study.spec(folder), targets(study, plan.form, folder)
    look, coarse = (Bench(study, plan.form, wanted, mode, tell=tell) for mode in ("look", "coarse"))
    fine = Bench(study, plan.form, wanted, "fit", budget, tell)
    looked = _each(look.trial, spread_out(spec, plan))
    best = sorted(looked, key=lambda trial: trial.misfit)[: plan.starts]
    starts = _each(coarse.trial, [start.constants for start in best])
    ends = _each(partial(coarse.searched, rounds=plan.rounds[0]), starts)
    kept = sorted(ends, key=lambda trial: trial.misfit)[: plan.keep]
    again = _each(fine.trial, [end.constants for end in kept])
    found = _each(partial(fine.searched, rounds=plan.rounds[1]), again)
    members = sorted(_each(fine.member, [trial.constants for trial in found]), key=lambda member: member.misfit)
    return together(plan.form, members, wanted, _provenance(spec, plan, budget))


def _each(simulate: Callable[[Any], T], over: Sequence[Any]) -> list[T]:
    """The results of simulations side by side, in order."""

    def simulation(what: Any) -> Callable[[Progress], T]:
        return lambda progress: simulate(what)

    return side_by_side(list(map(simulation, over)))


def spread_out(spec: Spec, plan: Plan) -> list[Set]:
    """Sets spread evenly over the bounds, in logarithms: each constant once in each of `plan.spread` parts.

    McKay, Beckman and Conover, Technometrics 21 (1979): Latin hypercube sampling.

    >>> [len(spread) for spread in spread_out(Spec.read("diag9c"), Plan(spread=3))]
    [8, 8, 8]
    """
    draw, count = random.Random(plan.seed), plan.spread
    columns = {}
    for name, (low, high) in bounds(spec, plan.form).items():
        order = list(range(count))
        draw.shuffle(order)
        shares = [(at + draw.random()) / count for at in order]
        columns[name] = [float(f"{low * (high / low) ** share:.{DIGITS}g}") for share in shares]
    return [{name: column[at] for name, column in columns.items()} for at in range(count)]


@dataclass(frozen=True, slots=True)
class Bench:
    """The targets of a form, and how much of their runs is simulated to try a set."""

    study: Study
    form: str
    wanted: Sequence[Target]
    mode: str
    budget: Budget | None = None
    """In place of the budgets that the study declares for the mode."""
    tell: Tell = lambda line: None

    def trial(self, constants: Mapping[str, float]) -> Trial:
        """Try a set on the cells that the search is fitted to, and report it."""
        used = [target for target in self.wanted if target.used]
        values, _ = self._simulated(constants, used)
        found = Trial(constants, self._residuals(used, values))
        self.tell(", ".join(f"{name} {value:g}" for name, value in constants.items()) + f": {found.misfit:.4g}")
        return found

    def searched(self, start: Trial, rounds: int) -> Trial:
        """The end of a search from a set."""
        for _ in range(rounds):
            within = bounds(self.study.spec(), self.form)
            start = improved(start, lambda constants: self.trial(constants).residuals, within)
        return start

    def member(self, constants: Mapping[str, float]) -> Member:
        """A set with what every calibration cell is at it, and its misfit.

        >>> from slicewright.study.studies import named
        >>> study = named("diag9c")
        >>> bench = Bench(study, "first", targets(study, "first")[:4], "fit", Budget(1, 1, 1, 0.0))
        >>> bench.member(study.ensemble()[0]).misfit > 0
        True
        """
        values, scales = self._simulated(constants, self.wanted)
        pairs = [(target, value) for target, value in zip(self.wanted, values, strict=True) if target.used]
        residuals = self._residuals([target for target, _ in pairs], [value for _, value in pairs])
        return Member(constants, float(f"{squares(list(residuals)):.6g}"), tuple(values), scales)

    def _residuals(self, wanted: Sequence[Target], values: Sequence[float]) -> tuple[float, ...]:
        return tuple(self.study.residual(target, value) for target, value in zip(wanted, values, strict=True))

    def _simulated(
        self, constants: Mapping[str, float], wanted: Sequence[Target]
    ) -> tuple[list[float], Mapping[str, float]]:
        """The values of targets at a set, and scales that were found with them."""
        made = self.study.made(self.form, {self.form: Calibration(self.form, constants)}, None)
        numbers = [target.number for target in wanted]
        points: dict[Any, Point] = {}
        for number in numbers:
            for case in self.study.trial_cases(self.form, number):
                if case not in points:
                    own = self.budget or self.study.budget(case, self.mode)
                    points[case] = self.study.simulate(case, made, own)
        tried = self.study.tried(self.form, numbers, points)
        return [tried.simulated[number] for number in numbers], tried.scales


def _provenance(spec: Spec, plan: Plan, budget: Budget | None) -> dict[str, Any]:
    from slicewright._core import __version__

    own = budget or spec.budget("fit", spec.data["fit"].get("kind", ""))
    return {
        "study": spec.name,
        "version": __version__,
        "seed": own.seed,
        "simulated": f"{own.simulated} after {own.warm_up_s:g} s; {plan.spread} sets spread, "
        f"{plan.starts} searched from, {plan.keep} kept",
    }

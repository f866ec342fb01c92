"""The ensembles of constants, one a form: found on the calibration cells alone, and the file that `calibrate` writes.

The search fits to cells declared before any run to be predicted (docs/decisions/0015-diag9c-study.md). The other
forms are fitted to the same cells by the same search (0019-diag9c-intercepts.md, 0046-diag9c-cycles-caches-network.md).
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slicewright.study.calibrate import Target, targets
from slicewright.study.calibration import Calibration, Fitted, Layout, cells, fitted, origin
from slicewright.study.diag9c.cases import Case, cases_of
from slicewright.study.diag9c.scenario import Constants
from slicewright.study.diag9c.search import Bounds, Trial, improved
from slicewright.study.fit import DIGITS, Tell, squares
from slicewright.study.points import Budget, Point
from slicewright.study.spec import Spec

if TYPE_CHECKING:
    from slicewright.study.diag9c.study import Diag9c


def bounds(form: str = "first") -> dict[str, tuple[float, float]]:
    """The constants of a form and their bounds.

    >>> list(bounds("intercepts"))[-1], len(bounds())
    ('intercepted', 8)
    """
    listed = Spec.read("diag9c").part(form).constants.values()
    return {
        constant.name: (constant.low, constant.high)
        for constant in listed
        if constant.low is not None and constant.high is not None
    }


MIDDLE: Constants = {name: float(f"{math.sqrt(low * high):.{DIGITS}g}") for name, (low, high) in bounds().items()}
"""The middle of the first form's bounds, by ratio: constants to try things with."""


@dataclass(frozen=True, slots=True)
class Member:
    """One set of the ensemble, its misfit (the sum of squared residuals), and the calibration cells that it gives."""

    constants: Constants
    misfit: float
    simulated: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Ensemble(Calibration):
    """The fit of a form: the sets, best first; `cells` are means over them."""

    members: tuple[Member, ...] = ()


class Sets(Layout):
    """The file of constants: the cells seen and each set, of the first form without a name."""

    def head(self, spec: Spec) -> list[str]:
        """The comments at the head of the file, with a line for each constant."""
        about = spec.part(spec.first).constants.values()
        return [*super().head(spec), *(f"{constant.name}: {constant.unit}, {constant.meaning}." for constant in about)]

    def lines(self, spec: Spec, found: Calibration) -> list[str]:
        """The lines of a form."""
        within, lines = "", []
        if found.part != spec.first:
            within = f"{found.part}."
            part, first = spec.part(found.part), spec.part(spec.first).constants
            own = [each for name, each in part.constants.items() if name not in first]
            lines = ["", f"# {part.meaning}", *(f"# {each.name}: {each.unit}, {each.meaning}." for each in own)]
            lines.append(f"[{found.part}]")
        lines += cells(found.cells, spec.data["calibrated"]["fields"])
        for member in found.members if isinstance(found, Ensemble) else ():
            lines += ["", f"[[{within}set]]", f"misfit = {member.misfit:.6g}"]
            lines += [f"{name} = {member.constants[name]!r}" for name in bounds(found.part)]
            lines.append(f"simulated = [{', '.join(f'{value:.7g}' for value in member.simulated)}]")
        return lines

    def parse(self, spec: Spec, document: Mapping[str, Any], name: str) -> Ensemble:
        """One form of a file that was read."""
        found = document if name == spec.first else document[name]
        members = tuple(
            Member(
                {bound: float(entry[bound]) for bound in bounds(name)},
                entry["misfit"],
                tuple(map(float, entry["simulated"])),
            )
            for entry in found["set"]
        )
        return Ensemble(name, {}, fitted(found["cell"]), origin(document), members=members)


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


def plan_of(form: str) -> Plan:
    """The search of a form: as many starting points as it declares, the usual number where it declares none.

    >>> plan_of("first").starts, plan_of("adopted").starts
    (12, 8)
    """
    declared = Spec.read("diag9c").data["forms"][form]
    return Plan(form=form, starts=declared.get("starts", Plan().starts))


def residual(target: Target, simulated: float) -> float:
    """How far off, in bands: of a rate by the logarithm, so that twice and half are as far.

    >>> from slicewright.study.diag9c.study import STUDY
    >>> round(residual(targets(STUDY, "first")[0], 119868 * 1.25), 6)
    1.0
    """
    value = target.number.value
    if target.number.place.row.endswith("rate_per_s"):
        # A rate of nothing is as far off as one a thousand times too low.
        return math.log(max(simulated / value, 1e-3)) / math.log(1 + target.scale / value)
    return (simulated - value) / target.scale


def search(study: Diag9c, folder: Path | None, budget: Budget | None, tell: Tell, plan: Plan | None = None) -> Ensemble:
    """The ensemble of a form, fitted to the calibration cells in `folder`; `tell` hears how far it is."""
    plan = plan or Plan()
    wanted = targets(study, plan.form, folder)
    sets = spread_out(plan.spread, plan.seed, plan.form)
    fine_budget = budget or trial_budget("fit")
    looking, coarse, fine = (
        _Bench(study, wanted, how, tell, bounds(plan.form))
        for how in (trial_budget("look"), trial_budget("coarse"), fine_budget)
    )
    looked = sorted((looking.trial(set_) for set_ in sets), key=lambda one: one.misfit)
    starts = [coarse.trial(candidate.constants) for candidate in looked[: plan.starts]]
    found = sorted((coarse.searched(start, plan.rounds[0]) for start in starts), key=lambda one: one.misfit)
    again = [fine.searched(fine.trial(candidate.constants), plan.rounds[1]) for candidate in found[: plan.keep]]
    kept = sorted((fine.member(candidate) for candidate in again), key=lambda one: one.misfit)
    return together(kept, wanted, fine_budget, plan)


def trial_budget(mode: str) -> Budget:
    """What one run of one trial costs: a look, a coarse search, or the fit itself.

    >>> trial_budget("look").replications
    1
    """
    return Spec.read("diag9c").budget(mode)


def spread_out(count: int, seed: int, form: str = "first") -> list[Constants]:
    """Sets (`count` of them) spread evenly over the bounds, in logarithms: each constant once in each of `count` parts.

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


def member(study: Diag9c, constants: Constants, wanted: Iterable[Target], budget: Budget) -> Member:
    """A set with what the calibration cells are at it, and its misfit.

    >>> from slicewright.study.diag9c.study import STUDY
    >>> member(STUDY, MIDDLE, targets(STUDY, "first")[:4], Budget(1, 1, 1, 0.0)).misfit > 0
    True
    """
    points: dict[Case, Point] = {}
    simulated, residuals = [], []
    for target in wanted:
        (case,) = cases_of(target.number)
        if case not in points:
            points[case] = study.simulate(case, constants, budget)
        simulated.append(points[case].estimate(target.number.place.row).mean)
        residuals.append(residual(target, simulated[-1]))
    return Member(constants, float(f"{squares(residuals):.6g}"), tuple(simulated))


def together(members: Sequence[Member], wanted: Sequence[Target], budget: Budget, plan: Plan) -> Ensemble:
    """The ensemble with the means of its calibration cells and where it comes from.

    >>> from slicewright.study.diag9c.study import STUDY
    >>> made = together([Member(MIDDLE, 1.0, (2.0,) * 16)], targets(STUDY, "first"), trial_budget("fit"), Plan())
    >>> made.cells[0].simulated
    2.0
    """
    from slicewright._core import __version__

    seen = []
    for at, target in enumerate(wanted):
        mean = math.fsum(solution.simulated[at] for solution in members) / len(members)
        place = target.number.place
        seen.append(Fitted(place.table, place.row, target.number.value, target.scale, float(f"{mean:.7g}")))
    provenance = {
        "study": "diag9c",
        "version": __version__,
        "seed": budget.seed,
        "simulated": f"{budget.simulated} after {budget.warm_up_s:g} s; {plan.spread} sets spread, "
        f"{plan.starts} searched from, {plan.keep} kept",
    }
    return Ensemble(plan.form, {}, tuple(seen), provenance, members=tuple(members))


def spans(members: Sequence[Constants]) -> dict[str, tuple[float, float]]:
    """The least and the largest value of each constant over some sets.

    >>> spans([{"hold": 2.0}, {"hold": 1.0}])
    {'hold': (1.0, 2.0)}
    """
    names = members[0] if members else {}
    return {
        name: (min(constants[name] for constants in members), max(constants[name] for constants in members))
        for name in names
    }


def shown(members: Sequence[Constants]) -> str:
    """The spans of constants in words, with their units.

    >>> shown([{"hold": 2.5}, {"hold": 1.0}])
    'hold 1 to 2.5 us'
    """
    units = Spec.read("diag9c").data["constants"]
    named = spans(members).items()
    return ", ".join(f"{name} {low:.4g} to {high:.4g} {units[name]['unit']}" for name, (low, high) in named)


@dataclass(frozen=True, slots=True)
class _Bench:
    """The targets, budget and progress with which trials are simulated."""

    study: Diag9c
    wanted: list[Target]
    budget: Budget
    tell: Tell
    within: Bounds

    def trial(self, constants: Constants) -> Trial:
        """Try a set, and report it."""
        own = member(self.study, constants, self.wanted, self.budget)
        pairs = zip(self.wanted, own.simulated, strict=True)
        self.tell(", ".join(f"{name} {value:g}" for name, value in constants.items()) + f": {own.misfit:.4g}")
        return Trial(constants, tuple(residual(target, value) for target, value in pairs))

    def searched(self, start: Trial, rounds: int) -> Trial:
        """The end of a search from a set."""
        for _ in range(rounds):
            start = improved(start, lambda constants: self.trial(constants).residuals, self.within)
        return start

    def member(self, trial: Trial) -> Member:
        """A set of the ensemble."""
        return member(self.study, trial.constants, self.wanted, self.budget)

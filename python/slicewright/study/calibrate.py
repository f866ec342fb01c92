"""The constants of a study found again, by least squares on its calibration cells alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from slicewright.study.calibration import Calibration, Fitted
from slicewright.study.fit import Search, Tell, least_squares, squares
from slicewright.study.judge import Judge
from slicewright.study.points import Budget, Point
from slicewright.study.published import Number
from slicewright.study.spec import Part, Spec, moved

if TYPE_CHECKING:
    from slicewright.study.study import Study

SIMULATED = "{0.simulated} after {0.warm_up_s:g} s"
"""The amount of simulation as the file of constants reports it, unless a study declares another form."""

UNBANDED = 0.05
"""What a residual is counted in where its row has no band anywhere: a share of the published number."""


@dataclass(frozen=True, slots=True)
class Target:
    """A published calibration cell, what its residual is counted in, and whether the search is fitted to it.

    >>> from slicewright.study.studies import named
    >>> targets(named("hyperpav"), "sharing")[3].scale
    0.4
    """

    number: Number
    scale: float
    used: bool

    def fitted(self, simulated: float) -> Fitted:
        """The cell as it is at some constants."""
        place = self.number.place
        return Fitted(place.table, place.row, self.number.value, self.scale, simulated, self.used, place.column)


class Terms(NamedTuple):
    """The folder and budget of a fit, where they are not the shipped folder and the declared budget."""

    folder: Path | None = None
    budget: Budget | None = None


@dataclass(frozen=True, slots=True)
class Trial:
    """What some constants give: each target as simulated, the points, and scales that were found with them."""

    simulated: Mapping[Number, float]
    points: Mapping[Any, Point]
    scales: Mapping[str, float]


def calibrate(
    study: Study, folder: Path | None = None, budget: Budget | None = None, tell: Tell = lambda line: None
) -> list[Calibration]:
    """Every part of a study fitted to the calibration cells in `folder`; `tell` hears one line per iteration.

    Raises InputError when published data cannot be read.
    """
    return [fit(study, part, folder, budget, tell) for part in study.parts]


def fit(study: Study, part: str, folder: Path | None, budget: Budget | None, tell: Tell) -> Calibration:
    """One part fitted: the constants at which the residuals of the used cells are least."""
    spec = study.spec(folder)
    wanted = targets(study, part, folder)
    used = [target for target in wanted if target.used]

    def residuals(constants: dict[str, float]) -> list[float]:
        return _residuals(study, used, evaluate(study, part, constants, used, Terms(folder, budget)))

    named = f"{part}: " if len(study.parts) > 1 else ""
    found = least_squares(search(spec, part), residuals, lambda line: tell(f"{named}{line}"))
    whole = spec.part(part).constants
    constants = {name: float(round(value)) if whole[name].whole else value for name, value in found.items()}
    return calibration(study, part, constants, Terms(folder, budget), wanted)


def targets(study: Study, part: str, folder: Path | None = None) -> list[Target]:
    """The calibration cells of a part; no other number is looked at.

    >>> from slicewright.study.studies import named
    >>> sorted({target.number.place.table for target in targets(named("hyperpav"), "sharing")})
    ['Y032180H', 'Y032182H']
    """
    judge = Judge(study, folder)
    own = judge.spec.part(part)
    wanted = [number for number in study.calibrated(judge.spec) if study.belongs(part, number.place)]
    return [Target(number, _scale(judge, number), own.uses(number.place)) for number in wanted]


def evaluate(
    study: Study,
    part: str,
    constants: Mapping[str, float],
    wanted: Iterable[Target],
    terms: Terms,
) -> Trial:
    """The targets, simulated with these constants and with the random numbers of every other trial."""
    folder, budget = terms
    wanted = list(wanted)
    made = study.made(study.spec(folder).form_of(part).name, {part: Calibration(part, constants)}, folder)
    points: dict[Any, Point] = {}
    for target in wanted:
        for case in study.trial_cases(part, target.number):
            if case not in points:
                own = study.budget(case, "fit")
                points[case] = study.simulate(case, made, own if budget is None else _as_long(budget, own, study))
    return study.tried(part, [target.number for target in wanted], points)


def calibration(
    study: Study,
    part: str,
    constants: Mapping[str, float],
    terms: Terms,
    wanted: Iterable[Target] | None = None,
) -> Calibration:
    """The calibration cells of a part, simulated with these constants, with their origin."""
    from slicewright._core import __version__

    folder, budget = terms
    wanted = targets(study, part, folder) if wanted is None else list(wanted)
    trial = evaluate(study, part, constants, wanted, terms)
    spec = study.spec(folder)
    own = budget or usual(spec)
    provenance: dict[str, Any] = {
        "study": study.name,
        "version": __version__,
        "seed": own.seed,
        "simulated": spec.data["fit"].get("simulated", SIMULATED).format(own),
    }
    if spec.data["fit"].get("checksums"):
        provenance["scenarios"] = {
            study.trial_name(target.number): trial.points[case].checksum
            for target in wanted
            for case in study.trial_cases(part, target.number)
        }
    seen = tuple(target.fitted(trial.simulated[target.number]) for target in wanted)
    return Calibration(part, dict(constants), seen, provenance, trial.scales)


def misfit(study: Study, part: str, constants: Mapping[str, float], budget: Budget) -> float:
    """The sum of squared residuals at these constants: what the fit makes as small as it can."""
    used = [target for target in targets(study, part) if target.used]
    return squares(_residuals(study, used, evaluate(study, part, constants, used, Terms(budget=budget))))


def search(spec: Spec, part: str) -> Search:
    """Where the search of a part starts, and its steps.

    >>> search(Spec.read("hyperpav"), "sharing").start["think"]
    0.2
    """
    own: Part = spec.part(part)
    how = spec.data["fit"]
    start = {name: constant.start for name, constant in own.constants.items()}
    step = {name: constant.step for name, constant in own.constants.items()}
    most = {name: constant.high for name, constant in own.constants.items() if constant.high is not None}
    return Search(start, step, most, once=how.get("once", False), ratio=how.get("ratio", False))


def _residuals(study: Study, used: Iterable[Target], trial: Trial) -> list[float]:
    return [study.residual(target, trial.simulated[target.number]) for target in used]


def _scale(judge: Judge, number: Number) -> float:
    """The rounding of the print, or the band of the row where it is judged, as `residual` declares."""
    judged = moved(judge.spec.rules("residual"), number.place)
    if judged is None:
        return number.rounding
    place, _ = judged
    band = judge.bands.ruling(place.table, place.row, place.column).band
    return band.width(number.value) or UNBANDED * abs(number.value)


def usual(spec: Spec) -> Budget:
    """How much of one run of a trial is simulated, but for kinds of runs that are longer.

    >>> usual(Spec.read("hyperpav")).interval_s
    30
    """
    return spec.budget("fit", spec.data["fit"].get("kind", ""))


def _as_long(budget: Budget, longer: Budget, study: Study) -> Budget:
    """A trial's budget where another one is asked for: longer in proportion for the kinds of runs that are."""
    return replace(budget, interval_s=budget.interval_s * (longer.interval_s // usual(study.spec()).interval_s))

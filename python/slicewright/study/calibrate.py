"""The constants of a study found again from its calibration cells alone, and the file that `calibrate` writes of them.

A part has one set of constants, found by least squares.  Where its constants have bounds, it has an ensemble of sets.
They are spread over these bounds, searched from, and kept (declared in docs/decisions/0015-diag9c-study.md).
"""

from __future__ import annotations

import math
import random
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import structs

from slicewright.results.judge import Place
from slicewright.study.points import Budget, Point, Progress, side_by_side
from slicewright.study.spec import Constant, Number, Part, Spec, matched, moved

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slicewright.study.study import Study

    Vector = NDArray[np.float64]

T = TypeVar("T")
Set = Mapping[str, float]
"""One set of constants: a value by each name."""

Tell = Callable[[str], None]
"""Hears one line per iteration of a search."""

DIGITS = 4
"""Significant digits that are kept of a constant."""

UNBANDED = 0.05
"""What a residual is counted in where its row has no band anywhere: a share of the published number."""

STEP = 0.15
"""What a logarithm grows by for a slope in the search for an ensemble: coarse beside noise."""

FARTHEST = 0.6
"""The most that a logarithm changes in one step there: a constant at most by a factor of 1.8."""

DAMPINGS = (0.3, 3.0, 30.0)
"""How far steps are damped that are tried from one set of slopes; the least damped goes farthest."""

ORIGIN = ("study", "version", "seed", "simulated")
"""The origin of a fit in the head of its file: study, version of slicewright, seed, amount of simulation."""


@dataclass(frozen=True, slots=True)
class Constants:
    """The constants of a form by name, by part and name where it has several parts.

    `scales` turn simulated work into a published rate, by table.  `folder` is that of a copy of the published numbers.
    """

    form: str
    of: Mapping[str, Any]
    scales: Set = field(default_factory=dict)
    folder: Path | None = None

    def __getitem__(self, name: str) -> float:
        return float(self.of[name])

    def scale(self, table: str) -> float:
        """The scale of a table; 1 where none was fitted.

        >>> Constants("first", {}, {"figure3": 20.0}).scale("figure3")
        20.0
        """
        return self.scales.get(table.partition(".")[0], 1.0)


@dataclass(frozen=True, slots=True)
class Fitted:
    """A calibration cell at the fitted constants; `used` says whether the search was fitted to it.

    `scale` is what its residual is counted in: what the print leaves open, or the band of its row.

    >>> Fitted("Y032180H", "service_ms", 1.25, 0.05, 1.275).residual
    0.5
    """

    table: str
    row: str
    published: float
    scale: float
    simulated: float
    used: bool = True
    column: str = ""

    @property
    def residual(self) -> float:
        """How far off, in units of the scale."""
        return round((self.simulated - self.published) / self.scale, 9)

    @property
    def rounding(self) -> float:
        """The scale by the name that a file has for it where it is what the print leaves open."""
        return self.scale

    @property
    def key(self) -> tuple[str, ...]:
        """Table, row and, where there is one, column."""
        return Place(self.table, self.row, "", self.column).key


@dataclass(frozen=True, slots=True)
class Member:
    """One set of an ensemble, its misfit (the sum of squared residuals), and the calibration cells that it gives."""

    constants: Set
    misfit: float
    simulated: tuple[float, ...]
    scales: Set = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Calibration:
    """One fit: its constants, the cells that it saw, and what produced it; of an ensemble its sets, best first.

    The cells of an ensemble are means over its sets.
    """

    part: str
    constants: Set
    cells: tuple[Fitted, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    scales: Set = field(default_factory=dict)
    members: tuple[Member, ...] = ()


def made(spec: Spec, form: str, fits: Mapping[str, Calibration], folder: Path | None = None) -> Constants:
    """The constants of a form from what was fitted of it."""
    parts = spec.forms[form].parts
    if len(parts) > 1:
        return Constants(form, {part: fits[part].constants for part in parts if part in fits}, folder=folder)
    return Constants(form, fits[parts[0]].constants, fits[parts[0]].scales, folder)


# Targets and trials.


@dataclass(frozen=True, slots=True)
class Target:
    """A published calibration cell, what its residual is counted in, and whether the search is fitted to it."""

    number: Number
    scale: float
    used: bool

    def fitted(self, simulated: float) -> Fitted:
        """The cell as it is at some constants."""
        place = self.number.place
        return Fitted(place.table, place.row, self.number.value, self.scale, simulated, self.used, place.column)


@dataclass(frozen=True, slots=True)
class Terms:
    """How trials are simulated: the folder, and the budget in place of those declared for the mode."""

    folder: Path | None = None
    budget: Budget | None = None
    mode: str = "fit"


@dataclass(frozen=True, slots=True)
class _Trial:
    """What some constants give: each number as simulated, the points, and scales that were found with them."""

    simulated: Mapping[Number, float]
    points: Mapping[Any, Point]
    scales: Set


def targets(study: Study, part: str, folder: Path | None = None) -> list[Target]:
    """The calibration cells of a part; no other number is looked at.

    >>> from slicewright.study.studies import named
    >>> found = targets(named("hyperpav"), "sharing")
    >>> sorted({target.number.place.table for target in found}), found[3].scale
    (['Y032180H', 'Y032182H'], 0.4)
    """
    spec = study.spec(folder)
    own = spec.part(part)
    wanted = [number for number in study.calibrated(spec) if matched(own.cells, number.place)]
    return [Target(number, _scale(spec, number), matched(own.used, number.place)) for number in wanted]


def _scale(spec: Spec, number: Number) -> float:
    """The rounding of the print, or the band of the row where it is judged, as `residual` declares."""
    judged = moved(spec.residual, number.place)
    if judged is None:
        return number.rounding
    place, _ = judged
    band = spec.ruling(place.table, place.row, place.column).band
    return band.width(number.value) or UNBANDED * abs(number.value)


def _evaluate(study: Study, part: str, constants: Set, wanted: Iterable[Target], terms: Terms) -> _Trial:
    """The targets, simulated with these constants and with the random numbers of every other trial."""
    spec, numbers = study.spec(terms.folder), [target.number for target in wanted]
    own = made(spec, spec.form_of(part).name, {part: Calibration(part, constants)}, terms.folder)
    points: dict[Any, Point] = {}
    for number in numbers:
        for case in study.cases(number, part):
            if case not in points:
                points[case] = study.simulate(case, own, _budget(study, case, terms))
    simulated = {}
    for number in numbers:
        stands_for = zip(study.cases(number), study.cases(number, part), strict=True)
        simulated[number] = study.estimated(number, {case: points[trial] for case, trial in stands_for}).mean
    return _Trial(*_scaled(spec, simulated, points))


def _budget(study: Study, case: Any, terms: Terms) -> Budget:
    """The declared budget, or the one asked for: longer in proportion for the kinds of runs that are."""
    own = study.budget(case, terms.mode)
    if terms.budget is None:
        return own
    times = own.interval_s // usual(study.spec()).interval_s
    return structs.replace(terms.budget, interval_s=terms.budget.interval_s * times)


def usual(spec: Spec) -> Budget:
    """How much of one run of a trial is simulated, but for kinds of runs that are longer."""
    return spec.budgeted("fit", spec.fit.kind)


def _scaled(
    spec: Spec, simulated: dict[Number, float], points: Mapping[Any, Point]
) -> tuple[dict[Number, float], Mapping[Any, Point], Set]:
    """Work as the published rate, as `scaled` declares, by the scale that fits best of each table or figure.

    It brings work nearest to the published `times` rows, by least squares of relative differences; what is counted per
    transaction (`over`) is divided by it.
    """
    times, over = spec.scaled.times, spec.scaled.over
    ratios: dict[str, list[float]] = {}
    for number in simulated:
        if matched(times, number.place):
            ratios.setdefault(number.place.table.partition(".")[0], []).append(simulated[number] / number.value)
    best = {name: math.fsum(group) / math.fsum(ratio * ratio for ratio in group) for name, group in ratios.items()}
    scales = {name: _rounded(scale) for name, scale in sorted(best.items())}
    own = Constants("", {}, scales)
    for number in simulated:
        if matched(times, number.place):
            simulated[number] *= own.scale(number.place.table)
        elif matched(over, number.place):
            simulated[number] /= own.scale(number.place.table)
    return simulated, points, scales


def residual(spec: Spec, target: Target, simulated: float) -> float:
    """How far a simulated value is from its calibration cell, in its scale.

    Of rows that `fit.logarithm` names it is counted by the logarithm, so that twice and half are as far.

    >>> from slicewright.study.studies import named
    >>> target = targets(named("diag9c"), "first")[0]
    >>> round(residual(Spec.read("diag9c"), target, 119868 * 1.25), 6)
    1.0
    """
    value = target.number.value
    if matched(spec.fit.logarithm, target.number.place):
        # A rate of nothing is as far off as one a thousand times too low.
        return math.log(max(simulated / value, 1e-3)) / math.log(1 + target.scale / value)
    return (simulated - value) / target.scale


def _residuals(study: Study, used: Iterable[Target], trial: _Trial) -> list[float]:
    return [residual(study.spec(), target, trial.simulated[target.number]) for target in used]


def squares(residuals: Iterable[float]) -> float:
    """The sum that is made as small as it can be."""
    return sum(residual * residual for residual in residuals)


def misfit(study: Study, part: str, constants: Set, budget: Budget) -> float:
    """The sum of squared residuals at these constants: what the fit makes as small as it can."""
    used = [target for target in targets(study, part) if target.used]
    return squares(_residuals(study, used, _evaluate(study, part, constants, used, Terms(budget=budget))))


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


# One set, by least squares.


def calibrate(study: Study, folder: Path | None, budget: Budget | None, tell: Tell) -> list[Calibration]:
    """Every part of a study fitted to the calibration cells in `folder`; `tell` hears one line per iteration.

    Raises InputError when published data cannot be read.
    """
    return [fitted(study, part, Terms(folder, budget), tell) for part in study.parts]


def fitted(study: Study, part: str, terms: Terms, tell: Tell) -> Calibration:
    """One part fitted: by arithmetic where its study derives it, as an ensemble where it has bounds, else one set."""
    spec = study.spec(terms.folder)
    own, wanted = spec.part(part), targets(study, part, terms.folder)
    found = study.derived([target.number for target in wanted])
    if found is not None:
        fit = calibration(study, part, found, terms)
        for cell in fit.cells:
            tell(f"row {cell.column}: published {cell.published:g} s, simulated {cell.simulated:.4g} s")
        return replace(fit, cells=tuple(replace(cell, simulated=float(f"{cell.simulated:.7g}")) for cell in fit.cells))
    if own.bounds:
        return search(study, plan_of(spec, part), terms.folder, terms.budget, tell)
    used = [target for target in wanted if target.used]

    def residuals(constants: dict[str, float]) -> list[float]:
        return _residuals(study, used, _evaluate(study, part, constants, used, terms))

    named = f"{part}: " if len(study.parts) > 1 else ""
    best = least_squares(search_of(spec, own), residuals, lambda line: tell(f"{named}{line}"))
    constants = {name: float(round(value)) if own.constants[name].whole else value for name, value in best.items()}
    return calibration(study, part, constants, terms)


def calibration(study: Study, part: str, constants: Set, terms: Terms) -> Calibration:
    """The calibration cells of a part, simulated with these constants, with their origin."""
    spec, wanted = study.spec(terms.folder), targets(study, part, terms.folder)
    trial = _evaluate(study, part, constants, wanted, terms)
    said = spec.fit.simulated
    provenance = _provenance(spec, terms.budget, said)
    if by := spec.fit.checksums:
        provenance["scenarios"] = {
            getattr(target.number.place, by): trial.points[case].checksum
            for target in wanted
            for case in study.cases(target.number, part)
        }
    seen = tuple(target.fitted(trial.simulated[target.number]) for target in wanted)
    return Calibration(part, dict(constants), seen, provenance, trial.scales)


def _provenance(spec: Spec, budget: Budget | None, simulated: str) -> dict[str, Any]:
    from slicewright._core import __version__

    own = budget or usual(spec)
    return {"study": spec.name, "version": __version__, "seed": own.seed, "simulated": simulated.format(own)}


@dataclass(frozen=True, slots=True)
class Search:
    """Where the search starts and the steps of its differences: coarse beside noise, fine beside the curvature.

    All are in the units of the constants; no constant goes below 0, nor above `most` where that is given.  With `once`
    the slopes are those at the start: fewer trials, where residuals are nearly linear and trials noisy.  With `ratio`
    constants are searched by their logarithms, and steps are what they grow by: .1 is a tenth.
    """

    start: Set
    step: Set
    most: Set = field(default_factory=dict)
    once: bool = False
    ratio: bool = False

    def constants(self, scaled: Iterable[float]) -> dict[str, float]:
        """The constants at a point of the search, which counts in steps.

        >>> Search({"a": 1.0}, {"a": 0.1}, ratio=True).constants([0.0])
        {'a': 1.0}
        """
        own = zip(self.step.items(), scaled, strict=True)
        return {name: math.exp(number * step) if self.ratio else number * step for (name, step), number in own}

    def scaled(self, constants: Set) -> list[float]:
        """Where constants lie, in steps; infinitely far where there is none of a name."""
        numbers = ((constants.get(name, math.inf), step) for name, step in self.step.items())
        return [(math.log(number) if self.ratio else number) / step for number, step in numbers]


def search_of(spec: Spec, part: Part) -> Search:
    """Where the search of a part starts, and its steps."""
    own, how = part.constants, spec.fit
    start, step = ({name: getattr(each, key) for name, each in own.items()} for key in ("start", "step"))
    most = {name: constant.high for name, constant in own.items() if constant.high is not None}
    return Search(start, step, most, once=how.once, ratio=how.ratio)


def least_squares(search: Search, residuals: Callable[[dict[str, float]], list[float]], tell: Tell) -> dict[str, float]:
    """The constants, rounded to four digits, at which the sum of the squared residuals is least.

    `tell` hears one line per iteration: the constants and that sum.

    >>> search = Search({"a": 1.0}, {"a": 0.1})
    >>> least_squares(search, lambda trial: [trial["a"] - 3.0], lambda line: None)
    {'a': 3.0}
    """
    import numpy as np
    from scipy import optimize

    @cache
    def trial(scaled: tuple[float, ...]) -> list[float]:
        return residuals(search.constants(scaled))

    def heard(scaled: Vector) -> Vector:
        own = tuple(scaled.tolist())
        shown = ", ".join(f"{name} {number:.6g}" for name, number in search.constants(own).items())
        tell(f"{shown}: {squares(trial(own)):.4g}")
        return np.array(trial(own))

    def slopes(scaled: Vector) -> Vector:
        here = np.array(trial(tuple(scaled.tolist())))
        ahead = [trial(tuple((scaled + unit).tolist())) for unit in np.eye(len(start))]
        return np.column_stack([np.array(shifted) - here for shifted in ahead])

    @cache
    def slopes_at_start() -> Vector:
        return slopes(start)

    start, most = np.array(search.scaled(search.start)), np.array(search.scaled(search.most))
    found = optimize.least_squares(
        heard, start, jac=(lambda scaled: slopes_at_start()) if search.once else slopes,
        bounds=(-np.inf if search.ratio else 0, most), x_scale=1.0, xtol=1e-3, ftol=1e-3, max_nfev=20,
    )  # fmt: skip
    return {name: _rounded(number) for name, number in search.constants(found.x.tolist()).items()}


# An ensemble of sets.


@dataclass(frozen=True, slots=True)
class Plan:
    """How many sets are spread over the bounds, how many of them are searched from, and how many ends are kept."""

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
    declared = spec.forms[form]
    return Plan(declared.spread, declared.starts, declared.keep, declared.rounds, form=form)


@dataclass(frozen=True, slots=True)
class _Tried:
    """A set that was tried, and its residuals."""

    constants: Set
    residuals: tuple[float, ...]

    @property
    def misfit(self) -> float:
        """The sum of the squared residuals."""
        return math.fsum(residual * residual for residual in self.residuals)


def search(
    study: Study, plan: Plan, folder: Path | None = None, budget: Budget | None = None, tell: Tell = lambda line: None
) -> Calibration:
    """The ensemble of a form, fitted to the calibration cells in `folder`; `tell` hears how far it is.

    With `budget`, the fit itself simulates as much of every run.  Searches run side by side, which changes no result.
    """
    spec, wanted = study.spec(folder), targets(study, plan.form, folder)
    look, coarse = (Bench(study, plan.form, wanted, Terms(mode=mode), tell) for mode in ("look", "coarse"))
    fine = Bench(study, plan.form, wanted, Terms(budget=budget), tell)
    looked = _each(look.trial, spread_out(spec, plan))
    best = sorted(looked, key=lambda trial: trial.misfit)[: plan.starts]
    starts = _each(coarse.trial, [start.constants for start in best])
    ends = _each(partial(coarse.searched, rounds=plan.rounds[0]), starts)
    kept = sorted(ends, key=lambda trial: trial.misfit)[: plan.keep]
    again = _each(fine.trial, [end.constants for end in kept])
    found = _each(partial(fine.searched, rounds=plan.rounds[1]), again)
    members = sorted(_each(fine.member, [trial.constants for trial in found]), key=lambda member: member.misfit)
    seen = []
    for at, target in enumerate(wanted):
        mean = math.fsum(member.simulated[at] for member in members) / len(members)
        seen.append(target.fitted(float(f"{mean:.7g}")))
    said = (
        f"{{0.simulated}} after {{0.warm_up_s:g}} s; {plan.spread} sets spread, {plan.starts} searched from, "
        f"{plan.keep} kept"
    )
    return Calibration(plan.form, {}, tuple(seen), _provenance(spec, budget, said), members=tuple(members))


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
    for name, (low, high) in spec.part(plan.form).bounds.items():
        order = list(range(count))
        draw.shuffle(order)
        shares = [(at + draw.random()) / count for at in order]
        columns[name] = [_rounded(low * (high / low) ** share) for share in shares]
    return [{name: column[at] for name, column in columns.items()} for at in range(count)]


@dataclass(frozen=True, slots=True)
class Bench:
    """The targets of a form, and how much of their runs is simulated to try a set."""

    study: Study
    form: str
    wanted: Sequence[Target]
    terms: Terms
    tell: Tell = lambda line: None

    def trial(self, constants: Set) -> _Tried:
        """Try a set on the cells that the search is fitted to, and report it."""
        used = [target for target in self.wanted if target.used]
        trial = _evaluate(self.study, self.form, constants, used, self.terms)
        found = _Tried(constants, tuple(_residuals(self.study, used, trial)))
        self.tell(", ".join(f"{name} {value:g}" for name, value in constants.items()) + f": {found.misfit:.4g}")
        return found

    def searched(self, start: _Tried, rounds: int) -> _Tried:
        """The end of a search from a set."""
        within = self.study.spec().part(self.form).bounds
        for _ in range(rounds):
            start = improved(start, lambda constants: self.trial(constants).residuals, within)
        return start

    def member(self, constants: Set) -> Member:
        """A set with what every calibration cell is at it, and its misfit."""
        trial = _evaluate(self.study, self.form, constants, self.wanted, self.terms)
        misfit = squares(_residuals(self.study, [target for target in self.wanted if target.used], trial))
        values = tuple(trial.simulated[target.number] for target in self.wanted)
        return Member(constants, float(f"{misfit:.6g}"), values, trial.scales)


def improved(
    start: _Tried, residuals: Callable[[dict[str, float]], tuple[float, ...]], bounds: Mapping[str, tuple[float, float]]
) -> _Tried:
    """The best of the start, one point a step away in each direction, and one step for each damping, by ratios.

    Levenberg, Quarterly of Applied Mathematics 2 (1944): damped least squares.  Steps are bounded: far from where
    slopes were taken they say nothing, and a search that follows them (`least_squares`) ends where nothing works.

    >>> found = _Tried({"a": 1.0}, (-11.0,))
    >>> for _ in range(3):
    ...     found = improved(found, lambda trial: (10 * math.log(trial["a"] / 3),), {"a": (0.5, 10.0)})
    >>> abs(found.constants["a"] - 3) < 0.01
    True
    """
    import numpy as np

    names = list(bounds)
    here = np.array([math.log(start.constants[name]) for name in names])
    ends = np.array([[math.log(end) for end in bounds[name]] for name in names])

    def tried(point: Vector) -> _Tried:
        constants = {name: _rounded(math.exp(at)) for name, at in zip(names, point, strict=True)}
        return _Tried(constants, residuals(constants))

    # Away from the bound where that is nearer than a step.
    signs = np.where(here + STEP <= ends[:, 1], 1.0, -1.0)
    around = [tried(here + STEP * sign * unit) for sign, unit in zip(signs, np.eye(len(names)), strict=True)]
    before = np.array(start.residuals)
    pairs = zip(around, signs, strict=True)
    slopes = np.column_stack([(np.array(trial.residuals) - before) / (STEP * sign) for trial, sign in pairs])
    seen = [start, *around]
    for damping in DAMPINGS:
        square = slopes.T @ slopes + damping * np.eye(len(names))
        step = np.clip(np.linalg.solve(square, -slopes.T @ before), -FARTHEST, FARTHEST)
        seen.append(tried(np.clip(here + step, ends[:, 0], ends[:, 1])))
    return min(seen, key=lambda one: one.misfit)


# The file of constants, in one of four layouts, as older files have them.


def written(spec: Spec, fits: Sequence[Calibration]) -> str:
    """The calibration file: its comments, its origin, and each fit; `parse` reads it back without loss."""
    own = spec.calibrated
    said = list(own.head)
    if own.layout == "sets":
        said += _meanings(spec.part(spec.first).constants)
    lines = [*(f"# {line}" for line in said), ""]
    lines += [f"{key} = {_toml(fits[0].provenance[key])}" for key in ORIGIN]
    return "\n".join([*lines, *(line for fit in fits for line in _LAYOUTS[own.layout](spec, fit))]) + "\n"


def parse(spec: Spec, text: str, name: str) -> Calibration:
    """One fit of the text of a calibration file; raises KeyError when the text has no such part."""
    document, own = tomllib.loads(text), spec.part(name)
    nameless = spec.calibrated.layout in ("tables", "sets") and name == spec.first
    found = document if nameless else document[name]
    origin = {key: document[key] for key in ORIGIN}
    checksums = {"scenarios": found["scenarios"]} if "scenarios" in found else {}
    column = spec.calibrated.column
    # A file calls the scale `rounding` where it is what the print leaves open.
    seen = [{"column": column, "scale": row.get("rounding"), **row} for row in found["cell"]]
    sets = [{**entry, "constants": {bound: entry[bound] for bound in own.bounds}} for entry in found.get("set", ())]
    cells, members = msgspec.convert((seen, sets), tuple[tuple[Fitted, ...], tuple[Member, ...]])
    constants = found.get("constants") or {
        each: found[about.key(each)] for each, about in own.constants.items() if not members
    }
    return Calibration(name, constants, cells, origin | checksums, found.get("scales", {}), members)


def _cells(spec: Spec, seen: Iterable[Fitted]) -> list[str]:
    """The lines of the array `cell`: the declared fields of each cell that the fit saw."""
    names = spec.calibrated.fields
    rows = (", ".join(f"{key} = {_toml(getattr(cell, key))}" for key in names) for cell in seen)
    return ["cell = [", *(f"  {{ {row} }}," for row in rows), "]"]


def _meanings(constants: Mapping[str, Constant]) -> list[str]:
    return [f"{name}: {each.unit}, {each.meaning}." for name, each in constants.items()]


def _keys(spec: Spec, found: Calibration) -> list[str]:
    """A key for each constant with its unit, the scenarios' checksums, every cell seen."""
    part = spec.part(found.part)
    lines = ["", *([f"# {part.meaning}"] if part.meaning else []), f"[{part.name}]"]
    for name, each in part.constants.items():
        said = ": ".join(word for word in (each.source, each.meaning) if word)
        lines.append(f"{each.key(name)} = {found.constants[name]!r}{f'  # {said}' if said else ''}")
    checksums = found.provenance.get("scenarios", {})
    if checksums:
        lines.append("scenarios = { " + ", ".join(f'{_key(run)} = "{sha}"' for run, sha in checksums.items()) + " }")
    return [*lines, *_cells(spec, found.cells)]


def _line(spec: Spec, found: Calibration) -> list[str]:
    """The constants on one line, with their units above it, and every cell seen."""
    part = spec.part(found.part)
    units = ", ".join(f"{name} in {each.unit}" for name, each in part.constants.items() if each.unit)
    constants = ", ".join(f"{name} = {value!r}" for name, value in found.constants.items())
    lines = ["", f"# {part.meaning}", f"# {units}; residuals in bands of the row", f"[{part.name}]"]
    return [*lines, f"constants = {{ {constants} }}", *_cells(spec, found.cells)]


def _tables(spec: Spec, found: Calibration) -> list[str]:
    """Cells before the constants, scales behind them, the first form without a name; sets where there are some."""
    if found.members:
        return _sets(spec, found)
    part = spec.part(found.part)
    first = found.part == spec.first
    within, before = ("", []) if first else (f"{part.name}.", ["", f"# {part.meaning}", f"[{part.name}]"])
    lines = [*before, *_cells(spec, found.cells), "", f"[{within}constants]"]
    for name, each in part.constants.items():
        lines.append(f"{name} = {found.constants[name]!r} # {each.unit}, {each.meaning}")
    return [*lines, "", f"[{within}scales]", *(f"{name} = {value!r}" for name, value in found.scales.items())]


def _sets(spec: Spec, found: Calibration) -> list[str]:
    """The cells seen and each set with what they are at it, of the first form without a name."""
    part, within, lines = spec.part(found.part), "", []
    if found.part != spec.first:
        within, first = f"{found.part}.", spec.part(spec.first).constants
        own = {name: each for name, each in part.constants.items() if name not in first}
        lines = ["", f"# {part.meaning}", *(f"# {line}" for line in _meanings(own))]
        lines.append(f"[{found.part}]")
    lines += _cells(spec, found.cells)
    for member in found.members:
        lines += ["", f"[[{within}set]]", f"misfit = {member.misfit:.6g}"]
        lines += [f"{name} = {member.constants[name]!r}" for name in part.bounds]
        if member.scales:
            scales = ", ".join(f"{name} = {value!r}" for name, value in member.scales.items())
            lines.append(f"scales = {{ {scales} }}")
        lines.append(f"simulated = [{', '.join(f'{value:.7g}' for value in member.simulated)}]")
    return lines


_LAYOUTS = {"keys": _keys, "line": _line, "tables": _tables, "sets": _sets}


def _key(word: str) -> str:
    return word if re.fullmatch(r"[A-Za-z][\w-]*", word) else f'"{word}"'


def _toml(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.7g}"
    return str(value)

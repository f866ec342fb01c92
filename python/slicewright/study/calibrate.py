"""The constants of a study found again from its calibration cells alone, and the file that `calibrate` writes of them.

A part has one set of constants.  Where its constants have bounds, it has an ensemble of sets.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import structs

from slicewright.reading.constants import (
    Plan,
    Search,
    Set,
    Tried,
    ensemble,
    least_squares,
    residual,
    rounded,
)
from slicewright.reading.evidence import Unknown, Value
from slicewright.results.judge import Place
from slicewright.statistics import estimate
from slicewright.study.points import Budget, Point, Progress, in_turn
from slicewright.study.spec import Mode, Number, Part, Spec, matched, moved
from slicewright.study.templates import rendered

if TYPE_CHECKING:
    from slicewright.study.study import Study

T = TypeVar("T")

Tell = Callable[[str], None]
"""Hears one line per iteration of a search."""

UNBANDED = 0.05
"""What a residual is counted in where its row has no band anywhere: a share of the published number."""

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


@dataclass(frozen=True, slots=True)
class _Target:
    """A published calibration cell, and the same as evidence: what it allows is what its residual is counted in."""

    number: Number
    cell: Value

    @property
    def used(self) -> bool:
        """Whether the search is fitted to it."""
        return self.cell.judged != "never"


@dataclass(frozen=True, slots=True)
class _Trial:
    """What some constants give: each number as simulated, the points, and scales that were found with them."""

    simulated: Mapping[Number, float]
    scales: Set
    points: Mapping[Any, Point]


@dataclass(frozen=True)
class Fit:
    """The fit of one part to the calibration cells in a folder: no other number is looked at.

    `budget` is in place of those that are declared for the fit itself; `tell` hears one line per iteration.
    """

    study: Study
    part: str
    folder: Path | None = None
    budget: Budget | None = None
    tell: Tell = lambda line: None

    @cached_property
    def spec(self) -> Spec:
        """The study's data."""
        return self.study.spec(self.folder)

    @cached_property
    def own(self) -> Part:
        """The constants of the part, and its cells."""
        return self.spec.part(self.part)

    @cached_property
    def targets(self) -> list[_Target]:
        """The calibration cells of the part.

        >>> from slicewright.study.studies import named
        >>> found = Fit(named("hyperpav"), "sharing").targets
        >>> sorted({target.number.place.table for target in found}), found[3].cell.rounding
        (['Y032180H', 'Y032182H'], 0.4)
        """
        more = self.spec.form_of(self.part).fitted
        wanted = [number for number in self.study.calibrated(self.spec) if matched(self.own.cells, number.place)]
        if more:
            wanted += [number for number in self.study.published(self.spec) if matched(more, number.place)]
        return [_Target(number, self._cell(number)) for number in wanted]

    def _cell(self, number: Number) -> Value:
        """A cell with the rounding of its print, or with the band of the row where it is judged (`residual`)."""
        allowed = number.rounding
        if judged := moved(self.spec.residual, number.place):
            place, _ = judged
            band = self.spec.ruling(place.table, place.row, place.column).band
            allowed = band.width(number.value) or UNBANDED * abs(number.value)
        place, used = number.place, matched(self.own.used, number.place)
        part = f"{place.table} {place.column}".rstrip()
        return Value(place.row, part, number.value, allowed, judged="part" if used else "never")

    @cached_property
    def unknowns(self) -> tuple[Unknown, ...]:
        """The constants as unknowns, by ratio where they have bounds or the study says so."""
        ratio = self.spec.fit.ratio or bool(self.own.bounds)
        return tuple(
            Unknown(
                name, self.part, each.low or 0.0, math.inf if each.high is None else each.high, each.unit,
                "log" if ratio else "whole" if each.whole else "linear", each.source,
            )
            for name, each in self.own.constants.items()
        )  # fmt: skip

    @cached_property
    def search(self) -> Search:
        """Where the search for one set starts, and its steps."""
        start, steps = (
            {name: getattr(each, key) for name, each in self.own.constants.items()} for key in ("start", "step")
        )
        return Search(self.unknowns, start, steps, self.spec.fit.once)

    @property
    def plan(self) -> Plan:
        """The search for an ensemble, as its form declares it."""
        form = self.spec.forms[self.part]
        return Plan(form.spread, form.starts, form.keep, form.rounds)

    def fitted(self) -> Calibration:
        """The part fitted: by arithmetic where its study derives it, as an ensemble between bounds, else one set."""
        found = self.study.derived([target.number for target in self.targets])
        if found is not None:
            fit = self.calibration(found)
            for cell in fit.cells:
                self.tell(f"row {cell.column}: published {cell.published:g} s, simulated {cell.simulated:.4g} s")
            cells = (replace(cell, simulated=float(f"{cell.simulated:.7g}")) for cell in fit.cells)
            return replace(fit, cells=tuple(cells))
        if self.own.bounds:
            return self.ensemble(self.plan)
        named = f"{self.part}: " if len(self.study.parts) > 1 else ""
        best = least_squares(self.search, self.tried, lambda trial: self._told(trial, named))
        whole = self.own.constants
        return self.calibration({name: float(round(at)) if whole[name].whole else at for name, at in best.items()})

    def calibration(self, constants: Set) -> Calibration:
        """The calibration cells simulated with these constants, with their origin."""
        trial = self._simulated(constants, self.targets)
        provenance = self._provenance(self.spec.fit.simulated)
        if by := self.spec.fit.checksums:
            provenance["scenarios"] = {
                getattr(target.number.place, by): trial.points[case].checksum
                for target in self.targets
                for case in self.study.cases(target.number, self.part)
            }
        seen = tuple(_fitted(target, trial.simulated[target.number]) for target in self.targets)
        return Calibration(self.part, dict(constants), seen, provenance, trial.scales)

    def ensemble(self, plan: Plan) -> Calibration:
        """An ensemble of sets; searches run side by side."""

        def trying(mode: Mode) -> Callable[[Set], Tried]:
            return lambda constants: self._told(self.tried(constants, mode), digits="g")

        tries = (trying("look"), trying("coarse"), trying("fit"))
        kept = ensemble(self.unknowns, plan, tries, _each)
        members = sorted(_each(self.member, kept), key=lambda member: member.misfit)
        seen = []
        for at, target in enumerate(self.targets):
            mean = math.fsum(member.simulated[at] for member in members) / len(members)
            seen.append(_fitted(target, float(f"{mean:.7g}")))
        said = (
            f"{{0.simulated}} after {{0.warm_up_s:g}} s; {plan.spread} sets spread, {plan.starts} searched from, "
            f"{plan.keep} kept"
        )
        return Calibration(self.part, {}, tuple(seen), self._provenance(said), members=tuple(members))

    def member(self, constants: Set) -> Member:
        """A set with what every calibration cell is at it, and its misfit."""
        trial = self._simulated(constants, self.targets)
        misfit = Tried(constants, self._residuals(trial)).misfit
        values = tuple(trial.simulated[target.number] for target in self.targets)
        return Member(constants, float(f"{misfit:.6g}"), values, trial.scales)

    def tried(self, constants: Set, mode: Mode = "fit") -> Tried:
        """A set tried on the cells that the search is fitted to."""
        used = [target for target in self.targets if target.used]
        return Tried(constants, self._residuals(self._simulated(constants, used, mode)))

    def _told(self, trial: Tried, before: str = "", digits: str = ".6g") -> Tried:
        shown = ", ".join(f"{name} {value:{digits}}" for name, value in trial.constants.items())
        self.tell(f"{before}{shown}: {trial.misfit:.4g}")
        return trial

    def _residuals(self, trial: _Trial) -> tuple[float, ...]:
        by_ratio = self.spec.fit.logarithm
        return tuple(
            residual(target.cell, trial.simulated[target.number], by_ratio=matched(by_ratio, target.number.place))
            for target in self.targets
            if target.used
        )

    def _simulated(self, constants: Set, targets: Iterable[_Target], mode: Mode = "fit") -> _Trial:
        """The targets, simulated with these constants and with the random numbers of every other trial."""
        study, numbers = self.study, [target.number for target in targets]
        fits = {self.part: Calibration(self.part, constants)}
        constants_of = made(self.spec, self.spec.form_of(self.part).name, fits, self.folder)
        cases = dict.fromkeys(case for number in numbers for case in study.cases(number, self.part))
        points = {case: study.simulate(case, constants_of, self._budget(case, mode)) for case in cases}
        simulated = {}
        for number in numbers:
            stands_for = zip(study.cases(number), study.cases(number, self.part), strict=True)
            own = {case: points[trial] for case, trial in stands_for}
            simulated[number] = estimate(study.samples(number, own)).mean
        return _Trial(*_scaled(self.spec, simulated), points)

    def _budget(self, case: Any, mode: Mode) -> Budget:
        """The declared budget, or the one asked for: longer in proportion for the kinds of runs that are."""
        own = self.study.budget(case, mode)
        if self.budget is None or mode != "fit":
            return own
        times = own.interval_s // self._usual.interval_s
        return structs.replace(self.budget, interval_s=self.budget.interval_s * times)

    @property
    def _usual(self) -> Budget:
        """How much of one run of a trial is simulated, but for kinds of runs that are longer."""
        return self.spec.budgeted("fit", self.spec.fit.kind)

    def _provenance(self, simulated: str) -> dict[str, Any]:
        from slicewright._core import __version__

        own = self.budget or self._usual
        values = (self.spec.name, __version__, own.seed, simulated.format(own))
        return dict(zip(ORIGIN, values, strict=True))


def _fitted(target: _Target, simulated: float) -> Fitted:
    place, cell = target.number.place, target.cell
    return Fitted(place.table, place.row, cell.value, cell.rounding, simulated, target.used, place.column)


def _scaled(spec: Spec, simulated: dict[Number, float]) -> tuple[dict[Number, float], Set]:
    """Work as the published rate, as `scaled` declares, by the scale that fits best of each table or figure.

    It brings work nearest to the published `times` rows, by least squares of relative differences; what is counted per
    transaction (`over`) is divided by it.
    """
    times, over = spec.scaled.get("times", ()), spec.scaled.get("over", ())
    ratios: dict[str, list[float]] = {}
    for number in simulated:
        if matched(times, number.place):
            ratios.setdefault(number.place.table.partition(".")[0], []).append(simulated[number] / number.value)
    best = {name: math.fsum(group) / math.fsum(ratio * ratio for ratio in group) for name, group in ratios.items()}
    scales = {name: rounded(scale) for name, scale in sorted(best.items())}
    own = Constants("", {}, scales)
    for number in simulated:
        if matched(times, number.place):
            simulated[number] *= own.scale(number.place.table)
        elif matched(over, number.place):
            simulated[number] /= own.scale(number.place.table)
    return simulated, scales


def _each(simulate: Callable[[Any], T], over: Sequence[Any]) -> list[T]:
    """The results of simulations side by side, in order."""

    def simulation(what: Any) -> Callable[[Progress], T]:
        return lambda progress: simulate(what)

    return list(in_turn(list(map(simulation, over))))


# The file of constants, in one of four layouts, as older files have them.


def written(spec: Spec, fits: Sequence[Calibration]) -> str:
    """The calibration file: its comments, its origin, and each fit; `parse` reads it back without loss."""
    own = spec.calibrated
    return rendered(
        "calibrated", head=own.head, layout=own.layout, fields=own.fields,
        origin={key: fits[0].provenance[key] for key in ORIGIN}, fits=[(fit, spec.part(fit.part)) for fit in fits],
    )  # fmt: skip


def parse(spec: Spec, text: str, name: str) -> Calibration:
    """One fit of the text of a calibration file; raises KeyError when the text has no such part."""
    document, own = tomllib.loads(text), spec.part(name)
    nameless = spec.calibrated.layout in ("tables", "sets") and name == spec.first
    found = document if nameless else document[name]
    origin = {key: document[key] for key in ORIGIN}
    checksums = {"scenarios": found["scenarios"]} if "scenarios" in found else {}
    # A file calls the scale `rounding` where it is what the print leaves open.
    seen = [{"column": spec.calibrated.column, "scale": row.get("rounding"), **row} for row in found["cell"]]
    sets = [{**entry, "constants": {bound: entry[bound] for bound in own.bounds}} for entry in found.get("set", ())]
    cells, members = msgspec.convert((seen, sets), tuple[tuple[Fitted, ...], tuple[Member, ...]])
    constants = found.get("constants") or {
        each: found[about.key(each)] for each, about in own.constants.items() if not members
    }
    return Calibration(name, constants, cells, origin | checksums, found.get("scales", {}), members)

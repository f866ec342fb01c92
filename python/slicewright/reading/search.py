"""The search for readings: every load of a model that reproduces the evidence, and what the evidence leaves open.

A model knows its unknowns, a first guess, the scenario of a load, and one step of a correction.  The search has the
loops, the stops and the budget; how far a load may miss is in `accept`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Generic, Literal, Protocol, TypeVar

import numpy as np

from slicewright._core import RunError
from slicewright.experiment.outcome import Array
from slicewright.reading.accept import AIMED, SETTLED, allowance, cost, missed
from slicewright.reading.evidence import Evidence, Evidences, Key, Miss, Unknown, Value, Values

L = TypeVar("L")
O = TypeVar("O")  # noqa: E741


class Why(Enum):
    """Whether a load is a reading, and why not."""

    FITS = "fits"
    MISSES = "misses"
    GROWS = "its queue grows without bound"
    UNREACHED = "the search ended while it still came nearer"


@dataclass(frozen=True, slots=True)
class Axis:
    """The one unknown of a family, found by bracketing: a number of the evidence grows with it."""

    unknown: Unknown
    number: Key
    start: float


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of load.  Families of a curve are tried in order, as long as they come nearer to the evidence."""

    name: str
    curve: str = ""
    axis: Axis | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """Evidence at the end of what it allows: some numbers, moved by this share of the allowance of a search.

    It is for readings of a curve; "" is any.
    """

    name: str
    numbers: tuple[str, ...]
    by: float
    curve: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """Values that all parts share, such as growth of service, as far as they differ from those of the first setting.

    `known`: whether the evidence cannot tell it from the first, so that no simulation is needed.  `tried`: whether all
    families are tried under it always, or where none fits under those before; else only ends of what fits are.
    """

    values: Values
    name: str = ""
    known: bool = False
    tried: Literal["", "alone", "always"] = ""
    edges: tuple[Edge, ...] = ()


@dataclass(frozen=True, slots=True)
class Budget:
    """Most simulations of a search, steps of one correction, combinations of families, and the share aimed at.

    A correction ends when a step does not bring the squared misses of a part down to `enough` of the least, on average.
    """

    simulations: int = 2000
    steps: int = 5
    enough: float = 0.9
    combinations: int = 24
    aim: float = AIMED


@dataclass(frozen=True, slots=True)
class Seen(Generic[O]):
    """A simulation beside the evidence that a step of a correction aims at; `found` is by number of the evidence."""

    evidence: Evidence
    outcome: O
    found: Array
    aim: float


class Model(Protocol[L, O]):
    """Loads of one kind, as far as a search has to know them.

    `L` is a load with all its values, `O` one simulation of it.
    """

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        """The values that a reading has."""

    @property
    def lacks(self) -> tuple[str, ...]:
        """Loads and effects that no reading of it can show."""

    @property
    def parts(self) -> Mapping[str, float]:
        """Parts that may be of different families, with the share of the evidence that each makes; none are one."""

    def families(self) -> Iterable[Family]:
        """Kinds of load, curve by curve, each from the least bursts to the most."""

    def settings(self) -> Sequence[Setting]:
        """What parts share: first the setting that is known best."""

    def screen(self, family: Family, setting: Setting, evidence: Evidences) -> L | None:
        """The first guess of a load, by a formula; None where no value of it can reproduce the evidence."""

    def counters(self, outcome: O, evidence: Evidence) -> Array:
        """The numbers of the evidence as simulated: replications x numbers; NaN where one is not."""

    def correct(self, load: L, seen: Sequence[Seen[O]]) -> L:
        """One step towards the evidence, of all parts at once."""

    def values(self, load: L) -> Values:
        """The values of the unknowns, those of parts among them."""

    def with_values(self, load: L, values: Values) -> L:
        """The load with other values."""

    def burst(self, load: L) -> float:
        """Requests that arrive together, beyond the first, at most."""


Simulate = Callable[[L, Mapping[str, float | str]], O]
"""Simulates a load in a setting of the evidence; raises RunError where a queue grows without bound."""


@dataclass(frozen=True, slots=True)
class Trial(Generic[L, O]):
    """A load that was tried, with its simulations (one for each setting of the evidence) and what it misses."""

    family: Family
    load: L
    outcomes: tuple[O, ...] = ()
    misses: tuple[Miss, ...] = ()
    cost: float = math.inf
    settled: bool = True
    """Whether the last step of its correction came hardly nearer."""
    setting: str = ""
    """The name of what its parts share; "" is what is known best."""
    edge: str = ""
    unexplained: frozenset[str] = frozenset()
    """Parts that nothing explains, which judge no reading."""

    def close(self, part: str) -> float:
        """The worst miss of what judges a part, in allowances of a search: above 1 it does not fit closely."""
        return max((miss.close for miss in self._of(part)), default=0.0) if self.outcomes else math.inf

    def far(self, part: str) -> float:
        """The same in allowances of a reading."""
        return max((miss.far for miss in self._of(part)), default=0.0) if self.outcomes else math.inf

    def _of(self, part: str) -> list[Miss]:
        return [miss for miss in self.misses if miss.value.judged == "part" and miss.value.part in (part, "")]

    @property
    def worst(self) -> Miss | None:
        """The number that it misses most; None where a queue grows without bound, or nothing judges it."""
        judging = [miss for miss in self.misses if miss.value.part not in self.unexplained]
        return max(judging, key=lambda miss: miss.far, default=None)

    @property
    def why(self) -> Why:
        """Whether it is a reading, and why not."""
        if not self.outcomes:
            return Why.GROWS
        if self.worst is None or self.worst.far <= 1:
            return Why.FITS
        return Why.MISSES if self.settled else Why.UNREACHED


@dataclass(frozen=True, slots=True)
class Readings(Generic[L, O]):
    """What a search found: readings, the one whose setting is known best first, and loads that are none.

    `families` are those tried under the setting of the first reading, before they were combined.  `excluded` are
    families that no value of theirs can bring to the evidence, `unreached` those that the budget did not reach.
    """

    accepted: tuple[Trial[L, O], ...]
    rejected: tuple[Trial[L, O], ...]
    families: tuple[Trial[L, O], ...] = ()
    excluded: tuple[str, ...] = ()
    unreached: tuple[str, ...] = ()
    unexplained: frozenset[str] = frozenset()
    """Parts that no family fits."""

    def unidentified(self, model: Model[L, O]) -> dict[Key, tuple[float | str, ...]]:
        """The unknowns to which readings give different values, with these in order."""
        found: dict[Key, set[float | str]] = {}
        for trial in self.accepted:
            for key, value in model.values(trial.load).items():
                found.setdefault(key, set()).add(value)
        return {
            key: tuple(sorted(values, key=lambda value: (isinstance(value, str), value)))
            for key, values in found.items()
            if len(values) > 1
        }


def explore(model: Model[L, O], evidence: Evidences, budget: Budget, simulate: Simulate[L, O]) -> Readings[L, O]:
    """The readings of the evidence.

    Families are tried under the setting that is known best, and where it leaves none under the next.  Other settings
    are tried with the ends of what fits.
    """
    search = _Search(model, evidence, budget, simulate)
    found: list[Trial[L, O]] = []
    rejected: list[Trial[L, O]] = []
    tried: list[Trial[L, O]] = []
    ends: list[Trial[L, O]] = []
    for at, setting in enumerate(model.settings()):
        if setting.tried == "always" or (not found and (at == 0 or setting.tried)):
            trials = search.families(setting)
            good, bad = search.combined(trials)
            if not found:
                tried, ends = trials if good or not tried else tried, search.ends(good)
        elif not found:
            continue
        elif setting.known:
            good, bad = [replace(found[0], load=model.with_values(found[0].load, setting.values))], []
        else:
            good, bad = search.again(ends, setting)
        for edge in setting.edges:
            good += search.edge([trial for trial in good[:1] if edge.curve in (trial.family.curve, "")], edge)
        found += [replace(trial, setting=setting.name) for trial in good]
        rejected += [replace(trial, setting=setting.name) for trial in bad]
    return Readings(
        tuple(found), tuple(rejected), tuple(tried), tuple(search.excluded), tuple(search.unreached),
        search.unexplained(tried),
    )  # fmt: skip


def corrected(
    model: Model[L, O], start: tuple[Family, L], evidence: Evidences, budget: Budget, simulate: Simulate[L, O]
) -> Trial[L, O]:
    """The trial of one load of a family that comes nearest to the evidence, corrected step by step."""
    return _Search(model, evidence, budget, simulate).corrected(*start)


def judged(model: Model[L, O], trial: Trial[L, O], evidence: Evidences, aim: float) -> Trial[L, O]:
    """The same load and simulations, its misses taken against this evidence."""
    if not trial.outcomes:
        return trial
    burst = model.burst(trial.load)
    misses = [
        miss
        for given, outcome in zip(evidence, trial.outcomes, strict=True)
        for miss in missed(given, model.counters(outcome, given), aim, burst)
    ]
    return replace(trial, misses=tuple(misses), cost=cost(misses))


@dataclass
class _Search(Generic[L, O]):
    """A search under way: simulations that are left, and families that were not tried."""

    model: Model[L, O]
    evidence: Evidences
    budget: Budget
    simulate: Simulate[L, O]
    spent: int = 0
    excluded: list[str] = field(default_factory=list)
    unreached: list[str] = field(default_factory=list)

    @property
    def parts(self) -> Mapping[str, float]:
        return self.model.parts or {"": 1.0}

    def trial(self, family: Family, load: L, aimed: Evidences) -> Trial[L, O]:
        """One simulation of a load in every setting of the evidence."""
        self.spent += len(self.evidence)
        try:
            outcomes = tuple(self.simulate(load, each.at) for each in self.evidence)
        except RunError:
            return Trial(family, load)
        return judged(self.model, Trial(family, load, outcomes), aimed, self.budget.aim)

    def corrected(self, family: Family, load: L, aimed: Evidences | None = None) -> Trial[L, O]:
        """The nearest trial on the way from a load to the evidence, or to that which is aimed at."""
        aimed = self.evidence if aimed is None else aimed
        bracket = None if family.axis is None else _Bracket(family.axis)
        best: Trial[L, O] | None = None
        halved = False
        for _ in range(self.budget.steps):
            if bracket is not None and family.axis is not None:
                load = self.model.with_values(load, {family.axis.unknown.key: bracket.at})
            trial = self.trial(family, load, aimed)
            nearer = best is None or trial.cost < best.cost
            if best is not None and bracket is None and trial.cost > best.cost + math.log(self.budget.enough):
                if halved or best.why is not Why.FITS or self._whole(best):
                    return replace(best, settled=True)
                halved, load = True, self._between(best.load, load)
                continue
            best = replace(trial, settled=False) if nearer or best is None else best
            if not trial.outcomes or trial.cost <= SETTLED:
                return replace(best, settled=True)
            if bracket is not None and not bracket.moved(trial):
                return replace(best, settled=True)
            seen = [
                Seen(each, outcome, self.model.counters(outcome, each).mean(axis=0), self.budget.aim)
                for each, outcome in zip(aimed, trial.outcomes, strict=True)
            ]
            load = self.model.correct(trial.load, seen)
        assert best is not None, "a correction has a step"
        return best

    def _between(self, load: L, other: L) -> L:
        """The load with the numbers half way to those of another: a step that went too far is halved once."""
        values, others = self.model.values(load), self.model.values(other)
        halves: dict[Key, float | str] = {}
        for unknown in self.model.unknowns:
            here, there = values.get(unknown.key), others.get(unknown.key)
            if unknown.scale in ("linear", "log") and isinstance(here, float) and isinstance(there, float):
                halves[unknown.key] = (here + there) / 2
        return self.model.with_values(load, halves)

    def families(self, setting: Setting) -> list[Trial[L, O]]:
        """Every family under a setting, curve by curve, as long as one comes nearer than the one before.

        Where later evidence gives sums alone, it cannot tell which part is of which family: the families are then the
        combinations that fit the first evidence by itself.
        """
        if len(self.evidence) > 1 and not any(value.part for each in self.evidence[1:] for value in each.values):
            first = _Search(self.model, self.evidence[:1], self.budget, self.simulate)
            starts, _ = first.combined(first.families(setting))
            if starts:
                trials = [self.corrected(start.family, start.load) for start in starts]
                return trials if any(map(self._whole, trials)) else self._climbed(trials)
        trials = []
        for _, curve in itertools.groupby(self.model.families(), key=lambda family: family.curve):
            trials += self._along(list(curve), setting)
        return trials

    def _along(self, curve: Sequence[Family], setting: Setting) -> list[Trial[L, O]]:
        trials: list[Trial[L, O]] = []
        since = 0
        for at, family in enumerate(curve):
            if self.spent >= self.budget.simulations:
                self.unreached += [left.name for left in curve[at:]]
                break
            start = self.model.screen(family, setting, self.evidence)
            if start is None:
                self.excluded.append(family.name)
                continue
            trials.append(self.corrected(family, start))
            fits = self._mostly(trials[-1])
            nearer = fits or len(trials) < 2 or self._nearer(trials[-1], trials[-2])
            since = 0 if nearer else since + 1
            hopeless = all(trials[-1].far(part) > _HOPELESS for part in self.parts)
            if not trials[-1].outcomes or since >= (1 if hopeless else _PATIENCE):
                break
        return trials

    def _mostly(self, trial: Trial[L, O]) -> bool:
        """Whether it fits the parts that make half of the evidence."""
        fitting = sum(share for part, share in self.parts.items() if trial.close(part) <= 1)
        return fitting >= 0.5 * sum(self.parts.values())

    def _nearer(self, trial: Trial[L, O], before: Trial[L, O]) -> bool:
        """Whether a part that fitted neither is nearer than before."""
        pairs = [(trial.close(part), before.close(part)) for part in self.parts]
        return any(now < self.budget.enough * was for now, was in pairs if was > 1)

    def _whole(self, trial: Trial[L, O]) -> bool:
        return all(trial.close(part) <= 1 for part in self.parts if part not in trial.unexplained)

    def _climbed(self, trials: Sequence[Trial[L, O]]) -> list[Trial[L, O]]:
        """Trials on the way from the nearest: one whole unknown after the other, one more or fewer."""
        found, best = list(trials), min(trials, key=lambda trial: trial.cost)
        whole = [unknown for unknown in self.model.unknowns if unknown.scale == "whole" and unknown.part in self.parts]
        whole.sort(key=lambda unknown: -self.parts[unknown.part])
        for unknown in whole * _CLIMBS:
            for step in (1, -1):
                value = self.model.values(best.load).get(unknown.key, 0)
                assert not isinstance(value, str), "a whole unknown is a number"
                if not unknown.low <= value + step <= unknown.high or not value:
                    continue
                found.append(
                    self.corrected(best.family, self.model.with_values(best.load, {unknown.key: value + step}))
                )
                if found[-1].cost < best.cost:
                    best = found[-1]
                    break
            if self._whole(best) or len(found) > len(trials) + self.budget.combinations:
                break
        fitting = [trial for trial in found if self._whole(trial)]
        return fitting or found

    def unexplained(self, trials: Sequence[Trial[L, O]]) -> frozenset[str]:
        """The parts that no trial fits, not even by the allowances of a reading."""
        return frozenset(part for part in self.parts if part and not any(trial.far(part) <= 1 for trial in trials))

    def combined(self, trials: Sequence[Trial[L, O]]) -> tuple[list[Trial[L, O]], list[Trial[L, O]]]:
        """Readings and the others: the k-th has of each part the k-th family that fits it closely, or its last.

        A part that none fits closely takes the nearest.  A family that fits no part closely may be a reading by itself.
        """
        if not trials:
            return [], []
        unexplained = self.unexplained(trials)
        unexplained = frozenset() if len(unexplained) == len(self.parts) else unexplained
        ranks = {part: [trial for trial in trials if trial.close(part) <= 1] for part in self.parts}
        nearest = {part: min(trials, key=lambda trial: trial.close(part)) for part in self.parts}
        fits = [[trial.close(part) <= 1 for part in self.parts] for trial in trials]
        made = [trial for trial, parts in zip(trials, fits, strict=True) if all(parts) or not any(parts)]
        for depth in range(self._depth(ranks)):
            chosen = {part: rank[min(depth, len(rank) - 1)] if rank else nearest[part] for part, rank in ranks.items()}
            last = max(chosen.values(), key=lambda trial: next(at for at, each in enumerate(trials) if each is trial))
            if any(trial is not last for trial in chosen.values()) or not self._whole(last):
                made.append(self._mixed(last, chosen))
        places = {trial.family.name: at for at, trial in reversed(list(enumerate(trials)))}
        made = [replace(trial, unexplained=unexplained) for trial in made]
        made.sort(key=lambda trial: (not self._whole(trial), places[trial.family.name]))
        good = [trial for trial in made if trial.why is Why.FITS]
        return good, [trial for trial in made if trial.why is not Why.FITS]

    def _depth(self, ranks: Mapping[str, Sequence[Trial[L, O]]]) -> int:
        """How many combinations there are: as long as parts that make half of the evidence have a further family."""
        total = sum(self.parts.values())
        depth = 0
        while depth < self.budget.combinations:
            deeper = [part for part, rank in ranks.items() if len(rank) > depth]
            if not deeper or (depth and sum(self.parts[part] for part in deeper) < 0.5 * total):
                break
            depth += 1
        return depth

    def _mixed(self, last: Trial[L, O], chosen: Mapping[str, Trial[L, O]]) -> Trial[L, O]:
        """Parts of several trials as one load, the rest of it from the last of them, simulated together."""
        if all(trial is last for trial in chosen.values()):
            return last
        values = {
            key: value
            for part, trial in chosen.items()
            for key, value in self.model.values(trial.load).items()
            if key[1] == part
        }
        curves = {trial.family.curve for trial in chosen.values()}
        family = replace(last.family, curve=last.family.curve if len(curves) == 1 else _MIXED)
        return self.corrected(family, self.model.with_values(last.load, values))

    def ends(self, found: Sequence[Trial[L, O]]) -> list[Trial[L, O]]:
        """The first and the last reading of each curve that fit closely; the first one where none does."""
        curves: dict[str, list[Trial[L, O]]] = {}
        for trial in found:
            if self._whole(trial):
                curves.setdefault(trial.family.curve, []).append(trial)
        ends = [trial for curve in curves.values() for trial in ([curve[0], curve[-1]] if len(curve) > 1 else curve)]
        return ends[:_MOST_ENDS] or list(found[:1])

    def again(self, ends: Sequence[Trial[L, O]], setting: Setting) -> tuple[list[Trial[L, O]], list[Trial[L, O]]]:
        """The ends of what fits, under another setting."""
        made = [
            replace(
                self.corrected(end.family, self.model.with_values(end.load, setting.values)),
                unexplained=end.unexplained,
            )
            for end in ends
        ]
        return [trial for trial in made if trial.why is Why.FITS], [
            trial for trial in made if trial.why is not Why.FITS
        ]

    def edge(self, found: Sequence[Trial[L, O]], edge: Edge) -> list[Trial[L, O]]:
        """A reading corrected towards an end of the evidence, where it still fits closely."""
        made = []
        for trial in found:
            aimed = [_moved(each, edge, self.budget.aim) for each in self.evidence]
            at_edge = judged(
                self.model, self.corrected(trial.family, trial.load, aimed), self.evidence, self.budget.aim
            )
            at_edge = replace(at_edge, edge=edge.name, unexplained=trial.unexplained)
            made += [at_edge] if self._whole(at_edge) else []
        return made


_PATIENCE = 2
"""Families of a curve in a row that come no nearer, after which it is left."""

_HOPELESS = 5.0
"""Allowances of a reading beyond which a part is nowhere near."""

_MOST_ENDS = 4
"""Ends of what fits, from which other settings are tried."""

_CLIMBS = 2
"""How often each whole unknown is moved by one, where no common value fits."""

_PRECISELY = 20.0
"""How much more precisely than it is printed a number is aimed at that is moved to the end of its allowance."""

_MIXED = "mixed"
"""The curve of parts of several curves."""


def _moved(evidence: Evidence, edge: Edge, aim: float) -> Evidence:
    """Evidence with some numbers at the end of what a search allows of them, and aimed at far more precisely."""

    def moved(value: Value) -> Value:
        if value.name not in edge.numbers:
            return value
        return replace(value, value=value.value + edge.by * allowance(value, aim), rounding=value.rounding / _PRECISELY)

    return replace(evidence, values=tuple(map(moved, evidence.values)))


class _Bracket:
    """A value on either side of where a number of the evidence is met, by the logarithm of the unknown.

    Steps that double find a value on either side, then values are interpolated (regula falsi, with the end that stays
    put halved: Dowell and Jarratt, BIT 11, 1971).
    """

    def __init__(self, axis: Axis) -> None:
        self.axis = axis
        self.low, self.high = math.log(axis.unknown.low), math.log(axis.unknown.high)
        self.place, self.step = math.log(axis.start), math.log(2.0)
        self.sides: dict[bool, tuple[float, float]] = {}
        self.last: bool | None = None

    @property
    def at(self) -> float:
        """The value to be tried."""
        return math.exp(min(max(self.place, self.low), self.high))

    def moved(self, trial: Trial[L, O]) -> bool:
        """Whether there is another value to try after this one."""
        gap = next((miss.off for miss in trial.misses if miss.value.key == self.axis.number), 0.0)
        over = gap > 0
        if gap == 0 or (self.place <= self.low and over) or (self.place >= self.high and not over):
            return False
        self.sides[over] = self.place, gap
        if self.last is over and len(self.sides) == 2:
            self.sides[not over] = self.sides[not over][0], self.sides[not over][1] / 2
        self.last = over
        if len(self.sides) == 2:
            (under_at, under), (over_at, over_by) = self.sides[False], self.sides[True]
            self.place = under_at + (over_at - under_at) * under / (under - over_by)
        else:
            self.place += -self.step if over else self.step
            self.place = min(max(self.place, self.low), self.high)
            self.step *= 2
        return True


@dataclass(frozen=True, slots=True)
class Curves:
    """One number of many subjects, a row each: as a surrogate gives it along a curve, and as measured.

    `shown`: rows x steps of the unknown that is found.  `allowed`: how far it may be off, with the surrogate's error.
    """

    shown: Array
    measured: Array
    allowed: Array


@dataclass(frozen=True, slots=True)
class Places:
    """Where each row meets its evidence, in steps; had the number been as low or as high as is allowed, too.

    `off` are misses there by number: simulated less measured, in allowances.  Of the number that is met they are those
    at the ends of the curve.
    """

    met: Array
    low: Array
    high: Array
    off: Mapping[str, Array]


def explore_many(curves: Mapping[str, Curves], met: str) -> Places:
    """The readings of many subjects by a surrogate, without a simulation: `met` is the number that is brought about.

    It has to grow along the curve; noise of the surrogate is levelled.
    """
    aimed = curves[met]
    rising = np.maximum.accumulate(aimed.shown, axis=1)
    places = [_reached(rising, aimed.measured + by * aimed.allowed) for by in (0, -1, 1)]
    off = {}
    for name, curve in curves.items():
        there = between(curve.shown if name != met else rising, places[0])
        with np.errstate(invalid="ignore", divide="ignore"):
            off[name] = (there - curve.measured) / curve.allowed
    return Places(places[0], places[1], places[2], off)


def _reached(rising: Array, wanted: Array) -> Array:
    """Where each row first reaches a value, in steps; an end where it does not."""
    above = rising >= wanted[:, None]
    at = np.where(above.any(axis=1), above.argmax(axis=1), rising.shape[1] - 1)
    before = np.maximum(at - 1, 0)
    rows = np.arange(len(rising))
    low, high = rising[rows, before], rising[rows, at]
    with np.errstate(invalid="ignore", divide="ignore"):
        part = np.where(high > low, (wanted - low) / (high - low), 0.0)
    return np.asarray(before + np.clip(part, 0.0, 1.0) * (at > before))


def between(columns: Array, place: Array) -> Array:
    """Values of each row at a place between its columns."""
    at = np.minimum(place.astype(np.intp), columns.shape[1] - 2)
    rows = np.arange(len(columns))
    return np.asarray(columns[rows, at] + (place - at) * (columns[rows, at + 1] - columns[rows, at]))

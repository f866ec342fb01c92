"""The answer to a choice as data: the setting chosen, the runner-up, and what became of every setting."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from slicewright.choose.observed import Aim, Observer, Setting
from slicewright.choose.search import Searched, worst
from slicewright.choose.selection import Rules, Selection, Standing
from slicewright.statistics import Estimate, estimate, paired
from slicewright.sweep.axes import Axis


@dataclass(frozen=True, slots=True)
class Candidate:
    """A setting, what was observed of it, and what became of it."""

    values: Setting
    standing: Standing
    cost: Estimate
    measured: Sequence[Estimate]
    """Of each constraint the value of its expression."""
    excesses: Sequence[Estimate]
    """The same over the bounds; negative where a constraint is met."""
    costs: Sequence[float]
    """By batch, so that settings can be compared batch by batch."""
    reason: str = ""

    @property
    def seems_feasible(self) -> bool:
        """Whether its means keep all constraints.

        >>> Candidate((), Standing.OPEN, Estimate(1.0, 0.1, 10), [], [], []).seems_feasible
        True
        """
        return math.isfinite(self.cost.mean) and all(excess.mean <= 0 for excess in self.excesses)


@dataclass(frozen=True, slots=True)
class Answer:
    """The question, every setting that was observed, and the one that was chosen."""

    name: str
    aim: Aim
    axes: Sequence[Axis]
    rules: Rules
    selection: Selection
    candidates: Sequence[Candidate]
    searched: bool
    points: int
    """Points of the store that the answer rests on."""
    seed: int
    readings: Mapping[str, Candidate] = field(default_factory=dict)
    """The setting that was chosen under each reading that a fit left; empty where the scenario is the only one."""

    @property
    def chosen(self) -> Candidate | None:
        """The setting that was chosen."""
        return next((each for each in self.candidates if each.standing is Standing.CHOSEN), None)

    @property
    def runner_up(self) -> Candidate | None:
        """The setting of next higher cost among those whose means keep all constraints."""
        kept = (Standing.DEARER, Standing.OPEN)
        others = [each for each in self.candidates if each.standing in kept and each.seems_feasible]
        return min(others, key=lambda each: each.cost.mean, default=None)

    @property
    def difference(self) -> Estimate | None:
        """How much more the runner-up costs, batch by batch."""
        chosen, other = self.chosen, self.runner_up
        if chosen is None or other is None:
            return None
        common = min(len(chosen.costs), len(other.costs))
        return paired(chosen.costs[:common], other.costs[:common])

    @property
    def refused_nearest(self) -> Candidate | None:
        """The cheaper setting, nearest in cost, that breaks a constraint: the constraint that binds."""
        chosen = self.chosen
        cheaper = [
            each
            for each in self.candidates
            if chosen and each.standing is Standing.BROKEN and each.cost.mean < chosen.cost.mean
        ]
        return max(cheaper, key=lambda each: each.cost.mean, default=None)

    @property
    def nearest(self) -> Candidate | None:
        """The setting that breaks its constraints least, as a share of their bounds."""
        known = [each for each in self.candidates if math.isfinite(each.cost.mean)]
        scales = [abs(constraint.bound) for constraint in self.aim.constraints]
        return min(known, key=lambda each: worst(each.excesses, scales), default=None)


def answered(
    observer: Observer,
    settings: Sequence[Setting],
    selection: Selection,
    rules: Rules,
    searched: Searched | None = None,
) -> Answer:
    """The answer of a selection among settings, and of the search before it."""
    aim = observer.aim
    made = []
    for setting, standing, rows in zip(settings, selection.standings, selection.observed, strict=True):
        made.append(candidate(observer, setting, standing, rows.T.tolist()))
    if searched is not None:
        others = [each for each in searched.rows if each not in set(settings)]
        made += [
            candidate(observer, each, _of_search(searched, each), searched.rows[each].T.tolist()) for each in others
        ]
    name, axes = observer.scenario.name, observer.axes
    return Answer(name, aim, axes, rules, selection, made, searched is not None, len(observer.ids), observer.seed)


def candidate(observer: Observer, setting: Setting, standing: Standing, columns: Sequence[list[float]]) -> Candidate:
    """A setting with the estimates of what was observed, a column of batches each."""
    costs, *excesses = columns
    over = [_whole(column) for column in excesses]
    measured = [
        Estimate(constraint.bound + (1 if constraint.comparison == "<=" else -1) * each.mean, each.half_width,
                 each.replications)
        for constraint, each in zip(observer.aim.constraints, over, strict=True)
    ]  # fmt: skip
    reason = observer.reasons.get(setting, "")
    if standing is Standing.FAILED and not reason:
        reason = "a batch has no value of the cost or of a constraint, such as a mean of nothing or a division by 0"
    return Candidate(setting, standing, _whole(costs), measured, over, costs, reason)


def _whole(values: Sequence[float]) -> Estimate:
    """The estimate over batches; none where a batch has no value."""
    if all(map(math.isfinite, values)):
        return estimate(values)
    return Estimate(math.nan, math.nan, 0)


def _of_search(searched: Searched, setting: Setting) -> Standing:
    cost, *excesses = searched.estimates(setting)
    if math.isnan(cost.mean):
        return Standing.FAILED
    return Standing.BROKEN if any(excess.low > 0 for excess in excesses) else Standing.SEARCHED

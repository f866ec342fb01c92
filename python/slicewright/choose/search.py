"""The search among very many settings: Optuna proposes, points of the store answer, the best go on to a selection."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from slicewright.choose.selection import Observe
from slicewright.errors import problem, refusal
from slicewright.statistics import Estimate, estimate
from slicewright.sweep.axes import Axis

if TYPE_CHECKING:
    from slicewright.choose.observed import Setting

LOOK, BATCHES = 3, 10
"""Batches of every setting, and of one that is not pruned."""
TOGETHER = 8
"""Settings that are proposed at once, whatever the number of threads, so that these change nothing."""
FINALISTS = 10
"""Settings that go on to the selection."""
NEAREST = 3
"""The same where none keeps the constraints."""


def search(
    axes: Sequence[Axis],
    observe: Callable[[Sequence[Setting]], Observe],
    scales: Sequence[float],
    trials: int,
    seed: int,
) -> Searched:
    """Propose settings by a tree-structured Parzen estimator (Optuna's `TPESampler`), observe them, and keep the best.

    A setting has 3 batches.  It has 10 unless its 95 % intervals say that it breaks a constraint, or that it costs more
    than the best one so far.  The same seed proposes the same
    settings.  Raises InputError without Optuna.
    """
    optuna = _optuna()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed % 2**32))
    found = Searched(scales)
    for start in range(0, trials, TOGETHER):
        asked = [study.ask() for _ in range(min(TOGETHER, trials - start))]
        settings = [tuple(_proposed(trial, axis) for axis in axes) for trial in asked]
        found.look(list(dict.fromkeys(settings)), observe)
        for trial, setting in zip(asked, settings, strict=True):
            columns = found.estimates(setting)
            if any(math.isnan(column.mean) for column in columns):
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
                continue
            for number, excess in enumerate(columns[1:]):
                trial.set_constraint(str(number), excess.mean)
            study.tell(trial, columns[0].mean)
    return found


class Searched:
    """The settings that were proposed, and their observations."""

    def __init__(self, scales: Sequence[float]) -> None:
        self.scales = scales
        self.rows: dict[Setting, Any] = {}
        """By setting: batches x columns."""
        self.pruned: set[Setting] = set()

    def look(self, settings: Sequence[Setting], observe: Callable[[Sequence[Setting]], Observe]) -> None:
        """Observe settings: a few batches of each, and more of those that may be the best."""
        import numpy as np

        new = [setting for setting in settings if setting not in self.rows]
        if not new:
            return
        seen = observe(new)(range(len(new)), range(LOOK))
        self.rows |= dict(zip(new, seen, strict=True))
        limit = min((self.estimates(each)[0].high for each in self.rows if self._keeps(each)), default=math.inf)
        self.pruned |= {each for each in new if not self._may_win(each, limit)}
        left = [each for each in new if each not in self.pruned]
        if left:
            more = observe(left)(range(len(left)), range(LOOK, BATCHES))
            for setting, rows in zip(left, more, strict=True):
                self.rows[setting] = np.concatenate([self.rows[setting], rows])

    def estimates(self, setting: Setting) -> list[Estimate]:
        """Cost and excesses with their intervals; NaN where a batch has none."""
        rows = self.rows[setting]
        return [
            estimate(column) if all(map(math.isfinite, column)) else Estimate(math.nan, math.nan, 0)
            for column in rows.T.tolist()
        ]

    def finalists(self) -> list[Setting]:
        """The settings of least cost whose intervals do not break a constraint; without any, those that break least."""
        known = {each: self.estimates(each) for each in self.rows}
        known = {each: columns for each, columns in known.items() if not math.isnan(columns[0].mean)}
        open_ones = [each for each in known if each not in self.pruned]
        if open_ones:
            return sorted(open_ones, key=lambda each: known[each][0].mean)[:FINALISTS]
        return sorted(known, key=lambda each: worst(known[each][1:], self.scales))[:NEAREST]

    def _keeps(self, setting: Setting) -> bool:
        cost, *excesses = self.estimates(setting)
        return not math.isnan(cost.mean) and all(excess.high <= 0 for excess in excesses)

    def _may_win(self, setting: Setting, limit: float) -> bool:
        cost, *excesses = self.estimates(setting)
        return not math.isnan(cost.mean) and cost.low <= limit and all(excess.low <= 0 for excess in excesses)


def worst(excesses: Sequence[Estimate], scales: Sequence[float]) -> float:
    """The largest excess over a bound, as a share of it.

    >>> worst([Estimate(1.0, 0.1, 10), Estimate(1.0, 0.1, 10)], [2.0, 10.0])
    0.5
    """
    return max((excess.mean / scale for excess, scale in zip(excesses, scales, strict=True)), default=0.0)


def _proposed(trial: Any, axis: Axis) -> Any:
    if not axis.values:
        return axis.at((trial.suggest_float(axis.key, axis.low, axis.high) - axis.low) / (axis.high - axis.low))
    if axis.kind == "text":
        return trial.suggest_categorical(axis.key, axis.values)
    return sorted(axis.values)[trial.suggest_int(axis.key, 0, len(axis.values) - 1)]


def _optuna() -> Any:
    """Optuna, an optional extra."""
    try:
        import optuna
    except ModuleNotFoundError:
        remedy = "pip install 'slicewright[optuna]', or give fewer values, so that every setting is compared"
        raise refusal(problem("Optuna is not installed", key="knob", remedy=remedy)) from None
    return optuna


__all__ = ["Searched", "search", "worst"]

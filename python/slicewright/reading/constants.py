"""Constants as a reading: values at which a model reproduces published cells, by least squares.

The evidence is calibration cells, each with what its difference is counted in: the rounding of its print, or its band.
From one start the search follows slopes that are taken a step away: coarse beside noise, fine beside the curvature.
Between bounds it spreads sets, looks at each, and follows the best; the ends that it keeps are an ensemble
(docs/decisions/0015-diag9c-study.md).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from slicewright.reading.evidence import Unknown, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

T = TypeVar("T")

Set = Mapping[str, float]
"""One set of constants: a value by each name."""

DIGITS = 4
"""Significant digits that are kept of a constant."""

STEP = 0.15
"""What a logarithm grows by for a slope in the search for an ensemble: coarse beside noise."""

FARTHEST = 0.6
"""The most that a logarithm changes in one step there: a constant at most by a factor of 1.8."""

DAMPINGS = (0.3, 3.0, 30.0)
"""How far steps are damped that are tried from one set of slopes; the least damped goes farthest."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A set that was tried, and its residuals."""

    constants: Set
    residuals: tuple[float, ...]

    @property
    def misfit(self) -> float:
        """The sum of the squared residuals: what a search makes as small as it can."""
        return math.fsum(residual * residual for residual in self.residuals)


Try = Callable[[Set], Tried]
"""Simulates a set."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How many sets are spread over the bounds, how many of them are searched from, and how many ends are kept.

    `rounds`: how often slopes are taken and followed from each start, and then again from each end that is kept.
    """

    spread: int = 64
    starts: int = 12
    keep: int = 8
    rounds: tuple[int, int] = (2, 1)
    seed: int = 1


def rounded(value: float) -> float:
    """A constant with the digits that are kept."""
    return float(f"{value:.{DIGITS}g}")


def residual(cell: Value, simulated: float, *, by_ratio: bool = False) -> float:
    """How far a simulated value is from its cell, in what the cell allows; by ratio, twice and half are as far.

    >>> round(residual(Value("rate_per_s", "A", 100.0, 25.0), 125.0, by_ratio=True), 6)
    1.0
    """
    if by_ratio:
        # A rate of nothing is as far off as one a thousand times too low.
        return math.log(max(simulated / cell.value, 1e-3)) / math.log(1 + cell.rounding / cell.value)
    return (simulated - cell.value) / cell.rounding


class _Trials:
    """Sets by their points: unknowns, or logarithms of them, counted in steps; each set is tried once."""

    def __init__(self, unknowns: Sequence[Unknown], steps: Set, simulate: Try, *, digits: bool = False) -> None:
        self.unknowns, self.steps, self.simulate, self.digits = unknowns, steps, simulate, digits
        self.seen: dict[tuple[float, ...], Tried] = {}

    def point(self, value: Callable[[Unknown], float]) -> Vector:
        """The point of a value of each unknown."""
        import numpy as np

        values = [(math.log(value(each)) if each.scale == "log" else value(each)) for each in self.unknowns]
        return np.array([at / self.steps[each.name] for at, each in zip(values, self.unknowns, strict=True)])

    def constants(self, point: Vector) -> dict[str, float]:
        """The set at a point."""
        found = {}
        for each, at in zip(self.unknowns, point.tolist(), strict=True):
            value = at * self.steps[each.name]
            value = math.exp(value) if each.scale == "log" else value
            found[each.name] = rounded(value) if self.digits else value
        return found

    def at(self, point: Vector) -> Vector:
        """The residuals at a point."""
        import numpy as np

        constants = self.constants(point)
        key = tuple(constants.values())
        if key not in self.seen:
            self.seen[key] = self.simulate(constants)
        return np.array(self.seen[key].residuals)

    def slopes(self, point: Vector, by: Vector) -> Vector:
        """The growth of the residuals along each unknown, from a trial some way ahead of the point."""
        import numpy as np

        here, ahead = self.at(point), [self.at(point + way) for way in np.diag(by)]
        return np.column_stack([(there - here) / way for there, way in zip(ahead, by.tolist(), strict=True)])


@dataclass(frozen=True, slots=True)
class Search:
    """Where a search from one set starts, and its steps: of an unknown by ratio, what its logarithm grows by.

    With `once` the slopes are those at the start: fewer trials, where residuals are nearly linear and trials noisy.
    """

    unknowns: tuple[Unknown, ...]
    start: Set
    steps: Set
    once: bool = False


def least_squares(search: Search, simulate: Try, tell: Callable[[Tried], object]) -> dict[str, float]:
    """The constants, rounded to four digits, at which the sum of the squared residuals is least.

    `tell` hears of each iteration.

    >>> search = Search((Unknown("a", "", 0.0, math.inf, "", "linear"),), {"a": 1.0}, {"a": 0.1})
    >>> least_squares(search, lambda trial: Tried(trial, (trial["a"] - 3.0,)), lambda trial: None)
    {'a': 3.0}
    """
    import numpy as np
    from scipy import optimize

    trials = _Trials(search.unknowns, search.steps, simulate)
    start, by = trials.point(lambda each: search.start[each.name]), np.ones(len(search.unknowns))

    def heard(point: Vector) -> Vector:
        residuals = trials.at(point)
        tell(trials.seen[tuple(trials.constants(point).values())])
        return residuals

    @cache
    def slopes_at_start() -> Vector:
        return trials.slopes(start, by)

    low = [-math.inf if each.scale == "log" else each.low / search.steps[each.name] for each in search.unknowns]
    found = optimize.least_squares(
        heard, start, jac=lambda point: slopes_at_start() if search.once else trials.slopes(point, by),
        bounds=(low, trials.point(lambda each: each.high)), x_scale=1.0, xtol=1e-3, ftol=1e-3, max_nfev=20,
    )  # fmt: skip
    return {name: rounded(value) for name, value in trials.constants(found.x).items()}


def spread_out(unknowns: Sequence[Unknown], plan: Plan) -> list[Set]:
    """Sets spread evenly over the bounds, in logarithms: each constant once in each of `plan.spread` parts.

    McKay, Beckman and Conover, Technometrics 21 (1979): Latin hypercube sampling.
    """
    draw, count = random.Random(plan.seed), plan.spread
    columns = {}
    for each in unknowns:
        order = list(range(count))
        draw.shuffle(order)
        shares = [(at + draw.random()) / count for at in order]
        columns[each.name] = [rounded(each.low * (each.high / each.low) ** share) for share in shares]
    return [{name: column[at] for name, column in columns.items()} for at in range(count)]


def improved(start: Tried, simulate: Try, unknowns: Sequence[Unknown]) -> Tried:
    """The best of the start, one point a step away in each direction, and one step for each damping, by ratios.

    Levenberg, Quarterly of Applied Mathematics 2 (1944): damped least squares.  Steps are bounded: far from where
    slopes were taken they say nothing, and a search that follows them (`least_squares`) ends where nothing works.

    >>> simulate = lambda trial: Tried(trial, (10 * math.log(trial["a"] / 3),))
    >>> found = simulate({"a": 1.0})
    >>> for _ in range(3):
    ...     found = improved(found, simulate, [Unknown("a", "", 0.5, 10.0, "", "log")])
    >>> abs(found.constants["a"] - 3) < 0.01
    True
    """
    import numpy as np

    trials = _Trials(unknowns, dict.fromkeys(start.constants, 1.0), simulate, digits=True)
    trials.seen[tuple(start.constants.values())] = start
    here = trials.point(lambda each: start.constants[each.name])
    low, high = trials.point(lambda each: each.low), trials.point(lambda each: each.high)
    # Away from the bound where that is nearer than a step.
    slopes = trials.slopes(here, np.where(here + STEP <= high, STEP, -STEP))
    before = np.array(start.residuals)
    for damping in DAMPINGS:
        square = slopes.T @ slopes + damping * np.eye(len(here))
        step = np.clip(np.linalg.solve(square, -slopes.T @ before), -FARTHEST, FARTHEST)
        trials.at(np.clip(here + step, low, high))
    return min(trials.seen.values(), key=lambda trial: trial.misfit)


Each = Callable[[Callable[[Any], T], Sequence[Any]], list[T]]
"""Does something for each of several, side by side, which changes no result."""


def ensemble(unknowns: Sequence[Unknown], plan: Plan, tries: tuple[Try, Try, Try], each: Each[Any]) -> list[Set]:
    """The sets that are kept: trials are a short look at each set, coarse ones from every start, and fine ones."""
    look, coarse, fine = tries

    def followed(simulate: Try, rounds: int, start: Tried) -> Tried:
        for _ in range(rounds):
            start = improved(start, simulate, unknowns)
        return start

    def best(trials: Sequence[Tried], count: int) -> list[Set]:
        return [trial.constants for trial in sorted(trials, key=lambda trial: trial.misfit)[:count]]

    looked = each(look, spread_out(unknowns, plan))
    starts = each(coarse, best(looked, plan.starts))
    ends = each(partial(followed, coarse, plan.rounds[0]), starts)
    again = each(fine, best(ends, plan.keep))
    return [trial.constants for trial in each(partial(followed, fine, plan.rounds[1]), again)]

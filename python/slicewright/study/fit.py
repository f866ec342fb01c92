"""Least squares over named constants whose residuals come from simulations with common random numbers.

It leaves out what is simulated and which cells are seen: each study declares that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

Tell = Callable[[str], None]

DIGITS = 4
"""Significant digits that are kept of a constant."""


@dataclass(frozen=True, slots=True)
class Search:
    """Where the search starts and the steps of its differences: coarse beside noise, fine beside the curvature.

    All are in the units of the constants; no constant goes below 0, nor above `most` where that is given.  With `once`
    the slopes are those at the start: fewer trials, where residuals are nearly linear and trials noisy.

    >>> Search({"think": 0.2}, {"think": 0.02}).most
    {}
    """

    start: Mapping[str, float]
    step: Mapping[str, float]
    most: Mapping[str, float] = field(default_factory=dict)
    once: bool = False


def least_squares(search: Search, residuals: Callable[[dict[str, float]], list[float]], tell: Tell) -> dict[str, float]:
    """The constants, rounded to four digits, at which the sum of the squared residuals is least.

    `tell` hears one line per iteration: the constants and that sum.

    >>> search = Search({"a": 1.0}, {"a": 0.1})
    >>> least_squares(search, lambda trial: [trial["a"] - 3.0], lambda line: None)
    {'a': 3.0}
    """
    import numpy as np
    from scipy import optimize

    names = list(search.start)
    steps = np.array([search.step[name] for name in names])

    def constants(scaled: tuple[float, ...]) -> dict[str, float]:
        return {name: number * step for name, number, step in zip(names, scaled, steps.tolist(), strict=True)}

    @cache
    def trial(scaled: tuple[float, ...]) -> list[float]:
        return residuals(constants(scaled))

    def heard(scaled: Vector) -> Vector:
        own = tuple(scaled.tolist())
        shown = ", ".join(f"{name} {number:.6g}" for name, number in constants(own).items())
        tell(f"{shown}: {squares(trial(own)):.4g}")
        return np.array(trial(own))

    def slopes(scaled: Vector) -> Vector:
        here = np.array(trial(tuple(scaled.tolist())))
        ahead = [trial(tuple((scaled + unit).tolist())) for unit in np.eye(len(names))]
        return np.column_stack([np.array(one) - here for one in ahead])

    @cache
    def slopes_at_start() -> Vector:
        return slopes(start)

    start = np.array([search.start[name] for name in names]) / steps
    most = np.array([search.most.get(name, np.inf) for name in names]) / steps
    found = optimize.least_squares(
        heard,
        start,
        jac=(lambda scaled: slopes_at_start()) if search.once else slopes,
        bounds=(0, most),
        x_scale=1.0,
        xtol=1e-3,
        ftol=1e-3,
        max_nfev=20,
    )
    return {name: float(f"{number:.{DIGITS}g}") for name, number in zip(names, (found.x * steps).tolist(), strict=True)}


def squares(residuals: list[float]) -> float:
    """The sum that is made as small as it can be.

    >>> squares([1.0, -2.0])
    5.0
    """
    return sum(one * one for one in residuals)

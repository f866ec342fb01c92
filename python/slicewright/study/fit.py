"""Least squares over named constants whose residuals come from simulations with common random numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
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
    the slopes are those at the start: fewer trials, where residuals are nearly linear and trials noisy.  With `ratio`
    constants are searched by their logarithms, and steps are what they grow by: .1 is a tenth.

    >>> Search({"think": 0.2}, {"think": 0.02}).most
    {}
    """

    start: Mapping[str, float]
    step: Mapping[str, float]
    most: Mapping[str, float] = field(default_factory=dict)
    once: bool = False
    ratio: bool = False

    def constants(self, scaled: Iterable[float]) -> dict[str, float]:
        """The constants at a point of the search, which counts in steps.

        >>> Search({"a": 1.0}, {"a": 0.1}, ratio=True).constants([0.0])
        {'a': 1.0}
        """
        own = zip(self.step.items(), scaled, strict=True)
        return {name: math.exp(number * step) if self.ratio else number * step for (name, step), number in own}

    def scaled(self, constants: Mapping[str, float]) -> list[float]:
        """Where constants lie, in steps; infinitely far where there is none of a name."""
        numbers = ((constants.get(name, math.inf), step) for name, step in self.step.items())
        return [(math.log(number) if self.ratio else number) / step for number, step in numbers]


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
    least = -np.inf if search.ratio else 0
    found = optimize.least_squares(
        heard,
        start,
        jac=(lambda scaled: slopes_at_start()) if search.once else slopes,
        bounds=(least, most),
        x_scale=1.0,
        xtol=1e-3,
        ftol=1e-3,
        max_nfev=20,
    )
    return {name: float(f"{number:.{DIGITS}g}") for name, number in search.constants(found.x.tolist()).items()}


def squares(residuals: list[float]) -> float:
    """The sum that is made as small as it can be.

    >>> squares([1.0, -2.0])
    5.0
    """
    return sum(residual * residual for residual in residuals)

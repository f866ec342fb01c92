"""A damped least-squares search by ratios within bounds, for residuals that are noisy and far from linear.

Steps are bounded: far from where slopes were taken they say nothing, and a search that follows them
(`slicewright.study.fit`) ends where nothing works.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slicewright.study.fit import DIGITS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

Bounds = Mapping[str, tuple[float, float]]

STEP = 0.15
"""What a logarithm grows by for a slope: coarse beside noise."""

FARTHEST = 0.6
"""The most that a logarithm changes in one step: a constant at most by a factor of 1.8."""

DAMPINGS = (0.3, 3.0, 30.0)
"""How far steps are damped that are tried from one set of slopes; the least damped goes farthest."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A point that was tried: the constants and their residuals.

    >>> Trial({"a": 1.0}, (3.0, 4.0)).misfit
    25.0
    """

    constants: Mapping[str, float]
    residuals: tuple[float, ...]

    @property
    def misfit(self) -> float:
        """The sum of the squared residuals."""
        return math.fsum(residual * residual for residual in self.residuals)


def improved(start: Trial, residuals: Callable[[dict[str, float]], tuple[float, ...]], bounds: Bounds) -> Trial:
    """The best of the start, one point a step away in each direction, and one step for each damping.

    Levenberg, Quarterly of Applied Mathematics 2 (1944): damped least squares.

    >>> found = Trial({"a": 1.0}, (-11.0,))
    >>> for _ in range(3):
    ...     found = improved(found, lambda trial: (10 * math.log(trial["a"] / 3),), {"a": (0.5, 10.0)})
    >>> abs(found.constants["a"] - 3) < 0.01
    True
    """
    import numpy as np

    names = list(bounds)
    here = np.array([math.log(start.constants[name]) for name in names])
    ends = np.array([[math.log(end) for end in bounds[name]] for name in names])

    def tried(point: Vector) -> Trial:
        constants = {name: float(f"{math.exp(at):.{DIGITS}g}") for name, at in zip(names, point, strict=True)}
        return Trial(constants, residuals(constants))

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

"""The design of a sweep: which combinations of values are simulated, by number."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from slicewright.errors import Problem, problem, refusal
from slicewright.parameters import brief, whole_problem
from slicewright.sweep.axes import Axis, Value

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Name = Literal["grid", "sobol", "latin"]
NAMES: tuple[str, ...] = get_args(Name)

MOST_POINTS = 1_000_000
_SEED = 1
"""Of scrambled Sobol sequences and Latin hypercubes, so that the same design has the same points."""


@dataclass(frozen=True)
class Design:
    """Settings by number: all combinations of a grid, or points that fill the space of the axes evenly.

    >>> from slicewright.sweep.axes import axis
    >>> design = Design((axis("a", "1,2"), axis("b", "x,y")))
    >>> design.count, [design.at(number) for number in range(3)]
    (4, [(1, 'x'), (1, 'y'), (2, 'x')])
    """

    axes: tuple[Axis, ...]
    name: str = "grid"
    points: int = 0
    """Of a Sobol sequence or a Latin hypercube (SciPy, `scipy.stats.qmc`)."""

    @property
    def count(self) -> int:
        """How many settings there are."""
        return math.prod(len(axis.values) for axis in self.axes) if self.name == "grid" else self.points

    def at(self, number: int) -> tuple[Value, ...]:
        """The values of one setting, in the order of the axes."""
        if self.name != "grid":
            return tuple(axis.at(float(share)) for axis, share in zip(self.axes, self._shares[number], strict=True))
        chosen: list[Value] = []
        for axis in reversed(self.axes):
            number, at = divmod(number, len(axis.values))
            chosen.append(axis.values[at])
        return tuple(reversed(chosen))

    @functools.cached_property
    def _shares(self) -> npt.NDArray[np.float64]:
        """Of each point, how far along each axis it lies."""
        import numpy as np
        from scipy.stats import qmc

        kind = qmc.Sobol if self.name == "sobol" else qmc.LatinHypercube
        sampler = kind(len(self.axes), rng=np.random.default_rng(_SEED))
        if self.name == "sobol":  # drawn to a power of two, of which the first are taken
            return np.asarray(sampler.random_base2(max(1, math.ceil(math.log2(self.points)))))[: self.points]
        return np.asarray(sampler.random(self.points))


@dataclass(frozen=True)
class Settings:
    """Settings that are listed: some of a grid, or those that a search wants next.

    >>> Settings((), [(1, "x"), (2, "x")]).count
    2
    """

    axes: tuple[Axis, ...]
    listed: Sequence[tuple[Value, ...]]

    @property
    def count(self) -> int:
        """How many settings there are."""
        return len(self.listed)

    def at(self, number: int) -> tuple[Value, ...]:
        """The values of one setting, in the order of the axes."""
        return self.listed[number]


def design_of(axes: Sequence[Axis], name: object, points: object) -> Design:
    """The design of these axes; raises InputError with every problem.

    >>> from slicewright.sweep.axes import axis
    >>> design_of([axis("a", "0.5..1.5")], "sobol", 4).count
    4
    """
    problems: list[Problem] = []
    if not axes:
        remedy = "give a key more than one value: --set alias_pool.A.aliases=0..8"
        problems.append(problem("nothing varies", key="set", remedy=remedy))
    if name not in NAMES:
        problems.append(problem(f"no such design: {brief(name)}", key="design", allowed=", ".join(NAMES)))
    elif name == "grid":
        if points is not None:
            what = "a grid has all combinations of its values"
            problems.append(problem(what, key="points", remedy="leave points out, or choose sobol or latin"))
        problems += [_continuous(axis) for axis in axes if not axis.values]
    elif points is None:
        problems.append(problem(f"{name} needs a number of points", key="points", allowed=f"2 to {MOST_POINTS:,}"))
    else:
        wrong = whole_problem("points", points, 2, MOST_POINTS)
        problems += [wrong] if wrong else []
    if problems:
        raise refusal(*problems)
    design = Design(tuple(axes), str(name), points if isinstance(points, int) else 0)
    if design.count > MOST_POINTS:
        raise refusal(problem(f"{design.count:,} points", key="set", allowed=f"at most {MOST_POINTS:,}"))
    return design


def _continuous(axis: Axis) -> Problem:
    low, high = f"{axis.low:g}", f"{axis.high:g}"
    remedy = f"give a step: {axis.key}={low}..{high}:{(axis.high - axis.low) / 10:g}"
    return problem("a grid needs a step between decimal ends", key=axis.key, remedy=f"{remedy} {axis.unit}".strip())

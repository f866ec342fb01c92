"""The mean of a value over the sets of an ensemble, with the simulation noise of that mean."""

from __future__ import annotations

import math
from collections.abc import Sequence

from slicewright._core import student_t
from slicewright.results.judge import Spread
from slicewright.statistics import Estimate

BySet = Sequence[Sequence[float]]
"""A value as simulated: for each set, one number per replication."""


def pooled(by_set: BySet) -> Estimate:
    """The mean over sets, with the simulation noise of that mean: sets have random numbers of their own.

    Of S sets with R replications each its variance is the sum of theirs over S^2 R, with S (R - 1) degrees of freedom.

    >>> pooled([[1.0, 3.0], [3.0, 5.0]])
    Estimate(mean=3.0, half_width=3.0424..., replications=4)
    """
    means = [math.fsum(values) / len(values) for values in by_set]
    mean, degrees = math.fsum(means) / len(means), sum(len(values) - 1 for values in by_set)
    if degrees < 1:
        return Estimate(mean, math.nan, len(means))
    squares = ((value - at) ** 2 for values, at in zip(by_set, means, strict=True) for value in values)
    each = len(by_set[0])
    error = math.sqrt(math.fsum(squares) / degrees / (len(means) * each))
    return Estimate(mean, student_t(degrees) * error, len(means) * each)


def numbered(by_set: BySet) -> list[tuple[int, Estimate]]:
    """The sets, counted from one, each with its own mean.

    >>> [(at, estimate.mean) for at, estimate in numbered([[1.0, 3.0], [3.0, 5.0]])]
    [(1, 2.0), (2, 4.0)]
    """
    return [(at + 1, pooled([values])) for at, values in enumerate(by_set)]


def spread_over(by_set: BySet) -> Spread:
    """How far apart the means of the sets are.

    >>> spread_over([[1.0, 3.0], [3.0, 5.0]]).largest
    4.0
    """
    return Spread.of([estimate.mean for _, estimate in numbered(by_set)])

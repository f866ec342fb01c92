"""Differences of paired replications: the mean of what is known, and whether a difference is more than noise."""

from __future__ import annotations

import math
from collections.abc import Iterable

from slicewright.experiment.outcome import Outcome
from slicewright.statistics import Estimate, estimate

SURE = 1.5
"""Half-widths that a difference has to exceed: about 99 % instead of 95 %, as several settings are compared at once."""


def known(values: Iterable[float]) -> Estimate:
    """The mean of a column over the replications that know it.

    >>> known([2.0, float("nan"), 2.0])
    Estimate(mean=2.0, half_width=0.0, replications=2)
    """
    return estimate([float(value) for value in values if math.isfinite(value)])


def beyond(value: Estimate, least: float) -> bool:
    """Whether a difference is more than noise, and than what counts as none: positive ones only.

    >>> beyond(Estimate(2.0, 0.5, 10), 1.0), beyond(Estimate(2.0, 3.0, 10), 1.0), beyond(Estimate(0.5, 0.1, 10), 1.0)
    (True, False, False)
    """
    return value.mean > least and value.mean > SURE * value.half_width


def below(value: Estimate, least: float) -> bool:
    """The same of negative ones.

    >>> below(Estimate(-2.0, 0.5, 10), 1.0), below(Estimate(2.0, 0.5, 10), 1.0)
    (True, False)
    """
    return beyond(Estimate(-value.mean, value.half_width, value.replications), least)


def percent_over(base: Outcome, other: Outcome, name: str) -> Estimate:
    """How much more of a column another outcome has, replication by replication, in percent of the base's mean."""
    scale = base.mean(name)
    if not scale > 0:
        return Estimate(0.0, 0.0, 0)
    return estimate(((other.columns[name] - base.columns[name]) / scale * 100).tolist())

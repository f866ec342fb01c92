"""Whether requests could come from outside at the reported rate: Poisson arrivals, service within its rounding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from slicewright._core import RunError
from slicewright.advise.aliases.fit import Fit, Simulate, with_service
from slicewright.advise.aliases.load import Load
from slicewright.advise.aliases.observation import Observation
from slicewright.experiment.outcome import Array

SHIFTS = (-0.9, 0.0, 0.9)
"""Service tried, in allowances from what is printed."""


def fit_open(load: Load, seen: Sequence[Observation], simulate: Simulate, tight: Array) -> Fit:
    """The open load nearest to the reports: per volume the service, within its allowance, whose queue comes nearest.

    With open arrivals the rate is given and only service is left to move; a queue that grows without bound misses by
    infinity.

    >>> from slicewright.advise.aliases.example import simulations, load, report
    >>> from slicewright.advise.aliases.observation import observe
    >>> outside = replace(load(), volumes=(replace(load().volumes[0], population=0),))
    >>> fit_open(outside, [observe(report(), 0.02)], simulations().simulate, np.array([True])).fits()
    array([False])
    """
    best: Fit | None = None
    for shift in SHIFTS:
        aimed = seen[0].service_ms + shift * seen[0].service_slack
        now = _tried(load, seen, simulate, tight)
        if now.samples:
            now = _tried(with_service(load, aimed, now.samples[0]), seen, simulate, tight)
        best = now if best is None else _better(best, now)
    assert best is not None
    return best


def _tried(load: Load, seen: Sequence[Observation], simulate: Simulate, tight: Array) -> Fit:
    try:
        samples = tuple(simulate(load, observation.aliases) for observation in seen)
    except RunError:
        return Fit(load, (), np.where(tight, np.inf, 0.0))
    misses = [np.abs(observation.misses(sample)).max(axis=0) for observation, sample in zip(seen, samples, strict=True)]
    return Fit(load, samples, np.where(tight, np.max(misses, axis=0), 0.0))


def _better(one: Fit, other: Fit) -> Fit:
    """Volume by volume the nearer of two fits."""
    nearer = other.misses < one.misses
    volumes = tuple(b if take else a for a, b, take in zip(one.load.volumes, other.load.volumes, nearer, strict=True))
    samples = other.samples if float(other.misses.sum()) < float(one.misses.sum()) else one.samples
    return Fit(replace(one.load, volumes=volumes), samples, np.minimum(one.misses, other.misses))

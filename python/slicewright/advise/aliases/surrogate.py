"""A closed formula near enough to the engine to say which way to go: several servers, a finite population."""

from __future__ import annotations

import numpy as np

from slicewright.experiment.outcome import Array


def throughput(population: Array, servers: Array, think_ms: Array, cycle_ms: Array) -> Array:
    """Rate per second of the machine-repairman model M/M/c//n, for arrays that broadcast; c may be fractional.

    Balance equations of the birth-death chain (Kleinrock, Queueing Systems I, section 3.8), from the full state down:
    a think time of 0 is a valid limit.

    >>> round(float(throughput(np.array(3.0), np.array(1.0), np.array(0.0), np.array(2.0))))
    500
    """
    most = int(population.max())
    shape = np.broadcast_shapes(population.shape, servers.shape, think_ms.shape, cycle_ms.shape)
    weight, total, busy = np.ones(shape), np.zeros(shape), np.zeros(shape)
    for down in range(most + 1):
        state = population - down
        if down:
            grown = weight * think_ms * np.minimum(state + 1, servers) / (cycle_ms * down)
            weight = np.where(state >= 0, grown, 0.0)
        total += weight
        busy += weight * np.minimum(np.maximum(state, 0), servers)
    return np.asarray(1000 * busy / (total * cycle_ms))

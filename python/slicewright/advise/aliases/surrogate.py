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
    shape = np.broadcast_shapes(population.shape, servers.shape, think_ms.shape, cycle_ms.shape)
    down = np.arange(int(population.max()) + 1).reshape(-1, *(1 for _ in shape))
    state = population - down
    served, grown = np.minimum(np.maximum(state, 0), servers), np.minimum(state + 1, servers)
    uneven = bool(state.min() < 0)
    weight, total, part = np.ones(shape), np.ones(shape), np.empty(shape)
    busy = weight * served[0]
    # In place and in this order: the fit has to take the same steps everywhere, to the last bit.
    for at in range(1, len(state)):
        weight *= think_ms
        weight *= grown[at]
        weight /= np.multiply(cycle_ms, at, out=part)
        if uneven:
            np.copyto(weight, 0.0, where=state[at] < 0)
        total += weight
        busy += np.multiply(weight, served[at], out=part)
    return np.asarray(1000 * busy / (total * cycle_ms))

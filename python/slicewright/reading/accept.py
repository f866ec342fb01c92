"""How far a reading may miss the evidence: every margin of a search for a load, with its source.

A number is accepted within its rounding, the error of the engine and the chance of what was measured.
"""

from __future__ import annotations

import numpy as np

from slicewright.experiment.outcome import Array

VALIDATED = 0.08
"""The largest share by which the engine misses a published rate or service time of a pool that it had to predict.

Source: docs/validation/hyperpav.md, Y040182P.  A reading that misses by no more may be the truth.  Of a queue it is a
share of the requests present, because that is what Little's law balances.
"""

AIMED = 0.02
"""ASSUME: the share that a search aims at, beyond rounding (docs/decisions/0004-readings.md)."""

FAILS_REL, FAILS_ABS = 0.15, 0.02
"""ASSUME: how far fails per try may be off, as a share and in all.

A reading misses rates and queues by up to 8 %, and both decide how often a base is busy.
"""

SAMPLE_S, SURE, PAGE_S = 2.0, 2.0, 60.0
"""ASSUME: seconds between two samples of a queue, by default of z/VM, and standard errors that they may be off.

The last is the interval of a page that does not give its own.
"""

LEAST_WAITING = 0.01
"""Requests waiting, below which a queue is none and a difference is no difference."""


def chance_of_samples(queue: Array | float, length_s: float, batch: float = 0.0) -> Array:
    """How far a mean of samples of a queue may be off by chance, where several intervals do not show it.

    A geometric number of requests, as an M/M/1 queue has, varies by q (1 + q); batches add to that.
    """
    return np.asarray(SURE * np.sqrt(queue * (1 + queue + batch) / max(1.0, length_s / SAMPLE_S)))


def queue_allowance(present: Array, chance: Array, rounding: Array | float = 0.0) -> Array:
    """How far queues may be off, in requests."""
    return np.asarray(rounding + VALIDATED * present + chance)


def fails_miss(found: float, measured: float) -> float:
    """By how many allowances the fails per try of a pool are off: above 1 they do not fit."""
    return abs(found - measured) / (FAILS_REL * measured + FAILS_ABS)

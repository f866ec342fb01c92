"""What gates throughput: the processors, or something else that guests wait for (think time, I/O, arrivals)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from slicewright.advise.controlled import Controlled
from slicewright.advise.polarization.measured import Measured
from slicewright.experiment.paired import below, beyond
from slicewright.statistics import Estimate, estimate

PROCESSOR, ELSEWHERE, BOTH = "processor", "elsewhere", "both"
LEAST_PERCENT = 1.0
"""ASSUME: the least difference in processor time per work between two settings that is evidence of the gate."""
MOST_NOISE = 0.4
"""ASSUME: above this noise there is no evidence: work might fall by all of the difference or by half of it."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Where throughput is gated; by how much work falls where it takes so much more processor time (1: by as much).

    `follows` is None where no two settings differ in the processor time of work. `by_cycles` is the share of their
    cycles, paced ones counted whole, for which guests want a processor.
    """

    where: str
    follows: Estimate | None
    by_cycles: float


def gate_of(trials: Mapping[str, Measured], base: Measured, partition: Controlled) -> Gate:
    """Where throughput is gated, from runs of some settings, one of them the base.

    If what guests are charged stays, and what they do with it changes, the processor gates it: work falls by as much as
    work takes more (z/VM HiperDispatch, Effect of T/V-Based Parking: ETR is governed by factors within the CPU).  If
    work stays, something else does.

    >>> from slicewright.advise.polarization.example import simulations, zvm
    >>> now, flat = (simulations().at(one) for one in (zvm().now, zvm().now.with_(polarization="horizontal")))
    >>> gate_of({"flat": flat}, now, zvm()).where
    'processor'
    """
    by_cycles = _by_cycles(base, partition)
    follows = _follows(trials, base)
    share = by_cycles if follows is None else follows.mean
    where = PROCESSOR if share >= 2 / 3 else ELSEWHERE if share <= 1 / 3 else BOTH
    return Gate(where, follows, by_cycles)


def _follows(trials: Mapping[str, Measured], base: Measured) -> Estimate | None:
    best: tuple[float, Estimate] | None = None
    for other in trials.values():
        dearer = np.log(_per_work(other) / _per_work(base))
        spread = estimate((100 * dearer).tolist())
        size = abs(spread.mean)
        if not (beyond(spread, LEAST_PERCENT) or below(spread, LEAST_PERCENT)):
            continue
        less = -np.log(other.columns["work_percent"] / base.columns["work_percent"])
        mean = float(less.mean() / dearer.mean())
        noise = estimate((less - mean * dearer).tolist()).half_width / abs(float(dearer.mean()))
        if noise <= MOST_NOISE and (best is None or size > best[0]):
            best = (size, Estimate(mean, noise, spread.replications))
    return best[1] if best else None


def _per_work(trial: Measured) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    charged = trial.columns["guests_percent"] + trial.columns["chargeable_cp_percent"]
    return np.asarray(charged / trial.columns["work_percent"])


def _by_cycles(base: Measured, partition: Controlled) -> float:
    """Weighted by how many of each kind want a processor at any time."""
    wanting, gated = 0.0, 0.0
    for name, columns in base.guests.items():
        population, compute, cycle = (
            float(np.nanmean(columns[key])) for key in ("population", "compute_ms", "cycle_ms")
        )
        if not (math.isfinite(compute) and cycle > 0):
            continue
        share = compute / cycle
        wanting += population * share
        gated += population * share * (1.0 if name in partition.paced else share)
    return gated / wanting if wanting > 0 else 0.0

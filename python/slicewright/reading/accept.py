"""How far a reading may miss the evidence: every margin of a search for a load, with its source.

A number is accepted within its rounding, the error of the engine and the chance of what was measured.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from slicewright.experiment.outcome import Array
from slicewright.reading.evidence import Evidence, Miss, Value

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

THROTTLED_REL, THROTTLED_ABS, STOPPED = 0.06, 0.9, 0.15
"""ASSUME: how far the share of throttled periods may be off, as a share and in percent of all; and stopped time.

`advise limits --assume margin=` changes the last.  Batches are found from the first, so that a search comes far nearer.
"""

SAMPLE_S, SURE, PAGE_S = 2.0, 2.0, 60.0
"""ASSUME: seconds between two samples of a queue, by default of z/VM, and standard errors that they may be off.

The last is the interval of a page that does not give its own.
"""

LEAST_WAITING = 0.01
"""Requests waiting, below which a queue is none and a difference is no difference."""

_NOISE = 0.002
"""The share of a number that a step of a search leaves to chance; finer rounding than that has no more weight."""

SETTLED = math.log1p(0.3)
"""The cost of a load that misses the numbers of a part by a third of what the print leaves open."""

_INSIDE, _OUTSIDE = 0.8, 1e5
"""The share of an allowance beyond which a search avoids a miss, and how much."""


@dataclass(frozen=True, slots=True)
class _Margin:
    """The error of the model: a share of what a number is judged against, and an amount.

    `own`: whether it is all that is allowed, in a search too, and chance counts where it is more.  Else a search allows
    its aim, and a reading that much more, with chance in addition.
    """

    share: float
    amount: float = 0.0
    own: bool = False


_USUAL = _Margin(VALIDATED)
_MARGINS: Mapping[str, _Margin] = {
    "fails_per_try": _Margin(FAILS_REL, FAILS_ABS, own=True),
    "fails_per_io": _Margin(FAILS_REL, FAILS_ABS, own=True),
    "throttled_percent": _Margin(THROTTLED_REL, THROTTLED_ABS, own=True),
    "throttled_of_time_percent": _Margin(THROTTLED_REL, THROTTLED_ABS, own=True),
    "stopped_ms": _Margin(STOPPED, own=True),
}
"""Numbers with a margin of their own."""


def chance_of_samples(queue: Array | float, length_s: float, batch: float = 0.0) -> Array:
    """How far a mean of samples of a queue may be off by chance, where several intervals do not show it.

    A geometric number of requests, as an M/M/1 queue has, varies by q (1 + q); batches add to that.
    """
    return np.asarray(SURE * np.sqrt(queue * (1 + queue + batch) / max(1.0, length_s / SAMPLE_S)))


def chance_of_blocks(found: Array, longer: float, sure: float = SURE) -> Array:
    """How far chance may move numbers that were measured for `longer` times as long as one replication was simulated.

    `found`: replications x numbers.  Their own spread shows it, and their mean is off by it, too.
    """
    return np.asarray(sure * found.std(axis=0, ddof=1) * math.sqrt(1 / longer + 1 / len(found)))


def missed(evidence: Evidence, found: Array, aim: float, burst: float = 0.0) -> list[Miss]:
    """The miss of a reading at each number of the evidence that judges it.

    `found`: replications x numbers; `aim`: the share that a search allows; `burst`: requests that arrive together.
    """
    means = found.mean(axis=0)
    errors = found.std(axis=0, ddof=1) / np.sqrt(len(found)) if len(found) > 1 else np.zeros_like(means)
    made = []
    for value, mean, error in zip(evidence.values, means.tolist(), errors.tolist(), strict=True):
        if value.judged == "never":
            continue
        # A number that cannot be simulated says nothing against a reading.
        known = bool(np.isfinite(mean))
        difference = mean - value.value if known else 0.0
        off = float(np.sign(difference) * max(0.0, abs(difference) - (error if np.isfinite(error) else 0.0)))
        if value.bound == "least":
            off = min(off, 0.0)
        allowed = _allowed(value, aim, burst)
        close, far = (abs(off) / most if most else float(off != 0) for most in allowed)
        made.append(Miss(value, mean, off, *allowed, close, far))
    return made


def _allowed(value: Value, aim: float, burst: float) -> tuple[float, float]:
    """The allowances of a search and of a reading: rounding, error of the model, and chance."""
    scale = _scale(value)
    margin = _MARGINS.get(value.name, _USUAL)
    searched = value.judged == "part" and not margin.own
    model = margin.share * scale + margin.amount + (aim * scale if searched else 0.0)
    chance = 0.0
    if value.half_width is not None:
        chance = value.half_width
    elif value.samples is not None:
        chance = float(chance_of_samples(value.value, value.samples * SAMPLE_S, burst))
    if margin.own:
        chance = max(0.0, chance - model)
    aimed = value.rounding + (value.half_width or 0.0) + (model if margin.own else aim * scale)
    return aimed, chance + value.rounding + model


def allowance(value: Value, aim: float) -> float:
    """How far a search lets a number be off."""
    return _allowed(value, aim, 0.0)[0]


def weight(rounding: Array | float, scale: Array | float) -> Array:
    """What the print itself leaves open: the unit in which a search counts a miss."""
    return np.maximum(rounding + _NOISE * np.abs(scale), 1e-9)


def squares(off: Array, allowed: Array, unit: Array) -> Array:
    """Squared misses in units of what the print leaves open; those near the end of an allowance cost far more.

    A load that fits everywhere is preferred to one that fits on the average.
    """
    return np.asarray((off / unit) ** 2 + _OUTSIDE * np.maximum(np.abs(off) / allowed - _INSIDE, 0.0) ** 2)


def cost(misses: Sequence[Miss]) -> float:
    """How far a load is from the evidence: a mean of logarithms over parts, so that a hopeless part hides no other."""
    judging = [miss for miss in misses if miss.value.judged == "part"]
    if not judging:
        return 0.0
    rows = [(miss.off, max(miss.aimed, 1e-9), miss.value.rounding, _scale(miss.value)) for miss in judging]
    off, allowed, rounding, scale = np.array(rows).T
    parts: dict[str, float] = {}
    for miss, square in zip(judging, squares(off, allowed, weight(rounding, scale)).tolist(), strict=True):
        parts[miss.value.part] = parts.get(miss.value.part, 0.0) + square
    return sum(map(math.log1p, parts.values())) / len(parts)


def _scale(value: Value) -> float:
    """The number of which the error of the model is a share."""
    return abs(value.value) if value.scale is None else value.scale

"""Latency of readings under limits, and the least limit under which it is near that without one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from slicewright.advise.limits.aim import Aim
from slicewright.advise.limits.fleet.readings import Readings
from slicewright.advise.limits.fleet.surrogate import Surrogate
from slicewright.advise.limits.measured import LATENCY
from slicewright.experiment.outcome import Array

STEPS = 16
"""Limits at which a reading is evaluated, from what it uses up to as many processors as it has threads."""
FULL = 0.95
"""Of a limit: with more used, queues last for longer than the surrogate was fitted for."""
NEVER = np.nan
"""No limit does, not even none."""


@dataclass(frozen=True)
class Point:
    """Latencies in ms and shares of periods throttled of each reading under one limit each, and without it."""

    limited: Mapping[str, Array]
    free: Mapping[str, Array]
    throttled: Array

    def added(self, name: str) -> Array:
        """The part of a latency that throttling adds, ms."""
        return self.limited[name] - self.free[name]


def point(made: Surrogate, found: Readings, limit: Array, of: tuple[Array, Array, str]) -> Point:
    """The readings under limits (rows, or rows x limits); `of`: used processors, periods in ms, moved by chance."""
    used, period_ms, moved = of
    loads = found.at(limit, used, moved)
    # Without a limit latency depends on what is used alone, so that it is the same for all limits of a row.
    narrow = found.at(limit[:, -1], used, moved) if limit.ndim == 2 else loads
    under, without = made.limited(loads), made.free(narrow)
    wide = (slice(None), None) if limit.ndim == 2 else (slice(None),)
    free = {name: (without[f"free_{name}"] * narrow.cpu * period_ms)[wide] for name in LATENCY}
    return Point({name: free[name] * under[f"ratio_{name}"] for name in LATENCY}, free, under["throttled"])


def least(made: Surrogate, found: Readings, aim: Aim, of: tuple[Array, Array, str], slack: float = 0.0) -> Array:
    """The least limit of each reading that meets the aim, NaN where none does.

    `slack` shifts the logarithm of the latency: what the surrogate may be off by.
    """
    used = of[0]
    low = used / FULL
    high = np.maximum(found.threads, 1.02 * low)
    limits = low[:, None] * (high / low)[:, None] ** np.linspace(0, 1, STEPS)
    shown = point(made, found, limits, of)
    if aim.name == "throttled_percent":
        off = 100 * shown.throttled / _wanted(aim) * np.exp(slack) - 1
    elif aim.target is not None:
        off = np.log(shown.limited[aim.name] / _wanted(aim)) + slack
    else:
        off = np.log(shown.limited[aim.name] / shown.free[aim.name]) - np.log1p(aim.knee_percent / 100) + slack
        off[:, -1] = np.minimum(off[:, -1], -1e-9)  # as many processors as threads are no limit
    off = np.minimum.accumulate(off, axis=1)
    met = off <= 0
    at = met.argmax(axis=1)
    rows, before = np.arange(len(off)), np.maximum(at - 1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        part = np.where(at > 0, off[rows, before] / (off[rows, before] - off[rows, at]), 0.0)
    logs = np.log(limits)
    chosen = np.exp(logs[rows, before] + np.clip(part, 0, 1) * (logs[rows, at] - logs[rows, before]))
    return np.where(met.any(axis=1), chosen, NEVER)


def _wanted(aim: Aim) -> float:
    assert aim.target is not None
    return max(aim.target.value, 1e-9)

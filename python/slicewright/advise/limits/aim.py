"""The aim of a limit: to meet a stated condition, or to come near to no limit at all."""

from __future__ import annotations

import math
from dataclasses import dataclass

from slicewright.advise.limits.measured import Measured
from slicewright.advise.target import Target
from slicewright.statistics import estimate

USUAL = "p99_ms"
"""The measures that are to come near to those without a limit."""
NAMES = {
    "mean_ms": "mean latency", "p50_ms": "median latency", "p90_ms": "90th percentile", "p95_ms": "95th percentile",
    "p99_ms": "99th percentile", "throttled_percent": "periods throttled",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Aim:
    """A condition; without one `USUAL` is to be within `knee_percent` of that without a limit.

    >>> Aim(Target("p99_ms", "<=", 200.0), 20.0).words, Aim(None, 20.0).words
    ('99th percentile <= 200 ms', '99th percentile within 20 % of that without a limit')
    """

    target: Target | None
    knee_percent: float

    @property
    def name(self) -> str:
        """The column that it is about."""
        return self.target.name if self.target else USUAL

    @property
    def words(self) -> str:
        """In words."""
        if self.target is None:
            return f"{NAMES[USUAL]} within {self.knee_percent:g} % of that without a limit"
        unit = "%" if self.name == "throttled_percent" else "ms"
        return f"{NAMES[self.name]} {self.target.sign} {self.target.value:g} {unit}"

    def met(self, trial: Measured, without: Measured, surely: bool) -> bool:
        """Whether a trial meets it, beside that without a limit; `surely`: with the upper end of its interval.

        >>> from slicewright.advise.limits.example import simulations, load, setting
        >>> trial = simulations().at(load(), setting())
        >>> Aim(None, 20.0).met(trial, trial, False), Aim(Target("p99_ms", "<=", 0.1), 20.0).met(trial, trial, False)
        (True, False)
        """
        values = [float(column) for column in trial.columns[self.name]]
        if self.target is None:
            most = (1 + self.knee_percent / 100) * without.mean(USUAL)
            return trial.mean(USUAL) <= most
        found = estimate(values)
        high = found.high if surely and math.isfinite(found.half_width) else found.mean
        return self.target.met({self.name: high})

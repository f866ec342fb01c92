"""One group simulated: per replication, the counters of its `cpu.stat` and how long requests took.

All runs use the same seed, so that settings share arrivals and CPU times.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from slicewright._core import Scenario
from slicewright.advise.limits.model import GUEST
from slicewright.advise.simulation import SEED, Array, threads

PERCENTILES = ("p50_ms", "p90_ms", "p95_ms", "p99_ms")
LATENCY = ("mean_ms", *PERCENTILES)
"""From the arrival of a request to its end."""
COUNTERS = ("used_s", "periods", "throttled", "stopped_s")
"""Totals of the interval, as in `intervals.Interval`."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Columns by name, a value per replication: LATENCY, COUNTERS, `served_per_s`; `length_s` of each interval.

    >>> from slicewright.advise.limits.example import laboratory, load, setting
    >>> found = laboratory().at(load(), setting())
    >>> found.mean("p50_ms") < found.mean("p99_ms")
    True
    """

    columns: Mapping[str, Array]
    length_s: float
    text: str
    """The scenario, complete: `run` gives the same numbers."""

    def mean(self, name: str) -> float:
        """The mean of a column over the replications that know it; NaN where none does."""
        known = self.columns[name][np.isfinite(self.columns[name])]
        return float(known.mean()) if known.size else float("nan")


def simulate(text: str) -> Trial:
    """Simulate a complete scenario as it says that it is measured; raises InputError, RunError.

    >>> from slicewright.advise.limits.example import text
    >>> simulate(text()).columns["throttled"].shape
    (4,)
    """
    scenario = Scenario.read(text.encode(), "limits")
    measure = scenario.measure
    count, length = int(measure["replications"]), float(measure["interval_s"])
    tables = scenario.simulate(SEED, (0, count), threads(), float(measure["warm_up_s"]))
    guests, groups = tables["guests"], tables["cgroups"]
    columns = {name: _column(guests, f"cycle_{name}", count) for name in PERCENTILES}
    columns["mean_ms"] = _column(guests, "cycle_ms", count)
    columns["served_per_s"] = _column(guests, "cycles_per_s", count)
    columns["used_s"] = _column(groups, "usage_usec", count) / 1e6
    columns["periods"] = _column(groups, "nr_periods", count)
    columns["throttled"] = _column(groups, "nr_throttled", count)
    columns["stopped_s"] = _column(groups, "throttled_usec", count) / 1e6
    with np.errstate(invalid="ignore", divide="ignore"):
        share = 100 * columns["throttled"] / columns["periods"]
    columns["throttled_percent"] = np.where(columns["periods"] > 0, share, 0.0)
    return Trial(columns, length, text)


def _column(table: Mapping[str, list[Any]], name: str, count: int) -> Array:
    found = np.zeros(count)
    own = table.get("guest")
    for row, value in enumerate(table[name]):
        if own is None or own[row] == GUEST:
            found[int(table["replication"][row])] = np.nan if value is None else float(value)
    return found

"""What one run shows of a limited group: the counters of its `cpu.stat`, and how long requests took."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from slicewright._core import Scenario
from slicewright.advise.limits.model import GUEST
from slicewright.experiment.outcome import Outcome, columns
from slicewright.experiment.simulations import simulate

PERCENTILES = ("p50_ms", "p90_ms", "p95_ms", "p99_ms")
LATENCY = ("mean_ms", *PERCENTILES)
"""From the arrival of a request to its end."""
COUNTERS = {"used_s": "usage_usec", "periods": "nr_periods", "throttled": "nr_throttled", "stopped_s": "throttled_usec"}
"""Totals of the interval, as in `intervals.Interval`, by the columns of the table of control groups."""


@dataclass(frozen=True, slots=True)
class Measured(Outcome):
    """Columns by name: LATENCY, COUNTERS, `served_per_s`, `throttled_percent`; `length_s` of each interval."""

    length_s: float = field(kw_only=True)


def measured(text: str) -> Measured:
    """Simulate a complete scenario as it says that it is measured; raises InputError, RunError.

    >>> from slicewright.advise.limits.example import text
    >>> measured(text()).columns["throttled"].shape
    (4,)
    """
    scenario = Scenario.read(text.encode(), "limits")
    count, tables = int(scenario.measure["replications"]), simulate(scenario)
    names = {**{name: f"cycle_{name}" for name in PERCENTILES}, "mean_ms": "cycle_ms", "served_per_s": "cycles_per_s"}
    requests = columns(tables["guests"], {"guest": GUEST}, list(names.values()), count)
    group = columns(tables["cgroups"], {}, list(COUNTERS.values()), count)
    found = {name: requests[column] for name, column in names.items()}
    for name, column in COUNTERS.items():
        found[name] = group[column] / 1e6 if name.endswith("_s") else group[column]
    with np.errstate(invalid="ignore", divide="ignore"):
        share = 100 * found["throttled"] / found["periods"]
    found["throttled_percent"] = np.where(found["periods"] > 0, share, 0.0)
    return Measured(found, text, length_s=float(scenario.measure["interval_s"]))

"""What one run shows of a control program under one setting: its table, its scheduler lock, its guests, its parking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from slicewright._core import Scenario
from slicewright.advise.controlled import Controlled
from slicewright.experiment.outcome import Array, Outcome, Table, columns

COLUMNS = (
    "total_percent", "guests_percent", "chargeable_cp_percent", "nonchargeable_cp_percent", "wait_percent",
    "work_percent", "tv_ratio", "unparked", "moved_percent", "moved_off_chip_percent", "dispatches_per_s", "ready",
)  # fmt: skip
"""Of the table of control programs."""
TIMES = ("cycles_per_s", "population", "compute_ms", "cycle_ms")
"""Of the table of guests."""


@dataclass(frozen=True, slots=True)
class Measured(Outcome):
    """Columns; `spin_percent` is of the scheduler lock, `guests` by guest and column.

    `tv_parks`: how often T/V was high enough to park, of the decisions of the first replication after the warm-up.
    """

    guests: Mapping[str, Mapping[str, Array]] = field(kw_only=True)
    tv_parks: float = field(kw_only=True)


def measured(partition: Controlled, scenario: Scenario, tables: Mapping[str, Table]) -> Measured:
    """The measurements of one control program and its guests."""
    count, own = int(scenario.measure["replications"]), {"partition": partition.name}
    found = columns(tables["control_programs"], own, COLUMNS, count)
    found |= columns(tables["locks"], own, ("spin_percent",), count)
    guests = {name: columns(tables["guests"], {"guest": name}, TIMES, count) for name in partition.guests}
    decided = tables["decisions"]
    parks = [
        parked
        for name, at_s, parked in zip(decided["partition"], decided["at_s"], decided["tv_parks"], strict=True)
        if name == partition.name and at_s >= 0
    ]
    tv_parks = float(np.mean(parks)) if parks else 0.0
    return Measured(found, scenario.resolved, guests=guests, tv_parks=tv_parks)

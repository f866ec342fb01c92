"""A scenario simulated: per replication, what one control program and its guests did.

All runs use the same seed, so that settings share random numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slicewright._core import Scenario
from slicewright.advise.controlled import Controlled
from slicewright.advise.simulation import SEED, Array, threads

COLUMNS = (
    "total_percent", "guests_percent", "chargeable_cp_percent", "nonchargeable_cp_percent", "wait_percent",
    "work_percent", "tv_ratio", "unparked", "moved_percent", "moved_off_chip_percent", "dispatches_per_s", "ready",
)  # fmt: skip
"""Of the table of control programs."""
TIMES = ("cycles_per_s", "population", "compute_ms", "cycle_ms")
"""Of the table of guests."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Columns by name, a value per replication; `spin_percent` is of the scheduler lock, `guests` by guest and column.

    `tv_parks`: how often T/V was high enough to park, of the decisions of the first replication after the warm-up.

    >>> from slicewright.advise.polarization.example import trial
    >>> found = trial()
    >>> found.mean("unparked"), found.tv_parks, bool(found.mean("work_percent") < found.mean("guests_percent"))
    (8.0, 0.0, True)
    """

    columns: Mapping[str, Array]
    guests: Mapping[str, Mapping[str, Array]]
    tv_parks: float
    text: str
    """The scenario, complete: `run` gives the same numbers."""

    def mean(self, name: str) -> float:
        """The mean of a column over the replications that know it; NaN where none does."""
        known = self.columns[name][np.isfinite(self.columns[name])]
        return float(known.mean()) if known.size else float("nan")

    def first(self, count: int) -> Trial:
        """The same, of so many replications."""
        cut = {name: values[:count] for name, values in self.columns.items()}
        guests = {name: {key: one[:count] for key, one in own.items()} for name, own in self.guests.items()}
        return Trial(cut, guests, self.tv_parks, self.text)


def simulate(scenario: Scenario, partition: Controlled) -> Trial:
    """Simulate a scenario as it says that it is measured, and keep one control program and its guests.

    Raises InputError when the scenario is wrong and RunError when it cannot go on.

    >>> from slicewright.advise.polarization.example import scenario, zvm
    >>> simulate(scenario(), zvm()).columns["ready"].shape
    (2,)
    """
    count = int(scenario.measure["replications"])
    tables = scenario.simulate(SEED, (0, count), threads(), float(scenario.measure["warm_up_s"]))
    columns = _columns(tables["control_programs"], "partition", partition.name, (count, COLUMNS))
    columns |= _columns(tables["locks"], "partition", partition.name, (count, ("spin_percent",)))
    guests = {name: _columns(tables["guests"], "guest", name, (count, TIMES)) for name in partition.guests}
    decided = tables["decisions"]
    parks = [
        parked
        for name, at_s, parked in zip(decided["partition"], decided["at_s"], decided["tv_parks"], strict=True)
        if name == partition.name and at_s >= 0
    ]
    return Trial(columns, guests, float(np.mean(parks)) if parks else 0.0, scenario.resolved)


def _columns(
    table: Mapping[str, Sequence[Any]], key: str, name: str, kept: tuple[int, Sequence[str]]
) -> dict[str, Array]:
    replications, columns = kept
    found = {column: np.full(replications, np.nan) for column in columns}
    for row, (replication, one) in enumerate(zip(table["replication"], table[key], strict=True)):
        if one == name:
            for column in columns:
                value = table[column][row]
                found[column][int(replication)] = np.nan if value is None else value
    return found

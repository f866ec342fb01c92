"""A scenario with ENQs simulated: per replication, what serialization in one partition took, did and waited for.

All runs use the same seed, so that structures of exits share random numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slicewright._core import Scenario
from slicewright.advise.simulation import SEED, Array, threads

STEPS = ("base_us", "front_end_us", "fast_us", "slow_us", "storage_us", "message_us")
"""What the processor time of a pair is made of."""
COLUMNS = (
    "pairs_per_s", "global_per_s", "cpu_us_per_pair", *STEPS, "elapsed_us_per_pair", "lock_held_percent",
    "lock_wait_us", "lock_per_s",
)  # fmt: skip
"""Of the table of serialization, per partition; the wait for the lock is made one per pair."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Columns by name, a value per replication, and the scenario, complete: `run` gives the same numbers.

    >>> from slicewright.advise.exits.example import trial
    >>> found = trial()
    >>> found.columns["cpu_us_per_pair"].shape, found.mean("pairs_per_s") > 0
    ((2,), True)
    """

    columns: Mapping[str, Array]
    text: str

    def mean(self, name: str) -> float:
        """The mean of a column over the replications that know it; NaN where none does."""
        known = self.columns[name][np.isfinite(self.columns[name])]
        return float(known.mean()) if known.size else float("nan")


def simulate(scenario: Scenario, partition: str) -> Trial:
    """Simulate a scenario as it says that it is measured, and keep one partition's serialization.

    Raises InputError when the scenario is wrong and RunError when it cannot go on.

    >>> from slicewright.advise.exits.example import scenario
    >>> simulate(scenario(), "MVS").mean("lock_held_percent") > 0
    True
    """
    count = int(scenario.measure["replications"])
    tables = scenario.simulate(SEED, (0, count), threads(), float(scenario.measure["warm_up_s"]))
    return Trial(_columns(tables["serialization"], partition, count), scenario.resolved)


def _columns(table: Mapping[str, Sequence[Any]], partition: str, count: int) -> dict[str, Array]:
    found = {name: np.full(count, np.nan) for name in COLUMNS}
    for row, own in enumerate(table["partition"]):
        if own == partition:
            for name in COLUMNS:
                value = table[name][row]
                if value is not None:
                    found[name][int(table["replication"][row])] = value
    with np.errstate(invalid="ignore", divide="ignore"):
        found["lock_wait_us"] = np.nan_to_num(found["lock_wait_us"])  # without a take there is no wait
        found["lock_wait_us"] = found["lock_wait_us"] * found["lock_per_s"] / found["pairs_per_s"]
    return found

"""A scenario simulated with other slices: per replication, what its devices and partitions did.

All runs use the same seed, so that slices share random numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slicewright._core import Scenario
from slicewright.advise.scenario_text import Plan
from slicewright.advise.simulation import SEED, Array, looked, threads
from slicewright.advise.slices.machine import PRSM
from slicewright.io.numerals import in_scenario

_DEVICE = ("io_per_s", "hold_ms", "service_ms", "response_ms", "queue_depth", "in_service")
_DOMAIN = ("effective_percent", "wait_percent", "pending_percent", "management_percent", "cpu_percent")


@dataclass(frozen=True, slots=True)
class Trial:
    """Columns by name, each an array of replications x devices, or of replications x partitions.

    Times in ms, rates per second, shares in percent; what a device without I/O has no value of is NaN.

    >>> from slicewright.advise.slices.machine import example
    >>> found = simulate(at_slice(example(), 10.0, 0.1), ["C23"], ["PEMDFI"], Plan(10.0, 1.0, 2))
    >>> found.devices["hold_ms"].shape, bool((found.domains["management_percent"] > 0).all())
    ((2, 1), True)
    """

    devices: Mapping[str, Array]
    domains: Mapping[str, Array]

    def waiting(self, rates: Array) -> Array:
        """Ended I/Os that wait, one value per replication: the hold of each device at given rates per second."""
        return np.asarray((np.nan_to_num(self.devices["hold_ms"]) * rates).sum(axis=1) / 1000)


def simulate(scenario: Scenario, devices: Sequence[str], domains: Sequence[str], plan: Plan) -> Trial:
    """Simulate a scenario and keep the named devices and partitions, in the order given.

    Raises InputError when the scenario is wrong and RunError when it cannot go on.

    >>> from slicewright.advise.slices.machine import example
    >>> simulate(example(), ["C23"], [], Plan(10.0, 1.0, 2)).devices["hold_ms"].mean() > 5
    np.True_
    """
    tables = scenario.with_(looked(plan)).simulate(SEED, (0, plan.replications), threads(), plan.warm_up_s)
    return Trial(
        _columns(tables["volumes"], "volume", devices, (plan.replications, _DEVICE)),
        _columns(tables["partitions"], "partition", domains, (plan.replications, _DOMAIN)),
    )


def at_slice(scenario: Scenario, slice_ms: float, switch_ms: float) -> Scenario:
    """The scenario with another slice, or longest run under PR/SM, and another cost of switches; raises InputError.

    >>> from slicewright.advise.slices.machine import example, machine_of
    >>> machine_of(at_slice(example(), 12.5, 0.1).view).slice_ms
    12.5
    """
    cec = scenario.view.cec
    key = "cec.run_time" if cec is not None and cec.dispatcher == PRSM else "cec.slice"
    return scenario.with_({key: f"{in_scenario(slice_ms)} ms", "cec.switch": f"{in_scenario(switch_ms)} ms"})


def _columns(
    table: Mapping[str, Sequence[Any]], key: str, names: Sequence[str], kept: tuple[int, Sequence[str]]
) -> dict[str, Array]:
    replications, columns = kept
    at = {name: index for index, name in enumerate(names)}
    found = {column: np.full((replications, len(names)), np.nan) for column in columns}
    for row, (replication, name) in enumerate(zip(table["replication"], table[key], strict=True)):
        if name not in at:
            continue
        for column in columns:
            value = table[column][row]
            found[column][int(replication), at[name]] = np.nan if value is None else value
    return found

"""What one run shows of partitions that share processors: per replication, their devices and themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from slicewright._core import Scenario
from slicewright.advise.slices.machine import PRSM
from slicewright.experiment.outcome import Array, grid
from slicewright.experiment.plan import Plan
from slicewright.experiment.simulations import simulate
from slicewright.io.numerals import in_scenario

_DEVICE = ("io_per_s", "hold_ms", "service_ms", "response_ms", "queue_depth", "in_service")
_DOMAIN = ("effective_percent", "wait_percent", "pending_percent", "management_percent", "cpu_percent")


@dataclass(frozen=True, slots=True)
class Measured:
    """Columns by name, each an array of replications x devices, or of replications x partitions.

    Times in ms, rates per second, shares in percent; what a device without I/O has no value of is NaN.

    >>> from slicewright.advise.slices.machine import example
    >>> found = measured(at_slice(example(), 10.0, 0.1), ["C23"], ["PEMDFI"], Plan(10.0, 1.0, 2))
    >>> found.devices["hold_ms"].shape, bool((found.domains["management_percent"] > 0).all())
    ((2, 1), True)
    """

    devices: Mapping[str, Array]
    domains: Mapping[str, Array]

    def waiting(self, rates: Array) -> Array:
        """Ended waiting I/Os, one value per replication: the hold of each device at given rates per second."""
        return np.asarray((np.nan_to_num(self.devices["hold_ms"]) * rates).sum(axis=1) / 1000)


def measured(scenario: Scenario, devices: Sequence[str], domains: Sequence[str], plan: Plan) -> Measured:
    """Simulate a scenario and keep the named devices and partitions, in the order given.

    Raises InputError when the scenario is wrong and RunError when it cannot go on.
    """
    tables = simulate(scenario.with_(plan.keys()))
    return Measured(
        grid(tables["volumes"], ("volume", devices), _DEVICE, plan.replications),
        grid(tables["partitions"], ("partition", domains), _DOMAIN, plan.replications),
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

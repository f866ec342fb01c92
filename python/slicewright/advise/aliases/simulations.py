"""Loads simulated under one plan with any number of aliases, each once; and how long to look."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from slicewright.advise.aliases.load import Load
from slicewright.advise.aliases.sample import COLUMNS, Sample, sample_of
from slicewright.advise.aliases.scenario_text import Sources, scenario_text
from slicewright.experiment.plan import Plan
from slicewright.experiment.simulations import simulate_text

FIT_IOS = 80_000
CURVE_IOS = 160_000
"""I/Os simulated for one step of a fit and for one point of a curve."""

OTHER_IOS = 20_000
OTHER_REPLICATIONS = 4
"""I/Os simulated, and replications, for one point of a reading that is not the main one."""


@dataclass
class LoadSimulations:
    """Samples by load and aliases, simulated when first asked for.

    >>> from slicewright.advise.aliases.example import load, simulations
    >>> first = simulations().simulate(load(), 1)
    >>> simulations().simulate(load(), 1) is first
    True
    """

    plan: Plan
    sources: Sources
    seen: dict[tuple[Load, int], Sample] = field(default_factory=dict)

    def simulate(self, load: Load, aliases: int) -> Sample:
        """The sample of a load with this number of aliases."""
        key = (load, aliases)
        if key not in self.seen:
            text = scenario_text(load, aliases, self.plan, self.sources)
            tables = simulate_text(text, "reading", COLUMNS)
            self.seen[key] = sample_of(tables, [volume.name for volume in load.volumes], self.plan.replications)
        return self.seen[key]


def plan_for(io_per_s: float, slowest_ms: float, ios: int, replications: int) -> Plan:
    """A plan that simulates about `ios` I/Os in all, and at least 50 turns of the slowest guest in each replication.

    >>> plan_for(6000.0, 4.0, 240_000, 4)
    Plan(interval_s=10.0, warm_up_s=0.5, replications=4)
    """
    interval = max(ios / replications / max(io_per_s, 1e-9), 50 * slowest_ms / 1000)
    interval = float(np.clip(float(f"{interval:.2g}"), 0.2, 600))
    warm_up = max(interval / 20, min(20 * slowest_ms / 1000, interval))
    return Plan(interval, float(f"{warm_up:.2g}"), replications)

"""How long an experiment looks: interval, warm-up and replications, and how many events a point is worth."""

from __future__ import annotations

import math
from dataclasses import dataclass

from slicewright.values.numerals import in_scenario


@dataclass(frozen=True, slots=True)
class Plan:
    """Seconds of simulated time per replication after the warm-up, the warm-up, and the number of replications.

    >>> Plan(20.0, 10.0, 5).changes()[0]
    'measure.interval="20 s"'
    """

    interval_s: float
    warm_up_s: float
    replications: int

    @property
    def sample_s(self) -> float:
        """How often queues are sampled: as the monitor does, or ten times in a short interval."""
        return min(2.0, self.interval_s / 10)

    def keys(self, replications: int | None = None) -> dict[str, str | int]:
        """The plan as keys of a scenario, with another number of replications if given."""
        return {
            "measure.interval": f"{in_scenario(self.interval_s)} s", "measure.intervals": 1,
            "measure.sample": f"{in_scenario(self.sample_s)} s",
            "measure.warm_up": f"{in_scenario(self.warm_up_s)} s",
            "measure.replications": replications or self.replications,
        }  # fmt: skip

    def changes(self, replications: int | None = None) -> list[str]:
        """The same as `--set` has it."""
        keys = self.keys(replications).items()
        return [f'{key}="{value}"' if isinstance(value, str) else f"{key}={value}" for key, value in keys]


@dataclass(frozen=True, slots=True)
class Precision:
    """How much a point is worth: events in one interval within two lengths, replications, and events in all of them.

    `worth` counts the warm-up too; without it every point gets the most replications.

    >>> Precision(10_000, 0.5, 60.0, 10).plan(1000.0, Plan(20.0, 1.0, 8))
    (Plan(interval_s=10.0, warm_up_s=1.0, replications=8), False)
    """

    events: float
    shortest_s: float
    longest_s: float
    most: int
    worth: float = math.inf
    fewest: int = 4
    settles_s: float = 0.0
    """How long what is simulated needs to settle, whatever the scenario's own warm-up."""

    def plan(self, per_s: float, own: Plan) -> tuple[Plan, bool]:
        """The plan at this number of events per second, no longer than the scenario's own, and whether a point is dear.

        A point is dear when the fewest replications already take more events than it is worth.
        """
        rate = max(per_s, 1e-9)
        enough = float(f"{min(max(self.events / rate, self.shortest_s), self.longest_s):.2g}")
        interval = min(enough, own.interval_s)
        warm_up = max(own.warm_up_s, self.settles_s)
        worth = self.worth / (rate * (warm_up + interval))
        replications = max(2, int(min(max(worth, self.fewest), self.most, own.replications)))
        return Plan(interval, warm_up, replications), worth < self.fewest

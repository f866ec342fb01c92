"""Where loads are simulated under settings: as many requests as are worth it, and nothing simulated twice."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from slicewright.advise.limits.measured import Measured, measured
from slicewright.advise.limits.model import Load, Node, Setting, scenario_text
from slicewright.advise.limits.request import TICK_MS
from slicewright.experiment.plan import Plan

FIT_REQUESTS, CURVE_REQUESTS = 20_000, 60_000
"""Requests simulated in all for a step of a fit, and for a point of a curve."""
FIT_RUNS, CURVE_RUNS = 4, 10
SPREAD = 5.0
"""The spread of CPU times at which twice as many requests are simulated: a few long ones decide, and are rare."""
FEWEST_PERIODS, MOST_PERIODS = 100, 10_000
"""Periods that each replication has at least, and at most."""


@dataclass
class LimitSimulations:
    """Trials by load, setting and plan, simulated when first asked for; `processors` of the node, None is not known.

    >>> from slicewright.advise.limits.example import simulations, load, setting
    >>> simulations().at(load(), setting()) is simulations().at(load(), setting())
    True
    """

    processors: int | None = None
    tick_ms: float = TICK_MS
    done: Callable[[int], None] = lambda replications: None
    """Called after each simulation with its replications."""
    seen: dict[tuple[Load, Setting, Plan], Measured] = field(default_factory=dict)

    def at(self, load: Load, setting: Setting, plan: Plan | None = None) -> Measured:
        """The trial of a load under a setting; without a plan one that is good enough for a fit."""
        plan = plan or plan_for(load, setting.period_ms, FIT_REQUESTS, FIT_RUNS)
        key = (load, setting, plan)
        if key not in self.seen:
            self.seen[key] = measured(self.text(load, setting, plan))
            self.done(plan.replications)
        return self.seen[key]

    def text(self, load: Load, setting: Setting, plan: Plan) -> str:
        """The complete scenario.  Where the number of the node's processors is not given, each thread finds one."""
        wanted = max(setting.threads, 1 if math.isinf(setting.limit) else math.ceil(setting.limit - 1e-9))
        return scenario_text(load, setting, Node(self.processors or wanted, self.tick_ms), plan)


def plan_for(load: Load, period_ms: float, requests: int, runs: int) -> Plan:
    """A plan that simulates about this number of requests in all, and at least FEWEST_PERIODS in each replication.

    >>> plan_for(Load(40.0, 8.0, 1.0, 3.0, 4), 100.0, 12_000, 4)
    Plan(interval_s=90.0, warm_up_s=4.5, replications=4)
    """
    requests = round(requests * (1 + load.scv / SPREAD))
    least, most = (count * period_ms / 1000 for count in (FEWEST_PERIODS, MOST_PERIODS))
    interval = float(f"{min(max(requests / runs / load.requests_per_s, least), most):.3g}")
    return Plan(interval, float(f"{max(interval / 20, 10 * period_ms / 1000):.2g}"), runs)

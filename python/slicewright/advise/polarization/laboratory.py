"""One scenario under any setting of one control program, and with other constants: each simulated once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from slicewright._core import Scenario
from slicewright.advise.controlled import Controlled, Controller, settling_s
from slicewright.advise.polarization.setting import Setting
from slicewright.advise.polarization.trial import Trial, simulate
from slicewright.advise.scenario_text import Plan
from slicewright.advise.source import Source, measured

DISPATCHES = 100_000
"""Dispatches in one interval, if that takes as long as SHORTEST and LONGEST allow."""
SHORTEST_S, LONGEST_S = 8.0, 60.0
FEWEST, MOST = 4, 10
"""Replications; as many as a point is worth, MOST_DISPATCHES, the warm-up included."""
MOST_DISPATCHES = 4_000_000


@dataclass
class Laboratory:
    """Trials by setting and other constants (a reading's changes), simulated when first asked for.

    >>> from slicewright.advise.polarization.example import laboratory
    >>> lab = laboratory()
    >>> lab.at(lab.partition.now) is lab.at(lab.partition.now)
    True
    """

    source: Source
    partition: Controlled
    plan: Plan
    dear: bool = False
    """Whether a point is worth more than is simulated, so that fewer are looked at."""
    done: Callable[[int], None] = lambda replications: None
    """Called after each simulation with its replications."""
    seen: dict[tuple[tuple[str | float | int, ...], tuple[str, ...], int], Trial] = field(default_factory=dict)

    def at(self, setting: Setting, reading: Sequence[str] = (), replications: int | None = None) -> Trial:
        """The trial of a setting; a reading's changes come last, so that they hold."""
        count = replications or self.plan.replications
        key = (setting.key, tuple(reading), count)
        if key not in self.seen:
            self.seen[key] = simulate(self.scenario(setting, reading, count), self.partition)
            self.done(count)
        return self.seen[key]

    def scenario(self, setting: Setting, reading: Sequence[str] = (), replications: int | None = None) -> Scenario:
        """The scenario of a setting, without what is changed while it runs; raises InputError."""
        one = self.partition
        changes = [*setting.changes(one.name, one.now, one.physical), *reading]
        changes += measured(self.plan, replications or self.plan.replications)
        return self.source.scenario.with_(changes).without_changes()


def pilot_plan(controller: Controller) -> Plan:
    """A first look: one replication of some decisions.

    >>> pilot_plan(Controller(2.0, 10, 1.5)).interval_s
    6.0
    """
    return Plan(3 * controller.every_s, 3 * controller.every_s, 1)


def plan_of(pilot: Trial, partition: Controlled, own: Plan, by_need: bool) -> tuple[Plan, bool]:
    """How long to look, from a pilot: about so many dispatches, no longer than the scenario's own plan does.

    `by_need`: whether some setting parks by what is needed whatever T/V is.  Where T/V may reach its threshold, or that
    is so, the controller gets the time that it needs, whatever the plan; else five decisions, as each places anew.

    The second is whether a point then takes more dispatches than MOST_DISPATCHES.

    >>> from slicewright.advise.polarization.example import PLAN, trial, zvm
    >>> [plan_of(trial(), zvm(), PLAN, by_need)[0].warm_up_s for by_need in (False, True)]
    [10.0, 40.0]
    """
    controller = partition.controller
    rate = max(pilot.mean("dispatches_per_s"), 1e-9)
    warm_up = max(own.warm_up_s, settling_s(pilot.mean("tv_ratio"), partition, by_need))
    shortest = max(SHORTEST_S, 4 * controller.every_s)
    enough = float(f"{min(max(DISPATCHES / rate, shortest), max(LONGEST_S, shortest)):.2g}")
    interval = min(enough, own.interval_s)
    worth = MOST_DISPATCHES / (rate * (warm_up + interval))
    replications = max(2, int(min(max(worth, FEWEST), MOST, own.replications)))
    return Plan(interval, float(f"{warm_up:.3g}"), replications), worth < FEWEST

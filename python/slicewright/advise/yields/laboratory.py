"""One scenario under any yields, on any number of processors, and with other constants: each simulated once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from slicewright._core import Scenario
from slicewright.advise.controlled import settling_s
from slicewright.advise.scenario_text import Plan
from slicewright.advise.source import Source, measured
from slicewright.advise.yields.locked import Locked
from slicewright.advise.yields.trial import Trial, simulate
from slicewright.advise.yields.yielding import Yielding

EVENTS = 50_000
"""Dispatches, takings of locks and DIAGNOSEs in one interval, if that takes as long as SHORTEST and LONGEST allow."""
SHORTEST_S, LONGEST_S = 0.5, 30.0
SETTLES_S = 1.0
"""ASSUME: until vectors that began empty are as full as they will be, where the scenario does not say."""
FEWEST, MOST = 4, 6
"""Replications; as many as a point is worth, MOST_EVENTS, the warm-up included."""
MOST_EVENTS = 2_000_000


@dataclass
class Laboratory:
    """Trials by yields, processors and other constants (a reading's changes), simulated when first asked for.

    >>> from slicewright.advise.yields.example import laboratory
    >>> lab = laboratory()
    >>> lab.at(lab.partition.now) is lab.at(lab.partition.now, lab.partition.processors)
    True
    """

    source: Source
    partition: Locked
    plan: Plan
    dear: bool = False
    """Whether a point is worth more than is simulated, so that fewer are looked at."""
    done: Callable[[int], None] = lambda replications: None
    """Called after each simulation with its replications."""
    seen: dict[tuple[Yielding, int, tuple[str, ...], int], Trial] = field(default_factory=dict)

    def at(
        self, yielding: Yielding, processors: int | None = None, reading: Sequence[str] = (), runs: int | None = None
    ) -> Trial:
        """The trial of some yields on so many processors; a reading's changes come last, so that they hold."""
        runs, processors = runs or self.plan.replications, processors or self.partition.processors
        key = (yielding, processors, tuple(reading), runs)
        if key not in self.seen:
            self.seen[key] = simulate(self.scenario(yielding, processors, reading, runs), self.partition)
            self.done(runs)
        return self.seen[key]

    def scenario(
        self, yielding: Yielding, processors: int, reading: Sequence[str] = (), runs: int | None = None
    ) -> Scenario:
        """The scenario of some yields, without what is changed while it runs; raises InputError."""
        one = self.partition.controlled
        changes = [*yielding.changes()]
        if processors != one.now.processors:
            changes += [f"cec.processors={processors}"] if processors > one.physical else []
            changes.append(f"partition.{one.name}.logical_processors={processors}")
        changes += [*reading, *measured(self.plan, runs or self.plan.replications)]
        return self.source.scenario.with_(changes).without_changes()


def pilot_plan() -> Plan:
    """A first look: one short replication.

    >>> pilot_plan().replications
    1
    """
    return Plan(0.2, 0.3, 1)


def plan_of(pilot: Trial, partition: Locked, own: Plan) -> tuple[Plan, bool]:
    """How long to look, from a pilot: about so many events, no longer than the scenario's own plan does.

    In vertical mode the control program's controller gets the time that it needs, as when polarization is asked about.
    The second is whether a point then takes more events than MOST_EVENTS.

    >>> from slicewright.advise.yields.example import PLAN, spinners, trial
    >>> plan_of(trial(), spinners(), PLAN)[0].warm_up_s
    0.1
    """
    rate = max(sum(pilot.mean(name) for name in ("dispatches_per_s", "taken_per_s", "diagnoses_per_s")), 1e-9)
    now = partition.controlled.now
    small = now.unparking == "small"
    controller = settling_s(pilot.mean("tv_ratio"), partition.controlled, small) if now.vertical else 0.0
    warm_up = max(own.warm_up_s, controller)
    enough = float(f"{min(max(EVENTS / rate, SHORTEST_S), LONGEST_S):.2g}")
    interval = min(enough, own.interval_s)
    worth = MOST_EVENTS / (rate * (warm_up + interval))
    replications = max(2, int(min(max(worth, FEWEST), MOST, own.replications)))
    return Plan(interval, float(f"{warm_up:.3g}"), replications), worth < FEWEST

"""One scenario with any structure of exits and with other prices: each simulated once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from slicewright._core import Scenario
from slicewright.advise.exits.structures import STRUCTURES
from slicewright.advise.exits.trial import Trial, simulate
from slicewright.advise.scenario_text import Plan
from slicewright.advise.source import Source, measured

PAIRS = 10_000
"""Pairs of ENQ and DEQ in one interval, if that takes as long as SHORTEST and LONGEST allow."""
SHORTEST_S, LONGEST_S = 0.5, 60.0
FEWEST, MOST = 4, 10
"""Replications."""


@dataclass
class Laboratory:
    """Trials by structure and other prices (a reading's changes), simulated when first asked for.

    >>> from slicewright.advise.exits.example import laboratory
    >>> laboratory().at("batch") is laboratory().at("batch")
    True
    """

    source: Source
    partition: str
    plan: Plan
    done: Callable[[int], None] = lambda replications: None
    """Called after each simulation with its replications."""
    seen: dict[tuple[str, tuple[str, ...]], Trial] = field(default_factory=dict)

    def at(self, structure: str, reading: Sequence[str] = ()) -> Trial:
        """The trial of a structure; a reading's changes come last, so that they hold."""
        key = (structure, tuple(reading))
        if key not in self.seen:
            self.seen[key] = simulate(self.scenario(structure, reading), self.partition)
            self.done(self.plan.replications)
        return self.seen[key]

    def scenario(self, structure: str, reading: Sequence[str] = ()) -> Scenario:
        """The scenario of a structure, without what is changed while it runs; raises InputError."""
        changes = [f'serialization.exits="{structure}"', *reading]
        changes += measured(self.plan, self.plan.replications)
        return self.source.scenario.with_(changes).without_changes()


def pilot_plan() -> Plan:
    """A first look: two short replications.

    >>> pilot_plan().replications
    2
    """
    return Plan(0.5, 0.1, 2)


def plan_of(pilot: Trial, own: Plan) -> Plan:
    """How long to look, from a pilot: about so many pairs, no longer than the scenario's own plan does.

    >>> from slicewright.advise.exits.example import PLAN, trial
    >>> plan_of(trial(), PLAN).interval_s
    0.5
    """
    rate = max(pilot.mean("pairs_per_s"), 1e-9)
    enough = float(f"{min(max(PAIRS / rate, SHORTEST_S), LONGEST_S):.2g}")
    count = max(2, min(MOST, max(FEWEST, own.replications), own.replications))
    return Plan(min(enough, own.interval_s), own.warm_up_s, count)


def trials(variations: int) -> int:
    """How many trials an answer with so many readings besides takes, each structure in each.

    >>> trials(0)
    5
    """
    return len(STRUCTURES) * (1 + variations)

"""A queueing screen of purchases: how full each resource would be with them, before anything is simulated.

Utilization law: a resource is busy for the throughput times its demand (Denning, Buzen, "The Operational Analysis of
Queueing Network Models", ACM Computing Surveys 10(3), 1978).  Asymptotic bound: no resource is busy for longer than
the time that passes.  So throughput is at most one over the largest demand (Lazowska, Zahorjan, Graham, Sevcik,
"Quantitative System Performance", 1984, chapter 5).

ASSUME: a purchase changes the demand at a resource by the same factor whatever else is bought, and each unit adds as
much capacity.  The screen orders what is simulated; it decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from slicewright.experiment.outcome import Array
from slicewright.explore.purchases import Purchase, Setting
from slicewright.results.busiest import Machine

_LEAST = 1e-3
"""Utilization below which a resource counts as idle."""


@dataclass(frozen=True)
class Screen:
    """Utilization of each resource by setting, as purchases that were simulated alone let expect it."""

    names: Sequence[tuple[str, str]]
    """The resources, by kind and name."""
    wanted: Array
    """How full each is without a purchase, at the throughput that is wanted: above 1 it cannot carry that."""
    effects: Sequence[Array]
    """Of each purchase: levels x resources, the factor of demand."""

    @staticmethod
    def of(
        purchases: Sequence[Purchase], before: Machine, alone: Mapping[tuple[int, int], Machine], most: Machine
    ) -> Screen:
        """The screen of a machine, of each purchase alone by place and level, and of the machine with all."""
        names = [(each.kind, each.name) for each in before.resources if each.limited and each.queues]
        levels = _levels(before, names)
        throughput = _throughput(before)
        effects = []
        for place, purchase in enumerate(purchases):
            known = {
                level: _factor(levels / throughput, _levels(machine, names) / _throughput(machine))
                for (at, level), machine in alone.items()
                if at == place
            }
            effects.append(
                np.array([_between(purchase, level, known, len(names)) for level in range(len(purchase.levels))])
            )
        return Screen(names, levels / throughput * _throughput(most), effects)

    def score(self, settings: Array) -> Array:
        """How full the fullest resource would be, as a share; what the throughput that is wanted needs."""
        if not self.names:
            return np.zeros(len(settings))
        use = np.tile(self.wanted, (len(settings), 1))
        for place, effect in enumerate(self.effects):
            use *= effect[settings[:, place]]
        return np.asarray(use.max(axis=1))

    def use(self, setting: Setting) -> dict[tuple[str, str], float]:
        """How full each resource would be, as a share."""
        own = self.wanted.copy()
        for effect, level in zip(self.effects, setting, strict=True):
            own *= effect[level]
        return dict(zip(self.names, own.tolist(), strict=True))

    def error(self, setting: Setting, machine: Machine) -> float:
        """The largest error of the screen in a machine that was simulated, in percent of full."""
        expected = self.use(setting)
        known = {(each.kind, each.name): each.percent / 100 for each in machine.resources}
        return max(
            (100 * abs(min(expected[name], 1.0) - known[name]) for name in expected if name in known), default=0.0
        )


def _levels(machine: Machine, names: Sequence[tuple[str, str]]) -> Array:
    known = {(each.kind, each.name): each.percent / 100 for each in machine.resources}
    return np.asarray(np.maximum(np.nan_to_num([known.get(name, 0.0) for name in names]), _LEAST))


def _throughput(machine: Machine) -> float:
    """I/Os per second, or 1 where there are none: of machines without I/O the levels are compared as they are."""
    rate = float(sum(np.asarray(each).mean() for each in machine.rates.values()))
    return rate or 1.0


def _factor(before: Array, after: Array) -> Array:
    """The factor of demand: of 1 where a resource is as good as idle."""
    return np.asarray(np.where(before > 0, after / before, 1.0))


def _between(purchase: Purchase, level: int, known: Mapping[int, Array], count: int) -> Array:
    """The factor at a level: capacity grows with each unit, up to the level that was simulated."""
    if level == 0 or not known:
        return np.ones(count)
    if level in known:
        return known[level]
    largest = max(known, key=lambda at: purchase.levels[at].units)
    whole = purchase.levels[largest].units
    share = purchase.levels[level].units / whole if whole else 1.0
    return np.asarray(1 / (1 + (1 / known[largest] - 1) * share))

"""Partitions with room: shares of the processors due and used, and how much demand can grow until something is full."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from slicewright._core import Scenario
from slicewright.advise.slices.answer import BINDS, DomainLine, Room
from slicewright.advise.slices.machine import Machine
from slicewright.advise.slices.measured import Measured, at_slice, measured
from slicewright.experiment.plan import Plan
from slicewright.scenario.view import View
from slicewright.statistics import estimate

FULL = 1 - BINDS
"""A device that is busy for more than this share of the time is taken for full."""
MOST_GROWTH = 16.0
LARGEST = 100_000
"""The largest population of the scenario language."""
STEP = 1.02
"""How near the factor that is full and the one that is not come to each other."""


@dataclass
class Growing:
    """A scenario under more and less demand (`scenario` of a factor), at one slice; each factor is simulated once.

    >>> from slicewright.advise.slices.example import growing
    >>> growing().at(1.0).domains["cpu_percent"].shape
    (10, 2)
    """

    scenario: Callable[[float], Scenario]
    machine: Machine
    plan: Plan
    slice_ms: float
    switch_ms: float
    seen: dict[float, Measured] = field(default_factory=dict)

    def at(self, factor: float) -> Measured:
        """The outcome when all demand is `factor` times today's."""
        if factor not in self.seen:
            scenario = at_slice(self.scenario(factor), self.slice_ms, self.switch_ms)
            names = [device.name for device in self.machine.devices]
            self.seen[factor] = measured(scenario, names, [domain.name for domain in self.machine.domains], self.plan)
        return self.seen[factor]

    def full(self, domain: str, factor: float) -> str:
        """What of a partition is full at a growth: its share of the processors, or devices; empty when nothing is."""
        trial, names = self.at(factor), [domain.name for domain in self.machine.domains]
        if self.idle(trial, names.index(domain)) < BINDS:
            return self._limit(names.index(domain))
        full = [name for name, busy in self._busy(trial, domain) if busy > FULL]
        return f"volume {full[0]}" + (f" and {len(full) - 1} more" if len(full) > 1 else "") if full else ""

    def _limit(self, at: int) -> str:
        """An absolute cap, where there is one below all that it could have; else its share, which may be one."""
        one, processors = self.machine.domains[at], self.machine.processors
        by_share = math.isclose(one.most, one.share * processors)
        if by_share or one.most >= min(one.logicals, processors):
            return "its share of the processors"
        return f"its cap of {one.most:.4g} of the {processors} processors"

    def bound(self, domain: str) -> tuple[float, str]:
        """The factor at which processors or a device would be full if all grew in proportion, and which of them."""
        trial, names = self.at(1.0), [domain.name for domain in self.machine.domains]
        idle = self.idle(trial, names.index(domain))
        used = [(1 - idle, self._limit(names.index(domain)))] + [
            (busy, f"volume {name}") for name, busy in self._busy(trial, domain)
        ]
        most, what = max(used)
        return (1 / most if most > 0 else math.inf), what

    def idle(self, trial: Measured, at: int) -> float:
        """Share of what a partition can have that it has no work for."""
        if not self.machine.weighs:
            columns = [trial.domains[name][:, at] for name in ("wait_percent", "effective_percent")]
            wait, effective = (float(column.mean()) for column in columns)
            return wait / (wait + effective) if wait + effective > 0 else 0.0
        used = trial.domains["cpu_percent"].mean(axis=0) / 100
        one, everybody = self.machine.domains[at], float(used.sum()) / self.machine.processors
        if everybody > FULL and used[at] > FULL * one.share * self.machine.processors:
            return 0.0
        return max(0.0, 1 - float(used[at]) / one.most)

    def _busy(self, trial: Measured, domain: str) -> list[tuple[str, float]]:
        """How busy each device of a partition is, until its interrupts are handled; those with aliases are omitted."""
        found = []
        for at, device in enumerate(self.machine.devices):
            if device.domain == domain and not device.aliased and not device.redriven:
                rates, holds, times = (trial.devices[name][:, at] for name in ("io_per_s", "hold_ms", "service_ms"))
                found.append((device.name, float(np.nan_to_num(rates * (holds + times)).mean()) / 1000))
        return found


def domain_lines(
    growing: Growing,
    headroom: bool,
    busy: Sequence[str] | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> tuple[DomainLine, ...]:
    """A line per partition that shares; without `headroom` nothing is grown.  `busy`: whose CPU time is known.

    >>> from slicewright.advise.slices.example import growing
    >>> [line.binds for line in domain_lines(growing(), False)]
    [False, True]
    """
    machine, trial = growing.machine, growing.at(1.0)
    lines = []
    for at, domain in enumerate(machine.domains):
        got = estimate((trial.domains["cpu_percent"][:, at] / 100 / machine.processors).tolist())
        works = any(each.domain == domain.name for each in machine.devices)
        room = _room(growing, domain.name) if headroom and works else None
        known = busy is None or domain.name in busy
        lines.append(DomainLine(domain.name, domain.share, got if known else None, growing.idle(trial, at), room))
        progress((at + 1) / len(machine.domains))
    return tuple(lines)


def most_growth(view: View) -> float:
    """The most that demand is tried to grow: no population beyond what the language takes.

    >>> from slicewright.advise.slices.machine import example
    >>> most_growth(example().view)
    16.0
    """
    counts = [*(kind.count for kind in view.virtual_machines), *(guest.count or 1 for guest in view.guests)]
    return min(MOST_GROWTH, LARGEST / max(counts))


def _room(growing: Growing, domain: str) -> Room:
    bound, what = growing.bound(domain)
    now = growing.full(domain, 1.0)
    if now:
        return Room(1.0, 1.0, bound, now)
    most = most_growth(growing.scenario(1.0).view)
    if bound >= most:
        return Room(most, math.inf, bound, what)
    low, high, full = 1.0, max(bound, min(STEP, most)), ""
    while not (full := growing.full(domain, high)):
        if high >= most:
            return Room(high, math.inf, bound, what)
        low, high = high, min(1.5 * high, most)
    while high / low > STEP:
        middle = math.sqrt(low * high)
        found = growing.full(domain, middle)
        low, high, full = (low, middle, found) if found else (middle, high, full)
    return Room(low, high, bound, full)

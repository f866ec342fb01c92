"""The slice that costs least: slices simulated for each reading, their cost, and the range of the cheapest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from slicewright._core import Scenario
from slicewright.advise.slices.answer import Held, Recommended, SlicePoint, SliceTarget
from slicewright.advise.slices.hold import hold_ms
from slicewright.advise.slices.machine import RUNS_MS, Device, Machine
from slicewright.advise.slices.measured import Measured, at_slice, measured
from slicewright.advise.slices.request import SliceRequest
from slicewright.experiment.outcome import Array
from slicewright.experiment.plan import Plan
from slicewright.experiment.progress import Progress, silent
from slicewright.scenario.sharing import PARAMETERS, parameter_slice_ms
from slicewright.statistics import estimate, paired

GRID_MS = (0.5, *map(float, range(1, 17)), 18.0, 20.0, 22.0, 25.0, 28.0, 30.0, 35.0, 40.0)
"""Slices that are always looked at, those of all scheduling parameters among them."""


@dataclass
class Lengths:
    """One reading at every slice, simulated when first asked for.

    `plan` is how long to look, `switch_ms` what a switch takes.

    >>> from slicewright.advise.slices.example import lengths
    >>> found = lengths()
    >>> found.hold(30.0).mean() > 2 * found.hold(10.0).mean()
    np.True_
    """

    name: str
    scenario: Scenario
    machine: Machine
    plan: Plan
    switch_ms: float
    rates: Array
    """I/O per second of each device, by which holds are weighted: those of now."""
    seen: dict[float, Measured] = field(default_factory=dict)

    def at(self, slice_ms: float) -> Measured:
        """The trial at a slice."""
        if slice_ms not in self.seen:
            devices = [device.name for device in self.machine.devices]
            domains = [domain.name for domain in self.machine.domains]
            self.seen[slice_ms] = measured(
                at_slice(self.scenario, slice_ms, self.switch_ms), devices, domains, self.plan
            )
        return self.seen[slice_ms]

    def waiting(self, slice_ms: float) -> Array:
        """Ended waiting I/Os, per replication."""
        return self.at(slice_ms).waiting(self.rates)

    def hold(self, slice_ms: float) -> Array:
        """The hold of the mean I/O in ms, per replication."""
        return np.asarray(1000 * self.waiting(slice_ms) / self.rates.sum())

    def exact(self, device: Device, slice_ms: float) -> float | None:
        """The hold of a device by the exact formula; None where its service grows with others, and under PR/SM."""
        if device.service is None or self.machine.weighs:
            return None
        return hold_ms(self.machine.turn(device.domain, slice_ms, self.switch_ms), device.service)

    def lost(self, slice_ms: float, switch_ms: float) -> float:
        """Processors lost to switches of `switch_ms`: as fixed slices have it, or as often as PR/SM switches."""
        if not self.machine.weighs:
            return self.machine.switching(slice_ms, switch_ms)
        managed = self.at(slice_ms).domains["management_percent"].mean(axis=0) / 100
        lost = float(sum(domain.logicals * share for domain, share in zip(self.machine.domains, managed, strict=True)))
        return lost * switch_ms / self.switch_ms if self.switch_ms > 0 else lost


@dataclass(frozen=True, slots=True)
class Prices:
    """How many waiting I/Os a lost processor costs as much as, and what else a switch may take (ms)."""

    processor: float
    switches_ms: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """The curve, the cheapest of it, that of each reading, and what meets the condition."""

    points: tuple[SlicePoint, ...]
    recommended: Recommended
    least_ms: tuple[float, ...]
    target: SliceTarget | None


def cheapest(readings: Sequence[Lengths], question: SliceRequest, prices: Prices, progress: Progress = silent) -> Found:
    """The slice of least cost: ended waiting I/Os, at the rates of now, plus processors lost to switches, weighted.

    The first reading is the main one.  Other times of a switch make readings too.  The range also has every slice
    whose cost noise cannot tell from the least.

    >>> from slicewright.advise.slices.example import lengths
    >>> found = cheapest([lengths()], SliceRequest(at=(17.0,)), Prices(1.0)).recommended
    >>> found.low_ms <= found.slice_ms <= found.high_ms
    True
    """
    main = readings[0]
    slices = grid(main, question)
    switches = sorted({main.switch_ms, *prices.switches_ms})
    costs: dict[tuple[int, float, float], Array] = {}
    done = 0
    for slice_ms in slices:
        for at, reading in enumerate(readings):
            waiting = reading.waiting(slice_ms)
            for switch_ms in switches:
                lost = prices.processor * reading.lost(slice_ms, switch_ms)
                costs[at, switch_ms, slice_ms] = waiting + lost
            done += 1
            progress(done / (len(slices) * len(readings)))
    least, near = [], []
    for at in range(len(readings)):
        for switch_ms in switches:
            own = {slice_ms: costs[at, switch_ms, slice_ms] for slice_ms in slices}
            best = min(own, key=lambda one: float(own[one].mean()))
            near += [slice_ms for slice_ms, cost in own.items() if slice_ms == best or not _dearer(own[best], cost)]
            if switch_ms == main.switch_ms:
                least.append(best)
    five = {
        parameter: float(costs[0, main.switch_ms, parameter_slice_ms(parameter)].mean())
        for parameter in PARAMETERS
        if parameter_slice_ms(parameter) in slices and not main.machine.weighs
    }
    parameter = min(five, key=lambda one: five[one]) if five else None
    recommended = Recommended(least[0], min(near), max(near), parameter)
    points = tuple(_point(readings, slice_ms, prices) for slice_ms in slices)
    return Found(points, recommended, tuple(least), _target(points, question))


def grid(reading: Lengths, question: SliceRequest) -> list[float]:
    """The slices to look at, ascending: a fixed grid, the slice of now and beyond, and those asked for.

    None is so short that switches take half of a partition's turn, but for those asked for.

    >>> from slicewright.advise.slices.example import lengths
    >>> 12.5 in grid(lengths(), SliceRequest(at=(12.5,)))
    True
    """
    now = reading.machine.slice_ms
    more = [slice_ms for slice_ms in (50.0, 70.0, 100.0, 150.0, 250.0, 500.0, 1000.0) if slice_ms <= 1.5 * now]
    wanted = sorted({*GRID_MS, *more, now, *question.at})
    if reading.machine.weighs:
        return [slice_ms for slice_ms in sorted({*wanted, 50.0, 70.0, 100.0}) if RUNS_MS[0] <= slice_ms <= RUNS_MS[1]]
    shortest = reading.machine.shortest
    return [
        slice_ms for slice_ms in wanted if slice_ms in (now, *question.at) or shortest(slice_ms) > 2 * reading.switch_ms
    ]


def _dearer(best: Array, other: Array) -> bool:
    difference = paired(best.tolist(), other.tolist())
    return difference.low > 0


def _point(readings: Sequence[Lengths], slice_ms: float, prices: Prices) -> SlicePoint:
    main = readings[0]
    names = [device.name for device in main.machine.devices]
    waiting, machine = main.waiting(slice_ms), main.machine
    lost = main.lost(slice_ms, main.switch_ms)
    exact = {device.name: main.exact(device, slice_ms) for device in machine.devices}
    devices = {name: _held(readings, slice_ms, at, exact[name]) for at, name in enumerate(names)}
    known = [value for value in exact.values() if value is not None]
    mean = float(np.dot(known, main.rates) / main.rates.sum()) if len(known) == len(names) else None
    all_means = [float(reading.hold(slice_ms).mean()) for reading in readings]
    hold = Held(estimate(main.hold(slice_ms).tolist()), min(all_means), max(all_means), mean)
    cost = estimate((waiting + prices.processor * lost).tolist())
    percent = 100 * lost / machine.processors
    return SlicePoint(slice_ms, hold, devices, estimate(waiting.tolist()), lost, percent, cost)


def _held(readings: Sequence[Lengths], slice_ms: float, at: int, exact: float | None) -> Held:
    columns = [reading.at(slice_ms).devices["hold_ms"][:, at] for reading in readings]
    known = [[float(value) for value in column if np.isfinite(value)] for column in columns]
    means: Mapping[int, float] = {number: float(np.mean(column)) for number, column in enumerate(known) if column}
    low, high = (min(means.values()), max(means.values())) if means else (float("nan"), float("nan"))
    return Held(estimate(known[0]), low, high, exact)


def _target(points: Sequence[SlicePoint], question: SliceRequest) -> SliceTarget | None:
    if question.target is None:
        return None
    met = [
        point.slice_ms
        for point in points
        if question.target.met(
            {"hold_ms": point.hold.simulated.mean, "switch_percent": point.switch_percent, "cost": point.cost.mean}
        )
    ]
    return SliceTarget(question.target, max(met) if met else None)

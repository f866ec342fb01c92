"""Finding the load of a given population that reproduces the reports: think and connect times, and growth if it shows.

Each step simulates, corrects a closed formula by what came out, and takes the point where the corrected formula misses
least.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from slicewright.advise.aliases.load import Load
from slicewright.advise.aliases.observation import Observation
from slicewright.advise.aliases.sample import Sample
from slicewright.advise.aliases.surrogate import throughput
from slicewright.experiment.outcome import Array

STEPS = 5
ENOUGH = 0.9
"""The most steps, and what a step has to bring the cost down to for another to be worth it."""

GRID = 15
ZOOMS = 3
"""Points each way of a grid, and how often it is drawn again around its best point."""

SHARING_STEPS = (-2.0, -1.5, -1.0, -0.7, -0.4, -0.2, -0.1, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0)
SHARINGS = (0.0, 5.0, 10.0, 20.0, 40.0, 70.0, 100.0)
GAP_STEPS = (-0.05, -0.03, -0.02, -0.01, -0.005, 0.005, 0.01, 0.02, 0.03, 0.05)
"""Percent and ms around the present ones, and percent anywhere, tried where they are fitted."""

GAP_KNOWN_WITHIN = 0.1
"""ASSUME: ms by which a borrowed gap may be off; so weak a pull decides only where the reports say nothing."""

INSIDE = 0.8
OUTSIDE = 1e5
"""The share of an allowance beyond which a miss is avoided, and how much."""

Simulate = Callable[[Load, int], Sample]


@dataclass(frozen=True, slots=True)
class Fit:
    """The best load found, its simulations (one per report) and its misses: the worst of each volume, in allowances.

    >>> from slicewright.advise.aliases.example import simulations, load
    >>> Fit(load(), (simulations().simulate(load(), 0),), np.array([0.4])).fits()
    array([ True])
    """

    load: Load
    samples: tuple[Sample, ...]
    misses: Array

    def fits(self) -> Array:
        """Of each volume, whether it reproduces everything reported."""
        return np.asarray(self.misses <= 1)


def fit(load: Load, seen: Sequence[Observation], simulate: Simulate, tight: Array) -> Fit:
    """The load with think and connect times (and sharing where its growth is "fitted") that misses the reports least.

    `load` has populations, pend, disconnect, gap and redispatch, and first guesses of the rest.  `tight` marks the
    volumes that are searched (the others stay); open volumes keep their rate.

    >>> from slicewright.advise.aliases.example import simulations, load, report
    >>> from slicewright.advise.aliases.observation import observe
    >>> fit(load(), [observe(report(), 0.02)], simulations().simulate, np.array([True])).fits()
    array([ True])
    """
    best, least = None, np.inf
    for _ in range(STEPS if tight.any() else 3):
        samples = tuple(simulate(load, observation.aliases) for observation in seen)
        seen = [_reshared(observation, sample) for observation, sample in zip(seen, samples, strict=True)]
        cost = sum(observation.cost(sample, tight) for observation, sample in zip(seen, samples, strict=True))
        if best is not None and tight.any() and cost > ENOUGH * least:
            break
        best, least = Fit(load, samples, _worst(seen, samples, tight)), cost
        load = _step(load, seen, samples, tight)
    assert best is not None
    return best


def with_service(load: Load, service_ms: Array, sample: Sample) -> Load:
    """The load with connect times scaled so that the service of each volume comes out, if its slowdown stays.

    >>> from slicewright.advise.aliases.example import simulations, load
    >>> longer = with_service(load(), np.array([1.5]), simulations().simulate(load(), 0))
    >>> load().volumes[0].connect_ms, round(longer.volumes[0].connect_ms, 1)
    (0.9, 1.1)
    """
    now = sample.service_ms.mean(axis=0)
    volumes = []
    for volume, aimed, had, fixed in zip(load.volumes, service_ms, now, _fixed(load, sample), strict=True):
        factor = (aimed - fixed) / (had - fixed) if had > fixed else 1.0
        volumes.append(replace(volume, connect_ms=max(0.01, float(volume.connect_ms * factor))))
    return replace(load, volumes=tuple(volumes))


def judged(one: Fit, seen: Sequence[Observation], tight: Array) -> Fit:
    """The same load and simulations, its misses taken against these observations.

    >>> from slicewright.advise.aliases.example import simulations, load, report
    >>> from slicewright.advise.aliases.observation import observe
    >>> tried = Fit(load(), (simulations().simulate(load(), 0),), np.array([np.inf]))
    >>> judged(tried, [observe(report(), 0.02)], np.array([True])).misses < 1
    array([ True])
    """
    seen = [_reshared(observation, sample) for observation, sample in zip(seen, one.samples, strict=True)]
    return replace(one, misses=_worst(seen, one.samples, tight))


def _reshared(one: Observation, sample: Sample) -> Observation:
    used = sample.alias_io_per_s.mean(axis=0)
    return one.shared_as(used / used.sum()) if one.pooled and used.sum() > 0 else one


def _worst(seen: Sequence[Observation], samples: Sequence[Sample], tight: Array) -> Array:
    misses = [np.abs(observation.misses(sample)).max(axis=0) for observation, sample in zip(seen, samples, strict=True)]
    return np.where(tight, np.max(misses, axis=0), 0.0)


@dataclass(frozen=True, slots=True)
class _Local:
    """One report's local model: how the formula is corrected, how service follows connect, what to hit."""

    target: Observation
    servers: Array
    correction: Array
    offset: Array
    slope: Array
    fixed: Array


def _step(load: Load, seen: Sequence[Observation], samples: Sequence[Sample], tight: Array) -> Load:
    locals_ = [
        _local(load, observation, sample, at)
        for at, (observation, sample) in enumerate(zip(seen, samples, strict=True))
    ]
    think, connect = _grids(load, locals_[0], locals_[0].slope * load.sharing_percent / 100)
    shared = _shared(load)
    found = [_least(load, locals_, (think, connect), pair) for pair in shared]
    if not tight.any():
        return with_service(load, locals_[0].target.service_ms, samples[0])
    pull = [((gap - load.gap_borrowed_ms) / GAP_KNOWN_WITHIN) ** 2 for _, gap in shared]
    at = int(np.argmin([float(cost[tight].sum()) + more for (cost, _, _), more in zip(found, pull, strict=True)]))
    _, think_ms, connect_ms = found[at]
    kept = with_service(load, locals_[0].target.service_ms, samples[0])
    volumes = tuple(
        replace(volume, think_ms=float(z), connect_ms=float(b)) if moves and volume.population else volume
        for volume, z, b, moves in zip(kept.volumes, think_ms, connect_ms, tight, strict=True)
    )
    return replace(load, volumes=volumes, sharing_percent=shared[at][0], gap_ms=shared[at][1])


def _local(load: Load, one: Observation, sample: Sample, index: int) -> _Local:
    io, service = sample.io_per_s.mean(axis=0), sample.service_ms.mean(axis=0)
    queue, fixed = sample.queue_depth.mean(axis=0), _fixed(load, sample)
    lent = sample.alias_io_per_s.mean(axis=0) * service / 1000
    servers = 1 + (one.bound if not one.pooled else one.aliases * lent / max(float(lent.sum()), 1e-9))
    population, think, connect = _columns(load)
    guess = throughput(np.maximum(population, 1), servers, think, service + load.gap_ms)
    correction = np.where(population > 0, io / guess, 1.0)
    offset = np.where(population > 0, queue - population + io * (think + service) / 1000, 0.0)
    slowed = (service - fixed) / connect - 1
    share = load.sharing_percent / 100
    connected = float((io * (service - fixed)).sum()) / 1000
    slope = slowed / share if share > 1e-4 else np.full_like(io, max(connected - 1, 0.1))
    target = _aimed(one, sample) if index and one.pooled else one
    return _Local(target, servers, correction, offset, slope, fixed)


def _aimed(one: Observation, sample: Sample) -> Observation:
    """The pool's sums as targets of volumes, in the proportions of the simulation: only the sums are evidence."""
    io, queue = sample.io_per_s.mean(axis=0), sample.queue_depth.mean(axis=0)
    service = sample.service_ms.mean(axis=0)
    part = io / io.sum()
    told = float((one.io_per_s * one.service_ms).sum() / one.io_per_s.sum())
    mean = float((io * service).sum() / io.sum())
    return replace(
        one,
        io_per_s=one.io_per_s.sum() * part,
        queue_depth=queue + (one.queue_depth.sum() - queue.sum()) * part,
        service_ms=service * told / mean,
        io_slack=one.io_slack.sum() * part,
        queue_slack=one.queue_slack.sum() * part,
        io_weight=one.io_weight.sum() * part,
        queue_weight=one.queue_weight.sum() * part,
        service_slack=np.full_like(io, float(one.service_slack.mean())),
    )


def _columns(load: Load) -> tuple[Array, Array, Array]:
    rows = [(volume.population, volume.think_ms, volume.connect_ms) for volume in load.volumes]
    population, think, connect = np.array(rows, dtype=float).T
    return population, think, connect


def _fixed(load: Load, sample: Sample) -> Array:
    """The parts of service that do not follow the connect time alone, in ms per volume.

    These are pend and disconnect, and for serial channels their time and the wait for them, as simulated.
    """
    fixed = np.array([volume.pend_ms + volume.disc_ms for volume in load.volumes])
    if not load.serial_ms:
        return fixed
    connect = np.array([volume.connect_ms for volume in load.volumes])
    return np.asarray(np.maximum(sample.service_ms.mean(axis=0) - connect, fixed))


def _shared(load: Load) -> list[tuple[float, float]]:
    """Pairs of sharing (percent) and gap (ms) worth trying: around the present ones, where they are fitted."""
    share, gap = load.sharing_percent, load.gap_ms
    shares = [share]
    if load.growth == "fitted":
        shares = sorted({share, *SHARINGS, *(min(100.0, max(0.0, share + step)) for step in SHARING_STEPS)})
    gaps = [gap] if load.gap_known else sorted({gap, *(max(0.0, gap + step) for step in GAP_STEPS)})
    return [(share, other) for share in shares for other in gaps]


def _grids(load: Load, local: _Local, slowed: Array) -> tuple[Array, Array]:
    """Think and connect times worth trying: (grid, volumes) each, as wide as the allowances."""
    population, told, _ = _columns(load)
    target, fixed = local.target, local.fixed
    rate = target.io_per_s
    centre = 1000 * (population - target.queue_depth) / rate - target.service_ms
    wide = 1000 * (1.5 * target.queue_slack + population * target.io_slack / rate) / rate + target.service_slack
    steps = np.linspace(-1, 1, GRID)[:, None]
    think = np.maximum(centre + steps * wide, 0.0)
    if load.think_known:
        think = np.broadcast_to(told, think.shape)
    middle = np.maximum(target.service_ms - fixed, 0.02) / (1 + slowed)
    reach = 1.5 * target.service_slack / (1 + slowed)
    return think, np.maximum(middle + steps * reach, 0.01)


def _least(
    load: Load, locals_: Sequence[_Local], grids: tuple[Array, Array], shared: tuple[float, float]
) -> tuple[Array, Array, Array]:
    """Per volume the least cost, with the think and connect time there: on a grid, drawn finer around its best point.

    The cost is the sum of squared misses in units of the rounding of the print (least squares). Misses beyond
    the allowances cost far more: a load that fits everywhere is preferred to one that fits on the average.
    """
    volumes = np.arange(grids[0].shape[1])
    # A row per volume: numpy takes long rows far faster than many short ones.
    think, connect = (np.ascontiguousarray(grid.T) for grid in grids)
    steps = np.linspace(-1.5, 1.5, GRID)
    population = _columns(load)[0][:, None]
    for _ in range(ZOOMS):
        cost = _cost(population, locals_, (np.repeat(think, GRID, axis=1), np.tile(connect, GRID)), shared)
        at = cost.argmin(axis=1)
        best = think[volumes, at // GRID], connect[volumes, at % GRID]
        found = cost[volumes, at], *best
        think = np.maximum(best[0][:, None] + steps * (think[:, 1:2] - think[:, :1]), 0.0)
        connect = np.maximum(best[1][:, None] + steps * (connect[:, 1:2] - connect[:, :1]), 0.01)
    return found


def _cost(
    population: Array, locals_: Sequence[_Local], pairs: tuple[Array, Array], shared: tuple[float, float]
) -> Array:
    """The cost of pairs of a think and a connect time: volumes x pairs; `population` is a column."""
    think, connect = pairs
    cost = np.zeros(1)
    for local in locals_:
        target = local.target
        slower = 1 + local.slope[:, None] * shared[0] / 100
        service = local.fixed[:, None] + connect * slower
        machine = throughput(np.maximum(population, 1), local.servers[:, None], think, service + shared[1])
        rate = local.correction[:, None] * machine
        queue = population - rate * (think + service) / 1000 + local.offset[:, None]
        for value, wanted, weight, slack in (
            (rate, target.io_per_s, target.io_weight, target.io_slack),
            (queue, target.queue_depth, target.queue_weight, target.queue_slack),
            (service, target.service_ms, target.service_weight, target.service_slack),
        ):
            off = value - wanted[:, None]
            beyond = np.maximum(np.abs(off) / slack[:, None] - INSIDE, 0.0)
            cost = cost + (off / weight[:, None]) ** 2 + OUTSIDE * beyond**2
    return np.asarray(cost)

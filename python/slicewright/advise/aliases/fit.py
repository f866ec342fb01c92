"""The fit of a load to reports: what it has to reproduce, the search for it, and open arrivals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from slicewright._core import RunError
from slicewright.advise.aliases.evidence import PoolReport
from slicewright.advise.aliases.load import Load, Sample, throughput
from slicewright.experiment.outcome import Array

_NOISE = 0.002
"""The share of a value that a step of the fit leaves to chance; finer rounding than that has no more weight."""

_LONGEST = 0.6
"""How far into its allowance the search moves service for a reading with the longest service that fits."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One report of a pool.  Arrays over volumes: rates per second, service in ms, queue in requests.

    `pooled`: aliases work for any volume, so the page gives sums over the pool and not a volume's own rate.  The
    allowances are the printed rounding plus the margin; a queue's margin is on all requests present, because that is
    what Little's law balances.  The weights are what the print itself leaves open, and rule the fit: a rate has three
    digits, a service time two, so it is the rate that comes out.
    """

    aliases: int
    pooled: bool
    bound: Array
    io_per_s: Array
    queue_depth: Array
    service_ms: Array
    io_slack: Array
    queue_slack: Array
    service_slack: Array
    io_weight: Array
    queue_weight: Array
    service_weight: Array
    base_io_per_s: Array
    base_service_ms: Array
    alias_io_per_s: float
    alias_service_ms: float

    @property
    def present(self) -> Array:
        """Requests of each volume in the control program: waiting and in service."""
        return np.asarray(self.queue_depth + self.io_per_s * self.service_ms / 1000)

    def widened(self, margin: float) -> Observation:
        """The same with allowances that are wider by this share of each value."""
        return replace(
            self,
            io_slack=self.io_slack + margin * self.io_per_s,
            queue_slack=self.queue_slack + margin * self.present,
            service_slack=self.service_slack + margin * self.service_ms,
        )

    def with_longest_service(self) -> Observation:
        """The same with service aimed at the upper part of what its allowance leaves open."""
        aimed = self.service_ms + _LONGEST * self.service_slack
        narrow = (1 - _LONGEST) * self.service_slack
        return replace(
            self, service_ms=aimed, service_slack=narrow, service_weight=0.1 * narrow,
            base_service_ms=self.base_service_ms + _LONGEST * self.service_slack,
            alias_service_ms=self.alias_service_ms + _LONGEST * float(self.service_slack.mean()),
        )  # fmt: skip

    def shared_as(self, alias_share: Array) -> Observation:
        """The pool's alias I/O given to volumes in these shares (they sum to 1); nothing changes without a pool."""
        if not self.pooled:
            return self
        lent = self.alias_io_per_s * alias_share
        io = self.base_io_per_s + lent
        service = (self.base_io_per_s * self.base_service_ms + lent * self.alias_service_ms) / io
        return replace(self, io_per_s=io, service_ms=service)

    def misses(self, sample: Sample) -> Array:
        """How far a simulation misses each of rate, queue, service: (3, volumes), in allowances; above 1 does not fit.

        With a pool the sums are compared, and every volume has the pool's miss.
        """
        io, queue = sample.io_per_s.mean(axis=0), sample.queue_depth.mean(axis=0)
        service = sample.service_ms.mean(axis=0)
        if not self.pooled:
            parts = [
                _beyond(sample.io_per_s, self.io_per_s) / self.io_slack,
                _beyond(sample.queue_depth, self.queue_depth) / self.queue_slack,
                _beyond(sample.service_ms, self.service_ms) / self.service_slack,
            ]
            return np.stack(parts)
        mean = float((io * service).sum() / io.sum())
        printed = float((self.io_per_s * self.service_ms).sum() / self.io_per_s.sum())
        slack = float((self.io_per_s * self.service_slack).sum() / self.io_per_s.sum())
        whole = [
            (io.sum() - self.io_per_s.sum()) / self.io_slack.sum(),
            (queue.sum() - self.queue_depth.sum()) / self.queue_slack.sum(),
            (mean - printed) / slack,
        ]
        return np.repeat(np.array(whole)[:, None], len(io), axis=1)

    def cost(self, sample: Sample, tight: Array) -> float:
        """Squared misses in units of what the print leaves open, over the volumes that are searched."""
        misses = self.misses(sample)
        scale = [self.io_slack / self.io_weight, self.queue_slack / self.queue_weight]
        scale.append(self.service_slack / self.service_weight)
        if self.pooled:
            scale = [np.full_like(slack, float(slack.mean())) for slack in scale]
        squares = (misses * np.stack(scale)) ** 2 + 1e5 * np.maximum(np.abs(misses) - 0.8, 0) ** 2
        return float(squares[:, tight].sum())


def _beyond(values: Array, printed: Array) -> Array:
    """By how much means over replications are off, less the standard error that they have themselves."""
    off = values.mean(axis=0) - printed
    error = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return np.asarray(np.sign(off) * np.maximum(np.abs(off) - error, 0.0))


def observe(pool: PoolReport, margin: float) -> Observation:
    """The observation that a report makes; `margin` is a share (.02).

    Where a pool lends aliases their I/O is first shared by what each base shows of load: its queue and the square of
    its own use, which is what overflows from a base without a queue.
    """
    bases = [volume.base for volume in pool.volumes]
    pooled = bool(pool.aliases)
    io = np.array([volume.io_per_s for volume in pool.volumes])
    service = np.array([volume.service_ms for volume in pool.volumes])
    queue = np.array([base.queue_depth for base in bases])
    lent = sum(alias.io_per_s for alias in pool.aliases)
    lent_service = sum(alias.io_per_s * alias.service_ms for alias in pool.aliases) / lent if lent else 0.0
    use = io * service / 1000
    rows = [1 + len(volume.bound) for volume in pool.volumes]
    rounding = np.array([base.io_rounding for base in bases]) * rows
    if pooled:
        rounding = rounding + sum(alias.io_rounding for alias in pool.aliases) / len(bases)
    first = Observation(
        aliases=pool.aliases_present, pooled=pooled,
        bound=np.array([float(len(volume.bound)) for volume in pool.volumes]),
        io_per_s=io, queue_depth=queue, service_ms=service, io_slack=rounding, queue_slack=queue, service_slack=service,
        io_weight=io, queue_weight=queue, service_weight=service,
        base_io_per_s=io, base_service_ms=service, alias_io_per_s=lent, alias_service_ms=lent_service,
    )  # fmt: skip
    weight = queue + use**2
    shared = first.shared_as(weight / weight.sum()) if pooled else first
    waits, serves = (
        np.array([base.queue_rounding for base in bases]),
        np.array([base.service_rounding for base in bases]),
    )
    return replace(
        shared,
        io_slack=rounding + margin * shared.io_per_s,
        queue_slack=waits + margin * shared.present,
        service_slack=serves + margin * shared.service_ms,
        io_weight=rounding + _NOISE * shared.io_per_s,
        queue_weight=waits + _NOISE * shared.present,
        service_weight=serves + _NOISE * shared.service_ms,
    )


_STEPS = 5
_ENOUGH = 0.9
"""The most steps, and what a step has to bring the cost down to for another to be worth it."""

_GRID = 15
_ZOOMS = 3
"""Points each way of a grid, and how often it is drawn again around its best point."""

_SHARING_STEPS = (-2.0, -1.5, -1.0, -0.7, -0.4, -0.2, -0.1, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0)
_SHARINGS = (0.0, 5.0, 10.0, 20.0, 40.0, 70.0, 100.0)
_GAP_STEPS = (-0.05, -0.03, -0.02, -0.01, -0.005, 0.005, 0.01, 0.02, 0.03, 0.05)
"""Percent and ms around the present ones, and percent anywhere, tried where they are fitted."""

_GAP_KNOWN_WITHIN = 0.1
"""ASSUME: ms by which a borrowed gap may be off; so weak a pull decides only where the reports say nothing."""

_INSIDE = 0.8
_OUTSIDE = 1e5
"""The share of an allowance beyond which a miss is avoided, and how much."""

Simulate = Callable[[Load, int], Sample]


@dataclass(frozen=True, slots=True)
class Fit:
    """The best load found, its simulations (one per report) and its misses: the worst of each volume, in allowances."""

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
    """
    best, least = None, np.inf
    for _ in range(_STEPS if tight.any() else 3):
        samples = tuple(simulate(load, observation.aliases) for observation in seen)
        seen = [_reshared(observation, sample) for observation, sample in zip(seen, samples, strict=True)]
        cost = sum(observation.cost(sample, tight) for observation, sample in zip(seen, samples, strict=True))
        if best is not None and tight.any() and cost > _ENOUGH * least:
            break
        best, least = Fit(load, samples, _worst(seen, samples, tight)), cost
        load = _step(load, seen, samples, tight)
    assert best is not None
    return best


def _with_service(load: Load, service_ms: Array, sample: Sample) -> Load:
    """The load with connect times scaled so that the service of each volume comes out, if its slowdown stays."""
    now = sample.service_ms.mean(axis=0)
    volumes = []
    for volume, aimed, had, fixed in zip(load.volumes, service_ms, now, _fixed(load, sample), strict=True):
        factor = (aimed - fixed) / (had - fixed) if had > fixed else 1.0
        volumes.append(replace(volume, connect_ms=max(0.01, float(volume.connect_ms * factor))))
    return replace(load, volumes=tuple(volumes))


def judged(one: Fit, seen: Sequence[Observation], tight: Array) -> Fit:
    """The same load and simulations, its misses taken against these observations."""
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
        return _with_service(load, locals_[0].target.service_ms, samples[0])
    pull = [((gap - load.gap_borrowed_ms) / _GAP_KNOWN_WITHIN) ** 2 for _, gap in shared]
    at = int(np.argmin([float(cost[tight].sum()) + more for (cost, _, _), more in zip(found, pull, strict=True)]))
    _, think_ms, connect_ms = found[at]
    kept = _with_service(load, locals_[0].target.service_ms, samples[0])
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
        shares = sorted({share, *_SHARINGS, *(min(100.0, max(0.0, share + step)) for step in _SHARING_STEPS)})
    gaps = [gap] if load.gap_known else sorted({gap, *(max(0.0, gap + step) for step in _GAP_STEPS)})
    return [(share, other) for share in shares for other in gaps]


def _grids(load: Load, local: _Local, slowed: Array) -> tuple[Array, Array]:
    """Think and connect times worth trying: (grid, volumes) each, as wide as the allowances."""
    population, told, _ = _columns(load)
    target, fixed = local.target, local.fixed
    rate = target.io_per_s
    centre = 1000 * (population - target.queue_depth) / rate - target.service_ms
    wide = 1000 * (1.5 * target.queue_slack + population * target.io_slack / rate) / rate + target.service_slack
    steps = np.linspace(-1, 1, _GRID)[:, None]
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
    steps = np.linspace(-1.5, 1.5, _GRID)
    population = _columns(load)[0][:, None]
    for _ in range(_ZOOMS):
        cost = _cost(population, locals_, (np.repeat(think, _GRID, axis=1), np.tile(connect, _GRID)), shared)
        at = cost.argmin(axis=1)
        best = think[volumes, at // _GRID], connect[volumes, at % _GRID]
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
            beyond = np.maximum(np.abs(off) / slack[:, None] - _INSIDE, 0.0)
            cost = cost + (off / weight[:, None]) ** 2 + _OUTSIDE * beyond**2
    return np.asarray(cost)


_SHIFTS = (-0.9, 0.0, 0.9)
"""Service tried, in allowances from what is printed."""


def fit_open(load: Load, seen: Sequence[Observation], simulate: Simulate, tight: Array) -> Fit:
    """The open load nearest to the reports: per volume the service, within its allowance, whose queue comes nearest.

    With open arrivals the rate is given and only service is left to move; a queue that grows without bound misses by
    infinity.
    """
    best: Fit | None = None
    for shift in _SHIFTS:
        aimed = seen[0].service_ms + shift * seen[0].service_slack
        now = _tried(load, seen, simulate, tight)
        if now.samples:
            now = _tried(_with_service(load, aimed, now.samples[0]), seen, simulate, tight)
        best = now if best is None else _better(best, now)
    assert best is not None
    return best


def _tried(load: Load, seen: Sequence[Observation], simulate: Simulate, tight: Array) -> Fit:
    try:
        samples = tuple(simulate(load, observation.aliases) for observation in seen)
    except RunError:
        return Fit(load, (), np.where(tight, np.inf, 0.0))
    misses = [np.abs(observation.misses(sample)).max(axis=0) for observation, sample in zip(seen, samples, strict=True)]
    return Fit(load, samples, np.where(tight, np.max(misses, axis=0), 0.0))


def _better(one: Fit, other: Fit) -> Fit:
    """Volume by volume the nearer of two fits."""
    nearer = other.misses < one.misses
    volumes = tuple(b if take else a for a, b, take in zip(one.load.volumes, other.load.volumes, nearer, strict=True))
    samples = other.samples if float(other.misses.sum()) < float(one.misses.sum()) else one.samples
    return Fit(replace(one.load, volumes=volumes), samples, np.minimum(one.misses, other.misses))

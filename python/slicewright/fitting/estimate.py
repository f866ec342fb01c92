"""Estimates from the shown intervals: service, growth, guests and think times, each with its noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from slicewright._core import RunError, student_t
from slicewright.experiment.outcome import Array
from slicewright.experiment.plan import Plan
from slicewright.fitting.evidence import Evidence, Group, Period, Targets, named, targets
from slicewright.fitting.model import Model, PoolLoad, Simulated, VolumeLoad, plan_for
from slicewright.reading.accept import AIMED
from slicewright.statistics import milliseconds, plural, plus_minus, significant
from slicewright.values.progress import Progress

_Rows = npt.NDArray[np.int_]
"""Numbers of rows."""

_VARIES = 1.05
"""The largest number of other I/Os connected, over the least, from which a growth can be seen."""

SHORTEST_MS = 0.001
"""A connect time of which a logarithm is taken."""

MET = 0.01
"""Other I/Os connected on average, below which a growth changes nothing."""

_SHARING_KNOWN_WITHIN = 0.02
"""A half-width of the growth below which a growth of zero is a finding, and not a lack of evidence."""


@dataclass(frozen=True, slots=True)
class Service:
    """Times of each volume in ms, connect with no other I/O connected, and the growth; each with its 95 % half-width.

    Of n connected I/Os each progresses at 1 / (1 + sharing (n - 1)), sharing as a share of one.
    """

    pend_ms: Array
    disc_ms: Array
    connect_ms: Array
    sharing: float
    pend_half_width: Array
    disc_half_width: Array
    connect_half_width: Array
    sharing_half_width: float
    others: tuple[float, float]
    """The least and the largest mean number of other connected I/Os in a shown interval."""

    @property
    def varies(self) -> bool:
        """Whether the number of other I/Os varies enough to show a growth."""
        return self.others[1] >= _VARIES * self.others[0]

    @property
    def shows_none(self) -> bool:
        """Whether a growth of zero is a finding."""
        return self.sharing == 0 and self.varies and self.sharing_half_width <= _SHARING_KNOWN_WITHIN

    @property
    def growth(self) -> str:
        """How well the intervals show the growth, in words."""
        seen = f"{self.others[0]:.2f} to {self.others[1]:.2f} other I/Os connected"
        if self.others[1] < MET:
            return "no growth is seen: connected I/Os meet no others"
        if self.sharing > 0:
            return f"grows by {100 * self.sharing:.2g} ± {100 * self.sharing_half_width:.1g} % per I/O; {seen}"
        if self.shows_none:
            return f"no growth: within {100 * self.sharing_half_width:.1g} % per I/O; {seen}"
        return f"growth is not identified: {seen}, too little to show one"


def _connected_others(group: Group, populations: Array) -> Array:
    """The mean number of other I/Os that a connected I/O meets, intervals x volumes.

    `populations` are guests of each volume in each interval: an I/O does not meet itself, nor more of its volume than
    there are guests and exposures.
    """
    exposures = 1 + np.array(group.aliases)[:, None]
    connected = np.nan_to_num(group.io_per_s * group.conn_ms) / 1000
    most = np.maximum(np.minimum(populations, exposures), 1)
    return np.asarray(connected.sum(axis=1, keepdims=True) - connected / most)


def _service(group: Group, shown: Sequence[int], lengths_s: Array, others: Array, correction: Array) -> Service:
    """The service of a group.

    connect(i, v) = connect(v) (1 + sharing others(i, v)) correction(i, v); the correction is what a simulation gives
    more than this formula.  Weights are the I/Os of a volume in an interval.
    """
    rows = list(shown)
    ios = (group.rate * lengths_s[:, None])[rows]
    fit = _Connect(np.log(np.maximum(group.conn_ms[rows], SHORTEST_MS)) - np.log(correction[rows]), others[rows], ios)
    pend, pend_half = _jackknife(len(rows), lambda kept: _mean(group.pend_ms[rows][kept], ios[kept]))
    disc, disc_half = _jackknife(len(rows), lambda kept: _mean(group.disc_ms[rows][kept], ios[kept]))
    met = (others[rows] * ios).sum(axis=1) / np.maximum(ios.sum(axis=1), 1.0)
    sharing, sharing_half = np.zeros(1), np.full(1, np.nan)
    if met.max() >= max(MET, _VARIES * met.min()):
        sharing, sharing_half = _jackknife(len(rows), lambda kept: np.array([fit.sharing(kept)]))
    found = float(sharing[0]) if sharing[0] > sharing_half[0] else 0.0
    connect, connect_half = _jackknife(
        len(rows), lambda kept: np.exp(fit.level(fit.sharing(kept) if found else 0.0, kept))
    )
    return Service(
        pend, disc, connect, found, pend_half, disc_half, connect_half, float(sharing_half[0]),
        (float(met.min()), float(met.max())),
    )  # fmt: skip


def _without_noise(found: Service) -> Service:
    """The same with half-widths of 0 where a single shown interval leaves them unknown."""
    return replace(
        found,
        pend_half_width=np.nan_to_num(found.pend_half_width),
        disc_half_width=np.nan_to_num(found.disc_half_width),
        connect_half_width=np.nan_to_num(found.connect_half_width),
    )


@dataclass(frozen=True, slots=True)
class _Connect:
    """Logarithms of connect times, the I/Os met and the weights, each intervals x volumes."""

    logs: Array
    others: Array
    ios: Array

    def level(self, sharing: float, kept: _Rows) -> Array:
        """The logarithm of each volume's connect time with no other I/O, at some growth."""
        return _mean(self.logs[kept] - np.log1p(sharing * self.others[kept]), self.ios[kept])

    def residuals(self, sharing: float, kept: _Rows) -> Array:
        """Weighted misses of the logarithms; a volume without I/O misses nothing."""
        misses = self.logs[kept] - np.log1p(sharing * self.others[kept]) - self.level(sharing, kept)
        ios = self.ios[kept]
        return np.asarray((np.where(ios > 0, misses, 0.0) * np.sqrt(ios / max(float(ios.max()), 1.0))).ravel())

    def sharing(self, kept: _Rows) -> float:
        """The growth at which the weighted squares are least; noise may take it below zero."""
        from scipy import optimize

        # Below zero too: at a bound a jackknife would see no variance.
        start, least = 0.02, -0.5 / float(np.nanmax(self.others))
        found = optimize.least_squares(
            lambda trial: self.residuals(float(trial[0]), kept), [start], bounds=(least, 1.0), x_scale=start
        )
        return float(found.x[0])


def _mean(values: Array, ios: Array) -> Array:
    """Of each volume, the mean over intervals weighted by I/Os."""
    weighted = np.where(ios > 0, np.nan_to_num(values) * ios, 0.0).sum(axis=0)
    total = ios.sum(axis=0)
    return np.asarray(np.divide(weighted, total, out=np.zeros_like(total), where=total > 0))


def _jackknife(count: int, estimated: Callable[[_Rows], Array]) -> tuple[Array, Array]:
    """An estimate from all intervals, and its 95 % half-width from estimates without one of them.

    Efron and Tibshirani, An Introduction to the Bootstrap, section 11.5, with Student's t; NaN with fewer than two.
    """
    every = np.arange(count)
    whole = estimated(every)
    if count < 2:
        return whole, np.full_like(whole, np.nan)
    left = np.stack([estimated(np.delete(every, number)) for number in every])
    variance = (count - 1) / count * ((left - left.mean(axis=0)) ** 2).sum(axis=0)
    return whole, np.asarray(student_t(count - 1) * np.sqrt(variance))


_TRIES = 5
"""Populations tried between the smallest that Little's law allows and the one that is as good as open arrivals."""

_SETTLES = 4
"""How often, at most, all populations are tried together and the waits of each corrected."""

_MOST_SHIFT = 2.0
"""The largest factor of one correction: a wait of zero says little of waits at other populations."""

_AS_OPEN = 8
"""This many times the smallest population, and as many more, differ from open arrivals by less than noise."""

_NEGLIGIBLE_MS = 0.001
"""A think time that is as good as none."""

_STEP = 0.02
_RATE_SCALE = 0.01
_QUEUE_SCALE = 0.03
"""The step of differences, as a share of a guest's cycle; and the misses of rate and queue that count alike."""

_Simulate = Callable[["_Loads", Array], Simulated]
"""Simulates loads with connect times that are multiplied by these factors."""


@dataclass(frozen=True, slots=True)
class _Loads:
    """Guests (0: open arrivals) and think times in ms, arrays over copies."""

    population: Array
    think_ms: Array


@dataclass(frozen=True, slots=True)
class Range:
    """The populations and think times of a copy that the intervals allow, at 95 %; `most` is None where open fits."""

    least: int
    most: int | None
    think_low_ms: float
    think_high_ms: float
    known: bool
    """Whether the shown intervals give a noise to judge by."""
    bursts: bool
    """Whether requests wait longer than even Poisson arrivals would have them wait."""


@dataclass
class _Search:
    """The search for one set of service times: what was simulated, as waits by population."""

    targets: Targets
    simulate: _Simulate
    service_ms: Array
    factor: Array
    """Factors of connect times, so that each period has its own: growth must not bias populations."""
    waits: list[dict[int, float]] = field(default_factory=list)

    def run(self) -> _Loads:
        """The loads that come nearest to the queues, and whose think times reproduce the rates."""
        least = self._least()
        most = _AS_OPEN * least + _AS_OPEN
        self.waits = [{} for _ in least]
        self._try(least)
        self._try(most)
        for _ in range(_TRIES):
            wanted = np.array(
                [_next(known, wait) for known, wait in zip(self.waits, self.targets.wait_ms, strict=True)]
            )
            if all(int(count) in known for count, known in zip(wanted, self.waits, strict=True)):
                break
            self._try(wanted)
        nearest = self._settled()
        population = np.array(
            [0 if count >= top else count for count, top in zip(nearest, most, strict=True)], dtype=int
        )
        return self._closed_where_open_fails(_Loads(population, self.think_ms(population)), nearest)

    def think_ms(self, population: Array) -> Array:
        """The think times that the law gives for populations at the measured rates; 0 for open arrivals."""
        cycle = 1000 * population / self.targets.io_per_s
        think = np.maximum(cycle - self.service_ms - self.targets.wait_ms, 0.0)
        return np.asarray(np.where(think < _NEGLIGIBLE_MS, 0.0, think))

    def ranges(self, loads: _Loads, simulated_ios: Array) -> list[Range]:
        """The ranges that the noise leaves open: that of the targets, and of waits simulated with this many I/Os."""
        wider = np.sqrt(1 + self.targets.ios / simulated_ios)
        found = []
        for at, known in enumerate(self.waits):
            wait, half = self.targets.wait_ms[at], self.targets.wait_half_width[at] * wider[at]
            slack = (0.0 if math.isnan(half) else half) + AIMED * (self.service_ms[at] + wait)
            every, waits = _curve(known)
            fits = every[np.abs(waits - wait) <= slack].tolist()
            chosen = int(loads.population[at])
            fits = [*fits, chosen] if chosen else fits
            top = max(known)
            is_open = chosen == 0 or top in fits
            low = min(fits, default=top)
            high = None if is_open else max(fits)
            rate, off = self.targets.io_per_s[at], np.nan_to_num(self.targets.io_half_width[at])
            own = 1000 * max(chosen, low) / rate * off / rate + slack
            law = [1000 * count / rate - self.service_ms[at] - wait for count in (low, high or top)]
            given = [loads.think_ms[at]] if chosen else []
            found.append(Range(
                low, high, max(0.0, min([law[0], *given]) - own), math.inf if is_open else max([law[1], *given]) + own,
                not math.isnan(half), bool(wait - slack > 1.05 * waits[-1]),
            ))  # fmt: skip
        return found

    def _least(self) -> Array:
        """The smallest populations: at least the requests present (Little's law)."""
        present = self.targets.io_per_s * (self.service_ms + self.targets.wait_ms) / 1000
        return np.maximum(1, np.ceil(present - 0.02)).astype(int)

    def _try(self, population: Array) -> None:
        """Simulate one population of each copy, and remember the waits."""
        sample = self.simulate(_Loads(population, self.think_ms(population)), self.factor)
        self.service_ms = sample.mean("service_ms")
        for known, count, wait in zip(self.waits, population, sample.wait_ms, strict=True):
            known[int(count)] = float(wait)

    def _settled(self) -> list[int]:
        """The nearest populations once all volumes have theirs: by shared aliases, waits of one depend on others.

        Waits are corrected by those of all populations together.  A pool takes the populations that then are nearest
        only where its queues miss less with them.
        """
        alone = [dict(known) for known in self.waits]
        best = self._nearest()
        waits = self._together(best)
        for _ in range(_SETTLES):
            self.waits = _corrected(alone, best, waits)
            trial = self._nearest()
            if trial == best:
                break
            tried = self._together(trial)
            better = self._misses(tried) < self._misses(waits)
            if not better.any():
                break
            best = np.where(better, trial, best).tolist()
            waits = np.where(better, tried, waits)
        self.waits = _corrected(alone, best, waits)
        return best

    def _together(self, population: list[int]) -> Array:
        """The waits with these populations."""
        self._try(np.array(population))
        return np.array([known[count] for known, count in zip(self.waits, population, strict=True)])

    def _misses(self, waits: Array) -> Array:
        """Of each copy, the squared misses of the queues of its pool in its period."""
        aimed = self.targets.queue_depth
        misses = (self.targets.io_per_s * waits / 1000 - aimed) ** 2 / (aimed * (1 + aimed) + 1e-2)
        pools: dict[tuple[int, int], float] = {}
        for copy, miss in zip(self.targets.copies, misses.tolist(), strict=True):
            pools[copy.period, copy.group] = pools.get((copy.period, copy.group), 0.0) + miss
        return np.array([pools[copy.period, copy.group] for copy in self.targets.copies])

    def _nearest(self) -> list[int]:
        """The population of each copy whose wait is nearest to the measured one."""
        return [_nearest(known, wait) for known, wait in zip(self.waits, self.targets.wait_ms, strict=True)]

    def _closed_where_open_fails(self, loads: _Loads, nearest: list[int]) -> _Loads:
        """The loads, with the largest population tried in place of open arrivals where those queue without bound."""
        if (loads.population > 0).all():
            return loads
        try:
            self.simulate(loads, self.factor)
        except RunError:
            population = np.array(nearest)
            return _Loads(population, self.think_ms(population))
        return loads


def _refined(loads: _Loads, targets: Targets, simulate: _Simulate) -> _Loads:
    """Think times at which rates and queues miss least, by least squares over simulations.

    One simulation with all think times a little longer gives the slope of each volume: volumes act on each other far
    less than on themselves.
    """
    from scipy import optimize, sparse

    closed = np.flatnonzero(loads.population > 0)
    if not closed.size:
        return loads
    cycle = 1000 * loads.population[closed] / targets.io_per_s[closed]
    own = np.ones(len(loads.population))
    seen: dict[bytes, Array] = {}

    def with_shares(shares: Array) -> _Loads:
        think = np.zeros(len(loads.population))
        think[closed] = shares * cycle
        return _Loads(loads.population, np.where(think < _NEGLIGIBLE_MS, 0.0, think))

    def misses(shares: Array) -> Array:
        key = shares.tobytes()
        if key not in seen:
            seen[key] = _misses(simulate(with_shares(shares), own), targets, closed)
        return seen[key]

    def slopes(shares: Array) -> Any:
        step = np.where(shares > 1 - 2 * _STEP, -_STEP, _STEP)
        change = (misses(shares + step) - misses(shares)) / np.tile(step, 2)
        count = len(closed)
        return sparse.csr_matrix(
            (change, (np.arange(2 * count), np.tile(np.arange(count), 2))), shape=(2 * count, count)
        )

    start = np.clip(loads.think_ms[closed] / cycle, 1e-6, 1 - 1e-6)
    found = optimize.least_squares(misses, start, jac=slopes, bounds=(0, 1), max_nfev=5, xtol=1e-3, ftol=1e-3)
    return with_shares(found.x)


def _misses(sample: Simulated, targets: Targets, closed: npt.NDArray[np.int_]) -> Array:
    rate, queue = sample.mean("io_per_s")[closed], sample.mean("queue_depth")[closed]
    aimed, waiting = targets.io_per_s[closed], targets.queue_depth[closed]
    return np.concatenate([
        np.log(np.maximum(rate, 1e-9) / aimed) / _RATE_SCALE,
        (queue - waiting) / (_QUEUE_SCALE * np.sqrt(waiting * (1 + waiting) + 1e-2)),
    ])  # fmt: skip


def _curve(known: Mapping[int, float]) -> tuple[npt.NDArray[np.int_], Array]:
    """Every population from the smallest to the largest tried, and its wait: linear in 1 / population between those."""
    counts = sorted(known, reverse=True)
    every = np.arange(counts[-1], counts[0] + 1)
    return every, np.interp(1 / every, [1 / count for count in counts], [known[count] for count in counts])


def _corrected(alone: list[dict[int, float]], population: list[int], waits: Array) -> list[dict[int, float]]:
    """Waits by population, multiplied so that those at some populations come out."""
    found = []
    for known, count, wait in zip(alone, population, waits.tolist(), strict=True):
        was = _wait(known, count)
        shift = min(max(wait / was, 1 / _MOST_SHIFT), _MOST_SHIFT) if was > _NEGLIGIBLE_MS else 1.0
        found.append({each: shift * value for each, value in known.items()} | {count: wait})
    return found


def _wait(known: Mapping[int, float], population: int) -> float:
    """The wait at a population between the smallest and the largest tried."""
    every, waits = _curve(known)
    return float(waits[population - every[0]])


def _nearest(known: Mapping[int, float], wait: float) -> int:
    """The population whose wait is nearest; the smallest of equals.

    >>> _nearest({1: 0.0, 2: 1.0, 4: 1.5}, 1.2)
    3
    """
    every, waits = _curve(known)
    return int(every[np.argmin(np.abs(waits - wait))])


def _next(known: Mapping[int, float], wait: float) -> int:
    """The population to try next: the nearest by what is known, or its neighbour on the side of the wait."""
    best = _nearest(known, wait)
    beside = best + (1 if known[best] < wait else -1) if best in known else best
    return beside if min(known) <= beside <= max(known) else best


_ROUNDS = 3
"""How often service and loads are estimated in turn: each takes the other as it was simulated last."""

_SETTLED = 0.005
"""A change of connect times that needs no further round."""

_SEARCH_IOS = 40_000
_PRECISE_IOS = 400_000
_REPLICATIONS = 2
"""I/Os of a volume in a step of the search, and where growth is corrected; and the replications of both.

Growth shows in a few percent of connect times, so those have to be simulated within a small part of that.
"""


@dataclass(frozen=True, slots=True)
class Names:
    """The name of the measured system, and the intervals shown, as notes in the scenario have them."""

    system: str
    shown: str


@dataclass(frozen=True, slots=True)
class Estimates:
    """What was estimated: service by group, loads by copy with their ranges, and the targets that they reproduce."""

    services: tuple[Service, ...]
    loads: _Loads
    ranges: tuple[Range, ...]
    targets: Targets


@dataclass
class Estimation:
    """The evidence of a day, its periods, and the estimates as far as they have come."""

    evidence: Evidence
    periods: Sequence[Period]
    names: Names

    def run(self, progress: Progress) -> Estimates:
        """The estimates; raises RunError when a simulation cannot go on."""
        aimed = targets(self.evidence, self.periods)
        loads = _Loads(np.maximum(1, np.ceil(aimed.queue_depth)).astype(int), np.zeros(len(aimed.copies)))
        correction = [np.ones_like(group.io_per_s) for group in self.evidence.groups]
        factor, same = np.ones(len(aimed.copies)), np.ones(len(aimed.copies))
        ranges: list[Range] = []
        for number in range(_ROUNDS):
            services = self._services(loads, aimed, correction)
            plan = plan_for(aimed.io_per_s, loads.population, _SEARCH_IOS, _REPLICATIONS)
            trials = partial(self._tried, services, aimed, plan)
            search = _Search(aimed, trials, _own(aimed, services), factor)
            loads = _refined(search.run(), aimed, search.simulate)
            ranges = search.ranges(loads, aimed.io_per_s * plan.interval_s * plan.replications)
            progress((number + 1) / _ROUNDS)
            precise = plan_for(aimed.io_per_s, loads.population, _PRECISE_IOS, _REPLICATIONS)
            sample = self._tried(services, aimed, precise, loads, same)
            before, factor = factor, aimed.conn_ms / np.maximum(sample.mean("conn_ms"), SHORTEST_MS)
            if not any(each.sharing for each in services) and np.abs(factor / before - 1).max() < _SETTLED:
                break
            correction = self._corrections(services, loads, aimed, sample)
        return Estimates(tuple(services), loads, tuple(ranges), aimed)

    def _tried(
        self, services: Sequence[Service], aimed: Targets, plan: Plan, loads: _Loads, factor: Array
    ) -> Simulated:
        """A simulation of a step of the search, with connect times multiplied by a factor."""
        whole = self.model(services, loads, aimed)
        each = zip(whole.volumes, factor.tolist(), strict=True)
        scaled = iter([replace(volume, connect_ms=max(0.001, volume.connect_ms * by)) for volume, by in each])
        pools = (replace(pool, volumes=tuple(next(scaled) for _ in pool.volumes)) for pool in whole.pools)
        return replace(whole, pools=tuple(pools)).simulated(plan)

    def model(self, services: Sequence[Service], loads: _Loads, aimed: Targets) -> Model:
        """The model of all periods."""
        pools: dict[tuple[int, int], list[VolumeLoad]] = {}
        for at, copy in enumerate(aimed.copies):
            pools.setdefault((copy.period, copy.group), []).append(self._volume(services, loads, aimed, at))
        return Model(
            f"{self.names.system} as fitted", self.names.shown,
            tuple(self._pool(services, key, tuple(volumes)) for key, volumes in pools.items()),
        )  # fmt: skip

    def noted(self, model: Model, found: Estimates) -> Model:
        """A model with notes that have the uncertainty of each number."""
        ranges = iter(found.ranges)
        pools = []
        for pool in model.pools:
            volumes = tuple(
                replace(volume, load_note=f"{self.names.shown}: {load_words(volume, next(ranges))}")
                for volume in pool.volumes
            )
            pools.append(replace(pool, volumes=volumes))
        return replace(model, pools=tuple(pools))

    def _volume(self, services: Sequence[Service], loads: _Loads, aimed: Targets, at: int) -> VolumeLoad:
        copy = aimed.copies[at]
        group, found = self.evidence.groups[copy.group], services[copy.group]
        several = len(self.periods) > 1
        plain = named(group.volumes[copy.volume], group.devices[copy.volume])
        return VolumeLoad(
            name=f"{plain}@{self.periods[copy.period].tag}" if several else plain,
            device=f"{at + 1:04X}" if several else group.devices[copy.volume],
            population=int(loads.population[at]), think_ms=float(loads.think_ms[at]),
            io_per_s=float(aimed.io_per_s[at]), pend_ms=float(found.pend_ms[copy.volume]),
            disc_ms=float(found.disc_ms[copy.volume]), connect_ms=max(0.001, float(found.connect_ms[copy.volume])),
            service_note=_service_note(found, copy.volume, self.names),
        )  # fmt: skip

    def _pool(self, services: Sequence[Service], key: tuple[int, int], volumes: tuple[VolumeLoad, ...]) -> PoolLoad:
        period, number = self.periods[key[0]], key[1]
        group = self.evidence.groups[number]
        aliases = sorted(group.aliases[interval] for interval in period.shown)
        return PoolLoad(
            f"{group.name}@{period.tag}" if len(self.periods) > 1 else group.name, aliases[len(aliases) // 2],
            bool(group.pool), group.paths, services[number].sharing, services[number].growth, volumes,
        )  # fmt: skip

    def _services(self, loads: _Loads, aimed: Targets, correction: Sequence[Array]) -> list[Service]:
        shown = sorted(interval for period in self.periods for interval in period.shown)
        found = []
        for number, group in enumerate(self.evidence.groups):
            others = _connected_others(group, self._by_interval(number, loads.population, aimed, 1.0))
            found.append(_service(group, shown, self.evidence.lengths_s, others, correction[number]))
        return [_without_noise(each) for each in found] if len(shown) < 2 else found

    def _corrections(
        self, services: Sequence[Service], loads: _Loads, aimed: Targets, sample: Simulated
    ) -> list[Array]:
        """Of each group, how much longer connect is in simulation than the formula has it, intervals x volumes."""
        connected = sample.mean("io_per_s") * sample.mean("conn_ms") / 1000
        aliases = [
            self.evidence.groups[copy.group].aliases[self.periods[copy.period].shown[0]] for copy in aimed.copies
        ]
        guests = np.where(loads.population > 0, loads.population, np.inf)
        own = connected / np.minimum(guests, 1 + np.array(aliases))
        sums: dict[tuple[int, int], float] = {}
        for copy, count in zip(aimed.copies, connected, strict=True):
            sums[copy.period, copy.group] = sums.get((copy.period, copy.group), 0.0) + float(count)
        others = np.array([sums[copy.period, copy.group] for copy in aimed.copies]) - own
        base = [services[copy.group].connect_ms[copy.volume] for copy in aimed.copies]
        sharing = np.array([services[copy.group].sharing for copy in aimed.copies])
        more = sample.mean("conn_ms") / (np.array(base) * (1 + sharing * others))
        more = np.where(sharing > 0, more, 1.0)
        return [self._by_interval(number, more, aimed, 1.0) for number in range(len(self.evidence.groups))]

    def _by_interval(self, group: int, values: Array, aimed: Targets, otherwise: float) -> Array:
        """Values of copies as intervals x volumes of a group: each interval has those of its period."""
        found = np.full_like(self.evidence.groups[group].io_per_s, otherwise)
        for copy, value in zip(aimed.copies, values, strict=True):
            if copy.group == group:
                period = self.periods[copy.period]
                found[list(period.shown), copy.volume] = value if value > 0 else np.inf
        return found


def _own(aimed: Targets, services: Sequence[Service]) -> Array:
    """The service of each copy before any simulation, without growth."""
    whole = [each.pend_ms + each.disc_ms + each.connect_ms for each in services]
    return np.array([whole[copy.group][copy.volume] for copy in aimed.copies], dtype=float)


def _service_note(found: Service, volume: int, names: Names) -> str:
    """Where the service times are from, each with its uncertainty."""
    parts = (
        ("pend", found.pend_ms, found.pend_half_width), ("disconnect", found.disc_ms, found.disc_half_width),
        ("connect", found.connect_ms, found.connect_half_width),
    )  # fmt: skip
    words = ", ".join(f"{part} {plus_minus(values[volume], halves[volume])} ms" for part, values, halves in parts)
    return f"{names.shown}: {words}; exponential is assumed"


def load_words(volume: VolumeLoad, left: Range) -> str:
    """Guests and think time of a volume with what the intervals leave open."""
    if volume.population == 0:
        batches = f" in batches of {volume.batch}" if volume.batch > 1 else ""
        rate = f"{significant(volume.io_per_s)} I/O per s"
        return f"open arrivals{batches}, {rate}; a closed population has {left.least} guests or more"
    closed, think = plural(volume.population, "guest"), f"think {milliseconds(volume.think_ms)} ms"
    if not left.known:
        return f"{closed}, {think}; too few shown intervals to give an uncertainty"
    low = milliseconds(left.think_low_ms)
    if left.most is None:
        return f"{closed} ({left.least} or more: open arrivals fit as well), {think} ({low} or more)"
    within = f"{left.least} to {left.most}" if left.least < left.most else "no other by itself"
    return f"{closed} ({within}), {think} ({low} to {milliseconds(left.think_high_ms)})"

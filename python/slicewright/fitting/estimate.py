"""Estimates a model of a day from its shown intervals: service, growth, guests and think times, each with its noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from slicewright.experiment.outcome import Array
from slicewright.experiment.plan import Plan
from slicewright.experiment.progress import Progress
from slicewright.fitting.evidence import Evidence, named
from slicewright.fitting.loads import Loads, Range, Search, refined
from slicewright.fitting.model import Model, PoolLoad, Simulated, VolumeLoad, plan_for
from slicewright.fitting.periods import Period
from slicewright.fitting.service import SHORTEST_MS, Service, connected_others, service, without_noise
from slicewright.fitting.targets import Targets, targets
from slicewright.statistics import milliseconds, plural, plus_minus, significant

ROUNDS = 3
"""How often service and loads are estimated in turn: each takes the other as it was simulated last."""

SETTLED = 0.005
"""A change of connect times that needs no further round."""

SEARCH_IOS = 40_000
PRECISE_IOS = 400_000
REPLICATIONS = 2
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
    loads: Loads
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
        loads = Loads(np.maximum(1, np.ceil(aimed.queue_depth)).astype(int), np.zeros(len(aimed.copies)))
        correction = [np.ones_like(group.io_per_s) for group in self.evidence.groups]
        factor, same = np.ones(len(aimed.copies)), np.ones(len(aimed.copies))
        ranges: list[Range] = []
        for number in range(ROUNDS):
            services = self._services(loads, aimed, correction)
            plan = plan_for(aimed.io_per_s, loads.population, SEARCH_IOS, REPLICATIONS)
            trials = partial(self._tried, services, aimed, plan)
            search = Search(aimed, trials, _own(aimed, services), factor)
            loads = refined(search.run(), aimed, search.simulate)
            ranges = search.ranges(loads, aimed.io_per_s * plan.interval_s * plan.replications)
            progress((number + 1) / ROUNDS)
            precise = plan_for(aimed.io_per_s, loads.population, PRECISE_IOS, REPLICATIONS)
            sample = self._tried(services, aimed, precise, loads, same)
            before, factor = factor, aimed.conn_ms / np.maximum(sample.mean("conn_ms"), SHORTEST_MS)
            if not any(each.sharing for each in services) and np.abs(factor / before - 1).max() < SETTLED:
                break
            correction = self._corrections(services, loads, aimed, sample)
        return Estimates(tuple(services), loads, tuple(ranges), aimed)

    def _tried(self, services: Sequence[Service], aimed: Targets, plan: Plan, loads: Loads, factor: Array) -> Simulated:
        """A simulation of a step of the search, with connect times multiplied by a factor."""
        whole = self.model(services, loads, aimed)
        each = zip(whole.volumes, factor.tolist(), strict=True)
        scaled = iter([replace(volume, connect_ms=max(0.001, volume.connect_ms * by)) for volume, by in each])
        pools = (replace(pool, volumes=tuple(next(scaled) for _ in pool.volumes)) for pool in whole.pools)
        return replace(whole, pools=tuple(pools)).simulated(plan)

    def model(self, services: Sequence[Service], loads: Loads, aimed: Targets) -> Model:
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

    def _volume(self, services: Sequence[Service], loads: Loads, aimed: Targets, at: int) -> VolumeLoad:
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

    def _services(self, loads: Loads, aimed: Targets, correction: Sequence[Array]) -> list[Service]:
        shown = sorted(interval for period in self.periods for interval in period.shown)
        found = []
        for number, group in enumerate(self.evidence.groups):
            others = connected_others(group, self._by_interval(number, loads.population, aimed, 1.0))
            found.append(service(group, shown, self.evidence.lengths_s, others, correction[number]))
        return [without_noise(each) for each in found] if len(shown) < 2 else found

    def _corrections(self, services: Sequence[Service], loads: Loads, aimed: Targets, sample: Simulated) -> list[Array]:
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

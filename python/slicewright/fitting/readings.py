"""The readings of measured intervals: loads of each pool in each period, and what they leave open in a scenario."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from slicewright._core import redispatch_policies
from slicewright.advise.aliases.evidence import Borrowed, borrow
from slicewright.advise.aliases.readings import FULL, LEAST, SHARES_OF_SEVERAL
from slicewright.experiment.outcome import Array
from slicewright.fitting.estimate import (
    MET,
    Names,
    Range,
    Service,
    connected_others,
    load_words,
    service_note,
    service_of,
)
from slicewright.fitting.evidence import Evidence, Group, Period, Targets, named, targets
from slicewright.fitting.model import Model, PoolLoad, VolumeLoad, channels
from slicewright.reading import evidence as reading
from slicewright.reading.accept import LEAST_WAITING, chance_of_samples
from slicewright.reading.pool import ONE_SIZE, Load, LoadSimulations, PoolModel, Sample, Sources
from slicewright.reading.pool import VolumeLoad as Guests
from slicewright.reading.pool import plan_for as plan_of_pool
from slicewright.reading.search import Budget, Readings, Setting, Trial, explore
from slicewright.scenario.changes import changes_of
from slicewright.statistics import fixed, plural
from slicewright.values.numerals import in_scenario
from slicewright.values.progress import Progress

_IOS, _REPLICATIONS = 10_000, 4
"""I/Os of a volume in one simulation, and replications."""

_GROWTH, _GUESTS = "growth of service", "guests of"
"""The beginnings of the names of values that have a key of their own."""

_YES = {True: "yes", False: "no"}

_FREED = "use of freed aliases"
"""The value that is open where several rules for a freed alias fit."""

_CHANNELS, _ARRIVALS = "channels", "arrivals of"

_ROUNDS = 3
"""How often service and loads are estimated in turn: each takes the other as it was simulated last."""

_NOTHING = 1e-9


@dataclass(frozen=True, slots=True)
class _Pool:
    """One group of volumes in one period, as a search sees it.  Arrays are over its volumes."""

    name: str
    group: Group
    service: Service
    names: tuple[str, ...]
    devices: tuple[str, ...]
    which: tuple[int, ...]
    """The numbers of its volumes in the group."""
    aliases: int
    length_s: float
    targets: Targets
    fails: tuple[str, float]
    """Fails per try; over all I/Os where the records have no tries.  NaN where neither is known."""

    @property
    def service_ms(self) -> Array:
        """The measured service of each volume: pend and disconnect times of all intervals, connect of the period."""
        which = list(self.which)
        return np.asarray(self.targets.conn_ms + self.service.pend_ms[which] + self.service.disc_ms[which])

    @property
    def most_busy(self) -> float:
        """The most that its channels are busy, as a share: rate x connect time over the paths."""
        return min(FULL, float(self.targets.io_per_s @ self.targets.conn_ms) / 1000 / self.group.paths)

    @property
    def evidence(self) -> reading.Evidence:
        """Rates, queues and service of the volumes, and the fails per try or per I/O."""
        aimed, service = self.targets, self.service_ms
        values = []
        for at, name in enumerate(self.names):
            rate, queue = float(aimed.io_per_s[at]), float(aimed.queue_depth[at])
            known = bool(np.isfinite(aimed.wait_half_width[at]))
            # One interval shows no variance: then a queue is as uncertain as its samples are.
            by_interval = rate * aimed.wait_half_width[at] / 1000
            waits = float(by_interval if known else chance_of_samples(queue, self.length_s))
            present = queue + rate * float(service[at]) / 1000
            values += [
                reading.Value("io_per_s", name, rate, half_width=float(np.nan_to_num(aimed.io_half_width[at]))),
                reading.Value("queue_depth", name, queue, LEAST_WAITING, present, half_width=waits),
                reading.Value("service_ms", name, float(service[at])),
            ]
        name, share = self.fails
        if np.isfinite(share):
            values.append(reading.Value(name, "", share, judged="whole"))
        return reading.Evidence(self.name, {"aliases": float(self.aliases)}, self.length_s, tuple(values))

    def model(self, borrowed: Borrowed) -> PoolModel:
        """Its loads: growth as estimated, with each rule for freed aliases, other growths, and channels."""
        aimed, own = self.targets, self.service
        volumes = tuple(
            Guests(
                name, device, "3390", 1, float(aimed.io_per_s[at]), 0.0, float(own.pend_ms[volume]),
                float(own.disc_ms[volume]), float(aimed.conn_ms[at]),
            )
            for at, (name, device, volume) in enumerate(zip(self.names, self.devices, self.which, strict=True))
        )  # fmt: skip
        start = Load(
            "trial", self.name, volumes, gap_ms=0.0, sharing_percent=0.0, growth="assumed", redispatch="none",
            classic=not self.group.pool, paths=self.group.paths,
        )  # fmt: skip
        waits = {name: float(queue) + _NOTHING for name, queue in zip(self.names, aimed.queue_depth, strict=True)}
        connected = max(0.0, float(aimed.io_per_s @ aimed.conn_ms) / 1000 - 1)
        return PoolModel(start, waits, tuple(self._settings(borrowed)), connected=connected, curves=ONE_SIZE)

    def _settings(self, borrowed: Borrowed) -> Iterator[Setting]:
        known = 100 * self.service.sharing
        yield Setting({("sharing_percent", ""): known})
        for rule in redispatch_policies()[1:] if self.group.pool or self.aliases else ():
            yield Setting({("redispatch", ""): rule}, tried="always", name=f"redispatch {rule}")
        for share in _growths(self.service, borrowed) if self.service.others[1] >= MET else ():
            yield Setting({("sharing_percent", ""): 100 * share}, name=f"growth {_percent(share)} per I/O")
        for share in SHARES_OF_SEVERAL if self.most_busy >= LEAST else ():
            rate = float(self.targets.io_per_s.sum())
            serial = 1000 * share * self.most_busy * self.group.paths / rate
            name = f"channels {_percent(share)} as busy as they can be"
            yield Setting({("serial_ms", ""): serial}, name=name)

    def explored(self, borrowed: Borrowed, settings: int | None = None) -> Readings[Load, Sample]:
        """Its readings; with the first few settings alone, where a number of them is given."""
        model = self.model(borrowed)
        return explore(replace(model, choices=model.choices[:settings]), [self.evidence], Budget(), self.simulate)

    def simulate(self, load: Load, at: Mapping[str, float | str]) -> Sample:
        """One simulation of a load."""
        rate, slowest = float(self.targets.io_per_s.sum()), 4000 / float(self.targets.io_per_s.min())
        plan = plan_of_pool(rate, slowest, _IOS * len(self.names), _REPLICATIONS)
        return LoadSimulations(plan, Sources("measured intervals", "none", "none")).simulate(load, int(at["aliases"]))

    def as_written(self, load: Load, names: Names) -> PoolLoad:
        """A load as the scenario of the fit has it."""
        volumes = tuple(
            VolumeLoad(
                volume.name, volume.device, volume.population, volume.think_ms, volume.io_per_s, volume.pend_ms,
                volume.disc_ms, volume.connect_ms, service_note(self.service, number, names), batch=int(volume.batch),
            )
            for volume, number in zip(load.volumes, self.which, strict=True)
        )  # fmt: skip
        rule = "" if load.redispatch == redispatch_policies()[0] else load.redispatch
        return PoolLoad(
            self.name, self.aliases, bool(self.group.pool), self.group.paths, load.sharing_percent / 100,
            self.service.growth, volumes, rule, load.serial_ms,
        )  # fmt: skip


def estimated(
    evidence: Evidence, periods: Sequence[Period], progress: Progress
) -> tuple[tuple[Service, ...], list[_Pool]]:
    """Service of each group, and its pools, period by period; raises RunError when a simulation cannot go on.

    Growth is seen in connect times, which depend on how guests meet: where there is growth, service is estimated again
    with a load that reproduces the intervals.
    """
    aimed = targets(evidence, periods)
    guests = np.maximum(1, np.ceil(aimed.queue_depth))
    more, borrowed = np.ones(len(aimed.copies)), borrow()
    shown = sorted(interval for period in periods for interval in period.shown)
    for number in range(_ROUNDS):
        services = []
        for at, group in enumerate(evidence.groups):
            met = connected_others(group, _by_interval(evidence, periods, aimed, (at, guests)))
            correction = _by_interval(evidence, periods, aimed, (at, more))
            services.append(service_of(group, shown, evidence.lengths_s, met, correction))
        pools = _pools(evidence, periods, services, aimed)
        progress((number + 1) / _ROUNDS)
        if not any(service.sharing for service in services) or number == _ROUNDS - 1:
            break
        nearest = [_nearest(pool.explored(borrowed, 1)) for pool in pools]
        guests = np.array([volume.population or np.inf for trial in nearest for volume in trial.load.volumes])
        more = np.concatenate([_slower(pool, trial) for pool, trial in zip(pools, nearest, strict=True)])
    return tuple(services), pools


def _pools(evidence: Evidence, periods: Sequence[Period], services: Sequence[Service], aimed: Targets) -> list[_Pool]:
    """The groups of every period, with what was measured of each volume."""
    places: dict[tuple[int, int], list[int]] = {}
    for at, copy in enumerate(aimed.copies):
        places.setdefault((copy.period, copy.group), []).append(at)
    several, found = len(periods) > 1, []
    for (number, at), copies in places.items():
        group, period = evidence.groups[at], periods[number]
        which = tuple(aimed.copies[copy].volume for copy in copies)
        tag = f"@{period.tag}" if several else ""
        aliases = sorted(group.aliases[interval] for interval in period.shown)
        shown = list(period.shown)
        tries = np.isfinite(group.fails_per_try[shown]).any()
        fails = (group.fails_per_try if tries else group.fails_per_io)[shown]
        found.append(_Pool(
            f"{group.name}{tag}", group, services[at],
            tuple(named(group.volumes[volume], group.devices[volume]) + tag for volume in which),
            tuple(
                f"{copy + 1:04X}" if several else group.devices[volume]
                for copy, volume in zip(copies, which, strict=True)
            ),
            which, aliases[len(aliases) // 2], float(evidence.lengths_s[list(period.shown)].sum()), aimed.some(copies),
            (
                "fails_per_try" if tries else "fails_per_io",
                float(np.nanmean(fails)) if np.isfinite(fails).any() else math.nan,
            ),
        ))  # fmt: skip
    return found


def _nearest(found: Readings[Load, Sample]) -> Trial[Load, Sample]:
    return found.accepted[0] if found.accepted else min(found.families, key=lambda trial: trial.cost)


def _slower(pool: _Pool, trial: Trial[Load, Sample]) -> Array:
    """How much longer connect is in a simulation than the formula of growth has it, volume by volume."""
    if not trial.outcomes or not trial.load.sharing_percent:
        return np.ones(len(pool.names))
    (sample,) = trial.outcomes
    own = np.array([(volume.pend_ms + volume.disc_ms, volume.connect_ms) for volume in trial.load.volumes]).T
    connect = np.maximum(sample.service_ms.mean(axis=0) - own[0], 1e-3)
    connected = sample.io_per_s.mean(axis=0) * connect / 1000
    guests = np.array([volume.population or np.inf for volume in trial.load.volumes])
    others = connected.sum() - connected / np.minimum(guests, 1 + pool.aliases)
    return np.asarray(connect / (own[1] * (1 + trial.load.sharing_percent / 100 * others)))


def _by_interval(evidence: Evidence, periods: Sequence[Period], aimed: Targets, of: tuple[int, Array]) -> Array:
    """Values of copies as intervals x volumes of a group: each interval has those of its period, 1 elsewhere."""
    number, values = of
    found = np.ones_like(evidence.groups[number].io_per_s)
    for copy, value in zip(aimed.copies, values, strict=True):
        if copy.group == number:
            found[list(periods[copy.period].shown), copy.volume] = value
    return found


@dataclass(frozen=True, slots=True)
class _End:
    """A model that reproduces the shown intervals, and what it has in place of the values of the scenario."""

    name: str
    model: Model
    waits: float
    """Its response in ms with the aliases of the rule of thumb."""


@dataclass(frozen=True, slots=True)
class _Open:
    """A value that the shown intervals do not identify, in words, with the reason."""

    value: str
    why: str


@dataclass(frozen=True, slots=True)
class Remaining:
    """The readings that remain of a fit: the one in its scenario, the others, and the values that are open.

    `fits`: whether any load that was tried reproduces the shown intervals; without one the scenario has the nearest.
    """

    model: Model
    others: tuple[_End, ...]
    values: tuple[_Open, ...]
    ranges: tuple[Range, ...]
    """Of each copy."""
    fits: bool
    chance: float
    """The share by which the requests present may be off by chance: of intervals, or of samples."""

    @property
    def words(self) -> str:
        """The values in a line; "" where everything is identified."""
        return "; ".join(dict.fromkeys(value.value for value in self.values))

    def tables(self, predicts: bool) -> tuple[str, ...]:
        """The lines of the scenario with the verdict, what is open, and the other readings."""
        lines = ["[fit]", f'predicts = "{_YES[predicts]}"', f'reproduces = "{_YES[self.fits]}"']
        lines += [f'chance = "{in_scenario(round(100 * self.chance, 2))} %"', ""]
        for value in self.values:
            lines += ["[[open]]", f"value = {_text(value.value)}", f"why = {_text(value.why)}"]
            lines += [*_several("range", self._ranges(value.value)), ""]
        for other in self.others:
            made = changes_of(_changes(self.model, other.model))
            lines += ["[[reading]]", f"name = {_text(other.name)}", *_several("set", made), ""]
        return tuple(lines)

    def noted(self, names: Names) -> Model:
        """The model with notes that have the uncertainty of each number."""
        ranges = iter(self.ranges)
        pools = []
        for pool in self.model.pools:
            noted = [f"{names.shown}: {load_words(volume, next(ranges))}" for volume in pool.volumes]
            volumes = (replace(volume, load_note=note) for volume, note in zip(pool.volumes, noted, strict=True))
            pools.append(replace(pool, volumes=tuple(volumes)))
        return replace(self.model, pools=tuple(pools))

    def _ranges(self, value: str) -> list[str]:
        """The keys of an open value with the least and the largest number of all readings."""
        models = [self.model, *(other.model for other in self.others)]
        lines = []
        for at, pool in enumerate(self.model.pools if value.startswith(_GROWTH) else ()):
            shares = [100 * model.pools[at].sharing for model in models]
            if min(shares) < max(shares):
                band = f"{in_scenario(min(shares))}..{in_scenario(max(shares))} %"
                lines.append(f"control_unit.{_in_path(pool.name)}.sharing={band}")
        for at, volume in enumerate(self.model.volumes if value.startswith(_GUESTS) else ()):
            guests = [count for model in models if (count := model.volumes[at].population)]
            if volume.population and min(guests) < max(guests):
                lines.append(f"guest.{_in_path('on-' + volume.name)}.count={min(guests)}..{max(guests)}")
        return lines


def remaining(pools: Sequence[_Pool], names: Names) -> Remaining:
    """The readings of every pool, brought together: one reading of a scenario has one of each pool."""
    borrowed = borrow()
    found = [pool.explored(borrowed) for pool in pools]
    fits = all(each.accepted for each in found)
    every = [list(each.accepted) or [_nearest(each)] for each in found]
    keys = dict.fromkeys((trial.setting, trial.family.name, trial.edge) for trials in every for trial in trials)
    ends: list[_End] = []
    for key in keys:
        chosen = [_like(trials, key) for trials in every]
        more = [pool.aliases + math.ceil(float(pool.targets.queue_depth.sum())) for pool in pools]
        samples = [
            pool.simulate(trial.load, {"aliases": float(count)})
            for pool, trial, count in zip(pools, chosen, more, strict=True)
        ]
        rates = np.array([sample.pooled("io_per_s").mean() for sample in samples])
        waits = np.array([sample.pooled("response_ms").mean() for sample in samples])
        model = Model(
            f"{names.system} as fitted", names.shown,
            tuple(pool.as_written(trial.load, names) for pool, trial in zip(pools, chosen, strict=True)),
        )  # fmt: skip
        ends.append(_End(_named(key[0], model, [end.name for end in ends]), model, float(rates @ waits / rates.sum())))
    middle = _middle(ends)
    values = tuple(_left_open(pools, found, [end.model for end in ends]))
    others = tuple(end for end in ends if end is not middle) if fits else ()
    ranges = tuple(left for pool, trials in zip(pools, every, strict=True) for left in _ranges(pool, trials))
    return Remaining(middle.model, others, values, ranges, fits, _chance(pools))


def _like(trials: Sequence[Trial[Load, Sample]], key: tuple[str, str, str]) -> Trial[Load, Sample]:
    """The reading of a pool of this setting and family, or the nearest of the same setting, or its first."""
    same = [trial for trial in trials if trial.setting == key[0]]
    exact = [trial for trial in same if (trial.family.name, trial.edge) == key[1:]]
    return (exact or same[-1:] or trials)[0]


def _named(setting: str, model: Model, given: Sequence[str]) -> str:
    """A reading in words: what its volumes share, and their guests; numbered where another one is named alike."""
    guests = [volume.population for volume in model.volumes if volume.population]
    batches = [volume.batch for volume in model.volumes if not volume.population]
    words = [setting] if setting else []
    words += [f"{_span(guests)} guests per volume"] if guests else []
    words += [f"arrivals in batches of {_span(batches)}" if max(batches) > 1 else "open arrivals"] if batches else []
    name = ", ".join(words)
    alike = sum(other.partition(" (")[0] == name for other in given)
    return f"{name} ({alike + 1})" if alike else name


def _span(counts: Sequence[int]) -> str:
    low, high = min(counts), max(counts)
    return f"{low} to {high}" if low < high else f"{low}"


def _middle(ends: Sequence[_End]) -> _End:
    """The reading in the middle of an answer: of the responses with the aliases of the rule of thumb.

    Channels are changes of another reading: a scenario that has some cannot be changed to one without.
    """
    order = sorted(ends, key=lambda end: end.waits)
    written = [at for at, end in enumerate(order) if not any(pool.channels for pool in end.model.pools)]
    return order[min(written or range(len(order)), key=lambda at: abs(2 * at - len(order) + 1))]


def _left_open(
    pools: Sequence[_Pool], found: Sequence[Readings[Load, Sample]], models: Sequence[Model]
) -> Iterator[_Open]:
    """The values in which readings differ, and those that no interval can show."""
    volumes = list(zip(*(model.volumes for model in models), strict=True))
    open_guests = [each[0].name for each in volumes if len({(load.population, load.batch) for load in each}) > 1]
    if open_guests:
        yield _Open(f"{_GUESTS} {_volumes(open_guests)}", "other populations fit as well")
    borrowed = borrow()
    for pool, readings in {pool.group.name: (pool, each) for pool, each in zip(pools, found, strict=True)}.values():
        service = pool.service
        shares = {trial.load.sharing_percent for trial in readings.accepted}
        known = service.sharing > 0 or service.shows_none
        if service.others[1] >= MET and (len(shares) > 1 or not known):
            tried = f"up to {_percent(max(_growths(service, borrowed)))} tried"
            yield _Open(f"{_GROWTH} ({pool.group.name})", f"{service.growth}; {tried}")
    bursts = [each[0].name for each in volumes if all(load.batch > 1 for load in each)]
    if bursts:
        yield _Open(f"{_ARRIVALS} {_volumes(bursts)}", "requests wait longer than arrivals at random would")
    rules = {pool.redispatch for model in models for pool in model.pools}
    if len(rules) > 1:
        names = ", ".join(sorted(filter(None, rules)))
        yield _Open(_FREED, f"undocumented; {names} fit{' as well as none' * ('' in rules)}")
    busy = max(pool.most_busy for pool in pools)
    if busy >= LEAST:
        yield _Open(_CHANNELS, f"not in the records; they are at most {_percent(busy)} busy with this I/O")


def _ranges(pool: _Pool, trials: Sequence[Trial[Load, Sample]]) -> list[Range]:
    """The populations and think times of each volume, over its readings and what chance leaves open of each."""
    aimed, found = pool.targets, []
    for at, loads in enumerate(zip(*(trial.load.volumes for trial in trials), strict=True)):
        closed = [load for load in loads if load.population]
        opened, batches = len(closed) < len(loads), [load.batch for load in loads]
        rate, off = float(aimed.io_per_s[at]), float(np.nan_to_num(aimed.io_half_width[at]))
        slack = float(np.nan_to_num(aimed.wait_half_width[at]))
        counts = [load.population for load in closed] or [math.ceil(rate * float(pool.service_ms[at]) / 1000)]
        think = [load.think_ms for load in closed] or [0.0]
        own = 1000 * max(counts) / rate * off / rate + slack
        found.append(Range(
            min(counts), None if opened else max(counts), max(0.0, min(think) - own),
            math.inf if opened else max(think) + own, bool(np.isfinite(aimed.wait_half_width[at])), min(batches) > 1,
        ))  # fmt: skip
    return found


def _chance(pools: Sequence[_Pool]) -> float:
    """How far the requests present in all may be off: volumes wait independently of each other."""
    values = [value for pool in pools for value in pool.evidence.values if value.name == "queue_depth"]
    noise = sum((value.half_width or 0.0) ** 2 for value in values)
    return math.sqrt(noise) / sum(value.scale or 0.0 for value in values)


def _changes(given: Model, other: Model) -> dict[str, Any]:
    """The changes, by key of the scenario, that make one model of another with the same volumes."""
    made: dict[str, Any] = {}
    if any(was.serial_ms != now.serial_ms for was, now in zip(given.pools, other.pools, strict=True)):
        made["channel"] = [channel for pool in other.pools for channel in channels(pool)]
    for was, now in zip(given.pools, other.pools, strict=True):
        if now.sharing != was.sharing:
            made[f"control_unit.{_in_path(now.name)}.sharing"] = f"{in_scenario(100 * now.sharing)} %"
        if now.serial_ms != was.serial_ms:
            made[f"control_unit.{_in_path(now.name)}.channels"] = now.channels
        if now.redispatch != was.redispatch:
            kind, names = ("alias_pool", [now.name]) if now.pooled else ("volume", [each.name for each in now.volumes])
            rule = now.redispatch or redispatch_policies()[0]
            made |= {f"{kind}.{_in_path(name)}.redispatch": rule for name in names}
        for before, after in zip(was.volumes, now.volumes, strict=True):
            made |= _volume_changes(before, after)
    return made


def _volume_changes(was: VolumeLoad, now: VolumeLoad) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if now.connect_ms != was.connect_ms:
        made[f"volume.{_in_path(now.name)}.service.connect.exponential"] = f"{in_scenario(now.connect_ms)} ms"
    if (now.population, now.think_ms, now.batch) == (was.population, was.think_ms, was.batch):
        return made
    guest, io = f"guest.{_in_path('on-' + now.name)}", {"io": {"volume": now.name}}
    # How guests arrive takes away what it excludes: a count the rate, a rate the count.
    if now.population:
        think = [{"think": {"exponential": f"{in_scenario(now.think_ms)} ms"}}] if now.think_ms > 0 else []
        return made | {f"{guest}.count": now.population, f"{guest}.program": [*think, io]}
    made |= {f"{guest}.arrivals": f"{in_scenario(now.io_per_s / now.batch)}/s", f"{guest}.program": [io]}
    return made | ({f"{guest}.batch": now.batch} if now.batch != was.batch else {})


def _in_path(name: str) -> str:
    """A name as a part of a key: in quotes where it has points of its own."""
    return f'"{name}"' if "." in name else name


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _several(key: str, lines: Sequence[str]) -> list[str]:
    """A key with lines of text, which have quotes of their own."""
    return [f"{key} = '''", *lines, "'''"] if lines else []


def _growths(service: Service, found: Borrowed) -> list[float]:
    """Growths that are tried, the largest first: the ends of what is known, or what published reports show."""
    if service.sharing > 0 or service.shows_none:
        low = [max(0.0, service.sharing - service.sharing_half_width)] if service.sharing > 0 else []
        return [service.sharing + service.sharing_half_width, *low]
    derived, constant = found.printed_percent / 100, found.sharing_percent / 100
    return sorted({2 * derived, derived, constant}, reverse=True)


def _percent(share: float) -> str:
    return f"{fixed(100 * share, 1)} %"


def _volumes(names: Sequence[str]) -> str:
    return plural(len(names), "volume") if len(names) > 1 else names[0]

"""A pool of volumes with aliases as a model of loads: its unknowns, its scenario, and one step towards the evidence."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from slicewright.experiment.outcome import Array, Table, grid
from slicewright.experiment.plan import Plan
from slicewright.experiment.simulations import simulate_text
from slicewright.reading.accept import AIMED, LEAST_WAITING, squares, weight
from slicewright.reading.evidence import Evidence, Evidences, Key, Unknown, Values
from slicewright.reading.search import Family, Seen, Setting

Growth = Literal["none", "borrowed", "printed", "fitted", "assumed", "channel"]
Spread = Literal["exponential", "constant"]


@dataclass(frozen=True, slots=True)
class VolumeLoad:
    """One volume and its guests; `population` 0 is open Poisson arrivals at `io_per_s`.  Times in ms."""

    name: str
    device: str
    type: str
    population: int
    io_per_s: float
    think_ms: float
    pend_ms: float
    disc_ms: float
    connect_ms: float
    batch: float = 1.0
    """Requests that arrive together, where they come from outside: how many, or on average."""
    geometric: bool = False
    """Whether batches have random sizes, at least one, geometrically distributed; else all have one size."""
    spread: Spread = "exponential"
    """How connect times vary."""


@dataclass(frozen=True, slots=True)
class Load:
    """All volumes of a pool, and what they share.

    `classic` volumes own their aliases; others borrow them from the pool.  `sharing_percent`: of n connected I/Os
    each progresses at 1 / (1 + sharing (n - 1)).

    >>> volume = VolumeLoad("A", "522A", "3390-3", 3, 755.0, 0.3, 0.2, 0.2, 0.9)
    >>> load = Load("r", "52", (volume, volume), 0.05, 0.0, "none", "none", False, 4)
    >>> load.population
    6
    """

    name: str
    pool: str
    volumes: tuple[VolumeLoad, ...]
    gap_ms: float
    sharing_percent: float
    growth: Growth
    redispatch: str
    classic: bool
    paths: int
    think_known: bool = False
    """Whether the think times were given and are not searched."""
    gap_known: bool = True
    """Whether the gap is given or borrowed; else it is fitted: a base with a queue idles only for the gap."""
    gap_borrowed_ms: float = 0.0
    serial_ms: float = 0.0
    """The serial part of each connect time, which shared channels (FICON) interleave; `paths` of them, in rotation."""
    one_at_a_time: bool = False
    """Whether the channels carry one I/O at a time (ESCON)."""

    @property
    def ceiling(self) -> float | None:
        """I/Os per second that the channels carry at most; None without serial channels."""
        return 1000 * self.paths / self.serial_ms if self.serial_ms else None

    @property
    def population(self) -> int | None:
        """Requests that circulate in all; None with open arrivals."""
        counts = [volume.population for volume in self.volumes]
        return sum(counts) if all(counts) else None

    def faster(self, factor: float, rates: Sequence[float]) -> Load:
        """The load at another rate: open arrivals by the factor, closed ones with another think time, at least 0.

        `rates` are those of the volumes now: a guest comes again after population / rate.
        """
        volumes = []
        for volume, rate in zip(self.volumes, rates, strict=True):
            turn_ms = 1000 * volume.population / rate if rate else 0.0
            think = max(0.0, volume.think_ms + turn_ms * (1 / factor - 1))
            volumes.append(replace(volume, io_per_s=volume.io_per_s * factor, think_ms=think))
        return replace(self, volumes=tuple(volumes))

    def grown(self, factor: float) -> Load:
        """The load with its demand scaled: open rates by the factor, closed populations to the nearest whole total.

        Guests are added (or taken) where the exact share of a volume is farthest from whole; think times stay.

        >>> volume = VolumeLoad("A", "522A", "3390-3", 3, 0.0, 0.3, 0.2, 0.2, 0.9)
        >>> load = Load("r", "52", (volume, volume), 0.05, 0, "none", "none", False, 4)
        >>> [one.population for one in load.grown(1.2).volumes]
        [4, 3]
        """
        exact = [volume.population * factor for volume in self.volumes]
        counts = [max(1, math.floor(population)) if population else 0 for population in exact]
        missing = round(sum(exact)) - sum(counts)
        order = sorted(range(len(exact)), key=lambda at: (counts[at] - exact[at], at))
        for at in [at for at in order if exact[at]][: max(0, missing)]:
            counts[at] += 1
        volumes = tuple(
            replace(volume, population=count, io_per_s=volume.io_per_s * factor)
            for volume, count in zip(self.volumes, counts, strict=True)
        )
        return replace(self, volumes=volumes)


def concurrency(load: Load) -> int | None:
    """The most aliases that a closed load can use at once: every request but one per volume; None with open arrivals.

    >>> volume = VolumeLoad("A", "522A", "3390-3", 3, 0.0, 0.3, 0.2, 0.2, 0.9)
    >>> concurrency(Load("r", "52", (volume, volume), 0.05, 0, "none", "none", False, 4))
    4
    """
    if load.population is None:
        return None
    return sum(volume.population - 1 for volume in load.volumes)


def throughput(population: Array, servers: Array, think_ms: Array, cycle_ms: Array) -> Array:
    """Rate per second of the machine-repairman model M/M/c//n, for arrays that broadcast; c may be fractional.

    Balance equations of the birth-death chain (Kleinrock, Queueing Systems I, section 3.8), from the full state down:
    a think time of 0 is a valid limit.

    >>> round(float(throughput(np.array(3.0), np.array(1.0), np.array(0.0), np.array(2.0))))
    500
    """
    shape = np.broadcast_shapes(population.shape, servers.shape, think_ms.shape, cycle_ms.shape)
    down = np.arange(int(population.max()) + 1).reshape(-1, *(1 for _ in shape))
    state = population - down
    served, grown = np.minimum(np.maximum(state, 0), servers), np.minimum(state + 1, servers)
    uneven = bool(state.min() < 0)
    weight, total, part = np.ones(shape), np.ones(shape), np.empty(shape)
    busy = weight * served[0]
    # In place and in this order: the fit has to take the same steps everywhere, to the last bit.
    for at in range(1, len(state)):
        weight *= think_ms
        weight *= grown[at]
        weight /= np.multiply(cycle_ms, at, out=part)
        if uneven:
            np.copyto(weight, 0.0, where=state[at] < 0)
        total += weight
        busy += np.multiply(weight, served[at], out=part)
    return np.asarray(1000 * busy / (total * cycle_ms))


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a load's numbers are from, in the words that stand beside them."""

    reports: str
    growth: str
    gap: str
    page: str = "z/VM DEVICE (FCX108)"


def scenario_text(load: Load, aliases: int, plan: Plan, sources: Sources) -> str:
    """The scenario of a load with a number of aliases; the same input gives the same text.

    >>> volume = VolumeLoad("A", "522A", "3390-3", 3, 0.0, 0.3, 0.2, 0.2, 0.9)
    >>> load = Load("r", "52", (volume,), 0.05, 0.0, "none", "none", False, 4)
    >>> print(scenario_text(load, 2, Plan(3.0, 0.3, 10), Sources("Y", "none", "assumed")).splitlines()[0])
    name = "r"
    """
    return machine_text(load.name, [(load, aliases, sources)], plan)


def machine_text(name: str, loads: Sequence[tuple[Load, int, Sources]], plan: Plan) -> str:
    """The scenario of several pools, each with its number of aliases; their volumes differ in name and device."""
    page, reports = loads[0][2].page, dict.fromkeys(sources.reports for _, _, sources in loads)
    document = "DEVICE report (FCX108)" if "FCX108" in page else page
    lines = [f"name = {_text(name)}", "", "[source]", f"document = {_text(document)}"]
    lines += [f"report = {_text(', '.join(reports))}", ""]
    for load, aliases, sources in loads:
        lines += _tables(load, aliases, sources)
    return "\n".join([*lines, *_measure(plan)]) + "\n"


def _tables(load: Load, aliases: int, sources: Sources) -> list[str]:
    """The tables of a pool: its channels, what its volumes share, the volumes and their guests."""
    lines = []
    channels = [f"{load.pool}-{number}" for number in range(1, load.paths + 1)] if load.serial_ms else []
    for channel in channels:
        lines += ["[[channel]]", f"name = {_text(channel)}", f'per_io = "{_number(load.serial_ms)} ms"']
        lines += ['discipline = "fifo"'] if load.one_at_a_time else []
        lines += ['assume = "a page does not show how busy its channels are: one reading of several"', ""]
    lines += ["[[control_unit]]", f"name = {_text(load.pool)}"]
    lines += [f"channels = [{', '.join(map(_text, channels))}]"] if channels else [f"paths = {load.paths}"]
    lines += [f'sharing = "{_number(load.sharing_percent)} %"']
    lines += [f"{_growth_role(load)} = {_text(_growth_source(load, sources) + '; paths as printed')}", ""]
    if not load.classic:
        lines += ["[[alias_pool]]", f"name = {_text(load.pool)}", f"aliases = {aliases}"]
        lines += [f'redispatch = "{load.redispatch}"']
        lines += ['assume = "redispatch is undocumented: one reading of several; aliases as in the report"', ""]
    return [*lines, *_devices(load, aliases if load.classic else None, sources)]


@functools.lru_cache(maxsize=16)
def _measure(plan: Plan) -> tuple[str, ...]:
    return (
        "[measure]", f'interval = "{_number(plan.interval_s)} s"', f'warm_up = "{_number(plan.warm_up_s)} s"',
        f'sample = "{_number(plan.sample_s)} s"', f"replications = {plan.replications}",
        'assume = "long enough for the curve that advise draws"',
    )  # fmt: skip


@functools.lru_cache(maxsize=256)
def _devices(load: Load, aliases: int | None, sources: Sources) -> tuple[str, ...]:
    """The volumes and guests of a load: the same for every number of aliases of a pool."""
    volumes = [line for volume in load.volumes for line in _volume(volume, load, aliases, sources)]
    return (*volumes, *(line for volume in load.volumes for line in _guest(volume, sources)))


def _volume(one: VolumeLoad, load: Load, aliases: int | None, sources: Sources) -> list[str]:
    lines = ["[[volume]]", f"name = {_text(one.name)}", f'device = "{one.device}"', f"type = {_text(one.type)}"]
    lines += [f"control_unit = {_text(load.pool)}"]
    if load.classic:
        lines += [f"aliases = {aliases}", f'redispatch = "{load.redispatch}"']
    else:
        lines += [f"alias_pool = {_text(load.pool)}"]
    lines += [f'gap = "{_number(load.gap_ms)} ms"']
    lines += [f"borrowed = {_text(sources.gap)}" if load.gap_known else f"calibrated = {_text(sources.reports)}"]
    connect = f'{{ {one.spread} = "{_number(one.connect_ms)} ms", calibrated = {_text(sources.reports)} }}'
    parts = [f'pend = "{_number(one.pend_ms)} ms"', f'disconnect = "{_number(one.disc_ms)} ms"', f"connect = {connect}"]
    parts.append(f"source = {_text('pend and disconnect as printed: ' + sources.reports)}")
    return [*lines, f"service = {{ {', '.join(parts)} }}", ""]


def _guest(one: VolumeLoad, sources: Sources) -> list[str]:
    step = f"{{ io = {{ volume = {_text(one.name)} }} }}"
    lines = ["[[guest]]", f"name = {_text('on-' + one.name)}"]
    if one.population == 0:
        lines += [f'arrivals = "{_number(one.io_per_s / one.batch)}/s"', f"program = [ {step} ]"]
        if one.batch > 1:
            lines += [f"batch_mean = {_number(one.batch)}" if one.geometric else f"batch = {round(one.batch)}"]
        return [*lines, f"calibrated = {_text(sources.reports)}", ""]
    lines += [f"count = {one.population}"]
    if one.think_ms > 0:
        think = f'{{ exponential = "{_number(one.think_ms)} ms" }}'
        step = f"{{ think = {think}, calibrated = {_text(sources.reports)} }}, {step}"
    return [*lines, f"program = [ {step} ]", 'assume = "a population that fits the report; others may fit too"', ""]


def _growth_role(load: Load) -> str:
    return {
        "none": "assume",
        "channel": "assume",
        "assumed": "assume",
        "borrowed": "borrowed",
        "printed": "borrowed",
        "fitted": "calibrated",
    }[load.growth]


def _growth_source(load: Load, sources: Sources) -> str:
    if load.growth in ("none", "channel"):
        return "sharing: none, a reading"
    if load.growth == "fitted":
        return f"sharing: {sources.reports}"
    as_printed = ", derived from the service times of its reports" if load.growth == "printed" else ""
    return f"sharing: {sources.growth}{as_printed}"


@functools.lru_cache(maxsize=1024)
def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _number(value: float) -> str:
    """Six significant digits, never an exponent."""
    return f"{value:.9f}".rstrip("0").rstrip(".") if abs(value) < 1 else f"{value:.6g}"


_PER_VOLUME = ("io_per_s", "alias_io_per_s", "queue_depth", "service_ms", "response_ms")
COLUMNS = {
    "volumes": ("replication", "volume", *_PER_VOLUME),
    "pools": ("replication", "aliases", "tries", "fails", "low_water"),
}
"""The columns that a sample needs of the tables of a run."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Arrays of replications x volumes; `fails_per_try`, `fails_per_io` and `most_used` per replication.

    Rates per second, times in ms, queue in requests.  `most_used`: aliases of the pool in use at once at most.
    """

    io_per_s: Array
    alias_io_per_s: Array
    queue_depth: Array
    service_ms: Array
    response_ms: Array
    fails_per_try: Array
    fails_per_io: Array
    most_used: int | None

    def columns(self, names: Sequence[str]) -> dict[str, Array]:
        """Some numbers of the pool."""
        return {name: self.pooled(name) for name in names}

    def pooled(self, name: str) -> Array:
        """One value per replication over the pool: rates and queues add, times are means over I/Os."""
        values: Array = getattr(self, name)
        if name in ("fails_per_try", "fails_per_io"):
            return values
        if name in ("io_per_s", "alias_io_per_s", "queue_depth"):
            return np.asarray(values.sum(axis=1))
        rates = self.io_per_s
        return np.asarray((values * rates).sum(axis=1) / rates.sum(axis=1))


def sample_of(tables: Mapping[str, Table], volumes: Sequence[str], plan: Plan) -> Sample:
    """The sample in the tables of a run with one interval, for the named volumes in the order given."""
    replications = plan.replications
    found = grid(tables["volumes"], ("volume", volumes), _PER_VOLUME, replications)
    found |= {name: _filled(found[name]) for name in ("service_ms", "response_ms")}
    fails, per_try, used = _pool(tables.get("pools") or {}, replications)
    per_io = fails / plan.interval_s / found["io_per_s"].sum(axis=1)
    return Sample(**found, fails_per_try=per_try, fails_per_io=per_io, most_used=used)


def _filled(times: Array) -> Array:
    """Times with the volume's mean over other replications where a volume did no I/O in one; 0 where it did none."""
    there = np.isfinite(times)
    counts = there.sum(axis=0)
    means = np.divide(np.where(there, times, 0.0).sum(axis=0), counts, out=np.zeros(len(counts)), where=counts > 0)
    return np.asarray(np.where(there, times, means))


def _pool(pools: Table, replications: int) -> tuple[Array, Array, int | None]:
    """Fails, fails per try, and the most aliases in use at once."""
    if not pools or len(pools["replication"]) != replications:
        return np.full(replications, np.nan), np.full(replications, np.nan), None
    tries = np.array(pools["tries"], dtype=float)
    fails = np.array(pools["fails"], dtype=float)
    share = np.divide(fails, tries, out=np.zeros_like(fails), where=tries > 0)
    low = [0 if value is None else int(value) for value in pools["low_water"]]
    return fails, share, int(max(pools["aliases"])) - min(low)


FIT_IOS = 80_000
CURVE_IOS = 160_000
"""I/Os simulated for one step of a fit and for one point of a curve."""

OTHER_IOS = 20_000
OTHER_REPLICATIONS = 4
"""I/Os simulated, and replications, for one point of a reading that is not the main one."""


@dataclass
class LoadSimulations:
    """Samples by load and aliases, simulated when first asked for."""

    plan: Plan
    sources: Sources
    seen: dict[tuple[Load, int], Sample] = field(default_factory=dict)

    def simulate(self, load: Load, aliases: int) -> Sample:
        """The sample of a load with this number of aliases."""
        key = (load, aliases)
        if key not in self.seen:
            text = scenario_text(load, aliases, self.plan, self.sources)
            tables = simulate_text(text, "reading", COLUMNS)
            self.seen[key] = sample_of(tables, [volume.name for volume in load.volumes], self.plan)
        return self.seen[key]


def plan_for(io_per_s: float, slowest_ms: float, ios: int, replications: int) -> Plan:
    """A plan that simulates about `ios` I/Os in all, and at least 50 turns of the slowest guest in each replication.

    >>> plan_for(6000.0, 4.0, 240_000, 4)
    Plan(interval_s=10.0, warm_up_s=0.5, replications=4)
    """
    interval = max(ios / replications / max(io_per_s, 1e-9), 50 * slowest_ms / 1000)
    interval = float(np.clip(float(f"{interval:.2g}"), 0.2, 600))
    warm_up = max(interval / 20, min(20 * slowest_ms / 1000, interval))
    return Plan(interval, float(f"{warm_up:.2g}"), replications)


_EXTRAS = (0, 1, 2, 4, 8)
"""Populations tried: this number of requests per volume above the smallest that Little's law allows."""

_BATCHES = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0)
_MEAN_BATCHES = (1.3, 1.6, 2.0, 2.5, 3.0, 4.0, 6.0)
"""ASSUME: requests that arrive together from outside, as tried: of one size, and of random sizes with these means."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """How requests of a family arrive: in circulation, some more than the least, or open in batches."""

    curve: str
    extra: int | None = None
    batch: float = 1.0
    geometric: bool = False
    spread: Spread = "exponential"


CLOSED = "closed"
"""The curve of requests that circulate."""

_Curves = tuple[tuple[str, bool, tuple[float, ...], Spread], ...]
_OPEN: _Curves = (
    ("open", False, _BATCHES, "exponential"),
    ("open, random sizes", True, _MEAN_BATCHES, "exponential"),
    ("open, constant connect times", False, _BATCHES, "constant"),
)
ONE_SIZE: _Curves = (("open", False, (*_BATCHES, 20.0, 32.0), "exponential"),)
"""Curves of open arrivals: whether sizes of batches are random, their sizes, and how connect times vary."""

_SHARED = ("sharing_percent", "growth", "serial_ms", "redispatch", "gap_ms")
_OWN = ("population", "think_ms", "connect_ms", "batch", "geometric", "spread", "io_per_s")
"""Unknowns of the pool, and of a volume."""

_COUNTED = ("io_per_s", "queue_depth", "service_ms", "response_ms", "fails_per_try", "fails_per_io")
"""Numbers of the evidence that are simulated; others are only aimed at."""

_MOST_FIXED = 0.95
"""The largest share of a service time that is neither connect nor channel: rounding may print more."""

_LEAST_CONNECT_MS, _LEAST_THINK_MS = 0.01, 1e-6
"""The shortest connect time that is tried, and the shortest think time that a scenario has."""


@dataclass(frozen=True, slots=True)
class PoolModel:
    """Loads of one pool.  `start` has what the evidence gives by itself: names, pend and disconnect times, paths.

    `parts` are the volumes whose guests get in each other's way, with their waiting requests; of the others one guest
    each explains all there is.  `population`, `think_ms` and `arrivals` are given, or None.
    """

    start: Load
    parts: Mapping[str, float]
    choices: tuple[Setting, ...]
    population: int | None = None
    think_ms: float | None = None
    arrivals: str | None = None
    connected: float = 0.0
    """Other I/Os that a connected I/O meets on the average."""
    curves: _Curves = _OPEN
    alike: tuple[tuple[int, ...], ...] = ()
    """Places of volumes that the evidence does not tell apart: they have one load."""
    lacks: tuple[str, ...] = ("two loads of one volume", "loads that change while they are measured")

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        """Requests, think and connect time of each volume, and what all share."""
        found = [
            Unknown("sharing_percent", "", 0.0, 100.0, "%", "linear"),
            Unknown("gap_ms", "", 0.0, 1.0, "ms", "linear"),
        ]
        for volume in self.start.volumes:
            found += [
                Unknown("population", volume.name, 1, math.inf, "requests", "whole"),
                Unknown("think_ms", volume.name, 0.0, math.inf, "ms", "linear"),
                Unknown("connect_ms", volume.name, _LEAST_CONNECT_MS, math.inf, "ms", "log"),
            ]
        return tuple(found)

    def families(self) -> list[Family]:
        """Requests that circulate, then arrivals from outside."""
        return [Family(name, kind.curve) for name, kind in self._kinds.items()]

    @property
    def _kinds(self) -> dict[str, _Kind]:
        if not self.parts:
            return {"one guest per volume": _Kind(CLOSED, 0)}
        extras = _EXTRAS if self.population is None else (0,)
        found = {f"least + {extra}": _Kind(CLOSED, extra) for extra in extras if self.arrivals != "open"}
        opened = self.arrivals == "open" or (self.arrivals is None and self.population is None)
        for curve, geometric, batches, spread in self.curves if opened else ():
            kinds = [_Kind(curve, None, batch, geometric, spread) for batch in batches]
            found |= {f"{curve}, batches of {kind.batch:g}": kind for kind in kinds}
        return found

    def settings(self) -> tuple[Setting, ...]:
        """Growths, policies and channels, as they were given."""
        return self.choices

    def screen(self, family: Family, setting: Setting, evidence: Evidences) -> Load:
        """A first guess: think by Little's law Z = n/X - R, connect as printed."""
        kind = self._kinds[family.name]
        load = replace(self.start, **{**self._values_of(self.choices[0]), **self._values_of(setting)})
        target = _target(load, evidence[0], None, AIMED)
        least = np.maximum(1, np.ceil(target.present - target.slack[1] - 1e-9))
        volumes = []
        for at, volume in enumerate(load.volumes):
            rate, waiting, service = target.value[:, at].tolist()
            fixed = min(volume.pend_ms + volume.disc_ms, _MOST_FIXED * service)
            pend = min(volume.pend_ms, fixed)
            made = replace(
                volume, population=1, io_per_s=rate, pend_ms=pend, disc_ms=max(0.0, fixed - pend),
                connect_ms=self._connect(load, service - fixed),
            )  # fmt: skip
            if volume.name in self.parts:
                count = 0 if kind.extra is None else self.population or int(least[at]) + kind.extra
                made = replace(made, population=count, batch=kind.batch, geometric=kind.geometric, spread=kind.spread)
            think = _thinks(1000 * (made.population - waiting) / rate - service)
            volumes.append(replace(made, think_ms=think if self.think_ms is None else self.think_ms))
        waits = bool((target.value[1] > LEAST_WAITING / 2).any())
        closed = any(volume.population for volume in volumes)
        return replace(load, volumes=tuple(volumes), gap_known=load.gap_known or not closed or not waits)

    def _values_of(self, setting: Setting) -> dict[str, Any]:
        return {name: value for (name, _), value in setting.values.items()}

    def _connect(self, load: Load, service_ms: float) -> float:
        """The connect time of an I/O that meets no other, if connected ones take this long."""
        alone = service_ms / (1 + load.sharing_percent / 100 * self.connected) - load.serial_ms
        return max(_LEAST_CONNECT_MS, alone)

    def counters(self, outcome: Sample, evidence: Evidence) -> Array:
        """Rates, queues and service of volumes, or of the pool, and its fails per try."""
        names = {volume.name: at for at, volume in enumerate(self.start.volumes)}
        columns = []
        for value in evidence.values:
            if value.name not in _COUNTED:
                columns.append(np.full(len(outcome.io_per_s), np.nan))
            elif value.part:
                columns.append(getattr(outcome, value.name)[:, names[value.part]])
            else:
                columns.append(outcome.pooled(value.name))
        return np.stack(columns, axis=1)

    def values(self, load: Load) -> Values:
        """All values of a load, by name and volume."""
        found: dict[Key, float | str] = {(name, ""): getattr(load, name) for name in _SHARED}
        for volume in load.volumes:
            found |= {(name, volume.name): getattr(volume, name) for name in _OWN}
        return found

    def with_values(self, load: Load, values: Values) -> Load:
        """The load with other values; where service grows otherwise, connect times start from what it then is alone."""
        own: dict[str, dict[str, Any]] = {}
        for (name, part), value in values.items():
            own.setdefault(part, {})[name] = value
        shared = own.pop("", {})
        volumes = tuple(replace(volume, **own.get(volume.name, {})) for volume in load.volumes)
        made = replace(load, **shared, volumes=volumes)
        if (load.serial_ms, load.sharing_percent) == (made.serial_ms, made.sharing_percent):
            return made
        grown = 1 + load.sharing_percent / 100 * self.connected
        volumes = tuple(
            replace(volume, connect_ms=self._connect(made, (volume.connect_ms + load.serial_ms) * grown))
            for volume in volumes
        )
        return replace(made, volumes=volumes)

    def burst(self, load: Load) -> float:
        """The largest batch."""
        return max(volume.batch for volume in load.volumes)

    def correct(self, load: Load, seen: Sequence[Seen[Sample]]) -> Load:
        """Think and connect times, and gap and growth where they are open, at which a formula misses least."""
        locals_ = [_local(load, each, at) for at, each in enumerate(seen)]
        kept = self._evened(_with_service(load, locals_[0], seen[0].outcome))
        moves = np.array([volume.population > 0 and volume.name in self.parts for volume in load.volumes])
        if not moves.any():
            return kept
        grids = _grids(load, locals_[0])
        shared = _pairs(load, len(seen) > 1)
        found = [_least(load, locals_, grids, pair) for pair in shared]
        pull = [((gap - load.gap_borrowed_ms) / _GAP_KNOWN_WITHIN) ** 2 for _, gap in shared]
        at = int(np.argmin([float(cost[moves].sum()) + more for (cost, _, _), more in zip(found, pull, strict=True)]))
        _, think_ms, connect_ms = found[at]
        volumes = tuple(
            replace(volume, think_ms=_thinks(float(think)), connect_ms=float(connect)) if moved else volume
            for volume, think, connect, moved in zip(kept.volumes, think_ms, connect_ms, moves, strict=True)
        )
        return self._evened(replace(load, volumes=volumes, sharing_percent=shared[at][0], gap_ms=shared[at][1]))

    def _evened(self, load: Load) -> Load:
        """The load with the mean think and connect time at all volumes that are alike."""
        volumes = list(load.volumes)
        for places in self.alike:
            think, connect = (
                float(np.mean([getattr(volumes[at], name) for at in places])) for name in ("think_ms", "connect_ms")
            )
            for at in places:
                volumes[at] = replace(volumes[at], think_ms=_thinks(think), connect_ms=connect)
        return replace(load, volumes=tuple(volumes))


def _thinks(time_ms: float) -> float:
    """A think time that a scenario can have; 0 is none."""
    return time_ms if time_ms >= _LEAST_THINK_MS else 0.0


_GRID = 15
_ZOOMS = 3
"""Points each way of a grid, and how often it is drawn again around its best point."""

_SHARING_STEPS = (-2.0, -1.5, -1.0, -0.7, -0.4, -0.2, -0.1, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0)
_SHARINGS = (0.0, 5.0, 10.0, 20.0, 40.0, 70.0, 100.0)
_GAP_STEPS = (-0.05, -0.03, -0.02, -0.01, -0.005, 0.005, 0.01, 0.02, 0.03, 0.05)
"""Percent and ms around the present ones, and percent anywhere, tried where they are fitted."""

_GAP_KNOWN_WITHIN = 0.1
"""ASSUME: ms by which a borrowed gap may be off; so weak a pull decides only where the reports say nothing."""

_REACH = 0.9
"""How far into the allowance of service a load of open arrivals goes for its queue."""


@dataclass(frozen=True, slots=True)
class _Target:
    """The numbers of each volume in one evidence: rows of rate, queue and service, with allowances and weights."""

    value: Array
    slack: Array
    weight: Array

    @property
    def present(self) -> Array:
        """Requests of each volume in the control program: waiting and in service."""
        return np.asarray(self.value[1] + self.value[0] * self.value[2] / 1000)


def requests_present(load: Load, evidence: Evidence) -> Array:
    """Requests of each volume, waiting and in service, as the evidence shows them by itself."""
    return _target(load, evidence, None, AIMED).present


def _target(load: Load, evidence: Evidence, sample: Sample | None, aim: float) -> _Target:
    """The numbers of volumes; where aliases work for any volume, their I/O is shared as in a simulation.

    Without one it is shared by what each base shows of load: its queue and the square of its own use, which is what
    overflows from a base without a queue.
    """
    known = evidence.by_key
    lent, names = known.get(("alias_io_per_s", "")), [volume.name for volume in load.volumes]
    of = (
        ("io_per_s", "queue_depth", "service_ms")
        if lent is None
        else ("base_io_per_s", "queue_depth", "base_service_ms")
    )
    rows = [[known[name, volume] for volume in names] for name in of]
    value = np.array([[each.value for each in row] for row in rows])
    rounding = np.array([[each.rounding for each in row] for row in rows])
    if lent is not None:
        used = value[1] + (value[0] * value[2] / 1000) ** 2
        used = used if sample is None or not sample.alias_io_per_s.any() else sample.alias_io_per_s.mean(axis=0)
        own, more = value[0].copy(), lent.value * used / used.sum()
        value[0] += more
        value[2] = (own * value[2] + more * known["alias_service_ms", ""].value) / value[0]
        rounding[0] += lent.rounding / len(names)
    scale = np.stack([value[0], value[1] + value[0] * value[2] / 1000, value[2]])
    return _Target(value, rounding + aim * scale, weight(rounding, scale))


@dataclass(frozen=True, slots=True)
class _Local:
    """One evidence's local model: how the formula is corrected, how service follows connect, what to hit."""

    target: _Target
    servers: Array
    correction: Array
    offset: Array
    slope: Array
    fixed: Array


def _local(load: Load, seen: Seen[Sample], index: int) -> _Local:
    sample, pooled = seen.outcome, any(value.name == "alias_io_per_s" for value in seen.evidence.values)
    aliases = float(seen.evidence.at["aliases"])
    io, service = sample.io_per_s.mean(axis=0), sample.service_ms.mean(axis=0)
    queue, fixed = sample.queue_depth.mean(axis=0), _fixed(load, sample)
    lent = sample.alias_io_per_s.mean(axis=0) * service / 1000
    # Aliases of a volume are its own; those of a pool are where they are used.
    servers = 1 + (np.full_like(io, aliases) if load.classic else aliases * lent / max(float(lent.sum()), 1e-9))
    population, think, connect = _columns(load)
    guess = throughput(np.maximum(population, 1), servers, think, service + load.gap_ms)
    correction = np.where(population > 0, io / guess, 1.0)
    offset = np.where(population > 0, queue - population + io * (think + service) / 1000, 0.0)
    share = load.sharing_percent / 100
    connected = float((io * (service - fixed)).sum()) / 1000
    slope = ((service - fixed) / connect - 1) / share if share > 1e-4 else np.full_like(io, max(connected - 1, 0.1))
    target = _target(load, seen.evidence, sample, seen.aim)
    if index and pooled:
        target = _in_proportion(target, np.stack([io, queue, service]))
    return _Local(target, servers, correction, offset, slope, fixed)


def _in_proportion(target: _Target, found: Array) -> _Target:
    """The pool's sums as targets of volumes, in the proportions of the simulation: only the sums are evidence."""
    part = found[0] / found[0].sum()
    aimed = float(target.value[0] @ target.value[2] / target.value[0].sum())
    value = np.stack([
        target.value[0].sum() * part,
        found[1] + (target.value[1].sum() - found[1].sum()) * part,
        found[2] * aimed / float(found[0] @ found[2] / found[0].sum()),
    ])  # fmt: skip
    sums = [np.stack([rows[0].sum() * part, rows[1].sum() * part]) for rows in (target.slack, target.weight)]
    slack = np.vstack([sums[0], np.full_like(part, float(target.slack[2].mean()))])
    return _Target(value, slack, np.vstack([sums[1], target.weight[2]]))


def _with_service(load: Load, local: _Local, sample: Sample) -> Load:
    """The load with connect times scaled so that the service of each volume comes out, if its slowdown stays.

    Open arrivals have their rate; their service is moved within its allowance to where their queue comes nearest
    (M/M/1: a queue of rho^2 / (1 - rho) grows by (2 - rho) / (1 - rho) times as much as service).
    """
    now, queue = sample.service_ms.mean(axis=0), sample.queue_depth.mean(axis=0)
    rate, waiting, service = local.target.value
    use = np.minimum(rate * service / 1000 / local.servers, 0.95)
    wanted = service * np.log(np.maximum(waiting, LEAST_WAITING) / np.maximum(queue, LEAST_WAITING))
    reach = _REACH * local.target.slack[2]
    moved = np.clip(now + wanted * (1 - use) / (2 - use), service - reach, service + reach)
    volumes = []
    for at, volume in enumerate(load.volumes):
        aimed = float(service[at] if volume.population else moved[at])
        had, fixed = float(now[at]), float(local.fixed[at])
        factor = (aimed - fixed) / (had - fixed) if had > fixed else 1.0
        volumes.append(replace(volume, connect_ms=max(_LEAST_CONNECT_MS, volume.connect_ms * factor)))
    return replace(load, volumes=tuple(volumes))


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


def _pairs(load: Load, several: bool) -> list[tuple[float, float]]:
    """Pairs of sharing (percent) and gap (ms) worth trying: around the present ones, where they are fitted."""
    share, gap = load.sharing_percent, load.gap_ms
    shares = [share]
    if load.growth == "fitted" and several:
        shares = sorted({share, *_SHARINGS, *(min(100.0, max(0.0, share + step)) for step in _SHARING_STEPS)})
    gaps = [gap] if load.gap_known else sorted({gap, *(max(0.0, gap + step) for step in _GAP_STEPS)})
    return [(share, other) for share in shares for other in gaps]


def _grids(load: Load, local: _Local) -> tuple[Array, Array]:
    """Think and connect times worth trying: (grid, volumes) each, as wide as the allowances."""
    population, given, _ = _columns(load)
    (rate, queue, service), slack = local.target.value, local.target.slack
    slowed = local.slope * load.sharing_percent / 100
    centre = 1000 * (population - queue) / rate - service
    wide = 1000 * (1.5 * slack[1] + population * slack[0] / rate) / rate + slack[2]
    steps = np.linspace(-1, 1, _GRID)[:, None]
    think = np.maximum(centre + steps * wide, 0.0)
    if load.think_known:
        think = np.broadcast_to(given, think.shape)
    middle = np.maximum(service - local.fixed, 0.02) / (1 + slowed)
    return think, np.maximum(middle + steps * 1.5 * slack[2] / (1 + slowed), _LEAST_CONNECT_MS)


def _least(
    load: Load, locals_: Sequence[_Local], grids: tuple[Array, Array], shared: tuple[float, float]
) -> tuple[Array, Array, Array]:
    """Per volume the least cost, with think and connect time there: on a grid, drawn finer around its best point."""
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
        connect = np.maximum(best[1][:, None] + steps * (connect[:, 1:2] - connect[:, :1]), _LEAST_CONNECT_MS)
    return found


def _cost(
    population: Array, locals_: Sequence[_Local], pairs: tuple[Array, Array], shared: tuple[float, float]
) -> Array:
    """The cost of pairs of a think and a connect time: volumes x pairs; `population` is a column."""
    think, connect = pairs
    off, slack, unit = [], [], []
    for local in locals_:
        service = local.fixed[:, None] + connect * (1 + local.slope[:, None] * shared[0] / 100)
        machine = throughput(np.maximum(population, 1), local.servers[:, None], think, service + shared[1])
        rate = local.correction[:, None] * machine
        queue = population - rate * (think + service) / 1000 + local.offset[:, None]
        target = local.target
        off.append(np.stack([rate, queue, service]) - target.value[:, :, None])
        slack.append(target.slack[:, :, None])
        unit.append(target.weight[:, :, None])
    return np.asarray(squares(np.concatenate(off), np.concatenate(slack), np.concatenate(unit)).sum(axis=0))

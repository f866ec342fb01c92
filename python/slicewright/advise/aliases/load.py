"""A load of a pool, as numbers and as a scenario, what is borrowed for it, and its simulation."""

from __future__ import annotations

import functools
import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from slicewright.advise.aliases.evidence import PoolReport, read_pools
from slicewright.experiment.outcome import Array, Table, grid
from slicewright.experiment.plan import Plan
from slicewright.experiment.simulations import simulate_text
from slicewright.study.data import data_folder, study_folder

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
    >>> load.population, load.alias_key
    (6, 'alias_pool.52.aliases')
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

    @property
    def alias_key(self) -> str:
        """The path of the alias count in the scenario, for `--set`."""
        return f"volume.{self.volumes[0].name}.aliases" if self.classic else f"alias_pool.{self.pool}.aliases"

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


_STUDY = "hyperpav"
_PART = "sharing"
"""The study, and the part of its constants in which connected I/Os slow each other."""


@dataclass(frozen=True, slots=True)
class Borrowed:
    """Path length between I/Os and how connected I/Os slow each other, with where both are from.

    `printed_percent` is the sharing that the service times of the study's two calibration reports show by themselves.
    The study's constant also has to meet their rates and queues.  Both agree within the rounding of the print.
    """

    gap_ms: float
    sharing_percent: float
    printed_percent: float
    source: str


def borrow() -> Borrowed:
    """The committed constants of the HyperPAV study; raises FileNotFoundError when the installation is broken.

    >>> borrow().sharing_percent >= 0
    True
    """
    # Read as it is: the study itself, with all that simulates it, takes a tenth of a second to load.
    path = study_folder(_STUDY) / "calibrated.toml"
    part = tomllib.loads(path.read_text("utf-8"))[_PART]
    reports = [_report(table) for table in dict.fromkeys(cell["table"] for cell in part["cell"])]
    reports.sort(key=lambda report: report.aliases_present)
    place = path.relative_to(data_folder("published").parent).as_posix()
    printed_percent = 100 * printed_sharing(reports[0], reports[-1])
    return Borrowed(part["gap_ms"], part["sharing_percent"], printed_percent, f"hyperpav study, {place}")


def printed_sharing(few: PoolReport, many: PoolReport) -> float:
    """The sharing (a share of one) that takes the printed service of one report to that of another.

    With n - 1 others connected an I/O takes 1 + sharing (n - 1) times as long. Others are the mean number connected
    less an exposure's own part.  Pend and disconnect are taken as they are in the first report.
    """
    fixed = sum(exposure.io_per_s * (exposure.pend_ms + exposure.disc_ms) for exposure in few.exposures) / few.io_per_s
    connect = [report.service_ms - fixed for report in (few, many)]
    others = [
        report.io_per_s * connect_ms / 1000 * (1 - 1 / len(report.exposures))
        for report, connect_ms in zip((few, many), connect, strict=True)
    ]
    ratio = connect[1] / connect[0]
    room = others[1] - ratio * others[0]
    return max(0.0, (ratio - 1) / room) if room > 0 else 0.0


def _report(table: str) -> PoolReport:
    path = study_folder(_STUDY) / "device-reports" / f"{table}.txt"
    return read_pools(path.read_bytes(), path.name)[0]


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
    document = "DEVICE report (FCX108)" if "FCX108" in sources.page else sources.page
    lines = [f"name = {_text(load.name)}", "", "[source]", f"document = {_text(document)}"]
    lines += [f"report = {_text(sources.reports)}", ""]
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
    lines += _devices(load, aliases if load.classic else None, sources)
    lines += ["[measure]", f'interval = "{_number(plan.interval_s)} s"', f'warm_up = "{_number(plan.warm_up_s)} s"']
    lines += [
        f'sample = "{_number(plan.sample_s)} s"',
        f"replications = {plan.replications}",
        'assume = "long enough for the curve that advise draws"',
    ]
    return "\n".join(lines) + "\n"


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

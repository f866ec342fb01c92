"""The whole machine in an outcome: how full each resource is, the busiest one, and where a change moves a queue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from slicewright.experiment.outcome import Array, Table, grid
from slicewright.report.json import fields
from slicewright.scenario.view import Partition, View
from slicewright.statistics import Estimate, estimate, fixed, plural

COLUMNS: Mapping[str, Sequence[str]] = {
    "volumes": (
        "replication", "volume", "io_per_s", "base_io_per_s", "response_ms", "service_ms", "queue_depth", "hold_ms",
    ),
    "pools": ("replication", "pool", "aliases", "free_mean"),
    "channels": (
        "replication", "channel", "io_per_s", "busy_percent", "read_busy_percent", "write_busy_percent", "wait_ms",
    ),
    "control_units": ("replication", "control_unit", "connected", "paths_online", "slowdown"),
    "minidisks": ("replication", "minidisk", "io_per_s", "queue_depth", "wait_ms", "response_ms"),
    "resources": ("replication", "resource", "in_use", "queue_depth"),
    "enqueues": ("replication", "enqueue", "owners", "queue_depth"),
    "serialization": ("replication", "partition", "lock_held_percent", "lock_waiting"),
    "partitions": (
        "replication", "partition", "cpu_percent", "effective_percent", "wait_percent", "pending_percent",
        "interrupts_pending",
    ),
    "lpar_groups": ("replication", "lpar_group", "used"),
    "cgroups": ("replication", "cgroup", "cpu_percent", "threads_throttled"),
    "thread_locks": ("replication", "lock", "held_percent", "waiting"),
    "control_programs": ("replication", "partition", "total_percent", "ready"),
    "locks": ("replication", "partition", "exclusive_per_s", "hold_us", "spin_s_per_s"),
    "virtual_machines": ("replication", "virtual_machine", "charged_percent", "idle", "limited"),
    "spin_locks": ("replication", "virtual_machine", "lock", "held_percent", "spinning"),
    "guests": ("replication", "guest", "cycles_per_s", "transaction_ms"),
}  # fmt: skip
"""The columns of a run's tables from which a machine is made."""

BUSY = "% busy"
"""The unit of a resource that is full at 100; so is every other unit that begins with %."""
FULL_PERCENT = 90.0
"""ASSUME: above this utilization a resource is full: a single server with random arrivals has ten times its service."""
INNER = (
    "processor", "limit", "slice", "channel", "path", "volume", "pool", "minidisk", "lock", "resource",
    "enqueue", "virtual processor",
)  # fmt: skip
"""Kinds of resources, the innermost first: a task that waits for an inner one keeps the outer ones that it has."""
_OF_GUEST, _OF_VOLUME = "guest", "volume"
ALL_IO = "all I/O"
"""The name of the response of all I/Os."""
_ALIKE = 1.0
"""ASSUME: resources of one kind whose utilizations differ by less percentage points are equally busy."""
_NAMED, _WORST = 6, 3
"""Times that a sentence names: of those that change, and of those that are slower."""


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource: how full it is on average, and the mean number of tasks or I/Os that wait for it.

    `level` is in `unit`; `waiting` is NaN where the run does not measure it.  `queues`: whether it has a queue of its
    own.  The base of a volume with a pool of aliases has none.
    """

    kind: str
    name: str
    level: float
    unit: str = BUSY
    waiting: float = float("nan")
    partition: str = ""
    queues: bool = True

    @property
    def limited(self) -> bool:
        """Whether it is full at 100 %."""
        return self.unit.startswith("%")

    @property
    def full(self) -> bool:
        """Whether hardly more fits."""
        return self.limited and self.queues and self.level > FULL_PERCENT

    @property
    def percent(self) -> float:
        """Its utilization; NaN where it has none."""
        return self.level if self.limited else float("nan")

    @property
    def words(self) -> str:
        """How busy it is, in words."""
        return f"{fixed(self.level, 1)} {self.unit}"

    def __str__(self) -> str:
        """Its name and how busy it is.

        >>> str(Resource("channel", "channel 40", 97.02))
        'channel 40 97.0 % busy'
        """
        return f"{self.name} {self.words}"


@dataclass(frozen=True, slots=True)
class Part:
    """The response of a volume or the transaction of a guest, before and after a change, in ms, and the ratio."""

    kind: str
    name: str
    before_ms: Estimate
    after_ms: Estimate
    ratio: Estimate

    def __str__(self) -> str:
        """The change.

        >>> before, after = Estimate(2.72, 0.02, 10), Estimate(2.99, 0.03, 10)
        >>> str(Part("volume", "VOL001", before, after, Estimate(1.1, 0.01, 10)))
        'VOL001 2.72 -> 2.99 ms'
        """
        return f"{self.name} {fixed(self.before_ms.mean, 2)} -> {fixed(self.after_ms.mean, 2)} ms"


@dataclass(frozen=True, slots=True)
class Machine:
    """One outcome of a whole machine.

    `times`: responses of volumes and transactions of guests by name, in ms, a value per replication.  `rates`: I/Os of
    volumes per second.
    """

    times: Mapping[str, Array]
    rates: Mapping[str, Array]
    resources: tuple[Resource, ...] = field(default=())
    guests: tuple[str, ...] = ()
    """The names of `times` that are guests."""

    @property
    def busiest(self) -> Resource | None:
        """The innermost full resource; where none is full, the one with the highest utilization."""
        return busiest(self.resources)

    @property
    def response_ms(self) -> Array:
        """The mean response of all I/Os."""
        return self.response_at(self.rates)

    def response_at(self, rates: Mapping[str, Array]) -> Array:
        """The mean response of all I/Os, if volumes had other rates."""
        whole = np.sum([rates[name] * self.times[name] for name in rates], axis=0)
        return np.asarray(whole / np.sum([rates[name] for name in rates], axis=0))


def busiest(resources: Sequence[Resource]) -> Resource | None:
    """The innermost full resource; where none is full, that with the highest utilization, else the first; None of none.

    Of several full ones the innermost limits the machine: its waiters keep the outer ones.

    >>> pool, channel = Resource("pool", "pool A", 99.5), Resource("channel", "channel 40", 97.0)
    >>> busiest([pool, channel]).name
    'channel 40'
    """
    full = [each for each in resources if each.full]
    if full:
        return min(full, key=lambda each: (INNER.index(each.kind), -each.level))
    return max((each for each in resources if each.queues), key=lambda each: (each.limited, each.level), default=None)


@dataclass(frozen=True, slots=True)
class Change:
    """Two outcomes of one machine, with the same random numbers: as it is, and with a change."""

    before: Machine
    after: Machine

    @property
    def moved(self) -> tuple[Resource, Resource] | None:
        """The resource to which the queue moves, before and after: of those with more use or queue after it.

        A full one is the innermost full one.  Where none is full, it is the one whose queue grows most.
        """
        more = [(was, then) for was, then in self.pairs if then.level > was.level or then.waiting > was.waiting]
        if full := [then for _, then in more if then.full]:
            end = busiest(full)
            return next(pair for pair in more if pair[1] is end)
        grown = [(float(np.nan_to_num(then.waiting - was.waiting)), then.percent, was, then) for was, then in more]
        best = max(grown, key=lambda each: (each[0], float(np.nan_to_num(each[1]))), default=None)
        return None if best is None else (best[2], best[3])

    @property
    def pairs(self) -> list[tuple[Resource, Resource]]:
        """Every resource, before and after, by name: a change may add or remove some."""
        after = {(each.kind, each.name): each for each in self.after.resources}
        keys = [(each, (each.kind, each.name)) for each in self.before.resources]
        return [(was, after[key]) for was, key in keys if key in after]

    @property
    def parts(self) -> list[Part]:
        """Every guest and volume whose time is known in both."""
        return list(self._parts())

    def slower(self, percent: float, leave_out: Sequence[str] = ()) -> list[Part]:
        """The parts that are slower by more than `percent` beyond noise, the worst first.

        The response of all I/Os is one of them, at the rates of before: more I/O to slow volumes is no harm.
        """
        found = list(self._parts())
        if self.before.rates and set(self.before.rates) <= set(self.after.times):
            pair = (self.before.response_ms, self.after.response_at(self.before.rates))
            found += _part(_OF_VOLUME, ALL_IO, *pair)
        worse = [
            part
            for part in found
            if part.name not in leave_out and part.ratio.mean > 1 + percent / 100 and part.ratio.low > 1
        ]
        return sorted(worse, key=lambda part: -part.ratio.mean)

    def changed(self, percent: float) -> list[Part]:
        """The guests and volumes whose time is another by more than `percent` beyond noise: guests, then most first."""
        found = [
            part
            for part in self._parts()
            if abs(part.ratio.mean - 1) > percent / 100 and not part.ratio.low <= 1 <= part.ratio.high
        ]
        return sorted(found, key=lambda part: (part.kind != _OF_GUEST, -abs(part.ratio.mean - 1)))

    @property
    def touched(self) -> frozenset[str]:
        """The parts whose time is another at all: what is independent of a change keeps it to the bit."""
        times = self.before.times
        return frozenset(
            name
            for name in times
            if name in self.after.times and not np.array_equal(times[name], self.after.times[name], equal_nan=True)
        )

    @property
    def ends(self) -> tuple[Resource | None, Resource | None]:
        """The busiest resource before and after: the same one where another of its kind is hardly busier then."""
        was, then = self.before.busiest, self.after.busiest
        same = next((end for start, end in self.pairs if start is was), None)
        if same and then and same.kind == then.kind and same.unit == then.unit and then.level - same.level < _ALIKE:
            then = same
        return was, then

    def told(self, what: str, percent: float, leave_out: Sequence[str] = ()) -> tuple[str, ...]:
        """The busiest resource and the times that change by more than `percent`, as sentences.

        `what` is the change, such as "7 aliases"; times that are told elsewhere are left out.
        """
        was, then = self.ends
        if was is None or then is None:
            return ()
        if (was.kind, was.name) != (then.kind, then.name):
            lines = [f"busiest resource: {was.name}, {was.words}, now; {then.name}, {then.words}, with {what}"]
        else:
            change = f", {then.words} with {what}" if then.level != was.level else ""
            lines = [f"busiest resource: {was.name}, {was.words} now{change}"]
        named = [str(part) for part in self.changed(percent) if part.name not in leave_out]
        if named:
            more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
            lines.append(f"with {what}: {', '.join(named[:_NAMED])}{more}")
        return tuple(lines)

    def where(self, percent: float, leave_out: Sequence[str] = ()) -> str:
        """Why the change is not recommended: the resource to which the queue moves, and what is slower; "" if nothing.

        It continues a sentence about the change: "would ".
        """
        slower = self.slower(percent, leave_out)
        return self.blamed(slower) if slower else ""

    def blamed(self, slower: Sequence[Part]) -> str:
        """The same for the parts that are slower."""
        named = ", ".join(str(part) for part in slower[:_WORST])
        more = f" and {len(slower) - _WORST} more" if len(slower) > _WORST else ""
        pair = self.moved
        place = (
            f"move the queue to {pair[1].name} ({pair[0].words} now, {pair[1].words} then)"
            if pair
            else "make guests or volumes slower"
        )
        return f"{place}: {named}{more}"

    def document(self) -> dict[str, Any]:
        """Busiest resources, all resources, and all times of guests and volumes, now and then, as an object."""
        return {
            "busiest": dict(zip(("now", "then"), map(_resource, self.ends), strict=True)),
            "resources": [
                fields(
                    kind=was.kind, name=was.name, partition=was.partition, unit=was.unit, now=was.level,
                    then=then.level, now_waiting=was.waiting, then_waiting=then.waiting,
                )
                for was, then in self.pairs
            ],
            "parts": [
                fields(kind=part.kind, name=part.name, now_ms=part.before_ms, then_ms=part.after_ms)
                for part in self.parts
            ],
        }  # fmt: skip

    def _parts(self) -> Iterator[Part]:
        for name, was in self.before.times.items():
            if name in self.after.times:
                yield from _part(
                    _OF_GUEST if name in self.before.guests else _OF_VOLUME, name, was, self.after.times[name]
                )


def _resource(resource: Resource | None) -> dict[str, Any] | None:
    """A resource as an object; a percentage of None is of one that has no utilization."""
    if resource is None:
        return None
    return fields(name=resource.name, kind=resource.kind, percent=resource.percent)


def _part(kind: str, name: str, was: Array, now: Array) -> Iterator[Part]:
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = now / was
    if np.isfinite(ratio).all() and len(ratio) > 1:
        yield Part(kind, name, *(estimate(values.tolist()) for values in (was, now, ratio)))


def machine_of(tables: Mapping[str, Table], view: View, replications: int) -> Machine:
    """The machine in the tables of a run of a scenario; without a table its resources are not known.

    >>> from slicewright.experiment import simulations
    >>> from slicewright.experiment.plan import Plan
    >>> from slicewright.scenario.starters import read_starter
    >>> short = read_starter("two-domains").with_(Plan(5.0, 1.0, 2).changes())
    >>> machine_of(simulations.simulate(short, COLUMNS), short.view, 2).busiest.name
    'the slices of PEMDFT'
    """
    read = _Read(tables, view, replications)
    names = [volume.name for volume in view.volumes]
    found = read.columns("volumes", "volume", names, ("response_ms", "io_per_s"))
    times = {name: found["response_ms"][:, at] for at, name in enumerate(names)}
    rates = {name: np.nan_to_num(found["io_per_s"][:, at]) for at, name in enumerate(names)}
    groups = [guest.name for guest in view.guests]
    own = read.columns("guests", "guest", groups, ("transaction_ms",))["transaction_ms"]
    transactions = {f"transaction of {name}": own[:, at] for at, name in enumerate(groups)}
    kept = {
        name: values
        for name, values in (times | transactions).items()
        if np.isfinite(values).all() and (values > 0).all()
    }
    resources = tuple(resource for part in _KINDS for resource in part(read))
    guests = tuple(name for name in transactions if name in kept)
    return Machine(kept, {name: rates[name] for name in rates if name in kept}, resources, guests)


@dataclass(frozen=True, slots=True)
class _Read:
    """The tables of a run of a scenario."""

    tables: Mapping[str, Table]
    view: View
    replications: int

    def columns(self, table: str, key: str, names: Sequence[str], wanted: Sequence[str]) -> dict[str, Array]:
        """Columns of the named rows, as arrays of replications x rows; NaN where there is no value or no table."""
        own = self.tables.get(table) or {}
        if not own or not len(own["replication"]) or not set(wanted) <= set(own):
            return {name: np.full((self.replications, len(names)), np.nan) for name in wanted}
        return grid(own, (key, names), wanted, self.replications)

    def means(self, table: str, key: str, names: Sequence[str], wanted: Sequence[str]) -> dict[str, Array]:
        """The same, as means over replications; no value counts as 0."""
        found = self.columns(table, key, names, wanted)
        return {name: np.nan_to_num(values).mean(axis=0) for name, values in found.items()}

    def each(self, table: str, keys: Mapping[str, str], wanted: Sequence[str]) -> list[dict[str, float]]:
        """The rows with these keys, every replication: columns as numbers."""
        own = self.tables.get(table) or {}
        if not own or not set(wanted) <= set(own):
            return []
        at = [row for row in range(len(own["replication"])) if all(own[key][row] == keys[key] for key in keys)]
        return [{name: float(own[name][row] or 0.0) for name in wanted} for row in at]


def _processors(read: _Read) -> Iterator[Resource]:
    """Logical processors of each partition, and all physical ones: work done over processors."""
    view = read.view
    if view.cec is None:
        return
    if view.cgroups:
        used = read.means("cgroups", "cgroup", [group.name for group in view.cgroups], ("cpu_percent",))
        yield Resource(
            "processor", "the processors of the machine", float(used["cpu_percent"].sum()) / view.cec.processors
        )
        return
    names = [partition.name for partition in view.partitions]
    if not names or "partitions" not in read.tables:
        return
    found = read.means("partitions", "partition", names, ("cpu_percent", "pending_percent"))
    ready = read.means("control_programs", "partition", names, ("ready",))["ready"]
    pending = 0.0
    for at, partition in enumerate(view.partitions):
        logical = partition.online or partition.logical_processors
        pending += float(found["pending_percent"][at]) * logical / 100
        yield Resource(
            "processor", f"the processors of {partition.name}", float(found["cpu_percent"][at]) / logical,
            waiting=float(ready[at]) if partition.control_program else float("nan"), partition=partition.name,
        )  # fmt: skip
    busy = float(found["cpu_percent"].sum()) / view.cec.processors
    yield Resource("processor", "the processors of the machine", busy, waiting=pending)


def _limits(read: _Read) -> Iterator[Resource]:
    """What caps take away: of partitions, of their groups, of groups of threads and of virtual machines."""
    view = read.view
    names = [partition.name for partition in view.partitions]
    used = read.means("partitions", "partition", names, ("cpu_percent",))["cpu_percent"]
    for partition, percent in zip(view.partitions, used, strict=True):
        most = _cap(partition, view)
        if most:
            yield Resource("limit", f"the cap of {partition.name}", float(percent) / most, partition=partition.name)
    groups = read.means("lpar_groups", "lpar_group", [group.name for group in view.lpar_groups], ("used",))["used"]
    for lpar_group, processors in zip(view.lpar_groups, groups, strict=True):
        yield Resource("limit", f"the cap of group {lpar_group.name}", 100 * float(processors) / lpar_group.cap)
    own = [group.name for group in view.cgroups]
    found = read.means("cgroups", "cgroup", own, ("cpu_percent", "threads_throttled"))
    for at, group in enumerate(view.cgroups):
        quota = _quota(group.cpu_max)
        if quota:
            level, waiting = (float(found[name][at]) for name in ("cpu_percent", "threads_throttled"))
            yield Resource("limit", f"the CPU limit of {group.name}", level / quota, waiting=waiting)
    for volume, rate in zip(view.volumes, _volumes(read)["io_per_s"], strict=True):
        if volume.limit_per_s:
            yield Resource("limit", f"the I/O limit of {volume.name}", 100 * float(rate) / volume.limit_per_s)


def _cap(partition: Partition, view: View) -> float | None:
    """The least of a partition's caps, in processors; None without one."""
    sharing = [each for each in view.partitions if each.weight is not None and not each.dedicated]
    weights = sum(each.weight or 0 for each in sharing)
    caps = [partition.cap] if partition.cap is not None else []
    if partition.capped and weights and view.cec is not None:
        own = sum(each.logical_processors for each in view.partitions if each.dedicated)
        caps.append((partition.weight or 0) / weights * (view.cec.processors - own))
    return min(caps, default=None)


def _quota(cpu_max: str) -> float | None:
    """The processors that `cpu_max` allows; None without a limit.

    >>> _quota("20 ms 100 ms"), _quota("50000 100000"), _quota("max")
    (0.2, 0.5, None)
    """
    words = cpu_max.split()
    if words[0] == "max":
        return None
    scales = {"s": 1e6, "ms": 1e3, "us": 1.0}
    spans: list[float] = []
    for word in words:
        if word in scales:
            spans[-1] *= scales[word]
        else:
            spans.append(float(word))
    return spans[0] / (spans[1] if len(spans) > 1 else 1e5)


def _slices(read: _Read) -> Iterator[Resource]:
    """The turns of partitions in fixed slices: the part of them with work, and ended I/Os that wait for the next."""
    cec = read.view.cec
    if cec is None or cec.dispatcher != "slices":
        return
    sharing = [partition for partition in read.view.partitions if not partition.dedicated]
    names = [partition.name for partition in sharing]
    wanted = ("effective_percent", "wait_percent", "interrupts_pending")
    found = read.means("partitions", "partition", names, wanted)
    for at, name in enumerate(names):
        work, idle, waiting = (float(found[column][at]) for column in wanted)
        level = 100 * work / (work + idle) if work + idle > 0 else 0.0
        yield Resource("slice", f"the slices of {name}", level, waiting=waiting, partition=name)


def _channels(read: _Read) -> Iterator[Resource]:
    """Channels; of one that carries reads and writes at once, the busier direction."""
    names = [channel.name for channel in read.view.channels]
    wanted = ("busy_percent", "read_busy_percent", "write_busy_percent", "io_per_s", "wait_ms")
    found = read.means("channels", "channel", names, wanted)
    for at, channel in enumerate(read.view.channels):
        parts = {name: float(found[name][at]) for name in wanted}
        level = parts["busy_percent"]
        if channel.duplex == "full" and channel.holds != "connection":
            level = max(parts["read_busy_percent"], parts["write_busy_percent"])
        waiting = parts["io_per_s"] * parts["wait_ms"] / 1000
        yield Resource("channel", f"channel {channel.name}", level, waiting=waiting)


def _paths(read: _Read) -> Iterator[Resource]:
    """Path groups without channels: they have no utilization, only I/Os that are connected and slow each other."""
    names = [unit.name for unit in read.view.control_units if not unit.channels]
    found = read.means("control_units", "control_unit", names, ("connected", "paths_online", "slowdown"))
    for at, name in enumerate(names):
        connected, online, slowdown = (float(found[each][at]) for each in ("connected", "paths_online", "slowdown"))
        waiting = connected * (1 - 1 / slowdown) if slowdown > 0 else 0.0
        unit = f"I/Os connected on {plural(round(online), 'path')}"
        yield Resource("path", f"the paths of {name}", connected, unit, waiting)


def _volumes(read: _Read) -> dict[str, Array]:
    wanted = ("io_per_s", "base_io_per_s", "service_ms", "hold_ms", "queue_depth")
    return read.means("volumes", "volume", [volume.name for volume in read.view.volumes], wanted)


def _bases(read: _Read) -> Iterator[Resource]:
    """Volumes: bases and bound aliases that do an I/O or wait for its interrupt; with a pool the base alone.

    ASSUME: an I/O takes as long on a base as on an alias of a pool.  That may be too long, so a base is full at most.
    """
    found = _volumes(read)
    for at, volume in enumerate(read.view.volumes):
        rate, base, service_ms, hold_ms, waiting = (float(found[name][at]) for name in found)
        name, owner, busy = f"volume {volume.name}", volume.partition or "", (service_ms + hold_ms) / 10
        if volume.alias_pool is None:
            level = rate * busy / (1 + (volume.aliases or 0))
            yield Resource("volume", name, level, waiting=waiting, partition=owner)
        else:
            yield Resource("volume", name, min(100.0, base * busy), "% busy at its base", 0.0, owner, queues=False)


def _pools(read: _Read) -> Iterator[Resource]:
    """Pools: aliases in use, and the requests that wait at the bases of their volumes.

    A pool without aliases is as full as its busiest base: each volume then does one I/O at a time.
    """
    pools = read.view.alias_pools
    found = read.means("pools", "pool", [pool.name for pool in pools], ("aliases", "free_mean"))
    queues = dict(zip((volume.name for volume in read.view.volumes), _volumes(read)["queue_depth"], strict=True))
    bases = {base.name: base.level for base in _bases(read)}
    for at, pool in enumerate(pools):
        members = [volume.name for volume in read.view.volumes if volume.alias_pool == pool.name]
        if not members:
            continue
        waiting = float(sum(queues[name] for name in members))
        aliases, free = float(found["aliases"][at]), float(found["free_mean"][at])
        level, unit = max(bases[f"volume {name}"] for name in members), "% busy at its busiest base, without aliases"
        if aliases:
            level, unit = 100 * (1 - free / aliases), "% of its aliases in use"
        yield Resource("pool", f"pool {pool.name}", level, unit, waiting)


def _minidisks(read: _Read) -> Iterator[Resource]:
    """Minidisks, which do one I/O at a time; of one with a cache that is not known."""
    names = [minidisk.name for minidisk in read.view.minidisks if minidisk.cache is None]
    wanted = ("io_per_s", "queue_depth", "wait_ms", "response_ms")
    found = read.means("minidisks", "minidisk", names, wanted)
    for at, name in enumerate(names):
        rate, waiting, wait_ms, response_ms = (float(found[column][at]) for column in wanted)
        yield Resource("minidisk", f"minidisk {name}", rate * (response_ms - wait_ms) / 10, waiting=waiting)


def _locks(read: _Read) -> Iterator[Resource]:
    """Locks: the share of time in which they are held; of several alike in many machines the most wanted one."""
    view = read.view
    for partition in view.controlled:
        # ASSUME: an exclusive hold takes the mean of all holds; shared ones do not count.
        rows = read.each("locks", {"partition": partition.name}, ("exclusive_per_s", "hold_us", "spin_s_per_s"))
        if rows:
            level = sum(row["exclusive_per_s"] * row["hold_us"] for row in rows) / read.replications / 1e4
            waiting = sum(row["spin_s_per_s"] for row in rows) / read.replications
            name = f"the scheduler lock of {partition.name}"
            yield Resource("lock", name, level, "% held", waiting, partition.name)
    for lock in view.spin_locks:
        keys = {"virtual_machine": lock.virtual_machine, "lock": lock.name}
        rows = read.each("spin_locks", keys, ("held_percent", "spinning"))
        if rows:
            level = max(row["held_percent"] for row in rows)
            waiting = sum(row["spinning"] for row in rows) / read.replications
            yield Resource("lock", f"lock {lock.name} of {lock.virtual_machine}", level, "% held", waiting)
    names = [each.name for each in view.thread_locks]
    found = read.means("thread_locks", "lock", names, ("held_percent", "waiting"))
    for at, name in enumerate(names):
        yield Resource("lock", f"lock {name}", float(found["held_percent"][at]), "% held", float(found["waiting"][at]))
    if view.serialization is not None:
        systems = [partition.name for partition in view.partitions]
        own = read.means("serialization", "partition", systems, ("lock_held_percent", "lock_waiting"))
        for at, name in enumerate(systems):
            level, waiting = (float(own[column][at]) for column in own)
            yield Resource("lock", f"the ENQ/DEQ lock of {name}", level, "% held", waiting, name)


def _held(read: _Read) -> Iterator[Resource]:
    """Resources that guests hold by number, and by name (ENQ); one that is shared is never full."""
    view = read.view
    names = [resource.name for resource in view.resources]
    found = read.means("resources", "resource", names, ("in_use", "queue_depth"))
    for at, resource in enumerate(view.resources):
        level = 100 * float(found["in_use"][at]) / (resource.count * resource.members)
        waiting = float(found["queue_depth"][at])
        yield Resource("resource", f"resource {resource.name}", level, "% in use", waiting)
    shared = {step.enq for guest in view.guests for step in guest.every_step if step.access == "shared"}
    own = [enqueue.name for enqueue in view.enqueues]
    found = read.means("enqueues", "enqueue", own, ("owners", "queue_depth"))
    for at, enqueue in enumerate(view.enqueues):
        owners, waiting = float(found["owners"][at]), float(found["queue_depth"][at])
        many = enqueue.name in shared
        level, unit = (owners, "owners") if many else (100 * owners / enqueue.members, "% held")
        yield Resource("enqueue", f"ENQ {enqueue.name}", level, unit, waiting)


def _virtual_processors(read: _Read) -> Iterator[Resource]:
    """Virtual processors of each kind of machine that are not idle, and what their limits grant."""
    partitions = {partition.name: partition for partition in read.view.controlled}
    for kind in read.view.virtual_machines:
        rows = read.each("virtual_machines", {"virtual_machine": kind.name}, ("charged_percent", "idle", "limited"))
        if not rows:
            continue
        mean = {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]}
        level = 100 * (1 - mean["idle"] / kind.virtual_processors)
        name, owner = f"the virtual processors of {kind.name}", kind.partition
        yield Resource("virtual processor", name, level, partition=owner)
        if kind.limit_percent is not None:
            most = kind.limit_percent / 100 * partitions[owner].logical_processors
            waiting = mean["limited"] * kind.count
            name = f"the limit of {kind.name}"
            yield Resource("limit", name, mean["charged_percent"] / most, waiting=waiting, partition=owner)


_KINDS = (
    _channels, _processors, _paths, _limits, _slices, _bases, _pools, _minidisks, _locks, _held, _virtual_processors,
)  # fmt: skip

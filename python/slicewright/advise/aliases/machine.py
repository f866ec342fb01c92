"""The machine around a pool: its busiest shared resource, and what responds more slowly when pools get more aliases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from slicewright.advise.aliases.sample import COLUMNS
from slicewright.experiment.outcome import Array, Table, grid
from slicewright.scenario.view import View
from slicewright.statistics import Estimate, estimate, fixed, plural

MACHINE = {
    "volumes": COLUMNS["volumes"],
    "pools": COLUMNS["pools"],
    "channels": ("replication", "channel", "busy_percent", "read_busy_percent", "write_busy_percent"),
    "control_units": ("replication", "control_unit", "connected", "paths_online"),
    "partitions": ("replication", "partition", "cpu_percent"),
    "guests": ("replication", "guest", "transaction_ms"),
}
"""The columns that a picture of the whole machine needs of the tables of a run."""

LIMITED = "% busy"
"""The unit of a resource that is full at 100."""

ALL = "all I/O"
"""The name of the response of all I/Os."""

NAMED = 3
"""Slower volumes and transactions that a sentence names."""


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource that volumes share: how busy it is, in percent, or how many I/Os are connected over its paths."""

    name: str
    busy: float
    unit: str = LIMITED

    @property
    def limited(self) -> bool:
        """Whether it is full at 100 %."""
        return self.unit == LIMITED

    def __str__(self) -> str:
        """Its name and how busy it is.

        >>> str(Resource("channel 40", 97.02))
        'channel 40 97.0 % busy'
        """
        return f"{self.name} {self.level}"

    @property
    def level(self) -> str:
        """How busy it is, in words."""
        return f"{fixed(self.busy, 1)} {self.unit}"


@dataclass(frozen=True, slots=True)
class Slower:
    """A volume, or the transactions of a guest: its time before and after a change, in ms."""

    name: str
    before_ms: float
    after_ms: float

    def __str__(self) -> str:
        """The change.

        >>> str(Slower("VOL001", 2.72, 2.99))
        'VOL001 2.72 -> 2.99 ms'
        """
        return f"{self.name} {fixed(self.before_ms, 2)} -> {fixed(self.after_ms, 2)} ms"


@dataclass(frozen=True, slots=True)
class Machine:
    """One simulation of the whole machine: arrays over replications by name.

    `times`: responses of volumes and times of transactions, in ms.  `rates`: I/Os of volumes per second.  `resources`:
    what volumes share, with its mean utilization.
    """

    times: Mapping[str, Array]
    rates: Mapping[str, Array]
    resources: tuple[Resource, ...] = field(default=())

    def busiest(self, other: Machine) -> tuple[Resource, Resource] | None:
        """The busiest resource, among those that the other machine uses otherwise: in the other, and here.

        A resource with a utilization comes before paths that have none.  None where both use all alike.
        """
        pairs = zip(other.resources, self.resources, strict=True)
        changed = [pair for pair in pairs if pair[0].busy != pair[1].busy]
        return max(changed, key=lambda pair: (pair[1].limited, pair[1].busy), default=None)

    @property
    def response_ms(self) -> Array:
        """The mean response of all I/Os."""
        return self._response(self.rates)

    def _response(self, rates: Mapping[str, Array]) -> Array:
        whole = np.sum([rates[name] * self.times[name] for name in rates], axis=0)
        return np.asarray(whole / np.sum([rates[name] for name in rates], axis=0))

    def slower(self, before: Machine, percent: float, leave_out: Sequence[str] = ()) -> list[Slower]:
        """The parts slower by more than `percent` than before, the worst first: not by noise, in pairs of replications.

        The response of all I/Os is compared at the rates of before, so that more I/O to slow volumes is no harm.
        """
        pairs = [(name, before.times[name], self.times[name]) for name in before.times if name not in leave_out]
        pairs.append((ALL, before.response_ms, self._response(before.rates)))
        found = []
        for name, was, now in pairs:
            ratio = _ratio(was, now)
            if ratio is not None and ratio.mean > 1 + percent / 100 and ratio.low > 1:
                found.append((ratio.mean, Slower(name, float(was.mean()), float(now.mean()))))
        return [slower for _, slower in sorted(found, key=lambda pair: -pair[0])]

    def touched(self, before: Machine) -> frozenset[str]:
        """The volumes and transactions whose time is another: a change of an independent pool leaves it to the bit."""
        return frozenset(
            name for name in before.times if not np.array_equal(before.times[name], self.times[name], equal_nan=True)
        )


def machine_of(tables: Mapping[str, Table], view: View, replications: int) -> Machine:
    """The machine in the tables of a run of a scenario."""
    names = [volume.name for volume in view.volumes]
    found = grid(tables["volumes"], ("volume", names), ("response_ms", "io_per_s"), replications)
    times = {name: found["response_ms"][:, at] for at, name in enumerate(names)}
    rates = {name: np.nan_to_num(found["io_per_s"][:, at]) for at, name in enumerate(names)}
    groups = [guest.name for guest in view.guests]
    own = grid(tables["guests"], ("guest", groups), ("transaction_ms",), replications)["transaction_ms"]
    times |= {f"transaction of {name}": own[:, at] for at, name in enumerate(groups)}
    kept = {name: values for name, values in times.items() if np.isfinite(values).all() and (values > 0).all()}
    idle = {name: rates[name] for name in rates if name in kept}
    parts = (_channels, _processors, _paths)
    return Machine(kept, idle, tuple(resource for part in parts for resource in part(tables, view, replications)))


def moved(asked: str, before: Machine, after: Machine, slower: Sequence[Slower]) -> str:
    """Why aliases are not recommended: the resource to which the queue moves, and what is slower then.

    `asked`: the aliases, such as "7 aliases for LSS60".
    """
    named = ", ".join(str(part) for part in slower[:NAMED])
    more = f" and {len(slower) - NAMED} more" if len(slower) > NAMED else ""
    pair = after.busiest(before)
    where = f"move the queue to {pair[1].name} ({pair[0].level} now, {pair[1].level} then)" if pair else "slow others"
    return f"{asked} would {where}: {named}{more}"


def shared_words(before: Machine, after: Machine, most: Machine, aliases: str) -> str:
    """The busiest shared resource as it is and with other aliases; "" where the pool shares none.

    `most`: with enough aliases that more change nothing; a resource that it leaves as it is, the pool does not use.
    `aliases`: such as "7 aliases".
    """
    pair = most.busiest(before)
    if pair is None:
        return ""
    was, then = pair[0], next(resource for resource in after.resources if resource.name == pair[0].name)
    change = f", {then.level} with {aliases}" if then.busy != was.busy else ""
    return f"busiest shared resource: {was.name}, {was.level} now{change}"


def _ratio(was: Array, now: Array) -> Estimate | None:
    with np.errstate(divide="ignore", invalid="ignore"):
        found = now / was
    return estimate(found.tolist()) if np.isfinite(found).all() and len(found) > 1 else None


def _channels(tables: Mapping[str, Table], view: View, replications: int) -> list[Resource]:
    """Channels; of one that carries reads and writes at once, the busier direction."""
    names = [channel.name for channel in view.channels]
    if not names:
        return []
    parts = ("busy_percent", "read_busy_percent", "write_busy_percent")
    found = {part: np.nan_to_num(values).mean(axis=0) for part, values in
             grid(tables["channels"], ("channel", names), parts, replications).items()}  # fmt: skip
    resources = []
    for at, channel in enumerate(view.channels):
        both = channel.duplex == "full" and channel.holds != "connection"
        one_way = max(found["read_busy_percent"][at], found["write_busy_percent"][at])
        resources.append(Resource(f"channel {channel.name}", float(one_way if both else found["busy_percent"][at])))
    return resources


def _paths(tables: Mapping[str, Table], view: View, replications: int) -> list[Resource]:
    """Path groups without channels: they have no utilization, only I/Os that are connected and slow each other."""
    names = [unit.name for unit in view.control_units if not unit.channels]
    if not names:
        return []
    found = grid(tables["control_units"], ("control_unit", names), ("connected", "paths_online"), replications)
    connected, online = (np.nan_to_num(found[part]).mean(axis=0) for part in ("connected", "paths_online"))
    return [
        Resource(f"the paths of {name}", float(count), f"I/Os connected on {plural(round(float(paths)), 'path')}")
        for name, count, paths in zip(names, connected, online, strict=True)
    ]


def _processors(tables: Mapping[str, Table], view: View, replications: int) -> list[Resource]:
    """Logical processors of partitions, and all physical ones: work done over processors."""
    names = [partition.name for partition in view.partitions]
    if not names or view.cec is None or "partitions" not in tables:
        return []
    done = grid(tables["partitions"], ("partition", names), ("cpu_percent",), replications)["cpu_percent"]
    shares = np.nan_to_num(done).mean(axis=0)
    own = [
        Resource(
            f"the processors of {partition.name}", float(share) / (partition.online or partition.logical_processors)
        )
        for partition, share in zip(view.partitions, shares, strict=True)
    ]
    return [*own, Resource("the processors of the machine", float(shares.sum()) / view.cec.processors)]

"""A scenario, typed and read-only: what the engine resolved, every default included.

`Scenario.view` gives it; `Scenario.with_`, `without_changes` and `grown` give scenarios with other values.
"""

from __future__ import annotations

import functools
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from slicewright.scenario.load import Change, Enqueue, Guest, Resource, Serialization
from slicewright.scenario.machine import (
    AliasPool,
    Cec,
    Cgroup,
    Channel,
    ControlUnit,
    FrontEnd,
    LparGroup,
    Minidisk,
    Network,
    Partition,
    SpinLock,
    ThreadLock,
    Topology,
    VirtualMachine,
    Volume,
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A resolved scenario: its tables as the language has them, in their order.

    Spans are in seconds, shares in percent, rates per second; what every key means is on the page of the scenario
    language.

    >>> from slicewright.scenario.starters import read_starter
    >>> view = read_starter("two-domains").view
    >>> view.cec.processors, [partition.target_percent for partition in view.partitions], view.measure.warm_up_s
    (2, [50.0, 50.0], None)
    """

    name: str
    source: Source | None
    cec: Cec | None
    topology: Topology | None
    lpar_groups: tuple[LparGroup, ...]
    partitions: tuple[Partition, ...]
    cgroups: tuple[Cgroup, ...]
    virtual_machines: tuple[VirtualMachine, ...]
    spin_locks: tuple[SpinLock, ...]
    thread_locks: tuple[ThreadLock, ...]
    networks: tuple[Network, ...]
    channels: tuple[Channel, ...]
    control_units: tuple[ControlUnit, ...]
    alias_pools: tuple[AliasPool, ...]
    volumes: tuple[Volume, ...]
    minidisks: tuple[Minidisk, ...]
    resources: tuple[Resource, ...]
    serialization: Serialization | None
    enqueues: tuple[Enqueue, ...]
    front_ends: tuple[FrontEnd, ...]
    guests: tuple[Guest, ...]
    changes: tuple[Change, ...]
    measure: Measure

    def partition(self, name: str) -> Partition:
        """The partition of this name; raises KeyError."""
        for partition in self.partitions:
            if partition.name == name:
                return partition
        raise KeyError(name)

    @property
    def controlled(self) -> tuple[Partition, ...]:
        """The partitions with a control program."""
        return tuple(partition for partition in self.partitions if partition.control_program is not None)

    @property
    def replayed(self) -> tuple[str, ...]:
        """The names of guests whose I/Os were recorded."""
        return tuple(guest.name for guest in self.guests if guest.replay is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """`[source]`: the document that the numbers come from."""

    document: str
    report: str | None
    section: str | None
    remark: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """`[measure]`: how long and how often the scenario is measured; `warm_up_s` is None where pilot runs find it."""

    interval_s: float
    intervals: int
    warm_up_s: float | None
    replications: int
    sample_s: float

    @property
    def measured_s(self) -> float:
        """The length of all intervals."""
        return self.interval_s * self.intervals


def view_of(values: Mapping[str, Any]) -> View:
    """The view of a scenario's values, by key, as the engine exports them; raises TypeError for keys that it lacks.

    >>> from slicewright.scenario.starters import read_starter
    >>> read_starter("mm1").view.guests[0].name
    'USERS'
    """
    return _built(View, values)


def _built(kind: type[T], values: Mapping[str, Any]) -> T:
    tables = _tables(typing.cast(Any, kind))
    return kind(**{key: tables[key](value) if key in tables and value else value for key, value in values.items()})


@functools.cache
def _tables(kind: type[Any]) -> dict[str, Callable[[Any], Any]]:
    """How the fields of a class that hold tables are built."""
    hints = typing.get_type_hints(kind)
    found = {field.name: _builder(hints[field.name]) for field in fields(kind)}
    return {name: build for name, build in found.items() if build is not None}


def _builder(hint: Any) -> Callable[[Any], Any] | None:
    inner = typing.get_args(hint)
    if typing.get_origin(hint) is tuple and hasattr(inner[0], "__dataclass_fields__"):
        return lambda values: tuple(_built(inner[0], value) for value in values)
    if isinstance(hint, types.UnionType):
        hint = inner[0]
    return (lambda value: _built(hint, value)) if hasattr(hint, "__dataclass_fields__") else None

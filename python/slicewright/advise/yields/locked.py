"""A partition whose guests spin for locks, as a scenario has it: its kinds of virtual machines, its yields of now.

It leaves out what they do.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from slicewright._core import span_s
from slicewright.advise.controlled import Controlled, controlled
from slicewright.advise.yields.yielding import Yielding
from slicewright.yield_budget import DiagnoseCosts


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of virtual machine that has spin locks: how many, virtual processors of each, how its guests spin.

    >>> from slicewright.advise.yields.example import spinners
    >>> spinners().kinds[0].locks
    ('dispatch',)
    """

    name: str
    count: int
    virtual_processors: int
    retry: int
    try_us: float
    yields: str
    locks: tuple[str, ...]
    orders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Locked:
    """A partition, its kinds with spin locks, and whose programs are counted.

    >>> from slicewright.advise.yields.example import spinners
    >>> spinners().name, spinners().each, spinners().starting
    ('ZVM', 4.0, 'TASKS')
    """

    controlled: Controlled
    kinds: tuple[Kind, ...]
    costs: DiagnoseCosts
    starting: str
    """The guests whose programs are counted; "" where several begin by themselves, and no sum means anything."""

    @property
    def name(self) -> str:
        """The partition's name."""
        return self.controlled.name

    @property
    def processors(self) -> int:
        """Logical processors of now."""
        return self.controlled.now.processors

    @property
    def virtual_processors(self) -> int:
        """Of all virtual machines, those without locks too."""
        return self.controlled.virtual_processors

    @property
    def each(self) -> float:
        """Virtual processors per logical one."""
        return self.virtual_processors / self.processors

    @property
    def now(self) -> Yielding:
        """How its guests yield now."""
        return Yielding(tuple((one.name, one.yields) for one in self.kinds))

    @property
    def names(self) -> tuple[str, ...]:
        """The kinds by name."""
        return tuple(one.name for one in self.kinds)


def locked(resolved: str) -> tuple[Locked, ...]:
    """Every partition with a control program whose guests have spin locks, of a resolved scenario, in its order.

    >>> from slicewright.advise.yields.example import text
    >>> [one.now.words() for one in locked(text())]
    ["X'44'"]
    """
    world = tomllib.loads(resolved)
    partitions = {one["name"]: one for one in world.get("partition", [])}
    found = (_locked(world, partitions[one.name], one) for one in controlled(resolved))
    return tuple(one for one in found if one.kinds)


def _locked(world: Mapping[str, Any], partition: Mapping[str, Any], one: Controlled) -> Locked:
    locks: dict[str, list[Mapping[str, Any]]] = {}
    for lock in world.get("spin_lock", []):
        locks.setdefault(lock["virtual_machine"], []).append(lock)
    machines = [
        machine
        for machine in world.get("virtual_machine", [])
        if machine["name"] in locks and machine["partition"] == one.name
    ]
    costs = partition["control_program"]["costs"]
    spent = DiagnoseCosts(*(1e6 * span_s(costs[name], name) for name in ("fast_x44", "x44", "x9c")))
    guests = {guest["name"]: guest for guest in world.get("guest", [])}
    starting = [name for name in one.guests if "arrives" not in guests[name]]
    kinds = tuple(_kind(machine, locks[machine["name"]]) for machine in machines)
    return Locked(one, kinds, spent, starting[0] if len(starting) == 1 else "")


def _kind(machine: Mapping[str, Any], locks: list[Mapping[str, Any]]) -> Kind:
    return Kind(
        machine["name"], int(machine["count"]), int(machine["virtual_processors"]), int(machine["spin_retry"]),
        1e6 * span_s(machine["spin_try"], "spin_try"), machine["yields"], tuple(lock["name"] for lock in locks),
        tuple(dict.fromkeys(lock["order"] for lock in locks)),
    )  # fmt: skip

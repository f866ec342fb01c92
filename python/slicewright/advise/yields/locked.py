"""A partition whose guests spin for locks, as a scenario has it: its kinds of virtual machines, its yields of now."""

from __future__ import annotations

from dataclasses import dataclass

from slicewright.advise.controlled import Controlled, controlled
from slicewright.advise.yields.yielding import Yielding
from slicewright.run.yield_budget import DiagnoseCosts
from slicewright.scenario.machine import SpinLock, VirtualMachine
from slicewright.scenario.view import View


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


def locked(view: View) -> tuple[Locked, ...]:
    """Every partition with a control program whose guests have spin locks, in the order of the scenario.

    >>> from slicewright.advise.yields.example import scenario
    >>> [one.now.words() for one in locked(scenario().view)]
    ["X'44'"]
    """
    found = (_locked(view, one) for one in controlled(view))
    return tuple(one for one in found if one.kinds)


def _locked(view: View, one: Controlled) -> Locked:
    locks: dict[str, list[SpinLock]] = {}
    for lock in view.spin_locks:
        locks.setdefault(lock.virtual_machine, []).append(lock)
    machines = [kind for kind in view.virtual_machines if kind.name in locks and kind.partition == one.name]
    costs = view.partition(one.name).program.costs
    spent = DiagnoseCosts(*(1e6 * cost_s for cost_s in (costs.fast_x44_s, costs.x44_s, costs.x9c_s)))
    starting = [guest.name for guest in view.guests if guest.name in one.guests and guest.arrives is None]
    kinds = tuple(_kind(machine, locks[machine.name]) for machine in machines)
    return Locked(one, kinds, spent, starting[0] if len(starting) == 1 else "")


def _kind(machine: VirtualMachine, locks: list[SpinLock]) -> Kind:
    retry, try_s, yields = machine.spin_retry, machine.spin_try_s, machine.yields
    assert retry is not None, "it is worked out beside spin locks"
    assert try_s is not None, "it is worked out beside spin locks"
    assert yields is not None, "it is worked out beside spin locks"
    return Kind(
        machine.name, machine.count, machine.virtual_processors, retry, 1e6 * try_s,
        yields, tuple(lock.name for lock in locks), tuple(dict.fromkeys(lock.order for lock in locks)),
    )  # fmt: skip

"""A partition whose guests spin for locks: its kinds of virtual machines, its yields of now, and assumed constants."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from slicewright._core import Scenario
from slicewright.advise.constants import OPEN, Constant, Variation, constants_where, variations_of
from slicewright.advise.controlled import Controlled, controlled
from slicewright.advise.controlled import constants as of_control_program
from slicewright.advise.controlled import variations as of_costs
from slicewright.advise.yields.yielding import Yielding
from slicewright.run.yield_budget import DiagnoseCosts
from slicewright.scenario.view import SpinLock, View, VirtualMachine


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of virtual machine that has spin locks: how many, virtual processors of each, how its guests spin."""

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
    def yields(self) -> Yielding:
        """How its guests yield now."""
        return Yielding(tuple((kind.name, kind.yields) for kind in self.kinds))

    @property
    def names(self) -> tuple[str, ...]:
        """The kinds by name."""
        return tuple(kind.name for kind in self.kinds)


def locked(view: View) -> tuple[Locked, ...]:
    """Every partition with a control program whose guests have spin locks, in the order of the scenario.

    >>> from slicewright.advise.yields.example import scenario
    >>> [one.yields.words() for one in locked(scenario().view)]
    ["X'44'"]
    """
    found = (_locked(view, partition) for partition in controlled(view))
    return tuple(partition for partition in found if partition.kinds)


def constants(scenario: Scenario, partition: Locked) -> tuple[Constant, ...]:
    """Those of a partition's control program and caches, of DIAGNOSEs, and of how its guests spin.

    >>> from slicewright.advise.yields.example import scenario, spinners
    >>> found = constants(scenario(), spinners())
    >>> [constant.value for constant in found if constant.key.endswith("costs.fast_x44")]
    ['1 us']
    """
    kinds = "|".join(map(re.escape, partition.names))
    program = rf"partition\.{re.escape(partition.name)}\.control_program\."
    wanted = re.compile(
        rf"virtual_machine\.(?:{kinds})\.spin_(?:try|retry)|{program}(?:soft_wait|costs\.(?:fast_x44|x44|x9c|sense))"
    )
    spun = constants_where(scenario, lambda one: one.role in OPEN and wanted.fullmatch(one.key) is not None)
    return (*of_control_program(scenario, partition.controlled), *spun)


def variations(found: Sequence[Constant]) -> list[Variation]:
    """What they may be as well: as for polarization, and a try that takes half or twice as long.

    >>> one = Constant("virtual_machine.LINUX.spin_try", "8 ns", "assumed", "")
    >>> [(one.name, one.changes) for one in variations([one])]
    [('tries-shorter', ('virtual_machine.LINUX.spin_try="4 ns"',)), ...]
    """
    tries = [constant for constant in found if constant.key.endswith(".spin_try")]
    kinds = (
        ("tries-shorter", "an attempt to take a lock takes half as long", tries, 0.5),
        ("tries-longer", "an attempt to take a lock takes twice as long", tries, 2.0),
    )
    return [*of_costs(found), *variations_of(kinds)]


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
    assert retry is not None, "advise computes it for spin locks"
    assert try_s is not None, "advise computes it for spin locks"
    assert yields is not None, "advise computes it for spin locks"
    return Kind(
        machine.name, machine.count, machine.virtual_processors, retry, 1e6 * try_s,
        yields, tuple(lock.name for lock in locks), tuple(dict.fromkeys(lock.order for lock in locks)),
    )  # fmt: skip

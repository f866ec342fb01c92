"""A partition with a control program: its setting of now, its controller, its guests, its assumed constants."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from slicewright._core import Scenario
from slicewright.advise.constants import OPEN, Constant, Variation, constants_where, variations_of
from slicewright.advise.polarization.setting import Setting
from slicewright.scenario.view import Partition, View
from slicewright.statistics import plural
from slicewright.values.numerals import in_scenario

NEAR = 0.8
"""ASSUME: from this share of the threshold on, T/V may reach it under some setting."""


@dataclass(frozen=True, slots=True)
class _Controller:
    """How often it decides (s), how many intervals it looks back at, and from which T/V on it parks by need.

    >>> _Controller(2.0, 10, 1.5).settles_s
    60.0
    """

    every_s: float
    history: int
    tv_threshold: float

    @property
    def fills_s(self) -> float:
        """ASSUME: twice what it looks back at, where it parks by need and T/V plays no part."""
        return 2 * self.history * self.every_s

    @property
    def settles_s(self) -> float:
        """ASSUME: three times what it looks back at, where T/V does, as what it parks changes T/V."""
        return 3 * self.history * self.every_s


@dataclass(frozen=True, slots=True)
class Controlled:
    """A partition, its setting of now, the machine's processors, virtual machines and guests; shares 0 to 1 per kind.

    >>> from slicewright.scenario.starters import read_starter
    >>> (zvm,) = controlled(read_starter("zvm").view)
    >>> zvm.now.words(), zvm.virtual_processors, zvm.paced
    ('vertical reshuffle, UNPARKING SMALL', 62, ('TASKS',))
    """

    name: str
    now: Setting
    physical: int
    controller: _Controller
    machine: str
    """The machine by name; "" for one whose topology is written out, or that has none."""
    caches: bool
    """Whether a task that moves to another processor finds less of it in caches."""
    shares: bool
    """Whether other partitions share the processors by weight."""
    kinds: tuple[str, ...]
    virtual_machines: int
    virtual_processors: int
    guests: tuple[str, ...]
    paced: tuple[str, ...]
    """Guests that compute until they were charged a share of the time."""

    @property
    def words(self) -> str:
        """The partition with its processors, its machine and its virtual machines."""
        machine = f" of a {self.machine}" if self.machine and self.machine != "generic" else ""
        virtual = plural(self.virtual_processors, "virtual processor")
        return (
            f"{self.name}, {plural(self.now.processors, 'logical processor')}{machine}; "
            f"{plural(self.virtual_machines, 'virtual machine')} with {virtual}"
        )


def controlled(view: View) -> tuple[Controlled, ...]:
    """Every partition with a control program, in the order of the scenario.

    >>> from slicewright.scenario.starters import read_starter
    >>> [one.name for one in controlled(read_starter("zvm").view)]
    ['ZVM']
    """
    return tuple(_controlled(view, partition) for partition in view.controlled)


def settling_s(tv_ratio: float, partition: Controlled, by_need: bool) -> float:
    """How long the controller of a partition needs at such a T/V, in seconds.

    >>> from slicewright.scenario.starters import read_starter
    >>> (zvm,) = controlled(read_starter("zvm").view)
    >>> [settling_s(ratio, zvm, by_need=False) for ratio in (1.02, 1.6)]
    [10.0, 60.0]
    """
    controller = partition.controller
    near = math.isfinite(tv_ratio) and tv_ratio >= 1 + NEAR * (controller.tv_threshold - 1)
    return controller.settles_s if near else controller.fills_s if by_need else 5 * controller.every_s


def constants(scenario: Scenario, partition: Controlled) -> tuple[Constant, ...]:
    """The assumed and borrowed ones of a partition's control program and caches, and of its virtual machines' storage.

    Costs of spinning alone are omitted: `yields.locked` has them.

    >>> from slicewright.scenario.starters import read_starter
    >>> scenario = read_starter("zvm")
    >>> found = constants(scenario, controlled(scenario.view)[0])
    >>> [constant.value for constant in found if constant.key.endswith("lock.hold")]
    ['0.7 us']
    """
    program = rf"partition\.{re.escape(partition.name)}\.control_program\."
    kinds = "|".join(map(re.escape, partition.kinds))
    of_spinning = r"(?!lock\.(spin_|yields)|costs\.(fast_x44|x44|x9c|sense)$)"
    own = r"(lock|costs|controller|slice|slice_jitter|barriers|horizontal_stealing|vertical_stealing|homes).*"
    parts = [program + of_spinning + own]
    if partition.caches:
        parts += [r"topology\..*", rf"virtual_machine\.({kinds})\.(footprint|touched_in)"]
    wanted = re.compile("|".join(f"(?:{part})" for part in parts))
    return constants_where(scenario, lambda one: one.role in OPEN and wanted.fullmatch(one.key) is not None)


def variations(found: Sequence[Constant]) -> list[Variation]:
    """Other values of the assumed and borrowed constants of each kind; none of a kind that is known.

    ASSUME: costs of the control program, and guests' storage in caches, half and twice as much. The cost of a miss
    beyond a warm cache half and one and a half times as much.

    >>> beyond = Constant("topology.cache.L2.beyond", "1.3", "assumed", "")
    >>> [variation.changes for variation in variations([beyond])]
    [('topology.cache.L2.beyond=1.15',), ('topology.cache.L2.beyond=1.45',)]
    """
    costs = [
        constant
        for constant in found
        if re.search(r"\.control_program\.(lock\.(hold|per_waiter)|costs\.)", constant.key)
    ]
    misses = [constant for constant in found if re.fullmatch(r"topology\.cache\..*\.beyond", constant.key)]
    storage = [constant for constant in found if constant.key.endswith(".footprint")]
    kinds = (
        ("costs-halved", "path and lock of the control program cost half as much", costs, 0.5),
        ("costs-doubled", "path and lock of the control program cost twice as much", costs, 2.0),
        ("misses-cheaper", "the extra cost of cache misses is halved", misses, 0.5),
        ("misses-dearer", "the extra cost of cache misses is 1.5 times as high", misses, 1.5),
        ("storage-halved", "guests have half as much in caches", storage, 0.5),
        ("storage-doubled", "guests have twice as much in caches", storage, 2.0),
    )
    return variations_of(kinds, _scaled)


def _scaled(one: Constant, factor: float) -> str:
    if one.key.endswith(".beyond"):
        return f"{one.key}={in_scenario(1 + (one.number - 1) * factor)}"
    if one.key.endswith(".footprint"):
        sizes = {"B": 1, "kB": 1000, "KiB": 1 << 10, "MB": 1_000_000, "MiB": 1 << 20}
        return f'{one.key}="{max(1, round(one.number * sizes[one.unit] * factor / 1024))} KiB"'
    return one.times(factor)


def _controlled(view: View, partition: Partition) -> Controlled:
    program, cec = partition.program, view.cec
    assert cec is not None, "partitions share its processors"
    control = program.controller
    now = Setting(
        program.polarization, program.method, program.cpupad_percent, program.unparking, partition.logical_processors
    )
    machines = [machine for machine in view.virtual_machines if machine.partition == partition.name]
    kinds = tuple(machine.name for machine in machines)
    guests = [guest for guest in view.guests if guest.virtual_machine in kinds]
    return Controlled(
        partition.name, now, cec.processors, _Controller(control.every_s, control.history, control.tv_threshold),
        cec.machine or "",
        view.topology is not None and any(machine.footprint_bytes is not None for machine in machines),
        partition.weight is not None, kinds, sum(machine.count for machine in machines),
        sum(machine.count * machine.virtual_processors for machine in machines), tuple(guest.name for guest in guests),
        tuple(guest.name for guest in guests if any(step.pace_percent is not None for step in guest.every_step)),
    )  # fmt: skip

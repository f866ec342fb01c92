"""A partition with a control program, as a scenario has it: its setting of now, its controller, and who runs in it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from slicewright.advise.polarization.setting import Setting
from slicewright.scenario.machine import Partition
from slicewright.scenario.view import View

NEAR = 0.8
"""ASSUME: from so much of the threshold on, T/V may reach it under some setting."""


@dataclass(frozen=True, slots=True)
class Controller:
    """How often it decides (s), how many intervals it looks back at, and from which T/V on it parks by need.

    >>> Controller(2.0, 10, 1.5).settles_s
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
    controller: Controller
    machine: str
    """The machine by name; "" for one whose topology is written out, or that has none."""
    caches: bool
    """Whether it matters to anybody where he runs."""
    shares: bool
    """Whether other partitions share the processors by weight."""
    kinds: tuple[str, ...]
    virtual_machines: int
    virtual_processors: int
    guests: tuple[str, ...]
    paced: tuple[str, ...]
    """Guests that compute until they were charged a share of the time."""


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


def _controlled(view: View, partition: Partition) -> Controlled:
    program, cec = partition.program, view.cec
    assert cec is not None, "partitions share its processors"
    told = program.controller
    now = Setting(
        program.polarization, program.method, program.cpupad_percent, program.unparking, partition.logical_processors
    )
    machines = [one for one in view.virtual_machines if one.partition == partition.name]
    kinds = tuple(one.name for one in machines)
    guests = [one for one in view.guests if one.virtual_machine in kinds]
    return Controlled(
        partition.name, now, cec.processors, Controller(told.every_s, told.history, told.tv_threshold),
        cec.machine or "", view.topology is not None and any(one.footprint_bytes is not None for one in machines),
        partition.weight is not None, kinds, sum(one.count for one in machines),
        sum(one.count * one.virtual_processors for one in machines), tuple(one.name for one in guests),
        tuple(one.name for one in guests if any(step.pace_percent is not None for step in one.every_step)),
    )  # fmt: skip

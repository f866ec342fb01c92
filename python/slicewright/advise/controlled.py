"""A partition with a control program, as a scenario has it: its setting of now, its controller, and who runs in it.

It leaves out what they do.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from slicewright._core import span_s
from slicewright.advise.polarization.setting import Setting

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

    >>> from slicewright._core import Scenario, starter
    >>> (zvm,) = controlled(Scenario.read(starter("zvm").encode(), "zvm.toml").resolved)
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


def controlled(resolved: str) -> tuple[Controlled, ...]:
    """Every partition with a control program of a resolved scenario, in its order.

    >>> from slicewright._core import Scenario, starter
    >>> [one.name for one in controlled(Scenario.read(starter("zvm").encode(), "zvm.toml").resolved)]
    ['ZVM']
    """
    world = tomllib.loads(resolved)
    return tuple(_controlled(world, one) for one in world.get("partition", []) if "control_program" in one)


def settling_s(tv_ratio: float, partition: Controlled, by_need: bool) -> float:
    """How long the controller of a partition needs at such a T/V, in seconds.

    >>> from slicewright._core import Scenario, starter
    >>> (zvm,) = controlled(Scenario.read(starter("zvm").encode(), "zvm.toml").resolved)
    >>> [settling_s(ratio, zvm, by_need=False) for ratio in (1.02, 1.6)]
    [10.0, 60.0]
    """
    controller = partition.controller
    near = math.isfinite(tv_ratio) and tv_ratio >= 1 + NEAR * (controller.tv_threshold - 1)
    return controller.settles_s if near else controller.fills_s if by_need else 5 * controller.every_s


def _controlled(world: Mapping[str, Any], partition: Mapping[str, Any]) -> Controlled:
    program = partition["control_program"]
    told = program["controller"]
    now = Setting(
        program["polarization"], program["method"], _percent(program["cpupad"]), program["unparking"],
        int(partition["logical_processors"]),
    )  # fmt: skip
    machines = [one for one in world.get("virtual_machine", []) if one["partition"] == partition["name"]]
    kinds = tuple(one["name"] for one in machines)
    guests = [one for one in world.get("guest", []) if one.get("virtual_machine") in kinds]
    return Controlled(
        partition["name"], now, int(world["cec"]["processors"]),
        Controller(span_s(told["every"], "every"), int(told["history"]), float(told["tv_threshold"])),
        str(world["cec"].get("machine", "")),
        "topology" in world and any("footprint" in one for one in machines),
        "weight" in partition, kinds, sum(int(one["count"]) for one in machines),
        sum(int(one["count"]) * int(one["virtual_processors"]) for one in machines),
        tuple(one["name"] for one in guests),
        tuple(one["name"] for one in guests if _paces(one.get("program", []))),
    )  # fmt: skip


def _paces(value: Any) -> bool:
    """Whether a step of a program, or a step within one, is a pace."""
    if isinstance(value, list):
        return any(_paces(one) for one in value)
    if isinstance(value, dict):
        return "pace" in value or any(_paces(one) for one in value.values())
    return False


def _percent(text: str) -> float:
    return float(text.removesuffix("%").strip())

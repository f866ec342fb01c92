"""Who shares the processors of a scenario, and in which turns: its tables [cec] and [[partition]] as advice needs them.

It leaves out what runs in partitions, and PR/SM, whose slices end at a wait.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from slicewright._core import span_s
from slicewright.advise.slices.hold import Part, Turn, parts

PARAMETERS = range(1, 6)
"""The scheduling parameter of the System Scheduling screen (Partitioning Large Processors, figure 3)."""


def parameter_slice_ms(parameter: int) -> float:
    """The slice of an equal share: 35 - 5 x scheduling parameter (Partitioning Large Processors, 7.0).

    >>> [parameter_slice_ms(one) for one in PARAMETERS]
    [30.0, 25.0, 20.0, 15.0, 10.0]
    """
    return 35.0 - 5.0 * parameter


@dataclass(frozen=True, slots=True)
class Domain:
    """A partition that shares processors; `share` is its part of every frame, 0 to 1.

    >>> Domain("PROD", 0.5, 2).share
    0.5
    """

    name: str
    share: float
    logicals: int


@dataclass(frozen=True, slots=True)
class Device:
    """A volume of a partition that shares processors; `service` is None where it grows with others or with size.

    >>> Device("C23", "PROD", None).aliased
    False
    """

    name: str
    domain: str
    service: tuple[Part, ...] | None
    aliased: bool = False
    redriven: bool = False
    """Whether an interrupt finds it with more to do, so that starts are not spread over the slice."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The partitions that share, their devices, and the slice and switch that are there now (ms).

    >>> machine = machine_of(example())
    >>> machine.slice_ms, machine.parameter, [one.name for one in machine.domains]
    (30.0, 1, ['PEMDFI', 'PEMDFT'])
    """

    processors: int
    """Those that are shared."""
    domains: tuple[Domain, ...]
    devices: tuple[Device, ...]
    slice_ms: float
    switch_ms: float
    parameter: int | None
    together: bool

    def domain(self, name: str) -> Domain:
        """The partition of a name."""
        return next(one for one in self.domains if one.name == name)

    def shortest(self, slice_ms: float) -> float:
        """The turn of the partition with the least share, in ms, when equal shares have `slice_ms`.

        >>> machine_of(example()).shortest(20.0)
        20.0
        """
        return slice_ms * len(self.domains) * min(one.share for one in self.domains)

    def turn(self, domain: str, slice_ms: float, switch_ms: float) -> Turn:
        """What a partition has of each frame when equal shares have `slice_ms`; a switch takes the beginning of it.

        >>> machine_of(example()).turn("PEMDFI", 20.0, 0.1)
        Turn(on_ms=19.9, off_ms=20.1)
        """
        frame = slice_ms * len(self.domains)
        own = frame * self.domain(domain).share
        on = own - switch_ms if len(self.domains) > 1 else own
        return Turn(on, frame - on)

    def switching(self, slice_ms: float, switch_ms: float) -> float:
        """Processors that are lost to switches: each shared one is switched once in a slice.

        >>> round(machine_of(example()).switching(10.0, 0.1), 6)
        0.02
        """
        return self.processors * switch_ms / slice_ms if len(self.domains) > 1 else 0.0


def machine_of(resolved: str) -> Machine | None:
    """The machine of a resolved scenario in which partitions share processors in fixed slices; None where none do.

    >>> machine_of('name = "no machine"') is None
    True
    """
    world = tomllib.loads(resolved)
    cec = world.get("cec")
    if cec is None or cec.get("dispatcher", "slices") not in ("slices", "mdf"):
        return None
    partitions = world.get("partition", [])
    sharing = [one for one in partitions if one["mode"] == "MP" and "target" in one]
    own = sum(one["logical_processors"] for one in partitions if one["mode"] != "MP")
    targets = sum(_percent(one["target"]) for one in sharing)
    domains = tuple(
        Domain(one["name"], min(_percent(one["target"]) / targets, _percent(one["maximum"])), one["logical_processors"])
        for one in sharing
    )
    names = {one.name for one in domains}
    driven = {one["volume"] for one in world.get("front_end", [])}
    devices = tuple(_device(one, driven) for one in world.get("volume", []) if one.get("partition") in names)
    parameter = cec.get("scheduling_parameter")
    slice_ms = parameter_slice_ms(parameter) if parameter is not None else 1000 * span_s(cec["slice"], "slice")
    switch_ms = 1000 * span_s(cec["switch"], "switch")
    return Machine(
        cec["processors"] - own, domains, devices, slice_ms, switch_ms, parameter, cec["dispatching"] == "together"
    )


def example() -> str:
    """The resolved starter scenario of two domains.

    >>> "[cec]" in example()
    True
    """
    from slicewright._core import Scenario, starter

    return Scenario.read(starter("two-domains").encode(), "two-domains.toml").resolved


def switch_is_told(resolved: str) -> bool:
    """Whether the scenario says itself what a switch takes; the language's default is 0, as nobody knows.

    >>> switch_is_told(example())
    False
    """
    return not any(line.startswith("switch = ") and "# default" in line for line in resolved.splitlines())


def _device(one: Mapping[str, Any], driven: set[str]) -> Device:
    service = parts(one["service"])
    aliased = bool(one.get("aliases")) or "alias_pool" in one
    return Device(
        one["name"], one["partition"], tuple(service) if service is not None else None, aliased, one["name"] in driven
    )


def _percent(text: str) -> float:
    return float(text.removesuffix("%")) / 100

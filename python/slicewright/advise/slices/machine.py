"""Who shares the processors of a scenario, and in which turns: its tables [cec] and [[partition]] as advice needs them.

It leaves out what runs in partitions.  Under PR/SM the length that can be chosen is that of a run, which a wait ends.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slicewright._core import span_s
from slicewright.advise.slices.hold import Part, Turn, parts
from slicewright.domains import parameter_slice_ms

PRSM = "prsm"
"""The dispatcher of a scenario whose processors go by weight."""

RUNS_MS = (1.0, 100.0)
"""The run time that PR/SM takes (PR/SM Planning Guide)."""


@dataclass(frozen=True, slots=True)
class Domain:
    """A partition that shares processors; `share` is what is due to it of them, 0 to 1.

    `most` is what it can have, in processors; `reload_ms` what each of its processors loses when it comes.

    >>> Domain("PROD", 0.5, 2, 1.0).share
    0.5
    """

    name: str
    share: float
    logicals: int
    most: float
    reload_ms: float = 0.0


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
    weighs: bool = False
    """Whether processors go by weight (PR/SM), and not in fixed slices; the slice is then the longest run."""

    def domain(self, name: str) -> Domain:
        """The partition of a name."""
        return next(one for one in self.domains if one.name == name)

    def shortest(self, slice_ms: float) -> float:
        """The turn of the partition with the least share, in ms, when equal shares have `slice_ms`.

        >>> machine_of(example()).shortest(20.0)
        20.0
        """
        if self.weighs:
            return slice_ms
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
        """Processors that are lost to fixed slices: each is switched once in one, and reloads what was pushed out.

        >>> round(machine_of(example()).switching(10.0, 0.1), 6)
        0.02
        """
        if len(self.domains) < 2:
            return 0.0
        reload_ms = sum(one.reload_ms for one in self.domains) / len(self.domains)
        return self.processors * (switch_ms + reload_ms) / slice_ms


def machine_of(resolved: str) -> Machine | None:
    """The machine of a resolved scenario in which partitions share processors; None where none do.

    >>> machine_of('name = "no machine"') is None
    True
    """
    world = tomllib.loads(resolved)
    cec = world.get("cec")
    if cec is None:
        return None
    weighs = cec.get("dispatcher") == PRSM
    partitions = [one for one in world.get("partition", []) if one.get("active", "yes") != "no"]
    own = sum(one["logical_processors"] for one in partitions if one["mode"] != "MP")
    processors = cec["processors"] - own
    sharing = [one for one in partitions if one["mode"] == "MP"]
    domains = tuple(_by_weight(sharing, processors) if weighs else _by_target(sharing, processors))
    names = {one.name for one in domains}
    driven = {one["volume"] for one in world.get("front_end", [])}
    devices = tuple(_device(one, driven) for one in world.get("volume", []) if one.get("partition") in names)
    parameter = cec.get("scheduling_parameter")
    if weighs:
        logicals = sum(one.logicals for one in domains)
        slice_ms = _ms(cec["run_time"]) if "run_time" in cec else run_ms(processors, logicals)
    else:
        slice_ms = parameter_slice_ms(parameter) if parameter is not None else _ms(cec["slice"])
    together = not weighs and cec["dispatching"] == "together"
    return Machine(processors, domains, devices, slice_ms, _ms(cec["switch"]), parameter, together, weighs)


def run_ms(processors: int, logicals: int) -> float:
    """The run time of PR/SM: 25 ms x shared physical / logical processors, from 12.5 to 25 ms (PR/SM Planning Guide).

    >>> run_ms(4, 6), run_ms(2, 8)
    (16.666666666666668, 12.5)
    """
    return min(25.0, max(12.5, 25.0 * processors / max(logicals, 1)))


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


def _by_target(sharing: Sequence[Mapping[str, Any]], processors: int) -> Iterator[Domain]:
    targets = sum(_percent(one["target"]) for one in sharing)
    for one in sharing:
        share = min(_percent(one["target"]) / targets, _percent(one["maximum"]))
        reload_ms = _ms(one["reload"]) if "reload" in one else 0.0
        yield Domain(one["name"], share, one["logical_processors"], share * processors, reload_ms)


def _by_weight(sharing: Sequence[Mapping[str, Any]], processors: int) -> Iterator[Domain]:
    weights = sum(one["weight"] for one in sharing)
    for one in sharing:
        share, logicals = one["weight"] / weights, one["logical_processors"]
        most = min(float(logicals), float(processors), one.get("cap", float(processors)))
        if one.get("capped") == "yes":
            most = min(most, share * processors)
        yield Domain(one["name"], share, logicals, most, _ms(one["reload"]) if "reload" in one else 0.0)


def _ms(text: str) -> float:
    return 1000 * span_s(text, "cec")


def _device(one: Mapping[str, Any], driven: set[str]) -> Device:
    service = parts(one["service"])
    aliased = bool(one.get("aliases")) or "alias_pool" in one
    return Device(
        one["name"], one["partition"], tuple(service) if service is not None else None, aliased, one["name"] in driven
    )


def _percent(text: str) -> float:
    return float(text.removesuffix("%")) / 100

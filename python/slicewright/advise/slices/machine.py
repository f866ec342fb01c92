"""Partitions that share the processors of a scenario, their turns, the exact hold time, and simulated measures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slicewright._core import Scenario
from slicewright.experiment.outcome import Array, grid
from slicewright.experiment.plan import Plan
from slicewright.experiment.simulations import simulate
from slicewright.scenario.sharing import parameter_slice_ms
from slicewright.scenario.view import Distribution, Partition, Service, View, Volume
from slicewright.statistics import plural
from slicewright.values.errors import Problem, problem
from slicewright.values.numerals import in_scenario

_TERMS = 4096
"""Terms of the Fourier series; what is cut off is below frame / (10 x terms), .002 ms of a frame of 80 ms."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A partition's turn: ms that it has processors, and ms until it has them again."""

    on_ms: float
    off_ms: float

    @property
    def frame_ms(self) -> float:
        """From the beginning of one turn to that of the next."""
        return self.on_ms + self.off_ms


@dataclass(frozen=True, slots=True)
class Part:
    """A part of service time: mean in ms, squared coefficient of variation, and its form.

    `form` is constant, uniform, gamma (also exponential and Erlang) or hyperexponential, as in scenario files.
    """

    mean_ms: float
    scv: float
    form: str = "constant"

    def wave(self, angular: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The characteristic function at angular frequencies per ms."""
        turn = 1j * angular * self.mean_ms
        if self.form == "gamma":
            return np.asarray((1 - turn * self.scv) ** (-1 / self.scv))
        if self.form == "hyperexponential":
            share = (1 + np.sqrt((self.scv - 1) / (self.scv + 1))) / 2
            return np.asarray(sum(p / (1 - turn / (2 * p)) for p in (share, 1 - share)))
        if self.form == "uniform":
            half = angular * self.mean_ms * np.sqrt(3 * self.scv)
            return np.asarray(np.exp(turn) * np.sinc(half / np.pi))
        return np.asarray(np.exp(turn))


def hold_ms(turn: Turn, service: Sequence[Part]) -> float:
    """Mean ms from the end of one I/O to the next own slice, its start spread evenly over the own slice.

    Slices are T on and T off, service is S, and m = S mod 2T.  The wait is m - m^2/2T for m <= T, else (2T - m)^2/2T
    (Partitioning Large Processors, 1.0: an interrupt waits for the next slice).  For other turns and for service that
    varies the wait at each instant of the frame is averaged over where the I/O can end.

    >>> [round(hold_ms(Turn(t, t), [Part(18.0, 0.0)]), 1) for t in (30, 20, 10, 9)]
    [12.6, 9.9, 0.2, 0.0]
    >>> round(hold_ms(Turn(15, 45), [Part(18.0, 0.0)]), 1)
    34.5
    """
    if turn.off_ms <= 0:
        return 0.0
    if turn.on_ms <= 0:
        return float("inf")
    if all(part.scv == 0 for part in service):
        return _of_constant(turn, sum(part.mean_ms for part in service))
    return max(0.0, _of_any(turn, service))


def _parts(service: Service) -> list[Part] | None:
    """The parts of a volume's service; None where it grows with others or with size.

    >>> from slicewright.scenario.starters import read_starter
    >>> _parts(read_starter("mm1").view.volumes[0].service)[-1]
    Part(mean_ms=1.0, scv=1.0, form='gamma')
    """
    if service.connect.per_concurrent_s or service.connect.per_kib_s:
        return None
    return [_part(span) for span in (service.pend, service.disconnect, service.connect)]


def _part(span: Distribution) -> Part:
    if span.uniform_s is not None:
        low, high = (1000 * bound for bound in span.uniform_s)
        mean = (low + high) / 2
        return Part(mean, (high - low) ** 2 / (12 * mean**2), "uniform") if high > low else Part(mean, 0.0)
    if span.constant_s is not None:
        return Part(1000 * span.constant_s, 0.0)
    scv = span.scv or 0.0
    if span.hyperexponential_s is not None:
        return Part(1000 * span.hyperexponential_s, scv, "hyperexponential" if scv > 1 else "gamma")
    if span.erlang_s is not None:
        return Part(1000 * span.erlang_s, 1 / (span.stages or 1), "gamma")
    if span.gamma_s is not None:
        return Part(1000 * span.gamma_s, scv, "gamma")
    return Part(1000 * (span.exponential_s or 0.0), 1.0, "gamma")


def _of_constant(turn: Turn, service_ms: float) -> float:
    """The waits from the instant at which the first I/O of a slice ends to that of the last, averaged."""
    off, frame = turn.off_ms, turn.frame_ms

    def until(instant: float) -> float:
        whole, rest = divmod(instant, frame)
        return whole * off**2 / 2 + (max(0.0, off**2 - (frame - rest) ** 2) / 2 if rest > turn.on_ms else 0.0)

    first = service_ms % frame
    return (until(first + turn.on_ms) - until(first)) / turn.on_ms


def _of_any(turn: Turn, service: Sequence[Part]) -> float:
    """The same as a Fourier series over the frame, term by term times the characteristic function of service."""
    on, off, frame = turn.on_ms, turn.off_ms, turn.frame_ms
    angular = 2 * np.pi * np.arange(1, _TERMS + 1) / frame
    step = 1j * angular
    wait = (np.exp(step * off) * (off / step + 1 / angular**2) - 1 / angular**2) / frame
    start = (np.exp(step * on) - 1) / (step * on)
    total = wait * start
    for part in service:
        total = total * part.wave(angular)
    return float(off**2 / (2 * frame) + 2 * total.real.sum())


_SLICES, PRSM = "slices", "prsm"
"""The dispatchers of scenarios whose processors go in fixed slices, or by weight."""

_SKEW = 0.01
"""The share by which counters of one interval may disagree: they are read one after the other, and rounded."""

RUNS_MS = (1.0, 100.0)
"""The run time that PR/SM takes (PR/SM Planning Guide)."""


@dataclass(frozen=True, slots=True)
class _Domain:
    """A partition that shares processors; `share` is what is due to it of them, 0 to 1.

    `most` is what it can have, in processors; `reload_ms` what each of its processors loses when it comes.
    """

    name: str
    share: float
    logicals: int
    most: float
    reload_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Device:
    """A volume of a partition that shares processors; `service` is None where it grows with others or with size."""

    name: str
    domain: str
    service: tuple[Part, ...] | None
    aliased: bool = False
    redriven: bool = False
    """Whether an interrupt finds it with more to do, so that starts are not spread over the slice."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The partitions that share, their devices, and the slice and switch that are there now (ms)."""

    processors: int
    """Those that are shared."""
    domains: tuple[_Domain, ...]
    devices: tuple[Device, ...]
    slice_ms: float
    switch_ms: float
    parameter: int | None
    together: bool
    weighs: bool = False
    """Whether processors go by weight (PR/SM), and not in fixed slices; the slice is then the longest run."""

    def domain(self, name: str) -> _Domain:
        """The partition of a name."""
        return next(domain for domain in self.domains if domain.name == name)

    def shortest(self, slice_ms: float) -> float:
        """The turn of the partition with the least share, in ms, when equal shares have `slice_ms`."""
        if self.weighs:
            return slice_ms
        return slice_ms * len(self.domains) * min(domain.share for domain in self.domains)

    def turn(self, domain: str, slice_ms: float, switch_ms: float) -> Turn:
        """The turn of a partition in each frame when equal shares have `slice_ms`; a switch takes its beginning."""
        frame = slice_ms * len(self.domains)
        own = frame * self.domain(domain).share
        on = own - switch_ms if len(self.domains) > 1 else own
        return Turn(on, frame - on)

    def switching(self, slice_ms: float, switch_ms: float) -> float:
        """Processors that are lost to fixed slices: each is switched once in one, and reloads what was pushed out."""
        if len(self.domains) < 2:
            return 0.0
        reload_ms = sum(domain.reload_ms for domain in self.domains) / len(self.domains)
        return self.processors * (switch_ms + reload_ms) / slice_ms


def machine_of(view: View) -> Machine | None:
    """The machine of a scenario in which partitions share processors; None where none do."""
    cec = view.cec
    if cec is None or cec.dispatcher not in (PRSM, _SLICES):
        return None
    weighs = cec.dispatcher == PRSM
    partitions = [partition for partition in view.partitions if partition.at_start]
    processors = cec.processors - sum(partition.logical_processors for partition in partitions if partition.dedicated)
    sharing = [partition for partition in partitions if not partition.dedicated]
    caps = {group.name: group.cap for group in view.lpar_groups}
    domains = tuple(_by_weight(sharing, processors, caps) if weighs else _by_target(sharing, processors))
    names = {domain.name for domain in domains}
    driven = {end.volume for end in view.front_ends}
    devices = tuple(_device(volume, driven) for volume in view.volumes if volume.partition in names)
    parameter = cec.scheduling_parameter
    if weighs:
        logicals = sum(domain.logicals for domain in domains)
        slice_ms = run_ms(processors, logicals) if cec.run_time_s is None else 1000 * cec.run_time_s
    else:
        slice_ms = parameter_slice_ms(parameter) if parameter is not None else 1000 * (cec.slice_s or 0.0)
    together = not weighs and cec.dispatching == "together"
    switch_ms = 1000 * (cec.switch_s or 0.0)
    return Machine(processors, domains, devices, slice_ms, switch_ms, parameter, together, weighs)


def check_fits(file: str, used: float, processors: float, source: str) -> list[Problem]:
    """A problem where partitions used more processors than they share; `source` says where that number is from.

    >>> [one["what"] for one in check_fits("day", 3.238, 2, "--assume processors=2")]
    ['the partitions used 3.24 processors, and share 2']
    >>> check_fits("day", 2.01, 2, "PARTITION DATA")
    []
    """
    if used <= processors * (1 + _SKEW):
        return []
    what = f"the partitions used {used:.2f} processors, and share {processors:g}"
    why = f"{source}; no partition uses a processor that is not there"
    allowed = f"{plural(math.ceil(used), 'processor')} or more"
    return [problem(what, file=file, key="processors", why=why, allowed=allowed)]


def run_ms(processors: int, logicals: int) -> float:
    """The run time of PR/SM: 25 ms x shared physical / logical processors, from 12.5 to 25 ms (PR/SM Planning Guide).

    >>> run_ms(4, 6), run_ms(2, 8)
    (16.666666666666668, 12.5)
    """
    return min(25.0, max(12.5, 25.0 * processors / max(logicals, 1)))


def _by_target(sharing: Sequence[Partition], processors: int) -> Iterator[_Domain]:
    targets = sum(_share(partition.target_percent) for partition in sharing)
    for partition in sharing:
        share = min(_share(partition.target_percent) / targets, _share(partition.maximum_percent))
        yield _Domain(partition.name, share, partition.logical_processors, share * processors, _reload_ms(partition))


def _by_weight(sharing: Sequence[Partition], processors: int, caps: Mapping[str, float]) -> Iterator[_Domain]:
    weights = sum(partition.weight or 0 for partition in sharing)
    for partition in sharing:
        share, logicals = (partition.weight or 0) / weights, partition.logical_processors
        most = min(float(logicals), float(processors), float(processors) if partition.cap is None else partition.cap)
        if partition.lpar_group is not None:
            most = min(most, caps[partition.lpar_group])
        if partition.capped:
            most = min(most, share * processors)
        yield _Domain(partition.name, share, logicals, most, _reload_ms(partition))


def _reload_ms(one: Partition) -> float:
    return 1000 * (one.reload_s or 0.0)


def _device(one: Volume, driven: set[str]) -> Device:
    service = _parts(one.service)
    assert one.partition is not None, "it belongs to a partition that shares processors"
    aliased = bool(one.aliases) or one.alias_pool is not None
    return Device(one.name, one.partition, tuple(service) if service is not None else None, aliased, one.name in driven)


def _share(percent: float | None) -> float:
    assert percent is not None, "with slices, every partition that shares processors has a target"
    return percent / 100


_DEVICE = ("io_per_s", "hold_ms", "service_ms", "response_ms", "queue_depth", "in_service")
_DOMAIN = ("effective_percent", "wait_percent", "pending_percent", "management_percent", "cpu_percent")


@dataclass(frozen=True, slots=True)
class Measured:
    """Columns by name, each an array of replications x devices, or of replications x partitions.

    Times in ms, rates per second, shares in percent; what a device without I/O has no value of is NaN.
    """

    devices: Mapping[str, Array]
    domains: Mapping[str, Array]

    def waiting(self, rates: Array) -> Array:
        """Ended waiting I/Os, one value per replication: the hold of each device at given rates per second."""
        return np.asarray((np.nan_to_num(self.devices["hold_ms"]) * rates).sum(axis=1) / 1000)


def measured(scenario: Scenario, devices: Sequence[str], domains: Sequence[str], plan: Plan) -> Measured:
    """Simulate a scenario and keep the named devices and partitions, in the order given.

    Raises InputError when the scenario is wrong and RunError when it cannot go on.
    """
    tables = simulate(scenario.with_(plan.keys()))
    return Measured(
        grid(tables["volumes"], ("volume", devices), _DEVICE, plan.replications),
        grid(tables["partitions"], ("partition", domains), _DOMAIN, plan.replications),
    )


def at_slice(scenario: Scenario, slice_ms: float, switch_ms: float) -> Scenario:
    """The scenario with another slice, or longest run under PR/SM, and another cost of switches; raises InputError."""
    cec = scenario.view.cec
    key = "cec.run_time" if cec is not None and cec.dispatcher == PRSM else "cec.slice"
    return scenario.with_({key: f"{in_scenario(slice_ms)} ms", "cec.switch": f"{in_scenario(switch_ms)} ms"})

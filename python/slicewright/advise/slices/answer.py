"""The answer about slices: the slice of least cost, its range over readings, devices, partitions and their room."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from slicewright._core import Scenario
from slicewright.advise.answer import Advised
from slicewright.advise.notes import demand
from slicewright.advise.slices.machine import (
    RUNS_MS,
    Device,
    Machine,
    Measured,
    at_slice,
    hold_ms,
    machine_of,
    measured,
)
from slicewright.advise.slices.request import MARGIN_PERCENT, SWITCH_MS, SWITCHES_MS, SliceRequest
from slicewright.advise.source import doubts, grown, recorded
from slicewright.advise.target import Target
from slicewright.advise.whole_machine import SLOWER_PERCENT, harm, machine_at, own_parts
from slicewright.experiment.outcome import Array
from slicewright.experiment.plan import Plan
from slicewright.experiment.simulations import SEED
from slicewright.experiment.store import warm_up_of
from slicewright.results.busiest import Change
from slicewright.scenario.sharing import PARAMETERS, parameter_slice_ms
from slicewright.scenario.view import View
from slicewright.statistics import Estimate, estimate, fixed, paired, plural, significant
from slicewright.values.errors import Problem, problem, refusal
from slicewright.values.numerals import in_scenario
from slicewright.values.progress import Progress, silent, waiting

_BINDS = 0.02
"""A share with less than this of it idle is taken for used up."""


@dataclass(frozen=True, slots=True)
class Recommended:
    """The slice that costs least under the main reading, the least and the most over all, and a scheduling parameter.

    `parameter` is the one of 1 to 5 whose slice costs least of those five; None where switches take most of each.
    """

    slice_ms: float
    low_ms: float
    high_ms: float
    parameter: int | None


@dataclass(frozen=True, slots=True)
class Held:
    """How long ended I/O waits at one slice: simulated, its range over readings, and by the exact formula (ms).

    `exact_ms` is None where the formula says nothing.
    """

    simulated: Estimate
    low_ms: float
    high_ms: float
    exact_ms: float | None


@dataclass(frozen=True, slots=True)
class SlicePoint:
    """One slice: the hold of the mean I/O and of each device, what switches take, and the cost of both.

    `waiting` is the mean number of ended I/Os at the rates of now; `lost` is in processors; cost = waiting + weight x
    lost.
    """

    slice_ms: float
    hold: Held
    devices: Mapping[str, Held]
    waiting: Estimate
    lost: float
    switch_percent: float
    cost: Estimate


@dataclass(frozen=True, slots=True)
class DeviceLine:
    """A device as it is now: I/O per second, service in ms, and whether its own turn comes too late for it.

    `dear` when a frame is longer than its service (two equal shares: a slice above half of it).
    """

    name: str
    domain: str
    io_per_s: float
    service_ms: float
    dear: bool


@dataclass(frozen=True, slots=True)
class _Room:
    """How much a partition can grow: factors of today's demand, and what is full then.

    `low` is the most that was simulated and not full, `high` the least that was; `bound` follows from laws alone.
    """

    low: float
    high: float
    bound: float
    full: str


@dataclass(frozen=True, slots=True)
class DomainLine:
    """A partition: shares of the shared processors due, and used (0 to 1), its idle part of its turns, and its room."""

    name: str
    due: float
    got: Estimate | None
    """None where its computing is not known."""
    idle: float
    """Share of its turns in which it had no work."""
    room: _Room | None

    @property
    def binds(self) -> bool:
        """Whether its share is all used, so that what it gets is what its share caps it at."""
        return self.got is not None and self.idle < _BINDS


@dataclass(frozen=True, slots=True)
class SliceReading:
    """A load that may be behind the evidence, the slice that costs least under it, and why it does not fit if so."""

    name: str
    load: str
    least_ms: float
    text: str = ""
    """The scenario as TOML."""
    why: str = ""

    @property
    def accepted(self) -> bool:
        """Whether it reproduces everything reported."""
        return not self.why


@dataclass(frozen=True, slots=True)
class _SliceTarget:
    """The longest slice that meets a condition, under the main reading; None where none does."""

    target: Target
    slice_ms: float | None


@dataclass(frozen=True, slots=True)
class SliceAnswer(Advised):
    """All of it."""

    now_ms: float | None
    parameter: int | None
    """The scheduling parameter of now, if its slice is that of one."""
    recommendation: Recommended | None
    estimate_ms: float
    """The rule of thumb: half of the mean I/O's service, where a frame of two equal slices fits into it."""
    switch_ms: float
    switch_assumed: bool
    weighs: bool
    """Whether processors go by weight (PR/SM): slices are then longest runs."""
    processor: float
    """How many waiting I/Os a processor that is lost to switches costs as much as."""
    curve: tuple[SlicePoint, ...]
    devices: tuple[DeviceLine, ...]
    domains: tuple[DomainLine, ...]
    readings: tuple[SliceReading, ...]
    warnings: tuple[str, ...] = ()
    at: tuple[float, ...] = ()
    target: _SliceTarget | None = None
    growth: float = 1.0
    scenario: str = field(default="", repr=False)
    """The scenario of the main reading, as it is now."""
    plan: Plan | None = None
    """How long each slice was simulated."""
    whole: Change | None = None
    """Of a scenario: the whole machine as it is, and with the slice of least cost."""

    def point(self, slice_ms: float | None) -> SlicePoint | None:
        """The point of the curve with this slice."""
        return next((point for point in self.curve if point.slice_ms == slice_ms), None)


_FULL = 1 - _BINDS
"""A device that is busy for more than this share of the time is taken for full."""
_MOST_GROWTH = 16.0
_LARGEST = 100_000
"""The largest population of the scenario language."""
_STEP = 1.02
"""How near the factor that is full and the one that is not come to each other."""


@dataclass
class Growing:
    """A scenario under more and less demand (`scenario` of a factor), at one slice; each factor is simulated once."""

    scenario: Callable[[float], Scenario]
    machine: Machine
    plan: Plan
    slice_ms: float
    switch_ms: float
    seen: dict[float, Measured] = field(default_factory=dict)

    def at(self, factor: float) -> Measured:
        """The outcome when all demand is `factor` times today's."""
        if factor not in self.seen:
            scenario = at_slice(self.scenario(factor), self.slice_ms, self.switch_ms)
            names = [device.name for device in self.machine.devices]
            self.seen[factor] = measured(scenario, names, [domain.name for domain in self.machine.domains], self.plan)
        return self.seen[factor]

    def full(self, domain: str, factor: float) -> str:
        """What of a partition is full at a growth: its share of the processors, or devices; empty when nothing is."""
        trial, names = self.at(factor), [domain.name for domain in self.machine.domains]
        if self.idle(trial, names.index(domain)) < _BINDS:
            return self._limit(names.index(domain))
        full = [name for name, busy in self._busy(trial, domain) if busy > _FULL]
        return f"volume {full[0]}" + (f" and {len(full) - 1} more" if len(full) > 1 else "") if full else ""

    def _limit(self, at: int) -> str:
        """An absolute cap, where there is one below all that it could have; else its share, which may be one."""
        one, processors = self.machine.domains[at], self.machine.processors
        by_share = math.isclose(one.most, one.share * processors)
        if by_share or one.most >= min(one.logicals, processors):
            return "its share of the processors"
        return f"its cap of {one.most:.4g} of the {plural(processors, 'processor')}"

    def bound(self, domain: str) -> tuple[float, str]:
        """The factor at which processors or a device would be full if all grew in proportion, and which of them."""
        trial, names = self.at(1.0), [domain.name for domain in self.machine.domains]
        idle = self.idle(trial, names.index(domain))
        used = [(1 - idle, self._limit(names.index(domain)))] + [
            (busy, f"volume {name}") for name, busy in self._busy(trial, domain)
        ]
        most, what = max(used)
        return (1 / most if most > 0 else math.inf), what

    def idle(self, trial: Measured, at: int) -> float:
        """Share of what a partition can have that it has no work for."""
        if not self.machine.weighs:
            columns = [trial.domains[name][:, at] for name in ("wait_percent", "effective_percent")]
            wait, effective = (float(column.mean()) for column in columns)
            return wait / (wait + effective) if wait + effective > 0 else 0.0
        used = trial.domains["cpu_percent"].mean(axis=0) / 100
        one, everybody = self.machine.domains[at], float(used.sum()) / self.machine.processors
        if everybody > _FULL and used[at] > _FULL * one.share * self.machine.processors:
            return 0.0
        return max(0.0, 1 - float(used[at]) / one.most)

    def _busy(self, trial: Measured, domain: str) -> list[tuple[str, float]]:
        """How busy each device of a partition is, until its interrupts are handled; those with aliases are omitted."""
        found = []
        for at, device in enumerate(self.machine.devices):
            if device.domain == domain and not device.aliased and not device.redriven:
                rates, holds, times = (trial.devices[name][:, at] for name in ("io_per_s", "hold_ms", "service_ms"))
                found.append((device.name, float(np.nan_to_num(rates * (holds + times)).mean()) / 1000))
        return found


def _domain_lines(
    growing: Growing,
    headroom: bool,
    busy: Sequence[str] | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> tuple[DomainLine, ...]:
    """A line per partition that shares; without `headroom` nothing is grown.  `busy`: whose CPU time is known."""
    machine, trial = growing.machine, growing.at(1.0)
    lines = []
    for at, domain in enumerate(machine.domains):
        got = estimate((trial.domains["cpu_percent"][:, at] / 100 / machine.processors).tolist())
        works = any(each.domain == domain.name for each in machine.devices)
        room = _room(growing, domain.name) if headroom and works else None
        known = busy is None or domain.name in busy
        lines.append(DomainLine(domain.name, domain.share, got if known else None, growing.idle(trial, at), room))
        progress((at + 1) / len(machine.domains))
    return tuple(lines)


def most_growth(view: View) -> float:
    """The most that demand is tried to grow: no population beyond what the language takes."""
    counts = [*(kind.count for kind in view.virtual_machines), *(guest.count or 1 for guest in view.guests)]
    return min(_MOST_GROWTH, _LARGEST / max(counts))


def _room(growing: Growing, domain: str) -> _Room:
    bound, what = growing.bound(domain)
    now = growing.full(domain, 1.0)
    if now:
        return _Room(1.0, 1.0, bound, now)
    most = most_growth(growing.scenario(1.0).view)
    if bound >= most:
        return _Room(most, math.inf, bound, what)
    low, high, full = 1.0, max(bound, min(_STEP, most)), ""
    while not (full := growing.full(domain, high)):
        if high >= most:
            return _Room(high, math.inf, bound, what)
        low, high = high, min(1.5 * high, most)
    while high / low > _STEP:
        middle = math.sqrt(low * high)
        found = growing.full(domain, middle)
        low, high, full = (low, middle, found) if found else (middle, high, full)
    return _Room(low, high, bound, full)


_GRID_MS = (0.5, *map(float, range(1, 17)), 18.0, 20.0, 22.0, 25.0, 28.0, 30.0, 35.0, 40.0)
"""Slices that are always looked at, those of all scheduling parameters among them."""


@dataclass
class _Lengths:
    """One reading at every slice, simulated when first asked for.

    `plan` is how long to look, `switch_ms` what a switch takes.
    """

    name: str
    scenario: Scenario
    machine: Machine
    plan: Plan
    switch_ms: float
    rates: Array
    """I/O per second of each device, by which holds are weighted: those of now."""
    ends: Array
    """By how much each device's hold may be less and more: 2 x devices, 1 where it reproduces the evidence."""
    seen: dict[float, Measured] = field(default_factory=dict)

    def at(self, slice_ms: float) -> Measured:
        """The trial at a slice."""
        if slice_ms not in self.seen:
            devices = [device.name for device in self.machine.devices]
            domains = [domain.name for domain in self.machine.domains]
            self.seen[slice_ms] = measured(
                at_slice(self.scenario, slice_ms, self.switch_ms), devices, domains, self.plan
            )
        return self.seen[slice_ms]

    def waiting(self, slice_ms: float) -> Array:
        """Ended waiting I/Os, per replication."""
        return self.at(slice_ms).waiting(self.rates)

    def hold(self, slice_ms: float) -> Array:
        """The hold of the mean I/O in ms, per replication."""
        return np.asarray(1000 * self.waiting(slice_ms) / self.rates.sum())

    def held(self, slice_ms: float, at: int | None = None) -> tuple[float, float]:
        """The least and the most that the hold of the mean I/O, or of a device, may be on average."""
        holds = self.at(slice_ms).devices["hold_ms"]
        if at is None:
            waiting = [(np.nan_to_num(holds) * end * self.rates).sum(axis=1) / 1000 for end in self.ends]
            low, high = (float((1000 * each / self.rates.sum()).mean()) for each in waiting)
            return low, high
        known = holds[:, at][np.isfinite(holds[:, at])]
        mean = float(known.mean()) if known.size else math.nan
        return mean * float(self.ends[0, at]), mean * float(self.ends[1, at])

    def exact(self, device: Device, slice_ms: float) -> float | None:
        """The hold of a device by the exact formula; None where its service grows with others, and under PR/SM."""
        if device.service is None or self.machine.weighs:
            return None
        return hold_ms(self.machine.turn(device.domain, slice_ms, self.switch_ms), device.service)

    def lost(self, slice_ms: float, switch_ms: float) -> float:
        """Processors lost to switches of `switch_ms`: as fixed slices have it, or as often as PR/SM switches."""
        if not self.machine.weighs:
            return self.machine.switching(slice_ms, switch_ms)
        managed = self.at(slice_ms).domains["management_percent"].mean(axis=0) / 100
        lost = float(sum(domain.logicals * share for domain, share in zip(self.machine.domains, managed, strict=True)))
        return lost * switch_ms / self.switch_ms if self.switch_ms > 0 else lost


@dataclass(frozen=True, slots=True)
class _Prices:
    """How many waiting I/Os a lost processor costs as much as, and what else a switch may take (ms)."""

    processor: float
    switches_ms: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    """The curve, the cheapest of it, that of each reading, and what meets the condition."""

    points: tuple[SlicePoint, ...]
    recommended: Recommended
    least_ms: tuple[float, ...]
    target: _SliceTarget | None


def _cheapest(
    readings: Sequence[_Lengths], question: SliceRequest, prices: _Prices, progress: Progress = silent
) -> _Found:
    """The slice of least cost: ended waiting I/Os, at the rates of now, plus processors lost to switches, weighted.

    The first reading is the main one.  Other times of a switch make readings too.  The range also has every slice
    whose cost noise cannot tell from the least.
    """
    main = readings[0]
    slices = _grid(main, question)
    switches = sorted({main.switch_ms, *prices.switches_ms})
    costs: dict[tuple[int, float, float], Array] = {}
    done = 0
    for slice_ms in slices:
        for at, reading in enumerate(readings):
            waiting = reading.waiting(slice_ms)
            for switch_ms in switches:
                lost = prices.processor * reading.lost(slice_ms, switch_ms)
                costs[at, switch_ms, slice_ms] = waiting + lost
            done += 1
            progress(done / (len(slices) * len(readings)))
    least, near = [], []
    for at in range(len(readings)):
        for switch_ms in switches:
            own = {slice_ms: costs[at, switch_ms, slice_ms] for slice_ms in slices}
            best = min(own, key=lambda one: float(own[one].mean()))
            near += [slice_ms for slice_ms, cost in own.items() if slice_ms == best or not _dearer(own[best], cost)]
            if switch_ms == main.switch_ms:
                least.append(best)
    five = {
        parameter: float(costs[0, main.switch_ms, parameter_slice_ms(parameter)].mean())
        for parameter in PARAMETERS
        if parameter_slice_ms(parameter) in slices and not main.machine.weighs
    }
    parameter = min(five, key=lambda one: five[one]) if five else None
    recommended = Recommended(least[0], min(near), max(near), parameter)
    points = tuple(_point(readings, slice_ms, prices) for slice_ms in slices)
    return _Found(points, recommended, tuple(least), _target(points, question))


def _grid(reading: _Lengths, question: SliceRequest) -> list[float]:
    """The slices to look at, ascending: a fixed grid, the slice of now and beyond, and those asked for.

    None is so short that switches take half of a partition's turn, but for those asked for.
    """
    now = reading.machine.slice_ms
    more = [slice_ms for slice_ms in (50.0, 70.0, 100.0, 150.0, 250.0, 500.0, 1000.0) if slice_ms <= 1.5 * now]
    wanted = sorted({*_GRID_MS, *more, now, *question.at})
    if reading.machine.weighs:
        return [slice_ms for slice_ms in sorted({*wanted, 50.0, 70.0, 100.0}) if RUNS_MS[0] <= slice_ms <= RUNS_MS[1]]
    shortest = reading.machine.shortest
    return [
        slice_ms for slice_ms in wanted if slice_ms in (now, *question.at) or shortest(slice_ms) > 2 * reading.switch_ms
    ]


def _dearer(best: Array, other: Array) -> bool:
    difference = paired(best.tolist(), other.tolist())
    return difference.low > 0


def _point(readings: Sequence[_Lengths], slice_ms: float, prices: _Prices) -> SlicePoint:
    main = readings[0]
    names = [device.name for device in main.machine.devices]
    waiting, machine = main.waiting(slice_ms), main.machine
    lost = main.lost(slice_ms, main.switch_ms)
    exact = {device.name: main.exact(device, slice_ms) for device in machine.devices}
    devices = {name: _held(readings, slice_ms, at, exact[name]) for at, name in enumerate(names)}
    known = [value for value in exact.values() if value is not None]
    mean = float(np.dot(known, main.rates) / main.rates.sum()) if len(known) == len(names) else None
    hold = Held(estimate(main.hold(slice_ms).tolist()), *_range([each.held(slice_ms) for each in readings]), mean)
    cost = estimate((waiting + prices.processor * lost).tolist())
    percent = 100 * lost / machine.processors
    return SlicePoint(slice_ms, hold, devices, estimate(waiting.tolist()), lost, percent, cost)


def _held(readings: Sequence[_Lengths], slice_ms: float, at: int, exact: float | None) -> Held:
    column = readings[0].at(slice_ms).devices["hold_ms"][:, at]
    simulated = estimate([float(value) for value in column if np.isfinite(value)])
    return Held(simulated, *_range([each.held(slice_ms, at) for each in readings]), exact)


def _range(ends: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The least and the most of ranges; NaN where none is known."""
    known = [(low, high) for low, high in ends if math.isfinite(low)]
    return (min(low for low, _ in known), max(high for _, high in known)) if known else (math.nan, math.nan)


def _target(points: Sequence[SlicePoint], question: SliceRequest) -> _SliceTarget | None:
    if question.target is None:
        return None
    met = [
        point.slice_ms
        for point in points
        if question.target.met(
            {"hold_ms": point.hold.simulated.mean, "switch_percent": point.switch_percent, "cost": point.cost.mean}
        )
    ]
    return _SliceTarget(question.target, max(met) if met else None)


_SHOWN = 4
"""Devices that are named in a line; the others are counted."""

_LEFT_OUT = (
    "the exact formula assumes one I/O at a time, started at any instant of its partition's turn, and immediate"
    " interrupts; it ignores interrupt handlers, starts that bunch at the beginning of a turn, and re-driven devices"
)

_PRSM_RULES = (
    "no exact formula exists, because a run ends at a wait and an interrupt may take a processor; room is"
    " measured with the demand of all partitions grown alike"
)


def span(value_ms: float) -> str:
    """A slice as it is printed.

    >>> span(30.0), span(12.5)
    ('30 ms', '12.5 ms')
    """
    return f"{value_ms:.4g} ms"


def _heading(what: str, machine: Machine, io_per_s: float, now: bool) -> str:
    """The files read and their subject: on a line of its own where `what` ends one."""
    shares = f"{plural(len(machine.domains), 'partition')} share {plural(machine.processors, 'processor')}"
    slices = f", slices of {span(machine.slice_ms)}" if now else ", slices unknown"
    if machine.weighs:
        slices = f" by weight, runs up to {span(machine.slice_ms)}"
    between = "  " if what.endswith("\n") else ": "
    return f"{what}{between}{shares}{slices}; {plural(len(machine.devices), 'device')}, {fixed(io_per_s, 0)} I/O/s"


def _warnings(answer: SliceAnswer, machine: Machine) -> tuple[str, ...]:
    """What is dear as it is now: devices that are faster than a frame, and slices that lose much to switches."""
    lines = []
    chosen, now = answer.recommendation, answer.now_ms
    if chosen is not None and now is not None and now != chosen.slice_ms and chosen.low_ms <= now <= chosen.high_ms:
        lines.append(f"the range contains the present {span(now)}: nothing here shows that a change pays")
    point, many = answer.point(answer.now_ms), len(machine.domains) > 2
    dear = sorted((device for device in answer.devices if device.dear), key=lambda device: -device.io_per_s)
    if answer.now_ms is not None and point and dear:
        names = ", ".join(device.name for device in dear[:_SHOWN]) + (
            f" and {len(dear) - _SHOWN} more" * (len(dear) > _SHOWN)
        )
        times = [fixed(extreme(device.service_ms for device in dear), 1) for extreme in (min, max)]
        shown = " to ".join(dict.fromkeys(times))
        frame = span(answer.now_ms * len(machine.domains))
        start = f"frames of {frame} are longer than" if many else f"slices of {span(answer.now_ms)} are above half of"
        lines.append(
            f"{start} the service of {names} ({shown} ms): an I/O that ends in another's slice waits for its own, "
            f"{fixed(point.hold.simulated.mean, 1)} ms on average"
        )
    if point and point.switch_percent >= 5 and answer.now_ms is not None:
        lines.append(
            f"switches take {fixed(point.switch_percent, 1)} % of the processors at {span(answer.now_ms)}"
            f" ({_assumed(answer)})"
        )
    if not machine.together and not machine.weighs:
        lines.append("processors change hands one by one: an interrupt finds one sooner than in the exact formula")
    return tuple(lines)


def _caveats(answer: SliceAnswer, machine: Machine, question: SliceRequest) -> tuple[str, ...]:
    """What to keep in mind: the formula's limits, what a switch takes, what weighs what, devices it cannot say."""
    lines = [_PRSM_RULES if machine.weighs else _LEFT_OUT]
    if answer.switch_assumed:
        low, high = (significant(switch, 1) for switch in SWITCHES_MS)
        lines.append(
            f"the cost of a switch is unpublished: {_assumed(answer)}; the range has {low} to {high} ms; "
            "--assume switch=..."
        )
    elif answer.switch_ms == 0:
        lines.append("switches are given as free: then the shortest slice is the best one")
    how = "as given"
    if question.assumed.processor is None:
        how = "that share of the processors for the same share of the I/Os in service; --assume processor=..."
    lines.append(
        f"cost = ended I/Os that wait + {significant(answer.processor, 2)} x processors lost to switches: {how}"
    )
    lines.append("cache refills after a switch are part of its cost, or not modelled")
    odd = [device.name for device in machine.devices if device.service is None]
    if odd:
        lines.append(f"no formula for {', '.join(odd[:_SHOWN])}: the service time depends on concurrency or size")
    driven = [device.name for device in machine.devices if device.redriven]
    if driven:
        lines.append(f"{', '.join(driven[:_SHOWN])} is re-driven at each interrupt: its exact hold is only an estimate")
    if answer.growth != 1:
        lines.append(f"{demand(answer.growth)}: closed populations and arrival rates are scaled alike")
    return tuple(lines)


def settings(slice_ms: float) -> str:
    """The scheduling parameter beside a slice, where there is one.

    >>> settings(10.0), settings(9.0)
    (' (5)', '')
    """
    return next((f" ({parameter})" for parameter in PARAMETERS if parameter_slice_ms(parameter) == slice_ms), "")


def _assumed(answer: SliceAnswer) -> str:
    how = "assumed" if answer.switch_assumed else "told"
    return f"{how}, {significant(answer.switch_ms, 1)} ms"


_REPLICATIONS = 10
_IOS = 40_000
"""I/Os simulated for one point of a curve, if that takes twenty seconds of simulated time; else at most MOST_IOS."""
_MOST_IOS = 100_000
_TRIAL = Plan(5.0, 1.0, 2)

_MOST_OFF = 10.0
"""The largest factor of a range."""

_Grow = Callable[[float], Scenario]


@dataclass(frozen=True, slots=True)
class Case:
    """One reading: the scenario with its load in words, and why it does not fit the evidence, if so."""

    name: str
    load: str
    scenario: Scenario
    why: str = ""
    grow: _Grow | None = None
    """The scenario with demand multiplied by a factor; None: by its populations and rates."""
    printed: Mapping[str, float] = field(default_factory=dict)
    """The hold in ms that is printed for a volume: the range of its hold now has it."""
    off: Mapping[str, float] = field(default_factory=dict)
    """The factor by which the hold of a volume may be off, where the case misses another number of it."""

    def grown(self, factor: float) -> Scenario:
        """The scenario with demand multiplied by `factor`; raises InputError."""
        return self.grow(factor) if self.grow and factor != 1 else grown(self.scenario, factor)


@dataclass(frozen=True, slots=True)
class Given:
    """The input of an answer; the first case is the main one.

    `now` says whether the slice of the cases is that of today, `switch_told` whether the time of a switch is given.
    """

    files: tuple[str, ...]
    what: str
    cases: tuple[Case, ...]
    now: bool
    switch_told: bool
    facts: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    headroom: bool = False
    busy: tuple[str, ...] | None = None
    """The partitions whose CPU time is known; None: all of them."""
    reason: str = ""
    """Why nothing is recommended; empty where something is."""


def build(
    given: Given, machine: Machine, question: SliceRequest, progress: Callable[[float], None] = lambda share: None
) -> SliceAnswer:
    """The answer; raises InputError when growth leaves no scenario that runs, RunError when one cannot go on."""
    switch_ms, assumed = _switch(given, machine, question)
    cases = [case for case in given.cases if not case.why] or list(given.cases[:1])
    readings = []
    for case in cases:
        scenario = case.grown(question.growth)
        plan = _plan_of(scenario, machine, waiting(progress))
        rates = _rates(scenario, machine, plan)
        ends = _ends(case, machine, plan, switch_ms)
        readings.append(_Lengths(case.name, scenario, machine, plan, switch_ms, rates, ends))
    main = readings[0]
    if not main.rates.sum() > 0:
        raise refusal(problem("no I/O to advise on", file=given.files[0], why="nothing waits for a slice without I/O"))
    devices = _devices(main)
    prices = _Prices(_weight(devices, machine, question), SWITCHES_MS if assumed else ())
    found = _cheapest(readings, question, prices, lambda share: progress(0.8 * share))
    growing = Growing(
        lambda factor: cases[0].grown(question.growth * factor), machine, main.plan, machine.slice_ms, switch_ms
    )
    growing.seen[1.0] = main.at(machine.slice_ms)
    domains: tuple[DomainLine, ...] = ()
    if given.now and (given.headroom or given.busy != ()):
        domains = _domain_lines(growing, given.headroom, given.busy, lambda share: progress(0.8 + 0.2 * share))
    total = float(main.rates.sum())
    service = sum(device.io_per_s * device.service_ms for device in devices) / total
    least = dict(zip([case.name for case in cases], found.least_ms, strict=True))
    answer = SliceAnswer(
        files=given.files, heading=_heading(given.what, machine, total, given.now),
        now_ms=machine.slice_ms if given.now else None, parameter=parameter_of(machine.slice_ms),
        recommendation=None if given.reason else found.recommended, reason=given.reason, estimate_ms=service / 2,
        switch_ms=switch_ms, switch_assumed=assumed,
        weighs=machine.weighs, processor=prices.processor,
        curve=found.points, devices=devices, domains=domains,
        readings=_told(given, question, least), facts=given.facts, open=given.open,
        needed=given.needed, at=question.at, target=found.target, growth=question.growth,
        scenario=main.scenario.resolved, plan=main.plan,
    )  # fmt: skip
    return replace(answer, warnings=_warnings(answer, machine), caveats=_caveats(answer, machine, question))


def parameter_of(slice_ms: float) -> int | None:
    """The scheduling parameter that gives a slice; None where none does.

    >>> parameter_of(20.0), parameter_of(12.0)
    (3, None)
    """
    return next((parameter for parameter in PARAMETERS if abs(parameter_slice_ms(parameter) - slice_ms) < 1e-9), None)


def _plan_of(scenario: Scenario, machine: Machine, progress: Progress = silent) -> Plan:
    """How long to look: for a number of I/Os, and a warm-up as the scenario declares it, or found by pilots."""
    trial = measured(scenario, [device.name for device in machine.devices], [], _TRIAL)
    rate = float(np.nansum(trial.devices["io_per_s"], axis=1).mean())
    least = float(np.clip(_MOST_IOS / _REPLICATIONS / max(rate, 1e-9), 2.0, 20.0))
    interval = float(f"{float(np.clip(_IOS / _REPLICATIONS / max(rate, 1e-9), least, 300.0)):.2g}")
    warm_up = warm_up_of(scenario, SEED, progress)[0]
    return Plan(interval, float(f"{float(np.clip(warm_up, interval / 20, 2 * interval)):.3g}"), _REPLICATIONS)


def _told(given: Given, question: SliceRequest, least: Mapping[str, float]) -> tuple[SliceReading, ...]:
    return tuple(
        SliceReading(
            case.name, case.load, least.get(case.name, math.nan), case.grown(question.growth).resolved, case.why
        )
        for case in given.cases
    )


def _switch(given: Given, machine: Machine, question: SliceRequest) -> tuple[float, bool]:
    shortest = machine.shortest(machine.slice_ms)
    stated = question.assumed.switch_ms if question.assumed.switch_ms is not None else machine.switch_ms
    assumed = question.assumed.switch_ms is None and not given.switch_told
    switch_ms = min(SWITCH_MS, shortest / 4) if assumed else stated
    problems = []
    if not switch_ms < shortest:
        what = f"a switch of {in_scenario(switch_ms)} ms in turns from {in_scenario(shortest)} ms"
        problems.append(problem(what, key="assume switch", allowed="less than the shortest turn"))
    for slice_ms in question.at:
        if not switch_ms < machine.shortest(slice_ms):
            what = f"turns from {in_scenario(machine.shortest(slice_ms))} ms at slices of {in_scenario(slice_ms)} ms"
            why = f"a switch takes {in_scenario(switch_ms)} ms of each"
            problems.append(problem(what, key="at", why=why, allowed="longer slices, or --assume switch=..."))
        if machine.weighs and not RUNS_MS[0] <= slice_ms <= RUNS_MS[1]:
            problems.append(
                problem(f"{in_scenario(slice_ms)} ms is no run time", key="at", allowed="1 ms to 100 ms under PR/SM")
            )
    if problems:
        raise refusal(*problems)
    return switch_ms, assumed


def _rates(scenario: Scenario, machine: Machine, plan: Plan) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """I/O per second of each device as things are now."""
    now = at_slice(scenario, machine.slice_ms, machine.switch_ms)
    trial = measured(now, [device.name for device in machine.devices], [], plan)
    return np.asarray(np.nan_to_num(trial.devices["io_per_s"]).mean(axis=0))


def _ends(case: Case, machine: Machine, plan: Plan, switch_ms: float) -> Array:
    """By how much each device's hold may be less and more (2 x devices): as far as it is from what is printed."""
    ends = np.ones((2, len(machine.devices)))
    if not case.printed and not case.off:
        return ends
    now = at_slice(case.scenario, machine.slice_ms, switch_ms)
    holds = measured(now, [device.name for device in machine.devices], [], plan).devices["hold_ms"].mean(axis=0)
    for at, (device, hold) in enumerate(zip(machine.devices, holds, strict=True)):
        off = case.off.get(device.name, 1.0)
        ratio = case.printed.get(device.name, hold) / hold if hold > 0 else 1.0
        ends[:, at] = min(1 / off, ratio), max(off, ratio)
    return np.clip(ends, 1 / _MOST_OFF, _MOST_OFF)


def _devices(main: _Lengths) -> tuple[DeviceLine, ...]:
    machine, trial = main.machine, main.at(main.machine.slice_ms)
    lines = []
    for at, device in enumerate(machine.devices):
        times = trial.devices["service_ms"][:, at]
        if not np.isfinite(times).any():
            continue
        service = float(np.nanmean(times))
        frame = machine.slice_ms * len(machine.domains)
        dear = frame > service and not machine.weighs
        lines.append(DeviceLine(device.name, device.domain, float(main.rates[at]), service, dear))
    return tuple(lines)


def _weight(devices: Sequence[DeviceLine], machine: Machine, question: SliceRequest) -> float:
    """ASSUME: a partition that loses a share of the processors loses that share of the I/Os in service."""
    if question.assumed.processor is not None:
        return question.assumed.processor
    return sum(device.io_per_s * device.service_ms for device in devices) / 1000 / machine.processors


_COMPARED = "the curve simulates other slices over a time of its own; a recording covers a fixed time"
"""Why recorded arrivals are refused."""


def answer_scenario(
    data: bytes, file: str, question: SliceRequest, progress: Callable[[float], None] = lambda share: None
) -> SliceAnswer:
    """The answer for the machine as it was built; raises InputError where no partitions share it in slices.

    >>> from slicewright._core import starter
    >>> found = answer_scenario(starter("two-domains").encode(), "two-domains.toml", SliceRequest())
    >>> found.recommendation.parameter
    5
    """
    scenario = Scenario.read(data, file)
    machine = machine_of(scenario.view)
    wrong = _options(question, file) + _nothing_to_share(machine, file) + recorded(scenario.view, file, _COMPARED)
    if wrong or machine is None:
        raise refusal(*wrong)
    changes = scenario.view.changes
    changed = ("changes during the run are ignored: advice is for the machine as defined",) if changes else ()
    steady, stated = scenario.without_changes(), scenario.given("cec.switch") != "default"
    given = Given(
        (file,), f"{file}  scenario", (Case("given", "as the scenario has it", steady),), now=True, switch_told=stated,
        facts=("the scenario gives the load: one reading",),
        open=("slicewright explain lists the sources of the scenario's numbers", *_dedicated(scenario.view), *changed,
              *doubts(grown(steady, question.growth))),
        headroom=True,
    )  # fmt: skip
    return _judged(build(given, machine, question, progress), grown(steady, question.growth))


def _judged(answer: SliceAnswer, scenario: Scenario) -> SliceAnswer:
    """The answer with the whole machine: no slice is recommended that slows dedicated partitions, or all that share."""
    chosen, plan = answer.recommendation, answer.plan
    if chosen is None or plan is None or answer.now_ms is None:
        return answer
    ends = [
        machine_at(at_slice(scenario, length, answer.switch_ms).with_(plan.keys()))
        for length in (answer.now_ms, chosen.slice_ms)
    ]
    change, view, what = Change(*ends), scenario.view, "runs" if answer.weighs else "slices"
    own = [name for line in answer.domains for name in own_parts(view, line.name)]
    words = f"{what} of {span(chosen.slice_ms)}"
    facts = (*answer.facts, *change.told(words, SLOWER_PERCENT))
    answer = replace(answer, whole=change, facts=facts)
    where = harm(change, own)
    return replace(answer, recommendation=None, reason=f"{words} would {where}") if where else answer


def _options(question: SliceRequest, file: str) -> list[Problem]:
    assumed = question.assumed
    given = {
        "slices": question.slice_ms is not None,
        "share": bool(question.shares),
        "assume partitions": assumed.partitions is not None,
        "assume processors": assumed.processors is not None,
        "assume busy": bool(assumed.busy),
        "assume slih": assumed.slih_ms is not None,
        "assume service": assumed.service is not None,
        "assume arrivals": assumed.arrivals is not None,
        "assume margin": assumed.margin_percent != MARGIN_PERCENT,
    }
    why = "the scenario gives it: change it there, or compare other slices with --at"
    return [
        problem("does not apply to a scenario", file=file, key=key, why=why) for key, there in given.items() if there
    ]


def _nothing_to_share(machine: Machine | None, file: str) -> list[Problem]:
    if machine is None:
        why = "partitions share processors in slices"
        allowed = (
            "[cec] with processors and a slice, and two or more [[partition]] in mode MP; slicewright new two-domains"
        )
        return [problem("no slices to advise on", file=file, key="cec", why=why, allowed=allowed)]
    if len(machine.domains) < 2:
        why = "a partition that shares with no other never waits for a processor"
        return [
            problem("no slices to advise on", file=file, key="partition", why=why, allowed="two or more in mode MP")
        ]
    if not machine.devices:
        why = "advise slices measures how long ended I/O waits for a slice"
        allowed = "[[volume]] with partition = the name of one in mode MP"
        return [problem("no volume of a partition in slices", file=file, key="volume", why=why, allowed=allowed)]
    return []


def _dedicated(view: View) -> tuple[str, ...]:
    own = [partition.name for partition in view.partitions if partition.dedicated]
    names = {partition.name for partition in view.partitions} - set(own)
    elsewhere = [volume.name for volume in view.volumes if volume.partition not in names]
    lines = []
    if own:
        lines.append(f"{', '.join(own)}: processors of its own, no slices")
    if elsewhere:
        lines.append(
            f"{plural(len(elsewhere), 'volume belongs', 'volumes belong')} to no partition with slices: ignored"
        )
    return tuple(lines)

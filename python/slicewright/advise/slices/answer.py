"""The answer about slices: the one that costs least, the curve, devices, partitions, readings, evidence and caveats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from slicewright.advise.target import Target
from slicewright.statistics import Estimate

BINDS = 0.02
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
class Room:
    """How much a partition can grow: factors of today's demand, and what is full then.

    `low` is the most that was simulated and not full, `high` the least that was; `bound` follows from laws alone.
    """

    low: float
    high: float
    bound: float
    full: str


@dataclass(frozen=True, slots=True)
class DomainLine:
    """A partition: shares of the shared processors due, and used (0 to 1), its idle part of its turns, and its room.

    >>> line = DomainLine("PROD", 0.5, Estimate(0.41, 0.01, 10), 0.18, None)
    >>> line.binds
    False
    """

    name: str
    due: float
    got: Estimate | None
    """None where its computing is not known."""
    idle: float
    """Share of its turns in which it had no work."""
    room: Room | None

    @property
    def binds(self) -> bool:
        """Whether its share is all used, so that what it gets is what its share caps it at."""
        return self.got is not None and self.idle < BINDS


@dataclass(frozen=True, slots=True)
class SliceReading:
    """A load that may be behind the evidence, the slice that costs least under it, and why it does not fit if so.

    >>> SliceReading("given", "as the scenario has it", 5.0).accepted
    True
    """

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
class SliceTarget:
    """The longest slice that meets a condition, under the main reading; None where none does."""

    target: Target
    slice_ms: float | None


@dataclass(frozen=True, slots=True)
class SliceAnswer:
    """All of it.

    >>> from slicewright.advise.slices.example import advice
    >>> found = advice()
    >>> found.now_ms, found.recommendation.parameter
    (30.0, 5)
    """

    files: tuple[str, ...]
    heading: str
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
    facts: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    reason: str = ""
    at: tuple[float, ...] = ()
    target: SliceTarget | None = None
    growth: float = 1.0
    scenario: str = field(default="", repr=False)
    """The scenario of the main reading, as it is now."""

    def point(self, slice_ms: float | None) -> SlicePoint | None:
        """The point of the curve with this slice."""
        return next((point for point in self.curve if point.slice_ms == slice_ms), None)

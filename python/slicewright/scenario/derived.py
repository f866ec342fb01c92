"""What follows from the values of a scenario's tables: members of the classes of `view`, by the names of these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slicewright.scenario import view


class View:
    """Of a whole scenario."""

    __slots__ = ()
    if TYPE_CHECKING:
        partitions: tuple[view.Partition, ...]
        guests: tuple[view.Guest, ...]

    def partition(self, name: str) -> view.Partition:
        """The partition of this name; raises KeyError."""
        for partition in self.partitions:
            if partition.name == name:
                return partition
        raise KeyError(name)

    @property
    def controlled(self) -> tuple[view.Partition, ...]:
        """The partitions with a control program."""
        return tuple(partition for partition in self.partitions if partition.control_program is not None)

    @property
    def replayed(self) -> tuple[str, ...]:
        """The names of guests whose I/Os were recorded."""
        return tuple(guest.name for guest in self.guests if guest.replay is not None)


class Measure:
    """Of `[measure]`."""

    __slots__ = ()
    if TYPE_CHECKING:
        interval_s: float
        intervals: int

    @property
    def measured_s(self) -> float:
        """The length of all intervals."""
        return self.interval_s * self.intervals


class Partition:
    """Of `[[partition]]`."""

    __slots__ = ()
    if TYPE_CHECKING:
        name: str
        mode: str
        active: bool | None
        polarization: str | None
        control_program: view.ControlProgram | None

    @property
    def program(self) -> view.ControlProgram:
        """Its control program, of a partition that has one."""
        assert self.control_program is not None, f"partition {self.name} has a control program"
        return self.control_program

    @property
    def dedicated(self) -> bool:
        """Whether its processors are its own (mode UP)."""
        return self.mode == "UP"

    @property
    def at_start(self) -> bool:
        """Whether it is there from the start, and not added by a change."""
        return self.active is not False

    @property
    def vertical(self) -> bool:
        """Whether its logical processors are polarized vertically."""
        program = self.control_program
        return "vertical" in (self.polarization, program.polarization if program else None)


class Guest:
    """Of `[[guest]]`."""

    __slots__ = ()
    if TYPE_CHECKING:
        program: tuple[view.Step, ...]

    @property
    def every_step(self) -> Iterator[view.Step]:
        """Every step of the program, those within steps too."""
        return _every(self.program)


class Step:
    """Of a step of a program."""

    __slots__ = ()
    if TYPE_CHECKING:
        do: tuple[view.Step, ...]
        steps: tuple[view.Step, ...]
        choose: tuple[view.Alternative, ...]

    @property
    def within(self) -> Iterator[view.Step]:
        """The steps that it is made of."""
        yield from self.do
        yield from self.steps
        for alternative in self.choose:
            yield from alternative.steps


class PartitionChange:
    """Of a change of a partition."""

    __slots__ = ()
    if TYPE_CHECKING:
        target_percent: float | None
        maximum_percent: float | None
        weight: int | None
        online: int | None

    @property
    def settings(self) -> dict[str, str]:
        """The new share and the processors online, by key, with units."""
        shares = {"target": self.target_percent, "maximum": self.maximum_percent}
        numbers = {"weight": self.weight, "online": self.online}
        counts = {key: str(number) for key, number in numbers.items() if number is not None}
        return counts | {key: f"{share:g} %" for key, share in shares.items() if share is not None}


def srm_settings(srm: view.SrmChange | view.ControlProgram) -> dict[str, str]:
    """Settings of SET SRM, of a change or at the start, by key, with units.

    >>> from slicewright.scenario.starters import read_starter
    >>> srm_settings(read_starter("zvm").view.partitions[0].control_program)["unparking"]
    'small'
    """
    values = {
        "polarization": srm.polarization,
        "method": srm.method,
        "cpupad": None if srm.cpupad_percent is None else f"{srm.cpupad_percent:g} %",
        "excessuse": srm.excessuse,
        "unparking": srm.unparking,
        "slice": None if srm.slice_s is None else f"{1000 * srm.slice_s:g} ms",
    }
    return {key: value for key, value in values.items() if value is not None}


def _every(program: Iterable[view.Step]) -> Iterator[view.Step]:
    for step in program:
        yield step
        yield from _every(step.within)

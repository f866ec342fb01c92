"""The answer of a plan as data: the sets, what each purchase brings, and the machine before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from slicewright.explore.machines import Machines, Seen
from slicewright.explore.purchases import Purchase, Setting
from slicewright.explore.requirements import Requirement
from slicewright.results.busiest import Resource
from slicewright.statistics import Estimate

FURTHEST = 500.0
"""How far growth is followed for the next resource, in percent."""


@dataclass(frozen=True, slots=True)
class Bought:
    """A setting with its cost and what was seen of it."""

    setting: Setting
    cost: float
    seen: Seen


@dataclass(frozen=True, slots=True)
class Alone:
    """What a purchase brings: alone, and in the set: without it where it is in the set, else with it."""

    purchase: Purchase
    level: int
    in_set: bool
    alone: Estimate
    without: Estimate
    helps: str


@dataclass(frozen=True, slots=True)
class Guessed:
    """An assumed number of the scenario that would change the list: the ends of its range, and what changes."""

    key: str
    now: str
    low: str
    high: str
    role: str
    changes: str


@dataclass(frozen=True, slots=True)
class Point:
    """A point of cost against response."""

    setting: Setting
    cost: float
    response: Estimate
    holds: bool


@dataclass(frozen=True)
class Answer:
    """A plan: what was asked, the machine today, grown, and with the set that is recommended."""

    name: str
    machines: Machines
    today: Seen
    grown: Seen
    most: Bought
    """With the largest of everything; where no set holds, the one that comes nearest."""
    chosen: Bought | None
    probability: float
    runner_up: Bought | None
    alone: Sequence[Alone]
    front: Sequence[Point]
    next: tuple[Resource | None, float, str] | None
    """The next resource to fill, the growth in percent, and the requirement that breaks first."""
    carries: float | None
    """The growth in percent that the nearest set carries, where none carries what was asked for."""
    by_reading: Mapping[str, Seen]
    screened: float
    """The largest error of the queueing screen, in percent of full."""
    counts: Mapping[str, int]
    searched: bool
    guesses: tuple[Sequence[Guessed], int]
    """The guesses that would change the list, and how many were tried."""

    @property
    def purchases(self) -> Sequence[Purchase]:
        """All that can be bought."""
        return self.machines.purchases

    @property
    def requirements(self) -> Sequence[Requirement]:
        """All that is required."""
        return self.machines.requirements

    @property
    def doubt(self) -> str:
        """Why nothing is recommended whatever holds: no load is known that reproduces what was measured; "" without."""
        return self.machines.left_open.refused

    @property
    def after(self) -> Seen:
        """The machine that is shown after: with the set, or with everything where none holds."""
        return self.chosen.seen if self.chosen else self.most.seen

    @property
    def percent(self) -> float:
        """The largest growth that was asked for."""
        return max((each.percent for each in self.machines.growth), default=0.0)

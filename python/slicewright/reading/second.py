"""A second measurement of one load with a changed setting: predictions of readings, and the readings that it leaves.

Every reading of the first measurement is simulated with the setting of the second.  A number holds while it lies in the
range over all readings, widened by what its own measurement leaves open.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from slicewright.reading.accept import SURE
from slicewright.reading.evidence import Miss
from slicewright.results.judge import FORETOLD

_TOGETHER = 0.95
"""How often all numbers of one load that did not change are to hold together."""


@dataclass(frozen=True, slots=True)
class Foretold:
    """A number that was measured the second time, as one reading has it; `allowed` is how far it may be off."""

    name: str
    part: str
    measured: float
    simulated: float
    allowed: float

    @classmethod
    def of(cls, miss: Miss) -> Foretold:
        """The same number as a search judges it."""
        return cls(miss.value.name, miss.value.part, miss.value.value, miss.found, miss.allowed)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A number that was measured the second time, and its range over the readings of the first."""

    name: str
    part: str
    measured: float
    low: float
    high: float
    allowed: float

    @property
    def apart(self) -> float:
        """How far it lies outside of the range: above 0 it is more than predicted."""
        return self.measured - min(max(self.measured, self.low), self.high)

    @property
    def held(self) -> bool:
        """Whether the prediction held."""
        return FORETOLD.verdict(self.apart, self.allowed) == "held"

    @property
    def excess(self) -> float:
        """How far it lies outside of the range, in units of what is allowed."""
        return abs(self.apart) / self.allowed if self.allowed else math.inf if self.apart else 0.0

    @property
    def beyond(self) -> float:
        """How far it lies outside of the range, as a share of the nearer end."""
        end = self.high if self.apart > 0 else self.low
        return abs(self.apart) / abs(end) if end else math.inf if self.apart else 0.0


@dataclass(frozen=True, slots=True)
class Second:
    """The outcome of each number, and the places of the readings that all numbers leave."""

    outcomes: tuple[Outcome, ...]
    left: tuple[int, ...]

    @property
    def held(self) -> bool:
        """Whether every number held."""
        return all(outcome.held for outcome in self.outcomes)

    @property
    def moved(self) -> tuple[Outcome, ...]:
        """The numbers that did not."""
        return tuple(outcome for outcome in self.outcomes if not outcome.held)


def second(readings: Sequence[Sequence[Foretold]]) -> Second:
    """The outcome of the predictions of readings, each of the same numbers in the same order.

    A reading stays while each of its numbers is off by no more than is allowed, so that fewer numbers leave no fewer
    readings.

    >>> found = second([[Foretold("io_per_s", "", 110.0, rate, 2.0)] for rate in (100.0, 109.0)])
    >>> found.left, found.held
    ((1,), True)
    """
    outcomes = []
    for numbers in zip(*readings, strict=True):
        simulated = [number.simulated for number in numbers]
        first, allowed = numbers[0], max(number.allowed for number in numbers)
        outcomes.append(Outcome(first.name, first.part, first.measured, min(simulated), max(simulated), allowed))
    left = [
        at
        for at, numbers in enumerate(readings)
        if all(FORETOLD.verdict(number.measured - number.simulated, number.allowed) == "held" for number in numbers)
    ]
    return Second(tuple(outcomes), tuple(left))


def wider(numbers: int) -> float:
    """The factor on the chance of one number, with which all hold together as often as one alone would.

    Bonferroni's inequality, with normal chance.

    >>> wider(1) < wider(2) < wider(20) < 2
    True
    """
    return NormalDist().inv_cdf(1 - (1 - _TOGETHER) / 2 / max(1, numbers)) / SURE

"""The answer to which guess matters, as data: guesses, effects, what a question recommends at the ends of each band."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slicewright._core import Scenario
from slicewright.sensitivity.guesses import Guess, Guesses
from slicewright.sensitivity.points import Quantity
from slicewright.sensitivity.recommendation import Ends
from slicewright.statistics import Estimate

if TYPE_CHECKING:
    from slicewright.sensitivity.indices import Effect, Found, Share


@dataclass(frozen=True, slots=True)
class Line:
    """One guess with all that is known of it."""

    guess: Guess
    effect: Effect
    share: Share | None
    place: int
    """Its place among the guesses of the scenario."""


@dataclass(frozen=True, slots=True)
class Answer:
    """All of it, of one scenario."""

    scenario: Scenario
    """As given, with what was set."""
    measured: Scenario
    """As its points are measured, but for the values of guesses."""
    guesses: Guesses
    quantity: Quantity
    found: Found
    asked: Ends | None
    notes: tuple[str, ...]
    points: int
    """Points in the store."""
    readings: Mapping[str, Estimate]
    """The quantity under each reading that a fit left; empty where the scenario is the only one."""

    @property
    def lines(self) -> list[Line]:
        """The guesses, those that move the answer most first; those of noise alone last."""
        return list(self._lines())

    @property
    def changing(self) -> list[Line]:
        """The guesses that would change the recommendation."""
        return [line for line in self.lines if self.asked is not None and self.asked.changes(line.place)]

    def _lines(self) -> Iterator[Line]:
        for at in self.found.ranked:
            yield Line(self.guesses.vary[at], self.found.effects[at], self.found.shares.get(at), at)

"""Which measured intervals a fit is shown and which it has to predict, by a rule that looks at no value."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from slicewright.errors import problem, refusal

ALLOWED = "0..11, or parts such as 0..5,8,10..11"

FEWEST = 2
"""Intervals without which there is nothing to fit and something to predict."""


@dataclass(frozen=True, slots=True)
class Split:
    """Numbers of intervals from 0, in order: those shown, those held out, and the rule in words.

    >>> Split.of(5)
    Split(shown=(0, 2, 4), held_out=(1, 3), rule='every second interval is held out')
    """

    shown: tuple[int, ...]
    held_out: tuple[int, ...]
    rule: str

    def among(self, known: Collection[int]) -> Split:
        """The split of the intervals that hold values; the numbers and the rule stay.

        >>> Split.of(5).among([0, 1, 2, 3])
        Split(shown=(0, 2), held_out=(1, 3), rule='every second interval is held out')
        """
        shown, held_out = (
            tuple(interval for interval in part if interval in known) for part in (self.shown, self.held_out)
        )
        if not shown or not held_out:
            which = "shown" if not shown else "held-out"
            raise refusal(problem(f"no {which} interval holds values of volumes", key="shown", allowed=ALLOWED))
        return Split(shown, held_out, self.rule)

    @staticmethod
    def of(intervals: int, shown: str | None = None, file: str = "") -> Split:
        """The split of some intervals: every second one is held out, or all but the shown ones (`0..11,14`).

        Raises InputError where either part would be empty, or for text that names no intervals.

        >>> Split.of(5, "0..2").held_out
        (3, 4)
        """
        if intervals < FEWEST:
            why = "a fit is shown some intervals and predicts others"
            raise refusal(problem(f"has {intervals} interval", file=file, why=why, allowed="two intervals or more"))
        if shown is None:
            numbers = range(intervals)
            return Split(tuple(numbers[::2]), tuple(numbers[1::2]), "every second interval is held out")
        chosen = _numbers(shown, intervals)
        others = tuple(number for number in range(intervals) if number not in chosen)
        if not others:
            why = "no interval is left to predict"
            raise refusal(problem("every interval is shown", key="shown", why=why, allowed=ALLOWED))
        return Split(tuple(sorted(chosen)), others, f"intervals {shown} are shown")


def _numbers(text: str, intervals: int) -> set[int]:
    chosen: set[int] = set()
    for part in text.split(","):
        found = re.fullmatch(r"\s*([0-9]{1,6})(?:\.\.([0-9]{1,6}))?\s*", part)
        if found is None:
            raise refusal(problem(f"names no intervals: {text[:40]!r}", key="shown", allowed=ALLOWED))
        first, last = int(found[1]), int(found[2] or found[1])
        if first > last or last >= intervals:
            allowed = f"0 to {intervals - 1}, the first number not above the second"
            raise refusal(problem(f"there are no intervals {part.strip()}", key="shown", allowed=allowed))
        chosen |= set(range(first, last + 1))
    return chosen

"""The directions that a document states: whether they hold of the means over sets, and of how many sets."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from slicewright.statistics import Estimate, fixed
from slicewright.study.ensemble.beside import of_set

Found = Mapping[tuple[str, ...], Estimate]
"""Values by table, row and column; those of sets in columns of their own."""

Key = tuple[str, str, str]
"""A value by its table, its row and its column, which may be empty."""

Rule = Callable[[list[float]], bool]


@dataclass(frozen=True, slots=True)
class Direction:
    """A direction: whether it holds of the means over the ensemble, what was found, and of how many sets it holds.

    >>> Direction("gains grow", True, "1 to 2 %", 7, 8).said
    'holds (in 7 of 8 sets): gains grow: 1 to 2 %'
    """

    what: str
    holds: bool
    found: str
    sets: int
    of: int

    @property
    def said(self) -> str:
        """The direction in one line."""
        verdict = "holds" if self.holds else "does not hold"
        does = "" if self.holds else "it does "
        among = f" ({does}in {self.sets} of {self.of} sets)" if self.of else ""
        return f"{verdict}{among}: {self.what}: {self.found}"


def growing(values: list[float]) -> bool:
    """Whether each value is above the one before.

    >>> growing([1.0, 2.0]), growing([2.0, 2.0])
    (True, False)
    """
    return all(value < other for value, other in itertools.pairwise(values))


def direction(found: Found, what: str, keys: Sequence[Key], rule: Rule) -> Direction | None:
    """A direction of the means over sets, and set by set; None where no set has all values.

    >>> values = {("f", "gain", "n=1 set 1"): Estimate(1, 0, 1), ("f", "gain", "n=2 set 1"): Estimate(2, 0, 1)}
    >>> direction(values, "gains grow", [("f", "gain", "n=1"), ("f", "gain", "n=2")], growing).said
    'holds (in 1 of 1 sets): gains grow: 1.0, 2.0'
    """
    by_set: list[list[float]] = []
    while all((table, row, of_set(column, len(by_set) + 1)) in found for table, row, column in keys):
        own = of_set("", len(by_set) + 1)
        by_set.append([found[table, row, f"{column} {own}".strip()].mean for table, row, column in keys])
    if not by_set:
        return None
    means = [sum(values) / len(values) for values in zip(*by_set, strict=True)]
    shown = ", ".join(fixed(mean, 0 if mean >= 1000 else 1) for mean in means)
    return Direction(what, rule(means), shown, sum(map(rule, by_set)), len(by_set))

"""Constants that a scenario assumes or borrows, what else they may be, and what would be chosen then."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from slicewright._core import Scenario
from slicewright.values.numerals import in_scenario

OPEN = ("assumed", "borrowed")
"""Roles of numbers that were not measured on this system."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A number of the scenario that is assumed or borrowed, by its key.

    >>> Constant("virtual_machine.LINUX.spin_try", "8 ns", "assumed", "").times(0.5)
    'virtual_machine.LINUX.spin_try="4 ns"'
    """

    key: str
    value: str
    role: str
    why: str

    @property
    def number(self) -> float:
        """The value without its unit; 0 where it does not begin with a number."""
        found = re.match(r"[0-9.]+", self.value)
        return float(found[0]) if found else 0.0

    @property
    def unit(self) -> str:
        """The unit of the value."""
        return re.sub(r"^[0-9.]+", "", self.value).strip()

    def times(self, factor: float) -> str:
        """The value times a factor, as `--set` takes it."""
        return f'{self.key}="{in_scenario(self.number * factor)} {self.unit}"'


@dataclass(frozen=True, slots=True)
class Variation:
    """Constants of one kind with other values: a name, what is different, and the keys as `--set` has them."""

    name: str
    what: str
    changes: tuple[str, ...]


GIVEN = Variation("given", "as the scenario has it", ())
"""The scenario as it is, the first reading of all."""


def constants_where(scenario: Scenario, wanted: Callable[[Constant], bool]) -> tuple[Constant, ...]:
    """The numbers of a scenario that are wanted, in its order.

    >>> from slicewright.scenario.starters import read_starter
    >>> constants_where(read_starter("zvm"), lambda one: one.key.endswith("lock.hold"))[0].value
    '0.7 us'
    """
    every = (Constant(row["key"], row["value"], row["role"], row["why"]) for row in scenario.explain())
    return tuple(constant for constant in every if wanted(constant))


def variations_of(
    kinds: Iterable[tuple[str, str, Sequence[Constant], float]],
    scaled: Callable[[Constant, float], str] = Constant.times,
) -> list[Variation]:
    """A variation per kind of constants (name, what is different, constants, factor) that a scenario has.

    >>> tries = [Constant("virtual_machine.LINUX.spin_try", "8 ns", "assumed", "")]
    >>> [one.name for one in variations_of([("short", "half", tries, 0.5), ("none", "half", [], 0.5)])]
    ['short']
    """
    found = [
        Variation(name, what, tuple(scaled(constant, factor) for constant in constants))
        for name, what, constants, factor in kinds
    ]
    return [variation for variation in found if variation.changes]

"""What is measured: filters, their rules and orders; the settings for the constants; and everything that is wrong."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from slicewright.errors import problem, refusal
from slicewright.live.chosen import chosen
from slicewright.live.grid import processor_problems
from slicewright.live.hooks.program import ORDERS, Order, comparisons, filter_program, refused

RUNS = 6
"""Runs of each setting, each on a thread of its own; their range holds the median of all runs with 97 %."""
LEAST_RUN_S, LONGEST_S = 0.01, 600.0
MOST_RULES, MOST_FILTERS = 4096, 64
STEPS = {"rules": 10, "filters": 4}
"""A range is taken in steps by this factor, from its upper end down."""


@dataclass(frozen=True, order=True)
class Setting:
    """A number of filters, each with the same number of rules in an order.

    >>> Setting("list", 100, 4).compared, Setting("bitmap", 100, 4).compared
    ((100, 100, 100, 100), ())
    """

    order: Order
    rules: int
    filters: int

    @property
    def compared(self) -> tuple[int, ...]:
        """Comparisons of a call in each filter that runs; none runs where the bitmap answers."""
        if self.order == "bitmap":
            return ()
        return (comparisons(filter_program(self.rules, self.order)),) * self.filters

    @property
    def refused(self) -> str:
        """Why the kernel does not take it; empty where it does."""
        return refused(filter_program(self.rules, self.order), self.filters)


FEW, MANY, RULED, FAR = Setting("list", 0, 2), Setting("list", 0, 6), Setting("list", 1000, 2), Setting("list", 1000, 8)
CALIBRATIONS = (FEW, MANY, RULED, FAR)
"""The settings that the constants are from; no other setting is used for them."""


@dataclass(frozen=True)
class Plan:
    """Rules of a filter, filters, orders, the processor, and seconds for each setting.

    >>> len(Plan().settings), Plan().left_out
    (32, {'tree, 2,000 rules, 16 filters': '65,056 instructions in all filters; the kernel takes 32,768'})
    """

    rules: tuple[int, ...] = (0, 20, 200, 2000)
    filters: tuple[int, ...] = (1, 4, 16)
    orders: tuple[Order, ...] = ORDERS
    processor: int = 0
    seconds: float = 0.6

    @property
    def asked(self) -> list[Setting]:
        """All settings that were asked for; without rules all orders are one."""
        return [
            Setting(order, rules, filters)
            for order in self.orders
            for rules in self.rules
            for filters in self.filters
            if rules or order in (self.orders[0], "bitmap")
        ]

    @property
    def settings(self) -> list[Setting]:
        """Those that the kernel takes."""
        return [setting for setting in self.asked if not setting.refused]

    @property
    def left_out(self) -> dict[str, str]:
        """Those that it does not take, and why."""
        return {named(setting): setting.refused for setting in self.asked if setting.refused}

    @property
    def programs(self) -> dict[tuple[Order, int], tuple[int, ...]]:
        """Of each filter how many are measured, those of the constants among them, in rising order."""
        found: dict[tuple[Order, int], set[int]] = {}
        for setting in (*CALIBRATIONS, *self.settings):
            found.setdefault((setting.order, setting.rules), set()).add(setting.filters)
        return {program: tuple(sorted(counts)) for program, counts in found.items()}

    @property
    def run_s(self) -> float:
        """Seconds of one run of one setting."""
        return self.seconds / RUNS

    @property
    def length_s(self) -> float:
        """Seconds of all runs: of each filter a call without it too."""
        return self.seconds * sum(1 + len(counts) for counts in self.programs.values())

    def check(self) -> Plan:
        """The same plan; raises InputError with everything that is wrong with it.

        >>> Plan(rules=(-1,)).check()  # doctest: +IGNORE_EXCEPTION_DETAIL
        Traceback (most recent call last):
        slicewright._core.InputError: rules: -1 rules
        """
        problems = [*_numbers(self), *processor_problems(self.processor)]
        if not problems and not self.settings:
            why = "; ".join(dict.fromkeys(self.left_out.values()))
            problems.append(problem("no setting that the kernel takes", key="rules", why=why, allowed="fewer rules"))
        if not problems and not (self.run_s >= LEAST_RUN_S and self.length_s <= LONGEST_S):
            what = f"{self.seconds:.4g} s for each setting, {self.length_s:.4g} s in all"
            allowed = f"at least {RUNS * LEAST_RUN_S:.4g} s each, at most {LONGEST_S:.0f} s in all"
            problems.append(problem(what, key="for", why=f"each is measured in {RUNS} runs", allowed=allowed))
        if problems:
            raise refusal(*problems)
        return self


def named(setting: Setting) -> str:
    """A setting in words.

    >>> named(Setting("tree", 2000, 1))
    'tree, 2,000 rules, 1 filter'
    """
    rules = f"{setting.rules:,} rule{'' if setting.rules == 1 else 's'}"
    return f"{setting.order}, {rules}, {setting.filters} filter{'' if setting.filters == 1 else 's'}"


def _numbers(plan: Plan) -> list[dict[str, Any]]:
    found = []
    for key, values, (low, high) in (
        ("rules", plan.rules, (0, MOST_RULES)),
        ("filters", plan.filters, (1, MOST_FILTERS)),
    ):
        wrong = [value for value in values if not low <= value <= high]
        if wrong or not values:
            what = f"{', '.join(map(str, wrong)) or 'no number of'} {key}"
            found.append(problem(what, key=key, allowed=f"{low} to {high:,}"))
    if not plan.orders:
        found.append(problem("no order", key="order", allowed=", ".join(ORDERS)))
    return found


def range_of(text: str, key: str) -> tuple[int, ...]:
    """Whole numbers as they are written: a list, or a range in steps by a factor from its upper end down.

    Raises InputError with every word that is none.

    >>> range_of("0..2000", "rules"), range_of("1..16", "filters"), range_of("1,8", "filters")
    ((0, 2, 20, 200, 2000), (1, 4, 16), (1, 8))
    """
    found: list[int] = []
    wrong = []
    for word in (word.strip() for word in text.split(",")):
        match = re.fullmatch(r"([0-9]{1,6})(?:\.\.([0-9]{1,6}))?", word)
        if match is None or (match[2] and int(match[2]) < int(match[1])):
            wrong.append(problem(f"not a number or a range: {word!r}", key=key, allowed="100, or 0..2000"))
            continue
        found += _steps(int(match[1]), int(match[2] or match[1]), STEPS[key])
    if wrong:
        raise refusal(*wrong)
    return tuple(sorted(set(found)))


def _steps(low: int, high: int, factor: int) -> list[int]:
    found = [low]
    while high > low:
        found.append(high)
        high //= factor
    return found


def orders_of(text: str) -> tuple[Order, ...]:
    """The orders that a list names.

    Raises InputError with every word that is none.

    >>> orders_of("list, tree")
    ('list', 'tree')
    """
    return chosen(text, "order", "order", ORDERS)

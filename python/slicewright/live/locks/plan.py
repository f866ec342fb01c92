"""What is measured: threads, processors, hogs, holding times and methods; and everything that is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from slicewright.errors import problem, refusal
from slicewright.live.chosen import chosen

Method = Literal["spin", "ticket", "yield", "ticket-yield", "futex", "handover"]
"""How a thread waits; `slicewright live yields --help` explains each."""

METHODS: tuple[Method, ...] = get_args(Method)

RUNS = 5
"""Runs of each pair, which the interval of a live mean is made from."""

LEAST_RUN_S, LONGEST_S = 0.1, 900.0
MOST_THREADS, MOST_HOGS = 64, 64
HOLD_US, THINK_US = (0.1, 10_000.0), (1.0, 10_000.0)


@dataclass(frozen=True)
class Plan:
    """Threads on processors, hogs beside them, holding times and work outside the lock in us, seconds for each pair.

    >>> Plan().length_s
    108.0
    >>> len(Plan().pairs)
    54
    """

    threads: int = 4
    processors: tuple[int, ...] = (0,)
    hogs: tuple[int, ...] = (0, 1, 2)
    holds_us: tuple[float, ...] = (2.0, 20.0, 200.0)
    methods: tuple[Method, ...] = METHODS
    think_us: float = 100.0
    tries: int = 100
    seconds: float = 2.0
    seed: int = 1

    @property
    def pairs(self) -> list[tuple[Method, int, float]]:
        """Method, hogs and holding time of each pair, in the order in which they are shown."""
        return [(method, hogs, hold) for hold in self.holds_us for hogs in self.hogs for method in self.methods]

    @property
    def run_s(self) -> float:
        """How long one run is, in seconds."""
        return self.seconds / RUNS

    @property
    def length_s(self) -> float:
        """How long the threads of all pairs run, in seconds."""
        return self.seconds * len(self.pairs)

    def check(self) -> Plan:
        """The same plan; raises InputError with everything that is wrong with it.

        >>> Plan(threads=0).check()  # doctest: +IGNORE_EXCEPTION_DETAIL
        Traceback (most recent call last):
        slicewright._core.InputError: threads: 0 threads
        """
        problems = [*_numbers(self), *_length(self)]
        if problems:
            raise refusal(*problems)
        return self


def _numbers(plan: Plan) -> list[dict[str, Any]]:
    found = []

    def bounded(key: str, values: Sequence[float], bounds: tuple[float, float], unit: str) -> None:
        wrong = [value for value in values if not bounds[0] <= value <= bounds[1]]
        if wrong or not values:
            what = f"{', '.join(f'{value:.6g}' for value in wrong) or 'no number'} {unit}"
            found.append(problem(what, key=key, allowed=f"{bounds[0]:g} to {bounds[1]:g}"))

    bounded("threads", [plan.threads], (1, MOST_THREADS), "threads")
    bounded("hogs", plan.hogs, (0, MOST_HOGS), "threads beside them")
    bounded("hold", plan.holds_us, HOLD_US, "us under the lock")
    bounded("think", [plan.think_us], THINK_US, "us outside the lock")
    bounded("tries", [plan.tries], (1, 1_000_000), "tries before a yield")
    return found


def _length(plan: Plan) -> list[dict[str, Any]]:
    if plan.seconds >= RUNS * LEAST_RUN_S and plan.length_s <= LONGEST_S:
        return []
    what = f"{plan.seconds:.4g} s for each pair, {plan.length_s:.4g} s in all"
    allowed = f"at least {RUNS * LEAST_RUN_S:.4g} s each, at most {LONGEST_S:.0f} s in all"
    return [problem(what, key="for", why=f"each pair is measured in {RUNS} runs", allowed=allowed)]


def methods_of(text: str) -> tuple[Method, ...]:
    """The methods that a list names.

    Raises InputError with every word that is none.

    >>> methods_of("spin, futex")
    ('spin', 'futex')
    """
    return chosen(text, "methods", "method", METHODS)


def counts_of(text: str, key: str) -> tuple[int, ...]:
    """A list of whole numbers from 0 on; raises InputError with every one that is none.

    >>> counts_of("0, 1,2", "hogs")
    (0, 1, 2)
    """
    words = [word.strip() for word in text.split(",")]
    wrong = [
        problem(f"not a whole number: {word!r}", key=key, allowed="0, 1, ...") for word in words if not word.isdecimal()
    ]
    if wrong:
        raise refusal(*wrong)
    return tuple(dict.fromkeys(map(int, words)))


def processors_of(count: int, mine: Sequence[int] | None = None) -> tuple[int, ...]:
    """The last processors that this process may use, this many: the first one has most interrupts.

    Raises InputError where there are fewer.

    >>> processors_of(1, [0, 1, 2])
    (2,)
    """
    if mine is None:
        mine = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    if not 1 <= count <= len(mine):
        what = f"{count} processors where this process may use {len(mine)}"
        raise refusal(problem(what, key="processors", allowed=f"1 to {len(mine)}"))
    return tuple(mine[-count:])

"""The five ways through exits by several threads at once: one lock, as the service has it, a resource for each thread.

Nothing is judged: this is another machine, whose threads and lock are not those of a mainframe.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

from slicewright.report.forms import decimals
from slicewright.report.model import Column, Table

ROUNDS = 3
"""How often each is timed, by turns, so that a busy moment hits every one."""


@dataclass(frozen=True, slots=True)
class Threaded:
    """Pairs by a number of threads: ns of elapsed time a pair, all threads together, round by round.

    >>> made = Threaded("batch", 2, (500.0, 400.0, 450.0))
    >>> made.typical, round(made.pairs_per_s)
    (450.0, 2222222)
    """

    structure: str
    threads: int
    rounds: tuple[float, ...]

    @property
    def typical(self) -> float:
        """The median of its rounds, ns a pair."""
        return median(self.rounds)

    @property
    def pairs_per_s(self) -> float:
        """Pairs per second, all threads together."""
        return 1e9 / self.typical

    def to_json(self) -> dict[str, Any]:
        """It as an object; a measurement, and another one each time."""
        return {
            "exits": self.structure, "threads": self.threads, "ns_per_pair": self.typical,
            "rounds_ns": list(self.rounds), "pairs_per_s": self.pairs_per_s,
        }  # fmt: skip


def counts() -> list[int]:
    """How many threads: one, two, and twice as many as there are processors for them.

    >>> counts()[:2]
    [1, 2]
    """
    own = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return sorted({1, 2, 2 * own})


def by_threads(structures: list[str], pairs: int, advance: Callable[[], None] = lambda: None) -> tuple[Threaded, ...]:
    """Time `pairs` pairs with each structure and each number of threads; `advance` is called after each measurement.

    >>> [(one.structure, one.threads) for one in by_threads(["batch"], 100)][:2]
    [('batch', 1), ('batch', 2)]
    """
    from slicewright._core import exit_pairs_by_threads

    taken: dict[tuple[str, int], list[float]] = {(word, count): [] for word in structures for count in counts()}
    for _ in range(ROUNDS):
        for (word, count), times in taken.items():
            began = time.perf_counter_ns()
            exit_pairs_by_threads(word, pairs, count)
            times.append((time.perf_counter_ns() - began) / pairs)
            advance()
    return tuple(Threaded(word, count, tuple(times)) for (word, count), times in taken.items())


Found = dict[tuple[str, int], Threaded]


def threads_table(timed: tuple[Threaded, ...], pairs: int) -> Table[str]:
    """Pairs per second and ns a pair over threads, a row per structure; without rows where nothing was timed.

    >>> made = threads_table((Threaded("batch", 1, (500.0,)), Threaded("batch", 2, (1000.0,))), 10)
    >>> from slicewright.report.text import table_lines
    >>> table_lines(made)[2]
    '  batch   2,000,000     500.0   1,000,000    1,000.0'
    """
    found = {(timing.structure, timing.threads): timing for timing in timed}
    threads = sorted({timing.threads for timing in timed})
    columns: list[Column[str]] = [Column("exits", "exits", str)]
    for count in threads:
        columns.append(Column(f"pairs_per_s_{count}", f"pairs/s, {count}", _rate(found, count), form=decimals(0)))
        columns.append(Column(f"ns_per_pair_{count}", f"ns/pair, {count}", _typical(found, count), form=decimals(1)))
    title = (
        f"This machine too: {pairs:,} pairs by {', '.join(map(str, threads))} threads at once, elapsed time, median of "
        f"{ROUNDS} rounds"
    )
    legend = (
        "One lock for all, as the service has it, and a resource for each thread: what more threads gain is done "
        "beside the lock, what they lose is handing it over, and whatever else the machine does counts too."
    )
    return Table(columns, list(dict.fromkeys(timing.structure for timing in timed)), title, legend)


def _rate(found: Found, count: int) -> Callable[[str], float]:
    return lambda structure: found[structure, count].pairs_per_s


def _typical(found: Found, count: int) -> Callable[[str], float]:
    return lambda structure: found[structure, count].typical

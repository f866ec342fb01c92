"""The five ways through exits timed for real: our own service, 999,999 pairs, beside the published ratios."""

from __future__ import annotations

import itertools
import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, ClassVar

from slicewright.report.model import Block, Report, Section, Table
from slicewright.report.spec import columns

ROUNDS = 5
"""How often each row is timed, rows by turns, so that a busy moment hits every one."""

ORDER = ("1", "5", "4", "2")
"""Rows from the quickest to the slowest, as declared."""

THREAD_ROUNDS = 3
"""How often each number of threads is timed, by turns."""

THREADED = 5
"""Several threads time one pair in `THREADED`: there are more numbers of threads to time."""

SAME = 1.05
"""The factor by which rows may differ and still count as alike: about the difference between rounds."""


@dataclass(frozen=True, slots=True)
class Timed:
    """One way through exits: the published row (empty: none), its time there in s, and ns a pair here, round by round.

    >>> Timed("1", "svc-front-end", 19.0, (250.0, 240.0, 300.0)).typical
    250.0
    """

    row: str
    structure: str
    published_s: float | None
    rounds: tuple[float, ...]

    @property
    def typical(self) -> float:
        """The median of its rounds, ns a pair."""
        return median(self.rounds)


@dataclass(frozen=True, slots=True)
class _Threaded:
    """Pairs by a number of threads: ns of elapsed time a pair, all threads together, round by round.

    >>> made = _Threaded("batch", 2, (500.0, 400.0, 450.0))
    >>> made.ns_per_pair, round(made.pairs_per_s)
    (450.0, 2222222)
    """

    KEPT: ClassVar = ("exits", "threads", "ns_per_pair", "rounds_ns", "pairs_per_s")

    exits: str
    threads: int
    rounds_ns: tuple[float, ...]

    @property
    def ns_per_pair(self) -> float:
        """The median of its rounds."""
        return median(self.rounds_ns)

    @property
    def pairs_per_s(self) -> float:
        """Pairs per second, all threads together."""
        return 1e9 / self.ns_per_pair


@dataclass(frozen=True, slots=True)
class Bench:
    """All of them, the machine that they were timed on, how many pairs a round had, and the same by several threads.

    >>> made = Bench("a machine", 10, (Timed("1", "svc-front-end", 19.0, (2.0,)), Timed("2", "batch", 354.0, (8.0,))))
    >>> made.ratio(made.timed[1]), made.published(made.timed[1])
    (4.0, 18.6...)
    """

    KEPT: ClassVar = ("machine", "pairs", "ordered", "alike", "rows", "threads")

    machine: str
    pairs: int
    timed: tuple[Timed, ...]
    threads: tuple[_Threaded, ...] = ()

    def ratio(self, one: Timed) -> float:
        """Its time over that of row 1, here."""
        return one.typical / self._first.typical

    def published(self, one: Timed) -> float | None:
        """Its time over that of row 1, as published."""
        first = self._first.published_s
        return one.published_s / first if one.published_s is not None and first is not None else None

    @property
    def ordered(self) -> bool:
        """Whether none of rows 1, 5, 4 and 2 takes less than the one before it here, but for those that are alike."""
        own = {timing.row: timing.typical for timing in self.timed}
        return all(own[before] <= SAME * own[after] for before, after in itertools.pairwise(ORDER))

    @property
    def alike(self) -> list[tuple[str, str]]:
        """Neighbours in that order whose times do not differ measurably here."""
        own = {timing.row: timing.typical for timing in self.timed}
        near = ((row, other) for row, other in itertools.pairwise(ORDER) if own[row] <= SAME * own[other])
        return [(row, other) for row, other in near if own[other] <= SAME * own[row]]

    def report(self) -> Report:
        """The table, and what it is worth."""
        said = "as published" if self.ordered else "not as published"
        alike = "".join(f"; rows {row} and {other} do not differ measurably" for row, other in self.alike)
        values: dict[str, Callable[[Timed], Any]] = {
            "row": lambda timing: timing.row or "-", "exits": lambda timing: timing.structure,
            "ns_per_pair": lambda timing: timing.typical, "best": lambda timing: min(timing.rounds),
            "worst": lambda timing: max(timing.rounds), "ratio": self.ratio, "published_ratio": self.published,
        }  # fmt: skip
        lines = "row; exits; ns_per_pair | .1 | ns a pair; best | .1; worst | .1; ratio | .2 | over row 1"
        shown = columns(f"{lines}; published_ratio | .2 | published", (), values)
        title = (
            f"Real service, another machine: {self.machine}\n"
            f"{self.pairs:,} pairs of ENQ and DEQ for one resource, processor time, median of {ROUNDS} rounds"
        )
        legend = (
            f"Order of rows 1, 5, 4 and 2: {said}{alike}. Ratios are not judged: exits here are calls in one address "
            "space, storage is a call of an allocator, status is copied without a page fault, and the service itself "
            "takes well under a microsecond."
        )
        tables: list[Block] = [
            Table(shown, self.timed, title, legend),
            threads_table(self.threads, self.pairs // THREADED),
        ]
        return Report("Exits timed", sections=[Section("", tables)], repeats=False)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Each row as an object, with its time over that of row 1 here and as published."""
        return [
            {
                "row": timing.row, "exits": timing.structure, "ns_per_pair": timing.typical,
                "rounds_ns": timing.rounds, "ratio": self.ratio(timing), "published_ratio": self.published(timing),
            }
            for timing in self.timed
        ]  # fmt: skip

    @property
    def _first(self) -> Timed:
        return next(timing for timing in self.timed if timing.row == "1")


Way = tuple[str, str, float | None]
"""A way through exits: its published row (empty: none), its name in a scenario, and its published time in s."""


def bench(ways: Sequence[Way], count: int, advance: Callable[[], None] = lambda: None) -> Bench:
    """Time pairs of every way, and all by several threads; `advance` hears of rounds of ways.

    >>> [timing.row for timing in bench([("1", "svc-front-end", 19.0), ("2", "batch", 354.0)], 1_000).timed]
    ['1', '2']
    """
    from slicewright._core import exit_pairs

    taken: dict[str, list[float]] = {word: [] for _, word, _ in ways}
    for _ in range(ROUNDS):
        for _, word, _ in ways:
            busy = time.process_time_ns()
            exit_pairs(word, count, False)
            taken[word].append((time.process_time_ns() - busy) / count)
            advance()
    timed = tuple(Timed(row, word, was, tuple(taken[word])) for row, word, was in ways)
    return Bench(_machine(), count, timed, by_threads(list(taken), max(count // THREADED, 1)))


def _machine() -> str:
    """The processor's model where the system says it, else its architecture, and how busy it was."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text("utf-8").splitlines() if cpuinfo.exists() else []
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return f"{model or platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"


def counts() -> list[int]:
    """How many threads: one, two, and twice as many as there are processors for them.

    >>> counts()[:2]
    [1, 2]
    """
    own = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return sorted({1, 2, 2 * own})


def by_threads(structures: list[str], pairs: int, advance: Callable[[], None] = lambda: None) -> tuple[_Threaded, ...]:
    """Time `pairs` pairs with each structure and each number of threads; `advance` is called after each measurement.

    >>> [(one.exits, one.threads) for one in by_threads(["batch"], 100)][:2]
    [('batch', 1), ('batch', 2)]
    """
    from slicewright._core import exit_pairs_by_threads

    taken: dict[tuple[str, int], list[float]] = {(word, count): [] for word in structures for count in counts()}
    for _ in range(THREAD_ROUNDS):
        for (word, count), times in taken.items():
            began = time.perf_counter_ns()
            exit_pairs_by_threads(word, pairs, count)
            times.append((time.perf_counter_ns() - began) / pairs)
            advance()
    return tuple(_Threaded(word, count, tuple(times)) for (word, count), times in taken.items())


def threads_table(timed: tuple[_Threaded, ...], pairs: int) -> Table[str]:
    """Pairs per second and ns a pair over threads, a row per structure; without rows where nothing was timed.

    >>> made = threads_table((_Threaded("batch", 1, (500.0,)), _Threaded("batch", 2, (1000.0,))), 10)
    >>> from slicewright.report.text import table_lines
    >>> table_lines(made)[2]
    '  batch   2,000,000     500.0   1,000,000    1,000.0'
    """
    threads = sorted({timing.threads for timing in timed})
    values: dict[str, Callable[[str], Any]] = {"exits": str}
    lines = ["exits"]
    for count in threads:
        own = [timing for timing in timed if timing.threads == count]
        values[f"pairs_per_s_{count}"] = {timing.exits: timing.pairs_per_s for timing in own}.__getitem__
        values[f"ns_per_pair_{count}"] = {timing.exits: timing.ns_per_pair for timing in own}.__getitem__
        lines.append(f"pairs_per_s_{count} | .0 | pairs/s, {count}; ns_per_pair_{count} | .1 | ns/pair, {count}")
    title = (
        f"This machine too: {pairs:,} pairs by {', '.join(map(str, threads))} threads at once, elapsed time, median of "
        f"{THREAD_ROUNDS} rounds"
    )
    legend = (
        "One lock for all, as the service has it, and a resource for each thread: what more threads gain is done "
        "beside the lock, what they lose is handing it over, and whatever else the machine does counts too."
    )
    rows = list(dict.fromkeys(timing.exits for timing in timed))
    return Table(columns("; ".join(lines), (), values), rows, title, legend)

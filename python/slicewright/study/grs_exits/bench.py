"""The five ways through exits timed for real: our own service, 999,999 pairs, beside the published ratios."""

from __future__ import annotations

import itertools
import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from slicewright.report.forms import decimals, words
from slicewright.report.model import Block, Column, Report, Section, Table
from slicewright.study.grs_exits.exits import WORDS, pairs, rows
from slicewright.study.grs_exits.threads import Threaded, by_threads, threads_table

ROUNDS = 5
"""How often each row is timed, rows by turns, so that a busy moment hits every one."""

NO_EXITS = "none"
ORDER = ("1", "5", "4", "2")
"""Rows from the quickest to the slowest, as declared."""

THREADED = 5
"""One pair in so many is enough for several threads: there are more numbers of them."""

SAME = 1.05
"""What rows may differ by and still be alike, as a factor: about what rounds differ by."""


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
class Bench:
    """All of them, the machine that they were timed on, how many pairs a round had, and the same by several threads.

    >>> made = Bench("a machine", 10, (Timed("1", "svc-front-end", 19.0, (2.0,)), Timed("2", "batch", 354.0, (8.0,))))
    >>> made.ratio(made.timed[1]), made.published(made.timed[1])
    (4.0, 18.6...)
    """

    machine: str
    pairs: int
    timed: tuple[Timed, ...]
    threaded: tuple[Threaded, ...] = ()

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
        own = {one.row: one.typical for one in self.timed}
        return all(own[before] <= SAME * own[after] for before, after in itertools.pairwise(ORDER))

    @property
    def alike(self) -> list[tuple[str, str]]:
        """Neighbours in that order whose times cannot be told apart here."""
        own = {one.row: one.typical for one in self.timed}
        near = ((one, other) for one, other in itertools.pairwise(ORDER) if own[one] <= SAME * own[other])
        return [(one, other) for one, other in near if own[other] <= SAME * own[one]]

    def report(self) -> Report:
        """The table, and what it is worth."""
        said = "as published" if self.ordered else "not as published"
        alike = "".join(f"; rows {one} and {other} cannot be told apart" for one, other in self.alike)
        columns: list[Column[Timed]] = [
            Column("row", "row", lambda one: one.row or "-"),
            Column("exits", "exits", lambda one: one.structure, form=words),
            Column("ns_per_pair", "ns a pair", lambda one: one.typical, form=decimals(1)),
            Column("best", "best", lambda one: min(one.rounds), form=decimals(1)),
            Column("worst", "worst", lambda one: max(one.rounds), form=decimals(1)),
            Column("ratio", "over row 1", self.ratio, form=decimals(2)),
            Column("published_ratio", "published", self.published, form=decimals(2)),
        ]
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
            Table(columns, self.timed, title, legend),
            threads_table(self.threaded, self.pairs // THREADED),
        ]
        return Report("Exits timed", sections=[Section("", tables)], repeats=False)

    def to_json(self) -> dict[str, Any]:
        """The table as an object; it is a measurement, and another one each time."""
        timed = [
            {
                "row": one.row, "exits": one.structure, "ns_per_pair": one.typical, "rounds_ns": list(one.rounds),
                "ratio": self.ratio(one), "published_ratio": self.published(one),
            }
            for one in self.timed
        ]  # fmt: skip
        return {
            "machine": self.machine,
            "pairs": self.pairs,
            "ordered": self.ordered,
            "alike": self.alike,
            "rows": timed,
            "threads": [one.to_json() for one in self.threaded],
        }

    @property
    def _first(self) -> Timed:
        return next(one for one in self.timed if one.row == "1")


def bench(count: int | None = None, advance: Callable[[], None] = lambda: None) -> Bench:
    """Time every row, and the service without exits, and all by several threads; `advance` hears of rounds of rows.

    >>> [one.row for one in bench(1_000).timed]
    ['', '1', '2', '3', '4', '5']
    """
    from slicewright._core import exit_pairs

    count = count or pairs()
    sides: list[tuple[str, str, float | None]] = [("", NO_EXITS, None)]
    for one in rows():
        word = "prebatch-pooled-1.2" if one["row"] == "3" else WORDS[one["structure"]]
        sides.append((one["row"], word, float(one["wall_s"])))
    taken: dict[str, list[float]] = {word: [] for _, word, _ in sides}
    for _ in range(ROUNDS):
        for _, word, _ in sides:
            busy = time.process_time_ns()
            exit_pairs(word, count, False)
            taken[word].append((time.process_time_ns() - busy) / count)
            advance()
    timed = tuple(Timed(row, word, was, tuple(taken[word])) for row, word, was in sides)
    return Bench(_machine(), count, timed, by_threads(list(taken), max(count // THREADED, 1)))


def _machine() -> str:
    """The processor's model where the system says it, else its architecture, and how busy it was."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text("utf-8").splitlines() if cpuinfo.exists() else []
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return f"{model or platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"

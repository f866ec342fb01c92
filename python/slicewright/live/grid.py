"""What is measured: slices, waits and cases, on which processor, for how long; and everything that is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

from slicewright._core import InputError, span_s
from slicewright.errors import nearest, problem, refusal
from slicewright.live.group import Limit
from slicewright.live.threads import Case

CASES: tuple[Case, ...] = get_args(Case)

PERIOD_MS = (1.0, 1000.0)
"""What the kernel takes as a period (Documentation/scheduler/sched-bwc: 1 ms to 1 s); a quota is at least 1 ms too."""

MOST_CELLS = 200
LONGEST_S = 900.0
"""A live run is bounded: it keeps half a processor busy all the time."""

WAITERS = 8

RUNS = 5
"""Runs of each pair and case, each in a group of its own; what the interval of a live mean is made from."""

READS_BYTES = (4 << 10, 64 << 10, 256 << 10, 1 << 20)
"""Reads that stand for waits: a longer one is many requests, and its thread runs between them to send the next."""


@dataclass(frozen=True)
class Grid:
    """Slices T of a period T / `share`, waits, cases; spans in ms, `seconds` of measuring for each slice and each case.

    `tick_ms` is the tick of the simulation; None is the tick of the kernel.

    >>> Grid().cells[:2]
    [(30.0, 9.0), (30.0, 18.0)]
    >>> Grid().limit(30.0)
    Limit(quota_us=30000, period_us=60000, burst_us=0)
    """

    slices_ms: tuple[float, ...] = (30.0, 20.0, 10.0)
    waits_ms: tuple[float, ...] = (9.0, 18.0, 25.0, 45.0)
    cases: tuple[Case, ...] = CASES
    processor: int = 0
    seconds: float = 16.0
    share: float = 0.5
    work_ms: float = 0.5
    waiters: int = WAITERS
    seed: int = 1
    disk: str = ""
    reads_bytes: tuple[int, ...] = READS_BYTES
    tick_ms: float | None = None

    @property
    def cells(self) -> list[tuple[float, float]]:
        """Pairs of slice and wait, in the order in which they are shown."""
        return [(slice_ms, wait_ms) for slice_ms in self.slices_ms for wait_ms in self.waits_ms]

    @property
    def length_s(self) -> float:
        """How long the threads of all measurements run, in seconds."""
        return self.seconds * len(self.slices_ms) * len(self.cases)

    def run_s(self, case: Case) -> float:
        """How long one run is, in seconds; waits on timers that are drawn share runs, others have each their own.

        >>> round(Grid(seconds=20.0).run_s("locked"), 3)
        1.0
        """
        return self.seconds / self.parts(case)

    def parts(self, case: Case) -> int:
        """In how many runs the time for a slice and a case is divided.

        >>> Grid().parts("uniform"), Grid().parts("locked")
        (5, 20)
        """
        turns = 1 if case == "uniform" and not self.disk else len(self.reads_bytes if self.disk else self.waits_ms)
        return turns * RUNS

    def limit(self, slice_ms: float) -> Limit:
        """The limit that makes slices of this length."""
        return Limit(round(slice_ms * 1000), round(slice_ms / self.share * 1000))

    def period_ms(self, slice_ms: float) -> float:
        """From the beginning of one slice to that of the next."""
        return self.limit(slice_ms).period_us / 1000

    def check(self) -> Grid:
        """The same grid; raises InputError with everything that is wrong with it.

        >>> Grid(slices_ms=(0.5,), share=0.5).check()  # doctest: +IGNORE_EXCEPTION_DETAIL
        Traceback (most recent call last):
        slicewright._core.InputError: slices: a quota of 0.5 ms
        """
        problems = [*self._limits(), *self._sizes(), *processor_problems(self.processor)]
        problems = problems or self._times()
        if problems:
            raise refusal(*problems)
        return self

    def _limits(self) -> list[dict[str, Any]]:
        if not 0.0 < self.share < 1.0:
            why = "a slice is a part of its period on one processor"
            return [problem(f"a share of {self.share:.4g}", key="share", why=why, allowed="more than 0 %, below 100 %")]
        problems = []
        for slice_ms in self.slices_ms:
            period = slice_ms / self.share
            if not PERIOD_MS[0] <= slice_ms or not period <= PERIOD_MS[1]:
                what = f"a quota of {slice_ms:.6g} ms of a period of {period:.6g} ms"
                allowed = "a quota of at least 1 ms, a period of at most 1 s"
                problems.append(problem(what, key="slices", why="the kernel takes no such limit", allowed=allowed))
        return problems

    def _sizes(self) -> list[dict[str, Any]]:
        problems = []
        for key, values in (("slices", self.slices_ms), ("waits", self.waits_ms), ("case", self.cases)):
            if not values:
                problems.append(problem("nothing to measure", key=key))
            if len(set(values)) < len(values):
                problems.append(problem("the same twice", key=key))
        if any(not 0.0 < wait_ms <= 1000.0 for wait_ms in self.waits_ms):
            problems.append(problem("a wait out of bounds", key="waits", allowed="more than 0 ms, at most 1 s"))
        if not 0.0 < self.work_ms <= 100.0:
            problems.append(problem(f"work of {self.work_ms:.4g} ms", key="work", allowed="more than 0 ms, to 100 ms"))
        if self.tick_ms is not None and not 0.0 <= self.tick_ms <= 100.0:
            problems.append(problem(f"a tick of {self.tick_ms:.4g} ms", key="tick", allowed="0 ms to 100 ms"))
        if not 1 <= self.waiters <= 64:
            problems.append(problem(f"{self.waiters} waiters for each wait", key="waiters", allowed="1 to 64"))
        if len(self.slices_ms) * len(self.waits_ms) > MOST_CELLS:
            problems.append(problem("too many pairs of slice and wait", key="slices", allowed=f"up to {MOST_CELLS}"))
        return problems

    def _times(self) -> list[dict[str, Any]]:
        longest_s = (max(self.waits_ms) + 3 * max(map(self.period_ms, self.slices_ms))) / 1000
        least_s = longest_s * max(map(self.parts, self.cases))
        if self.seconds >= least_s and self.length_s <= LONGEST_S:
            return []
        what = f"{self.seconds:.4g} s for each slice and case, {self.length_s:.4g} s in all"
        allowed = f"at least {least_s:.4g} s each, at most {LONGEST_S:.0f} s in all"
        why = "a live run is bounded, and each of its parts has to see three periods and the longest wait"
        return [problem(what, key="seconds", why=why, allowed=allowed)]


def processor_problems(processor: int) -> list[dict[str, Any]]:
    """What is wrong with measuring on a processor: nothing, or that this process may not use it.

    >>> processor_problems(min(os.sched_getaffinity(0)))
    []
    """
    mine = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [processor]
    if processor in mine:
        return []
    allowed = ", ".join(map(str, mine))
    return [problem(f"this process may not use processor {processor}", key="processor", allowed=allowed)]


def spans_ms(text: str, key: str) -> tuple[float, ...]:
    """A list of spans as it is written, in ms; numbers without a unit are ms.

    Raises InputError with every one that is none.

    >>> spans_ms("30, 20 ms, .01 s", "slices")
    (30.0, 20.0, 10.0)
    """
    found, problems = [], []
    for word in text.split(","):
        try:
            found.append(span_s(word.strip() if word.strip()[-1:].isalpha() else f"{word.strip()} ms", key) * 1000)
        except InputError as error:
            problems += error.problems
    if problems:
        raise refusal(*problems)
    return tuple(round(span, 6) for span in found)


def cases_of(text: str) -> tuple[Case, ...]:
    """The cases that a word names: one of them, or both.

    Raises InputError for any other word.

    >>> cases_of("both")
    ('uniform', 'locked')
    """
    if text == "both":
        return CASES
    found = tuple(case for case in CASES if case == text)
    if not found:
        words = (*CASES, "both")
        raise refusal(
            problem(f"no such case: {text!r}", key="case", allowed=", ".join(words), nearest=nearest(text, words))
        )
    return found


def last_processor(processors: Sequence[int] | None = None) -> int:
    """The processor that is measured on unless another is named: the last one, as the first has most interrupts.

    >>> last_processor([0, 1])
    1
    """
    if processors is None:
        processors = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    return max(processors)

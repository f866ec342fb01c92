"""Watches a container from its node: copies of its counters, and beside it a probe of the same weight without a limit.

The probe wakes up a hundred times a second.  Neighbours make it late as they do the container; the limit does not.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from slicewright.errors import problem, refusal
from slicewright.io.numerals import in_json
from slicewright.live.control_files import ControlFiles
from slicewright.live.grid import last_processor, processor_problems
from slicewright.live.group import Group, limited_group
from slicewright.live.hierarchy import Hierarchy, hierarchy
from slicewright.live.launch import run_threads
from slicewright.live.threads import Saw, Threads, Waiter
from slicewright.live.watched_group import Watched, find

EVERY_S, FOR_S = (0.2, 3600.0), (1.0, 3600.0)
PROBE_WORK_NS, PROBE_WAIT_NS = 50_000, 10_000_000
"""The probe: 50 us of work after each wait of 10 ms, half a percent of a processor."""
INTERVALS = 10
"""Intervals between the copies that `advise limits` reads; every copy is in counters.csv."""


@dataclass(frozen=True)
class WatchPlan:
    """What is watched: a group by name, seconds between copies and in all, and the processor of the probe."""

    name: str
    every_s: float = 1.0
    for_s: float = 300.0
    processor: int | None = None

    def check(self) -> WatchPlan:
        """The same plan; raises InputError with everything that is wrong with it.

        >>> WatchPlan("a", every_s=0.01).check()  # doctest: +IGNORE_EXCEPTION_DETAIL
        Traceback (most recent call last):
        slicewright._core.InputError: every: 0.01 s
        """
        problems = []
        for key, value, (low, high) in (("every", self.every_s, EVERY_S), ("for", self.for_s, FOR_S)):
            if not low <= value <= high:
                problems.append(problem(f"{value:g} s", key=key, allowed=f"{low:g} s to {high:g} s"))
        if self.every_s > self.for_s:
            problems.append(problem("longer than --for", key="every", allowed="at least two copies"))
        problems += processor_problems(self.processor) if self.processor is not None else []
        if problems:
            raise refusal(*problems)
        return self


@dataclass(frozen=True)
class Sample:
    """The counters of the group at one instant; threads by number."""

    at_s: float
    counters: Mapping[str, int]
    pressure_us: int | None
    tasks: Mapping[int, tuple[int, int, int]]


@dataclass(frozen=True)
class WatchResult:
    """What was seen: copies, and of each wake-up of the probe how late it was."""

    group: str
    version: int
    limit_us: tuple[int, int] | None
    weight: int | None
    processor: int
    samples: tuple[Sample, ...]
    late_ms: tuple[float, ...]
    notes: tuple[str, ...] = field(default=())

    @property
    def length_s(self) -> float:
        """Seconds between the first and the last copy."""
        return self.samples[-1].at_s - self.samples[0].at_s

    def grown(self, *names: str) -> int | None:
        """Growth of the first of some counters that the copies have."""
        first, last = self.samples[0].counters, self.samples[-1].counters
        return next((last[name] - first[name] for name in names if name in first and name in last), None)

    @property
    def stopped_s(self) -> float | None:
        """Seconds for which processors were kept from the group by its limit; several processors add up."""
        ns = self.grown("throttled_time")
        us = self.grown("throttled_usec")
        return ns / 1e9 if ns is not None else us / 1e6 if us is not None else None

    @property
    def throttled(self) -> float:
        """Share of the periods in which it was throttled."""
        periods = self.grown("nr_periods") or 0
        return (self.grown("nr_throttled") or 0) / periods if periods else 0.0

    @property
    def pressure(self) -> float | None:
        """Share of the time in which some task waited for a processor, by cpu.pressure."""
        first, last = self.samples[0].pressure_us, self.samples[-1].pressure_us
        return None if first is None or last is None else (last - first) / 1e6 / self.length_s

    def scheduled(self) -> tuple[float, float, int]:
        """Seconds on processors and waiting for one, and dispatches, of threads in successive copies."""
        sums = np.zeros(3)
        for before, after in pairwise(self.samples):
            for thread, values in after.tasks.items():
                if thread in before.tasks:
                    sums += np.maximum(0, np.array(values) - np.array(before.tasks[thread]))
        return float(sums[0] / 1e9), float(sums[1] / 1e9), int(sums[2])

    def late_percentile(self, percent: float) -> float:
        """How late the probe was, in ms, at a percentile; 0 where it never woke up."""
        return float(np.percentile(self.late_ms, percent)) if self.late_ms else 0.0

    @property
    def neighbours_s(self) -> float:
        """ASSUME: each dispatch of the group waits as long for its neighbours as the probe does; seconds in all."""
        return self.scheduled()[2] * (float(np.mean(self.late_ms)) if self.late_ms else 0.0) / 1000

    @property
    def by_limit(self) -> float | None:
        """Share of the waiting that the limit makes; None where there is none to share out."""
        stopped = self.stopped_s
        total = (stopped or 0.0) + self.neighbours_s
        return None if stopped is None or total <= 0 else stopped / total

    def as_json(self) -> dict[str, Any]:
        """The result as one object, without the copies, which are files of their own."""
        on, waiting, dispatches = self.scheduled()
        return {
            "format": 1, "kind": "live watch", "group": self.group, "version": self.version,
            "limit_us": list(self.limit_us) if self.limit_us else None, "weight": self.weight,
            "processor": self.processor, "copies": len(self.samples), "length_s": in_json(self.length_s),
            "throttled_share": in_json(self.throttled), "stopped_s": in_json(self.stopped_s),
            "pressure_share": in_json(self.pressure), "on_processor_s": in_json(on), "waiting_s": in_json(waiting),
            "dispatches": dispatches, "probe": {
                "wakeups": len(self.late_ms),
                **{f"late_p{p}_ms": in_json(self.late_percentile(p)) for p in (50, 95, 99)},
            },
            "neighbours_s": in_json(self.neighbours_s), "limit_share": in_json(self.by_limit),
            "notes": list(self.notes),
        }  # fmt: skip

    def copies(self) -> str:
        """Some of the copies of cpu.stat, each with its time and the limit: what `advise limits` reads."""
        return "".join(self._copies())

    def _copies(self) -> Iterator[str]:
        last = len(self.samples) - 1
        # Counts of short intervals vary too much to be compared with a prediction.
        for at in sorted({round(last * part / INTERVALS) for part in range(INTERVALS + 1)}):
            sample = self.samples[at]
            yield f"time {sample.at_s:.6f}\n"
            if self.limit_us:
                yield f"quota_us {self.limit_us[0]}\nperiod_us {self.limit_us[1]}\n"
            for name, value in sample.counters.items():
                yield f"{value}\n" if name == "cpuacct.usage" else f"{name} {value}\n"


def watch(
    plan: WatchPlan, progress: Callable[[float], None] = lambda share: None, files: ControlFiles | None = None
) -> WatchResult:
    """Watch a group for a while; raises InputError where it or its counters are missing, or no probe can be made.

    Where the right to make a group is missing, the group is watched without a probe, with a note.

    >>> watch(WatchPlan("a", for_s=0.1))  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: for: 0.1 s
    """
    plan.check()
    files = files or ControlFiles()
    here = hierarchy(files)
    watched = find(files, here, plan.name)
    processor = last_processor() if plan.processor is None else plan.processor
    collected = _Collected(watched, plan, progress)
    notes: list[str] = []
    late: tuple[float, ...] = ()
    with ExitStack() as stack:
        group = _beside(stack, watched, notes)
        collected.take(0.0)
        if group is None:
            _wait(plan.for_s, collected.take)
        else:
            saw = run_threads(_probe(processor, plan.for_s), group, collected.take)
            late = _late(saw)
        collected.last()
    if len(collected.samples) < 2:
        why = "the container ended, or its cpu.stat may no longer be read"
        raise refusal(problem("fewer than two copies", file=str(watched.path), key="GROUP", why=why))
    if collected.gone:
        notes.append("the group disappeared before the end")
    return WatchResult(
        watched.name, here.version, watched.limit() or collected.limit, collected.weight, processor,
        tuple(collected.samples), late, tuple(notes),
    )  # fmt: skip


def _probe(processor: int, seconds: float) -> Threads:
    waiter = Waiter("locked", PROBE_WORK_NS, PROBE_WAIT_NS)
    return Threads(processor, round(seconds * 1e9), False, (waiter,))


def _late(saw: Saw) -> tuple[float, ...]:
    return tuple(wait.late_ms for waits in saw.waits for wait in waits)


def _beside(stack: ExitStack, watched: Watched, notes: list[str]) -> Group | None:
    """A group beside the watched one, of the same weight; None and a note without the right to make one."""
    beside = Hierarchy(watched.hierarchy.version, watched.hierarchy.root, watched.hierarchy.own, watched.path.parent)
    if os.geteuid() != 0 and not os.access(watched.path.parent, os.W_OK):
        notes.append("no probe without the right to make a group beside it (root): neighbours are not measured")
        return None
    group = stack.enter_context(limited_group(watched.files, beside))
    weight = watched.weight()
    if weight is not None:
        group.weigh(weight)
    return group


class _Collected:
    """Copies that are due, made from the callback of a running measurement."""

    def __init__(self, watched: Watched, plan: WatchPlan, progress: Callable[[float], None]) -> None:
        self.watched, self.plan, self.progress = watched, plan, progress
        self.samples: list[Sample] = []
        self.limit, self.weight = watched.limit(), watched.weight()
        self.gone = False

    def take(self, seconds: float) -> None:
        """Make a copy where one is due."""
        self.progress(min(1.0, seconds / self.plan.for_s))
        now = time.time()
        if not self.samples or now - self.samples[-1].at_s >= self.plan.every_s - 0.05:
            self._copy()

    def last(self) -> None:
        """Make the last copy, unless one was made a moment ago."""
        if not self.samples or time.time() - self.samples[-1].at_s >= min(0.1, self.plan.every_s / 2):
            self._copy()

    def _copy(self) -> None:
        counters = self.watched.counters()
        if "nr_periods" not in counters:
            self.gone = True
            return
        self.samples.append(Sample(time.time(), counters, self.watched.pressure_us(), self.watched.tasks()))


def _wait(seconds: float, take: Callable[[float], None]) -> None:
    began = time.monotonic()
    while (passed := time.monotonic() - began) < seconds:
        take(passed)
        time.sleep(min(0.1, seconds - passed))


def folder_files(result: WatchResult) -> dict[str, str]:
    """The files of --out by name, beside the report: the object and the copies.

    >>> sorted(folder_files(WatchResult("a", 2, None, None, 0, (Sample(0, {}, None, {}), Sample(1, {}, None, {})), ())))
    ['counters.csv', 'cpu.stat', 'pressure.csv', 'schedstat.csv', 'watch.json']
    """
    import json

    pressure = [
        f"{sample.at_s:.6f},{'' if sample.pressure_us is None else sample.pressure_us}" for sample in result.samples
    ]
    names = list(result.samples[0].counters)
    counters = [
        ",".join([f"{sample.at_s:.6f}", *(str(sample.counters.get(name, "")) for name in names)])
        for sample in result.samples
    ]
    tasks = [
        f"{sample.at_s:.6f},{thread},{','.join(map(str, values))}"
        for sample in result.samples
        for thread, values in sample.tasks.items()
    ]
    return {
        "watch.json": json.dumps(result.as_json(), indent=1) + "\n",
        "cpu.stat": result.copies(),
        "counters.csv": "\n".join([",".join(["time_s", *names]), *counters, ""]),
        "pressure.csv": "\n".join(["time_s,some_total_us", *pressure, ""]),
        "schedstat.csv": "\n".join(["time_s,thread,on_processor_ns,waiting_ns,dispatches", *tasks, ""]),
    }


MARKER = "watch.json"
COPIES = "cpu.stat"


def copies_in(folder: str | os.PathLike[str]) -> Path | None:
    """The copies in a directory of `live watch --out`; None for any other.

    >>> copies_in("no/such/folder")
    """
    place = Path(folder)
    try:
        both = (place / MARKER).is_file() and (place / COPIES).is_file()
    except OSError:  # a name that no file can have
        return None
    return place / COPIES if both else None

"""`live watch`: a container from its node: copies of its counters, and beside it a probe of its weight without a limit.

The probe wakes up a hundred times a second.  Neighbours make it late as they do the container; the limit does not.  The
container's group is read, never written.
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

from slicewright.live.groups import ControlFiles, Group, Hierarchy, hierarchy, limited_group
from slicewright.live.machine import last_processors, processor_problems, text_of
from slicewright.live.threads import Threads, Waiter, run_threads
from slicewright.report.figure import Figure, Panel, Series
from slicewright.report.model import Block, Lead, Notes, Paragraph, Report, Section
from slicewright.statistics import fixed, percent, plural
from slicewright.values import codec
from slicewright.values.errors import nearest, problem, refusal
from slicewright.values.numerals import in_json
from slicewright.values.parameters import check

_EVERY_S, _FOR_S = (0.2, 3600.0), (1.0, 3600.0)
_PROBE_WORK_NS, _PROBE_WAIT_NS = 50_000, 10_000_000
"""The probe: 50 us of work after each wait of 10 ms, half a percent of a processor."""
_INTERVALS = 10
"""Intervals between the copies that `advise limits` reads; every copy is in counters.csv."""
_DEEPEST = 8
"""Groups within groups that are searched: kubepods, class, pod, container, and room for nested services."""
_MOST_GROUPS = 20_000
_SHOWN = 8


@dataclass(frozen=True)
class _Watched:
    """A group and the hierarchy it is in."""

    files: ControlFiles
    hierarchy: Hierarchy
    path: Path

    @property
    def name(self) -> str:
        """The path of the group below the root of its hierarchy."""
        return str(self.path.relative_to(self.hierarchy.root))

    def limit(self) -> tuple[int, int] | None:
        """Quota and period in us; None without a limit."""
        words = self.files.words(self.path / "cpu.max")
        if self.hierarchy.version == 1:
            names = ("cpu.cfs_quota_us", "cpu.cfs_period_us")
            words = [word for name in names for word in self.files.words(self.path / name)]
        if len(words) != 2 or not all(word.isdigit() for word in words):
            return None
        return int(words[0]), int(words[1])

    def weight(self) -> int | None:
        """Its weight against its siblings: cpu.weight, of version 1 cpu.shares."""
        words = self.files.words(self.path / ("cpu.shares" if self.hierarchy.version == 1 else "cpu.weight"))
        return int(words[0]) if len(words) == 1 and words[0].isdigit() else None

    def counters(self) -> dict[str, int]:
        """The counters of cpu.stat, and in version 1 `cpuacct.usage` under its name; empty where the group is gone."""
        found = self.files.numbers(self.path / "cpu.stat")
        if self.hierarchy.version == 1 and found:
            places = (self.path, self.hierarchy.root.parent / "cpuacct" / self.name)
            used = next((words for place in places if (words := self.files.words(place / "cpuacct.usage"))), [])
            if len(used) == 1 and used[0].isdigit():
                found["cpuacct.usage"] = int(used[0])
        return found

    def pressure_us(self) -> int | None:
        """Microseconds in which some task waited for a processor (cpu.pressure); None where the kernel lacks it."""
        words = self.files.words(self.path / "cpu.pressure")
        totals = [word.removeprefix("total=") for word in words if word.startswith("total=")]
        return int(totals[0]) if totals and totals[0].isdigit() else None

    def tasks(self, proc: Path = Path("/proc")) -> dict[int, tuple[int, int, int]]:
        """Of each of its threads the schedstat: ns on a processor, ns waiting for one, times dispatched."""
        name = "tasks" if self.hierarchy.version == 1 else "cgroup.threads"
        found = {}
        for thread in self.files.words(self.path / name):
            # A thread that is not the first of its process: /proc has it by its number too.
            places = (proc / thread / "task" / thread / "schedstat", proc / thread / "schedstat")
            words = next((words for place in places if (words := text_of(place).split())), [])
            if len(words) == 3 and all(word.isdigit() for word in words):
                found[int(thread)] = (int(words[0]), int(words[1]), int(words[2]))
        return found


def _find(files: ControlFiles, hierarchy: Hierarchy, name: str) -> _Watched:
    """The group by its path, absolute or below the root, or by a part of its name that no other group has.

    Raises InputError where there is none, or more than one, and where it has no cpu controller.
    """
    root = hierarchy.root
    given = Path(name)
    path = given if given.is_absolute() else root / name
    if name.strip("/.") and ".." not in given.parts and path.is_relative_to(root) and path.is_dir():
        return _readable(_Watched(files, hierarchy, path))
    groups = _groups(files, root)
    # systemd writes the dashes of a pod's number as underscores.
    wanted = {name.lower(), name.lower().replace("-", "_")}
    fitting = [group for group in groups if any(want and want in group.name.lower() for want in wanted)]
    innermost = [group for group in fitting if not any(other != group and group in other.parents for other in fitting)]
    if len(innermost) == 1:
        return _readable(_Watched(files, hierarchy, innermost[0]))
    names = [str(group.relative_to(root)) for group in innermost]
    if names:
        listed = ", ".join(names[:_SHOWN]) + f" and {len(names) - _SHOWN} more" * (len(names) > _SHOWN)
        raise refusal(problem(f"{len(names)} groups have this in their names: {name}", key="GROUP", allowed=listed))
    every = plural(len(groups), "group")
    why = f"none of {every} below {root} has it in its name; a group has the pod's uid, not its name"
    allowed = "a path below it, or a part of a name; kubectl get pod NAME -o jsonpath={.metadata.uid} gives the uid"
    near = nearest(name, [group.name for group in groups])
    raise refusal(problem(f"no such group: {name}", key="GROUP", why=why, allowed=allowed, nearest=near))


def _readable(watched: _Watched) -> _Watched:
    if "nr_periods" in watched.counters():
        return watched
    why = "its cpu.stat has no nr_periods: it is the root, or the cpu controller is not enabled in it"
    allowed = "the container's own group"
    what = "no CPU limit can be counted here"
    raise refusal(problem(what, file=str(watched.path), key="GROUP", why=why, allowed=allowed))


def _groups(files: ControlFiles, root: Path) -> list[Path]:
    """Every group below the root, outermost first."""
    found: list[Path] = []
    level = [root]
    for _ in range(_DEEPEST):
        level = [group for above in level for group in files.folders(above)]
        found += level
        if len(found) > _MOST_GROUPS:
            break
    return found[:_MOST_GROUPS]


@dataclass(frozen=True)
class WatchPlan:
    """What is watched: a group by name, seconds between copies and in all, and the processor of the probe."""

    name: str
    every_s: float = 1.0
    for_s: float = 300.0
    processor: int | None = None

    def check(self) -> WatchPlan:
        """The same plan; raises InputError with everything that is wrong with it."""
        problems = []
        for key, value, (low, high) in (("every", self.every_s, _EVERY_S), ("for", self.for_s, _FOR_S)):
            if not low <= value <= high:
                problems.append(problem(f"{value:g} s", key=key, allowed=f"{low:g} s to {high:g} s"))
        if self.every_s > self.for_s:
            problems.append(problem("longer than --for", key="every", allowed="at least two copies"))
        problems += processor_problems(self.processor) if self.processor is not None else []
        check(*problems)
        return self


@dataclass(frozen=True)
class _Sample:
    """The counters of the group at one instant; threads by number."""

    at_s: float
    counters: Mapping[str, int]
    pressure_us: int | None
    tasks: Mapping[int, tuple[int, int, int]]


@dataclass(frozen=True)
class _WatchResult:
    """What was seen: copies, and of each wake-up of the probe how late it was."""

    group: str
    version: int
    limit_us: tuple[int, int] | None
    weight: int | None
    processor: int
    samples: tuple[_Sample, ...]
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

    def summary(self) -> dict[str, Any]:
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
        for at in sorted({round(last * part / _INTERVALS) for part in range(_INTERVALS + 1)}):
            sample = self.samples[at]
            yield f"time {sample.at_s:.6f}\n"
            if self.limit_us:
                yield f"quota_us {self.limit_us[0]}\nperiod_us {self.limit_us[1]}\n"
            for name, value in sample.counters.items():
                yield f"{value}\n" if name == "cpuacct.usage" else f"{name} {value}\n"


def watch(
    plan: WatchPlan, progress: Callable[[float], None] = lambda share: None, files: ControlFiles | None = None
) -> _WatchResult:
    """Watch a group for a while; raises InputError where it or its counters are missing, or no probe can be made.

    Where the right to make a group is missing, the group is watched without a probe, with a note.
    """
    plan.check()
    files = files or ControlFiles()
    here = hierarchy(files)
    watched = _find(files, here, plan.name)
    processor = last_processors()[0] if plan.processor is None else plan.processor
    collected = _Collected(watched, plan, progress)
    notes: list[str] = []
    late: tuple[float, ...] = ()
    with ExitStack() as stack:
        group = _beside(stack, watched, notes)
        collected.take(0.0)
        if group is None:
            began = time.monotonic()
            while (passed := time.monotonic() - began) < plan.for_s:
                collected.take(passed)
                time.sleep(min(0.1, plan.for_s - passed))
        else:
            waiter = Waiter("locked", _PROBE_WORK_NS, _PROBE_WAIT_NS)
            probe = Threads(processor, round(plan.for_s * 1e9), False, (waiter,))
            saw = run_threads(probe, group, collected.take)
            late = tuple(wait.late_ms for waits in saw.waits for wait in waits)
        collected.last()
    if len(collected.samples) < 2:
        why = "the container ended, or its cpu.stat may no longer be read"
        raise refusal(problem("fewer than two copies", file=str(watched.path), key="GROUP", why=why))
    if collected.gone:
        notes.append("the group disappeared before the end")
    return _WatchResult(
        watched.name, here.version, watched.limit() or collected.limit, collected.weight, processor,
        tuple(collected.samples), late, tuple(notes),
    )  # fmt: skip


def _beside(stack: ExitStack, watched: _Watched, notes: list[str]) -> Group | None:
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

    def __init__(self, watched: _Watched, plan: WatchPlan, progress: Callable[[float], None]) -> None:
        self.watched, self.plan, self.progress = watched, plan, progress
        self.samples: list[_Sample] = []
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
        self.samples.append(_Sample(time.time(), counters, self.watched.pressure_us(), self.watched.tasks()))


def folder_files(result: _WatchResult) -> dict[str, str]:
    """The files of --out by name, beside the report: the object and the copies."""
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
        "watch.json": codec.written(result.summary()),
        "cpu.stat": result.copies(),
        "counters.csv": "\n".join([",".join(["time_s", *names]), *counters, ""]),
        "pressure.csv": "\n".join(["time_s,some_total_us", *pressure, ""]),
        "schedstat.csv": "\n".join(["time_s,thread,on_processor_ns,waiting_ns,dispatches", *tasks, ""]),
    }


MARKER, _COPIES = "watch.json", "cpu.stat"


def copies_in(folder: str | os.PathLike[str]) -> Path | None:
    """The copies in a directory of `live watch --out`; None for any other."""
    place = Path(folder)
    try:
        both = (place / MARKER).is_file() and (place / _COPIES).is_file()
    except OSError:  # a name that no file can have
        return None
    return place / _COPIES if both else None


_RARE = 0.01
"""Of the periods: a limit that throttles in fewer is none to speak of."""


def watch_report(result: _WatchResult) -> Report:
    """The report."""
    length = f"{plural(len(result.samples), 'copy', 'copies')} in {fixed(result.length_s, 0)} s"
    limit = "no limit"
    if result.limit_us:
        quota, period = result.limit_us
        limit = f"limit {quota / period:g} processors ({quota / 1000:g} ms of {period / 1000:g} ms)"
    weight = f", weight {result.weight}" if result.weight is not None else ""
    heading = f"{result.group}  {length}; version {result.version} of control groups, {limit}{weight}"
    blocks: list[Block] = [Paragraph(heading, flush=True), Lead(_lead(result)), *map(Paragraph, _lines(result))]
    if len(result.samples) > 2:
        blocks.append(_picture(result))
    sections = [Section("", blocks), Section("", [Notes("Notes", list(_notes(result)))])]
    return Report(f"Watched: {result.group}", heading, [("copies", str(len(result.samples)))], sections, repeats=False)


def _lead(result: _WatchResult) -> str:
    share = result.by_limit
    if result.throttled < _RARE and not result.late_ms:
        return f"The limit throttled in {percent(result.throttled)} of the periods"
    if share is None:
        return f"The limit throttled in {percent(result.throttled)} of the periods; it never waited"
    if not result.late_ms:
        return f"The limit throttled in {percent(result.throttled)} of the periods; neighbours were not measured"
    return f"Of its waiting, {percent(share, 0)} is the limit and {percent(1 - share, 0)} the neighbours"


def _lines(result: _WatchResult) -> list[str]:
    lines = []
    stopped = result.stopped_s
    each = ""
    count = result.grown("nr_throttled") or 0
    if stopped is not None and count:
        each = f", {fixed(1000 * stopped / count, 1)} ms each time"
    periods = result.grown("nr_periods") or 0
    lines.append(f"Limit: throttled in {percent(result.throttled)} of {plural(periods, 'period')}{each}.")
    if result.late_ms:
        late = ", ".join(f"{fixed(result.late_percentile(p), 2)} ms at {p} %" for p in (50, 95, 99))
        lines.append(f"Neighbours: a probe of the same weight, without a limit, is dispatched late by {late}.")
    on, waiting, dispatches = result.scheduled()
    if dispatches:
        lines.append(
            f"Its threads (schedstat): {fixed(on, 2)} s on processors, {fixed(waiting, 2)} s waiting for one, "
            f"{plural(dispatches, 'dispatch', 'dispatches')}."
        )
    if result.pressure is not None:
        lines.append(f"Pressure: some thread waited for a processor in {percent(result.pressure)} of the time.")
    return lines


def _notes(result: _WatchResult) -> list[str]:
    notes = list(result.notes)
    if result.late_ms:
        notes.append(
            "the shares compare stopped time (processors add up) with dispatches times the probe's mean lateness; the "
            f"probe ran on processor {result.processor} alone"
        )
    if result.limit_us is None:
        notes.append("without a limit there is nothing for advise limits to do")
    if result.grown("usage_usec", "cpuacct.usage") is None:
        notes.append("processor time is not in the copies: version 1 counts it in the cpuacct hierarchy")
    return notes


def _picture(result: _WatchResult) -> Figure:
    """The share of periods that were throttled, between copies."""
    first = result.samples[0].at_s
    x, shares = [], []
    for before, after in pairwise(result.samples):
        periods = after.counters["nr_periods"] - before.counters["nr_periods"]
        x.append(after.at_s - first)
        count = after.counters["nr_throttled"] - before.counters["nr_throttled"]
        shares.append(100 * count / periods if periods > 0 else None)
    return Figure([Panel("Throttled periods, %", [Series(x, shares, label="measured", kind="steps")])], "Seconds")

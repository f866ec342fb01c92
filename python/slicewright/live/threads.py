"""The program of slices, throttling and watching: threads that burn, work and wait in a group, and what they see.

A wait ends on a timer, or with a read past the page cache.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from slicewright._core import live_waits
from slicewright.live.groups import ControlFiles, Group
from slicewright.live.machine import Elsewhere, Moment
from slicewright.live.workers import answers, work

Case = Literal["uniform", "locked"]
"""When a wait starts: at an instant drawn uniformly over the own slice, or after the last one was seen to be over."""

_GRACE_S = 20.0
"""How much longer than its threads a worker may take: at worst it ends in slices of a limited group."""


@dataclass(frozen=True)
class Waiter:
    """A thread that waits `wait_ns` on a timer, or for a read of `read_bytes` where that is not 0.

    It starts at instants drawn over `start_ns` (uniform), or after `start_ns` of processor time of its own (locked).
    """

    case: Case
    start_ns: int
    wait_ns: int
    read_bytes: int = 0


@dataclass(frozen=True)
class Threads:
    """The threads of one worker: processor, length, burner and waiters; `file` is the file that is read.

    `group` and `version` are the group that they are in, and its version; empty and 0 without one.
    """

    processor: int
    length_ns: int
    burner: bool
    waiters: tuple[Waiter, ...]
    seed: int = 1
    file: str = ""
    group: str = ""
    version: int = 0


@dataclass(frozen=True)
class Wait:
    """One wait in ms since the measurement began: when work before it began, it started, was over, and was seen to be.

    `due_ms` is None for a read, whose end is known only when it is seen.

    >>> Wait(0.0, 1.0, 19.0, 31.5).late_ms
    12.5
    """

    began_ms: float
    started_ms: float
    due_ms: float | None
    seen_ms: float

    @property
    def late_ms(self) -> float:
        """How long after it was over the wait was seen to be; of a read, how long it took altogether."""
        return self.seen_ms - (self.started_ms if self.due_ms is None else self.due_ms)


@dataclass(frozen=True)
class _Waited:
    """The waits of one thread as columns, in ns since the measurement began; `missed` are those without room."""

    began_ns: tuple[float, ...]
    started_ns: tuple[float, ...]
    due_ns: tuple[float | None, ...]
    seen_ns: tuple[float, ...]
    missed: int = 0

    @property
    def waits(self) -> list[Wait]:
        """The waits."""
        rows = zip(self.began_ns, self.started_ns, self.due_ns, self.seen_ns, strict=True)
        return [
            Wait(began / 1e6, started / 1e6, None if due is None else due / 1e6, seen / 1e6)
            for began, started, due, seen in rows
        ]


@dataclass(frozen=True)
class Saw:
    """What threads saw: waits of each waiter, stretches without a burner, growth of cpu.stat, processor seconds."""

    waiters: tuple[_Waited, ...]
    gaps_ns: tuple[tuple[float, float], ...] = ()
    stat: Mapping[str, int] = field(default_factory=dict)
    cpu_s: float = 0.0
    elsewhere: Elsewhere = field(default_factory=Elsewhere)

    @property
    def waits(self) -> list[list[Wait]]:
        """The waits of each waiter."""
        return [waiter.waits for waiter in self.waiters]

    @property
    def gaps_ms(self) -> list[tuple[float, float]]:
        """Begin and end of each stretch in which the burner had no processor, in ms."""
        return [(begin / 1e6, end / 1e6) for begin, end in self.gaps_ns]


def run_threads(threads: Threads, group: Group | None, progress: Callable[[float], None] = lambda seconds: None) -> Saw:
    """Run threads in a process of their own, in a group if one is given; `progress` is called with seconds so far.

    Raises InputError with what the system refused, RunError when the worker failed or did not end in time.
    """
    length_s = threads.length_ns / 1e9
    job = replace(threads, group=str(group.path), version=group.version) if group else threads
    groups = [group] if group else []
    [saw] = answers(
        _measure, [job], groups, lambda done, seconds: progress(length_s if done else min(seconds, length_s)),
        length_s + _GRACE_S,
    )  # fmt: skip
    return saw


def _measure(job: Threads) -> Saw:
    """Run threads in this process; raises InputError with what the system refused."""
    group = Group(ControlFiles(), job.version, Path(job.group)) if job.group else None
    before: dict[str, Any] = {}

    def ready(burner: int | None) -> None:
        if burner is not None:
            with contextlib.suppress(OSError):  # then it shares fairly, and wake-ups are late by up to a base slice
                os.sched_setscheduler(burner, os.SCHED_IDLE, os.sched_param(0))
        before["stat"] = group.stat() if group else {}
        before["cpu_s"] = time.process_time()
        before["moment"] = Moment.of(job.processor)

    waiters = [
        ((each.wait_ns, (job.file, each.read_bytes) if each.read_bytes else None), (each.case, each.start_ns))
        for each in job.waiters
    ]
    seen = live_waits((job.processor, job.length_ns, job.burner, job.seed), waiters, ready)
    stat, cpu_s = (group.stat() if group else {}), time.process_time() - before["cpu_s"]
    return Saw(
        tuple(_Waited(**waiter) for waiter in seen["waiters"]), seen["gaps_ns"],
        {name: value - before["stat"].get(name, 0) for name, value in stat.items()}, cpu_s,
        Moment.of(job.processor).since(before["moment"], cpu_s),
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(work(_measure))

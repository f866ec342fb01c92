"""Runs of threads that share a lock as data, in a process of its own that ends with this one."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from slicewright._core import InputError
from slicewright.live.answers import answers
from slicewright.live.environment import Elsewhere
from slicewright.live.group import Group
from slicewright.live.locks.plan import Method


@dataclass(frozen=True)
class Job:
    """One run: method, processors, threads, hogs, turns of work outside the lock and under it, tries, ns, seed.

    >>> Job("spin", (0,), 4, 0, (1000, 10), 100, 50_000_000).seed
    1
    """

    method: Method
    processors: tuple[int, ...]
    threads: int
    hogs: int
    turns: tuple[int, int]
    tries: int
    length_ns: int
    seed: int = 1


@dataclass(frozen=True)
class Seen:
    """What the threads of a run saw: locks a second, waits and holds in us, processor time, switches, others' use.

    >>> Seen.of_json(
    ...     {"taken": [2, 2], "waits_ns": [0, 1000, 0, 3000], "holds_ns": [2000] * 4, "cpu_ns": [8000, 8000],
    ...      "switches": [[1, 2], [0, 1]], "elsewhere": {}}, 1.0).wait_us
    1.0
    """

    locks_per_s: float
    wait_us: float
    p50_us: float
    p95_us: float
    p99_us: float
    held_us: float
    usual_wait_us: float
    usual_held_us: float
    cpu_us: float
    gave_up: float
    taken_away: float
    elsewhere: Elsewhere

    @staticmethod
    def of_json(value: Mapping[str, Any], length_s: float) -> Seen:
        """The output of a worker for one run; `gave_up` and `taken_away` are switches for each lock."""
        taken = sum(value["taken"])
        waits, holds = sorted(value["waits_ns"]), sorted(value["holds_ns"])
        each = max(taken, 1)
        return Seen(
            locks_per_s=taken / length_s, wait_us=_mean(waits) / 1e3, p50_us=_quantile(waits, 0.5) / 1e3,
            p95_us=_quantile(waits, 0.95) / 1e3, p99_us=_quantile(waits, 0.99) / 1e3, held_us=_mean(holds) / 1e3,
            usual_wait_us=_quantile(waits, 0.5) / 1e3, usual_held_us=_quantile(holds, 0.5) / 1e3,
            cpu_us=sum(value["cpu_ns"]) / 1e3 / each, gave_up=sum(thread[0] for thread in value["switches"]) / each,
            taken_away=sum(thread[1] for thread in value["switches"]) / each, elsewhere=Elsewhere(**value["elsewhere"]),
        )  # fmt: skip


def _mean(values: Sequence[int]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def _quantile(values: Sequence[int], share: float) -> float:
    return float(values[min(len(values) - 1, math.ceil(share * len(values)) - 1)]) if values else math.nan


def run_jobs(
    jobs: Sequence[Job], group: Group | None, progress: Callable[[int], None] = lambda done: None
) -> list[Seen]:
    """Run jobs one after the other, in a group if one is given; `progress` is called with how many are done.

    Raises InputError with what the system refused, RunError when the worker failed.

    >>> run_jobs([], None)
    []
    """
    found = answers("slicewright.live.locks.worker", [group] if group else [], list(map(asdict, jobs)), progress)
    return [Seen.of_json(answer, job.length_ns / 1e9) for job, answer in zip(jobs, found, strict=True)]


def may_lift(job: Job) -> str:
    """Why the priority of a holder cannot be lifted here; empty where it can.

    >>> import os
    >>> processor = min(os.sched_getaffinity(0))
    >>> isinstance(may_lift(Job("handover", (processor,), 1, 0, (9, 9), 9, 1_000_000)), str)
    True
    """
    try:
        run_jobs([job], None)
    except InputError as error:
        return "; ".join(str(row.get("why") or row.get("what")) for row in error.problems)
    return ""

"""The program of `live yields`: threads that share a lock on fewer processors than threads, for each job."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from slicewright._core import live_locks
from slicewright.live.machine import Elsewhere, beside
from slicewright.live.workers import mean, quantile, work

Method = Literal["spin", "ticket", "yield", "ticket-yield", "futex", "handover"]
"""How a thread waits; `slicewright live yields --help` explains each."""


@dataclass(frozen=True)
class Job:
    """One run: method, processors, threads, hogs, turns of work outside the lock and under it, tries, ns, seed."""

    method: Method
    processors: tuple[int, ...]
    threads: int
    hogs: int
    turns: tuple[int, int]
    tries: int
    length_ns: int
    seed: int = 1


@dataclass(frozen=True)
class _Seen:
    """What the threads of a run saw: locks a second, waits and holds in us, processor time, switches, others' use.

    `gave_up` and `taken_away` are switches for each lock.
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
    UNKNOWN: ClassVar = ("wait_us", "p50_us", "p95_us", "p99_us", "held_us", "usual_wait_us", "usual_held_us")

    @staticmethod
    def of(value: Mapping[str, Any], length_s: float, elsewhere: Elsewhere) -> _Seen:
        """The sum of what the engine's threads saw.

        >>> _Seen.of(
        ...     {"taken": [2, 2], "waits_ns": [0, 1000, 0, 3000], "holds_ns": [2000] * 4, "cpu_ns": [8000, 8000],
        ...      "switches": [[1, 2], [0, 1]]}, 1.0, Elsewhere()).wait_us
        1.0
        """
        taken = sum(value["taken"])
        waits, holds = sorted(value["waits_ns"]), sorted(value["holds_ns"])
        each = max(taken, 1)
        p50, p95, p99 = (quantile(waits, share) / 1e3 for share in (0.5, 0.95, 0.99))
        gave_up, taken_away = (sum(thread[at] for thread in value["switches"]) / each for at in (0, 1))
        return _Seen(
            taken / length_s, mean(waits) / 1e3, p50, p95, p99, mean(holds) / 1e3, p50, quantile(holds, 0.5) / 1e3,
            sum(value["cpu_ns"]) / 1e3 / each, gave_up, taken_away, elsewhere,
        )  # fmt: skip


def measure(job: Job) -> _Seen:
    """Run one job; raises InputError with what the system refused."""
    who = (list(job.processors), job.threads, job.hogs)
    what = (*job.turns, job.tries, job.length_ns, job.seed)
    seen, elsewhere = beside(job.processors, lambda: live_locks(job.method, who, what))
    return _Seen.of(seen, job.length_ns / 1e9, elsewhere)


if __name__ == "__main__":
    sys.exit(work(measure))

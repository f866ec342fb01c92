"""Runs of threads that read a file as data, and what the threads of a run saw."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from slicewright.live.answers import answers
from slicewright.live.environment import Elsewhere
from slicewright.live.group import Group
from slicewright.live.reads.device import COUNT_FILE, Device
from slicewright.live.reads.plan import READ_BYTES

MODULE = "slicewright.live.reads.worker"


@dataclass(frozen=True)
class Job:
    """One run: file, threads, permits, ns between the reads of a thread (0: at once), ns in all, seed.

    >>> Job("scratch", 32, 8, 0, 600_000_000).bytes
    4096
    """

    file: str
    requesters: int
    depth: int
    every_ns: int
    length_ns: int
    seed: int = 1
    bytes: int = READ_BYTES


@dataclass(frozen=True)
class Seen:
    """What the threads of a run saw: reads a second, waits in ms, processor time and switches of a read.

    >>> answer = {"waits_ns": [1_000_000, 3_000_000], "reads_ns": [1000, 3000], "cpu_ns": 8000, "gave_up": 4,
    ...           "taken_away": 0, "counted": 2, "pressure_us": None, "elsewhere": {}}
    >>> Seen.of_json(answer, 1.0).wait_ms
    2.0
    """

    reads_per_s: float
    wait_ms: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    read_us: float
    cpu_us: float
    switches: float
    counted_per_s: float
    pressure_percent: float
    elsewhere: Elsewhere
    spans_ns: tuple[int, ...] = ()

    @staticmethod
    def of_json(answer: Mapping[str, Any], length_s: float) -> Seen:
        """The output of a worker for one run; reads that the kernel counted include those that end after the run."""
        waits, reads = sorted(answer["waits_ns"]), answer["reads_ns"]
        each = max(len(waits), 1)
        p50, p95, p99 = (_quantile(waits, share) / 1e6 for share in (0.5, 0.95, 0.99))
        counted, pressure = answer["counted"], answer["pressure_us"]
        return Seen(
            len(waits) / length_s, _mean(waits) / 1e6, p50, p95, p99, _mean(reads) / 1e3,
            answer["cpu_ns"] / 1e3 / each, (answer["gave_up"] + answer["taken_away"]) / each,
            math.nan if counted is None else counted / length_s,
            math.nan if pressure is None else min(100.0, pressure / 1e4 / length_s),
            Elsewhere(**answer["elsewhere"]), tuple(reads),
        )  # fmt: skip


def run_reads(
    jobs: Sequence[Job], groups: Sequence[Group], device: Device, progress: Callable[[int], None] = lambda done: None
) -> list[Seen]:
    """Run jobs one after the other in a worker, in groups; `progress` is called with how many are done.

    Raises InputError with what the system refused, RunError when the worker failed.

    >>> run_reads([], [], Device("254:0", "vda"))
    []
    """
    counted = [str(group.path / COUNT_FILE[group.version]) for group in groups[:1]]
    asked = [{**asdict(job), "counted": counted, "device": device.number} for job in jobs]
    found = answers(MODULE, groups, asked, progress)
    return [Seen.of_json(answer, job.length_ns / 1e9) for job, answer in zip(jobs, found, strict=True)]


def _mean(values: Sequence[int]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def _quantile(values: Sequence[int], share: float) -> float:
    return float(values[min(len(values) - 1, math.ceil(share * len(values)) - 1)]) if values else math.nan

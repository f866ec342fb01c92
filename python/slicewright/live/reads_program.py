"""The program of `live io`: threads that read one file behind permits, for one job after another."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from slicewright._core import live_reads
from slicewright.live.disk import counted_reads
from slicewright.live.machine import Elsewhere, beside, number_after, processors_here, text_of
from slicewright.live.workers import mean, quantile, work

READ_BYTES = 4096


@dataclass(frozen=True)
class Job:
    """One run: file, threads, permits, ns between the reads of a thread (0: at once), ns in all, seed.

    `counted` is the file of the group that counts the reads of `device`, empty without one.
    """

    file: str
    requesters: int
    depth: int
    every_ns: int
    length_ns: int
    seed: int = 1
    bytes: int = READ_BYTES
    counted: str = ""
    device: str = ""


@dataclass(frozen=True)
class Seen:
    """What the threads of a run saw: reads a second, waits in ms, processor time and switches of a read.

    The reads that the kernel counted include those that end after the run.
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
    UNKNOWN: ClassVar = ("wait_ms", "p50_ms", "p95_ms", "p99_ms", "read_us", "counted_per_s", "pressure_percent")


def measure(job: Job) -> Seen:
    """Run one job; raises InputError with what the system refused."""
    counters, pressed = _counted(job), _pressure_us()
    what = (job.requesters, job.depth, job.every_ns, job.length_ns, job.seed)
    seen, elsewhere = beside(processors_here(), lambda: live_reads((job.file, job.bytes), what))
    counted, pressure = _counted(job), _pressure_us()
    waits, reads = sorted(seen["waits_ns"]), seen["reads_ns"]
    each, length_s = max(len(waits), 1), job.length_ns / 1e9
    p50, p95, p99 = (quantile(waits, share) / 1e6 for share in (0.5, 0.95, 0.99))
    return Seen(
        len(waits) / length_s, mean(waits) / 1e6, p50, p95, p99, mean(reads) / 1e3,
        seen["cpu_ns"] / 1e3 / each, (seen["gave_up"] + seen["taken_away"]) / each,
        math.nan if counted is None else (counted - (counters or 0)) / length_s,
        math.nan if pressure is None or pressed is None else min(100.0, (pressure - pressed) / 1e4 / length_s),
        elsewhere, tuple(reads),
    )  # fmt: skip


def _pressure_us(file: Path = Path("/proc/pressure/io")) -> int | None:
    """Time in which some task waited for I/O, of the whole machine, in us; None where the kernel does not count it."""
    return number_after(file, "some .*total=")


def _counted(job: Job) -> int | None:
    return counted_reads(text_of(Path(job.counted)), job.device) if job.counted else None


if __name__ == "__main__":
    sys.exit(work(measure))

"""The process whose threads read a file: it gets its jobs from standard input and prints a line for each."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from slicewright._core import live_reads
from slicewright.live.answers import work
from slicewright.live.environment import beside, processors_here
from slicewright.live.reads.device import counted_reads

PRESSURE = Path("/proc/pressure/io")


def measure(job: dict[str, Any]) -> dict[str, Any]:
    """Run one job and say what its threads saw: what `Seen.of_json` reads.

    Raises InputError with what the system refused.

    >>> job = {"file": "/no/such", "bytes": 4096, "requesters": 1, "depth": 1, "every_ns": 0, "length_ns": 1000,
    ...        "seed": 1, "counted": [], "device": "254:0"}
    >>> measure(job)  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: /no/such: cannot be read past the page cache
    """
    counters, pressed = _counted(job), pressure_us()
    what = (job["requesters"], job["depth"], job["every_ns"], job["length_ns"], job["seed"])
    seen, elsewhere = beside(processors_here(), lambda: live_reads((job["file"], job["bytes"]), what))
    counted, pressure = _counted(job), pressure_us()
    return {
        **seen,
        "counted": None if counted is None else counted - (counters or 0),
        "pressure_us": None if pressure is None or pressed is None else pressure - pressed,
        "elsewhere": asdict(elsewhere),
    }


def pressure_us(file: Path = PRESSURE) -> int | None:
    """Time in which some task waited for I/O, of the whole machine, in us; None where the kernel does not count it.

    >>> pressure_us(Path("/no/such"))
    """
    try:
        lines = file.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    found = [line.rpartition("total=")[2] for line in lines if line.startswith("some")]
    return int(found[0]) if found and found[0].isdigit() else None


def _counted(job: dict[str, Any]) -> int | None:
    for file in job["counted"]:
        try:
            return counted_reads(Path(file).read_text(encoding="ascii"), job["device"])
        except OSError:
            return None
    return None


if __name__ == "__main__":
    sys.exit(work(measure))

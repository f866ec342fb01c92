"""Files of Linux's disk tools as a measured run: a volume per disk, an interval per report or job."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from slicewright._core import __version__
from slicewright.measured.form import Kind
from slicewright.measured.linux.disk import Disk, Disks
from slicewright.measured.linux.forms import TOOLS, read_disks, tool_of
from slicewright.measured.measured import Measured
from slicewright.measured.tables import LINUX_CLOCK, SourceFile, columns_of, measured_frames
from slicewright.values.errors import Problem, gathered, problem
from slicewright.values.parameters import check

TITLES = {
    "fio": "jobs of fio",
    "iostat": "disks of iostat -x",
    "btt": "stages of requests by btt",
    "dasdstat": "volumes of dasdstat",
}
SYSTEM = "Linux"
MOST_ROWS = 1_000_000


def read_linux(files: Sequence[tuple[str, bytes]], sources: Sequence[SourceFile]) -> tuple[list[Kind], Measured]:
    """The kinds of records in files (name, content), and their measured run; raises InputError with every problem.

    >>> row = b"Device tps kB/s await aqu-sz %util\\nvda 80.0 320.0 2.50 0.20 7.0\\n"
    >>> _, run = read_linux([("a.txt", row)], [])
    >>> run.raw["volumes"]["response_ms"].to_list()
    [2.5]
    """
    problems: list[Problem] = []
    found: list[tuple[str, Disks]] = []
    kinds: dict[str, Kind] = {}
    for name, data in files:
        tool = tool_of(data)
        if tool is None:
            problems.append(problem("no output of these tools", file=name, allowed=TOOLS))
            continue
        for disks in gathered(problems, functools.partial(read_disks, data, name)):
            found.append((tool, disks))
            before = kinds.get(tool, Kind(tool, "", TITLES[tool], 0, 0, True))
            count = before.records + len(disks.disks)
            kinds[tool] = Kind(tool, "", TITLES[tool], count, before.bytes + len(data), True)
    rows = sum(len(disks.disks) for _, disks in found)
    if rows > MOST_ROWS:
        problems.append(problem(f"{rows:,} rows of disks", key="files", allowed=f"at most {MOST_ROWS:,}"))
    check(*problems)
    return list(kinds.values()), _run([disks for _, disks in found], sources)


def _run(found: Sequence[Disks], sources: Sequence[SourceFile]) -> Measured:
    """The disks of all files; the intervals of a file follow those of the one before."""
    spans: list[tuple[int, int]] = []
    rows: list[dict[str, Any]] = []
    for disks in found:
        for at in sorted({disk.interval for disk in disks.disks}):
            inside = [disk for disk in disks.disks if disk.interval == at]
            first = inside[0]
            start = first.start_us or (spans[-1][1] if spans else 0)
            spans.append((start, start + max(1, round(first.length_s * 1e6))))
            rows += [_volume(disk, len(spans) - 1) for disk in inside]
    systems = [_system(rows, at) for at in range(len(spans))]
    made = {
        table: {name: [row.get(name) for row in of] for name in columns_of(table)}
        for table, of in (("volumes", rows), ("system", systems))
    }
    return Measured(
        name=SYSTEM, version=__version__, raw=measured_frames(made), replications=1,
        notes=tuple(note for disks in found for note in disks.notes), starts_us=[start for start, _ in spans],
        ends_us=[end for _, end in spans], sources=sources, clock=LINUX_CLOCK,
    )  # fmt: skip


def _volume(disk: Disk, interval: int) -> dict[str, Any]:
    """A disk as a row of the table of volumes; counters that the tools do not have stay unknown."""
    percentiles = {f"response_p{p}_ms": value for p, value in disk.percentiles_ms.items()}
    label = f"{disk.device} {disk.job}" if disk.job and disk.job != disk.device else disk.device
    in_service = None if disk.service_ms is None else disk.io_per_s * disk.service_ms / 1000
    return {
        "replication": 0, "interval": interval, "volume": label, "device": disk.device, "pool": "",
        "io_per_s": disk.io_per_s, "reads_per_s": disk.reads_per_s, "writes_per_s": disk.writes_per_s,
        "kib_per_s": disk.kib_per_s, "response_ms": disk.response_ms, "service_ms": disk.service_ms,
        "queue_depth": disk.waiting, "in_service": in_service, **percentiles,
    }  # fmt: skip


def _system(volumes: Sequence[Mapping[str, Any]], interval: int) -> dict[str, Any]:
    """The disks of an interval together: their rate, and their mean response by I/O."""
    inside = [(row["io_per_s"], row["response_ms"]) for row in volumes if row["interval"] == interval]
    rate = sum(io for io, _ in inside)
    response = sum(io * ms for io, ms in inside) / rate
    return {"replication": 0, "interval": interval, "io_per_s": rate, "response_ms": response}

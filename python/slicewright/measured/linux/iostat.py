"""Reports of `iostat -x`, as text or JSON: rate, await and queue of each disk in each interval.

Columns: iostat(1) of sysstat, extended statistics; by name, since their order and number changed with versions 10 to
12. `await` (12: r_await and w_await) is from a request's arrival at the block layer to its end, `aqu-sz` (before:
avgqu-sz) the mean number of requests there and in the device.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from slicewright.errors import Problem, problem, refusal
from slicewright.measured.linux.disk import UNKNOWN_S, Disk, Disks
from slicewright.measured.linux.text import Fields, decoded, json_of, number

ALLOWED = "the output of iostat -x, text or -o JSON, with the interval that was asked for: iostat -x 10 60"
SIDES = ("r", "w", "d", "f")
"""Reads, writes, discards, flushes."""
_QUEUES = ("aqu-sz", "avgqu-sz")
_JSON = re.compile(rb'^\s*\{\s*"sysstat"\s*:', re.MULTILINE)
_TABLE = re.compile(rb"^\S+\s(?=.*(?:aqu-sz|avgqu-sz))(?=.*%util).*$", re.MULTILINE)
_PLAIN = re.compile(rb"^Device:?\s+tps\s+\S*_read/s", re.MULTILINE)

Row = Mapping[str, float]


def is_iostat(head: bytes) -> bool:
    """Whether a file has reports of iostat, those without -x too, which `read_iostat` refuses.

    >>> is_iostat(b"Device  r/s  r_await  aqu-sz  %util\\n"), is_iostat(b"FCX108")
    (True, False)
    """
    return any(form.search(head) is not None for form in (_JSON, _TABLE, _PLAIN))


def read_iostat(data: bytes, file: str) -> Disks:
    """A disk for each row of each report that did I/O; the first of several reports is since the boot and is dropped.

    Raises InputError with every problem.

    >>> read_iostat(b"Device tps kB/s await aqu-sz %util\\nvda 80.0 320.0 2,50 0,20 7,0\\n", "a.txt").disks[0].in_flight
    0.2
    """
    text = decoded(data, file, ALLOWED)
    problems: list[Problem] = []
    reports = _of_json(text, file, problems) if _JSON.search(data) else _of_text(text, file, problems)
    if problems:
        raise refusal(*problems)
    if not reports:
        raise refusal(problem("no report of disks", file=file, allowed=ALLOWED))
    times = [when for when, _ in reports]
    lengths = [(after - before) / 1e6 for before, after in pairwise(times) if before and after]
    length_s = next((length for length in sorted(lengths)[len(lengths) // 2 :] if length > 0), UNKNOWN_S)
    notes = []
    if len(reports) > 1:
        reports = reports[1:]
        notes.append(f"the first report of {file} is dropped: unless iostat has -y, it is of the time since the boot")
    else:
        notes.append(f"{file} has one report: unless iostat has -y, it is of the time since the boot")
    if not lengths:
        notes.append(f"{file} has no timestamps (-t): intervals are taken to follow each other, {UNKNOWN_S:g} s each")
    found = [
        replace(disk, interval=at, length_s=length_s, start_us=max(0, when - round(length_s * 1e6)) if when else 0)
        for at, (when, disks) in enumerate(reports)
        for disk in disks
    ]
    if not found:
        raise refusal(problem("no disk did I/O", file=file, allowed="a time with I/O"))
    return Disks(tuple(found), tuple(notes))


_Report = tuple[int, list[Disk]]
"""When it was printed (0 is not known), and its disks that did I/O."""


def _of_json(text: str, file: str, problems: list[Problem]) -> list[_Report]:
    members, _ = json_of(text, file, "iostat")
    reports: list[_Report] = []
    for host in Fields(members, (file, ""), problems).inside("sysstat").objects("hosts"):
        for statistics in host.objects("statistics"):
            disks = []
            for each in statistics.objects("disk"):
                row = {key: each.number(key) for key, value in each.members.items() if not isinstance(value, str)}
                name = each.text("disk_device")
                if not name:
                    problems.append(problem("is missing", file=file, key=f"{each.path}.disk_device", allowed="a name"))
                disks.append(_disk(name, row, {"file": file, "key": each.path}, problems))
            when = _when(statistics.text("timestamp"))
            reports.append((when, [disk for disk in disks if disk is not None]))
    return reports


def _of_text(text: str, file: str, problems: list[Problem]) -> list[_Report]:
    reports: list[_Report] = []
    heads: list[str] | None = None
    when = 0
    for at, line in enumerate(text.splitlines(), 1):
        cells = line.split()
        if not cells:
            heads = None
        elif re.match(r"Device:?\s+tps\s+\S*_read/s", line):
            what, why = "a report without -x", "it has neither times nor queues"
            raise refusal(problem(what, file=file, line=at, why=why, allowed=ALLOWED))
        elif "%util" in cells and any(name in cells for name in _QUEUES):
            heads = cells[1:]
            reports.append((when, []))
        elif heads is not None:
            disk = _row(cells, heads, {"file": file, "line": at}, problems)
            if disk is not None:
                reports[-1][1].append(disk)
        else:
            when = _when(line) or when
    return reports


def _row(cells: list[str], heads: list[str], place: Mapping[str, str | int], problems: list[Problem]) -> Disk | None:
    if len(cells) != len(heads) + 1:
        why = "the file is cut, or a name has a blank"
        allowed = f"{len(heads) + 1} cells, as its header has"
        problems.append(problem(f"{len(cells)} cells", **place, why=why, allowed=allowed))
        return None
    row: dict[str, float] = {}
    for name, cell in zip(heads, cells[1:], strict=True):
        value = number(cell)
        if value is None:
            problems.append(problem(f"not a number: {cell[:40]}", **place, key=name, allowed="a number from 0 on"))
            return None
        row[name] = value
    return _disk(cells[0], row, place, problems)


def _disk(name: str, row: Row, place: Mapping[str, str | int], problems: list[Problem]) -> Disk | None:
    """A row as a disk; None where it did no I/O."""
    rates = {side: row[f"{side}/s"] for side in SIDES if f"{side}/s" in row}
    total = sum(rates.values()) if rates else row.get("tps")
    queue = next((row[key] for key in _QUEUES if key in row), None)
    response = row.get("await")
    if response is None and total and all(f"{side}_await" in row for side in rates):
        response = sum(rates[side] * row[f"{side}_await"] for side in rates) / total
    for key, value in (("r/s, w/s or tps", total), ("aqu-sz", queue), ("await or r_await", response)):
        if value is None and (total or key != "await or r_await"):
            problems.append(problem("has no such column", **{**place, "key": key}, why=f"disk {name}", allowed=ALLOWED))
            return None
    if not total or queue is None:
        return None
    assert response is not None
    per_kib = {"kB/s": 1.0, "MB/s": 1024.0, "sec/s": 0.5}
    kib = sum(row[f"{side}{unit}"] * of for side in ("r", "w", "d") for unit, of in per_kib.items()
              if f"{side}{unit}" in row)  # fmt: skip
    return Disk(
        file=str(place["file"]), device=name, io_per_s=total, reads_per_s=rates.get("r"), writes_per_s=rates.get("w"),
        kib_per_s=kib or sum(row.get(unit, 0.0) * of for unit, of in per_kib.items()), queue_depth=queue,
        # Long requests at a low rate are printed with two decimals of a ms, short ones better by the queue.
        response_ms=max(response, 0.001),
    )  # fmt: skip


def _when(text: str) -> int:
    """An instant of iostat -t, microseconds since 1970 in local time; 0 where a line is none.

    >>> _when("11/23/26 23:39:32") == _when("2026-11-23T23:39:32+0000") == _when("11/23/2026 11:39:32 PM")
    True
    """
    text = re.sub(r"[+-][0-9]{2}:?[0-9]{2}$", "", text.strip())
    for form in ("%m/%d/%y %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%m/%d/%Y %I:%M:%S %p", "%d/%m/%y %H:%M:%S",
                 "%m/%d/%Y %H:%M:%S", "%d.%m.%Y %H:%M:%S", "%Y-%m-%d %H:%M:%S"):  # fmt: skip
        try:
            at = datetime.datetime.strptime(text, form).replace(tzinfo=datetime.UTC)
        except ValueError:
            continue
        return round(at.timestamp() * 1e6)
    return 0

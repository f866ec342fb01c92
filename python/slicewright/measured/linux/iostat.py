"""Reports of `iostat -x`, as text or JSON: rate, await and queue of each disk in each interval.

Columns: iostat(1) of sysstat, extended statistics; by name, since their order and number changed with versions 10 to
12. `await` (12: r_await and w_await) is from a request's arrival at the block layer to its end, `aqu-sz` (before:
avgqu-sz) the mean number of requests there and in the device.  `--pretty` and -h print a table for each kind of
request, with the disk at the end of a row; --human adds units.  Every run begins with a report of the time since the
boot.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

from slicewright.measured.linux.disk import UNKNOWN_S, Disk, Disks
from slicewright.measured.linux.text import Fields, decoded, jsons_of, number
from slicewright.statistics import plural
from slicewright.values.errors import Problem, problem, refusal
from slicewright.values.parameters import check

ALLOWED = "the output of iostat -x, text or -o JSON, with the interval that was asked for: iostat -x 10 60"
SIDES = ("r", "w", "d", "f")
"""Reads, writes, discards, flushes."""
_QUEUES = ("aqu-sz", "avgqu-sz")
_JSON = re.compile(rb'^[ \t]*\{\s*"sysstat"\s*:', re.MULTILINE)
_TABLE = re.compile(rb"^(?![0-9#]|Average)\S+\s(?=.*(?:aqu-sz|avgqu-sz))(?=.*%util).*$", re.MULTILINE)
_PRETTY = re.compile(rb"^ *[rwdf]/s .*\sDevice\s*$", re.MULTILINE)
_OTHER_JSON = re.compile(rb'"(?:sysdata-version|cpu-load)"\s*:')
_BEGIN = re.compile(r"Linux \S+ \(.*\)\s.*")
"""The line that each run of a tool of sysstat begins with."""
_UNITS = {"B": 1 / 1024, "k": 1.0, "M": 1024.0, "G": 1024.0**2, "T": 1024.0**3, "P": 1024.0**4}
"""Of `--human`, in KiB."""
_PLAIN = re.compile(rb"^Device:?\s+tps\s+\S*_read/s", re.MULTILINE)

Row = Mapping[str, float]


def is_iostat(head: bytes) -> bool:
    """Whether a file has reports of iostat, those without -x too, which `read_iostat` refuses.

    >>> is_iostat(b"Device  r/s  r_await  aqu-sz  %util\\n"), is_iostat(b"FCX108")
    (True, False)
    """
    if _JSON.search(head):
        return _OTHER_JSON.search(head) is None
    return any(form.search(head) is not None for form in (_TABLE, _PRETTY, _PLAIN))


def read_iostat(data: bytes, file: str) -> Disks:
    """A disk for each row of each report that did I/O, without those since the boot where there are others.

    Raises InputError with every problem.

    >>> read_iostat(b"Device tps kB/s await aqu-sz %util\\nvda 80.0 320.0 2,50 0,20 7,0\\n", "a.txt").disks[0].in_flight
    0.2
    """
    text = decoded(data, file, ALLOWED)
    problems: list[Problem] = []
    reports = _of_json(text, file, problems) if _JSON.search(data) else _of_text(text, file, problems)
    check(*problems)
    if not reports:
        raise refusal(problem("no report of disks", file=file, allowed=ALLOWED))
    times = [report.when for report in reports]
    lengths = [(after - before) / 1e6 for before, after in pairwise(times) if before and after]
    length_s = next((length for length in sorted(lengths)[len(lengths) // 2 :] if length > 0), UNKNOWN_S)
    notes = []
    later = [report for report in reports if not report.first]
    if later:
        what = "the first report of each run in" if len(reports) - len(later) > 1 else "the first report of"
        notes.append(f"{what} {file} is dropped: unless iostat has -y, it is of the time since the boot")
    else:
        one = "one report" if len(reports) == 1 else "the first report of each run alone"
        notes.append(f"{file} has {one}: unless iostat has -y, it is of the time since the boot")
    if not lengths:
        notes.append(f"{file} has no timestamps (-t): intervals are taken to follow each other, {UNKNOWN_S:g} s each")
    found = [
        replace(
            disk, interval=at, length_s=length_s, since_boot=report.first,
            start_us=max(0, report.when - round(length_s * 1e6)) if report.when else 0,
        )
        for at, report in enumerate(later or reports)
        for disk in report.disks
    ]  # fmt: skip
    if not found:
        raise refusal(problem("no disk did I/O", file=file, allowed="a time with I/O"))
    return Disks(tuple(found), tuple(notes))


@dataclass(slots=True)
class _Report:
    """When a report was printed (0 is not known), whether it is the first of a run, and its disks that did I/O."""

    when: int
    first: bool
    disks: list[Disk] = field(default_factory=list)


def _of_json(text: str, file: str, problems: list[Problem]) -> list[_Report]:
    roots = [Fields(members, (file, ""), problems) for members in jsons_of(text, file, "iostat")]
    reports: list[_Report] = []
    for host in (host for root in roots for host in root.inside("sysstat").objects("hosts")):
        for at, statistics in enumerate(host.objects("statistics")):
            disks = []
            for each in statistics.objects("disk"):
                row = {key: each.number(key) for key, value in each.members.items() if not isinstance(value, str)}
                name = each.text("disk_device")
                if not name:
                    problems.append(problem("is missing", file=file, key=f"{each.path}.disk_device", allowed="a name"))
                disks.append(_disk(name, row, {"file": file, "key": each.path}, problems))
            when = _when(statistics.text("timestamp"))
            reports.append(_Report(when, at == 0, [disk for disk in disks if disk is not None]))
    return reports


def _of_text(text: str, file: str, problems: list[Problem]) -> list[_Report]:
    """The reports of tables: a row for a disk, or with `--pretty` a row for each kind of its requests."""
    reports: list[_Report] = []
    table = _Table()
    when, first = 0, True
    for at, line in enumerate([*text.splitlines(), ""], 1):
        cells = line.split()
        place: Mapping[str, str | int] = {"file": file, "line": at}
        if re.match(r"Device:?\s+tps\s+\S*_read/s", line):
            why = "it has neither times nor queues"
            raise refusal(problem("a report without -x", file=file, line=at, why=why, allowed=ALLOWED))
        if _BEGIN.fullmatch(line):
            first = True
        heads = _heads(cells)
        if heads is not None:
            if not reports or not table.goes_on(heads):
                table.finish(reports, problems)
                reports.append(_Report(when, first))
                first = False
            table.begin(heads, pretty=cells[-1] == "Device")
        elif not cells:
            table.open = False
        elif table.open:
            table.row(cells, place, problems)
        else:
            when = _when(line) or when
    table.finish(reports, problems)
    return reports


def _heads(cells: list[str]) -> list[str] | None:
    """The columns of a header line without that of the disk; None for any other line."""
    if len(cells) > 2 and cells[-1] == "Device" and any(name in cells for name in ("r/s", "w/s", "d/s", "f/s", "tps")):
        return cells[:-1]
    if not cells or re.match(r"[0-9#]|Average", cells[0]):  # sar has a time there
        return None
    return cells[1:] if "%util" in cells and any(name in cells for name in _QUEUES) else None


@dataclass(slots=True)
class _Table:
    """The rows of a report so far, by disk: those of `--pretty` come in several tables."""

    rows: dict[str, tuple[dict[str, float], Mapping[str, str | int]]] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    """Columns of the tables of this report."""
    heads: list[str] = field(default_factory=list)
    pretty: bool = False
    open: bool = False
    name: str = ""
    """A disk whose numbers are on the next line (-h of sysstat 10 and 11)."""

    def goes_on(self, heads: list[str]) -> bool:
        """Whether a header belongs to the report so far: it has columns of its own."""
        return bool(self.seen) and not self.seen & set(heads)

    def begin(self, heads: list[str], *, pretty: bool) -> None:
        """Take the columns of a table."""
        self.heads, self.pretty, self.open, self.name = heads, pretty, True, ""
        self.seen |= set(heads)

    def row(self, cells: list[str], place: Mapping[str, str | int], problems: list[Problem]) -> None:
        """Take a row; a row that is none becomes a problem."""
        if len(cells) == 1 and not self.pretty and not self.name:
            self.name = cells[0]
            return
        if self.name and len(cells) == len(self.heads):
            cells = [self.name, *cells]
        self.name = ""
        if len(cells) != len(self.heads) + 1:
            why = "the file is cut, or a name has a blank"
            allowed = f"{len(self.heads) + 1} cells, as its header has"
            problems.append(problem(plural(len(cells), "cell"), **place, why=why, allowed=allowed))
            return
        name, values = (cells[-1], cells[:-1]) if self.pretty else (cells[0], cells[1:])
        row = self.rows.setdefault(name, ({}, place))[0]
        for head, cell in zip(self.heads, values, strict=True):
            value = _value(head, cell)
            if value is None:
                problems.append(problem(f"not a number: {cell[:40]}", **place, key=head, allowed="a number from 0 on"))
                return
            row[head] = value

    def finish(self, reports: list[_Report], problems: list[Problem]) -> None:
        """Give the disks of the rows to the last report, and begin anew."""
        found = [] if problems else [_disk(name, row, place, problems) for name, (row, place) in self.rows.items()]
        if reports:
            reports[-1].disks += [disk for disk in found if disk is not None]
        self.rows, self.seen, self.open, self.name = {}, set(), False, ""


def _value(head: str, cell: str) -> float | None:
    """The number of a cell; with `--human` a share has its sign, and an amount of data its unit.

    >>> _value("rkB/s", "1.5M"), _value("%util", "7.0%"), _value("r/s", "7.0%")
    (1536.0, 7.0, None)
    """
    if head.startswith("%"):
        return number(cell.removesuffix("%"))
    unit = cell[-1:]
    if unit not in _UNITS or not re.fullmatch(r"[rwd]?(?:kB|MB)/s|[rwd]?areq-sz", head):
        return number(cell)
    value = number(cell[:-1])
    return None if value is None else value * _UNITS[unit] / (1024.0 if "MB" in head else 1.0)


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

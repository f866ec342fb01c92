"""Pages of RMF and of the z/VM Performance Toolkit as a measured run: their rows as tables, an interval per time."""

from __future__ import annotations

import datetime
import functools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from slicewright._core import (
    ChannelReport,
    CpuReport,
    DirectAccessReport,
    PartitionReport,
    QueuingReport,
    __version__,
)
from slicewright.measured import rmf_pages
from slicewright.measured.families import titles
from slicewright.measured.form import Kind
from slicewright.measured.measured import Measured
from slicewright.measured.tables import PAGE_CLOCK, SourceFile, columns_of, measured_frames
from slicewright.statistics import fixed, plural
from slicewright.values.errors import Problem, gathered, problem, refusal
from slicewright.values.parameters import check

Columns = Mapping[str, Sequence[Any]]

_RMF: dict[rmf_pages.Kind, tuple[Any, tuple[str, ...]]] = {
    rmf_pages.Kind.DEVICES: (DirectAccessReport, ("volumes", "devices", "system")),
    rmf_pages.Kind.CPU: (CpuReport, ("logical_processors",)),
    rmf_pages.Kind.PARTITIONS: (PartitionReport, ("partitions",)),
    rmf_pages.Kind.CHANNELS: (ChannelReport, ("channels",)),
    rmf_pages.Kind.QUEUING: (QueuingReport, ("pools",)),
}
"""The reader of each page of RMF, and the tables that it fills."""
_GENERAL = ("CP", "")
"""The types of processors that partitions of z/OS run programs on; others are ignored."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A page that was read: what it is, its system and its time, the rows of its tables, and notes on the others."""

    title: str
    system: str
    started: str
    interval_s: float
    tables: Mapping[str, Columns]
    notes: Sequence[str] = field(default=())


def is_page(data: bytes) -> bool:
    """Whether `read` makes a measured run of a file: it has pages of RMF, or FCX102.

    >>> is_page(b" FCX102   CPU 8561"), is_page(b" FCX108  Run")
    (True, False)
    """
    return (bool(rmf_pages.kinds(data)) and b"FCX108" not in data) or is_fcx102(data) or is_devr(data)


def read_pages(files: Sequence[tuple[str, bytes]], sources: Sequence[SourceFile]) -> tuple[list[Kind], list[Measured]]:
    """The kinds of pages in files (name, content), and a measured run of each system.

    Raises InputError with every problem.
    """
    problems: list[Problem] = []
    found: list[tuple[Listed, int]] = []
    for name, data in files:
        if not is_page(data):
            problems.append(problem("no page that is read", file=name, allowed="pages beside pages"))
        for pages in gathered(problems, functools.partial(_pages, data, name)):
            found += [(page, len(data)) for page in pages]
    check(*problems)
    kinds: dict[str, Kind] = {}
    for page, size in found:
        before = kinds.get(page.title, Kind("page", "", page.title, 0, 0, True))
        rows = sum(len(next(iter(table.values()), ())) for name, table in page.tables.items() if name in _SHOWN)
        kinds[page.title] = Kind("page", "", page.title, before.records + rows, before.bytes + size, True)
    systems = list(dict.fromkeys(page.system for page, _ in found))
    return list(kinds.values()), [_run([page for page, _ in found if page.system == name], sources) for name in systems]


_SHOWN = ("volumes", "logical_processors", "partitions", "channels", "pools", "control_programs")
"""Tables whose rows are the rows of a page."""


def _pages(data: bytes, file: str) -> list[Listed]:
    if is_fcx102(data):
        return [read_fcx102(data, file)]
    if is_devr(data):
        return [read_devr(data, file)]
    problems: list[Problem] = []
    found = rmf_pages.kinds(data)
    there = [kind for kind in found if len(found) == 1 or rmf_pages.has_page(_RMF[kind][0], data, file)]
    read = [page for kind in there or found for page in gathered(problems, functools.partial(_rmf, kind, data, file))]
    check(*problems)
    known = {kind.value for kind in rmf_pages.Kind}
    others = [title for title in dict.fromkeys(titles(data)) if title not in known]
    if not others:
        return read
    left = f"{file}: ignored, because nothing is read from them: {', '.join(others)}"
    return [Listed(**{**_fields(read[0]), "notes": (*read[0].notes, left)}), *read[1:]]


def _fields(page: Listed) -> dict[str, Any]:
    return {name: getattr(page, name) for name in Listed.__slots__}


def _rmf(kind: rmf_pages.Kind, data: bytes, file: str) -> Listed:
    """A page of RMF: the rows of processors of other types are ignored, with a note."""
    reader, names = _RMF[kind]
    page = reader.read(data, file)
    tables = {name: page.table(name) for name in names}
    notes = []
    if kind is rmf_pages.Kind.CPU:
        types = [row.get("TYPE", "").upper() for row in page.fields()]
        kept = [at for at, of in enumerate(types) if of in _GENERAL]
        others = [of for of in types if of not in _GENERAL]
        tables = {
            name: {name: [values[at] for at in kept] for name, values in table.items()}
            for name, table in tables.items()
        }
        if others:
            of = ", ".join(dict.fromkeys(others))
            notes = [f"{file}: {plural(len(others), 'row')} of processors of other types ({of}) ignored"]
    if kind is rmf_pages.Kind.QUEUING:
        notes = [f"{file}: {queued}" for queued in _queued(page)]
    return Listed(f"RMF {kind.value}", page.system, page.started, page.interval_s, tables, notes)


def _queued(page: QueuingReport) -> Iterator[str]:
    """How often an I/O found no alias, and the most in use at once, of each control unit that prints them."""
    unit = ""
    for row in page.fields():
        unit = row.get("LCU", unit)
        if "HPAV WAIT" in row:
            yield f"LCU {unit}: HPAV WAIT {row['HPAV WAIT']}, HPAV MAX {row.get('HPAV MAX', '-')}"


def _run(pages: Sequence[Listed], sources: Sequence[SourceFile]) -> Measured:
    """The pages of one system: those of one time are one interval."""
    times = sorted({page.started for page in pages}, key=lambda text: (_us(text), text))
    of = {text: [page for page in pages if page.started == text] for text in times}
    spans: list[tuple[int, int]] = []
    made: dict[str, dict[str, list[Any]]] = {}
    for number, text in enumerate(times):
        start = _us(text) or (spans[-1][1] if spans else 0)
        length_us = round(1e6 * max(page.interval_s for page in of[text])) or 1
        spans.append((start, start + length_us))
        for name, table in (item for page in of[text] for item in page.tables.items()):
            rows = len(next(iter(table.values()), ()))
            into = made.setdefault(name, {column: [] for column in columns_of(name)})
            given = {**table, "replication": [0] * rows, "interval": [number] * rows}
            for column, values in into.items():
                values += list(given.get(column, [None] * rows))
    system = made.setdefault("system", {column: [] for column in columns_of("system")})
    for number in sorted(set(range(len(times))) - set(system["interval"])):
        for column, values in system.items():
            values.append({"replication": 0, "interval": number}.get(column))
    notes = tuple(dict.fromkeys(note for page in pages for note in page.notes))
    return Measured(
        name=pages[0].system or "a system without a name", version=__version__, raw=measured_frames(made),
        replications=1, notes=notes, starts_us=[start for start, _ in spans], ends_us=[end for _, end in spans],
        sources=sources, clock=PAGE_CLOCK,
    )  # fmt: skip


def _us(text: str) -> int:
    """A printed date and time as microseconds since 1970; 0 where it is in no known form."""
    found = re.fullmatch(r"(\d\d)/(\d\d)/(\d\d(?:\d\d)?)\s+(\d\d)[.:](\d\d)[.:](\d\d)", text.strip())
    if found is None:
        return 0
    month, day, year, hour, minute, second = (int(part) for part in found.groups())
    year += 2000 if year < 100 else 0
    try:
        at = datetime.datetime(year, month, day, hour, minute, second, tzinfo=datetime.UTC)
    except ValueError:  # day before month, as elsewhere than in the United States
        return 0
    return int(at.timestamp() * 1e6)


_OPERATION = re.compile(r"(\S.*?)\s+(\d+)\s+(\d+\.?\d*|\.\d+)(?=\s{2,}\S|\s*$)")
_COUNTERS = {
    "diag.x'9c' not ready": "x9c_not_ready_per_s",
    "diag.x'9c' wait state": "x9c_wait_per_s",
    "diag.x'9c' soft wait": "x9c_soft_wait_per_s",
    "diag.x'9c' alr.dispat.": "x9c_dispatched_per_s",
    "fp simul of diag.x'44'": "fast_x44_per_s",
}
"""Rows of FCX102 by their words without commas (z/VM Performance Toolkit Reference, FCX102), as tables call them."""
_OUTCOMES = tuple(name for name in _COUNTERS.values() if name.startswith("x9c"))
_LACKS = (
    "FCX102 counts the X'9C' that ran no target: those that ran one are not among its rows, so the rate is the least",
    "FCX102 has the X'44' on the fast path alone: FCX104 PRIVOP has all of them",
    "FCX102 has no processor time and no scheduler lock: monitor records 0/2 and 0/23, or FCX265 LOCKLOG",
)
"""ASSUME: the rows of one outcome each are all of X'9C' that the page counts."""


def is_fcx102(data: bytes) -> bool:
    """Whether a file is the page FCX102 SYSTEM, as its title line says."""
    return re.search(rb"^.?[ \t]*FCX102\b", data, re.MULTILINE) is not None and b"FCX108" not in data


def read_fcx102(data: bytes, file: str) -> Listed:
    """The rates of DIAGNOSE X'9C' and X'44'; raises InputError for a page without them, or with counts that differ."""
    text = data.decode("latin-1")
    rows = [
        (row[1].replace(",", ""), int(row[2]), row[3])
        for line in text.splitlines()
        for row in _OPERATION.finditer(line)
    ]
    rates = {name: float(rate) for words, _, rate in rows if (name := _COUNTERS.get(words.lower()))}
    missing = [words for words, name in _COUNTERS.items() if name not in rates]
    if missing:
        why = "the rates of DIAGNOSE are what is read of it"
        raise refusal(problem(f"FCX102 without rows: {', '.join(missing)}", file=file, why=why))
    interval_s = _length(text)
    if broken := _other_counts(rows, interval_s, file):
        raise refusal(*broken)
    x9c = sum(rates[name] for name in _OUTCOMES)
    x44 = rates["fast_x44_per_s"]
    row = {**rates, "x9c_per_s": x9c, "x44_per_s": x44, "diagnoses_per_s": x9c + x44}
    head = re.search(r"CPU +(\S+) +SER +(\S+)", text)
    words = ("not ready", "wait state", "soft wait", "already dispatched")
    parts = " + ".join(f"{word} {fixed(rates[name], 1)}" for word, name in zip(words, _OUTCOMES, strict=True))
    told = f"X'9C' {fixed(x9c, 1)}/s = {parts}; X'44' on the fast path {fixed(x44, 1)}/s"
    table: dict[str, list[Any]] = {"partition": [""], **{name: [value] for name, value in row.items()}}
    system = f"CPU {head[1]} SER {head[2]}" if head else ""
    return Listed("FCX102 SYSTEM", system, "", interval_s, {"control_programs": table}, (told, *_LACKS))


def _length(text: str) -> float:
    """The seconds of "Interval 10:00:00 - 10:01:00"; 0 without."""
    found = re.search(r"Interval +(\d\d):(\d\d):(\d\d) *- *(\d\d):(\d\d):(\d\d)", text)
    if found is None:
        return 0.0
    first, last = ([int(part) for part in found.groups()[at : at + 3]] for at in (0, 3))
    seconds = [3600 * hours + 60 * minutes + rest for hours, minutes, rest in (first, last)]
    return float((seconds[1] - seconds[0]) % 86_400)


_CLOCKS = 0.02
"""ASSUME: the ends of the interval are printed in whole seconds, and the rate is over the time between two samples."""


def _other_counts(rows: Sequence[tuple[str, int, str]], interval_s: float, file: str) -> list[Problem]:
    """A problem for each rate of X'44' or X'9C' that is not its count over the interval, whatever was rounded."""
    problems = []
    for words, count, rate in rows:
        if words.lower() not in _COUNTERS or not interval_s:
            continue
        half = 0.5 * 10.0 ** -len(rate.partition(".")[2])
        low, high = (float(rate) - half) * (1 - _CLOCKS) - 0.05, (float(rate) + half) * (1 + _CLOCKS) + 0.05
        if not low <= count / interval_s <= high:
            why = f"{count:,} in {interval_s:g} s are {count / interval_s:.1f}/s"
            problems.append(problem(f"{words}: {rate}/s", file=file, key=words, why=why, allowed="the page as printed"))
    return problems


_VOLUME = re.compile(
    r"^[1 ]?(?P<volume>[A-Z0-9$#@*]{1,6}) +[A-Z](?: [A-Z])? +(?P<rate>\d+\.\d+) +(?P<response>\d+\.\d+|\.\d+)"
    r" +(?P<active>\d+) +(?P<conn>\d+) +(?P<disc>\d+)",
)
_NUMBER = re.compile(r"^[1 ]? *(?P<device>[0-9A-F]{4,5}) +(?P<pav>[0-9.]+[HX*]*)(?: |$)")


def is_devr(data: bytes) -> bool:
    """Whether a file is the Monitor III report DEVR (Device Resource Delays), by its title."""
    head = data[:4096]
    return re.search(rb"RMF +V\d+R\d+ +Device Resource Delays\b", head) is not None


def read_devr(data: bytes, file: str) -> Listed:
    """The volumes of the Monitor III report DEVR: rate, response, and PAV in the line below (z/OS RMF Report Analysis).

    ACT, CON and DSC are percentages of time, from which no time of an I/O follows where aliases help.
    """
    text = data.decode("latin-1")
    rows: dict[str, dict[str, Any]] = {}
    current = None
    for line in text.splitlines():
        if found := _VOLUME.match(line):
            current = found["volume"]
            rows[current] = {
                "volume": current, "device": "", "pool": "", "io_per_s": float(found["rate"]),
                "response_ms": float(found["response"]),
            }  # fmt: skip
        elif current and not rows[current]["device"] and (found := _NUMBER.match(line)):
            rows[current] |= {"device": found["device"], "pav": found["pav"]}
    if not rows:
        allowed = "lines of volumes with Act Rate and Resp Time"
        raise refusal(problem("DEVR without a volume", file=file, allowed=allowed))
    head = re.search(r"Samples: *\d+ +System: *(\S+) +Date: *(\S+) +Time: *(\S+) +Range: *(\d+)", text)
    system, started, seconds = (head[1], f"{head[2]} {head[3]}", float(head[4])) if head else ("", "", 0.0)
    names = ("volume", "device", "pool", "io_per_s", "response_ms")
    table = {name: [row[name] for row in rows.values()] for name in names}
    pav = ", ".join(f"{name} {row['pav']}" for name, row in rows.items() if row.get("pav"))
    notes = [f"{file}: PAV {pav}"] if pav else []
    notes.append("DEVR has no queue (IOSQ) and no times of an I/O: RMF DIRECT ACCESS DEVICE ACTIVITY, or SMF 74-1, has")
    interval_s = seconds if math.isfinite(seconds) else 0.0
    return Listed("RMF Monitor III DEVR", system, started, interval_s, {"volumes": table}, notes)

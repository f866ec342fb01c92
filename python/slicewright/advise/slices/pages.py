"""RMF pages about partitions that share processors: volumes, weights, busy times, the number of processors."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from slicewright._core import CpuReport, DirectAccessReport, PartitionReport
from slicewright.advise.source import is_scenario
from slicewright.measured.rmf_pages import OF_PARTITIONS, Kind, kinds, refuse_others
from slicewright.reading.slices import PageVolume
from slicewright.scenario.names import IN_NAMES
from slicewright.statistics import plural
from slicewright.values.errors import Problem, gathered, problem, refusal

_GENERAL = "CP"
_CLOCKS = 0.01
"""ASSUME: dispatch times and the interval are read at instants that differ by up to 1 % of the interval."""

_PERCENTAGES = (
    "LOGICAL PROCESSORS EFFECTIVE", "LOGICAL PROCESSORS TOTAL",
    "PHYSICAL PROCESSORS LPAR MGMT", "PHYSICAL PROCESSORS EFFECTIVE", "PHYSICAL PROCESSORS TOTAL",
)  # fmt: skip
"""Columns of PARTITION DATA that are parts of a whole."""

_ALL_TYPES = ("PHYSICAL PROCESSORS", "NUMBER OF PHYSICAL PROCESSORS", "PHYS PROC NUM")
_NUMBER = re.compile(r"[0-9]*\.?[0-9]+")
_CLOCK = re.compile(r"(?:([0-9]+)\.)?([0-9]+)\.([0-9]{2})\.([0-9]{3})")


def _processors_of(page: PartitionReport, rows: Sequence[dict[str, str]], file: str) -> int | None:
    """The general physical processors of a page; None where it neither prints nor implies one number.

    Raises InputError where the rows contradict themselves, each other or the printed number.
    """
    broken = [*page.disagreements, *_over_the_whole(_percentages(rows), file)]
    if broken:
        raise refusal(*broken)
    printed = _whole(page.fact(_GENERAL))
    general = [row for row in rows if row.get("PROCESSOR TYPE", _GENERAL) in (_GENERAL, "")]
    if printed is None and len(general) == len(rows):
        printed = next((count for label in _ALL_TYPES if (count := _whole(page.fact(label))) is not None), None)
    low, high = _implied(general, page.interval_s)
    if printed is not None and low <= high and not low <= printed <= high:
        most = "or more" if math.isinf(high) else f"to {high:.1f}"
        why = f"the dispatch times and percentages of the rows imply {low:.1f} {most}"
        allowed = "the page as RMF printed it, with all its rows of one interval"
        raise refusal(problem(plural(printed, "physical processor"), file=file, key="PHYS PROC NUM", why=why,
                              allowed=allowed))  # fmt: skip
    if printed is not None:
        return printed
    candidates = range(math.ceil(low), math.floor(high) + 1) if low <= high < math.inf else ()
    return candidates[0] if len(candidates) == 1 else None


def _implied(rows: Sequence[dict[str, str]], interval_s: float) -> tuple[float, float]:
    """The least and the most processors that the times of the rows allow; least above most where rows disagree.

    >>> row = {"DISPATCH TIME TOTAL": "00.33.45.000", "PHYSICAL PROCESSORS TOTAL": "37.50"}
    >>> [round(bound, 2) for bound in _implied([row], 900.0)]
    [5.94, 6.06]
    """
    low, high = 0.0, math.inf
    for row in rows:
        used_s, percent = _seconds(row.get("DISPATCH TIME TOTAL", "")), row.get("PHYSICAL PROCESSORS TOTAL", "")
        if not used_s or not interval_s or not _NUMBER.fullmatch(percent):
            continue
        rounding = 0.5 * 10.0 ** -len(percent.partition(".")[2])
        low = max(low, (1 - _CLOCKS) * 100 * used_s / (interval_s * (float(percent) + rounding)))
        if float(percent) > rounding:
            high = min(high, (1 + _CLOCKS) * 100 * used_s / (interval_s * (float(percent) - rounding)))
    return low, high


def _over_the_whole(shares: Iterable[tuple[str, float]], file: str) -> list[Problem]:
    """A problem for each percentage, with its place on the page, that is more than a whole.

    >>> [found["key"] for found in _over_the_whole([("0 MVS BUSY", 62.5), ("1 MVS BUSY", 625.0)], "cpu.txt")]
    ['1 MVS BUSY']
    """
    why, allowed = "no processor is busy for longer than the interval", "0 to 100"
    return [
        problem(f"{percent:g} % of its time", file=file, key=place, why=why, allowed=allowed)
        for place, percent in shares
        if percent > 100 * (1 + _CLOCKS)
    ]


def _percentages(rows: Sequence[dict[str, str]]) -> Iterator[tuple[str, float]]:
    """Every percentage of the rows, and the sum of those of the general processors, with their places."""
    total = 0.0
    for row in rows:
        found = {column: float(row[column]) for column in _PERCENTAGES if _NUMBER.fullmatch(row.get(column, ""))}
        yield from ((f"{row['NAME']} {column}", percent) for column, percent in found.items())
        if row.get("PROCESSOR TYPE", _GENERAL) in (_GENERAL, ""):
            total += found.get("PHYSICAL PROCESSORS TOTAL", 0.0)
    yield "sum of PHYSICAL PROCESSORS TOTAL", total


def _whole(text: str) -> int | None:
    """A whole number, which may have a fraction of zero; None for anything else.

    >>> _whole("8"), _whole("2.0"), _whole("3.2"), _whole("")
    (8, 2, None, None)
    """
    found = re.fullmatch(r"([0-9]{1,4})(?:\.0*)?", text.strip())
    return int(found[1]) if found else None


def _seconds(text: str) -> float | None:
    """A dispatch time of a page in seconds: hours, minutes, seconds and thousandths.

    >>> _seconds("00.33.45.000"), _seconds("33.45.000"), _seconds("")
    (2025.0, 2025.0, None)
    """
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        return None
    hours, minutes, whole_s, thousandths = (int(part or 0) for part in found.groups())
    return 3600 * hours + 60 * minutes + whole_s + thousandths / 1000


_DEDICATED = "DED"
_NOBODY = "*PHYSICAL*"
"""The row of time that no partition owns."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A row of PARTITION DATA: weight (None: its processors are its own), logical processors, and what it used.

    `used` is in physical processors, without the time of managing it.
    """

    name: str
    weight: float | None
    logicals: int
    used: float | None
    capped: bool = False


@dataclass(frozen=True, slots=True)
class MachinePage:
    """PARTITION DATA: partitions, physical processors, the slice in ms, and whether a partition that waits keeps it.

    `printer` is the name of the partition whose system printed the page; None is not known.
    """

    file: str
    system: str
    printer: str
    started: str
    partitions: tuple[Weighed, ...]
    processors: int | None
    slice_ms: float | None
    waits: bool | None
    interval_s: float = 0.0
    """0: not known."""

    @property
    def sharing(self) -> list[Weighed]:
        """The partitions whose processors are not their own."""
        return [partition for partition in self.partitions if partition.weight is not None]

    @property
    def used(self) -> float:
        """The processors that the partitions which share used together, as far as the page says it."""
        return sum(partition.used or 0.0 for partition in self.sharing)

    @property
    def shared(self) -> int | None:
        """The processors that no dedicated partition has."""
        own = sum(partition.logicals for partition in self.partitions if partition.weight is None)
        return None if self.processors is None else self.processors - own

    def share(self, name: str) -> float:
        """The share of a partition: its weight over the sum of weights (PR/SM Planning Guide, processing weights)."""
        total = sum(partition.weight or 0.0 for partition in self.sharing)
        return next((partition.weight or 0.0) / total for partition in self.sharing if partition.name == name)


@dataclass(frozen=True, slots=True)
class CpuPage:
    """CPU ACTIVITY: of how many logical processors, and the mean share of time (0 to 1) in which they had work."""

    file: str
    system: str
    logicals: int
    busy: float
    """MVS BUSY."""
    dispatched: float | None
    """LPAR BUSY, 0 to 1; None where it is not printed."""
    started: str = ""
    interval_s: float = 0.0
    """0: not known."""


def read_machine(data: bytes, file: str) -> MachinePage:
    """Read PARTITION DATA; raises InputError when it cannot be read, or no partition of it shares processors."""
    page = PartitionReport.read(data, file)
    every = page.fields()
    partitions = [row for row in every if not row["NAME"].startswith(_NOBODY)]
    rows = [row for row in partitions if row.get("PROCESSOR TYPE", _GENERAL) in (_GENERAL, "")]
    found = [one for row in rows if (one := _weighed(row, file, page.interval_s)) is not None]
    found_page = MachinePage(
        file, page.system, page.fact("MVS PARTITION NAME"), page.started, tuple(found),
        _processors_of(page, every, file), _slice(page.fact("DISPATCH INTERVAL")),
        {"Y": True, "N": False}.get(page.fact("WAIT COMPLETION").strip()[:1].upper()), page.interval_s,
    )  # fmt: skip
    if len(found_page.sharing) < 2 or sum(partition.weight or 0.0 for partition in found_page.sharing) <= 0:
        why = "a partition that shares with no other never waits for a processor"
        raise refusal(problem("no two partitions share processors", file=file, key="WGT", why=why))
    shared = found_page.shared
    if shared is not None and shared < 1:
        why = "dedicated partitions have all processors"
        raise refusal(problem("no processor is left to share", file=file, key="PROCESSOR NUM", why=why))
    return found_page


def read_cpu(data: bytes, file: str) -> CpuPage:
    """Read CPU ACTIVITY; raises InputError when it cannot be read, or has no busy time of any processor."""
    page = CpuReport.read(data, file)
    rows = page.fields()
    general = [at for at, row in enumerate(rows) if row.get("TYPE", _GENERAL).upper() in (_GENERAL, "")]
    table = {name: [values[at] for at in general] for name, values in page.processors().items()}
    shares = [
        (f"{rows[row].get('NUM', row)} {heading}", float(percent))
        for heading, column in (("MVS BUSY", "busy_percent"), ("LPAR BUSY", "dispatched_percent"))
        for row, percent in zip(general, table[column], strict=True)
        if percent is not None
    ]
    if broken := _over_the_whole(shares, file):
        raise refusal(*broken)
    busy = [float(percent) / 100 for percent in table["busy_percent"] if percent is not None]
    if not busy:
        allowed = "a page with MVS BUSY of its processors"
        raise refusal(problem("no processor has its busy time", file=file, key="TIME % MVS BUSY", allowed=allowed))
    dispatched = [float(percent) / 100 for percent in table["dispatched_percent"] if percent is not None]
    mean = sum(dispatched) / len(dispatched) if dispatched else None
    share = min(1.0, sum(busy) / len(busy))
    return CpuPage(file, page.system, len(busy), share, mean, page.started, page.interval_s)


def named_by(pages: Sequence[MachinePage], system: str) -> str:
    """The partition in which a system runs: named alike, or the one that printed a page under this system's name."""
    for page in pages:
        if any(partition.name == system for partition in page.sharing):
            return system
    return next((page.printer for page in pages if page.system == system), "")


def _weighed(row: dict[str, str], file: str, interval_s: float) -> Weighed | None:
    """A row that shares or owns processors; None for those that are not active.

    PROCESSOR NUM is a mean over the interval: 3.2 where a fourth processor was online for a fifth of it.
    """
    number = row.get("PROCESSOR NUM", "").strip()
    mean = float(number) if re.fullmatch(r"[0-9]{1,4}(\.[0-9]*)?", number) else 0.0
    logicals = math.ceil(mean)
    written = row.get("WGT", "").strip()
    if not logicals:
        return None
    name = row["NAME"].partition("/")[0]
    if written.upper().startswith(_DEDICATED):
        return Weighed(name, None, logicals, None)
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]+)?", written):
        allowed = "a number, or DED where processors are dedicated"
        raise refusal(problem(f"not a weight of {name}: {written or 'nothing'}", file=file, key="WGT", allowed=allowed))
    percent, dispatched_s = (
        row.get("LOGICAL PROCESSORS EFFECTIVE", ""),
        _seconds(row.get("DISPATCH TIME EFFECTIVE", "")),
    )
    used = float(percent) / 100 * mean if re.fullmatch(r"[0-9]*\.?[0-9]+", percent) else None
    if used is None and dispatched_s is not None and interval_s:
        used = dispatched_s / interval_s
    capped = row.get("CAPPING DEF", "").strip().upper().startswith("Y")
    return Weighed(name, float(written), logicals, used, capped)


def _slice(text: str) -> float | None:
    """The dispatch interval in ms; None where it is DYNAMIC, or not known."""
    found = re.search(r"([0-9]{1,5}(?:\.[0-9]+)?)\s*(?:ms\b|milli)?", text, re.IGNORECASE)
    return float(found[1]) if found and float(found[1]) > 0 else None


_LONGEST_NAME = 24
"""Of a partition or volume that is made from a page."""


@dataclass(frozen=True, slots=True)
class PartitionPage:
    """A page: the system that printed it, when, of how many seconds, and its volumes with I/O."""

    file: str
    system: str
    started: str
    interval_s: float
    level: str
    volumes: tuple[PageVolume, ...]
    idle: int = 0
    skipped: int = 0
    """Rows that are not disks."""

    @property
    def io_per_s(self) -> float:
        """I/Os per second of all volumes."""
        return float(sum(volume.io_per_s for volume in self.volumes))

    @property
    def queue(self) -> float:
        """Requests that wait for a volume."""
        return sum(volume.queue for volume in self.volumes)


def read_partition(data: bytes, file: str) -> PartitionPage:
    """Read a page; raises InputError when it cannot be read, or has no volume with I/O."""
    page = DirectAccessReport.read(data, file)
    table, devices = page.volumes(), page.devices()
    helped = {name for name, rate in zip(devices["device"], devices["io_per_s"], strict=True) if rate is None}
    queue = "queue_depth" if page.level == "current" else "queue_depth_sampled"
    volumes, idle = [], 0
    broken: list[Problem] = []
    for at, name in enumerate(table["volume"]):
        row = {column: table[column][at] for column in table}
        if not row["io_per_s"]:
            idle += 1
            continue
        aliased = row["device"] in helped
        broken += [] if aliased else _over_one(row, file)
        volumes.append(_volume(name, row, queue, aliased, page.samples or 0))
    if broken:
        raise refusal(*broken)
    others = sum(device["why"] == "not a disk" for device in page.skipped)
    if not volumes:
        raise refusal(problem("no volume with I/O", file=file, allowed="a page of an interval with disk I/O"))
    return PartitionPage(file, page.system, page.started, page.interval_s, page.level, tuple(volumes), idle, others)


def plain(text: str, otherwise: str) -> str:
    """A name that scenarios allow: letters, digits, dots, dashes, underscores, and the $ # @ of volume serials.

    >>> plain("Two domains", "A"), plain("?", "A")
    ('Two-domains', 'A')
    """
    return re.sub(f"[^{IN_NAMES}]+", "-", text).strip("-")[:_LONGEST_NAME] or otherwise


def _over_one(row: dict[str, Any], file: str) -> list[Problem]:
    """A problem where one device would serve more than one I/O at a time, whatever was rounded: rate x service <= 1."""
    parts = ("pend", "disc", "conn")
    least_ms = sum(max(0.0, float(row[f"{part}_ms"] or 0.0) - _half(row, f"{part}_ms")) for part in parts)
    rate = max(0.0, float(row["io_per_s"]) - _half(row, "io_per_s"))
    busy = rate * least_ms / 1000
    if busy <= 1:
        return []
    what = f"{rate:,.1f} I/O/s of {least_ms:.3g} ms are {busy:.2f} in service at a time"
    why = "PEND + DISC + CONN is the time of one I/O at a device without aliases"
    return [problem(what, file=file, key=f"{row['device']} ACTIVITY RATE", why=why, allowed="at most 1 in service")]


def _half(row: dict[str, Any], column: str) -> float:
    """Half a unit of the last digit of a printed number."""
    return float(row.get(f"{column}_rounding") or 0.0)


def _volume(name: str, row: dict[str, Any], queue: str, helped: bool, samples: int) -> PageVolume:
    times = [float(row[f"{part}_ms"] or 0.0) for part in ("pend", "disc", "conn")]
    return PageVolume(
        plain(name, f"DEV-{row['device']}"), row["device"], float(row["io_per_s"]), times[0], times[1], times[2],
        float(row[queue] or 0.0), _half(row, queue), row["hold_ms"], helped, _half(row, "io_per_s"),
        _half(row, "hold_ms"), sum(_half(row, f"{part}_ms") for part in ("pend", "disc", "conn")), float(samples),
    )  # fmt: skip


_FILES = "RMF DIRECT ACCESS DEVICE ACTIVITY of each partition, CPU ACTIVITY and PARTITION DATA beside it"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The pages that were read; `machines` are PARTITION DATA pages, as several systems of a machine print them."""

    pages: tuple[PartitionPage, ...]
    machines: tuple[MachinePage, ...]
    cpus: tuple[CpuPage, ...]
    measured: bool = False
    """Whether they are means over measured intervals, in the form of pages."""

    @property
    def machine(self) -> MachinePage | None:
        """The page of the partitions that share, if there is one."""
        return self.machines[0] if self.machines else None

    def cpu(self, page: PartitionPage) -> CpuPage | None:
        """How busy the partition of a page was: by its system, or from the same file."""
        same = [cpu for cpu in self.cpus if cpu.system == page.system and page.system]
        return next(iter([*same, *(cpu for cpu in self.cpus if cpu.file == page.file)]), None)

    def unused(self) -> list[str]:
        """Files of CPU ACTIVITY that are of no partition with a page of devices."""
        used = [self.cpu(page) for page in self.pages]
        return [cpu.file for cpu in self.cpus if cpu not in used]


def gather(named: Sequence[tuple[str, bytes]]) -> Evidence:
    """All pages of files (name, content), of which each may hold several; raises InputError with every problem."""
    problems: list[Problem] = []
    pages: list[PartitionPage] = []
    machines: list[MachinePage] = []
    cpus: list[CpuPage] = []
    for name, data in named:
        if is_scenario(name, data):
            why, allowed = "a scenario gives its load; the load of a report has to be found", "one scenario, or reports"
            problems.append(problem("a scenario beside other files", file=name, why=why, allowed=allowed))
        elif b"FCX108" in data:
            why = "a DEVICE page of z/VM has no partitions and no wait for them"
            allowed = f"{_FILES}; or a scenario with [cec]"
            problems.append(problem("has no data on slices", file=name, why=why, allowed=allowed))
        else:
            found = kinds(data)
            others = [] if set(found) & set(OF_PARTITIONS) else refuse_others(name, data, _FILES)
            problems += others
            if Kind.DEVICES in found or (not found and not others):
                pages += gathered(problems, partial(read_partition, data, name))
            if Kind.PARTITIONS in found:
                machines += gathered(problems, partial(read_machine, data, name))
            if Kind.CPU in found:
                cpus += gathered(problems, partial(read_cpu, data, name))
    if not problems and not pages:
        what, why = "no page of devices", "the waits for a slice are waits of I/O"
        problems.append(problem(what, file=named[0][0], why=why, allowed=_FILES))
    if problems:
        raise refusal(*problems)
    return Evidence(tuple(pages), tuple(machines), tuple(cpus))

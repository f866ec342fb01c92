"""RMF PARTITION DATA and CPU ACTIVITY pages: partitions that share processors, their weights, and their busy times."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from slicewright._core import CpuReport, PartitionReport
from slicewright.advise.slices.processors import GENERAL, over_the_whole, processors_of, seconds
from slicewright.errors import problem, refusal

DEDICATED = "DED"
NOBODY = "*PHYSICAL*"
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

    >>> from slicewright.advise.slices.example import PARTITIONS
    >>> page = read_machine(PARTITIONS, "machine.txt")
    >>> page.processors, page.slice_ms, page.waits, page.share("PEMDFI")
    (2, 30.0, True, 0.5)
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
    """Read PARTITION DATA; raises InputError when it cannot be read, or no partition of it shares processors.

    >>> from slicewright.advise.slices.example import PARTITIONS
    >>> [one.name for one in read_machine(PARTITIONS, "machine.txt").sharing]
    ['PEMDFI', 'PEMDFT']
    """
    page = PartitionReport.read(data, file)
    every = page.fields()
    partitions = [row for row in every if not row["NAME"].startswith(NOBODY)]
    rows = [row for row in partitions if row.get("PROCESSOR TYPE", GENERAL) in (GENERAL, "")]
    found = [one for row in rows if (one := _weighed(row, file, page.interval_s)) is not None]
    found_page = MachinePage(
        file, page.system, page.fact("MVS PARTITION NAME"), page.started, tuple(found),
        processors_of(page, every, file), _slice(page.fact("DISPATCH INTERVAL")),
        _yes(page.fact("WAIT COMPLETION")), page.interval_s,
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
    """Read CPU ACTIVITY; raises InputError when it cannot be read, or has no busy time of any processor.

    >>> from slicewright.advise.slices.example import CPU
    >>> read_cpu(CPU, "cpu.txt").dispatched
    0.5
    """
    page = CpuReport.read(data, file)
    rows = page.fields()
    general = [at for at, row in enumerate(rows) if row.get("TYPE", GENERAL).upper() in (GENERAL, "")]
    table = {name: [values[at] for at in general] for name, values in page.processors().items()}
    shares = [
        (f"{rows[row].get('NUM', row)} {heading}", float(percent))
        for heading, column in (("MVS BUSY", "busy_percent"), ("LPAR BUSY", "dispatched_percent"))
        for row, percent in zip(general, table[column], strict=True)
        if percent is not None
    ]
    if broken := over_the_whole(shares, file):
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
    """The partition in which a system runs: named alike, or the one that printed a page under this system's name.

    >>> from slicewright.advise.slices.example import PARTITIONS
    >>> named_by([read_machine(PARTITIONS, "machine.txt")], "SYSA")
    'PEMDFI'
    """
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
    if written.upper().startswith(DEDICATED):
        return Weighed(name, None, logicals, None)
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]+)?", written):
        allowed = "a number, or DED where processors are dedicated"
        raise refusal(problem(f"not a weight of {name}: {written or 'nothing'}", file=file, key="WGT", allowed=allowed))
    percent, dispatched_s = row.get("LOGICAL PROCESSORS EFFECTIVE", ""), seconds(row.get("DISPATCH TIME EFFECTIVE", ""))
    used = float(percent) / 100 * mean if re.fullmatch(r"[0-9]*\.?[0-9]+", percent) else None
    if used is None and dispatched_s is not None and interval_s:
        used = dispatched_s / interval_s
    capped = row.get("CAPPING DEF", "").strip().upper().startswith("Y")
    return Weighed(name, float(written), logicals, used, capped)


def _slice(text: str) -> float | None:
    """The dispatch interval in ms; None where it is DYNAMIC, or not known."""
    found = re.search(r"([0-9]{1,5}(?:\.[0-9]+)?)\s*(?:ms\b|milli)?", text, re.IGNORECASE)
    return float(found[1]) if found and float(found[1]) > 0 else None


def _yes(text: str) -> bool | None:
    return {"Y": True, "N": False}.get(text.strip()[:1].upper())

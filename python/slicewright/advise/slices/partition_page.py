"""An RMF DIRECT ACCESS DEVICE ACTIVITY page of a partition: its volumes, their rates, times and queues."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from slicewright._core import DirectAccessReport
from slicewright.errors import Problem, problem, refusal
from slicewright.scenario.names import IN_NAMES

LONGEST_NAME = 24
"""Of a partition or volume that is made from a page."""


@dataclass(frozen=True, slots=True)
class PageVolume:
    """A volume with I/O: rate per second, times in ms, queue in requests, each queue with its rounding.

    `hold_ms` is what is printed under AVG INT DLY, if it is; `aliased` says that other devices help (PAV is not 1).

    >>> PageVolume("C23", "0C23", 46.0, 0.5, 12.0, 3.0).service_ms
    15.5
    """

    name: str
    device: str
    io_per_s: float
    pend_ms: float
    disc_ms: float
    conn_ms: float
    queue: float = 0.0
    queue_rounding: float = 0.0
    hold_ms: float | None = None
    aliased: bool = False

    @property
    def service_ms(self) -> float:
        """Pend, disconnect and connect."""
        return self.pend_ms + self.disc_ms + self.conn_ms


@dataclass(frozen=True, slots=True)
class PartitionPage:
    """A page: the system that printed it, when, of how many seconds, and its volumes with I/O.

    >>> PartitionPage("a.txt", "SYSA", "", 600.0, "current", (PageVolume("A", "0100", 10, 0, 1, 1, 0.5),)).io_per_s
    10.0
    """

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
    """Read a page; raises InputError when it cannot be read, or has no volume with I/O.

    >>> from slicewright.advise.slices.example import PAGE
    >>> page = read_partition(PAGE, "SYSA.txt")
    >>> page.system, [one.name for one in page.volumes], page.volumes[0].service_ms
    ('PEMDFI', ['C23', '8C2'], 17.0)
    """
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
        volumes.append(_volume(name, row, queue, aliased))
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
    return re.sub(f"[^{IN_NAMES}]+", "-", text).strip("-")[:LONGEST_NAME] or otherwise


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


def _volume(name: str, row: dict[str, Any], queue: str, helped: bool) -> PageVolume:
    times = [float(row[f"{part}_ms"] or 0.0) for part in ("pend", "disc", "conn")]
    waiting, rounding = (float(row[column] or 0.0) for column in (queue, f"{queue}_rounding"))
    name = plain(name, f"DEV-{row['device']}")
    return PageVolume(
        name, row["device"], float(row["io_per_s"]), times[0], times[1], times[2], waiting, rounding,
        row["hold_ms"], helped,
    )  # fmt: skip

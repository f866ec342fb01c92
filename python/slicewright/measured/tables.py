"""The tables of measured intervals: those of a run, and which time and files they are of."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slicewright._core import counters, key_columns, tables
from slicewright.run.tables import LOGS, frames
from slicewright.run.tabulated import Tabulated
from slicewright.statistics import plural

if TYPE_CHECKING:
    import polars

LINUX_CLOCK = "local time of Linux"
"""The clock of intervals that tools of Linux measured."""
PAGE_CLOCK = "local time of the page"
"""The clock of intervals that pages print."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that was read: its name, size and SHA-256."""

    file: str
    bytes: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class MeasuredTables(Tabulated):
    """The tables of measured intervals, and which time and files they are of."""

    starts_us: Sequence[int]
    """The start of each interval, microseconds since 1970 by `clock`; from 0 on without timestamps."""
    ends_us: Sequence[int]
    sources: Sequence[SourceFile] = ()
    clock: str = "UTC"
    """The clock of the instants: UTC, local time, or `LINUX_CLOCK`."""

    @property
    def interval_s(self) -> float:
        """The median length of the intervals, seconds."""
        lengths = sorted(end - start for start, end in zip(self.starts_us, self.ends_us, strict=True))
        return lengths[len(lengths) // 2] / 1e6

    @property
    def measured_s(self) -> float:
        """The length of all intervals together, seconds."""
        return sum(end - start for start, end in zip(self.starts_us, self.ends_us, strict=True)) / 1e6

    @property
    def made_by(self) -> str:
        """The version that read the files."""
        return f"read by slicewright {self.version}"

    @property
    def origin(self) -> str:
        """How many intervals of which time."""
        if self.starts_us[0] == 0:
            return f"measured, {plural(len(self.starts_us), 'interval')} without timestamps"
        first, last = (when(us) for us in (self.starts_us[0], self.ends_us[-1]))
        return f"measured, {plural(len(self.starts_us), 'interval')} from {first} to {last} {self.clock}"


def when(us: int) -> str:
    """An instant as people write it.

    >>> when(1_770_000_000_000_000)
    '2026-02-02 02:40:00'
    """
    at = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC) + datetime.timedelta(microseconds=us)
    return at.strftime("%Y-%m-%d %H:%M:%S")


def columns_of(table: str) -> list[str]:
    """The columns of a table: its keys and counters."""
    rows = [*key_columns(), *counters()]
    return ["replication", "interval", *(row["name"] for row in rows if row["table"] == table)]


def measured_frames(columns: Mapping[str, Mapping[str, Sequence[Any]]]) -> dict[str, polars.DataFrame]:
    """The tables of a measured run from those that were read; the others are without rows."""
    empty = {table["name"]: dict.fromkeys(columns_of(table["name"]), ()) for table in tables()}
    for log in LOGS:
        empty[log] = {name: () for name in empty[log] if name not in ("replication", "interval")}
    return frames({**empty, **columns})

"""A measured run: the intervals of one system, read from its monitor data."""

from __future__ import annotations

import datetime
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

from slicewright.errors import problem, refusal
from slicewright.measured.report import glance, measured_report
from slicewright.report import text
from slicewright.report.html import render
from slicewright.report.model import Report
from slicewright.report.shown import Shown
from slicewright.run.tabulated import Tabulated
from slicewright.statistics import plural


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that was read: its name, size and SHA-256."""

    file: str
    bytes: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class Measured(Shown, Tabulated):
    """The intervals of one system as `slicewright.read` returns them; tables are those of a run.

    `measured.raw["volumes"]` has a row per interval and volume, `measured["volumes"]` the means over all intervals.
    """

    starts_us: Sequence[int]
    """The start of each interval, microseconds since 1970 in UTC."""
    ends_us: Sequence[int]
    sources: Sequence[SourceFile] = ()

    @property
    def interval_s(self) -> float:
        """The median length of the intervals, seconds."""
        lengths = sorted(end - start for start, end in zip(self.starts_us, self.ends_us, strict=True))
        return lengths[len(lengths) // 2] / 1e6

    @property
    def made_by(self) -> str:
        """The version that read the files."""
        return f"read by slicewright {self.version}"

    @property
    def origin(self) -> str:
        """How many intervals of which time."""
        first, last = (when(us) for us in (self.starts_us[0], self.ends_us[-1]))
        return f"measured, {plural(len(self.starts_us), 'interval')} from {first} to {last} UTC"

    def at(self, interval: int) -> Measured:
        """One interval alone, counted from 0; raises InputError where there is no such interval."""
        import polars as pl

        if not 0 <= interval < len(self.starts_us):
            allowed = f"0 to {len(self.starts_us) - 1}"
            raise refusal(problem(f"there is no interval {interval}", key="interval", allowed=allowed))
        raw = {
            name: frame.filter(pl.col("interval") == interval) if "interval" in frame.columns else frame
            for name, frame in self.raw.items()
        }
        starts, ends = self.starts_us[interval : interval + 1], self.ends_us[interval : interval + 1]
        return replace(self, raw=raw, starts_us=starts, ends_us=ends, notes=())

    def save(self, directory: str | os.PathLike[str]) -> None:
        """Write a directory that `load`, `report`, `compare` and `advise` read.

        Raises InputError where the name belongs to something else, OSError as `open`.
        """
        from slicewright.measured.directory import save

        save(self, directory)

    def report(self) -> Report:
        """The measured run as a report."""
        return measured_report(self)

    def html(self) -> str:
        """The measured run as a page, the `report.html` of its directory."""
        return render(self.report())

    def __str__(self) -> str:
        """The measured run as text."""
        return text.render(self.report())

    def glances(self) -> list[Report]:
        """The headline, the first table and its figure."""
        return [glance(self)]


def when(us: int) -> str:
    """An instant as people write it.

    >>> when(1_770_000_000_000_000)
    '2026-02-02 02:40:00'
    """
    at = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC) + datetime.timedelta(microseconds=us)
    return at.strftime("%Y-%m-%d %H:%M:%S")

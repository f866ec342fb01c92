"""A measured run: the intervals of one system, read from its monitor data."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from slicewright.measured.directory import save
from slicewright.measured.report import glance, measured_report
from slicewright.measured.tables import MeasuredTables
from slicewright.report.model import Report
from slicewright.report.shown import Reported
from slicewright.run.stored import scan
from slicewright.run.tables import ENTITY
from slicewright.values.errors import problem, refusal


@dataclass(frozen=True, kw_only=True)
class Measured(Reported, MeasuredTables):
    """The intervals of one system as `slicewright.read` returns them; tables are those of a run.

    `measured.raw["volumes"]` has a row per interval and volume, `measured["volumes"]` the means over all intervals.

    >>> import slicewright, tempfile
    >>> from pathlib import Path
    >>> from slicewright.measured.export import monwrite
    >>> run = slicewright.run(slicewright.starter("pool"), replications=1, set={"measure.interval": "5 s"})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "day").write_bytes(monwrite(run, system="LABSYS"))
    ...     measured = slicewright.read([f"{folder}/day"]).of()
    >>> measured.name, measured["pools"]["aliases"].to_list()
    ('LABSYS', [8.0])
    """

    def at(self, interval: int) -> Measured:
        """One interval alone, counted from 0; raises InputError where there is no such interval."""
        import polars as pl

        if not 0 <= interval < len(self.starts_us):
            allowed = f"0 to {len(self.starts_us) - 1}"
            raise refusal(problem(f"there is no interval {interval}", key="interval", allowed=allowed))
        raw = {
            name: scan(self.raw, name).filter(pl.col("interval") == interval).collect()
            if name in ENTITY
            else self.raw[name]
            for name in self.raw
        }
        starts, ends = self.starts_us[interval : interval + 1], self.ends_us[interval : interval + 1]
        return replace(self, raw=raw, counted={}, starts_us=starts, ends_us=ends, notes=())

    def save(self, directory: str | os.PathLike[str]) -> None:
        """Write a directory that `load`, `report`, `compare` and `advise` read.

        Raises InputError where the name belongs to something else, OSError as `open`.
        """
        save(self, directory)

    def report(self) -> Report:
        """The measured run as a report."""
        return measured_report(self)

    def glances(self) -> list[Report]:
        """The headline, the first table and its figure."""
        return [glance(self)]

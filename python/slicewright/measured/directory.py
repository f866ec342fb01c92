"""The directory of a measured run: a manifest, tables as Parquet, `report.html`; written whole, read back."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from slicewright.measured.report import measured_report
from slicewright.measured.tables import MeasuredTables, SourceFile
from slicewright.report.html import render
from slicewright.run.damage import check_logs, check_tables
from slicewright.run.directory import (
    RAW,
    REPORT,
    load_manifest,
    read_rows,
    read_table,
    telling,
    write_rows,
    write_table,
)
from slicewright.run.manifest import FORMAT, MANIFEST, MEASURED, read_checked, text_of, written_in
from slicewright.run.stored import Stored
from slicewright.run.tables import ENTITY, LOGS, declared, keys
from slicewright.values.files import Earlier, whole_directory

if TYPE_CHECKING:
    import polars

_FILES = (REPORT, *(f"{RAW}/{table}.parquet" for table in ENTITY), *(f"{table}.parquet" for table in (*ENTITY, *LOGS)))

EARLIER = Earlier(
    MANIFEST, frozenset({MANIFEST, REPORT, RAW, *(f"{table}.parquet" for table in (*ENTITY, *LOGS))}).__contains__
)
"""An earlier directory of a measured run, which a new one of the same name replaces."""


def save(measured: MeasuredTables, directory: str | os.PathLike[str]) -> None:
    """Write the directory; an earlier one of the same name is replaced when the new one is complete.

    Tables: `<table>.parquet` has the means over intervals, `raw/<table>.parquet` one row per interval and entity.
    Raises InputError when the name belongs to anything else, OSError as the system gives it.
    """
    manifest = {
        "format": FORMAT, "kind": MEASURED, "slicewright": measured.version, "name": measured.name,
        "starts_us": list(measured.starts_us), "ends_us": list(measured.ends_us),
        "clock": measured.clock, "sources": [asdict(source) for source in measured.sources],
        "notes": list(measured.notes),
    }  # fmt: skip
    with whole_directory(directory, EARLIER) as folder:
        (folder / RAW).mkdir()
        for table in ENTITY:
            write_rows(measured.raw, table, folder / RAW / f"{table}.parquet")
        for table in (*ENTITY, *LOGS):
            write_table(measured[table], folder / f"{table}.parquet")
        (folder / REPORT).write_text(render(measured_report(measured)), encoding="utf-8")
        (folder / MANIFEST).write_text(text_of(manifest | {"files": written_in(folder)}), encoding="utf-8")


def read(directory: str | os.PathLike[str]) -> MeasuredTables:
    """Read the directory back; raises InputError when it is none or is damaged.

    >>> read("no/such/run")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: no/such/run: there is no such directory
    """
    manifest = load_manifest(directory)
    folder, files = Path(directory), manifest["files"]
    with telling(directory):
        names = [name for name in dict.fromkeys((*_FILES, *files)) if not name.startswith(f"{RAW}/")]
        data = {name: read_checked(folder, name, files) for name in names}
        rows = {table: read_rows(folder, f"{RAW}/{table}.parquet", files) for table in ENTITY}
        frames = {table: read for table, read in rows.items() if not isinstance(read, Path)}
        large = {table: [read] for table, read in rows.items() if isinstance(read, Path)}
        check_tables(Stored(frames, large), 1)
        means = {table: read_table(data, f"{table}.parquet") for table in large}
        check_logs(means)
        logs = {log: read_table(data, f"{log}.parquet") for log in LOGS}
        check_logs(logs)
        return MeasuredTables(
            name=manifest["name"], version=manifest["slicewright"],
            raw=Stored(frames | logs, large) if large else frames | logs,
            counted={table: _over_intervals(table, frame) for table, frame in means.items()},
            replications=1, notes=tuple(manifest["notes"]), starts_us=manifest["starts_us"],
            ends_us=manifest["ends_us"], sources=[SourceFile(**source) for source in manifest["sources"]],
            clock=manifest["clock"],
        )  # fmt: skip


def _over_intervals(table: str, means: polars.DataFrame) -> polars.DataFrame:
    """The rows over all intervals that estimates were made of; of one replication they are the estimates."""
    import polars as pl

    names = [name for name in means.columns if name in declared(table)]
    return means.select(pl.lit(0, pl.Int64).alias("replication"), *keys(means), *names)

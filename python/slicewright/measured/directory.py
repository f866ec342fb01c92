"""The directory of a measured run: a manifest, tables as Parquet, `report.html`; written whole, read back."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path

from slicewright.measured.report import measured_report
from slicewright.measured.tables import MeasuredTables, SourceFile
from slicewright.report.html import render
from slicewright.run.damage import check_logs, check_tables
from slicewright.run.directory import RAW, REPORT, load_manifest, read_table, telling, write_rows, write_table
from slicewright.run.manifest import FORMAT, MANIFEST, MEASURED, read_checked, text_of, written_in
from slicewright.run.tables import ENTITY, LOGS
from slicewright.values.files import Earlier, whole_directory

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
        data = {name: read_checked(folder, name, files) for name in dict.fromkeys((*_FILES, *files))}
        raw = {table: read_table(data[f"{RAW}/{table}.parquet"]) for table in ENTITY}
        check_tables(raw, 1)
        logs = {log: read_table(data[f"{log}.parquet"]) for log in LOGS}
        check_logs(logs)
        return MeasuredTables(
            name=manifest["name"], version=manifest["slicewright"], raw=raw | logs,
            replications=1, notes=tuple(manifest["notes"]), starts_us=manifest["starts_us"],
            ends_us=manifest["ends_us"], sources=[SourceFile(**source) for source in manifest["sources"]],
            clock=manifest["clock"],
        )  # fmt: skip

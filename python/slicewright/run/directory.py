"""The run directory: the resolved scenario, a manifest, tables as Parquet, `report.html`; written whole, read back."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from slicewright.run import stored
from slicewright.run.damage import check_logs, check_numbers, check_pooled, check_tables
from slicewright.run.laws import refuse_broken
from slicewright.run.manifest import (
    FORMAT,
    MANIFEST,
    Facts,
    Written,
    check_facts,
    check_file,
    json_text,
    read_checked,
    read_manifest,
    text_of,
    written_in,
)
from slicewright.run.results import Results
from slicewright.run.tables import ENTITY, LOGS
from slicewright.scenario.replay import FOLDER, facts, kept
from slicewright.values.errors import problem, refusal
from slicewright.values.files import Earlier, whole_directory
from slicewright.values.parameters import check, path_problem

if TYPE_CHECKING:
    import polars

SCENARIO, NUMBERS, REPORT, RAW, POOLED = "scenario.toml", "numbers.json", "report.html", "raw", "pooled"
OF_EVERY_RUN = (
    SCENARIO, NUMBERS, REPORT, *(f"{RAW}/{table}.parquet" for table in ENTITY),
    *(f"{table}.parquet" for table in (*ENTITY, *LOGS)),
)  # fmt: skip
"""The files that every run directory has beside its manifest."""

_COUNTED = tuple(f"{POOLED}/{table}.parquet" for table in ENTITY)
"""Those that one of several intervals has, too."""

EARLIER = Earlier(
    MANIFEST,
    frozenset(
        {MANIFEST, SCENARIO, NUMBERS, REPORT, RAW, POOLED, FOLDER, *(f"{table}.parquet" for table in (*ENTITY, *LOGS))}
    ).__contains__,
)
"""An earlier run directory, which a new one of the same name replaces."""


def save(run: Results, directory: str | os.PathLike[str]) -> None:
    """Write a run directory; an earlier one of the same name is replaced when the new one is complete.

    Tables: `<table>.parquet` has the estimates, `raw/<table>.parquet` one row per replication, interval and entity.
    Of several intervals, `pooled/<table>.parquet` has one row per replication and entity, over all of them;
    `decisions.parquet` and `contention.parquet` are logs.
    Recordings that were replayed are kept in `replay/`, byte by byte; `scenario.toml` names these copies.
    Raises InputError when the name belongs to anything but an earlier run directory, OSError as the system gives it.

    >>> import tempfile
    >>> from slicewright import load, run
    >>> from slicewright._core import starter
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = run(starter("mm1"), replications=2, out=f"{folder}/mm1")
    ...     load(f"{folder}/mm1").checksum == result.checksum
    True
    """
    from slicewright.report.html import render
    from slicewright.run.pages.run import run_report

    manifest = {
        "format": FORMAT, "slicewright": run.version, "name": run.name, "checksum": run.checksum, "seed": run.seed,
        "replications": run.replications, "warm_up_s": run.warm_up_s, "notes": list(run.notes),
        "recordings": list(map(facts, run.recordings)),
    }  # fmt: skip
    with whole_directory(directory, EARLIER) as folder:
        (folder / SCENARIO).write_text(run.scenario, encoding="utf-8")
        (folder / NUMBERS).write_text(json_text(list(map(dict, run.numbers))), encoding="utf-8")
        for recording in run.recordings:
            (folder / FOLDER).mkdir(exist_ok=True)
            (folder / recording.copy).write_bytes(recording.data)
        (folder / RAW).mkdir()
        for table in ENTITY:
            write_table(run.raw[table], folder / RAW / f"{table}.parquet")
            write_table(run[table], folder / f"{table}.parquet")
        if run.counted:
            (folder / POOLED).mkdir()
        for table, frame in run.counted.items():
            write_table(frame, folder / POOLED / f"{table}.parquet")
        for log in LOGS:
            write_table(run.raw[log], folder / f"{log}.parquet")
        (folder / REPORT).write_text(render(run_report(run)), encoding="utf-8")
        (folder / MANIFEST).write_text(text_of(manifest | {"files": written_in(folder)}), encoding="utf-8")


def read(directory: str | os.PathLike[str]) -> Results:
    """Read a run directory back.

    Every file is checked, those too that are not read.  Raises InputError when it is none, was written by a version
    that cannot be read, or is damaged.

    >>> read("no/such/run")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: no/such/run: there is no such directory
    """
    manifest = load_manifest(directory)
    folder, files = Path(directory), manifest["files"]
    with telling(directory):
        data = {name: read_checked(folder, name, files) for name in dict.fromkeys((*OF_EVERY_RUN, *files))}
        raw = {table: read_table(data, f"{RAW}/{table}.parquet") for table in ENTITY}
        check_tables(raw, manifest["replications"])
        raw |= {log: read_table(data, f"{log}.parquet") for log in LOGS}
        check_logs({log: raw[log] for log in LOGS})
        counted = _counted(raw, data)
        refuse_broken(raw, f"{RAW}/")
        refuse_broken(counted, f"{POOLED}/")
        numbers = json.loads(data[NUMBERS])
        check_numbers(numbers)
        if hashlib.sha256(data[SCENARIO]).hexdigest() != manifest["checksum"]:
            raise ValueError(f"{SCENARIO}: is not that of the checksum in {MANIFEST}")
        return Results(
            name=manifest["name"], scenario=data[SCENARIO].decode(),
            checksum=manifest["checksum"], version=manifest["slicewright"], seed=manifest["seed"],
            replications=manifest["replications"], warm_up_s=manifest["warm_up_s"],
            raw=raw, counted=counted, numbers=tuple(numbers), notes=tuple(manifest["notes"]),
            recordings=kept(manifest["recordings"], data),
        )  # fmt: skip


def _counted(raw: Mapping[str, polars.DataFrame], data: Mapping[str, bytes]) -> dict[str, polars.DataFrame]:
    """The tables over several intervals as one; none where there is one alone.

    Raises ValueError where it is missing: earlier versions made means of means, which were wrong.
    """
    if raw["system"]["interval"].n_unique() < 2:
        return {}
    if not any(name in data for name in _COUNTED):
        raise ValueError(f"no {POOLED}/: written by an earlier version, whose means over intervals were wrong; "
                         f"{SCENARIO} can be run again")  # fmt: skip
    counted = {table: read_table(data, f"{POOLED}/{table}.parquet") for table in ENTITY}
    check_pooled(raw, counted)
    return counted


def load_manifest(directory: str | os.PathLike[str]) -> Facts:
    """The facts of a run directory's manifest; raises InputError as `read`, but for damage of other files.

    >>> import tempfile
    >>> from slicewright import run
    >>> from slicewright._core import starter
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = run(starter("mm1"), replications=2, out=f"{folder}/mm1")
    ...     load_manifest(f"{folder}/mm1")["replications"]
    2
    """
    check(path_problem("directory", directory, "the name of a directory that run --out has written"))
    folder = Path(directory)
    with telling(directory):
        if not folder.is_dir():
            what = "is a file, not a run directory" if folder.exists() else "there is no such directory"
            raise refusal(problem(what, file=str(directory), allowed="a directory that run --out has written"))
        manifest = read_manifest(folder)
        if manifest.get("kind") == "sweep":
            remedy = "slicewright.Sweep.read reads it; its report.html opens in any browser"
            raise refusal(problem("is the store of a sweep, not a run directory", file=str(directory), remedy=remedy))
        if manifest["format"] != FORMAT:
            what = f"is a run directory of format {str(manifest['format'])[:20]}"
            raise refusal(
                problem(what, file=str(directory), allowed=f"format {FORMAT}; its scenario.toml can be run again")
            )
        check_facts(manifest)
    return manifest


@contextlib.contextmanager
def telling(directory: str | os.PathLike[str]) -> Iterator[None]:
    """Have whatever is wrong inside of a directory refused with the name of the directory."""
    try:
        yield
    except FileNotFoundError as error:
        name = Path(error.filename or "").name
        allowed = "a directory that run --out has written"
        raise refusal(
            problem("is not a run directory", file=str(directory), why=f"no {name}", allowed=allowed)
        ) from None
    except (KeyError, TypeError, ValueError, OSError, RecursionError) as error:
        if hasattr(error, "problems"):
            raise
        raise refusal(problem("is a damaged run directory", file=str(directory), why=_one_line(error))) from None


def write_table(frame: polars.DataFrame, path: Path) -> None:
    """Write a table as Parquet."""
    import io

    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    path.write_bytes(buffer.getvalue())


def write_rows(tables: Mapping[str, polars.DataFrame], table: str, path: Path) -> None:
    """Write a table that is in memory or in files as Parquet, a group of rows at a time."""
    if isinstance(tables, stored.Stored) and table in tables.files:
        tables.scan(table).sink_parquet(path, row_group_size=stored.MOST_ROWS)
    else:
        write_table(tables[table], path)


def read_rows(folder: Path, name: str, written: Written) -> polars.DataFrame | Path:
    """A table of a run directory that is what was written, or its file where it has too many rows for memory."""
    import polars as pl

    path = check_file(folder, name, written)
    with _parquet(name):
        rows: int = pl.scan_parquet(path).select(pl.len()).collect().item()
    return path if rows > stored.MOST_ROWS else read_table({name: read_checked(folder, name, written)}, name)


def read_table(data: Mapping[str, bytes], name: str) -> polars.DataFrame:
    """The table in a file of Parquet; raises ValueError for any other."""
    import io

    import polars as pl

    with _parquet(name):
        return pl.read_parquet(io.BytesIO(data[name]))


@contextlib.contextmanager
def _parquet(name: str) -> Iterator[None]:
    import polars as pl

    try:
        yield
    except pl.exceptions.PolarsError as error:
        raise ValueError(f"{name}: is no Parquet that can be read: {_one_line(error)}") from None


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return f"no {text} in {MANIFEST}" if isinstance(error, KeyError) else text

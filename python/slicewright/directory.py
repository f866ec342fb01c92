"""The run directory: the resolved scenario, a manifest, tables as Parquet, `report.html`; written whole, read back.

It leaves out dates and everything else that would make two equal runs differ.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slicewright.damage import check_file, check_logs, check_manifest, check_numbers, check_tables, sums
from slicewright.files import Earlier, whole_directory
from slicewright.parameters import check, path_problem
from slicewright.problems import problem, refusal
from slicewright.replay import FOLDER, facts, kept
from slicewright.run import Run
from slicewright.tables import ENTITY, LOGS

if TYPE_CHECKING:
    import polars

FORMAT = 4
MANIFEST, SCENARIO, NUMBERS, REPORT, RAW = "manifest.json", "scenario.toml", "numbers.json", "report.html", "raw"
EARLIER = Earlier(
    MANIFEST,
    frozenset(
        {MANIFEST, SCENARIO, NUMBERS, REPORT, RAW, FOLDER, *(f"{table}.parquet" for table in (*ENTITY, *LOGS))}
    ).__contains__,
)
"""An earlier run directory, which a new one of the same name replaces."""


def save(run: Run, directory: str | os.PathLike[str]) -> None:
    """Write a run directory; an earlier one of the same name is replaced when the new one is complete.

    Tables: `<table>.parquet` has the estimates, `raw/<table>.parquet` one row per replication, interval and entity;
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
    from slicewright.html import render
    from slicewright.run_page import run_page

    manifest = {
        "format": FORMAT, "slicewright": run.version, "name": run.name, "checksum": run.checksum, "seed": run.seed,
        "replications": run.replications, "warm_up_s": run.warm_up_s, "notes": list(run.notes),
        "recordings": list(map(facts, run.recordings)),
    }  # fmt: skip
    with whole_directory(directory, EARLIER) as folder:
        (folder / SCENARIO).write_text(run.scenario, encoding="utf-8")
        (folder / NUMBERS).write_text(_json(list(map(dict, run.numbers))), encoding="utf-8")
        for recording in run.recordings:
            (folder / FOLDER).mkdir(exist_ok=True)
            (folder / recording.copy).write_bytes(recording.data)
        (folder / RAW).mkdir()
        for table in ENTITY:
            _write(run.raw[table], folder / RAW / f"{table}.parquet")
            _write(getattr(run, table), folder / f"{table}.parquet")
        for log in LOGS:
            _write(run.raw[log], folder / f"{log}.parquet")
        (folder / REPORT).write_text(render(run_page(run)), encoding="utf-8")
        (folder / MANIFEST).write_text(_json(manifest | {"files": sums(folder)}), encoding="utf-8")


def load(directory: str | os.PathLike[str]) -> Run:
    """Read a run directory back.

    Raises InputError when it is none, was written by a version that cannot be read, or is damaged.

    >>> load("no/such/run")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: no/such/run: there is no such directory
    """
    check(path_problem("directory", directory, "the name of a directory that run --out has written"))
    folder = Path(directory)
    try:
        if not folder.is_dir():
            what = "is a file, not a run directory" if folder.exists() else "there is no such directory"
            raise refusal(problem(what, file=str(directory), allowed="a directory that run --out has written"))
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if manifest["format"] != FORMAT:
            what = f"is a run directory of format {str(manifest['format'])[:20]}"
            raise refusal(
                problem(what, file=str(directory), allowed=f"format {FORMAT}; its scenario.toml can be run again")
            )
        check_manifest(manifest)
        written = manifest["files"]
        raw = {table: _table(_read(folder, f"{RAW}/{table}.parquet", written)) for table in ENTITY}
        check_tables(raw, manifest["replications"])
        raw |= {log: _table(_read(folder, f"{log}.parquet", written)) for log in LOGS}
        check_logs({log: raw[log] for log in LOGS})
        numbers = json.loads(_read(folder, NUMBERS, written))
        check_numbers(numbers)
        return Run(
            name=manifest["name"], scenario=_read(folder, SCENARIO, written).decode(),
            checksum=manifest["checksum"], version=manifest["slicewright"], seed=manifest["seed"],
            replications=manifest["replications"], warm_up_s=manifest["warm_up_s"],
            raw=raw, numbers=tuple(numbers), notes=tuple(manifest["notes"]),
            recordings=kept(manifest.get("recordings", []), folder),
        )  # fmt: skip
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


def _write(frame: polars.DataFrame, path: Path) -> None:
    import io

    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    path.write_bytes(buffer.getvalue())


def _read(folder: Path, name: str, written: Mapping[str, str]) -> bytes:
    data = (folder / name).read_bytes()
    check_file(name, data, written)
    return data


def _table(data: bytes) -> polars.DataFrame:
    import io

    import polars as pl

    return pl.read_parquet(io.BytesIO(data))


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return f"no {text} in {MANIFEST}" if isinstance(error, KeyError) else text

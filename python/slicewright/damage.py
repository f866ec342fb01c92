"""Damage of a run directory: files that are not what was written, facts of another type, tables without their columns.

It leaves out files that are missing (`slicewright.directory`), and whether the numbers are true.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slicewright._core import counters, key_columns

if TYPE_CHECKING:
    import polars

    _Types = dict[str, tuple[type[polars.DataType], ...]]

_FACTS: dict[str, tuple[type, ...]] = {
    "slicewright": (str,), "name": (str,), "checksum": (str,), "seed": (int,), "replications": (int,),
    "warm_up_s": (int, float), "notes": (list,), "files": (dict,),
}  # fmt: skip
_WORDS = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    list: "a list of texts",
    dict: "a SHA-256 for each file",
}


def sums(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file in a folder, by its name there.

    >>> sums(Path("no/such/run"))
    {}
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def check_file(name: str, data: bytes, written: Mapping[str, str]) -> None:
    """Raise ValueError unless a file is what was written; a damaged table is better not given to its reader.

    >>> check_file("numbers.json", b"[]", {"numbers.json": "0"})
    Traceback (most recent call last):
    ValueError: numbers.json: is not what was written: its SHA-256 is not that in manifest.json
    """
    if hashlib.sha256(data).hexdigest() != written.get(name):
        raise ValueError(f"{name}: is not what was written: its SHA-256 is not that in manifest.json")


def check_manifest(manifest: Mapping[str, Any]) -> None:
    """Raise ValueError unless every fact of a manifest is there and of its type.

    >>> facts = {"slicewright": "1", "name": "a", "checksum": "0", "seed": 1, "replications": 2, "warm_up_s": 0}
    >>> check_manifest(facts | {"notes": "none", "files": {}})
    Traceback (most recent call last):
    ValueError: manifest.json: notes is not a list of texts
    """
    for name, types in _FACTS.items():
        value = manifest[name]
        fine = isinstance(value, types) and not isinstance(value, bool)
        parts = value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
        if not fine or not all(isinstance(one, str) for one in parts):
            raise ValueError(f"manifest.json: {name} is not {_WORDS[types[-1]]}")
    if manifest["seed"] < 0 or manifest["replications"] < 1:
        raise ValueError("manifest.json: there is no such seed, or no replication")


def check_numbers(numbers: object) -> None:
    """Raise ValueError unless these are the numbers of a scenario as `explain` lists them.

    >>> check_numbers([{"key": "volume.A.gap", "value": "0 ms", "role": "default", "why": ""}])
    """
    columns = {"key", "value", "role", "why"}
    fine = isinstance(numbers, list) and all(
        isinstance(row, dict) and columns <= row.keys() and all(isinstance(text, str) for text in row.values())
        for row in numbers
    )
    if not fine:
        raise ValueError(f"numbers.json: not a list of {', '.join(sorted(columns))}")


def check_tables(tables: Mapping[str, polars.DataFrame], replications: int) -> None:
    """Raise ValueError unless every table has its columns, of their types, and every replication has its rows.

    >>> import polars
    >>> check_tables({"pools": polars.DataFrame({"pool": ["A"]})}, 1)
    Traceback (most recent call last):
    ValueError: pools.parquet: no column replication
    """
    for table, frame in tables.items():
        _check_place(table, frame)
        _check_columns(table, frame)
    found = sorted(tables["system"]["replication"].unique()) if tables else []
    # Counted first: a manifest may name any number, and a list of them all would be as long.
    if len(found) != replications or found != list(range(replications)):
        raise ValueError(f"system.parquet: does not have the {replications} replications of the manifest")


def check_logs(logs: Mapping[str, polars.DataFrame]) -> None:
    """Raise ValueError unless every log has its columns, of their types.

    >>> import polars
    >>> check_logs({"decisions": polars.DataFrame({"partition": ["ZVM"]})})
    Traceback (most recent call last):
    ValueError: decisions.parquet: no column at_s
    """
    for log, frame in logs.items():
        _check_columns(log, frame)


def _check_place(table: str, frame: polars.DataFrame) -> None:
    import polars as pl

    _check_types(table, frame, dict.fromkeys(("replication", "interval"), (pl.Int64,)))
    if frame["replication"].null_count() or frame["interval"].null_count():
        raise ValueError(f"{table}.parquet: rows of no replication or no interval")


def _check_columns(table: str, frame: polars.DataFrame) -> None:
    import polars as pl

    types: _Types = {row["name"]: (pl.String, pl.Int64) for row in key_columns() if row["table"] == table}
    types |= {row["name"]: (pl.Float64,) for row in counters() if row["table"] == table}
    _check_types(table, frame, types)


def _check_types(table: str, frame: polars.DataFrame, types: _Types) -> None:
    for name, allowed in types.items():
        if name not in frame.columns:
            raise ValueError(f"{table}.parquet: no column {name}")
        if not frame.is_empty() and frame[name].dtype not in allowed:
            raise ValueError(f"{table}.parquet: the column {name} holds {frame[name].dtype}")

"""Damage of a run directory that can be read all the same: facts of another type, tables without their columns.

It leaves out files that are missing or cannot be read (`slicewright.directory`), and whether the numbers are true.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from slicewright._core import counters, key_columns

if TYPE_CHECKING:
    import polars

_FACTS: dict[str, tuple[type, ...]] = {
    "slicewright": (str,), "name": (str,), "checksum": (str,), "seed": (int,), "replications": (int,),
    "warm_up_s": (int, float), "notes": (list,),
}  # fmt: skip
_WORDS = {str: "a text", int: "a whole number", float: "a number", list: "a list of texts"}


def check_manifest(manifest: Mapping[str, Any]) -> None:
    """Raise ValueError unless every fact of a manifest is there and of its type.

    >>> facts = {"slicewright": "1", "name": "a", "checksum": "0", "seed": 1, "replications": 2, "warm_up_s": 0}
    >>> check_manifest(facts | {"notes": "none"})
    Traceback (most recent call last):
    ValueError: manifest.json: notes is not a list of texts
    """
    for name, types in _FACTS.items():
        value = manifest[name]
        fine = isinstance(value, types) and not isinstance(value, bool)
        if not fine or (isinstance(value, list) and not all(isinstance(one, str) for one in value)):
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
        _check_columns(table, frame)
    found = sorted(tables["system"]["replication"].unique()) if tables else []
    if found != list(range(replications)):
        raise ValueError(f"system.parquet: does not have the {replications} replications of the manifest")


def _check_columns(table: str, frame: polars.DataFrame) -> None:
    import polars as pl

    types: dict[str, tuple[type[pl.DataType], ...]] = dict.fromkeys(("replication", "interval"), (pl.Int64,))
    types |= {row["name"]: (pl.String, pl.Int64) for row in key_columns() if row["table"] == table}
    types |= {row["name"]: (pl.Float64,) for row in counters() if row["table"] == table}
    for name, allowed in types.items():
        if name not in frame.columns:
            raise ValueError(f"{table}.parquet: no column {name}")
        if not frame.is_empty() and frame[name].dtype not in allowed:
            raise ValueError(f"{table}.parquet: the column {name} holds {frame[name].dtype}")
    if frame["replication"].null_count() or frame["interval"].null_count():
        raise ValueError(f"{table}.parquet: rows of no replication or no interval")

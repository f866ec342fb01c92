"""Damage of a run's tables and numbers that no checksum shows: columns and rows that a run would have.

Whether files are what was written, `slicewright.run.manifest` knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from slicewright._core import counters, key_columns
from slicewright.run.stored import scan

if TYPE_CHECKING:
    import polars

    _Types = dict[str, tuple[type[polars.DataType], ...]]


_KEYS = frozenset(row["name"] for row in key_columns())
_PLACE = ("replication", "interval")


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
    for table in tables:
        rows = scan(tables, table)
        import polars as pl

        _check_types(table, rows.head(1).collect(), dict.fromkeys(_PLACE, (pl.Int64,)))
        if any(rows.select(pl.col(*_PLACE).null_count()).collect(engine="streaming").row(0)):
            raise ValueError(f"{table}.parquet: rows of no replication or no interval")
        _check_columns(table, rows.head(1).collect())
    found = sorted(tables["system"]["replication"].unique()) if tables else []
    # Counted first: a manifest may name any number, and a list of them all would be as long.
    if len(found) != replications or found != list(range(replications)):
        raise ValueError(f"system.parquet: does not have the {replications} replications of the manifest")


def check_pooled(raw: Mapping[str, polars.DataFrame], pooled: Mapping[str, polars.DataFrame]) -> None:
    """Raise ValueError unless every table has its columns, and each entity of a replication one row over its intervals.

    >>> import polars
    >>> check_pooled({}, {"pools": polars.DataFrame({"pool": ["A"]})})
    Traceback (most recent call last):
    ValueError: pools.parquet: no column replication
    """
    import polars as pl

    for table, frame in pooled.items():
        _check_types(table, frame, {"replication": (pl.Int64,)})
        _check_columns(table, frame)
        names = ["replication", *(name for name in frame.columns if name in _KEYS)]
        of_raw = raw[table].select(names).unique(maintain_order=True)
        if not frame.select(names).equals(of_raw):
            raise ValueError(f"pooled/{table}.parquet: does not have the rows of raw/{table}.parquet")


def check_logs(logs: Mapping[str, polars.DataFrame]) -> None:
    """Raise ValueError unless every log has its columns, of their types.

    >>> import polars
    >>> check_logs({"decisions": polars.DataFrame({"partition": ["ZVM"]})})
    Traceback (most recent call last):
    ValueError: decisions.parquet: no column at_s
    """
    for log, frame in logs.items():
        _check_columns(log, frame)


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

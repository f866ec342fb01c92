"""The tables of a simulated run as the engine declares them: what names a row, and how several intervals become one."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import slicewright._core as _core

if TYPE_CHECKING:
    import polars

ENTITY: dict[str, str] = {
    table["name"]: " ".join(
        key["name"] for key in _core.key_columns() if key["table"] == table["name"] and key["identifies"]
    )
    for table in _core.tables()
    if not table["log"]
}
"""The tables in the order in which they are shown, each with the columns that name a row of it."""

LOGS = tuple(table["name"] for table in _core.tables() if table["log"])
"""The logs: of replication 0 alone, a row for each thing that happened, in the order of time."""

_KEYS = frozenset(key["name"] for key in _core.key_columns())
_INDEX = ("replication", "interval")
_COUNTS = frozenset({"paths", "count", "members", "logical_processors", "number", "partitions"})
"""Keys that are whole numbers; the others are texts."""
_COUNTERS = {(counter["table"], counter["name"]): counter for counter in _core.counters()}

_UNITS: dict[str, dict[str, str]] = {table: {} for table in (*ENTITY, *LOGS)}
for (_table, _name), _counter in _COUNTERS.items():
    _UNITS[_table][_name] = _counter["unit"]


def keys(frame: polars.DataFrame) -> list[str]:
    """The columns that say which entity a row is about.

    >>> import polars
    >>> keys(polars.DataFrame({"replication": [0], "pool": ["A"], "aliases": [8], "tries": [5.0]}))
    ['pool']
    """
    return [name for name in frame.columns if name in _KEYS]


def counters(frame: polars.DataFrame) -> list[str]:
    """The columns that were measured.

    >>> import polars
    >>> counters(polars.DataFrame({"replication": [0], "pool": ["A"], "aliases": [8], "tries": [5.0]}))
    ['aliases', 'tries']
    """
    return [name for name in frame.columns if name not in _KEYS and name not in _INDEX]


def declared(table: str) -> dict[str, str]:
    """The counters of a table, each with its unit.

    >>> declared("pools")["free_mean"]
    '1'
    """
    return _UNITS[table]


def weights(table: str, counter: str) -> list[str]:
    """The counters of the same row whose sum says how much a counter is a mean of; none where it is always measured.

    >>> weights("minidisks", "wait_ms"), weights("volumes", "queue_depth")
    (['io_per_s', 'avoided_per_s'], [])
    """
    return _COUNTERS[table, counter]["by"]


def every_weights(table: str) -> dict[str, list[str]]:
    """The same of every counter of a table."""
    return {name: _COUNTERS[table, name]["by"] for name in _UNITS[table]}


def frames(columns: Mapping[str, Mapping[str, Sequence[Any]]]) -> dict[str, polars.DataFrame]:
    """The engine's columns as frames, tables and logs, each column of one type, whatever its values; also without rows.

    >>> frames({"pools": {"pool": ["A"], "aliases": [8], "tries": [5]}})["pools"].row(0)
    ('A', 8.0, 5.0)
    """
    made = {}
    for table in (*ENTITY, *LOGS):
        given = columns.get(table, {})
        rows = len(next(iter(given.values()), ()))
        made[table] = _typed(given) if rows else _empty(tuple(given))
    return made


@functools.cache
def _empty(names: tuple[str, ...]) -> polars.DataFrame:
    """A frame of these columns without rows; frames do not change, so that all runs can have the same one."""
    return _typed(dict.fromkeys(names, ()))


def _typed(columns: Mapping[str, Sequence[Any]]) -> polars.DataFrame:
    import polars as pl

    frame = pl.DataFrame(dict(columns), strict=False)
    wanted: dict[str, Any] = dict.fromkeys(counters(frame), pl.Float64())
    wanted |= {name: pl.Int64() if name in _COUNTS else pl.String() for name in keys(frame)}
    wanted |= dict.fromkeys((name for name in frame.columns if name in _INDEX), pl.Int64())
    return pl.DataFrame([column.cast(wanted.get(column.name, column.dtype)) for column in frame.iter_columns()])


def unpacked(tables: Mapping[str, Mapping[str, Any]]) -> dict[str, polars.DataFrame]:
    """The frames of measured intervals, whose columns are bytes: doubles, counts, places of names.

    >>> import struct
    >>> packed = {"interval": bytes(8), "pool": (["A"], bytes(8)), "tries": struct.pack("<d", 5.0), "fails": None}
    >>> unpacked({"pools": packed})["pools"].row(0)
    (0, 0, 'A', 5.0, None)
    """
    import polars as pl

    made = frames({log: dict.fromkeys(_columns(log), ()) for log in LOGS})
    for table, columns in tables.items():
        rows = len(columns["interval"]) // 8
        replication = pl.Series("replication", [0], pl.Int64).new_from_index(0, rows)
        made[table] = pl.DataFrame([replication, *(_series(name, of, rows) for name, of in columns.items())])
    return made


def _series(name: str, column: Any, rows: int) -> polars.Series:
    import numpy as np
    import polars as pl

    if column is None:
        return pl.Series(name, [None], pl.Float64).new_from_index(0, rows)
    if name in _INDEX:
        return pl.Series(name, np.frombuffer(column, "<i8"))
    if name not in _KEYS:
        return pl.Series(name, np.frombuffer(column, "<f8"), nan_to_null=True)
    names, numbers = column
    if name in _COUNTS:
        return pl.Series(name, np.frombuffer(numbers, "<i8"))
    if len(names) == 1:
        return pl.Series(name, names).new_from_index(0, rows)
    return pl.Series(name, names, pl.String).gather(np.frombuffer(numbers, "<u8"))


def _columns(table: str) -> list[str]:
    rows = [*_core.key_columns(), *_core.counters()]
    return [row["name"] for row in rows if row["table"] == table]


def per_replication(frame: polars.DataFrame, table: str) -> polars.DataFrame:
    """One row per replication and entity of a table that was read: its intervals made one.

    Each counter goes by the rule that the engine declares for it (`counters` in the reference).  A mean per I/O is
    weighted by the rate of I/O, so an interval without I/O has no part in it.  Counts are added up.  A percentile over
    several intervals is null: it is not made of theirs.  Rows without an `interval` are returned as they are.

    >>> import polars
    >>> two = {"replication": [0, 0], "interval": [0, 1], "volume": ["A", "A"]}
    >>> two |= {"io_per_s": [1.0, 3.0], "response_ms": [1.0, 5.0]}
    >>> per_replication(polars.DataFrame(two), "volumes").row(0)
    (0, 'A', 2.0, 4.0)
    """
    if "interval" not in frame.columns:
        return frame
    if frame.is_empty() or frame["interval"].n_unique() <= 1:
        rest = frame.clone()
        rest.drop_in_place("interval")  # `drop` makes a query of it, which takes longer than all else here
        return rest
    grouped = frame.group_by(["replication", *keys(frame)], maintain_order=True)
    return grouped.agg(_over_intervals(table, name) for name in counters(frame))


def _over_intervals(table: str, name: str) -> polars.Expr:
    import polars as pl

    value, by = pl.col(name), weights(table, name)
    match _COUNTERS[table, name]["over_intervals"]:
        case "sum":
            return pl.when(value.count() > 0).then(value.sum()).alias(name)
        case "whole":
            return pl.when(pl.len() == 1).then(value.first()).alias(name)
        case "min":
            return value.min()
        case "max":
            return value.max()
        case "last":
            return value.last()
        case "instant":
            raise ValueError(f"{table} is a log: its rows have no intervals")
        case "mean" if not by:
            return value.mean()
        case "mean":
            return weighted_mean(name, by)


def weighted_mean(name: str, by: Sequence[str]) -> polars.Expr:
    """The mean of a column over rows, weighted by the sum of others; null where that is 0 in all of them.

    >>> import polars
    >>> polars.DataFrame({"x": [2.0, 6.0], "n": [1.0, 3.0]}).select(weighted_mean("x", ["n"])).item()
    5.0
    """
    import polars as pl

    value = pl.col(name)
    weight = pl.sum_horizontal(by).filter(value.is_not_null())
    return pl.when(weight.sum() > 0).then((value.drop_nulls() * weight).sum() / weight.sum()).alias(name)

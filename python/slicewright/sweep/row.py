"""A row of a store: one point with its state, its headline numbers, and its tables as lists of structs."""

from __future__ import annotations

import functools
import hashlib
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import slicewright._core as _core
from slicewright.run.results import Results
from slicewright.run.tables import ENTITY, LOGS, counters, frames, keys
from slicewright.sweep.axes import Axis, Value

if TYPE_CHECKING:
    import polars

DONE, REFUSED, FAILED = "done", "refused", "failed"
HEADLINE = "system"
"""The table with one row, whose counters have columns of their own."""

FIRST = ("id", "work", "seed", "precision")
"""The columns before those of the axes."""


def identity(checksum: str, seed: int, precision: str | None) -> str:
    """The name of a point, in hex: SHA-256 of all that its numbers depend on.

    >>> identity("a", 1, None) == identity("a", 1, None) != identity("a", 2, None)
    True
    """
    return hashlib.sha256(json.dumps([checksum, seed, precision, _core.__version__]).encode()).hexdigest()


def schema(axes: Sequence[Axis]) -> dict[str, Any]:
    """The types of all columns, in their order.

    >>> list(schema([]))[:6]
    ['id', 'work', 'seed', 'precision', 'state', 'reason']
    """
    import polars as pl

    kinds: dict[str, Any] = {"whole": pl.Int64(), "number": pl.Float64(), "text": pl.String()}
    first = {"id": pl.String(), "work": pl.Float64(), "seed": pl.UInt64(), "precision": pl.String()}
    return first | {axis.key: kinds[axis.kind] for axis in axes} | _measured()


def row(results: Results) -> polars.DataFrame:
    """The measured columns of a point that was simulated.

    >>> import slicewright
    >>> row(slicewright.run(slicewright.starter("mm1"), replications=2))["volumes"].list.len().item()
    1
    """
    import polars as pl

    system = results[HEADLINE].rename(lambda name: f"{HEADLINE}.{name}")
    facts = pl.DataFrame(
        {
            "state": DONE, "version": results.version, "checksum": results.checksum,
            "replications": results.replications, "warm_up_s": results.warm_up_s, "notes": [list(results.notes)],
        },
        schema_overrides=_facts(),
    )  # fmt: skip
    lists = [
        results[table].select(pl.struct(list(types)).implode().alias(table))
        for table, types in _tables().items()
        if not results.raw[table].is_empty()
    ]
    return conformed(pl.concat([facts, system.select(_flat()), *lists], how="horizontal"), _measured())


def absent(state: str, reason: str) -> polars.DataFrame:
    """The measured columns of a point that was refused, or that failed.

    >>> absent(REFUSED, "unknown key")["state"].item()
    'refused'
    """
    import polars as pl

    facts = pl.DataFrame({"state": state, "reason": reason, "version": _core.__version__})
    return conformed(facts, _measured())


def placed(measured: polars.DataFrame, first: Mapping[str, Any], axes: Sequence[Axis]) -> polars.DataFrame:
    """A whole row: what names the point (`FIRST`), its values, and its measured columns.

    >>> placed(absent(REFUSED, "x"), {"id": "a", "work": 0.0, "seed": 1, "precision": None}, []).width > 20
    True
    """
    import polars as pl

    types = schema(axes)
    named = pl.DataFrame({name: [value] for name, value in first.items()}, schema={name: types[name] for name in first})
    return conformed(pl.concat([named, measured], how="horizontal"), types)


def conformed(frame: polars.DataFrame, types: Mapping[str, Any]) -> polars.DataFrame:
    """A frame with exactly these columns; those that it lacks are null.

    >>> import polars
    >>> conformed(polars.DataFrame({"b": [1]}), {"a": polars.String(), "b": polars.Int64()}).row(0)
    (None, 1)
    """
    import polars as pl

    return pl.concat([pl.DataFrame(schema=dict(types)), frame], how="diagonal")


def values_of(axes: Sequence[Axis], values: Sequence[Value]) -> dict[str, Value]:
    """The values of a point by key.

    >>> values_of([], [])
    {}
    """
    return {axis.key: value for axis, value in zip(axes, values, strict=True)}


def to_bytes(frame: polars.DataFrame) -> bytes:
    """A frame as Parquet: the same frame gives the same bytes."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", row_group_size=max(1, frame.height))
    return buffer.getvalue()


def _facts() -> dict[str, Any]:
    import polars as pl

    return {
        "state": pl.String(), "reason": pl.String(), "version": pl.String(), "checksum": pl.String(),
        "replications": pl.Int64(), "warm_up_s": pl.Float64(), "notes": pl.List(pl.String()),
    }  # fmt: skip


@functools.cache
def _measured() -> dict[str, Any]:
    import polars as pl

    tables = {table: pl.List(pl.Struct(types)) for table, types in _tables().items()}
    return _facts() | dict.fromkeys(_flat(), pl.Float64()) | tables


@functools.cache
def _flat() -> list[str]:
    return [f"{HEADLINE}.{name}" for name in _tables_of((HEADLINE,))[HEADLINE]]


@functools.cache
def _tables() -> dict[str, dict[str, Any]]:
    return _tables_of(table for table in ENTITY if table != HEADLINE)


def _tables_of(tables: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Of each table the types of its columns: keys, then each counter with its half-width."""
    import polars as pl

    listed: dict[str, list[str]] = {table: [] for table in (*ENTITY, *LOGS)}
    for declared in (*_core.key_columns(), *_core.counters()):
        listed[declared["table"]].append(declared["name"])
    empty = frames({table: dict.fromkeys(names, ()) for table, names in listed.items()})
    made = {}
    for table in tables:
        frame = empty[table]
        measured = [name for counter in counters(frame) for name in (counter, f"{counter}_half_width")]
        made[table] = {name: frame.schema[name] for name in keys(frame)} | dict.fromkeys(measured, pl.Float64())
    return made

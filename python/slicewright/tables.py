"""The tables of a simulated run: which columns name an entity, which count, and how intervals become one.

It leaves out replications: `statistics.over_replications` makes estimates of what is left here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars

ENTITY: dict[str, str] = {
    "volumes": "volume",
    "devices": "device",
    "pools": "pool",
    "control_units": "control_unit",
    "minidisks": "minidisk",
    "resources": "resource",
    "enqueues": "enqueue",
    "serialization": "partition",
    "front_ends": "front_end",
    "partitions": "partition",
    "logical_processors": "partition number",
    "cgroups": "cgroup",
    "threads": "guest cgroup",
    "control_programs": "partition",
    "locks": "partition lock",
    "control_processors": "partition number",
    "virtual_machines": "partition virtual_machine number",
    "spin_locks": "partition virtual_machine number lock",
    "guests": "guest",
    "processors": "guest",
    "system": "",
}
"""The tables in the order in which they are shown, each with the columns that name a row of it."""

LOGS = ("decisions", "contention")
"""The logs: of replication 0 alone, a row for each thing that happened, in the order of time."""

_CONSTANT = frozenset(
    {"minidisk", "volume", "device", "type", "label", "role", "base", "pool", "paths", "control_unit", "guest"}
    | {"partition", "logical_processors", "number", "resource", "count", "front_end"}
    | {"enqueue", "qname", "rname", "scope", "members"}
    | {"task", "access", "status", "blockers"}
    | {"lock", "polarity", "virtual_machine", "cgroup"}
)
_INDEX = ("replication", "interval")
_COUNTS = frozenset({"paths", "count", "members", "logical_processors", "number"})
"""Keys that are whole numbers; the others are texts."""

_PER_IO = frozenset(
    {"pend_ms", "held_ms", "disc_ms", "conn_ms", "service_ms", "hold_ms", "response_ms", "slowdown"}
    | {"iosq_ms", "iosq_rmf_ms", "messages_per_io"}
    | {f"response_p{quantile}_ms" for quantile in (50, 90, 95, 99)}
)
_PER_CYCLE = frozenset(
    {"think_ms", "compute_ms", "cycle_ms", "resource_wait_ms", "message_ms", "transaction_ms", "spin_ms"}
    | {f"cycle_p{quantile}_ms" for quantile in (50, 90, 95, 99)}
)
_PER_PAIR = frozenset({"base_us", "front_end_us", "fast_us", "slow_us", "storage_us", "message_us"})
_BY_NAME = {
    "fails_per_try": ("tries",),
    "in_wait_ms": ("in_per_s",),
    "out_wait_ms": ("out_per_s",),
    "sample_delay_ms": ("samples_taken",),
    "tpi_percent": ("interrupts_per_s",),
    "tv_ratio": ("guests_percent",),
    "moved_percent": ("dispatches_per_s",),
    "moved_off_chip_percent": ("dispatches_per_s",),
    "resident": ("dispatches_per_s",),
    "spin_us_per_collision": ("collisions_per_s",),
    "exclusive_spin_us_per_collision": ("exclusive_collisions_per_s",),
    "shared_spin_us_per_collision": ("shared_collisions_per_s",),
    "hold_us": ("taken_per_s",),
    "contended_percent": ("taken_per_s",),
    "wait_us": ("contended_per_s",),
    "held_us": ("taken_per_s",),
    "exchange_ms": ("exchanges_per_s",),
    "contention_mean_ms": ("contentions",),
    **{f"queue_{length}_percent": ("contention_total_ms",) for length in (1, 2, 3, 4)},
    "held_ms": ("requests_per_s",),
    "lock_held_us": ("lock_per_s",),
    "lock_contended_percent": ("lock_per_s",),
    "lock_wait_us": ("lock_per_s",),
    "delay_ms": ("global_per_s",),
    "throttled_percent": ("nr_periods",),
    "wake_ms": ("wakes",),
    "wake_p50_ms": ("wakes",),
    "wake_p90_ms": ("wakes",),
    "wake_p95_ms": ("wakes",),
    "wake_p99_ms": ("wakes",),
    "fast_x44_percent": ("x44_per_s",),
    "vector_empty_percent": ("unparked",),
    "vector_depth": ("unparked",),
    "vector_empty_sampled_percent": ("unparked",),
    "vector_depth_sampled": ("unparked",),
}
"""Means that no other table has, each with the rate that says how much an interval counts in it."""


def keys(frame: polars.DataFrame) -> list[str]:
    """The columns that say which entity a row is about.

    >>> import polars
    >>> keys(polars.DataFrame({"replication": [0], "pool": ["A"], "aliases": [8], "tries": [5.0]}))
    ['pool']
    """
    return [name for name in frame.columns if name in _CONSTANT]


def counters(frame: polars.DataFrame) -> list[str]:
    """The columns that were measured.

    >>> import polars
    >>> counters(polars.DataFrame({"replication": [0], "pool": ["A"], "aliases": [8], "tries": [5.0]}))
    ['aliases', 'tries']
    """
    return [name for name in frame.columns if name not in _CONSTANT and name not in _INDEX]


def frames(columns: Mapping[str, Mapping[str, Sequence[Any]]]) -> dict[str, polars.DataFrame]:
    """The engine's columns as frames, tables and logs, each column of one type, whatever its values; also without rows.

    >>> frames({"pools": {"pool": ["A"], "aliases": [8], "tries": [5]}})["pools"].row(0)
    ('A', 8.0, 5.0)
    """
    import polars as pl

    made = {}
    for table in (*ENTITY, *LOGS):
        frame = pl.DataFrame(dict(columns.get(table, {})), strict=False)
        made[table] = frame.with_columns(
            *(pl.col(name).cast(pl.Float64) for name in counters(frame)),
            *(pl.col(name).cast(pl.Int64 if name in _COUNTS else pl.String) for name in keys(frame)),
            *(pl.col(name).cast(pl.Int64) for name in frame.columns if name in _INDEX),
        )
    return made


def per_replication(frame: polars.DataFrame) -> polars.DataFrame:
    """One row per replication and entity: the intervals of each replication made one.

    Means per I/O are weighted by the rate of I/O, means per cycle by the rate of cycles, fails per try by the tries,
    means per dispatch, per collision, per taking of a lock, per exchange and per pair of ENQ and DEQ by the rate of
    those, T/V by what guests ran, wakes by how many there were, shares of periods by the periods, those over the
    vectors of unparked processors by how many these are, low and high water and the longest wait are the lowest and
    highest, what is so at the end is that of the last, anything else is the mean over the intervals, which are of equal
    length.  Quantiles are weighted like means, which is near enough only when intervals are alike.

    >>> import polars
    >>> two = {"replication": [0, 0], "interval": [0, 1], "volume": ["A", "A"]}
    >>> two |= {"io_per_s": [1.0, 3.0], "response_ms": [1.0, 5.0]}
    >>> per_replication(polars.DataFrame(two)).row(0)
    (0, 'A', 2.0, 4.0)
    """
    if "interval" not in frame.columns:
        return frame
    if frame["interval"].n_unique() <= 1:
        return frame.drop("interval")
    names = counters(frame)
    grouped = frame.group_by(["replication", *keys(frame)], maintain_order=True)
    return grouped.agg(_over_intervals(name, names) for name in names)


def _over_intervals(name: str, present: Sequence[str]) -> polars.Expr:
    import polars as pl

    value = pl.col(name)
    if name.endswith("_at_end"):
        return value.last()
    if name == "low_water":
        return value.min()
    if name in ("high_water", "longest_wait_ms", "contention_max_ms", "wake_max_ms") or name.endswith("_waiters_max"):
        return value.max()
    weights = [weight for weight in _weights(name, present) if weight in present]
    if not weights:
        return value.mean()
    weighted = pl.sum_horizontal(weights).filter(value.is_not_null())
    total = weighted.sum()
    return pl.when(total > 0).then((value.drop_nulls() * weighted).sum() / total).otherwise(None).alias(name)


def _weights(name: str, present: Sequence[str]) -> tuple[str, ...]:
    """The rates whose sum says how much an interval counts in a mean."""
    if name in _BY_NAME:
        return _BY_NAME[name]
    if "contended_per_s" in present and name == "wait_ms":
        return ("contended_per_s",)  # of a resource by name
    if "pairs_per_s" in present and (name.endswith("_per_pair") or name in _PER_PAIR):
        return ("pairs_per_s",)
    if "takes_per_s" in present and name in {"wait_ms", "hold_ms"}:
        return ("takes_per_s",)  # of a resource
    if name in _PER_CYCLE:
        return ("cycles_per_s",)
    if "wait_ms" in present and name in {"wait_ms", "response_ms"}:
        return ("io_per_s", "avoided_per_s")  # of a minidisk: what its cache saved had its turn too
    if name == "hold_ms" and "interrupts_per_s" in present:
        return ("interrupts_per_s",)  # of a partition: each I/O to its volumes ends with one
    return ("io_per_s",) if name in _PER_IO else ()

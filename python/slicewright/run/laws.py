"""Laws that every number of a table passes, as data, and the guard that checks tables before they are used.

They hold by interval, over intervals, and for means over replications alike: sums and bounds survive a mean.  Laws of
levels over a long time, such as Little's, are in `slicewright.run.steady`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slicewright.run.tables import ENTITY, declared, every_weights

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import polars

    Numbers = dict[str, npt.NDArray[np.float64]]

SLACK = 1e-6
"""How far two sides may differ, as a share of the larger one: far above what sums of doubles lose."""
_HALF_WIDTH = "_half_width"
_MOST = 20
"""Rows that break one law and are returned; the others are as wrong."""


@dataclass(frozen=True, slots=True)
class Law:
    """What columns of a row keep: the sum of `left` is that of `right`, or at most that; `right` may be a number.

    >>> LAWS[0].words
    'service_ms = pend_ms + disc_ms + conn_ms'
    """

    table: str
    left: tuple[str, ...]
    relation: str
    right: tuple[str, ...] | float

    @property
    def words(self) -> str:
        """The law as it is written."""
        right = f"{self.right:g}" if isinstance(self.right, float) else " + ".join(self.right)
        return f"{' + '.join(self.left)} {self.relation} {right}"


@dataclass(frozen=True, slots=True)
class Sum:
    """A column that is the sum of one of another table, whose rows have the same keys `by`."""

    table: str
    column: str
    of: str
    part: str
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Worth:
    """Processors' worth: columns that together are at most 100 % of each logical processor of a partition."""

    table: str
    columns: tuple[str, ...]
    partition: str = "partition"
    beyond: float = 0.0
    """A share more than that, where stretches count whole in the interval in which they end."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A law that a number breaks: where, and the number.

    >>> print(Broken("service_ms = pend_ms", "volumes", "VOL001", "service_ms", 2.0))
    volumes, VOL001, service_ms: 2 breaks service_ms = pend_ms
    """

    law: str
    table: str
    row: str
    column: str
    value: float

    def __str__(self) -> str:
        """The place, the number and the law."""
        where = ", ".join(filter(None, (self.table, self.row, self.column)))
        return f"{where}: {self.value:g} breaks {self.law}"


def _law(table: str, text: str) -> Law:
    """A law from its words: "service_ms = pend_ms + disc_ms"."""
    relation = "<=" if "<=" in text else "="
    left, right = ([word.strip() for word in side.split("+")] for side in text.split(relation))
    is_number = len(right) == 1 and right[0].replace(".", "").isdigit()
    return Law(table, tuple(left), relation, float(right[0]) if is_number else tuple(right))


_TEXTS: Mapping[str, Sequence[str]] = {
    "volumes": (
        "service_ms = pend_ms + disc_ms + conn_ms", "held_ms <= pend_ms", "io_per_s = reads_per_s + writes_per_s",
        "io_per_s = base_io_per_s + alias_io_per_s", "response_p50_ms <= response_p90_ms",
        "response_p90_ms <= response_p95_ms", "response_p95_ms <= response_p99_ms",
    ),
    "devices": ("service_ms = pend_ms + disc_ms + conn_ms",),
    "control_units": ("paths_online <= paths",),
    "resources": ("in_use <= count",),
    "pools": ("fails <= tries", "low_water <= high_water", "free_mean <= aliases", "fails_per_try <= 1"),
    "channels": (
        "read_busy_percent <= busy_percent", "write_busy_percent <= busy_percent",
        "busy_percent <= read_busy_percent + write_busy_percent",
    ),
    "enqueues": (
        "contended_per_s + refused_per_s <= requests_per_s", "contention_min_ms <= contention_mean_ms",
        "queue_1_percent + queue_2_percent + queue_3_percent + queue_4_percent = 100",
    ),
    "serialization": (
        "pairs_per_s = deq_per_s",
        "cpu_us_per_pair = base_us + front_end_us + fast_us + slow_us + storage_us + message_us",
    ),
    "partitions": (
        "dispatched_percent = effective_percent + wait_percent", "dispatched_percent + pending_percent <= 100",
    ),
    "logical_processors": (
        "dispatched_percent = effective_percent + wait_percent", "busy_percent = effective_percent + pending_percent",
        "dispatched_percent + pending_percent <= 100",
    ),
    "control_programs": (
        "total_percent = guests_percent + chargeable_cp_percent + nonchargeable_cp_percent",
        "diagnoses_per_s = x44_per_s + x9c_per_s", "fast_x44_per_s <= x44_per_s", "spinning_percent <= guests_percent",
        "moved_off_chip_percent <= moved_percent", "loop_yielded_per_s + loop_ended_per_s <= loop_exits_per_s",
        "x9c_per_s = x9c_yielded_per_s + x9c_not_ready_per_s + x9c_wait_per_s + x9c_soft_wait_per_s"
        " + x9c_dispatched_per_s",
    ),
    "control_processors": (
        "busy_percent = emulation_percent + chargeable_cp_percent + nonchargeable_cp_percent",
        "busy_percent + wait_percent + parked_percent <= 100", "spin_percent <= nonchargeable_cp_percent",
    ),
    "virtual_machines": (
        "charged_percent = emulation_percent + chargeable_cp_percent", "spinning_percent <= emulation_percent",
        "fast_x44_per_s <= x44_per_s", "resident <= 1",
    ),
    "locks": (
        "taken_per_s = exclusive_per_s + shared_per_s", "collisions_per_s <= taken_per_s",
        "collisions_per_s = exclusive_collisions_per_s + shared_collisions_per_s",
        "spin_percent = exclusive_spin_percent + shared_spin_percent",
    ),
    "spin_locks": ("contended_per_s <= taken_per_s",),
    "thread_locks": (
        "contended_per_s <= taken_per_s", "wait_p50_us <= wait_p95_us", "wait_p95_us <= wait_p99_us",
    ),
    "cgroups": ("nr_throttled <= nr_periods", "nr_bursts <= nr_periods", "threads_throttled <= runnable"),
    "threads": ("wake_p50_ms <= wake_p90_ms", "wake_p90_ms <= wake_p95_ms", "wake_p95_ms <= wake_p99_ms"),
    "guests": (
        "cycle_ms = think_ms + transaction_ms", "cycle_p50_ms <= cycle_p90_ms", "cycle_p90_ms <= cycle_p95_ms",
        "cycle_p95_ms <= cycle_p99_ms",
    ),
    "processors": (
        "compute_percent + think_percent + io_wait_percent + resource_wait_percent + message_percent + spin_percent"
        " + exchange_percent = 100",
    ),
}  # fmt: skip

LAWS = tuple(_law(table, text) for table, texts in _TEXTS.items() for text in texts)
"""Parts that make their whole, and bounds, between columns of one row."""

WORTHS = (
    Worth("partitions", ("cpu_percent",)),
    Worth("control_programs", ("total_percent", "wait_percent")),
    Worth("control_programs", ("work_percent",)),
    Worth("virtual_machines", ("charged_percent",)),
    Worth("virtual_machines", ("work_percent",)),
    Worth("serialization", ("cpu_percent",), beyond=0.01),
    Worth("locks", ("spin_percent",)),
    Worth("cgroups", ("cpu_percent",), "cgroup"),
)
"""Percentages of which 100 is one processor: at most those that the partition has."""

_PARTS_OF_WORTH = {
    "control_programs": ["guests_percent", "chargeable_cp_percent", "nonchargeable_cp_percent", "spinning_percent"],
    "virtual_machines": ["emulation_percent", "chargeable_cp_percent", "spinning_percent"],
    "locks": ["exclusive_spin_percent", "shared_spin_percent"],
}
"""Percentages of the same kind, which laws of their row bound by these."""

SUMS = (
    Sum("system", "io_per_s", "volumes", "io_per_s"),
    Sum("system", "queue_depth", "volumes", "queue_depth"),
    Sum("system", "in_service", "volumes", "in_service"),
    Sum("partitions", "cpu_percent", "logical_processors", "effective_percent", ("partition",)),
    Sum("control_programs", "total_percent", "control_processors", "busy_percent", ("partition",)),
)
"""Columns that are sums over the rows of another table."""


def _bounded() -> dict[str, list[str]]:
    """The percentages of each table that are shares of one whole."""
    of_processors = {(law.table, column) for law in WORTHS for column in law.columns}
    of_processors |= {(table, column) for table, columns in _PARTS_OF_WORTH.items() for column in columns}
    bounded: dict[str, list[str]] = {}
    for table in ENTITY:
        percentages = (name for name, unit in declared(table).items() if unit == "%")
        bounded[table] = [name for name in percentages if (table, name) not in of_processors]
    return bounded


SHARES = _bounded()
"""Percentages that are at most 100."""


def broken(tables: Mapping[str, polars.DataFrame]) -> list[Broken]:
    """The laws that tables break, with row and column; tables and columns that are missing break none.

    A table has a row per entity, and per replication and interval where it has these columns.  A missing value (null)
    breaks no law; what is not a number does.

    >>> import polars
    >>> row = {"volume": ["A"], "io_per_s": [2.0], "reads_per_s": [1.0], "writes_per_s": [0.5]}
    >>> [str(each) for each in broken({"volumes": polars.DataFrame(row)})]
    ['volumes, A, io_per_s: 2 breaks io_per_s = reads_per_s + writes_per_s']
    """
    found: list[Broken] = []
    for table, frame in tables.items():
        if table in ENTITY and not frame.is_empty():
            found += broken_columns(table, {name: frame[name] for name in frame.columns})
    for whole in SUMS:
        found += _of_sum(whole, tables)
    for law in WORTHS:
        found += _of_worth(law, tables)
    return found


def broken_columns(table: str, columns: Mapping[str, polars.Series | Sequence[Any]]) -> list[Broken]:
    """The laws of single columns and of single rows that a table breaks; its columns may be lists, None for null.

    >>> [each.law for each in broken_columns("pools", {"pool": ["A"], "tries": [2.0], "fails": [3.0]})]
    ['fails <= tries']
    """
    import numpy as np

    numbers: Numbers = {}
    for name in (*_WEIGHTS[table], *(name for name in _CAPACITIES if name in columns)):
        for column in (name, f"{name}{_HALF_WIDTH}"):
            if column in columns:
                numbers[column] = np.array(columns[column], dtype=float)
    found = []
    for words, column, wrong in _checks(table, numbers, columns):
        if wrong.any():
            places = np.flatnonzero(wrong)[:_MOST].tolist()
            found += [
                Broken(words, table, _row(table, columns, at), column, float(numbers[column][at])) for at in places
            ]
    return found


def lawful(*every: Mapping[str, Any]) -> bool:
    """Whether no table breaks a law of columns or rows; raises where there are no tables at all."""
    return not any(
        broken_columns(table, columns) for tables in every for table, columns in tables.items() if table in ENTITY
    )


def refuse_broken(tables: Mapping[str, polars.DataFrame], where: str = "") -> None:
    """Raise ValueError with the first law that tables break; `where` precedes the name of the table.

    >>> import polars
    >>> refuse_broken({"pools": polars.DataFrame({"pool": ["A"], "tries": [-1.0]})}, "raw/")
    Traceback (most recent call last):
    ValueError: raw/pools, A, tries: -1 breaks 0 <= tries
    """
    found = broken(tables)
    if found:
        more = f", and {len(found) - 1} more" if len(found) > 1 else ""
        raise ValueError(f"{where}{found[0]}{more}")


def _checks(
    table: str, numbers: Numbers, columns: Mapping[str, polars.Series | Sequence[Any]]
) -> Iterator[tuple[str, str, npt.NDArray[np.bool_]]]:
    """Of each law of a table its words, the column that it is about, and the rows that break it."""
    import numpy as np

    for name, value in numbers.items():
        # A missing value is not a number either, but says so.
        missing = np.isnan(value)
        strange = np.isinf(value) | (missing & ~_nulls(columns[name]) if missing.any() else False)
        yield "a number is finite", name, strange
        yield f"0 <= {name}", name, value < -SLACK
        by = _WEIGHTS[table].get(name)
        if by and set(by) <= numbers.keys():
            nothing = np.logical_and.reduce([numbers[weight] == 0 for weight in by])
            yield f"a mean of nothing ({' + '.join(by)} = 0) has no value", name, nothing & ~missing
    for name in SHARES[table]:
        if name in numbers:
            yield f"{name} <= 100", name, numbers[name] > 100 * (1 + SLACK)
    for law in _LAWS_OF.get(table, ()):
        right = () if isinstance(law.right, float) else law.right
        if {*law.left, *right} <= numbers.keys():
            left = sum(numbers[name] for name in law.left)
            other = np.float64(law.right) if isinstance(law.right, float) else sum(numbers[name] for name in right)
            slack = SLACK * (1 + np.maximum(np.abs(left), np.abs(other)))
            apart = left - other if law.relation == "<=" else np.abs(left - other)
            yield law.words, law.left[0], apart > slack


def _nulls(column: polars.Series | Sequence[Any]) -> npt.NDArray[np.bool_]:
    import numpy as np

    if isinstance(column, Sequence):
        return np.array([value is None for value in column])
    return column.is_null().to_numpy()


def _row(table: str, columns: Mapping[str, polars.Series | Sequence[Any]], at: int) -> str:
    """The name of a row, and its place."""
    named = [str(columns[name][at]) for name in ENTITY[table].split() if name in columns]
    return " ".join([*named, *(f"{name} {columns[name][at]}" for name in _PLACE if name in columns)])


_PLACE = ("replication", "interval")
_CAPACITIES = ("count", "paths")
"""Columns that name a row and bound others: how many there are."""
_WEIGHTS = {table: every_weights(table) for table in ENTITY}
_LAWS_OF = {table: [law for law in LAWS if law.table == table] for table in ENTITY}


def _of_sum(law: Sum, tables: Mapping[str, polars.DataFrame]) -> list[Broken]:
    """Rows whose column is not the sum over the other table's."""
    import polars as pl

    frame, parts = tables.get(law.table), tables.get(law.of)
    if frame is None or parts is None or frame.is_empty() or law.column not in frame.columns:
        return []
    if law.part not in parts.columns or parts[law.part].null_count():
        return []
    names = [*(name for name in _PLACE if name in frame.columns), *law.by]
    whole = pl.col(law.part).sum().alias(_WHOLE)
    together = parts.group_by(names).agg(whole) if names else parts.select(whole)
    joined = frame.join(together, on=names, how="left") if names else frame.with_columns(together.to_series())
    wrong = _apart(pl.col(law.column), pl.col(_WHOLE), "=")
    words = f"{law.column} = the sum of {law.of}.{law.part}"
    return _found(joined, wrong, (words, law.table, law.column))


def _of_worth(law: Worth, tables: Mapping[str, polars.DataFrame]) -> list[Broken]:
    """Rows with more than all processors of their partition."""
    import polars as pl

    frame, partitions = tables.get(law.table), tables.get("partitions")
    if frame is None or frame.is_empty() or partitions is None or not set(law.columns) <= set(frame.columns):
        return []
    sizes = partitions.select(pl.col("partition").alias(law.partition), pl.col("logical_processors").alias(_WHOLE))
    joined = frame.join(sizes.unique(law.partition), on=law.partition, how="inner")
    wrong = _apart(pl.sum_horizontal(law.columns, ignore_nulls=False), 100.0 * (1 + law.beyond) * pl.col(_WHOLE), "<=")
    words = f"{' + '.join(law.columns)} <= 100 logical_processors"
    return _found(joined, wrong, (words, law.table, law.columns[0]))


_WHOLE = "*whole*"
"""No counter has this name."""


def _found(frame: polars.DataFrame, wrong: polars.Expr, law: tuple[str, str, str]) -> list[Broken]:
    """The rows of a table that are wrong in a column."""
    words, table, column = law
    rows = frame.filter(wrong).head(_MOST)
    columns = {name: rows[name] for name in rows.columns}
    return [
        Broken(words, table, _row(table, columns, at), column, float(rows[column][at])) for at in range(rows.height)
    ]


def _apart(left: polars.Expr, right: polars.Expr, relation: str) -> polars.Expr:
    """Where two sides do not have the relation, beyond what sums of doubles lose."""
    import polars as pl

    slack = SLACK * (1 + pl.max_horizontal(left.abs(), right.abs()))
    return left - right > slack if relation == "<=" else (left - right).abs() > slack

"""The tables of a run in the order in which they are shown, and the counters that each shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from slicewright.report.model import Column
from slicewright.report.spec import columns

_LINES = {
    "volumes": (
        "Volumes",
        "volume; device; io_per_s|±; avoided_per_s ?0; writes_per_s ?0; pend_ms; held_ms ?0; disc_ms; conn_ms; "
        "service_ms; iosq_ms ?0 iosq_rmf_ms; iosq_rmf_ms ?0; hold_ms ?0; response_ms|±||,; response_p95_ms; "
        "queue_depth|±; queue_depth_sampled; reserved_percent ?0",
    ),
    "pools": ("Alias pools", "pool; aliases; tries; fails; fails_per_try; low_water; high_water; free_mean"),
    "channels": (
        "Channels",
        "channel; io_per_s|±; busy_percent|±; read_busy_percent ?0 write_busy_percent; write_busy_percent ?0; "
        "read_kib_per_s||read KiB/s; write_kib_per_s ?0; carry_ms|||,; wait_ms|±||,",
    ),
    "control_units": (
        "Control units",
        "control_unit; paths|count; paths_online; io_per_s|±; connected|±; slowdown",
    ),
    "minidisks": (
        "Minidisks",
        "minidisk; volume; io_per_s|±; avoided_per_s; queue_depth|±; wait_ms; response_ms|±||,",
    ),
    "resources": (
        "Resources",
        "resource; count|count; takes_per_s; in_use|±; queue_depth; wait_ms|±||,; hold_ms",
    ),
    "enqueues": (
        "Resources by name",
        "enqueue||resource; scope; members|count; requests_per_s|±; contended_per_s; refused_per_s ?0; "
        "changed_per_s ?0; tested_per_s ?0; contentions; contention_mean_ms|||,; queue_depth; owners; wait_ms|±||,; "
        "longest_wait_ms; held_ms",
    ),
    "serialization": (
        "ENQ and DEQ",
        "partition; pairs_per_s|±; global_per_s; elapsed_us_per_pair|±; cpu_us_per_pair|±|CPU us; base_us; "
        "front_end_us ?0; fast_us ?0; slow_us ?0; storage_us ?0; message_us ?0; cpu_percent; lock_held_percent; "
        "lock_contended_percent; lock_wait_us|||,; delay_ms ?0|||,",
    ),
    "front_ends": (
        "Front ends",
        "front_end; io_per_s|±; messages_per_io; in_per_s; out_per_s; in_wait_ms|±||,; out_wait_ms|±||,; in_queue; "
        "out_queue",
    ),
    "partitions": (
        "Partitions",
        "partition; logical_processors|count|processors; dispatched_percent; effective_percent; wait_percent; "
        "pending_percent; management_percent; cpu_percent|±; interrupts_per_s; tpi_percent; hold_ms|±||,",
    ),
    "logical_processors": (
        "Logical processors",
        "partition; number|count; dispatched_percent; effective_percent; wait_percent; pending_percent; "
        "busy_percent; interrupts_per_s; tpi_percent",
    ),
    "online_processors": (
        "Logical processors that were not online all the time",
        "partition; number|count; online_percent",
    ),
    "lpar_groups": (
        "Groups of partitions under one cap",
        "lpar_group||group; partitions|count; cap||cap, processors; used|±|used, processors; held_percent",
    ),
    "cgroups": (
        "Groups of threads",
        "cgroup; cpu_percent|±; nr_periods; nr_throttled; throttled_percent; throttled_usec; nr_bursts ?0; "
        "burst_usec ?0 nr_bursts; runnable; threads_throttled",
    ),
    "threads": (
        "Threads: from the end of a wait to the first run, ms",
        "guest; cgroup; wakes_per_s; wake_ms|±||,; wake_p50_ms; wake_p90_ms; wake_p95_ms; wake_p99_ms; wake_max_ms; "
        "migrations_per_s ?0",
    ),
    "control_programs": (
        "Control programs",
        "partition; total_percent|±; guests_percent|±; chargeable_cp_percent; nonchargeable_cp_percent; "
        "wait_percent; tv_ratio|±; unparked; ready; dispatches_per_s; moved_percent; looks_per_s",
    ),
    "locks": (
        "Locks of control programs",
        "partition; lock; taken_per_s; collisions_per_s|±; spin_us_per_collision|±; spin_percent|±; hold_us|||,; "
        "exclusive_per_s ?0 shared_per_s; exclusive_collisions_per_s ?0 shared_per_s",
    ),
    "control_processors": (
        "Processors of control programs",
        "partition; number|count; polarity; entitlement_percent; emulation_percent; chargeable_cp_percent; "
        "nonchargeable_cp_percent; spin_percent; wait_percent; parked_percent ?0; vector_empty_percent; "
        "vector_depth; dispatches_per_s; moved_percent; stolen_chip_per_s ?0; stolen_book_per_s ?0; "
        "stolen_far_per_s ?0",
    ),
    "virtual_machines": (
        "Virtual machines, those of a kind together",
        "partition; virtual_machine||kind; machines|count; charged_percent|±; share; emulation_percent; "
        "work_percent|±; running; ready_wait; waking; limited ?0; halted ?0; dispatches_per_s; moved_percent; "
        "intercepts_per_s ?0; resident ?0",
    ),
    "yields": (
        "Guests that spin and yield",
        "partition; spinning_percent|±; x44_per_s ?0|±; fast_x44_percent ?0 x44_per_s; x9c_per_s ?0|±; "
        "x9c_yielded_per_s ?0 x9c_per_s; x9c_not_ready_per_s ?0; x9c_wait_per_s ?0; x9c_soft_wait_per_s ?0; "
        "x9c_dispatched_per_s ?0 x9c_per_s; sensed_per_s ?0; halts_per_s ?0|±; kicks_per_s ?0; "
        "loop_exits_per_s ?0|±; loop_yielded_per_s ?0 loop_exits_per_s; loop_ended_per_s ?0; "
        "loop_window_us ?0 loop_exits_per_s|||,; slice_ends_per_s; vector_empty_percent; "
        "vector_empty_sampled_percent|||-; vector_depth; vector_depth_sampled",
    ),
    "spin_locks": (
        "Spin locks, those of a kind of machines together",
        "partition; virtual_machine||kind; lock; machines|count; taken_per_s; contended_per_s|±; contended_percent; "
        "wait_us|±||,; longest_wait_ms|||,; held_us|||,; held_percent; spinning",
    ),
    "thread_locks": (
        "Locks of threads",
        "lock; taken_per_s|±; contended_percent; wait_us|±||,; wait_p95_us; wait_p99_us; longest_wait_ms|||,; "
        "held_us|||,; held_percent; waiting; yields_per_s ?0; sleeps_per_s ?0",
    ),
    "guests": (
        "Guests",
        "guest; population; cycles_per_s|±; io_per_s; think_ms; compute_ms; spin_ms ?0; exchanges_per_s ?0; "
        "exchange_ms ?0 exchanges_per_s|±||,; response_ms; resource_wait_ms ?0; message_ms ?0; "
        "transaction_ms ?0 message_ms|±||,; cycle_ms|±||,",
    ),
    "classes": (
        "Classes of business: the guests of each together",
        "class; guests|count; population; cycles_per_s|±; io_per_s|±; think_ms; compute_ms; response_ms|±||,; "
        "transaction_ms ?0|±||,; cycle_ms|±||,",
    ),
    "processors": (
        "Virtual processors",
        "guest; virtual_processors; compute_percent; think_percent; io_wait_percent; spin_percent ?0; "
        "exchange_percent ?0",
    ),
}
"""Of each table its title and its columns; a percentage has its unit in the header, others where a line says so."""


def _shown(table: str, lines: str) -> list[Column[Any]]:
    of = {"yields": "control_programs", "classes": "guests"}.get(table, table)
    return [
        replace(column, header=f"{column.header}, %" if column.unit == "%" else column.header, unit="")
        for column in columns(lines, [of])
    ]


def _varied(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a path was offline for some time: paths online are shown only then."""
    return any(row.get("paths_online") not in (None, row["paths"]) for row in rows)


SHOWN: dict[str, tuple[str, Sequence[Column[Any]]]] = {
    table: (
        title,
        [replace(each, only=_varied) if each.key == "paths_online" else each for each in _shown(table, lines)],
    )
    for table, (title, lines) in _LINES.items()
}
"""The tables in the order in which they are shown: title and columns."""

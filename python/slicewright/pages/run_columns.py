"""The columns of a run's tables: which counters are shown, under which headings, with how many digits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from slicewright.report.forms import Form
from slicewright.report.model import Column
from slicewright.statistics import count, fixed, milliseconds, plus_minus_column, significant

Row = dict[str, Any]
Shown = Column[Row]


def _column(counter: str, header: str, show: Callable[[float | None], str], factor: float = 1.0) -> Shown:
    def value(row: Row) -> float | None:
        return None if row[counter] is None else row[counter] * factor

    return Column(counter, header, value, form=lambda values: [show(value) for value in values])


def _if_any(counter: str, column: Shown) -> Shown:
    """A column that is shown only where the counter is not zero in some row."""
    return replace(column, only=lambda rows: any(row.get(counter) for row in rows))


def _name(key: str, header: str = "") -> Shown:
    return Column(key, header or key, lambda row: row[key])


def _ms(counter: str, header: str) -> Shown:
    return _column(counter, header, milliseconds)


def _plain(counter: str, header: str) -> Shown:
    return _column(counter, header, significant)


def _count(counter: str, header: str) -> Shown:
    return _column(counter, header, count)


def _whole(key: str) -> Shown:
    return _column(key, key, count)


def _level(counter: str, header: str) -> Shown:
    """A mean over time of something that is a whole number most of the time."""
    return _column(counter, header, lambda value: (count if value == round(value or 0) else significant)(value))


def _percent(counter: str, header: str) -> Shown:
    return _column(counter, header, lambda value: fixed(value, 1))


def _share(counter: str, header: str) -> Shown:
    """A share, 0 to 1, in percent."""
    return _column(counter, header, lambda value: fixed(value, 1), 100)


def _estimate(counter: str, header: str) -> Shown:
    both: Form = plus_minus_column
    return Column(counter, header, lambda row: (row[counter], row[f"{counter}_half_width"]), form=both)


_VARIED = replace(
    _level("paths_online", "online"),
    only=lambda rows: any(row.get("paths_online") not in (None, row["paths"]) for row in rows),
)
"""Paths online, shown where a path was offline for some time."""


SHOWN: dict[str, tuple[str, Sequence[Shown]]] = {
    "volumes": (
        "Volumes",
        (
            _name("volume"), _name("device"), _estimate("io_per_s", "I/O per s"),
            _if_any("avoided_per_s", _plain("avoided_per_s", "avoided")),
            _if_any("writes_per_s", _plain("writes_per_s", "writes")), _ms("pend_ms", "pend"),
            _if_any("held_ms", _ms("held_ms", "held")), _ms("disc_ms", "disc"),
            _ms("conn_ms", "conn"), _ms("service_ms", "serv"),
            _if_any("iosq_rmf_ms", _ms("iosq_ms", "IOSQ")), _if_any("iosq_rmf_ms", _ms("iosq_rmf_ms", "inside")),
            _if_any("hold_ms", _ms("hold_ms", "hold")), _estimate("response_ms", "resp, ms"),
            _ms("response_p95_ms", "p95"), _estimate("queue_depth", "queued"), _plain("queue_depth_sampled", "sampled"),
            _if_any("reserved_percent", _percent("reserved_percent", "reserved, %")),
        ),
    ),
    "pools": (
        "Alias pools",
        (
            _name("pool"), _level("aliases", "aliases"), _count("tries", "tries"), _count("fails", "fails"),
            _share("fails_per_try", "fails/tries, %"),
            _count("low_water", "low water"), _count("high_water", "high water"), _plain("free_mean", "free, mean"),
        ),
    ),
    "channels": (
        "Channels",
        (
            _name("channel"), _estimate("io_per_s", "I/O per s"), _estimate("busy_percent", "busy, %"),
            _if_any("write_busy_percent", _percent("read_busy_percent", "reads, %")),
            _if_any("write_busy_percent", _percent("write_busy_percent", "writes, %")),
            _plain("read_kib_per_s", "read KiB/s"), _if_any("write_kib_per_s", _plain("write_kib_per_s", "written")),
            _ms("carry_ms", "serial, ms"), _estimate("wait_ms", "wait, ms"),
        ),
    ),
    "control_units": (
        "Control units",
        (
            _name("control_unit", "control unit"), _whole("paths"), _VARIED,
            _estimate("io_per_s", "I/O per s"),
            _estimate("connected", "connected"), _plain("slowdown", "slowdown"),
        ),
    ),
    "minidisks": (
        "Minidisks",
        (
            _name("minidisk"), _name("volume"), _estimate("io_per_s", "I/O per s"), _plain("avoided_per_s", "avoided"),
            _estimate("queue_depth", "waiting"), _ms("wait_ms", "wait"), _estimate("response_ms", "resp, ms"),
        ),
    ),
    "resources": (
        "Resources",
        (
            _name("resource"), _whole("count"), _plain("takes_per_s", "takes per s"), _estimate("in_use", "in use"),
            _plain("queue_depth", "waiting"), _estimate("wait_ms", "wait, ms"), _ms("hold_ms", "held"),
        ),
    ),
    "enqueues": (
        "Resources by name",
        (
            _name("enqueue", "resource"), _name("scope"), _whole("members"),
            _estimate("requests_per_s", "requests per s"),
            _plain("contended_per_s", "waited"), _if_any("refused_per_s", _plain("refused_per_s", "refused")),
            _if_any("changed_per_s", _plain("changed_per_s", "changed")),
            _if_any("tested_per_s", _plain("tested_per_s", "tested")),
            _plain("contentions", "contentions"), _ms("contention_mean_ms", "each, ms"),
            _plain("queue_depth", "waiting"), _plain("owners", "owners"), _estimate("wait_ms", "wait, ms"),
            _ms("longest_wait_ms", "longest"), _ms("held_ms", "held"),
        ),
    ),
    "serialization": (
        "ENQ and DEQ",
        (
            _name("partition"), _estimate("pairs_per_s", "pairs per s"), _plain("global_per_s", "global"),
            _estimate("elapsed_us_per_pair", "us per pair"), _estimate("cpu_us_per_pair", "CPU us"),
            _plain("base_us", "base"), _if_any("front_end_us", _plain("front_end_us", "front end")),
            _if_any("fast_us", _plain("fast_us", "fast exits")), _if_any("slow_us", _plain("slow_us", "slow exits")),
            _if_any("storage_us", _plain("storage_us", "storage")),
            _if_any("message_us", _plain("message_us", "messages")), _percent("cpu_percent", "CPU, %"),
            _percent("lock_held_percent", "lock held, %"), _percent("lock_contended_percent", "found taken, %"),
            _plain("lock_wait_us", "lock wait, us"), _if_any("delay_ms", _ms("delay_ms", "delay, ms")),
        ),
    ),
    "front_ends": (
        "Front ends",
        (
            _name("front_end", "front end"), _estimate("io_per_s", "I/O per s"),
            _plain("messages_per_io", "messages per I/O"), _plain("in_per_s", "in per s"),
            _plain("out_per_s", "out per s"), _estimate("in_wait_ms", "wait in, ms"),
            _estimate("out_wait_ms", "wait out, ms"), _plain("in_queue", "waiting in"),
            _plain("out_queue", "waiting out"),
        ),
    ),
    "partitions": (
        "Partitions",
        (
            _name("partition"), _count("logical_processors", "processors"),
            _percent("dispatched_percent", "dispatched, %"), _percent("effective_percent", "effective, %"),
            _percent("wait_percent", "wait, %"), _percent("pending_percent", "pending, %"),
            _percent("management_percent", "management, %"), _estimate("cpu_percent", "CPU, %"),
            _plain("interrupts_per_s", "interrupts per s"), _percent("tpi_percent", "TPI, %"),
            _estimate("hold_ms", "hold, ms"),
        ),
    ),
    "logical_processors": (
        "Logical processors",
        (
            _name("partition"), _whole("number"), _percent("dispatched_percent", "dispatched, %"),
            _percent("effective_percent", "effective, %"), _percent("wait_percent", "wait, %"),
            _percent("pending_percent", "pending, %"), _percent("busy_percent", "with work, %"),
            _plain("interrupts_per_s", "interrupts per s"), _percent("tpi_percent", "TPI, %"),
        ),
    ),
    "online_processors": (
        "Logical processors that were not online all the time",
        (_name("partition"), _whole("number"), _percent("online_percent", "online, %")),
    ),
    "lpar_groups": (
        "Groups of partitions under one cap",
        (
            _name("lpar_group", "group"), _whole("partitions"), _plain("cap", "cap, processors"),
            _estimate("used", "used, processors"), _percent("held_percent", "held by the cap, %"),
        ),
    ),
    "cgroups": (
        "Groups of threads",
        (
            _name("cgroup"), _estimate("cpu_percent", "CPU, %"), _plain("nr_periods", "nr_periods"),
            _plain("nr_throttled", "nr_throttled"), _percent("throttled_percent", "throttled, %"),
            _plain("throttled_usec", "throttled_usec"),
            _if_any("nr_bursts", _plain("nr_bursts", "nr_bursts")),
            _if_any("nr_bursts", _plain("burst_usec", "burst_usec")),
            _plain("runnable", "runnable"), _plain("threads_throttled", "stopped"),
        ),
    ),
    "threads": (
        "Threads: from the end of a wait to the first run, ms",
        (
            _name("guest"), _name("cgroup"), _plain("wakes_per_s", "wakes per s"), _estimate("wake_ms", "late, ms"),
            _ms("wake_p50_ms", "50 %"), _ms("wake_p90_ms", "90 %"), _ms("wake_p95_ms", "95 %"),
            _ms("wake_p99_ms", "99 %"), _ms("wake_max_ms", "longest"),
            _if_any("migrations_per_s", _plain("migrations_per_s", "moves per s")),
        ),
    ),
    "control_programs": (
        "Control programs",
        (
            _name("partition"), _estimate("total_percent", "total, %"), _estimate("guests_percent", "guests, %"),
            _percent("chargeable_cp_percent", "c-CP, %"),
            _percent("nonchargeable_cp_percent", "nc-CP, %"), _percent("wait_percent", "wait, %"),
            _estimate("tv_ratio", "T/V"), _plain("unparked", "unparked"), _plain("ready", "ready"),
            _plain("dispatches_per_s", "dispatches per s"), _percent("moved_percent", "moved, %"),
            _plain("looks_per_s", "looks per s"),
        ),
    ),
    "locks": (
        "Locks of control programs",
        (
            _name("partition"), _name("lock"), _plain("taken_per_s", "taken per s"),
            _estimate("collisions_per_s", "collisions per s"), _estimate("spin_us_per_collision", "us per collision"),
            _estimate("spin_percent", "spin, %"), _plain("hold_us", "held, us"),
            _if_any("shared_per_s", _plain("exclusive_per_s", "exclusive per s")),
            _if_any("shared_per_s", _plain("exclusive_collisions_per_s", "their collisions")),
        ),
    ),
    "control_processors": (
        "Processors of control programs",
        (
            _name("partition"), _whole("number"), _name("polarity"), _percent("entitlement_percent", "entitled, %"),
            _percent("emulation_percent", "guests, %"), _percent("chargeable_cp_percent", "c-CP, %"),
            _percent("nonchargeable_cp_percent", "nc-CP, %"), _percent("spin_percent", "spin, %"),
            _percent("wait_percent", "wait, %"), _if_any("parked_percent", _percent("parked_percent", "parked, %")),
            _percent("vector_empty_percent", "vector empty, %"), _plain("vector_depth", "depth"),
            _plain("dispatches_per_s", "dispatches per s"), _percent("moved_percent", "moved, %"),
            _if_any("stolen_chip_per_s", _plain("stolen_chip_per_s", "stolen on chip")),
            _if_any("stolen_book_per_s", _plain("stolen_book_per_s", "in book")),
            _if_any("stolen_far_per_s", _plain("stolen_far_per_s", "farther")),
        ),
    ),
    "virtual_machines": (
        "Virtual machines, those of a kind together",
        (
            _name("partition"), _name("virtual_machine", "kind"), _whole("machines"),
            _estimate("charged_percent", "charged, %"), _percent("share", "share, %"),
            _percent("emulation_percent", "emulation, %"), _estimate("work_percent", "work, %"),
            _plain("running", "running"), _plain("ready_wait", "CPU wait"), _plain("waking", "waking"),
            _if_any("limited", _plain("limited", "limited")), _if_any("halted", _plain("halted", "halted")),
            _plain("dispatches_per_s", "dispatches per s"), _percent("moved_percent", "moved, %"),
            _if_any("intercepts_per_s", _plain("intercepts_per_s", "intercepts per s")),
            _if_any("resident", _share("resident", "resident, %")),
        ),
    ),
    "yields": (
        "Guests that spin and yield",
        (
            _name("partition"), _estimate("spinning_percent", "spinning, %"),
            _if_any("x44_per_s", _estimate("x44_per_s", "X'44' per s")),
            _if_any("x44_per_s", _percent("fast_x44_percent", "fast, %")),
            _if_any("x9c_per_s", _estimate("x9c_per_s", "X'9C' per s")),
            _if_any("x9c_per_s", _plain("x9c_yielded_per_s", "yielded")),
            _if_any("x9c_not_ready_per_s", _plain("x9c_not_ready_per_s", "not ready")),
            _if_any("x9c_wait_per_s", _plain("x9c_wait_per_s", "in wait")),
            _if_any("x9c_soft_wait_per_s", _plain("x9c_soft_wait_per_s", "in soft wait")),
            _if_any("x9c_per_s", _plain("x9c_dispatched_per_s", "dispatched")),
            _if_any("sensed_per_s", _plain("sensed_per_s", "sensed running")),
            _if_any("halts_per_s", _estimate("halts_per_s", "halts per s")),
            _if_any("kicks_per_s", _plain("kicks_per_s", "kicks per s")),
            _if_any("loop_exits_per_s", _estimate("loop_exits_per_s", "loop exits per s")),
            _if_any("loop_exits_per_s", _plain("loop_yielded_per_s", "sibling ran")),
            _if_any("loop_ended_per_s", _plain("loop_ended_per_s", "slice ended")),
            _if_any("loop_exits_per_s", _plain("loop_window_us", "window, us")),
            _plain("slice_ends_per_s", "slices ended"), _percent("vector_empty_percent", "vector empty, %"),
            _percent("vector_empty_sampled_percent", "sampled"), _plain("vector_depth", "depth"),
            _plain("vector_depth_sampled", "sampled"),
        ),
    ),
    "spin_locks": (
        "Spin locks, those of a kind of machines together",
        (
            _name("partition"), _name("virtual_machine", "kind"), _name("lock"), _whole("machines"),
            _plain("taken_per_s", "taken per s"), _estimate("contended_per_s", "contended per s"),
            _percent("contended_percent", "contended, %"), _estimate("wait_us", "wait, us"),
            _ms("longest_wait_ms", "longest, ms"), _plain("held_us", "held, us"), _percent("held_percent", "held, %"),
            _plain("spinning", "spinning"),
        ),
    ),
    "thread_locks": (
        "Locks of threads",
        (
            _name("lock"), _estimate("taken_per_s", "taken per s"), _percent("contended_percent", "contended, %"),
            _estimate("wait_us", "wait, us"), _plain("wait_p95_us", "95 %"), _plain("wait_p99_us", "99 %"),
            _ms("longest_wait_ms", "longest, ms"), _plain("held_us", "held, us"), _percent("held_percent", "held, %"),
            _plain("waiting", "waiting"), _if_any("yields_per_s", _plain("yields_per_s", "yields per s")),
            _if_any("sleeps_per_s", _plain("sleeps_per_s", "sleeps per s")),
        ),
    ),
    "guests": (
        "Guests",
        (
            _name("guest"), _count("population", "population"), _estimate("cycles_per_s", "cycles per s"),
            _plain("io_per_s", "I/O per s"), _ms("think_ms", "think"), _ms("compute_ms", "compute"),
            _if_any("spin_ms", _ms("spin_ms", "spinning")),
            _if_any("exchanges_per_s", _plain("exchanges_per_s", "exchanges per s")),
            _if_any("exchanges_per_s", _estimate("exchange_ms", "exchange, ms")),
            _ms("response_ms", "resp"), _if_any("resource_wait_ms", _ms("resource_wait_ms", "for resources")),
            _if_any("message_ms", _ms("message_ms", "messages")),
            _if_any("message_ms", _estimate("transaction_ms", "transaction, ms")), _estimate("cycle_ms", "cycle, ms"),
        ),
    ),
    "processors": (
        "Virtual processors",
        (
            _name("guest"), _count("virtual_processors", "processors"), _percent("compute_percent", "compute, %"),
            _percent("think_percent", "think, %"), _percent("io_wait_percent", "I/O wait, %"),
            _if_any("spin_percent", _percent("spin_percent", "spinning, %")),
            _if_any("exchange_percent", _percent("exchange_percent", "exchanges, %")),
        ),
    ),
}  # fmt: skip
"""The tables in the order in which they are shown: title and columns."""

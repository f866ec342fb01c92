"""What one run shows of a control program whose guests spin: its table, its locks as one, and where time went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from slicewright._core import Scenario
from slicewright.advise.yields.locked import Locked
from slicewright.experiment.outcome import Array, Outcome, Table, columns, rows
from slicewright.run.yield_budget import Budget, budget, held

CONTROL = (
    "total_percent", "guests_percent", "chargeable_cp_percent", "nonchargeable_cp_percent", "work_percent", "tv_ratio",
    "unparked", "dispatches_per_s", "moved_percent", "ready", "spinning_percent", "x44_per_s", "fast_x44_per_s",
    "fast_x44_percent", "x9c_per_s", "x9c_yielded_per_s", "x9c_not_ready_per_s", "x9c_wait_per_s",
    "x9c_soft_wait_per_s", "x9c_dispatched_per_s", "sensed_per_s", "diagnoses_per_s", "vector_empty_percent",
    "vector_depth",
)  # fmt: skip
"""Of the table of control programs."""
SUMMED = ("taken_per_s", "contended_per_s", "spinning")
LOCKS = (*SUMMED, "wait_us", "held_us", "longest_wait_ms")
"""Of the table of spin locks: sums over machines, means per contended taking and per taking, the longest of all."""


@dataclass(frozen=True, slots=True)
class Measured(Outcome):
    """Columns, all locks of the partition as one, and the budget of its processors.

    `programs_per_s` is NaN where several guests begin by themselves; `contended_percent` the share of acquisitions that
    spun.  The throughput of the budget is work: programs take as much under any yield, but stray with their draws.
    """

    budget: Budget = field(kw_only=True)


def measured(partition: Locked, scenario: Scenario, tables: Mapping[str, Table]) -> Measured:
    """The measurements of one control program, its locks and its guests."""
    count = int(scenario.measure["replications"])
    found = columns(tables["control_programs"], {"partition": partition.name}, CONTROL, count)
    names = [(kind.name, lock) for kind in partition.kinds for lock in kind.locks]
    found |= _overall([_lock(tables["spin_locks"], (partition.name, *name), count) for name in names])
    found["held"] = held(found["taken_per_s"], found["held_us"])
    own = {"guest": partition.starting}
    found["programs_per_s"] = columns(tables["guests"], own, ("cycles_per_s",), count)["cycles_per_s"]
    processors = scenario.view.partition(partition.name).logical_processors
    spent = budget(found, found["work_percent"], partition.costs, processors)
    return Measured(found, scenario.resolved, budget=spent)


def _lock(table: Table, name: tuple[str, str, str], count: int) -> dict[str, Array]:
    """A kind's lock (partition, kind, lock) over all its machines."""
    made = {column: np.zeros(count) for column in LOCKS}
    for row in rows(table, dict(zip(("partition", "virtual_machine", "lock"), name, strict=True))):
        at = int(table["replication"][row])
        value = {column: float(table[column][row] or 0.0) for column in LOCKS}
        for column in SUMMED:
            made[column][at] += value[column]
        made["wait_us"][at] += value["wait_us"] * value["contended_per_s"]
        made["held_us"][at] += value["held_us"] * value["taken_per_s"]
        made["longest_wait_ms"][at] = max(made["longest_wait_ms"][at], value["longest_wait_ms"])
    return _means(made)


def _overall(locks: Sequence[Mapping[str, Array]]) -> dict[str, Array]:
    """All locks of a partition as one."""
    made = {name: np.sum([lock[name] for lock in locks], axis=0) for name in SUMMED}
    made["wait_us"] = np.sum([np.nan_to_num(lock["wait_us"]) * lock["contended_per_s"] for lock in locks], axis=0)
    made["held_us"] = np.sum([np.nan_to_num(lock["held_us"]) * lock["taken_per_s"] for lock in locks], axis=0)
    made["longest_wait_ms"] = np.max([lock["longest_wait_ms"] for lock in locks], axis=0)
    return _means(made)


def _means(made: Mapping[str, Array]) -> dict[str, Array]:
    taken, contended = made["taken_per_s"], made["contended_per_s"]
    return dict(made) | {
        "wait_us": _over(made["wait_us"], contended), "held_us": _over(made["held_us"], taken),
        "contended_percent": _over(100 * contended, taken),
    }  # fmt: skip


def _over(sums: Array, counts: Array) -> Array:
    return np.asarray(np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0))

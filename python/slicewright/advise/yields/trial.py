"""A scenario with spin locks simulated: per replication, what one control program, its locks and its guests did.

All runs use the same seed, so that yields share random numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slicewright._core import Scenario
from slicewright.advise.simulation import SEED, Array, threads
from slicewright.advise.yields.locked import Locked
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
class Trial:
    """Columns by name, a value per replication; `locks` by kind and lock, over all machines of the kind.

    `programs_per_s` is NaN where several guests begin by themselves; `contended_percent` the share of takings that had
    to spin.  The throughput of the budget is work: programs take as much under any yield, but stray by what they draw.

    >>> from slicewright.advise.yields.example import trial
    >>> found = trial()
    >>> found.mean("programs_per_s") > 0, 0 < found.mean("contended_percent") < 100
    (True, True)
    """

    columns: Mapping[str, Array]
    locks: Mapping[tuple[str, str], Mapping[str, Array]]
    budget: Budget
    text: str
    """The scenario, complete: `run` gives the same numbers."""

    def mean(self, name: str) -> float:
        """The mean of a column over the replications that know it; NaN where none does."""
        known = self.columns[name][np.isfinite(self.columns[name])]
        return float(known.mean()) if known.size else float("nan")


def simulate(scenario: Scenario, partition: Locked) -> Trial:
    """Simulate a scenario as it says that it is measured, and keep one control program, its locks and guests.

    Raises InputError when the scenario is wrong and RunError when it cannot go on.

    >>> from slicewright.advise.yields.example import spinners, scenario
    >>> simulate(scenario(), spinners()).columns["ready"].shape
    (2,)
    """
    count = int(scenario.measure["replications"])
    tables = scenario.simulate(SEED, (0, count), threads(), float(scenario.measure["warm_up_s"]))
    own = {"partition": partition.name}
    columns = dict(_columns(tables["control_programs"], own, CONTROL, count))
    locks = {
        (kind.name, lock): _lock(tables["spin_locks"], own | {"virtual_machine": kind.name, "lock": lock}, count)
        for kind in partition.kinds
        for lock in kind.locks
    }
    columns |= _overall(list(locks.values()))
    columns["held"] = held(columns["taken_per_s"], columns["held_us"])
    if partition.starting:
        counted = _columns(tables["guests"], {"guest": partition.starting}, ("cycles_per_s",), count)
        columns["programs_per_s"] = counted["cycles_per_s"]
    else:
        columns["programs_per_s"] = np.full(count, np.nan)
    processors = scenario.view.partition(partition.name).logical_processors
    spent = budget(columns, columns["work_percent"], partition.costs, processors)
    return Trial(columns, locks, spent, scenario.resolved)


def _rows(table: Mapping[str, Sequence[Any]], own: Mapping[str, str]) -> list[int]:
    keys = [table[key] for key in own]
    wanted = tuple(own.values())
    return [row for row, found in enumerate(zip(*keys, strict=True)) if found == wanted]


def _columns(
    table: Mapping[str, Sequence[Any]], own: Mapping[str, str], names: Sequence[str], count: int
) -> dict[str, Array]:
    found = {name: np.full(count, np.nan) for name in names}
    for row in _rows(table, own):
        for name in names:
            value = table[name][row]
            if value is not None:
                found[name][int(table["replication"][row])] = value
    return found


def _lock(table: Mapping[str, Sequence[Any]], own: Mapping[str, str], count: int) -> dict[str, Array]:
    """A kind's lock over all its machines."""
    made = {name: np.zeros(count) for name in LOCKS}
    for row in _rows(table, own):
        at = int(table["replication"][row])
        value = {name: float(table[name][row] or 0.0) for name in LOCKS}
        for name in SUMMED:
            made[name][at] += value[name]
        made["wait_us"][at] += value["wait_us"] * value["contended_per_s"]
        made["held_us"][at] += value["held_us"] * value["taken_per_s"]
        made["longest_wait_ms"][at] = max(made["longest_wait_ms"][at], value["longest_wait_ms"])
    return _means(made)


def _overall(locks: Sequence[Mapping[str, Array]]) -> dict[str, Array]:
    """All locks of a partition as one."""
    made = {name: np.sum([one[name] for one in locks], axis=0) for name in SUMMED}
    made["wait_us"] = np.sum([np.nan_to_num(one["wait_us"]) * one["contended_per_s"] for one in locks], axis=0)
    made["held_us"] = np.sum([np.nan_to_num(one["held_us"]) * one["taken_per_s"] for one in locks], axis=0)
    made["longest_wait_ms"] = np.max([one["longest_wait_ms"] for one in locks], axis=0)
    return _means(made)


def _means(made: Mapping[str, Array]) -> dict[str, Array]:
    taken, contended = made["taken_per_s"], made["contended_per_s"]
    return dict(made) | {
        "wait_us": _over(made["wait_us"], contended), "held_us": _over(made["held_us"], taken),
        "contended_percent": _over(100 * contended, taken),
    }  # fmt: skip


def _over(sums: Array, counts: Array) -> Array:
    return np.asarray(np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0))

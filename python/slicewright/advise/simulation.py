"""Runs of one load at one alias count: per replication and volume, what the fit and the curve need of the tables.

All runs use the same seed, so that loads and alias counts share random numbers.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from slicewright._core import Scenario
from slicewright.advise.scenario_text import Plan

Array = npt.NDArray[np.float64]

SEED = 1


@dataclass(frozen=True, slots=True)
class Sample:
    """Arrays of replications x volumes; `fails_per_try` and `most_used` per replication.

    Rates per second, times in ms, queue in requests.  `most_used`: aliases of the pool in use at once at most.

    >>> from slicewright.advise.aliases.example import laboratory, load
    >>> sample = laboratory().simulate(load(), 1)
    >>> sample.io_per_s.shape, bool((sample.pooled("io_per_s") > 1000).all())
    ((4, 1), True)
    """

    io_per_s: Array
    alias_io_per_s: Array
    queue_depth: Array
    service_ms: Array
    response_ms: Array
    fails_per_try: Array
    most_used: int | None

    def pooled(self, name: str) -> Array:
        """One value per replication over the pool: rates and queues add, times are means over I/Os."""
        values: Array = getattr(self, name)
        if name == "fails_per_try":
            return values
        if name in ("io_per_s", "alias_io_per_s", "queue_depth"):
            return np.asarray(values.sum(axis=1))
        rates = self.io_per_s
        return np.asarray((values * rates).sum(axis=1) / rates.sum(axis=1))


def simulate(scenario: Scenario, volumes: Sequence[str], plan: Plan) -> Sample:
    """Simulate a scenario for as long as it says, and keep the named volumes in the order given.

    Raises InputError when the scenario is wrong and RunError when it cannot go on.

    >>> from slicewright.advise.aliases.example import case, load
    >>> from slicewright.advise.scenario_text import scenario_text
    >>> plan = Plan(1.0, 0.1, 2)
    >>> scenario = Scenario.read(scenario_text(load(), 3, plan, case().sources).encode(), "reading")
    >>> float(simulate(scenario, ["BWPVS0"], plan).queue_depth.max())
    0.0
    """
    tables = scenario.simulate(SEED, (0, plan.replications), threads(), plan.warm_up_s)
    table = tables["volumes"]
    at = {name: index for index, name in enumerate(volumes)}
    rows = [
        (int(r), at[name], index)
        for index, (r, name) in enumerate(zip(table["replication"], table["volume"], strict=True))
        if name in at
    ]

    def taken(name: str) -> Array:
        values = np.zeros((plan.replications, len(volumes)))
        column = table[name]
        for replication, volume, index in rows:
            value = column[index]
            values[replication, volume] = np.nan if value is None else value
        return values

    pools = tables.get("pools") or {}
    fails, used = _pool(pools, plan.replications)
    return Sample(
        taken("io_per_s"), taken("alias_io_per_s"), taken("queue_depth"), _filled(taken("service_ms")),
        _filled(taken("response_ms")), fails, used,
    )  # fmt: skip


def looked(plan: Plan) -> dict[str, str | int]:
    """How long one interval is looked at, as `Scenario.with_` takes it.

    >>> looked(Plan(3.0, 0.3, 10))["measure.interval"]
    '3.0 s'
    """
    return {
        "measure.interval": f"{plan.interval_s} s", "measure.intervals": 1,
        "measure.sample": f"{plan.sample_s} s", "measure.warm_up": f"{plan.warm_up_s} s",
    }  # fmt: skip


def _filled(times: Array) -> Array:
    """Times with the volume's mean over other replications where a volume did no I/O in one; 0 where it did none."""
    there = np.isfinite(times)
    counts = there.sum(axis=0)
    means = np.divide(np.where(there, times, 0.0).sum(axis=0), counts, out=np.zeros(len(counts)), where=counts > 0)
    return np.asarray(np.where(there, times, means))


def threads() -> int:
    """Processors that this process may use; they change nothing but the time a run takes.

    >>> threads() >= 1
    True
    """
    return len(os.sched_getaffinity(0))


def _pool(pools: dict[str, list[float]], replications: int) -> tuple[Array, int | None]:
    if not pools or len(pools["replication"]) != replications:
        return np.full(replications, np.nan), None
    tries = np.array(pools["tries"], dtype=float)
    fails = np.array(pools["fails"], dtype=float)
    share = np.divide(fails, tries, out=np.zeros_like(fails), where=tries > 0)
    low = [0 if value is None else int(value) for value in pools["low_water"]]
    return share, int(max(pools["aliases"])) - min(low)

"""A point: one run simulated, and the study's values of it, replication by replication.

It leaves out what is published of the run and how it is judged.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from slicewright.statistics import Estimate, estimate
from slicewright.study.constants import Constants
from slicewright.study.hyperpav import VOLUMES, scenario
from slicewright.study.published import Report

if TYPE_CHECKING:
    from slicewright._core import Scenario

Columns = dict[str, list[Any]]
Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Budget:
    """How much is simulated: so many replications, up to `most` where more are asked for, from `seed`.

    Each lasts `interval_s` (0: the scenario's own interval) after `warm_up_s` (None: automatic).

    >>> Budget(replications=10, interval_s=20).simulated
    '10 replications of 20 s'
    """

    replications: int = 10
    most: int = 40
    interval_s: int = 0
    warm_up_s: float | None = None
    seed: int = 1

    @property
    def simulated(self) -> str:
        """The budget in words."""
        length = f"{self.interval_s} s" if self.interval_s else "the scenario's interval"
        return f"{self.replications} replications of {length}"


@dataclass(slots=True)
class Point:
    """A simulated run: per value of the study one number per replication, in the unit of `published.ROWS`.

    >>> from slicewright.study.hyperpav import pool
    >>> Point(pool(8), "", 0.0, samples={"service_ms": [1.4, 1.5]}).replications
    2
    """

    report: Report
    checksum: str
    warm_up_s: float
    events: int = 0
    samples: dict[str, list[float]] = field(default_factory=dict)

    @property
    def replications(self) -> int:
        """How many replications there are so far."""
        return len(next(iter(self.samples.values()), []))

    def estimate(self, row: str) -> Estimate:
        """A value with its 95 % half-width; raises KeyError when the run has no such value."""
        return estimate(self.samples[row])

    def take(self, tables: dict[str, Columns]) -> None:
        """Add the replications that the engine returned."""
        self.events += round(sum(tables["system"]["events"]))
        for _, volumes in by_replication(tables["volumes"]):
            for row, value in volume_values(self.report, volumes).items():
                self.samples.setdefault(row, []).append(value)


Enough = Callable[[Point], bool]


def simulate(
    report: Report,
    constants: Constants,
    budget: Budget,
    *,
    enough: Enough = lambda point: True,
    progress: Progress | None = None,
) -> Point:
    """Simulate a run; batches of `budget.replications` are added until `enough` or `budget.most` is reached.

    Raises RunError when the simulation cannot go on.

    >>> from slicewright.study.hyperpav import pool
    >>> short = Budget(replications=2, most=2, interval_s=2, warm_up_s=0.5)
    >>> point = simulate(pool(8), Constants("sharing", 0.2, 0.8, 0.0, 3.0), short)
    >>> 1.2 < point.estimate("service_ms").mean < 2
    True
    """
    engine = read(report, constants, budget)
    threads = len(os.sched_getaffinity(0))
    warm_up_s = budget.warm_up_s
    if warm_up_s is None:
        warm_up_s, _ = engine.warm_up(budget.seed)
    point = Point(report, engine.checksum, warm_up_s)
    while True:
        batch = (point.replications, min(point.replications + budget.replications, budget.most))
        point.take(engine.simulate(budget.seed, batch, threads, warm_up_s, progress))
        if enough(point) or point.replications >= budget.most:
            return point


def read(report: Report, constants: Constants, budget: Budget) -> Scenario:
    """The run's scenario, resolved by the engine, with the budget's interval.

    >>> from slicewright.study.hyperpav import pool
    >>> read(pool(8), Constants("sharing", 0.2, 0.8, 0.0, 3.0), Budget(interval_s=20)).measure["interval_s"]
    20.0
    """
    from slicewright._core import Scenario

    settings = [f'measure.interval="{budget.interval_s} s"'] if budget.interval_s else []
    return Scenario.read(scenario(report, constants).encode(), f"{report.table}.toml", settings)


def by_replication(table: Columns) -> Iterable[tuple[int, Columns]]:
    """The rows of a table, one replication after the other.

    >>> [rows["x"] for _, rows in by_replication({"replication": [0, 0, 1], "x": [1, 2, 3]})]
    [[1, 2], [3]]
    """
    numbers = table["replication"]
    for own in dict.fromkeys(numbers):
        rows = [i for i, number in enumerate(numbers) if number == own]
        yield own, {name: [column[i] for i in rows] for name, column in table.items()}


def volume_values(report: Report, volumes: Columns) -> dict[str, float]:
    """The study's values from the volumes table of one replication, as `published.values` has them from a page.

    Rates and times are those of the mean volume; `queue_depth` is the sum over the bases that the report shows:
    eight, or one of eight alike.

    >>> from slicewright.study.hyperpav import pool
    >>> alike = {"io_per_s": [100.0] * 8, "service_ms": [1.5] * 8, "response_ms": [2.0] * 8, "queue_depth": [0.5] * 8}
    >>> found = volume_values(pool(0), alike)
    >>> found["volume_io_per_s"], found["response_ms"], found["queue_depth"]
    (100.0, 2.0, 4.0)
    """
    rate = math.fsum(volumes["io_per_s"])
    found = {
        "volume_io_per_s": rate / len(VOLUMES),
        "service_ms": _weighted(volumes, "service_ms", rate),
        "response_ms": _weighted(volumes, "response_ms", rate),
        "queue_depth": math.fsum(volumes["queue_depth"]) * report.bases / len(VOLUMES),
    }
    if "base_alias_ratio" in report.rows:
        bases, aliases = math.fsum(volumes["base_io_per_s"]), math.fsum(volumes["alias_io_per_s"])
        found["base_alias_ratio"] = (bases / report.bases) / (aliases / report.aliases)
    return found


def quick(budget: Budget, interval_s: int) -> Budget:
    """The same budget with so many seconds a replication and none added.

    >>> quick(Budget(), 20).most
    10
    """
    return replace(budget, interval_s=interval_s, most=budget.replications)


def _weighted(volumes: Columns, name: str, rate: float) -> float:
    return math.fsum(own * value for own, value in zip(volumes["io_per_s"], volumes[name], strict=True)) / rate

"""A point: one run simulated, and the study's values of it, replication by replication."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from slicewright.statistics import Estimate, estimate
from slicewright.study.hyperpav.constants import Constants
from slicewright.study.hyperpav.published import Report
from slicewright.study.hyperpav.scenario import VOLUMES, scenario
from slicewright.study.points import Budget, Columns, Progress, by_replication, replicate, warm_up

if TYPE_CHECKING:
    from slicewright._core import Scenario


@dataclass(slots=True)
class Point:
    """A simulated run: per value of the study one number per replication, in the unit of `published.ROWS`.

    >>> from slicewright.study.hyperpav.scenario import pool
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

    >>> from slicewright.study.hyperpav.scenario import pool
    >>> short = Budget(replications=2, most=2, interval_s=2, warm_up_s=0.5)
    >>> point = simulate(pool(8), Constants("sharing", 0.2, 0.8, 0.0, 3.0), short)
    >>> 1.2 < point.estimate("service_ms").mean < 2
    True
    """
    engine = read(report, constants, budget)
    return replicate(
        engine, budget, Point(report, engine.checksum, warm_up(engine, budget, progress)), enough, progress
    )


def read(report: Report, constants: Constants, budget: Budget) -> Scenario:
    """The run's scenario, resolved by the engine, with the budget's interval.

    >>> from slicewright.study.hyperpav.scenario import pool
    >>> read(pool(8), Constants("sharing", 0.2, 0.8, 0.0, 3.0), Budget(interval_s=20)).measure["interval_s"]
    20.0
    """
    from slicewright._core import Scenario

    settings = [f'measure.interval="{budget.interval_s} s"'] if budget.interval_s else []
    return Scenario.read(scenario(report, constants).encode(), f"{report.table}.toml", settings)


def volume_values(report: Report, volumes: Columns) -> dict[str, float]:
    """The study's values from the volumes table of one replication, as `published.values` has them from a page.

    Rates and times are those of the mean volume; `queue_depth` is the sum over the bases that the report shows:
    eight, or one of eight alike.

    >>> from slicewright.study.hyperpav.scenario import pool
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


def _weighted(volumes: Columns, name: str, rate: float) -> float:
    weighted = zip(volumes["io_per_s"], volumes[name], strict=True)
    return math.fsum(own * value for own, value in weighted if own) / rate

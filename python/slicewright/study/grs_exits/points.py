"""A point: one run of the study simulated, and its values, replication by replication."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from slicewright.statistics import Estimate, estimate
from slicewright.study.grs_exits.cases import Case
from slicewright.study.grs_exits.constants import Prices
from slicewright.study.grs_exits.published import pairs
from slicewright.study.grs_exits.scenario import scenario
from slicewright.study.points import Budget, Columns, Progress, by_replication, grow

if TYPE_CHECKING:
    from slicewright._core import Scenario

VALUES = {
    "elapsed_us": "us",
    "pairs_per_s": "1/s",
    "cpu_us": "us",
    "lock_held_percent": "%",
    "lock_wait_us": "us",
}
"""The values of a run and their units; times are per pair of ENQ and DEQ."""


@dataclass(slots=True)
class Point:
    """A simulated run: one number per value and replication, in the units of `VALUES`.

    >>> Point(Case("batch"), "", samples={"elapsed_us": [354.0, 354.0]}).estimate("elapsed_us").half_width
    0.0
    """

    case: Case
    checksum: str
    warm_up_s: float = 0.0
    events: int = 0
    samples: dict[str, list[float]] = field(default_factory=dict)

    @property
    def replications(self) -> int:
        """How many replications there are so far."""
        return len(next(iter(self.samples.values()), []))

    def estimate(self, value: str) -> Estimate:
        """A value with its 95 % half-width; raises KeyError when the run has no such value."""
        return estimate(self.samples[value])

    def take(self, tables: dict[str, Columns]) -> None:
        """Add the replications that the engine returned."""
        self.events += round(sum(tables["system"]["events"]))
        for _, rows in by_replication(tables["serialization"]):
            for value, found in values(self.case, rows).items():
                self.samples.setdefault(value, []).append(found)


def values(case: Case, rows: Columns) -> dict[str, float]:
    """The study's values from the table of one replication; elapsed is the time in which a guest makes a pair;
    the wait for the lock, which the table has per take, is per pair.

    >>> rows = {"pairs_per_s": [50_000.0], "cpu_us_per_pair": [20.0]}
    >>> rows |= {"lock_held_percent": [100.0], "lock_wait_us": [0.0], "lock_per_s": [100_000.0]}
    >>> values(Case("prebatch-single-area"), rows)["elapsed_us"]
    20.0
    """
    rate = float(rows["pairs_per_s"][0])
    wait = float(rows["lock_wait_us"][0]) if rows["lock_per_s"][0] else 0.0  # without a take there is no wait
    return {
        "elapsed_us": 1e6 * case.processors / rate,
        "pairs_per_s": rate,
        "cpu_us": float(rows["cpu_us_per_pair"][0]),
        "lock_held_percent": float(rows["lock_held_percent"][0]),
        "lock_wait_us": wait * float(rows["lock_per_s"][0]) / rate,
    }


def elapsed(point: Point) -> Estimate:
    """The time of as many pairs as were published, s.

    >>> elapsed(Point(Case("batch"), "", samples={"elapsed_us": [354.0, 354.0]})).mean
    353.999646
    """
    return estimate([one * pairs() / 1e6 for one in point.samples["elapsed_us"]])


def simulate(
    case: Case,
    prices: Prices,
    budget: Budget,
    enough: Callable[[Point], bool] = lambda point: True,
    progress: Progress | None = None,
) -> Point:
    """Simulate a run; batches of `budget.replications` are added until `enough` or `budget.most` is reached.

    Raises RunError when the simulation cannot go on.

    >>> short = Budget(replications=2, most=2, interval_s=2, warm_up_s=0.0)
    >>> round(simulate(Case("batch"), Prices(19.0, 1.0, 13.0, 335.0), short).estimate("elapsed_us").mean)
    354
    """
    engine = read(case, prices, budget)
    return grow(engine, budget, Point(case, engine.checksum, budget.warm_up_s or 0.0), enough, progress)


def read(case: Case, prices: Prices, budget: Budget) -> Scenario:
    """The run's scenario, resolved by the engine, with the budget's interval.

    >>> short = Budget(replications=2, most=2, interval_s=0.2, warm_up_s=0.0)
    >>> read(Case("batch"), Prices(19.0, 1.0, 13.0, 335.0), short).measure["interval_s"]
    0.2
    """
    from slicewright._core import Scenario

    settings = [f'measure.interval="{budget.interval_s:g} s"']
    return Scenario.read(scenario(case, prices).encode(), f"{case.name}.toml", settings)

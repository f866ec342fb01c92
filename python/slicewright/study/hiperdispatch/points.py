"""A point: one run of the study simulated, and the values of it, one per replication."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from slicewright.statistics import Estimate, estimate
from slicewright.study.hiperdispatch.cases import Case
from slicewright.study.hiperdispatch.constants import Constants
from slicewright.study.hiperdispatch.scenario import scenario
from slicewright.study.points import Budget, Columns, Progress, grow


@dataclass(slots=True)
class Point:
    """A simulated run: per value one number per replication, in the published unit.

    >>> Point(Case("table1", 8, "H"), 0.0, samples={"work": [4.0, 4.1]}).replications
    2
    """

    case: Case
    warm_up_s: float
    scale: float = 1.0
    events: int = 0
    samples: dict[str, list[float]] = field(default_factory=dict)

    @property
    def replications(self) -> int:
        """How many replications there are so far."""
        return len(next(iter(self.samples.values()), []))

    def estimate(self, row: str) -> Estimate:
        """A value with its 95 % half-width; raises KeyError when nothing gave it."""
        return estimate(self.samples[row])

    def take(self, tables: dict[str, Columns]) -> None:
        """Add the replications that the engine returned."""
        self.events += round(sum(tables["system"]["events"]))
        programs, locks = tables["control_programs"], tables["locks"]
        for at, _ in enumerate(programs["replication"]):
            program, lock = ({name: column[at] for name, column in one.items()} for one in (programs, locks))
            for row, found in values(program, lock, self.scale).items():
                self.samples.setdefault(row, []).append(found)


def simulate(
    case: Case,
    constants: Constants,
    budget: Budget,
    *,
    point: Point | None = None,
    progress: Progress | None = None,
) -> Point:
    """Add one batch of `budget.replications` to a point of the case, a new one where none is given.

    Raises RunError when the simulation cannot go on.

    >>> from slicewright.study.hiperdispatch.constants import committed_constants
    >>> short = Budget(replications=2, interval_s=1, warm_up_s=0.0)
    >>> point = simulate(Case("figure3", 16, "H"), committed_constants(), short)
    >>> 900 < point.estimate("guests_percent").mean < 1081
    True
    """
    from slicewright._core import Scenario

    engine = Scenario.read(scenario(case, constants, budget).encode(), f"{case.name}.toml", [])
    own = point or Point(case, budget.warm_up_s or 0.0, constants.scale(case.table))
    return grow(engine, replace(budget, most=own.replications + budget.replications), own, progress=progress)


def values(program: Mapping[str, float], lock: Mapping[str, float], scale: float) -> dict[str, float]:
    """The study's values from the counters of one replication.

    ETR is work done, in processors' worth, times the scale.  Percents per transaction are quotients of rows, as printed
    (z/VM HiperDispatch, Table 1).

    >>> counters = dict.fromkeys(("total_percent", "guests_percent", "chargeable_cp_percent"), 1.0)
    >>> counters |= {"nonchargeable_cp_percent": 1.0, "tv_ratio": 1.0, "unparked": 8.0, "work_percent": 500.0}
    >>> values(counters, dict.fromkeys(("collisions_per_s", "spin_us_per_collision", "spin_s_per_s"), 1.0), 2.0)["etr"]
    10.0
    """
    etr = scale * program["work_percent"] / 100
    spent = ("total_percent", "guests_percent", "chargeable_cp_percent", "nonchargeable_cp_percent")
    found = {
        "etr": etr,
        "transactions_per_s": etr,
        "unparked_lpus": program["unparked"],
        "tv_ratio": program["tv_ratio"],
        "srmslock_collisions_per_s": lock["collisions_per_s"],
        "srmslock_spin_us_per_collision": lock["spin_us_per_collision"],
        "srmslock_spin_s_per_s": lock["spin_s_per_s"],
        "srmslock_collisions_per_tx": lock["collisions_per_s"] / etr,
        "srmslock_spin_us_per_tx": 1e6 * lock["spin_s_per_s"] / etr,
    }
    return found | {row: program[row] for row in spent} | {f"{row}_per_tx": program[row] / etr for row in spent}


def gain(points: Sequence[Point]) -> Estimate:
    """What the mean ETR of all points but the first is above that of the first, in percent, replication by replication.

    >>> runs = [Point(Case("figure3", 16, "H"), 0.0, samples={"etr": [etr, etr + 1]}) for etr in (100.0, 110.0, 120.0)]
    >>> round(gain(runs).mean, 2)
    14.93
    """
    first, *others = (point.samples["etr"] for point in points)
    return estimate([100 * (sum(own) / len(own) / before - 1) for before, *own in zip(first, *others, strict=True)])


def mean_etr(points: Sequence[Point]) -> Estimate:
    """The mean ETR of some points, replication by replication.

    >>> mean_etr([Point(Case("figure3", 16, "H"), 0.0, samples={"etr": [1.0, 3.0]})]).mean
    2.0
    """
    return estimate([sum(own) / len(own) for own in zip(*(point.samples["etr"] for point in points), strict=True)])

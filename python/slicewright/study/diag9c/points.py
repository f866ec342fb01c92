"""A point: one run simulated with one set of constants, and the values of it, one per replication."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from slicewright.statistics import Estimate, estimate
from slicewright.study.diag9c.cases import Case
from slicewright.study.diag9c.constants import Constants
from slicewright.study.diag9c.scenario import scenario
from slicewright.study.points import Budget, Columns, Progress, by_replication, grow
from slicewright.yield_budget import held

THROUGHPUT = "throughput"
"""Pieces of 64 KiB a second: of an unknown scale."""

BUDGETED = (
    "total_percent",
    "guests_percent",
    "chargeable_cp_percent",
    "nonchargeable_cp_percent",
    "work_percent",
    "spinning_percent",
    "x44_per_s",
    "fast_x44_per_s",
    "x9c_per_s",
    "sensed_per_s",
)
"""Counters of the control program that a breakdown is made of; with `held`, the spin locks that somebody has."""


@dataclass(slots=True)
class Point:
    """A simulated run: per value one number per replication, in the published unit.

    >>> Point(Case("A", "x44"), 1.0, samples={"throughput": [4.0, 4.1]}).replications
    2
    """

    case: Case
    warm_up_s: float
    events: int = 0
    samples: dict[str, list[float]] = field(default_factory=dict)

    @property
    def replications(self) -> int:
        """How many replications there are so far."""
        return len(self.samples.get(THROUGHPUT, []))

    def estimate(self, row: str) -> Estimate:
        """A value with its 95 % half-width; raises KeyError when nothing gave it."""
        return estimate(self.samples[row])

    def take(self, tables: dict[str, Columns]) -> None:
        """Add the replications that the engine returned."""
        self.events += round(sum(tables["system"]["events"]))
        pieces = dict(by_replication(tables["guests"]))
        locks = dict(by_replication(tables["spin_locks"]))
        for own, rows in by_replication(tables["control_programs"]):
            counters = {name: column[0] for name, column in rows.items()}
            of = locks[own]
            taken, spans = np.array(of["taken_per_s"], dtype=float), np.array(of["held_us"], dtype=float)
            counters["held"] = float(held(taken, spans).sum())
            exchanges = math.fsum(one for one in pieces[own]["exchanges_per_s"] if math.isfinite(one))
            for row, found in values(counters, exchanges).items():
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

    >>> from slicewright.study.diag9c.calibrate import MIDDLE
    >>> point = simulate(Case("A", "x44"), MIDDLE, Budget(replications=2, interval_s=1, warm_up_s=0.0))
    >>> 0 < point.estimate("diag44.fast_path_percent").mean <= 100
    True
    """
    from slicewright._core import Scenario

    engine = Scenario.read(scenario(case, constants, budget).encode(), f"{case.name}.toml", [])
    own = point or Point(case, budget.warm_up_s or 0.0)
    return grow(engine, replace(budget, most=own.replications + budget.replications), own, progress=progress)


def values(counters: Mapping[str, float], exchanges_per_s: float) -> dict[str, float]:
    """The study's values from the counters of one replication, those of table 3 under its names, too.

    Fast-path X'44' are part of all X'44'; total DIAGs are X'44' and X'9C' (Diagnose X'9C' Support, notes to table 1).
    PLDV queue is the mean while a vector is not empty; `pldv_mean` is that over all time.

    >>> counters = dict.fromkeys((*BUDGETED, "held"), 8.0)
    >>> counters |= {"vector_empty_percent": 60.0, "vector_depth": 0.8, "fast_x44_per_s": 2.0}
    >>> found = values(counters, 100.0)
    >>> [found[row] for row in ("diag44.fast_path_percent", "diag44.pldv_queue", "diag9c.diag9c_percent")]
    [25.0, 2.0, 50.0]
    """
    x44, x9c = counters["x44_per_s"], counters["x9c_per_s"]
    waiting = 1 - counters["vector_empty_percent"] / 100
    found = {
        THROUGHPUT: exchanges_per_s,
        "diag44.rate_per_s": x44,
        "diag44.fast_path_percent": _share(counters["fast_x44_per_s"], x44),
        "diag44.pldv_empty_percent": counters["vector_empty_percent"],
        "diag44.pldv_queue": counters["vector_depth"] / waiting if waiting > 0 else 0.0,
        "pldv_mean": counters["vector_depth"],
        "diag9c.total_diags_per_s": x44 + x9c,
        "diag9c.diag9c_percent": _share(x9c, x44 + x9c),
        "zvm52_total_diags_per_s": x44 + x9c,
        "zvm52_diag9c_percent": _share(x9c, x44 + x9c),
    }
    return found | {name: counters[name] for name in (*BUDGETED, "held")}


def _share(part: float, whole: float) -> float:
    return 100 * part / whole if whole > 0 else 0.0

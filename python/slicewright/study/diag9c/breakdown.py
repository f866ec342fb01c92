"""Where the gain of a pair of runs comes from: what its processors went into per piece, before and after."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from slicewright.run.yield_budget import SAVED, Budget, DiagnoseCosts, budget, saved
from slicewright.study.diag9c.measure import BUDGETED, THROUGHPUT
from slicewright.study.diag9c.scenario import DIAGNOSES_US
from slicewright.study.points import Point

MEANINGS = {
    "holder_sooner": "locks are held for less time: an undispatched lock holder is resumed sooner",
    "spin": "fewer processors spin while a lock is held",
    "diagnose": "DIAGNOSEs saved",
    "switches": "dispatching, list work, wake-ups and waits saved",
    "caches": "reloads of cold caches, and entries, saved",
    "idle": "less idle time",
    "work": "the work itself: the remainder",
}
"""The meaning of each part of a gain; together they are the gain."""


def parts(before: Sequence[Point], after: Sequence[Point]) -> dict[str, list[list[float]]]:
    """For each part of the gain, in percent of throughput: for each set, one value per replication.

    >>> list(parts([], [])) == list(MEANINGS)
    True
    """
    found: dict[str, list[list[float]]] = {name: [] for name in SAVED}
    for earlier, other in zip(before, after, strict=True):
        made = [saved(spent(earlier, at), spent(other, at)) for at in range(earlier.replications)]
        for name in SAVED:
            found[name].append([saving[name].mean for saving in made])
    return found


def spent(point: Point, replication: int) -> Budget:
    """The uses of the processors' time at a point, in one of its replications.

    >>> from slicewright.study.diag9c.cases import Case
    >>> samples = {name: [0.0] for name in (*BUDGETED, "held")} | {"throughput": [5.0]}
    >>> float(spent(Point(Case("A", "x44"), samples=samples), 0).parts["idle"][0])
    900.0
    """
    columns = {name: np.array([point.samples[name][replication]]) for name in (*BUDGETED, "held")}
    costs = (DIAGNOSES_US[name] / point.case.speed for name in ("fast_x44", "x44", "x9c"))
    throughput = np.array([point.samples[THROUGHPUT][replication]])
    return budget(columns, throughput, DiagnoseCosts(*costs), point.case.processors)

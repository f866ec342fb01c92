"""What is measured of a run: the study's values of one replication, and the counters that a gain is divided by."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from slicewright.run.yield_budget import held
from slicewright.study.points import Key, Tables

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
"""Counters of the control program that a breakdown is computed from; with `held`, the spin locks that are held."""


def measured(run: Tables) -> dict[Key, float]:
    """The values of one replication from its tables."""
    counters = {name: column[0] for name, column in run["control_programs"].items()}
    locks = run["spin_locks"]
    taken, spans = np.array(locks["taken_per_s"], dtype=float), np.array(locks["held_us"], dtype=float)
    counters["held"] = float(held(taken, spans).sum())
    exchanges = math.fsum(exchange for exchange in run["guests"]["exchanges_per_s"] if math.isfinite(exchange))
    return values(counters, exchanges)


def values(counters: Mapping[str, float], exchanges_per_s: float) -> dict[Key, float]:
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
    found: dict[Key, float] = {
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

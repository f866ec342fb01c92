"""The budget of a control program's processors per unit of work, and the sources of a gain in throughput.

The caller simulates, and passes the tables as an array of replications per column.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from slicewright.statistics import Estimate, estimate

Array = npt.NDArray[np.float64]

PARTS = ("work", "spin", "diagnose", "switches", "caches", "idle")
"""The parts of a budget; together they are all processors."""
SAVED = ("holder_sooner", "spin", "diagnose", "switches", "caches", "idle", "work")
"""The sources of a gain: the parts, with spinning divided in two; together they are the gain."""

_PER_US = 1e-4
"""Percent of a processor that one microsecond a second is."""


@dataclass(frozen=True, slots=True)
class DiagnoseCosts:
    """The cost of a DIAGNOSE of each kind, in microseconds; SIGP Sense Running Status is a part of spinning.

    >>> DiagnoseCosts(1.0, 2.0, 2.0).x9c_us
    2.0
    """

    fast_x44_us: float
    x44_us: float
    x9c_us: float


@dataclass(frozen=True, slots=True)
class Budget:
    """Work done a second, and by part what processors went into, in percent of one; a value per replication each.

    `held`: spin locks held, whether their holder has a processor or not.

    >>> one = np.ones(2)
    >>> Budget(one, {"work": 100 * one}, 0 * one, 1).processors
    1
    """

    throughput: Array
    parts: Mapping[str, Array]
    held: Array
    processors: float


def budget(columns: Mapping[str, Array], throughput: Array, costs: DiagnoseCosts, processors: float) -> Budget:
    """The budget of one control program, from columns of its table and `held`, its spin locks that are held.

    Switches are all of the control program but its DIAGNOSEs.  Caches are the time of guests' instructions beyond warm
    caches, entries included.  Idle is the time not used, on parked processors too.

    >>> one = np.ones(2)
    >>> rates = {name: 0 * one for name in ("x44_per_s", "fast_x44_per_s", "x9c_per_s", "held")}
    >>> used = {"total_percent": 90 * one, "guests_percent": 80 * one, "work_percent": 60 * one}
    >>> used |= {"spinning_percent": 15 * one, "chargeable_cp_percent": 4 * one, "nonchargeable_cp_percent": 6 * one}
    >>> found = budget(used | rates, one, DiagnoseCosts(1, 2, 2), 1)
    >>> [(part, float(found.parts[part].mean())) for part in ("spin", "switches", "caches", "idle")]
    [('spin', 15.0), ('switches', 10.0), ('caches', 5.0), ('idle', 10.0)]
    """
    fast = columns["fast_x44_per_s"]
    charged = fast * costs.fast_x44_us + (columns["x44_per_s"] - fast) * costs.x44_us
    charged = (charged + columns["x9c_per_s"] * costs.x9c_us) * _PER_US
    work, spin = columns["work_percent"], columns["spinning_percent"]
    parts = {
        "work": work,
        "spin": spin,
        "diagnose": charged,
        "switches": columns["chargeable_cp_percent"] - charged + columns["nonchargeable_cp_percent"],
        "caches": columns["guests_percent"] - work - spin,
        "idle": 100 * processors - columns["total_percent"],
    }
    return Budget(throughput, parts, columns["held"], processors)


def gain(base: Budget, other: Budget) -> Estimate:
    """How much more throughput another run has than a base, in percent, paired by replication.

    >>> one = Budget(np.array([10.0, 20.0]), {}, np.zeros(2), 1)
    >>> gain(one, Budget(np.array([11.0, 22.0]), {}, np.zeros(2), 1)).mean
    10.0...
    """
    return estimate(_known((_ratio(base, other) - 1) * 100))


def saved(base: Budget, other: Budget) -> dict[str, Estimate]:
    """The sources of a gain, in percent of the base's throughput; the sum over all is the gain.

    Processors are as many as before, so throughput rises by what a unit of work takes less of them: of each part,
    (part x (1 + gain) - part') / processors.  Spinning is (locks held) x (processors that spin for each of them).  The
    first factor saves `holder_sooner`: per unit of work locks are held for less time, as a holder without a processor
    has one again sooner.  The second factor saves `spin`.  Each is taken at the mean of the other, so that nothing is
    left over.

    Raises ValueError when the numbers of processors differ.

    >>> one, spun = np.ones(2), {"spin": np.full(2, 20.0), "work": np.full(2, 80.0)}
    >>> base = Budget(80 * one, spun, 0.2 * one, 1)
    >>> other = Budget(90 * one, {"spin": np.full(2, 10.0), "work": np.full(2, 90.0)}, 0.1 * one, 1)
    >>> {name: round(one.mean, 3) for name, one in saved(base, other).items() if one.mean}
    {'holder_sooner': 12.5}
    """
    if base.processors != other.processors:
        raise ValueError("budgets of different numbers of processors")
    ratio = _ratio(base, other)
    per = {
        part: (base.parts[part] * ratio - other.parts[part]) / base.processors for part in PARTS if part in base.parts
    }
    spin = per.get("spin", np.zeros_like(ratio))
    each = [_spinning_for_each(budget) for budget in (base, other)]
    sooner = (base.held * ratio - other.held) * (each[0] + each[1]) / 2 / base.processors
    made = per | {"holder_sooner": sooner, "spin": spin - sooner}
    return {name: estimate(_known(made[name])) for name in SAVED if name in made}


def per_yield_us(gain_percent: float, processors: float, yields_per_s: float) -> float:
    """Capacity that a gain saves for each X'44' that was not fast, in microseconds: processors x (1 - 1 / (1 + gain)).

    z/VM's report on DIAGNOSE X'9C' has the gains and the rates; NaN where nothing yields.

    >>> round(per_yield_us(12.1, 9, 48306 * 0.42))
    48
    """
    if not yields_per_s > 0:
        return float("nan")
    return processors * (1 - 1 / (1 + gain_percent / 100)) / yields_per_s * 1e6


def held(taken_per_s: Array, held_us: Array) -> Array:
    """Locks held, from how often a lock is taken and how long it is held; NaN counts as none, where none is taken.

    Little's law.

    >>> held(np.array([1000.0, 0.0]), np.array([20.0, np.nan]))
    array([0.02, 0.  ])
    """
    return np.asarray(taken_per_s * np.nan_to_num(held_us) * 1e-6)


def _ratio(base: Budget, other: Budget) -> Array:
    nothing = np.full(base.throughput.shape, np.nan)
    return np.asarray(np.divide(other.throughput, base.throughput, out=nothing, where=base.throughput > 0))


def _spinning_for_each(one: Budget) -> Array:
    """Processors, in percent of one, that spin for each lock that is held."""
    spin = one.parts.get("spin", np.zeros_like(one.held))
    return np.asarray(np.divide(spin, one.held, out=np.zeros_like(spin), where=one.held > 0))


def _known(values: Array) -> list[float]:
    return [float(value) for value in values if np.isfinite(value)]

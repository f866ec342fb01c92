"""A small result for examples and tests: made up, none of these numbers was seen anywhere."""

from __future__ import annotations

from slicewright.live.example import place
from slicewright.live.locks.constants import Alone, Constants
from slicewright.live.locks.plan import Method, Plan
from slicewright.live.locks.result import LIVE, SIMULATED, LocksResult, Pair
from slicewright.statistics import Estimate


def locks_result() -> LocksResult:
    """Two methods, no hog and two, of which one pair differs; the hand-over was not allowed.

    >>> [pair.verdicts["locks_per_s"] for pair in locks_result().pairs]
    ['agrees', 'differs', 'agrees', 'agrees']
    """
    methods: tuple[Method, ...] = ("spin", "futex")
    plan = Plan(processors=(1,), hogs=(0, 2), holds_us=(20.0,), methods=methods)
    pairs = []
    for at, (method, hogs, hold_us) in enumerate(plan.pairs):
        live = {name: Estimate(5000.0 - 100 * at, 20.0, 5) for name in LIVE}
        simulated = {name: Estimate(5000.0 + (3000.0 if at == 1 else 0.0), 10.0, 20) for name in SIMULATED}
        pairs.append(Pair(method, hogs, hold_us, 0.5, live, simulated))
    alone = {(method, 20.0): Alone(100.0, 0.05, 20.1) for method in methods}
    return LocksResult(plan, place(), Constants(), alone, tuple(pairs), {"handover": "Permission denied"})

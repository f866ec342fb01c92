"""A small result for examples and tests: made up, none of these numbers was seen anywhere."""

from __future__ import annotations

from slicewright.live.example import place
from slicewright.live.reads.constants import Constants
from slicewright.live.reads.device import Device
from slicewright.live.reads.plan import Plan
from slicewright.live.reads.result import LIVE, SHARED, Pair, ReadsResult
from slicewright.statistics import Estimate


def reads_result() -> ReadsResult:
    """Three loads and two numbers of permits, of which one pair differs.

    >>> [pair.verdicts["p99_ms"] for pair in reads_result().pairs]
    ['agrees', 'agrees', 'agrees', 'differs', 'agrees', 'agrees']
    """
    plan = Plan("/data", depths=(1, 32))
    pairs = []
    for at, (load, depth) in enumerate(plan.pairs):
        live = {name: Estimate(95.0 - at, 1.0, 5) for name in LIVE}
        simulated = {name: Estimate(95.0 + (30.0 if at == 3 else 0.0), 0.5, 20) for name in SHARED}
        pairs.append(Pair(load, depth, 0.5, live, simulated))
    return ReadsResult(plan, place(), Device("254:0", "vda", False, "none"), Constants(), tuple(pairs))

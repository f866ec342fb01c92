"""A small result for examples and tests: made up, none of these numbers was seen anywhere."""

from __future__ import annotations

from slicewright.live.example import place
from slicewright.live.hooks.plan import CALIBRATIONS, Plan
from slicewright.live.hooks.result import LIVE, HooksResult, Pair
from slicewright.serialization.hooks import HookPrices, hooked_ns
from slicewright.statistics import Estimate


def hooks_result() -> HooksResult:
    """Lists and trees of 200 rules, one filter and sixteen, of which one setting differs.

    >>> [pair.verdict for pair in hooks_result().predicted]
    ['agrees', 'differs', 'agrees', 'agrees']
    """
    plan = Plan(rules=(200,), filters=(1, 16), orders=("list", "tree"), processor=1)
    prices = HookPrices(190.0, 60.0, 23.0, 0.18)
    pairs = []
    for at, setting in enumerate([*CALIBRATIONS, *plan.settings]):
        call = hooked_ns(prices, setting.compared)
        added = call - prices.call_ns
        live = {name: Estimate(call, 5.0, 6) for name in LIVE} | {
            "added_ns": Estimate(added + (400.0 if at == 5 else 2.0), 5.0, 6)
        }
        simulated = {"added_ns": Estimate(added, 1.0, 6), "call_ns": Estimate(call, 1.0, 6)}
        pairs.append(Pair(setting, 0.5, setting in CALIBRATIONS, live, simulated))
    return HooksResult(plan, place(), prices, tuple(pairs), True)

"""The prices of this machine's filters, from settings that are measured apart from those that are predicted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from slicewright.live.hooks.plan import FEW, MANY, RULED, Setting
from slicewright.serialization.hooks import HookPrices
from slicewright.statistics import Estimate


def prices(call_ns: float, added_ns: Mapping[Setting, float]) -> HookPrices:
    """The prices from a call without filters and what filters of the three settings add, in ns.

    Two and six filters without rules give the price of a filter and the way to them, a thousand rules that of a rule.
    Noise may make one less than nothing; it is nothing then.

    >>> prices(190.0, {FEW: 106.0, MANY: 198.0, RULED: 466.0})
    HookPrices(call_ns=190.0, path_ns=60.0, filter_ns=23.0, rule_ns=0.18)
    """
    each = max(0.0, (added_ns[MANY] - added_ns[FEW]) / (MANY.filters - FEW.filters))
    rule = max(0.0, (added_ns[RULED] - added_ns[FEW]) / (RULED.filters * RULED.rules))
    return HookPrices(call_ns, max(0.0, added_ns[FEW] - FEW.filters * each), each, rule)


def middle(runs: Sequence[float]) -> Estimate:
    """The median of runs; the half-width is half of their range, which holds the median of all runs with 97 % for six.

    >>> middle([3.0, 1.0, 2.0])
    Estimate(mean=2.0, half_width=1.0, replications=3)
    """
    return Estimate(median(runs), (max(runs) - min(runs)) / 2, len(runs))

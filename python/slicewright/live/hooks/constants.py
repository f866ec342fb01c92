"""The prices of this machine's filters, from settings that are measured apart from those that are predicted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

from slicewright.live.hooks.plan import FAR, FEW, MANY, RULED, Setting
from slicewright.serialization.hooks import HookPrices
from slicewright.statistics import Estimate

CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
RULE_BYTES = 12
"""ASSUME: machine code of a comparison with a rule: six bytes to compare, six to jump.
Source: arch/x86/net/bpf_jit_comp.c of Linux; other architectures have 8 to 16."""


def prices(call_ns: float, added_ns: Mapping[Setting, float], near: int | None) -> HookPrices:
    """The prices from a call without filters and what filters of the settings add, in ns.

    Two and six filters without rules give the price of a filter and the way to them.  Two thousand rules give that of a
    rule.  Eight thousand give it where the code exceeds the first instruction cache, which holds `near` rules.
    Noise may make one less than nothing; it is nothing then.

    >>> prices(190.0, {FEW: 106.0, MANY: 198.0, RULED: 466.0, FAR: 1844.0}, 2700)
    HookPrices(call_ns=190.0, path_ns=60.0, filter_ns=23.0, rule_ns=0.18, far_rule_ns=0.2, near=2700)
    """
    each = max(0.0, (added_ns[MANY] - added_ns[FEW]) / (MANY.filters - FEW.filters))
    path = max(0.0, added_ns[FEW] - FEW.filters * each)
    rule, far = (
        max(0.0, (added_ns[setting] - path - setting.filters * each) / (setting.filters * setting.rules))
        for setting in (RULED, FAR)
    )
    return HookPrices(call_ns, path, each, rule, None if near is None else far, near or 0)


def near_rules(caches: Path = CACHES) -> int | None:
    """How many rules the first instruction cache holds; None where the system does not say its size.

    >>> near_rules(Path("/no/such/folder"))
    """
    for index in sorted(caches.glob("index*")):
        try:
            kind, level, size = (
                (index / name).read_text(encoding="ascii").strip() for name in ("type", "level", "size")
            )
        except (OSError, UnicodeDecodeError):
            continue
        if kind == "Instruction" and level == "1" and re.fullmatch(r"[0-9]{1,6}K", size):
            return 1024 * int(size[:-1]) // RULE_BYTES
    return None


def middle(runs: Sequence[float]) -> Estimate:
    """The median of runs; the half-width is half of their range, which holds the median of all runs with 97 % for six.

    >>> middle([3.0, 1.0, 2.0])
    Estimate(mean=2.0, half_width=1.0, replications=3)
    """
    return Estimate(median(runs), (max(runs) - min(runs)) / 2, len(runs))


def middle_prices(runs: Sequence[HookPrices]) -> HookPrices:
    """The median of each price over runs.

    >>> middle_prices([HookPrices(190.0, 60.0, 23.0, rule) for rule in (0.1, 0.2, 0.9)]).rule_ns
    0.2
    """
    names = ("call_ns", "path_ns", "filter_ns", "rule_ns")
    far = [run.far_rule_ns for run in runs if run.far_rule_ns is not None]
    middles = {name: median(getattr(run, name) for run in runs) for name in names}
    return HookPrices(**middles, far_rule_ns=median(far) if far else None, near=runs[0].near)

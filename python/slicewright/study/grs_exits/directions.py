"""The nine directions that were declared before any run: what filters, locks and processors do to a pair."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from slicewright.results.judge import Cell
from slicewright.statistics import fixed
from slicewright.study.grs_exits.exits import (
    BATCH,
    FRONT_END,
    POOLED,
    PROCESSORS,
    SHARES,
    SINGLE,
    SLOW_CALLS,
    STRUCTURES,
    UNLOCKED,
    Prices,
)

NEXT_TO_NOTHING = 1.05
"""The largest gain from a second processor where all of a pair is locked, as a factor."""

HARDLY = 1.1
"""Elapsed time of a global pair without a filter over that with one, below which it hardly changes."""

AT_MOST = 100.2
"""Percent: a pair may have begun before the time that is counted."""

MOST = max(PROCESSORS)
Found = Mapping[tuple[str, ...], float]


@dataclass(frozen=True, slots=True)
class Direction:
    """A direction: its number, what it says, whether it holds, and what was found.

    >>> Direction(3, "hardly changes", True, "1.03").said
    '3 holds: hardly changes: 1.03'
    """

    number: int
    what: str
    holds: bool
    found: str

    @property
    def said(self) -> str:
        """The direction in one line."""
        return f"{self.number} {'holds' if self.holds else 'does not hold'}: {self.what}: {self.found}"


def directions(cells: Iterable[Cell], prices: Prices) -> list[Direction]:
    """All nine, of the cells of both sweeps at these prices; none where there are no such cells.

    >>> directions([], Prices(19.0, 1.0, 13.0, 335.0))
    []
    """
    found = {cell.place.key: cell.estimate.mean for cell in cells}
    if not any(key[0] == f"processors.{UNLOCKED}" for key in found):
        return []
    declared = [rule(found) for rule in _RULES]
    return sorted([*declared, _bound(found, prices)], key=lambda direction: direction.number)


def ratios(found: Found) -> list[float]:
    """Elapsed time of the batch structure over that of the single area, by share of global pairs.

    >>> every = {(f"share.{form}", "elapsed_us", f"g={share}"): 2.0 for form in STRUCTURES for share in SHARES}
    >>> set(ratios(every))
    {1.0}
    """
    return [_elapsed(found, BATCH, share) / _elapsed(found, SINGLE, share) for share in SHARES]


def _elapsed(found: Found, form: str, share: int) -> float:
    return found[f"share.{form}", "elapsed_us", f"g={share}"]


def _rate(found: Found, form: str, count: int) -> float:
    return found[f"processors.{form}", "pairs_per_s", f"n={count}"]


def _local(found: Found) -> Direction:
    ratio = ratios(found)[0]
    return Direction(1, "the filter makes a local pair 17 to 18 times cheaper", 17 <= ratio <= 18, fixed(ratio, 2))


def _falls(found: Found) -> Direction:
    own = ratios(found)
    holds = all(ratio > other for ratio, other in itertools.pairwise(own))
    what = "its advantage in elapsed time falls with every step of global pairs"
    return Direction(2, what, holds, ", ".join(fixed(ratio, 2) for ratio in own))


def _nothing(found: Found) -> Direction:
    ratio = ratios(found)[-1]
    what = f"where all pairs are global it is under {HARDLY:g}"
    return Direction(3, what, ratio < HARDLY, fixed(ratio, 3))


def _global_cpu(found: Found) -> Direction:
    last = f"g={SHARES[-1]}"
    before, after = (found[f"share.{form}", "cpu_us", last] for form in (BATCH, SINGLE))
    what = "processor time of a global pair falls by a factor of 1.2 to 1.3 all the same"
    return Direction(4, what, 1.2 <= before / after <= 1.3, f"{fixed(before, 1)} to {fixed(after, 1)} us")


def _order(found: Found) -> Direction:
    rates = [_rate(found, form, 1) for form in (FRONT_END, SINGLE, POOLED, BATCH)]
    holds = all(rate > other for rate, other in itertools.pairwise(rates))
    what = "with one processor pairs per second order as the rows do, 1, 5, 4, 2"
    return Direction(5, what, holds, ", ".join(fixed(rate, 0) for rate in rates))


def _locked(found: Found) -> Direction:
    gains = [_rate(found, form, 2) / _rate(found, form, 1) for form in STRUCTURES]
    orders = [sorted(STRUCTURES, key=lambda form: _rate(found, form, count)) for count in (1, MOST)]
    holds = max(gains) < NEXT_TO_NOTHING and orders[0] == orders[1]
    what = f"no structure gains from a second processor, and their order is the same on {MOST}"
    return Direction(6, what, holds, ", ".join(fixed(gain, 3) for gain in gains))


def _unlocked(found: Found) -> Direction:
    gain = _rate(found, UNLOCKED, MOST) / _rate(found, UNLOCKED, 1)
    what = f"with slow calls unlocked {MOST} processors make at least 12 times as many pairs"
    return Direction(7, what, gain >= 12, fixed(gain, 1))


def _bound(found: Found, prices: Prices) -> Direction:
    """Pairs completed, times what a pair is locked by its prices: at most all of the time, but for a pair at an end.

    Of a slow call the parameter list and the entry are outside of the lock in either form.
    """
    locked = {
        FRONT_END: prices.base,
        BATCH: prices.base + prices.rest - SLOW_CALLS * prices.fast_call,
        POOLED: prices.base + prices.fast + prices.pool,
        SINGLE: prices.base + prices.fast,
        UNLOCKED: prices.base + prices.fast_call,
    }
    most = max(
        _rate(found, form, count) * locked_us / 1e4 for form, locked_us in locked.items() for count in PROCESSORS
    )
    what = "no structure exceeds one pair per locked time of a pair"
    return Direction(8, what, most <= AT_MOST, f"at most {fixed(most, 2)} % of that")


def _overtakes(found: Found) -> Direction:
    rates = [_rate(found, form, MOST) for form in (UNLOCKED, POOLED)]
    cpu = [found[f"processors.{form}", "cpu_us", f"n={MOST}"] for form in (UNLOCKED, POOLED)]
    holds = rates[0] > rates[1] and cpu[0] > 10 * cpu[1]
    what = f"with slow calls unlocked it overtakes the pool on {MOST} processors, for over 10 times the processor time"
    shown = (
        f"{fixed(rates[0], 0)} and {fixed(rates[1], 0)} pairs a second, {fixed(cpu[0], 0)} and {fixed(cpu[1], 0)} us"
    )
    return Direction(9, what, holds, shown)


_RULES: tuple[Callable[[Found], Direction], ...] = (
    _local, _falls, _nothing, _global_cpu, _order, _locked, _unlocked, _overtakes,
)  # fmt: skip

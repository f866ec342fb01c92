"""The knee of a curve: the fewest aliases whose mean response is nearly that of unlimited aliases."""

from __future__ import annotations

from dataclasses import dataclass

from slicewright.advise.aliases.curve import Curve
from slicewright.statistics import Estimate, estimate


@dataclass(frozen=True, slots=True)
class Knee:
    """The knee and how much slower than with unlimited aliases it is there, as a share, paired.

    `clear` is whether the interval of that share, there and one alias before, stays on its side of the limit.
    """

    aliases: int
    excess: Estimate
    clear: bool


def knee(curve: Curve, percent: float) -> Knee:
    """The fewest aliases whose mean response is within `percent` of that with unlimited aliases.

    Paired by common random numbers: the ratio is taken replication by replication.  Found by halving, as the
    response does not rise with more aliases but by noise.

    >>> from slicewright.advise.aliases.example import curves
    >>> knee(curves()[0], 5).aliases, knee(curves()[0], 100).aliases
    (2, 1)
    """
    limit = percent / 100
    low, high = 0, curve.unlimited
    while low < high:
        middle = (low + high) // 2
        if _excess(curve, middle).mean <= limit:
            high = middle
        else:
            low = middle + 1
    there = _excess(curve, low)
    before = _excess(curve, low - 1) if low else None
    clear = there.high <= limit and (before is None or before.low > limit)
    return Knee(low, there, clear)


def _excess(curve: Curve, aliases: int) -> Estimate:
    """By what share the response exceeds that with unlimited aliases, over pairs of replications."""
    unlimited = curve.values(curve.unlimited, "response_ms")
    return estimate([float(ratio) - 1 for ratio in curve.values(aliases, "response_ms") / unlimited])

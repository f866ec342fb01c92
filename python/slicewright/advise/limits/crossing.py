"""Where a gap that grows with a value crosses zero, found in a few expensive trials."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar

Tried = TypeVar("Tried")

STEPS = 9
"""Batches, or bursts, that are tried at most for one kind of CPU time and number of threads."""
FIRST_STEP = 2.0
"""Factor of the first step from a batch, or a burst, that is throttled too seldom or too often."""


def crossing(
    off: Callable[[float], tuple[Tried, float]], ends: tuple[float, float], start: float, near: float
) -> tuple[Tried, float]:
    """The trial that misses least, and its gap: where a gap that grows with the value, tried by `off`, crosses zero.

    Steps that double find a value on either side, then values are interpolated by their logarithm (regula falsi, with
    the end that stays put halved: Dowell and Jarratt, BIT 11, 1971).  A value at an end is tried before all are above,
    or below.

    >>> tried = []
    >>> def off(value):
    ...     tried.append(value)
    ...     return f"{value:.2f}", math.log(value / 5)
    >>> abs(crossing(off, (1.0, 64.0), 3.0, 0.01)[1]) <= 0.01, len(tried)
    (True, 3)
    """
    low, high = map(math.log, ends)
    at, step = math.log(start), math.log(FIRST_STEP)
    found: list[tuple[Tried, float]] = []
    sides: dict[bool, tuple[float, float]] = {}
    last = None
    for _ in range(STEPS):
        one, gap = off(math.exp(at) if low < at < high else ends[at >= high])
        found.append((one, gap))
        over = gap > 0
        if abs(gap) <= near or (at <= low and over) or (at >= high and not over):
            break
        sides[over] = at, gap
        if last is over and len(sides) == 2:
            sides[not over] = sides[not over][0], sides[not over][1] / 2
        last = over
        if len(sides) == 2:
            (under_at, under), (over_at, over_by) = sides[False], sides[True]
            at = under_at + (over_at - under_at) * under / (under - over_by)
        else:
            at, step = max(at - step, low) if over else min(at + step, high), 2 * step
    return min(found, key=lambda each: abs(each[1]))

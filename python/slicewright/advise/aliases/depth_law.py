"""Laws of queue depth: the rate of a disk that is kept busy, and the wait for a place in front of it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from slicewright.statistics import fixed

GRID = 60
"""Growths and ceilings that are tried, each."""
MOST_PLACES = 100_000
WITHIN = 1.1
"""ASSUME: a measured rate is within 10 % of the law."""
GROWTHS = (0.0, *(float(growth) for growth in np.geomspace(1e-3, 1.0, GRID)))

Point = tuple[float, float]
"""Requests in flight, and I/O per second."""
Counted = tuple[float, float, float | None]
"""The same with the number of requests that were counted; None is not known, and many."""


@dataclass(frozen=True, slots=True)
class DepthLaw:
    """A disk that keeps n requests in flight: service grows with each, and no more than a ceiling ends per second.

    rate(n) = min(n / (service (1 + growth (n - 1))), ceiling).  The bounds are those of closed
    queueing networks (Lazowska and others, Quantitative System Performance, 5.2). The growth is that of
    `per_concurrent` in a scenario.

    >>> law = DepthLaw(1.0, 0.0, 4000.0)
    >>> law.rate(2), law.rate(8), law.depth_for(3800.0)
    (2000.0, 4000.0, 4)
    """

    service_ms: float
    growth: float
    ceiling: float

    def rate(self, in_flight: float) -> float:
        """I/O per second."""
        grown = self.service_ms * (1 + self.growth * (in_flight - 1))
        return min(1000 * in_flight / grown, self.ceiling)

    def depth_for(self, rate: float) -> int:
        """The fewest requests in flight that give a rate; a million where none do."""
        room = 1000 / rate - self.service_ms * self.growth
        if rate > self.ceiling or room <= 0:
            return 1_000_000
        return max(1, math.ceil(self.service_ms * (1 - self.growth) / room - 1e-9))

    def words(self) -> str:
        """The law in a sentence."""
        grown = f", {100 * self.growth:.1f} % longer for each more in flight" if self.growth >= 0.0005 else ""
        top = f"; at most {fixed(self.ceiling, 0)} per s" if math.isfinite(self.ceiling) else ""
        return f"one request alone takes {fixed(self.service_ms, 3)} ms{grown}{top}"


def fit_law(points: Sequence[Point]) -> DepthLaw | None:
    """The law that misses the rates least, in squares of relative misses; None for fewer than three depths.

    >>> law = fit_law([(1, 1000), (2, 2000), (4, 4000), (8, 4000), (16, 4000)])
    >>> round(law.service_ms, 2), round(law.growth, 2), round(law.ceiling)
    (1.0, 0.0, 4000)
    """
    if len({n for n, _ in points}) < 3 or min(min(point) for point in points) <= 0:
        return None
    n, rate = (np.array(column, dtype=float) for column in zip(*points, strict=True))
    least, best = math.inf, None
    ceilings = [*np.linspace(rate.max() * 0.9, rate.max() * 1.2, GRID // 2 + 1), math.inf]
    for growth, ceiling in itertools.product(GROWTHS, ceilings):
        shape = n / (1 + growth * (n - 1))
        # Of points below the ceiling, the service that fits the logarithms best; twice, since it says which these are.
        below = np.ones(len(n), dtype=bool)
        for _ in range(2):
            scale = float(np.exp(np.mean(np.log(rate[below] / shape[below])))) if below.any() else rate[0] / shape[0]
            below = scale * shape <= ceiling
        off = float((np.log(np.minimum(scale * shape, ceiling) / rate) ** 2).sum())
        if off < least - 1e-12:
            least, best = off, DepthLaw(1000 / scale, float(growth), float(ceiling))
    return best


def depths_that_fit(points: Sequence[Counted], knee: float) -> tuple[int, float] | None:
    """The fewest and the most requests in flight that give all but `knee` of the highest rate, over laws that fit.

    Every law that is within 10 % of every point is taken, and within more where few requests were counted: fewer points
    or requests leave more laws, so never a narrower range.  The most are infinite where a law fits whose rate has no
    ceiling; None where no law fits.

    >>> depths_that_fit([(n, min(n, 4) * 1000, None) for n in (1, 2, 4, 8, 16)], 0.05)
    (4, 5)
    >>> depths_that_fit([(n, min(n, 4) * 1000, 40) for n in (1, 2, 4, 8, 16)], 0.05)
    (3, 92)
    >>> depths_that_fit([(n, n * 1000, None) for n in (1, 2, 4)], 0.05)
    (4, inf)
    """
    ordered = sorted(points, key=lambda point: point[:2])
    lows, highs = zip(*((rate / within(count), rate * within(count)) for _, rate, count in ordered), strict=True)
    least, most = math.inf, 0.0
    for growth in GROWTHS:
        shapes = [n / (1 + growth * (n - 1)) for n, _, _ in ordered]
        for below in range(len(ordered) + 1):
            span = _ceilings(shapes, (lows, highs), below)
            if span is not None:
                least = min(least, _depth(span[0], growth, knee))
                most = max(most, _depth(span[1], growth, knee))
    return (int(least), most) if most else None


def within(requests: float | None) -> float:
    """The factor by which a law may miss a rate: two standard errors of a count, and 10 % at least.

    >>> within(None), within(10_000), within(25)
    (1.1, 1.1, 1.4)
    """
    return WITHIN if requests is None else max(WITHIN, 1 + 2 / math.sqrt(max(1.0, requests)))


def _ceilings(
    shapes: Sequence[float], rates: tuple[Sequence[float], Sequence[float]], below: int
) -> tuple[float, float] | None:
    """Ceilings, in units of the rate of one request alone, with which a law is between the rates of every point.

    The first `below` points are on the rising part of the law, the others on its ceiling; None where no law is.
    """
    lows, highs = rates
    alone_low = max((low / shape for low, shape in zip(lows[:below], shapes, strict=False)), default=0.0)
    alone_high = min((high / shape for high, shape in zip(highs[:below], shapes, strict=False)), default=math.inf)
    top_low, top_high = max(lows[below:], default=0.0), min(highs[below:], default=math.inf)
    if alone_low > alone_high or top_low > top_high:
        return None
    low = max(shapes[below - 1] if below else 0.0, top_low / alone_high)
    high = min(shapes[below] if below < len(shapes) else math.inf, top_high / alone_low if alone_low else math.inf)
    return (low, high) if low <= high else None


def _depth(ceiling: float, growth: float, knee: float) -> float:
    """The fewest requests in flight that give all but `knee` of the highest rate, which growth limits as well."""
    top = min(ceiling, 1 / growth if growth else math.inf)
    wanted = (1 - knee) * top
    room = 1 - wanted * growth
    if math.isinf(wanted) or room <= 0:
        return math.inf
    return max(1, math.ceil(wanted * (1 - growth) / room - 1e-9))


def missed(points: Sequence[Point]) -> list[float | None]:
    """At each point the rate by the law of the others; None where these are too few, and at both ends.

    The ends are not judged: a law that never saw the ceiling cannot know it.

    >>> missed([(1, 1000), (2, 2000), (4, 4000), (8, 4000), (16, 4000)])[1]
    2000.0
    """
    found: list[float | None] = []
    for at, (n, _) in enumerate(points):
        others = [point for place, point in enumerate(points) if place != at]
        inner = min(m for m, _ in points) < n < max(m for m, _ in points)
        law = fit_law(others) if inner else None
        found.append(round(law.rate(n), 6) if law else None)
    return found


def response_factor(depth: int, busy: float) -> float:
    """Response with `depth` places over response with unlimited ones, for `busy` requests in service on average.

    Erlang's formula of waiting (M/M/c); infinite where the places are too few.

    >>> round(response_factor(1, 0.5), 6), response_factor(4, 4.0)
    (2.0, inf)
    """
    if busy >= depth:
        return math.inf
    lost = 1.0
    for servers in range(1, depth + 1):
        lost = busy * lost / (servers + busy * lost)
    waits = lost / (1 - busy / depth * (1 - lost))
    return 1 + waits / (depth - busy)


def places(busy: float, knee: float) -> int:
    """The fewest places with which the response is within `knee` of that with unlimited ones.

    >>> places(0.5, 0.05), places(4.0, 0.05)
    (3, 7)
    """
    low, high = 0, max(2, math.ceil(busy))
    while response_factor(high, busy) > 1 + knee and high < MOST_PLACES:
        low, high = high, min(2 * high, MOST_PLACES)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if response_factor(middle, busy) <= 1 + knee else (middle, high)
    return high

"""The picture of an answer about a limit: latency and throttled periods under limits."""

from __future__ import annotations

import math
from collections.abc import Sequence

from slicewright.advise.limits.answer import Lever, LimitAnswer, Point
from slicewright.io.numerals import finite
from slicewright.report.figure import Figure, Panel, Series

CAPTION = (
    "Left: latency under limits, with simulation noise and, of the 99th percentile, the range over all readings."
    " Right: periods throttled. The last point is without a limit. Limits with far longer latencies"
    " than now are in the table alone."
)
MOST_ABOVE = 1.5
"""Of the latency of now, up to which lower limits are drawn."""
LATENCIES = {"p99_ms": "99 %", "p90_ms": "90 %", "p50_ms": "50 %"}


def picture(answer: LimitAnswer) -> Figure:
    """Latency and throttled periods over limits; the point without a limit is at the right end.

    >>> from slicewright.advise.limits.example import advice
    >>> len(picture(advice()).panels)
    2
    """
    points = _worth_drawing(answer)
    finite_ones = [point.setting.limit for point in points if math.isfinite(point.setting.limit)]
    end = max(finite_ones) * 1.15
    x = [point.setting.limit if math.isfinite(point.setting.limit) else end for point in points]
    latency = [_curve(points, x, name, words) for name, words in LATENCIES.items()]
    marks = [(answer.group.limit, "now")]
    chosen = answer.recommendation
    if chosen is not None and math.isfinite(chosen.limit) and chosen.limit != answer.group.limit:
        marks.append((chosen.limit, "does it"))
    panels = [
        Panel("Latency, ms", latency, marks),
        Panel("Periods throttled, %", [_curve(points, x, "throttled_percent", "simulated")], marks),
    ]
    return Figure(panels, "Limit, processors")


def _worth_drawing(answer: LimitAnswer) -> list[Point]:
    """Limits, but those below that of now with much longer latencies, beside which nothing else could be seen."""
    points, now = answer.of(Lever.LIMIT), answer.now
    if now is None:
        return points
    most = MOST_ABOVE * now.columns["p99_ms"].mean
    return [
        point for point in points if point.setting.limit >= answer.group.limit or point.columns["p99_ms"].mean <= most
    ]


def _curve(points: Sequence[Point], x: Sequence[float], name: str, label: str) -> Series:
    values = [point.columns[name] for point in points]
    ranges = name == "p99_ms"
    low = [point.low[name] for point in points] if ranges else None
    high = [point.high[name] for point in points] if ranges else None
    means, noise = [finite(value.mean) for value in values], [finite(value.half_width) for value in values]
    return Series(x, means, half_width=noise, low=low, high=high, label=label)

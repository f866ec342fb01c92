"""How often the range of `advise limits` contains the truth, on simulated containers whose truth is known.

    python -m benches.limit_coverage [SITES [FIRST]]

Of each site copies of cpu.stat are read as if they had been made on a node.  The true latency and share of throttled
periods under the recommended limit and under three others are then simulated and looked up in the range.  Sites differ
from what the adviser assumes (see `limit_sites`).  A range that contains everything is no use, so the width of that of
the 99th percentile is printed too: the ratio of its ends.
"""

from __future__ import annotations

from slicewright.advise.limits.answer import Lever, LimitAnswer, Point
from slicewright.advise.limits.from_copies import answer_copies
from slicewright.advise.limits.request import check
from slicewright.statistics import estimate

from benches.coverage import SILENT, Found, main, spread
from benches.limit_sites import KINDS, Site

LEAST_PERCENT = 1.0
"""Periods throttled in percent of all: a site with fewer has nothing to advise on."""
RESOLVED_PERCENT = 0.1
"""The last digit of a share of periods as it is printed."""


def judge(number: int) -> Found | None:
    """Advice on a site's copies against its truth; None where it is hardly throttled."""
    site = Site.numbered(number)
    text, per_s = site.measured()
    found = answer_copies([("cpu.stat", text)], check(site.options(per_s)))
    periods = sum(interval.periods for interval in found.intervals)
    if 100 * sum(interval.throttled for interval in found.intervals) < LEAST_PERCENT * periods:
        return None
    if found.recommendation is None:
        return Found(number, site.kind, f"{SILENT}: {found.reason}")
    points = looked_up(found)
    held = [_held(site, point) for point in points]
    recommended = found.recommendation
    return Found(
        number, site.kind, f"{recommended.limit:g} ({recommended.low:g}-{recommended.high:g})",
        {name: tuple(point[name] for point in held) for name in held[0]},
        tuple(point.high["p99_ms"] / point.low["p99_ms"] for point in points),
    )  # fmt: skip


def looked_up(found: LimitAnswer) -> list[Point]:
    """The recommended limit and others spread over the curve, none of them the limit of now."""
    assert found.recommendation is not None
    chosen = found.recommendation.limit
    others = [point for point in found.of(Lever.LIMIT) if point.setting.limit != chosen and not found.is_now(point)]
    return [next(point for point in found.of(Lever.LIMIT) if point.setting.limit == chosen), *spread(others)]


def _held(site: Site, point: Point) -> dict[str, bool]:
    """By measure, whether the range of a point contains the truth, within the half-width of the truth itself."""
    held = {}
    for name, values in site.truth(point.setting.limit).items():
        true = estimate(values)
        slack = max(true.half_width, RESOLVED_PERCENT if name == "throttled_percent" else 0.0)
        held[name] = point.low[name] - slack <= true.mean <= point.high[name] + slack
    return held


if __name__ == "__main__":
    main(judge, KINDS)

"""The picture of an answer about a fleet: what throttling costs, and limits now and then."""

from __future__ import annotations

import math

from slicewright.advise.limits.fleet.answer import FleetAnswer
from slicewright.advise.limits.quantity import limit
from slicewright.report.figure import Figure, Look, Panel, Series

DRAWN = 20
"""Workloads that are drawn."""
CAPTION = (
    "The workloads that throttling costs most. Left: what it adds to the 99th percentile of latency, with the range"
    " over readings. Right: limit now, the limit that would do, and its range."
)


def picture(answer: FleetAnswer) -> Figure | None:
    """Added latency, and limits; None where the counters of no workload tell.

    >>> from slicewright.advise.limits.fleet.example import answer
    >>> len(picture(answer()).panels)
    2
    """
    lines = [line for line in answer.lines if line.cost_p99_ms is not None and line.then is not None][:DRAWN]
    if not lines:
        return None
    rows = [float(at) for at in range(len(lines))]
    nothing = [None] * len(rows)
    names = [line.workload for line in lines]
    costs = [line.cost_p99_ms or 0.0 for line in lines]
    tips = [f"{line.workload}: {limit(line.limit or 0)} now, {limit(line.then or 0)} would do" for line in lines]
    ends = [max(line.high if line.high and math.isfinite(line.high) else 0.0, line.then or 0.0) for line in lines]
    added = [
        Series(rows, nothing, label="all readings", kind="spans", look=Look(1, 0.35),
               low=[line.cost_p99_range.low for line in lines], high=[line.cost_p99_range.high for line in lines]),
        Series(rows, costs, label="most likely reading", kind="points", look=Look(0), tips=tips),
    ]  # fmt: skip
    limits = [
        Series(rows, nothing, label="limits that would do", kind="spans", look=Look(2, 0.35),
               low=[line.low for line in lines], high=ends),
        Series(rows, [line.then for line in lines], label="then", kind="points", look=Look(2, shape="circle")),
        Series(rows, [line.limit for line in lines], label="now", kind="crosses", look=Look(0)),
    ]  # fmt: skip
    panels = [Panel("Throttling adds, ms", added, names=names), Panel("Limit, processors", limits, names=names)]
    alternative = f"Latency that throttling adds, and limits now and then, of {len(lines)} workloads"
    return Figure(panels, "", CAPTION, layout="rows", alternative=alternative)

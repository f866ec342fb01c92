"""How `advise limits` is asked of a fleet: by the series of its cluster, workload by workload."""

from __future__ import annotations

from typing import Any

from slicewright.advise.question import OfFleet, later

FLEET: OfFleet[Any, Any] = OfFleet(
    check=later("slicewright.advise.limits.fleet.answering:check_fleet"),
    answer=later("slicewright.advise.limits.fleet.answering:answer"),
    document=later("slicewright.advise.limits.fleet.report:document"),
    report=later("slicewright.advise.limits.fleet.report:report"),
    scenarios=later("slicewright.advise.limits.fleet.answering:files"),
    alone=later("slicewright.advise.limits.fleet.answering:alone"),
    asked=later("slicewright.advise.limits.fleet.answering:asked"),
)

"""Picture of a fleet's CPU limits: what throttling costs the dearest workloads, and the limits that would do."""

from __future__ import annotations

from slicewright.advise.limits.fleet.answer import answer_fleet
from slicewright.advise.limits.fleet.report import picture
from slicewright.advise.limits.fleet.samples import Watch, simulated, workloads
from slicewright.advise.limits.request import FleetRequest
from slicewright.report.figure import Figure

CONTAINERS, SECONDS = 120, 300.0


def fleet() -> Figure:
    """The answer about a small simulated fleet."""
    drawn = picture(answer_fleet(simulated(workloads(CONTAINERS), Watch(SECONDS)), FleetRequest()))
    assert drawn is not None
    return drawn

"""The picture of choosing a CPU limit: latency and throttled periods over limits."""

from __future__ import annotations

from slicewright.advise.limits.example import advice
from slicewright.advise.limits.picture import picture
from slicewright.report.figure import Figure


def choose() -> Figure:
    """Advice on three copies of a container's `cpu.stat`, a panel each."""
    return picture(advice())

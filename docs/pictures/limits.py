"""The picture of choosing a CPU limit: latency and throttled periods over limits."""

from __future__ import annotations

from slicewright.advise.limits.report import picture
from slicewright.report.figure import Figure

from tests.advise.limits_example import advice


def choose() -> Figure:
    """Advice on three copies of a container's `cpu.stat`, a panel each."""
    return picture(advice())

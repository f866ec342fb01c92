"""The picture of choosing a CPU limit: latency and throttled periods over limits.

It leaves out how the copies came about: they are those of the examples.
"""

from __future__ import annotations

from slicewright.advise.limits.example import advice
from slicewright.advise.limits.picture import picture
from slicewright.report.figure import Figure


def choose() -> Figure:
    """Advice on three copies of a container's `cpu.stat`, a panel each."""
    return picture(advice())

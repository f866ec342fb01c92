"""Data of this folder's examples: a small fleet, simulated shortly, and the answer about it."""

from __future__ import annotations

from functools import cache

from slicewright.advise.limits.fleet.answer import answer_fleet
from slicewright.advise.limits.fleet.cluster import Fleet
from slicewright.advise.limits.fleet.report import FleetAnswer
from slicewright.advise.limits.fleet.samples import Watch, Workload, simulated
from slicewright.advise.limits.request import FleetRequest
from slicewright.reading.cgroup import Load

WORKLOADS = (
    Workload("shop/cart/app", Load(40.0, 8.0, 1.0, 3.0, 4), 0.5, 4, 0.25),
    Workload("shop/feed/app", Load(60.0, 5.0, 1.0, 2.0, 4), 0.8, 3, 0.5, counted=False),
    Workload("shop/mail/app", Load(3.0, 10.0, 0.0, 1.0, 1), 1.0, 2, 1.0),
    Workload("shop/pay/app", Load(30.0, 12.0, 1.0, 1.0, 8), 0.3, 1, 0.3),
    Workload("shop/users/app", Load(20.0, 6.0, 1.0, 2.0, 2), float("inf"), 2, 0.2),
)
"""Throttled often; less, and without a counter of requests; never; with the limit used up; without a limit."""


@cache
def fleet() -> Fleet:
    """The fleet, watched for half an hour."""
    return simulated(WORKLOADS, Watch(1800.0))


@cache
def answer() -> FleetAnswer:
    """The answer about it."""
    return answer_fleet(fleet(), FleetRequest())

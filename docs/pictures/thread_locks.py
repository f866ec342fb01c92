"""Picture of locks that threads share: what each way to wait loses, the more other threads want the processor."""

from __future__ import annotations

from functools import cache

from slicewright.live.locks import METHODS, Constants, Plan, Times, simulated_lock
from slicewright.live.locks_program import Method
from slicewright.report.figure import Figure, Panel, Series
from slicewright.statistics import Estimate

HOGS = (0, 1, 2, 3, 4)
KERNEL = Constants(
    attempt_ns=25.0, yield_ns=480.0, switch_ns=860.0, sleep_ns=280.0, wake_ns=650.0, tick_ms=4.0, base_slice_ms=1.4
)
"""The kernel of a small virtual machine, as `live yields` measured it."""

OUTSIDE_US, TAKE_US, HOLD_US, LIFT_US = 100.0, 0.03, 20.0, 1.7


def thread_locks() -> Figure:
    """Locks a second, and the time under the lock, over the number of hogs: a curve for each method."""
    rates = [_curve(method, "locks_per_s", 1000.0) for method in METHODS]
    held = [_curve(method, "held_us", 1.0) for method in METHODS]
    return Figure(
        [Panel("Locks, thousands a second", rates), Panel("Lock held, us", held)], "Other threads that compute"
    )


def _curve(method: Method, name: str, divisor: float) -> Series:
    found = [_simulated(method, hogs)[name] for hogs in HOGS]
    means, noise = ([value / divisor for value in values] for values in zip(*map(_pair, found), strict=True))
    return Series(HOGS, means, noise, method)


def _pair(estimate: Estimate) -> tuple[float, float]:
    return estimate.mean, estimate.half_width


@cache
def _simulated(method: Method, hogs: int) -> dict[str, Estimate]:
    lift = LIFT_US if method == "handover" else 0.0
    plan = Plan(hogs=(hogs,), holds_us=(HOLD_US,), methods=(method,), seconds=5.0)
    return simulated_lock(plan, (method, hogs, HOLD_US), KERNEL, Times(OUTSIDE_US + lift, TAKE_US, HOLD_US + lift))

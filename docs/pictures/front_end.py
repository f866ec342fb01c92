"""Pictures of what guests queue for: a front end on whose I/Os messages ride together, and a resource."""

from __future__ import annotations

import math
from collections.abc import Callable

from slicewright import Run, run
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.statistics import estimate

MEAN_MS = 10.0
"""How long an I/O of the front end, or a hold of the resource, takes on average: exponential."""
LOADS = range(10, 91, 10)
"""Demand, in percent of the maximum."""
MOST_PER_S = 1000 / MEAN_MS
"""How often a second one I/O after the other ends, or one unit is given back."""


def front_end() -> Figure:
    """Waits against load, for one, 1.5 and two messages on an I/O, and for one, two and five units of a resource."""
    messages = [
        _waits(f"{mean:g} on an I/O", mean, [_messages(load, mean) for load in LOADS]) for mean in (1.0, 1.5, 2.0)
    ]
    riding = [point for count in (1, 2) for point in _exact(message_wait_ms, count)]
    units = [
        _waits(f"{count} unit{'s' * (count > 1)}", count, [_holds(load, count) for load in LOADS])
        for count in (1, 2, 5)
    ]
    held = [point for count in (1, 2, 5) for point in _exact(unit_wait_ms, count)]
    panels = [
        Panel("Wait of a message for its I/O, ms", [*messages, _points(riding)]),
        Panel("Wait for a unit, ms", [*units, _points(held)]),
    ]
    return Figure(panels, "Asked for, per second")


def message_wait_ms(load: float, most: int) -> float:
    """Mean wait until the I/O that takes a message along starts, up to `most` riding together, Poisson arrivals.

    The number of messages that wait is geometric with r, the root between 0 and 1 of
    mu r^(b+1) - (lambda + mu) r + lambda (Neuts: A General Class of Bulk Queues with Poisson Input, 1967, 1 to b).

    >>> round(message_wait_ms(0.5, 1), 6), round(message_wait_ms(0.5, 2), 2)
    (10.0, 11.71)
    """
    rate = load * most / MEAN_MS
    low, high = 0.0, 1.0 - 1e-9
    while high - low > 1e-12:
        ratio = (low + high) / 2
        rest = ratio ** (most + 1) / MEAN_MS - (rate + 1 / MEAN_MS) * ratio + rate
        low, high = (ratio, high) if rest > 0 else (low, ratio)
    none_waits = 1 / (1 / (rate * MEAN_MS) + 1 / (1 - low))
    return none_waits * low / (1 - low) ** 2 / rate


def unit_wait_ms(load: float, units: int) -> float:
    """Mean wait for one of several units that are held for exponential times, Poisson arrivals (Erlang C).

    >>> round(unit_wait_ms(0.5, 1), 6), round(unit_wait_ms(0.5, 2), 2)
    (10.0, 3.33)
    """
    offered = load * units
    some_free = sum(offered**k / math.factorial(k) for k in range(units))
    all_held = offered**units / math.factorial(units) / (1 - load)
    return all_held / (some_free + all_held) * MEAN_MS / (units * (1 - load))


def _exact(wait: Callable[[float, int], float], count: int) -> list[tuple[float, float]]:
    return [(_per_s(load, count), wait(load / 100, count)) for load in LOADS]


def _per_s(load: int, most: float) -> float:
    return load / 100 * most * MOST_PER_S


def _points(found: list[tuple[float, float]]) -> Series:
    return dots([x for x, _ in found], [y for _, y in found], label="exact")


def _waits(label: str, most: float, runs: list[list[float]]) -> Series:
    found = [estimate(values) for values in runs]
    return Series(
        [_per_s(load, most) for load in LOADS],
        [point.mean for point in found],
        half_width=[point.half_width for point in found],
        label=label,
    )


def _messages(load: int, mean: float) -> list[float]:
    parts = f"""
[[front_end]]
name = "4705"
volume = "LINE"
messages = {mean}
"""
    result = _run(_per_s(load, mean), parts, '{ message_in = "4705" }')
    return result.values("front_ends", "in_wait_ms", "4705")


def _holds(load: int, units: int) -> list[float]:
    parts = f"""
[[resource]]
name = "MPR"
count = {units}
"""
    steps = f'{{ hold = "MPR", steps = [ {{ think = {{ exponential = "{MEAN_MS} ms" }} }} ] }}'
    return _run(_per_s(load, units), parts, steps).values("resources", "wait_ms", "MPR")


def _run(per_s: float, parts: str, steps: str) -> Run:
    """A run of Poisson arrivals."""
    text = f"""
name = "waiting"
assume = "an example"

[[volume]]
name = "LINE"
device = "0070"
service.connect = {{ exponential = "{MEAN_MS} ms" }}
{parts}
[[guest]]
name = "TERMINALS"
arrivals = "{per_s:.3f}/s"
program = [ {steps} ]
"""
    return run(text, replications=10, set={"measure.interval": "300 s", "measure.warm_up": "5 s"})

"""The picture of an answer about slices: hold, and the cost with what it is made of, against the slice."""

from __future__ import annotations

from dataclasses import replace

from slicewright.advise.slices.answer import SliceAnswer
from slicewright.io.numerals import finite
from slicewright.report.figure import Figure, Panel, Series, dots

CAPTION = "Lines: simulated, with the band of noise. Points: the exact formula."
MOST_CURVES = 3
"""Devices with a curve of their own, those with most I/O of all services first."""
LONGEST_MS = 40.0


def picture(answer: SliceAnswer) -> Figure:
    """Hold, and the cost with what it is made of, against the slice.

    >>> from slicewright.advise.slices.example import advice
    >>> len(picture(advice()).panels)
    2
    """
    points = [point for point in answer.curve if point.slice_ms <= max(LONGEST_MS, 1.3 * (answer.now_ms or 0.0))]
    x = [point.slice_ms for point in points]
    many = len([reading for reading in answer.readings if reading.accepted]) > 1
    curves = []
    exact: dict[tuple[float, ...], Series] = {}
    for name in _drawn(answer):
        held = [point.devices[name] for point in points]
        line = Series(
            x, [finite(device.simulated.mean) for device in held],
            half_width=[finite(device.simulated.half_width) for device in held], label=name,
        )  # fmt: skip
        if many:
            low, high = [finite(device.low_ms) for device in held], [finite(device.high_ms) for device in held]
            line = replace(line, low=low, high=high)
        curves.append(line)
        known = [
            (slice_ms, device.exact_ms) for slice_ms, device in zip(x, held, strict=True) if device.exact_ms is not None
        ]
        values = tuple(value for _, value in known)
        if known:
            exact.setdefault(values, dots([at for at, _ in known], values, None, f"{name}, exact", [name]))
    marks = [(answer.now_ms, "now")] if answer.now_ms is not None else []
    if answer.recommendation:
        marks.append((answer.recommendation.slice_ms, "least"))
    cost = [
        Series(
            x,
            [point.cost.mean for point in points],
            half_width=[point.cost.half_width for point in points],
            label="cost",
        ),
        Series(x, [point.waiting.mean for point in points], label="waiting I/Os"),
        Series(x, [point.lost for point in points], label="processors lost"),
    ]
    return Figure([Panel("Hold, ms", [*curves, *exact.values()], marks), Panel("Cost", cost, marks)], "Slice, ms")


def _drawn(answer: SliceAnswer) -> list[str]:
    """The busiest devices, each of a service time of its own: alike ones would hide each other."""
    chosen: list[tuple[str, str, float]] = []
    for device in sorted(answer.devices, key=lambda line: -line.io_per_s):
        alike = [(domain, service) for _, domain, service in chosen]
        if all(device.domain != domain or abs(device.service_ms / service - 1) > 0.05 for domain, service in alike):
            chosen.append((device.name, device.domain, device.service_ms))
    return [name for name, _, _ in chosen[:MOST_CURVES]]

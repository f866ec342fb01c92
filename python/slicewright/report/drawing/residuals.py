"""Panels of residuals: the difference in percent of curves that nearly coincide, where the panel itself cannot show it.

Curves and points nearly coincide where no two values at one x are farther apart than a marker is high.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from slicewright.report.figure import Number, Panel, Series
from slicewright.values.numerals import finite

NEAR = 0.04
"""Of the height of the value axis: a marker is 8 of its 190 pixels high."""
FEWEST, FEWEST_POINTS = 3, 2
"""Values that two lines, or the lines and the points of a panel, have in common before they can be said to coincide."""

SAME = 0.01
"""Percent below which all differences are none: tables print no more than four digits."""

_At = Mapping[float, float]


def residuals(panel: Panel, height: float) -> Panel | None:
    """The panel of residuals below a panel whose value axis is this high; None where curves are clearly apart.

    Lines are compared with the points that are values of them (`Series.of`); without such points with the first line
    that another coincides with.

    >>> near = [Series([1, 2, 3], [10, 20, 30], label="a"), Series([1, 2, 3], [10.1, 20, 30], label="b")]
    >>> found = residuals(Panel("Response, ms", near), 30.0)
    >>> found.label, [round(value, 6) for value in found.series[0].y]
    ('Over a, %', [1.0, 0.0, 0.0])
    """
    if not panel.residuals or panel.origin == "both sides" or panel.names:
        return None
    lines = [series for series in panel.series if series.kind == "line"]
    near = NEAR * height
    found = list(_over_points(panel, lines, near))
    if sum(len(series.x) for series in found if series.kind == "points") >= FEWEST_POINTS:
        return _panel("Lines over points, %", found)
    for at, first in enumerate(lines):
        base = _values(first)
        alike = [line for line in lines[at + 1 :] if _coincide(_values(line), base, near, FEWEST)]
        if alike:
            over = [Series(*_percent(_values(line), base, near), label=line.label) for line in alike]
            return _panel(f"Over {first.label}, %", over)
    return None


def _panel(label: str, found: Sequence[Series]) -> Panel | None:
    """The panel; None where curves are the same."""
    some = any(value is not None and abs(value) >= SAME for series in found for value in series.y)
    return Panel(label, found, origin="both sides") if some else None


def _over_points(panel: Panel, lines: Sequence[Series], near: float) -> Iterator[Series]:
    """The residuals of each line over its points: as a line with its noise, and the points on it."""
    for line in lines:
        values = _values(line)
        points = [series for series in panel.series if line.label in series.of]
        pairs = [(series, _values(series)) for series in points]
        if not pairs or not all(_coincide(values, known, near, 1) for _, known in pairs):
            continue
        base = {x: y for _, known in pairs for x, y in known.items()}
        x, y = _percent(values, base, near)
        if not x:
            continue
        noise = {float(x): half for x, half in _known(line.x, line.half_width or [None] * len(line.x))}
        half = [100 * noise[at] / abs(base[at]) if at in noise else None for at in x] if noise else None
        yield Series(x, y, half, line.label)
        for series, known in pairs:
            own_x, own_y = _percent(values, known, near)
            yield Series(own_x, own_y, None, series.label, "points", look=series.look)


def _values(series: Series) -> dict[float, float]:
    return {float(x): y for x, y in _known(series.x, series.y)}


def _known(x: Sequence[float], values: Sequence[Number]) -> Iterator[tuple[float, float]]:
    for at, value in zip(x, values, strict=True):
        number = finite(value)
        if number is not None:
            yield at, number


def _coincide(values: _At, base: _At, near: float, fewest: int) -> bool:
    """Whether values are near others at each x that both have."""
    common = values.keys() & base.keys()
    return len(common) >= fewest and all(abs(values[x] - base[x]) <= near for x in common)


def _percent(values: _At, base: _At, least: float) -> tuple[list[float], list[float]]:
    """The x that both have, and the differences there in percent of the others; not where those are near 0."""
    x = sorted(at for at in values.keys() & base.keys() if abs(base[at]) > least)
    return x, [100 * (values[at] / base[at] - 1) for at in x]


__all__ = ["residuals"]

"""Curves with bands over a count, published values as points on them, panels side by side.

It leaves out what is drawn: who calls it has the numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slicewright.plots.drawing import (
    BANDS,
    INK,
    MARKERS,
    PAPER,
    SERIES,
    STYLES,
    figure_of,
    ink,
    legend,
    or_nan,
    svg_of,
    whole_numbers,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEVEL = 6
"""Letters that a name below a picture may have and stand level."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Simulated values over x: a line, its 95 % interval as an inner band, the range of readings as an outer one.

    `x` and `y` are of one length, as are `half_width`, `low` and `high` when given; None is a gap.

    >>> Curve([0, 8], [3.7, 2.2], label="simulated").low is None
    True
    """

    x: Sequence[float]
    y: Sequence[float | None]
    half_width: Sequence[float | None] | None = None
    low: Sequence[float | None] | None = None
    high: Sequence[float | None] | None = None
    label: str = "simulated"


@dataclass(frozen=True, slots=True)
class Points:
    """Published or reported values: markers without a line; `margin` is the acceptance band on either side.

    >>> Points([8], [1.9]).label
    'published'
    """

    x: Sequence[float]
    y: Sequence[float]
    margin: Sequence[float] | None = None
    label: str = "published"


@dataclass(frozen=True, slots=True)
class Panel:
    """One pair of axes: what is up its side, with unit, its curves, its points, and upright marks (x, text).

    `from_zero` is false where values may be negative: then a line marks 0.  `names` stand at 1, 2, 3 and so on where x
    is no number.

    >>> Panel("Response, ms", [Curve([0, 1], [2.0, 1.0])]).marks
    ()
    """

    label: str
    curves: Sequence[Curve]
    points: Sequence[Points] = ()
    marks: Sequence[tuple[float, str]] = ()
    from_zero: bool = True
    names: Sequence[str] = ()


def curve(panels: Sequence[Panel], x_label: str = "Aliases in the pool", title: str = "") -> str:
    """Panels side by side over one kind of x (rate, response, queue over 0..N aliases), as SVG text.

    Raises ValueError without panels.

    >>> curve([Panel("Response, ms", [Curve([0, 1], [2.0, 1.0])])]).startswith("<svg")
    True
    """
    if not panels:
        raise ValueError("a picture needs at least one panel")
    with ink():
        figure = figure_of(max(4.2, 3.55 * len(panels)), 3.1)
        axes = figure.subplots(1, len(panels), squeeze=False)[0]
        for axis, panel in zip(axes, panels, strict=True):
            _panel(axis, panel)
            axis.set_xlabel(x_label)
        legend(figure, axes)
        if title:
            figure.suptitle(title, fontsize=11)
        return svg_of(figure, title + "".join(panel.label for panel in panels))


def _panel(axis: Axes, panel: Panel) -> None:
    for index, one in enumerate(panel.curves):
        colour = SERIES[index % len(SERIES)]
        y = [or_nan(value) for value in one.y]
        if one.low is not None and one.high is not None:
            low, high = ([or_nan(value) for value in side] for side in (one.low, one.high))
            axis.fill_between(one.x, low, high, color=colour, alpha=0.13, linewidth=0, label=BANDS[1])
        if one.half_width is not None:
            noise = [or_nan(value) for value in one.half_width]
            below = [a - b for a, b in zip(y, noise, strict=True)]
            above = [a + b for a, b in zip(y, noise, strict=True)]
            axis.fill_between(one.x, below, above, color=colour, alpha=0.35, linewidth=0, label=BANDS[0])
        axis.plot(one.x, y, STYLES[index % len(STYLES)], color=colour, linewidth=1.8, label=one.label)
    for index, some in enumerate(panel.points):
        axis.errorbar(
            some.x,
            some.y,
            yerr=some.margin,
            fmt=MARKERS[index % len(MARKERS)],
            color=INK,
            markerfacecolor=PAPER,
            markersize=6,
            markeredgewidth=1.4,
            elinewidth=1,
            capsize=3,
            zorder=5,
            label=some.label,
        )
    axis.set_title(panel.label, loc="left")
    # Where all is far from 0 and close together, matplotlib's own margin is too small for a marker.
    top = 1.06 * axis.dataLim.ymax
    if panel.from_zero:
        axis.set_ylim(0, max(axis.get_ylim()[1], top) if math.isfinite(top) else None)
    else:
        axis.axhline(0, color=INK, linewidth=0.8)
    for x, text in panel.marks:
        axis.axvline(x, color=INK, linewidth=0.8, linestyle=(0, (2, 2)))
        axis.annotate(
            text, (x, 1), xycoords=("data", "axes fraction"), xytext=(3, -9), textcoords="offset points", fontsize=8
        )
    whole_numbers(axis, [x for one in panel.curves for x in one.x])
    if panel.names:
        tilt: dict[str, Any] = (
            {"rotation": 20, "ha": "right", "rotation_mode": "anchor"} if max(map(len, panel.names)) > LEVEL else {}
        )
        axis.set_xticks(range(1, len(panel.names) + 1), panel.names, **tilt)
        axis.set_xlim(0.5, len(panel.names) + 0.5)

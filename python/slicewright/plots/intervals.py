"""Counters over simulated time, interval by interval: panels one under the other, with marks where something changed.

It leaves out what is within an interval: a step is its mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from slicewright.plots.curves import Panel
from slicewright.plots.drawing import BANDS, INK, SERIES, STYLES, figure_of, ink, legend, or_nan, svg_of, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def series(
    panels: Sequence[Panel], length: float, x_label: str = "Minutes from the start of the first interval"
) -> str:
    """Panels over one time axis, as SVG text: a curve's x are the ends of intervals that are `length` long.

    The marks of the first panel are drawn through all of them and named in it.  Raises ValueError without panels.

    >>> from slicewright.plots import Curve
    >>> "Response" in series([Panel("Response, ms", [Curve([1, 2], [2.0, 1.0])], marks=[(1, "vary")])], 1)
    True
    """
    if not panels:
        raise ValueError("a picture needs at least one panel")
    with ink():
        figure = figure_of(9.4, 1.1 + 0.14 * len(panels[0].marks) + 1.45 * len(panels))
        axes: Sequence[Axes] = list(figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0])
        for axis, panel in zip(axes, panels, strict=True):
            _steps(axis, panel, length)
            for x, _ in panels[0].marks:
                axis.axvline(x, color=INK, linewidth=0.9, linestyle=(0, (2, 2)))
        _name_marks(axes[0], panels[0].marks)
        axes[-1].set_xlabel(x_label)
        legend(figure, axes)
        return svg_of(figure, "intervals" + "".join(panel.label for panel in panels))


def _steps(axis: Axes, panel: Panel, length: float) -> None:
    for index, one in enumerate(panel.curves):
        colour = SERIES[index % len(SERIES)]
        edges = [one.x[0] - length, *one.x]
        y = [or_nan(value) for value in one.y]
        if one.half_width is not None:
            noise = [or_nan(value) for value in one.half_width]
            below = [a - b for a, b in zip(y, noise, strict=True)]
            above = [a + b for a, b in zip(y, noise, strict=True)]
            axis.fill_between(
                edges, [below[0], *below], [above[0], *above], step="pre", color=colour, alpha=0.3, linewidth=0,
                label=BANDS[0],
            )  # fmt: skip
        style = STYLES[index % len(STYLES)]
        axis.plot(edges, [y[0], *y], style, drawstyle="steps-pre", color=colour, linewidth=1.6, label=one.label)
    axis.set_title(panel.label, loc="left")
    axis.margins(x=0.01, y=0.12)
    axis.set_ylim(bottom=0)
    whole_numbers(axis, [0.5])


def _name_marks(axis: Axes, marks: Sequence[tuple[float, str]]) -> None:
    """Names over the first panel, each on a line of its own so that near ones do not cover each other."""
    for at, (x, text) in enumerate(marks):
        height = 3 + 10 * (len(marks) - 1 - at)
        left, right = axis.get_xlim()
        late = x > (left + right) / 2
        name = axis.annotate(
            text, (x, 1), xycoords=("data", "axes fraction"), xytext=(-2 if late else 2, height),
            textcoords="offset points", fontsize=7.5, va="bottom", ha="right" if late else "left",
        )  # fmt: skip
        name.set_in_layout(False)
    axis.set_title(axis.get_title(loc="left"), loc="left", pad=6 + 10 * len(marks))

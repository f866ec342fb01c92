"""Differences between two runs: a point with its 95 % interval per entity, panels of one counter each, a line at zero.

It leaves out how a difference is estimated: `slicewright.compare` knows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slicewright.plots.drawing import INK, PAPER, SERIES, figure_of, ink, legend, svg_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True)
class Difference:
    """What one entity's counter changed by, after less before; the half-width is None where it cannot be known.

    >>> Difference(-0.34, 0.004).clear, Difference(0.01, 0.02).clear, Difference(1.0, None).clear
    (True, False, False)
    """

    value: float
    half_width: float | None

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.half_width is not None and abs(self.value) > self.half_width


@dataclass(frozen=True, slots=True)
class Differences:
    """One panel: a counter with its unit, and one difference per entity; None where an entity has none.

    >>> Differences("Response, ms", [Difference(-0.34, 0.004), None]).label
    'Response, ms'
    """

    label: str
    values: Sequence[Difference | None]


def differences(names: Sequence[str], panels: Sequence[Differences]) -> str:
    """Panels side by side, a row per name, as SVG text.

    Filled points have an interval that leaves out zero, hollow ones one that does not, crosses none at all.  Raises
    ValueError without panels or names.

    >>> "Response" in differences(["system"], [Differences("Response, ms", [Difference(-0.34, 0.004)])])
    True
    """
    if not panels or not names:
        raise ValueError("a picture of differences needs a panel and a name")
    with ink():
        figure = figure_of(max(4.6, 1.0 + 2.6 * len(panels)), 1.25 + 0.25 * len(names))
        axes: Sequence[Axes] = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        for axis, panel in zip(axes, panels, strict=True):
            _panel(axis, panel)
        axes[0].set_yticks(range(len(names)), names)
        axes[0].set_ylim(len(names) - 0.4, -0.6)
        legend(figure, axes, joint=True)
        return svg_of(figure, "differences" + "".join(panel.label for panel in panels))


def _panel(axis: Axes, panel: Differences) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis.axvline(0, color=INK, linewidth=1.1)
    known = [(row, one) for row, one in enumerate(panel.values) if one is not None and math.isfinite(one.value)]
    kinds = (
        ("interval leaves out 0", SERIES[0], SERIES[0], [pair for pair in known if pair[1].clear]),
        ("interval holds 0", SERIES[0], PAPER, [p for p in known if not p[1].clear and p[1].half_width is not None]),
    )
    for label, edge, face, pairs in kinds:
        if pairs:
            axis.errorbar(
                [one.value for _, one in pairs], [row for row, _ in pairs],
                xerr=[one.half_width or 0.0 for _, one in pairs], fmt="o", color=edge, markerfacecolor=face,
                ecolor=INK, markersize=5.5, markeredgewidth=1.3, elinewidth=1, capsize=2.5, label=label,
            )  # fmt: skip
    without = [(row, one) for row, one in known if one.half_width is None]
    if without:
        x, y = [one.value for _, one in without], [row for row, _ in without]
        axis.plot(x, y, "x", color=SERIES[1], markersize=6, label="no interval")
    axis.set_title(panel.label, loc="left")
    axis.set_xlabel("after less before")
    axis.grid(visible=False, axis="y")
    axis.xaxis.set_major_locator(MaxNLocator(nbins=4))
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}"))
    reach = max((abs(one.value) + (one.half_width or 0.0) for _, one in known), default=0.0)
    axis.set_xlim(-1.12 * reach or -1, 1.12 * reach or 1)

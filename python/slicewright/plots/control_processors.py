"""The processors of control programs: where the time of each goes, and who waits in its dispatch vector.

It leaves out physical processors, and the lock by itself: spinning is a part of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from slicewright.plots.drawing import INK, PAPER, SERIES, figure_of, ink, numbers, svg_of

if TYPE_CHECKING:
    import polars
    from matplotlib.axes import Axes

MOST = 64
"""Processors drawn, from the first."""

_PARTS = (
    ("emulation_percent", "guests", SERIES[0], 1.0, ""),
    ("chargeable_cp_percent", "charged CP (c-CP)", SERIES[0], 0.45, ""),
    ("system_percent", "not charged (nc-CP)", SERIES[1], 1.0, "////"),
    ("spin_percent", "spinning", SERIES[1], 0.45, "xxxx"),
    ("wait_percent", "wait", INK, 0.08, ""),
    ("parked_percent", "parked", SERIES[2], 0.5, "\\\\\\\\"),
)
"""Of each part its column, its name, colour, strength and hatching; what is left is not carried."""


def control_processors_bar(processors: polars.DataFrame) -> str:
    """The time of every processor of control programs as a bar of its parts in %, and its dispatch vector; SVG text.

    `processors` is `Run.control_processors`, or any frame with partition, number, polarity, emulation_percent,
    chargeable_cp_percent, nonchargeable_cp_percent, spin_percent, wait_percent, parked_percent and vector_depth; at
    most the first 64 are drawn.

    >>> import polars
    >>> row = {"partition": ["ZVM"], "number": [0], "polarity": ["Vh"], "emulation_percent": [80.0]}
    >>> row |= {"chargeable_cp_percent": [5.0], "nonchargeable_cp_percent": [10.0], "spin_percent": [4.0]}
    >>> row |= {"wait_percent": [5.0], "parked_percent": [0.0], "vector_depth": [1.5]}
    >>> "spinning" in control_processors_bar(polars.DataFrame(row))
    True
    """
    shown = processors.head(MOST)
    several = shown["partition"].n_unique() > 1
    names = [
        " ".join(str(part) for part in (row["partition"] if several else "", row["number"], row["polarity"])).strip()
        for row in shown.iter_rows(named=True)
    ]
    with ink():
        figure = figure_of(9.4, 1.2 + 0.22 * max(2, len(names)))
        time, depth = figure.subplots(1, 2, sharey=True, width_ratios=[3, 1])
        _time(time, shown, names)
        depth.plot(numbers(shown["vector_depth"]), names, "o", color=SERIES[3], markersize=4, label="waiting, mean")
        depth.set_xlim(left=0)
        depth.margins(x=0.12)
        depth.locator_params(axis="x", nbins=5)
        depth.set_xlabel("In the dispatch vector")
        for axis in (time, depth):
            axis.grid(visible=False, axis="y")
            axis.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=6, columnspacing=1.1, frameon=False)
        time.set_ylim(len(names) - 0.4, -0.6)
        return svg_of(figure, "control processors")


def _time(axis: Axes, frame: polars.DataFrame, names: Sequence[str]) -> None:
    spin = numbers(frame["spin_percent"])
    charged_to_nobody = numbers(frame["nonchargeable_cp_percent"])
    left = [0.0] * len(names)
    for column, label, colour, alpha, hatch in _PARTS:
        values = (
            [max(0.0, all_of_it - part) for all_of_it, part in zip(charged_to_nobody, spin, strict=True)]
            if column == "system_percent"
            else numbers(frame[column])
        )
        if not any(values):
            continue
        axis.barh(
            names, values, left=left, height=0.76, label=label, color=colour, alpha=alpha, hatch=hatch, edgecolor=PAPER,
            linewidth=0.6,
        )  # fmt: skip
        left = [a + b for a, b in zip(left, values, strict=True)]
    axis.set_xlim(0, 100)
    axis.set_xlabel("Share of its time, %")

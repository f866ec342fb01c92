"""Volumes: the response time of each by its parts, and beside it the requests that wait.

It leaves out exposures and pools.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from slicewright.plots.drawing import INK, PAPER, SERIES, figure_of, ink, numbers, svg_of

if TYPE_CHECKING:
    import polars
    from matplotlib.axes import Axes

MOST = 40
"""Volumes drawn; of more, the slowest."""

_PARTS = (
    ("pend_ms", "pending"),
    ("disc_ms", "disconnected"),
    ("conn_ms", "connected"),
    ("hold_ms", "interrupt pending"),
)
_DRAWN = {
    "pending": (SERIES[0], 0.25, ""),
    "disconnected": (SERIES[0], 0.55, ""),
    "connected": (SERIES[0], 1.0, ""),
    "interrupt pending": (SERIES[2], 1.0, "\\\\\\\\"),
    "queued": (SERIES[1], 1.0, "////"),
}
"""Colour, strength and hatching of each part; who has no domains has no pending interrupts."""


def volumes_bar(volumes: polars.DataFrame) -> str:
    """The response time of every volume as a bar of its parts in ms, and its queue, with 95 % half-widths; SVG text.

    `volumes` is `Run.volumes`, or any frame with volume, pend_ms, disc_ms, conn_ms and response_ms; hold_ms,
    queue_depth, queue_depth_sampled and half-widths are drawn where they are there; at most the 40 slowest are drawn.

    >>> import polars
    >>> row = {"volume": ["A"], "pend_ms": [0.2], "disc_ms": [0.2], "conn_ms": [0.9], "response_ms": [2.1]}
    >>> "queued" in volumes_bar(polars.DataFrame(row))
    True
    """
    slowest = volumes if volumes.height <= MOST else volumes.sort("response_ms", descending=True).head(MOST)
    names = [str(name) for name in slowest["volume"]]
    queues = "queue_depth" in slowest.columns
    with ink():
        figure = figure_of(9.4 if queues else 7.2, 1.1 + 0.26 * max(1, len(names)))
        axes: Sequence[Axes] = figure.subplots(
            1, 2 if queues else 1, sharey=True, squeeze=False, width_ratios=[3, 1.25] if queues else [1]
        )[0]
        _response(axes[0], slowest, names)
        if queues:
            _queue(axes[1], slowest, names)
        for axis in axes:
            axis.grid(visible=False, axis="y")
        axes[0].set_ylim(len(names) - 0.4, -0.6)
        for axis in axes:
            # Bars may fill all of it, so that a legend inside would lie on them.
            axis.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=5, columnspacing=1.2, frameon=False)
        return svg_of(figure, "volumes")


def _response(axis: Axes, frame: polars.DataFrame, names: Sequence[str]) -> None:
    response = numbers(frame["response_ms"])
    left = [0.0] * len(names)
    held = "hold_ms" in frame.columns and any(numbers(frame["hold_ms"]))
    parts = [(label, numbers(frame[name])) for name, label in _PARTS if held or name != "hold_ms"]
    served = [sum(values) for values in zip(*(values for _, values in parts), strict=True)]
    waits = [max(0.0, total - part) for total, part in zip(response, served, strict=True)]
    for label, values in [*parts, ("queued", waits)]:
        colour, alpha, hatch = _DRAWN[label]
        axis.barh(
            names, values, left=left, height=0.7, label=label, color=colour, alpha=alpha, hatch=hatch,
            edgecolor=PAPER, linewidth=0.6,
        )  # fmt: skip
        left = [a + b for a, b in zip(left, values, strict=True)]
    _whiskers(axis, frame, "response_ms", names)
    axis.set_xlabel("Response time, ms")


def _queue(axis: Axes, frame: polars.DataFrame, names: Sequence[str]) -> None:
    if "queue_depth_sampled" in frame.columns:
        axis.plot(
            numbers(frame["queue_depth_sampled"]), names, "D", color=INK, markerfacecolor=PAPER, markersize=6,
            markeredgewidth=1.2, label="as sampled",
        )  # fmt: skip
    axis.plot(numbers(frame["queue_depth"]), names, "o", color=SERIES[1], markersize=4, label="waiting")
    _whiskers(axis, frame, "queue_depth", names)
    axis.set_xlim(left=0)
    axis.margins(x=0.12)
    axis.locator_params(axis="x", nbins=5)
    axis.set_xlabel("Requests waiting")


def _whiskers(axis: Axes, frame: polars.DataFrame, counter: str, names: Sequence[str]) -> None:
    if f"{counter}_half_width" in frame.columns:
        width = numbers(frame[f"{counter}_half_width"])
        axis.errorbar(numbers(frame[counter]), names, xerr=width, fmt="none", ecolor=INK, elinewidth=1, capsize=2)

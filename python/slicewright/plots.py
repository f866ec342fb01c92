"""Pictures as SVG text: curves with bands, published values as points on them, the parts of a response as bars.

It leaves out pages and files.  The same input gives the same bytes: no date, no random ids, text kept as text.
"""

from __future__ import annotations

import logging
import math
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FONT = "system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"

_INK, _GRID, _PAPER = "#010203", "#040506", "#070809"
_SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
"""Okabe and Ito's colours that can be told apart by everybody; line style and marker tell them apart in grey."""
_STYLES = ("-", "--", "-.", ":")
_MARKERS = ("o", "s", "D", "^")
_BANDS = ("95 % interval", "range of readings")
_PARTS = (("pend_ms", "pending"), ("disc_ms", "disconnected"), ("conn_ms", "connected"))


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

    >>> Panel("Response, ms", [Curve([0, 1], [2.0, 1.0])]).marks
    ()
    """

    label: str
    curves: Sequence[Curve]
    points: Sequence[Points] = ()
    marks: Sequence[tuple[float, str]] = ()


def curve(panels: Sequence[Panel], x_label: str = "Aliases in the pool", title: str = "") -> str:
    """Panels side by side over one kind of x (rate, response, queue over 0..N aliases), as SVG text.

    Raises ValueError without panels.

    >>> curve([Panel("Response, ms", [Curve([0, 1], [2.0, 1.0])])]).startswith("<svg")
    True
    """
    if not panels:
        raise ValueError("a picture needs at least one panel")
    with _ink():
        figure = _figure(max(4.2, 3.55 * len(panels)), 3.1)
        axes = figure.subplots(1, len(panels), squeeze=False)[0]
        for axis, panel in zip(axes, panels, strict=True):
            _panel(axis, panel)
            axis.set_xlabel(x_label)
        _legend(figure, axes)
        if title:
            figure.suptitle(title, fontsize=11)
        return _svg(figure, title + "".join(panel.label for panel in panels))


def volumes_bar(volumes: polars.DataFrame) -> str:
    """The response time of every volume as a bar of its parts, in ms, with the 95 % half-width; as SVG text.

    `volumes` is `Run.volumes`, or any frame with volume, pend_ms, disc_ms, conn_ms and response_ms (and
    response_ms_half_width); at most the 40 slowest are drawn.

    >>> import polars
    >>> row = {"volume": ["A"], "pend_ms": [0.2], "disc_ms": [0.2], "conn_ms": [0.9], "response_ms": [2.1]}
    >>> "queued" in volumes_bar(polars.DataFrame(row))
    True
    """
    slowest = volumes if volumes.height <= 40 else volumes.sort("response_ms", descending=True).head(40)
    names = [str(name) for name in slowest["volume"]]
    response = _numbers(slowest["response_ms"])
    with _ink():
        figure = _figure(7.2, 1.1 + 0.26 * max(1, len(names)))
        axis = figure.subplots()
        left = [0.0] * len(names)
        shades = ((_SERIES[0], 0.25), (_SERIES[0], 0.55), (_SERIES[0], 1.0), (_SERIES[1], 1.0))
        parts = [(label, _numbers(slowest[name])) for name, label in _PARTS]
        served = [sum(values) for values in zip(*(values for _, values in parts), strict=True)]
        waits = [max(0.0, total - part) for total, part in zip(response, served, strict=True)]
        for index, (label, values) in enumerate([*parts, ("queued", waits)]):
            colour, alpha = shades[index]
            axis.barh(
                names, values, left=left, height=0.7, label=label, color=colour, alpha=alpha,
                hatch="////" if index == 3 else "", edgecolor=_PAPER, linewidth=0.6,
            )  # fmt: skip
            left = [a + b for a, b in zip(left, values, strict=True)]
        if "response_ms_half_width" in slowest.columns:
            width = _numbers(slowest["response_ms_half_width"])
            axis.errorbar(response, names, xerr=width, fmt="none", ecolor=_INK, elinewidth=1, capsize=2)
        axis.set_ylim(len(names) - 0.4, -0.6)
        axis.grid(visible=False, axis="y")
        axis.set_xlabel("Response time, ms")
        _legend(figure, [axis])
        return _svg(figure, "volumes")


def _panel(axis: Axes, panel: Panel) -> None:
    for index, one in enumerate(panel.curves):
        colour = _SERIES[index % len(_SERIES)]
        y = [_or_nan(value) for value in one.y]
        if one.low is not None and one.high is not None:
            low, high = ([_or_nan(value) for value in side] for side in (one.low, one.high))
            axis.fill_between(one.x, low, high, color=colour, alpha=0.13, linewidth=0, label=_BANDS[1])
        if one.half_width is not None:
            noise = [_or_nan(value) for value in one.half_width]
            below = [a - b for a, b in zip(y, noise, strict=True)]
            above = [a + b for a, b in zip(y, noise, strict=True)]
            axis.fill_between(one.x, below, above, color=colour, alpha=0.35, linewidth=0, label=_BANDS[0])
        axis.plot(one.x, y, _STYLES[index % len(_STYLES)], color=colour, linewidth=1.8, label=one.label)
    for index, some in enumerate(panel.points):
        axis.errorbar(
            some.x, some.y, yerr=some.margin, fmt=_MARKERS[index % len(_MARKERS)], color=_INK, markerfacecolor=_PAPER,
            markersize=6, markeredgewidth=1.4, elinewidth=1, capsize=3, zorder=5, label=some.label,
        )  # fmt: skip
    axis.set_title(panel.label, loc="left")
    axis.set_ylim(bottom=0)
    for x, text in panel.marks:
        axis.axvline(x, color=_INK, linewidth=0.8, linestyle=(0, (2, 2)))
        axis.annotate(
            text, (x, 1), xycoords=("data", "axes fraction"), xytext=(3, -9), textcoords="offset points", fontsize=8
        )
    _whole_numbers(axis, [x for one in panel.curves for x in one.x])


def _whole_numbers(axis: Axes, xs: Sequence[float]) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    if all(float(x).is_integer() for x in xs):
        axis.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=7))
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))


def _legend(figure: Figure, axes: Sequence[Axes]) -> None:
    seen: dict[str, Any] = {}
    for axis in axes:
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
            seen.setdefault(label, handle)
    if seen:
        labels = sorted(seen, key=lambda label: label in _BANDS)
        handles = [seen[label] for label in labels]
        figure.legend(handles, labels, loc="outside lower center", ncols=min(7, len(labels)), frameon=False)


def _numbers(column: polars.Series) -> list[float]:
    return [0.0 if value is None or not math.isfinite(value) else float(value) for value in column]


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _ink() -> Any:
    """The settings of every picture; colours are stand-ins that the page's style sheet replaces."""
    cache = Path(sys.prefix) / "var" / "matplotlib"
    if sys.prefix != sys.base_prefix and os.access(sys.prefix, os.W_OK):
        cache.mkdir(parents=True, exist_ok=True)
        os.environ.setdefault("MPLCONFIGDIR", str(cache))
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    import matplotlib as mpl

    return mpl.rc_context(
        {
            "svg.fonttype": "none", "font.family": "DejaVu Sans", "font.size": 9, "text.color": _INK,
            "axes.edgecolor": _INK, "axes.labelcolor": _INK, "axes.titlesize": 10, "axes.titleweight": "bold",
            "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.8, "axes.grid": True,
            "axes.axisbelow": True, "grid.color": _GRID, "grid.linewidth": 0.7, "hatch.linewidth": 0.6,
            "xtick.color": _INK, "ytick.color": _INK, "legend.fontsize": 8.5, "axes.titlecolor": _INK,
        }
    )  # fmt: skip


def _figure(width: float, height: float) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    figure.patch.set_alpha(0)
    return figure


def _svg(figure: Figure, salt: str) -> str:
    import io

    import matplotlib as mpl

    for axis in figure.axes:
        axis.patch.set_alpha(0)
    out = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": f"slicewright {salt}"}):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = out.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"'?DejaVu Sans'?[^;\"]*", FONT, text)
    names = {_INK: "var(--ink, #1c2430)", _GRID: "var(--grid, #dfe3e8)", _PAPER: "var(--paper, #ffffff)"}
    names |= {colour: f"var(--series-{index + 1}, {colour})" for index, colour in enumerate(_SERIES)}
    for colour, name in names.items():
        text = text.replace(colour, name)
    return text

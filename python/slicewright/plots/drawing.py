"""What every picture is drawn with: inks that a page's style sheet replaces, shapes, legends, and SVG text.

It leaves out pictures.  The same input gives the same bytes: no date, no random ids, text kept as text.
"""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import math
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FONT = "system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"

INK, GRID, PAPER = "#010203", "#040506", "#070809"
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
"""Okabe and Ito's colours that can be told apart by everybody; line style and marker tell them apart in grey."""
STYLES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "D", "^")
BANDS = ("95 % interval", "range of readings")


def whole_numbers(axis: Axes, xs: Sequence[float]) -> None:
    """Ticks that an axis of counts has, and numbers up its side as people print them.

    >>> with ink():
    ...     axis = figure_of(2, 1).subplots()
    ...     whole_numbers(axis, [0, 1, 2])
    """
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    if all(float(x).is_integer() for x in xs):
        axis.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=7))
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))


def legend(figure: Figure, axes: Sequence[Axes], *, joint: bool = False) -> None:
    """One legend under all axes, every label once, bands last; where axes show different things, one in each of them.

    `joint` where a label looks the same in all of them, so that one legend does for axes that show different ones too.

    >>> with ink():
    ...     figure = figure_of(2, 1)
    ...     axis = figure.subplots()
    ...     _ = axis.plot([0, 1], [0, 1], label="simulated")
    ...     legend(figure, [axis])
    """
    own: list[dict[str, Any]] = [{} for _ in axes]
    seen: dict[str, Any] = {}
    for axis, labelled in zip(axes, own, strict=True):
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
            labelled.setdefault(label, handle)
            seen.setdefault(label, handle)
    shown = [set(labelled) - set(BANDS) for labelled in own]
    if not joint and any(one - other and other - one for one in shown for other in shown):
        # In a joint legend one line would stand for two things.
        for axis, labelled in zip(axes, own, strict=True):
            mine = [label for label in labelled if label not in BANDS]
            if mine:
                axis.legend([labelled[label] for label in mine], mine, loc="best", frameon=False)
        seen = {label: handle for label, handle in seen.items() if label in BANDS}
    if seen:
        labels = sorted(seen, key=lambda label: label in BANDS)
        handles = [seen[label] for label in labels]
        room = max(1, int(figure.get_figwidth() / 1.3))
        figure.legend(handles, labels, loc="outside lower center", ncols=min(room, len(labels)), frameon=False)


def numbers(column: polars.Series) -> list[float]:
    """The values of a column; what is not known or not finite is drawn as nothing.

    >>> import polars
    >>> numbers(polars.Series([1.5, None]))
    [1.5, 0.0]
    """
    return [0.0 if value is None or not math.isfinite(value) else float(value) for value in column]


def or_nan(value: float | None) -> float:
    """A value, or a gap.

    >>> or_nan(1), or_nan(None)
    (1.0, nan)
    """
    return math.nan if value is None else float(value)


def ink() -> Any:
    """The settings of every picture; colours are stand-ins that the page's style sheet replaces.

    They are matplotlib's own and ours: no matplotlibrc and no style of whoever calls has a say in a picture.

    >>> with ink():
    ...     f"{figure_of(2, 1).get_figwidth():.0f} inches"
    '2 inches'
    """
    cache = Path(sys.prefix) / "var" / "matplotlib"
    if sys.prefix != sys.base_prefix and os.access(sys.prefix, os.W_OK):
        cache.mkdir(parents=True, exist_ok=True)
        os.environ.setdefault("MPLCONFIGDIR", str(cache))
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    _import_matplotlib()
    import matplotlib as mpl

    defaults: dict[Any, Any] = {name: value for name, value in mpl.rcParamsDefault.items() if name != "backend"}
    return mpl.rc_context(
        defaults
        | {
            "svg.fonttype": "none", "font.family": "DejaVu Sans", "font.size": 9, "text.color": INK,
            "axes.edgecolor": INK, "axes.labelcolor": INK, "axes.titlesize": 10, "axes.titleweight": "bold",
            "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.8, "axes.grid": True,
            "axes.axisbelow": True, "grid.color": GRID, "grid.linewidth": 0.7, "hatch.linewidth": 0.6,
            "xtick.color": INK, "ytick.color": INK, "legend.fontsize": 8.5, "axes.titlecolor": INK,
        }
    )  # fmt: skip


def _import_matplotlib() -> None:
    """Import it where its own settings are: it first looks for a matplotlibrc in the current folder."""
    spec = None if "matplotlib" in sys.modules else importlib.util.find_spec("matplotlib")
    if spec is None or spec.origin is None:
        return
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # a folder that is gone or may not be read has no settings for us either
            here = os.open(".", os.O_RDONLY)
            stack.callback(os.close, here)
            os.chdir(Path(spec.origin).parent / "mpl-data")
            stack.callback(os.fchdir, here)
        importlib.import_module("matplotlib")


def figure_of(width: float, height: float) -> Figure:
    """An empty figure, so many inches wide and high, without a background.

    >>> f"{figure_of(4, 3).get_figheight():.0f} inches"
    '3 inches'
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    figure.patch.set_alpha(0)
    return figure


def svg_of(figure: Figure, salt: str) -> str:
    """The figure as SVG text whose colours a page's style sheet may set; `salt` keeps ids of pictures apart.

    >>> with ink():
    ...     svg_of(figure_of(2, 1), "empty").startswith("<svg")
    True
    """
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
    names = {INK: "var(--ink, #1c2430)", GRID: "var(--grid, #dfe3e8)", PAPER: "var(--paper, #ffffff)"}
    names |= {colour: f"var(--series-{index + 1}, {colour})" for index, colour in enumerate(SERIES)}
    for colour, name in names.items():
        text = text.replace(colour, name)
    return text

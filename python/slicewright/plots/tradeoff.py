"""What is gained against what it costs: a lettered point per choice, with its interval both ways.

It leaves out what is drawn: who calls it has the numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from slicewright.plots.drawing import BANDS, INK, MARKERS, PAPER, SERIES, figure_of, ink, svg_of

OFFSETS = ((5, 4), (-11, 4), (5, -11), (-11, -11))
"""Where letters stand, by turns, so that those of near points do not hide each other; in points."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A choice: its name, mean and half-width across and up, and the range up over readings, if there is one.

    >>> Spot("vertical", (426.0, 3.0), (386.0, 3.0)).between is None
    True
    """

    name: str
    across: tuple[float, float]
    up: tuple[float, float]
    between: tuple[float, float] | None = None


def tradeoff(spots: Sequence[Spot], across: str, up: str) -> str:
    """Spots in one pair of axes, as SVG text; letters stand for names, which are beside.  Axes do not start at 0.

    Raises ValueError without spots.

    >>> tradeoff([Spot("vertical", (426.0, 3.0), (386.0, 3.0))], "Processor time, %", "Work, %").startswith("<svg")
    True
    """
    if not spots:
        raise ValueError("a picture needs at least one point")
    with ink():
        figure = figure_of(7.4, 3.6)
        axis = figure.subplots()
        for at, one in enumerate(spots):
            colour = SERIES[at % len(SERIES)]
            if one.between is not None:
                axis.vlines(one.across[0], *one.between, color=colour, alpha=0.25, linewidth=6, label=BANDS[1])
            axis.errorbar(
                one.across[0], one.up[0], xerr=one.across[1], yerr=one.up[1],
                fmt=MARKERS[at // len(SERIES) % len(MARKERS)], color=colour, markerfacecolor=PAPER, markersize=6,
                markeredgewidth=1.4, elinewidth=1, capsize=2, zorder=5, label=f"{_letter(at)}  {one.name}",
            )  # fmt: skip
            axis.annotate(
                _letter(at), (one.across[0], one.up[0]), xytext=OFFSETS[at % len(OFFSETS)],
                textcoords="offset points", fontsize=8.5, color=INK, zorder=6,
            )  # fmt: skip
        axis.margins(0.12)
        axis.set_xlabel(across)
        axis.set_ylabel(up)
        labels: dict[str, Any] = {}
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
            labels.setdefault(label, handle)
        names = sorted(labels, key=lambda label: label in BANDS)
        figure.legend([labels[name] for name in names], names, loc="outside right upper", frameon=False)
        return svg_of(figure, across + up)


def _letter(at: int) -> str:
    return chr(ord("A") + at % 26) + ("" if at < 26 else str(at // 26 + 1))

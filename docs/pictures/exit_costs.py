"""The picture of what a pair of ENQ and DEQ costs with each structure of exits: what for, the lock held or not.

It leaves out waiting for the lock: this is one pair by itself, by the default prices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slicewright.enq import Resource, Task
from slicewright.exits import Complex, Stretch
from slicewright.plots.drawing import INK, SERIES, figure_of, ink, svg_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LANES = {
    "svc-front-end": "front end",
    "batch": "batch",
    "prebatch-pooled-1.4": "prebatch, pool",
    "prebatch-single-area": "prebatch, single area",
}
"""The structures as they are drawn; the two with pools are alike."""
COLOURS = {
    "front end": "#b9d3ea", "base": SERIES[0], "fast": SERIES[2], "storage": SERIES[3], "slow": SERIES[1],
    "message": "#dfe3e8",
}  # fmt: skip
FREE = "////"
"""How a stretch looks during which the lock is free."""
SHARED = "RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(SHARED)"


def exit_costs() -> str:
    """A bar for each structure, of a local pair and of one that a manager shares."""
    from matplotlib.patches import Patch

    pairs = {"A local name": Resource("OWN", "R", "SYSTEM"), "A name that the manager shares": Resource("SHARED", "R")}
    with ink():
        figure = figure_of(9.8, 2.7)
        axes = figure.subplots(1, len(pairs), sharey=True, sharex=True)
        for axis, (title, name) in zip(axes, pairs.items(), strict=True):
            for lane, structure in enumerate(LANES):
                _bar(axis, lane, _stretches(structure, name))
            axis.set_title(title, loc="left")
            axis.set_xlabel("Processor time of an ENQ and a DEQ, us")
            axis.grid(visible=False, axis="y")
        axes[0].set_ylim(len(LANES) - 0.4, -0.6)
        axes[0].set_yticks(range(len(LANES)), list(LANES.values()))
        drawn = [piece for piece in COLOURS if piece != "front end"]
        patches = [Patch(facecolor=COLOURS[piece], label=piece, edgecolor=INK, linewidth=0.3) for piece in drawn]
        patches.append(Patch(facecolor="#ffffff", hatch=FREE, label="the lock is free", edgecolor=INK, linewidth=0.3))
        figure.legend(handles=patches, loc="outside lower center", ncols=len(patches), frameon=False, fontsize=8)
        return svg_of(figure, "what exits cost")


def _stretches(structure: str, name: Resource) -> list[Stretch]:
    systems = Complex()
    systems.join(1, structure, managed=SHARED)
    enq = systems.enq(Task(1), name).account
    return enq.stretches() + systems.deq(Task(1), name).account.stretches()


def _bar(axis: Axes, lane: int, stretches: list[Stretch]) -> None:
    """The stretches in their order, and how long they are together."""
    left = 0.0
    for one in stretches:
        axis.barh(
            lane, one.us, left=left, height=0.66, color=COLOURS[one.piece], hatch="" if one.locked else FREE,
            edgecolor=INK, linewidth=0.3,
        )  # fmt: skip
        left += one.us
    axis.text(left + 6, lane, f"{left:.0f}", ha="left", va="center", fontsize=7, color=INK)

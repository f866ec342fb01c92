"""The picture of what a pair of ENQ and DEQ costs with each structure of exits: what for, the lock held or not."""

from __future__ import annotations

from dataclasses import replace

from slicewright.report.figure import Figure, Look, Panel, Series
from slicewright.serialization.enq import Resource, Task
from slicewright.serialization.exits import Complex, Stretch

LANES = {
    "svc-front-end": "front end",
    "batch": "batch",
    "prebatch-pooled-1.4": "prebatch, pool",
    "prebatch-single-area": "prebatch, single area",
}
"""The structures as they are drawn; the two with pools are alike."""
LOOKS = {
    "front end": Look(6, 0.45), "base": Look(1), "fast": Look(3), "storage": Look(4), "slow": Look(2),
    "message": Look(0, 0.12),
}  # fmt: skip
FREE = "the lock is free"
"""The name of the texture of a stretch during which it is."""
SHARED = "RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(SHARED)"


def exit_costs() -> Figure:
    """A bar for each structure, of a local pair and of one that a manager shares."""
    pairs = {"A local name": Resource("OWN", "R", "SYSTEM"), "A name that the manager shares": Resource("SHARED", "R")}
    found = {title: [_stretches(structure, name) for structure in LANES] for title, name in pairs.items()}
    most = max(sum(stretch.us for stretch in stretches) for lanes in found.values() for stretches in lanes)
    panels = [
        Panel("Processor time of an ENQ and a DEQ, us", _series(lanes), title=title, names=list(LANES.values()),
              limits=(0, round(1.12 * most)))
        for title, lanes in found.items()
    ]  # fmt: skip
    return Figure(panels, layout="rows", row=32)


def _stretches(structure: str, name: Resource) -> list[Stretch]:
    systems = Complex()
    systems.join(1, structure, managed=SHARED)
    enq = systems.enq(Task(1), name).account
    return enq.stretches() + systems.deq(Task(1), name).account.stretches()


def _series(lanes: list[list[Stretch]]) -> list[Series]:
    """The stretches of each lane in their order, and how long they are together."""
    x, low, high, looks, groups = [], [], [], [], []
    for lane, stretches in enumerate(lanes):
        start = 0.0
        for stretch in stretches:
            x.append(lane)
            low.append(start)
            high.append(start := start + stretch.us)
            looks.append(LOOKS[stretch.piece] if stretch.locked else replace(LOOKS[stretch.piece], texture="hatched"))
            groups.append(stretch.piece)
    spans = Series(x, [None] * len(x), None, "", "spans", low, high, look=looks, groups=groups, thickness=0.66)
    free = Series([], [], None, FREE, "spans", [], [], look=Look(0, 0.02, "hatched"))
    rows = range(len(lanes))
    sums = [sum(stretch.us for stretch in stretches) for stretches in lanes]
    texts = [f"{us:.0f}" for us in sums]
    return [spans, free, Series(rows, sums, None, "", "ticks", names=texts, tips=texts, look=Look(0, 0.0))]

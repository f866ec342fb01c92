"""A window of a kept timeline in about as many rows as a screen has pixels: spans and waits, or summaries of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slicewright.timeline.gathering import Array, Columns
from slicewright.timeline.kept import Kept
from slicewright.timeline.summaries import KINDS, NO_STATE, Bins, LaneSummary, levels, waiting

NARROWEST_US = 2.0**-12
"""The narrowest bin; the engine counts time in units of this length."""

Tables = dict[str, Columns]


@dataclass(frozen=True, slots=True)
class Asked:
    """From when to when, for how many pixels, of which lanes; with a holder, of its spans and waits alone."""

    from_us: float
    to_us: float
    pixels: int
    lanes: range
    holder: int | None = None

    @property
    def width_us(self) -> float:
        """The width of a bin: the power of two that is a pixel, or less than twice as fine."""
        return max(NARROWEST_US, 2.0 ** math.floor(math.log2((self.to_us - self.from_us) / self.pixels)))


def window(kept: Kept, asked: Asked) -> Tables:
    """The window as tables: `spans`, `waits`, `yields` and `changes` row by row, `bins` and `waiting` as summaries.

    A lane has its spans where they are no more than pixels, and bins where they are more; its waits likewise.
    """
    width = asked.width_us
    first = math.floor(max(0.0, asked.from_us - kept.from_us) / width)
    last = math.ceil((min(asked.to_us, kept.to_us) - kept.from_us) / width)
    bins = Bins(kept.from_us + first * width, width, max(0, last - first), kept.to_us)
    spans, waits, shares, counts = [], [], [], []
    for lane in asked.lanes:
        own = _own(kept, "spans", _within(kept, "spans", kept.spans_of(lane), asked), asked)
        if len(own) > asked.pixels:
            shares.append(_shares(kept, lane, bins, own, asked))
        else:
            spans.append(own)
        below = _below(kept, lane, asked)
        if len(below) > asked.pixels:
            counts.append(_waiting(kept, lane, bins, below, asked))
        else:
            waits.append(below)
    return {
        "spans": kept.rows("spans", _all(spans)) | {"number": _all(spans)},
        "waits": kept.rows("waits", _all(waits)) | {"number": _all(waits)},
        "bins": _joined(shares, ("use", "delay", "state", "holder")),
        "waiting": _joined(counts, ("waiting",)),
        "changes": _sparse(kept, "changes", asked),
        "yields": _sparse(kept, "yields", asked),
    }


def _within(kept: Kept, table: str, rows: slice, asked: Asked) -> slice:
    """The rows that overlap the window, of rows that do not overlap each other."""
    first = np.searchsorted(kept.column(f"{table}.to")[rows], asked.from_us, "right")
    last = np.searchsorted(kept.column(f"{table}.from")[rows], asked.to_us, "left")
    return slice(rows.start + int(first), rows.start + max(int(first), int(last)))


def _own(kept: Kept, table: str, rows: slice, asked: Asked) -> Array:
    """The numbers of rows; with a holder those of its rows."""
    if asked.holder is None:
        return np.arange(rows.start, rows.stop)
    numbers: Array = rows.start + np.flatnonzero(kept.column(f"{table}.holder")[rows] == asked.holder)
    return numbers


def _stored(kept: Kept, lane: int, bins: Bins, names: Sequence[str]) -> Columns | None:
    """Summaries of a lane as they were written; None where they are not that fine."""
    for at, level in levels(kept.finest):
        if level.width_us == bins.width_us:
            first = at + round((bins.first_us - kept.from_us) / bins.width_us)
            return {name: kept.column(f"summary.{name}")[lane, first : first + bins.count] for name in names}
    return None


def _shares(kept: Kept, lane: int, bins: Bins, own: Array, asked: Asked) -> Columns:
    """The bins of a lane in which there is something."""
    found = None if asked.holder is not None else _stored(kept, lane, bins, ("use", "delay", "state", "holder"))
    if found is None:
        found = LaneSummary(kept.rows("spans", own), bins, kept.states).columns()
    return _some(found, lane, found["state"] != NO_STATE)


def _below(kept: Kept, lane: int, asked: Asked) -> Array:
    """The waits below a lane, row by row; those that found no row may overlap each other."""
    *rows, deeper = kept.rows_below(lane)
    found = [_own(kept, "waits", _within(kept, "waits", row, asked), asked) for row in rows]
    begun = np.searchsorted(kept.column("waits.from")[deeper], asked.to_us, "left")
    rest = _own(kept, "waits", slice(deeper.start, deeper.start + int(begun)), asked)
    return np.concatenate([*found, rest[kept.column("waits.to")[rest] > asked.from_us]])


def _waiting(kept: Kept, lane: int, bins: Bins, below: Array, asked: Asked) -> Columns:
    """How many wait below a lane, on average, in the bins in which any does."""
    found = None if asked.holder is not None else _stored(kept, lane, bins, ("waiting",))
    if found is None:
        found = {"waiting": waiting(kept.column("waits.from")[below], kept.column("waits.to")[below], bins)}
    return _some(found, lane, found["waiting"] > 0)


def _some(columns: Columns, lane: int, which: Array) -> Columns:
    number = np.flatnonzero(which).astype(np.int32)
    rows = {name: column[number] for name, column in columns.items()}
    return {"lane": np.full(len(number), lane, np.int32), "bin": number, **rows}


def _joined(parts: Iterable[Columns], names: Sequence[str]) -> Columns:
    found = list(parts)
    kinds = {"lane": np.int32, "bin": np.int32, **{name: KINDS[name] for name in names}}
    return {
        name: np.concatenate([part[name] for part in found]) if found else np.zeros(0, kind)
        for name, kind in kinds.items()
    }


def _all(numbers: Sequence[Array]) -> Array:
    return np.concatenate(numbers) if numbers else np.zeros(0, np.int64)


def _sparse(kept: Kept, table: str, asked: Asked) -> Columns:
    """Instants in the window; one of a pixel where there are more than pixels."""
    at = kept.column(f"{table}.at")
    first, last = np.searchsorted(at, [asked.from_us, asked.to_us])
    number = np.arange(first, last)
    if table == "yields":
        lane = kept.column("yields.lane")[first:last]
        number = number[(lane >= asked.lanes.start) & (lane < asked.lanes.stop)]
    if len(number) > asked.pixels:
        pixel = np.floor(at[number] / asked.width_us)
        number = number[np.flatnonzero(np.diff(pixel, prepend=-np.inf))]
    return kept.rows(table, number)


def _row_of(kept: Kept, table: str, number: int) -> dict[str, Any]:
    """One span or wait in words and numbers, for JSON; `to_us` is None for what has no end."""
    texts = kept.facts["texts"]
    value = {name: column.item() for name, column in kept.rows(table, np.array([number])).items()}
    end = value["to"]
    row = {
        "number": number, "lane": value["lane"], "from_us": value["from"], "to_us": None if math.isinf(end) else end,
        "holder": kept.text("holder", value["holder"]) if value["holder"] >= 0 else None,
    }  # fmt: skip
    if table == "waits":
        words = {"kind": texts["kind"][value["kind"]], "where": texts["where"][value["where"]]}
        return row | words | {"why": kept.text("why", value["why"]), "row": value["row"]}
    on = kept.lanes[value["on"]].label if value["on"] >= 0 else None
    return row | {"state": texts["state"][value["state"]], "what": texts["what"][value["what"]], "on": on}


def longest(kept: Kept, asked: Asked | None, first: int, most: int) -> dict[str, Any]:
    """The longest waits, the first of them and how many there are; with a window those in it, and its spans."""
    order = kept.column("longest")
    if asked is None:
        return {"waits": [_row_of(kept, "waits", int(at)) for at in order[first : first + most]], "count": len(order)}
    inside = (kept.column("waits.from") < asked.to_us) & (kept.column("waits.to") > asked.from_us)
    lane = kept.column("waits.lane")
    inside &= (lane >= asked.lanes.start) & (lane < asked.lanes.stop)
    found = order[inside[order]] if len(order) else order
    rows = [_within(kept, "spans", kept.spans_of(lane), asked) for lane in asked.lanes]
    spans = sum(row.stop - row.start for row in rows)
    shown = [_row_of(kept, "waits", int(at)) for at in found[first : first + most]]
    return {"waits": shown, "count": len(found), "spans": spans}


def near(kept: Kept, at_us: float, *, lane: int | None, holder: int | None, back: bool) -> dict[str, Any] | None:
    """The first span of a lane or a holder that begins after an instant, or the last that begins before it."""
    rows = kept.spans_of(lane) if lane is not None else slice(0, len(kept.column("spans.from")))
    start = kept.column("spans.from")[rows]
    which = start < at_us if back else start > at_us
    if holder is not None:
        which &= kept.column("spans.holder")[rows] == holder
    number = np.flatnonzero(which)
    if not len(number):
        return None
    best = start[number].argmax() if back else start[number].argmin()
    return _row_of(kept, "spans", rows.start + int(number[best]))


def lane_facts(kept: Kept) -> list[dict[str, Any]]:
    """Each lane with its label, and how many rows of waits are below it."""

    def rows(lane: int) -> int:
        used = [row.stop > row.start for row in kept.rows_below(lane)]
        return max((number + 1 for number, some in enumerate(used) if some), default=0)

    return [
        {"label": lane.label, "kind": lane.kind, "of": lane.of, "rows": rows(number)}
        for number, lane in enumerate(kept.lanes)
    ]

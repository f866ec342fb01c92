"""A whole timeline for the page: gathered from the engine, summarised, kept in a folder, and looked at in windows.

A window has about as many rows as a screen has pixels: spans and waits, or summaries of them.  A summary has of each
bin the shares in use and delayed, and the main state and holder.  Bins are a power of two of microseconds wide and
count from the start of the timeline.  The finest bins of a lane have a few spans each.  Bins of twice the width come
from pairs, and so on until one bin has everything.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from slicewright.timeline.recorded import Lane

Array = np.ndarray[Any, Any]
Columns = dict[str, Array]

ROWS = 5
"""Waits that are drawn below each other; further ones are only counted there."""
DEEPER, NOT_BELOW = ROWS, ROWS + 1
"""The rows of waits that found no room, and of those that the lane itself shows as a state."""


class _Codes(dict[str, int]):
    """A number for each text, in the order in which they come."""

    def __missing__(self, text: str) -> int:
        self[text] = len(self)
        return self[text]

    def of(self, texts: Sequence[str], kind: type) -> Array:
        return np.fromiter(map(self.__getitem__, texts), kind, len(texts))


@dataclass
class Gathered:
    """Lanes, spans, waits, changes and yields of a whole stretch; texts are numbers into `texts`."""

    facts: dict[str, Any]
    lanes: dict[str, list[str]]
    texts: dict[str, list[str]]
    spans: Columns
    waits: Columns
    changes: Columns
    yields: Columns


@dataclass
class Gathering:
    """Takes the parts of a timeline as they come, and the rest at the end."""

    _codes: dict[str, _Codes] = field(default_factory=dict)
    _parts: dict[str, list[Columns]] = field(default_factory=dict)

    def take(self, raw: Mapping[str, Any]) -> None:
        """Keep one part, whose lanes are places."""
        holders = self._of("holder").of(raw["holders"]["name"], np.int32)
        spans, waits = raw["spans"], raw["waits"]
        self._add("spans", {
            "lane": np.array(spans["lane"], np.int32), "holder": _holder(holders, spans["holder"]),
            "from": np.array(spans["from_us"], np.float64), "to": _end(spans["to_us"]),
            "state": self._of("state").of(spans["state"], np.uint8),
            "what": self._of("what").of(spans["what"], np.int32), "on": _number(spans["on"]),
        })  # fmt: skip
        self._add("waits", {
            "lane": np.array(waits["lane"], np.int32), "holder": _holder(holders, waits["holder"]),
            "from": np.array(waits["from_us"], np.float64), "to": _end(waits["to_us"]),
            "kind": self._of("kind").of(waits["kind"], np.uint8),
            "where": self._of("where").of(waits["where"], np.int32), "why": self._of("why").of(waits["why"], np.int32),
        })  # fmt: skip
        changes, yields = raw["changes"], raw["yields"]
        what = self._of("change").of(changes["what"], np.int32)
        self._add("changes", {"at": np.array(changes["at_us"], np.float64), "what": what})
        self._add("yields", {
            "at": np.array(yields["at_us"], np.float64), "lane": np.array(yields["lane"], np.int32),
            "on": np.array(yields["on"], np.int32), "what": self._of("yield").of(yields["what"], np.int32),
        })  # fmt: skip

    def whole(self, rest: Mapping[str, Any]) -> Gathered:
        """All parts and the rest, which has lanes: spans by lane and time, waits by lane, row and time."""
        lane_of = np.array([*rest["places"], -1], np.int32)
        for column, tables in (("lane", ("spans", "waits", "yields")), ("on", ("spans", "yields"))):
            for table in tables:
                for part in self._parts.get(table, []):
                    part[column] = lane_of[part[column]]
        self.take(rest)
        end = rest["to_us"]
        spans, waits = (_until(self._joined(table), end) for table in ("spans", "waits"))
        spans = _sorted(spans, "from", "lane")
        waits = _sorted(waits, "holder", "from")
        waits["row"] = _rows(waits, list(self._of("kind")), rest["lanes"]["kind"])
        return Gathered(
            {name: rest[name] for name in ("from_us", "to_us")}, rest["lanes"],
            {name: list(codes) for name, codes in self._codes.items()},
            spans, _sorted(waits, "from", "row", "lane"), self._joined("changes"), self._joined("yields"),
        )  # fmt: skip

    def _of(self, name: str) -> _Codes:
        return self._codes.setdefault(name, _Codes())

    def _add(self, table: str, columns: Columns) -> None:
        self._parts.setdefault(table, []).append(columns)

    def _joined(self, table: str) -> Columns:
        parts = self._parts.pop(table)
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _holder(holders: Array, column: Iterable[int | None]) -> Array:
    own = np.append(holders, np.int32(-1))
    return own[_number(column)]


def _number(column: Iterable[int | None]) -> Array:
    """Numbers; -1 for None."""
    return np.array([-1 if value is None else value for value in column], np.int32)


def _end(column: Sequence[float | None]) -> Array:
    """Ends; infinite for what lasts beyond the stretch."""
    found = np.array(column, np.float64)
    found[np.isnan(found)] = np.inf
    return found


def _until(columns: Columns, end_us: float) -> Columns:
    """The rows that began before the end; those that go on beyond it have no end."""
    columns["to"][columns["to"] > end_us] = np.inf
    begun = columns["from"] < end_us
    return columns if begun.all() else {name: column[begun] for name, column in columns.items()}


def _sorted(columns: Columns, *keys: str) -> Columns:
    """The rows by the last of these keys, then by those before it."""
    order = np.lexsort([columns[key] for key in keys])
    return {name: column[order] for name, column in columns.items()}


def _rows(waits: Columns, kinds: Sequence[str], lane_kinds: Sequence[str]) -> Array:
    """The row below its lane in which each wait is drawn: the first that is free when it begins."""
    shown = np.array([kind != "virtual-processor" for kind in lane_kinds], bool)[waits["lane"]]
    if "held" in kinds:
        shown &= waits["kind"] != kinds.index("held")
    rows = np.full(len(shown), NOT_BELOW, np.uint8)
    free = [[-np.inf] * ROWS for _ in lane_kinds]
    found = []
    below = np.flatnonzero(shown)
    columns = (waits[name][below].tolist() for name in ("lane", "from", "to"))
    for lane, start, end in zip(*columns, strict=True):
        ends = free[lane]
        for row in range(ROWS):
            if ends[row] <= start:
                ends[row] = end
                found.append(row)
                break
        else:
            found.append(DEEPER)
    rows[below] = found
    return rows


IN_USE = frozenset(
    ("busy", "working", "handling-interrupt", "control-program", "running", "locked", "taken", "owned", "shared")
)
"""States in which a lane does what it is there for."""
DELAYED = frozenset(
    ("held", "interrupt-pending", "work-not-dispatched", "waking", "cpu-wait", "interrupted", "limited")
)
"""States in which work of the lane waits; in the others there is no work, or the lane is not there."""
NO_STATE = 255
SPANS_IN_BIN = 4
"""Spans of an average lane in one of its finest bins."""
_KEPT_HOLDERS = 4
"""Holders of a bin that are remembered for the next wider one."""

KINDS: Mapping[str, type] = {
    "use": np.float32, "delay": np.float32, "waiting": np.float32, "state": np.uint8, "holder": np.int32,
}  # fmt: skip
"""The columns of summaries, all by lane and bin: shares of time, mean number waiting, and what had most of the bin."""


@dataclass(frozen=True, slots=True)
class _Bins:
    """Bins of one width from an instant on; what is after the end counts for none."""

    first_us: float
    width_us: float
    count: int
    end_us: float = math.inf

    @property
    def last_us(self) -> float:
        """Where the last bin ends, or what is counted."""
        return min(self.first_us + self.width_us * self.count, self.end_us)

    @property
    def edges(self) -> Array:
        """The starts of all bins and the end of the last."""
        return self.first_us + self.width_us * np.arange(self.count + 1)

    def pieces(self, start: Array, end: Array) -> tuple[Array, Array, Array]:
        """Intervals cut at the edges: for each piece its interval, its bin, and its length in us.

        >>> interval, number, length = _Bins(0.0, 2.0, 2).pieces(np.array([1.0]), np.array([3.5]))
        >>> interval.tolist(), number.tolist(), length.tolist()
        ([0, 0], [0, 1], [1.0, 1.5])
        """
        start = np.maximum(start, self.first_us)
        end = np.minimum(end, self.last_us)
        first = np.floor((start - self.first_us) / self.width_us).astype(np.int64)
        last = np.ceil((end - self.first_us) / self.width_us).astype(np.int64) - 1
        counts = np.maximum(0, last - first + 1)
        interval = np.repeat(np.arange(len(start)), counts)
        number = np.arange(len(interval)) - np.repeat(np.cumsum(counts) - counts, counts) + first[interval]
        left = self.first_us + self.width_us * number
        length = np.minimum(end[interval], left + self.width_us) - np.maximum(start[interval], left)
        return interval, number, length


@dataclass(frozen=True, slots=True)
class _States:
    """The states of a timeline by number: which mean use, which delay."""

    use: Array
    delay: Array

    @classmethod
    def of(cls, names: list[str]) -> _States:
        """The states of these names."""
        return cls(np.array([name in IN_USE for name in names]), np.array([name in DELAYED for name in names]))


class _LaneSummary:
    """The time of the spans of one lane in each bin, in us: by state, and by the holders with most of it."""

    def __init__(self, spans: Columns, bins: _Bins, states: _States) -> None:
        interval, number, length = bins.pieces(spans["from"], spans["to"])
        count = len(states.use)
        cells = number * count + spans["state"][interval]
        self._time = np.bincount(cells, length, bins.count * count).reshape(bins.count, count)
        self._states, self._width = states, bins.width_us
        held = spans["holder"][interval] >= 0
        self._held = _most_first(number[held], spans["holder"][interval][held], length[held])

    def columns(self) -> Columns:
        """The columns of this width, by bin."""
        bins, count = self._time.shape
        state = np.full(bins, NO_STATE, np.uint8)
        if count:
            busy = self._time.max(axis=1) > 0
            state[busy] = self._time.argmax(axis=1)[busy]
        holder = np.full(bins, -1, np.int32)
        number, who, _ = self._held
        first = np.flatnonzero(np.diff(number, prepend=-1))
        holder[number[first]] = who[first]
        shares = {
            name: (self._time[:, which].sum(axis=1) / self._width).astype(np.float32)
            for name, which in (("use", self._states.use), ("delay", self._states.delay))
        }
        return {**shares, "state": state, "holder": holder}

    def widen(self) -> None:
        """Go on to bins of twice the width."""
        odd = np.zeros((self._time.shape[0] % 2, self._time.shape[1]))
        both = np.concatenate([self._time, odd])
        self._time, self._width = both[0::2] + both[1::2], self._width * 2
        number, who, length = self._held
        rank = np.arange(len(number)) - np.searchsorted(number, number)
        kept = rank < _KEPT_HOLDERS
        self._held = _most_first(number[kept] // 2, who[kept], length[kept])


def _most_first(number: Array, who: Array, length: Array) -> tuple[Array, Array, Array]:
    """The time of each holder in each bin, by bin and the longest first."""
    if not len(number):
        return number, who, length
    key = number.astype(np.int64) << 32 | who
    order = np.argsort(key, kind="stable")
    key = key[order]
    first = np.flatnonzero(np.diff(key, prepend=-1))
    total = np.add.reduceat(length[order], first)
    number, who = key[first] >> 32, (key[first] & 0xFFFFFFFF).astype(np.int32)
    order = np.lexsort([-total, number])
    return number[order], who[order], total[order]


def _mean_waiting(start: Array, end: Array, bins: _Bins) -> Array:
    """The mean number of these intervals in each bin.

    >>> _mean_waiting(np.array([0.0, 1.0]), np.array([2.0, np.inf]), _Bins(0.0, 2.0, 2)).tolist()
    [1.5, 1.0]
    """
    if not len(start):
        return np.zeros(bins.count, np.float32)
    edges = np.minimum(bins.edges, bins.last_us) - bins.first_us
    began, ended = (_passed(np.clip(at - bins.first_us, 0, edges[-1]), edges) for at in (start, end))
    means: Array = np.maximum(np.diff(began - ended), 0) / bins.width_us
    return means.astype(np.float32)


def _paired(means: Array) -> Array:
    """The means of bins of twice the width.

    >>> _paired(np.array([1.0, 2.0, 4.0])).tolist()
    [1.5, 2.0]
    """
    both = np.append(means, np.zeros(len(means) % 2, means.dtype))
    found: Array = (both[0::2] + both[1::2]) / 2
    return found


def _passed(instants: Array, edges: Array) -> Array:
    """The time that has passed since all of these instants, summed, at each edge."""
    instants = np.sort(instants)
    before = np.searchsorted(instants, edges)
    sums = np.concatenate([[0.0], np.cumsum(instants)])
    passed: Array = before * edges - sums[before]
    return passed


def _finest(spans: int, lanes: int, length_us: float) -> _Bins:
    """The finest bins of a timeline with this number of spans.

    >>> _finest(4_000, 1, 1_000.0)
    _Bins(first_us=0.0, width_us=1.0, count=1000, end_us=1000.0)
    """
    wanted = max(1.0, spans / (SPANS_IN_BIN * max(1, lanes)))
    width = 2.0 ** math.ceil(math.log2(length_us / wanted))
    return _Bins(0.0, width, math.ceil(length_us / width), length_us)


def _levels(bins: _Bins) -> Iterator[tuple[int, _Bins]]:
    """Where the bins of each width begin in one row of all widths, up to the width of one bin."""
    at = 0
    while True:
        yield at, bins
        if bins.count == 1:
            return
        at += bins.count
        bins = _Bins(bins.first_us, bins.width_us * 2, -(-bins.count // 2), bins.end_us)


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


OVERVIEW = 1024
"""Bins of the summary of all lanes together, at most."""
_TABLES = ("spans", "waits", "changes", "yields")


def keep(gathered: Gathered, folder: Path, about: Mapping[str, Any], progress: Callable[[float], None]) -> None:
    """Write a timeline into an empty folder; `about` joins its facts."""
    count = len(gathered.lanes["name"])
    from_us, to_us = gathered.facts["from_us"], gathered.facts["to_us"]
    row = gathered.waits["lane"].astype(np.int64) * (NOT_BELOW + 1) + gathered.waits["row"]
    columns: Columns = {
        "span_at": np.searchsorted(gathered.spans["lane"], np.arange(count + 1)),
        "wait_at": np.searchsorted(row, np.arange(count * (NOT_BELOW + 1) + 1)),
        "longest": np.argsort(gathered.waits["from"] - np.minimum(gathered.waits["to"], to_us), kind="stable"),
    }
    for table in _TABLES:
        columns |= {f"{table}.{name}": column for name, column in getattr(gathered, table).items()}
    for name in ("holder", "why"):
        columns |= {f"{name}.text": np.frombuffer("\n".join(gathered.texts[name]).encode(), np.uint8)}
    for name, column in columns.items():
        np.save(folder / f"{name}.npy", column)
    kept = Kept(folder, {"lanes": gathered.lanes, "from_us": from_us, "to_us": to_us, "texts": gathered.texts})
    overview = _summarise(kept, progress)
    texts = {name: texts for name, texts in gathered.texts.items() if name not in ("holder", "why")}
    facts = {**about, **kept.facts, "texts": texts, "overview": overview, "counts": kept.counts}
    (folder / "facts.json").write_text(json.dumps(facts), "utf-8")


def _summarise(kept: Kept, progress: Callable[[float], None]) -> dict[str, Any]:
    """Write the summaries of every lane; the summary of all lanes together."""
    bins = kept.finest
    width = sum(level.count for _, level in _levels(bins))
    lanes = len(kept.lanes)
    table: Columns = {name: np.zeros((lanes, width), kind) for name, kind in KINDS.items()}
    for lane in range(lanes):
        summary = _LaneSummary(kept.rows("spans", kept.spans_of(lane)), bins, kept.states)
        below = kept.rows("waits", kept.below(lane))
        number = _mean_waiting(below["from"], below["to"], bins)
        for at, level in _levels(bins):
            for name, column in summary.columns().items():
                table[name][lane, at : at + level.count] = column
            table["waiting"][lane, at : at + level.count] = number
            number = _paired(number)
            summary.widen()
        progress((lane + 1) / lanes)
    for name, column in table.items():
        np.save(kept.folder / f"summary.{name}.npy", column)
    at, level = next((at, level) for at, level in _levels(bins) if level.count <= OVERVIEW)
    own = slice(at, at + level.count)
    return {
        "bin_us": level.width_us,
        "use": [round(float(share), 4) for share in table["use"][:, own].mean(axis=0)],
        "waiting": [round(float(number), 3) for number in table["waiting"][:, own].sum(axis=0)],
    }


class Kept:
    """A timeline that was written into a folder; nothing is read before it is asked for."""

    def __init__(self, folder: Path, facts: Mapping[str, Any] | None = None) -> None:
        self.folder = folder
        self.facts = dict(facts or json.loads((folder / "facts.json").read_text("utf-8")))
        self.from_us: float = self.facts["from_us"]
        self.to_us: float = self.facts["to_us"]
        self._columns: Columns = {}

    @cached_property
    def lanes(self) -> Sequence[Lane]:
        """The lanes, in the order in which they are drawn."""
        lanes = self.facts["lanes"]
        return [Lane(*row) for row in zip(lanes["name"], lanes["kind"], lanes["of"], strict=True)]

    @cached_property
    def states(self) -> _States:
        """The states of lanes."""
        return _States.of(self.facts["texts"].get("state", []))

    @cached_property
    def finest(self) -> _Bins:
        """The finest bins that have summaries."""
        bins = _finest(len(self.column("spans.from")), len(self.lanes), self.to_us - self.from_us)
        return _Bins(self.from_us, bins.width_us, bins.count, self.to_us)

    @property
    def counts(self) -> dict[str, int]:
        """How many spans, waits, changes and yields there are."""
        first = {"spans": "from", "waits": "from", "changes": "at", "yields": "at"}
        return {table: len(self.column(f"{table}.{first[table]}")) for table in _TABLES}

    def column(self, name: str) -> Array:
        """A column, mapped into memory."""
        if name not in self._columns:
            self._columns[name] = np.asarray(np.load(self.folder / f"{name}.npy", mmap_mode="r"))
        return self._columns[name]

    def rows(self, table: str, which: slice | Array) -> Columns:
        """Some rows of spans, waits or yields."""
        names = sorted(path.name.split(".")[1] for path in self.folder.glob(f"{table}.*.npy"))
        return {name: self.column(f"{table}.{name}")[which] for name in names}

    def spans_of(self, lane: int) -> slice:
        """The spans of a lane."""
        first, last = self.column("span_at")[lane : lane + 2]
        return slice(int(first), int(last))

    def below(self, lane: int) -> slice:
        """The waits below a lane, those that are only counted too."""
        at = self.column("wait_at")
        return slice(int(at[lane * (NOT_BELOW + 1)]), int(at[lane * (NOT_BELOW + 1) + NOT_BELOW]))

    def rows_below(self, lane: int) -> list[slice]:
        """The waits in each row below a lane; the last has those that found none."""
        first = lane * (NOT_BELOW + 1)
        edges = self.column("wait_at")[first : first + NOT_BELOW + 1]
        return [slice(int(start), int(end)) for start, end in pairwise(edges)]

    def text(self, name: str, number: int) -> str:
        """A name of a holder, or a reason of a wait, by number."""
        first = int(self._lines(name)[number]) + 1
        end = int(self._lines(name)[number + 1])
        return self.column(f"{name}.text")[first:end].tobytes().decode()

    def numbers(self, name: str, part: str, most: int) -> list[int]:
        """The numbers of texts that contain a part, whatever the case; those that begin with it first."""
        whole = self.column(f"{name}.text").tobytes().decode().casefold().split("\n")
        found = [number for number, text in enumerate(whole) if part.casefold() in text]
        return sorted(found, key=lambda number: (not whole[number].startswith(part.casefold()), number))[:most]

    def window(self, asked: Asked) -> Tables:
        """The window as tables: `spans`, `waits`, `yields` and `changes` row by row, `bins` and `waiting` as summaries.

        A lane has its spans where they are no more than pixels, and bins where they are more; its waits likewise.
        """
        width = asked.width_us
        first = math.floor(max(0.0, asked.from_us - self.from_us) / width)
        last = math.ceil((min(asked.to_us, self.to_us) - self.from_us) / width)
        bins = _Bins(self.from_us + first * width, width, max(0, last - first), self.to_us)
        spans, waits, shares, counts = [], [], [], []
        for lane in asked.lanes:
            own = _own(self, "spans", _within(self, "spans", self.spans_of(lane), asked), asked)
            if len(own) > asked.pixels:
                shares.append(_shares(self, lane, bins, own, asked))
            else:
                spans.append(own)
            below = _below(self, lane, asked)
            if len(below) > asked.pixels:
                counts.append(_waiting(self, lane, bins, below, asked))
            else:
                waits.append(below)
        return {
            "spans": self.rows("spans", _all(spans)) | {"number": _all(spans)},
            "waits": self.rows("waits", _all(waits)) | {"number": _all(waits)},
            "bins": _joined(shares, ("use", "delay", "state", "holder")),
            "waiting": _joined(counts, ("waiting",)),
            "changes": _sparse(self, "changes", asked),
            "yields": _sparse(self, "yields", asked),
        }

    def longest(self, asked: Asked | None, first: int, most: int) -> dict[str, Any]:
        """The longest waits, the first of them and how many there are; with a window those in it, and its spans."""
        order = self.column("longest")
        if asked is None:
            return {
                "waits": [_row_of(self, "waits", int(at)) for at in order[first : first + most]],
                "count": len(order),
            }
        inside = (self.column("waits.from") < asked.to_us) & (self.column("waits.to") > asked.from_us)
        lane = self.column("waits.lane")
        inside &= (lane >= asked.lanes.start) & (lane < asked.lanes.stop)
        found = order[inside[order]] if len(order) else order
        rows = [_within(self, "spans", self.spans_of(lane), asked) for lane in asked.lanes]
        spans = sum(row.stop - row.start for row in rows)
        shown = [_row_of(self, "waits", int(at)) for at in found[first : first + most]]
        return {"waits": shown, "count": len(found), "spans": spans}

    def near(self, at_us: float, *, lane: int | None, holder: int | None, back: bool) -> dict[str, Any] | None:
        """The first span of a lane or a holder that begins after an instant, or the last that begins before it."""
        rows = self.spans_of(lane) if lane is not None else slice(0, len(self.column("spans.from")))
        start = self.column("spans.from")[rows]
        which = start < at_us if back else start > at_us
        if holder is not None:
            which &= self.column("spans.holder")[rows] == holder
        number = np.flatnonzero(which)
        if not len(number):
            return None
        best = start[number].argmax() if back else start[number].argmin()
        return _row_of(self, "spans", rows.start + int(number[best]))

    def lane_facts(self) -> list[dict[str, Any]]:
        """Each lane with its label, and how many rows of waits are below it."""

        def rows(lane: int) -> int:
            used = [row.stop > row.start for row in self.rows_below(lane)]
            return max((number + 1 for number, some in enumerate(used) if some), default=0)

        return [
            {"label": lane.label, "kind": lane.kind, "of": lane.of, "rows": rows(number)}
            for number, lane in enumerate(self.lanes)
        ]

    def _lines(self, name: str) -> Array:
        """Where the texts of a table end; the first entry is before all of them."""
        key = f"{name}.lines"
        if key not in self._columns:
            text = self.column(f"{name}.text")
            self._columns[key] = np.concatenate([[-1], np.flatnonzero(text == ord("\n")), [len(text)]])
        return self._columns[key]


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


def _stored(kept: Kept, lane: int, bins: _Bins, names: Sequence[str]) -> Columns | None:
    """Summaries of a lane as they were written; None where they are not that fine."""
    for at, level in _levels(kept.finest):
        if level.width_us == bins.width_us:
            first = at + round((bins.first_us - kept.from_us) / bins.width_us)
            return {name: kept.column(f"summary.{name}")[lane, first : first + bins.count] for name in names}
    return None


def _shares(kept: Kept, lane: int, bins: _Bins, own: Array, asked: Asked) -> Columns:
    """The bins of a lane in which there is something."""
    found = None if asked.holder is not None else _stored(kept, lane, bins, ("use", "delay", "state", "holder"))
    if found is None:
        found = _LaneSummary(kept.rows("spans", own), bins, kept.states).columns()
    return _some(found, lane, found["state"] != NO_STATE)


def _below(kept: Kept, lane: int, asked: Asked) -> Array:
    """The waits below a lane, row by row; those that found no row may overlap each other."""
    *rows, deeper = kept.rows_below(lane)
    found = [_own(kept, "waits", _within(kept, "waits", row, asked), asked) for row in rows]
    begun = np.searchsorted(kept.column("waits.from")[deeper], asked.to_us, "left")
    rest = _own(kept, "waits", slice(deeper.start, deeper.start + int(begun)), asked)
    return np.concatenate([*found, rest[kept.column("waits.to")[rest] > asked.from_us]])


def _waiting(kept: Kept, lane: int, bins: _Bins, below: Array, asked: Asked) -> Columns:
    """How many wait below a lane, on average, in the bins in which any does."""
    found = None if asked.holder is not None else _stored(kept, lane, bins, ("waiting",))
    if found is None:
        found = {"waiting": _mean_waiting(kept.column("waits.from")[below], kept.column("waits.to")[below], bins)}
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

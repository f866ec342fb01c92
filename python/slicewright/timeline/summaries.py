"""Summaries of lanes for zooming out: of each bin the shares in use and delayed, and its main state and holder.

Bins are a power of two of microseconds wide and count from the start of the timeline. The finest bins of a lane have a
few spans each. Bins of twice the width come from pairs, and so on until one bin has everything.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from slicewright.timeline.gathering import Array, Columns

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
class Bins:
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

        >>> interval, number, length = Bins(0.0, 2.0, 2).pieces(np.array([1.0]), np.array([3.5]))
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
class States:
    """The states of a timeline by number: which mean use, which delay."""

    use: Array
    delay: Array

    @classmethod
    def of(cls, names: list[str]) -> States:
        """The states of these names."""
        return cls(np.array([name in IN_USE for name in names]), np.array([name in DELAYED for name in names]))


class LaneSummary:
    """The time of the spans of one lane in each bin, in us: by state, and by the holders with most of it."""

    def __init__(self, spans: Columns, bins: Bins, states: States) -> None:
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


def waiting(start: Array, end: Array, bins: Bins) -> Array:
    """The mean number of these intervals in each bin.

    >>> waiting(np.array([0.0, 1.0]), np.array([2.0, np.inf]), Bins(0.0, 2.0, 2)).tolist()
    [1.5, 1.0]
    """
    if not len(start):
        return np.zeros(bins.count, np.float32)
    edges = np.minimum(bins.edges, bins.last_us) - bins.first_us
    began, ended = (_passed(np.clip(at - bins.first_us, 0, edges[-1]), edges) for at in (start, end))
    means: Array = np.maximum(np.diff(began - ended), 0) / bins.width_us
    return means.astype(np.float32)


def paired(means: Array) -> Array:
    """The means of bins of twice the width.

    >>> paired(np.array([1.0, 2.0, 4.0])).tolist()
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


def finest(spans: int, lanes: int, length_us: float) -> Bins:
    """The finest bins of a timeline with this number of spans.

    >>> finest(4_000, 1, 1_000.0)
    Bins(first_us=0.0, width_us=1.0, count=1000, end_us=1000.0)
    """
    wanted = max(1.0, spans / (SPANS_IN_BIN * max(1, lanes)))
    width = 2.0 ** math.ceil(math.log2(length_us / wanted))
    return Bins(0.0, width, math.ceil(length_us / width), length_us)


def levels(bins: Bins) -> Iterator[tuple[int, Bins]]:
    """Where the bins of each width begin in one row of all widths, up to the width of one bin."""
    at = 0
    while True:
        yield at, bins
        if bins.count == 1:
            return
        at += bins.count
        bins = Bins(bins.first_us, bins.width_us * 2, -(-bins.count // 2), bins.end_us)

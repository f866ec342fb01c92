"""A timeline of any length as arrays: the parts that the engine hands over, put together and sorted by lane."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

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
    """Takes the parts of a timeline as they come, and the rest at the end.

    >>> from slicewright._core import Scenario, starter, timeline
    >>> gathering = Gathering()
    >>> world = Scenario.read(starter("mm1").encode(), "mm1.toml")
    >>> rest = timeline(world, (1, 0), 0.0, (0.0, 1.0), None, gathering.take)
    >>> len(gathering.whole(rest).spans["lane"]) > 200
    True
    """

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

"""A whole timeline in a folder: its spans and waits as arrays that are mapped into memory, and its summaries."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from slicewright.timeline.gathering import NOT_BELOW, Array, Columns, Gathered
from slicewright.timeline.recorded import Lane
from slicewright.timeline.summaries import KINDS, Bins, LaneSummary, States, finest, levels, paired, waiting

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
    width = sum(level.count for _, level in levels(bins))
    lanes = len(kept.lanes)
    table: Columns = {name: np.zeros((lanes, width), kind) for name, kind in KINDS.items()}
    for lane in range(lanes):
        summary = LaneSummary(kept.rows("spans", kept.spans_of(lane)), bins, kept.states)
        below = kept.rows("waits", kept.below(lane))
        number = waiting(below["from"], below["to"], bins)
        for at, level in levels(bins):
            for name, column in summary.columns().items():
                table[name][lane, at : at + level.count] = column
            table["waiting"][lane, at : at + level.count] = number
            number = paired(number)
            summary.widen()
        progress((lane + 1) / lanes)
    for name, column in table.items():
        np.save(kept.folder / f"summary.{name}.npy", column)
    at, level = next((at, level) for at, level in levels(bins) if level.count <= OVERVIEW)
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
    def states(self) -> States:
        """The states of lanes."""
        return States.of(self.facts["texts"].get("state", []))

    @cached_property
    def finest(self) -> Bins:
        """The finest bins that have summaries."""
        bins = finest(len(self.column("spans.from")), len(self.lanes), self.to_us - self.from_us)
        return Bins(self.from_us, bins.width_us, bins.count, self.to_us)

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

    def _lines(self, name: str) -> Array:
        """Where the texts of a table end; the first entry is before all of them."""
        key = f"{name}.lines"
        if key not in self._columns:
            text = self.column(f"{name}.text")
            self._columns[key] = np.concatenate([[-1], np.flatnonzero(text == ord("\n")), [len(text)]])
        return self._columns[key]

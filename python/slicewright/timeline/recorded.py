"""A stretch of simulated time as the engine recorded it: lanes, spans, waits and yields, as rows and as frames."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars


MOST_POOLS = 4
"""Pools that a title names; of more, the rest are counted."""


@dataclass(frozen=True, slots=True)
class Lane:
    """Something that one holder at a time occupies: its name, its kind, and what it is of.

    `kind` is base, bound-alias, pool-alias, logical-processor, virtual-processor, lock, spin-lock or enqueue (a name).
    `of` is a volume, a pool, a partition, a kind of virtual machines or a resource.

    >>> Lane("522A", "base", "BWPVS0").label
    '522A BWPVS0'
    >>> Lane("PEMDFI 0", "logical-processor", "PEMDFI").label
    'PEMDFI 0'
    """

    name: str
    kind: str
    of: str

    @property
    def label(self) -> str:
        """As the trade writes it: device number, volume or pool, whether an alias; or partition and processor."""
        if not self.is_exposure:
            return self.name
        return f"{self.name} {self.of}" + (" alias" if self.kind != "base" else "")

    @property
    def is_processor(self) -> bool:
        """Whether it is a logical processor."""
        return self.kind == "logical-processor"

    @property
    def is_exposure(self) -> bool:
        """Whether it is an exposure of a volume, or an alias."""
        return self.kind in ("base", "bound-alias", "pool-alias")


@dataclass(frozen=True, slots=True)
class Span:
    """A lane (by number) occupied by a holder (by number, or None), in us; `to_us` None: beyond the end.

    `state` depends on the kind of lane:

    - exposure: busy, held, interrupt-pending, gap, offline
    - processor: working, handling-interrupt (its holder's I/O ended), control-program, in-wait, parked, not-dispatched,
      work-not-dispatched
    - virtual processor: waking, cpu-wait, running, interrupted, limited
    - lock: locked; spin lock and ENQ/DEQ lock: taken; name: owned, or shared (without a holder: by several)

    `on` is the lane of the processor that runs it or has taken it.

    >>> Span(0, 0, 0.0, None, "A", "busy").state
    'busy'
    """

    lane: int
    holder: int | None
    from_us: float
    to_us: float | None
    what: str
    state: str
    on: int | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """A holder (by number) that waited at a volume, minidisk, partition or lock, in us; `to_us` None: beyond the end.

    `kind` is queued (for an exposure), turn (at a minidisk), held (pending), interrupt (ended, and not handled) or
    ready (for a processor).  It is spinning (for a spin lock), suspended (for an ENQ/DEQ lock) or enqueued (for a
    name).  Of a virtual processor it is also waking, interrupted or limited.  `lane` is the base, exposure, processor,
    lock or name of the wait.

    >>> Wait(0, 0.0, 250.0, "queued", 0, "A", "base busy, no alias").why
    'base busy, no alias'
    """

    holder: int
    from_us: float
    to_us: float | None
    kind: str
    lane: int
    where: str
    why: str


@dataclass(frozen=True, slots=True)
class Yield:
    """A virtual processor (its lane) that spins yielded on a processor (its lane), in us, with its outcome.

    >>> Yield(77.0, 3, 0, "X'44': its slice is over").lane
    3
    """

    at_us: float
    lane: int
    on: int
    what: str


@dataclass(frozen=True)
class Recorded:
    """The events from `from_us` to `to_us` after the start of the first interval, in one replication.

    `raw` has the engine's columns.  Spans and waits that were under way at `from_us` have the start that they had;
    those that go on beyond `to_us` have no end.

    >>> import slicewright
    >>> recorded = slicewright.trace(slicewright.starter("mm1"), for_s=0.01)
    >>> recorded.lane_rows[0].kind, recorded.to_us
    ('base', 10000.0)
    """

    name: str
    seed: int
    replication: int
    warm_up_s: float
    """Simulated time before the first interval."""
    from_us: float
    to_us: float
    raw: Mapping[str, Mapping[str, Sequence[Any]]]

    @functools.cached_property
    def lane_rows(self) -> list[Lane]:
        """The lanes, in the order in which they are drawn."""
        return [Lane(*row) for row in self._rows("lanes", "name", "kind", "of")]

    @property
    def pools(self) -> list[str]:
        """The alias pools whose aliases have lanes."""
        return list(dict.fromkeys(lane.of for lane in self.lane_rows if lane.kind == "pool-alias"))

    @property
    def subject(self) -> str:
        """The scenario and its alias pools, as titles name them."""
        named = ", ".join(self.pools[:MOST_POOLS])
        more = f" and {len(self.pools) - MOST_POOLS:,} more" if len(self.pools) > MOST_POOLS else ""
        pools = f", pool{'s' if len(self.pools) > 1 else ''} {named}{more}" if self.pools else ""
        return f"{self.name}{pools}"

    @functools.cached_property
    def worth_drawing(self) -> list[int]:
        """The lanes (by number) without unused spin locks."""
        seen = {span.lane for span in self.span_rows} | {wait.lane for wait in self.wait_rows}
        return [number for number, lane in enumerate(self.lane_rows) if number in seen or lane.kind != "spin-lock"]

    @functools.cached_property
    def span_rows(self) -> list[Span]:
        """The holders of lanes, by lane, then by time; those of a lane do not overlap."""
        return [Span(*row) for row in self._rows("spans", "lane", "holder", "from_us", "to_us", "what", "state", "on")]

    @functools.cached_property
    def wait_rows(self) -> list[Wait]:
        """The waits, by time."""
        columns = ("holder", "from_us", "to_us", "kind", "lane", "where", "why")
        return [Wait(*row) for row in self._rows("waits", *columns)]

    @property
    def holder_names(self) -> Sequence[str]:
        """The holders and waiters, in an order that is the same in every window while there are at most 62."""
        return self.raw["holders"]["name"]

    @property
    def change_rows(self) -> list[tuple[float, str]]:
        """The changes: when, in us, and what."""
        return self._rows("changes", "at_us", "what")

    @functools.cached_property
    def yield_rows(self) -> list[Yield]:
        """The outcomes of yields by virtual processors that spin for a lock of their own, by time."""
        return [Yield(*row) for row in self._rows("yields", "at_us", "lane", "on", "what")]

    @property
    def spans(self) -> polars.DataFrame:
        """A row per span: lane, kind, of, holder, what (volume), on (processor), state, from_us, to_us."""
        lanes, names = self.lane_rows, self.holder_names
        rows = [
            {
                "lane": lanes[row.lane].name, "kind": lanes[row.lane].kind, "of": lanes[row.lane].of,
                "holder": None if row.holder is None else names[row.holder], "what": row.what,
                "on": None if row.on is None else lanes[row.on].name, "state": row.state,
                "from_us": row.from_us, "to_us": row.to_us,
            }
            for row in self.span_rows
        ]  # fmt: skip
        return _frame(rows, ("lane", "kind", "of", "holder", "what", "on", "state"))

    @property
    def waits(self) -> polars.DataFrame:
        """A row per wait: holder, kind, where (volume, minidisk, partition or lock), why, from_us, to_us."""
        names = self.holder_names
        rows = [
            {
                "holder": names[row.holder], "kind": row.kind, "where": row.where, "why": row.why,
                "from_us": row.from_us, "to_us": row.to_us,
            }
            for row in self.wait_rows
        ]  # fmt: skip
        return _frame(rows, ("holder", "kind", "where", "why"))

    @property
    def yields(self) -> polars.DataFrame:
        """A row per yield: at_us, lane (virtual processor), on (processor), what (the outcome)."""
        import polars as pl

        names = [lane.name for lane in self.lane_rows]
        rows = [(row.at_us, names[row.lane], names[row.on], row.what) for row in self.yield_rows]
        schema = {"at_us": pl.Float64, "lane": pl.String, "on": pl.String, "what": pl.String}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def _rows(self, table: str, *columns: str) -> list[Any]:
        return list(zip(*(self.raw[table][column] for column in columns), strict=True))


def _frame(rows: Sequence[Mapping[str, Any]], texts: Sequence[str]) -> polars.DataFrame:
    import polars as pl

    kinds = dict.fromkeys(texts, pl.String) | dict.fromkeys(("from_us", "to_us"), pl.Float64)
    return pl.DataFrame(rows, schema=kinds)

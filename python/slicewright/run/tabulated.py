"""Tables of intervals of one system, simulated or measured: a row per entity, estimated from what was counted."""

from __future__ import annotations

import functools
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from slicewright.run.pooled import Pooled
from slicewright.run.stored import is_empty
from slicewright.run.tables import ENTITY, LOGS, counters, keys
from slicewright.statistics import over_replications
from slicewright.values.errors import nearest

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, kw_only=True)
class Tabulated(ABC):
    """The tables of one system over some intervals: simulated (`Run`) or measured (`Measured`).

    `tabulated["volumes"]`, or `tabulated.volumes`, has one row per volume: each counter `x` is the mean over
    replications, with its 95 % half-width in `x_half_width`; what was measured has one replication and no half-widths.
    `tables` lists the tables, those of the counters reference.  Units are part of the names (`_ms`, `_us`, `_per_s`,
    `_percent`).  `decisions` and `contention` are logs of replication 0.  `raw[table]` has one row per replication,
    interval and entity, `pooled[table]` one per replication and entity.
    """

    name: str
    version: str
    """The version of slicewright that simulated it or read it."""
    raw: Mapping[str, polars.DataFrame]
    replications: int
    counted: Mapping[str, polars.DataFrame] = field(default_factory=dict)
    """The tables that the engine counted over several intervals as one; none where there is one."""
    notes: Sequence[str] = ()
    """Notes that readers of the results have to know."""

    @property
    @abstractmethod
    def interval_s(self) -> float:
        """The length of an interval, seconds."""

    @property
    @abstractmethod
    def measured_s(self) -> float:
        """The length of all intervals together, seconds."""

    @property
    @abstractmethod
    def made_by(self) -> str:
        """What made the tables: "simulated by slicewright 0.1.0"."""

    @property
    @abstractmethod
    def origin(self) -> str:
        """How the tables came about, in a few words."""

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that have rows, in the order of the counters reference."""
        return tuple(table for table in (*ENTITY, *LOGS) if not is_empty(self.raw, table))

    def __getitem__(self, table: str) -> polars.DataFrame:
        """A table by its name: a row per entity, or a log; raises KeyError with the nearest name."""
        if table in LOGS:
            return self.raw[table]
        if table not in ENTITY:
            near = nearest(table, (*ENTITY, *LOGS))
            raise KeyError(f"no table {table}" + (f"; the nearest is {near}" if near else ""))
        if table not in self._estimated:
            single = self.pooled[table]
            self._estimated[table] = over_replications(single, keys(single), counters(single))
        return self._estimated[table]

    def __getattr__(self, name: str) -> polars.DataFrame:
        """A table as an attribute: `results.volumes`."""
        if name in ENTITY or name in LOGS:
            return self[name]
        raise AttributeError(f"{type(self).__name__} has no attribute {name}", name=name, obj=self)

    def __dir__(self) -> list[str]:
        """Attributes, with the tables, for completion."""
        return sorted({*super().__dir__(), *ENTITY, *LOGS})

    @property
    def intervals(self) -> polars.DataFrame:
        """The volumes as measured: one row per replication, interval and volume."""
        return self.raw["volumes"]

    @functools.cached_property
    def pooled(self) -> Pooled:
        """All intervals of each replication as one: `pooled["volumes"]` has one row per replication and volume."""
        return Pooled(self.raw, self.counted)

    @functools.cached_property
    def _estimated(self) -> dict[str, polars.DataFrame]:
        return {}

    def values(self, table: str, counter: str, entity: str = "") -> list[float]:
        """A counter of one entity (of the only one, without a name), one value per replication, in their order.

        An entity is named by its first column ("VOL001") or by all of them ("ZVM LIGHT 0").  Raises KeyError for one
        that the table does not have.

        >>> import slicewright
        >>> from slicewright._core import starter
        >>> len(slicewright.run(starter("mm1"), replications=2).values("system", "response_ms"))
        2
        """
        frame = self.pooled[table]
        if entity:
            names = _names(frame, table)
            frame = frame.filter((frame[keys(frame)[0]].cast(str) == entity) | (names == entity))
            if frame.is_empty():
                raise KeyError(f"no {entity} among the {table}")
        return [math.nan if value is None else float(value) for value in frame.sort("replication")[counter]]


def _names(frame: polars.DataFrame, table: str) -> polars.Series:
    """What the rows of a table are called by all columns that name them: "ZVM LIGHT 0"."""
    import polars as pl

    return frame.select(pl.concat_str(ENTITY[table].split(), separator=" ")).to_series()

"""The intervals of each replication as one: as the engine counted them, else of their rows by the declared rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slicewright.run.tables import ENTITY, frames, per_replication

if TYPE_CHECKING:
    import polars

POOLED = "pooled"
"""The name under which the engine gives the tables over all intervals, where there are several."""


class Pooled(Mapping[str, "polars.DataFrame"]):
    """Of each table one row per replication and entity, over all intervals.

    `counted` is what the engine counted over all of the time.  Without it there is one interval, or the intervals were
    measured elsewhere; the rows are then made of those of intervals.

    >>> import polars
    >>> raw = {"volumes": polars.DataFrame({"replication": [0], "interval": [0], "volume": ["A"], "io_per_s": [1.0]})}
    >>> Pooled(raw)["volumes"].columns
    ['replication', 'volume', 'io_per_s']
    """

    def __init__(
        self, raw: Mapping[str, polars.DataFrame], counted: Mapping[str, polars.DataFrame] | None = None
    ) -> None:
        self._raw, self._made = raw, dict(counted or {})

    def __getitem__(self, table: str) -> polars.DataFrame:
        """A table by its name; raises KeyError."""
        if table not in self._made:
            self._made[table] = per_replication(self._raw[table], table)
        return self._made[table]

    def __iter__(self) -> Iterator[str]:
        return (table for table in self._raw if table in ENTITY)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@dataclass(frozen=True, slots=True)
class Simulated:
    """What the engine counted: `raw` by interval, with the logs, and `counted` over several intervals as one."""

    raw: dict[str, polars.DataFrame]
    counted: dict[str, polars.DataFrame]

    @staticmethod
    def of(columns: Mapping[str, Any]) -> Simulated:
        """The columns of `Scenario.simulate` as frames.

        >>> Simulated.of({}).counted
        {}
        """
        counted = frames(columns[POOLED]) if POOLED in columns else {}
        return Simulated(frames(columns), {table: frame for table, frame in counted.items() if table in ENTITY})

    @property
    def pooled(self) -> Pooled:
        """All intervals of each replication as one."""
        return Pooled(self.raw, self.counted)


def together(parts: Sequence[Simulated]) -> Simulated:
    """The replications of several parts, in their order.

    >>> together([Simulated.of({})]).counted
    {}
    """
    import polars as pl

    if len(parts) == 1:
        return parts[0]
    raw, counted = (
        {table: pl.concat([tables[table] for tables in of]) for table in of[0]}
        for of in ([part.raw for part in parts], [part.counted for part in parts])
    )
    return Simulated(raw, counted)

"""Laws of levels over a long time, as data: a mean level is a rate times the mean time of what passes through it.

They hold where little is under way at the start and the end of what was measured; otherwise queues grew or drained.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slicewright.run.tables import ENTITY
from slicewright.statistics import estimate, significant

if TYPE_CHECKING:
    import polars

MOST = 0.1
"""How far both sides may differ, as a share of the level, beside their half-widths."""
LEAST = 0.1
"""The level below which what is under way at either end outweighs it."""
_NAMED = 3
_PER = {"ms": 1e3, "us": 1e6}


@dataclass(frozen=True, slots=True)
class Level:
    """Little's law of one queue: levels of a table that together are rate x time; time is named with its unit.

    >>> LEVELS[0].words
    'in_use = released_per_s x hold_ms'
    """

    table: str
    level: str
    rate: str
    time: str

    @property
    def words(self) -> str:
        """The law as it is written."""
        return f"{self.level} = {self.rate} x {self.time}"


LEVELS = (
    Level("resources", "in_use", "released_per_s", "hold_ms"),
    Level("resources", "queue_depth", "takes_per_s", "wait_ms"),
    Level("enqueues", "owners", "released_per_s", "held_ms"),
    Level("enqueues", "queue_depth", "contended_per_s", "wait_ms"),
    Level("volumes", "in_service", "io_per_s", "service_ms"),
    Level("volumes", "queue_depth", "io_per_s", "iosq_ms"),
    Level("minidisks", "queue_depth", "io_per_s", "wait_ms"),
    Level("front_ends", "in_queue", "in_per_s", "in_wait_ms"),
    Level("front_ends", "out_queue", "out_per_s", "out_wait_ms"),
    Level("partitions", "interrupts_pending", "interrupts_per_s", "hold_ms"),
    Level("serialization", "lock_waiting", "lock_per_s", "lock_wait_us"),
    Level("spin_locks", "spinning", "contended_per_s", "wait_us"),
    Level("thread_locks", "waiting", "taken_per_s", "wait_us"),
    Level("guests", "population", "cycles_per_s", "cycle_ms"),
)
"""Mean levels, and what they are made of over a long time."""


@dataclass(frozen=True, slots=True)
class Unsteady:
    """A level that is not its rate times its time: which, of what, and both sides."""

    law: Level
    row: str
    level: float
    product: float

    def __str__(self) -> str:
        """Place, level and product.

        >>> str(Unsteady(LEVELS[0], "LOCK", 28.6, 0.0))
        'resources LOCK: in_use 28.6, released_per_s x hold_ms 0'
        """
        sides = f"{self.law.level} {significant(self.level)}, {self.law.words.partition(' = ')[2]}"
        return f"{self.law.table} {self.row}: {sides} {significant(self.product)}"


def notes_on(pooled: Mapping[str, polars.DataFrame]) -> list[str]:
    """A note with the levels that are not rate x time, the first few by name; none where all are.

    >>> notes_on({})
    []
    """
    found = list(unsteady(pooled))
    if not found:
        return []
    more = f"; and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return [
        f"means over what ended omit much that was under way: {'; '.join(map(str, found[:_NAMED]))}{more} "
        "(Little's law holds over a longer time: measure longer, or cut a longer warm-up)"
    ]


def unsteady(pooled: Mapping[str, polars.DataFrame]) -> Iterator[Unsteady]:
    """The levels that differ from rate x time by more than a tenth and than noise explains.

    `pooled` has one row per replication and entity.  Where nothing ended in any replication no time is printed that
    could contradict the level.

    >>> list(unsteady({}))
    []
    """
    for law in LEVELS:
        frame = pooled.get(law.table)
        if frame is None or frame.is_empty() or not {law.level, law.rate, law.time} <= set(frame.columns):
            continue
        names = ENTITY[law.table].split()
        for rows in frame.partition_by(names, maintain_order=True):
            if rows[law.time].null_count() == rows.height:
                continue
            product = rows[law.rate] * rows[law.time].fill_null(0.0) / _PER[law.time.rpartition("_")[2]]
            level, flow = estimate(rows[law.level].to_list()), estimate(product.to_list())
            noise = sum(side.half_width for side in (level, flow) if math.isfinite(side.half_width))
            if level.mean >= LEAST and abs(level.mean - flow.mean) > MOST * level.mean + noise:
                yield Unsteady(law, " ".join(str(rows[name][0]) for name in names), level.mean, flow.mean)

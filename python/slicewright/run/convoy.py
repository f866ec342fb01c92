"""The note of a run on processors that wait in a convoy for the scheduler lock of their control program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from slicewright.statistics import percent, significant

if TYPE_CHECKING:
    import polars

SPUN = 0.5
"""Least share of the dispatched time that is spun for the lock."""
HOLDS = 1000
"""Least wait of a collision, in holding times.

Processors that are all dispatched wait for each other's holding times, and there are at most 256 of them.
"""


def convoys(pooled: Mapping[str, polars.DataFrame]) -> list[str]:
    """A note on each lock for which processors spin for half of their time, a thousand holding times at a collision.

    Means are over replications.  So long a wait is one for PR/SM: the next in turn is not dispatched.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> convoys(slicewright.run(starter("zvm"), replications=2, set={"measure.interval": "1 s"}).pooled)
    []
    """
    import polars as pl

    if pooled["locks"].is_empty():
        return []
    locks = pooled["locks"].group_by("partition", "lock", maintain_order=True)
    programs = pooled["control_programs"].group_by("partition")
    named = locks.agg(pl.col("spin_percent", "spin_us_per_collision", "hold_us").mean())
    rows = named.join(programs.agg(pl.col("total_percent").mean()), on="partition", maintain_order="left")
    stuck = rows.filter(
        pl.col("spin_percent") >= SPUN * pl.col("total_percent"),
        pl.col("spin_us_per_collision") >= HOLDS * pl.col("hold_us"),
    )
    return [_note(row) for row in stuck.iter_rows(named=True)]


def _note(row: Mapping[str, float]) -> str:
    share = percent(row["spin_percent"] / row["total_percent"], 2)
    wait_ms = significant(row["spin_us_per_collision"] / 1000)
    return (
        f"{row['partition']} is in a lock convoy: its processors spin for {row['lock']} for {share} of the time "
        f"that they are dispatched, {wait_ms} ms a collision; a yield (scheduler_lock.yields) or "
        'handover = "dispatched-first" avoids waits for processors that are not dispatched'
    )

"""Writes the intervals of a run as monitor data, with a simulated clock and a stated system."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from slicewright._core import monitor_file
from slicewright.errors import problem, refusal
from slicewright.run.tabulated import Tabulated

if TYPE_CHECKING:
    import polars

TABLES = (
    "devices", "volumes", "pools", "partitions", "logical_processors", "control_programs", "control_processors",
    "locks",
)  # fmt: skip
"""The tables that monitor records have counters of."""

START = "2026-01-01 00:00:00"
"""The default clock at the start of the first interval."""


def monwrite(run: Tabulated, *, replication: int = 0, system: str = "SLICEWRT", start: str = START) -> bytes:
    """The intervals of one replication as a file in the form of MONWRITE.

    `system` is the name in its system record, at most eight characters; `start` is the clock at the start in UTC.
    Raises InputError when the run has nothing that monitor records count, or for any other parameter.
    """
    check_replication(run, replication)
    if not re.fullmatch(r"[A-Z0-9@#$]{1,8}", system):
        allowed = "one to eight of A-Z, 0-9, @, # and $"
        raise refusal(problem(f"not a name of a system: {system[:20]!r}", key="system", allowed=allowed))
    tables = {name: run.raw[name] for name in TABLES}
    if all(frame.is_empty() for frame in tables.values()):
        why = f"monitor records count {', '.join(TABLES)}"
        raise refusal(problem("the run has nothing that monitor records count", file=run.name, why=why))
    count = max(int(frame["interval"].max() or 0) for frame in tables.values() if not frame.is_empty()) + 1  # type: ignore[arg-type]
    intervals = [
        {"length_s": run.interval_s, "samples": 0, "tables": _columns(tables, replication, number)}
        for number in range(count)
    ]
    return monitor_file(intervals, system, clock_us(start))


def check_replication(run: Tabulated, replication: int) -> None:
    """Raise InputError unless the run has the replication."""
    if not 0 <= replication < run.replications:
        allowed = f"0 to {run.replications - 1}"
        raise refusal(problem(f"no replication {replication}", key="replication", allowed=allowed))


def _columns(tables: Mapping[str, polars.DataFrame], replication: int, interval: int) -> dict[str, dict[str, Any]]:
    import polars as pl

    rows = (pl.col("replication") == replication) & (pl.col("interval") == interval)
    return {name: frame.filter(rows).to_dict(as_series=False) for name, frame in tables.items()}


def clock_us(text: str) -> int:
    """An instant in microseconds since 1970; raises InputError for any other text."""
    try:
        at = datetime.datetime.strptime(text, "%Y-%m-%d %H:%M:%S").replace(tzinfo=datetime.UTC)
    except ValueError:
        raise refusal(problem(f"not an instant: {text[:30]!r}", key="start", allowed=START)) from None
    return int(at.timestamp()) * 1_000_000

"""Writes the intervals of a run as monitor data, with a simulated clock and a stated system."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from slicewright._core import Scenario, monitor_file, smf_file
from slicewright.measured.tables import MeasuredTables, when
from slicewright.run.tabulated import Tabulated
from slicewright.values.errors import problem, refusal

if TYPE_CHECKING:
    import polars

_MONITOR = (
    "devices", "volumes", "pools", "partitions", "logical_processors", "control_programs", "control_processors",
    "locks",
)  # fmt: skip
_SMF = ("volumes", "devices", "pools", "partitions", "logical_processors", "enqueues", "serialization")

START = "2026-01-01 00:00:00"
"""The default clock at the start of the first interval."""


def monwrite(run: Tabulated, *, replication: int = 0, system: str = "SLICEWRT", start: str = START) -> bytes:
    """The intervals of one replication as a file in the form of MONWRITE.

    `system` is the name in its system record, at most eight characters; `start` is the clock at the start in UTC.
    Raises InputError when the run has nothing that monitor records count, or for any other parameter.
    """
    check_system(system, 8)
    intervals = _intervals(run, replication, _MONITOR)
    return monitor_file(intervals, system, clock_us(start))


def smf(run: Tabulated, *, replication: int = 0, system: str = "SLIC", start: str = START) -> bytes:
    """The intervals of one replication as an SMF dump with descriptor words: records 70-1, 72-5, 74-1, 77-1, 78-3.

    `system` is the system identifier, at most four characters; `start` is the local time at the start.  Raises
    InputError when the run has nothing that these records count, or for any other parameter.
    """
    check_system(system, 4)
    intervals = _intervals(run, replication, _SMF)
    for interval in intervals:
        interval["tables"]["partitions"] |= _weights(run, interval["tables"]["partitions"]["partition"])
    return smf_file(intervals, system, clock_us(start))


def _weights(run: Tabulated, partitions: Sequence[str]) -> dict[str, list[float]]:
    """Weights and processors, which 70-1 has and tables of a simulation have not: those of a scenario of PR/SM.

    A scenario that changes a partition while the machine runs gives none. Dedicated processors have weight 0.
    """
    if isinstance(run, MeasuredTables) or not partitions:
        return {}
    view = Scenario.outline(run.scenario.encode())  # type: ignore[attr-defined]
    if view.cec is None or view.cec.dispatcher != "prsm" or any(change.partition for change in view.changes):
        return {}
    weights = {partition.name: float(partition.weight or 0) for partition in view.partitions}
    return {
        "weight": [weights[name] for name in partitions],
        "machine_processors": [float(view.cec.processors)] * len(partitions),
    }


def check_system(system: str, most: int) -> None:
    """Raise InputError for what is no name of a system, or is longer than `most` characters."""
    if not re.fullmatch(rf"[A-Z0-9@#$]{{1,{most}}}", system):
        allowed = f"one to {most} of A-Z, 0-9, @, # and $"
        raise refusal(problem(f"not a name of a system: {system[:20]!r}", key="system", allowed=allowed))


def _intervals(run: Tabulated, replication: int, names: Sequence[str]) -> list[dict[str, Any]]:
    check_replication(run, replication)
    tables = {name: run.raw[name] for name in names}
    if all(frame.is_empty() for frame in tables.values()):
        why = f"the records count {', '.join(names)}"
        raise refusal(problem("the run has nothing that monitor records count", file=run.name, why=why))
    count = max(int(frame["interval"].max() or 0) for frame in tables.values() if not frame.is_empty()) + 1  # type: ignore[arg-type]
    return [
        {"length_s": _length_s(run, number), "samples": 0, "tables": _columns(tables, replication, number)}
        for number in range(count)
    ]


def _length_s(run: Tabulated, interval: int) -> float:
    start, end = span_us(run, interval, 0)
    return (end - start) / 1e6


def span_us(run: Tabulated, interval: int, start_us: int) -> tuple[int, int]:
    """Start and end of an interval, where the second of the first interval's start is set to `start_us`."""
    if isinstance(run, MeasuredTables):
        moved = start_us - run.starts_us[0] // 1_000_000 * 1_000_000
        return run.starts_us[interval] + moved, run.ends_us[interval] + moved
    ends = (start_us + round(number * run.interval_s * 1e6) for number in (interval, interval + 1))
    return next(ends), next(ends)


def start_of(run: Tabulated) -> str:
    """The start of measured intervals, or the default of simulated ones."""
    return when(run.starts_us[0]) if isinstance(run, MeasuredTables) else START


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

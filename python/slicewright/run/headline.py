"""What a run is about: its I/O, or where it has none what its processors did, its names, groups or guests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slicewright.run.tables import keys
from slicewright.statistics import Estimate, estimate, fixed, plural, plus_minus

if TYPE_CHECKING:
    import polars

    from slicewright.run.tabulated import Tabulated

MOST = 4
"""How many partitions, groups or guests the headline has."""


def headline(run: Tabulated) -> str:
    """The line; empty where nothing was measured.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> headline(slicewright.run(starter("mm1"), replications=2))
    '1 volume: ... I/O per s, response ... ms, ... waiting'
    """
    subject = _subject(run.pooled)
    if subject is None:
        return ""
    table: polars.DataFrame = getattr(run, subject.table)
    line = "; ".join(subject.line(row) for row in table.head(MOST).iter_rows(named=True))
    if subject.table == "system":
        return f"{plural(run.volumes.height, 'volume')}: {line}"
    return f"{line}; and {table.height - MOST} more" if table.height > MOST else line


def foremost(pooled: Mapping[str, polars.DataFrame]) -> list[tuple[str, str, Estimate]]:
    """The counters that the headline is about: entity ("" where there is one system), counter, estimate.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> [counter for _, counter, _ in foremost(slicewright.run(starter("mm1"), replications=2).pooled)]
    ['response_ms', 'io_per_s']
    """
    subject = _subject(pooled)
    if subject is None:
        return []
    return [
        (entity, name, estimate(frame[name].drop_nulls().to_list()))
        for entity, frame in _entities(pooled, subject)
        for name in subject.counters
        if frame[name].drop_nulls().len()
    ]


def widest(pooled: Mapping[str, polars.DataFrame]) -> float:
    """The widest 95 % half-width of what the headline has, as a share of its mean; infinite where it is unknown.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> 0 < widest(slicewright.run(starter("mm1"), replications=2).pooled) < 1
    True
    """
    return max((value.relative for _, _, value in foremost(pooled)), default=0.0)


def _entities(pooled: Mapping[str, polars.DataFrame], subject: Subject) -> list[tuple[str, polars.DataFrame]]:
    """The first entities of the subject, each with a row per replication."""
    frame = pooled[subject.table]
    names = keys(frame)
    if not names:
        return [("", frame)]
    return [(str(each[names[0]][0]), each) for each in frame.partition_by(names, maintain_order=True)[:MOST]]


def _subject(pooled: Mapping[str, polars.DataFrame]) -> Subject | None:
    """The first that the run has; I/O is one only where there was some."""
    return next((subject for subject in SUBJECTS if not subject.rows(pooled).is_empty()), None)


def _volumes_line(row: dict[str, Any]) -> str:
    rate, response, waiting = (_noisy(row, name) for name in ("io_per_s", "response_ms", "queue_depth"))
    return f"{rate} I/O per s, response {response} ms, {waiting} waiting"


def _control_program_line(row: dict[str, Any]) -> str:
    used = f"{row['partition']}: {_noisy(row, 'total_percent')} % of a processor used"
    by_whom = f"{fixed(row['guests_percent'], 1)} % by guests"
    return f"{used}, {by_whom}, T/V {fixed(row['tv_ratio'], 2)}, {fixed(row['unparked'], 1)} processors unparked"


def _serialization_line(row: dict[str, Any]) -> str:
    pairs, each = _noisy(row, "pairs_per_s"), _noisy(row, "elapsed_us_per_pair")
    return f"{row['partition']}: {pairs} pairs of ENQ and DEQ per s, {each} us each"


def _group_line(row: dict[str, Any]) -> str:
    throttled = "" if not row["nr_periods"] else f", throttled in {_noisy(row, 'throttled_percent')} % of its periods"
    return f"{row['cgroup']}: {_noisy(row, 'cpu_percent')} % of a processor{throttled}"


def _guest_line(row: dict[str, Any]) -> str:
    return f"{row['guest']}: {_noisy(row, 'cycles_per_s')} cycles per s"


def _noisy(row: dict[str, Any], name: str) -> str:
    return plus_minus(row[name], row[f"{name}_half_width"])


@dataclass(frozen=True, slots=True)
class Subject:
    """What a run may be about: a table, a row of it in words, and the counters that `precision` is about."""

    table: str
    line: Callable[[dict[str, Any]], str]
    counters: tuple[str, ...]

    def rows(self, pooled: Mapping[str, polars.DataFrame]) -> polars.DataFrame:
        """Its rows, one per replication and entity."""
        rows = pooled[self.table]
        return rows.filter(rows["io_per_s"] > 0) if self.table == "system" else rows


SUBJECTS = (
    Subject("system", _volumes_line, ("response_ms", "io_per_s")),
    Subject("control_programs", _control_program_line, ("work_percent",)),
    Subject("serialization", _serialization_line, ("pairs_per_s", "elapsed_us_per_pair")),
    Subject("cgroups", _group_line, ("cpu_percent", "throttled_percent")),
    Subject("guests", _guest_line, ("cycles_per_s",)),
)

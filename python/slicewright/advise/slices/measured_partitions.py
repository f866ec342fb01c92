"""Partitions as measured intervals show them, in the form of pages: volumes of one system, partitions, CPU time.

Records 0/16 and 70-1 give the dispatched time of every partition.  Weights and physical processors are in no table, so
they are given: `--weight`, `--assume processors=`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from slicewright.advise.day import Day
from slicewright.advise.slices.evidence import Evidence
from slicewright.advise.slices.machine_page import CpuPage, MachinePage, Weighed
from slicewright.advise.slices.partition_page import PageVolume, PartitionPage, plain
from slicewright.advise.slices.request import SliceRequest
from slicewright.errors import Problem, nearest, problem, refusal
from slicewright.run.tables import per_replication

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True)
class Interval:
    """One interval: I/O per second, requests waiting and in service, and processors that all partitions used."""

    number: int
    io_per_s: float
    present: float
    used: float


@dataclass(frozen=True)
class DayPartitions:
    """Rows of volumes with I/O and of partitions over a day, by interval; `own` is the partition with the volumes."""

    day: Day
    volumes: polars.DataFrame
    partitions: polars.DataFrame
    own: str

    @property
    def intervals(self) -> list[Interval]:
        """The intervals in which there was I/O."""
        import polars as pl

        busy = pl.col("io_per_s") * pl.col("service_ms") / 1000 + pl.col("queue_depth_sampled").fill_null(0)
        sums = self.volumes.group_by("interval").agg(pl.col("io_per_s").sum(), busy.sum().alias("present"))
        used = pl.col("dispatched_percent") * pl.col("logical_processors") / 100
        spent = dict(self.partitions.group_by("interval").agg(used.sum()).iter_rows())
        return [
            Interval(row["interval"], row["io_per_s"], row["present"], spent.get(row["interval"]) or 0.0)
            for row in sums.sort("interval").iter_rows(named=True)
        ]

    def evidence(self, intervals: Sequence[int], span: str, question: SliceRequest) -> Evidence:
        """The means over some intervals as pages; `span` names them."""
        import polars as pl

        inside = pl.col("interval").is_in(list(intervals))
        measured = self.day.measured
        length_s = sum(measured.ends_us[at] - measured.starts_us[at] for at in intervals) / 1e6
        rows = per_replication(self.volumes.filter(inside), "volumes").to_dicts()
        volumes = tuple(
            PageVolume(
                plain(row["volume"], f"DEV-{row['device']}"), row["device"], row["io_per_s"], row["pend_ms"] or 0.0,
                row["disc_ms"] or 0.0, row["conn_ms"] or 0.0, row["queue_depth_sampled"] or 0.0, 0.0, None,
                bool(row["pool"]) or (row["alias_io_per_s"] or 0) > 0,
            )
            for row in rows
        )  # fmt: skip
        head = (self.day.name, self.own, span)
        page = PartitionPage(*head, length_s, "current", volumes)
        shown = per_replication(self.partitions.filter(inside), "partitions").to_dicts()
        partitions = tuple(
            Weighed(
                row["partition"], question.weights[row["partition"].upper()] or None, row["logical_processors"],
                (row["dispatched_percent"] or 0.0) * row["logical_processors"] / 100,
            )
            for row in shown
        )  # fmt: skip
        waits = any((row["wait_percent"] or 0.0) > 0 for row in shown)
        machine = MachinePage(
            self.day.name, self.own, self.own, span, partitions, question.assumed.processors, None, waits, length_s
        )
        return Evidence((page,), (machine,), self._cpu(inside, head, length_s), measured=True)

    def _cpu(self, inside: polars.Expr, head: tuple[str, str, str], length_s: float) -> tuple[CpuPage, ...]:
        """How busy the logical processors of the own partition were, where the records have it."""
        import polars as pl

        rows = self.day.table("logical_processors").filter(inside & (pl.col("partition") == self.own))
        busy, count = rows["busy_percent"].mean(), rows["number"].n_unique()
        if not isinstance(busy, float) or not count:
            return ()
        file, system, span = head
        return (CpuPage(file, system, count, busy / 100, None, span, length_s),)


def read_day_partitions(day: Day, question: SliceRequest) -> DayPartitions:
    """The partitions of a day; raises InputError where weights, processors or the own partition are missing."""
    import polars as pl

    volumes = day.table("volumes").filter(pl.col("io_per_s") > 0)
    partitions = day.table("partitions")
    names = partitions["partition"].unique(maintain_order=True).to_list()
    problems = _weights(names, day, question)
    if question.assumed.processors is None:
        why = "no table has the processors that partitions share"
        allowed = "--assume processors=10"
        problems.append(problem("the number of shared processors is missing", file=day.name, why=why, allowed=allowed))
    if question.shares:
        problems.append(problem("shares follow from weights", key="share", allowed="--weight NAME=N"))
    own = _own(day, partitions, question, problems)
    if problems:
        raise refusal(*problems)
    sharing = {name for name in names if question.weights.get(name.upper())}
    if own not in sharing:
        why = "dedicated processors are never waited for"
        raise refusal(problem("does not share processors", file=day.name, key=f"partition {own}", why=why))
    return DayPartitions(day, volumes, partitions, own)


def missing(day: Day) -> list[str]:
    """The records that a day lacks for the question."""
    found = day.lacks("volumes", "io_per_s", "6/3 (MRIODDEV) or 74-1: rate, service and queue of volumes")
    if day.table("partitions")["partition"].n_unique() < 2:
        found.append("0/16 (MRSYTCUP) or 70-1: two or more partitions")
    return found


def without_processors(question: SliceRequest) -> SliceRequest:
    """The request without the processors, which the evidence then has.

    >>> without_processors(SliceRequest()).assumed.processors is None
    True
    """
    return replace(question, assumed=replace(question.assumed, processors=None))


def _weights(names: Sequence[str], day: Day, question: SliceRequest) -> list[Problem]:
    """Problems of the weights: unknown partitions, partitions without one, fewer than two that share."""
    known = {name.upper(): name for name in names}
    problems = [
        problem("no such partition", file=day.name, key=f"weight {name}", allowed=", ".join(names),
                nearest=nearest(name, names))
        for name in question.weights
        if name not in known
    ]  # fmt: skip
    without = [name for name in names if name.upper() not in question.weights]
    if without:
        why = "tables of measured intervals have no weights"
        allowed = f"{' '.join(f'--weight {name}=N' for name in without)}; DED for dedicated processors"
        problems.append(problem(f"no weight of {', '.join(without)}", file=day.name, why=why, allowed=allowed))
    elif sum(weight > 0 for weight in question.weights.values()) < 2:
        why = "a partition that shares with no other never waits for a processor"
        problems.append(problem("no two partitions share processors", file=day.name, key="weight", why=why))
    return problems


def _own(day: Day, partitions: polars.DataFrame, question: SliceRequest, problems: list[Problem]) -> str:
    """The partition of the system: as given, with its own interrupts (70-1), or of the same name."""
    names = partitions["partition"].unique(maintain_order=True).to_list()
    if question.partition is not None:
        if question.partition in names:
            return question.partition
        near = nearest(question.partition, names)
        problems.append(problem(f"no such partition: {question.partition}", key="partition", allowed=", ".join(names),
                                nearest=near))  # fmt: skip
        return ""
    handled = partitions.filter(partitions["interrupts_per_s"].is_not_null())["partition"].unique().to_list()
    same = [name for name in names if name == day.measured.name]
    found = [*(handled if len(handled) == 1 else []), *same]
    if not found:
        why = f"the records are of system {day.measured.name}, and do not name its partition"
        problems.append(problem("the partition of the system is missing", file=day.name, key="partition", why=why,
                                allowed=", ".join(names)))  # fmt: skip
    return next(iter(found), "")

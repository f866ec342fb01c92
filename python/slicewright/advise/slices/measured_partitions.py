"""Partitions as measured intervals show them, in the form of pages: volumes of one system, partitions, CPU time.

Records 0/16 and 70-1 give the dispatched time of every partition, 70-1 weights and general processors too.  What the
records lack is given: `--weight`, `--assume processors=`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from slicewright.advise.day import Day
from slicewright.advise.slices.evidence import Evidence
from slicewright.advise.slices.machine import check_fits
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
    """Rows of volumes with I/O and of partitions over a day, by interval; `own` is the partition with the volumes.

    `weights` are by partition, 0 where its processors are dedicated; `processors` are those that the others share.
    """

    day: Day
    volumes: polars.DataFrame
    partitions: polars.DataFrame
    own: str
    weights: Mapping[str, float]
    processors: float

    @property
    def intervals(self) -> list[Interval]:
        """The intervals in which there was I/O."""
        import polars as pl

        busy = pl.col("io_per_s") * pl.col("service_ms") / 1000 + pl.col("queue_depth_sampled").fill_null(0)
        sums = self.volumes.group_by("interval").agg(pl.col("io_per_s").sum(), busy.sum().alias("present"))
        spent = dict(self.partitions.group_by("interval").agg(pl.col("used").sum()).iter_rows())
        return [
            Interval(row["interval"], row["io_per_s"], row["present"], spent.get(row["interval"]) or 0.0)
            for row in sums.sort("interval").iter_rows(named=True)
        ]

    def evidence(self, intervals: Sequence[int], span: str) -> Evidence:
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
        inside_rows = self.partitions.filter(inside)
        shown = per_replication(inside_rows.drop("used"), "partitions").to_dicts()
        used = dict(inside_rows.group_by("partition").agg(pl.col("used").mean()).iter_rows())
        partitions = tuple(
            Weighed(
                row["partition"], self.weights[row["partition"]] or None, row["logical_processors"],
                used[row["partition"]] or 0.0,
            )
            for row in shown
        )  # fmt: skip
        dedicated = sum(row.logicals for row in partitions if row.weight is None)
        waits = any((row["wait_percent"] or 0.0) > 0 for row in shown)
        processors = round(self.processors + dedicated)
        machine = MachinePage(self.day.name, self.own, self.own, span, partitions, processors, None, waits, length_s)
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
    """The partitions of a day; raises InputError where weights, processors or the own partition are missing.

    Raises InputError too where an option contradicts the records, or the partitions used more than there is.
    """
    import polars as pl

    volumes = day.table("volumes").filter(pl.col("io_per_s") > 0)
    partitions = day.table("partitions").with_columns(_used().alias("used"))
    names = partitions["partition"].unique(maintain_order=True).to_list()
    problems: list[Problem] = []
    weights = _weights(_last(partitions, "weight"), day, question, problems)
    processors = _processors(partitions, weights, day, question, problems)
    if question.shares:
        problems.append(problem("shares follow from weights", key="share", allowed="--weight NAME=N"))
    own = _own(day, partitions, question, problems)
    if problems:
        raise refusal(*problems)
    if own not in {name for name in names if weights[name]}:
        why = "dedicated processors are never waited for"
        raise refusal(problem("does not share processors", file=day.name, key=f"partition {own}", why=why))
    return DayPartitions(day, volumes, partitions, own, weights, processors)


def _used() -> polars.Expr:
    """Processors that carried a partition: from its work over the elapsed time where that is known."""
    import polars as pl

    carried = pl.col("cpu_percent") * pl.col("dispatched_percent") / pl.col("effective_percent")
    whole = pl.col("dispatched_percent") * pl.col("logical_processors")
    return pl.when(pl.col("effective_percent") > 0).then(pl.coalesce(carried, whole)).otherwise(whole) / 100


def _last(partitions: polars.DataFrame, column: str) -> dict[str, float | None]:
    """The last value of a column that each partition has; None where it has none."""
    found: dict[str, float | None] = dict.fromkeys(partitions["partition"].unique(maintain_order=True).to_list())
    found |= {name: value for name, value in partitions.select("partition", column).iter_rows() if value is not None}
    return found


def _processors(
    partitions: polars.DataFrame, weights: Mapping[str, float], day: Day, question: SliceRequest,
    problems: list[Problem],
) -> float:  # fmt: skip
    """The processors that are shared: as the records have them, or as given; not fewer than were used."""
    import polars as pl

    dedicated = [name for name, weight in weights.items() if weight == 0]
    others = partitions.filter(~pl.col("partition").is_in(dedicated))
    own = partitions.filter(pl.col("partition").is_in(dedicated)).group_by("interval")
    most = max((value or 0.0 for value in others.group_by("interval").agg(pl.col("used").sum())["used"]), default=0.0)
    taken = max(own.agg(pl.col("logical_processors").sum())["logical_processors"], default=0)
    machine = next((value for value in _last(partitions, "machine_processors").values() if value), None)
    there = None if machine is None else machine - taken
    given = question.assumed.processors
    if given is not None:
        shared, source = float(given), f"--assume processors={given}"
    elif there is not None:
        shared, source = there, f"the records have {machine:g} general processors"
    else:
        why, allowed = f"{day.records} of this day has no number of them", "--assume processors=10"
        what = "the number of shared processors is missing"
        problems.append(problem(what, file=day.name, why=why, allowed=allowed))
        return 0.0
    found = check_fits(day.name, most, shared, source)
    if not found and there is not None and shared != there:
        why = f"{machine:g} general processors, {taken:g} of them dedicated"
        found = [problem(f"the records have {there:g} shared processors, not {given}", file=day.name,
                         key="assume processors", why=why, allowed="the answer without it")]  # fmt: skip
    problems += found
    return shared


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


def _weights(
    measured: Mapping[str, float | None], day: Day, question: SliceRequest, problems: list[Problem]
) -> dict[str, float]:
    """The weight of each partition, of the records or as given; 0 is dedicated."""
    names = list(measured)
    known = {name.upper(): name for name in names}
    problems += [
        problem("no such partition", file=day.name, key=f"weight {name}", allowed=", ".join(names),
                nearest=nearest(name, names))
        for name in question.weights
        if name not in known
    ]  # fmt: skip
    problems += [
        problem(f"the records have another weight: {_weight_text(weight)}", file=day.name, key=f"weight {name}",
                allowed="the answer without it")
        for name, weight in measured.items()
        if weight is not None and question.weights.get(name.upper(), weight) != weight
    ]  # fmt: skip
    found = {
        name: question.weights.get(name.upper()) if weight is None else weight for name, weight in measured.items()
    }
    without = [name for name, weight in found.items() if weight is None]
    weights = {name: weight or 0.0 for name, weight in found.items()}
    if without:
        why = f"{day.records} of this day has no weight of {'it' if len(without) == 1 else 'them'}"
        allowed = f"{' '.join(f'--weight {name}=N' for name in without)}; DED for dedicated processors"
        problems.append(problem(f"no weight of {', '.join(without)}", file=day.name, why=why, allowed=allowed))
    elif sum(weight > 0 for weight in weights.values()) < 2:
        why = "a partition that shares with no other never waits for a processor"
        problems.append(problem("no two partitions share processors", file=day.name, key="weight", why=why))
    return weights


def _weight_text(weight: float) -> str:
    return f"{weight:g}" if weight else "DED"


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

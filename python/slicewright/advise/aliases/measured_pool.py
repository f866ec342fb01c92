"""Pools as measured intervals show them: volumes with all their I/O, aliases and their tries, and sampled queues.

A volume has the I/O of its base and of the aliases that worked for it, as on an RMF page of devices (`rmf_page`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from slicewright.advise.aliases.evidence import MEASURED, Device, PoolReport, Tries, Volume
from slicewright.advise.aliases.membership import by_name
from slicewright.advise.aliases.request import AliasRequest, Span
from slicewright.advise.day import Day
from slicewright.errors import Problem, problem, refusal
from slicewright.reading.accept import chance_of_samples
from slicewright.run.tables import per_replication
from slicewright.statistics import plural

if TYPE_CHECKING:
    import polars

COUNTER_MS = 0.001
"""Half a step of the times in records."""


@dataclass(frozen=True)
class Interval:
    """A pool in one interval: aliases, rate per second, response in ms, requests waiting and in service."""

    number: int
    aliases: int
    io_per_s: float
    service_ms: float
    waiting: float
    fails_per_try: float | None

    @property
    def present(self) -> float:
        """Requests waiting and in service."""
        return self.waiting + self.io_per_s * self.service_ms / 1000

    @property
    def response_ms(self) -> float:
        """Response by Little's law."""
        return 1000 * self.present / self.io_per_s


@dataclass(frozen=True)
class DayPool:
    """A pool over a day: rows of its volumes and of its own record, by interval.

    `name` is that in the records; "" is none, and then `membership` says why its volumes are together.
    """

    day: Day
    name: str
    volumes: polars.DataFrame
    record: polars.DataFrame
    membership: str = ""

    @property
    def intervals(self) -> list[Interval]:
        """The intervals in which it did I/O."""
        import polars as pl

        io = pl.col("io_per_s")
        sums = self.volumes.group_by("interval").agg(
            io.sum(), (io * pl.col("service_ms")).sum().alias("busy"), pl.col("queue").sum()
        )
        own = {row["interval"]: row for row in self.record.iter_rows(named=True)}
        return [
            Interval(
                row["interval"], round(own.get(row["interval"], {}).get("aliases") or 0), row["io_per_s"],
                row["busy"] / row["io_per_s"], row["queue"], own.get(row["interval"], {}).get("fails_per_try"),
            )
            for row in sums.sort("interval").iter_rows(named=True)
            if row["io_per_s"] > 0
        ]  # fmt: skip

    def report(self, intervals: Sequence[int], span: str) -> PoolReport:
        """The means over some intervals with one number of aliases; `span` names them."""
        import polars as pl

        inside = pl.col("interval").is_in(list(intervals))
        rows = per_replication(self.volumes.drop("queue").filter(inside), "volumes").to_dicts()
        measured = self.day.measured
        length_s = sum(measured.ends_us[at] - measured.starts_us[at] for at in intervals) / 1e6
        record = per_replication(self.record.filter(inside), "pools").to_dicts()
        count = round(record[0]["aliases"] or 0) if record else 0
        busy = [row for row in rows if row["io_per_s"] > 0]
        errors = [float(chance_of_samples(row["queue_depth_sampled"] or 0.0, length_s)) for row in busy]
        # Errors of volumes are independent, and of a pool that lends only the sums are compared.
        together = math.hypot(*errors) / sum(errors) if count and sum(errors) else 1.0
        known = self._known()
        devices = [
            _device(row, known.get(row["device"], {}), together * error, length_s)
            for row, error in zip(busy, errors, strict=True)
        ]
        return PoolReport(
            file=self.day.name, run=f"{self.day.name} {span}", started=span, interval_s=length_s, kind="HyperPAV",
            volumes=tuple(map(Volume, devices)), aliases=tuple(_alias(devices[0], at) for at in range(count)),
            membership=self.membership, idle=len(rows) - len(busy), page=self.day.records, source=MEASURED,
            tries=_tries(record, busy, length_s) if count else None,
        )  # fmt: skip

    def _known(self) -> dict[str, dict[str, Any]]:
        devices = self.day.table("devices").unique("device", keep="first", maintain_order=True)
        return {row["device"]: row for row in devices.select("device", "type", "paths").iter_rows(named=True)}


def read_day_pools(day: Day, question: AliasRequest) -> list[DayPool]:
    """The pools of a day, those first in which most requests wait; raises InputError where they cannot be advised on.

    Volumes of one pool of the records are together.  Volumes without a pool are grouped as on a DEVICE page, by the
    first two digits or as `--pool` names them.
    """
    import polars as pl

    volumes = _with_io(day)
    named = [span for spans in question.pools for span in spans]
    if named:
        inside = [number for number in volumes["device"].unique() if any(number in span for span in named)]
        pools = volumes.filter(pl.col("device").is_in(inside) & (pl.col("pool") != ""))["pool"].unique()
        volumes = volumes.filter(pl.col("pool").is_in(pools.to_list()) | pl.col("device").is_in(inside))
    if volumes.is_empty():
        allowed = "a day on which at least one disk did I/O, and --pool ranges that hold some of them"
        raise refusal(problem("no volume with I/O to advise on", file=day.name, allowed=allowed))
    records = _with_aliases(day, volumes, question)
    problems = _unsampled(volumes, day)
    if problems:
        raise refusal(*problems)
    found = [
        DayPool(day, name, volumes.filter(pl.col("pool") == name), records.filter(pl.col("pool") == name))
        for name in volumes["pool"].unique(maintain_order=True)
        if name
    ]
    found += _loose(day, volumes.filter(pl.col("pool") == ""), records.clear(), question.pools)
    return sorted(found, key=lambda pool: -max(interval.waiting for interval in pool.intervals))


def missing(day: Day) -> list[str]:
    """The records that a day lacks for the question."""
    if day.of_linux:
        return [
            "volumes with queue and service apart; advise aliases reads the output of fio, iostat, btt and dasdstat"
        ]
    found = day.lacks("volumes", "io_per_s", "6/3 (MRIODDEV) or 74-1: rate, service and queue of volumes")
    if found:
        return found
    volumes = _with_io(day)
    problems = _unsampled(volumes, day) if volumes["queue"].is_null().all() else []
    if (volumes["pool"] == "").all():
        problems += _static(volumes, day)
    return [f"what it needs ({each['what']}: {each['why']}); {each['allowed']} has it" for each in problems]


def _with_io(day: Day) -> polars.DataFrame:
    """The rows of volumes that did I/O, with their queue as it was sampled or counted."""
    import polars as pl

    volumes = day.table("volumes").filter(pl.col("io_per_s") > 0)
    return volumes.with_columns(pl.coalesce("queue_depth_sampled", "queue_depth").alias("queue"))


def _with_aliases(day: Day, volumes: polars.DataFrame, question: AliasRequest) -> polars.DataFrame:
    """The records of the pools, with the aliases that `--aliases` gives where they have none; raises InputError."""
    import polars as pl

    records = day.table("pools").filter(pl.col("pool").is_in(volumes["pool"].unique().to_list()))
    lending = volumes.filter(pl.col("pool") != "")["pool"].unique(maintain_order=True).to_list()
    counted = set(records.filter(pl.col("aliases").is_not_null())["pool"].unique().to_list())
    given = {pool: question.aliases.get(pool, question.aliases.get("")) for pool in lending if pool not in counted}
    why = f"{day.records} of this day gives the tries of a pool, not how many aliases it has"
    problems = [
        problem("the number of aliases is missing", file=day.name, key=f"pool {pool}", why=why,
                allowed=f"--aliases {pool}=N; D M=DEV gives the number configured")
        for pool, count in given.items()
        if count is None
    ]  # fmt: skip
    allowed = ", ".join(pool for pool in lending if pool not in counted) or "none: the records give the numbers"
    problems += [
        problem("no pool whose aliases are missing", file=day.name, key=f"aliases {pool}", allowed=allowed)
        for pool in question.aliases
        if pool not in given and (pool or not given)
    ]
    if problems:
        raise refusal(*problems)
    known = pl.col("pool").replace_strict(given, default=None, return_dtype=pl.Float64)
    return records.with_columns(pl.coalesce("aliases", known).alias("aliases"))


def _unsampled(volumes: polars.DataFrame, day: Day) -> list[Problem]:
    """A problem where the queues of volumes are not known: without them the requests that wait are not known."""
    lacking = volumes.filter(volumes["queue"].is_null())["device"].unique().sort().to_list()
    if not lacking:
        return []
    why = f"{plural(len(lacking), 'volume')} with I/O, {lacking[0]} first: HFCTIO and HFRDEVCT of 6/3 do not count"
    allowed = "monitor data with high-frequency samples: MONITOR SAMPLE RATE, and domain I/O enabled"
    return [problem("queues are not in the records", file=day.name, why=why, allowed=allowed)]


def _aliased(volumes: polars.DataFrame) -> list[str]:
    return list(volumes.filter(volumes["alias_io_per_s"] > 0)["device"].unique().sort())


def _static(volumes: polars.DataFrame, day: Day) -> list[Problem]:
    """A problem where all volumes have aliases of their own, which records do not count."""
    aliased = _aliased(volumes)
    if not aliased or len(aliased) < volumes["device"].n_unique():
        return []
    why = f"{plural(len(aliased), 'volume')}, {aliased[0]} first, whose aliases the records do not count"
    allowed = "a DEVICE report (FCX108), which has a row for each alias"
    return [problem("volumes with static aliases", file=day.name, why=why, allowed=allowed)]


def _loose(
    day: Day, volumes: polars.DataFrame, none: polars.DataFrame, named: Sequence[tuple[Span, ...]]
) -> list[DayPool]:
    """Volumes without a pool, grouped; raises InputError for some that have aliases of their own."""
    import polars as pl

    if volumes.is_empty():
        return []
    if problems := _static(volumes, day):
        raise refusal(*problems)
    aliased = _aliased(volumes)
    rows = volumes.filter(~pl.col("device").is_in(aliased)).unique("device", keep="first").sort("device").to_dicts()
    left = f"; {plural(len(aliased), 'volume')} with static aliases ignored" if aliased else ""
    return [
        DayPool(
            day, "", volumes.filter(pl.col("device").is_in([row.device for row in group.rows])), none,
            group.membership + left if len(group.rows) > 1 else "",
        )
        for group in by_name([_device(row, {}, 0.0, 1.0) for row in rows], named)
    ]  # fmt: skip


def _device(row: dict[str, Any], known: dict[str, Any], queue_error: float, length_s: float) -> Device:
    number = row["device"].upper()
    return Device(
        device=number[-4:], type=known.get("type") or "", label=row["volume"], base="",
        io_per_s=row["io_per_s"], io_rounding=0.5 / length_s,
        pend_ms=row["pend_ms"] or 0.0, disc_ms=row["disc_ms"] or 0.0, conn_ms=row["conn_ms"] or 0.0,
        part_rounding=3 * COUNTER_MS, service_ms=row["service_ms"], service_rounding=3 * COUNTER_MS,
        response_ms=row["response_ms"] or 0.0, response_rounding=3 * COUNTER_MS,
        queue_depth=row["queue_depth_sampled"] or row["queue_depth"] or 0.0, queue_rounding=queue_error,
        paths=int(known.get("paths") or 0),
    )  # fmt: skip


def _alias(base: Device, at: int) -> Device:
    """An alias of the pool, whose I/O is that of volumes."""
    return replace(
        base, device=f"{base.device}+{at + 1}", label="", io_per_s=0.0, io_rounding=0.0, pend_ms=0.0, disc_ms=0.0,
        conn_ms=0.0, service_ms=0.0, response_ms=0.0, queue_depth=0.0, queue_rounding=0.0,
    )  # fmt: skip


def _tries(record: list[dict[str, Any]], volumes: list[dict[str, Any]], length_s: float) -> Tries | None:
    if not record or not record[0]["tries"] or record[0]["fails_per_try"] is None:
        return None
    lent = [row["alias_io_per_s"] for row in volumes]
    known = None if any(rate is None for rate in lent) else sum(lent)
    return Tries(record[0]["tries"] / length_s, record[0]["fails_per_try"], known)

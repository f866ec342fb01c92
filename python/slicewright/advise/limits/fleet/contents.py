"""The contents of a cluster's series as a report: containers, what is set for them, and what their counters show."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

import polars as pl

from slicewright.advise.limits.fleet.cluster import Fleet, cluster_of
from slicewright.advise.options import AdviceOptions
from slicewright.measured.tables import when
from slicewright.report.forms import decimals
from slicewright.report.model import Column, Lead, Notes, Paragraph, Report, Section, Table
from slicewright.statistics import plural
from slicewright.values.errors import problem, refusal

_MOST_SHOWN = 20
"""Containers that are listed as text, those that are throttled most first; HTML and JSON have all."""

_COLUMNS: list[Column[dict[str, Any]]] = [
    Column("workload", "container", itemgetter("workload")),
    Column("replicas", "replicas", itemgetter("replicas"), form=decimals(0)),
    Column("limit", "limit", itemgetter("limit"), "processors", decimals(3), help="that of a replica; - is none"),
    Column("reserved", "request", itemgetter("reserved"), "processors", decimals(3), optional=True),
    Column("used", "used", itemgetter("used"), "processors", decimals(3), help="processor time of a replica over time"),
    Column("throttled_percent", "throttled", itemgetter("throttled_percent"), "%", decimals(1),
           help="share of the periods in which it was stopped"),
    Column("requests_per_s", "requests", itemgetter("requests_per_s"), "/s", decimals(1), optional=True),
    Column("measured_p99_ms", "p99", itemgetter("measured_p99_ms"), "ms", decimals(1), optional=True),
    Column("intervals", "intervals", itemgetter("intervals"), form=decimals(0)),
]  # fmt: skip


def cluster_contents(files: Sequence[str | os.PathLike[str]], options: Mapping[str, str | None]) -> Report | None:
    """The report of files with series of a cluster; None for other files.

    Raises InputError for `options` that are given: they are about the intervals of one system.
    """
    cluster = cluster_of(files, AdviceOptions())
    if cluster is None:
        return None
    why = "series of a cluster are of many containers, and are not kept as a run"
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise refusal(*(problem("applies to monitor data", key=name, why=why) for name in given))
    from slicewright.advise.limits.fleet.series.read import read_cluster

    return contents_of(read_cluster(cluster), cluster.name)


def rows_of(fleet: Fleet) -> list[dict[str, Any]]:
    """A row per workload with its counters over all of the time, those that are throttled most first."""
    length = pl.col("length_s").sum()
    counted = fleet.intervals.group_by("workload").agg(
        pl.len().alias("intervals"), (pl.col("used_s").sum() / length).alias("used"),
        pl.when(pl.col("periods").sum() > 0).then(100 * pl.col("throttled").sum() / pl.col("periods").sum())
        .alias("throttled_percent"), pl.col("requests_per_s").mean(),
    )  # fmt: skip
    joined = fleet.workloads.join(counted, on="workload")
    return joined.sort("throttled_percent", "workload", descending=[True, False], nulls_last=True).to_dicts()


def contents_of(fleet: Fleet, name: str) -> Report:
    """The report of what files hold."""
    rows, intervals = rows_of(fleet), fleet.intervals
    ends = (pl.col("at_s") - pl.col("length_s")).min(), pl.col("at_s").max().alias("last")
    first, last = (when(round(1e6 * float(at_s))) for at_s in intervals.select(*ends).row(0))
    shown = {row["workload"] for row in rows[:_MOST_SHOWN]}
    size = f"{plural(len(rows), 'container')}, {plural(int(fleet.workloads['replicas'].sum()), 'replica')}"
    table = Table(_COLUMNS, rows, brief=lambda row: row["workload"] in shown)
    more = f"{len(rows) - _MOST_SHOWN:,} more are in --format json" if len(rows) > _MOST_SHOWN else ""
    return Report(
        "Series of a cluster", size, [("containers", f"{len(rows):,}"), ("intervals", f"{intervals.height:,}")],
        [
            Section("", [Lead(f"{name}: {size}"),
                         Paragraph(f"{plural(intervals.height, 'interval')} from {first} to {last} UTC")]),
            Section("Containers", [table, *([Paragraph(more)] if more else [])]),
            Section("", [Notes("Notes", list(fleet.notes))] if fleet.notes else []),
        ],
    )  # fmt: skip

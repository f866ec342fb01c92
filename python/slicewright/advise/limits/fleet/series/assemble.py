"""Series as a fleet: containers by workload, their intervals, what is set for them, and how they served."""

from __future__ import annotations

import polars as pl

from slicewright.advise.limits.fleet.cluster import INTERVALS, WORKLOADS, Fleet
from slicewright.advise.limits.fleet.series.collect import Collected
from slicewright.advise.limits.fleet.series.counters import containers, differences, named, samples
from slicewright.advise.limits.fleet.series.names import METRICS, NEEDED, Role
from slicewright.advise.limits.fleet.series.notes import Notes
from slicewright.advise.limits.fleet.series.owners import Owners, nodes
from slicewright.advise.limits.fleet.series.requests import PERCENTILES, percentiles, rates, requests
from slicewright.advise.limits.fleet.series.settings import POD, constant, gauge, limits, periods_ms, reserved
from slicewright.errors import nearest, problem, refusal

NAMES = {role: metric for metric, role in reversed(list(METRICS.items()))}
TOGETHER_S = 600.0
"""Replicas whose data end this long before those of their workload were gone by then."""


def fleet_of(data: Collected, limit: float | None = None) -> Fleet:
    """The fleet of everything that was read; `limit` is that of containers whose limit nothing gives, processors.

    Raises InputError where no interval is left.
    """
    refuse_nothing(data)
    if data.aggregates:
        data.notes.say(f"{data.aggregates:,} series over whole pods and nodes are excluded")
    owners = Owners(data)
    units, used = containers(data)
    units = _in_order(units, owners)
    found = samples(data, units, used)
    del used
    found = differences(found, units, data.notes)
    _counts_from_buckets(data)
    found = rates(found, units, requests(data, owners))
    found, units = _limited(data, found, units, limit)
    if found.is_empty():
        _refuse_no_interval(data)
    return _fleet(data, found, units, owners)


def _in_order(units: pl.DataFrame, owners: Owners) -> pl.DataFrame:
    """Containers with workload, replica and `load`, sorted; `unit` is the row."""
    loads = [owners.of((row[0], row[1], row[2]), row[3])
             for row in units.select("cluster", "namespace", "pod", "workload").iter_rows()]  # fmt: skip
    several = units.get_column("cluster").n_unique() > 1
    space = pl.concat_str("cluster", "namespace", separator=":") if several else pl.col("namespace")
    named = units.with_columns(pl.Series("load", loads, pl.String)).with_columns(
        pl.concat_str(space, "load", "container", separator="/").alias("workload"), pl.col("pod").alias("replica")
    )
    found = named.sort("workload", "replica", "first", "number").with_row_index("unit")
    return found.select("unit", "number", "load", "replica", "workload", "cluster", "namespace", "pod", "container",
                        "instance", "node", "first")  # fmt: skip


def _counts_from_buckets(data: Collected) -> None:
    """Where no counter of requests was read, the last bucket of a histogram is one."""
    if data.points.get(Role.REQUESTS) or not data.points.get(Role.BUCKET):
        return
    last = [series for series in data.series[Role.BUCKET] if series.le in ("+Inf", "inf", "Inf")]
    numbers = pl.DataFrame({"series": [series.number for series in last]}, schema={"series": pl.UInt32})
    points = [frame.join(numbers, on="series", how="semi") for frame in data.points[Role.BUCKET]]
    data.series[Role.REQUESTS], data.points[Role.REQUESTS] = last, points


def _limited(
    data: Collected, found: pl.DataFrame, units: pl.DataFrame, given: float | None
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Intervals with limit and period; without containers that are limited, nothing says to what."""
    period = gauge(data, Role.PERIOD)
    periods = periods_ms(data, period, units, found)
    found = constant(found, units, limits(data, period), data.notes)
    counted = pl.col("periods").max().over("unit").fill_null(0) > 0
    counting = pl.col("periods").fill_null(0) > 0
    unknown = pl.col("limit").is_null() & (counting | (~pl.col("known") & counted))
    if given is not None:
        found = found.with_columns(pl.when(unknown).then(given).otherwise("limit").alias("limit"))
        unknown = pl.lit(False)
    lost = found.filter(unknown).get_column("unit").unique()
    names = units.filter(pl.col("unit").is_in(lost)).select(named()).to_series().to_list()
    then = f"excluded; give {NAMES[Role.LIMIT]}, {NAMES[Role.QUOTA]} or --limit"
    data.notes.count("container{s} with throttling, but without a known limit", names, then)
    found = found.filter(~unknown)
    without = found.filter(pl.col("limit").is_not_null() & pl.col("periods").is_null())
    names = units.join(without.select("unit").unique(), on="unit", how="semi").select(named()).to_series().to_list()
    data.notes.count("container{s} with a limit, but without series of throttling", names, "throttling is not known")
    bare = pl.col("limit").is_null()
    found = found.join(periods, on="unit", how="left", maintain_order="left").with_columns(
        *(pl.when(bare).then(pl.col(name).fill_null(0.0)).otherwise(name).alias(name)
          for name in ("periods", "throttled"))
    )  # fmt: skip
    return found, units


def _fleet(data: Collected, found: pl.DataFrame, units: pl.DataFrame, owners: Owners) -> Fleet:
    notes = data.notes
    names = found.select("unit").join(units.select("unit", "workload", "replica"), on="unit", how="left",
                                      maintain_order="left")  # fmt: skip
    intervals = found.with_columns(
        names.get_column("workload"), names.get_column("replica"), (pl.col("t") / 1000).alias("at_s"),
        *(pl.col(name).round().cast(pl.Int64) for name in ("periods", "throttled")),
    ).select(*INTERVALS)  # fmt: skip
    _doubtful(intervals, notes)
    _missing(intervals, notes)
    workloads = _workloads(data, found, units, owners)
    if owners.by_name:
        what = "workload{s} pooled by names of pods"
        notes.count(what, list(owners.by_name), "there is no kube_pod_owner")
    return Fleet(intervals, workloads, notes.sentences)


def _doubtful(intervals: pl.DataFrame, notes: Notes) -> None:
    """Note intervals that contradict their limit."""
    most = pl.col("limit") * pl.col("length_s") * 1.1 + 2 * pl.col("limit") * pl.col("period_ms") / 1000
    above = intervals.filter(pl.col("used_s") > most)
    names = above.get_column("workload").unique(maintain_order=True).to_list()
    notes.count("interval{s} with more processor time than the limit allows", names,
                "is the limit right, and in processors?", above.height)  # fmt: skip


def _missing(intervals: pl.DataFrame, notes: Notes) -> None:
    """Note the series that no container has."""
    for name, role in (("stopped_s", Role.STOPPED), ("pressure_s", Role.PRESSURE)):
        if intervals.get_column(name).null_count() == intervals.height:
            notes.say(f"no {NAMES[role]}")
    if intervals.get_column("requests_per_s").null_count() == intervals.height:
        notes.say("no counters of requests")


def _workloads(data: Collected, found: pl.DataFrame, units: pl.DataFrame, owners: Owners) -> pl.DataFrame:
    """A row per workload: what held at the end of its data."""
    ends = found.group_by("unit").agg(pl.col("t").max(), pl.col("limit").sort_by("t").last())
    rows = units.join(ends, on="unit").join(reserved(data), on=list(POD), how="left")
    places = nodes(data)
    where = [places.get((row[0], row[1], row[2])) or _host(row[3])
             for row in rows.select("cluster", "namespace", "pod", "node").iter_rows()]  # fmt: skip
    rows = rows.with_columns(pl.Series("node", where, pl.String))
    last = rows.filter(pl.col("t") >= pl.col("t").max().over("workload") - 1000 * TOGETHER_S)
    last = last.sort("workload", "replica", "t").unique(["workload", "replica"], keep="last", maintain_order=True)
    found = last.group_by("workload", maintain_order=True).agg(
        pl.len().cast(pl.Int64).alias("replicas"), pl.col("limit").sort_by("t").last(),
        pl.col("reserved").sort_by("t").last(), pl.col("node").drop_nulls().alias("nodes"),
        pl.col("cluster").first(), pl.col("namespace").first(), pl.col("load").first(),
    )  # fmt: skip
    latency = percentiles(data, owners)
    found = found.join(latency, on=["cluster", "namespace", "load"], how="left", maintain_order="left")
    return found.sort("workload").select(
        *(pl.col(name) for name in WORKLOADS if name not in PERCENTILES), *PERCENTILES
    )  # fmt: skip


def _host(node: str | None) -> str | None:
    """The node of a scraped address: without its port; None where there is none."""
    return (node or "").rsplit(":", 1)[0] or None


def refuse_nothing(data: Collected) -> None:
    """Raise InputError where there is no processor time: with the nearest name of each series that has none."""
    if data.series.get(Role.USED):
        return
    allowed, file = ", ".join(NEEDED), data.files[0] if data.files else ""
    if data.aggregates:
        why = "all its series are over whole pods or nodes"
        remedy = "query it without sum(), or with sum by (namespace, pod, container)"
        raise refusal(problem("no container", file=file, key=NEEDED[0], why=why, remedy=remedy))
    wrong = [(name, nearest(name, METRICS)) for name in data.unknown]
    if wrong:
        raise refusal(
            *(problem("not a series that is read", file=file, key=name, allowed=allowed, nearest=near)
              for name, near in wrong[:10])
        )  # fmt: skip
    if data.series:
        what = f"no {NEEDED[0]}"
        raise refusal(problem(what, file=file, why="nothing else gives processor time", allowed=allowed))
    raise refusal(problem("no series", file=file, why="the result is empty", allowed=allowed,
                          remedy="check the selector and the range of time"))  # fmt: skip


def _refuse_no_interval(data: Collected) -> None:
    """Raise InputError: there are samples, but no two of them make an interval."""
    file, why = data.files[0] if data.files else "", "; ".join(data.notes.sentences)
    allowed = "two samples of a container or more"
    raise refusal(problem("no interval", file=file, key=NEEDED[0], why=why, allowed=allowed))

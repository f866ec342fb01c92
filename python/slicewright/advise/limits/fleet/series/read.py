"""A cluster read into a fleet: every file by its form, or a server; counters, settings, owners and requests."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slicewright.advise.limits.fleet.cluster import INTERVALS, WORKLOADS, Fleet
from slicewright.advise.limits.fleet.series.collect import (
    CONTAINER,
    COUNTERS,
    METRICS,
    NEEDED,
    Collected,
    Notes,
    Role,
    Series,
    cleaned,
    rank_of,
    role_of,
    unit_ms,
)
from slicewright.advise.limits.fleet.series.documents import Snapshots, query, read_prometheus
from slicewright.advise.limits.fleet.series.forms import Form, form_of, head_of, stem, unpacked
from slicewright.advise.limits.fleet.series.tables import Expositions, read_csv, read_parquet
from slicewright.statistics import percent
from slicewright.values.errors import Problem, nearest, problem, refusal
from slicewright.values.files import STANDARD_INPUT, shown
from slicewright.values.packed import MAGIC, telling_of_gzip

if TYPE_CHECKING:
    from slicewright.advise.limits.fleet.cluster import Cluster


_STALE_MS = 300_000
"""A range query repeats the last sample for up to five minutes (Prometheus, --query.lookback-delta)."""
_LONGEST = 2.5
"""An interval longer than this many usual ones is a gap: the load in it is not that of an interval."""
_MOST_FALLS, _FEWEST = 0.2, 20
"""Share of intervals in which a counter may fall, and intervals from which on that is judged."""
_OTHERS = tuple(role for role in COUNTERS if role is not Role.USED)


def _containers(data: Collected) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Containers with processor time, a row each, and their samples: series (of that time), t, `used_s`.

    Of several series of one container the one with the most samples is used.
    """
    series, points = cleaned(data, Role.USED, CONTAINER)
    bounds = points.group_by("series").agg(pl.col("t").min().alias("first"), pl.len().alias("points"))
    found = (
        series.join(bounds, left_on="number", right_on="series")
        .sort("points", "number", descending=[True, False])
        .unique(list(CONTAINER), keep="first", maintain_order=True)
    )
    if found.height < series.height:
        names = series.join(found, on="number", how="anti").select(_named()).to_series().to_list()
        data.notes.count("further series of one container", names, "the one with the most samples is used")
    return found, points.rename({"value": Role.USED.value})


def _named() -> pl.Expr:
    """The name of a container in a note."""
    return pl.concat_str("namespace", "pod", "container", separator="/").alias("name")


def _samples(data: Collected, units: pl.DataFrame, used: pl.DataFrame) -> pl.DataFrame:
    """Samples of all counters by `unit`, the row of a container, and `t`; null where a series or a sample is missing.

    `units` has a column `number`, the series of processor time.
    """
    base = _by_unit(used, units.select("number", "unit"))
    for role in _OTHERS:
        series, points = cleaned(data, role, CONTAINER)
        column = points.rename({"value": role.value})
        base = _joined(base, _by_unit(column, _matched(series, units, data.notes, role)), role.value)
    return base


def _by_unit(points: pl.DataFrame, units: pl.DataFrame) -> pl.DataFrame:
    """Points with `unit` in place of the series, sorted."""
    found = points.join(units, left_on="series", right_on="number", maintain_order="left").drop("series")
    ordered = found.get_column("unit").is_sorted()
    return found if ordered else found.sort("unit", "t")


def _matched(series: pl.DataFrame, units: pl.DataFrame, notes: Notes, role: Role) -> pl.DataFrame:
    """Number and unit of the series of a role: by container, or by pod where the export lacks the container's id."""
    exact = series.join(units.select(*CONTAINER, "unit"), on=list(CONTAINER)).unique("unit", keep="first")
    rest = series.join(exact.select("number"), on="number", how="anti")
    without = [key for key in CONTAINER if key != "instance"]
    alone = units.filter(pl.len().over(without) == 1).join(exact.select("unit"), on="unit", how="anti")
    loose = rest.join(alone.select(*without, "unit"), on=without).unique("unit", keep="first")
    lost = rest.join(loose.select("number"), on="number", how="anti")
    what = f"series of {role.value} of a container without processor time"
    notes.count(what, lost.select(_named()).to_series().to_list(), "excluded")
    return pl.concat([exact, loose]).select("number", "unit")


def _joined(base: pl.DataFrame, other: pl.DataFrame, name: str) -> pl.DataFrame:
    """The base with one more column, by unit and time."""
    same = base.height == other.height and all(base.get_column(key).equals(other.get_column(key)) for key in _KEYS)
    if same:
        return base.with_columns(other.get_column(name))
    if other.is_empty():
        return base.with_columns(pl.lit(None, pl.Float64).alias(name))
    return base.join(other, on=_KEYS, how="left", maintain_order="left")


_KEYS = ["unit", "t"]


def _differences(base: pl.DataFrame, units: pl.DataFrame, notes: Notes) -> pl.DataFrame:
    """What each counter grew by from one sample to the next: unit, t (the end), length_s and the counters.

    Not in it are intervals across a reset or a gap, and samples that a query repeated.
    """
    base = _whole(_of_last_container(base, units, notes), notes)
    base = _without_repeats(base, notes)
    same = pl.col("unit") == pl.col("unit").shift()
    names = [role.value for role in COUNTERS]
    found = base.select(
        "unit", "t", ((pl.col("t") - pl.col("t").shift()) / 1000).alias("length_s"),
        *(pl.col(name) - pl.col(name).shift() for name in names), same.alias("same"),
    ).filter(pl.col("same")).drop("same")  # fmt: skip
    _refuse_rates(found)
    fell = pl.any_horizontal(*(pl.col(name) < 0 for name in names)).fill_null(False)
    _count_units(notes, "counter reset{s}", found.filter(fell), units, "the intervals across are excluded")
    found = found.filter(~fell)
    usual = pl.col("length_s").median().over("unit")
    gaps = found.filter(pl.col("length_s") > _LONGEST * usual)
    _count_units(notes, "gap{s} in the samples", gaps, units, "the intervals across are excluded")
    return found.filter(pl.col("length_s") <= _LONGEST * usual)


def _refuse_rates(found: pl.DataFrame) -> None:
    """Raise InputError where processor time falls too often for a counter."""
    falls = found.select((pl.col(Role.USED.value) < 0).mean()).item() or 0.0
    if found.height >= _FEWEST and falls > _MOST_FALLS:
        why = f"it falls in {percent(falls, 0)} of the intervals, and a counter falls at a restart alone"
        remedy = "save the counter itself, without rate() or irate()"
        raise refusal(problem("not a counter", key=NEEDED[0], why=why, remedy=remedy))


def _of_last_container(base: pl.DataFrame, units: pl.DataFrame, notes: Notes) -> pl.DataFrame:
    """Samples of a container end where the one after its restart begins: a query repeats the old ones for a while."""
    next_one = pl.all_horizontal(*(pl.col(key) == pl.col(key).shift(-1) for key in ("workload", "replica")))
    ends = units.select("unit", "workload", "replica", pl.col("first").shift(-1).alias("end"), next_one.alias("again"))
    again = ends.filter(pl.col("again"))
    _count_units(notes, "restart{s} of a container", again, units, "the counters begin anew")
    if again.is_empty():
        return base
    known = base.join(again.select("unit", "end"), on="unit", how="left", maintain_order="left")
    return known.filter(pl.col("end").is_null() | (pl.col("t") < pl.col("end"))).drop("end")


def _whole(base: pl.DataFrame, notes: Notes) -> pl.DataFrame:
    """Samples that have the counters which others of the same container have; those of stopped time may be missing."""
    needed = [Role.PERIODS.value, Role.THROTTLED.value]
    lacking = pl.any_horizontal(*(pl.col(name).is_null() & (pl.col(name).count().over("unit") > 0) for name in needed))
    kept = base.filter(~lacking)
    then = "the intervals extend over them"
    notes.count("sample{s} without all counters of the container", [], then, base.height - kept.height)
    return kept


def _without_repeats(base: pl.DataFrame, notes: Notes) -> pl.DataFrame:
    """Samples without those that a query repeats, because its step is shorter than the time between scrapes."""
    names = [role.value for role in COUNTERS]
    same = pl.all_horizontal(*(pl.col(name).eq_missing(pl.col(name).shift()) for name in ("unit", *names)))
    repeated = base.select(same.fill_null(False)).to_series()
    if not repeated.any():
        return base
    run = (~repeated).cum_sum()
    kept = base.with_columns(run.alias("run"), repeated.alias("repeated"))
    idle = (pl.col("t").max() - pl.col("t").min()).over("run") >= _STALE_MS
    kept = kept.filter(~pl.col("repeated") | idle).drop("run", "repeated")
    notes.count("repeated sample{s}", [], "the step is shorter than the time between scrapes; merged",
                base.height - kept.height)  # fmt: skip
    return kept


def _count_units(notes: Notes, what: str, rows: pl.DataFrame, units: pl.DataFrame, then: str) -> None:
    """Count rows and name their containers."""
    numbers = rows.select(pl.col("unit").unique(maintain_order=True))
    names = numbers.join(units.select("unit", _named()), on="unit", how="left", maintain_order="left")
    notes.count(what, names.get_column("name").to_list(), then, rows.height)


POD = ("cluster", "namespace", "pod", "container")
_USUAL_MS = 100.0
"""The period of the kubelet and of Docker unless it is set otherwise."""
_PERIODS_MS = (50.0, 25.0, 20.0, 10.0, 5.0, 2.0, 1.0)
"""Shorter ones that are in use (cpuCFSQuotaPeriod)."""
_MOST_PROCESSORS = 256
"""As `request.MOST_PROCESSORS`: a limit above it is in thousandths of a processor."""


def _gauge(data: Collected, role: Role) -> pl.DataFrame:
    """Values of a setting over time: the keys of `POD`, t and value."""
    series, points = cleaned(data, role, POD)
    # Settings hardly ever change: the samples on both sides of a change are enough, and the first and last.
    around = [pl.col(name).ne_missing(pl.col(name).shift(by)) for name in ("series", "value") for by in (1, -1)]
    found = points.filter(pl.any_horizontal(around).fill_null(True)).join(
        series.select("number", *POD), left_on="series", right_on="number", maintain_order="left"
    )
    return found.select(*POD, "t", "value")


def _limits(data: Collected, period: pl.DataFrame) -> pl.DataFrame:
    """The limit of each container over time, processors (null: none); `period` are those of quotas.

    A quota over its period is what the kernel enforces, and is used before what Kubernetes reports.
    """
    quota = _gauge(data, Role.QUOTA)
    reported = _in_processors(_gauge(data, Role.LIMIT), data.notes, "limit")
    keys = list(POD)
    if not quota.is_empty():
        quota = _over_period(quota, period)
    known = quota.select(keys).unique()
    both = reported.join(known, on=keys, how="semi")
    _disagreeing(both, quota, data.notes)
    found = pl.concat([quota, reported.join(known, on=keys, how="anti")])
    return found.sort(*keys, "t")


def _over_period(quota: pl.DataFrame, period: pl.DataFrame) -> pl.DataFrame:
    """Quotas in us over their periods in us; a quota below 0 is none."""
    keys = list(POD)
    us = period.group_by(keys).agg(pl.col("value").last().alias("period"))
    found = quota.join(us, on=keys, how="left", maintain_order="left")
    share = pl.col("value") / pl.col("period").fill_null(_USUAL_MS * 1000)
    return found.with_columns(pl.when(pl.col("value") > 0).then(share).alias("value")).drop("period")


def _in_processors(found: pl.DataFrame, notes: Notes, what: str) -> pl.DataFrame:
    """Settings in processors: those that no machine has are thousandths; 0 is none."""
    large = found.filter(pl.col("value") > _MOST_PROCESSORS)
    names = large.select(pl.concat_str(*POD[1:], separator="/").unique(maintain_order=True)).to_series().to_list()
    notes.count(f"{what}{{s}} above {_MOST_PROCESSORS} processors", names, "taken as thousandths of a processor")
    scaled = pl.when(pl.col("value") > _MOST_PROCESSORS).then(pl.col("value") / 1000).otherwise(pl.col("value"))
    return found.with_columns(pl.when(scaled > 0).then(scaled).alias("value"))


def _disagreeing(reported: pl.DataFrame, quota: pl.DataFrame, notes: Notes) -> None:
    keys = list(POD)
    last = quota.group_by(keys).agg(pl.col("value").last().alias("enforced"))
    both = reported.group_by(keys, maintain_order=True).agg(pl.col("value").last()).join(last, on=keys)
    off = both.filter((pl.col("enforced") / pl.col("value") - 1).abs() > 0.02)
    names = off.select(pl.concat_str(*POD[1:], separator="/")).to_series().to_list()
    notes.count("limit{s} unlike the quota", names, "the quota is used, which the kernel enforces")


def _reserved(data: Collected) -> pl.DataFrame:
    """requests.cpu of each container at the end: the keys of `POD` and `_reserved`, processors."""
    found = _in_processors(_gauge(data, Role.RESERVED), data.notes, "request")
    return found.group_by(list(POD)).agg(pl.col("value").sort_by("t").last().alias("reserved"))


def _constant(intervals: pl.DataFrame, units: pl.DataFrame, found: pl.DataFrame, notes: Notes) -> pl.DataFrame:
    """Intervals with `limit` and `known`; without those in which a limit changed, or may have.

    A change lies between two samples of the limit, so every interval that overlaps the two is excluded.
    """
    keyed = units.select("unit", *POD).join(found, on=list(POD)).select("unit", "t", limit="value").sort("unit", "t")
    last = keyed.group_by("unit", maintain_order=True).agg(
        pl.col("limit").last(), pl.col("limit").n_unique().alias("values")
    )
    changing = last.filter(pl.col("values") > 1).select("unit")
    plain = intervals.join(last.select("unit", "limit", known=pl.lit(True)), on="unit", how="left",
                           maintain_order="left").with_columns(pl.col("known").fill_null(False))  # fmt: skip
    if changing.is_empty():
        return plain
    steps = keyed.join(changing, on="unit", how="semi", maintain_order="left")
    some = plain.join(changing, on="unit", how="semi", maintain_order="left").drop("limit")
    at_start = some.with_columns((pl.col("t") - (1000 * pl.col("length_s")).cast(pl.Int64)).alias("start"))
    before = at_start.sort("start").join_asof(
        steps.sort("t").rename({"limit": "first"}), left_on="start", right_on="t", by="unit",
        strategy="backward", suffix="_limit", check_sortedness=False,
    )  # fmt: skip
    after = before.sort("t").join_asof(
        steps.sort("t").rename({"limit": "after"}), on="t", by="unit", strategy="forward", check_sortedness=False
    ).join(last.select("unit", final="limit"), on="unit", how="left")  # fmt: skip
    beyond = pl.col("t") > pl.col("unit").replace_strict(
        *_last_times(steps), default=None, return_dtype=pl.Int64
    )  # fmt: skip
    after = after.with_columns(pl.when(beyond).then("final").otherwise("after").alias("after"))
    held = pl.col("first").eq_missing(pl.col("after")) & pl.col("t_limit").is_not_null()
    kept = after.filter(held).rename({"after": "limit"}).select(plain.columns)
    names = units.join(changing, on="unit", how="semi").select(pl.concat_str(*POD[1:], separator="/"))
    then = "the intervals across the change are excluded"
    notes.count("container{s} with a changed limit", names.to_series().to_list(), then)
    rest = plain.join(changing, on="unit", how="anti", maintain_order="left")
    return pl.concat([rest, kept]).sort("unit", "t")


def _last_times(steps: pl.DataFrame) -> tuple[pl.Series, pl.Series]:
    ends = steps.group_by("unit", maintain_order=True).agg(pl.col("t").max())
    return ends.get_column("unit"), ends.get_column("t")


def _periods_ms(data: Collected, period: pl.DataFrame, units: pl.DataFrame, intervals: pl.DataFrame) -> pl.DataFrame:
    """The period of each unit, ms: what cAdvisor reports; else 100 ms, or less where more periods are counted."""
    reported = period.group_by(list(POD)).agg((pl.col("value").last() / 1000).alias("period_ms"))
    found = units.select("unit", *POD).join(reported, on=list(POD), how="left").select("unit", "period_ms")
    per_s = intervals.select((pl.col("periods") / pl.col("length_s")).quantile(0.99)).item()
    usual = _USUAL_MS
    if per_s is not None and per_s > 1.2 * 1000 / _USUAL_MS:
        usual = min(_PERIODS_MS, key=lambda ms: abs(ms * per_s / 1000 - 1))
        if found.get_column("period_ms").null_count():
            data.notes.say(f"{per_s:.3g} periods are counted in a second: the period is taken for {usual:g} ms")
    elif found.get_column("period_ms").null_count() and data.series.get(Role.PERIODS):
        data.notes.say("the period of limits is taken for 100 ms: there is no container_spec_cpu_period")
    return found.with_columns(pl.col("period_ms").fill_null(usual))


_LETTERS = "[bcdfghjklmnpqrstvwxz2456789]"
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<name>.+)-{_LETTERS}{{6,10}}-{_LETTERS}{{5}}",
        # A CronJob's run has the minutes since 1970 in its name.
        rf"(?P<name>.+)-[0-9]{{8,10}}-{_LETTERS}{{5}}",
        rf"(?P<name>.+)-{_LETTERS}{{5}}",
        r"(?P<name>.+)-[0-9]{1,4}",
    )
)

_Pod = tuple[str, str, str]
"""Cluster, namespace and name."""


def _stripped(pod: str) -> str:
    """The name of a workload by that of its pod.

    >>> [_stripped(pod) for pod in ("web-5d8c7f9b6d-x2v4k", "db-0", "agent-zx8kp", "backup-28514220-7bqxd", "lone")]
    ['web', 'db', 'agent', 'backup', 'lone']
    """
    for pattern in _PATTERNS:
        if found := pattern.fullmatch(pod):
            return found["name"]
    return pod


class _Owners:
    """Names of workloads by pod."""

    def __init__(self, data: Collected) -> None:
        """Take the series about owners; their values are all 1."""
        sets = {
            (series.cluster, series.namespace, series.owned): _owner(series)
            for series in data.series.get(Role.SET_OWNER, [])
        }
        self._known: dict[_Pod, str] = {}
        for series in data.series.get(Role.POD_OWNER, []):
            kind, name = _owner(series)
            above_kind, above = sets.get((series.cluster, series.namespace, name), ("", ""))
            if kind == "ReplicaSet" and above and above_kind not in ("", "<none>"):
                name = above
            elif kind == "ReplicaSet":
                name = re.sub(rf"-{_LETTERS}{{6,10}}$", "", name)
            elif kind == "Job":
                name = re.sub(r"-[0-9]{8,10}$", "", name)
            if kind not in ("", "<none>", "Node") and name:
                self._known[series.cluster, series.namespace, series.pod] = name
        self.by_name: dict[str, None] = {}
        """Workloads whose pods are pooled by the pattern of their names."""

    def of(self, pod: _Pod, workload: str = "") -> str:
        """The name of the workload of a pod; `workload` is what its own labels say."""
        name = self._known.get(pod) or workload
        if not name:
            name = _stripped(pod[2])
            if name != pod[2]:
                self.by_name[f"{pod[1]}/{name}"] = None
        return name


def _owner(series: Series) -> tuple[str, str]:
    kind, _, name = series.owner.partition("/")
    return kind, name


def _nodes(data: Collected) -> Mapping[_Pod, str]:
    """The node of each pod that kube_pod_info names one for."""
    return {
        (series.cluster, series.namespace, series.pod): series.node
        for series in data.series.get(Role.POD_NODE, [])
        if series.node
    }


_PERCENTILES = {"measured_p50_ms": 0.50, "measured_p90_ms": 0.90, "measured_p95_ms": 0.95, "measured_p99_ms": 0.99}
_POD = ["cluster", "namespace", "pod"]
_LOAD = ["cluster", "namespace", "load"]


def _grown(data: Collected, role: Role, owners: _Owners) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Series with `load` (the workload), and what each grew by from sample to sample: series, t and `grew`.

    A counter that falls was reset and began at 0; one that appears after others of its pod began at 0 then.
    """
    series, points = cleaned(data, role, ())
    loads = [owners.of((row[0], row[1], row[2]), row[3]) if row[2] or row[3] else ""
             for row in series.select(*_POD, "workload").iter_rows()]  # fmt: skip
    series = series.with_columns(pl.Series("load", loads, pl.String), _rank(series))
    series = series.filter((pl.col("load") != "") & (pl.col("rank") == pl.col("rank").min().over(_LOAD)))
    series = series.filter(pl.col("metric") == pl.col("metric").min().over(_LOAD))
    firsts = points.group_by("series").agg(pl.col("t").min().alias("begins"))
    firsts = firsts.join(series, left_on="series", right_on="number").select(
        "series", pl.col("begins").min().over([*_LOAD, "pod"])
    )
    found = points.join(firsts, on="series", maintain_order="left")
    same = pl.col("series") == pl.col("series").shift()
    step = pl.col("value") - pl.col("value").shift()
    after_reset = pl.when(step >= 0).then(step).otherwise(pl.col("value"))
    new = pl.when(pl.col("t") > pl.col("begins")).then(pl.col("value")).otherwise(0.0)
    grew = pl.when(same.fill_null(False)).then(after_reset).otherwise(new).alias("grew")
    return series, found.select("series", "t", grew)


def _rank(series: pl.DataFrame) -> pl.Series:
    return pl.Series("rank", [rank_of(metric) for metric in series.get_column("metric").to_list()], pl.Int64)


def _requests(data: Collected, owners: _Owners) -> pl.DataFrame:
    """Requests served up to each sample, by pod, or by workload where `pod` is empty: cluster, namespace, load, pod."""
    if not data.points.get(Role.REQUESTS):
        return pl.DataFrame(schema={**dict.fromkeys([*_LOAD, "pod"], pl.String), "t": pl.Int64, "served": pl.Float64})
    series, grown = _grown(data, Role.REQUESTS, owners)
    pods = series.select(*_LOAD, "pod").unique(maintain_order=True).with_row_index("at")
    of = series.select("number", *_LOAD, "pod").join(pods, on=[*_LOAD, "pod"]).select("number", "at")
    summed = grown.join(of, left_on="series", right_on="number").group_by("at", "t").agg(pl.col("grew").sum())
    served = summed.sort("at", "t").with_columns(pl.col("grew").cum_sum().over("at").alias("served"))
    return served.join(pods, on="at", maintain_order="left").select(*_LOAD, "pod", "t", "served")


def _rates(intervals: pl.DataFrame, units: pl.DataFrame, served: pl.DataFrame) -> pl.DataFrame:
    """The intervals with `requests_per_s` of a replica, null where no counter covers all of an interval."""
    if served.is_empty():
        return intervals.with_columns(pl.lit(None, pl.Float64).alias("requests_per_s"))
    by_pod = served.filter(pl.col("pod") != "")
    by_load = served.filter(pl.col("pod") == "").join(by_pod.select(_LOAD).unique(), on=_LOAD, how="anti")
    keyed = by_pod.select(*_POD, "t", "served").join(units.select("unit", *_POD), on=_POD)
    share = units.group_by(*_LOAD, "container").agg(pl.col("pod").n_unique().alias("replicas"))
    shared = units.join(share, on=[*_LOAD, "container"]).select("unit", *_LOAD, "replicas")
    pooled = by_load.join(shared, on=_LOAD).with_columns(pl.col("served") / pl.col("replicas"))
    columns = ["unit", "t", "served"]
    steps = pl.concat([keyed.select(columns), pooled.select(columns)])
    ends = intervals.select("unit", "t")
    starts = intervals.select("unit", (pl.col("t") - (1000 * pl.col("length_s")).round().cast(pl.Int64)).alias("t"))
    grew = _between(ends, steps) - _between(starts, steps)
    return intervals.with_columns((grew / pl.col("length_s")).alias("requests_per_s"))


def _between(at: pl.DataFrame, steps: pl.DataFrame) -> pl.Series:
    """The counter at instants, on the straight line between the samples around each; null outside of them."""
    exact = at.join(steps, on=["unit", "t"], how="left", maintain_order="left").get_column("served")
    if not exact.null_count():
        return exact
    rows, ordered = at.with_row_index("row").sort("t"), steps.sort("t")
    low = rows.join_asof(ordered.with_columns(pl.col("t").alias("t0")), on="t", by="unit", strategy="backward",
                         check_sortedness=False)  # fmt: skip
    both = low.join_asof(
        ordered.with_columns(pl.col("t").alias("t1")).rename({"served": "next"}), on="t", by="unit",
        strategy="forward", check_sortedness=False,
    ).sort("row")  # fmt: skip
    share = pl.when(pl.col("t1") > pl.col("t0")).then((pl.col("t") - pl.col("t0")) / (pl.col("t1") - pl.col("t0")))
    line = pl.col("served") + share.otherwise(0.0) * (pl.col("next") - pl.col("served"))
    return both.select(line.alias("served")).to_series()


def _percentiles(data: Collected, owners: _Owners) -> pl.DataFrame:
    """Percentiles of latency by workload, ms: interpolated within a bucket, as histogram_quantile does."""
    schema = {**dict.fromkeys(_LOAD, pl.String), **dict.fromkeys(_PERCENTILES, pl.Float64)}
    if not data.points.get(Role.BUCKET):
        return pl.DataFrame(schema=schema)
    series, grown = _grown(data, Role.BUCKET, owners)
    summed = (
        grown.group_by("series")
        .agg(pl.col("grew").sum())
        .join(series, left_on="series", right_on="number")
        .with_columns(pl.col("le").cast(pl.Float64, strict=False).alias("bound"))
        .drop_nulls("bound")
        .group_by(*_LOAD, "metric", "bound")
        .agg(pl.col("grew").sum())
        .sort(*_LOAD, "bound")
        .group_by(*_LOAD, "metric", maintain_order=True)
        .agg("bound", "grew")
    )
    rows = [
        (*row[:3], *_quantiles(np.array(row[4]), np.array(row[5]), unit_ms(row[3]) or 1.0).values())
        for row in summed.iter_rows()
    ]
    return pl.DataFrame(rows, schema=schema, orient="row")


def _quantiles(bounds: np.ndarray, counts: np.ndarray, ms: float) -> Mapping[str, float | None]:
    """Quantiles of cumulative counts; in the last bucket, without an upper bound, the highest finite bound."""
    total = counts[-1] if len(counts) else 0.0
    if total <= 0 or len(bounds) < 2:
        return dict.fromkeys(_PERCENTILES)
    counts = np.maximum.accumulate(counts)
    found: dict[str, float | None] = {}
    for name, share in _PERCENTILES.items():
        at = int(np.searchsorted(counts, share * total))
        if not np.isfinite(bounds[at]):
            found[name] = float(bounds[at - 1] * ms)
            continue
        low, below = (bounds[at - 1], counts[at - 1]) if at else (0.0, 0.0)
        part = (share * total - below) / (counts[at] - below) if counts[at] > below else 1.0
        found[name] = float((low + part * (bounds[at] - low)) * ms)
    return found


_NAMES = {role: metric for metric, role in reversed(list(METRICS.items()))}
_TOGETHER_S = 600.0
"""Replicas whose data end this long before those of their workload were gone by then."""


def _fleet_of(data: Collected, limit: float | None = None) -> Fleet:
    """The fleet of everything that was read; `limit` is that of containers whose limit nothing gives, processors.

    Raises InputError where no interval is left.
    """
    _refuse_nothing(data)
    if data.aggregates:
        data.notes.say(f"{data.aggregates:,} series over whole pods and nodes are excluded")
    owners = _Owners(data)
    units, used = _containers(data)
    units = _in_order(units, owners)
    found = _samples(data, units, used)
    del used
    found = _differences(found, units, data.notes)
    _counts_from_buckets(data)
    found = _rates(found, units, _requests(data, owners))
    found, units = _limited(data, found, units, limit)
    if found.is_empty():
        _refuse_no_interval(data)
    return _fleet(data, found, units, owners)


def _in_order(units: pl.DataFrame, owners: _Owners) -> pl.DataFrame:
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
    period = _gauge(data, Role.PERIOD)
    periods = _periods_ms(data, period, units, found)
    found = _constant(found, units, _limits(data, period), data.notes)
    counted = pl.col("periods").max().over("unit").fill_null(0) > 0
    counting = pl.col("periods").fill_null(0) > 0
    unknown = pl.col("limit").is_null() & (counting | (~pl.col("known") & counted))
    if given is not None:
        found = found.with_columns(pl.when(unknown).then(given).otherwise("limit").alias("limit"))
        unknown = pl.lit(False)
    lost = found.filter(unknown).get_column("unit").unique()
    names = units.filter(pl.col("unit").is_in(lost)).select(_named()).to_series().to_list()
    then = f"excluded; give {_NAMES[Role.LIMIT]}, {_NAMES[Role.QUOTA]} or --limit"
    data.notes.count("container{s} with throttling, but without a known limit", names, then)
    found = found.filter(~unknown)
    without = found.filter(pl.col("limit").is_not_null() & pl.col("periods").is_null())
    names = units.join(without.select("unit").unique(), on="unit", how="semi").select(_named()).to_series().to_list()
    data.notes.count("container{s} with a limit, but without series of throttling", names, "throttling is not known")
    bare = pl.col("limit").is_null()
    found = found.join(periods, on="unit", how="left", maintain_order="left").with_columns(
        *(pl.when(bare).then(pl.col(name).fill_null(0.0)).otherwise(name).alias(name)
          for name in ("periods", "throttled"))
    )  # fmt: skip
    return found, units


def _fleet(data: Collected, found: pl.DataFrame, units: pl.DataFrame, owners: _Owners) -> Fleet:
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
            notes.say(f"no {_NAMES[role]}")
    if intervals.get_column("requests_per_s").null_count() == intervals.height:
        notes.say("no counters of requests")


def _workloads(data: Collected, found: pl.DataFrame, units: pl.DataFrame, owners: _Owners) -> pl.DataFrame:
    """A row per workload: what held at the end of its data."""
    ends = found.group_by("unit").agg(pl.col("t").max(), pl.col("limit").sort_by("t").last())
    rows = units.join(ends, on="unit").join(_reserved(data), on=list(POD), how="left")
    places = _nodes(data)
    where = [places.get((row[0], row[1], row[2])) or _host(row[3])
             for row in rows.select("cluster", "namespace", "pod", "node").iter_rows()]  # fmt: skip
    rows = rows.with_columns(pl.Series("node", where, pl.String))
    last = rows.filter(pl.col("t") >= pl.col("t").max().over("workload") - 1000 * _TOGETHER_S)
    last = last.sort("workload", "replica", "t").unique(["workload", "replica"], keep="last", maintain_order=True)
    found = last.group_by("workload", maintain_order=True).agg(
        pl.len().cast(pl.Int64).alias("replicas"), pl.col("limit").sort_by("t").last(),
        pl.col("reserved").sort_by("t").last(), pl.col("node").drop_nulls().alias("nodes"),
        pl.col("cluster").first(), pl.col("namespace").first(), pl.col("load").first(),
    )  # fmt: skip
    latency = _percentiles(data, owners)
    found = found.join(latency, on=["cluster", "namespace", "load"], how="left", maintain_order="left")
    return found.sort("workload").select(
        *(pl.col(name) for name in WORKLOADS if name not in _PERCENTILES), *_PERCENTILES
    )  # fmt: skip


def _host(node: str | None) -> str | None:
    """The node of a scraped address: without its port; None where there is none."""
    return (node or "").rsplit(":", 1)[0] or None


def _refuse_nothing(data: Collected) -> None:
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


_READ = 0.6
"""Of the time that reading takes, what the files take before intervals are made."""


def read_cluster(cluster: Cluster, progress: Callable[[float], None] = lambda share: None) -> Fleet:
    """The fleet of a cluster; raises InputError with what is wrong in a file, or with the answer of the server."""
    data = Collected(files=[shown(file) for file in cluster.files])
    if cluster.server is not None:
        data.files.append(cluster.server.url)
        query(cluster.server, data, lambda share: progress(_READ * share))
    else:
        _files(cluster, data, progress)
    fleet = _fleet_of(data, cluster.limit)
    progress(1.0)
    return fleet


def _files(cluster: Cluster, data: Collected, progress: Callable[[float], None]) -> None:
    problems: list[Problem] = []
    open_files = Expositions(data), Snapshots(data)
    for at, file in enumerate(sorted(cluster.files, key=_natural)):
        try:
            _file(file, data, open_files)
        except ValueError as error:
            if not hasattr(error, "problems"):
                raise
            problems += error.problems
        progress(_READ * (at + 1) / len(cluster.files))
    if problems:
        raise refusal(*problems)
    scrapes, snapshots = open_files
    snapshots.done()
    _refuse_nothing(data)
    scrapes.done(cluster.every_s)


def _natural(file: object) -> list[tuple[int, str]]:
    """Names in the order of the numbers in them: scrape.2 before scrape.10."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d{1,18})", str(file))]


def _file(file: str | os.PathLike[str], data: Collected, several: tuple[Expositions, Snapshots]) -> None:
    """Take one file; scrapes and snapshots of several files are put together later."""
    name, (scrapes, snapshots) = shown(file), several
    form, metric = form_of(head_of(file)), stem(str(file))
    metric = metric if role_of(metric) is not None else ""
    with _telling(name), telling_of_gzip(str(file), name), unpacked(str(file)) as stream:
        if form is Form.PROMETHEUS:
            read_prometheus(stream, name, metric, data)
        elif form is Form.EXPOSITION:
            scrapes.take(stream, name)
        elif form is Form.CSV:
            read_csv(stream, name, stem(str(file)), data)
        elif form is Form.PARQUET:
            plain = str(file) != STANDARD_INPUT and not _is_packed(str(file))
            read_parquet(str(file) if plain else stream.read(), name, stem(str(file)), data)
        else:
            snapshots.take(stream, name)


def _is_packed(file: str) -> bool:
    with Path(file).open("rb") as stream:
        return stream.read(2) == MAGIC


@contextmanager
def _telling(name: str) -> Iterator[None]:
    """Turn what an unreadable file raises into a problem of it."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise refusal(problem("cannot be read", file=name, why=why)) from None

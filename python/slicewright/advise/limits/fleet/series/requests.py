"""Requests served and their latency, from counters and histograms of a mesh, of OpenTelemetry, or of programs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from slicewright.advise.limits.fleet.series.clean import cleaned
from slicewright.advise.limits.fleet.series.collect import Collected
from slicewright.advise.limits.fleet.series.names import Role, rank_of, unit_ms
from slicewright.advise.limits.fleet.series.owners import Owners

PERCENTILES = {"measured_p50_ms": 0.50, "measured_p90_ms": 0.90, "measured_p95_ms": 0.95, "measured_p99_ms": 0.99}
_POD = ["cluster", "namespace", "pod"]
_LOAD = ["cluster", "namespace", "load"]


def _grown(data: Collected, role: Role, owners: Owners) -> tuple[pl.DataFrame, pl.DataFrame]:
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


def requests(data: Collected, owners: Owners) -> pl.DataFrame:
    """Requests served up to each sample, by pod, or by workload where `pod` is empty: cluster, namespace, load, pod."""
    if not data.points.get(Role.REQUESTS):
        return pl.DataFrame(schema={**dict.fromkeys([*_LOAD, "pod"], pl.String), "t": pl.Int64, "served": pl.Float64})
    series, grown = _grown(data, Role.REQUESTS, owners)
    pods = series.select(*_LOAD, "pod").unique(maintain_order=True).with_row_index("at")
    of = series.select("number", *_LOAD, "pod").join(pods, on=[*_LOAD, "pod"]).select("number", "at")
    summed = grown.join(of, left_on="series", right_on="number").group_by("at", "t").agg(pl.col("grew").sum())
    served = summed.sort("at", "t").with_columns(pl.col("grew").cum_sum().over("at").alias("served"))
    return served.join(pods, on="at", maintain_order="left").select(*_LOAD, "pod", "t", "served")


def rates(intervals: pl.DataFrame, units: pl.DataFrame, served: pl.DataFrame) -> pl.DataFrame:
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


def percentiles(data: Collected, owners: Owners) -> pl.DataFrame:
    """Percentiles of latency by workload, ms: interpolated within a bucket, as histogram_quantile does."""
    schema = {**dict.fromkeys(_LOAD, pl.String), **dict.fromkeys(PERCENTILES, pl.Float64)}
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
        return dict.fromkeys(PERCENTILES)
    counts = np.maximum.accumulate(counts)
    found: dict[str, float | None] = {}
    for name, share in PERCENTILES.items():
        at = int(np.searchsorted(counts, share * total))
        if not np.isfinite(bounds[at]):
            found[name] = float(bounds[at - 1] * ms)
            continue
        low, below = (bounds[at - 1], counts[at - 1]) if at else (0.0, 0.0)
        part = (share * total - below) / (counts[at] - below) if counts[at] > below else 1.0
        found[name] = float((low + part * (bounds[at] - low)) * ms)
    return found

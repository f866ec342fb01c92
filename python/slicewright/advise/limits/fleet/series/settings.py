"""What is set for containers: limits and their periods, and requests, each over the time in which it held."""

from __future__ import annotations

import polars as pl

from slicewright.advise.limits.fleet.series.clean import cleaned
from slicewright.advise.limits.fleet.series.collect import Collected
from slicewright.advise.limits.fleet.series.names import Role
from slicewright.advise.limits.fleet.series.notes import Notes

POD = ("cluster", "namespace", "pod", "container")
USUAL_MS = 100.0
"""The period of the kubelet and of Docker unless it is set otherwise."""
PERIODS_MS = (50.0, 25.0, 20.0, 10.0, 5.0, 2.0, 1.0)
"""Shorter ones that are in use (cpuCFSQuotaPeriod)."""
MOST_PROCESSORS = 256
"""As `request.MOST_PROCESSORS`: a limit above it is in thousandths of a processor."""


def gauge(data: Collected, role: Role) -> pl.DataFrame:
    """Values of a setting over time: the keys of `POD`, t and value."""
    series, points = cleaned(data, role, POD)
    # Settings hardly ever change: the samples on both sides of a change are enough, and the first and last.
    around = [pl.col(name).ne_missing(pl.col(name).shift(by)) for name in ("series", "value") for by in (1, -1)]
    found = points.filter(pl.any_horizontal(around).fill_null(True)).join(
        series.select("number", *POD), left_on="series", right_on="number", maintain_order="left"
    )
    return found.select(*POD, "t", "value")


def limits(data: Collected, period: pl.DataFrame) -> pl.DataFrame:
    """The limit of each container over time, processors (null: none); `period` are those of quotas.

    A quota over its period is what the kernel enforces, and is used before what Kubernetes reports.
    """
    quota = gauge(data, Role.QUOTA)
    reported = _in_processors(gauge(data, Role.LIMIT), data.notes, "limit")
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
    share = pl.col("value") / pl.col("period").fill_null(USUAL_MS * 1000)
    return found.with_columns(pl.when(pl.col("value") > 0).then(share).alias("value")).drop("period")


def _in_processors(found: pl.DataFrame, notes: Notes, what: str) -> pl.DataFrame:
    """Settings in processors: those that no machine has are thousandths; 0 is none."""
    large = found.filter(pl.col("value") > MOST_PROCESSORS)
    names = large.select(pl.concat_str(*POD[1:], separator="/").unique(maintain_order=True)).to_series().to_list()
    notes.count(f"{what}{{s}} above {MOST_PROCESSORS} processors", names, "taken as thousandths of a processor")
    scaled = pl.when(pl.col("value") > MOST_PROCESSORS).then(pl.col("value") / 1000).otherwise(pl.col("value"))
    return found.with_columns(pl.when(scaled > 0).then(scaled).alias("value"))


def _disagreeing(reported: pl.DataFrame, quota: pl.DataFrame, notes: Notes) -> None:
    keys = list(POD)
    last = quota.group_by(keys).agg(pl.col("value").last().alias("enforced"))
    both = reported.group_by(keys, maintain_order=True).agg(pl.col("value").last()).join(last, on=keys)
    off = both.filter((pl.col("enforced") / pl.col("value") - 1).abs() > 0.02)
    names = off.select(pl.concat_str(*POD[1:], separator="/")).to_series().to_list()
    notes.count("limit{s} unlike the quota", names, "the quota is used, which the kernel enforces")


def reserved(data: Collected) -> pl.DataFrame:
    """requests.cpu of each container at the end: the keys of `POD` and `reserved`, processors."""
    found = _in_processors(gauge(data, Role.RESERVED), data.notes, "request")
    return found.group_by(list(POD)).agg(pl.col("value").sort_by("t").last().alias("reserved"))


def constant(intervals: pl.DataFrame, units: pl.DataFrame, found: pl.DataFrame, notes: Notes) -> pl.DataFrame:
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


def periods_ms(data: Collected, period: pl.DataFrame, units: pl.DataFrame, intervals: pl.DataFrame) -> pl.DataFrame:
    """The period of each unit, ms: what cAdvisor reports; else 100 ms, or less where more periods are counted."""
    reported = period.group_by(list(POD)).agg((pl.col("value").last() / 1000).alias("period_ms"))
    found = units.select("unit", *POD).join(reported, on=list(POD), how="left").select("unit", "period_ms")
    per_s = intervals.select((pl.col("periods") / pl.col("length_s")).quantile(0.99)).item()
    usual = USUAL_MS
    if per_s is not None and per_s > 1.2 * 1000 / USUAL_MS:
        usual = min(PERIODS_MS, key=lambda ms: abs(ms * per_s / 1000 - 1))
        if found.get_column("period_ms").null_count():
            data.notes.say(f"{per_s:.3g} periods are counted in a second: the period is taken for {usual:g} ms")
    elif found.get_column("period_ms").null_count() and data.series.get(Role.PERIODS):
        data.notes.say("the period of limits is taken for 100 ms: there is no container_spec_cpu_period")
    return found.with_columns(pl.col("period_ms").fill_null(usual))

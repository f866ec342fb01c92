"""Points of one role made ready: usable numbers in the order of time, one series for each container or pod."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from slicewright.advise.limits.fleet.series.collect import Collected, frame
from slicewright.advise.limits.fleet.series.names import COUNTERS, Role

CONTAINER = ("cluster", "namespace", "pod", "container", "instance")
"""What identifies a container: `instance` is another one after a restart."""


def cleaned(data: Collected, role: Role, keys: Sequence[str]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Series of a role, and their points sorted by series and time; series with the same `keys` are one.

    Points that are no numbers, or that are there twice, are dropped and counted, and so are series that a second
    scraper has read.  Processor time by processor is added up.
    """
    series = frame(data.series.get(role, []))
    frames = data.points.pop(role, [])
    if not frames:
        return series.clear(), _EMPTY.clone()
    points = pl.concat(frames)
    del frames
    points = _in_order(_numbers(points, data, role), data, role)
    series = _once(series, points, data, role)
    points = _of(points, series)
    if role in COUNTERS and series.get_column("cpu").n_unique() > 1:
        series, points = _over_processors(series, points, keys)
    return series, points


_EMPTY = pl.DataFrame(schema={"series": pl.UInt32, "t": pl.Int64, "value": pl.Float64})


def _numbers(points: pl.DataFrame, data: Collected, role: Role) -> pl.DataFrame:
    """The points whose value is a finite number; Prometheus marks the end of a series with a NaN of its own."""
    kept = points.filter(pl.col("value").is_finite())
    missing = points.height - kept.height
    data.notes.count(f"sample{{s}} of {role.value} without a number", [], "excluded", missing)
    return kept


def _in_order(points: pl.DataFrame, data: Collected, role: Role) -> pl.DataFrame:
    same = pl.col("series") == pl.col("series").shift()
    late = points.select((same & (pl.col("t") < pl.col("t").shift())).sum()).item() or 0
    data.notes.count(f"sample{{s}} of {role.value} out of order", [], "sorted by time", late)
    jumps = points.select((pl.col("series") < pl.col("series").shift()).sum()).item() or 0
    if late or jumps:
        points = points.sort("series", "t", maintain_order=True)
    following = (pl.col("series") == pl.col("series").shift(-1)) & (pl.col("t") == pl.col("t").shift(-1))
    kept = points.filter(~following.fill_null(False))
    data.notes.count(
        f"sample{{s}} of {role.value} at an instant that has one", [], "the last is used", points.height - kept.height
    )
    return kept


def _once(series: pl.DataFrame, points: pl.DataFrame, data: Collected, role: Role) -> pl.DataFrame:
    """The series that have points, of those that differ in the scraper alone the one with the most points."""
    counted = series.join(points.group_by("series").len("points"), left_on="number", right_on="series", how="inner")
    kept = (
        counted.sort("points", "number", descending=[True, False])
        .unique(["metric", "identity", "pod", "namespace"], keep="first", maintain_order=True)
        .sort("number")
    )
    dropped = counted.join(kept, on="number", how="anti")
    names = dropped.select(pl.concat_str("namespace", "pod", "container", separator="/")).to_series().to_list()
    data.notes.count(f"series of {role.value} read by a second scraper", names, "the one with the most samples is used")
    return kept.drop("points")


def _of(points: pl.DataFrame, series: pl.DataFrame) -> pl.DataFrame:
    """The points of these series alone."""
    if points.get_column("series").n_unique() == series.height:
        return points
    return points.join(series.select("number"), left_on="series", right_on="number", how="semi", maintain_order="left")


def _over_processors(
    series: pl.DataFrame, points: pl.DataFrame, keys: Sequence[str]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """One series per container: that of all processors, or the sum of those of each."""
    total = series.filter(pl.col("cpu").is_in(["", "total"])).unique(keys, keep="first", maintain_order=True)
    parts = series.join(total, on=list(keys), how="anti")
    first = parts.unique(keys, keep="first", maintain_order=True)
    to = parts.select(*keys, part="number").join(first.select(*keys, "number"), on=list(keys)).select("part", "number")
    added = (
        points.join(to, left_on="series", right_on="part")
        .group_by("number", "t")
        .agg(pl.col("value").sum(), pl.len().alias("processors"))
        .filter(pl.col("processors") == pl.col("processors").max().over("number"))
        .select(series="number", t="t", value="value")
    )
    whole = points.join(total.select("number"), left_on="series", right_on="number", how="semi")
    kept = pl.concat([total, first]).sort("number")
    return kept, pl.concat([whole, added]).sort("series", "t")

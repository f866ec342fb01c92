"""Counters of containers as intervals: what grew between two scrapes, without restarts, repeats and gaps."""

from __future__ import annotations

import polars as pl

from slicewright.advise.limits.fleet.series.clean import CONTAINER, cleaned
from slicewright.advise.limits.fleet.series.collect import Collected
from slicewright.advise.limits.fleet.series.names import COUNTERS, NEEDED, Role
from slicewright.advise.limits.fleet.series.notes import Notes
from slicewright.errors import problem, refusal
from slicewright.statistics import percent

STALE_MS = 300_000
"""A range query repeats the last sample for up to five minutes (Prometheus, --query.lookback-delta)."""
LONGEST = 2.5
"""An interval longer than this many usual ones is a gap: the load in it is not that of an interval."""
MOST_FALLS, FEWEST = 0.2, 20
"""Share of intervals in which a counter may fall, and intervals from which on that is judged."""
OTHERS = tuple(role for role in COUNTERS if role is not Role.USED)


def containers(data: Collected) -> tuple[pl.DataFrame, pl.DataFrame]:
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
        names = series.join(found, on="number", how="anti").select(named()).to_series().to_list()
        data.notes.count("further series of one container", names, "the one with the most samples is used")
    return found, points.rename({"value": Role.USED.value})


def named() -> pl.Expr:
    """The name of a container in a note."""
    return pl.concat_str("namespace", "pod", "container", separator="/").alias("name")


def samples(data: Collected, units: pl.DataFrame, used: pl.DataFrame) -> pl.DataFrame:
    """Samples of all counters by `unit`, the row of a container, and `t`; null where a series or a sample is missing.

    `units` has a column `number`, the series of processor time.
    """
    base = _by_unit(used, units.select("number", "unit"))
    for role in OTHERS:
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
    notes.count(what, lost.select(named()).to_series().to_list(), "excluded")
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


def differences(base: pl.DataFrame, units: pl.DataFrame, notes: Notes) -> pl.DataFrame:
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
    gaps = found.filter(pl.col("length_s") > LONGEST * usual)
    _count_units(notes, "gap{s} in the samples", gaps, units, "the intervals across are excluded")
    return found.filter(pl.col("length_s") <= LONGEST * usual)


def _refuse_rates(found: pl.DataFrame) -> None:
    """Raise InputError where processor time falls too often for a counter."""
    falls = found.select((pl.col(Role.USED.value) < 0).mean()).item() or 0.0
    if found.height >= FEWEST and falls > MOST_FALLS:
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
    idle = (pl.col("t").max() - pl.col("t").min()).over("run") >= STALE_MS
    kept = kept.filter(~pl.col("repeated") | idle).drop("run", "repeated")
    notes.count("repeated sample{s}", [], "the step is shorter than the time between scrapes; merged",
                base.height - kept.height)  # fmt: skip
    return kept


def _count_units(notes: Notes, what: str, rows: pl.DataFrame, units: pl.DataFrame, then: str) -> None:
    """Count rows and name their containers."""
    numbers = rows.select(pl.col("unit").unique(maintain_order=True))
    names = numbers.join(units.select("unit", named()), on="unit", how="left", maintain_order="left")
    notes.count(what, names.get_column("name").to_list(), then, rows.height)

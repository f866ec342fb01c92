"""Intervals whose counters contradict the limit: dropped, or the workload is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from slicewright.advise.limits.evidence import LEAST_OF_QUOTA, SLACK
from slicewright.advise.limits.fleet.fleet import Fleet
from slicewright.advise.limits.quantity import limit
from slicewright.statistics import fixed, plural

if TYPE_CHECKING:
    import polars as pl

MOST_WRONG = 0.05
"""ASSUME: share of a workload's intervals that may be dropped before all of it is refused."""


@dataclass(frozen=True)
class Checked:
    """The fleet without intervals that contradict the limit, and by workload why all of it does."""

    fleet: Fleet
    refused: Mapping[str, str]


def checked(fleet: Fleet) -> Checked:
    """The fleet checked: more used than the limit allows, or more periods throttled than what was used can fill.

    >>> from slicewright.advise.limits.fleet.example import fleet
    >>> checked(fleet()).refused
    {}
    """
    import polars as pl

    quota_s = pl.col("limit") * pl.col("period_ms") / 1000
    over = pl.col("used_s") > SLACK * quota_s * (pl.col("periods") + 1) + quota_s
    unfilled = pl.col("throttled") * quota_s * LEAST_OF_QUOTA > pl.col("used_s")
    counted = pl.col("limit").is_finite() & (pl.col("periods") > 0)
    rows = fleet.intervals.with_columns(
        over=(counted & over).fill_null(False),
        wrong=(counted & (over | unfilled | (pl.col("throttled") > pl.col("periods")))).fill_null(False),
    )
    if not rows["wrong"].any():
        return Checked(fleet, {})
    each = rows.group_by("workload", maintain_order=True).agg(pl.len(), pl.col("wrong").sum().alias("bad"))
    refused = {
        name: _words(rows.filter((pl.col("workload") == name) & pl.col("wrong")), count)
        for name, count, bad in each.iter_rows()
        if bad > MOST_WRONG * count
    }
    bad = rows.filter(pl.col("wrong") & ~pl.col("workload").is_in(list(refused)))
    kept = rows.filter(~pl.col("wrong") | pl.col("workload").is_in(list(refused))).drop("over", "wrong")
    notes = fleet.notes
    if bad.height:
        first = bad.row(0, named=True)
        notes = (
            *notes,
            f"{plural(bad.height, 'interval')} dropped, first of {first['workload']}: {_contradiction(first)}",
        )
    return Checked(replace(fleet, intervals=kept, notes=notes), refused)


def _words(wrong: pl.DataFrame, count: int) -> str:
    return f"in {wrong.height} of {plural(count, 'interval')} {_contradiction(wrong.row(0, named=True))}"


def _contradiction(row: Mapping[str, Any]) -> str:
    """The contradiction, with both numbers."""
    if row["throttled"] > row["periods"]:
        return f"{row['throttled']:,} of {row['periods']:,} periods were throttled"
    if row["over"]:
        got = row["used_s"] / row["periods"] / row["period_ms"] * 1000
        return f"{limit(round(got, 3))} was used under a limit of {limit(row['limit'])}"
    least = row["throttled"] * row["limit"] * row["period_ms"] / 1000
    return (
        f"{row['throttled']:,} throttled periods use up {fixed(least, 1)} s of a limit of {limit(row['limit'])}, but"
        f" {fixed(row['used_s'], 1)} s were used"
    )

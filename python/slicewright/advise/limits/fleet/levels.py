"""The load levels of each workload: its intervals by how much was used, under the limit that it has now."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from slicewright.advise.limits.fleet.fleet import Fleet
from slicewright.advise.limits.telling import MOST_USED
from slicewright.experiment.outcome import Array

if TYPE_CHECKING:
    import polars as pl

BLOCK_S = 120.0
"""Intervals of one replica are joined until they are about this long: what is used in less varies by chance."""
SHARES = (0.5, 0.4, 0.1)
"""Shares of the time in a quiet, a usual and a busy level."""
FEWEST_BLOCKS, ALIKE = 10, 1.25
"""Fewer blocks, or blocks whose use differs by less than this factor between its 10 and 90 % points, are one level."""
CLUSTERED = 4.0
"""ASSUME: variance of throttled periods over their mean, where too few blocks show it."""


@dataclass(frozen=True)
class Spreads:
    """Arrays of a value per workload: pairs of blocks, their length and use (s), and half the squared differences (s²).

    Differences of neighbours do not have slow changes in them, as from night to day (von Neumann, 1941).
    """

    pairs: Array
    length_s: Array
    used_s: Array
    squares_s2: Array


@dataclass(frozen=True)
class Levels:
    """Arrays of a row per workload and a column per level (quiet, usual, busy); 0 s where a level does not exist.

    `used` are processors.  `chance` is the relative standard error of throttled periods.  `stopped_s` is NaN where it
    is not known.
    """

    workloads: list[str]
    limit: Array
    period_ms: Array
    length_s: Array
    used: Array
    periods: Array
    throttled: Array
    stopped_s: Array
    chance: Array
    requests_per_s: Array
    """Over all of the time; NaN where it is not known."""
    full_share: Array
    """Of the time, that in which the limit was used up."""
    changed: np.typing.NDArray[np.bool_]
    """Whether the limit changed; earlier intervals are excluded then."""
    unknown: np.typing.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))
    """Whether periods are missing though there is a limit."""
    peak: Array = field(default_factory=lambda: np.zeros(0))
    """Processors in the interval of one replica that used most."""
    spread: Spreads = field(default_factory=lambda: Spreads(*np.zeros((4, 0))))
    """Of processor time between blocks that follow each other."""

    def __len__(self) -> int:
        """The number of workloads."""
        return len(self.workloads)

    @property
    def share(self) -> Array:
        """Throttled periods, as a share of all periods of wall time."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.nan_to_num(self.throttled * self.period_ms[:, None] / 1000 / self.length_s)

    @property
    def busiest(self) -> np.typing.NDArray[np.intp]:
        """The busiest level that exists."""
        return np.asarray(2 - np.argmax((self.length_s > 0)[:, ::-1], axis=1))

    def pick(self, name: str, level: np.typing.NDArray[np.intp]) -> Array:
        """A column at one level of each workload."""
        return np.asarray(getattr(self, name)[np.arange(len(self)), level])


def levels(fleet: Fleet) -> Levels:
    """The levels of every workload that has intervals, sorted by name.

    >>> from slicewright.advise.limits.fleet.example import fleet
    >>> levels(fleet()).length_s.shape[1]
    3
    """
    import polars as pl

    last = (pl.col("limit").last().over("workload"), pl.col("period_ms").last().over("workload"))
    rows = fleet.intervals.sort("workload", "at_s").with_columns(
        changed=(pl.col("limit").ne_missing(last[0]) | (pl.col("period_ms") != last[1])).any().over("workload"),
        now=pl.col("limit").eq_missing(last[0]) & (pl.col("period_ms") == last[1]),
    )
    rows = rows.filter("now").sort("workload", "replica", "at_s")
    block = (pl.col("length_s").cum_sum() - pl.col("length_s")).over("workload", "replica") // BLOCK_S
    blocks = (
        rows.with_columns(block=block)
        .group_by("workload", "limit", "period_ms", "replica", "block", maintain_order=True)
        .agg(
            pl.col("length_s", "used_s").sum(),
            pl.col("periods", "throttled").sum(),
            peak=(pl.col("used_s") / pl.col("length_s")).max(),
            unknown=pl.col("periods").is_null().all(),
            stopped_s=pl.when(pl.col("stopped_s").is_null().any()).then(None).otherwise(pl.col("stopped_s").sum()),
            requests=pl.when(pl.col("requests_per_s").is_null().any())
            .then(None)
            .otherwise((pl.col("requests_per_s") * pl.col("length_s")).sum()),
            changed=pl.col("changed").any(),
        )
        .with_columns(rate=pl.col("used_s") / pl.col("length_s"))
        .with_columns(full=(pl.col("rate") > MOST_USED * pl.col("limit")).fill_null(False))
    )
    return _arrays(_banded(blocks))


def _banded(blocks: pl.DataFrame) -> pl.DataFrame:
    """A row per workload and level, with what belongs to the whole workload in each."""
    import polars as pl

    over = "workload"
    open_ = ~pl.col("full")
    before = (pl.col("length_s").cum_sum() / pl.col("length_s").sum()).over(over)
    low, high = (pl.col("rate").filter(open_).quantile(share).over(over) for share in (0.1, 0.9))
    several = (open_.sum().over(over) >= FEWEST_BLOCKS) & (high > ALIKE * low)
    level = pl.when(before <= SHARES[0]).then(0).when(before <= SHARES[0] + SHARES[1]).then(1).otherwise(2)
    length_s = pl.min_horizontal(pl.col("length_s"), pl.col("length_s").shift(1)).over(over, "replica")
    change = (pl.col("rate") - pl.col("rate").shift(1)).over(over, "replica") * length_s
    blocks = blocks.with_columns(pair=length_s, square=change**2 / 2)
    whole = {
        "peak": pl.col("peak").max(), "pairs": pl.col("square").count(), "pair_s": pl.col("pair").mean(),
        "squares": pl.col("square").sum(), "all_used": pl.col("used_s").sum(), "all_s": pl.col("length_s").sum(),
        "full_s": pl.col("length_s").filter("full").sum(),
        "served": pl.when(pl.col("requests").is_null().any()).then(None).otherwise(pl.col("requests").sum()),
        "changed": pl.col("changed").any(), "unknown": pl.col("unknown").any(),
    }  # fmt: skip
    rows = blocks.with_columns(*(value.over(over).alias(name) for name, value in whole.items()))
    # Only blocks that are not full tell how often a load is throttled; a workload that has no other keeps them.
    rows = rows.filter(open_ | pl.col("full").all().over(over)).sort(over, "rate")
    rows = rows.with_columns(level=pl.when(several).then(level).otherwise(2))
    expected = pl.col("throttled").sum() * pl.col("length_s") / pl.col("length_s").sum()
    return rows.group_by(over, "limit", "period_ms", "level", *whole, maintain_order=True).agg(
        pl.col("length_s", "used_s", "periods", "throttled").sum(),
        blocks=pl.len(),
        scatter=((pl.col("throttled") - expected) ** 2).sum(),
        stopped_s=pl.when(pl.col("stopped_s").is_null().any()).then(None).otherwise(pl.col("stopped_s").sum()),
    )


def _arrays(rows: pl.DataFrame) -> Levels:
    import polars as pl

    each = rows.unique("workload", keep="first", maintain_order=True).sort("workload")
    names = each["workload"].to_list()
    place = rows.join(each.select("workload").with_row_index("at"), on="workload", how="left")
    at, level = place["at"].to_numpy(), place["level"].to_numpy()

    def filled(column: str, empty: float = 0.0) -> Array:
        made = np.full((len(names), 3), empty)
        made[at, level] = place[column].cast(pl.Float64).fill_null(float("nan")).to_numpy()
        return made

    def alone(column: str) -> Array:
        return each[column].cast(pl.Float64).fill_null(float("nan")).to_numpy()

    length, throttled = filled("length_s"), filled("throttled")
    few = filled("blocks") < FEWEST_BLOCKS
    scatter = np.where(few, CLUSTERED * throttled, np.maximum(filled("scatter"), throttled))
    with np.errstate(invalid="ignore", divide="ignore"):
        return Levels(
            names, alone("limit"), alone("period_ms"), length,
            used=np.nan_to_num(filled("used_s") / length), periods=filled("periods"), throttled=throttled,
            stopped_s=filled("stopped_s", float("nan")), chance=np.sqrt(scatter) / throttled,
            requests_per_s=alone("served") / alone("all_s"), full_share=alone("full_s") / alone("all_s"),
            changed=each["changed"].to_numpy(), unknown=each["unknown"].to_numpy(), peak=alone("peak"),
            spread=Spreads(
                alone("pairs"), alone("pair_s"), alone("all_used") / alone("all_s") * alone("pair_s"), alone("squares")
            ),
        )  # fmt: skip

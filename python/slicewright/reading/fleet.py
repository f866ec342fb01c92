"""Readings of counters of many workloads at once: intervals by use, loads that fit, and the least limit of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from slicewright.experiment.outcome import Array
from slicewright.reading.accept import SURE
from slicewright.reading.cgroup import LATENCY, MODEL, MOST_USED, sides
from slicewright.reading.limits import PIECES
from slicewright.reading.search import Curves, between, explore_many
from slicewright.reading.surrogate import BATCHES, LUMPS, Loads, Surrogate

if TYPE_CHECKING:
    import polars as pl


_BLOCK_S = 120.0
"""Intervals of one replica are joined until they are about this long: what is used in less varies by chance."""
_SHARES = (0.5, 0.4, 0.1)
"""Shares of the time in a quiet, a usual and a busy level."""
_FEWEST_BLOCKS, _ALIKE = 10, 1.25
"""Fewer blocks, or blocks whose use differs by less than this factor between its 10 and 90 % points, are one level."""
_CLUSTERED = 4.0
"""ASSUME: variance of throttled periods over their mean, where too few blocks show it."""


@dataclass(frozen=True)
class _Spreads:
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
    spread: _Spreads = field(default_factory=lambda: _Spreads(*np.zeros((4, 0))))
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


def levels(intervals: pl.DataFrame) -> Levels:
    """The levels of every workload that has intervals (as those of a `Fleet`), sorted by name."""
    import polars as pl

    last = (pl.col("limit").last().over("workload"), pl.col("period_ms").last().over("workload"))
    rows = intervals.sort("workload", "at_s").with_columns(
        changed=(pl.col("limit").ne_missing(last[0]) | (pl.col("period_ms") != last[1])).any().over("workload"),
        now=pl.col("limit").eq_missing(last[0]) & (pl.col("period_ms") == last[1]),
    )
    rows = rows.filter("now").sort("workload", "replica", "at_s")
    block = (pl.col("length_s").cum_sum() - pl.col("length_s")).over("workload", "replica") // _BLOCK_S
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
    several = (open_.sum().over(over) >= _FEWEST_BLOCKS) & (high > _ALIKE * low)
    level = pl.when(before <= _SHARES[0]).then(0).when(before <= _SHARES[0] + _SHARES[1]).then(1).otherwise(2)
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
    few = filled("blocks") < _FEWEST_BLOCKS
    scatter = np.where(few, _CLUSTERED * throttled, np.maximum(filled("scatter"), throttled))
    with np.errstate(invalid="ignore", divide="ignore"):
        return Levels(
            names, alone("limit"), alone("period_ms"), length,
            used=np.nan_to_num(filled("used_s") / length), periods=filled("periods"), throttled=throttled,
            stopped_s=filled("stopped_s", float("nan")), chance=np.sqrt(scatter) / throttled,
            requests_per_s=alone("served") / alone("all_s"), full_share=alone("full_s") / alone("all_s"),
            changed=each["changed"].to_numpy(), unknown=each["unknown"].to_numpy(), peak=alone("peak"),
            spread=_Spreads(
                alone("pairs"), alone("pair_s"), alone("all_used") / alone("all_s") * alone("pair_s"), alone("squares")
            ),
        )  # fmt: skip


Indices = np.typing.NDArray[np.intp]

_THREADS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""Threads that may work at once."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of load: the spread of CPU times, and pieces of a burst where requests are not counted."""

    scv: float
    pieces: float | None = None


_KINDS = (
    _Kind(1.0), _Kind(2.0), _Kind(0.0), _Kind(4.0), _Kind(10.0),
    *(_Kind(scv, pieces) for pieces in PIECES for scv in (1.0, 0.0, 4.0)),
)  # fmt: skip
"""Kinds that are tried, the usual first: of workloads whose requests are counted, and bursts of others."""
_STEPS = 12
"""Batches, or CPU times, at which a kind is evaluated; between them its throttling is interpolated."""
_LUMPS = (0.01, 10.0)
"""CPU time of a burst that is tried, as a share of the quota."""
_COVERED = 1.25
"""Lumps of work up to which readings are taken, as a multiple of the largest that the surrogate was fitted to."""
_LEAST_ROOM = 0.98
"""A limit of at least this share of the threads that work at once throttles them."""
_LATE_S = 4.0
"""ASSUME: by how much a sample may be older than it says, s: cAdvisor looks at a container every 10 to 15 s."""
_LEAST_SHARE = 0.01
"""A prediction of the share of throttled periods may always be off by this."""
FITS, STEADIER, LUMPIER, SHORTER, LONGER, OTHER_LEVELS, SLOWER = range(7)
"""Whether a reading fits, and why not."""


@dataclass(frozen=True)
class Readings:
    """Arrays of a row per workload, kind and number of threads that was tried; CPU times are in periods.

    `value` is the batch, of bursts the CPU time of a piece.  `low` and `high` are those had chance, or the error of
    the surrogate, moved the counters down or up.  `miss` is by how much stopped time misses, as a logarithm.
    """

    workload: Indices
    kind: Indices
    threads: Array
    scv: Array
    pieces: Array
    cpu: Array
    batch: Array
    low: tuple[Array, Array]
    high: tuple[Array, Array]
    miss: Array
    why: np.typing.NDArray[np.int8]
    varies: np.typing.NDArray[np.int8]
    """Whether it varies more (1) or less (-1) from block to block than measured."""

    def take(self, rows: np.typing.NDArray[np.bool_] | Indices) -> Readings:
        """Some of the rows."""
        made: dict[str, Any] = {
            name: tuple(part[rows] for part in value) if isinstance(value, tuple) else value[rows]
            for name, value in ((name, getattr(self, name)) for name in self.__dataclass_fields__)
        }
        return Readings(**made)

    def at(self, limit: Array, used: Array, moved: str = "") -> Loads:
        """The loads under limits (rows, or rows x limits), `used` by each row; `moved`: low or high by chance."""
        cpu, batch = getattr(self, moved) if moved else (self.cpu, self.batch)
        wide = (slice(None), None) if limit.ndim == 2 else (slice(None),)
        return Loads(limit, self.threads[wide], used[wide] / limit, cpu[wide], batch[wide], self.scv[wide])


def explained(levels: Levels, which: Indices, made: Surrogate, margin: float) -> Readings:
    """Every reading of some workloads, from the level that was throttled most; `which` are their rows in `levels`.

    Where requests are not counted, bursts are tried.  The other levels are predicted.
    """
    most = np.argmax(levels.throttled, axis=1)
    share, used = levels.share[np.arange(len(levels)), most], levels.pick("used", most)
    with np.errstate(invalid="ignore", divide="ignore"):  # workloads that were never throttled are not read
        stopped = 1000 * levels.pick("stopped_s", most) / levels.pick("throttled", most) / levels.period_ms
    workload, kind, threads = (
        each.ravel() for each in np.meshgrid(which, np.arange(len(_KINDS)), _THREADS, indexing="ij")
    )
    pieces = np.array([np.nan if each.pieces is None else each.pieces for each in _KINDS])
    # Each thread keeps one processor stopped, and no more.
    able = (threads >= _LEAST_ROOM * levels.limit[workload]) & (threads > used[workload])
    able &= ~(threads < stopped[workload] * (1 - margin))
    able &= np.isfinite(levels.requests_per_s)[workload] == np.isnan(pieces)[kind]
    workload, kind, threads = workload[able], kind[able], threads[able].astype(float)
    scv, pieces = np.array([each.scv for each in _KINDS])[kind], pieces[kind]
    limit = levels.limit[workload]
    cpu, batch = _sizes(levels, workload, pieces)
    shown = made.limited(
        Loads(limit[:, None], threads[:, None], (used[workload] / limit)[:, None], cpu, batch, scv[:, None])
    )
    measured = np.clip(share[workload], 1e-6, 1 - 1e-6)
    # In place of the error of a simulation there is that of the surrogate: of the odds, of the share it is less.
    error = np.hypot(SURE * levels.pick("chance", most)[workload], made.error("throttled"))
    near = np.full_like(measured, np.hypot(np.log1p(margin), made.error("stopped")))
    with np.errstate(invalid="ignore", divide="ignore"):
        stop = np.log(stopped[workload])
    places = explore_many(
        {
            "throttled": Curves(_odds(shown["throttled"]), _odds(measured), error / (1 - measured)),
            "stopped": Curves(np.log(np.maximum(shown["stopped"], 1e-6)), stop, near),
        },
        "throttled",
    )
    lump = _at(cpu, places.met) * (2 * _at(batch, places.met) - 1 + scv) / limit
    off, stops = places.off["throttled"], places.off["stopped"]
    whys = {
        STEADIER: off > 1, LUMPIER: (off < -1) | (lump > _COVERED * LUMPS[1]), SHORTER: stops < -1, LONGER: stops > 1,
    }  # fmt: skip
    why = np.select(list(whys.values()), list(whys), FITS).astype(np.int8)
    varies = _varies(levels, workload, (lump, used[workload]))
    pairs = [(_at(cpu, place), _at(batch, place)) for place in (places.met, places.low, places.high)]
    found = Readings(
        workload, kind, threads, scv, pieces, *pairs[0], pairs[1], pairs[2], stops * near, why, varies
    )  # fmt: skip
    return _with_other_levels(levels, found, most, (made, margin))


def _sizes(levels: Levels, workload: Indices, pieces: Array) -> tuple[Array, Array]:
    """CPU times (periods) and batches along each curve: batches of requests, or the CPU time of pieces of a burst."""
    steps, bursts = np.linspace(0, 1, _STEPS), np.isfinite(pieces)[:, None]
    many = np.nan_to_num(pieces, nan=1.0)[:, None]
    each = (levels.used[workload] * levels.length_s[workload]).sum(axis=1) / levels.length_s[workload].sum(axis=1)
    per_s = each / levels.requests_per_s[workload] / (levels.period_ms[workload] / 1000)
    lumps = _LUMPS[0] * (_LUMPS[1] / _LUMPS[0]) ** steps * levels.limit[workload][:, None] / many
    return np.where(bursts, lumps, per_s[:, None]), np.where(bursts, many, BATCHES[1] ** steps)


def _varies(levels: Levels, workload: Indices, lumps: tuple[Array, Array]) -> np.typing.NDArray[np.int8]:
    """Whether readings vary more (1) or less (-1) from block to block than measured.

    `lumps` are in quotas, with the use of each workload.
    """
    lump, used = lumps
    spread, limit, period_s = levels.spread, levels.limit[workload], levels.period_ms[workload] / 1000
    pairs, length_s, used_s, squares_s2 = (
        getattr(spread, name)[workload] for name in ("pairs", "length_s", "used_s", "squares_s2")
    )
    made = used_s * lump * limit * period_s
    queue_s = period_s * lump / (1 - np.minimum(used / limit, 0.99)) ** 2
    late = (used_s / length_s * _LATE_S) ** 2
    # Of differences of neighbours two thirds are independent.
    degrees = np.maximum(2 * pairs / 3, 1e-9)
    low = made * length_s / (length_s + 2 * queue_s) / MODEL
    scaled = squares_s2 / np.maximum(pairs, 1) * degrees
    less, more = sides(degrees, scaled, low, MODEL * (made + late))
    known = pairs >= 1
    return np.where(known & less, 1, np.where(known & more, -1, 0)).astype(np.int8)


def _with_other_levels(levels: Levels, found: Readings, most: Indices, how: tuple[Surrogate, float]) -> Readings:
    """The readings, without those that do not predict how often the other levels were throttled."""
    made, margin = how
    why = found.why.copy()
    for level in range(levels.length_s.shape[1]):
        rows = np.flatnonzero(
            (why == FITS) & (most[found.workload] != level) & (levels.length_s[found.workload, level] > 0)
        )
        if not rows.size:
            continue
        some = found.take(rows)
        which = some.workload
        shown = made.limited(some.at(levels.limit[which], levels.used[which, level]))["throttled"]
        measured = levels.share[which, level]
        chance = SURE * np.nan_to_num(levels.chance[which, level]) * measured
        base = SURE * levels.chance[which, most[which]] * shown
        within = np.hypot((np.expm1(made.error("throttled")) + margin) * shown, np.hypot(chance, base))
        off = np.abs(shown - measured) > np.maximum(within, _LEAST_SHARE)
        why[rows[off]] = OTHER_LEVELS
    return replace(found, why=why)


def _odds(share: Array) -> Array:
    share = np.clip(share, 1e-9, 1 - 1e-9)
    return np.asarray(np.log(share / (1 - share)))


def _at(values: Array, place: Array) -> Array:
    """Values that grow by a factor from column to column, at a place between these."""
    return np.asarray(np.exp(between(np.log(values), place)))


_LIMITS_TRIED = 16
"""Limits at which a reading is evaluated, from what it uses up to as many processors as it has threads."""
FULL = 0.95
"""Of a limit: with more used, queues last for longer than the surrogate was fitted for."""
_NEVER = np.nan
"""No limit does, not even none."""


@dataclass(frozen=True)
class Point:
    """Latencies in ms and shares of periods throttled of each reading under one limit each, and without it."""

    limited: Mapping[str, Array]
    free: Mapping[str, Array]
    throttled: Array

    def added(self, name: str) -> Array:
        """The part of a latency that throttling adds, ms."""
        return self.limited[name] - self.free[name]


def point(made: Surrogate, found: Readings, limit: Array, of: tuple[Array, Array, str]) -> Point:
    """The readings under limits (rows, or rows x limits); `of`: used processors, periods in ms, moved by chance."""
    used, period_ms, moved = of
    loads = found.at(limit, used, moved)
    # Without a limit latency depends on what is used alone, so that it is the same for all limits of a row.
    narrow = found.at(limit[:, -1], used, moved) if limit.ndim == 2 else loads
    under, without = made.limited(loads), made.free(narrow)
    wide = (slice(None), None) if limit.ndim == 2 else (slice(None),)
    free = {name: (without[f"free_{name}"] * narrow.cpu * period_ms)[wide] for name in LATENCY}
    return Point({name: free[name] * under[f"ratio_{name}"] for name in LATENCY}, free, under["throttled"])


def least(made: Surrogate, found: Readings, over: Callable[[Point], Array], of: tuple[Array, Array, str]) -> Array:
    """The least limit of each reading that does what is asked, NaN where none does.

    `over` says by how much each limit misses it, as a logarithm: 0 and less does it.
    """
    low = of[0] / FULL
    high = np.maximum(found.threads, 1.02 * low)
    limits = low[:, None] * (high / low)[:, None] ** np.linspace(0, 1, _LIMITS_TRIED)
    off = over(point(made, found, limits, of))
    off = np.minimum.accumulate(off, axis=1)
    met = off <= 0
    at = met.argmax(axis=1)
    rows, before = np.arange(len(off)), np.maximum(at - 1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        part = np.where(at > 0, off[rows, before] / (off[rows, before] - off[rows, at]), 0.0)
    logs = np.log(limits)
    chosen = np.exp(logs[rows, before] + np.clip(part, 0, 1) * (logs[rows, at] - logs[rows, before]))
    return np.where(met.any(axis=1), chosen, _NEVER)

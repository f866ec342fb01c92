"""The loads that fit a workload's counters: for each kind of load and number of threads, how coarsely work comes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from slicewright.advise.limits import dispersion
from slicewright.advise.limits.fit import PIECES
from slicewright.advise.limits.fleet import design
from slicewright.advise.limits.fleet.levels import Levels
from slicewright.advise.limits.fleet.surrogate import Loads, Surrogate
from slicewright.experiment.outcome import Array

Indices = np.typing.NDArray[np.intp]

THREADS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""Threads that may work at once."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of load: the spread of CPU times, and pieces of a burst where requests are not counted."""

    scv: float
    pieces: float | None = None


REQUESTS = (Kind(1.0), Kind(2.0), Kind(0.0), Kind(4.0), Kind(10.0))
BURSTS = tuple(Kind(scv, pieces) for pieces in PIECES for scv in (1.0, 0.0, 4.0))
"""Kinds that are tried, the usual first: of workloads whose requests are counted, and of others."""
STEPS = 12
"""Batches, or CPU times, at which a kind is evaluated; between them its throttling is interpolated."""
LUMPS = (0.01, 10.0)
"""CPU time of a burst that is tried, as a share of the quota."""
COVERED = 1.25
"""Lumps of work up to which readings are taken, as a multiple of the largest that the surrogate was fitted to."""
LEAST_ROOM = 0.98
"""A limit of at least this share of the threads that work at once throttles them."""
SIGMAS = 2.0
LATE_S = 4.0
"""ASSUME: by how much a sample may be older than it says, s: cAdvisor looks at a container every 10 to 15 s."""
LEAST_SHARE = 0.01
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

    The kinds are those of `REQUESTS` where requests are counted, else `BURSTS`.  The other levels are predicted.
    """
    found = [
        _of_kinds(levels, part, made, (kinds, margin))
        for kinds, part in (
            (REQUESTS, which[np.isfinite(levels.requests_per_s[which])]),
            (BURSTS, which[~np.isfinite(levels.requests_per_s[which])]),
        )
        if part.size
    ]
    whole: dict[str, Any] = {}
    for name in Readings.__dataclass_fields__:
        parts = [getattr(each, name) for each in found]
        joined = [
            np.concatenate(columns) for columns in (zip(*parts, strict=True) if name in ("low", "high") else [parts])
        ]
        whole[name] = tuple(joined) if name in ("low", "high") else joined[0]
    return Readings(**whole)


def _of_kinds(levels: Levels, which: Indices, made: Surrogate, how: tuple[Sequence[Kind], float]) -> Readings:
    kinds, margin = how
    most = np.argmax(levels.throttled, axis=1)
    share, used = levels.share[np.arange(len(levels)), most], levels.pick("used", most)
    with np.errstate(invalid="ignore", divide="ignore"):  # workloads that were never throttled are not read
        stopped = 1000 * levels.pick("stopped_s", most) / levels.pick("throttled", most) / levels.period_ms
    workload, kind, threads = (
        each.ravel() for each in np.meshgrid(which, np.arange(len(kinds)), THREADS, indexing="ij")
    )
    # Each thread keeps one processor stopped, and no more.
    able = (threads >= LEAST_ROOM * levels.limit[workload]) & (threads > used[workload])
    able &= ~(threads < stopped[workload] * (1 - margin))
    workload, kind, threads = workload[able], kind[able], threads[able].astype(float)
    scv = np.array([each.scv for each in kinds])[kind]
    pieces = np.array([np.nan if each.pieces is None else each.pieces for each in kinds])[kind]
    bursts = kinds[0].pieces is not None
    limit = levels.limit[workload]
    steps = np.linspace(0, 1, STEPS)
    if bursts:
        values = LUMPS[0] * (LUMPS[1] / LUMPS[0]) ** steps * (limit / pieces)[:, None]
        cpu, batch = values, np.broadcast_to(pieces[:, None], values.shape)
    else:
        values = np.broadcast_to(design.BATCHES[1] ** steps, (len(limit), STEPS))
        each = levels.used[workload] * levels.length_s[workload]
        per_s = each.sum(axis=1) / levels.length_s[workload].sum(axis=1) / levels.requests_per_s[workload]
        cpu, batch = np.broadcast_to((per_s / (levels.period_ms[workload] / 1000))[:, None], values.shape), values
    whole = (limit[:, None], threads[:, None], (used[workload] / limit)[:, None])
    shown = made.limited(Loads(*whole, cpu, batch, scv[:, None]))
    odds = np.maximum.accumulate(_odds(shown["throttled"]), axis=1)
    measured = np.clip(share[workload], 1e-6, 1 - 1e-6)
    error = np.hypot(levels.pick("chance", most)[workload] * SIGMAS, made.error("throttled"))
    places = [
        _place(odds, _odds(measured) + by * error / (1 - measured)) for by in (0, -1, 1)
    ]  # in steps; error of the odds, of the share it is less
    at_start, at_end = places[0] <= 0, places[0] >= STEPS - 1
    why = np.where(at_start & (odds[:, 0] > _odds(measured) + error), STEADIER, FITS)
    why = np.where(at_end & (odds[:, -1] < _odds(measured) - error), LUMPIER, why)
    lump = _read(cpu, places[0]) * (2 * _read(batch, places[0]) - 1 + scv) / limit
    why = np.where((why == FITS) & (lump > COVERED * design.LUMPS[1]), LUMPIER, why)
    stop = np.exp(_between(np.log(np.maximum(shown["stopped"], 1e-6)), places[0]))
    with np.errstate(invalid="ignore", divide="ignore"):
        miss = np.log(stop / stopped[workload])
    near = np.hypot(np.log1p(margin), made.error("stopped"))
    why = np.where((why == FITS) & (miss < -near), SHORTER, why)
    why = np.where((why == FITS) & (miss > near), LONGER, why)
    varies = _varies(levels, workload, (lump, used[workload]))
    pairs = [(_read(cpu, place), _read(batch, place)) for place in places]
    found = Readings(
        workload, kind, threads, scv, pieces, *pairs[0], pairs[1], pairs[2], miss, why.astype(np.int8), varies
    )  # fmt: skip
    return _with_other_levels(levels, found, most, (made, margin))


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
    late = (used_s / length_s * LATE_S) ** 2
    # Of differences of neighbours two thirds are independent.
    degrees = np.maximum(2 * pairs / 3, 1e-9)
    low = made * length_s / (length_s + 2 * queue_s) / dispersion.MODEL
    scaled = squares_s2 / np.maximum(pairs, 1) * degrees
    less, more = dispersion.sides(degrees, scaled, low, dispersion.MODEL * (made + late))
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
        chance = SIGMAS * np.nan_to_num(levels.chance[which, level]) * measured
        base = SIGMAS * levels.chance[which, most[which]] * shown
        within = np.hypot((np.expm1(made.error("throttled")) + margin) * shown, np.hypot(chance, base))
        off = np.abs(shown - measured) > np.maximum(within, LEAST_SHARE)
        why[rows[off]] = OTHER_LEVELS
    return replace(found, why=why)


def _odds(share: Array) -> Array:
    share = np.clip(share, 1e-9, 1 - 1e-9)
    return np.asarray(np.log(share / (1 - share)))


def _place(rising: Array, wanted: Array) -> Array:
    """Where each row, which does not fall, first reaches a value, in steps; an end where it does not."""
    above = rising >= wanted[:, None]
    at = np.where(above.any(axis=1), above.argmax(axis=1), rising.shape[1] - 1)
    before = np.maximum(at - 1, 0)
    rows = np.arange(len(rising))
    low, high = rising[rows, before], rising[rows, at]
    with np.errstate(invalid="ignore", divide="ignore"):
        part = np.where(high > low, (wanted - low) / (high - low), 0.0)
    return np.asarray(before + np.clip(part, 0.0, 1.0) * (at > before))


def _between(columns: Array, place: Array) -> Array:
    """Values of each row at a place between its columns."""
    at = np.minimum(place.astype(np.intp), columns.shape[1] - 2)
    rows = np.arange(len(columns))
    return np.asarray(columns[rows, at] + (place - at) * (columns[rows, at + 1] - columns[rows, at]))


def _read(values: Array, place: Array) -> Array:
    """Values that grow by a factor from column to column, at a place between these."""
    return np.asarray(np.exp(_between(np.log(values), place)))

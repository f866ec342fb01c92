"""The answer about a fleet: for each workload what throttling costs, and the limit that would do."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from slicewright._core import InputError
from slicewright.advise.limits.answer import LimitAnswer, nice
from slicewright.advise.limits.cpu_stat import Copy, texts
from slicewright.advise.limits.fleet.cluster import Cluster, Fleet
from slicewright.advise.limits.fleet.report import FleetAnswer, Line, MainReading, Verdict
from slicewright.advise.limits.from_copies import LEAST_OF_QUOTA, SLACK, answer_copies
from slicewright.advise.limits.intervals import FEWEST_THROTTLED, LEAST_PERCENT, tells
from slicewright.advise.limits.quantity import limit, span
from slicewright.advise.limits.request import Aim, FleetRequest
from slicewright.advise.limits.request import check as check_alone
from slicewright.advise.many import each_group
from slicewright.experiment.outcome import Array
from slicewright.reading import fleet as readings
from slicewright.reading.fleet import FULL, Levels, levels
from slicewright.reading.surrogate import Surrogate, surrogate
from slicewright.report.forms import Span
from slicewright.statistics import fixed, plural
from slicewright.values.errors import problem, refusal
from slicewright.values.progress import Progress, piece, silent

if TYPE_CHECKING:
    import polars as pl


_MOST_WRONG = 0.05
"""ASSUME: share of a workload's intervals that may be dropped before all of it is refused."""


@dataclass(frozen=True)
class _Checked:
    """The fleet without intervals that contradict the limit, and by workload why all of it does."""

    fleet: Fleet
    refused: Mapping[str, str]


def checked(fleet: Fleet) -> _Checked:
    """The fleet checked: more used than the limit allows, or more periods throttled than what was used can fill."""
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
        return _Checked(fleet, {})
    each = rows.group_by("workload", maintain_order=True).agg(pl.len(), pl.col("wrong").sum().alias("bad"))
    refused = {
        name: _words(rows.filter((pl.col("workload") == name) & pl.col("wrong")), count)
        for name, count, bad in each.iter_rows()
        if bad > _MOST_WRONG * count
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
    return _Checked(replace(fleet, intervals=kept, notes=notes), refused)


def _words(wrong: pl.DataFrame, count: int) -> str:
    return f"in {wrong.height} of {plural(count, 'interval')} {_contradiction(wrong.row(0, named=True))}"


def _contradiction(row: Mapping[str, Any]) -> str:
    """The contradiction, with both numbers."""
    if row["throttled"] > row["periods"]:
        return f"{row['throttled']:,} of {plural(row['periods'], 'period')} were throttled"
    if row["over"]:
        got = row["used_s"] / row["periods"] / row["period_ms"] * 1000
        return f"{limit(round(got, 3))} was used under a limit of {limit(row['limit'])}"
    least = row["throttled"] * row["limit"] * row["period_ms"] / 1000
    periods = plural(row["throttled"], "throttled period uses", "throttled periods use")
    return (
        f"{periods} up {fixed(least, 1)} s of a limit of {limit(row['limit'])}, but"
        f" {fixed(row['used_s'], 1)} s were used"
    )


_PARTS = 6
"""Intervals that the counters are joined to: enough to see whether the load changes, each long enough to tell."""


def simulated(fleet: Fleet, request: FleetRequest, progress: Progress = silent) -> LimitAnswer:
    """The answer about the workload that is named; raises InputError where it has no limit or no counters."""
    import polars as pl

    name = request.workload
    rows = fleet.intervals.filter((pl.col("workload") == name) & pl.col("periods").is_not_null())
    if rows.is_empty() or rows["limit"][-1] is None:
        why = "it has no limit, or its periods are not counted: nothing can be read from it"
        raise refusal(problem(f"no counters to simulate: {name}", key="workload", why=why, allowed="another workload"))
    last = rows.sort("at_s").row(-1, named=True)
    rows = rows.filter((pl.col("limit") == last["limit"]) & (pl.col("period_ms") == last["period_ms"]))
    options = request.alone
    own = {key: value for key, value in options.own.items() if key not in ("workload", "patch", "top")}
    own.setdefault("limit", limit(last["limit"]))
    own.setdefault("period", span(last["period_ms"]))
    if not rows["requests_per_s"].has_nulls():
        served = float((rows["requests_per_s"] * rows["length_s"]).sum()) / float(rows["length_s"].sum())
        if served >= 1e-3:
            own.setdefault("requests", f"{served:.6g}/s")
    asked = check_alone(replace(options, own={key: value for key, value in own.items() if key in _KNOWN}))
    return answer_copies([(name, texts(_copies(rows)).encode())], asked, progress)


_KNOWN = ("limit", "requests", "threads", "period", "burst", "processors")


def _copies(rows: pl.DataFrame) -> list[Copy]:
    """Counters as if every replica had been one group, one after the other, at the ends of a few parts.

    Parts are of the time, with what all replicas used in it: an interval of one replica follows that of another.
    """
    import polars as pl

    rows = rows.sort("at_s", "replica")
    whole = float(rows["length_s"].sum())
    place = ((pl.col("length_s").cum_sum() / whole * _PARTS).ceil().clip(1, _PARTS)).alias("part")
    parts = (
        rows.with_columns(place)
        .group_by("part", maintain_order=True)
        .agg(pl.col("length_s", "used_s", "periods", "throttled").sum(), stopped_s=_stopped())
    )
    copy = Copy("fleet", 1, "v2", 0.0, 0, 0, 0.0, None, 0.0, {})
    known = not parts["stopped_s"].has_nulls()
    found = [copy if known else replace(copy, stopped_s=None)]
    for part in parts.iter_rows(named=True):
        before = found[-1]
        stopped = (before.stopped_s or 0.0) + (part["stopped_s"] or 0.0) if known else None
        found.append(
            replace(
                before, used_s=before.used_s + part["used_s"], periods=before.periods + part["periods"],
                throttled=before.throttled + part["throttled"], stopped_s=stopped,
                at_s=(before.at_s or 0.0) + part["length_s"],
            )
        )  # fmt: skip
    return found


def _stopped() -> pl.Expr:
    import polars as pl

    return pl.when(pl.col("stopped_s").is_null().any()).then(None).otherwise(pl.col("stopped_s").sum())


_MOST_SIMULATED = 8
"""Workloads that are simulated for one answer, those that would free most processors first."""
_CONTAINED = "the range of limits that the counters allow contains that of now: nothing shows that less would do"
_SURGES = "work varies more from interval to interval than any load that fits: peaks may need the limit of now"
_MANY = f"not simulated: more than {_MOST_SIMULATED} limits would be lowered"
_EVEN = "work is steadier from interval to interval than random arrivals, which the surrogate is fitted to"
_ONE = "the engine's own simulations, by --workload"


def _confirmed(lines: Sequence[Line], fleet: Fleet, request: FleetRequest, progress: Progress = silent) -> list[Line]:
    """The lines, with `lower` only where the whole range is below the limit of now and the engine agrees."""
    found = [_identified(line) for line in lines]
    doubtful = sorted((line for line in found if _is_doubtful(line)), key=lambda line: (line.change, line.workload))

    def settle(line: Line, progress: Progress) -> Line:
        return _settled(line, fleet, request) if line in doubtful[:_MOST_SIMULATED] else _left(line)

    settled = {line.workload: after for line, after in each_group(doubtful, settle, progress)}
    return [settled.get(line.workload, line) for line in found]


def _is_doubtful(line: Line) -> bool:
    return line.verdict is Verdict.LOWER or (
        line.varies > 0 and line.verdict in (Verdict.RAISE, Verdict.NO_LIMIT_DOES)
    )  # fmt: skip


def _identified(line: Line) -> Line:
    """A line whose counters show that less would do: all of its range, and the highest use, are below the limit."""
    if line.verdict is not Verdict.LOWER or line.limit is None:
        return line
    if line.varies < 0:
        return _kept(line, _SURGES)
    high, peak = math.inf if line.high is None else line.high, nice(line.peak / FULL)
    if high >= line.limit:
        return _kept(line, _CONTAINED)
    if peak >= line.limit:
        return _kept(
            line, f"one interval used {fixed(line.peak, 2)} processors: less than the limit of now has no room"
        )
    return replace(line, then=max(high, peak))


def _settled(line: Line, fleet: Fleet, request: FleetRequest) -> Line:
    """The line after the engine's own simulations of the workload."""
    try:
        deep = simulated(fleet, request.of_one(line.workload))
    except InputError as error:
        return _refused(line, str(error).partition("\n")[0])
    if deep.recommendation is None:
        return _refused(line, deep.reason)
    return _lowered(line, deep) if line.verdict is Verdict.LOWER else _simulated(line, deep)


def _lowered(line: Line, deep: LimitAnswer) -> Line:
    """The higher of what the counters and the engine ask for, where that is still lower."""
    chosen = deep.recommendation
    assert chosen is not None
    assert line.then is not None
    assert line.limit is not None
    then = max(line.then, chosen.high)
    low = min(chosen.low, chosen.low if line.low is None else line.low)
    if then < line.limit:
        return replace(line, then=then, low=low, high=then)
    asks = f"the engine's own simulations ask for {limit(chosen.low)} to {limit(chosen.high)}"
    return replace(_kept(line, asks), low=low, high=then)


def _simulated(line: Line, deep: LimitAnswer) -> Line:
    """The line with the limit, and the latency, of the engine's own simulations."""
    chosen, now = deep.recommendation, deep.now
    assert chosen is not None
    assert line.limit is not None
    found = replace(line, low=chosen.low, high=chosen.high, reading=None, why=_EVEN, settles="")
    if now is not None:
        cost = now.throttling["p99_ms"].mean
        found = replace(
            found, cost_p99_ms=cost, cost_mean_ms=now.throttling["mean_ms"].mean, p99_ms=now.columns["p99_ms"].mean,
            cost_p99_range=Span(None, None), p99_then_ms=None, throttled_then_percent=None,
        )  # fmt: skip
    if chosen.limit <= line.limit:
        return _kept(found, _EVEN)
    if not math.isfinite(chosen.limit):
        return replace(found, verdict=Verdict.NO_LIMIT_DOES, then=None)
    return replace(found, verdict=Verdict.RAISE, then=chosen.limit)


def _refused(line: Line, reason: str) -> Line:
    if line.verdict is Verdict.LOWER:
        return _kept(line, f"the engine's own simulations do not confirm less: {reason}")
    return replace(
        line, verdict=Verdict.UNEXPLAINED, then=None, low=None, high=None, why=f"{_EVEN}: {reason}", settles=_ONE
    )


def _left(line: Line) -> Line:
    if line.verdict is Verdict.LOWER:
        return replace(_kept(line, _MANY), settles=_ONE)
    return replace(line, verdict=Verdict.UNEXPLAINED, then=None, low=None, high=None, why=_EVEN, settles=_ONE)


def _kept(line: Line, why: str) -> Line:
    return replace(
        line, verdict=Verdict.KEEP, then=line.limit, p99_then_ms=line.p99_ms, throttled_then_percent=None, why=why
    )


_CHUNK = 400
"""Workloads that are read at a time: memory is bounded by it."""
_FEWEST_PERIODS = 600
"""Periods below which nothing is read from them."""
_MOST_FULL = 0.05
"""Of the time, that in which a limit may be used up with the rest still telling what is needed."""
_MEASURED = {"p50_ms": "measured_p50_ms", "p99_ms": "measured_p99_ms"}
"""Latencies that a histogram tests: a reading may not be slower than what was measured, which has other waits too."""


def answer_fleet(fleet: Fleet, request: FleetRequest, progress: Progress = silent) -> FleetAnswer:
    """The answer; raises InputError where the workload to simulate has no counters to read."""
    sound = checked(fleet)
    made, found = surrogate(), levels(sound.fleet.intervals)
    facts = {row["workload"]: row for row in fleet.workloads.iter_rows(named=True)}
    judged = _judged(found, sound.refused)
    able = np.flatnonzero([verdict is None for verdict in judged])
    refused = [sound.refused.get(name, "") for name in found.workloads]
    lines = [_line(found, at, facts, verdict, refused[at]) for at, verdict in enumerate(judged) if verdict is not None]
    parts = [able[start : start + _CHUNK] for start in range(0, len(able), _CHUNK)]
    read = each_group(parts, lambda part, _: _read(found, part, facts, (made, request)), piece(progress, 0, 2))
    lines += [line for _, part in read for line in part]
    lines = _confirmed(lines, sound.fleet, request, piece(progress, 1, 2))
    hours = float(found.length_s.sum(axis=1).max() / 3600) if len(found) else 0.0
    ordered = tuple(sorted(lines, key=lambda line: line.rank))
    deep = None
    if request.workload:
        deep = simulated(fleet if request.workload in sound.refused else sound.fleet, request, progress)
    return FleetAnswer(ordered, request, tuple(sound.fleet.notes), hours, made.errors, made.draws, deep)


def _judged(found: Levels, refused: Container[str]) -> list[Verdict | None]:
    """Why nothing is read of a workload's counters; None where something is: from any level with enough of it."""
    periods, throttled = found.periods.sum(axis=1), found.throttled.sum(axis=1)
    judged: list[Verdict | None] = []
    for at, name in enumerate(found.workloads):
        told = any(tells(*pair) for pair in zip(found.periods[at], found.throttled[at], strict=True))
        if name in refused:
            judged.append(Verdict.CONTRADICTED)
        elif not math.isfinite(found.limit[at]):
            judged.append(Verdict.UNLIMITED)
        elif found.unknown[at]:
            judged.append(Verdict.UNCOUNTED)
        elif found.full_share[at] > _MOST_FULL:
            judged.append(Verdict.FULL)
        elif periods[at] < _FEWEST_PERIODS:
            judged.append(Verdict.FEW)
        elif not told and throttled[at] >= FEWEST_THROTTLED:
            judged.append(Verdict.KEEP)
        elif not told:
            judged.append(Verdict.RARE if throttled[at] else Verdict.NEVER)
        else:
            judged.append(None)
    return judged


_WHY = {
    Verdict.UNLIMITED: ("it has no limit, so it is never throttled", ""),
    Verdict.UNCOUNTED: (
        "periods of its limit are not counted",
        "container_cpu_cfs_periods_total and container_cpu_cfs_throttled_periods_total",
    ),
    Verdict.FULL: (
        "the limit was used up: counters do not show how much more it would use",
        "a higher limit for one replica, or a time with fewer requests",
    ),
    Verdict.FEW: ("fewer than 600 periods were counted", "a longer time"),
    Verdict.RARE: (
        f"fewer than {FEWEST_THROTTLED} periods were throttled: how low the limit could be is not known",
        "a longer time",
    ),
    Verdict.KEEP: (
        f"fewer than {fixed(LEAST_PERCENT, 1)} % of the periods were throttled: how low the limit could be is unknown",
        "a lower limit for one replica, until more periods are throttled",
    ),
    Verdict.CONTRADICTED: ("counters and limit cannot be true together", "the limit in cpu.max of the group"),
    Verdict.NEVER: (
        "no period was throttled: the limit costs nothing, and how low it could be is not known",
        "a lower limit for one replica, until some periods are throttled",
    ),
}
"""Why nothing is recommended, and what would settle it."""
_WHY_NOT = {
    readings.STEADIER: (
        "throttled less than any random arrivals of as much work would be",
        "a count of all requests, health checks too",
    ),
    readings.LUMPIER: (
        "work comes in larger lumps than the surrogate covers: batches, starts, jobs or garbage collection",
        "the engine's own simulations, by --workload; a time without starts and jobs",
    ),
    readings.SHORTER: ("more processors were stopped than loads that fit would keep busy", "the number of threads"),
    readings.LONGER: ("fewer processors were stopped than loads that fit would keep busy", "the number of threads"),
    readings.OTHER_LEVELS: (
        "what explains the busy time does not predict the rest: the kind of load changes",
        "a time with one kind of load",
    ),
    readings.SLOWER: ("every load that fits would be slower than the latency that was measured", "a count of requests"),
}
"""Why no reading fits, and what would settle it."""


def _line(
    found: Levels, at: int, facts: Mapping[str, dict[str, Any]], verdict: Verdict, said: str = "", **more: Any
) -> Line:
    name = found.workloads[at]
    fact, length, rate = facts[name], found.length_s[at], float(found.requests_per_s[at])
    why, settles = _WHY[verdict] if verdict in _WHY and not more else ("", "")
    made: dict[str, Any] = {
        "workload": name, "nodes": tuple(node for node in fact["nodes"] or () if node is not None),
        "replicas": int(fact["replicas"]), "verdict": verdict,
        "limit": float(found.limit[at]) if math.isfinite(found.limit[at]) else None, "reserved": fact["reserved"],
        "used": float((found.used[at] * length).sum() / max(length.sum(), 1e-9)),
        "busy": float(found.used[at, int(found.busiest[at])]),
        "requests_per_s": rate if math.isfinite(rate) else None, "periods": int(found.periods[at].sum()),
        "throttled": int(found.throttled[at].sum()), "measured_p99_ms": fact["measured_p99_ms"],
        "then": float(found.limit[at]) if verdict is Verdict.KEEP else None,
        "why": said or why, "settles": settles, "peak": float(found.peak[at]),
    }  # fmt: skip
    return Line(**(made | more))


def _read(
    found: Levels, which: readings.Indices, facts: Mapping[str, dict[str, Any]], how: tuple[Surrogate, FleetRequest]
) -> Iterator[Line]:
    """The lines of workloads whose counters tell something."""
    made, request = how
    every = readings.explained(found, which, made, request.margin_percent / 100)
    every = _tested(found, every, facts, made)
    fits = _as_varied(every.take(every.why == readings.FITS), len(found))
    fits = fits.take(np.lexsort((_misses(fits), fits.kind, fits.workload)))
    asked = _Asked(found, fits, made, request)
    starts = np.searchsorted(fits.workload, which), np.searchsorted(fits.workload, which, side="right")
    for at, start, end in zip(which, *starts, strict=True):
        if start == end:
            yield _unexplained(found, int(at), facts, every.why[every.workload == at])
        else:
            yield _told(found, int(at), facts, asked.of(start, end))


def _as_varied(fits: readings.Readings, count: int) -> readings.Readings:
    """The readings that vary from interval to interval no more than measured, where a workload has any; else all of it.

    Those that vary less stay: a rate that changes explains the rest, and says nothing about lumps of work.
    """
    able = np.bincount(fits.workload[fits.varies <= 0], minlength=count) > 0
    return fits.take((fits.varies <= 0) | ~able[fits.workload])


def _misses(fits: readings.Readings) -> Array:
    """By how much stopped time misses; where it is not known, the number of threads in the middle is nearest."""
    known = np.isfinite(fits.miss)
    middle = np.abs(np.log(fits.threads) - np.log(4.0))
    return np.where(known, np.abs(fits.miss), middle)


def _unexplained(found: Levels, at: int, facts: Mapping[str, dict[str, Any]], whys: Sequence[int]) -> Line:
    counts = np.bincount(np.asarray(whys, dtype=np.int64), minlength=7) if len(whys) else np.zeros(7)
    nearest = max((readings.OTHER_LEVELS, readings.SLOWER), key=lambda why: counts[why])
    chosen = nearest if counts[nearest] else int(np.argmax(counts))
    why, settles = _WHY_NOT.get(chosen, ("threads at once are as many as the limit", "the number of threads"))
    return _line(found, at, facts, Verdict.UNEXPLAINED, why=why, settles=settles)


def _told(found: Levels, at: int, facts: Mapping[str, dict[str, Any]], told: dict[str, Any]) -> Line:
    """A line with a recommendation, where a limit does what is asked."""
    limit = float(found.limit[at])
    then = told["then"]
    if not math.isfinite(then):
        why = "no limit does what is asked, not even none: throttling is not the cause"
        return _line(found, at, facts, Verdict.NO_LIMIT_DOES, why=why, **{**told, "then": None})
    verdict = Verdict.KEEP if abs(then - limit) < 1e-9 else Verdict.RAISE if then > limit else Verdict.LOWER
    return _line(found, at, facts, verdict, **told)


def _tested(
    found: Levels, every: readings.Readings, facts: Mapping[str, dict[str, Any]], made: Surrogate
) -> readings.Readings:
    """The readings, without those that would be slower than what a histogram of latency measured."""
    names = [found.workloads[at] for at in every.workload]
    why = every.why.copy()
    quiet = np.argmax(found.length_s > 0, axis=1)[every.workload]
    for latency, column in _MEASURED.items():
        measured = np.array([facts[name][column] or math.nan for name in names], dtype=np.float64)
        rows = np.flatnonzero(np.isfinite(measured) & (why == readings.FITS))
        if not rows.size:
            continue
        some = every.take(rows)
        of = found.used[some.workload, quiet[rows]], found.period_ms[some.workload], ""
        shown = readings.point(made, some, found.limit[some.workload], of).limited[latency]
        slack = math.exp(made.error(f"ratio_{latency}") + made.error(f"free_{latency}"))
        why[rows[shown > slack * measured[rows]]] = readings.SLOWER
    return replace(every, why=why)


class _Asked:
    """The readings that fit, under the limit of now and under the least that does, of many workloads at once."""

    def __init__(self, found: Levels, fits: readings.Readings, made: Surrogate, request: FleetRequest) -> None:
        self.fits, self.bursts = fits, np.isfinite(fits.pieces)
        rows = fits.workload
        self.period_ms, self.limit = found.period_ms[rows], found.limit[rows]
        busy = found.pick("used", found.busiest)[rows] * request.growth
        of = busy, self.period_ms, ""
        self.now = readings.point(made, fits, self.limit, of)
        self.holds = busy < readings.FULL * self.limit
        error = made.errors["ratio_p99_ms"][0]
        self.least = readings.least(made, fits, _over(request.aim), of)
        first = np.flatnonzero(np.concatenate([[True], rows[1:] != rows[:-1]])) if len(rows) else np.zeros(0, np.intp)
        # Chance, and the error of the surrogate, are added to the main reading.
        self.low, self.high = self.least.copy(), self.least.copy()
        for ends, moved, slack in ((self.low, "low", -error), (self.high, "high", error)):
            one = busy[first], self.period_ms[first], moved
            ends[first] = readings.least(made, fits.take(first), _over(request.aim, slack), one)
        self.low = np.fmin(self.low, self.least)
        self.high = np.maximum(self.high, self.least)
        chosen = [_settable(*pair) for pair in zip(self.least.tolist(), self.limit.tolist(), strict=True)]
        self.then = readings.point(made, fits, np.where(np.isfinite(chosen), chosen, self.limit), of)

    def of(self, start: int, end: int) -> dict[str, Any]:
        """The columns of one workload from its readings, the main one first."""
        fits, part = self.fits, slice(start, end)
        reading = MainReading(
            int(fits.threads[start]), float(fits.batch[start]), float(fits.cpu[start] * self.period_ms[start]),
            float(fits.scv[start]), bool(self.bursts[start]), int(end - start),
        )  # fmt: skip
        high = self.high[part]
        varies = {int(value) for value in fits.varies[part]}
        said: dict[str, Any] = {
            "reading": reading, "varies": varies.pop() if len(varies) == 1 else 0,
            "then": _settable(float(self.least[start]), float(self.limit[start])),
            "low": nice(float(np.nanmin(self.low[part]))) if np.isfinite(self.low[part]).any() else math.inf,
            "high": nice(float(high.max())) if np.isfinite(high).all() else math.inf,
        }  # fmt: skip
        if not self.holds[start]:
            return said
        cost = self.now.added("p99_ms")[part]
        return said | {
            "cost_mean_ms": float(self.now.added("mean_ms")[start]), "cost_p99_ms": float(cost[0]),
            "cost_p99_range": Span(float(cost.min()), float(cost.max())),
            "p99_ms": float(self.now.limited["p99_ms"][start]),
            "p99_then_ms": float(self.then.limited["p99_ms"][start]),
            "throttled_then_percent": float(100 * self.then.throttled[start]),
        }  # fmt: skip


def _over(aim: Aim, slack: float = 0.0) -> Callable[[readings.Point], Array]:
    """By how much limits miss the aim, as a logarithm; `slack` is what the surrogate may be off by."""

    def over(shown: readings.Point) -> Array:
        if aim.target is None:
            ratio = shown.limited[aim.name] / shown.free[aim.name]
            found = np.log(ratio) - np.log1p(aim.knee_percent / 100) + slack
            found[:, -1] = np.minimum(found[:, -1], -1e-9)  # as many processors as threads are no limit
            return np.asarray(found)
        wanted = max(aim.target.value, 1e-9)
        if aim.name == "throttled_percent":
            return np.asarray(100 * shown.throttled / wanted * np.exp(slack) - 1)
        return np.asarray(np.log(shown.limited[aim.name] / wanted) + slack)

    return over


def _settable(least: float, now: float) -> float:
    """The limit to set: a round one, or that of now where it lies between; NaN where none does."""
    if not math.isfinite(least):
        return math.nan
    found = nice(least)
    return now if least <= now < found else found


def answer(cluster: Cluster, request: FleetRequest, progress: Progress) -> list[FleetAnswer]:
    """The answer for all workloads; raises InputError."""
    from slicewright.advise.limits.fleet.series.read import read_cluster

    fleet = read_cluster(cluster, piece(progress, 0, 2))
    request.refuse_unknown(fleet.workloads["workload"].to_list())
    return [answer_fleet(fleet, request, piece(progress, 1, 2))]

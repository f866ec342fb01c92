"""The answer about a fleet: for each workload what throttling costs, and the limit that would do.

Counters are read with a surrogate of the engine (`surrogate`); a workload that is named is simulated.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from slicewright.advise.limits.answer import LimitAnswer
from slicewright.advise.limits.fleet import ladder, readings
from slicewright.advise.limits.fleet.capacity import checked
from slicewright.advise.limits.fleet.confirm import confirmed
from slicewright.advise.limits.fleet.fleet import Fleet
from slicewright.advise.limits.fleet.levels import Levels, levels
from slicewright.advise.limits.fleet.lines import Line, Reading, Verdict
from slicewright.advise.limits.fleet.request import FleetRequest
from slicewright.advise.limits.fleet.surrogate import Surrogate, surrogate
from slicewright.advise.limits.grid import nice
from slicewright.advise.limits.telling import FEWEST_THROTTLED, LEAST_PERCENT, tells
from slicewright.experiment.outcome import Array
from slicewright.experiment.progress import Progress, silent
from slicewright.report.forms import Span
from slicewright.statistics import fixed

READ = 0.3
"""Of the progress, that of reading counters before some workloads are simulated."""
CHUNK = 400
"""Workloads that are read at a time: memory is bounded by it."""
FEWEST_PERIODS = 600
"""Periods below which nothing is read from them."""
MOST_FULL = 0.05
"""Of the time, that in which a limit may be used up with the rest still telling what is needed."""
MEASURED = {"p50_ms": "measured_p50_ms", "p99_ms": "measured_p99_ms"}
"""Latencies that a histogram tests: a reading may not be slower than what was measured, which has other waits too."""


@dataclass(frozen=True)
class FleetAnswer:
    """Lines by what throttling costs, the dearest first; `deep` is the answer about the workload that was named."""

    lines: tuple[Line, ...]
    request: FleetRequest
    notes: tuple[str, ...] = ()
    hours: float = 0.0
    """For how long the fleet was watched, at most."""
    errors: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Errors of the surrogate."""
    draws: int = 0
    deep: LimitAnswer | None = None

    def of(self, *verdicts: Verdict) -> list[Line]:
        """The lines with one of some verdicts."""
        return [line for line in self.lines if line.verdict in verdicts]


def answer_fleet(fleet: Fleet, request: FleetRequest, progress: Progress = silent) -> FleetAnswer:
    """The answer; raises InputError where the workload to simulate has no counters to read.

    >>> from slicewright.advise.limits.fleet.example import answer
    >>> answer().lines[1].verdict
    <Verdict.RAISE: 'raise'>
    """
    sound = checked(fleet)
    made, found = surrogate(), levels(sound.fleet)
    facts = _facts_of(fleet)
    judged = _judged(found, sound.refused)
    able = np.flatnonzero([verdict is None for verdict in judged])
    refused = [sound.refused.get(name, "") for name in found.workloads]
    lines = [_line(found, at, facts, verdict, refused[at]) for at, verdict in enumerate(judged) if verdict is not None]
    for start in range(0, len(able), CHUNK):
        lines += _read(found, able[start : start + CHUNK], facts, (made, request))
        progress(READ * min(1.0, (start + CHUNK) / max(len(able), 1)))
    lines = confirmed(lines, sound.fleet, request, lambda share: progress(READ + (1 - READ) * share))
    hours = float(found.length_s.sum(axis=1).max() / 3600) if len(found) else 0.0
    ordered = tuple(sorted(lines, key=lambda line: line.rank))
    deep = None
    if request.workload:
        from slicewright.advise.limits.fleet.deep import simulated

        deep = simulated(fleet if request.workload in sound.refused else sound.fleet, request, progress)
    return FleetAnswer(ordered, request, tuple(sound.fleet.notes), hours, made.errors, made.draws, deep)


def _facts_of(fleet: Fleet) -> dict[str, dict[str, Any]]:
    """The settings of each workload."""
    return {row["workload"]: row for row in fleet.workloads.iter_rows(named=True)}


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
        elif found.full_share[at] > MOST_FULL:
            judged.append(Verdict.FULL)
        elif periods[at] < FEWEST_PERIODS:
            judged.append(Verdict.FEW)
        elif not told and throttled[at] >= FEWEST_THROTTLED:
            judged.append(Verdict.KEEP)
        elif not told:
            judged.append(Verdict.RARE if throttled[at] else Verdict.NEVER)
        else:
            judged.append(None)
    return judged


WHY = {
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
WHY_NOT = {
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
    why, settles = WHY[verdict] if verdict in WHY and not more else ("", "")
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
    why, settles = WHY_NOT.get(chosen, ("threads at once are as many as the limit", "the number of threads"))
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
    for latency, column in MEASURED.items():
        measured = np.array([facts[name][column] or math.nan for name in names], dtype=np.float64)
        rows = np.flatnonzero(np.isfinite(measured) & (why == readings.FITS))
        if not rows.size:
            continue
        some = every.take(rows)
        of = found.used[some.workload, quiet[rows]], found.period_ms[some.workload], ""
        shown = ladder.point(made, some, found.limit[some.workload], of).limited[latency]
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
        self.now = ladder.point(made, fits, self.limit, of)
        self.holds = busy < ladder.FULL * self.limit
        error = made.errors["ratio_p99_ms"][0]
        self.least = ladder.least(made, fits, request.aim, of)
        first = np.flatnonzero(np.concatenate([[True], rows[1:] != rows[:-1]])) if len(rows) else np.zeros(0, np.intp)
        # Chance, and the error of the surrogate, are added to the main reading.
        self.low, self.high = self.least.copy(), self.least.copy()
        for ends, moved, slack in ((self.low, "low", -error), (self.high, "high", error)):
            one = busy[first], self.period_ms[first], moved
            ends[first] = ladder.least(made, fits.take(first), request.aim, one, slack)
        self.low = np.fmin(self.low, self.least)
        self.high = np.maximum(self.high, self.least)
        chosen = [_limit(*pair) for pair in zip(self.least.tolist(), self.limit.tolist(), strict=True)]
        self.then = ladder.point(made, fits, np.where(np.isfinite(chosen), chosen, self.limit), of)

    def of(self, start: int, end: int) -> dict[str, Any]:
        """The columns of one workload from its readings, the main one first."""
        fits, part = self.fits, slice(start, end)
        reading = Reading(
            int(fits.threads[start]), float(fits.batch[start]), float(fits.cpu[start] * self.period_ms[start]),
            float(fits.scv[start]), bool(self.bursts[start]), int(end - start),
        )  # fmt: skip
        high = self.high[part]
        varies = {int(value) for value in fits.varies[part]}
        said: dict[str, Any] = {
            "reading": reading, "varies": varies.pop() if len(varies) == 1 else 0,
            "then": _limit(float(self.least[start]), float(self.limit[start])),
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


def _limit(least: float, now: float) -> float:
    """The limit to set: a round one, or that of now where it lies between; NaN where none does."""
    if not math.isfinite(least):
        return math.nan
    found = nice(least)
    return now if least <= now < found else found

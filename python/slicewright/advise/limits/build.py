"""An answer about a limit built in stages: readings of the first intervals, their forecast of the last, then settings.

`words` has the sentences.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from slicewright.advise.limits.aim import Aim
from slicewright.advise.limits.answer import SHOWN, Lever, Point, ReadingLine, Recommendation
from slicewright.advise.limits.curve import Curve
from slicewright.advise.limits.dispersion import MORE, refuted, spread_of
from slicewright.advise.limits.fit import NO_CLOCK, Observed, Reading, fit, observed
from slicewright.advise.limits.forecast import foretell
from slicewright.advise.limits.grid import bursts, holds, left_out, limits, periods, threads
from slicewright.advise.limits.intervals import Clock, Interval, pooled
from slicewright.advise.limits.lock import with_lock
from slicewright.advise.limits.measured import LATENCY, Measured
from slicewright.advise.limits.model import Group, Load, Setting
from slicewright.advise.limits.request import LimitRequest
from slicewright.advise.limits.simulations import LimitSimulations
from slicewright.statistics import Estimate, estimate, paired

MOST_READINGS = 40
"""Readings that settings are simulated under, the main one included; those of other rates come on top."""


@dataclass(frozen=True, slots=True)
class Case:
    """Intervals of one group, the last of which is to be foretold, and what is asked.

    >>> from slicewright.advise.limits.example import case
    >>> len(case().intervals)
    2
    """

    intervals: tuple[Interval, ...]
    question: LimitRequest
    every: tuple[Interval, ...] = ()
    """All intervals, those too that tell nothing about throttling; without any, `intervals` are all."""

    @property
    def cpu_ms(self) -> float:
        """CPU time per request: used over served, between copies, as the rate of requests is that of all the time.

        0 where that rate is not known.
        """
        if self.question.bursts:
            return 0.0
        between = [interval for interval in self.every or self.intervals if interval.first > 0]
        used, length = sum(interval.used_s for interval in between), sum(interval.length_s for interval in between)
        return 1000 * used / (self.question.requests_per_s * length)

    @property
    def first(self) -> Observed:
        """What readings are found from: every interval but the last; of all of them the spread."""
        earlier = pooled(self.intervals[:-1])
        seen = observed(earlier, self.question.bursts, self.question.group.period_ms)
        return replace(seen, spread=spread_of(self.intervals))


@dataclass(frozen=True, slots=True)
class Built:
    """The results of the stages."""

    recommendation: Recommendation | None
    points: tuple[Point, ...]
    readings: tuple[ReadingLine, ...]
    curve: Curve
    skipped: tuple[str, ...]
    """Settings that were asked for and cannot be looked at."""


def read(simulations: LimitSimulations, case: Case) -> list[ReadingLine]:
    """Every load that was tried, with the forecast of those that fit; those that foretell the last interval lead.

    >>> from slicewright.advise.limits.example import lines
    >>> lines()[0].why
    ''
    """
    question = case.question
    first, last = case.first, case.intervals[-1]
    found = []
    tried = fit(simulations, first, question, case.cpu_ms)
    usual = [reading for reading in tried if reading.load.arrivals == "geometric"]
    # A lock changes for how long processors are stopped, and not how work comes from interval to interval.
    usual = [reading for reading in usual if not reading.refuted]
    if usual and all(reading.why for reading in usual):
        tried = [*with_lock(simulations, first, question, usual), *tried]
    for reading in _with_ground(tried, first, question.group):
        check = (
            None
            if reading.why
            else foretell(simulations, reading, (first, last), question.group, question.margin_percent)
        )
        found.append(ReadingLine(reading, check))
    return sorted(found, key=lambda one: bool(one.why))


def _with_ground(tried: Sequence[Reading], first: Observed, group: Group) -> list[Reading]:
    """The readings, without those by a clock where random arrivals are rejected though nothing shows a clock.

    A clock then only happens to make up for the true cause, as a lock.
    """
    random = [reading for reading in tried if not reading.load.pattern.regular]
    if any(not reading.why for reading in random):
        return list(tried)
    if all(refuted(reading.load, first.spread, group).startswith(MORE) for reading in random):
        return list(tried)
    return [replace(reading, why=reading.why or NO_CLOCK) for reading in tried]


def build(simulations: LimitSimulations, case: Case, lines: Sequence[ReadingLine], aim: Aim) -> Built:
    """Settings simulated under each reading that holds; the first of them is the main one.

    >>> from slicewright.advise.limits.example import built
    >>> {one.lever.value for one in built().points}
    {...}
    """
    question = case.question
    group, asked = question.group, question.at
    good = _told_apart([line for line in lines if not line.why])
    curves = [Curve(simulations, _load(line, case), group, at == 0) for at, line in enumerate(good)]
    main, now = curves[0], curves[0].now
    wanted = limits(
        group, [curve.load for curve in curves], [setting.limit for setting in asked if setting.limit is not None]
    )
    least = [curve.least(wanted, aim) for curve in curves]
    shown = sorted({*wanted, *main.between})
    points = [_point(curves, Lever.LIMIT, replace(now, limit=value)) for value in shown]
    counts = [setting.threads for setting in asked if setting.threads is not None]
    counts += [question.threads] if question.threads is not None else []
    others = (
        (Lever.THREADS, [] if _alone(main.load, question) else threads(now, main.load, counts)),
        (Lever.PERIOD, periods(now, [setting.period_ms for setting in asked if setting.period_ms is not None])),
        (Lever.BURST, bursts(now, [setting.burst_ms for setting in asked if setting.burst_ms is not None])),
    )
    if holds(group, [main.load]):
        widest = _at_the_ends(curves)
        points += [_point(widest, lever, setting) for lever, settings in others for setting in settings]
    doing = [
        point.setting.threads for point in points if point.lever is Lever.THREADS and main.meets(point.setting, aim)
    ]
    named = [
        replace(line, limit=value, text=curve.text(curve.now))
        for line, value, curve in zip(good, least, curves, strict=True)
    ]
    recommended = _recommendation(least, max(doing, default=None))
    rest = [line for line in lines if line not in good]
    return Built(recommended, tuple(points), (*named, *rest), main, tuple(_left_out(main.load, question)))


def _at_the_ends(curves: Sequence[Curve]) -> list[Curve]:
    """The main reading, and those with the shortest and longest latency now: their range is that of all readings."""
    found = [curves[0]]
    for name in ("p50_ms", "p99_ms"):
        ends = [(_ends(curve.load, curve.at(curve.now), name), curve) for curve in curves]
        least, most = min(ends, key=lambda end: end[0][0])[1], max(ends, key=lambda end: end[0][1])[1]
        found += [curve for curve in (least, most) if curve not in found]
    return found


def _alone(load: Load, question: LimitRequest) -> bool:
    """Whether one thread works at a time though there are several: more of them would change nothing."""
    return load.threads == 1 and question.threads is not None and question.threads > 1


def _left_out(load: Load, question: LimitRequest) -> list[str]:
    found = left_out(question.group, load, question.at)
    if _alone(load, question):
        found.append(
            f"other thread counts: with {question.threads} threads, one works at a time, as under a single lock"
        )
    return found


def _told_apart(good: Sequence[ReadingLine]) -> list[ReadingLine]:
    """The main reading and what it were by chance, and of each kind the nearest, and those at its ends.

    Where many threads, or bursts by a clock, fit, their ends tell most: in between latency is in between.  So is that
    of a reading beside those that it were by chance, either way.
    """
    found = [good[0], *(line for line in good[1:] if line.reading.aimed)]
    moved = [_of(line) for line in found if line.reading.moved]
    ends: list[ReadingLine] = []
    for kind in dict.fromkeys(map(_kind, good)):
        same = [line for line in good if _kind(line) == kind and not line.reading.aimed]
        by_threads, by_lump = (sorted(same, key=key) for key in (_threads, _lump_ms))
        ends += [*same[:1], *by_threads[:1], *by_threads[-1:], *by_lump[:1], *by_lump[-1:]]
    for line in ends:
        found += [line] if line not in found and moved.count(_of(line)) < 2 else []
    return found[: MOST_READINGS + sum(line.reading.rate != 1 for line in found)]


def _threads(line: ReadingLine) -> int:
    return line.reading.load.threads


def _lump_ms(line: ReadingLine) -> float:
    load = line.reading.load
    return load.batch * load.cpu_ms


def _of(line: ReadingLine) -> tuple[int, float, float, str]:
    """Threads and kind, which stay where chance moved the counters."""
    return (line.reading.load.threads, *_kind(line))


def _kind(line: ReadingLine) -> tuple[float, float, str]:
    """The spread of CPU times, of bursts the pieces, and how requests arrive; a batch is fitted."""
    load = line.reading.load
    return load.scv, load.batch if line.reading.bursts else 0.0, load.arrivals


def _load(line: ReadingLine, case: Case) -> Load:
    """The load as it was measured between all copies, multiplied by the growth asked for."""
    load = line.reading.load
    between = [interval for interval in case.intervals if interval.first > 0]
    rate = load.requests_per_s if case.question.bursts else case.question.requests_per_s * line.reading.rate
    timed = between[0].clock is not Clock.PERIODS
    # Where only periods say how long it was, fewer came or each took less: the work is what was measured.
    if (timed or not case.question.bursts) and load.cpu_ms >= case.cpu_ms / line.reading.rate * (1 - 1e-9):
        rate = (
            sum(interval.used_s for interval in between)
            / sum(interval.length_s for interval in between)
            / load.cpu_ms
            * 1000
        )
    return replace(load, requests_per_s=rate * case.question.growth)


def _recommendation(least: Sequence[float | None], doing: int | None) -> Recommendation | None:
    main = least[0]
    if main is None:
        return None
    known = [math.inf if value is None else value for value in least]
    return Recommendation(main, min(known), max(known), doing)


def _point(curves: Sequence[Curve], lever: Lever, setting: Setting) -> Point:
    main = curves[0]
    columns = {name: _shown(main.at(setting), name) for name in SHOWN}
    trial, without = main.at(setting), main.without(setting)
    ends = {name: _ends(main.load, trial, name) for name in SHOWN}
    low, high = ({name: end[at] for name, end in ends.items()} for at in (0, 1))
    throttling = {name: paired(list(without.columns[name]), list(trial.columns[name])) for name in LATENCY}
    for other in curves[1:]:
        if min(setting.limit, setting.threads) < 1.02 * other.load.used:
            continue
        asked = lever is Lever.THREADS and setting.threads != main.now.threads
        found = other.at(setting if asked else replace(setting, threads=other.load.threads))
        for name in SHOWN:
            least, most = _ends(other.load, found, name)
            low[name], high[name] = min(low[name], least), max(high[name], most)
    return Point(lever, setting, columns, throttling, low, high, main.text(setting))


def _ends(load: Load, trial: Measured, name: str) -> tuple[float, float]:
    """The mean over replications; where each has a phase of its own, which no counter shows, the least and the most.

    Where a rate rises and falls, a replication has few phases: chance is in the range.
    """
    values = _values(trial, name)
    if load.pattern.locked:
        return min(values), max(values)
    found = estimate(values)
    return (max(found.low, 0.0), found.high) if load.swing else (found.mean, found.mean)


def _shown(trial: Measured, name: str) -> Estimate:
    return estimate(_values(trial, name))


def _values(trial: Measured, name: str) -> list[float]:
    whole = {"stopped_percent": "stopped_s", "used_percent": "used_s"}
    if name in whole:
        return [float(value) for value in 100 * trial.columns[whole[name]] / trial.length_s]
    return [float(value) for value in trial.columns[name]]

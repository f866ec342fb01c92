"""The answer about a limit: readings, their forecast of the last interval, the least limit that does what is asked."""

from __future__ import annotations

import bisect
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from slicewright._core import student_t
from slicewright.advise.answer import Advised
from slicewright.advise.limits.intervals import Judged
from slicewright.advise.limits.quantity import limit, span
from slicewright.advise.limits.request import Aim, Asked, LimitRequest
from slicewright.experiment.plan import Plan
from slicewright.reading.accept import chance_of_blocks
from slicewright.reading.cgroup import (
    CURVE_REQUESTS,
    CURVE_RUNS,
    FIT_REQUESTS,
    FIT_RUNS,
    LATENCY,
    NO_LIMIT,
    Clock,
    Group,
    Interval,
    LimitSimulations,
    Load,
    Measured,
    Setting,
    plan_for,
    pooled,
    setting_of,
    spread_of,
)
from slicewright.reading.limits import Matched, Observed, Reading, readings_of, resting
from slicewright.report.forms import Span
from slicewright.statistics import Estimate, estimate, paired, plural

_RUNS = 12
_REQUESTS = 40_000
"""Requests that are simulated in all, unless the last interval is shorter."""
_LEAST_PERCENT = 1.0
"""Points of throttled periods, of all, by which a forecast may always be off."""
_WIDEST = 0.5
"""Of a forecast: if chance alone may move what is measured by more than this, nothing is proven by meeting it."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """A counter of the last interval: simulated, how far chance may move it (95 %), the band around it, measured."""

    name: str
    simulated: float
    chance: float
    band: float
    measured: float

    @property
    def holds(self) -> bool:
        """Whether what was measured is within the band."""
        return abs(self.measured - self.simulated) <= self.band

    @property
    def tells(self) -> bool:
        """Whether chance leaves something to be proven."""
        return self.chance <= _WIDEST * max(self.simulated, self.measured)

    @property
    def longer(self) -> float:
        """How many times as long to measure for that: what chance does falls with the root of time."""
        most = _WIDEST * max(self.simulated, self.measured)
        return (self.chance / most) ** 2 if most > 0 else math.inf


@dataclass(frozen=True, slots=True)
class Check:
    """A reading and what it foretells of the last interval."""

    reading: Reading
    forecasts: tuple[Forecast, ...]

    @property
    def holds(self) -> bool:
        """Whether all of it is within the band."""
        return all(forecast.holds for forecast in self.forecasts)

    @property
    def tells(self) -> bool:
        """Whether chance leaves something to be proven."""
        return all(forecast.tells for forecast in self.forecasts)

    @property
    def longer(self) -> float:
        """How many times as long all of it would have to be measured for that; inf where nothing was to be seen."""
        return max(forecast.longer for forecast in self.forecasts)


def foretell(
    simulations: LimitSimulations,
    reading: Reading,
    both: tuple[Observed, Interval],
    group: Group,
    margin_percent: float,
) -> Check:
    """The forecast of a reading for the last of `both`, given what was used then; it was found from the first.

    `group` is that of the last, whose limit may have been changed.

    The band is the margin of what is simulated, or how far chance may move the two measurements from each other where
    that is more.
    """
    first, last = both
    load = reading.load
    if not load.swing:
        load = replace(load, requests_per_s=last.used_s / last.length_s / load.cpu_ms * 1000)
    # A rate that rises and falls by itself used more in the last interval by chance, and not at another mean rate.
    setting = setting_of(group, load)
    length = min(last.length_s, max(_REQUESTS / _RUNS / load.requests_per_s, 20 * group.period_ms / 1000))
    plan = Plan(float(f"{length:.4g}"), float(f"{max(length / 20, group.period_ms / 100):.2g}"), _RUNS)
    trial = simulations.at(load, setting, plan)
    if last.clock is Clock.PERIODS:
        load, trial = resting(load, trial, lambda one: simulations.at(one, setting, plan), (group.period_ms, True))
    # Chance moves the last interval, and the first ones, from which the reading was found.
    times = last.length_s / plan.interval_s / (1 + last.length_s / first.interval.length_s)
    seen = Observed(last, group.period_ms)
    of_time = load.pattern.regular and seen.timed
    share = "throttled_of_time_percent" if of_time else "throttled_percent"
    measured = {share: seen.of_time_percent if of_time else seen.throttled_percent}
    if last.stopped_s is not None:
        measured["stopped_percent"] = (
            100 * last.stopped_s / (last.length_s if of_time else last.periods * group.period_ms / 1000)
        )
    found = Matched(load, trial).found([*measured], seen)
    chances = chance_of_blocks(found, times, student_t(_RUNS - 1)).tolist()
    forecasts = []
    for (name, value), mean, chance in zip(measured.items(), found.mean(axis=0).tolist(), chances, strict=True):
        least = _LEAST_PERCENT if name == share else 0.0
        forecasts.append(Forecast(name, mean, chance, max(margin_percent / 100 * mean, chance, least), value))
    return Check(reading, tuple(forecasts))


_SHOWN = ("mean_ms", "p50_ms", "p90_ms", "p95_ms", "p99_ms", "throttled_percent", "stopped_percent", "used_percent")
"""Columns of the curve; 100 % is one processor, but of throttled periods."""


class Lever(Enum):
    """A setting that can be changed, on the pod or on the node."""

    LIMIT = "limit"
    THREADS = "threads"
    PERIOD = "period"
    BURST = "burst"

    @property
    def owner(self) -> bool:
        """Whether it is the pod's owner; the others are set on the node."""
        return self in (Lever.LIMIT, Lever.THREADS)


@dataclass(frozen=True, slots=True)
class Point:
    """One setting under the main reading, with what throttling is of each latency; low and high over all readings."""

    lever: Lever
    setting: Setting
    columns: Mapping[str, Estimate]
    throttling: Mapping[str, Estimate]
    """Of `trial.LATENCY`: how much longer than without a limit, in ms."""
    low: Mapping[str, float] = field(default_factory=dict)
    high: Mapping[str, float] = field(default_factory=dict)
    text: str = field(default="", repr=False)
    """The complete scenario."""

    def __getitem__(self, key: str) -> Estimate | Span:
        """What the spec of a table names: a column, its range (`p99_ms..`), or what throttling is of it."""
        if key.endswith(".."):
            return Span(self.low[key[:-2]], self.high[key[:-2]])
        if key.startswith("throttling_"):
            return self.throttling[key.removeprefix("throttling_")]
        return self.columns[key]


@dataclass(frozen=True, slots=True)
class ReadingLine:
    """A reading with its forecast of the last interval, and the least limit that it asks for; inf is none."""

    reading: Reading
    check: Check | None
    limit: float | None = None
    text: str = field(default="", repr=False)

    @property
    def why(self) -> str:
        """Why it is not simulated further; empty where it is."""
        if self.reading.why or self.check is None:
            return self.reading.why
        return "" if self.check.holds else "does not predict the last interval"


@dataclass(frozen=True, slots=True)
class _Recommendation:
    """The least limit that does, over all readings from `low` to `high`; inf where only no limit at all does."""

    limit: float
    low: float
    high: float
    threads: int | None = None
    """The most threads that do it with the limit of now, if any do."""


@dataclass(frozen=True, slots=True)
class LimitAnswer(Advised):
    """All of it, of one group."""

    group: Group
    requests_per_s: float
    copies: int
    intervals: tuple[Interval, ...]
    recommendation: _Recommendation | None
    aim: Aim
    """The aim of a limit; by default, to come near to no limit at all."""
    margin_percent: float
    first: Observed | None = None
    cpu_ms: float = 0.0
    points: tuple[Point, ...] = ()
    """By lever: limits from the least on, then threads, periods, bursts."""
    readings: tuple[ReadingLine, ...] = ()
    """Those that hold first, the main one leading."""
    replications: int = 0
    interval_s: float = 0.0
    growth: float = 1.0
    skipped: tuple[str, ...] = ()
    """Settings that were asked for and not simulated, each with the reason."""
    threads: int | None = None
    """Threads that the asker knows of."""
    rate_known: bool = True
    date: str = ""
    """When the last copy was made, in UTC; "" where it has no time."""
    judged: Judged = field(default_factory=lambda: Judged(()))
    """The intervals judged one by one: those that are used, and those that are excluded."""

    @property
    def bursts(self) -> bool:
        """Whether the rate of requests is not known, so that latency is that of bursts."""
        return self.rate_known is False

    @property
    def now(self) -> Point | None:
        """The point of the settings of now, if anything was simulated."""
        return next((point for point in self.points if self.is_now(point)), None)

    @property
    def main(self) -> ReadingLine | None:
        """The reading that points are simulated under."""
        return next((reading for reading in self.readings if not reading.why), None)

    def is_now(self, point: Point) -> bool:
        """Whether a point is that of the limit of now, with everything else as it is."""
        return point.lever is Lever.LIMIT and abs(point.setting.limit - self.group.limit) < 1e-9

    def of(self, lever: Lever) -> list[Point]:
        """The points of one lever."""
        return [point for point in self.points if point.lever is lever]


_LEAST_ROOM = 1.05
"""The least ratio of a limit to what is used: below it requests pile up without end."""
_POINTS = 8
"""Limits between the least and the most."""
_PERIODS_MS = (100.0, 50.0, 20.0, 10.0, 5.0)
_SHORTEST_QUOTA_MS = 1.0
_BURSTS = (0.5, 1.0)
"""Of the quota; the kernel takes no more (sched-bwc.rst, Burst feature)."""
_MOST_THREADS = 64


def nice(value: float) -> float:
    """The next limit up that people would write: in steps of 10m, 50m, 100m or 250m, by its size.

    >>> nice(0.512), nice(1.03), nice(3.3)
    (0.55, 1.1, 3.5)
    """
    for most, step in ((0.2, 0.01), (1.0, 0.05), (2.0, 0.1), (5.0, 0.25), (math.inf, 0.5)):
        if value <= most + 1e-9:
            return round(math.ceil(value / step - 1e-9) * step, 6)
    return value


def _limits(group: Group, loads: Sequence[Load], asked: Sequence[float]) -> list[float]:
    """Limits, least first, no limit last: that of now, those asked for, and some between; none below what is used.

    >>> _limits(Group(0.5, 100.0), [Load(40.0, 8.0, 1.0, 3.0, 4)], [])
    [0.35, 0.5, 0.65, 0.9, 1.2, 1.6, 2.25, 3.0, inf]
    """
    least = _LEAST_ROOM * max(load.used for load in loads)
    threads = max(load.threads for load in loads)
    most = max(min(threads, group.processors or threads), group.limit)
    low, high = math.log(least), math.log(max(most, least * 1.5))
    steps = {nice(math.exp(low + at * (high - low) / _POINTS)) for at in range(_POINTS)}
    steps |= {group.limit, *(value for value in asked if math.isfinite(value))}
    steps = {step for step in steps if step * group.period_ms >= _SHORTEST_QUOTA_MS}
    if group.processors is not None:
        steps = {step for step in steps if step <= group.processors}
    kept = sorted(step for step in steps if step >= least or (step == group.limit and _holds(group, loads)))
    return [*kept, NO_LIMIT]


def _holds(group: Group, loads: Sequence[Load]) -> bool:
    """Whether the limit of now is enough for what is used: else requests pile up, and latency is that of a moment."""
    return all(load.used < group.limit for load in loads)


def left_out(group: Group, load: Load, asked: Sequence[Asked]) -> list[str]:
    """Settings that are asked for and cannot be looked at, each with the reason.

    >>> left_out(Group(0.5, 100.0), Load(40.0, 8.0, 1.0, 3.0, 4), [Asked(limit=0.25), Asked(burst_ms=80.0)])
    ['a limit of 250m: the load uses 320m', 'a burst of 80 ms: the quota is 50 ms']
    """
    used, least_ms = f"the load uses {limit(round(load.used, 3))}", _SHORTEST_QUOTA_MS
    short = f"the kernel's least quota is {least_ms:g} ms"
    found = []
    for each in asked:
        if each.limit is not None and math.isfinite(each.limit):
            what = f"a limit of {limit(each.limit)}"
            if each.limit < _LEAST_ROOM * load.used:
                found.append(f"{what}: {used}")
            elif each.limit * group.period_ms < least_ms:
                found.append(f"{what}: {short}")
            elif group.processors and each.limit > group.processors:
                found.append(f"{what}: the node has {group.processors}")
        elif each.threads is not None and each.threads < _LEAST_ROOM * load.used:
            found.append(f"{plural(each.threads, 'thread')}: {used}")
        elif each.period_ms is not None and each.period_ms * group.limit < least_ms:
            found.append(f"a period of {span(each.period_ms)}: {short}")
        elif each.burst_ms is not None and each.burst_ms > group.quota_ms * (1 + 1e-9):
            found.append(f"a burst of {span(each.burst_ms)}: the quota is {span(group.quota_ms)}")
    return found


def threads(now: Setting, load: Load, asked: Sequence[int]) -> list[Setting]:
    """Other numbers of threads with the limit of now: fewer and more by halves and doubles.

    >>> [one.threads for one in threads(Setting(0.5, 4, 100.0, 0.0), Load(40.0, 8.0, 1.0, 3.0, 4), [])]
    [1, 2, 4, 8]
    """
    counts = {1, max(1, now.threads // 2), now.threads, min(2 * now.threads, _MOST_THREADS), *asked}
    # Fewer threads than what is used, in processors' worth, never catch up.
    return [_changed(now, threads=count) for count in sorted(counts) if count >= _LEAST_ROOM * load.used]


def _periods(now: Setting, asked: Sequence[float]) -> list[Setting]:
    """Other periods with the same limit.

    >>> [one.period_ms for one in _periods(Setting(0.1, 4, 100.0, 0.0), [])]
    [100.0, 50.0, 20.0, 10.0]
    """
    found = {now.period_ms, *(period for period in _PERIODS_MS if period < now.period_ms), *asked}
    able = sorted((period for period in found if period * now.limit >= _SHORTEST_QUOTA_MS), reverse=True)
    return [_changed(now, period_ms=period) for period in able]


def _bursts(now: Setting, asked: Sequence[float]) -> list[Setting]:
    """Bursts with the same limit and period, up to the quota.

    >>> [one.burst_ms for one in _bursts(Setting(0.5, 4, 100.0, 0.0), [])]
    [0.0, 25.0, 50.0]
    """
    found = {now.burst_ms, *(share * now.quota_ms for share in _BURSTS), *asked}
    return [_changed(now, burst_ms=burst) for burst in sorted(found) if burst <= now.quota_ms * (1 + 1e-9)]


def _changed(now: Setting, *, threads: int = 0, period_ms: float = 0.0, burst_ms: float | None = None) -> Setting:
    burst = now.burst_ms if burst_ms is None else burst_ms
    # A shorter period has a smaller quota, and a burst is at most that.
    period = period_ms or now.period_ms
    return Setting(now.limit, threads or now.threads, period, min(burst, now.limit * period))


_HALVINGS = 2
"""Of the step between a limit that does and the next lower one that does not."""


@dataclass
class Curve:
    """A reading's load with the settings of now; `main` is looked at for longer."""

    simulations: LimitSimulations
    load: Load
    group: Group
    main: bool
    between: list[float] = field(default_factory=list)
    """Limits that were looked at to find the least one."""
    enough: dict[Setting, float] = field(default_factory=dict)
    """The least limit that was seen to throttle nothing, by the other settings."""

    @property
    def now(self) -> Setting:
        """The settings of now."""
        return setting_of(self.group, self.load)

    @property
    def plan(self) -> Plan:
        """How long is looked."""
        size = (CURVE_REQUESTS, CURVE_RUNS) if self.main else (FIT_REQUESTS, FIT_RUNS)
        return plan_for(self.load, self.group.period_ms, *size)

    def at(self, setting: Setting) -> Measured:
        """The trial under a setting; more of a limit that throttles nothing is no limit.

        Only the main reading is simulated under every setting: its scenarios are written, and give the same numbers.
        """
        others = replace(setting, limit=NO_LIMIT)
        if not self.main and setting.limit >= self.enough.get(others, NO_LIMIT):
            return self.without(setting)
        trial = self.simulations.at(self._load(setting), setting, self.plan)
        if not trial.columns["throttled"].any():
            self.enough[others] = min(setting.limit, self.enough.get(others, NO_LIMIT))
        return trial

    def without(self, setting: Setting) -> Measured:
        """The same with no limit: period and burst do not matter then, threads do."""
        setting = Setting(NO_LIMIT, setting.threads, self.group.period_ms, 0.0)
        return self.simulations.at(self._load(setting), setting, self.plan)

    def text(self, setting: Setting) -> str:
        """The complete scenario under a setting."""
        return self.simulations.text(self._load(setting), setting, self.plan)

    def meets(self, setting: Setting, aim: Aim) -> bool:
        """Whether a setting does what is asked; the main reading has to do it surely."""
        return aim.met(self.at(setting), self.without(self.now), self.main)

    def least(self, limits: Sequence[float], aim: Aim) -> float | None:
        """The least limit from which on the aim is met; inf where only none at all does it, None where nothing."""
        ordered = sorted(limits)
        at = bisect.bisect_left(ordered, True, key=lambda limit: self.meets(replace(self.now, limit=limit), aim))
        if at == len(ordered):
            return None
        best, worse = ordered[at], ordered[at - 1] if at else 0.0
        if math.isinf(best):
            best = self._as_many_as_threads(worse, aim)
        if worse == 0.0 or math.isinf(best):
            return best
        for _ in range(_HALVINGS):
            middle = nice((best + worse) / 2)
            if not worse < middle < best:
                break
            self.between.append(middle)
            if self.meets(replace(self.now, limit=middle), aim):
                best = middle
            else:
                worse = middle
        return best

    def _as_many_as_threads(self, worse: float, aim: Aim) -> float:
        """A limit of a processor for each thread, where it does what is asked; else none."""
        most = float(min(self.load.threads, self.group.processors or self.load.threads))
        if most <= worse or not self.meets(replace(self.now, limit=most), aim):
            return NO_LIMIT
        self.between.append(most)
        return most

    def _load(self, setting: Setting) -> Load:
        return replace(self.load, threads=setting.threads)


_MOST_READINGS = 40
"""Readings that settings are simulated under, the main one included; those of other rates come on top."""


@dataclass(frozen=True, slots=True)
class Case:
    """Intervals of one group, the last of which is to be foretold, and what is asked."""

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
        return Observed(pooled(self.intervals[:-1]), self.question.group.period_ms, spread_of(self.intervals))


@dataclass(frozen=True, slots=True)
class Built:
    """The results of the stages."""

    recommendation: _Recommendation | None
    points: tuple[Point, ...]
    readings: tuple[ReadingLine, ...]
    curve: Curve
    skipped: tuple[str, ...]
    """Settings that were asked for and cannot be looked at."""


def read(simulations: LimitSimulations, case: Case) -> list[ReadingLine]:
    """Every load that was tried, with the forecast of those that fit; those that foretell the last interval lead."""
    question, first, last = case.question, case.first, case.intervals[-1]
    found = []
    for reading in readings_of(simulations, first, question, case.cpu_ms):
        both = (first, last)
        check = None if reading.why else foretell(simulations, reading, both, question.group, question.margin_percent)
        found.append(ReadingLine(reading, check))
    return sorted(found, key=lambda one: bool(one.why))


def build(simulations: LimitSimulations, case: Case, lines: Sequence[ReadingLine], aim: Aim) -> Built:
    """Settings simulated under each reading that holds; the first of them is the main one."""
    question = case.question
    group, asked = question.group, question.at
    good = _told_apart([line for line in lines if not line.why])
    curves = [Curve(simulations, _load(line, case), group, at == 0) for at, line in enumerate(good)]
    main, now = curves[0], curves[0].now
    wanted = _limits(
        group, [curve.load for curve in curves], [setting.limit for setting in asked if setting.limit is not None]
    )
    least = [curve.least(wanted, aim) for curve in curves]
    shown = sorted({*wanted, *main.between})
    points = [_point(curves, Lever.LIMIT, replace(now, limit=value)) for value in shown]
    counts = [setting.threads for setting in asked if setting.threads is not None]
    counts += [question.threads] if question.threads is not None else []
    others = (
        (Lever.THREADS, [] if _alone(main.load, question) else threads(now, main.load, counts)),
        (Lever.PERIOD, _periods(now, [setting.period_ms for setting in asked if setting.period_ms is not None])),
        (Lever.BURST, _bursts(now, [setting.burst_ms for setting in asked if setting.burst_ms is not None])),
    )
    if _holds(group, [main.load]):
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
        threads = plural(question.threads or 1, "thread")
        found.append(f"other thread counts: with {threads}, one works at a time, as under a single lock")
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
    return found[: _MOST_READINGS + sum(line.reading.rate != 1 for line in found)]


def _threads(line: ReadingLine) -> int:
    return line.reading.load.threads


def _lump_ms(line: ReadingLine) -> float:
    load = line.reading.load
    return load.batch * load.cpu_ms


def _of(line: ReadingLine) -> tuple[int, float, float, str]:
    """Threads and kind, which stay where chance moved the counters."""
    return (line.reading.load.threads, *_kind(line))


def _kind(line: ReadingLine) -> tuple[float, float, str]:
    return line.reading.load.kind(line.reading.bursts)


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


def _recommendation(least: Sequence[float | None], doing: int | None) -> _Recommendation | None:
    main = least[0]
    if main is None:
        return None
    known = [math.inf if value is None else value for value in least]
    return _Recommendation(main, min(known), max(known), doing)


def _point(curves: Sequence[Curve], lever: Lever, setting: Setting) -> Point:
    main = curves[0]
    columns = {name: estimate(_values(main.at(setting), name)) for name in _SHOWN}
    trial, without = main.at(setting), main.without(setting)
    ends = {name: _ends(main.load, trial, name) for name in _SHOWN}
    low, high = ({name: end[at] for name, end in ends.items()} for at in (0, 1))
    throttling = {name: paired(list(without.columns[name]), list(trial.columns[name])) for name in LATENCY}
    for other in curves[1:]:
        if min(setting.limit, setting.threads) < 1.02 * other.load.used:
            continue
        asked = lever is Lever.THREADS and setting.threads != main.now.threads
        found = other.at(setting if asked else replace(setting, threads=other.load.threads))
        for name in _SHOWN:
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


def _values(trial: Measured, name: str) -> list[float]:
    whole = {"stopped_percent": "stopped_s", "used_percent": "used_s"}
    if name in whole:
        return [float(value) for value in 100 * trial.columns[whole[name]] / trial.length_s]
    return [float(value) for value in trial.columns[name]]

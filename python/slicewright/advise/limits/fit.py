"""Loads that reproduce the counters of a group: readings, found by simulation."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from slicewright.advise.limits.intervals import VARIES, Clock, Interval, Spread, refuted
from slicewright.advise.limits.model import (
    Arrivals,
    Group,
    Load,
    Measured,
    Node,
    Setting,
    measured,
    scenario_text,
    setting_of,
)
from slicewright.advise.limits.quantity import rate
from slicewright.advise.limits.request import TICK_MS, LimitRequest
from slicewright.experiment.plan import Plan

_T = TypeVar("_T")

_STEPS = 9
"""Batches, or bursts, that are tried at most for one kind of CPU time and number of threads."""
_FIRST_STEP = 2.0
"""Factor of the first step from a batch, or a burst, that is throttled too seldom or too often."""


def _crossing(
    off: Callable[[float], tuple[_T, float]], ends: tuple[float, float], start: float, near: float
) -> tuple[_T, float]:
    """The trial that misses least, and its gap: where a gap that grows with the value, tried by `off`, crosses zero.

    Steps that double find a value on either side, then values are interpolated by their logarithm (regula falsi, with
    the end that stays put halved: Dowell and Jarratt, BIT 11, 1971).  A value at an end is tried before all are above,
    or below.

    >>> tried = []
    >>> def off(value):
    ...     tried.append(value)
    ...     return f"{value:.2f}", math.log(value / 5)
    >>> abs(_crossing(off, (1.0, 64.0), 3.0, 0.01)[1]) <= 0.01, len(tried)
    (True, 3)
    """
    low, high = map(math.log, ends)
    at, step = math.log(start), math.log(_FIRST_STEP)
    found: list[tuple[_T, float]] = []
    sides: dict[bool, tuple[float, float]] = {}
    last = None
    for _ in range(_STEPS):
        one, gap = off(math.exp(at) if low < at < high else ends[at >= high])
        found.append((one, gap))
        over = gap > 0
        if abs(gap) <= near or (at <= low and over) or (at >= high and not over):
            break
        sides[over] = at, gap
        if last is over and len(sides) == 2:
            sides[not over] = sides[not over][0], sides[not over][1] / 2
        last = over
        if len(sides) == 2:
            (under_at, under), (over_at, over_by) = sides[False], sides[True]
            at = under_at + (over_at - under_at) * under / (under - over_by)
        else:
            at, step = max(at - step, low) if over else min(at + step, high), 2 * step
    return min(found, key=lambda each: abs(each[1]))


FIT_REQUESTS, CURVE_REQUESTS = 20_000, 60_000
"""Requests simulated in all for a step of a fit, and for a point of a curve."""
FIT_RUNS, CURVE_RUNS = 4, 10
_SPREAD = 5.0
"""The spread of CPU times at which twice as many requests are simulated: a few long ones decide, and are rare."""
_FEWEST_PERIODS, _MOST_PERIODS = 100, 10_000
"""Periods that each replication has at least, and at most."""


@dataclass
class LimitSimulations:
    """Trials by load, setting and plan, simulated when first asked for; `processors` of the node, None is not known."""

    processors: int | None = None
    tick_ms: float = TICK_MS
    done: Callable[[int], None] = lambda replications: None
    """Called after each simulation with its replications."""
    seen: dict[tuple[Load, Setting, Plan], Measured] = field(default_factory=dict)

    def at(self, load: Load, setting: Setting, plan: Plan | None = None) -> Measured:
        """The trial of a load under a setting; without a plan one that is good enough for a fit."""
        plan = plan or plan_for(load, setting.period_ms, FIT_REQUESTS, FIT_RUNS)
        key = (load, setting, plan)
        if key not in self.seen:
            self.seen[key] = measured(self.text(load, setting, plan))
            self.done(plan.replications)
        return self.seen[key]

    def text(self, load: Load, setting: Setting, plan: Plan) -> str:
        """The complete scenario.  Where the number of the node's processors is not given, each thread finds one."""
        wanted = max(setting.threads, 1 if math.isinf(setting.limit) else math.ceil(setting.limit - 1e-9))
        return scenario_text(load, setting, Node(self.processors or wanted, self.tick_ms), plan)


def plan_for(load: Load, period_ms: float, requests: int, runs: int) -> Plan:
    """A plan that simulates about this number of requests in all, and at least FEWEST_PERIODS in each replication.

    >>> plan_for(Load(40.0, 8.0, 1.0, 3.0, 4), 100.0, 12_000, 4)
    Plan(interval_s=90.0, warm_up_s=4.5, replications=4)
    """
    requests = round(requests * (1 + load.scv / _SPREAD))
    least, most = (count * period_ms / 1000 for count in (_FEWEST_PERIODS, _MOST_PERIODS))
    interval = float(f"{min(max(requests / runs / load.requests_per_s, least), most):.3g}")
    return Plan(interval, float(f"{max(interval / 20, 10 * period_ms / 1000):.2g}"), runs)


_SCVS = (1.0, 2.0, 0.5, 0.0, 4.0, 10.0)
"""ASSUME: spreads of the CPU times of requests that are tried, the usual first: exponential, all alike, up to a few
long ones among many.  The time for which processors were stopped decides which of them fit."""
_OTHERS: tuple[tuple[Arrivals, tuple[float, ...]], ...] = (
    ("fixed", (1.0, 0.0)), ("uneven", (1.0,)), ("swaying", (1.0, 0.0)), ("surging", (1.0, 0.0)),
    ("regular", (0.0, 1.0)), ("jittered", (0.0, 1.0)),
)  # fmt: skip
"""ASSUME: other ways to arrive than in batches of geometric size, each with spreads that are tried."""
PIECES = (3.0, 1.0, 10.0)
_BURST_SCVS = (1.0, 0.0, 4.0)
"""ASSUME: of bursts, where the rate of requests is not known: pieces that come at once (their mean), and spreads of the
processor time of each."""
_BURST = (0.02, 100.0)
"""Processor time of a burst that is tried: the least and the most, as shares of the quota."""
_BY_CLOCK = (1, 2, 3, 4, 6, 8, 12, 16, 32)
_SWINGS = (0.05, 0.95)
"""ASSUME: parts of the mean by which a rate may be higher and lower by turns: the least and the most that is tried."""
_GAPS_S = (0.05, 0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 10.0, 15.0, 20.0, 30.0, 60.0)
"""ASSUME: batches that are tried where they arrive by a clock, and the gaps of bursts: those that people set.  How
often such a load is throttled hardly depends on them, so that there is no one batch to find."""
_MOST_BATCH = 64.0
"""ASSUME: the largest mean batch that is tried."""
MOST_AT_ONCE = 32
"""The most threads that are tried where their number is not given."""
_MANY, _SAME = 8, 0.02
"""Above `MANY` threads no more are tried, once processors are stopped for as long with them as with fewer."""
_STEADIER = "steadier than random arrivals: throttled more often than measured"
NO_CLOCK = "a clock would explain it, but equal work in equal intervals does not show one"
_MOST_ROUNDS = 8
"""Of finding how long an interval was of which only the counted periods are known."""
_LEAST_MS = 0.001
"""The least time of a request that a scenario may have."""
_NEAR_PERCENT = 0.3
"""Throttled periods, in percent of all: as near as a batch has to bring them."""


@dataclass(frozen=True, slots=True)
class Observed:
    """The counters to explain: the share of periods throttled, and stopped time in ms of a throttled period.

    Where copies do not say how long processors were stopped (None), any number of threads explains them.
    """

    throttled_percent: float
    stopped_ms: float | None
    interval: Interval
    bursts: bool = False
    """Whether the rate of requests is not known: then the processor time of a burst is found, not the batch."""
    spread: Spread | None = None
    """Of processor time between all intervals that are used."""
    of_time_percent: float | None = None
    """Throttled periods in percent of all periods of the time, also of idle ones; None where the time is not known."""

    def share(self, load: Load) -> float:
        """The share of throttled periods that a load has to have, in percent.

        Regular arrivals leave the group idle by turns: how many idle periods the kernel counts each time is not
        documented, so that all periods of the time are counted.
        """
        if load.pattern.regular and self.of_time_percent is not None:
            return self.of_time_percent
        return self.throttled_percent


@dataclass(frozen=True, slots=True)
class Reading:
    """A load that was tried: how near it comes; `why` says why it is none that fits, empty where it is one."""

    load: Load
    throttled_percent: float
    stopped_ms: float
    chance_percent: float = 0.0
    """How far chance may move throttled periods in as long a time as was measured (95 %), in percent of all."""
    chance_ms: float = 0.0
    """The same of stopped time."""
    aimed: str = ""
    """Words on a target shifted from the measured value, by as much as chance may have moved it."""
    why: str = ""
    rate: float = 1.0
    """Requests, of those in the middle between the least and the most that there may have been."""
    bursts: bool = False
    """Whether the rate of requests is not known."""
    gap: float = 0.0
    """Share of throttled periods, simulated less measured, in percent."""

    @property
    def refuted(self) -> bool:
        """Whether it is rejected for how work varies from interval to interval."""
        return self.why.startswith(VARIES)

    @property
    def moved(self) -> bool:
        """Whether the target is shifted by as much as chance may have moved the counters."""
        return "than usual" in self.aimed

    @property
    def words(self) -> str:
        """In words: how requests come, how many are served at once, and how long they take."""
        kind = {0.0: "all alike", 1.0: "exponential"}.get(self.load.scv, f"scv {self.load.scv:g}")
        lock = f", {100 * self.load.serial:.0f} % of it under one lock" if self.load.serial else ""
        come = f"batches of {self.load.batch:.3g}{self.load.come}, CPU time"
        if self.bursts:
            pieces = f" in {self.load.batch:g} pieces" if self.load.batch > 1 else ""
            come = f"bursts of {self.load.batch * self.load.cpu_ms:.3g} ms{pieces}{self.load.come},"
        return f"{self.load.threads} at once, {come} {kind}{lock}{self.aimed}"


def observed(interval: Interval, bursts: bool = False, period_ms: float | None = None) -> Observed:
    """An interval, or several pooled, as what is to be explained; `bursts`: the rate of requests is not known.

    >>> from slicewright.advise.limits.intervals import Clock, Interval
    >>> observed(Interval(1, 2, 24.0, 600, 120, 9.0, 60.0, Clock.EVERY)).stopped_ms
    75.0
    """
    timed = period_ms is not None and interval.clock is not Clock.PERIODS
    of_time = interval.throttled * period_ms / 10 / interval.length_s if timed and period_ms is not None else None
    return Observed(interval.throttled_percent, interval.stopped_ms, interval, bursts, of_time_percent=of_time)


def fit(simulations: LimitSimulations, first: Observed, question: LimitRequest, cpu_ms: float) -> list[Reading]:
    """Every load that was tried, those that explain the first intervals first, the nearest of a kind leading.

    For each number of threads and kind of CPU time the batch is found that has as many periods throttled.  The time for
    which processors are then stopped decides.
    """
    tried: list[Reading] = []
    spreads = _BURST_SCVS if first.bursts else _SCVS
    for scv in spreads if question.scv is None else (question.scv,):
        for pieces in PIECES if first.bursts else (1.0,):
            load = replace(_load(question, first, cpu_ms, scv), batch=pieces)
            tried += _with_threads(simulations, first, question, load, _start(tried))
    for arrivals, scvs in _OTHERS:
        if first.bursts and arrivals == "fixed":
            continue  # a burst is in one piece already
        for scv in scvs if question.scv is None else (question.scv,):
            load = replace(_load(question, first, cpu_ms, scv), arrivals=arrivals)
            tried += _with_threads(simulations, first, question, load, _start(tried))
    return _ranked(simulations, first, question, tried)


def _start(tried: Sequence[Reading]) -> float | None:
    """Where the search for a batch, or for the processor time of a burst, begins: at the one that was found last."""
    if not tried:
        return None
    load = tried[-1].load
    return load.batch * load.cpu_ms if tried[-1].bursts else load.batch


def _with_threads(
    simulations: LimitSimulations, first: Observed, question: LimitRequest, load: Load, start: float | None
) -> list[Reading]:
    """A load with each number of threads; past those with which processors are stopped for too long, only the most."""
    counts = at_once(question.group, first, question.threads)
    if load.pattern.regular and first.bursts:
        counts = sorted({counts[0], counts[-1]})  # one burst at a time takes one thread
    found: list[Reading] = []
    for threads in counts:
        if found and _is_too_long(found[-1], first, question) and threads != counts[-1]:
            continue
        if load.pattern.regular:
            found += by_clock(simulations, first, question, replace(load, threads=threads))
            continue
        one = with_batch(simulations, first, question.group, replace(load, threads=threads), _start(found) or start)
        more = threads > _MANY and len(found) > 0 and first.stopped_ms is not None
        if more and abs(one.stopped_ms - found[-1].stopped_ms) <= _SAME * one.stopped_ms:
            break
        found += [_judged(each, first, question) for each in _whole(simulations, first, question.group, one)]
    return found


def _whole(simulations: LimitSimulations, first: Observed, group: Group, one: Reading) -> list[Reading]:
    """The reading; where batches have one size, those with the whole numbers beside it that chance does not exclude."""
    if one.why or one.load.arrivals != "fixed":
        return [one]
    found = []
    for batch in sorted({math.floor(one.load.batch), math.ceil(one.load.batch)}):
        near = _matched(simulations, group, replace(one.load, batch=float(batch)), first)
        if abs(near.gap) <= max(3 * _near(first.share(one.load)), near.chance_percent):
            found.append(near)
    return found or [replace(one, why="no batch size is throttled as often as measured")]


def by_clock(simulations: LimitSimulations, first: Observed, question: LimitRequest, load: Load) -> list[Reading]:
    """Batches, or bursts, that arrive by a clock: all that are throttled as often as measured; the nearest if none."""
    group, found = question.group, []
    nearest: Reading | None = None
    for tried in _by_clock(load) if first.bursts else [replace(load, batch=float(batch)) for batch in _BY_CLOCK]:
        one = _matched(simulations, group, tried, first)
        if nearest is None or abs(one.gap) < abs(nearest.gap):
            nearest = one
        if abs(one.gap) <= max(3 * _near(first.share(load)), one.chance_percent):
            found.append(_judged(one, first, question))
        elif one.gap > 0:
            break
    assert nearest is not None
    if found:
        return found
    why = _STEADIER if nearest.gap > 0 else "no batch size is throttled as often as measured"
    return [replace(nearest, why=why)]


def _by_clock(load: Load) -> list[Load]:
    """As much work in bursts at gaps that people set."""
    sizes = {gap_s: 1000 * load.used * gap_s for gap_s in _GAPS_S}
    return [
        replace(load, batch=1.0, cpu_ms=cpu_ms, requests_per_s=1 / gap_s)
        for gap_s, cpu_ms in sizes.items()
        if cpu_ms >= _LEAST_MS
    ]


def _is_too_long(one: Reading, first: Observed, question: LimitRequest) -> bool:
    """Whether processors are stopped for far longer than measured, so that more threads need no look."""
    if first.stopped_ms is None:
        return False
    return one.stopped_ms > (1 + 2 * question.margin_percent / 100) * first.stopped_ms + one.chance_ms


def _ranked(
    simulations: LimitSimulations, first: Observed, question: LimitRequest, tried: Sequence[Reading]
) -> list[Reading]:
    """Those that fit first; after the main one what it were if chance had moved what was measured, or others came."""
    # Kinds of CPU time that all fit are not ranked by how near they come: chance moves that.
    order = {scv: at for at, scv in enumerate(_SCVS)}
    usual = _middle([reading.load.threads for reading in tried if not reading.why])
    main, *rest = sorted(tried, key=lambda one: (*_rank(one, order), _miss(one, first, usual)))
    widest = max((reading for reading in [main, *rest] if not reading.why), key=lambda one: one.load.scv, default=main)
    # A few long requests decide then, and chance moves these most.
    found = [main, *_by_chance(simulations, first, question, main), *_by_rate(simulations, first, question, main)]
    return [*found, *(_by_chance(simulations, first, question, widest) if widest is not main else []), *rest]


def _rank(one: Reading, order: Mapping[float, int]) -> tuple[bool, bool, float, int]:
    """Those that fit first, the usual arrivals, the least bursts of a clock and usual spreads leading."""
    regular = one.load.pattern.regular
    lump_ms = one.load.batch * one.load.cpu_ms if regular else 0.0
    return bool(one.why), one.load.arrivals != "geometric", lump_ms, order.get(one.load.scv, 0)


def _middle(threads: Sequence[int]) -> int:
    """The number in the middle of those that fit, where nothing else distinguishes them."""
    several = sorted(set(threads))
    return several[len(several) // 2] if several else 1


def _by_chance(simulations: LimitSimulations, first: Observed, question: LimitRequest, main: Reading) -> list[Reading]:
    """The main reading, had chance moved the measured counters as far as it may, either way."""
    if main.why:
        return []
    found = []
    for words, by in (("more often", -main.chance_percent), ("more rarely", main.chance_percent)):
        other = _moved(first, by)
        if main.load.pattern.regular:
            continue  # every batch that chance may allow is among the readings
        one = with_batch(simulations, other, question.group, main.load, _start([main]))
        if not one.why:
            found.append(replace(one, aimed=f", if it was throttled {words} than usual"))
    return found


def _moved(first: Observed, by: float) -> Observed:
    """The counters, had chance moved the share of throttled periods by this much, in percent."""

    def at(share: float) -> float:
        return min(max(share + by, 0.01), 99.99)

    of_time = None if first.of_time_percent is None else at(first.of_time_percent)
    return replace(first, throttled_percent=at(first.throttled_percent), of_time_percent=of_time)


def _by_rate(simulations: LimitSimulations, first: Observed, question: LimitRequest, main: Reading) -> list[Reading]:
    """What the main reading were with the least and the most requests that may have come: each takes as much more."""
    if main.why:
        return []
    if question.between is None:
        return []
    found = []
    for per_s in question.between:
        share = per_s / question.requests_per_s
        load = main.load
        other = replace(load, requests_per_s=load.requests_per_s * share, cpu_ms=load.cpu_ms / share)
        if load.pattern.regular:
            one = _judged(_matched(simulations, question.group, other, first), first, question)
        else:
            one = _judged(with_batch(simulations, first, question.group, other, load.batch), first, question)
        found.append(replace(one, aimed=f", if {rate(per_s)} arrived", rate=share))
    return found


def at_once(group: Group, first: Observed, threads: int | None) -> list[int]:
    """Numbers of threads that may have worked at once: enough to be throttled, and to be stopped for so long."""
    most = threads or MOST_AT_ONCE
    if group.processors is not None and threads is None:
        most = min(most, 2 * group.processors)
    stopped = math.ceil((first.stopped_ms or 0.0) / group.period_ms - 0.02)
    # As many threads as the limit has processors are throttled too: the kernel sees at ticks that a quota is used up.
    least = max(1, stopped, math.ceil(group.limit - 1e-9))
    steps = sorted({round(2 ** (half / 2)) for half in range(2 * 10)} | {3, most})
    found = [step for step in steps if least <= step <= most]
    return found or [most]


def _load(question: LimitRequest, first: Observed, cpu_ms: float, scv: float) -> Load:
    """As much work as was measured, on one thread and without batches."""
    interval = first.interval
    cpu_ms = cpu_ms or question.group.quota_ms  # of a burst it is found
    rate = interval.used_s / interval.length_s / cpu_ms * 1000
    return Load(rate, cpu_ms, scv, 1.0, 1, question.lock or 0.0)


def with_batch(
    simulations: LimitSimulations, first: Observed, group: Group, load: Load, start: float | None = None
) -> Reading:
    """A load with the batch that has as many periods throttled; `start` is that of another load like it."""

    if first.bursts:
        return _with_burst(simulations, first, group, load, start)
    if load.pattern.fitted:
        return _with_swing(simulations, first, group, load)

    def off(batch: float) -> tuple[Reading, float]:
        one = _matched(simulations, group, replace(load, batch=batch), first)
        return one, one.gap

    near = _near(first.share(load))
    if start is None or start <= 1:
        least, gap = off(1.0)
        if abs(gap) <= near or 0 < gap <= least.chance_percent:
            return least
        if gap > 0:
            return replace(least, why=_STEADIER)
        best, gap = _crossing(off, (1.0, _MOST_BATCH), 1.0, near)
    else:
        best, gap = _crossing(off, (1.0, _MOST_BATCH), start, near)
        if best.load.batch == 1 and near < gap:
            return best if gap <= best.chance_percent else replace(best, why=_STEADIER)
    if best.load.batch == _MOST_BATCH and gap < -near:
        return replace(best, why=f"throttled less often than measured, even in batches of {_MOST_BATCH:g}")
    return best if abs(gap) <= 3 * near else replace(best, why="no batch size is throttled as often as measured")


def _with_burst(
    simulations: LimitSimulations, first: Observed, group: Group, load: Load, start: float | None = None
) -> Reading:
    """A load with the processor time of a burst that has as many periods throttled, with as much used in all.

    `start`, ms, is that of a burst of another load like it.
    """

    def off(cpu_ms: float) -> tuple[Reading, float]:
        bursts = replace(load, cpu_ms=cpu_ms, requests_per_s=load.used / cpu_ms * 1000)
        one = _matched(simulations, group, bursts, first)
        return one, one.gap

    near = _near(first.share(load))
    low, high = (share * group.quota_ms / load.batch for share in _BURST)
    usual = group.quota_ms if start is None else start
    best, gap = _crossing(off, (low, high), min(max(usual / load.batch, low), high), near)
    if best.load.cpu_ms == low and gap > near:
        return replace(best, why=_STEADIER)
    return best if abs(gap) <= 3 * near else replace(best, why="no burst is throttled as often as measured")


def _with_swing(simulations: LimitSimulations, first: Observed, group: Group, load: Load) -> Reading:
    """A load of single requests whose rate rises and falls so far that as many periods are throttled."""

    def off(swing: float) -> tuple[Reading, float]:
        one = _matched(simulations, group, replace(load, batch=1.0, fitted_swing=float(f"{swing:.4g}")), first)
        return one, one.gap

    near = _near(first.share(load))
    best, gap = _crossing(off, _SWINGS, load.pattern.swing, near)
    if abs(gap) <= 3 * near:
        return best
    why = (
        _STEADIER
        if gap > 0
        else f"throttled less often than measured, even with a rate that varies by {100 * _SWINGS[1]:.0f} %"
    )
    return replace(best, why=why)


def _near(share_percent: float) -> float:
    return max(_NEAR_PERCENT, 0.02 * share_percent)


def _matched(simulations: LimitSimulations, group: Group, load: Load, first: Observed) -> Reading:
    """A load with as much work per counted period as there was, and its simulated counters.

    Where only periods say how long an interval was, time in which the kernel's timer rested is not in them: each
    request then takes as much less as the simulated group rests, or, before the first copy, as many fewer came.
    """
    setting = setting_of(group, load)
    trial = simulations.at(load, setting)
    if first.interval.clock is Clock.PERIODS:
        fewer = first.interval.first == 0 or first.bursts
        load, trial = resting(load, trial, lambda one: simulations.at(one, setting), (group.period_ms, fewer))
    # Two standard errors of as long a time as was measured, and of what was simulated.
    scale = 2 * math.sqrt(trial.length_s / first.interval.length_s + 1 / len(trial.columns["periods"]))
    stopped = trial.columns["stopped_s"] * 1000 / np.maximum(trial.columns["throttled"], 1)
    shares = trial.columns["throttled_percent"]
    if load.pattern.regular and first.of_time_percent is not None:
        shares = trial.columns["throttled"] * group.period_ms / 10 / trial.length_s
        gap = float(shares.mean()) - first.of_time_percent
    else:
        gap = _throttled(trial) - first.throttled_percent
    percent, ms = (scale * float(column.std(ddof=1)) for column in (shares, stopped))
    return Reading(load, _throttled(trial), _stopped_ms(trial), percent, ms, bursts=first.bursts, gap=gap)


def resting(
    load: Load, trial: Measured, run: Callable[[Load], Measured], of: tuple[float, bool]
) -> tuple[Load, Measured]:
    """A load whose interval was taken for as long as the counted periods, with its work spread over the longer time.

    `of`: the period in ms, and whether fewer requests came; else each took less.
    """
    period_ms, fewer = of
    spread, now = 1.0, load
    for _ in range(_MOST_ROUNDS):
        # Periods are counted only while the kernel's timer runs.
        periods = trial.columns["periods"]
        counted = float(periods.sum() * period_ms / 1000 / (trial.length_s * len(periods)))
        if counted == 0 or abs(counted / spread - 1) < 0.02:
            break
        if not fewer and load.cpu_ms * counted < _LEAST_MS:
            break  # hardly any period was counted: no such load can be simulated
        spread = counted
        now = (
            replace(load, requests_per_s=load.requests_per_s * spread)
            if fewer
            else replace(load, cpu_ms=load.cpu_ms * spread)
        )
        trial = run(now)
    return now, trial


def _throttled(trial: Measured) -> float:
    """Throttled periods, in percent, over all replications."""
    periods = trial.columns["periods"].sum()
    return float(100 * trial.columns["throttled"].sum() / periods) if periods > 0 else 0.0


def _stopped_ms(trial: Measured) -> float:
    """For how long processors were stopped, in ms of each throttled period, over all replications."""
    stopped = trial.columns["throttled"].sum()
    return float(1000 * trial.columns["stopped_s"].sum() / stopped) if stopped > 0 else 0.0


def _judged(one: Reading, first: Observed, question: LimitRequest) -> Reading:
    """A reading that says why it is none, where processors were not stopped for as long as they were."""
    why = one.why or refuted(one.load, first.spread, question.group)
    if why or first.stopped_ms is None:
        return replace(one, why=why)
    near = max(question.margin_percent / 100 * first.stopped_ms, one.chance_ms)
    if abs(one.stopped_ms - first.stopped_ms) <= near:
        return one
    more = "longer" if one.stopped_ms > first.stopped_ms else "shorter"
    return replace(one, why=f"processors stopped for {more} than measured: {one.stopped_ms:.3g} ms a period")


def _miss(one: Reading, first: Observed, usual: int) -> float:
    if first.stopped_ms is None:
        return abs(math.log(one.load.threads / usual))
    return abs(one.stopped_ms / first.stopped_ms - 1) if first.stopped_ms else 0.0


_LOCK_STEPS = 6
"""Halvings of the share of the work that is under the lock."""
_NEAR = 0.02
"""Of the time for which processors were stopped: as near as a share has to bring it."""


def with_lock(
    simulations: LimitSimulations, first: Observed, question: LimitRequest, tried: Sequence[Reading]
) -> list[Reading]:
    """Readings with a lock, those that fit first; `tried` are those without one, none of which fits.

    A lock is tried for each kind of CPU time with all threads.  Where their number is not given, it is also tried with
    the fewest that are stopped for longer than was measured.  None is tried where none are, or where the share under a
    lock is given.
    """
    measured = first.stopped_ms
    if question.lock is not None or measured is None:
        return []
    found = []
    for scv in dict.fromkeys(reading.load.scv for reading in tried):
        longer = [reading for reading in tried if reading.load.scv == scv and reading.stopped_ms > measured]
        able = sorted((reading for reading in longer if reading.load.threads > 1), key=lambda one: one.load.threads)
        fewest = able[:1] if question.threads is None else []
        for reading in {each.load.threads: each for each in (*fewest, *able[-1:])}.values():
            found.append(_share(simulations, (first, measured), question, reading))
    return _ranked(simulations, first, question, found) if found else []


def _share(
    simulations: LimitSimulations, of: tuple[Observed, float], question: LimitRequest, without: Reading
) -> Reading:
    """The share under the lock that has processors stopped for as long as they were; the batch hardly depends on it."""
    load, (first, measured) = without.load, of

    def stopped_ms(share: float) -> float:
        return _matched(simulations, question.group, replace(load, serial=share), first).stopped_ms

    low, high, share = 0.0, 1.0, 1.0
    if stopped_ms(share) < measured:
        for _ in range(_LOCK_STEPS):
            share = (low + high) / 2
            gap = stopped_ms(share) / measured - 1
            if abs(gap) <= _NEAR:
                break
            low, high = (share, high) if gap > 0 else (low, share)
    locked = with_batch(simulations, first, question.group, replace(load, serial=share), load.batch)
    return _judged(locked, first, question)

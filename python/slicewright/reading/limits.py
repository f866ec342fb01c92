"""The loads of a control group that reproduce how often, and for how long, a CPU limit throttled it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

import numpy as np

from slicewright.experiment.outcome import Array
from slicewright.reading.accept import STOPPED, allowance, chance_of_blocks
from slicewright.reading.cgroup import (
    MARGIN_PERCENT,
    MORE,
    TICK_MS,
    Arrivals,
    Clock,
    Group,
    Interval,
    Kind,
    LimitSimulations,
    Load,
    Measured,
    Spread,
    refuted,
    setting_of,
)
from slicewright.reading.evidence import Evidence, Unknown, Value, Values
from slicewright.reading.search import Axis, Budget, Family, Seen, Trial, corrected, explore, judged
from slicewright.reading.search import Setting as Shared
from slicewright.statistics import significant

_SCVS = (1.0, 2.0, 0.5, 0.0, 4.0, 10.0)
"""ASSUME: spreads of the CPU times of requests that are tried, the usual first: exponential, all alike, up to a few
long ones among many.  The time for which processors were stopped decides which of them fit."""
_OTHERS: tuple[tuple[Arrivals, tuple[float, ...]], ...] = (
    ("fixed", (1.0, 0.0)), ("uneven", (1.0,)), ("swaying", (1.0, 0.0)), ("surging", (1.0, 0.0)),
    ("regular", (0.0, 1.0)), ("jittered", (0.0, 1.0)),
)  # fmt: skip
"""ASSUME: other ways to arrive than in batches of geometric size, each with spreads that are tried."""
_APART = Unknown("apart", "", 0.001, 1.0, "", "log")
"""The part of a request's CPU time outside the lock: the more there is, the longer processors are stopped."""
_SHARE, _OF_TIME = "throttled_percent", "throttled_of_time_percent"
"""Of the periods that were counted, and of all periods of the time."""
_NUMBERS = (_SHARE, _OF_TIME, "stopped_ms")
_STEADIER = "steadier than random arrivals: throttled more often than measured"
PIECES = (3.0, 1.0, 10.0)
_BURST_SCVS = (1.0, 0.0, 4.0)
"""ASSUME: of bursts, where the rate of requests is not known: pieces that come at once (their mean), and spreads of the
processor time of each."""

_BURST = (0.02, 100.0)
"""Processor time of a burst that is tried: the least and the most, as shares of the quota."""
_SIZES = (1, 2, 3, 4, 5, 6, 8, 12, 16, 32)
_SWINGS = (0.05, 0.95)
"""ASSUME: parts of the mean by which a rate may be higher and lower by turns: the least and the most that is tried."""
_GAPS_S = (0.05, 0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 10.0, 15.0, 20.0, 30.0, 60.0)
"""ASSUME: batches that are tried where they have one size, or arrive by a clock, and the gaps of bursts: those that
people set.  How often a load by a clock is throttled hardly depends on them, so that there is no one batch to find."""
_MOST_BATCH = 64.0
"""ASSUME: the largest mean batch that is tried."""
MOST_AT_ONCE = 32
"""The most threads that are tried where their number is not given."""
_MANY, _SAME = 8, 0.02
"""Above `MANY` threads no more are tried, once processors are stopped for as long with them as with fewer."""
NO_CLOCK = "a clock would explain it, but equal work in equal intervals does not show one"
_MOST_ROUNDS = 8
"""Of finding how long an interval was of which only the counted periods are known."""
_LEAST_MS = 0.001
"""The least time of a request that a scenario may have."""
_BUDGET = Budget(simulations=1500, steps=9, combinations=1000)


@dataclass(frozen=True)
class Known:
    """Facts about a group beside its counters.

    `requests_per_s` is 0 where it is not known: then what comes is bursts of work.  `scv`, the squared coefficient of
    variation of the CPU time of a request, is None where it is not known.
    """

    group: Group
    requests_per_s: float
    threads: int | None = None
    scv: float | None = None
    lock: float | None = None
    """Which part of the CPU time of a request is under one lock; None where it is not known."""
    between: tuple[float, float] | None = None
    """The least and the most requests that may have come, `requests_per_s` in the middle; None where it is known."""
    tick_ms: float = TICK_MS
    margin_percent: float = MARGIN_PERCENT

    @property
    def bursts(self) -> bool:
        """Whether the rate of requests is not known."""
        return self.requests_per_s == 0


@dataclass(frozen=True, slots=True)
class Observed:
    """The counters to explain: intervals as one, and the spread of processor time between all that are used.

    Where copies do not say how long processors were stopped (None), any number of threads explains them.
    """

    interval: Interval
    period_ms: float
    spread: Spread | None = None

    @property
    def throttled_percent(self) -> float:
        """Throttled periods, of those that were counted."""
        return self.interval.throttled_percent

    @property
    def stopped_ms(self) -> float | None:
        """For how long processors were stopped, in ms of a throttled period."""
        return self.interval.stopped_ms

    @property
    def timed(self) -> bool:
        """Whether the length of the intervals is known."""
        return self.interval.clock is not Clock.PERIODS

    @property
    def of_time_percent(self) -> float:
        """Throttled periods, of all periods of the time, also of idle ones.

        Regular arrivals leave the group idle by turns: how many idle periods the kernel counts each time is not
        documented, so that all periods of the time are counted.
        """
        return self.interval.throttled * self.period_ms / 10 / self.interval.length_s

    def evidence(self, known: Known, moved: float = 0.0) -> Evidence:
        """The counters as evidence; `moved`: had chance moved the share of throttled periods by this much, percent."""

        def share(name: str, percent: float) -> Value:
            return Value(name, "", min(max(percent + moved, 0.01), 99.99))

        values = [share(_SHARE, self.throttled_percent), share(_OF_TIME, self.of_time_percent)]
        if (stopped := self.stopped_ms) is not None:
            # The margin is asked for; it is a share of what was measured.
            scale = stopped * known.margin_percent / (100 * STOPPED)
            values.append(Value("stopped_ms", "", stopped, scale=scale, judged="whole"))
        return Evidence("group", {}, self.interval.length_s, tuple(values))


@dataclass(frozen=True, slots=True)
class Matched:
    """A load as it was simulated, with as much work per counted period as there was, and what was counted."""

    load: Load
    trial: Measured

    def found(self, names: Sequence[str], first: Observed) -> Array:
        """Numbers of the evidence (replications x numbers); NaN for the share that is not the one of its arrivals."""
        columns, of_time = self.trial.columns, self.load.pattern.regular and first.timed
        none, period_s = np.full_like(columns["throttled"], np.nan), first.period_ms / 1000
        wide_s = np.full_like(none, self.trial.length_s) if of_time else np.maximum(columns["periods"], 1) * period_s
        known = {
            _SHARE: none if of_time else columns[_SHARE],
            _OF_TIME: 100 * columns["throttled"] * period_s / wide_s if of_time else none,
            "stopped_ms": columns["stopped_s"] * 1000 / np.maximum(columns["throttled"], 1),
            "stopped_percent": 100 * columns["stopped_s"] / wide_s,
        }
        return np.stack([known[name] for name in names], axis=1)

    @property
    def throttled_percent(self) -> float:
        """Throttled periods, in percent, over all replications."""
        periods = self.trial.columns["periods"].sum()
        return float(100 * self.trial.columns["throttled"].sum() / periods) if periods > 0 else 0.0

    @property
    def stopped_ms(self) -> float:
        """For how long processors were stopped, in ms of each throttled period, over all replications."""
        stopped = self.trial.columns["throttled"].sum()
        return float(1000 * self.trial.columns["stopped_s"].sum() / stopped) if stopped > 0 else 0.0


class Off(Enum):
    """The number of the evidence that rejects a load, and on which side of it the load is."""

    OFTEN = "throttled too often"
    SELDOM = "throttled too seldom"
    LESS = "varies less"
    MORE = "varies more"
    SHORTER = "stopped for shorter"
    LONGER = "stopped for longer"


@dataclass(frozen=True, slots=True)
class Reading:
    """A load that was tried: how near it comes; `why` says why it is none that fits, empty where it is one."""

    load: Load
    throttled_percent: float
    stopped_ms: float
    chance_percent: float = 0.0
    """How far chance may move throttled periods in as long a time as was measured (95 %), in percent of all."""
    aimed: str = ""
    """Words on a target shifted from the measured value, by as much as chance may have moved it."""
    why: str = ""
    rejected_by: Off | None = None
    rate: float = 1.0
    """Requests, of those in the middle between the least and the most that there may have been."""
    bursts: bool = False
    """Whether the rate of requests is not known."""

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


@dataclass
class _Loads:
    """Loads of one group as the search takes them: `first` is what they have to explain.

    A family is a way to arrive, with the spread of CPU times, on some threads.  Its one unknown is the batch, the
    processor time of a burst, or the swing of a rate.
    """

    simulations: LimitSimulations
    first: Observed
    known: Known
    cpu_ms: float
    loads: dict[str, Load] = field(default_factory=dict)
    """The load of each family, by its name."""
    seen: dict[tuple[Kind, int], Matched] = field(default_factory=dict)
    """The last simulation of each kind on each number of threads."""
    latest: dict[str, float] = field(default_factory=dict)
    """The value of each unknown that was tried last: where the next search begins."""
    unknowns: tuple[Unknown, ...] = ()
    lacks: tuple[str, ...] = ("waits for storage, other services and other locks",)
    parts: Mapping[str, float] = field(default_factory=dict)

    @property
    def counts(self) -> list[int]:
        """The numbers of threads that are tried."""
        return at_once(self.known.group, self.first, self.known.threads)

    def families(self) -> Iterator[Family]:
        """Each kind on each number of threads, and each listed size, by itself: a list may begin with many alike."""
        for kind in self._kinds():
            counts = self.counts
            if kind.pattern.regular and self.known.bursts:
                counts = sorted({counts[0], counts[-1]})  # one burst at a time takes one thread
            for threads in counts:
                load = replace(kind, threads=threads)
                listed = self._listed(load)
                for each in listed or [load]:
                    name = str(len(self.loads))
                    self.loads[name] = each
                    yield Family(name, name, None if listed else self.axis(load))

    def _kinds(self) -> Iterator[Load]:
        """As much work as was measured, on one thread and without batches, in every way to arrive."""
        interval, known = self.first.interval, self.known
        cpu_ms = self.cpu_ms or known.group.quota_ms  # of a burst it is found
        per_s = interval.used_s / interval.length_s / cpu_ms * 1000
        usual = Load(per_s, cpu_ms, 1.0, 1.0, 1, known.lock or 0.0)

        def spreads(tried: Sequence[float]) -> Sequence[float]:
            return tried if known.scv is None else (known.scv,)

        for scv in spreads(_BURST_SCVS if known.bursts else _SCVS):
            for pieces in PIECES if known.bursts else (1.0,):
                yield replace(usual, scv=scv, batch=pieces)
        for arrivals, scvs in _OTHERS:
            for scv in spreads(scvs):
                if not (known.bursts and arrivals == "fixed"):  # a burst is in one piece already
                    yield replace(usual, scv=scv, arrivals=arrivals)

    def _listed(self, load: Load) -> list[Load]:
        """The sizes of batches, or of bursts, that are tried one by one; none where the size is found."""
        if load.pattern.regular and self.known.bursts:
            sizes = [(gap_s, 1000 * load.used * gap_s) for gap_s in _GAPS_S]
            return [
                replace(load, batch=1.0, cpu_ms=cpu_ms, requests_per_s=1 / gap_s)
                for gap_s, cpu_ms in sizes if cpu_ms >= _LEAST_MS
            ]  # fmt: skip
        if load.pattern.regular or load.arrivals == "fixed":
            return [replace(load, batch=float(size)) for size in _SIZES]
        return []

    def axis(self, load: Load) -> Axis:
        """The unknown of a kind; a load with more of it is throttled more often."""
        name, low, high, usual = "batch", 1.0, _MOST_BATCH, 2.0
        if load.pattern.fitted:
            name, low, high, usual = "swing", *_SWINGS, load.pattern.swing
        elif self.known.bursts:
            quota_ms = self.known.group.quota_ms
            name, low, high, usual = "burst", _BURST[0] * quota_ms, _BURST[1] * quota_ms, quota_ms
        start = min(max(self.latest.get(name, usual), low), high)
        return Axis(Unknown(name, "", low, high, "", "log"), (_SHARE, ""), start)

    def settings(self) -> Sequence[Shared]:
        """Nothing is shared by parts: a group is one."""
        return [Shared({})]

    def screen(self, family: Family, setting: Shared, evidence: Sequence[Evidence]) -> Load | None:
        """The load of a family; None where fewer threads, or smaller batches, are throttled too much already."""
        load, measured, bursts = self.loads[family.name], self.first.stopped_ms, self.known.bursts
        kind = load.kind(bursts)
        smaller = self.seen.get((kind, load.threads))
        if smaller is not None and self.over(smaller):
            return None
        fewer = [seen for (of, threads), seen in self.seen.items() if of == kind and threads < load.threads]
        if measured is None or not fewer:
            return load
        long = fewer[-1].stopped_ms - float(self.chance(fewer[-1])[2])
        if load.threads != self.counts[-1] and long > (1 + 2 * self.known.margin_percent / 100) * measured:
            return None
        alike = len(fewer) > 1 and abs(fewer[-1].stopped_ms / (fewer[-2].stopped_ms or 1.0) - 1) <= _SAME
        return None if load.threads > _MANY and alike else load

    def over(self, one: Matched) -> bool:
        """Whether periods are throttled too often, chance allowed for."""
        evidence = self.first.evidence(self.known)
        share = (self.counters(one, evidence).mean(axis=0) - self.chance(one)[: len(evidence.values)])[:2]
        pairs = zip(share.tolist(), evidence.values, strict=False)
        return any(each > value.value + allowance(value, 0.0) for each, value in pairs)

    def chance(self, one: Matched) -> Array:
        """How far chance may move each number of the evidence in as long a time as was measured."""
        found = one.found(_NUMBERS, self.first)
        return chance_of_blocks(found, self.first.interval.length_s / one.trial.length_s)

    def counters(self, outcome: Matched, evidence: Evidence) -> Array:
        """The numbers of the evidence."""
        return outcome.found([value.name for value in evidence.values], self.first)

    def correct(self, load: Load, seen: Sequence[Seen[Matched]]) -> Load:
        """The load as it is: its one unknown is bracketed."""
        return load

    def values(self, load: Load) -> Values:
        """The values of a load."""
        return {("batch", ""): load.batch, ("swing", ""): load.swing, ("threads", ""): float(load.threads)}

    def with_values(self, load: Load, values: Values) -> Load:
        """The load with another batch, burst, swing, or share of work under the lock."""
        for (name, _), value in values.items():
            size = self.latest[name] = float(f"{float(value):.6g}")
            if name == "batch":
                load = replace(load, batch=size)
            elif name == "swing":
                load = replace(load, batch=1.0, fitted_swing=float(f"{size:.4g}"))
            elif name == "burst":
                cpu_ms = size / load.batch
                load = replace(load, cpu_ms=cpu_ms, requests_per_s=load.used / cpu_ms * 1000)
            else:
                load = replace(load, serial=1 - size)
        return load

    def burst(self, load: Load) -> float:
        """Requests that arrive together, beyond the first."""
        return load.batch - 1

    def simulate(self, load: Load, at: Mapping[str, float | str]) -> Matched:
        """A load with as much work per counted period as there was.

        Where only periods say how long an interval was, time in which the kernel's timer rested is not in them: each
        request then takes as much less as the simulated group rests, or, before the first copy, as many fewer came.
        """
        group, kind = self.known.group, load.kind(self.known.bursts)
        setting = setting_of(group, load)
        trial = self.simulations.at(load, setting)
        interval = self.first.interval
        if interval.clock is Clock.PERIODS:
            fewer = interval.first == 0 or self.known.bursts
            load, trial = resting(load, trial, lambda one: self.simulations.at(one, setting), (group.period_ms, fewer))
        self.seen[kind, load.threads] = Matched(load, trial)
        return self.seen[kind, load.threads]

    def corrected(self, family: Family, load: Load, evidence: Evidence) -> Trial[Load, Matched]:
        """The load whose unknown brings it nearest to the evidence."""
        return corrected(self, (family, load), [evidence], _BUDGET, self.simulate)

    def reading(self, trial: Trial[Load, Matched], rate: float = 1.0) -> Reading:
        """A trial as a reading, judged with the chance that its own replications show."""
        (one,), known = trial.outcomes, self.known
        evidence, chance = self.first.evidence(known), dict(zip(_NUMBERS, self.chance(one).tolist(), strict=True))
        values = tuple(replace(value, half_width=np.nan_to_num(chance[value.name])) for value in evidence.values)
        misses = {
            miss.value.name: miss
            for miss in judged(self, trial, [replace(evidence, values=values)], _BUDGET.aim).misses
            if abs(miss.found - miss.value.value) > miss.allowed  # its own chance is in what is allowed
        }
        why, off = refuted(one.load, self.first.spread, known.group), None
        if share := misses.get(_SHARE) or misses.get(_OF_TIME):
            off = Off.OFTEN if share.off > 0 else Off.SELDOM
            even = f", even in batches of {_MOST_BATCH:g}" * (one.load.batch >= _MOST_BATCH)
            even += f", even with a rate that varies by {100 * one.load.swing:.0f} %" * one.load.pattern.fitted
            why = _STEADIER if share.off > 0 else f"throttled less often than measured{even}"
        elif why:
            off = Off.MORE if why.startswith(MORE) else Off.LESS
        elif stopped := misses.get("stopped_ms"):
            off, more = (Off.LONGER, "longer") if stopped.off > 0 else (Off.SHORTER, "shorter")
            why = f"processors stopped for {more} than measured: {one.stopped_ms:.3g} ms a period"
        percent = float(np.nansum([chance[name] for name in _NUMBERS[:2]]))
        return Reading(one.load, one.throttled_percent, one.stopped_ms, percent, "", why, off, rate, known.bursts)

    def by_chance(self, tried: _Tried) -> list[_Tried]:
        """A reading, had chance moved the measured counters as far as it may, either way.

        Of batches that are listed every one that chance allows is among the readings.
        """
        main, trial = tried
        found = []
        for words, by in (("more often", -main.chance_percent), ("more rarely", main.chance_percent)):
            if main.why or trial.family.axis is None:
                break
            other = self.corrected(trial.family, trial.load, self.first.evidence(self.known, by))
            if other.close("") <= 1:
                aimed = f", if it was throttled {words} than usual"
                found.append((replace(self.reading(other), why="", rejected_by=None, aimed=aimed), other))
        return found

    def by_rate(self, tried: _Tried) -> list[_Tried]:
        """A reading with the least and the most requests that may have come: each takes as much more."""
        main, trial = tried
        found = []
        for per_s in () if main.why else self.known.between or ():
            share = per_s / self.known.requests_per_s
            load = replace(
                trial.load, requests_per_s=trial.load.requests_per_s * share, cpu_ms=trial.load.cpu_ms / share
            )
            other = self.corrected(trial.family, load, self.first.evidence(self.known))
            found.append((replace(self.reading(other, share), aimed=f", if {significant(per_s)}/s arrived"), other))
        return found

    def ranked(self, tried: Sequence[_Tried]) -> list[_Tried]:
        """Those that fit first; after the main one what it were if chance had moved the counters, or others came."""
        # Kinds of CPU time that all fit are not ranked by how near they come: chance moves that.
        order = {scv: at for at, scv in enumerate(_SCVS)}
        several = sorted({reading.load.threads for reading, _ in tried if not reading.why})
        usual = several[len(several) // 2] if several else 1

        def rank(each: _Tried) -> tuple[bool, bool, float, int, float]:
            # The usual arrivals, the least bursts of a clock and usual spreads lead.
            one, stopped = each[0], self.first.stopped_ms
            lump_ms = one.load.batch * one.load.cpu_ms if one.load.pattern.regular else 0.0
            miss = abs(math.log(one.load.threads / usual)) if stopped is None else 0.0
            miss = abs(one.stopped_ms / stopped - 1) if stopped else miss
            return bool(one.why), one.load.arrivals != "geometric", lump_ms, order.get(one.load.scv, 0), miss

        main, *rest = sorted(tried, key=rank)
        fits = [each for each in (main, *rest) if not each[0].why]
        widest = max(fits, key=lambda each: each[0].load.scv, default=main)
        # A few long requests decide then, and chance moves these most.
        moved = self.by_chance(widest) if widest is not main else []
        return [main, *self.by_chance(main), *self.by_rate(main), *moved, *rest]

    def locked(self, tried: Sequence[_Tried]) -> list[_Tried]:
        """Readings with a lock, those that fit first; `tried` are those without one, none of which fits.

        A lock is tried for each kind of CPU time with all threads.  Where their number is not given, it is also tried
        with the fewest that are stopped for longer than was measured.  None is tried where none are, or where the
        share under a lock is given.
        """
        measured, found = self.first.stopped_ms, []
        if self.known.lock is not None or measured is None:
            return []
        for scv in dict.fromkeys(reading.load.scv for reading, _ in tried):
            able = [trial for read, trial in tried if read.load.scv == scv and read.stopped_ms > measured]
            able = sorted((trial for trial in able if trial.load.threads > 1), key=lambda trial: trial.load.threads)
            fewest = able[:1] if self.known.threads is None else []
            for trial in {each.load.threads: each for each in (*fewest, *able[-1:])}.values():
                # The share under the lock decides for how long processors are stopped; the batch hardly depends on it.
                evidence = self.first.evidence(self.known)
                stopped = replace(evidence, values=(replace(evidence.values[-1], judged="part"),))
                lock = replace(trial.family, axis=Axis(_APART, ("stopped_ms", ""), 0.5))
                found.append(self.corrected(trial.family, self.corrected(lock, trial.load, stopped).load, evidence))
        return self.ranked([(self.reading(each), each) for each in found]) if found else []


_Tried = tuple[Reading, Trial[Load, Matched]]


def readings_of(simulations: LimitSimulations, first: Observed, known: Known, cpu_ms: float) -> list[Reading]:
    """Every load that was tried, those that explain the counters first, the nearest of a kind leading.

    A lock is tried where nothing explains them without one.  Loads by a clock need random arrivals to be rejected for
    how much they vary: a clock may happen to make up for the true cause.
    """
    loads = _Loads(simulations, first, known, cpu_ms)
    found = explore(loads, [first.evidence(known)], _BUDGET, loads.simulate).families
    tried: list[_Tried] = []
    for _, same in itertools.groupby(found, key=lambda trial: (trial.load.kind(known.bursts), trial.load.threads)):
        each = [(loads.reading(trial), trial) for trial in same if trial.outcomes]
        fits = [pair for pair in each if pair[0].rejected_by not in (Off.OFTEN, Off.SELDOM)]
        tried += fits or sorted(each, key=lambda pair: pair[1].cost)[:1]
    tried = loads.ranked(tried)
    # A lock changes for how long processors are stopped, and not how work comes from interval to interval.
    usual = [pair for pair in tried if pair[0].load.arrivals == "geometric"]
    usual = [pair for pair in usual if pair[0].rejected_by not in (Off.MORE, Off.LESS)]
    if usual and all(reading.why for reading, _ in usual):
        tried = [*loads.locked(usual), *tried]
    readings = [reading for reading, _ in tried]
    random = [reading for reading in readings if not reading.load.pattern.regular]
    varies = all(refuted(reading.load, first.spread, known.group).startswith(MORE) for reading in random)
    if varies or any(not reading.why for reading in random):
        return readings
    return [replace(reading, why=reading.why or NO_CLOCK) for reading in readings]


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

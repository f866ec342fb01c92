"""Settings compared in stages: polarity and method, then CPUPAD where it matters, then numbers of processors.

That of now stays unless another does more work, or as much in less processor time.  Settings that differ by less than
noise, or than a stated tolerance, count as alike.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

import numpy as np

from slicewright._core import Scenario
from slicewright.advise.answer import Answer, Case, Point, Reading, readings_of
from slicewright.advise.constants import GIVEN
from slicewright.advise.controlled import Controlled, variations
from slicewright.advise.polarization.setting import HORIZONTAL, SMALL, VERTICAL, Setting, product_default
from slicewright.experiment.outcome import Array, Outcome, Table, columns
from slicewright.experiment.paired import below, beyond, known, percent_over
from slicewright.experiment.simulations import Simulations
from slicewright.report.forms import Span
from slicewright.statistics import Estimate, estimate

COLUMNS = (
    "total_percent", "guests_percent", "chargeable_cp_percent", "nonchargeable_cp_percent", "wait_percent",
    "work_percent", "tv_ratio", "unparked", "moved_percent", "moved_off_chip_percent", "dispatches_per_s", "ready",
)  # fmt: skip
"""Of the table of control programs."""
_TIMES = ("cycles_per_s", "population", "compute_ms", "cycle_ms")
"""Of the table of guests."""


@dataclass(frozen=True, slots=True)
class Measured(Outcome):
    """Columns; `spin_percent` is of the scheduler lock, `guests` by guest and column.

    `tv_parks`: how often T/V was high enough to park, of the decisions of the first replication after the warm-up.
    """

    guests: Mapping[str, Mapping[str, Array]] = field(kw_only=True)
    tv_parks: float = field(kw_only=True)


def measured(partition: Controlled, scenario: Scenario, tables: Mapping[str, Table]) -> Measured:
    """The measurements of one control program and its guests."""
    count, own = int(scenario.measure["replications"]), {"partition": partition.name}
    found = columns(tables["control_programs"], own, COLUMNS, count)
    found |= columns(tables["locks"], own, ("spin_percent",), count)
    guests = {name: columns(tables["guests"], {"guest": name}, _TIMES, count) for name in partition.guests}
    decided = tables["decisions"]
    parks = [
        parked
        for name, at_s, parked in zip(decided["partition"], decided["at_s"], decided["tv_parks"], strict=True)
        if name == partition.name and at_s >= 0
    ]
    tv_parks = float(np.mean(parks)) if parks else 0.0
    return Measured(found, scenario.resolved, guests=guests, tv_parks=tv_parks)


_Trials = Mapping[Setting, Measured]


@dataclass(frozen=True, slots=True)
class Tolerances:
    """The largest differences that count as none, in percent: of work or CPU time; of CPU wait, of guests' time."""

    loss_percent: float = 1.0
    wait_percent: float = 10.0


@dataclass(frozen=True, slots=True)
class Difference:
    """One run less another, replication by replication, in percent of the other's mean.

    `wait`: processors' worth that more virtual processors wait, in percent of the time that the other's guests run.
    """

    work: Estimate
    total: Estimate
    wait: Estimate


def difference(base: Measured, other: Measured) -> Difference:
    """How another run differs from a base, paired by replication."""
    running = base.mean("guests_percent") / 100
    wait = (other.columns["ready"] - base.columns["ready"]) / running * 100 if running > 0 else np.zeros(1)
    work, total = (percent_over(base, other, name) for name in ("work_percent", "total_percent"))
    return Difference(work, total, estimate(wait.tolist()))


def alike(base: Measured, other: Measured, tolerances: Tolerances) -> bool:
    """Whether work, processor time and wait differ by nothing that counts."""
    found, small = difference(base, other), tolerances.loss_percent
    limits = ((found.work, small), (found.total, small), (found.wait, tolerances.wait_percent))
    return not any(beyond(value, least) or below(value, least) for value, least in limits)


def as_good(base: Measured, other: Measured, tolerances: Tolerances) -> bool:
    """Whether a run is no worse than a base as far as one can see, noise or not: to be on the safe side."""
    found, small = difference(base, other), tolerances.loss_percent
    return found.work.mean >= -small and found.total.mean <= small and found.wait.mean <= tolerances.wait_percent


def better(base: Measured, other: Measured, tolerances: Tolerances) -> bool:
    """Whether a run does more work than a base, or as much in less processor time without much more wait.

    More work, or less processor time, has to be beyond noise; less work and more wait only have to look like it.
    """
    found, small = difference(base, other), tolerances.loss_percent
    return beyond(found.work, small) or (below(found.total, small) and as_good(base, other, tolerances))


def choose(trials: _Trials, now: Setting, tolerances: Tolerances) -> Setting:
    """The setting of now, unless others are better; of those the one with most work, then least processor time.

    Of several that do not differ in that, z/VM's own default; else the one that differs least from now.
    """
    here, small = trials[now], tolerances.loss_percent
    able = [trial for trial in trials if better(here, trials[trial], tolerances)]
    if not able:
        return now
    most = max(able, key=lambda one: trials[one].mean("work_percent"))
    able = [setting for setting in able if not below(difference(trials[most], trials[setting]).work, small)]
    least = min(able, key=lambda one: trials[one].mean("total_percent"))
    able = [setting for setting in able if not beyond(difference(trials[least], trials[setting]).total, small)]
    default = [setting for setting in able if setting == product_default(now.processors)]
    return default[0] if default else min(able, key=lambda one: (one.distance(now), -trials[one].mean("work_percent")))


PROCESSOR, ELSEWHERE, BOTH = "processor", "elsewhere", "both"
_LEAST_PERCENT = 1.0
"""ASSUME: the least difference in processor time per work between two settings that is evidence of the gate."""
_MOST_NOISE = 0.4
"""ASSUME: above this noise there is no evidence: work might fall by all of the difference or by half of it."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Where throughput is gated; by how much work falls where it takes so much more processor time (1: by as much).

    `follows` is None where no two settings differ in the processor time of work. `by_cycles` is the share of their
    cycles, paced ones counted whole, for which guests want a processor.
    """

    where: str
    follows: Estimate | None
    by_cycles: float


def gate_of(trials: Mapping[str, Measured], base: Measured, partition: Controlled) -> Gate:
    """Where throughput is gated, from runs of some settings, one of them the base.

    If what guests are charged stays, and what they do with it changes, the processor gates it: work falls by as much as
    work takes more (z/VM HiperDispatch, Effect of T/V-Based Parking: ETR is governed by factors within the CPU).  If
    work stays, something else does.
    """
    by_cycles = _by_cycles(base, partition)
    follows = _follows(trials, base)
    share = by_cycles if follows is None else follows.mean
    where = PROCESSOR if share >= 2 / 3 else ELSEWHERE if share <= 1 / 3 else BOTH
    return Gate(where, follows, by_cycles)


def _follows(trials: Mapping[str, Measured], base: Measured) -> Estimate | None:
    best: tuple[float, Estimate] | None = None
    for other in trials.values():
        dearer = np.log(_per_work(other) / _per_work(base))
        spread = estimate((100 * dearer).tolist())
        size = abs(spread.mean)
        if not (beyond(spread, _LEAST_PERCENT) or below(spread, _LEAST_PERCENT)):
            continue
        less = -np.log(other.columns["work_percent"] / base.columns["work_percent"])
        mean = float(less.mean() / dearer.mean())
        noise = estimate((less - mean * dearer).tolist()).half_width / abs(float(dearer.mean()))
        if noise <= _MOST_NOISE and (best is None or size > best[0]):
            best = (size, Estimate(mean, noise, spread.replications))
    return best[1] if best else None


def _per_work(trial: Measured) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    charged = trial.columns["guests_percent"] + trial.columns["chargeable_cp_percent"]
    return np.asarray(charged / trial.columns["work_percent"])


def _by_cycles(base: Measured, partition: Controlled) -> float:
    """Weighted by how many of each kind want a processor at any time."""
    wanting, gated = 0.0, 0.0
    for name, cycles in base.guests.items():
        population, compute, cycle = (
            float(np.nanmean(cycles[key])) for key in ("population", "compute_ms", "cycle_ms")
        )
        if not (math.isfinite(compute) and cycle > 0):
            continue
        share = compute / cycle
        wanting += population * share
        gated += population * share * (1.0 if name in partition.paced else share)
    return gated / wanting if wanting > 0 else 0.0


_CPUPADS = (0.0, 100.0, 300.0, 6400.0)
"""CPUPADs that are looked at where parking by need engages, beside that of now; the last parks nothing."""
_MOST_COUNTS = 3
"""Numbers of logical processors below that of now that are looked at."""
_READING_RUNS = 4
"""Replications of a reading's constants."""
_FEW_COUNTS, _FEW_RUNS, _FEW_READINGS = 2, 2, 4
"""The same where a point takes long."""
_METHODS = ("reshuffle", "rebalance")

SettingPoint = Point[Setting]
"""Differences, in percent: `work`, `total` and `wait`, each `_from_now` and `_from_chosen`."""
_Case = Case[Controlled, Setting]
SettingSimulations = Simulations[Setting, Measured]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The gate of throughput, whether parking by need engages, and the parts of a setting that change no result."""

    gate: Gate
    runnable: Estimate
    """Virtual processors that run or want to, per logical processor, as it is now."""
    parking: bool
    """Whether CPUPAD makes any difference: parking by need engages."""
    parks: Mapping[Setting, float]
    """How often T/V was high enough to park."""
    indifferent: tuple[str, ...]
    """Which of polarization, method and CPUPAD can be otherwise."""
    fewest: int
    """Logical processors that would do the same, of those simulated; it is known without a recommendation too."""


SettingAnswer = Answer[Controlled, Setting, Evidence]


def best(answer: SettingAnswer) -> Setting:
    """The setting to choose; that of now where nothing is recommended."""
    return answer.recommendation or answer.now


def usual(answer: SettingAnswer) -> Setting:
    """z/VM's default setting: settings are named by how they differ from it."""
    return product_default(answer.now.processors)


def default_is(setting: Setting) -> bool:
    """Whether a setting is z/VM's default for its number of processors."""
    return setting == product_default(setting.processors)


def explore(case: _Case, simulations: SettingSimulations) -> SettingAnswer:
    """Simulate every setting worth a look, then what is chosen under each reading; raises InputError, RunError."""
    now, tolerances = case.now, _tolerances(case)
    simulations.expect(12 * simulations.plan.replications + 4 * _READING_RUNS * len(variations(case.constants)))
    polarities = _polarities(now)
    trials = {setting: simulations.at(setting) for setting in _different([*polarities, *case.asked])}
    first = choose({polarity: trials[polarity] for polarity in polarities}, now, tolerances)
    by_ratio = any(trials[polarity].tv_parks > 0 for polarity in polarities if polarity.vertical)
    settings = _different([*polarities, *_pads(first, now, by_ratio)])
    trials |= {setting: simulations.at(setting) for setting in settings}
    chosen = choose({setting: trials[setting] for setting in settings}, now, tolerances)
    parking = by_ratio or (chosen.vertical and chosen.unparking == SMALL)
    most = _FEW_COUNTS if simulations.dear else _MOST_COUNTS
    counts = [chosen.with_(processors=count) for count in _counts(trials[chosen], now.processors, most)]
    trials |= {count: simulations.at(count) for count in counts}
    asked = [trial for trial in trials if trial in case.asked and trial.processors <= now.processors]
    chosen = choose({setting: trials[setting] for setting in [*settings, *counts, *asked]}, now, tolerances)
    same = takewhile(lambda count: as_good(trials[chosen], trials[count], tolerances), counts)
    fewest = min([chosen.processors, *(setting.processors for setting in same)])
    readings, ranges = _readings(case, simulations, chosen, polarities[-1])
    shown = _different([*settings, *counts, *case.asked])
    points = tuple(
        _point(setting, trials[setting], (trials[now], trials[chosen]), ranges.get(setting, [])) for setting in shown
    )
    differs = any(not alike(trials[now], trials[setting], tolerances) for setting in settings) or chosen != now
    here = trials[now]
    runnable = (here.columns["ready"] + here.columns["guests_percent"] / 100) / now.processors
    evidence = Evidence(
        gate_of({polarity.words(): trials[polarity] for polarity in polarities if polarity != now}, here, case.subject),
        estimate(runnable.tolist()), parking, {setting: trials[setting].tv_parks for setting in shown},
        _indifferent({setting: trials[setting] for setting in settings}, chosen, parking, tolerances), fewest,
    )  # fmt: skip
    return Answer(
        case, simulations.plan, evidence, points, chosen if differs else None, "" if differs else _reason(case),
        (), readings, _meeting(points, case),
    )  # fmt: skip


def _tolerances(case: _Case) -> Tolerances:
    return Tolerances(case.request.knobs["loss"], case.request.knobs["wait"])


def _reason(case: _Case) -> str:
    default = "which is z/VM's default" if default_is(case.now) else "z/VM's default is vertical with reshuffle"
    words = case.now.words(product_default(case.now.processors))
    return (
        f"it makes no difference: no polarization, method or CPUPAD differs from {words}, {default}, by more than noise"
        f" and {case.request.knobs['loss']:g} %"
    )


def _polarities(now: Setting) -> list[Setting]:
    """Now first, then horizontal, then vertical with each method, and z/VM's default; each once."""
    vertical = [now.with_(polarization=VERTICAL, method=method) for method in _METHODS]
    return _different([now, now.with_(polarization=HORIZONTAL), *vertical, product_default(now.processors)])


def _different(settings: Sequence[Setting]) -> list[Setting]:
    return list(dict.fromkeys(settings))


def _pads(first: Setting, now: Setting, by_ratio: bool) -> list[Setting]:
    """CPUPADs of what the first stage chose where T/V parks; else under UNPARKING SMALL, if it is so now."""
    base = first.with_(polarization=VERTICAL)
    if by_ratio:
        return [base.with_(cpupad=pad) for pad in sorted({*_CPUPADS, now.cpupad})]
    if now.unparking != SMALL:
        return []
    return [base.with_(unparking=SMALL, cpupad=pad) for pad in sorted({*_CPUPADS[:-1], now.cpupad})]


def _counts(trial: Measured, processors: int, most: int) -> list[int]:
    """Fewer processors, down to those that carry what is used now, spread evenly."""
    used = trial.mean("total_percent") / 100
    least = max(1, math.ceil(used))
    if least >= processors:
        return []
    spread = np.linspace(processors - 1, least, min(most, processors - least))
    return sorted({round(float(count)) for count in spread}, reverse=True)


def _indifferent(trials: _Trials, chosen: Setting, parking: bool, tolerances: Tolerances) -> tuple[str, ...]:
    """Which of polarization, method and CPUPAD can be otherwise with nothing that counts changed."""
    found = []
    here = trials.get(chosen) or next(iter(trials.values()))

    def same(settings: Sequence[Setting]) -> bool:
        return all(alike(here, trials[setting], tolerances) for setting in settings if setting in trials)

    if same([trial for trial in trials if trial.vertical != chosen.vertical]):
        found.append("polarization")
    if chosen.vertical:
        if same([chosen.with_(method=method) for method in _METHODS]):
            found.append("method")
        if not parking or same([chosen.with_(cpupad=pad) for pad in _CPUPADS]):
            found.append("cpupad")
    return tuple(found)


def _readings(
    case: _Case, simulations: SettingSimulations, chosen: Setting, other: Setting
) -> tuple[tuple[Reading[Setting], ...], dict[Setting, list[Measured]]]:
    """The setting chosen under each reading, unless another is better; and outcomes by setting."""
    compared = [chosen, case.now, case.now.with_(polarization=HORIZONTAL)]
    compared += [] if any(setting.vertical for setting in compared) else [other]
    others = variations(case.constants)[: _FEW_READINGS if simulations.dear else None]
    runs = _FEW_RUNS if simulations.dear else min(_READING_RUNS, simulations.plan.replications)

    def judge(trials: _Trials) -> tuple[Setting, Estimate]:
        return choose(trials, chosen, _tolerances(case)), _gain(trials)

    found = list(readings_of(simulations, [GIVEN, *others], _different(compared), judge, runs))
    ranges: dict[Setting, list[Measured]] = {}
    for _, trials in found:
        for setting, trial in trials.items():
            ranges.setdefault(setting, []).append(trial)
    return tuple(reading for reading, _ in found), ranges


def _gain(trials: _Trials) -> Estimate:
    """How much more work the best vertical setting does than the horizontal one."""
    most = max(
        (trial for setting, trial in trials.items() if setting.vertical), key=lambda trial: trial.mean("work_percent")
    )
    flat = next(trial for setting, trial in trials.items() if not setting.vertical)
    return difference(flat, most).work


def _point(
    setting: Setting, trial: Measured, beside: tuple[Measured, Measured], readings: Sequence[Measured]
) -> SettingPoint:
    differences: dict[str, Estimate] = {}
    for name, base in zip(("now", "chosen"), beside, strict=True):
        found = difference(base, trial)
        differences |= {f"{what}_from_{name}": getattr(found, what) for what in ("work", "total", "wait")}
    ranges = {}
    for name in ("work_percent", "total_percent") if len(readings) > 1 else ():
        means = [reading.mean(name) for reading in readings]
        ranges[name] = Span(min(means), max(means))
    return Point(
        setting,
        {name: known(values) for name, values in trial.columns.items()},
        differences,
        ranges=ranges,
        text=trial.text,
    )


def _meeting(points: Sequence[SettingPoint], case: _Case) -> tuple[Setting, ...]:
    """Settings that meet the target, least processor time first."""
    target = case.request.target
    met = [point for point in points if target and target.met(point.means)]
    return tuple(point.variant for point in sorted(met, key=lambda point: point.columns["total_percent"].mean))

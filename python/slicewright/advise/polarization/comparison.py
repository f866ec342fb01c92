"""Settings compared in stages: polarity and method, then CPUPAD where it matters, then numbers of processors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from slicewright.advise.answer import Answer, Case, Point, Reading, readings_of
from slicewright.advise.constants import GIVEN
from slicewright.advise.controlled import Controlled, variations
from slicewright.advise.polarization.choose import Tolerances, Trials, alike, as_good, choose, difference
from slicewright.advise.polarization.gate import Gate, gate_of
from slicewright.advise.polarization.measured import Measured
from slicewright.advise.polarization.setting import HORIZONTAL, SMALL, VERTICAL, Setting, product_default
from slicewright.experiment.paired import known
from slicewright.experiment.simulations import Simulations
from slicewright.report.forms import Span
from slicewright.statistics import Estimate, estimate

SHOWN = (
    "work_percent", "total_percent", "guests_percent", "chargeable_cp_percent", "nonchargeable_cp_percent", "tv_ratio",
    "unparked", "moved_percent", "spin_percent", "ready", "wait_percent", "dispatches_per_s",
)  # fmt: skip
"""Columns of the curve; 100 % is one processor."""
CPUPADS = (0.0, 100.0, 300.0, 6400.0)
"""CPUPADs that are looked at where parking by need engages, beside that of now; the last parks nothing."""
MOST_COUNTS = 3
"""Numbers of logical processors below that of now that are looked at."""
READING_RUNS = 4
"""Replications of a reading's constants."""
FEW_COUNTS, FEW_RUNS, FEW_READINGS = 2, 2, 4
"""The same where a point takes long."""
METHODS = ("reshuffle", "rebalance")

SettingPoint = Point[Setting]
"""Differences, in percent: `work`, `total` and `wait`, each `_from_now` and `_from_chosen`."""
SettingCase = Case[Controlled, Setting]
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
    """Whether a setting is z/VM's default for its number of processors.

    >>> default_is(product_default(8))
    True
    """
    return setting == product_default(setting.processors)


def explore(case: SettingCase, simulations: SettingSimulations) -> SettingAnswer:
    """Simulate every setting worth a look, then what is chosen under each reading; raises InputError, RunError.

    >>> from slicewright.advise.polarization.example import explored
    >>> [point.variant.polarization for point in explored().points[:2]]
    ['vertical', 'horizontal']
    """
    now, tolerances = case.now, _tolerances(case)
    simulations.expect(12 * simulations.plan.replications + 4 * READING_RUNS * len(variations(case.constants)))
    polarities = _polarities(now)
    trials = {setting: simulations.at(setting) for setting in _different([*polarities, *case.asked])}
    first = choose({polarity: trials[polarity] for polarity in polarities}, now, tolerances)
    by_ratio = any(trials[polarity].tv_parks > 0 for polarity in polarities if polarity.vertical)
    settings = _different([*polarities, *_pads(first, now, by_ratio)])
    trials |= {setting: simulations.at(setting) for setting in settings}
    chosen = choose({setting: trials[setting] for setting in settings}, now, tolerances)
    parking = by_ratio or (chosen.vertical and chosen.unparking == SMALL)
    most = FEW_COUNTS if simulations.dear else MOST_COUNTS
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


def _tolerances(case: SettingCase) -> Tolerances:
    return Tolerances(case.request.knobs["loss"], case.request.knobs["wait"])


def _reason(case: SettingCase) -> str:
    default = "which is z/VM's default" if default_is(case.now) else "z/VM's default is vertical with reshuffle"
    words = case.now.words(product_default(case.now.processors))
    return (
        f"it makes no difference: no polarization, method or CPUPAD differs from {words}, {default}, by more than noise"
        f" and {case.request.knobs['loss']:g} %"
    )


def _polarities(now: Setting) -> list[Setting]:
    """Now first, then horizontal, then vertical with each method, and z/VM's default; each once."""
    vertical = [now.with_(polarization=VERTICAL, method=method) for method in METHODS]
    return _different([now, now.with_(polarization=HORIZONTAL), *vertical, product_default(now.processors)])


def _different(settings: Sequence[Setting]) -> list[Setting]:
    return list(dict.fromkeys(settings))


def _pads(first: Setting, now: Setting, by_ratio: bool) -> list[Setting]:
    """CPUPADs of what the first stage chose where T/V parks; else under UNPARKING SMALL, if it is so now."""
    base = first.with_(polarization=VERTICAL)
    if by_ratio:
        return [base.with_(cpupad=pad) for pad in sorted({*CPUPADS, now.cpupad})]
    if now.unparking != SMALL:
        return []
    return [base.with_(unparking=SMALL, cpupad=pad) for pad in sorted({*CPUPADS[:-1], now.cpupad})]


def _counts(trial: Measured, processors: int, most: int) -> list[int]:
    """Fewer processors, down to those that carry what is used now, spread evenly."""
    used = trial.mean("total_percent") / 100
    least = max(1, math.ceil(used))
    if least >= processors:
        return []
    spread = np.linspace(processors - 1, least, min(most, processors - least))
    return sorted({round(float(count)) for count in spread}, reverse=True)


def _indifferent(trials: Trials, chosen: Setting, parking: bool, tolerances: Tolerances) -> tuple[str, ...]:
    """Which of polarization, method and CPUPAD can be otherwise with nothing that counts changed."""
    found = []
    here = trials.get(chosen) or next(iter(trials.values()))

    def same(settings: Sequence[Setting]) -> bool:
        return all(alike(here, trials[setting], tolerances) for setting in settings if setting in trials)

    if same([trial for trial in trials if trial.vertical != chosen.vertical]):
        found.append("polarization")
    if chosen.vertical:
        if same([chosen.with_(method=method) for method in METHODS]):
            found.append("method")
        if not parking or same([chosen.with_(cpupad=pad) for pad in CPUPADS]):
            found.append("cpupad")
    return tuple(found)


def _readings(
    case: SettingCase, simulations: SettingSimulations, chosen: Setting, other: Setting
) -> tuple[tuple[Reading[Setting], ...], dict[Setting, list[Measured]]]:
    """The setting chosen under each reading, unless another is better; and outcomes by setting."""
    compared = [chosen, case.now, case.now.with_(polarization=HORIZONTAL)]
    compared += [] if any(setting.vertical for setting in compared) else [other]
    others = variations(case.constants)[: FEW_READINGS if simulations.dear else None]
    runs = FEW_RUNS if simulations.dear else min(READING_RUNS, simulations.plan.replications)

    def judge(trials: Trials) -> tuple[Setting, Estimate]:
        return choose(trials, chosen, _tolerances(case)), _gain(trials)

    found = list(readings_of(simulations, [GIVEN, *others], _different(compared), judge, runs))
    ranges: dict[Setting, list[Measured]] = {}
    for _, trials in found:
        for setting, trial in trials.items():
            ranges.setdefault(setting, []).append(trial)
    return tuple(reading for reading, _ in found), ranges


def _gain(trials: Trials) -> Estimate:
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
        setting, {name: known(trial.columns[name]) for name in SHOWN}, differences, ranges=ranges, text=trial.text
    )


def _meeting(points: Sequence[SettingPoint], case: SettingCase) -> tuple[Setting, ...]:
    """Settings that meet the target, least processor time first."""
    target = case.request.target
    met = [point for point in points if target and target.met(point.means)]
    return tuple(point.variant for point in sorted(met, key=lambda point: point.columns["total_percent"].mean))

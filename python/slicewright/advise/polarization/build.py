"""An answer about polarization built in stages: polarity and method, then CPUPAD where it matters, then processors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from slicewright._core import InputError
from slicewright.advise.constants import Reading, Variation
from slicewright.advise.noise import known
from slicewright.advise.polarization.answer import (
    SHOWN,
    PolarizationTarget,
    Recommended,
    SettingPoint,
)
from slicewright.advise.polarization.choose import Tolerances, alike, as_good, choose, difference
from slicewright.advise.polarization.laboratory import Laboratory
from slicewright.advise.polarization.question import PolarizationQuestion
from slicewright.advise.polarization.setting import HORIZONTAL, SMALL, VERTICAL, Setting, product_default, wanted
from slicewright.advise.polarization.trial import Trial
from slicewright.advise.progress import Progress, counting
from slicewright.statistics import Estimate

CPUPADS = (0.0, 100.0, 300.0, 6400.0)
"""CPUPADs that are looked at where parking by need engages, beside that of now; the last parks nothing."""
MOST_COUNTS = 3
"""Numbers of logical processors below that of now that are looked at."""
READING_RUNS = 4
"""Replications of a reading's constants."""
FEW_COUNTS, FEW_RUNS, FEW_READINGS = 2, 2, 4
"""The same where a point takes long."""
METHODS = ("reshuffle", "rebalance")


@dataclass(frozen=True, slots=True)
class Built:
    """What the stages found.

    >>> from slicewright.advise.polarization.example import built
    >>> built().recommended.setting.polarization, built().parking
    ('vertical', False)
    """

    recommended: Recommended
    points: tuple[SettingPoint, ...]
    readings: tuple[Reading[Setting], ...]
    polarities: tuple[Setting, ...]
    """The settings of the first stage."""
    parking: bool
    differs: bool
    """Whether any setting but for fewer processors differs from now by more than noise and what counts as none."""
    asked: tuple[Setting, ...]
    target: PolarizationTarget | None


def build(
    lab: Laboratory, question: PolarizationQuestion, variations: Sequence[Variation], progress: Progress
) -> Built:
    """Simulate every setting worth a look, then what is chosen under each reading; raises InputError, RunError.

    >>> from slicewright.advise.polarization.example import built
    >>> [one.setting.polarization for one in built().points[:2]]
    ['vertical', 'horizontal']
    """
    tolerances = Tolerances(question.loss_percent, question.wait_percent)
    now = lab.partition.now
    lab.done = counting(progress, 12 * lab.plan.replications + 4 * READING_RUNS * len(variations))
    asked = tuple(wanted(now, one) for one in question.at)
    polarities = _polarities(now)
    trials = {one: lab.at(one) for one in _different([*polarities, *asked])}
    first = choose({one: trials[one] for one in polarities}, now, tolerances)
    by_ratio = any(trials[one].tv_parks > 0 for one in polarities if one.vertical)
    settings = _different([*polarities, *_pads(first, now, by_ratio)])
    trials |= {one: lab.at(one) for one in settings}
    chosen = choose({one: trials[one] for one in settings}, now, tolerances)
    parking = by_ratio or (chosen.vertical and chosen.unparking == SMALL)
    most = FEW_COUNTS if lab.dear else MOST_COUNTS
    counts = [chosen.with_(processors=count) for count in _counts(trials[chosen], now.processors, most)]
    trials |= {one: lab.at(one) for one in counts}
    able = [*settings, *counts, *(one for one in trials if one in asked and one.processors <= now.processors)]
    chosen = choose({one: trials[one] for one in able}, now, tolerances)
    same = takewhile(lambda one: as_good(trials[chosen], trials[one], tolerances), counts)
    fewest = min([chosen.processors, *(one.processors for one in same)])
    compared = [now, now.with_(polarization=HORIZONTAL), chosen]
    compared += [] if any(one.vertical for one in compared) else [polarities[-1]]
    readings, ranges = _readings(lab, variations, _different([chosen, *compared]), tolerances)
    indifferent = _indifferent({one: trials[one] for one in settings}, chosen, parking, tolerances)
    shown = _different([*settings, *counts, *asked])
    points = tuple(_point(one, trials[one], (trials[now], trials[chosen]), ranges.get(one.key, [])) for one in shown)
    target = _target(points, question)
    differs = any(not alike(trials[now], trials[one], tolerances) for one in settings)
    progress(1.0)
    recommended = Recommended(chosen, indifferent, fewest)
    return Built(recommended, points, readings, tuple(polarities), parking, differs, asked, target)


def _polarities(now: Setting) -> list[Setting]:
    """Now first, then horizontal, then vertical with each method, and z/VM's default; each once."""
    vertical = [now.with_(polarization=VERTICAL, method=method) for method in METHODS]
    return _different([now, now.with_(polarization=HORIZONTAL), *vertical, product_default(now.processors)])


def _different(settings: Sequence[Setting]) -> list[Setting]:
    found: dict[tuple[str | float | int, ...], Setting] = {}
    for one in settings:
        found.setdefault(one.key, one)
    return list(found.values())


def _pads(first: Setting, now: Setting, by_ratio: bool) -> list[Setting]:
    """CPUPADs of what the first stage chose where T/V parks; else under UNPARKING SMALL, if it is so now."""
    base = first.with_(polarization=VERTICAL)
    if by_ratio:
        return [base.with_(cpupad=pad) for pad in sorted({*CPUPADS, now.cpupad})]
    if now.unparking != SMALL:
        return []
    return [base.with_(unparking=SMALL, cpupad=pad) for pad in sorted({*CPUPADS[:-1], now.cpupad})]


def _counts(trial: Trial, processors: int, most: int) -> list[int]:
    """Fewer processors, down to those that carry what is used now, spread evenly."""
    used = trial.mean("total_percent") / 100
    least = max(1, math.ceil(used))
    if least >= processors:
        return []
    spread = np.linspace(processors - 1, least, min(most, processors - least))
    return sorted({round(float(one)) for one in spread}, reverse=True)


def _indifferent(
    trials: dict[Setting, Trial], chosen: Setting, parking: bool, tolerances: Tolerances
) -> tuple[str, ...]:
    """Which of polarization, method and CPUPAD can be otherwise with nothing that counts changed."""
    found = []
    here = trials.get(chosen) or next(iter(trials.values()))
    others = {one.key: trial for one, trial in trials.items()}

    def same(settings: Sequence[Setting]) -> bool:
        seen = [others[one.key] for one in settings if one.key in others]
        return all(alike(here, one, tolerances) for one in seen)

    if same([one for one in trials if one.vertical != chosen.vertical]):
        found.append("polarization")
    if chosen.vertical:
        if same([chosen.with_(method=method) for method in METHODS]):
            found.append("method")
        if not parking or same([chosen.with_(cpupad=pad) for pad in CPUPADS]):
            found.append("cpupad")
    return tuple(found)


def _readings(
    lab: Laboratory, variations: Sequence[Variation], settings: Sequence[Setting], tolerances: Tolerances
) -> tuple[tuple[Reading[Setting], ...], dict[tuple[str | float | int, ...], list[Trial]]]:
    """What would be chosen under each reading: the first setting, unless another is better; and trials by setting."""
    chosen = settings[0]
    ranges = {one.key: [lab.at(one)] for one in settings}
    runs = FEW_RUNS if lab.dear else min(READING_RUNS, lab.plan.replications)
    found: list[Reading[Setting]] = []
    told = variations[:FEW_READINGS] if lab.dear else variations
    for variation in (Variation("given", "as the scenario has it", ()), *told):
        try:
            if variation.changes:
                trials = {one: lab.at(one, variation.changes, runs) for one in settings}
            else:
                trials = {one: lab.at(one) for one in settings}
        except InputError as error:
            why = error.problems[0]["what"] if error.problems else str(error)
            found.append(Reading(variation.name, variation.what, None, _nothing(), "", why))
            continue
        held = choose(trials, chosen, tolerances)
        if variation.changes:
            for one, trial in trials.items():
                ranges[one.key].append(trial)
        found.append(Reading(variation.name, variation.what, held, _gain(trials), trials[held].text))
    return tuple(found), ranges


def _gain(trials: dict[Setting, Trial]) -> Estimate:
    """How much more work the best vertical setting does than the horizontal one."""
    best = max((trial for one, trial in trials.items() if one.vertical), key=lambda one: one.mean("work_percent"))
    flat = next(trial for one, trial in trials.items() if not one.vertical)
    return difference(flat, best).work


def _nothing() -> Estimate:
    return Estimate(math.nan, math.nan, 0)


def _point(setting: Setting, trial: Trial, beside: tuple[Trial, Trial], readings: Sequence[Trial]) -> SettingPoint:
    now, chosen = beside
    columns = {name: known(trial.columns[name]) for name in SHOWN}
    low, high = {}, {}
    for name in ("work_percent", "total_percent"):
        means = [one.mean(name) for one in readings]
        if len(means) > 1:
            low[name], high[name] = min(means), max(means)
    return SettingPoint(
        setting, columns, difference(now, trial), difference(chosen, trial), trial.tv_parks, low, high, trial.text
    )


def _target(points: Sequence[SettingPoint], question: PolarizationQuestion) -> PolarizationTarget | None:
    target = question.target
    if target is None:
        return None
    met = [one for one in points if target.met({name: value.mean for name, value in one.columns.items()})]
    least = min(met, key=lambda one: one.columns["total_percent"].mean, default=None)
    return PolarizationTarget(target, least.setting if least else None)


def default_is(setting: Setting) -> bool:
    """Whether a setting is what z/VM does unless told otherwise, with as many processors.

    >>> default_is(product_default(8))
    True
    """
    return setting.key == product_default(setting.processors).key

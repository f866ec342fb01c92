"""An answer about yields built in stages: every yield as it is now, then over contention, then under each reading."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from slicewright._core import InputError
from slicewright.advise.constants import Reading, Variation
from slicewright.advise.noise import known
from slicewright.advise.progress import Progress, counting
from slicewright.advise.yields.answer import SHOWN, Row, YieldPoint, YieldTarget
from slicewright.advise.yields.choose import alike, choose
from slicewright.advise.yields.contention import contention
from slicewright.advise.yields.laboratory import Laboratory
from slicewright.advise.yields.question import YieldQuestion
from slicewright.advise.yields.trial import Trial
from slicewright.advise.yields.yielding import MOST_PROCESSORS, X9C, X44, YIELDS, Yielding, everywhere, wanted
from slicewright.run.yield_budget import gain, saved
from slicewright.statistics import Estimate

STEPS = (0.5, 0.75, 1.0, 1.5, 2.0)
"""Processors that are looked at, times those of now; and as many as there are virtual ones, up to FARTHEST times."""
FEW_STEPS = (0.5, 1.0, 2.0)
"""The same where a point takes long."""
FARTHEST = 6.0
READING_RUNS = 4
"""Replications of a reading's constants."""
FEW_RUNS, FEW_READINGS = 2, 4
"""The same where a point takes long."""


@dataclass(frozen=True, slots=True)
class Built:
    """What the stages found.

    >>> from slicewright.advise.yields.example import built
    >>> built().base.words(), built().compared.words()
    ("X'44'", "X'9C'")
    """

    chosen: Yielding
    alike: tuple[Yielding, ...]
    base: Yielding
    compared: Yielding
    rows: tuple[Row, ...]
    readings: tuple[Reading[Yielding], ...]
    skipped: tuple[str, ...]
    asked: tuple[Yielding, ...]
    asked_processors: tuple[int, ...]
    target: YieldTarget | None


def build(lab: Laboratory, question: YieldQuestion, variations: Sequence[Variation], progress: Progress) -> Built:
    """Simulate every yield worth a look, then over contention and under each reading; raises InputError, RunError.

    >>> from slicewright.advise.yields.example import built
    >>> [one.yielding.words() for one in built().rows[1].points]
    ['never', "X'44'", "X'9C'", 'sense-running']
    """
    partition, least = lab.partition, question.least_percent
    now, names = partition.now, partition.names
    asked = tuple(dict.fromkeys(wanted(now, one) for one in question.at if one.processors is None))
    counts_asked = tuple(one.processors for one in question.at if one.processors is not None)
    yieldings = list(dict.fromkeys([*(everywhere(names, one) for one in YIELDS), now, *asked]))
    counts = steps(partition.processors, partition.virtual_processors, FEW_STEPS if lab.dear else STEPS)
    counts = sorted({*counts, *counts_asked})
    told = variations[:FEW_READINGS] if lab.dear else variations
    lab.done = counting(progress, len(counts) * len(yieldings) * lab.plan.replications + 3 * READING_RUNS * len(told))
    base = everywhere(names, X44)
    trials = {one: lab.at(one) for one in yieldings}
    chosen = choose(trials, now, least)
    compared = chosen if chosen != base else everywhere(names, X9C)
    readings, between = _readings(lab, told, (chosen, compared, base, now), least)
    rows, skipped = [], []
    for count in counts:
        few = [base, everywhere(names, X9C), chosen, now, *asked] if lab.dear else yieldings
        shown = yieldings if count == partition.processors else list(dict.fromkeys(few))
        try:
            row = _row(lab, count, shown, least)
        except InputError as error:
            if count in counts_asked:
                raise
            skipped.append(f"{count}: {error.problems[0]['what'] if error.problems else error}")
            continue
        rows.append(_with_range(row, compared, between) if count == partition.processors else row)
    target = _target(rows, chosen, question)
    progress(1.0)
    same = alike({one: trials[one] for one in yieldings}, chosen, least)
    return Built(chosen, same, base, compared, tuple(rows), readings, tuple(skipped), asked, counts_asked, target)


def steps(now: int, virtual: int, times: Sequence[float] = STEPS) -> list[int]:
    """Numbers of processors to look at: some each way, none more than there are virtual ones.

    >>> steps(9, 210), steps(4, 10), steps(4, 3)
    ([5, 7, 9, 14, 18], [2, 3, 4, 6, 8, 10], [2, 3, 4])
    """
    most = min(virtual, MOST_PROCESSORS)
    found = {max(1, math.ceil(one * now)) for one in times}
    found = {now, *(one for one in found if one <= most or one < now)}
    if now < most <= FARTHEST * now:
        found.add(most)
    return sorted(found)


def _row(lab: Laboratory, count: int, yieldings: Sequence[Yielding], least: float) -> Row:
    partition = lab.partition
    base, now = everywhere(partition.names, X44), partition.now
    trials = {one: lab.at(one, count) for one in yieldings}
    points = tuple(_point(one, count, trials[one], (trials[base], trials[now])) for one in yieldings)
    gains = [one.gain for one in points if one.yielding != base]
    expected = contention(partition, count, trials, gains, least)
    return Row(count, partition.virtual_processors / count, points, expected)


def _point(yielding: Yielding, count: int, trial: Trial, beside: tuple[Trial, Trial]) -> YieldPoint:
    base, now = beside
    columns = {name: known(trial.columns[name]) for name in SHOWN}
    over_base, over_now = gain(base.budget, trial.budget), gain(now.budget, trial.budget)
    return YieldPoint(
        yielding, count, columns, over_base, over_now, saved(base.budget, trial.budget), text=trial.text
    )  # fmt: skip


def _with_range(row: Row, compared: Yielding, between: Sequence[float]) -> Row:
    """The row with the range over readings of the gain that is compared."""
    if len(between) < 2:
        return row
    low, high = min(between), max(between)
    points = [replace(one, low=low, high=high) if one.yielding == compared else one for one in row.points]
    return replace(row, points=tuple(points))


def _readings(
    lab: Laboratory, variations: Sequence[Variation], settings: Sequence[Yielding], least: float
) -> tuple[tuple[Reading[Yielding], ...], list[float]]:
    """What would be chosen under each reading, and the gains of what is compared: chosen, compared, base, now."""
    chosen, compared, base, _ = settings
    runs = FEW_RUNS if lab.dear else min(READING_RUNS, lab.plan.replications)
    found: list[Reading[Yielding]] = []
    gains = []
    for variation in (Variation("given", "as the scenario has it", ()), *variations):
        try:
            own = variation.changes
            trials = {one: lab.at(one, None, own, runs if own else None) for one in dict.fromkeys(settings)}
        except InputError as error:
            why = error.problems[0]["what"] if error.problems else str(error)
            nothing = Estimate(math.nan, math.nan, 0)
            found.append(Reading(variation.name, variation.what, None, nothing, "", why))
            continue
        held = choose(trials, chosen, least)
        value = gain(trials[base].budget, trials[compared].budget)
        gains.append(value.mean)
        found.append(Reading(variation.name, variation.what, held, value, trials[held].text))
    return tuple(found), gains


def _target(rows: Sequence[Row], chosen: Yielding, question: YieldQuestion) -> YieldTarget | None:
    target = question.target
    if target is None:
        return None
    for row in rows:
        met = [
            one.yielding for one in row.points if target.met({name: value.mean for name, value in one.columns.items()})
        ]
        if met:
            return YieldTarget(target, row.processors, chosen if chosen in met else met[0])
    return YieldTarget(target)

"""Structures of exits simulated and compared: what each takes for the pairs of now, which to choose, with each reading.

It leaves out words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from slicewright._core import InputError
from slicewright.advise.constants import Reading, Variation
from slicewright.advise.exits.answer import SHOWN, ExitPoint
from slicewright.advise.exits.laboratory import Laboratory, trials
from slicewright.advise.exits.question import ExitQuestion
from slicewright.advise.exits.structures import BATCH, COMPLETE, STRUCTURES
from slicewright.advise.exits.trial import Trial
from slicewright.advise.noise import beyond, known
from slicewright.advise.progress import Progress, counting
from slicewright.advise.simulation import Array
from slicewright.statistics import Estimate

SHORT_OF = 0.98
"""Pairs, as a share of those of the structure that sees every request and completes most, below which one is behind."""

Trials = Mapping[str, Trial]


@dataclass(frozen=True, slots=True)
class Built:
    """What was found: the structure to choose or why none, those alike, a point for each, readings, who meets a target.

    >>> from slicewright.advise.exits.example import built
    >>> built().chosen
    'prebatch-single-area'
    """

    chosen: str | None
    reason: str
    alike: tuple[str, ...]
    points: tuple[ExitPoint, ...]
    readings: tuple[Reading[str], ...]
    meets: tuple[str, ...]


def build(
    laboratory: Laboratory, now: str, question: ExitQuestion, others: Sequence[Variation], progress: Progress
) -> Built:
    """Simulate every structure as given and under each reading, and choose; raises RunError when a run cannot go on.

    >>> from slicewright.advise.exits.example import laboratory
    >>> build(laboratory(), "batch", ExitQuestion(), (), lambda share: None).reason
    ''
    """
    laboratory.done = counting(progress, trials(len(others)) * laboratory.plan.replications)
    given = {one: laboratory.at(one) for one in STRUCTURES}
    chosen, alike = choose(given, now, question.least_percent)
    best = chosen or now
    readings = [Reading("given", "as given", chosen or now, saved(given, now, best), given[best].text)]
    seen: list[Trials] = [given]
    for one in others:
        reading, found = _reading(laboratory, one, now, question.least_percent)
        readings.append(reading)
        seen += [found] if found else []
    points = tuple(_point(given, now, one, seen) for one in STRUCTURES)
    target = question.target
    meets = tuple(
        one.structure for one in points if target and target.met({key: at.mean for key, at in one.columns.items()})
    )
    reason = (
        "" if chosen else f"no structure that sees every request saves more than noise and {question.least_percent:g} %"
    )
    return Built(chosen, reason, alike, points, tuple(readings), meets)


def choose(found: Trials, now: str, least_percent: float) -> tuple[str | None, tuple[str, ...]]:
    """The structure with the least processor time for the pairs of now, among those that see every request.

    That of now stays unless another takes less, by more than noise and than what counts as a difference; None: they
    cannot be told apart and that of now is as good.  The second are those that cannot be told from the chosen one.

    >>> from slicewright.advise.exits.example import laboratory
    >>> choose({one: laboratory().at(one) for one in STRUCTURES}, "batch", 1.0)[0]
    'prebatch-single-area'
    """
    costs = {one: cpu(found, now, one) for one in COMPLETE}
    best = min(COMPLETE, key=lambda one: (float(np.nanmean(costs[one])), one))
    alike = tuple(one for one in COMPLETE if one != best and not _less(costs[best], costs[one], least_percent))
    if now in COMPLETE and now in (best, *alike):
        others = tuple(one for one in COMPLETE if one != now and not _differ(costs[now], costs[one], least_percent))
        return (None, others) if len(others) == len(COMPLETE) - 1 else (now, others)
    return best, alike


def cpu(found: Trials, now: str, structure: str) -> Array:
    """Processor time of a structure for the pairs of now, % of one processor, per replication.

    >>> from slicewright.advise.exits.example import laboratory
    >>> given = {one: laboratory().at(one) for one in STRUCTURES}
    >>> cpu(given, "batch", "batch").mean() > cpu(given, "batch", "prebatch-single-area").mean()
    np.True_
    """
    own = found[structure].columns["cpu_us_per_pair"] * found[now].columns["pairs_per_s"] / 1e4
    return np.asarray(own)


def saved(found: Trials, now: str, structure: str) -> Estimate:
    """What a structure saves over slow exits at every request, for the pairs of now, % of one processor.

    >>> from slicewright.advise.exits.example import laboratory
    >>> given = {one: laboratory().at(one) for one in STRUCTURES}
    >>> saved(given, "batch", "batch").mean
    0.0
    """
    return known(cpu(found, now, BATCH) - cpu(found, now, structure))


def _point(given: Trials, now: str, structure: str, seen: Sequence[Trials]) -> ExitPoint:
    own = given[structure]
    columns = {name: known(own.columns[name]) for name in SHOWN if name != "cpu_percent"}
    columns = {"cpu_percent": known(cpu(given, now, structure))} | columns
    most = max(given[one].mean("pairs_per_s") for one in COMPLETE)
    means = [saved(one, now, structure).mean for one in seen]
    low, high = (min(means), max(means)) if len(seen) > 1 else (None, None)
    from_now = known(cpu(given, now, now) - cpu(given, now, structure))
    fits = own.mean("pairs_per_s") >= SHORT_OF * most
    return ExitPoint(structure, columns, saved(given, now, structure), from_now, fits, low, high, own.text)


def _reading(
    laboratory: Laboratory, one: Variation, now: str, least_percent: float
) -> tuple[Reading[str], Trials | None]:
    try:
        found = {structure: laboratory.at(structure, one.changes) for structure in STRUCTURES}
    except InputError as error:
        why = str(error.problems[0]["what"])
        return Reading(one.name, one.what, None, known([]), why=why), None
    chosen, _ = choose(found, now, least_percent)
    best = chosen or now
    return Reading(one.name, one.what, best, saved(found, now, best), found[best].text), found


def _less(own: Array, other: Array, least: float) -> bool:
    """Whether the first takes less than the second, in percent of the second, beyond noise."""
    return beyond(known(100 * (1 - own / other)), least)


def _differ(own: Array, other: Array, least: float) -> bool:
    return _less(own, other, least) or _less(other, own, least)

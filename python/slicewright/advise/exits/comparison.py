"""Structures of exits compared: what each takes for the pairs of now, and which to choose under each reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from slicewright._core import Scenario
from slicewright.advise.answer import Answer, Case, Point, readings_of
from slicewright.advise.constants import Variation
from slicewright.advise.exits.prices import variations
from slicewright.advise.exits.structures import BATCH, COMPLETE, STRUCTURES, parse
from slicewright.experiment.outcome import Array, Outcome, Table, columns
from slicewright.experiment.paired import beyond, known
from slicewright.experiment.simulations import Simulations
from slicewright.report.forms import Span
from slicewright.scenario.view import View
from slicewright.statistics import Estimate

STEPS = ("base_us", "front_end_us", "fast_us", "slow_us", "storage_us", "message_us")
"""The parts of the processor time of a pair."""
COLUMNS = (
    "pairs_per_s", "global_per_s", "cpu_us_per_pair", *STEPS, "elapsed_us_per_pair", "lock_held_percent",
    "lock_wait_us", "lock_per_s",
)  # fmt: skip
"""Of the table of serialization, per partition; the wait for the lock is made one per pair."""
SHOWN = ("cpu_percent", *COLUMNS[:-1])
"""Columns of the answer; 100 % is one processor, for the pairs of now."""
GIVEN = Variation("given", "as given", ())
SHORT_OF = 0.98
"""Pairs, as a share of those of the structure that sees every request and completes most, below which one is behind."""

Outcomes = Mapping[str, Outcome]
"""By structure."""


@dataclass(frozen=True, slots=True)
class Enqueuing:
    """A partition whose guests enqueue: processors, its structure of exits, names, and those for all systems."""

    name: str
    processors: int
    now: str
    names: int
    wide: int
    by_pc: bool
    """Whether its guests ask by PC linkage."""
    relock_s: float
    """The cost of a slow call outside of the lock."""


ExitCase = Case[Enqueuing, str]
ExitAnswer = Answer[Enqueuing, str, None]


def enqueuing(view: View) -> list[Enqueuing]:
    """The partitions whose guests enqueue, in the order of the file.

    >>> from slicewright.advise.exits.example import scenario
    >>> [(partition.name, partition.now) for partition in enqueuing(scenario().view)]
    [('MVS', 'batch')]
    """
    own = {guest.partition for guest in view.guests if any(step.enq for step in guest.every_step)}
    service = view.serialization
    if service is None:
        return []
    now = parse(service.exits)
    assert now is not None, "every value of the key is one of the structures"
    wide = sum(name.scope == "systems" for name in view.enqueues)
    return [
        Enqueuing(
            partition.name, partition.logical_processors, now, len(view.enqueues), wide,
            service.linkage == "system", service.cost.relock_s,
        )
        for partition in view.partitions if partition.name in own
    ]  # fmt: skip


def measured(partition: Enqueuing, scenario: Scenario, tables: Mapping[str, Table]) -> Outcome:
    """The time, work and waiting of serialization in one partition.

    >>> from slicewright.advise.exits.example import simulations
    >>> simulations().at("batch").mean("lock_held_percent") > 0
    True
    """
    count = int(scenario.measure["replications"])
    found = columns(tables["serialization"], {"partition": partition.name}, COLUMNS, count)
    with np.errstate(invalid="ignore", divide="ignore"):
        found["lock_wait_us"] = np.nan_to_num(found["lock_wait_us"])  # without a take there is no wait
        found["lock_wait_us"] = found["lock_wait_us"] * found["lock_per_s"] / found["pairs_per_s"]
    return Outcome(found, scenario.resolved)


def explore(case: ExitCase, simulations: Simulations[str, Outcome]) -> ExitAnswer:
    """Simulate every structure as given and under each reading, and choose; raises RunError when a run cannot go on."""
    others = [GIVEN, *variations(case.constants, case.subject.relock_s)]
    simulations.expect(len(STRUCTURES) * len(others) * simulations.plan.replications)
    judge = partial(_judged, now=case.now, least_percent=case.request.knobs["least"])
    found = list(readings_of(simulations, others, list(STRUCTURES), judge))
    seen = [outcomes for _, outcomes in found if outcomes]
    points = tuple(_point(case.now, structure, seen) for structure in STRUCTURES)
    chosen, alike = choose(seen[0], case.now, case.request.knobs["least"])
    target = case.request.target
    least = f"{case.request.knobs['least']:g} %"
    return Answer(
        case, simulations.plan, None, points, chosen,
        "" if chosen else f"no structure that sees every request saves more than noise and {least}",
        alike, tuple(reading for reading, _ in found),
        tuple(point.variant for point in points if target and target.met(point.means)),
    )  # fmt: skip


def choose(found: Outcomes, now: str, least_percent: float) -> tuple[str | None, tuple[str, ...]]:
    """The structure with the least processor time for the pairs of now, among those that see every request.

    That of now stays unless another takes less, by more than noise and by more than `least_percent`. None: their times
    do not differ and that of now is as good.  The second are structures with times alike to the chosen one's.
    """
    costs = {structure: cpu(found, now, structure) for structure in COMPLETE}
    best = min(COMPLETE, key=lambda structure: (float(np.nanmean(costs[structure])), structure))
    alike = tuple(
        structure
        for structure in COMPLETE
        if structure != best and not _less(costs[best], costs[structure], least_percent)
    )
    if now in COMPLETE and now in (best, *alike):
        others = tuple(
            structure
            for structure in COMPLETE
            if structure != now and not _differ(costs[now], costs[structure], least_percent)
        )
        return (None, others) if len(others) == len(COMPLETE) - 1 else (now, others)
    return best, alike


def cpu(found: Outcomes, now: str, structure: str) -> Array:
    """Processor time of a structure for the pairs of now, % of one processor, per replication."""
    own = found[structure].columns["cpu_us_per_pair"] * found[now].columns["pairs_per_s"] / 1e4
    return np.asarray(own)


def saved(found: Outcomes, now: str, structure: str) -> Estimate:
    """The saving of a structure over slow exits at every request, for the pairs of now, % of one processor."""
    return known(cpu(found, now, BATCH) - cpu(found, now, structure))


def _judged(found: Outcomes, now: str, least_percent: float) -> tuple[str, Estimate]:
    best = choose(found, now, least_percent)[0] or now
    return best, saved(found, now, best)


def _point(now: str, structure: str, seen: Sequence[Outcomes]) -> Point[str]:
    given = seen[0]
    own = given[structure]
    found = {"cpu_percent": known(cpu(given, now, structure))}
    found |= {name: known(own.columns[name]) for name in SHOWN[1:]}
    most = max(given[name].mean("pairs_per_s") for name in COMPLETE)
    means = [saved(outcomes, now, structure).mean for outcomes in seen]
    differences = {
        "saved": saved(given, now, structure),
        "from_now": known(cpu(given, now, now) - cpu(given, now, structure)),
    }
    ranges = {"saved": Span(min(means), max(means))} if len(seen) > 1 else {}
    fits = own.mean("pairs_per_s") >= SHORT_OF * most
    return Point(structure, found, differences, {}, ranges, fits, own.text)


def _less(own: Array, other: Array, least: float) -> bool:
    """Whether the first takes less than the second, in percent of the second, beyond noise."""
    return beyond(known(100 * (1 - own / other)), least)


def _differ(own: Array, other: Array, least: float) -> bool:
    return _less(own, other, least) or _less(other, own, least)

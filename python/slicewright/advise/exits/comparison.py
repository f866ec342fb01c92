"""Structures of installation exits compared: what each takes for the pairs of now, and which to choose."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from slicewright._core import Scenario
from slicewright.advise.answer import Answer, Case, Point, Request, readings_of
from slicewright.advise.comparison import Comparison, Options
from slicewright.advise.constants import OPEN, Constant, Variation, constants_where, variations_of
from slicewright.advise.exits.rates import ALLOWED, as_scenario, is_rates, read_rates
from slicewright.advise.exits.report import ExitAnswer, explain, heading
from slicewright.advise.exits.structures import (
    BATCH,
    COMPLETE,
    LEFT,
    SHORT,
    STEPS,
    Enqueuing,
    parse,
)
from slicewright.advise.question import Files
from slicewright.advise.source import recorded
from slicewright.experiment.outcome import Array, Outcome, Table, columns
from slicewright.experiment.paired import beyond, known
from slicewright.experiment.plan import Plan, Precision
from slicewright.experiment.simulations import Simulations
from slicewright.report.forms import Span
from slicewright.scenario.view import View
from slicewright.statistics import Estimate
from slicewright.values.errors import Problem, nearest, problem, refusal
from slicewright.values.progress import Progress, silent

PRECISION = Precision(events=10_000, shortest_s=0.5, longest_s=60.0, most=10)
"""Events are pairs of ENQ and DEQ."""
COLUMNS = (
    "pairs_per_s", "global_per_s", "cpu_us_per_pair", *STEPS, "elapsed_us_per_pair", "lock_held_percent",
    "lock_wait_us", "lock_per_s",
)  # fmt: skip
"""Of the table of serialization, per partition; the wait for the lock is made one per pair."""
_GIVEN = Variation("given", "as given", ())
_SHORT_OF = 0.98
"""Pairs, as a share of those of the structure that sees every request and completes most, below which one is behind."""

_Outcomes = Mapping[str, Outcome]
"""By structure."""


def answer(files: Files, request: Request, progress: Progress = silent) -> list[ExitAnswer]:
    """An answer per partition whose guests enqueue, from one scenario or one table of rates; raises InputError."""
    rates = [file for file in files if not file[0].endswith(".toml") and is_rates(file[1])]
    if not rates:
        return COMPARISON.answer(files, request, progress)
    if len(files) > 1:
        other = next(file for file in files if file is not rates[0])
        raise refusal(problem("a second file", file=other[0], allowed=ALLOWED))
    name, data = rates[0]
    return COMPARISON.answer([(name, as_scenario(read_rates(data, name), name).encode())], request, progress)


def choose(found: _Outcomes, now: str, least_percent: float) -> tuple[str | None, tuple[str, ...]]:
    """The structure with the least processor time for the pairs of now, among those that see every request.

    That of now stays unless another takes less, by more than noise and by more than `least_percent`. None: their times
    do not differ and that of now is as good.  The second are structures with times alike to the chosen one's.
    """
    costs = {structure: _cpu(found, now, structure) for structure in COMPLETE}

    def less(one: str, other: str) -> bool:
        """Whether one takes less than the other, in percent of the other, beyond noise."""
        return beyond(known(100 * (1 - costs[one] / costs[other])), least_percent)

    best = min(COMPLETE, key=lambda structure: (float(np.nanmean(costs[structure])), structure))
    alike = tuple(structure for structure in COMPLETE if structure != best and not less(best, structure))
    if now not in COMPLETE or now not in (best, *alike):
        return best, alike
    others = [structure for structure in COMPLETE if structure != now]
    same = tuple(structure for structure in others if not less(now, structure) and not less(structure, now))
    return (None if len(same) == len(others) else now), same


def constants(scenario: Scenario) -> tuple[Constant, ...]:
    """The prices of serialization, the manager's answer among them, that were not measured on this system.

    Prices that the scenario leaves at their defaults are among them, those of nothing are not.
    """
    price = re.compile(r"serialization\.cost\.\w+")
    wait = re.compile(r"serialization\.(?:answer|residency|structure_service)")
    return constants_where(
        scenario,
        lambda one: (
            (price.fullmatch(one.key) is not None and one.role in (*OPEN, LEFT) and one.number > 0)
            or (wait.fullmatch(one.key) is not None and one.role in OPEN)
        ),
    )


def variations(found: Sequence[Constant], relock_s: float) -> list[Variation]:
    """What they may be as well: slow calls and messages half and twice as dear, slow calls outside of the lock.

    `relock_s` is what a slow call costs outside of the lock now.

    >>> state = Constant("serialization.cost.state", "100 us", "borrowed", "")
    >>> made = variations([state], 0.0)
    >>> [(one.name, one.changes) for one in made][-1]
    ('unlocked', ('serialization.cost.state="0 us"', 'serialization.cost.relock="100 us"'))
    """
    prices = {constant.key.removeprefix("serialization.cost."): constant for constant in found if constant.number > 0}
    slow = [prices[name] for name in prices if name in ("state", "relock", "recovery")]
    message, pooled = ([prices[name]] if name in prices else [] for name in ("message", "pooled"))
    kinds = (
        ("slow-halved", "a slow call costs half as much", slow, 0.5),
        ("slow-doubled", "a slow call costs twice as much", slow, 2.0),
        ("message-halved", "the manager's message costs half as much", message, 0.5),
        ("message-doubled", "the manager's message costs twice as much", message, 2.0),
        ("pool-halved", "storage from the pool costs half as much", pooled, 0.5),
    )
    made = variations_of(kinds)
    state = next((constant for constant in found if constant.key == "serialization.cost.state"), None)
    if state is not None and relock_s == 0:
        moved = ('serialization.cost.state="0 us"', f'serialization.cost.relock="{state.value}"')
        made.append(Variation("unlocked", "a slow call runs outside the lock", moved))
    return made


def _enqueuing(view: View) -> list[Enqueuing]:
    """The partitions whose guests enqueue, in the order of the file."""
    own = {guest.partition for guest in view.guests if any(step.enq for step in guest.every_step)}
    service = view.serialization
    if service is None:
        return []
    now = parse(service.exits)
    assert now is not None, "every value of the key is one of the structures"
    wide = sum(name.scope == "systems" for name in view.enqueues)
    by_pc, relock_s = service.linkage == "system", service.cost.relock_s
    return [
        Enqueuing(partition.name, partition.logical_processors, now, len(view.enqueues), wide, by_pc, relock_s)
        for partition in view.partitions
        if partition.name in own
    ]


def _measured(partition: Enqueuing, scenario: Scenario, tables: Mapping[str, Table]) -> Outcome:
    """The time, work and waiting of serialization in one partition."""
    count = int(scenario.measure["replications"])
    found = columns(tables["serialization"], {"partition": partition.name}, COLUMNS, count)
    with np.errstate(invalid="ignore", divide="ignore"):
        found["lock_wait_us"] = np.nan_to_num(found["lock_wait_us"])  # without a take there is no wait
        found["lock_wait_us"] = found["lock_wait_us"] * found["lock_per_s"] / found["pairs_per_s"]
    return Outcome(found, scenario.resolved)


def _explore(case: Case[Enqueuing, str], simulations: Simulations[str, Outcome]) -> ExitAnswer:
    """Simulate every structure as given and under each reading, and choose; raises RunError when a run cannot go on."""
    others = [_GIVEN, *variations(case.constants, case.subject.relock_s)]
    simulations.expect(len(SHORT) * len(others) * simulations.plan.replications)
    least, target = case.request.knobs["least"], case.request.target

    def judge(found: _Outcomes) -> tuple[str, Estimate]:
        best = choose(found, case.now, least)[0] or case.now
        return best, _saved(found, case.now, best)

    found = list(readings_of(simulations, others, list(SHORT), judge))
    seen = [outcomes for _, outcomes in found if outcomes]
    points = tuple(map(partial(_point, case.now, seen), SHORT))
    chosen, alike = choose(seen[0], case.now, least)
    return Answer(
        case, simulations.plan, None, points, chosen,
        "" if chosen else f"no structure that sees every request saves more than noise and {least:g} %",
        alike, tuple(reading for reading, _ in found),
        tuple(point.variant for point in points if target and target.met(point.means)),
    )  # fmt: skip


def _point(now: str, seen: Sequence[_Outcomes], structure: str) -> Point[str]:
    given = seen[0]
    own, cpu = given[structure], _cpu(given, now, structure)
    most = max(given[name].mean("pairs_per_s") for name in COMPLETE)
    means = [_saved(outcomes, now, structure).mean for outcomes in seen]
    return Point(
        structure,
        {"cpu_percent": known(cpu)} | {name: known(own.columns[name]) for name in COLUMNS[:-1]},
        {"saved": _saved(given, now, structure), "from_now": known(_cpu(given, now, now) - cpu)},
        ranges={"saved": Span(min(means), max(means))} if len(seen) > 1 else {},
        fits=own.mean("pairs_per_s") >= _SHORT_OF * most, text=own.text,
    )  # fmt: skip


def _cpu(found: _Outcomes, now: str, structure: str) -> Array:
    """Processor time of a structure for the pairs of now, % of one processor, per replication."""
    own = found[structure].columns["cpu_us_per_pair"] * found[now].columns["pairs_per_s"] / 1e4
    return np.asarray(own)


def _saved(found: _Outcomes, now: str, structure: str) -> Estimate:
    """The saving of a structure over slow exits at every request, for the pairs of now, % of one processor."""
    return known(_cpu(found, now, BATCH) - _cpu(found, now, structure))


def _asked(text: str, problems: list[Problem]) -> str | None:
    found = parse(text)
    if found is None:
        names = list(SHORT.values())
        near = nearest(text.lower(), names)
        problems.append(problem(f"no way through exits: {text}", key="at", allowed=", ".join(names), nearest=near))
    return found


def _refusals(view: View, file: str, request: Request) -> list[Problem]:
    if _enqueuing(view):
        return recorded(
            view, file, "structures are compared over a simulated time of their own; a recording covers a fixed time"
        )
    why = "exits cost time only where programs issue ENQ and DEQ"
    allowed = '[serialization], [[enqueue]], and { enq = "NAME", do = [...] } in the program of a partition\'s guest'
    return [problem("no ENQ to advise on", file=file, key="enqueue", why=why, allowed=allowed)]


COMPARISON = Comparison(
    options=Options(
        at=_asked,
        targets=(
            "cpu_percent", "cpu_us_per_pair", "elapsed_us_per_pair", "lock_held_percent", "lock_wait_us", "pairs_per_s",
        ),
        # ASSUME: a difference in processor time of less than this is none.
        knobs={"least": 1.0},
        example='serialization.answer="2 ms"',
    ),
    pages=("it does not contain requests and their rates", ALLOWED),
    subjects=_enqueuing,
    refusals=_refusals,
    heading=heading,
    now=lambda partition: partition.now,
    asked=lambda partition, request: request.at,
    changes=lambda partition, structure: [f'serialization.exits="{structure}"'],
    measured=_measured,
    pilot=lambda partition: Plan(0.5, 0.1, 2),
    plan=lambda pilot, case, own: PRECISION.plan(pilot.mean("pairs_per_s"), own),
    constants=lambda scenario, partition: constants(scenario),
    explore=_explore,
    explain=explain,
    words=SHORT.__getitem__,
)  # fmt: skip

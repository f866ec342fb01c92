"""`slicewright.choose`: the setting of least cost that keeps every constraint, the points that say so, and its page."""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slicewright._core import __version__
from slicewright.explore.axes import Axis, axes_of
from slicewright.explore.cheapest import Compared, Order, Search, Standing, Terms, Wanted, proposals
from slicewright.explore.expression import Column as Counter
from slicewright.explore.expression import Constraint, Names, expression
from slicewright.explore.expression import constraint as constraint_of
from slicewright.explore.observed import Aim, Observer, Setting
from slicewright.explore.places import place
from slicewright.explore.requirements import bound_problems
from slicewright.explore.store import kept
from slicewright.explore.sweep import (
    LISTED,
    PRINTED,
    Measured,
    Opening,
    facts_of,
    limit_line,
    name_of,
    surfaces,
)
from slicewright.report.figure import Figure, Look, Panel, Series
from slicewright.report.forms import estimates
from slicewright.report.model import Block, Cell, Column, Face, Lead, Notes, Paragraph, Report, Section, Table
from slicewright.report.shown import Reported
from slicewright.report.spec import columns
from slicewright.results.frame import Framed, Row
from slicewright.scenario.changes import changes_of
from slicewright.scenario.left_open import GIVEN, LeftOpen
from slicewright.scenario.replay import Replayed, ready_to_run
from slicewright.scenario.source import Source, scenario_problem
from slicewright.statistics import Estimate, count, estimate, paired, percent, plural, significant
from slicewright.values import settings
from slicewright.values.errors import Problem, gathered, problem, refusal
from slicewright.values.parameters import check
from slicewright.values.progress import Progress, silent
from slicewright.values.settings import FIRST

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

_MOST_COMPARED = 300
"""Settings that are all compared; among more of them Optuna searches."""
_TRIALS = 100
"""Settings that a search tries."""


class Choice(Reported, Framed):
    """The answer to a choice: `answer` as data, and the report of it.

    >>> import slicewright
    >>> quick = {"measure.interval": "1 s", "measure.warm_up": "0 s", "measure.replications": 2}
    >>> aliases = {"alias_pool.LSS-52.aliases": [0, 4, 8]}
    >>> choose(slicewright.starter("pool"), aliases, "aliases", "response_ms <= 3", set=quick).answer.chosen.values
    (4,)
    """

    def __init__(self, answer: Answer, opening: Opening, directory: Path | None) -> None:
        self.answer = answer
        self.opening = opening
        self.directory = directory
        """Its store; None where none was asked for."""

    def report(self) -> Report:
        """The choice as a report."""
        answer = self.answer
        limits = ", ".join(constraint.text for constraint in answer.aim.constraints)
        asked = f"minimise {answer.aim.text}" + (f" subject to {limits}" if limits else "")
        lead, aside = _lead(answer)
        first: list[Block] = [
            Paragraph(f"{answer.name}  {asked}", flush=True, face=Face.TEXT),
            Lead(lead, aside),
            *_separation(answer),
        ]
        if answer.chosen and answer.aim.constraints:
            first.append(_constraints(answer, answer.chosen))
        first += _readings(answer)
        settings: list[Block] = [_table(answer)]
        if len(answer.candidates) > PRINTED:
            settings.append(Paragraph(f"Text has {PRINTED} of {len(answer.candidates):,} settings; the page has more."))
        known = [each for each in _ordered(answer) if math.isfinite(each.cost.mean)]
        settings.append(self.opening.scenarios([(_name(answer, each), each.values, []) for each in known]))
        lost = [each for each in answer.candidates if each.standing is Standing.FAILED]
        notes = [f"{_name(answer, each)}: {each.reason}" for each in lost[:12]]
        notes += [f"and {len(lost) - 12} more"] * (len(lost) > 12)
        settings.append(Notes("No value", notes))
        settings.append(Notes("Procedure", _procedure(answer)))
        facts = [
            ("settings", f"{len(answer.candidates):,}"),
            ("points", f"{answer.points:,}"),
            ("scenario", self.opening.scenario.checksum[:16]),
            ("slicewright", __version__),
        ]
        ran = [each for each in known if each.costs]
        sections = [Section("Choice", first), Section("Cost and constraints", _figures(answer, ran))]
        return Report(f"Choice for {answer.name}", asked, facts, [*sections, Section("Settings", settings)])

    def framed(self) -> Iterator[Row]:
        """Cost and the left side of each constraint: of every setting, and of the one that was chosen by reading."""
        answer = self.answer
        for reading, candidate in (*(("", each) for each in answer.candidates), *answer.readings.items()):
            names = [("cost", ""), *((_left(each), _unit(each)) for each in answer.aim.constraints)]
            for (counter, unit), number in zip(names, (candidate.cost, *candidate.measured), strict=True):
                yield Row(answer.name, counter, number, _name(answer, candidate), reading, unit)


@settings.documented("choose")
def choose(
    scenario: Source,
    knobs: Mapping[str, object] | Sequence[str],
    minimise: str,
    subject_to: str | Sequence[str] = (),
    *,
    out: str | os.PathLike[str] | None = None,
    set: Mapping[str, Any] | Sequence[str] | None = None,
    confidence: str = "95%",
    indifference: float | None = None,
    tolerance: str = "1%",
    most: int = 500,
    trials: int | None = None,
    seed: int = 1,
    replications: int | None = None,
    on: Any = None,
    progress: Progress | None = None,
) -> Choice:
    """Choose the setting of least cost that keeps every constraint, with a stated probability.

    `knobs` maps keys to values, as the axes of `sweep`.  `minimise` is an expression over knobs and counters, such as
    `"3 * aliases + max(volumes.*.response_ms)"`; `subject_to` has constraints such as `"response_ms <= 5"`.

    A batch is a run of `replications`, with the same random numbers for all settings; batches are added, up to `most`,
    until they decide.  A cost of knobs alone has no noise: settings that cost more than one that holds are not
    simulated, but for the runner-up.  The choice is the best with a probability of `confidence`, where it costs less
    than the others by `indifference` (default: 1 % of the least cost) and keeps constraints by `tolerance` of their
    bounds.  Up to 300 settings are all in question.  Of more, Optuna tries `trials` (default: 100), and the best ten
    are compared.

    `out`, `set`, `on` and `progress` are as in `sweep`, and so are the errors.  A setting that fails is not chosen.

    >>> from slicewright._core import starter
    >>> quick = {"measure.interval": "1 s", "measure.warm_up": "0 s", "measure.replications": 2}
    >>> choose(starter("pool"), ["alias_pool.*.aliases=0,8"], "aliases", "response_ms <= 3", set=quick).answer.points
    9
    """
    wanted = (subject_to,) if isinstance(subject_to, str) else subject_to
    terms: dict[str, Any] = {"out": out, "subject_to": wanted, "replications": replications, "progress": progress}
    terms |= {"confidence": confidence, "tolerance": tolerance, "indifference": indifference}
    terms |= {"most": most, "trials": trials, "seed": seed}
    problems = [*filter(None, [scenario_problem(scenario)]), *settings.problems("choose", **terms)]
    given = gathered(problems, lambda: axes_of(knobs))
    aims = gathered(problems, lambda: _aim(minimise, wanted, given[0][0])) if given else []
    check(*problems)
    (axes, single), aim = given[0], aims[0]
    changes = [*changes_of(set), *single, *([f"measure.replications={replications}"] if replications else [])]
    ready = ready_to_run(scenario, changes)
    directory = None if out is None else Path(out)
    with kept(directory, facts_of(ready, axes)) as store, place(on) as simulating:
        where, look = (simulating, ready.recordings), _looks(progress)
        observer = Observer(store, ready.scenario, seed, tuple(axes), where, aim, look)
        sure, room = (settings.share("choose", name, terms[name]) for name in ("confidence", "tolerance"))
        rules = Terms(sure, room, most, indifference)
        answer = _with_readings(observer, _chosen(observer, rules, trials), changes)
        store.finish()
        choice = Choice(answer, Opening.of(scenario, changes, ready.scenario, axes), directory)
        if directory is not None:
            store.write_report(choice.html())
        return choice


def _chosen(observer: Observer, rules: Terms, trials: int | None) -> Answer:
    """Compare all settings, or search first and compare the best of the search with random numbers of their own."""
    count = math.prod(len(axis.values) for axis in observer.axes)
    if count and count <= _MOST_COMPARED and trials is None:
        settings = list(itertools.product(*(axis.values for axis in observer.axes)))
        observer.resolve(settings)
        return _answered(observer, _selected(observer, settings, rules))
    searched = _search(observer, trials or _TRIALS)
    settings = _finalists(searched, observer.aim.scales)
    if not settings:
        setting, reason = next(iter(observer.reasons.items()))
        raise refusal(problem(f"no setting that was tried has a value: at {setting}", key="knob", why=reason))
    # Fresh random numbers: those of the search favour the settings that had luck.
    return _answered(observer, _selected(observer, settings, rules, _LOOK), searched)


@dataclass(frozen=True, slots=True)
class Selection:
    """The settings that were compared, their fates and observations, and whether the answer is sure."""

    rules: Terms
    settings: Sequence[Setting]
    standings: Sequence[Standing]
    observed: Sequence[Array]
    """By setting: batches x cost and excesses; none where it was not simulated."""
    sure: bool
    indifference: float


def _selected(observer: Observer, settings: Sequence[Setting], rules: Terms, later: int = 0) -> Selection:
    """The fates of settings, from batches after the first `later` ones."""
    import numpy as np

    aim = observer.aim
    costs = [observer.cost(setting) for setting in settings]
    usable = [at for at, cost in enumerate(costs) if math.isfinite(cost) and settings[at] not in observer.reasons]
    order = usable if aim.is_measured else sorted(usable, key=lambda at: costs[at])
    observed: dict[int, Array] = {}

    def observe(wanted: Sequence[Wanted]) -> Sequence[Array]:
        found: dict[int, Array] = {}
        for batches in dict.fromkeys(each[2] for each in wanted):
            places = [at for at, _, each in wanted if each == batches]
            some = [settings[order[at]] for at in places]
            moved = range(batches.start + later, batches.stop + later)
            for at, rows in zip(places, observer.observe(some, moved), strict=True):
                observed[at] = np.concatenate([observed.get(at, rows[:0]), rows])
                found[at] = aim.ratios(rows)
        return [found[at] for at, _, _ in wanted]

    constraints = max(1, len(aim.constraints))
    # The best setting may lose to each other one, or seem to break each constraint.
    rules = replace(rules, tests=max(1, len(order) - 1 + len(aim.constraints)))
    search = (
        Compared(len(order), constraints, observe, rules)
        if aim.is_measured
        else Search(Order(np.zeros(len(order))), (1, constraints), observe, rules)
    )
    best = search.find() if order else None
    if best is not None and not aim.is_measured:
        search.next_holding(best, _RIVALS)
    standings = [Standing.FAILED] * len(settings)
    rows = [np.zeros((0, 1 + len(aim.constraints)))] * len(settings)
    for at, (setting, standing) in enumerate(zip(order, search.standings(best), strict=True)):
        standings[setting], rows[setting] = standing, observed.get(at, rows[setting])
    zone = search.zone if isinstance(search, Compared) else rules.indifference or 0.0
    return Selection(rules, settings, standings, rows, search.is_sure(best) if order else True, zone)


def _with_readings(observer: Observer, answer: Answer, changes: Sequence[str]) -> Answer:
    """The answer with its setting under each reading that a fit left, all with the same random numbers."""
    left_open, chosen = LeftOpen.of(observer.scenario), answer.chosen
    if chosen is None or not left_open.readings:
        return replace(answer, doubt=left_open.notice)
    found: dict[str, Candidate] = {}
    for name, load in left_open.loads(observer.scenario, changes).items():
        facts = facts_of(Replayed(load, tuple(observer.where[1])), observer.axes)
        with kept(None, facts) as store:
            own = replace(observer, store=store, scenario=load, look=lambda: silent, reasons={}, ids=set())
            rows = own.observe([chosen.values], range(FIRST))[0]
            found[name] = _candidate(own, chosen.values, chosen.standing, rows)
    return replace(answer, readings=found)


def _aim(minimise: object, wanted: object, axes: Sequence[Axis]) -> Aim:
    """The cost and the constraints that were given; raises InputError with every problem."""
    names = Names(tuple(axes))
    problems: list[Problem] = []
    if not axes:
        remedy = "give a key more than one value: --knob alias_pool.A.aliases=0..8"
        problems.append(problem("nothing varies", key="knob", remedy=remedy))
    cost = gathered(problems, lambda: expression("minimise", minimise, names))
    constraints: list[Constraint] = []
    for each in wanted if isinstance(wanted, Sequence) else ():
        constraints += gathered(problems, lambda each=each: constraint_of("subject-to", each, names))  # type: ignore[misc]
    problems += bound_problems("subject-to", constraints)
    check(*problems)
    return Aim(" ".join(str(minimise).split()), cost[0], tuple(constraints))


def _looks(progress: Progress | None) -> Callable[[], Callable[[float], None]]:
    """Progress of looks, each of which takes half of what is left: how many follow is not known before."""
    done = 0.0

    def look() -> Callable[[float], None]:
        begun = done

        def report(share: float) -> None:
            nonlocal done
            done = max(done, begun + (1 - begun) / 2 * share)
            if progress:
                progress(done)

        return report

    return look


_LOOK = 3
"""Batches of every setting of a search."""
_FINALISTS, _NEAREST = 10, 3
"""Settings that go on to the selection; and where none keeps the constraints."""
_RIVALS = 4
"""Settings that cost more than the choice and are simulated to find a runner-up."""


def _search(observer: Observer, trials: int) -> dict[Setting, Array]:
    """Batches of the settings that Optuna proposes; raises InputError without Optuna."""
    rows: dict[Setting, Array] = {}

    def judged(settings: Sequence[Setting]) -> list[list[float]]:
        new = [setting for setting in dict.fromkeys(settings) if setting not in rows]
        if new:
            rows.update(zip(new, observer.observe(new, range(_LOOK)), strict=True))
        return [rows[setting].mean(axis=0).tolist() for setting in settings]

    def proposed(trial: Any) -> Setting:
        return tuple(_proposed(trial, axis) for axis in observer.axes)

    proposals("knob", (observer.seed, trials), proposed, judged)
    return rows


def _finalists(searched: Mapping[Setting, Array], scales: Sequence[float]) -> list[Setting]:
    """The settings of least cost whose intervals do not break a constraint; without any, those that break least."""
    known = {each: [_whole(column) for column in rows.T.tolist()] for each, rows in searched.items()}
    known = {each: columns for each, columns in known.items() if not math.isnan(columns[0].mean)}
    kept = [each for each, columns in known.items() if all(excess.low <= 0 for excess in columns[1:])]
    if kept:
        return sorted(kept, key=lambda each: known[each][0].mean)[:_FINALISTS]
    return sorted(known, key=lambda each: _worst(known[each][1:], scales))[:_NEAREST]


def _worst(excesses: Sequence[Estimate], scales: Sequence[float]) -> float:
    """The largest excess over a bound, as a share of it.

    >>> _worst([Estimate(1.0, 0.1, 10), Estimate(1.0, 0.1, 10)], [2.0, 10.0])
    0.5
    """
    return max((excess.mean / scale for excess, scale in zip(excesses, scales, strict=True)), default=0.0)


def _proposed(trial: Any, axis: Axis) -> Any:
    if not axis.values:
        return axis.at((trial.suggest_float(axis.key, axis.low, axis.high) - axis.low) / (axis.high - axis.low))
    if axis.kind == "text":
        return trial.suggest_categorical(axis.key, axis.values)
    return sorted(axis.values)[trial.suggest_int(axis.key, 0, len(axis.values) - 1)]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A setting, what was observed of it, and what became of it."""

    values: Setting
    standing: Standing
    cost: Estimate
    measured: Sequence[Estimate]
    """Of each constraint the value of its expression."""
    excesses: Sequence[Estimate]
    """The same over the bounds; negative where a constraint is met."""
    costs: Sequence[float]
    """By batch, so that settings can be compared batch by batch."""
    reason: str = ""

    @property
    def seems_feasible(self) -> bool:
        """Whether its means keep all constraints."""
        return math.isfinite(self.cost.mean) and all(excess.mean <= 0 for excess in self.excesses)


@dataclass(frozen=True, slots=True)
class Answer:
    """The question, every setting that was observed, and the one that was chosen."""

    name: str
    aim: Aim
    axes: Sequence[Axis]
    selection: Selection
    candidates: Sequence[Candidate]
    searched: bool
    points: int
    """Points of the store that the answer rests on."""
    seed: int
    readings: Mapping[str, Candidate] = field(default_factory=dict)
    """The setting that was chosen under each reading that a fit left; empty where the scenario is the only one."""
    doubt: str = ""
    """The note on a scenario of which a fit left values open, or that reproduces nothing measured, without readings."""

    @property
    def rules(self) -> Terms:
        """The terms of the selection."""
        return self.selection.rules

    @property
    def chosen(self) -> Candidate | None:
        """The setting that was chosen."""
        return next((each for each in self.candidates if each.standing is Standing.CHOSEN), None)

    @property
    def runner_up(self) -> Candidate | None:
        """The setting of next higher cost among those whose means keep all constraints."""
        kept = (Standing.DEARER, Standing.OPEN)
        others = [each for each in self.candidates if each.standing in kept and each.costs and each.seems_feasible]
        return min(others, key=lambda each: each.cost.mean, default=None)

    @property
    def difference(self) -> Estimate | None:
        """How much more the runner-up costs, batch by batch."""
        chosen, other = self.chosen, self.runner_up
        if chosen is None or other is None:
            return None
        common = min(len(chosen.costs), len(other.costs))
        return paired(chosen.costs[:common], other.costs[:common])

    @property
    def refused_nearest(self) -> Candidate | None:
        """The cheaper setting, nearest in cost, that breaks a constraint: the constraint that binds."""
        chosen = self.chosen
        cheaper = [
            each
            for each in self.candidates
            if chosen and each.standing is Standing.BROKEN and each.cost.mean < chosen.cost.mean
        ]
        return max(cheaper, key=lambda each: each.cost.mean, default=None)

    @property
    def nearest(self) -> Candidate | None:
        """The setting that breaks its constraints least, as a share of their bounds."""
        known = [each for each in self.candidates if each.standing is not Standing.FAILED and each.costs]
        scales = self.aim.scales
        return min(known, key=lambda each: _worst(each.excesses, scales), default=None)


def _answered(observer: Observer, selection: Selection, searched: Mapping[Setting, Array] | None = None) -> Answer:
    """The answer of a selection among settings, and of the search before it."""
    made = [
        _candidate(observer, *each)
        for each in zip(selection.settings, selection.standings, selection.observed, strict=True)
    ]
    others = [each for each in searched or () if each not in set(selection.settings)]
    made += [_candidate(observer, each, _of_search(searched[each]), searched[each]) for each in others if searched]
    name, axes = observer.scenario.name, observer.axes
    return Answer(name, observer.aim, axes, selection, made, searched is not None, len(observer.ids), observer.seed)


def _candidate(observer: Observer, setting: Setting, standing: Standing, rows: Array) -> Candidate:
    """A setting with the estimates of what was observed; of one that was not simulated its cost alone is known."""
    costs, *excesses = rows.T.tolist()
    cost = _whole(costs)
    if not costs and standing is Standing.DEARER:
        cost = Estimate(observer.cost(setting), 0.0, 0)
    over = [_whole(column) for column in excesses]
    measured = [
        Estimate(constraint.bound + (1 if constraint.comparison == "<=" else -1) * each.mean, each.half_width,
                 each.replications)
        for constraint, each in zip(observer.aim.constraints, over, strict=True)
    ]  # fmt: skip
    reason = observer.reasons.get(setting, "")
    if standing is Standing.FAILED and not reason:
        reason = "a batch has no value of the cost or of a constraint, such as a mean of nothing or a division by 0"
    return Candidate(setting, standing, cost, measured, over, costs, reason)


def _whole(values: Sequence[float]) -> Estimate:
    """The estimate over batches; none where a batch has no value."""
    if values and all(map(math.isfinite, values)):
        return estimate(values)
    return Estimate(math.nan, math.nan, 0)


def _of_search(rows: Array) -> Standing:
    cost, *excesses = (_whole(column) for column in rows.T.tolist())
    if math.isnan(cost.mean):
        return Standing.FAILED
    return Standing.BROKEN if any(excess.low > 0 for excess in excesses) else Standing.SEARCHED


_NAMED = {GIVEN: "the scenario"}
_SHOWN = {
    Standing.CHOSEN: 0, Standing.OPEN: 1, Standing.DEARER: 2, Standing.SEARCHED: 3, Standing.BROKEN: 4,
    Standing.FAILED: 5,
}  # fmt: skip


def _name(answer: Answer, candidate: Candidate) -> str:
    return name_of(answer.axes, candidate.values)


def _lead(answer: Answer) -> tuple[str, str]:
    chosen, nearest = answer.chosen, answer.nearest
    share = percent(answer.rules.confidence, 0)
    if chosen is not None:
        name = f"{_name(answer, chosen)}: cost {_cost(chosen.cost)}"
        if not answer.selection.sure:
            return name, f"the best so far: {plural(answer.rules.most, 'batch', 'batches')} did not decide"
        among = f" among the {len(answer.selection.standings)} best of the search" if answer.searched else ""
        return name, f"the best with at least {share} probability{among}"
    keeps = " and ".join(constraint.text for constraint in answer.aim.constraints) or "a value"
    if nearest is None:
        return "No setting has a value.", ""
    if not answer.selection.sure:
        return f"No setting keeps {keeps} so far; {plural(answer.rules.most, 'batch', 'batches')} did not decide.", ""
    tried = " that was tried" if answer.searched else ""
    return f"No setting{tried} keeps {keeps}.", ""


def _nearest(answer: Answer) -> list[Block]:
    """The setting that breaks its constraints least, and by how much it breaks the worst of them."""
    nearest = answer.nearest
    if nearest is None or not answer.aim.constraints:
        return []
    scales = answer.aim.scales
    number = max(range(len(scales)), key=lambda at: nearest.excesses[at].mean / scales[at])
    over = percent(_worst(nearest.excesses, scales))
    value = f"{_left(answer.aim.constraints[number])} {nearest.measured[number]}"
    return [Notes("Nearest", [f"{_name(answer, nearest)}: {value}, {over} off the bound"])]


def _separation(answer: Answer) -> list[Block]:
    """What the chosen setting is next to: the runner-up, and the cheaper one that breaks a constraint."""
    chosen, other, difference, broken = answer.chosen, answer.runner_up, answer.difference, answer.refused_nearest
    if chosen is None:
        return _nearest(answer)
    blocks: list[Block] = []
    if other is None or difference is None:
        dearer = sum(each.standing is Standing.DEARER and not each.costs for each in answer.candidates)
        left = f"; {plural(dearer, 'setting')} that cost more were not simulated" if dearer else ""
        blocks.append(Notes("Runner-up", [f"no other setting keeps the constraints{left}"]))
    else:
        blocks.append(
            Notes("Runner-up", [f"{_name(answer, other)}: it costs {_more(difference)}; {_state(answer, other)}"])
        )
    if broken is None:
        blocks.append(Notes("Binds", ["no constraint: no cheaper setting breaks one"] * bool(answer.aim.constraints)))
        return blocks
    where = [at for at, excess in enumerate(broken.excesses) if excess.mean > 0] or [0]
    lines = [
        f"{answer.aim.constraints[at].text}: {_name(answer, broken)}, of cost {_cost(broken.cost)}, has "
        f"{broken.measured[at]}"
        for at in where
    ]
    return [*blocks, Notes("Binds", lines)]


def _more(difference: Estimate) -> str:
    if _exact(difference):
        return f"{count(difference.mean)} more" if difference.mean else "the same"
    if difference.low > 0:
        return f"{difference} more"
    return f"{difference} more, which may be noise"


def _exact(value: Estimate) -> bool:
    """Whether a cost has no noise, as it is of knobs alone."""
    return not value.half_width > 1e-9 * abs(value.mean)


def _cost(value: Estimate) -> str:
    return count(float(f"{value.mean:.9g}")) if _exact(value) else str(value)


def _costs(values: Sequence[Estimate | str]) -> list[str]:
    known = [value for value in values if isinstance(value, Estimate)]
    if all(map(_exact, known)):
        return [_cost(value) if isinstance(value, Estimate) else value for value in values]
    return estimates(values)


def _state(answer: Answer, candidate: Candidate) -> str:
    values = [
        f"{_left(constraint)} {measured}"
        for constraint, measured in zip(answer.aim.constraints, candidate.measured, strict=True)
    ]
    return ", ".join(values) or "there are no constraints"


def _left(constraint: Constraint) -> str:
    return constraint.text.partition(constraint.comparison)[0].strip()


_CONSTRAINTS = """
    constraint
    value          | ±each   | value here
    bound          | 3
    margin_percent | 2       | margin | %
    state          | verdict
"""


def _constraints(answer: Answer, chosen: Candidate) -> Table[Any]:
    rows = [
        {
            "constraint": constraint.text, "value": measured, "bound": constraint.bound, "state": _met(excess),
            "margin_percent": -100 * excess.mean / abs(constraint.bound),
        }
        for constraint, measured, excess in zip(
            answer.aim.constraints, chosen.measured, chosen.excesses, strict=True
        )
    ]  # fmt: skip
    return Table(columns(_CONSTRAINTS), rows, legend="± is simulation noise (95 %).")


def _readings(answer: Answer) -> list[Block]:
    """The chosen setting under each reading that a fit left: ranges of cost and constraints, and where one breaks."""
    if not answer.readings and answer.doubt:
        return [Notes("Readings", [answer.doubt])]
    if not answer.readings:
        return []
    found = list(answer.readings.items())
    constraints = answer.aim.constraints
    shown = [
        Column("reading", "reading", lambda row: _NAMED.get(row[0], row[0])),
        *_measured(answer, lambda row: row[1]),
    ]
    said = [f"cost {_span([each.cost.mean for _, each in found])}"]
    for number, constraint in enumerate(constraints):
        broken = sum(not each.excesses[number].low <= 0 for _, each in found)
        values = f"{_left(constraint)} {_span([each.measured[number].mean for _, each in found])}"
        said.append(f"{values}, {constraint.text} broken under {broken}")
    over = f"Over the {plural(len(found), 'reading')} of the fit: {'; '.join(said)}."
    return [Paragraph(over), Table(shown, found, legend="The setting under each load that reproduces the evidence.")]


def _span(values: Sequence[float]) -> str:
    return f"{significant(min(values))} to {significant(max(values))}"


def _met(excess: Estimate) -> str:
    if excess.high <= 0:
        return "met"
    return "within the tolerance of its bound" if excess.low <= 0 else "broken"


def _measured(answer: Answer, of: Callable[[Any], Candidate]) -> list[Column[Any]]:
    """Columns of cost and constraints; `of` is the candidate of a row."""
    columns: list[Column[Any]] = [Column("cost", "cost", lambda row: _known(of(row).cost), form=_costs)]
    for at, constraint in enumerate(answer.aim.constraints):
        value = partial(lambda row, at: _known(of(row).measured[at]), at=at)
        columns.append(Column(f"constraint_{at + 1}", _left(constraint), value, _unit(constraint), estimates))
    return columns


def _table(answer: Answer) -> Table[Any]:
    rows = _ordered(answer)
    first = set(map(id, rows[:PRINTED]))
    shown: list[Column[Any]] = [
        Column(
            axis.key, axis.key, lambda row, at=at: row.values[at], axis.unit,  # type: ignore[misc]
            lambda values: [value if isinstance(value, str) else count(value) for value in values],
        )
        for at, axis in enumerate(answer.axes)
    ]  # fmt: skip
    shown += columns("batches | right", (), {"batches": lambda row: str(len(row.costs))})
    shown += [*_measured(answer, lambda row: row), Column("standing", "standing", _standing)]
    legend = "± is simulation noise (95 %); all settings of a batch have the same random numbers."
    other = answer.runner_up
    return Table(
        shown, rows[:LISTED], legend=legend, brief=lambda row: id(row) in first,
        marks=lambda row: ["chosen"] if row is answer.chosen else ["runner-up"] if row is other else [],
    )  # fmt: skip


def _ordered(answer: Answer) -> list[Candidate]:
    """The settings by what became of them, then by cost."""
    return sorted(answer.candidates, key=lambda each: (_SHOWN[each.standing], each.cost.mean))


def _known(value: Estimate) -> Estimate | str:
    return value if math.isfinite(value.mean) else "-"


def _standing(row: Candidate) -> Cell:
    tone: dict[Standing, Any] = {Standing.CHOSEN: "good", Standing.BROKEN: "bad", Standing.FAILED: "bad"}
    return Cell(row.standing.value, tone.get(row.standing, ""), row.reason)


def _unit(constraint: Constraint) -> str:
    tree = constraint.expression
    return tree.unit if isinstance(tree, Counter) else ""


def _procedure(answer: Answer) -> list[str]:
    rules = answer.rules
    lines = []
    if answer.searched:
        tried = len(answer.candidates)
        lines.append(
            f"Optuna's TPE sampler tried {plural(tried, 'setting')}; the {len(answer.selection.standings)} best were "
            "compared anew, with other random numbers. A setting that was not tried may be better."
        )
    if answer.aim.is_measured:
        lines.append(f"{FIRST} batches of each setting first, then more of those that are not decided.")
    else:
        lines.append(
            "Settings in the order of their costs; those that cost more than one that holds are not simulated."
        )
    lines.append(
        "Tests by Student's t, with common random numbers; the error is split among settings, constraints and looks "
        f"(Bonferroni; Healey, Andradóttir and Kim 2014). At most {plural(rules.most, 'batch', 'batches')} of a "
        "setting."
    )
    if answer.aim.is_measured:
        zone = significant(answer.selection.indifference)
        whence = "" if rules.indifference is not None else " (1 % of the least cost in the first batches)"
        lines.append(f"Costs that differ by less than {zone}{whence} count as equal.")
    for constraint, scale in zip(answer.aim.constraints, answer.aim.scales, strict=True):
        room = significant(rules.tolerance * scale)
        lines.append(f"{constraint.text}: values within {room} of the bound may count as either.")
    return lines


def _figures(answer: Answer, known: Sequence[Candidate]) -> list[Block]:
    """A surface for each constraint with its limit drawn in, then cost against it with the Pareto front."""
    import polars as pl

    if not known:
        return []
    names = [_name(answer, each) for each in known]
    kinds: dict[str, Any] = {"whole": pl.Int64(), "number": pl.Float64(), "text": pl.String()}
    frame = pl.DataFrame({"id": names}).with_columns(
        pl.Series(axis.key, [each.values[at] for each in known], dtype=kinds[axis.kind])
        for at, axis in enumerate(answer.axes)
    )
    shown = [
        Measured(
            f"constraint_{at + 1}", _label(constraint),
            dict(zip(names, (each.measured[at] for each in known), strict=True)), constraint.bound,
        )
        for at, constraint in enumerate(answer.aim.constraints)
    ]  # fmt: skip
    shown.append(Measured("cost", "cost", dict(zip(names, (each.cost for each in known), strict=True))))
    figures: list[Block] = [*surfaces(answer.axes, frame, shown)]
    figures += [_against(answer, known, number) for number in range(len(answer.aim.constraints))]
    return figures


def _label(constraint: Constraint) -> str:
    unit = _unit(constraint)
    return f"{_left(constraint)}, {unit}" if unit else _left(constraint)


def _against(answer: Answer, known: Sequence[Candidate], number: int) -> Figure:
    """Cost across, a constraint's value up: settings that keep all constraints, the others, and the Pareto front."""
    constraint = answer.aim.constraints[number]
    front = _pareto([(each.cost.mean, each.excesses[number].mean) for each in known])
    on_front = sorted((known[at] for at in front), key=lambda each: each.cost.mean)
    series = [
        Series(
            [each.cost.mean for each in on_front], [each.measured[number].mean for each in on_front],
            label="Pareto front", kind="steps", look=Look(3), opens=[_name(answer, each) for each in on_front],
        )
    ]  # fmt: skip
    chosen = [each for each in known if each is answer.chosen]
    kept = [each for each in known if each.seems_feasible and each is not answer.chosen]
    lost = [each for each in known if not each.seems_feasible]
    for label, some, look in (
        ("keeps the constraints", kept, Look(1, filled=False, shape="circle")),
        ("breaks a constraint", lost, Look(2, filled=False, shape="diamond")),
        ("chosen", chosen, Look(0, shape="square")),
    ):
        if some:
            series.append(
                Series(
                    [each.cost.mean for each in some], [each.measured[number].mean for each in some],
                    [each.measured[number].half_width for each in some], label, "points",
                    x_half_width=[each.cost.half_width for each in some], look=look,
                    tips=[_tip(answer, each, number) for each in some],
                    opens=[_name(answer, each) for each in some],
                )
            )  # fmt: skip
    costs = [each.cost.mean for each in known]
    series += limit_line(min(costs), max(costs), constraint.bound)
    label = _label(constraint)
    best = f"; {_name(answer, chosen[0])} is chosen" if chosen else ""
    alternative = (
        f"{label} over cost of {plural(len(known), 'setting')}: "
        f"{plural(len(kept) + len(chosen), 'keeps', 'keep')} the constraints, "
        f"{plural(len(lost), 'does', 'do')} not, {plural(len(front), 'is', 'are')} on the Pareto front{best}."
    )
    caption = "No setting is both cheaper and farther inside the constraint than one on the Pareto front."
    return Figure([Panel(label, series)], "cost", caption, title="Cost against constraint", alternative=alternative)


def _tip(answer: Answer, candidate: Candidate, number: int) -> str:
    left = _left(answer.aim.constraints[number])
    return f"{_name(answer, candidate)}\ncost {_cost(candidate.cost)}\n{left} {candidate.measured[number]}"


def _pareto(points: Sequence[tuple[float, float]]) -> list[int]:
    """The places of the points than which no other is less both ways.

    >>> _pareto([(1, 5), (2, 3), (3, 4), (4, 1)])
    [0, 1, 3]
    """
    front, least = [], math.inf
    for at in sorted(range(len(points)), key=lambda place: points[place]):
        if points[at][1] < least:
            front.append(at)
            least = points[at][1]
    return front

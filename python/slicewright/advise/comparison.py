"""The engine of questions that compare variants of one scenario: pilot, plan, simulations, answer, explanation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar

from slicewright._core import InputError, Scenario
from slicewright.advise.answer import Answer, Case, Explanation, Named, Request
from slicewright.advise.assumptions import settings_of, without_effect
from slicewright.advise.constants import Constant
from slicewright.advise.options import AdviceOptions, growth_factor
from slicewright.advise.source import doubts, grown, is_scenario
from slicewright.advise.target import parse_target
from slicewright.advise.whole_machine import SLOWER_PERCENT, harm, machine_at, own_parts
from slicewright.experiment.outcome import Outcome, Table
from slicewright.experiment.plan import Plan
from slicewright.experiment.simulations import SEED, Simulations
from slicewright.experiment.store import warm_up_of
from slicewright.results.busiest import Change
from slicewright.scenario.view import View
from slicewright.values.errors import Problem, problem, refusal
from slicewright.values.progress import Progress, piece, silent, waiting

S = TypeVar("S", bound=Named)
V = TypeVar("V")
E = TypeVar("E")
O = TypeVar("O", bound=Outcome)  # noqa: E741


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a comparison: columns that a target may name, knobs in percent, an example key for `--assume`.

    `at` reads a requested setting, or adds a problem.
    """

    at: Callable[[str, list[Problem]], Any | None]
    targets: Sequence[str]
    knobs: Mapping[str, float]
    example: str


@dataclass(frozen=True, slots=True)
class Comparison(Generic[S, V, O, E]):
    """A question about one scenario: its subjects, their variants, the measurements and the choice."""

    options: Options
    pages: tuple[str, str]
    """Why a page that is no scenario says too little, and which files are allowed."""
    subjects: Callable[[View], Sequence[S]]
    """The subjects that can be asked about, in the order of the scenario."""
    refusals: Callable[[View, str, Request], list[Problem]]
    """Why a scenario (its view and its file) cannot be asked; none where it can."""
    heading: Callable[[str, S, S], str]
    """What was read: the file, the subject in it, and the subject with growth."""
    now: Callable[[S], V]
    asked: Callable[[S, Request], Sequence[V]]
    changes: Callable[[S, V], Sequence[str]]
    """The `--set` changes of a variant."""
    measured: Callable[[S, Scenario, Mapping[str, Table]], O]
    pilot: Callable[[S], Plan]
    plan: Callable[[O, Case[S, V], Plan], tuple[Plan, bool]]
    """The plan, from a pilot and the scenario's own plan; and whether a point is dear."""
    constants: Callable[[Scenario, S], tuple[Constant, ...]]
    explore: Callable[[Case[S, V], Simulations[V, O]], Answer[S, V, E]]
    """Simulate what is worth it, and choose."""
    explain: Callable[[Answer[S, V, E]], Explanation]
    words: Callable[[V], str] = str
    """A variant, as a sentence names it after "with"."""
    settles_s: float = 0.0
    """Warm-up at least, where the scenario does not say."""

    def check(self, options: AdviceOptions) -> Request:
        """The options checked; raises InputError with every problem in them."""
        own = self.options
        problems: list[Problem] = []
        at = tuple(found for text in options.at if (found := own.at(str(text), problems)) is not None)
        growth = growth_factor(options.growth, problems)
        target = parse_target(options.target, problems, own.targets) if options.target is not None else None
        knobs = dict(own.knobs)
        changes = settings_of(options.assume, knobs, own.example, problems)
        if problems:
            raise refusal(*problems)
        return Request(at, growth, target, changes, knobs)

    def request(self, **given: Any) -> Request:
        """A request with the usual knobs."""
        return Request(**{"knobs": dict(self.options.knobs), **given})

    def answer(
        self, files: Sequence[tuple[str, bytes]], request: Request, progress: Progress = silent
    ) -> list[Answer[S, V, E]]:
        """An answer per subject of one scenario (its name and content); raises InputError for anything else."""
        file, data = one_scenario(files, *self.pages)
        scenario = read_assumed(data, file, request.changes)
        _refuse_idle(scenario, data, file, request.changes)
        wrong = self.refusals(scenario.view, file, request)
        if wrong:
            raise refusal(*wrong)
        source = _grown_source(scenario, file, request.growth)
        pairs = zip(self.subjects(scenario.view), self.subjects(source.scenario.view), strict=True)
        cases = [
            replace(
                self.case(source.scenario, subject, request), file=file, heading=self.heading(file, read, subject),
                constants=self.constants(source.scenario, subject), grown=source.grown,
            )
            for read, subject in pairs
        ]  # fmt: skip
        return [self._answer(case, piece(progress, at, len(cases))) for at, case in enumerate(cases)]

    def case(self, scenario: Scenario, subject: S, request: Request | None = None) -> Case[S, V]:
        """A subject with what is asked of it; without its constants, so that there is one reading."""
        request = request or self.request()
        return Case("", "", scenario, subject, self.now(subject), tuple(self.asked(subject, request)), request)

    def simulations(self, scenario: Scenario, subject: S, plan: Plan) -> Simulations[V, O]:
        """Simulations of any variant of a subject."""
        return Simulations(scenario, partial(self.changes, subject), partial(self.measured, subject), plan)

    def _answer(self, case: Case[S, V], progress: Progress) -> Answer[S, V, E]:
        pilot = self.simulations(case.scenario, case.subject, self.pilot(case.subject))
        for variant in case.asked:
            pilot.scenario_of(variant)
        seen, measure = pilot.at(case.now), case.scenario.view.measure
        warm_up = warm_up_of(case.scenario, SEED, waiting(progress))[0]
        if measure.warm_up_s is None:
            warm_up = max(self.settles_s, warm_up)
        plan, dear = self.plan(seen, case, Plan(measure.measured_s, warm_up, measure.replications))
        simulations = replace(pilot, plan=plan, dear=dear, progress=progress, seen={})
        answer = self._judged(self.explore(case, simulations), simulations)
        progress(1.0)
        said = self.explain(answer)
        assert answer.machine is not None
        assert answer.chose is not None
        facts = (*said.facts, *answer.machine.told(self.words(answer.chose), SLOWER_PERCENT))
        caveats = (*said.caveats, *doubts(case.scenario))
        return replace(answer, explanation=replace(said, facts=facts, caveats=caveats))

    def _judged(self, answer: Answer[S, V, E], simulations: Simulations[V, O]) -> Answer[S, V, E]:
        """The answer with the whole machine; nothing is recommended for which others would pay."""
        chosen = answer.now if answer.recommendation is None else answer.recommendation
        now = machine_at(simulations.scenario_of(answer.now))
        then = now if chosen == answer.now else machine_at(simulations.scenario_of(chosen))
        change = Change(now, then)
        answer = replace(answer, machine=change, chose=chosen)
        where = harm(change, own_parts(simulations.scenario.view, answer.subject.name))
        if not where:
            return answer
        return replace(answer, recommendation=None, reason=f"{self.words(chosen)} would {where}")


@dataclass(frozen=True, slots=True)
class _Source:
    """A scenario with its assumptions, and its file; `grown` has the counts after growth."""

    scenario: Scenario
    file: str
    grown: tuple[str, ...] = ()


def one_scenario(files: Sequence[tuple[str, bytes]], why: str, allowed: str) -> tuple[str, bytes]:
    """The one scenario of these files (name, content); raises InputError for pages, which say too little, and for two.

    >>> one_scenario([("a.txt", b"FCX108")], "it does not say", "one scenario")
    Traceback (most recent call last):
    _core.InputError: ...
    """
    pages = [name for name, data in files if not is_scenario(name, data)]
    if pages:
        raise refusal(*(problem("no scenario", file=name, why=why, allowed=allowed) for name in pages))
    if len(files) > 1:
        raise refusal(problem("a second scenario", file=files[1][0], allowed=allowed))
    return files[0]


def read_assumed(data: bytes, file: str, changes: Sequence[str]) -> Scenario:
    """The scenario with its assumptions; a problem in one names the option that gave it.

    >>> from slicewright._core import starter
    >>> read_assumed(starter("zvm").encode(), "zvm.toml", ["cec.processors=9"]).name
    'A z/VM partition'
    """
    try:
        return Scenario.read(data, file, list(changes))
    except InputError as error:
        renamed = [
            {**problem, "file": "--assume"} if problem["file"] == "--set" else problem for problem in error.problems
        ]
        raise refusal(*renamed) from None


def _refuse_idle(scenario: Scenario, data: bytes, file: str, changes: Sequence[str]) -> None:
    """Refuse assumptions without which the scenario would be the same; raises InputError.

    >>> from slicewright._core import starter
    >>> data = starter("zvm").encode()
    >>> _refuse_idle(read_assumed(data, "a.toml", ["cec.processors=8"]), data, "a.toml", ["cec.processors=8"])
    Traceback (most recent call last):
    _core.InputError: ...
    """
    problems = []
    for at, change in enumerate(changes):
        others = [*changes[:at], *changes[at + 1 :]]
        try:
            same = Scenario.read(data, file, others).view == scenario.view
        except InputError:  # without it the scenario is wrong, so it changes something
            continue
        if same:
            problems.append(without_effect(change, "the scenario has this value already", file))
    if problems:
        raise refusal(*problems)


def _grown_source(scenario: Scenario, file: str, factor: float) -> _Source:
    """The scenario of a file with the demand times `factor`; raises InputError beyond what the language takes.

    >>> from slicewright.scenario.starters import read_starter
    >>> _grown_source(read_starter("zvm"), "zvm.toml", 1.5).grown
    ('SERVER 4 -> 6', 'CMS 50 -> 75')
    """
    more = grown(scenario, factor)
    if factor == 1:
        return _Source(more, file)
    kinds = zip(scenario.view.virtual_machines, more.view.virtual_machines, strict=True)
    return _Source(more, file, tuple(f"{before.name} {before.count} -> {after.count}" for before, after in kinds))

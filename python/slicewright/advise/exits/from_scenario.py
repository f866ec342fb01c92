"""Answers about exits from a scenario: one for each partition whose guests enqueue."""

from __future__ import annotations

from dataclasses import replace

from slicewright.advise.exits.answer import ExitAnswer
from slicewright.advise.exits.build import build
from slicewright.advise.exits.constants import constants, variations
from slicewright.advise.exits.laboratory import Laboratory, pilot_plan, plan_of
from slicewright.advise.exits.question import ExitQuestion
from slicewright.advise.exits.structures import parse
from slicewright.advise.exits.words import heading, say
from slicewright.advise.progress import Progress, piece, silent, waiting
from slicewright.advise.scenario_text import Plan
from slicewright.advise.simulation import SEED
from slicewright.advise.source import Source, doubts, grown_source, read_assumed, recorded
from slicewright.errors import Problem, problem, refusal
from slicewright.scenario.view import View

COMPARED = "structures are compared over a time of their own; a recording has one time"
"""Why recorded arrivals are refused."""


def answer_scenario(data: bytes, file: str, question: ExitQuestion, progress: Progress = silent) -> list[ExitAnswer]:
    """An answer per partition whose guests enqueue, the others as they are; raises InputError without any.

    >>> from slicewright._core import starter
    >>> answer_scenario(starter("zvm").encode(), "zvm.toml", ExitQuestion())
    Traceback (most recent call last):
    _core.InputError: ...
    """
    scenario = read_assumed(data, file, question.changes)
    found = enqueuing(scenario.view)
    wrong = recorded(scenario.view, file, COMPARED) if found else [_nothing_to_ask(file)]
    if wrong:
        raise refusal(*wrong)
    source = grown_source(scenario, file, question.growth)
    return [_answer(source, name, question, piece(progress, at, len(found))) for at, name in enumerate(found)]


def enqueuing(view: View) -> list[str]:
    """The partitions whose guests enqueue, in the order of the file.

    >>> from slicewright.advise.exits.example import scenario
    >>> enqueuing(scenario().view)
    ['MVS']
    """
    own = {guest.partition for guest in view.guests if any(step.enq for step in guest.every_step)}
    return [partition.name for partition in view.partitions if partition.name in own]


def _answer(source: Source, name: str, question: ExitQuestion, progress: Progress) -> ExitAnswer:
    scenario, view = source.scenario, source.scenario.view
    service = view.serialization
    assert service is not None, "guests that enqueue have a service"
    now = parse(service.exits)
    assert now is not None, "every word of the language is one of the structures"
    pilot = Laboratory(source, name, pilot_plan()).at(now)
    warm_up = scenario.warm_up(SEED, waiting(progress))[0]
    plan = plan_of(pilot, Plan(view.measure.measured_s, warm_up, view.measure.replications))
    known = constants(scenario)
    others = variations(known, service.cost.relock_s)
    built = build(Laboratory(source, name, plan), now, question, others, progress)
    answer = ExitAnswer(
        source.file, heading(source.file, name, view), name, view.partition(name).logical_processors, now, built.chosen,
        built.reason, built.alike, built.points, built.readings, known, plan.replications, plan.warm_up_s,
        plan.interval_s, question.least_percent, question.growth, source.grown,
        asked=question.at, target=question.target, meets=built.meets,
    )  # fmt: skip
    answer = say(answer, view)
    return replace(answer, caveats=(*answer.caveats, *doubts(scenario)))


def _nothing_to_ask(file: str) -> Problem:
    why = "exits cost where somebody asks for something"
    allowed = '[serialization], [[enqueue]], and { enq = "NAME", do = [...] } in the program of a partition\'s guest'
    return problem("no ENQ to advise on", file=file, key="enqueue", why=why, allowed=allowed)

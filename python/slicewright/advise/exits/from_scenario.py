"""Answers about exits from a scenario: one for each partition whose guests enqueue.

It leaves out judging the scenario: `explain` says where its numbers are from.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from slicewright._core import Scenario
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
from slicewright.advise.source import Source, doubts, grown_source, read_assumed
from slicewright.problems import Problem, problem, refusal


def answer_scenario(data: bytes, file: str, question: ExitQuestion, progress: Progress = silent) -> list[ExitAnswer]:
    """An answer per partition whose guests enqueue, the others as they are; raises InputError without any.

    >>> from slicewright._core import starter
    >>> answer_scenario(starter("zvm").encode(), "zvm.toml", ExitQuestion())
    Traceback (most recent call last):
    _core.InputError: ...
    """
    scenario = read_assumed(data, file, question.changes)
    world = tomllib.loads(scenario.resolved)
    wrong = _nothing_to_ask(world, file)
    if wrong:
        raise refusal(*wrong)
    source = grown_source(data, file, question.changes, question.growth)
    found = enqueuing(world)
    return [_answer(source, name, question, piece(progress, at, len(found))) for at, name in enumerate(found)]


def enqueuing(world: Mapping[str, Any]) -> list[str]:
    """The partitions whose guests enqueue, in the order of the file.

    >>> enqueuing({"partition": [{"name": "A"}], "guest": [{"partition": "A", "program": [{"enq": "R", "do": []}]}]})
    ['A']
    """
    own = {one.get("partition") for one in world.get("guest", []) if _enqueues(one["program"])}
    return [one["name"] for one in world.get("partition", []) if one["name"] in own]


def _answer(source: Source, name: str, question: ExitQuestion, progress: Progress) -> ExitAnswer:
    scenario = Scenario.read(source.data, source.file, source.changes)
    world = tomllib.loads(scenario.resolved)
    service, partition = world["serialization"], next(one for one in world["partition"] if one["name"] == name)
    now = parse(service["exits"])
    assert now is not None, "every word of the language is one of the structures"
    pilot = Laboratory(source, name, pilot_plan()).at(now)
    measure = scenario.measure
    declared = measure["warm_up_s"]
    warm_up = declared if declared is not None else scenario.warm_up(SEED, waiting(progress))[0]
    own = Plan(measure["interval_s"] * measure["intervals"], warm_up, measure["replications"])
    plan = plan_of(pilot, own)
    known = constants(scenario)
    built = build(Laboratory(source, name, plan), now, question, variations(known, service.get("cost", {})), progress)
    answer = ExitAnswer(
        source.file, heading(source.file, name, world), name, int(partition["logical_processors"]), now, built.chosen,
        built.reason, built.alike, built.points, built.readings, known, plan.replications, plan.warm_up_s,
        plan.interval_s, question.least_percent, question.growth, source.grown,
        asked=question.at, target=question.target, meets=built.meets,
    )  # fmt: skip
    told = say(answer, world)
    return replace(told, caveats=(*told.caveats, *doubts(scenario)))


def _nothing_to_ask(world: Mapping[str, Any], file: str) -> list[Problem]:
    """Without a partition whose guests enqueue; with recordings."""
    if not enqueuing(world):
        why = "exits cost where somebody asks for something"
        allowed = (
            '[serialization], [[enqueue]], and { enq = "NAME", do = [...] } in the program of a partition\'s guest'
        )
        return [problem("no ENQ to advise on", file=file, key="enqueue", why=why, allowed=allowed)]
    why = "structures are compared over a time of their own; a recording has one time"
    return [
        problem("recorded arrivals cannot be advised on", file=file, key=f"guest {one['name']}: replay", why=why,
                allowed="count = a number of guests, arrivals = a rate")
        for one in world.get("guest", []) if "replay" in one
    ]  # fmt: skip


def _enqueues(value: Any) -> bool:
    """Whether a program asks for a resource, steps within steps too."""
    if isinstance(value, dict):
        return "enq" in value or any(_enqueues(one) for one in value.values())
    return isinstance(value, Sequence) and not isinstance(value, str) and any(_enqueues(one) for one in value)

"""Answers about yields from a scenario: one for each partition whose guests have spin locks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from slicewright.advise.progress import Progress, piece, silent, waiting
from slicewright.advise.scenario_text import Plan
from slicewright.advise.simulation import SEED
from slicewright.advise.source import Source, doubts, grown_source, read_assumed, recorded
from slicewright.advise.yields.answer import YieldAnswer
from slicewright.advise.yields.build import build
from slicewright.advise.yields.constants import constants, variations
from slicewright.advise.yields.laboratory import SETTLES_S, Laboratory, pilot_plan, plan_of
from slicewright.advise.yields.locked import Locked, locked
from slicewright.advise.yields.question import YieldQuestion
from slicewright.advise.yields.words import heading, reason, say
from slicewright.advise.yields.yielding import wanted
from slicewright.errors import Problem, nearest, problem, refusal
from slicewright.scenario.view import View


def answer_scenario(data: bytes, file: str, question: YieldQuestion, progress: Progress = silent) -> list[YieldAnswer]:
    """An answer per control program with spin locks, the other partitions as they are; raises InputError without any.

    >>> from slicewright._core import starter
    >>> answer_scenario(starter("zvm").encode(), "zvm.toml", YieldQuestion())
    Traceback (most recent call last):
    _core.InputError: ...
    """
    scenario = read_assumed(data, file, question.changes)
    partitions = locked(scenario.view)
    wrong = _nothing_to_ask(partitions, scenario.view, file) or _unknown(partitions, question)
    if wrong:
        raise refusal(*wrong)
    source = grown_source(scenario, file, question.growth)
    pieces = [piece(progress, at, len(partitions)) for at in range(len(partitions))]
    return [_answer(source, partition.name, question, own) for partition, own in zip(partitions, pieces, strict=True)]


def _answer(source: Source, name: str, question: YieldQuestion, progress: Progress) -> YieldAnswer:
    scenario, measure = source.scenario, source.scenario.view.measure
    partition = next(one for one in locked(scenario.view) if one.name == name)
    pilot = Laboratory(source, partition, pilot_plan()).at(partition.now)
    declared = measure.warm_up_s
    warm_up = declared if declared is not None else max(SETTLES_S, scenario.warm_up(SEED, waiting(progress))[0])
    own = Plan(measure.measured_s, warm_up, measure.replications)
    plan, dear = plan_of(pilot, partition, own)
    known = constants(scenario, partition)
    built = build(Laboratory(source, partition, plan, dear), question, variations(known), progress)
    answer = YieldAnswer(
        source.file, heading(source.file, partition), partition, built.chosen, "", built.alike, built.base,
        built.compared, built.rows, built.readings, known, plan.replications, plan.warm_up_s, plan.interval_s,
        least_percent=question.least_percent, skipped=built.skipped, growth=question.growth, grown=source.grown,
        asked=built.asked, asked_processors=built.asked_processors, target=built.target,
    )  # fmt: skip
    others = {one.yielding for one in answer.here.points} - {built.chosen}
    if built.chosen == partition.now and others <= set(built.alike):
        answer = replace(answer, recommendation=None, reason=reason(answer))
    said = say(answer, bool(scenario.view.changes))
    return replace(
        answer, facts=said.facts, open=said.open, caveats=(*said.caveats, *doubts(scenario)), needed=said.needed
    )


def _nothing_to_ask(partitions: Sequence[Locked], view: View, file: str) -> list[Problem]:
    """Without a control program, without spin locks in one, without somebody who takes them."""
    if not view.controlled:
        why = "a yield tells a control program what to run instead"
        allowed = "a [[partition]] with control_program = { }, [[virtual_machine]] and [[spin_lock]] in it"
        return [problem("no control program to advise on", file=file, key="partition", why=why, allowed=allowed)]
    if not partitions:
        why = "who never spins for a lock has no reason to yield"
        allowed = '[[spin_lock]] with virtual_machine = "NAME", and { lock = "NAME", steps = [...] } in a program'
        return [problem("no spin lock to advise on", file=file, key="spin_lock", why=why, allowed=allowed)]
    own = [guest for one in partitions for guest in one.controlled.guests]
    found = []
    for one in partitions:
        taken = {step.lock for guest in view.guests if guest.name in own for step in guest.every_step}
        if not taken & {lock for kind in one.kinds for lock in kind.locks}:
            what = f"no program takes a spin lock of partition {one.name}"
            allowed = '{ lock = "NAME", steps = [...] } in the program of a guest'
            found.append(problem(what, file=file, key="guest", why="nobody would spin for it", allowed=allowed))
    return found + recorded(view, file, "yields are compared over a time of their own; a recording has one time")


def _unknown(partitions: Sequence[Locked], question: YieldQuestion) -> list[Problem]:
    """Kinds of virtual machines that are asked for and have no spin locks."""
    found = []
    for asked in question.at:
        for one in partitions:
            try:
                wanted(one.now, asked)
            except KeyError as error:
                kind = str(error.args[0])
                near, allowed = nearest(kind, one.names), ", ".join(one.names)
                what = f"no virtual machine with spin locks in {one.name}: {kind}"
                found.append(problem(what, key="at", allowed=allowed, nearest=near))
    return found

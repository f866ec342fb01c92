"""Answers about polarization from a scenario: one for each partition that has a control program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from slicewright.advise.constants import constants, variations
from slicewright.advise.controlled import Controlled, controlled
from slicewright.advise.polarization.answer import PolarizationAnswer
from slicewright.advise.polarization.build import Built, build
from slicewright.advise.polarization.gate import gate_of
from slicewright.advise.polarization.laboratory import Laboratory, pilot_plan, plan_of
from slicewright.advise.polarization.question import PolarizationQuestion
from slicewright.advise.polarization.setting import wanted
from slicewright.advise.polarization.words import heading, reason, say
from slicewright.advise.progress import Progress, piece, silent, waiting
from slicewright.advise.scenario_text import Plan
from slicewright.advise.simulation import SEED
from slicewright.advise.source import Source, doubts, grown_source, read_assumed, recorded
from slicewright.errors import Problem, problem, refusal
from slicewright.statistics import estimate

COMPARED = "settings are compared over a time of their own; a recording has one time"
"""Why recorded arrivals are refused."""


def answer_scenario(
    data: bytes, file: str, question: PolarizationQuestion, progress: Progress = silent
) -> list[PolarizationAnswer]:
    """An answer per control program, the other partitions as they are; raises InputError where there is none.

    >>> from slicewright._core import starter
    >>> answer_scenario(starter("mm1").encode(), "mm1.toml", PolarizationQuestion())
    Traceback (most recent call last):
    _core.InputError: ...
    """
    scenario = read_assumed(data, file, question.changes)
    partitions = controlled(scenario.view)
    wrong = _nothing_to_ask(partitions, file) + recorded(scenario.view, file, COMPARED)
    if wrong:
        raise refusal(*wrong)
    source = grown_source(scenario, file, question.growth)
    pieces = [piece(progress, at, len(partitions)) for at in range(len(partitions))]
    return [_answer(source, partition, question, own) for partition, own in zip(partitions, pieces, strict=True)]


def _answer(
    source: Source, partition: Controlled, question: PolarizationQuestion, progress: Progress
) -> PolarizationAnswer:
    now = partition.now
    lab = Laboratory(source, partition, pilot_plan(partition.controller))
    for one in question.at:
        lab.scenario(wanted(now, one))
    pilot = lab.at(now)
    scenario, measure = source.scenario, source.scenario.view.measure
    warm_up = scenario.warm_up(SEED, waiting(progress))[0]
    own = Plan(measure.measured_s, warm_up, measure.replications)
    small = any(dict(one).get("unparking") == "small" for one in question.at)
    plan, dear = plan_of(pilot, partition, own, small or now.unparking == "small")
    lab = Laboratory(source, partition, plan, dear)
    known = constants(scenario, partition)
    built = build(lab, question, variations(known), progress)
    here = lab.at(now)
    others = {one.words(): lab.at(one) for one in built.polarities if one != now}
    runnable = (here.columns["ready"] + here.columns["guests_percent"] / 100) / now.processors
    answer = PolarizationAnswer(
        source.file, heading(source.file, partition), partition,
        built.recommended, "", built.points, gate_of(others, here, partition),
        estimate(runnable.tolist()), built.parking, built.readings, known,
        lab.plan.replications, lab.plan.warm_up_s, lab.plan.interval_s,
        fewest=built.recommended.fewest, growth=question.growth, grown=source.grown,
        asked=built.asked, target=built.target,
    )  # fmt: skip
    if _indifferent(built, partition):
        answer = replace(answer, recommendation=None, reason=reason(answer, question.loss_percent))
    said = say(answer, bool(scenario.view.changes))
    return replace(
        answer, facts=said.facts, open=said.open, caveats=(*said.caveats, *doubts(scenario)), needed=said.needed
    )


def _indifferent(built: Built, partition: Controlled) -> bool:
    """Whether nothing differs from now, and nobody gains from other numbers of processors either."""
    return not built.differs and built.recommended.setting.key == partition.now.key


def _nothing_to_ask(partitions: Sequence[Controlled], file: str) -> list[Problem]:
    if not partitions:
        why = "polarization is how a control program uses the logical processors of its partition"
        allowed = "a [[partition]] with control_program = { }, and [[virtual_machine]] in it; slicewright new zvm"
        return [problem("no control program to advise on", file=file, key="partition", why=why, allowed=allowed)]
    empty = [one for one in partitions if not one.guests]
    why = "with nobody to dispatch all settings are alike"
    return [
        problem(f"no guest in partition {one.name}", file=file, key="guest", why=why,
                allowed="virtual_machine = a kind of its virtual machines")
        for one in empty
    ]  # fmt: skip

"""A second page or day of a pool, after its aliases were changed: outcomes of predictions, and the readings left."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from slicewright.advise.aliases.answer import Answer
from slicewright.advise.aliases.day import hardest_cases
from slicewright.advise.aliases.evidence import PoolReport, match
from slicewright.advise.aliases.from_reports import (
    Case,
    Searched,
    answer_reports,
    cases_of,
    plan_of,
    refused,
    search,
    search_of,
)
from slicewright.advise.aliases.readings import Explored, Reading, Search, explore_pool, second_page
from slicewright.advise.aliases.report import reason_of
from slicewright.advise.aliases.request import AliasRequest
from slicewright.advise.aliases.request import check as request_of
from slicewright.advise.day import Day
from slicewright.advise.options import AdviceOptions
from slicewright.advise.predictions import Predicted, Range, prediction
from slicewright.advise.question import Files, Pair
from slicewright.advise.second import Checked, Setting, changed, told_apart_by
from slicewright.reading.accept import missed
from slicewright.reading.evidence import Evidence
from slicewright.reading.pool import LoadSimulations, Sample
from slicewright.reading.second import Foretold, Second, second
from slicewright.statistics import plural
from slicewright.values.progress import Progress, piece, silent

_SAME_LOAD = "a second page from a time with the load of the first"
_KEPT = ("io_per_s", "response_ms", "queue_depth")
"""What is kept of a prediction: all that a page prints."""


def check(options: AdviceOptions) -> Pair[AliasRequest]:
    """The requests about both; raises InputError with every problem of the options."""
    before = request_of(options)
    if options.then is None:
        return Pair(before, before)
    return Pair(before, request_of(replace(options, own={**options.own, "aliases": (options.then,)})))


def answer_pages(files: Pair[Files], question: Pair[AliasRequest], progress: Progress = silent) -> list[Checked]:
    """A check per pool of the pages; raises InputError where the second is not of the same pools."""
    return _checked(cases_of(files.before, question.before), cases_of(files.after, question.after), progress)


def answer_days(days: Pair[Day], question: Pair[AliasRequest], progress: Progress = silent) -> list[Checked]:
    """A check per pool of the hardest intervals of two days; raises InputError likewise."""
    return _checked(hardest_cases(days.before, question.before), hardest_cases(days.after, question.after), progress)


def _checked(before: list[Case], after: list[Case], progress: Progress) -> list[Checked]:
    matched = match([[case.reports[0] for case in before], [case.reports[-1] for case in after]])
    pages = {case.reports[-1].name: case.reports[-1] for case in after}
    return [
        _check(replace(case, progress=piece(progress, at, len(matched))), pages[case.reports[0].name])
        for at, case in enumerate(before)
    ]


def _check(before: Case, after: PoolReport) -> Checked:
    """The outcome of the predictions of `before`, and the answer from the readings that both leave."""
    if any(report.run == after.run for report in before.reports):
        # Runs of one system have one name: their files differ.
        before = replace(before, reports=tuple(replace(report, run="") for report in before.reports))
        after = replace(after, run="")
    many = after.aliases_present
    setting = Setting("aliases", float(many), plural(many, "alias", "aliases"))
    empty = Checked(None, after.name, setting, after.started)
    both = replace(before, reports=(*before.reports, after))
    impossible = refused(replace(before, reports=(after,)))
    if impossible is not None:
        return replace(empty, answer=answer_reports(both, impossible), why=impossible.reason)
    searched = search(before)
    if searched.reason or searched.explored is None:
        return replace(empty, answer=answer_reports(_in_order(both)), why=searched.reason)
    beside = compared(before, after, searched.explored)
    if beside.left is None:
        none = Searched(reason=changed(beside.came), needed=(_SAME_LOAD,))
        answer = answer_reports(both, none)
        return replace(empty, answer=answer, came=beside.came, left=False, at_rate=beside.at_rate)
    case = _in_order(both) if beside.joint else both
    return replace(empty, answer=answer_reports(case, Searched(beside.left)), came=beside.came, joint=beside.joint)


@dataclass(frozen=True, slots=True)
class Beside:
    """The outcome of each number, and the readings that both pages leave; None where they leave none."""

    came: Second
    left: Explored | None
    joint: bool = False
    """Whether these are of both pages together."""
    at_rate: Second | None = None
    """The outcome at the rate of the second page, where that is not the rate of the same load."""


def compared(before: Case, after: PoolReport, explored: Explored) -> Beside:
    """Every reading of `before` beside the second page.

    Where none has all numbers, though each lies in the range of all, loads of both together are searched for.
    """
    came, left = _left(before, after, explored)
    if left is not None or not came.held:
        moved = any(outcome.name == "io_per_s" and not outcome.part for outcome in came.moved)
        return Beside(came, left, at_rate=_at_rate(before, after, explored) if moved else None)
    joint = explore_pool(search_of(_in_order(replace(before, reports=(*before.reports, after)))))
    return Beside(came, joint if joint.saturated is not None else None, joint=True)


@dataclass(frozen=True, slots=True)
class _Simulated:
    """A reading with the aliases of the second page."""

    reading: Reading
    sample: Sample

    def numbers(self, search: Search, page: Evidence) -> list[Foretold]:
        """The numbers of the second page as it has them, without those that it cannot have."""
        means = search.model.counters(self.sample, page).mean(axis=0)
        known = tuple(value for value, mean in zip(page.values, means, strict=True) if np.isfinite(mean))
        page = replace(page, values=known)
        return [Foretold.of(miss) for miss in missed(page, search.model.counters(self.sample, page), 0.0)]


def _left(before: Case, after: PoolReport, explored: Explored) -> tuple[Second, Explored | None]:
    """The outcome of each number, and the readings that the second page leaves; None where it leaves none."""
    search, simulations = search_of(before), LoadSimulations(plan_of(before, main=False), before.sources)
    simulated = [
        _Simulated(reading, simulations.simulate(reading.load, after.aliases_present)) for reading in explored.accepted
    ]
    numbers = [
        trial.numbers(search, second_page(after, search.names, search.model.burst(trial.reading.load)))
        for trial in simulated
    ]
    came = second(numbers)
    if not came.left:
        return came, None
    accepted = [
        replace(trial.reading, saturated=at == came.left[0], found=(*trial.reading.found, _found(trial.sample)))
        for at, trial in enumerate(simulated)
        if at in came.left
    ]
    aliases = plural(after.aliases_present, "alias", "aliases")
    gone = [
        replace(
            trial.reading, accepted=False, saturated=False, elsewhere=f"with {aliases} {told_apart_by(numbers[at])}"
        )
        for at, trial in enumerate(simulated)
        if at not in came.left
    ]
    return came, replace(explored, accepted=tuple(accepted), rejected=(*explored.rejected, *gone))


_SAME_RATE = 0.01
"""How near to the rate of the second page a reading is brought, as a share."""
_STEPS = 4
"""Steps in which it is brought there."""


def _at_rate(before: Case, after: PoolReport, explored: Explored) -> Second | None:
    """The outcome of the other numbers at the rate of the second page; None where no reading can have that rate."""
    search, simulations = search_of(before), LoadSimulations(plan_of(before, main=False), before.sources)
    numbers = []
    for reading in explored.accepted:
        load, rate = reading.load, math.nan
        for _ in range(_STEPS):
            sample = simulations.simulate(load, after.aliases_present)
            rate = float(sample.pooled("io_per_s").mean())
            if abs(after.io_per_s / rate - 1) <= _SAME_RATE:
                break
            load = load.faster(after.io_per_s / rate, sample.io_per_s.mean(axis=0).tolist())
        if abs(after.io_per_s / rate - 1) <= _SAME_RATE:
            page = second_page(after, search.names, search.model.burst(load))
            found = _Simulated(reading, sample).numbers(search, page)
            numbers.append([number for number in found if (number.name, number.part) != ("io_per_s", "")])
    return second(numbers) if numbers else None


def _found(sample: Sample) -> tuple[float, float, float]:
    rate, service, queue = (float(sample.pooled(name).mean()) for name in ("io_per_s", "service_ms", "queue_depth"))
    return rate, service, queue


def _in_order(case: Case) -> Case:
    """The reports as a search takes them, fewest aliases first."""
    return replace(case, reports=tuple(sorted(case.reports, key=lambda report: report.aliases_present)))


def predicted(answer: Answer) -> Iterator[Predicted]:
    """Ranges with the recommended aliases; nothing where none are recommended."""
    chosen = answer.recommendation
    point = answer.point(chosen.aliases) if chosen and not reason_of(answer) else None
    if chosen is None or point is None:
        return
    numbers = [Range(name, point.low[name], point.high[name]) for name in _KEPT]
    setting = Setting("aliases", float(chosen.aliases), plural(chosen.aliases, "alias", "aliases"))
    yield prediction("aliases", (answer.pool, answer.date), setting, numbers)

"""An answer from DEVICE reports of one pool: check the laws, find the readings, simulate each, compare."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from slicewright.advise.aliases.answer import Answer, Estimate, Now, ReadingLine
from slicewright.advise.aliases.borrowed import Borrowed
from slicewright.advise.aliases.channels import ceiling_of, full_channels, paths_of, serial_of
from slicewright.advise.aliases.comparison import Comparison, compare
from slicewright.advise.aliases.curve import Curve
from slicewright.advise.aliases.evidence import PoolReport
from slicewright.advise.aliases.laws import Law, check_laws
from slicewright.advise.aliases.load import Load, concurrency
from slicewright.advise.aliases.readings import Explored, Reading, Search, explore_apart
from slicewright.advise.aliases.request import AliasRequest
from slicewright.advise.aliases.sample import Sample
from slicewright.advise.aliases.scenario_text import Sources, scenario_text
from slicewright.advise.aliases.simulations import (
    CURVE_IOS,
    FIT_IOS,
    OTHER_IOS,
    OTHER_REPLICATIONS,
    LoadSimulations,
    plan_for,
)
from slicewright.advise.aliases.tries import excluded, explore_tested, tested_words
from slicewright.advise.aliases.undecided import by_base, different_kinds, fewer, too_long
from slicewright.advise.aliases.volumes import read_lines
from slicewright.advise.aliases.words import (
    MORE_PAGES,
    WAITING,
    Basis,
    caveats,
    facts,
    heading,
    left_open,
    needed,
    why_not,
)
from slicewright.experiment.plan import Plan
from slicewright.experiment.progress import Progress, silent
from slicewright.reading.accept import VALIDATED
from slicewright.statistics import fixed

MOSTLY = 0.25
"""The share of the waiting requests at volumes that nothing explains, above which there is no recommendation."""

FITTED = 0.3
"""The share of the work that is done when the readings are found."""

REPLICATIONS = 10
FIT_REPLICATIONS = 4


@dataclass(frozen=True, slots=True)
class Case:
    """Reports of one pool, fewest aliases first, with the question and what is borrowed.

    >>> from slicewright.advise.aliases.example import case
    >>> case().sources.reports, case().sources.growth
    ('Y040180P', 'given by --assume sharing')
    """

    reports: tuple[PoolReport, ...]
    question: AliasRequest
    borrowed: Borrowed
    progress: Progress = silent
    excluded: frozenset[str] = frozenset()
    """Redispatch policies that other intervals of the same system exclude."""

    @property
    def sources(self) -> Sources:
        """Where the numbers of the scenarios are from."""
        names = ", ".join(dict.fromkeys(report.run or report.file for report in self.reports))
        assumed = self.question.assumed
        gap = self.borrowed.source if assumed.gap_ms is None else "given by --assume gap"
        growth = self.borrowed.source
        growth = growth if assumed.sharing_percent is None else "given by --assume sharing"
        return Sources(names, growth, f"gap: {gap}", self.reports[0].page)


def answer_reports(case: Case) -> Answer:
    """The answer; without a recommendation, with the reason, where reports cannot be true or nothing explains them.

    >>> from slicewright.advise.aliases.example import case
    >>> answer_reports(case()).recommendation
    Recommendation(aliases=2, low=2, high=2)
    """
    laws = [(report, check_laws(report)) for report in case.reports]
    named = case.question.assumed
    for report in case.reports if named.channel is not None else ():
        ceiling = 1000 * paths_of(report) / serial_of(named)
        if report.io_per_s > ceiling:
            reason = f"{ceiling_of(named, paths_of(report))}, and {report.run or report.file} has "
            how = ("another --assume channel, or a smaller io_size",)
            return replace(_bare(case, laws), reason=f"{reason}{fixed(report.io_per_s, 0)}", needed=how)
    broken = [
        f"{report.run or report.file}: {place}"
        for report, checked in laws
        for law in checked
        for place in law.impossible
    ]
    if broken:
        reason = f"an exposure cannot be busy for more than 100 % of the time: {'; '.join(broken)}"
        given = ("another number of aliases: --aliases LCU=N",) if case.question.aliases else ()
        return replace(
            _bare(case, laws), reason=reason, needed=(*given, "the unchanged report, or one of another interval")
        )
    if reason := too_long(case.reports):
        return replace(_bare(case, laws), reason=reason, needed=_another(case))
    explored = by_base(explore_tested(_search(case)), case.reports)
    if explored.saturated is None and len(case.reports) > 1:
        explored = explore_apart(_search(case))
    case.progress(FITTED)
    if explored.saturated is None or _mostly_unexplained(case, explored):
        lines = tuple(_line(reading, case) for reading in explored.rejected)
        reason = "no load that was simulated reproduces the report, with any population, service growth or arrivals"
        if nearest := min((reading for reading in explored.rejected if reading.found), key=_far, default=None):
            reason += f". The nearest: {nearest.population}, {why_not(nearest, case.reports)}"
        return replace(_bare(case, laws), reason=reason, needed=_steady(case), readings=lines)
    if reason := different_kinds(explored):
        lines = tuple(_line(reading, case) for reading in (*explored.accepted, *explored.rejected))
        return replace(_bare(case, laws), reason=reason, needed=_another(case), readings=lines)
    curves = [_curve(case, reading, reading.saturated) for reading in explored.accepted]
    estimate = _bare(case, laws).estimate
    found = compare(
        curves, case.question, (case.reports[-1].aliases_present, estimate.aliases), VALIDATED,
        lambda share: case.progress(FITTED + (1 - FITTED) * share),
    )  # fmt: skip
    volumes = read_lines(case.reports[-1], curves[0], found.recommendation.aliases)
    answer = replace(_answer(case, laws, explored, found), volumes=volumes)
    if reason := fewer(explored, answer.now.aliases, found.recommendation) or full_channels(answer, case.question):
        return replace(answer, reason=reason)
    return answer


def _steady(case: Case) -> tuple[str, str]:
    """Measurements and facts that would settle reports that no load fits."""
    return f"{case.reports[0].source} of a steady interval with the same volumes", WAITING


def _another(case: Case) -> tuple[str, ...]:
    """The measurement that shows what one page cannot."""
    report = case.reports[-1]
    have = "any aliases (even 4)" if report.aliases_present == 0 else "more aliases"
    return (f"{report.source} {MORE_PAGES.format(have)}", WAITING)


def _far(reading: Reading) -> float:
    return reading.far_miss


def _search(case: Case) -> Search:
    rate = max(report.io_per_s for report in case.reports)
    plan = plan_for(rate, _slowest_ms(case), FIT_IOS, FIT_REPLICATIONS)
    return Search(
        case.reports, case.question.assumed, case.borrowed, LoadSimulations(plan, case.sources), case.excluded
    )


def _slowest_ms(case: Case) -> float:
    """The longest turn of a guest that has to be seen often: of the slowest volume that has a queue."""
    first = case.reports[0]
    rates = [volume.io_per_s for volume in first.volumes if volume.base.queue_depth > 0.005]
    return 1000 / min(rates, default=max(volume.io_per_s for volume in first.volumes)) * 4


def _curve(case: Case, reading: Reading, main: bool) -> Curve:
    load = reading.load.grown(case.question.growth)
    simulations = LoadSimulations(_plan(case, main), case.sources)

    def run(aliases: int) -> Sample:
        return simulations.simulate(load, aliases)

    smooth = reading.bursts and not any(report.aliases_present for report in case.reports)
    return Curve(load.name, run, _unlimited(load, simulations), load.ceiling or math.inf, smooth)


def _plan(case: Case, main: bool) -> Plan:
    rate = max(report.io_per_s for report in case.reports) * max(1.5, case.question.growth)
    size = (CURVE_IOS, REPLICATIONS) if main else (OTHER_IOS, OTHER_REPLICATIONS)
    return plan_for(rate, _slowest_ms(case), *size)


def _unlimited(load: Load, simulations: LoadSimulations) -> int:
    """Twice what can be in use at once: an alias just used is not free again before the gap has passed."""
    closed = concurrency(load)
    if closed is not None:
        return 2 * closed
    many = 64 + 8 * sum(
        round(volume.io_per_s * (volume.pend_ms + volume.disc_ms + volume.connect_ms) / 1000) for volume in load.volumes
    )
    used = simulations.simulate(load, many).most_used
    return min(many, 2 * used) if used else many


def _mostly_unexplained(case: Case, explored: Explored) -> bool:
    first = case.reports[0]
    odd = sum(volume.base.queue_depth for volume in first.volumes if volume.name in explored.unexplained)
    return odd > MOSTLY * max(first.queue_depth, 1e-9)


def _now(report: PoolReport) -> Now:
    return Now(
        report.aliases_present, report.io_per_s, report.response_ms, report.service_ms, report.queue_depth,
        report.in_service,
    )  # fmt: skip


def _bare(case: Case, laws: Sequence[tuple[PoolReport, list[Law]]]) -> Answer:
    """Everything that needs no model."""
    last = case.reports[-1]
    told = [
        {"report": report.run or report.file, "law": law.name, "text": law.text, "holds": law.holds}
        for report, checked in laws
        for law in checked
    ]
    return Answer(
        files=tuple(dict.fromkeys(report.file for report in case.reports)),
        heading="\n".join(map(heading, case.reports)),
        pool=last.name, single=len(last.volumes) == 1, now=_now(last), knee=None,
        estimate=Estimate(last.aliases_present, last.queue_depth), laws=tuple(told),
        facts=tuple(facts([report for report, _ in laws], [checked for _, checked in laws], None)),
        growth=case.question.growth,
        knee_percent=case.question.assumed.knee_percent, margin_percent=case.question.assumed.margin_percent,
        observed=tuple(map(_now, case.reports)),
    )  # fmt: skip


def _answer(case: Case, laws: Sequence[tuple[PoolReport, list[Law]]], explored: Explored, found: Comparison) -> Answer:
    basis = Basis(case.reports, explored, found, case.borrowed, case.question)
    lines = [
        replace(_line(reading, case), knee=knee.aliases, text=_text(reading, case))
        for reading, knee in zip(explored.accepted, found.knees, strict=True)
    ]
    return replace(
        _bare(case, laws),
        knee=found.recommendation,
        curve=found.points,
        readings=(*lines, *(_line(reading, case) for reading in explored.rejected)),
        facts=(
            *facts(case.reports, [checked for _, checked in laws], explored.saturated),
            *tested_words(explored, case.reports[-1]),
        ),
        excluded=excluded(explored),
        open=tuple(left_open(basis)),
        caveats=tuple(caveats(basis)),
        needed=tuple(needed(basis)),
        at=case.question.at,
        target=found.target,
    )  # fmt: skip


def _line(one: Reading, case: Case) -> ReadingLine:
    return ReadingLine(
        name=one.load.name,
        population=one.population + (", longest service" if one.longest else ""),
        arrivals=one.arrivals, think_ms=one.think_ms, load=one.load,
        saturated=one.saturated, miss=one.miss, found=one.found, why="" if one.accepted else why_not(one, case.reports),
    )  # fmt: skip


def _text(one: Reading, case: Case) -> str:
    load = one.load.grown(case.question.growth)
    return scenario_text(load, case.reports[-1].aliases_present, _plan(case, one.saturated), case.sources)

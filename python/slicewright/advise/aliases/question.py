"""The question about aliases: DEVICE reports of one system, pool by pool, or one scenario."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from slicewright.advise.aliases.answer import Answer
from slicewright.advise.aliases.borrowed import borrow
from slicewright.advise.aliases.evidence import PoolReport, match, read_pools
from slicewright.advise.aliases.from_reports import Case, answer_reports
from slicewright.advise.aliases.from_scenario import answer_scenario
from slicewright.advise.aliases.intervals import busiest, intervals, told_apart
from slicewright.advise.aliases.irrelevant import irrelevant_to_reports, irrelevant_to_scenario
from slicewright.advise.aliases.membership import Listing, is_listing, read_listing
from slicewright.advise.aliases.report import document, report
from slicewright.advise.aliases.request import AliasRequest, check
from slicewright.advise.aliases.rmf_page import has_exposures, is_rmf, read_rmf_pools
from slicewright.advise.printed import slug
from slicewright.advise.question import Files, OfDay, Option, Question, later
from slicewright.advise.rmf_pages import Kind, kinds
from slicewright.advise.source import is_scenario
from slicewright.errors import Problem, gathered, problem, refusal
from slicewright.experiment.progress import Progress, piece, silent
from slicewright.io.files import read_bytes, shown
from slicewright.measured.linux.forms import TOOLS, tool_of
from slicewright.measured.linux.lsdasd import is_lsdasd
from slicewright.measured.linux.text import HEAD
from slicewright.report.model import Report

if TYPE_CHECKING:
    from slicewright.advise.aliases.day_answer import DayAnswer
    from slicewright.advise.aliases.depth import DepthAnswer
    from slicewright.scenario.view import View

_DEPTH_REPORT = later("slicewright.advise.aliases.depth_report:report")
_DEPTH_DOCUMENT = later("slicewright.advise.aliases.depth_report:document")


def answer(files: Files, question: AliasRequest, progress: Progress = silent) -> list[Answer]:
    """One answer per pool of the files: DEVICE reports of one system, or one scenario; raises InputError.

    The responses to QUERY PAV, of the question or among the files, say which devices of the reports belong together.

    >>> from slicewright.advise.aliases.example import FILE, QUESTION
    >>> (found,) = answer([("report.txt", read_bytes(FILE))], QUESTION)
    >>> found.recommendation.aliases
    2
    """
    scenarios = [file for file in files if is_scenario(*file)]
    if scenarios and len(files) > 1:
        why = "a scenario gives its load; the load of a report has to be found"
        raise refusal(
            problem("a scenario beside other files", file=scenarios[0][0], why=why, allowed="one scenario, or reports")
        )
    listing = question.pool_listing
    if scenarios:
        if listing is not None:
            raise refusal(problem("does not apply to a scenario", key="pool-listing", why="a scenario names its pools"))
        name, data = scenarios[0]
        idle = irrelevant_to_scenario(question.assumed, name)
        if idle:
            raise refusal(*idle)
        return answer_scenario(data, name, question)
    listings = [(shown(listing), read_bytes(listing))] if listing is not None else []
    listings += [file for file in files if is_listing(file[1])]
    reports = [file for file in files if not is_listing(file[1])]
    return _from_reports(reports, question, _one_listing(listings, reports, question), progress)


def _answer(files: Files, question: AliasRequest, progress: Progress) -> Sequence[Answer] | Sequence[DepthAnswer]:
    """An answer per disk where Linux's tools wrote the files, else one per pool."""
    linux = [file for file in files if _of_linux(*file)]
    if linux and len(linux) == len(files):
        from slicewright.advise.aliases.depth import answer_depths

        return answer_depths(files, question)
    if linux:
        other = next(name for name, data in files if not _of_linux(name, data))
        raise refusal(problem("beside output of Linux's tools", file=other, allowed=TOOLS))
    return answer(files, question, progress)


def _one_listing(listings: Files, reports: Files, question: AliasRequest) -> Listing | None:
    if not listings:
        return None
    name, data = listings[0]
    if not reports:
        why = "it lists the members of pools, but not their load"
        raise refusal(problem("a pool listing alone", file=name, why=why, allowed="a DEVICE report (FCX108) beside it"))
    if question.pools:
        raise refusal(problem("both give the members of pools", key="pool", file=name, allowed="one of them"))
    if len(listings) > 1:
        raise refusal(
            problem("a second pool listing", file=listings[1][0], allowed="one file that contains all responses")
        )
    return read_listing(data, name)


def _from_reports(files: Files, question: AliasRequest, listing: Listing | None, progress: Progress) -> list[Answer]:
    problems: list[Problem] = []
    reports = []
    for name, data in files:
        reports += gathered(problems, functools.partial(_read, name, data, question, listing))
    problems += [] if problems else irrelevant_to_reports(question.assumed, [pool for page in reports for pool in page])
    if problems:
        raise refusal(*problems)
    borrowed = borrow()
    pools = match(told_apart(reports))
    cases = [Case(tuple(pool), question, borrowed, piece(progress, at, len(pools))) for at, pool in enumerate(pools)]
    return [answer_reports(case) for case in cases]


def _read(name: str, data: bytes, question: AliasRequest, listing: Listing | None) -> Sequence[PoolReport]:
    """The pools of a file: of several intervals, those of the one with the longest queue."""
    found = [
        read_rmf_pools(page, name, question) if is_rmf(page) else read_pools(page, name, question.pools, listing)
        for page in intervals(data)
    ]
    return busiest(found) if len(found) > 1 else found[0]


def _of_linux(name: str, data: bytes) -> bool:
    return not is_scenario(name, data) and (tool_of(data) is not None or is_lsdasd(data[:HEAD]))


def _report(answer: Answer | DepthAnswer) -> Report:
    return report(answer) if isinstance(answer, Answer) else _DEPTH_REPORT(answer)


def _document(answer: Answer | DepthAnswer) -> dict[str, Any]:
    return document(answer) if isinstance(answer, Answer) else _DEPTH_DOCUMENT(answer)


def _scenarios(answer: Answer | DepthAnswer) -> Iterator[tuple[str, str]]:
    """Every reading that fits; queue depth has none."""
    if not isinstance(answer, Answer):
        return
    for at, reading in enumerate((reading for reading in answer.readings if reading.text), 1):
        yield f"{slug(answer.pool)}-{at:02}-{slug(reading.name)}.toml", reading.text


def _reads(files: Files) -> bool:
    """Whether Linux's tools wrote them, or RMF pages give exposures and none partitions, which ask about slices."""
    if any(_of_linux(*file) for file in files):
        return True
    apart = not any(Kind.PARTITIONS in kinds(data) for _, data in files)
    return apart and any(has_exposures(data) for _, data in files)


def _fits(view: View) -> str:
    aliased = view.alias_pools or any(volume.aliases is not None for volume in view.volumes)
    return "volumes with aliases" if aliased else ""


def _alone(answer: Answer | DepthAnswer) -> str:
    """The scenario of the first reading that fits, with the aliases of now; queue depth has none."""
    if not isinstance(answer, Answer):
        return ""
    return next((reading.text for reading in answer.readings if reading.text), "")


def _of_hardest(answer: DayAnswer) -> Iterator[tuple[str, str]]:
    """Every reading of the hardest intervals that fits, and the main one of the other groups."""
    yield from _scenarios(answer.hardest.answer)
    for at, group in enumerate(answer.groups[1:], 2):
        if text := _alone(group.answer):
            yield f"{slug(answer.name)}-group-{at:02}.toml", text


DAY = OfDay(
    records="6/3 or 74-1 (rate, service and queue of volumes); 6/28 or 78-3 give tries and fails of pools",
    missing=later("slicewright.advise.aliases.measured_pool:missing"),
    answer=later("slicewright.advise.aliases.day_answer:answer_day"),
    document=later("slicewright.advise.aliases.day_report:document"),
    report=later("slicewright.advise.aliases.day_report:report"),
    scenarios=_of_hardest,
    alone=lambda answer: _alone(answer.hardest.answer),
)

QUESTION: Question[AliasRequest, Any] = Question(
    name="aliases",
    asks="How many aliases does a pool of volumes need?",
    files="DEVICE reports (FCX108) or RMF DIRECT ACCESS DEVICE ACTIVITY of one system, monitor data of a day, or one "
    "scenario with aliases. Output of fio, iostat -x, btt and dasdstat asks about the queue depth of a disk of Linux",
    example="advise Y032180H.txt --at 13 --target 'response_ms <= 2'",
    help={
        "at": "Additional number of aliases to show: 13.",
        "growth": "Growth of the demand: 20%, or 1.2x.",
        "target": "Recommend the fewest aliases that meet this condition: 'response_ms <= 2'.",
        "assume": "Fact that a report does not contain: channel_busy=40%, population=3, think=.3ms, "
        "sharing=2%, gap=50us, redispatch=none, arrivals=open; or threshold: margin=2%, knee=5%.",
    },
    fits=_fits,
    reads=_reads,
    check=lambda files, options: check(options),
    answer=_answer,
    document=_document,
    report=_report,
    scenarios=_scenarios,
    alone=_alone,
    alone_is="the scenario of the main reading",
    options=(
        Option("pool", "RANGE", "Volumes of one pool: 522A-5231.", True),
        Option("aliases", "LCU=N", "HyperPAV aliases of an LCU, which an RMF page does not give: 0016=8.", True),
        Option("pool-listing", "FILE", "Output of QUERY PAV, with the members of pools; may also be one of the files."),
    ),
    why="it lists the volumes that share aliases",
    day=DAY,
)

"""How the question about aliases is answered: DEVICE reports pool by pool, one scenario, or disks of Linux."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from slicewright.advise.aliases.answer import Answer
from slicewright.advise.aliases.borrowed import borrow
from slicewright.advise.aliases.evidence import PoolReport, match, read_pools
from slicewright.advise.aliases.from_reports import Case, answer_reports
from slicewright.advise.aliases.intervals import busiest, intervals, told_apart
from slicewright.advise.aliases.irrelevant import irrelevant_to_reports, irrelevant_to_scenario
from slicewright.advise.aliases.membership import Listing, is_listing, read_listing
from slicewright.advise.aliases.request import AliasRequest
from slicewright.advise.aliases.rmf_page import read_rmf_pools
from slicewright.advise.question import Files
from slicewright.advise.rmf_pages import is_rmf
from slicewright.advise.source import is_scenario
from slicewright.errors import Problem, gathered, problem, refusal
from slicewright.experiment.progress import Progress, piece, silent
from slicewright.io.files import read_bytes, shown


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
        from slicewright.advise.aliases.from_scenario import answer_scenario

        return answer_scenario(data, name, question)
    listings = [(shown(listing), read_bytes(listing))] if listing is not None else []
    listings += [file for file in files if is_listing(file[1])]
    reports = [file for file in files if not is_listing(file[1])]
    return _from_reports(reports, question, _one_listing(listings, reports, question), progress)


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

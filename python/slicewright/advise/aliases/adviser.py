"""Who answers about aliases: DEVICE reports of one system, pool by pool, or one scenario."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from slicewright.advise.about import is_scenario
from slicewright.advise.adviser import Adviser, Named
from slicewright.advise.aliases.answer import Answer
from slicewright.advise.aliases.borrowed import borrow
from slicewright.advise.aliases.evidence import match, read_pools
from slicewright.advise.aliases.from_reports import Case, answer_reports
from slicewright.advise.aliases.from_scenario import answer_scenario
from slicewright.advise.aliases.membership import Listing, is_listing, read_listing
from slicewright.advise.aliases.question import Question, check
from slicewright.advise.aliases.report import document, report
from slicewright.advise.printed import slug
from slicewright.advise.progress import Progress, piece, silent
from slicewright.errors import Problem, gathered, problem, refusal
from slicewright.io.files import read_bytes, shown


def answer(named: Named, question: Question, progress: Progress = silent) -> list[Answer]:
    """One answer per pool of the files: DEVICE reports of one system, or one scenario; raises InputError.

    The responses to QUERY PAV, of the question or among the files, say which devices of the reports belong together.

    >>> from slicewright.advise.aliases.example import FILE, QUESTION
    >>> (found,) = answer([("report.txt", read_bytes(FILE))], QUESTION)
    >>> found.recommendation.aliases
    2
    """
    scenarios = [one for one in named if is_scenario(*one)]
    if scenarios and len(named) > 1:
        why = "a scenario gives its load, a report has to have one found"
        raise refusal(
            problem("a scenario beside other files", file=scenarios[0][0], why=why, allowed="one scenario, or reports")
        )
    listing = question.pool_listing
    if scenarios:
        if listing is not None:
            raise refusal(
                problem("says nothing about a scenario", key="pool-listing", why="a scenario names its pools")
            )
        name, data = scenarios[0]
        return answer_scenario(data, name, question)
    told = [(shown(listing), read_bytes(listing))] if listing is not None else []
    told += [one for one in named if is_listing(one[1])]
    reports = [one for one in named if not is_listing(one[1])]
    return _from_reports(reports, question, _one_listing(told, reports, question), progress)


def _one_listing(told: Named, reports: Named, question: Question) -> Listing | None:
    if not told:
        return None
    name, data = told[0]
    if not reports:
        why = "it says what belongs together, and not what the load is"
        raise refusal(problem("a pool listing alone", file=name, why=why, allowed="a DEVICE report (FCX108) beside it"))
    if question.pools:
        raise refusal(problem("both say what belongs together", key="pool", file=name, allowed="one of them"))
    if len(told) > 1:
        raise refusal(problem("a second pool listing", file=told[1][0], allowed="one file with all responses"))
    return read_listing(data, name)


def _from_reports(named: Named, question: Question, listing: Listing | None, progress: Progress) -> list[Answer]:
    problems: list[Problem] = []
    reports = []
    for name, data in named:
        reports += gathered(problems, functools.partial(read_pools, data, name, question.pools, listing))
    if problems:
        raise refusal(*problems)
    borrowed = borrow()
    pools = match(reports)
    cases = [Case(tuple(pool), question, borrowed, piece(progress, at, len(pools))) for at, pool in enumerate(pools)]
    return [answer_reports(case) for case in cases]


def _scenarios(one: Answer) -> Iterator[tuple[str, str]]:
    """Every reading that fits."""
    for at, reading in enumerate((reading for reading in one.readings if reading.text), 1):
        yield f"{slug(one.pool)}-{at:02}-{slug(reading.name)}.toml", reading.text


ADVISER = Adviser(lambda named, options: check(options), answer, document, report, _scenarios)
"""The question about aliases."""

"""The command: read the files, answer for each pool, print, and write the readings where asked.

It leaves out the command line itself (`slicewright.cli.advise`).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from slicewright.advise.about import is_scenario, question_of
from slicewright.advise.answer import Answer
from slicewright.advise.borrowed import borrow
from slicewright.advise.document import document
from slicewright.advise.evidence import match, read_pools
from slicewright.advise.exits.command import advise_exits
from slicewright.advise.from_reports import Case, answer_reports
from slicewright.advise.from_scenario import answer_scenario
from slicewright.advise.limits.command import advise_limits
from slicewright.advise.membership import Listing, is_listing, read_listing
from slicewright.advise.page import page
from slicewright.advise.polarization.command import advise_polarization
from slicewright.advise.printed import printed, slug
from slicewright.advise.progress import Progress, silent
from slicewright.advise.question import AdviceOptions, Question, check, check_name
from slicewright.advise.slices.command import advise_slices
from slicewright.advise.yields.command import advise_yields
from slicewright.cli.options import printing
from slicewright.cli.progress import Bar
from slicewright.files import Earlier, read_bytes, refuse_occupied, shown, whole_directory, write_whole
from slicewright.problems import Problem, gathered, problem, refusal

EARLIER = Earlier("advice.json", lambda name: name.endswith(".toml") or name in ("advice.json", "report.html"))
"""An earlier advice, which a new one in the same directory replaces."""


def advise(question: str | None, files: Sequence[str | PathLike[str]], *, options: AdviceOptions) -> int:
    """Answer a question from files and print the answer; the exit status is 0.

    Raises InputError with every problem of options and files (exit status 2), RunError when a simulation cannot go on.

    >>> from slicewright.advise.example import FILE
    >>> known = ["population=3", "sharing=2%", "redispatch=none"]
    >>> advise("aliases", [FILE], options=AdviceOptions(assume=known, format="json"))
    {
     "question": "aliases", ... "recommendation": { "aliases": 2, "low": 2, "high": 2 }, ...
    }
    0
    """
    check_name(question)
    named = _read(files)
    asks = question or question_of(named)
    if asks == "slices":
        return advise_slices(named, options, EARLIER)
    if asks == "polarization":
        return advise_polarization(named, options, EARLIER)
    if asks == "yields":
        return advise_yields(named, options, EARLIER)
    if asks == "exits":
        return advise_exits(named, options, EARLIER)
    if asks == "limits":
        return advise_limits(named, options, EARLIER)
    asked = check(options)
    if options.out is not None:
        refuse_occupied(options.out, EARLIER)
    with Bar("advising") as bar:
        answers = _answer(named, asked, bar, options.pool_listing)
    with printing(lambda: print(printed(answers, options.format, document, page), end="")):
        if options.out is not None:
            _write(answers, options.out)
    return 0


def answer(
    files: Sequence[str | PathLike[str]],
    question: Question,
    progress: Progress = silent,
    listing: str | PathLike[str] | None = None,
) -> list[Answer]:
    """One answer per pool of the files: DEVICE reports of one system, or one scenario; raises InputError.

    The responses to QUERY PAV, as `listing` or among the files, say which devices of the reports belong together.

    >>> from slicewright.advise.example import FILE, QUESTION
    >>> (found,) = answer([FILE], QUESTION)
    >>> found.recommendation.aliases
    2
    """
    return _answer(_read(files), question, progress, listing)


def _read(files: Sequence[str | PathLike[str]]) -> list[tuple[str, bytes]]:
    if not files:
        allowed = (
            "a DEVICE report (FCX108), RMF pages of partitions, rates of ENQs, copies of cpu.stat, or a scenario; - is"
            " standard input"
        )
        raise refusal(problem("no file", key="FILE", allowed=allowed))
    return [(shown(file), read_bytes(file)) for file in files]


def _answer(
    named: Sequence[tuple[str, bytes]],
    question: Question,
    progress: Progress,
    listing: str | PathLike[str] | None,
) -> list[Answer]:
    scenarios = [one for one in named if is_scenario(*one)]
    if scenarios and len(named) > 1:
        why = "a scenario gives its load, a report has to have one found"
        raise refusal(
            problem("a scenario beside other files", file=scenarios[0][0], why=why, allowed="one scenario, or reports")
        )
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


def _one_listing(
    told: Sequence[tuple[str, bytes]], reports: Sequence[tuple[str, bytes]], question: Question
) -> Listing | None:
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


def _write(answers: Sequence[Answer], out: Path) -> None:
    """Write every reading that fits as a scenario, the answers as JSON, and report.html; raises OSError."""
    from slicewright.advise.picture import report_page

    with whole_directory(out, EARLIER) as folder:
        for one in answers:
            for at, reading in enumerate(reading for reading in one.readings if reading.text):
                write_whole(folder / f"{slug(one.pool)}-{at + 1:02}-{slug(reading.name)}.toml", reading.text.encode())
        write_whole(folder / "advice.json", printed(answers, "json", document, page).encode())
        write_whole(folder / "report.html", report_page(list(answers)).encode())


def _from_reports(
    named: Sequence[tuple[str, bytes]], question: Question, listing: Listing | None, progress: Progress
) -> list[Answer]:
    problems: list[Problem] = []
    reports = []
    for name, data in named:
        reports += gathered(problems, functools.partial(read_pools, data, name, question.pools, listing))
    if problems:
        raise refusal(*problems)
    borrowed = borrow()
    pools = match(reports)
    answers = []
    for at, pool in enumerate(pools):
        part = functools.partial(_part, progress, at / len(pools), 1 / len(pools))
        answers.append(answer_reports(Case(tuple(pool), question, borrowed, part)))
    return answers


def _part(progress: Progress, start: float, width: float, share: float) -> None:
    progress(start + width * share)

"""The command: read the files, answer the question that they ask, print, and write where that is asked for."""

from __future__ import annotations

import filecmp
import functools
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slicewright.advise.day import Day, read_day
from slicewright.advise.limits.fleet.cluster import Cluster, cluster_of
from slicewright.advise.linux_files import family_of
from slicewright.advise.matters import remembered
from slicewright.advise.options import AdviceOptions
from slicewright.advise.printed import slug
from slicewright.advise.question import Answers, Files, Pair
from slicewright.advise.questions import answers_of, foreign, named, question_of, request_of
from slicewright.advise.source import is_scenario
from slicewright.experiment.store import bundled
from slicewright.measured.families import refused
from slicewright.report import text
from slicewright.report.model import Report, Section, joined
from slicewright.scenario.files import whole
from slicewright.values.console import Bar, printing
from slicewright.values.errors import Problem, gathered, problem, refusal
from slicewright.values.files import (
    Earlier,
    read_bytes,
    refuse_occupied,
    refuse_unwritable,
    shown,
    whole_directory,
    write_whole,
)

if TYPE_CHECKING:
    from slicewright.advise.predictions import Line

WRITTEN = ("advice.json", "report.html", "workloads.csv", "patches.yaml", "recommendations.yaml")
EARLIER = Earlier("advice.json", lambda name: name.endswith(".toml") or name in WRITTEN)
"""An earlier advice, which a new one in the same directory replaces."""


def advise(question: str | None, files: Sequence[str | PathLike[str]], *, options: AdviceOptions) -> int:
    """Answer a question from files and print the answer; the exit status is 0.

    With `out`, answers, the scenarios behind them and a report are written there, after the last answer is done.
    A name that ends in .toml takes one scenario alone; `html` is a file for the report alone.  Raises InputError with
    every problem of options and files (exit status 2), RunError when a simulation cannot go on.

    >>> from tests.advise.alias_example import FILE
    >>> known = ["population=3", "sharing=2%", "redispatch=none"]
    >>> advise("aliases", [FILE], options=AdviceOptions(assume=known, format="json"))
    {
     "question": "aliases", ... "recommendation": { "aliases": 2, "low": 2, "high": 2 }, ...
    }
    0
    """
    chosen = named(question) if question is not None else None
    problems: list[Problem] = []
    contents = gathered(problems, functools.partial(taken, files, options))
    if problems:
        raise refusal(*problems, *foreign(chosen, options))
    chosen = chosen or question_of(contents[0], options)
    asked = answers_of(chosen, contents[0])
    request = request_of(chosen, contents[0], options)
    if options.out is not None:
        refuse_unwritable(options.out) if options.out.suffix == ".toml" else refuse_occupied(options.out, EARLIER)
    if options.html is not None:
        refuse_unwritable(options.html)
    lines = kept_in(options)
    with bundled(_facts(chosen.name, contents[0], options)), Bar("advising", quiet=options.quiet) as bar:
        answers = asked.answer(contents[0], request, bar)
    earlier, extra = counted(lines, chosen.name)
    more = [*remembered(contents[0], chosen.name, options), *earlier]
    output = _as_json(asked, answers, extra) if options.format == "json" else as_text(asked, answers, more)
    with printing(lambda: print(output, end="")):
        if options.out is not None:
            _write(asked, (answers, more, extra), options.out)
        if options.html is not None:
            write_whole(options.html, as_html(asked, answers, more).encode())
        for file, written in (pair for answer in answers for pair in asked.asked(answer)):
            write_whole(file, written.encode())
        keep_all(options, lines, asked, answers)
    return 0


def kept_in(options: AdviceOptions) -> list[Line] | None:
    """The lines of the file of predictions; None where none is named.  Raises InputError before a simulation."""
    if options.predictions is None:
        return None
    from slicewright.advise.predictions import earlier

    refuse_unwritable(options.predictions)
    return earlier(options.predictions)


def counted(lines: list[Line] | None, question: str) -> tuple[list[Section], dict[str, Any]]:
    """Outcomes of earlier predictions, for people and for programs; nothing where no file is named."""
    if lines is None:
        return [], {}
    from slicewright.advise.predictions import section, told

    return [section(lines, question)], {"earlier": told(lines, question)}


def keep_all(
    options: AdviceOptions, lines: list[Line] | None, asked: Answers[Any, Any, Any], answers: Sequence[Any]
) -> None:
    """Write the file of predictions, where one is named, with those of some answers."""
    if options.predictions is None or lines is None:
        return
    from slicewright.advise.predictions import keep

    keep(options.predictions, lines, (line for answer in answers for line in asked.predicted(answer)))


def _facts(question: str, files: Files | Day | Cluster | Pair[Any], options: AdviceOptions) -> list[object]:
    """The question, the contents of the files, and the options: the name of the bundle of simulations."""
    contents: list[object]
    if isinstance(files, Pair):
        contents = [_facts(question, each, options)[1] for each in (files.before, files.after)]
    else:
        named = [hashlib.sha256(data).hexdigest() for _, data in files] if isinstance(files, Sequence) else [files.name]
        contents = [*named]
    return [question, contents, repr((options.at, options.growth, options.target, options.assume, options.own))]


def taken(files: Sequence[str | PathLike[str]], options: AdviceOptions) -> Files | Day | Cluster | Pair[Any]:
    """A day where files are monitor data, a cluster where they are its series, else the files; raises InputError.

    With `check` what the last file is, is from after a change.

    >>> from tests.advise.alias_example import FILE
    >>> [(name, data)] = taken([FILE], AdviceOptions())
    >>> b"FCX108" in data
    True
    """
    if options.check:
        if len(files) < 2:
            allowed = "--check BEFORE AFTER: what was measured before the change, then what was measured after it"
            raise refusal(problem("one measurement cannot be checked", key="check", allowed=allowed))
        if any(_is_same(files[-1], file) for file in files[:-1]):
            what, why = (
                "the same measurement twice",
                "it always holds what it predicts, and would be counted as an outcome",
            )
            raise refusal(
                problem(what, file=shown(files[-1]), key="check", why=why, allowed="BEFORE and AFTER that differ")
            )
        problems: list[Problem] = []
        alone = replace(options, check=False)
        parts = [
            part
            for some in (files[:-1], files[-1:])
            for part in gathered(problems, functools.partial(taken, some, alone))
        ]
        if problems:
            raise refusal(*problems)
        before, after = parts
        if isinstance(before, Day) != isinstance(after, Day):
            what = "of another kind than what was measured before"
            allowed = "two pages, two files with copies, or two days"
            raise refusal(problem(what, file=shown(files[-1]), key="check", allowed=allowed))
        return Pair(before, after)
    cluster = cluster_of(files, options)
    if cluster is not None:
        return cluster
    files = [_kept_in(file) or file for file in files]
    day = read_day(files, options.interval)
    return read(files) if day is None else day


def _kept_in(file: str | PathLike[str]) -> Path | None:
    """The file that `live watch --out` or `live hooks --out` kept in a directory; None for any other."""
    if not os.path.isdir(file):  # noqa: PTH112  a name that no file can have is no error here
        return None
    from slicewright.live.kept import hooks_in
    from slicewright.live.watch import copies_in

    return copies_in(file) or hooks_in(file)


def read(files: Sequence[str | PathLike[str]]) -> Files:
    """Files as questions take them; raises InputError where there are none, and with each that cannot be read.

    >>> from tests.advise.alias_example import FILE
    >>> [(name, data)] = read([FILE])
    >>> b"FCX108" in data
    True
    """
    if not files:
        allowed = (
            "a DEVICE report (FCX108), RMF pages of partitions, rates of ENQs, copies of cpu.stat, series of a cluster,"
            " monitor data, or a scenario; - is standard input"
        )
        raise refusal(problem("no file", key="FILE", allowed=allowed))
    problems: list[Problem] = []
    found = [(shown(file), data) for file in files for data in gathered(problems, functools.partial(read_bytes, file))]
    problems += refused([file for file in found if not is_scenario(*file) and family_of(*file) is None], "advise")
    if problems:
        raise refusal(*problems)
    return [(name, whole(data, name) if is_scenario(name, data) else data) for name, data in found]


def _is_same(first: str | PathLike[str], second: str | PathLike[str]) -> bool:
    """Whether two names are of one file or directory, or of files with the same bytes."""
    try:
        return Path(first).samefile(second) or (
            Path(first).is_file() and Path(second).is_file() and filecmp.cmp(first, second, shallow=False)
        )
    except OSError:  # the readers say why
        return False


def as_text(question: Answers[Any, Any, Any], answers: Sequence[Any], more: Sequence[Section] = ()) -> str:
    """Answers as text, one below the other, and more sections below the last."""
    return "\n\n".join(text.render(report) for report in _reports(question, answers, more))


def _as_json(question: Answers[Any, Any, Any], answers: Sequence[Any], extra: Mapping[str, Any]) -> str:
    """Answers as JSON: one by itself, several as a list; each with what is `extra`."""
    documents = [{**question.document(answer), **extra} for answer in answers]
    return json.dumps(documents[0] if len(documents) == 1 else documents, indent=1) + "\n"


def as_html(question: Answers[Any, Any, Any], answers: Sequence[Any], more: Sequence[Section] = ()) -> str:
    """Answers as one HTML page, with more sections at its end."""
    from slicewright.report import html

    return html.render(joined(_reports(question, answers, more)))


def _reports(question: Answers[Any, Any, Any], answers: Sequence[Any], more: Sequence[Section]) -> list[Report]:
    reports = [question.report(answer) for answer in answers]
    return [*reports[:-1], replace(reports[-1], sections=[*reports[-1].sections, *more])]


def _write(
    question: Answers[Any, Any, Any], shown: tuple[Sequence[Any], Sequence[Section], Mapping[str, Any]], out: Path
) -> None:
    """Write one scenario, or scenarios, the answers as JSON, and report.html into a directory; raises OSError."""
    answers, more, extra = shown
    if out.suffix == ".toml":
        write_whole(out, _alone(question, answers, out).encode())
        return
    with whole_directory(out, EARLIER) as folder:
        for answer in answers:
            lead = f"{slug(question.lead(answer))}-" if len(answers) > 1 and question.lead(answer) else ""
            for name, text in question.scenarios(answer):
                write_whole(folder / f"{lead}{name}", text.encode())
        write_whole(folder / "advice.json", _as_json(question, answers, extra).encode())
        write_whole(folder / "report.html", as_html(question, answers, more).encode())


def _alone(question: Answers[Any, Any, Any], answers: Sequence[Any], out: Path) -> str:
    """The one scenario of an answer; raises InputError where there are several, or none."""
    allowed = "a directory, or no --out"
    if len(answers) > 1:
        why = f"there are {len(answers)} answers"
        raise refusal(problem("a file takes one scenario", file=str(out), key="out", why=why, allowed=allowed))
    text = question.alone(answers[0])
    if not text:
        raise refusal(problem("the answer has no scenario to write", file=str(out), key="out", allowed=allowed))
    return text

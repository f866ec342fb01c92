"""The questions of `advise` by name, and which of them files ask."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from slicewright._core import Scenario
from slicewright.advise.aliases.question import QUESTION as ALIASES
from slicewright.advise.day import Day, lacking
from slicewright.advise.exits.question import QUESTION as EXITS
from slicewright.advise.limits.fleet.cluster import Cluster
from slicewright.advise.limits.question import QUESTION as LIMITS
from slicewright.advise.linux_files import refused_for
from slicewright.advise.options import AdviceOptions
from slicewright.advise.polarization.question import QUESTION as POLARIZATION
from slicewright.advise.question import Answers, Files, Pair, Question
from slicewright.advise.slices.question import QUESTION as SLICES
from slicewright.advise.source import is_scenario
from slicewright.advise.yields.question import QUESTION as YIELDS
from slicewright.measured.rmf_pages import kinds
from slicewright.values.errors import Problem, gathered, nearest, problem, refusal

if TYPE_CHECKING:
    from slicewright.measured.read import MonitorData

QUESTIONS: dict[str, Question[Any, Any]] = {
    question.name: question for question in (ALIASES, SLICES, POLARIZATION, YIELDS, EXITS, LIMITS)
}
"""All questions, in the order in which help lists them; a package of your own may add one."""
FORMATS = ("text", "json")
"""How an answer is printed."""


def question_of(files: Files | Day | Cluster | Pair[Any], options: AdviceOptions | None = None) -> Question[Any, Any]:
    """The question that files (name, content) ask; of several, the one that has an option that is given.

    Raises InputError where a scenario or a day can be asked several, and where a day can be asked none.

    >>> from slicewright._core import starter
    >>> [question_of([(kind, starter(kind).encode())]).name for kind in ("pool", "two-domains", "zvm")]
    ['aliases', 'slices', 'polarization']
    """
    if isinstance(files, Pair):
        return question_of(files.before, options)
    if isinstance(files, Day):
        return _of_day(files, options or AdviceOptions())
    if isinstance(files, Cluster):
        return next(question for question in QUESTIONS.values() if question.fleet is not None)
    others = [question for question in QUESTIONS.values() if question is not ALIASES]
    for name, data in files:
        if not is_scenario(name, data):
            continue
        view = Scenario.outline(data)
        fits = [question for question in (*others, ALIASES) if question.fits(view)]
        if len(fits) > 1:
            why = f"it has {', and '.join(question.fits(view) for question in fits)}"
            allowed = ", or ".join(f"advise {question.name} {name}" for question in fits)
            what = f"{('two', 'three', 'four', 'five')[len(fits) - 2]} questions fit"
            raise refusal(problem(what, file=name, key="QUESTION", why=why, allowed=allowed))
        return fits[0] if fits else ALIASES
    given = options.own if options is not None else {}
    pages = any(kinds(data) for _, data in files)
    readers = [question for question in QUESTIONS.values() if question.reads(files)]
    asked = [question for question in (readers if pages else ()) if any(each.key in given for each in question.options)]
    return next(iter([*asked, *readers]), ALIASES)  # a file that no question knows is a DEVICE report


def answered_by(day: Day) -> list[Question[Any, Any]]:
    """The questions that a day answers: the one list of them, for `read`, for the page of `serve` and for `advise`.

    >>> from tests.advise.alias_example import day
    >>> [question.name for question in answered_by(day())]
    ['aliases']
    """
    return [question for question in QUESTIONS.values() if question.day is not None and not question.day.missing(day)]


def answered_by_data(data: MonitorData) -> list[tuple[str, list[Question[Any, Any]]]]:
    """Of each system in files of monitor data its name and the questions that its intervals answer.

    Reports of Linux's disks are read by the question of aliases as pages are, for the depth of a queue.
    """
    found: list[tuple[str, list[Question[Any, Any]]]] = []
    for name, run in data.runs.items():
        day = Day(name, run, tuple(range(len(run.starts_us))))
        found.append((name, [ALIASES] if day.of_linux else _answered_by_pages(data, day)))
    return found


def _answered_by_pages(data: MonitorData, day: Day) -> list[Question[Any, Any]]:
    """The questions that pages answer without any option; of other data, those that its intervals answer."""
    if not data.pages or not day.measured.raw["control_programs"].is_empty():
        return answered_by(day)
    return [
        question for question in QUESTIONS.values() if question.reads(data.pages) and not question.lacks(data.pages)
    ]


def _of_day(day: Day, options: AdviceOptions) -> Question[Any, Any]:
    """The one question that a day answers, or the one of several that has an option that is given."""
    asked = [(question, question.day) for question in QUESTIONS.values() if question.day is not None]
    fits = answered_by(day)
    given = [question for question in fits if any(option.key in options.own for option in question.options)]
    if len(fits) == 1 or len(given) == 1:
        return (given or fits)[0]
    if fits:
        why = "; ".join(f"{question.name}: {question.asks}" for question in fits)
        allowed = ", or ".join(f"advise {question.name} {day.name}" for question in fits)
        what = f"{('two', 'three', 'four', 'five')[len(fits) - 2]} questions fit"
        raise refusal(problem(what, file=day.name, key="QUESTION", why=why, allowed=allowed))
    raise refusal(*(lacking(question.name, of_day.records, of_day.missing(day), day) for question, of_day in asked))


def answers_of(question: Question[Any, Any], files: Files | Day | Cluster | Pair[Any]) -> Answers[Any, Any, Any]:
    """How a question is answered from files, a day or a cluster; raises InputError where these do not answer it.

    >>> answers_of(QUESTIONS["limits"], []).name
    'limits'
    """
    if isinstance(files, Pair):
        for each in (files.before, files.after):
            if isinstance(each, Cluster):
                what, allowed = "series of a cluster have no second measurement", "copies of cpu.stat of one container"
                raise refusal(problem(what, file=each.name, key="check", allowed=allowed))
            answers_of(question, each)
        return question.second if question.second is not None else _refuse_second(question, "check")
    if isinstance(files, Cluster):
        return question.fleet if question.fleet is not None else _refuse_cluster(question, files)
    if not isinstance(files, Day):
        if problems := refused_for(question.name, [file for file in files if not question.reads([file])]):
            raise refusal(*problems)
        return question
    if question.day is None:
        why = f"{question.undecided(files)}; advise {question.name} takes {question.files}"
        allowed = ", ".join(name for name, other in QUESTIONS.items() if other.day is not None)
        what = f"monitor data do not answer advise {question.name}"
        raise refusal(problem(what, file=files.name, key="QUESTION", why=why, allowed=allowed))
    if missing := question.day.missing(files):
        raise refusal(lacking(question.name, question.day.records, missing, files))
    return question.day


def _refuse_second(question: Question[Any, Any], key: str) -> Answers[Any, Any, Any]:
    """Raise InputError: the predictions of a question are neither checked nor kept."""
    why = "its predictions are neither checked nor kept"
    allowed = ", ".join(f"advise {name}" for name, other in QUESTIONS.items() if other.second is not None)
    raise refusal(problem(f"does not apply to advise {question.name}", key=key, why=why, allowed=allowed))


def _refuse_cluster(question: Question[Any, Any], cluster: Cluster) -> Answers[Any, Any, Any]:
    """Raise InputError: the series of a cluster do not answer a question."""
    why = f"they are counters of containers; advise {question.name} takes {question.files}"
    allowed = ", ".join(f"advise {name}" for name, other in QUESTIONS.items() if other.fleet is not None)
    what = f"series of a cluster do not answer advise {question.name}"
    raise refusal(problem(what, file=cluster.name, key="QUESTION", why=why, allowed=allowed))


def named(name: str) -> Question[Any, Any]:
    """The question of that name; raises InputError where there is none.

    >>> named("aliases").name
    'aliases'
    """
    if name not in QUESTIONS:
        near, allowed = nearest(name, QUESTIONS), ", ".join(QUESTIONS)
        raise refusal(problem(f"no such question: {name}", key="QUESTION", allowed=allowed, nearest=near))
    return QUESTIONS[name]


def request_of(question: Question[Any, Any], files: Files | Day | Cluster | Pair[Any], options: AdviceOptions) -> Any:
    """The request of a question; raises InputError with every problem of its options and files.

    >>> request_of(QUESTIONS["yields"], [], AdviceOptions.of(growth="20%")).growth
    1.2
    """
    problems: list[Problem] = []
    if isinstance(files, Pair):
        assert question.second is not None, "answers_of refuses others"
        request = gathered(problems, functools.partial(question.second.check, files, options))
    elif isinstance(files, Cluster):
        asked = question.fleet.check if question.fleet is not None else lambda cluster, options: None
        request = gathered(problems, functools.partial(asked, files, options))
    else:
        pages = () if isinstance(files, Day) else files
        request = gathered(problems, functools.partial(question.check, pages, options))
    problems += foreign(question, options)
    if problems:
        raise refusal(*problems)
    return request[0]


def foreign(question: Question[Any, Any] | None, options: AdviceOptions) -> list[Problem]:
    """Problems of the options that need no file: options of other questions and of none, and the format.

    >>> [one["key"] for one in foreign(QUESTIONS["exits"], AdviceOptions.of(threads="8"))]
    ['threads']
    """
    problems = [*(_of_others(question, options) if question is not None else []), *_unknown(options)]
    if options.then is not None and not options.check:
        why = "it is the setting of what was measured after a change"
        problems.append(problem("without --check", key="then", why=why, allowed="--check BEFORE AFTER"))
    if options.predictions is not None and question is not None and question.second is None:
        gathered(problems, functools.partial(_refuse_second, question, "predictions"))
    if options.format not in FORMATS:
        near, allowed = nearest(options.format, FORMATS), ", ".join(FORMATS)
        what = f"no such format: {options.format}"
        problems.append(problem(what, key="format", allowed=allowed, nearest=near))
    return problems


def _unknown(options: AdviceOptions) -> list[Problem]:
    """A problem for each option that no question has; only Python can pass one."""
    known = {option.key for question in QUESTIONS.values() for option in question.options}
    every = sorted({*known, "at", "growth", "target", "assume", "interval", "check", "then", "predictions"})
    return [
        problem("no such option", key=key, allowed=", ".join(every), nearest=nearest(key, every))
        for key in options.own
        if key not in known
    ]


def _of_others(question: Question[Any, Any], options: AdviceOptions) -> list[Problem]:
    """A problem for each option that belongs to another question."""
    return [
        problem(
            f"belongs to the question {other.name}, not to {question.name}",
            key=option.name, why=other.why, allowed=f"advise {other.name} FILE",
        )
        for other in QUESTIONS.values()
        if other is not question
        for option in other.options
        if option.key in options.own
    ]  # fmt: skip

"""Advice in Python: a question asked of files, and its answers as data, as text, and as a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from slicewright.advise.command import as_html, as_text, counted, keep_all, kept_in, taken
from slicewright.advise.options import AdviceOptions
from slicewright.advise.question import Answers, Question
from slicewright.advise.questions import QUESTIONS, answers_of, named, question_of, request_of
from slicewright.report.figure import Figure
from slicewright.report.model import Face, Lead, Paragraph, Report, Section, Table
from slicewright.report.shown import Shown
from slicewright.values.parameters import check, paths_of, text_problem

if TYPE_CHECKING:
    from slicewright.advise.predictions import Line


@dataclass(frozen=True, repr=False)
class Advice(Shown):
    """The answers of one question: one for each pool, partition or container that the files show.

    >>> from tests.advise.alias_example import FILE
    >>> from slicewright.asking import advise
    >>> known = ["population=3", "sharing=2%", "redispatch=none"]
    >>> advice = advise("aliases", [FILE], assume=known)
    >>> advice.document["recommendation"]["aliases"]
    2
    """

    question: Question[Any, Any]
    answers: Sequence[Any]
    asked: Answers[Any, Any, Any]
    """The question, or how it is answered from a day, or from two measurements."""
    kept: list[Line] | None = None
    """Lines of the file of predictions, as they were before; None where none is named."""

    @property
    def _earlier(self) -> tuple[list[Section], dict[str, Any]]:
        return counted(self.kept, self.question.name)

    @property
    def documents(self) -> list[dict[str, Any]]:
        """Each answer as `--format json` prints it."""
        return [{**self.asked.document(answer), **self._earlier[1]} for answer in self.answers]

    @property
    def document(self) -> dict[str, Any]:
        """The first answer as `--format json` prints it."""
        return self.documents[0]

    @property
    def scenarios(self) -> dict[str, str]:
        """The scenarios behind the first answer: names of files, and their text."""
        return dict(self.asked.scenarios(self.answers[0]))

    def reports(self) -> list[Report]:
        """Each answer as a report."""
        return [self.asked.report(answer) for answer in self.answers]

    def html(self) -> str:
        """The answers as one page."""
        return as_html(self.asked, self.answers, self._earlier[0])

    def __str__(self) -> str:
        """The answers as text, as `slicewright advise` prints them."""
        return as_text(self.asked, self.answers, self._earlier[0])

    def glances(self) -> list[Report]:
        """The recommendation, the figure and the table of variants of each answer."""
        return [_glance(report) for report in self.reports()]


def answered(
    question: str | None,
    files: str | PathLike[str] | Sequence[str | PathLike[str]],
    options: AdviceOptions,
    progress: Callable[[float], None],
) -> Advice:
    """The advice of `slicewright.advise`; raises InputError and RunError as it does."""
    check(None if question is None else text_problem("question", question, ", ".join(QUESTIONS)))
    chosen = named(question) if question is not None else None
    contents = taken(paths_of("files", files), options)
    chosen = chosen or question_of(contents, options)
    asked = answers_of(chosen, contents)
    options = replace(options, own={key: _several(chosen, key, value) for key, value in options.own.items()})
    request, kept = request_of(chosen, contents, options), kept_in(options)
    answers = asked.answer(contents, request, progress)
    keep_all(options, kept, asked, answers)
    return Advice(chosen, answers, asked, kept)


def _several(question: Question[Any, Any], key: str, value: Any) -> Any:
    """The value of an option; a text alone is one of an option that may be given several times."""
    repeated = any(option.several and option.key == key for option in question.options)
    return (value,) if repeated and isinstance(value, str) else value


def _glance(report: Report) -> Report:
    """What a notebook shows of an answer: the recommendation, its first figure, and its first table."""
    blocks = [block for section in report.sections for block in section.shown(Face.HTML)]
    lead = [block for block in blocks if isinstance(block, Lead | Paragraph)][:2]
    figure = [block for block in blocks if isinstance(block, Figure)][:1]
    table = [block for block in blocks if isinstance(block, Table)][:1]
    return replace(report, facts=(), sections=[Section("", [*lead, *figure, *table])])

"""The task of advice: a question of `advise` asked of dropped files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from slicewright.errors import nearest, problem, refusal
from slicewright.serve.reporter import Reporter

if TYPE_CHECKING:
    from slicewright.advise.question import Option, Question

_ELSEWHERE = ("FILE", "URL")
"""Values of options that lead beyond the files that were dropped."""
_SHARED = {"at": True, "assume": True, "growth": False, "target": False, "interval": False}
"""The options of every question, and whether each may be given several times."""


def ask(
    reporter: Reporter,
    question: str | None,
    folder: str,
    names: Sequence[str],
    options: Mapping[str, Any],
    **about: Any,
) -> dict[str, Any]:
    """The answer as a part of the page, as JSON, and the scenarios behind it; raises InputError and RunError.

    Options that name a file or a server are refused: the page reads what was dropped, and asks nothing elsewhere.
    """
    from slicewright.advise.advice import answered
    from slicewright.advise.options import AdviceOptions
    from slicewright.report.html import embedded
    from slicewright.report.model import joined

    typed = _typed(options)
    os.chdir(folder)
    advice = answered(question, names, AdviceOptions.of(**typed), reporter.progress)
    scenarios = [list(advice.asked.scenarios(answer)) for answer in advice.answers]
    return {
        "question": advice.question.name,
        "html": embedded(joined(advice.reports())),
        "page": advice.html(),
        "documents": advice.documents,
        "scenarios": [{"name": name, "text": text} for each in scenarios for name, text in each],
    }


def on_page(question: Question[Any, Any]) -> list[Option]:
    """The options of a question that the page offers.

    >>> from slicewright.advise.questions import QUESTIONS
    >>> [option.key for option in on_page(QUESTIONS["aliases"])]
    ['pool', 'aliases']
    """
    return [option for option in question.options if option.metavar not in _ELSEWHERE]


def _typed(options: Mapping[str, Any]) -> dict[str, str | list[str]]:
    """The options that were given; raises InputError for those that the page does not have."""
    from slicewright.advise.questions import QUESTIONS

    known = _SHARED | {option.key: option.several for each in QUESTIONS.values() for option in on_page(each)}
    given = {name: value for name, value in options.items() if value not in ("", [], None)}
    problems = []
    for name, value in given.items():
        if name not in known:
            why = "the page reads the files that were dropped, and asks no other server"
            problems.append(problem("no option of the page", key=name, nearest=nearest(name, known), why=why))
        elif not all(isinstance(each, str) for each in (value if isinstance(value, list) else [value])):
            problems.append(problem("not a text", key=name, allowed="the option as it is typed"))
    if problems:
        raise refusal(*problems)
    return {name: _as_given(value, known[name]) for name, value in given.items()}


def _as_given(value: str | list[str], several: bool) -> str | list[str]:
    """The value of an option, alone or in a list, as the command line has it."""
    if several:
        return [value] if isinstance(value, str) else value
    return value if isinstance(value, str) else ",".join(value)

"""The task of advice: a question of `advise` asked of dropped files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from slicewright.serve.reporter import Reporter


def ask(
    reporter: Reporter,
    question: str | None,
    folder: str,
    names: Sequence[str],
    options: Mapping[str, Any],
    **about: Any,
) -> dict[str, Any]:
    """The answer as a part of the page, as JSON, and the scenarios behind it; raises InputError and RunError."""
    from slicewright.advise.advice import answered
    from slicewright.advise.options import AdviceOptions
    from slicewright.report.html import embedded
    from slicewright.report.model import joined

    os.chdir(folder)
    typed = {name: value for name, value in options.items() if value not in ("", [], None)}
    advice = answered(question, names, AdviceOptions.of(**typed), reporter.progress)
    scenarios = [list(advice.asked.scenarios(answer)) for answer in advice.answers]
    return {
        "question": advice.question.name,
        "html": embedded(joined(advice.reports())),
        "page": advice.html(),
        "documents": advice.documents,
        "scenarios": [{"name": name, "text": text} for each in scenarios for name, text in each],
    }

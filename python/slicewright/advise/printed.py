"""Answers as they are printed: as text, as JSON or as one HTML page; and names for the files beside them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from slicewright.report import text
from slicewright.report.model import Report, joined

A = TypeVar("A")


def as_text(answers: Sequence[A], report: Callable[[A], Report]) -> str:
    """Answers as text, one below the other.

    >>> print(as_text(["MVS1", "MVS2"], lambda name: Report(name, sections=[])), end="")
    <BLANKLINE>
    <BLANKLINE>
    <BLANKLINE>
    <BLANKLINE>
    """
    return "\n\n".join(text.render(report(answer)) for answer in answers)


def as_json(answers: Sequence[A], document: Callable[[A], dict[str, Any]]) -> str:
    """Answers as JSON: one by itself, several as a list.

    >>> print(as_json([2], lambda count: {"aliases": count}), end="")
    {
     "aliases": 2
    }
    """
    made = [document(answer) for answer in answers]
    return json.dumps(made[0] if len(made) == 1 else made, indent=1) + "\n"


def as_html(answers: Sequence[A], report: Callable[[A], Report]) -> str:
    """Answers as one HTML page."""
    from slicewright.report import html

    return html.render(joined([report(answer) for answer in answers]))


def slug(name: str) -> str:
    """A name for files: what is no letter or digit becomes one dash.

    >>> slug("Vertical reshuffle, CPUPAD 300 %")
    'vertical-reshuffle-cpupad-300'
    """
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower()

"""Whoever answers one question of `advise`: how options are checked, files answered, answers shown and written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from slicewright.advise.options import AdviceOptions
from slicewright.advise.progress import Progress
from slicewright.report import text
from slicewright.report.model import Report

Q = TypeVar("Q")
A = TypeVar("A")
Named = Sequence[tuple[str, bytes]]
"""Files: what each is called, and what is in it."""


@dataclass(frozen=True, slots=True)
class Adviser(Generic[Q, A]):
    """How one question is answered.

    `check` gives what is asked, and raises InputError with every problem of options and files that it sees; `answer`
    raises InputError too, and RunError when a simulation cannot go on.  `report` is an answer for people, `document`
    one for programs; `scenarios` are names and texts of the files that are written beside it.  `lead` is what their
    names begin with where there are several answers; `alone` is the one scenario that is written where `out` ends in
    .toml.

    >>> from slicewright.advise.command import ADVISERS
    >>> ADVISERS["exits"].check([], AdviceOptions(growth="20%")).growth
    1.2
    """

    check: Callable[[Named, AdviceOptions], Q]
    answer: Callable[[Named, Q, Progress], Sequence[A]]
    document: Callable[[A], dict[str, Any]]
    report: Callable[[A], Report]
    scenarios: Callable[[A], Iterator[tuple[str, str]]]
    lead: Callable[[A], str] = lambda one: ""
    alone: Callable[[A], str] | None = None

    def text(self, answer: A) -> str:
        """An answer as text."""
        return text.render(self.report(answer))

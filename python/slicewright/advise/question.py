"""A question of `advise` as a declaration: what it asks and of which files, its options, its answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from slicewright.values.settings import Option

if TYPE_CHECKING:
    from slicewright.advise.day import Day
    from slicewright.advise.limits.fleet.cluster import Cluster
    from slicewright.advise.options import AdviceOptions
    from slicewright.experiment.progress import Progress
    from slicewright.report.model import Report
    from slicewright.scenario.view import View

R = TypeVar("R")
A = TypeVar("A")
Files = Sequence[tuple[str, bytes]]
"""Files: what each is called, and what is in it."""


def later(where: str) -> Callable[..., Any]:
    """A function, named `module:function` or `module:object.method`; its module is imported when it is called.

    Every question is declared before the files say which one is asked, and most of them are not.

    >>> later("math:sqrt")(9)
    3.0
    """
    return lambda *given, **named: resolve_name(where)(*given, **named)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers(Generic[R, A]):
    """How a question is answered from one kind of input, and how its answers are shown and written.

    `answer` raises InputError, and RunError when a simulation cannot go on.  `report` is an answer for people,
    `document` one for programs; `scenarios` are names and texts of the files that are written beside it.  `lead` is the
    prefix of their names where there are several answers; `alone` is the one scenario that is written where `out` ends
    in .toml.
    """

    answer: Callable[[Any, R, Progress], Sequence[A]]
    document: Callable[[A], dict[str, Any]]
    report: Callable[[A], Report]
    scenarios: Callable[[A], Iterator[tuple[str, str]]]
    alone: Callable[[A], str]
    lead: Callable[[A], str] = lambda answer: ""
    asked: Callable[[A], Iterator[tuple[Path, str]]] = lambda answer: iter(())
    """Files that options of the question ask for, with what is to be in them."""

    def text(self, answer: A) -> str:
        """An answer as text."""
        from slicewright.report import text

        return text.render(self.report(answer))


@dataclass(frozen=True, slots=True, kw_only=True)
class OfDay(Answers[R, A]):
    """How a question is answered from measured intervals."""

    records: str
    """The records that it needs, as people know them."""
    missing: Callable[[Day], Sequence[str]]
    """The records that a day lacks, each with what they would give; none where the day answers the question."""
    given: str = ""
    """The options that give facts which no record has, in the words of a promise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfFleet(Answers[R, A]):
    """How a question is answered from the series of a cluster.

    `check` returns the request, and raises InputError with every problem of the options; nothing is read yet.
    """

    check: Callable[[Cluster, AdviceOptions], R]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Answers[R, A]):
    """The declaration of one question, answered from files; the command does the rest.

    `check` returns the request, and raises InputError with every problem of options and files.

    >>> from slicewright.advise.options import AdviceOptions
    >>> from slicewright.advise.questions import QUESTIONS
    >>> QUESTIONS["exits"].check([], AdviceOptions(growth="20%")).growth
    1.2
    """

    name: str
    asks: str
    """The question, in one plain sentence."""
    files: str
    """Which files can be asked."""
    example: str
    """A command line that asks it, without `slicewright`."""
    help: Mapping[str, str]
    """The meaning of `at`, `growth`, `target` and `assume` for this question."""
    fits: Callable[[View], str]
    """The part of a scenario that the question is about; "" where the scenario has none."""
    check: Callable[[Files, AdviceOptions], R]
    alone_is: str
    """Which scenario `alone` gives."""
    reads: Callable[[Files], bool] = lambda files: False
    """Whether files that are no scenario ask it."""
    options: tuple[Option, ...] = field(default=())
    """Options that no other question has."""
    why: str = ""
    """Why other questions refuse these."""
    day: OfDay[R, Any] | None = None
    """How measured intervals answer it; None where they do not."""
    fleet: OfFleet[Any, Any] | None = None
    """How the series of a cluster answer it; None where they do not."""

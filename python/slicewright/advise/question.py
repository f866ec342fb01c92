"""The form of a question of `advise`: what it asks and of which files, its options, its answer.

Every question is declared before the files say which one is asked, and most are not.  So its methods import what they
need when they are called.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from slicewright.values.settings import Option

if TYPE_CHECKING:
    from slicewright.advise.answer import Request
    from slicewright.advise.comparison import Comparison
    from slicewright.advise.day import Day
    from slicewright.advise.limits.fleet.cluster import Cluster
    from slicewright.advise.many import Several
    from slicewright.advise.options import AdviceOptions
    from slicewright.advise.predictions import Line
    from slicewright.advise.second import Checked
    from slicewright.report.model import Report
    from slicewright.scenario.view import View
    from slicewright.values.errors import Problem
    from slicewright.values.progress import Progress

G = TypeVar("G")
R = TypeVar("R")
A = TypeVar("A")
M = TypeVar("M", bound="Several[Any]")
Files = Sequence[tuple[str, bytes]]
"""Files: what each is called, and what is in it."""


def meaning(*, at: str, growth: str, target: str, assume: str) -> Mapping[str, str]:
    """The meaning of the options that every question has, for one of them."""
    return {"at": at, "growth": growth, "target": target, "assume": assume}


class Answers(ABC, Generic[G, R, A]):
    """How a question is answered from one kind of input, and how its answers are shown and written."""

    @abstractmethod
    def answer(self, given: G, request: R, progress: Progress) -> Sequence[A]:
        """The answers; raises InputError, and RunError when a simulation cannot go on."""

    @abstractmethod
    def report(self, answer: A) -> Report:
        """An answer for people."""

    @abstractmethod
    def document(self, answer: A) -> dict[str, Any]:
        """An answer for programs."""

    def text(self, answer: A) -> str:
        """An answer as text."""
        from slicewright.report import text

        return text.render(self.report(answer))

    def scenarios(self, answer: A) -> Iterator[tuple[str, str]]:
        """Names and texts of the files that are written beside it."""
        return iter(())

    def alone(self, answer: A) -> str:
        """The one scenario that is written where `out` ends in .toml; "" for none."""
        return ""

    def lead(self, answer: A) -> str:
        """The prefix of the names of its files where there are several answers."""
        return ""

    def predicted(self, answer: A) -> Iterator[Line]:
        """Predictions of an answer, as they are kept; none where no second measurement can show them."""
        return iter(())

    def asked(self, answer: A) -> Iterator[tuple[Path, str]]:
        """Files that options of the question ask for, with what is to be in them."""
        return iter(())


@dataclass(frozen=True)
class Pair(Generic[G]):
    """Measurements from before and after a setting was changed."""

    before: G
    after: G


class OfPair(Answers[Pair[Any], R, "Checked"]):
    """How a question is answered from measurements before and after a change; its answer has the form of one."""

    name: str
    """The question."""

    @property
    @abstractmethod
    def single(self) -> Answers[Any, Any, Any]:
        """How one measurement is answered."""

    @abstractmethod
    def check(self, pair: Pair[Any], options: AdviceOptions) -> R:
        """The request; raises InputError with every problem of the options."""

    def report(self, answer: Checked) -> Report:
        """The answer, below the outcome of the predictions."""
        from slicewright.advise.second import with_outcome

        return with_outcome(self.single.report(answer.answer), answer)

    def document(self, answer: Checked) -> dict[str, Any]:
        """The same for programs: `check` has the verdict and each number."""
        from slicewright.advise.second import outcome

        return {**self.single.document(answer.answer), "check": outcome(answer)}

    def scenarios(self, answer: Checked) -> Iterator[tuple[str, str]]:
        """Those of the readings that are left."""
        return self.single.scenarios(answer.answer)

    def alone(self, answer: Checked) -> str:
        """The one of them that a single measurement gives."""
        return self.single.alone(answer.answer)

    def lead(self, answer: Checked) -> str:
        """The prefix of a single measurement."""
        return self.single.lead(answer.answer)

    def predicted(self, answer: Checked) -> Iterator[Line]:
        """The outcome, and what the answer predicts."""
        from slicewright.advise.predictions import outcome_of

        if answer.came is not None:
            yield outcome_of(self.name, answer)
        yield from self.single.predicted(answer.answer)


class OfMany(Answers[G, R, M]):
    """How a question is answered about many at once, whose answer shows itself."""

    def report(self, answer: M) -> Report:
        """All of them for people."""
        return answer.report()

    def document(self, answer: M) -> dict[str, Any]:
        """All of them for programs."""
        return answer.document()


class OfDay(OfMany["Day", R, M]):
    """How a question is answered from measured intervals."""

    records: str
    """The records that it needs, as people know them."""
    given: str = ""
    """The options that give facts which no record has, in the words of a promise."""

    @abstractmethod
    def missing(self, day: Day) -> Sequence[str]:
        """The records that a day lacks, each with what they would give; none where the day answers the question."""


class OfFleet(OfMany["Cluster", R, M]):
    """How a question is answered from the series of a cluster."""

    @abstractmethod
    def check(self, cluster: Cluster, options: AdviceOptions) -> R:
        """The request; raises InputError with every problem of the options. It reads no series."""


class Question(Answers[Files, R, A]):
    """One question, answered from files; the command does the rest.

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
    alone_is: str
    """Which scenario `alone` gives."""
    options: tuple[Option, ...] = ()
    """Options that no other question has."""
    why: str = ""
    """Why other questions refuse these."""
    day: OfDay[R, Any] | None = None
    """How measured intervals answer it; None where they do not."""
    fleet: OfFleet[Any, Any] | None = None
    """How the series of a cluster answer it; None where they do not."""
    second: OfPair[Any] | None = None
    """How measurements before and after a change answer it; None where they do not."""

    @abstractmethod
    def check(self, files: Files, options: AdviceOptions) -> R:
        """The request; raises InputError with every problem of options and files."""

    def undecided(self, day: Day) -> str:
        """Why no measured intervals answer it, where `day` is None: their facts, and those that they lack."""
        return "no record says it"

    def fits(self, view: View) -> str:
        """The part of a scenario that the question is about; "" where the scenario has none."""
        return ""

    def reads(self, files: Files) -> bool:
        """Whether files that are no scenario ask it."""
        return False

    def lacks(self, files: Files) -> list[Problem]:
        """The problems of pages without any option, before anything is simulated; none where they answer it."""
        return []


class Compares(Question["Request", A]):
    """A question about one scenario, whose variants are compared for each subject."""

    @property
    @abstractmethod
    def comparison(self) -> Comparison[Any, Any, Any, Any]:
        """The variants, and how they are compared."""

    def check(self, files: Files, options: AdviceOptions) -> Request:
        """The request; raises InputError with every problem of the options."""
        return self.comparison.check(options)

    def answer(self, files: Files, request: Request, progress: Progress) -> Sequence[Any]:
        """An answer per subject."""
        return self.comparison.answer(files, request, progress)

    def alone(self, answer: Any) -> str:
        """The scenario of what is recommended, or of now."""
        text: str = answer.point(answer.recommendation or answer.now).text
        return text

    def lead(self, answer: Any) -> str:
        """The subject."""
        name: str = answer.subject.name
        return name

"""The recommendation of `advise` as things are, and with each guess at the ends of its band."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from slicewright._core import InputError, RunError, Scenario
from slicewright.advise.options import AdviceOptions
from slicewright.advise.question import Question
from slicewright.advise.questions import request_of
from slicewright.experiment.progress import Progress
from slicewright.experiment.simulations import SEED, seeded
from slicewright.sensitivity.guesses import Guess
from slicewright.sensitivity.indices import SEEDS

FILE = "scenario.toml"


@dataclass(frozen=True, slots=True)
class Recommended:
    """What a question recommends: in words, and its number where it is one; `why` there is nothing, if so.

    >>> Recommended("14", 14.0).words
    '14'
    """

    text: str
    number: float | None = None
    why: str = ""

    @property
    def words(self) -> str:
        """The recommendation, or that there is none."""
        return self.text or "none"


@dataclass(frozen=True)
class Ends:
    """A question's recommendations: of the scenario as it is by seed, and of each guess at both ends of its band.

    What the seeds disagree about is noise: an end changes the recommendation where it gives none of theirs.
    """

    question: str
    now: tuple[Recommended, ...]
    of: tuple[tuple[Recommended, Recommended], ...]
    """By guess: at the low and at the high end."""

    def changes(self, at: int) -> bool:
        """Whether a guess would change the recommendation."""
        return any(self._differs(end) for end in self.of[at])

    def moved(self, at: int) -> float:
        """By how much an end of a guess moves the recommended number more than seeds do; 0 where it is a word."""
        known = [each.number for each in self.now if each.number is not None]
        ends = [end.number for end in self.of[at] if end.number is not None]
        if not known or not ends:
            return 0.0
        return max(max(min(known) - end, end - max(known), 0.0) for end in ends)

    @property
    def noise(self) -> str:
        """The recommendations of all seeds, as one text."""
        return " or ".join(dict.fromkeys(each.words for each in self.now))

    def _differs(self, end: Recommended) -> bool:
        numbers = [each.number for each in self.now]
        if end.number is not None and None not in numbers:
            known = [number for number in numbers if number is not None]
            return not min(known) <= end.number <= max(known)
        return end.words not in {each.words for each in self.now}


def ends(question: Question[Any, Any], scenario: Scenario, guesses: Sequence[Guess], progress: Progress) -> Ends:
    """The recommendations of a scenario and of its guesses' ends; raises InputError where it cannot be asked."""
    total = SEEDS + 2 * len(guesses)
    now = []
    for at in range(SEEDS):
        progress(at / total)
        with seeded(SEED + at):
            now.append(recommended(question, scenario))
    of = []
    for at, guess in enumerate(guesses):
        pair = []
        for end in (0.0, 1.0):
            progress((SEEDS + 2 * at + end) / total)
            pair.append(now[0] if end == guess.now else _at(question, scenario, guess.axis.changes(guess.at(end))))
        of.append((pair[0], pair[1]))
    progress(1.0)
    return Ends(question.name, tuple(now), tuple(of))


def _at(question: Question[Any, Any], scenario: Scenario, change: str) -> Recommended:
    try:
        return recommended(question, scenario.with_([change]))
    except (InputError, RunError) as error:
        return Recommended("", why=" ".join(str(error).split()))


def recommended(question: Question[Any, Any], scenario: Scenario) -> Recommended:
    """What a question recommends for a scenario: of several pools or partitions all in words, and the first number.

    Raises InputError and RunError as the question does.
    """
    files = [(FILE, scenario.resolved.encode())]
    answers = question.answer(files, request_of(question, files, AdviceOptions()), lambda share: None)
    documents = [question.document(answer) for answer in answers]
    if any(document["recommendation"] is None for document in documents):
        why = "; ".join(str(each.get("reason", "")) for each in documents if each["recommendation"] is None)
        return Recommended("", why=why)
    text = "; ".join(question.report(answer).facts[0][1] for answer in answers)
    first = next(iter(documents[0]["recommendation"].values()))
    is_number = isinstance(first, int | float) and not isinstance(first, bool)
    return Recommended(text, float(first) if is_number else None)

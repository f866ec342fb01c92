"""A live experiment: what is measured here and simulated beside it, in pairs; and everything that experiments share."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from slicewright._core import span_s
from slicewright.live.machine import Elsewhere, Environment, last_processors
from slicewright.results.frame import Framed, Row
from slicewright.results.judge import LIVE, Agreement, Band
from slicewright.statistics import Estimate, estimate
from slicewright.values.errors import Problem, gathered, nearest, problem, refusal
from slicewright.values.parameters import check
from slicewright.values.settings import RARE, Option

if TYPE_CHECKING:
    from slicewright.report.model import Section

P = TypeVar("P")
R = TypeVar("R", bound="Result")
T = TypeVar("T")
Word = TypeVar("Word", bound=str)
Progress = Callable[[float], None]
RELATIVE, ABSOLUTE_MS = 0.15, 1.0
"""Live and simulated agree when they differ by at most this share of the simulated, or by at most this many ms."""


class Paired:
    """Estimates by name, live and simulated; `JUDGED` are those with a verdict, and by how much they may differ.

    `others_percent` is what others had of the processors meanwhile.
    """

    JUDGED: ClassVar[Mapping[str, float]]
    others_percent: float
    live: Mapping[str, Estimate]
    simulated: Mapping[str, Estimate]

    def framed(self) -> Iterator[Row]:
        """Its numbers as rows of the frame of results; the subject is the fields before `others_percent`."""
        named = itertools.takewhile(lambda item: item[0] != "others_percent", vars(self).items())
        return beside(", ".join(f"{name} {value}" for name, value in named), self.live, self.simulated)

    @property
    def verdicts(self) -> dict[str, Agreement]:
        """By name of what is judged."""
        return {
            name: LIVE.beside(self.live[name], self.simulated[name], Band(RELATIVE, absolute), self.others_percent)
            for name, absolute in self.JUDGED.items()
        }


def beside(subject: str, live: Mapping[str, Estimate], simulated: Mapping[str, Estimate]) -> Iterator[Row]:
    """The numbers of a subject as rows of the frame of results, live and simulated."""
    for variant, values in (("live", live), ("simulated", simulated)):
        yield from (Row(subject, counter, value, variant) for counter, value in values.items())


class _Sight(Protocol):
    @property
    def elsewhere(self) -> Elsewhere:
        """Where the processors' time went meanwhile."""


def summed(runs: Sequence[_Sight], names: Iterable[str]) -> tuple[float, dict[str, Estimate]]:
    """The percentage of the processors that others had, and the estimate of each number over runs."""
    others = Elsewhere.of([run.elsewhere for run in runs]).others_percent
    return others, {name: estimate([getattr(run, name) for run in runs]) for name in names}


def in_turn(pairs: Sequence[T], progress: Progress, begin: float) -> Iterator[T]:
    """Pairs to be simulated, which goes on from a share of the progress."""
    for at, pair in enumerate(pairs):
        progress(begin + (1 - begin) * at / len(pairs))
        yield pair


def agreed(pairs: Sequence[Paired], judged: Iterable[str]) -> dict[str, int]:
    """How many pairs agree, by what is judged."""
    return {name: sum(pair.verdicts[name] == "agrees" for pair in pairs) for name in judged}


GROUP = Option("group", "DIR", "Parent of the control group, such as a delegated one.", panel=RARE)


def processor_of(given: int | None, key: str) -> int:
    """The processor that was given, or the last one."""
    return last_processors()[0] if given is None else given


def group_of(given: str | None) -> Path | None:
    """The folder of a group; raises InputError where there is none."""
    if given is not None and not Path(given).is_dir():
        raise refusal(problem("there is no such group", file=given, key="group", allowed="a directory of cgroupfs"))
    return None if given is None else Path(given).absolute()


@dataclass(frozen=True)
class Words:
    """The parts of a report that an experiment has of its own: title, the place and what was measured, sections, facts.

    `of` is what others took a share of; `after` is a line at the end.
    """

    title: str
    place: str
    measured: str
    sections: Sequence[Section]
    facts: Sequence[tuple[str, str]]
    of: str = "the processors"
    after: str = ""


class Result(Framed):
    """The part of a result that all have, which are dataclasses: kind, environment, warnings."""

    KIND: ClassVar[str]
    environment: Environment
    pairs: Sequence[Paired]

    def framed(self) -> Iterator[Row]:
        """Live and simulated numbers of all pairs."""
        return itertools.chain.from_iterable(pair.framed() for pair in self.pairs)

    @property
    def warnings(self) -> list[str]:
        """The disturbances of the measurement, and what was not measured."""
        return self.environment.warnings()


class Experiment(ABC, Generic[P, R]):
    """The declaration of an experiment: a command of `slicewright live`, its options, what it measures and says.

    `reads` has what makes a value of the text of an option, given that and the name.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    help: ClassVar[str]
    options: ClassVar[Sequence[Option]]
    reads: ClassVar[Mapping[str, Callable[[Any, str], Any]]]
    result: ClassVar[type[Result]]

    @abstractmethod
    def plan(self, given: Mapping[str, Any]) -> P:
        """The plan from the values of the options; raises InputError with everything that is wrong with it."""

    @abstractmethod
    def measure(self, plan: P, parent: Path | None, progress: Progress) -> R:
        """Measure on this machine, and simulate the same; `parent` is the group to make ours in.

        Raises InputError where the machine or the rights do not allow it.
        """

    @abstractmethod
    def words(self, result: R) -> Words:
        """The report of a result."""


def planned(experiment: Experiment[P, Any], given: Mapping[str, Any]) -> P:
    """The plan from the options as they were given; raises InputError with everything that is wrong with them."""
    problems: list[Problem] = []
    values = dict(given)
    for name, read in experiment.reads.items():
        for value in gathered(problems, partial(read, given[name], name)):
            values[name] = value
    check(*problems)
    return experiment.plan(values)


def span_ms(text: str, key: str) -> float:
    """The first span of a list, in ms."""
    return spans_ms(text, key)[0]


def spans_ms(text: str, key: str) -> tuple[float, ...]:
    """A list of spans as it is written, in ms; numbers without a unit are ms.

    Raises InputError with every one that is none.

    >>> spans_ms("30, 20 ms, .01 s", "slices")
    (30.0, 20.0, 10.0)
    """
    problems: list[Problem] = []
    words = [word.strip() for word in text.split(",")]
    units = [word if word[-1:].isalpha() else f"{word} ms" for word in words]
    found = [span * 1000 for unit in units for span in gathered(problems, partial(span_s, unit, key))]
    check(*problems)
    return tuple(round(span, 6) for span in found)


def counts_of(text: str, key: str) -> tuple[int, ...]:
    """A list of whole numbers from 0 on; raises InputError with every one that is none.

    >>> counts_of("0, 1,2", "hogs")
    (0, 1, 2)
    """
    words = [word.strip() for word in text.split(",")]
    wrong = [word for word in words if not word.isdecimal()]
    if wrong:
        raise refusal(*(problem(f"not a whole number: {word!r}", key=key, allowed="0, 1, ...") for word in wrong))
    return tuple(dict.fromkeys(map(int, words)))


def chosen(text: str, key: str, what: str, known: Sequence[Word]) -> tuple[Word, ...]:
    """The known words that a list names, each once; `what` is one of them in an error.

    Raises InputError with every word that is none.

    >>> chosen("spin, futex", "methods", "method", ("futex", "spin"))
    ('spin', 'futex')
    """
    words = [word.strip() for word in text.split(",")]
    wrong = [
        problem(f"no such {what}: {word!r}", key=key, allowed=", ".join(known), nearest=nearest(word, known))
        for word in words
        if word not in known
    ]
    check(*wrong)
    return tuple(dict.fromkeys(each for word in words for each in known if each == word))


def outside(
    key: str, values: Sequence[float], bounds: tuple[float, float], unit: str, allowed: str = ""
) -> list[Problem]:
    """A problem where there are no values, or any is out of bounds."""
    wrong = [value for value in values if not bounds[0] <= value <= bounds[1]]
    if values and not wrong:
        return []
    what = f"{', '.join(f'{value:.6g}' for value in wrong) or 'no number'} {unit}"
    return [problem(what, key=key, allowed=allowed or f"{bounds[0]:g} to {bounds[1]:g}")]


def checked(plan: T, problems: Sequence[Problem]) -> T:
    """A plan without problems; raises InputError with all that there are."""
    check(*problems)
    return plan


def wrong_length(each: tuple[str, float, float], length_s: float, longest_s: float, why: str) -> list[Problem]:
    """A problem where a measurement is too short or too long; `each` is a part of it, its seconds and the least."""
    what, seconds, least_s = each
    if seconds >= least_s and length_s <= longest_s:
        return []
    said = f"{seconds:.4g} s for each {what}, {length_s:.4g} s in all"
    allowed = f"at least {least_s:.4g} s each, at most {longest_s:.0f} s in all"
    return [problem(said, key="for", why=why, allowed=allowed)]

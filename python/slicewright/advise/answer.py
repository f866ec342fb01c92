"""The answer of a question that compares variants: points, recommendation, readings, evidence, caveats."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from slicewright._core import InputError, Scenario
from slicewright.advise.constants import Constant, Variation
from slicewright.advise.target import Target
from slicewright.experiment.outcome import Outcome
from slicewright.experiment.paired import known
from slicewright.experiment.plan import Plan
from slicewright.experiment.simulations import Simulations
from slicewright.report.forms import Span
from slicewright.results.busiest import Change
from slicewright.statistics import Estimate

S = TypeVar("S", bound="Named")
V = TypeVar("V")
E = TypeVar("E")
O = TypeVar("O", bound=Outcome)  # noqa: E741


class Named(Protocol):
    """The subject of an answer, such as a partition."""

    @property
    def name(self) -> str:
        """Its name in the scenario."""


@dataclass(frozen=True, slots=True)
class Request:
    """The options of a question after checking: `at` is what is shown too, `growth` a factor (1 is none)."""

    at: tuple[Any, ...] = ()
    growth: float = 1.0
    target: Target | None = None
    changes: tuple[str, ...] = ()
    """Keys of the scenario to set."""
    knobs: Mapping[str, float] = field(default_factory=dict)
    """Thresholds such as the least difference that counts, by the name that `--assume` takes, in percent."""


@dataclass(frozen=True, slots=True)
class Point(Generic[V]):
    """One variant: columns, differences to other variants, what one of them is made of, and ranges over readings.

    `ranges` is empty where only the main reading was simulated; `fits` says whether it does all that is asked of it.

    >>> Point("batch", {"cpu_percent": Estimate(2.0, 0.1, 4)}).means
    {'cpu_percent': 2.0}
    """

    variant: V
    columns: Mapping[str, Estimate]
    differences: Mapping[str, Estimate] = field(default_factory=dict)
    parts: Mapping[str, Estimate] = field(default_factory=dict)
    ranges: Mapping[str, Span] = field(default_factory=dict)
    fits: bool = True
    text: str = field(default="", repr=False)
    """The complete scenario."""

    @property
    def means(self) -> dict[str, float]:
        """Columns without their intervals, as a target takes them."""
        return {name: value.mean for name, value in self.columns.items()}

    def range(self, name: str) -> Span:
        """The smallest and the largest value over readings; None where only one was simulated."""
        return self.ranges.get(name, Span(None, None))

    def __getitem__(self, key: str) -> Estimate | Span:
        """What the spec of a table names: a column, a part, a difference (in percent), or a range (`gain..`)."""
        if key.endswith(".."):
            return self.range(key.removesuffix(".."))
        found = self.columns.get(key) or self.parts.get(key)
        return found if found is not None else self.differences[key.removesuffix("_percent")]


@dataclass(frozen=True, slots=True)
class Reading(Generic[V]):
    """The result of a variation: the variant chosen with it, and its gain over the other.

    `why` says why it could not be simulated, if so; `text` is the complete scenario.
    """

    name: str
    what: str
    chosen: V | None
    gain: Estimate
    text: str = field(default="", repr=False)
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Evidence, what stays open, caveats, and what would settle it: a sentence each."""

    facts: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Advised(Explanation):
    """What every answer from files has: what was read, in a line too, and why nothing is recommended, if so."""

    files: tuple[str, ...]
    heading: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Case(Generic[S, V]):
    """What a question is asked of: one subject of one scenario, its variant of now, and what is asked."""

    file: str
    heading: str
    """The description of the input."""
    scenario: Scenario = field(repr=False)
    """With what is assumed of it, and the growth that is asked for."""
    subject: S
    now: V
    asked: tuple[V, ...]
    """The variants that `--at` requests."""
    request: Request
    constants: tuple[Constant, ...] = ()
    """The constants that were not measured on this system."""
    grown: tuple[str, ...] = ()
    """The counts that growth changed."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[S, V, E]):
    """All of it, of one subject of one scenario."""

    case: Case[S, V]
    plan: Plan
    evidence: E
    """The evidence of this question alone."""
    points: tuple[Point[V], ...]
    recommendation: V | None = None
    reason: str = ""
    """Why nothing is recommended."""
    alike: tuple[V, ...] = ()
    """Variants whose results do not differ from the recommended one's."""
    readings: tuple[Reading[V], ...] = ()
    meets: tuple[V, ...] = ()
    """Variants that meet the target, the best first."""
    explanation: Explanation = field(default_factory=Explanation)
    machine: Change | None = None
    """The whole machine as it is, and with the variant that was chosen."""
    chose: V | None = None
    """The variant that was chosen before the whole machine was looked at; None: that of now."""

    @property
    def subject(self) -> S:
        """The subject of the answer."""
        return self.case.subject

    @property
    def now(self) -> V:
        """The variant of now."""
        return self.case.now

    @property
    def request(self) -> Request:
        """The request."""
        return self.case.request

    @property
    def chosen(self) -> list[V]:
        """The variant chosen under each reading that could be simulated."""
        return [reading.chosen for reading in self.readings if reading.chosen is not None]

    def point(self, variant: V) -> Point[V]:
        """The point of a variant that was simulated."""
        return next(point for point in self.points if point.variant == variant)


def readings_of(
    simulations: Simulations[V, O],
    variations: Sequence[Variation],
    variants: Sequence[V],
    judge: Callable[[Mapping[V, O]], tuple[V, Estimate]],
    replications: int | None = None,
) -> Iterator[tuple[Reading[V], Mapping[V, O]]]:
    """A reading per variation with its outcomes by variant; without outcomes where it cannot be simulated.

    `judge` chooses among outcomes and says what that gains; `replications` are of readings other than the given one.
    """
    for variation in variations:
        count = replications if variation.changes else None
        try:
            outcomes = {variant: simulations.at(variant, variation.changes, count) for variant in variants}
        except InputError as error:
            why = str(error.problems[0]["what"]) if error.problems else str(error)
            yield Reading(variation.name, variation.what, None, known([]), why=why), {}
            continue
        chosen, gain = judge(outcomes)
        yield Reading(variation.name, variation.what, chosen, gain, outcomes[chosen].text), outcomes


def reading_scenarios(readings: Sequence[Reading[Any]]) -> Iterator[tuple[str, str]]:
    """Names and texts of the scenarios of readings, but for the given one, which is beside them under another name.

    >>> list(reading_scenarios([Reading("given", "as given", "x9c", Estimate(1.0, 0.1, 4), "text")]))
    []
    """
    for reading in readings:
        if reading.text and reading.name != "given":
            yield f"reading-{reading.name}.toml", reading.text

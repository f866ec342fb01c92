"""The guesses of a scenario: bands, their settings as points of a store, and `advise` at the ends of each band."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from slicewright._core import InputError, RunError, Scenario
from slicewright.advise.options import AdviceOptions
from slicewright.advise.question import Question
from slicewright.advise.questions import request_of
from slicewright.experiment import plan as experiment
from slicewright.experiment.simulations import SEED, seeded
from slicewright.experiment.store import Part, tables_of, warm_up_of
from slicewright.explore.axes import Axis, Value, axis
from slicewright.explore.observed import Observer
from slicewright.run.headline import SUBJECTS, foremost
from slicewright.run.pooled import Pooled, Simulated
from slicewright.run.tables import ENTITY, counters
from slicewright.scenario.left_open import LeftOpen
from slicewright.scenario.replay import Recording, resupplied
from slicewright.scenario.settings import Setting, bands, settings
from slicewright.statistics import Estimate, estimate
from slicewright.values.errors import Problem, nearest, problem, refusal
from slicewright.values.parameters import brief, check
from slicewright.values.progress import Progress

_ROLES = ("assumed", "borrowed", "default")
"""The roles of numbers that were not measured on the system at hand."""

_MEASURED = "measure."
"""Keys that say how the scenario is measured, which are no part of the machine."""
_INSIDE = (1 / 3, 2 / 3)
"""The places within a band at which a screening looks."""
SEEDS = 4
"""Of the ends and of the screening: the spread of differences over them is the noise."""
_HALVINGS = 4
"""How often a band is halved, towards the value as it is, where an end of it is refused."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A number that varies: its key, its value as it is, its band, and where it comes from.

    >>> Guess(Axis("guest.A.program.1.think", "ms", "number", low=1.0, high=3.0), 2.0, "assumed", "").now
    0.5
    """

    axis: Axis
    number: float
    role: str
    why: str
    narrowed: bool = False
    """Whether an end of its band was refused, so that it has a narrower one."""

    @property
    def key(self) -> str:
        """The key, as `--set` takes it."""
        return self.axis.key

    @property
    def now(self) -> float:
        """The place of the value in the band, 0 to 1."""
        return (self.number - self.axis.low) / (self.axis.high - self.axis.low)

    def at(self, share: float) -> Value:
        """The value at a place of the band, with four significant digits; whole where the number is."""
        if share == self.now:
            return round(self.number) if self.axis.kind == "whole" else self.number
        value = self.axis.low + share * (self.axis.high - self.axis.low)
        return round(value) if self.axis.kind == "whole" else float(f"{value:.4g}")


@dataclass(frozen=True, slots=True)
class Choice:
    """Which numbers vary, and how far: texts of `--vary KEY=LOW..HIGH`, keys of `--fix`, and the share of a band."""

    vary: Sequence[str] = ()
    fix: Sequence[str] = ()
    within: float = 0.5


@dataclass(frozen=True, slots=True)
class Guesses:
    """The guesses of a scenario, and a sentence about each that does not vary."""

    vary: tuple[Guess, ...]
    left_out: tuple[str, ...]


def guesses(scenario: Scenario, choice: Choice) -> Guesses:
    """The guesses of a scenario; raises InputError with every problem of the choice, and where nothing varies.

    >>> from slicewright.scenario.starters import read_starter
    >>> found = guesses(read_starter("mm1"), Choice())
    >>> [guess.key for guess in found.vary][-2:]
    ['guest.USERS.program.1.io.bytes', 'guest.USERS.program.1.io.reads']
    """
    every = settings(scenario)
    by_key = {setting.key: setting for setting in every if not setting.key.startswith(_MEASURED)}
    given = _given(_with_open(scenario, choice), by_key)
    own = bands(every, choice.within)
    found: list[Guess] = []
    left: list[str] = []
    for setting in by_key.values():
        if setting.key in given:
            found.append(_guess(setting, given[setting.key]))
        elif setting.role in _ROLES and setting.key not in choice.fix:
            guess, why = _within(scenario, setting, own.get(setting.key))
            found += [guess] if guess else []
            left += [f"{setting.key} {setting.value}: {why}"] if why else []
    if not found:
        allowed = "a scenario with assumed, borrowed or defaulted numbers, or --vary KEY=LOW..HIGH"
        raise refusal(problem("no number varies", key="vary", allowed=allowed))
    return Guesses(tuple(found), tuple(left))


def _with_open(scenario: Scenario, choice: Choice) -> Choice:
    """The choice with the ranges that a fit left open, of keys that it neither varies nor fixes."""
    chosen = {*choice.fix, *(text.partition("=")[0].strip() for text in choice.vary)}
    every = [band for value in LeftOpen.of(scenario).open for band in value.ranges]
    return replace(choice, vary=[*choice.vary, *(band for band in every if band.partition("=")[0] not in chosen)])


def _given(choice: Choice, by_key: dict[str, Setting]) -> dict[str, Axis]:
    """The bands of `--vary` by key; raises InputError with every problem, those of `--fix` too."""
    problems: list[Problem] = []
    found: dict[str, Axis] = {}
    for text in choice.vary:
        try:
            made = _band(text, by_key)
        except InputError as error:
            problems += error.problems
            continue
        if made.key in found:
            problems.append(problem("is given twice", key=made.key))
        found[made.key] = made
    problems += [_unknown("fix", key, by_key) for key in choice.fix if key not in by_key]
    problems += [problem("is both varied and fixed", key=key) for key in found if key in choice.fix]
    check(*problems)
    return found


def _band(text: str, by_key: dict[str, Setting]) -> Axis:
    allowed = "KEY=LOW..HIGH with the unit of the key: 'guest.*.program.1.think=0.1..0.6 ms'"
    key, sign, values = text.partition("=")
    key = key.strip()
    if not sign or ".." not in values:
        raise refusal(problem(f"`{brief(text)}` is no band", key="vary", allowed=allowed))
    setting = by_key.get(key)
    if setting is None or setting.number is None:
        raise refusal(_unknown("vary", key, [name for name, each in by_key.items() if each.number is not None]))
    made = axis(key, values)
    low, high = (float(made.values[0]), float(made.values[-1])) if made.values else (made.low, made.high)
    if made.unit != setting.suffix.strip():
        what = f"`{brief(text)}` has the unit {made.unit or 'none'}"
        raise refusal(problem(what, key=key, allowed=setting.suffix.strip() or "a number without a unit"))
    if not low <= setting.number <= high:
        what = f"`{brief(text)}` does not contain the value as it is"
        raise refusal(problem(what, key=key, allowed=f"a band around {setting.value}"))
    return _axis(setting, low, high)


def _unknown(option: str, key: str, keys: Iterable[str]) -> Problem:
    allowed = "a key that slicewright explain lists, with a number"
    return problem(f"no such number: {brief(key)}", key=option, allowed=allowed, nearest=nearest(key, list(keys)))


def _guess(setting: Setting, band: Axis, narrowed: bool = False) -> Guess:
    assert setting.number is not None
    return Guess(band, setting.number, setting.role, setting.why, narrowed)


def _within(scenario: Scenario, setting: Setting, band: tuple[float, float] | None) -> tuple[Guess | None, str]:
    """A guess with a band whose ends are scenarios, or why there is none; a word has none."""
    if setting.number is None:
        return None, "not a number"
    if band is None:
        return None, "0 has no scale; give a band with --vary"
    low, high = band
    why = ""
    for halving in range(_HALVINGS + 1):
        guess = _guess(setting, _axis(setting, low, high), narrowed=halving > 0)
        wrong = [_refused(scenario, guess, share) for share in (0.0, 1.0)]
        if not any(wrong):
            why = next(filter(None, (_refused(scenario, guess, share) for share in _INSIDE)), "")
            return (None, f"values between are refused: {why}") if why else (guess, "")
        why = next(filter(None, wrong))
        last = halving == _HALVINGS - 1  # then an end that is refused is the value as it is
        low = low if not wrong[0] else setting.number if last else _halfway(setting, low)
        high = high if not wrong[1] else setting.number if last else _halfway(setting, high)
        if low >= high:
            break
    return None, f"other values are refused: {why}"


def _axis(setting: Setting, low: float, high: float) -> Axis:
    return Axis(setting.key, setting.suffix.strip(), "whole" if setting.whole else "number", low=low, high=high)


def _halfway(setting: Setting, end: float) -> float:
    """An end of a band half as far from the value."""
    assert setting.number is not None
    middle = (setting.number + end) / 2
    if setting.whole:
        return float(int(middle)) if end > setting.number else float(-int(-middle))
    return float(f"{middle:.4g}")


def _refused(scenario: Scenario, guess: Guess, share: float) -> str:
    """Why a value is no scenario; "" where it is one."""
    try:
        scenario.with_([guess.axis.changes(guess.at(share))])
    except InputError as error:
        return str(error.problems[0]["what"])
    return ""


_LEAST_S = 0.01
"""Simulated seconds of the shortest interval: the engine samples queues every millisecond at most."""
_PRECISE = 0.01
"""Half-width of the answer as it is, as a share of it, at which intervals are long enough."""
_SHORTEST = 256
"""The shortest interval that is tried, as a part of the scenario's own."""
_NAMED = 6


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a run: a counter of a table, and of which entity where there are several.

    >>> Quantity("system", "", "response_ms").named
    'response_ms'
    """

    table: str
    entity: str
    counter: str

    @property
    def named(self) -> str:
        """The counter, and its entity where there are several."""
        return f"{self.entity}: {self.counter}" if self.entity else self.counter


@dataclass(frozen=True)
class Points:
    """A scenario with guesses as a function: settings in, answers out."""

    guesses: Sequence[Guess]
    observer: Observer

    def __call__(self, settings: npt.NDArray[np.float64], seeds: int, progress: Progress) -> npt.NDArray[np.float64]:
        """Answers of settings (a row each, 0 to 1 of each band), a row per seed; NaN where a point has none."""
        values = [
            tuple(guess.at(float(share)) for guess, share in zip(self.guesses, row, strict=True)) for row in settings
        ]
        self.observer.look = lambda: progress
        found = self.observer.observe(values, range(seeds))
        progress(1.0)
        return np.asarray(found[:, :, 0].T)


def shortened(
    scenario: Scenario, recordings: Sequence[Recording], replications: int, wanted: str | None = None
) -> tuple[Scenario, Quantity]:
    """The scenario measured for as short as its answer is precise, one replication a seed; and what its answer is.

    The warm-up is that of the scenario as it is, so that no point looks for its own.  A scenario that changes while it
    runs, or that replays recordings, keeps its own interval: its times mean something.  Raises RunError, and
    InputError where nothing is measured, or nothing that is `wanted`.

    >>> from slicewright.scenario.starters import read_starter
    >>> short, quantity = shortened(read_starter("mm1"), (), 4)
    >>> short.measure["interval_s"] < 600, quantity.named
    (True, 'response_ms')
    """
    world = resupplied(scenario, recordings)
    measure = world.view.measure
    warm_up = float(f"{warm_up_of(world, SEED)[0]:.2g}")
    timed = bool(world.replays or world.view.changes)
    length = measure.measured_s if timed else max(measure.measured_s / _SHORTEST, min(measure.measured_s, _LEAST_S))
    while True:
        length = min(measure.measured_s, float(f"{length:.2g}"))
        keys = [f'measure.warm_up="{warm_up:g} s"', "measure.replications=1"]
        made = scenario.with_(keys if timed else experiment.Plan(length, warm_up, 1).changes())
        tables = tables_of(resupplied(made, recordings), Part(SEED, (0, replications), warm_up))
        pooled = Simulated.of(tables).pooled
        quantity = _quantity(pooled, wanted)
        if timed or length >= measure.measured_s or _values(pooled, quantity).relative <= _PRECISE:
            return made, quantity
        length *= 2


def by_reading(
    scenario: Scenario, measured: Scenario, recordings: Sequence[Recording], asked: tuple[Quantity, int]
) -> dict[str, Estimate]:
    """The quantity under each reading of a scenario, measured as another is; asked with a number of seeds."""
    quantity, seeds = asked
    left_open = LeftOpen.of(scenario)
    warm_up = float(measured.measure["warm_up_s"])
    found = {}
    for name, load in left_open.loads(measured).items() if left_open.readings else ():
        tables = tables_of(resupplied(load, recordings), Part(SEED, (0, seeds), warm_up))
        found[name] = _values(Simulated.of(tables).pooled, quantity)
    return found


def _quantity(pooled: Pooled, wanted: str | None) -> Quantity:
    """The first number of the headline, or the one that is wanted: TABLE.COUNTER, or TABLE.ENTITY.COUNTER."""
    if wanted is not None:
        return _wanted(pooled, wanted)
    known = foremost(pooled)
    if not known:
        what = "nothing is measured that a number could move"
        raise refusal(problem(what, key="SCENARIO", allowed="a scenario with I/O, virtual machines, threads or guests"))
    entity, counter, _ = known[0]
    subject = next(each for each in SUBJECTS if counter in each.counters and not each.rows(pooled).is_empty())
    return Quantity(subject.table, entity, counter)


def _wanted(pooled: Pooled, text: str) -> Quantity:
    table, _, rest = text.partition(".")
    entity, _, counter = rest.rpartition(".")
    tables = [name for name in ENTITY if not pooled[name].is_empty()]
    if table not in tables:
        near = nearest(table, tables)
        raise refusal(problem(f"no such table: {brief(table)}", key="of", allowed=", ".join(tables), nearest=near))
    known = counters(pooled[table])
    if counter not in known:
        near, allowed = nearest(counter, known), ", ".join(known)
        raise refusal(problem(f"no such counter of {table}: {brief(counter)}", key="of", allowed=allowed, nearest=near))
    names = pooled[table][ENTITY[table].split()[0]].unique(maintain_order=True).to_list() if ENTITY[table] else [""]
    entities = list(map(str, names))
    if not entity and len(entities) == 1:
        entity = entities[0]
    if entity not in entities:
        what = f"no such row of {table}: {brief(entity)}" if entity else f"{table} has several rows"
        allowed = ", ".join(f"{table}.{name}.{counter}" for name in entities[:_NAMED])
        raise refusal(problem(what, key="of", allowed=allowed, nearest=nearest(entity, entities)))
    return Quantity(table, entity, counter)


def _values(pooled: Pooled, quantity: Quantity) -> Estimate:
    """The estimate of a quantity over replications."""
    frame = pooled[quantity.table]
    if quantity.entity:
        frame = frame.filter(frame[ENTITY[quantity.table].split()[0]] == quantity.entity)
    return estimate(frame[quantity.counter].drop_nulls().to_list())


_FILE = "scenario.toml"


@dataclass(frozen=True, slots=True)
class _Recommended:
    """What a question recommends: in words, and its number where it is one; `why` there is nothing, if so.

    >>> _Recommended("14", 14.0).words
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
    now: tuple[_Recommended, ...]
    of: tuple[tuple[_Recommended, _Recommended], ...]
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

    def _differs(self, end: _Recommended) -> bool:
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
            now.append(_recommended(question, scenario))
    of = []
    for at, guess in enumerate(guesses):
        pair = []
        for end in (0.0, 1.0):
            progress((SEEDS + 2 * at + end) / total)
            pair.append(now[0] if end == guess.now else _at(question, scenario, guess.axis.changes(guess.at(end))))
        of.append((pair[0], pair[1]))
    progress(1.0)
    return Ends(question.name, tuple(now), tuple(of))


def _at(question: Question[Any, Any], scenario: Scenario, change: str) -> _Recommended:
    try:
        return _recommended(question, scenario.with_([change]))
    except (InputError, RunError) as error:
        return _Recommended("", why=" ".join(str(error).split()))


def _recommended(question: Question[Any, Any], scenario: Scenario) -> _Recommended:
    """What a question recommends for a scenario: of several pools or partitions all in words, and the first number.

    Raises InputError and RunError as the question does.
    """
    files = [(_FILE, scenario.resolved.encode())]
    answers = question.answer(files, request_of(question, files, AdviceOptions()), lambda share: None)
    documents = [question.document(answer) for answer in answers]
    if any(document["recommendation"] is None for document in documents):
        why = "; ".join(str(each.get("reason", "")) for each in documents if each["recommendation"] is None)
        return _Recommended("", why=why)
    text = "; ".join(question.report(answer).facts[0][1] for answer in answers)
    first = next(iter(documents[0]["recommendation"].values()))
    is_number = isinstance(first, int | float) and not isinstance(first, bool)
    return _Recommended(text, float(first) if is_number else None)

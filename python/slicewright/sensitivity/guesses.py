"""The guesses of a scenario: its assumed, borrowed and defaulted numbers, each with the band within which it varies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from slicewright._core import InputError, Scenario
from slicewright.errors import Problem, nearest, problem, refusal
from slicewright.parameters import brief
from slicewright.reading.left_open import LeftOpen
from slicewright.scenario.settings import Setting, bands, settings
from slicewright.sweep.axes import Axis, Value, axis

ROLES = ("assumed", "borrowed", "default")
"""The roles of numbers that were not measured on the system at hand."""

MEASURED = "measure."
"""Keys that say how the scenario is measured, which are no part of the machine."""
INSIDE = (1 / 3, 2 / 3)
"""The places within a band at which a screening looks."""
HALVINGS = 4
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
    by_key = {setting.key: setting for setting in every if not setting.key.startswith(MEASURED)}
    given = _given(_with_open(scenario, choice), by_key)
    own = bands(every, choice.within)
    found: list[Guess] = []
    left: list[str] = []
    for setting in by_key.values():
        if setting.key in given:
            found.append(_guess(setting, given[setting.key]))
        elif setting.role in ROLES and setting.key not in choice.fix:
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
    if problems:
        raise refusal(*problems)
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
    for halving in range(HALVINGS + 1):
        guess = _guess(setting, _axis(setting, low, high), narrowed=halving > 0)
        wrong = [_refused(scenario, guess, share) for share in (0.0, 1.0)]
        if not any(wrong):
            why = next(filter(None, (_refused(scenario, guess, share) for share in INSIDE)), "")
            return (None, f"values between are refused: {why}") if why else (guess, "")
        why = next(filter(None, wrong))
        last = halving == HALVINGS - 1  # then an end that is refused is the value as it is
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

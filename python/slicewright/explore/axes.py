"""The axes of an exploration: keys and their values; and its design: which combinations are simulated, by number."""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from slicewright._core import InputError
from slicewright.scenario.changes import changes_of
from slicewright.values.errors import Problem, gathered, problem, refusal
from slicewright.values.parameters import brief, check, kind_problem, text_of, whole_problem

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


Value = int | float | str
_Kind = Literal["whole", "number", "text"]

_MOST_VALUES = 100_000
"""Values of one axis."""

ALLOWED = "KEY=LOW..HIGH, KEY=LOW..HIGH:STEP with a unit after it (2..30:4 ms), or KEY=A,B,C"

_NUMBER = r"[+-]?\d+(?:\.\d+)?"
_UNIT = "|".join(("ns", "us", "ms", "s", "min", "h", "d", "%", "/s", "/min", "/h", "KiB", "MiB", "GiB"))
_RANGE = re.compile(rf"\s*({_NUMBER})\s*\.\.\s*({_NUMBER})\s*(?::\s*({_NUMBER}))?\s*({_UNIT}|)\s*")
_MEASURE = re.compile(rf"\s*({_NUMBER})\s*({_UNIT}|)\s*")


@dataclass(frozen=True, slots=True)
class Axis:
    """A key, the unit of its numbers, and its values; without values, every number from `low` to `high`.

    >>> axis("alias_pool.A.aliases", "0..8:4").values
    (0, 4, 8)
    >>> axis("cec.slice", "2 ms, 5 ms").changes(5)
    'cec.slice="5 ms"'
    """

    key: str
    unit: str
    kind: _Kind
    values: tuple[Value, ...] = ()
    low: float = math.nan
    high: float = math.nan

    def changes(self, value: Value) -> str:
        """The change of a scenario that sets a value, as `--set` has it."""
        if self.kind == "text":
            return f"{self.key}={value}"
        space = "" if self.unit.startswith("/") else " "
        return f'{self.key}="{_digits(value)}{space}{self.unit}"' if self.unit else f"{self.key}={_digits(value)}"

    def at(self, share: float) -> Value:
        """The value at a share from 0 to 1 of the axis."""
        if self.values:
            return self.values[min(int(share * len(self.values)), len(self.values) - 1)]
        return float(f"{self.low + share * (self.high - self.low):.6f}")

    @property
    def named(self) -> str:
        """The key with its unit."""
        return f"{self.key}, {self.unit}" if self.unit else self.key


def axes_of(given: Mapping[str, object] | Sequence[str]) -> tuple[list[Axis], list[str]]:
    """The axes, and the changes of keys with a single value; raises InputError with every problem.

    >>> axes, single = axes_of(["alias_pool.A.aliases=0,8", "measure.interval=10 s"])
    >>> axes[0].values, single
    ((0, 8), ['measure.interval=10 s'])
    """
    texts = isinstance(given, Sequence) and not isinstance(given, str)
    wrong = None if texts or isinstance(given, Mapping) else kind_problem("axes", given, (), f"a mapping, or {ALLOWED}")
    if wrong:
        raise refusal(wrong)
    found: list[Axis] = []
    single: list[str] = []
    problems: list[Problem] = []
    for entry in given.items() if isinstance(given, Mapping) else given:
        gathered(problems, functools.partial(_axis_or_change, entry, (found, single)))
    keys = [axis.key for axis in found]
    problems += [problem("is given twice", key=key) for key in dict.fromkeys(keys) if keys.count(key) > 1]
    check(*problems)
    return found, single


def axes_with(given: tuple[list[Axis], list[str]], swept: Sequence[str], name: str) -> tuple[list[Axis], list[str]]:
    """The axes of a scenario's `[[sweep]]`, then those given, which replace them; raises InputError.

    >>> axes, single = axes_with(axes_of(["A.aliases=4"]), ["A.aliases=0..8", "B.aliases=0,8"], "plan.toml")
    >>> [axis.key for axis in axes], single
    (['B.aliases'], ['A.aliases=4'])
    """
    found, single = given
    taken = {axis.key for axis in found} | {change.partition("=")[0] for change in single}
    try:
        own, alone = axes_of([text for text in swept if text.partition("=")[0].strip() not in taken])
    except InputError as error:
        raise refusal(*(wrong | {"file": name, "key": f"sweep: {wrong['key']}"} for wrong in error.problems)) from None
    if not (own or alone or found or single):
        raise refusal(problem("nothing varies", file=name, allowed=f"--set {ALLOWED}, or [[sweep]] in the scenario"))
    return own + found, alone + single


def axis(key: str, text: str) -> Axis:
    """The axis that a text such as `0..24:4`, `2..30:4 ms` or `a,b,c` describes; raises InputError."""
    match = _RANGE.fullmatch(text)
    return _range(key, text, match) if match else _listed(key, _split(text))


def _axis_or_change(entry: object, into: tuple[list[Axis], list[str]]) -> None:
    key, values = entry if isinstance(entry, tuple) else _pair(entry)
    key = text_of("axes", key, f"a key of the scenario: {ALLOWED}")
    axes, single = into
    if isinstance(values, str):
        made, texts = axis(key, values), [values.strip()]
    elif isinstance(values, Iterable) and not isinstance(values, Mapping | bytes):
        texts = [change.partition("=")[2] for value in values for change in changes_of({key: value})]
        made = _listed(key, texts)
    else:
        raise refusal(*filter(None, [kind_problem(key, values, (), "a range such as '0..24:4', or a list of values")]))
    if len(made.values) == 1:
        single.append(f"{key}={texts[0]}")
    else:
        axes.append(made)


def _pair(text: object) -> tuple[str, str]:
    text = text_of("set", text, ALLOWED)
    key, sign, values = text.partition("=")
    if not sign or not key.strip():
        raise refusal(problem(f"`{brief(text)}` has no {'key' if sign else 'value'}", key="set", allowed=ALLOWED))
    return key.strip(), values


def _range(key: str, text: str, match: re.Match[str]) -> Axis:
    low, high, step, unit = match.groups()
    ends = float(low), float(high)
    if ends[0] >= ends[1]:
        raise refusal(problem(f"`{brief(text)}` has no values", key=key, why=f"{low} is not below {high}"))
    decimal = any("." in number for number in (low, high, step or ""))
    if not step and decimal:
        return Axis(key, unit, "number", low=ends[0], high=ends[1])
    width = float(step or 1)
    if width <= 0:
        raise refusal(problem(f"`{brief(text)}` has a step of {step}", key=key, allowed="a step above 0"))
    count = math.floor((ends[1] - ends[0]) / width + 1e-9) + 1
    if count > _MOST_VALUES:
        raise refusal(problem(f"`{brief(text)}` has {count:,} values", key=key, allowed=f"at most {_MOST_VALUES:,}"))
    if decimal:
        return Axis(key, unit, "number", tuple(float(f"{ends[0] + at * width:.6f}") for at in range(count)))
    return Axis(key, unit, "whole", tuple(int(low) + at * int(width) for at in range(count)))


def _listed(key: str, texts: Sequence[str]) -> Axis:
    texts = [text.strip() for text in texts]
    if not texts or not all(texts):
        raise refusal(problem("a value is missing", key=key, allowed=ALLOWED))
    repeated = [text for text in dict.fromkeys(texts) if texts.count(text) > 1]
    if repeated:
        raise refusal(problem(f"the value `{brief(repeated[0])}` is given twice", key=key))
    matches = [_MEASURE.fullmatch(_unquoted(text)) for text in texts]
    units = {match[2] for match in matches if match}
    if not all(matches) or len(units) > 1:
        return Axis(key, "", "text", tuple(texts))
    numbers = [match[1] for match in matches if match]
    if any("." in number for number in numbers):
        return Axis(key, units.pop(), "number", tuple(map(float, numbers)))
    return Axis(key, units.pop(), "whole", tuple(map(int, numbers)))


def _split(text: str) -> list[str]:
    """The parts between commas that are in no quotes and in no brackets."""
    parts, quote, depth = [""], "", 0
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        depth += (character in "[{") - (character in "]}") if not quote else 0
        if character == "," and not quote and depth <= 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] == '"':
        try:
            value = json.loads(text)
        except ValueError:
            return text
        return value if _MEASURE.fullmatch(value) and _MEASURE.fullmatch(value)[2] else text  # type: ignore[index]
    return text


def _digits(value: Value) -> str:
    return str(value) if isinstance(value, int | str) else f"{value:.6f}".rstrip("0").rstrip(".") or "0"


Name = Literal["grid", "sobol", "latin"]
NAMES: tuple[str, ...] = get_args(Name)

_MOST_POINTS = 1_000_000
_SEED = 1
"""Of scrambled Sobol sequences and Latin hypercubes, so that the same design has the same points."""


@dataclass(frozen=True)
class Design:
    """Settings by number: all combinations of a grid, points that fill the space of the axes evenly, or a list.

    >>> from slicewright.explore.axes import axis
    >>> design = Design((axis("a", "1,2"), axis("b", "x,y")))
    >>> design.count, [design.at(number) for number in range(3)]
    (4, [(1, 'x'), (1, 'y'), (2, 'x')])
    """

    axes: tuple[Axis, ...]
    name: str = "grid"
    points: int = 0
    """Of a Sobol sequence or a Latin hypercube (SciPy, `scipy.stats.qmc`)."""
    listed: Sequence[tuple[Value, ...]] | None = None
    """Some settings of a grid, or those that a search wants next."""

    @property
    def count(self) -> int:
        """How many settings there are."""
        if self.listed is not None:
            return len(self.listed)
        return math.prod(len(axis.values) for axis in self.axes) if self.name == "grid" else self.points

    def at(self, number: int) -> tuple[Value, ...]:
        """The values of one setting, in the order of the axes."""
        if self.listed is not None:
            return self.listed[number]
        if self.name != "grid":
            return tuple(axis.at(float(share)) for axis, share in zip(self.axes, self._shares[number], strict=True))
        chosen: list[Value] = []
        for axis in reversed(self.axes):
            number, at = divmod(number, len(axis.values))
            chosen.append(axis.values[at])
        return tuple(reversed(chosen))

    @functools.cached_property
    def _shares(self) -> npt.NDArray[np.float64]:
        """Of each point, how far along each axis it lies."""
        import numpy as np
        from scipy.stats import qmc

        kind = qmc.Sobol if self.name == "sobol" else qmc.LatinHypercube
        sampler = kind(len(self.axes), rng=np.random.default_rng(_SEED))
        if self.name == "sobol":  # drawn to a power of two, of which the first are taken
            return np.asarray(sampler.random_base2(max(1, math.ceil(math.log2(self.points)))))[: self.points]
        return np.asarray(sampler.random(self.points))


def design_of(axes: Sequence[Axis], name: object, points: object) -> Design:
    """The design of these axes; raises InputError with every problem.

    >>> from slicewright.explore.axes import axis
    >>> design_of([axis("a", "0.5..1.5")], "sobol", 4).count
    4
    """
    problems: list[Problem] = []
    if not axes:
        remedy = "give a key more than one value: --set alias_pool.A.aliases=0..8"
        problems.append(problem("nothing varies", key="set", remedy=remedy))
    if name not in NAMES:
        problems.append(problem(f"no such design: {brief(name)}", key="design", allowed=", ".join(NAMES)))
    elif name == "grid":
        if points is not None:
            what = "a grid has all combinations of its values"
            problems.append(problem(what, key="points", remedy="leave points out, or choose sobol or latin"))
        problems += [_continuous(axis) for axis in axes if not axis.values]
    elif points is None:
        problems.append(problem(f"{name} needs a number of points", key="points", allowed=f"2 to {_MOST_POINTS:,}"))
    else:
        wrong = whole_problem("points", points, 2, _MOST_POINTS)
        problems += [wrong] if wrong else []
    check(*problems)
    design = Design(tuple(axes), str(name), points if isinstance(points, int) else 0)
    if design.count > _MOST_POINTS:
        raise refusal(problem(f"{design.count:,} points", key="set", allowed=f"at most {_MOST_POINTS:,}"))
    return design


def _continuous(axis: Axis) -> Problem:
    low, high = f"{axis.low:g}", f"{axis.high:g}"
    remedy = f"give a step: {axis.key}={low}..{high}:{(axis.high - axis.low) / 10:g}"
    return problem("a grid needs a step between decimal ends", key=axis.key, remedy=f"{remedy} {axis.unit}".strip())

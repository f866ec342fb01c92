"""Expressions of cost and constraints: parsed into a tree, never run as code; and the names that they may use."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import slicewright._core as _core
from slicewright.explore.axes import Axis
from slicewright.explore.points import HEADLINE
from slicewright.run.tables import ENTITY
from slicewright.values.errors import nearest, problem, refusal
from slicewright.values.parameters import brief, text_of

if TYPE_CHECKING:
    from slicewright._core import InputError


_NAMES_ALLOWED = (
    "a knob, a counter of the system such as response_ms, or TABLE.ROW.COUNTER such as volumes.DISK.response_ms"
)

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*(?:\.(?:\*|[A-Za-z_0-9]+))*")
_QUOTED = re.compile(r"`([^`]*)`")


@dataclass(frozen=True, slots=True)
class Knob:
    """The value of a knob, a number in the unit of its axis."""

    key: str


@dataclass(frozen=True, slots=True)
class Column:
    """A counter of a table's row; of the row `*`, the least or the largest (`of_all`) over all rows."""

    table: str
    entity: str
    counter: str
    of_all: str = ""

    @property
    def unit(self) -> str:
        """The unit that its counter has.

        >>> Column("system", "", "response_ms").unit
        'ms'
        """
        return _UNITS[self.table, self.counter]


_UNITS: dict[tuple[str, str], str] = {(each["table"], each["name"]): each["unit"] for each in _core.counters()}
_COUNTERS: dict[str, list[str]] = {}
for _table, _counter in _UNITS:
    _COUNTERS.setdefault(_table, []).append(_counter)


@dataclass(frozen=True)
class Names:
    """The names by text: whole ones, and the last part of a knob's key where no other has it.

    >>> from slicewright.explore.axes import axis
    >>> names = Names((axis("alias_pool.LSS-52.aliases", "0..8"),))
    >>> names.find("aliases")
    Knob(key='alias_pool.LSS-52.aliases')
    >>> names.find("volumes.DISK.response_ms")
    Column(table='volumes', entity='DISK', counter='response_ms', of_all='')
    """

    axes: Sequence[Axis]
    knobs: dict[str, Axis] = field(init=False)

    def __post_init__(self) -> None:
        short = Counter(axis.key.rpartition(".")[2] for axis in self.axes)
        made = {axis.key.rpartition(".")[2]: axis for axis in self.axes if short[axis.key.rpartition(".")[2]] == 1}
        object.__setattr__(self, "knobs", made | {axis.key: axis for axis in self.axes})

    def at(self, text: str, start: int) -> tuple[str, int]:
        """The name that begins here, and where it ends; a key may have any character, and `...` quotes a name."""
        if match := _QUOTED.match(text, start):
            return match[1].strip(), match.end()
        match = _NAME.match(text, start)
        end = match.end() if match else start
        for key in sorted(self.knobs, key=len, reverse=True):
            after = text[start + len(key) : start + len(key) + 1]
            if text.startswith(key, start) and not (after.isalnum() or after in ("_", ".") if after else False):
                end = max(end, start + len(key))
                break
        return text[start:end], end

    def find(self, name: str) -> Knob | Column | tuple[str, str, str]:
        """The knob or column of a name, or what is wrong, what is allowed, and the nearest valid name."""
        if name in self.knobs:
            axis = self.knobs[name]
            if axis.kind == "text":
                return f"`{brief(name)}` is a knob whose values are text", "a knob with numbers", ""
            return Knob(axis.key)
        if name in _COUNTERS[HEADLINE]:
            return Column(HEADLINE, "", name)
        table, _, rest = name.partition(".")
        if table == HEADLINE and rest in _COUNTERS[HEADLINE]:
            return Column(HEADLINE, "", rest)
        entity, _, counter = rest.rpartition(".")
        if table in ENTITY and table != HEADLINE and entity:
            if counter in _COUNTERS[table]:
                return Column(table, entity, counter)
            close = nearest(counter, _COUNTERS[table])
            full = f"{table}.{entity}.{close}" if close else ""
            return f"`{brief(counter)}` is no counter of {table}", ", ".join(_COUNTERS[table]), full
        return self._unknown(name, table)

    def _unknown(self, name: str, table: str) -> tuple[str, str, str]:
        holders = [each for each in ENTITY if each != HEADLINE and name in _COUNTERS.get(each, ())]
        what = f"no such name: `{brief(name)}`"
        if holders:
            rows = " or ".join(f"max({each}.*.{name})" for each in holders[:3])
            return what, f"{rows}, or the name of a row in the place of *", ""
        valid = [*self.knobs, *_COUNTERS[HEADLINE], *(f"{HEADLINE}.{each}" for each in _COUNTERS[HEADLINE])]
        close = nearest(name, valid) or ("" if table == name else nearest(table, list(ENTITY)))
        return what, _NAMES_ALLOWED, close


LONGEST = 2000
"""Characters of an expression."""
DEEPEST = 50
"""Parentheses within parentheses."""
_ALLOWED = "numbers, names, + - * /, parentheses, min(a, b) and max(a, b)"
_FUNCTIONS = ("min", "max")

_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_COMPARISON = re.compile(r"<=|>=|==|!=|<|>|=")


@dataclass(frozen=True, slots=True)
class _Number:
    """A constant."""

    value: float


@dataclass(frozen=True, slots=True)
class _Operation:
    """Two operands with + - * / between them, or the smaller (`min`) or larger (`max`) of them."""

    symbol: str
    left: Expression
    right: Expression


Expression = _Number | Knob | Column | _Operation


@dataclass(frozen=True, slots=True)
class Constraint:
    """An expression and the number that it must not exceed (`<=`), or not fall below (`>=`)."""

    text: str
    expression: Expression
    comparison: Literal["<=", ">="]
    bound: float

    def excess(self, value: Any) -> Any:
        """How far a value is on the wrong side of the bound; negative where the constraint is met.

        >>> Constraint("5 >= 3", _Number(5.0), ">=", 3.0).excess(5.0)
        -2.0
        """
        return value - self.bound if self.comparison == "<=" else self.bound - value


def expression(option: str, text: object, names: Names) -> Expression:
    """The tree of an expression; raises InputError with the column of what is wrong.

    >>> value(expression("minimise", "2 * (3 + 4) - max(1, 5)", Names(())), {})
    9.0
    """
    parser = _Parser(option, _checked(option, text), names)
    tree = parser.sum()
    parser.expect_end()
    return tree


def constraint(option: str, text: object, names: Names) -> Constraint:
    """A constraint such as `system.response_ms <= 5`; raises InputError.

    >>> constraint("subject-to", "io_per_s >= 2 * 50", Names(())).bound
    100.0
    """
    given = _checked(option, text)
    parser = _Parser(option, given, names)
    left = parser.sum()
    comparison = parser.comparison()
    right = parser.sum()
    parser.expect_end()
    if any(named(right)):
        raise parser.wrong("the bound has a name in it", "EXPR <= NUMBER or EXPR >= NUMBER", at=parser.compared)
    return Constraint(" ".join(given.split()), left, comparison, float(value(right, {})))


def named(tree: Expression) -> Iterator[Knob | Column]:
    """The knobs and columns of an expression."""
    if isinstance(tree, _Operation):
        yield from named(tree.left)
        yield from named(tree.right)
    elif not isinstance(tree, _Number):
        yield tree


def value(tree: Expression, known: Mapping[Knob | Column, Any]) -> Any:
    """The value of an expression where its names have these values, numbers or arrays; NaN after a division by 0.

    >>> value(_Operation("/", _Number(1.0), _Number(0.0)), {})
    nan
    """
    import numpy as np

    if isinstance(tree, _Number):
        return tree.value
    if not isinstance(tree, _Operation):
        return known[tree]
    left, right = value(tree.left, known), value(tree.right, known)
    if tree.symbol == "/":
        divisor = np.where(np.equal(right, 0), np.nan, right)
        quotient = left / divisor
        return quotient if np.ndim(quotient) else float(quotient)
    apply = {"+": np.add, "-": np.subtract, "*": np.multiply, "min": np.minimum, "max": np.maximum}[tree.symbol]
    made = apply(left, right)
    return made if np.ndim(made) else float(made)


def _checked(option: str, text: object) -> str:
    text = text_of(option, text, f"an expression: {_ALLOWED}")
    if len(text) > LONGEST:
        raise refusal(problem(f"an expression of {len(text):,} characters", key=option, allowed=f"at most {LONGEST:,}"))
    return text


class _Parser:
    """Recursive descent over one text: sum, product, signed, operand."""

    def __init__(self, option: str, text: str, names: Names) -> None:
        self.option, self.text, self.names = option, text, names
        self.at = 0
        self.compared = 0
        self.depth = 0

    def wrong(self, what: str, allowed: str = _ALLOWED, *, at: int | None = None, nearest: str = "") -> InputError:
        column = (self.at if at is None else at) + 1
        where = f"column {column} of `{brief(self.text)}`"
        return refusal(problem(what, key=self.option, why=where, allowed=allowed, nearest=nearest))

    def sum(self) -> Expression:
        left = self.product()
        while symbol := self.symbol("+-"):
            left = _Operation(symbol, left, self.product())
        return left

    def product(self) -> Expression:
        left = self.signed()
        while symbol := self.symbol("*/"):
            left = _Operation(symbol, left, self.signed())
        return left

    def signed(self) -> Expression:
        negative = False
        while symbol := self.symbol("+-"):
            negative ^= symbol == "-"
        operand = self.operand()
        return _Operation("-", _Number(0.0), operand) if negative else operand

    def operand(self) -> Expression:
        self.skip()
        if self.symbol("("):
            return self.within()
        if match := _NUMBER.match(self.text, self.at):
            self.at = match.end()
            return _Number(float(match[0]))
        start = self.at
        name, end = self.names.at(self.text, self.at)
        if not name:
            raise self.wrong(f"a value is missing{self.before()}")
        self.at = end
        if name in _FUNCTIONS and self.symbol("("):
            return self.call(name)
        found = self.names.find(name)
        if isinstance(found, Knob | Column):
            if isinstance(found, Column) and found.entity == "*":
                raise self.wrong(
                    f"`{brief(name)}` is many values", f"max({name}) or min({name}), or the name of a row", at=start
                )
            return found
        what, allowed, nearest = found
        raise self.wrong(what, allowed, at=start, nearest=nearest)

    def call(self, function: str) -> Expression:
        """The arguments of `min` or `max`; `*` stands for all rows of a table, of which the function takes one."""
        self.deeper()
        made = self.argument(function)
        while self.symbol(","):
            made = _Operation(function, made, self.argument(function))
        self.close()
        return made

    def argument(self, function: str) -> Expression:
        self.skip()
        name, end = self.names.at(self.text, self.at)
        found = self.names.find(name) if name else None
        if isinstance(found, Column) and found.entity == "*":
            self.at = end
            return Column(found.table, "*", found.counter, function)
        return self.sum()

    def within(self) -> Expression:
        self.deeper()
        inside = self.sum()
        self.close()
        return inside

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.wrong("parentheses too deep", f"at most {DEEPEST} within one another")

    def close(self) -> None:
        self.depth -= 1
        if not self.symbol(")"):
            raise self.wrong(f"a `)` is missing{self.before()}")

    def comparison(self) -> Literal["<=", ">="]:
        self.skip()
        match = _COMPARISON.match(self.text, self.at)
        if match is None:
            raise self.wrong(f"a comparison is missing{self.before()}", "EXPR <= NUMBER or EXPR >= NUMBER")
        if match[0] not in ("<=", ">="):
            raise self.wrong(f"`{match[0]}` is no constraint of estimates", "EXPR <= NUMBER or EXPR >= NUMBER")
        self.at = self.compared = match.end()
        return "<=" if match[0] == "<=" else ">="

    def expect_end(self) -> None:
        self.skip()
        if self.at < len(self.text):
            raise self.wrong(f"unexpected `{brief(self.text[self.at])}`")

    def before(self) -> str:
        return f" before `{brief(self.text[self.at])}`" if self.at < len(self.text) else " at the end"

    def symbol(self, allowed: str) -> str:
        self.skip()
        found = self.text[self.at : self.at + 1]
        if not found or found not in allowed:
            return ""
        self.at += 1
        return found

    def skip(self) -> None:
        while self.text[self.at : self.at + 1].isspace():
            self.at += 1

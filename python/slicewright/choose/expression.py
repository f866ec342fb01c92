"""Expressions of cost and constraints: numbers, names, + - * /, min and max, parsed into a tree, never run as code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from slicewright.choose.names import Column, Knob, Names
from slicewright.errors import problem, refusal
from slicewright.parameters import brief, text_problem

if TYPE_CHECKING:
    from slicewright._core import InputError

LONGEST = 2000
"""Characters of an expression."""
DEEPEST = 50
"""Parentheses within parentheses."""
ALLOWED = "numbers, names, + - * /, parentheses, min(a, b) and max(a, b)"
FUNCTIONS = ("min", "max")

_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_COMPARISON = re.compile(r"<=|>=|==|!=|<|>|=")


@dataclass(frozen=True, slots=True)
class Number:
    """A constant."""

    value: float


@dataclass(frozen=True, slots=True)
class Operation:
    """Two operands with + - * / between them, or the smaller (`min`) or larger (`max`) of them."""

    symbol: str
    left: Expression
    right: Expression


Expression = Number | Knob | Column | Operation


@dataclass(frozen=True, slots=True)
class Constraint:
    """An expression and the number that it must not exceed (`<=`), or not fall below (`>=`)."""

    text: str
    expression: Expression
    comparison: Literal["<=", ">="]
    bound: float

    def excess(self, value: Any) -> Any:
        """How far a value is on the wrong side of the bound; negative where the constraint is met.

        >>> Constraint("5 >= 3", Number(5.0), ">=", 3.0).excess(5.0)
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
    if isinstance(tree, Operation):
        yield from named(tree.left)
        yield from named(tree.right)
    elif not isinstance(tree, Number):
        yield tree


def value(tree: Expression, known: Mapping[Knob | Column, Any]) -> Any:
    """The value of an expression where its names have these values, numbers or arrays; NaN after a division by 0.

    >>> value(Operation("/", Number(1.0), Number(0.0)), {})
    nan
    """
    import numpy as np

    if isinstance(tree, Number):
        return tree.value
    if not isinstance(tree, Operation):
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
    wrong = text_problem(option, text, f"an expression: {ALLOWED}")
    if wrong or not isinstance(text, str):
        raise refusal(*([wrong] if wrong else []))
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

    def wrong(self, what: str, allowed: str = ALLOWED, *, at: int | None = None, nearest: str = "") -> InputError:
        column = (self.at if at is None else at) + 1
        where = f"column {column} of `{brief(self.text)}`"
        return refusal(problem(what, key=self.option, why=where, allowed=allowed, nearest=nearest))

    def sum(self) -> Expression:
        left = self.product()
        while symbol := self.symbol("+-"):
            left = Operation(symbol, left, self.product())
        return left

    def product(self) -> Expression:
        left = self.signed()
        while symbol := self.symbol("*/"):
            left = Operation(symbol, left, self.signed())
        return left

    def signed(self) -> Expression:
        negative = False
        while symbol := self.symbol("+-"):
            negative ^= symbol == "-"
        operand = self.operand()
        return Operation("-", Number(0.0), operand) if negative else operand

    def operand(self) -> Expression:
        self.skip()
        if self.symbol("("):
            return self.within()
        if match := _NUMBER.match(self.text, self.at):
            self.at = match.end()
            return Number(float(match[0]))
        start = self.at
        name, end = self.names.at(self.text, self.at)
        if not name:
            raise self.wrong(f"a value is missing{self.before()}")
        self.at = end
        if name in FUNCTIONS and self.symbol("("):
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
            made = Operation(function, made, self.argument(function))
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

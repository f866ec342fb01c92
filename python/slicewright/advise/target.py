"""A condition to meet, "response_ms <= 2", and the fewest aliases that meet it."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from slicewright.values.errors import Problem, nearest, problem

NAMES = ("io_per_s", "response_ms", "service_ms", "queue_depth", "fails_per_try")
"""What a condition on aliases can be put on: the columns of the curve."""

_SIGNS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}


@dataclass(frozen=True, slots=True)
class Target:
    """A condition on one column of the curve.

    >>> Target("response_ms", "<=", 2.0).met({"response_ms": 1.7})
    True
    """

    name: str
    sign: str
    value: float

    def met(self, point: Mapping[str, float]) -> bool:
        """Whether a point of the curve (name to mean) meets the condition."""
        return _SIGNS[self.sign](point[self.name], self.value)

    def __str__(self) -> str:
        """The condition as typed, tidied."""
        return f"{self.name} {self.sign} {self.value:g}"


def parse_target(text: str, problems: list[Problem], names: Sequence[str] = NAMES) -> Target | None:
    """The condition that `text` puts on one of some columns, or None with what is wrong added to `problems`.

    >>> str(parse_target("response_ms<=2", []))
    'response_ms <= 2'
    """
    found = re.fullmatch(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*(<=|>=|<|>)\s*(\d+(?:\.\d*)?|\.\d+)\s*", text)
    if not found:
        allowed = f"NAME SIGN NUMBER, as in 'response_ms <= 2'; names: {', '.join(names)}"
        problems.append(problem(f"not a condition: {text}", key="target", allowed=allowed))
        return None
    name, sign, value = found.groups()
    if name not in names:
        near = nearest(name, names)
        problems.append(problem(f"no such number: {name}", key="target", allowed=", ".join(names), nearest=near))
        return None
    return Target(name, sign, float(value))


def fewest(target: Target, points: Mapping[int, Mapping[str, float]]) -> int | None:
    """The fewest aliases from which on the condition stays met, over points (aliases to column to mean).

    None when it is not met even with the most.

    >>> fewest(Target("response_ms", "<=", 2), {0: {"response_ms": 4}, 8: {"response_ms": 2}, 9: {"response_ms": 1}})
    8
    """
    found = None
    for aliases in sorted(points, reverse=True):
        if not target.met(points[aliases]):
            break
        found = aliases
    return found

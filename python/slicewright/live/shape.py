"""The shape of a JSON value, given as a Python type: where a value has another one, and what belongs there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints, is_typeddict

from slicewright.errors import Problem, nearest, problem

LARGEST_NUMBER, LARGEST_COUNT = 1e15, (1 << 63) - 1
"""Far above every span, share and counter; sums and differences of such numbers are numbers too."""

_WORDS = {float: "a number", int: "a whole number from 0 on", str: "a text", bool: "true or false", type(None): "null"}


def misshapen(value: Any, kind: Any, file: str) -> list[Problem]:
    """Every place in `value` that is not as in `kind`: a dataclass, a TypedDict, or what their fields are made of.

    A tuple is a list in JSON.  Whole numbers are counts: none is negative.

    >>> [(one["key"], one["what"]) for one in misshapen({"a": [1, "x"]}, dict[str, list[float]], "a.json")]
    [('a[1]', "not a number: 'x'")]
    """
    return [problem(what, file=file, key=key, **facts) for key, what, facts in _wrong(value, kind, "")]


_Wrong = Iterator[tuple[str, str, dict[str, str]]]
"""Key, what is wrong, what is allowed or near."""


def _wrong(value: Any, kind: Any, key: str) -> _Wrong:
    origin, arguments = get_origin(kind), get_args(kind)
    if is_typeddict(kind) or is_dataclass(kind):
        yield from _fields(value, kind, key)
    elif origin is Literal:
        if not isinstance(value, str) or value not in arguments:
            yield key, f"not one of its words: {_shown(value)}", {"allowed": ", ".join(arguments)}
    elif isinstance(kind, type) and kind in _WORDS:
        if not _is(value, kind):
            yield key, f"not {_WORDS[kind]}: {_shown(value)}", {}
    elif origin is dict:
        if isinstance(value, dict):
            for name, inside in value.items():
                yield from _wrong(inside, arguments[1], _joined(key, name))
        else:
            yield key, f"not an object: {_shown(value)}", {}
    elif origin in (list, tuple):
        yield from _items(value, kind, key)
    else:  # a union with None
        (other,) = (argument for argument in arguments if argument is not type(None))
        if value is not None:
            yield from _wrong(value, other, key)


def _fields(value: Any, kind: Any, key: str) -> _Wrong:
    if not isinstance(value, dict):
        yield key, f"not an object: {_shown(value)}", {}
        return
    hints = get_type_hints(kind)
    for name, inside in value.items():
        if name in hints:
            yield from _wrong(inside, hints[name], _joined(key, name))
        else:
            near = nearest(name, [other for other in hints if other not in value])
            yield _joined(key, name), "unknown key", {"nearest": near}
    for name in hints:
        if name not in value:
            yield _joined(key, name), "is missing", {}


def _items(value: Any, kind: Any, key: str) -> _Wrong:
    arguments = get_args(kind)
    if not isinstance(value, list):
        yield key, f"not a list: {_shown(value)}", {}
        return
    kinds = [arguments[0]] * len(value) if get_origin(kind) is list or arguments[-1] is Ellipsis else list(arguments)
    if len(kinds) != len(value):
        yield key, f"a list of {len(value)}", {"allowed": f"a list of {len(kinds)}"}
        return
    for at, (inside, of) in enumerate(zip(value, kinds, strict=True)):
        yield from _wrong(inside, of, f"{key}[{at}]")


def _is(value: Any, kind: type) -> bool:
    if isinstance(value, bool) or kind not in (int, float):
        return isinstance(value, kind)
    if kind is int:
        return isinstance(value, int) and 0 <= value <= LARGEST_COUNT
    return isinstance(value, (int, float)) and abs(value) <= LARGEST_NUMBER and not math.isnan(value)


def _joined(key: str, name: str) -> str:
    return f"{key}.{name[:40]}" if key else name[:40]


def _shown(value: Any) -> str:
    text = "null" if value is None else repr(value)
    return text if len(text) <= 40 else f"{text[:40]}..."

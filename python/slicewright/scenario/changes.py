"""Changes of a scenario that a program asks for with `set`, as the engine takes them: `key=value` in TOML."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from numbers import Integral

from slicewright.values.errors import Problem, problem
from slicewright.values.parameters import brief, check, number_problem, text_problem, texts_problem

_ALLOWED = 'a mapping, {"alias_pool.A.aliases": 8}, or a list of texts, ["alias_pool.A.aliases=8"]'
_VALUE = "text, a number, True, False, or a list or mapping of these"
_DEEPEST = 100
"""Lists within lists that are taken for meant; the engine refuses far fewer."""


def changes_of(changes: Mapping[str, object] | Sequence[str] | None) -> list[str]:
    """The changes as texts; raises InputError with everything that is none.

    >>> changes_of({"alias_pool.A.aliases": 8, "name": "eight"})
    ['alias_pool.A.aliases=8', 'name="eight"']
    >>> changes_of("a=b")
    Traceback (most recent call last):
        ...
    _core.InputError: set: `a=b` has the type str
      allowed: a mapping, ...
    """
    if changes is None:
        return []
    if not isinstance(changes, Mapping):
        check(texts_problem("set", changes, _ALLOWED))
        return list(changes)
    check(*(_problem(key, value) for key, value in changes.items()))
    return [f"{key}={_toml(value)}" for key, value in changes.items()]


def _problem(key: object, value: object) -> Problem | None:
    return text_problem("set", key, _ALLOWED) or _value_problem(f"set[{brief(key)!r}]", value, 0)


def _value_problem(key: str, value: object, depth: int) -> Problem | None:
    if depth > _DEEPEST:
        return problem("lists within lists without end", key=key, allowed=_VALUE)
    if isinstance(value, Mapping):
        names = (text_problem(key, name, _VALUE) for name in value)
        inner = (_value_problem(key, each, depth + 1) for each in value.values())
        return next((wrong for wrong in (*names, *inner) if wrong), None)
    if isinstance(value, list | tuple):
        return next((wrong for each in value if (wrong := _value_problem(key, each, depth + 1))), None)
    if isinstance(value, bool):
        return None
    return text_problem(key, value, _VALUE) if isinstance(value, str) else number_problem(key, value, _VALUE)


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_toml(key)} = {_toml(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(int(value)) if isinstance(value, Integral) else repr(float(value))  # type: ignore[arg-type]

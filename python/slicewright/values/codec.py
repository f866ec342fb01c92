"""Files of typed values: a dataclass, or a msgspec.Struct, is its fields; every wrong place is refused at once.

A dataclass is of JSON that slicewright writes.  A Struct is of TOML that people write: fields with a default may be
absent.

Whole numbers are counts: none is negative.  Class variables with names qualify the fields of a class.  `KEPT` are
properties that are written for readers, and fields behind or between them; other fields come first.  A property is
checked when it is read back, and computed anew.  `LATER` are fields that earlier versions did not write.  `UNKNOWN` are
numbers that may not be known: NaN here, null in the file.  `SHOWN` are all names of a class that is written alone.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar, get_type_hints

import msgspec
from msgspec import inspect

from slicewright.values.errors import Problem, nearest, problem, refusal
from slicewright.values.parameters import check

LARGEST_NUMBER, LARGEST_COUNT = 1e15, (1 << 63) - 1
"""Far above every span, share and counter; sums and differences of such numbers are numbers too."""

T = TypeVar("T")


def read(kind: type[T], data: bytes, file: str) -> T:
    """A value of our own from the bytes of a JSON file.

    Raises InputError with every place that is wrong, as `cells[3].mean`; for what is not JSON with the reason.

    >>> from slicewright.statistics import Estimate
    >>> read(list[Estimate], b'[{"mean": 2, "half_width": null, "replications": 1}]', "a.json")
    [Estimate(mean=2.0, half_width=nan, replications=1)]
    >>> read(list[Estimate], b'[{"mean": "2", "halfwidth": 0}]', "a.json")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: a.json: [0].mean: not a number: '2'
    """
    return convert(kind, parsed(data, file), file)


def convert_foreign(kind: type[T], value: Any, file: str, what: str = "is not as expected") -> T:
    """A value from a parsed file of another program: fields that `kind` does not name are skipped, fast.

    Raises InputError with `what` and the first place that is wrong, as `$.data.result[0]`.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise refusal(problem(what, file=file, why=_why(error))) from None


def parsed(data: bytes, file: str, what: str = "is not JSON", allowed: str = "") -> Any:
    """The value in the bytes of a JSON file; raises InputError with `what` and the reason where it is not JSON.

    >>> parsed(b'{"a": [1]}', "a.json")
    {'a': [1]}
    """
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise refusal(problem(what, file=file, why=_why(error), allowed=allowed)) from None


def read_toml(kind: type[T], data: bytes, file: str) -> T:
    """A value of our own from the bytes of a TOML file; raises InputError as `read` does.

    >>> read_toml(dict[str, float], b"a = 1", "a.toml")
    {'a': 1.0}
    """
    import tomllib

    try:
        value = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise refusal(problem("is not TOML", file=file, why=_why(error))) from None
    return convert(kind, value, file)


def convert(kind: type[T], value: Any, file: str) -> T:
    """A value of our own from parsed JSON; raises InputError as `read` does."""
    problems: list[Problem] = []
    taken = _taken(value, inspect.type_info(kind), "", _Wrong(file, problems))
    check(*problems)
    try:
        return msgspec.convert(taken, kind)
    except msgspec.ValidationError as error:
        raise refusal(problem("a wrong value", file=file, why=_why(error))) from None


def plain(value: Any) -> Any:
    """The same as JSON has it: objects and lists; null for a number that is not finite.

    >>> from slicewright.statistics import Estimate
    >>> plain((Estimate(2.0, math.nan, 1),))
    [{'mean': 2.0, 'half_width': None, 'replications': 1}]
    """
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    names = _kept(type(value))
    return {name: plain(getattr(value, name)) for name in names} if names is not None else msgspec.to_builtins(value)


def written(value: Any) -> str:
    """The text of a JSON file, indented by one, that `read` reads back."""
    return json.dumps(plain(value), indent=1) + "\n"


def _why(error: Exception) -> str:
    return " ".join(str(error).split())


def _kept(kind: type) -> tuple[str, ...] | None:
    """The names under which the parts of a class are kept, in their order; None for what is no class of fields."""
    if (shown := getattr(kind, "SHOWN", None)) is not None:
        return tuple(shown)
    own = [part.name for part in fields(kind)] if is_dataclass(kind) else getattr(kind, "__struct_fields__", None)
    kept: tuple[str, ...] = getattr(kind, "KEPT", ())
    return None if own is None else (*(name for name in own if name not in kept), *kept)


@functools.cache
def _types(kind: type) -> tuple[Mapping[str, inspect.Type], frozenset[str], frozenset[str]]:
    """The type of each name that a class keeps, which of the names are its fields, and which may be absent."""
    parts = inspect.type_info(kind).fields  # type: ignore[attr-defined]
    own = {part.name: part.type for part in parts}
    shown = [name for name in _kept(kind) or () if name not in own]
    types = {name: inspect.type_info(get_type_hints(getattr(kind, name).fget)["return"]) for name in shown}
    optional = {part.name for part in parts if not part.required and issubclass(kind, msgspec.Struct)}
    return own | types, frozenset(own), frozenset(optional | set(getattr(kind, "LATER", ())))


class _Wrong:
    """The problems of a file so far."""

    def __init__(self, file: str, problems: list[Problem]) -> None:
        self.file, self.problems = file, problems

    def add(self, key: str, what: str, **facts: str) -> None:
        self.problems.append(problem(what, file=self.file, key=key, **facts))


_WORDS: Mapping[type[inspect.Type], str] = {
    inspect.FloatType: "a number", inspect.IntType: "a whole number from 0 on", inspect.StrType: "a text",
    inspect.BoolType: "true or false", inspect.NoneType: "null",
}  # fmt: skip


def _taken(value: Any, of: inspect.Type, key: str, wrong: _Wrong, unknown: bool = False) -> Any:
    """The value as msgspec converts it: NaN where a number is not known, and nothing that is only written."""
    match of:
        case inspect.DataclassType() | inspect.StructType():
            return _object(value, of.cls, key, wrong)
        case inspect.LiteralType():
            if value not in of.values:
                wrong.add(key, f"not one of its words: {_shown(value)}", allowed=", ".join(map(str, of.values)))
        case inspect.DictType():
            if isinstance(value, dict):
                inside, words = of.value_type, getattr(of.key_type, "values", ())
                for name in value:
                    if words and name not in words:
                        wrong.add(_joined(key, name), "unknown key", nearest=nearest(name, words))
                return {name: _taken(value[name], inside, _joined(key, name), wrong, unknown) for name in value}
            wrong.add(key, f"not an object: {_shown(value)}")
        case inspect.ListType() | inspect.VarTupleType() | inspect.TupleType():
            return list(_items(value, of, key, wrong, unknown))
        case inspect.UnionType():
            others = [other for other in of.types if not isinstance(other, inspect.NoneType)]
            nothing = len(others) < len(of.types)
            if all(isinstance(other, (inspect.IntType, inspect.FloatType)) for other in others):
                others = [inspect.FloatType()]
            if value is not None or not nothing:
                return _taken(value, others[0], key, wrong, unknown) if len(others) == 1 else value
        case inspect.FloatType() if value is None and unknown:
            return math.nan
        case _ if type(of) in _WORDS and not _is(value, of):
            wrong.add(key, f"not {_WORDS[type(of)]}: {_shown(value)}")
    return value


def _object(value: Any, kind: type, key: str, wrong: _Wrong) -> Any:
    if not isinstance(value, dict):
        wrong.add(key, f"not an object: {_shown(value)}")
        return None
    types, own, optional = _types(kind)
    taken: dict[str, Any] = {}
    unknown = getattr(kind, "UNKNOWN", ())
    for name, item in value.items():
        if name in types:
            found = _taken(item, types[name], _joined(key, name), wrong, name in unknown)
            taken |= {name: found} if name in own else {}
        else:
            near = nearest(name, [other for other in types if other not in value])
            wrong.add(_joined(key, name), "unknown key", nearest=near)
    for name in types:
        if name not in value and name not in optional:
            wrong.add(_joined(key, name), "is missing")
    return taken


_List = inspect.ListType | inspect.VarTupleType | inspect.TupleType


def _items(value: Any, of: _List, key: str, wrong: _Wrong, unknown: bool) -> Iterator[Any]:
    if not isinstance(value, list):
        wrong.add(key, f"not a list: {_shown(value)}")
        return
    kinds = of.item_types if isinstance(of, inspect.TupleType) else (of.item_type,) * len(value)
    if len(kinds) != len(value):
        wrong.add(key, f"a list of {len(value)}", allowed=f"a list of {len(kinds)}")
        return
    for at, (item, kind) in enumerate(zip(value, kinds, strict=True)):
        yield _taken(item, kind, f"{key}[{at}]", wrong, unknown)


def _is(value: Any, of: inspect.Type) -> bool:
    match of:
        case inspect.FloatType():
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            return number and abs(value) <= LARGEST_NUMBER  # NaN is not
        case inspect.IntType():
            return type(value) is int and (0 if of.ge is None else of.ge) <= value <= LARGEST_COUNT
        case inspect.StrType() | inspect.BoolType():
            return isinstance(value, str if isinstance(of, inspect.StrType) else bool)
    return value is None


def _joined(key: str, name: str) -> str:
    return f"{key}.{name[:40]}" if key else name[:40]


def _shown(value: Any) -> str:
    text = "null" if value is None else repr(value)
    return text if len(text) <= 40 else f"{text[:40]}..."

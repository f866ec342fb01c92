"""Text and JSON of Linux's tools: decoded, with numbers of any locale, each problem with its place."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from slicewright.values.errors import Problem, problem, refusal

HEAD = 1 << 16
"""Bytes in which the tool that wrote a file shows itself."""
MOST_BYTES = 256 << 20
LARGEST = 1e15
"""Beyond any rate and any time."""

_OBJECT = re.compile(r"^[ \t]*\{", re.MULTILINE)
_NUMBER = re.compile(r"[0-9]{1,18}(?:[.,][0-9]{1,12})?")


def decoded(data: bytes, file: str, allowed: str) -> str:
    """The text of a file; raises InputError for what is none, with the line."""
    if len(data) > MOST_BYTES:
        raise refusal(problem(f"{len(data):,} bytes", file=file, allowed=f"at most {MOST_BYTES:,}"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise refusal(problem("not text in UTF-8", file=file, line=line, allowed=allowed)) from None


def number(text: str) -> float | None:
    """A number as a tool prints it; a comma is the decimal sign of other locales.  None for anything else.

    >>> number("12.50"), number("0,18"), number("1,234,5"), number("-1"), number("nan")
    (12.5, 0.18, None, None, None)
    """
    return float(text.replace(",", ".")) if _NUMBER.fullmatch(text) else None


def json_of(text: str, file: str, tool: str) -> tuple[dict[str, Any], int]:
    """The object in a file, and the line that it begins on: tools print warnings above it.

    Raises InputError with the line and column where the text ends or is no JSON.
    """
    found, line, _ = _next_object(text, 0, (file, tool))
    return found, line


def jsons_of(text: str, file: str, tool: str) -> list[dict[str, Any]]:
    """Every object in a file: runs of a tool are appended to a file one by one.  Raises InputError as `json_of`.

    >>> jsons_of('warning\\n{"a": 1}\\ntext\\n{"b": 2}\\n', "a.json", "fio")
    [{'a': 1}, {'b': 2}]
    """
    objects: list[dict[str, Any]] = []
    start = 0
    while not objects or _OBJECT.search(text, start):
        found, _, start = _next_object(text, start, (file, tool))
        objects.append(found)
    return objects


def _next_object(text: str, start: int, place: tuple[str, str]) -> tuple[dict[str, Any], int, int]:
    """The next object of a text, its line, and where it ends."""
    file, tool = place
    begin = _OBJECT.search(text, start)
    start = begin.end() - 1 if begin else start
    line = text.count("\n", 0, start) + 1
    try:
        found, end = json.JSONDecoder().raw_decode(text, start)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) - 1
        why = "the file ends within the object" if cut else error.msg
        what = f"no whole output of {tool}"
        raise refusal(
            problem(what, file=file, line=error.lineno, column=error.colno, why=why,
                    allowed="the file as the tool wrote it, to its end")
        ) from None  # fmt: skip
    except RecursionError:
        raise refusal(problem(f"no output of {tool}", file=file, why="it is nested too deeply")) from None
    if not isinstance(found, dict):
        raise refusal(problem(f"no output of {tool}", file=file, line=line, allowed="one JSON object"))
    return found, line, end


class Fields:
    """The members of a JSON object, taken by type; what is missing or of another type becomes a problem.

    >>> problems = []
    >>> fields = Fields({"iops": "many"}, ("a.json", "jobs[0].read"), problems)
    >>> fields.number("iops"), problems[0]["key"]
    (0.0, 'jobs[0].read.iops')
    """

    def __init__(self, members: Any, place: tuple[str, str], problems: list[Problem]) -> None:
        """Take an object; `place` is the file and the path of keys to it."""
        self.file, self.path = place
        self.problems = problems
        self.members: Mapping[str, Any] = members if isinstance(members, dict) else {}
        if not isinstance(members, dict):
            self._wrong("not an object", "", "an object of keys and values")

    def number(self, key: str) -> float:
        """A number from 0 on; 0 and a problem where there is none."""
        value = self.members.get(key)
        value = number(value) if isinstance(value, str) else value
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= LARGEST:
            what = "is missing" if key not in self.members else f"not a number: {str(self.members[key])[:40]}"
            self._wrong(what, key, "a number from 0 on")
            return 0.0
        return float(value)

    def maybe(self, key: str) -> float | None:
        """A number from 0 on, or None where the key is not there."""
        return self.number(key) if key in self.members else None

    def objects(self, key: str) -> list[Fields]:
        """A list of objects."""
        value = self.members.get(key)
        if not isinstance(value, list):
            self._wrong("is missing" if value is None else "not a list", key, "a list of objects")
            return []
        return [Fields(each, (self.file, f"{self._of(key)}[{at}]"), self.problems) for at, each in enumerate(value)]

    def inside(self, key: str) -> Fields:
        """An object."""
        return Fields(self.members.get(key), (self.file, self._of(key)), self.problems)

    def text(self, key: str, default: str = "") -> str:
        """A text, or the default where the key is not there or of another type."""
        value = self.members.get(key, default)
        return value if isinstance(value, str) else default

    def has(self, key: str) -> bool:
        """Whether a key is there."""
        return key in self.members

    def _of(self, key: str) -> str:
        return f"{self.path}.{key}".strip(".")

    def _wrong(self, what: str, key: str, allowed: str) -> None:
        self.problems.append(problem(what, file=self.file, key=self._of(key), allowed=allowed))

"""Problems with what was written or fed: how one is put, how all are listed, which valid name lies nearest."""

from __future__ import annotations

import difflib
import importlib
import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from slicewright._core import InputError

Problem = dict[str, Any]
"""file, line, column (1-based, 0 where none applies), key, what, why, allowed, nearest, remedy."""

_FIELDS: Problem = {
    "file": "",
    "line": 0,
    "column": 0,
    "key": "",
    "what": "",
    "why": "",
    "allowed": "",
    "nearest": "",
    "remedy": "",
}

T = TypeVar("T")

MOST_PRINTED = 50
"""Problems that are listed, as in the engine."""


def problem(what: str, **where: str | int) -> Problem:
    """One problem: what is wrong, and any of file, line, column, key, why, allowed, nearest, remedy.

    Raises TypeError for any other name.

    >>> problem("no such command", key="rnu", nearest="run")["nearest"]
    'run'
    """
    unknown = where.keys() - _FIELDS.keys()
    if unknown:
        raise TypeError(f"a problem has no {', '.join(sorted(unknown))}")
    return {**_FIELDS, "what": what, **where}


def refusal(*problems: Problem) -> InputError:
    """The error that carries these problems; the caller raises it.

    >>> refusal(problem("empty", file="a.toml")).problems[0]["file"]
    'a.toml'
    """
    error = InputError(listing(problems))
    error.problems = list(problems)
    return error


def gathered(problems: list[Problem], read: Callable[[], T]) -> list[T]:
    """The result of `read`, alone in a list; an empty list where it refuses its input, whose problems join the others.

    Raises what `read` raises that carries no problems.

    >>> from slicewright._core import DirectAccessReport
    >>> problems = []
    >>> gathered(problems, lambda: DirectAccessReport.read(b"", "empty.txt")), problems[0]["file"]
    ([], 'empty.txt')
    """
    try:
        return [read()]
    except ValueError as error:
        if not hasattr(error, "problems"):
            raise
        problems += error.problems
        return []


def extra(module: str, name: str, key: str, remedy: str) -> Any:
    """An optional module; raises InputError with the option that needs it and what to install where it is missing."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError:
        raise refusal(problem(f"{name} is not installed", key=key, remedy=f"pip install {remedy}")) from None


def nearest(name: str, valid: Iterable[str]) -> str:
    """The valid name that `name` was probably meant to be; empty when none is near.

    >>> nearest("alias", ["aliases", "slices"])
    'aliases'
    >>> nearest("zzz", ["aliases", "slices"])
    ''
    """
    names = list(valid)
    lower = {name.lower(): name for name in reversed(names)}
    close = difflib.get_close_matches(name.lower(), list(lower), n=1, cutoff=0.6)
    return lower[close[0]] if close else ""


def listing(problems: Iterable[Problem]) -> str:
    """All problems as text, one paragraph each: place, what, and why, allowed, nearest where they are known.

    Of very many the first are listed and the rest counted.

    >>> print(listing([problem("unknown key", file="a.toml", line=3, column=1, key="nmae", nearest="name")]))
    a.toml:3:1: nmae: unknown key
      nearest: name
    """
    every = list(problems)
    more = [f"and {len(every) - MOST_PRINTED} more"] * (len(every) > MOST_PRINTED)
    return "\n".join([*(_paragraph(entry) for entry in every[:MOST_PRINTED]), *more])


def printed(problems: Iterable[Problem], kind: str = "error") -> str:
    """All problems as the command line prints them: `error:`, the place, why, and `help:` with what would be right.

    Of very many the first are printed and the rest counted.

    >>> print(printed([problem("unknown key `nmae`", file="a.toml", line=3, column=1, key="volume A", nearest="name")]))
    error: volume A: unknown key `nmae`
      --> a.toml:3:1
      help: did you mean `name`?
    """
    every = list(problems)
    more = [f"and {len(every) - MOST_PRINTED} more"] * (len(every) > MOST_PRINTED)
    return "\n".join([*(f"{kind}: {_described(entry)}" for entry in every[:MOST_PRINTED]), *more])


def sentence(entry: Problem) -> str:
    """A problem as one sentence, without its place: what, and why in parentheses.

    >>> sentence(problem("unknown key", key="nmae", why="no table has it"))
    'nmae: unknown key (no table has it)'
    """
    named = ": ".join(part for part in (entry["key"], entry["what"]) if part)
    return f"{named} ({entry['why']})" if entry["why"] else named


def visible(text: str) -> str:
    """Text on one line, with every character that would move the cursor or hide itself written as an escape.

    These are controls, marks of direction and other formats, ends of lines, and bytes that are no text.

    >>> visible("a\\x1b[2Jb\\n")
    'a\\\\x1b[2Jb\\\\n'
    """
    return _UNUSUAL.sub(_escaped, text)


def visible_lines(text: str) -> str:
    """The same of text that has lines and tabs of its own.

    >>> print(visible_lines("é\\t表\\n\\u202e"))
    é	表
    \\u202e
    """
    return _UNUSUAL_IN_LINES.sub(_escaped, text)


_UNUSUAL, _UNUSUAL_IN_LINES = re.compile("[^ -~]"), re.compile("[^ -~\n\t]")
_HIDING = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Categories of Unicode (UAX 44, table 12)."""


def _escaped(character: re.Match[str]) -> str:
    text = character[0]
    return text.encode("unicode_escape").decode() if unicodedata.category(text) in _HIDING else text


def _place(entry: Problem) -> str:
    """The file, with line and column where they are known."""
    place = entry.get("file") or ""
    for number in (entry.get("line"), entry.get("column")):
        if not number:
            break
        place += f":{number}" if place else f"line {number}"
    return visible(place)


def _described(entry: Problem) -> str:
    key, place = visible(entry.get("key") or ""), _place(entry)
    head = ": ".join(part for part in (key or place, visible(entry["what"])) if part)
    near = " or ".join(f"`{name}`" for name in visible(str(entry.get("nearest") or "")).split(", "))
    lines = [head]
    lines += [f"  --> {place}"] * bool(key and place)
    lines += [f"  why: {visible(entry['why'])}"] * bool(entry.get("why"))
    lines += [f"  help: did you mean {near}?"] * bool(entry.get("nearest"))
    lines += [f"  help: allowed: {visible(entry['allowed'])}"] * bool(entry.get("allowed"))
    lines += [f"  help: {visible(entry['remedy'])}"] * bool(entry.get("remedy"))
    return "\n".join(lines)


def _paragraph(entry: Problem) -> str:
    head = ": ".join(part for part in (_place(entry), visible(entry.get("key") or ""), visible(entry["what"])) if part)
    details = [
        f"  {name}: {visible(str(entry[name]))}" for name in ("why", "allowed", "nearest", "remedy") if entry.get(name)
    ]
    return "\n".join([head, *details])

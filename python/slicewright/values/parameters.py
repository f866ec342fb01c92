"""Parameters of the public face: a problem with key and allowed values for each that has the wrong type or range."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral, Real

from slicewright.values.errors import Problem, problem, refusal

PATH = "a path: text or os.PathLike"

_LONGEST = 60
"""Characters of a wrong value that a problem repeats."""


def check(*problems: Problem | None) -> None:
    """Raise InputError with every problem that is not None.

    >>> check(None, None)
    """
    present = [each for each in problems if each is not None]
    if present:
        raise refusal(*present)


def brief(value: object) -> str:
    """A value as a problem repeats it: its beginning, or its type where it has no text.

    >>> brief("a" * 100)[-5:], brief(10**5000), brief(-7)
    ('aa...', 'int', '-7')
    """
    try:
        text = value if isinstance(value, str) else str(value)
    except Exception:  # any object may refuse, a whole number of more than 4,300 digits too
        return type(value).__name__
    text = text.encode(errors="backslashreplace").decode()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def kind_problem(key: str, value: object, kinds: type | tuple[type, ...], allowed: str) -> Problem | None:
    """The problem with a value that is of none of these types; True and False are no numbers.

    >>> kind_problem("seed", "1", Integral, "0 to 9")["what"]
    '`1` has the type str'
    """
    if isinstance(value, kinds) and not (isinstance(value, bool) and kinds is not bool):
        return None
    return problem(f"`{brief(value)}` has the type {type(value).__name__}", key=key, allowed=allowed)


def whole_problem(key: str, value: object, least: int, most: int) -> Problem | None:
    """The problem with a whole number from `least` to `most`.

    >>> whole_problem("seed", -1, 0, 9)["what"]
    'out of range: -1'
    """
    allowed = f"{least:,} to {most:,}"
    wrong = kind_problem(key, value, Integral, f"a whole number, {allowed}")
    if wrong or (isinstance(value, Integral) and least <= int(value) <= most):
        return wrong
    shown = f"{value:,}" if isinstance(value, int) and abs(value) < 10**_LONGEST else brief(value)
    return problem(f"out of range: {shown}", key=key, allowed=allowed)


def number_problem(key: str, value: object, allowed: str) -> Problem | None:
    """The problem with a value that is to be a number of at most 64 bits.

    >>> number_problem("for_s", None, "seconds")["allowed"]
    'seconds'
    >>> number_problem("for_s", 2**64, "seconds")["what"]
    'out of range: 18,446,744,073,709,551,616'
    """
    wrong = kind_problem(key, value, Real, allowed)
    if wrong or (isinstance(value, Real) and not isinstance(value, Integral)):
        return wrong
    return whole_problem(key, value, -(2**63), 2**63 - 1)


def path_problem(key: str, value: object, allowed: str = PATH) -> Problem | None:
    """The problem with the name of a file or a directory.

    >>> path_problem("out", 5)["allowed"]
    'a path: text or os.PathLike'
    >>> path_problem("out", "a" + chr(0))["what"]
    'a name with a NUL in it'
    """
    wrong = kind_problem(key, value, (str, os.PathLike), allowed)
    if wrong or not isinstance(value, str | os.PathLike):
        return wrong
    name = os.fspath(value)
    if not isinstance(name, str):
        return kind_problem(key, name, str, allowed)
    return problem("a name with a NUL in it", key=key, allowed=allowed) if "\0" in name else None


PATHS = "a path, or several: texts or os.PathLike"


def paths_of(key: str, value: object) -> list[str | os.PathLike[str]]:
    """One path, or each of several, as a list; raises InputError with every one that is none.

    A text is one path: its letters are none.

    >>> paths_of("files", "day.monwrite"), paths_of("files", (name for name in ["a", "b"]))
    (['day.monwrite'], ['a', 'b'])
    """
    if isinstance(value, str | os.PathLike):
        found: list[object] = [value]
    elif isinstance(value, bytes | Mapping) or not isinstance(value, Iterable):
        raise refusal(kind_problem(key, value, (), PATHS) or problem("no path", key=key, allowed=PATHS))
    else:
        found = list(value)
    check(*(problem("no name", key=key, allowed=PATHS) if path == "" else path_problem(key, path) for path in found))
    return [path for path in found if isinstance(path, str | os.PathLike)]


def texts_problem(key: str, value: object, allowed: str) -> Problem | None:
    """The problem with a sequence of texts; a text alone is none.

    >>> texts_problem("set", "a=b", 'a list: ["a=b"]')["what"]
    '`a=b` has the type str'
    >>> texts_problem("set", ["a=b", 5], 'a list: ["a=b"]')["what"]
    '`5` has the type int'
    """
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Sequence):
        return kind_problem(key, value, (), allowed)
    return next((wrong for each in value if (wrong := text_problem(key, each, allowed))), None)


def text_problem(key: str, value: object, allowed: str) -> Problem | None:
    """The problem with a text, all of whose characters can be written in UTF-8.

    >>> text_problem("rname", b"R", "a text")["what"]
    "`b'R'` has the type bytes"
    """
    wrong = kind_problem(key, value, str, allowed)
    if wrong or not isinstance(value, str) or value.isascii():
        return wrong
    try:
        value.encode()
    except UnicodeEncodeError:
        return problem(f"not text in UTF-8: `{brief(value)}`", key=key, allowed=allowed)
    return None


def text_of(key: str, value: object, allowed: str) -> str:
    """A text, all of whose characters can be written in UTF-8; raises InputError for anything else."""
    check(text_problem(key, value, allowed))
    assert isinstance(value, str)
    return value


def progress_problem(progress: object) -> Problem | None:
    """The problem with something that is to be called with the share done.

    >>> progress_problem(print)
    """
    if progress is None or callable(progress):
        return None
    return kind_problem("progress", progress, (), "a function of one number, the share done")

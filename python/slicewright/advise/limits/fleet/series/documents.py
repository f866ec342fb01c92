"""JSON documents of a file, one after the other: an answer, or a snapshot a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from slicewright.errors import problem, refusal

_BETWEEN = re.compile(r"[\s,]*")
_LAST = 6
"""Characters at the end of a file in which an error means that the rest is missing."""


def documents(text: bytes, name: str, kind: tuple[str, str]) -> Iterator[tuple[Any, int]]:
    """Each document with its line; `kind` is what it is to be, and what is allowed.  Raises InputError.

    >>> list(documents(b'{"a": 1}\\n[2]', "a.json", ("an answer", "JSON")))
    [({'a': 1}, 1), ([2], 2)]
    """
    what, allowed = kind
    try:
        source = text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise refusal(problem(f"not text in UTF-8: byte {error.start}", file=name, allowed=allowed)) from None
    at, line, decoder = 0, 1, json.JSONDecoder()
    while True:
        end = _end_of_space(source, at)
        line, at = line + source.count("\n", at, end), end
        if at >= len(source):
            return
        try:
            document, end = decoder.raw_decode(source, at)
        except json.JSONDecodeError as error:
            cut = error.msg.startswith("Unterminated") or len(source[error.pos :].strip()) < _LAST
            why, remedy = ("the file ends within it", "save it again, to its end") if cut else (error.msg, "")
            at_line = line + source.count("\n", at, error.pos)
            raise refusal(
                problem(f"not {what}", file=name, line=at_line, why=why, allowed=allowed, remedy=remedy)
            ) from None
        except RecursionError:
            raise refusal(problem(f"not {what}", file=name, why="it is nested too deeply", allowed=allowed)) from None
        yield document, line
        line, at = line + source.count("\n", at, end), end


def _end_of_space(source: str, at: int) -> int:
    found = _BETWEEN.match(source, at)
    return found.end() if found else at

"""Whole lines of a stream, some MiB at a time, so that a file of any size takes little memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from slicewright.errors import problem, refusal

PIECE = 8 << 20
MOST_LINE = 256 << 20
"""Bytes of one line: a table with a column for each series has the longest."""


def whole_lines(stream: IO[bytes], name: str) -> Iterator[bytes]:
    """Pieces of a file that end with a line; raises InputError for a line without an end.

    >>> import io
    >>> list(whole_lines(io.BytesIO(b"a\\nb"), "a.txt"))
    [b'a\\n', b'b']
    """
    parts: list[bytes] = []
    size = 0
    while piece := stream.read(PIECE):
        lines, newline, rest = piece.rpartition(b"\n")
        if newline:
            yield b"".join([*parts, lines, newline])
            parts, size = [], 0
        parts.append(rest)
        size += len(rest)
        if size > MOST_LINE:
            raise refusal(
                problem("a line without an end", file=name, allowed=f"lines of {MOST_LINE >> 20} MiB at most")
            )
    if size:
        yield b"".join(parts)

"""A table in Markdown, as every generated page has it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with its heading; bars inside a cell are escaped.

    >>> print(table(("a", "b"), [("x|y", "1")]))
    | a | b |
    |---|---|
    | x\\|y | 1 |
    """
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    lines += [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    return "\n".join(lines)

"""Why cells miss, as far as studies say it alike: patterns with a cause each, and misses that have one cause together.

It leaves out the causes themselves: each study has its own, thought after its runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase

from slicewright.study.cells import Cell, Place

MISSING = ("misses", "trend")
"""Verdicts that ask for a cause."""

UNKNOWN = "no cause is known"

Causes = tuple[tuple[str, str, str, str], ...]
"""Patterns of table, row and column, and the cause; the first that matches counts."""


def first(causes: Causes, place: Place) -> str:
    """The first cause whose patterns match, or that none is known.

    >>> first((("table1.*", "*", "*", "too short"),), Place("table1.n8", "rate", "1/s"))
    'too short'
    """
    for table, row, column, why in causes:
        if all(map(fnmatchcase, (place.table, place.row, place.column), (table, row, column))):
            return why
    return UNKNOWN


def missed(cells: Iterable[Cell], why: Callable[[Place], str], named: Callable[[Cell], str]) -> list[str]:
    """The cells that miss, with what causes it: those with one cause together.

    >>> missed([], lambda place: UNKNOWN, str)
    []
    """
    found: dict[str, list[str]] = {}
    for cell in cells:
        if cell.verdict in MISSING:
            found.setdefault(why(cell.place), []).append(named(cell) + (" (trend)" * (cell.verdict == "trend")))
    return [f"{', '.join(names)}: {why}" for why, names in found.items()]

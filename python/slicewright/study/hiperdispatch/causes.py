"""What causes each cell that misses: thought after the runs, held against ablations, and changing nothing in them.

It leaves out cells that match, and the verdict itself.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

from slicewright.study.cells import Place

UNKNOWN = "no cause is known"

CAUSES: tuple[tuple[str, str, str, str], ...] = ()
"""Patterns of table, row and column, and the cause; the first that matches counts."""


def cause(place: Place) -> str:
    """The cause of a miss, or that none is known.

    >>> from slicewright.study.cells import Place
    >>> cause(Place("table9", "nothing", "ms"))
    'no cause is known'
    """
    for table, row, column, why in CAUSES:
        if all(map(fnmatchcase, (place.table, place.row, place.column), (table, row, column))):
            return why
    return UNKNOWN

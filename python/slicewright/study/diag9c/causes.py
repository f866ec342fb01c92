"""What causes each cell that misses: thought after the runs, held against ablations, and changing nothing in them.

It leaves out cells that match, and the verdict itself.
"""

from __future__ import annotations

from slicewright.study.causes import Causes, first
from slicewright.study.cells import Place

CAUSES: Causes = ()
"""Patterns of table, row and column, and the cause; the first that matches counts."""


def cause(place: Place) -> str:
    """The cause of a miss, or that none is known.

    >>> cause(Place("table9", "nothing", "ms"))
    'no cause is known'
    """
    return first(CAUSES, place)

"""How a note says that more or less is asked for."""

from __future__ import annotations

from slicewright.statistics import percent


def demand(growth: float) -> str:
    """How much more or less is asked for.

    >>> demand(1.2), demand(0.9)
    ('demand 20 % higher', 'demand 10 % lower')
    """
    return f"demand {percent(abs(growth - 1), 0)} {'lower' if growth < 1 else 'higher'}"

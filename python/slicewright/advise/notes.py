"""The notes below the numbers of any advice: evidence, what stays open, caveats, and what would settle it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from slicewright.report.model import Notes
from slicewright.statistics import percent


class Noted(Protocol):
    """An answer with notes, a sentence each."""

    @property
    def facts(self) -> Sequence[str]:
        """Evidence."""

    @property
    def open(self) -> Sequence[str]:
        """The open questions."""

    @property
    def caveats(self) -> Sequence[str]:
        """The assumptions and omissions."""

    @property
    def needed(self) -> Sequence[str]:
        """The measurements that would settle the open questions."""


def note_blocks(answer: Noted, rejected: Sequence[str] = ()) -> list[Notes]:
    """The notes as blocks of a report, readings that were rejected among them.

    >>> from slicewright.advise.answer import Explanation
    >>> [block.name for block in note_blocks(Explanation(("rates agree",), (), (), ("a second report",)))]
    ['Evidence', 'Settles it']
    """
    named: list[tuple[str, Sequence[str]]] = [
        ("Evidence", answer.facts),
        ("Open", answer.open),
        ("Rejected", rejected),
        ("Caveats", answer.caveats),
        ("Settles it", answer.needed),
    ]
    return [Notes(name, lines) for name, lines in named if lines]


def demand(growth: float) -> str:
    """How much more or less is asked for.

    >>> demand(1.2), demand(0.9)
    ('demand 20 % higher', 'demand 10 % lower')
    """
    return f"demand {percent(abs(growth - 1), 0)} {'lower' if growth < 1 else 'higher'}"

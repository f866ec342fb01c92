"""Volumes dealt to the programs of IMS: each program's volumes, and the rest for any program, so that shares stay.

Declared before any run to be predicted: docs/decisions/0011-mdf-adopted.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from slicewright.study.mdf.workload import PROGRAMS


@dataclass(frozen=True, slots=True)
class Dealt:
    """A volume: its share of the I/O, how many of the programs have it, and the weight of going there otherwise.

    >>> dealt([("C23", 0.6), ("DB01", 0.4)], 0.5)[0]
    Dealt(name='C23', share=0.6, programs=60, other=0.3)
    """

    name: str
    share: float
    programs: int
    other: float


def dealt(shares: Sequence[tuple[str, float]], own: float) -> list[Dealt]:
    """Each volume with its part of the programs, where a part `own` of the I/O (0 to 1) keeps to what the program has.

    Program m has the volume in which (m + .5) / 100 of the cumulative shares lies.  A program cannot be divided,
    so a volume's I/O from programs differs a little from its share. The weights of the other I/O make up for that.
    Where its own programs alone give a volume more than its share, nothing else goes there, and its share is not kept.

    >>> [one.programs for one in dealt([("A", 0.3362), ("B", 0.3352), ("C", 0.3286)], 0.5)]
    [34, 33, 33]
    """
    total = sum(share for _, share in shares)
    edges = [0.0, *accumulate(share / total for _, share in shares)]
    middles = [(member + 0.5) / PROGRAMS for member in range(PROGRAMS)]
    found = []
    for (name, share), low, high in zip(shares, edges[:-1], edges[1:], strict=True):
        programs = sum(low <= middle < high for middle in middles)
        other = max(0.0, round(share / total - own * programs / PROGRAMS, 12))
        found.append(Dealt(name, share / total, programs, other))
    return found

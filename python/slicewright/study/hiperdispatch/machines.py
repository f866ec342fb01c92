"""The two machines of the study: cores, chips, books, and their caches in published sizes.

The hardware form has books and weights of levels (decision 0045); the other forms have neither.
"""

from __future__ import annotations

from dataclasses import dataclass

MEMORY = 4.0
"""ASSUME how slow work is whose storage no cache holds: about four times as slow as in warm caches."""

FOOTPRINT = "2 MiB"
"""ASSUME what a virtual processor has in the caches: as much as the caches of a core of zEC12 hold."""


@dataclass(frozen=True, slots=True)
class Level:
    """Caches of one level: the processors that share one, and its size.

    >>> ZEC12.levels[1].size
    '48 MiB'
    """

    name: str
    shared_by: str
    size: str
    nest: float
    """The weight of what lies beyond it in Relative Nest Intensity: of the next level, or of another book's."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine of the study.

    >>> Z10.name, Z10.cores_per_chip
    ('z10', 4)
    """

    name: str
    cores_per_chip: int
    chips_per_book: int
    cores_per_book: int
    """Processors of a book that partitions can have; in the hardware form alone."""
    levels: tuple[Level, ...]

    def slowness(self, level: int) -> float:
        """How many times as long work takes whose storage is in none of the caches up to this level, the innermost 0.

        ASSUME: it grows by the same factor from level to level, up to that of storage itself.

        >>> [round(ZEC12.slowness(level), 3) for level in range(3)], Z10.slowness(0)
        ([1.587, 2.52, 4.0], 2.0)
        """
        return float(MEMORY ** ((level + 1) / len(self.levels)))


CHIP, BOOK, OTHER_BOOK = 0.4, 1.2, 2.7
"""Weights of a miss that the chip's cache serves, the own book's, another book's: RNI = 2.3 x (.4 L3P + 1.2 L4LP +
2.7 L4RP + 8.2 MEMP) / 100 (SystemReport.java of a program for reports of SMF 113, GitHub, delu86/ced, 2015).  It names
no machine: caches of this kind are those of z196 and zEC12.  ASSUME: the zEC12's, and the same on a z10."""

Z10 = Machine("z10", 4, 5, 16, (Level("L1.5", "core", "3 MiB", BOOK), Level("L2", "book", "48 MiB", OTHER_BOOK)))
"""Two storage-control chips of 24 MiB a book.  ASSUME 16 processors a book: 64 of the largest model in four books."""

ZEC12 = Machine(
    "zEC12",
    6,
    6,
    24,
    (
        Level("L2", "core", "2 MiB", CHIP),
        Level("L3", "chip", "48 MiB", BOOK),
        Level("L4", "book", "384 MiB", OTHER_BOOK),
    ),
)
"""1 + 1 MiB a core, for instructions and data.  Models have 20 to 25 processors a book; which was measured is not
published."""

SMALL_BOOK = 20
"""Processors of a book of the smaller models of zEC12."""


def machine(table: str) -> Machine:
    """Which machine a table or figure was measured on.

    >>> machine("table1").name, machine("figure1").name
    ('z10', 'zEC12')
    """
    return Z10 if table == "table1" else ZEC12

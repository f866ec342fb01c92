"""The two machines of the study: cores, chips, books, and their caches in published sizes."""

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


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine of the study.

    >>> Z10.name, Z10.cores_per_chip
    ('z10', 4)
    """

    name: str
    cores_per_chip: int
    chips_per_book: int
    levels: tuple[Level, ...]

    def slowness(self, level: int) -> float:
        """How many times as long work takes whose storage is in none of the caches up to this level, the innermost 0.

        ASSUME: it grows by the same factor from level to level, up to that of storage itself.

        >>> [round(ZEC12.slowness(level), 3) for level in range(3)], Z10.slowness(0)
        ([1.587, 2.52, 4.0], 2.0)
        """
        return float(MEMORY ** ((level + 1) / len(self.levels)))


Z10 = Machine("z10", 4, 5, (Level("L1.5", "core", "3 MiB"), Level("L2", "book", "48 MiB")))
"""Two storage-control chips of 24 MiB a book."""

ZEC12 = Machine(
    "zEC12",
    6,
    6,
    (Level("L2", "core", "2 MiB"), Level("L3", "chip", "48 MiB"), Level("L4", "book", "384 MiB")),
)
"""1 + 1 MiB a core, for instructions and data."""


def machine(table: str) -> Machine:
    """Which machine a table or figure was measured on.

    >>> machine("table1").name, machine("figure1").name
    ('z10', 'zEC12')
    """
    return Z10 if table == "table1" else ZEC12

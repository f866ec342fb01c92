"""The cases of the study: a family of tiles on a number of processors under a release, a mode and CPUPAD."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from slicewright.study.published import Number
from slicewright.study.spec import Spec

Mode = Literal["H", "V F", "V B"]
"""Horizontal, which stands for 6.2 too; vertical with reshuffle; vertical with rebalance."""

MODES: dict[Mode, str] = {"H": "horizontal", "V F": "vertical, reshuffle", "V B": "vertical, rebalance"}

N_WAY = (1, 4, 8, 16, 24, 32)
"""The partitions of the figures, by how many processors they have."""

CPUPAD = 100
"""The default of CPUPAD, in percent."""


@cache
def document() -> Mapping[str, Any]:
    """The published numbers as they are written.

    >>> document()["tiles"]["light"]["virtual_cpus"]
    3
    """
    return Spec.read("hiperdispatch").tables


def ablations() -> Mapping[str, str]:
    """The standard experiments: what is taken away.

    >>> list(ablations())[0]
    'no-cache-cost'
    """
    return Spec.read("hiperdispatch").ablations


@dataclass(frozen=True, slots=True)
class Case:
    """One simulated run: a table or figure of the study, N, mode, CPUPAD, an ablation if any, and processors a book.

    Without `book` a book of the hardware form has as many processors as its machine declares.

    >>> Case("figure4", 32, "V B").tiles, Case("figure4", 32, "V B").virtual_processors
    (8, 104)
    """

    table: str
    n: int
    mode: Mode
    cpupad: int = CPUPAD
    ablation: str = ""
    book: int = 0

    @property
    def tiles(self) -> int:
        """How many tiles there are."""
        return int(document()[self.table]["tiles"])

    @property
    def kind(self) -> str:
        """Which kind of tile: light or heavy."""
        return str(document()[self.table]["tile"])

    @property
    def tile_processors(self) -> int:
        """Virtual processors of a tile."""
        return int(document()["tiles"][self.kind]["virtual_cpus"])

    @property
    def virtual_processors(self) -> int:
        """Virtual processors of all tiles."""
        return self.tiles * self.tile_processors

    @property
    def duty_percent(self) -> float:
        """The processor time to be charged to a virtual processor of a tile, in percent of one processor.

        >>> round(Case("table1", 8, "H").duty_percent, 6), round(Case("figure3", 8, "H").duty_percent, 2)
        (27.0, 41.54)
        """
        return float(document()["tiles"][self.kind]["busy_percent"]) / self.tile_processors

    @property
    def high_tv(self) -> bool:
        """Whether the tiles are of the kind that keeps the control program busy.

        >>> [table for table in ("table1", "figure1", "figure2") if Case(table, 8, "H").high_tv]
        ['table1', 'figure1']
        """
        return self.table in ("table1", "figure1")

    @property
    def parks(self) -> bool:
        """Whether processors may be parked by need in it, so that the controller has to be given time."""
        return self.high_tv and self.mode != "H" and self.n > 8 and self.cpupad < 6400

    @property
    def name(self) -> str:
        """The name of its scenario file, without the suffix.

        >>> Case("table1", 16, "V F", 300).name, Case("figure2", 24, "V B").name
        ('table1-n16-cpupad-300', 'figure2-n24-rebalance')
        """
        if self.table == "table1":
            return f"table1-n{self.n}-" + ("6.2" if self.mode == "H" else f"cpupad-{self.cpupad}")
        return f"{self.table}-n{self.n}-{MODES[self.mode].rpartition(' ')[2]}"

    def without(self, ablation: str) -> Case:
        """The same run with something taken away; nothing where that is empty."""
        return replace(self, ablation=ablation)


def column_case(n: int, column: str) -> Case:
    """The run of a column of Table 1: 6.2 is horizontal, 6.3 vertical with reshuffle.

    >>> column_case(16, "6.3 CPUPAD 300%")
    Case(table='table1', n=16, mode='V F', cpupad=300, ablation='', book=0)
    """
    if column == "6.2":
        return Case("table1", n, "H")
    return Case("table1", n, "V F", int(column.removeprefix("6.3 CPUPAD ").removesuffix("%")))


def compared(figure: str, n: int) -> tuple[Case, ...]:
    """The runs that a gain is made of: the vertical ones, of which the mean counts, after the horizontal one.

    Where the text says “vertical with rebalance” it is that alone (figure 1; figure 2 up to N = 16); else both methods.

    >>> [case.mode for case in compared("figure2", 16)], [case.mode for case in compared("figure2", 24)]
    (['H', 'V B'], ['H', 'V F', 'V B'])
    """
    alone = figure == "figure1" or (figure == "figure2" and n <= 16)
    modes: tuple[Mode, ...] = ("H", "V B") if alone else ("H", "V F", "V B")
    return tuple(Case(figure, n, mode) for mode in modes)


def etr_cases(figure: str, n: int, zvm: str) -> tuple[Case, ...]:
    """The runs whose mean is an ETR that the text prints; the text names the release and the mode.

    >>> [case.mode for case in etr_cases("figure3", 16, "6.3 V")]
    ['V F', 'V B']
    """
    modes: dict[str, tuple[Mode, ...]] = {"6.3 V": ("V F", "V B"), "6.3 V B": ("V B",), "6.3 V F": ("V F",)}
    return tuple(Case(figure, n, mode) for mode in modes.get(zvm, ("H",)))


def cases_of(number: Number) -> tuple[Case, ...]:
    """The runs that a number is made of; for a gain, the one that is compared with comes first.

    >>> from slicewright.results.judge import Place
    >>> [case.mode for case in cases_of(Number(Place("figure1", "gain_percent", "%", "n=1"), 0.0))]
    ['H', 'V B']
    """
    place = number.place
    if place.table.startswith("table1"):
        return (column_case(n_way(number), place.column),)
    if place.row == "gain_percent":
        return compared(place.table, n_way(number))
    return etr_cases(place.table, n_way(number), place.column.partition(" ")[2])


def n_way(number: Number) -> int:
    """The N-way of the partition that a number was measured in.

    >>> from slicewright.results.judge import Place
    >>> n_way(Number(Place("table1.n16", "tv_ratio", "", "6.2"), 2.24))
    16
    """
    place = number.place
    return int(place.table.partition(".n")[2] or place.column.split()[0].removeprefix("n="))

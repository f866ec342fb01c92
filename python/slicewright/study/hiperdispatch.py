"""The HiperDispatch study: tiles of virtual servers over N-way, in horizontal and vertical mode, and what parking does.

Every choice made here was declared before the runs that it is for: docs/decisions/0012-hiperdispatch-study.md, for the
adopted form 0014-hiperdispatch-free-wake-ups.md, for the hardware form 0045-hiperdispatch-hardware.md, for the chips
form 0101-hiperdispatch-chips.md.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from msgspec import Struct

from slicewright.report.figure import Figure, Panel, Series
from slicewright.report.model import Block, Table
from slicewright.report.spec import columns
from slicewright.results.judge import Cell, Place
from slicewright.statistics import Estimate
from slicewright.study.calibrate import Constants
from slicewright.study.judge import Judge, Unit, of_set
from slicewright.study.pages import (
    Context,
    Maker,
    Rule,
    constants_tables,
    directions,
    growing,
    line,
    published,
    published_groups,
)
from slicewright.study.points import Budget, Key, Point, Tables
from slicewright.study.reproduce import Points, shown
from slicewright.study.spec import Number, Spec, Wanted
from slicewright.study.study import Line, Runs, Study
from slicewright.study.templates import rendered

Mode = Literal["H", "V F", "V B"]
"""Horizontal, which stands for 6.2 too; vertical with reshuffle; vertical with rebalance."""

MODES: dict[Mode, str] = {"H": "horizontal", "V F": "vertical, reshuffle", "V B": "vertical, rebalance"}

N_WAY = (1, 4, 8, 16, 24, 32)
"""The partitions of the figures, by how many processors they have."""

CPUPAD = 100
"""The default of CPUPAD, in percent."""


class _Value(Struct, frozen=True):
    n: int
    value: float
    zvm: str = ""


class _Family(Struct, frozen=True):
    tiles: int
    tile: str
    no_effect_n: tuple[int, ...] = ()
    gain_percent: tuple[_Value, ...] = ()
    etr: tuple[_Value, ...] = ()
    columns: tuple[str, ...] = ()
    n8: Mapping[str, tuple[float, ...]] = {}
    n16: Mapping[str, tuple[float, ...]] = {}


class _Published(Struct, frozen=True):
    tiles: Mapping[str, Mapping[str, float]]
    table1: _Family
    figure1: _Family
    figure2: _Family
    figure3: _Family
    figure4: _Family


@cache
def _published() -> _Published:
    return Spec.read("hiperdispatch").document_as(_Published)


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
    def _family(self) -> _Family:
        own: _Family = getattr(_published(), self.table)
        return own

    @property
    def tiles(self) -> int:
        """How many tiles there are."""
        return self._family.tiles

    @property
    def kind(self) -> str:
        """Which kind of tile: light or heavy."""
        return self._family.tile

    @property
    def tile_processors(self) -> int:
        """Virtual processors of a tile."""
        return int(_published().tiles[self.kind]["virtual_cpus"])

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
        return _published().tiles[self.kind]["busy_percent"] / self.tile_processors

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
    def amount(self) -> str:
        """More is simulated where the controller parks, less where hundreds of thousands are dispatched a second."""
        return "parks" if self.parks else "high" if self.high_tv else "low"

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


def _compared(figure: str, n: int) -> tuple[Case, ...]:
    """The runs that a gain is made of: the vertical ones, of which the mean counts, after the horizontal one.

    Where the text says “vertical with rebalance” it is that alone (figure 1; figure 2 up to N = 16); else both methods.

    >>> [case.mode for case in _compared("figure2", 16)], [case.mode for case in _compared("figure2", 24)]
    (['H', 'V B'], ['H', 'V F', 'V B'])
    """
    alone = figure == "figure1" or (figure == "figure2" and n <= 16)
    modes: tuple[Mode, ...] = ("H", "V B") if alone else ("H", "V F", "V B")
    return tuple(Case(figure, n, mode) for mode in modes)


def _etr_cases(figure: str, n: int, zvm: str) -> tuple[Case, ...]:
    """The runs whose mean is an ETR that the text prints; the text names the release and the mode.

    >>> [case.mode for case in _etr_cases("figure3", 16, "6.3 V")]
    ['V F', 'V B']
    """
    modes: dict[str, tuple[Mode, ...]] = {"6.3 V": ("V F", "V B"), "6.3 V B": ("V B",), "6.3 V F": ("V F",)}
    return tuple(Case(figure, n, mode) for mode in modes.get(zvm, ("H",)))


def _n_way(number: Number) -> int:
    """The N-way of the partition that a number was measured in.

    >>> from slicewright.results.judge import Place
    >>> _n_way(Number(Place("table1.n16", "tv_ratio", "", "6.2"), 2.24))
    16
    """
    place = number.place
    return int(place.table.partition(".n")[2] or place.column.split()[0].removeprefix("n="))


# Machines.

MEMORY = 4.0
"""ASSUME how slow work is whose storage no cache holds: about four times as slow as in warm caches."""

FOOTPRINT = "2 MiB"
"""ASSUME what a virtual processor has in the caches: as much as the caches of a core of zEC12 hold."""


@dataclass(frozen=True, slots=True)
class _Level:
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
class _Machine:
    """A machine of the study.

    >>> Z10.name, Z10.cores_per_chip
    ('z10', 4)
    """

    name: str
    cores_per_chip: int
    chips_per_book: int
    cores_per_book: int
    """Processors of a book that partitions can have; in the hardware form alone."""
    levels: tuple[_Level, ...]

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

Z10 = _Machine("z10", 4, 5, 16, (_Level("L1.5", "core", "3 MiB", BOOK), _Level("L2", "book", "48 MiB", OTHER_BOOK)))
"""Two storage-control chips of 24 MiB a book.  ASSUME 16 processors a book: 64 of the largest model in four books."""

ZEC12 = _Machine(
    "zEC12",
    6,
    6,
    24,
    (
        _Level("L2", "core", "2 MiB", CHIP),
        _Level("L3", "chip", "48 MiB", BOOK),
        _Level("L4", "book", "384 MiB", OTHER_BOOK),
    ),
)
"""1 + 1 MiB a core, for instructions and data.  Models have 20 to 25 processors a book; which was measured is not
published."""

SMALL_BOOK = 20
"""Processors of a book of the smaller models of zEC12."""

USABLE_BOOKS = (20, 22, 25)
"""Processors of a book that partitions can have, by model of zEC12: the sets of the chips form have them in turn."""

USABLE = 4
"""ASSUME processors of a zEC12 chip that partitions can have: 20 to 25 a book over six chips are 3.3 to 4.2."""


def _machine(table: str) -> _Machine:
    """Which machine a table or figure was measured on.

    >>> _machine("table1").name, _machine("figure1").name
    ('z10', 'zEC12')
    """
    return Z10 if table == "table1" else ZEC12


def _built(case: Case, constants: Constants) -> _Machine:
    """The machine of a run in a form, with the book of its case or of its set; the chips form has usable processors."""
    machine = _machine(case.table)
    book = case.book or machine.cores_per_book
    if constants.form == CHIPS and machine is ZEC12:
        book = case.book or int(constants.of.get("book", USABLE_BOOKS[0]))
        machine = replace(machine, cores_per_chip=USABLE, chips_per_book=math.ceil(book / USABLE))
    return replace(machine, cores_per_book=book)


# The text.

JITTER_PERCENT = 25
"""ASSUME how far a slice or a sleep strays: where all are equal, virtual processors get into step with each other,
never collide, and return to the same processor for ever."""

BARRIERS = (1, 2, 4)
"""ASSUME how many virtual processors wait in a vector before a processor steals: on its chip, in its book, farther."""

BOOK_BARRIERS = (1, 1, 4)
"""ASSUME those of the chips form: a processor steals as soon on another chip of its book as on its own."""

TV_THRESHOLD = 1.5
"""ASSUME from which T/V processors are parked by need: anything from 1.40 to 1.79 does the same here."""

NEEDED = 7.75
"""Processors that 8 light tiles use where the lock costs little: %Total at N = 8, CPUPAD 6400 %, a calibration cell."""

HEAVY = 1360 / 2361
"""A heavy tile's time to touch what it has in the caches, over a light one's.

ASSUME: a transaction touches equally much in both.  The numbers are transactions per processor second in horizontal
mode at N = 16 (figures 2 and 3, calibration cells)."""

FITTED = "fitted to calibration cells (published/hiperdispatch/calibrated.toml)"

HARDWARE = "hardware"
"""The form with books, weighted levels of caches, a margin of the controller, and few processors at the start."""

CHIPS = "chips"
"""The form with the processors of a chip that partitions can have, three sizes of books, and weighted levels."""


FIGURES = ("figure1", "figure2", "figure3", "figure4")
"""The four figures: ETR over N, a family of tiles each."""

BLOCKS = ("n8", "n16")
"""The two blocks of Table 1, by their N."""

SHIPPED = (
    column_case(16, "6.2"),
    column_case(16, "6.3 CPUPAD 100%"),
    Case("figure1", 8, "V B"),
    *(Case(figure, n, mode) for figure, n in (("figure2", 24), ("figure3", 16), ("figure4", 32)) for mode in MODES),
)
"""Whose scenarios are shipped: a family of tiles each; any other N, mode or CPUPAD by `--set`."""

SEEN = (
    Case("table1", 8, "H"),
    Case("table1", 16, "V F", 100),
    Case("figure1", 8, "V B"),
    Case("figure2", 24, "V F"),
    Case("figure3", 16, "H"),
    Case("figure4", 32, "V B"),
)
"""A run of every family of tiles, machine and mode; each in every form."""


def _in_books(column: str, book: int) -> str:
    """A column whose value is of a zEC12 with books of this many processors."""
    return f"{column} books of {book}"


_LINES: tuple[Line, ...] = tuple(
    (f"{figure}, {name}", "first", [Case(figure, n, mode) for n in N_WAY])
    for figure in FIGURES
    for mode, name in MODES.items()
)
"""Every figure in every mode over N."""


class _HiperDispatch(Study):
    """The study: a case is a family of tiles on a number of processors under a release, a mode and CPUPAD."""

    name = "hiperdispatch"
    reads = ("control_programs", "locks")
    drawn = _LINES

    def numbers(self, spec: Spec, wanted: Wanted) -> Iterable[Number]:
        """The figures', with gain 0 where the text says “little effect until”, then Table 1's.

        A copy without the last columns of a block has fewer numbers.
        """
        found = spec.document_as(_Published)
        listed = [number for figure in FIGURES for number in _figure(spec, figure, getattr(found, figure))]
        for block in BLOCKS:
            for row, values in getattr(found.table1, block).items():
                for column, value in zip(found.table1.columns, values, strict=False):
                    listed.append(Number(Place(f"table1.{block}", row, spec.values[row].unit, column), value))
        return listed

    def cases(self, number: Number, part: str = "") -> tuple[Case, ...]:
        """The runs of a number; of a gain the horizontal one comes first.

        In a search all columns of 6.3 at N = 8 are one run: with T/V below the threshold CPUPAD changes nothing.
        """
        if part and number.place.table == "table1.n8" and number.place.column != "6.2":
            return (column_case(8, "6.3 CPUPAD 6400%"),)
        place = number.place
        if place.table.startswith("table1"):
            return (column_case(_n_way(number), place.column),)
        if place.row == "gain_percent":
            return _compared(place.table, _n_way(number))
        return _etr_cases(place.table, _n_way(number), place.column.partition(" ")[2])

    def scenario(self, case: Case, constants: Constants, budget: Budget) -> str:
        """A run as a complete scenario file (TOML), measured as the budget says.

        >>> text = STUDY.scenario(Case("figure4", 32, "V B"), STUDY.constants(), Budget(interval_s=10, warm_up_s=5.0))
        >>> [line for line in text.splitlines() if line.startswith("polarization")]
        ['polarization = "vertical"']
        """
        own, without = constants.of, case.ablation
        hardware, vertical = constants.form == HARDWARE, case.mode != "H"
        weighted, from_few = constants.form in (HARDWARE, CHIPS), hardware and case.parks
        margin = constants["margin"] if from_few else 0.0
        locked = 0.0 if without == "no-lock" else 1.0
        sleep = own["sleep_high" if case.high_tv else "sleep_low"]
        heavy = HEAVY if weighted and case.kind == "heavy" else 1.0
        costs = {
            **dict.fromkeys(("wake", "dispatch", "wait"), own["path"]),
            "simulate": own["simulate"],
            "look": own["look"],
        }
        return rendered(
            "hiperdispatch", case=case, constants=own, budget=budget, machine=_built(case, constants), fitted=FITTED,
            kind=f"{case.tiles} {case.kind} tiles, {'high' if case.high_tv else 'low'} T/V", mode=MODES[case.mode],
            padded=f", CPUPAD {case.cpupad} %" if case.table == "table1" and vertical else "",
            without=Spec.read("hiperdispatch").ablations.get(without, ""), caches=without != "no-cache-cost",
            weighted=weighted, vertical=vertical,
            method="none" if without == "no-churn" else "rebalance" if case.mode == "V B" else "reshuffle",
            horizontal="free" if constants.form in ("adopted", HARDWARE) and not vertical else "global",
            stealing="eager" if without == "eager-stealing" else "near",
            barriers=(1, 1, 1) if without == "no-barrier" else BOOK_BARRIERS if constants.form == CHIPS else BARRIERS,
            lock={name: locked * own[name] for name in ("hold", "per_waiter")},
            costs={**costs, "entry": 0.0 if without == "no-cache-cost" else own["entry"]},
            margin=margin, tv_threshold=TV_THRESHOLD, jitter=JITTER_PERCENT,
            start=min(case.n, math.ceil(NEEDED + case.cpupad / 100 + margin)) if from_few else 0,
            footprint=f"{round(1024 * own['footprint'])} KiB" if weighted else FOOTPRINT,
            touched_in=own["touched_in"] * heavy,
            sleep=[sleep * (1 + sign * JITTER_PERCENT / 100) for sign in (-1, 1)],
        )  # fmt: skip

    def sets(self, form: str = "") -> list[Constants]:
        """The committed sets of constants; those of the chips form have the sizes of books in turn."""
        found = super().sets(form)
        if form != CHIPS:
            return found
        sizes = itertools.cycle(USABLE_BOOKS)
        return [replace(each, of={**each.of, "book": size}) for each, size in zip(found, sizes, strict=False)]

    def measure(self, case: Case, run: Tables, constants: Constants) -> Mapping[Key, float]:
        """The values of one replication; figure 4 prints no ETR and has the tiles of figure 3."""
        program, lock = ({name: column[0] for name, column in run[table].items()} for table in self.reads)
        return _values(program, lock, constants.scale("figure3" if case.table == "figure4" else case.table))

    def samples(self, number: Number, points: Mapping[Any, Point]) -> list[float]:
        """A gain or an ETR of its runs, or a value of the only one."""
        own = [points[case] for case in self.cases(number)]
        if number.place.row == "gain_percent":
            return _gains(own)
        return _mean_etrs(own) if number.place.row == "etr" else own[0].samples[number.place.row]

    def runs(self) -> tuple[Runs, Runs]:
        """A family of tiles each in the first form; a run of every kind in each form."""
        first = self.spec().first
        return [(first, case) for case in SHIPPED], [(form, case) for form in self.spec().forms for case in SEEN]

    def extra(self, form: str) -> Iterator[Unit]:
        """Of forms with books the runs of scored cells with others, where these differ, and no run at all."""
        if form not in (HARDWARE, CHIPS):
            return
        for unit in (unit for unit in Judge(self, form=form).units() if unit.scored):
            small = tuple(dict.fromkeys(map(in_small_books, unit.cases)))
            if set(small) == set(unit.cases):
                continue
            for size in (SMALL_BOOK,) if form == HARDWARE else USABLE_BOOKS:
                yield Unit("", tuple(replace(case, book=size) for case in unit.cases))
        yield Unit("", ())

    def beside(self, unit: Unit, points: Points) -> Iterator[Cell]:
        """The values with other books; of no run, those of each set in the calibration cells of directions."""
        if points.form not in (HARDWARE, CHIPS):
            return
        if not unit.cases:
            yield from _calibrated(points.form)
        elif unit.cases[0].book:
            plain = [{replace(case, book=0): point for case, point in by_case.items()} for by_case in points.sets]
            case = unit.cases[0]
            for number in self.published(self.spec()):
                if number.place.table != case.table or _n_way(number) != case.n:
                    continue
                by_set = [self.samples(number, by_case) for by_case in plain]
                column = _in_books(number.place.column, case.book)
                if points.form == HARDWARE:
                    yield shown(replace(number.place, column=column), by_set)
                elif number.place.row == "gain_percent":
                    for at, values in enumerate(by_set, 1):
                        yield shown(replace(number.place, column=of_set(column, at)), [values])

    def words(self) -> Mapping[str, Maker]:
        """Directions, constants and small books, and the four figures, published and simulated."""
        return {
            "directions": lambda context: (each.said for each in directions(DIRECTIONS, context.beside)),
            "first_constants": lambda context: constants_tables(self.spec(), self.committed("first")),
            "both_constants": _both_constants,
            "small": _small_books,
            "books": _books,
            "figures": lambda context: _pictures(STUDY.lines(context.progress)),
        }


STUDY = _HiperDispatch()
"""The study."""


def _values(program: Mapping[str, float], lock: Mapping[str, float], scale: float) -> dict[Key, float]:
    """The study's values from the counters of one replication.

    ETR is work done, in processors' worth, times the scale.  Percents per transaction are quotients of rows, as printed
    (z/VM HiperDispatch, Table 1).

    >>> counters = dict.fromkeys(("total_percent", "guests_percent", "chargeable_cp_percent"), 1.0)
    >>> counters |= {"nonchargeable_cp_percent": 1.0, "tv_ratio": 1.0, "unparked": 8.0, "work_percent": 500.0}
    >>> _values(counters, dict.fromkeys(("collisions_per_s", "spin_us_per_collision", "spin_s_per_s"), 1.0), 2.0)["etr"]
    10.0
    """
    etr = scale * program["work_percent"] / 100
    spent = ("total_percent", "guests_percent", "chargeable_cp_percent", "nonchargeable_cp_percent")
    found: dict[Key, float] = {
        "etr": etr,
        "transactions_per_s": etr,
        "unparked_lpus": program["unparked"],
        "tv_ratio": program["tv_ratio"],
        "srmslock_collisions_per_s": lock["collisions_per_s"],
        "srmslock_spin_us_per_collision": lock["spin_us_per_collision"],
        "srmslock_spin_s_per_s": lock["spin_s_per_s"],
        "srmslock_collisions_per_tx": lock["collisions_per_s"] / etr,
        "srmslock_spin_us_per_tx": 1e6 * lock["spin_s_per_s"] / etr,
    }
    return found | {row: program[row] for row in spent} | {f"{row}_per_tx": program[row] / etr for row in spent}


def _gains(points: Sequence[Point]) -> list[float]:
    """The mean ETR of all points but the first above that of the first, in percent, replication by replication.

    >>> runs = [Point(Case("figure3", 16, "H"), samples={"etr": [etr, etr + 1]}) for etr in (100.0, 110.0, 120.0)]
    >>> [round(gain, 2) for gain in _gains(runs)]
    [15.0, 14.85]
    """
    first, *others = (point.samples["etr"] for point in points)
    return [100 * (sum(values) / len(values) / before - 1) for before, *values in zip(first, *others, strict=True)]


def _mean_etrs(points: Sequence[Point]) -> list[float]:
    """The mean ETR of some points, replication by replication.

    >>> _mean_etrs([Point(Case("figure3", 16, "H"), samples={"etr": [1.0, 3.0]})])
    [1.0, 3.0]
    """
    return [sum(values) / len(values) for values in zip(*(point.samples["etr"] for point in points), strict=True)]


def in_small_books(case: Case) -> Case:
    """The same run on a machine with small books; the run itself where that makes no difference.

    >>> in_small_books(Case("figure4", 32, "H")).book, in_small_books(Case("figure4", 16, "H")).book
    (20, 0)
    """
    crosses = _machine(case.table).cores_per_book > SMALL_BOOK and case.n > SMALL_BOOK
    return replace(case, book=SMALL_BOOK) if crosses else case


def _calibrated(form: str) -> Iterator[Cell]:
    """The values of each set in the calibration cells that a direction is about; nothing is simulated."""
    found = STUDY.committed(form)
    for number, cell in enumerate(found.cells):
        if cell.row == "gain_percent" or (cell.column == "6.3 CPUPAD 6400%" and cell.table == "table1.n16"):
            for at, member in enumerate(found.members):
                yield shown(Place(cell.table, cell.row, "", of_set(cell.column, at + 1)), [[member.simulated[number]]])


def _pictures(drawn: Mapping[str, Sequence[Point]]) -> Iterator[Block]:
    """ETR over N and what vertical modes gain, figure by figure; none where nothing was simulated."""
    for figure in FIGURES if drawn else ():
        title = STUDY.spec().titles[figure]
        own = {mode: drawn[f"{figure}, {name}"] for mode, name in MODES.items()}
        caption = f"{title}: ETR in each mode, and what vertical ones gain over horizontal."
        panels = [_etr(figure, own), _gain(figure, own)]
        yield Figure(panels, "N: processors of the partition", caption, title.partition(":")[0])


def _n(case: Case) -> float:
    return float(case.n)


def _etr(figure: str, modes: Mapping[Mode, Sequence[Point]]) -> Panel:
    curves = [line(points, "etr", _n, MODES[mode]) for mode, points in modes.items()]
    label = "ETR, tx per s" if figure != "figure4" else "ETR, tx per s (scale of figure 3)"
    return Panel(label, [*curves, *_points(figure, "etr", modes)])


def _gain(figure: str, modes: Mapping[Mode, Sequence[Point]]) -> Panel:
    curves = []
    before = [point.estimate("etr").mean for point in modes["H"]]
    vertical = {mode: points for mode, points in modes.items() if mode != "H"}
    for mode, points in vertical.items():
        gains = [100 * (point.estimate("etr").mean / etr - 1) for point, etr in zip(points, before, strict=True)]
        curves.append(Series([_n(point.case) for point in points], gains, label=MODES[mode]))
    return Panel("gain over horizontal, %", [*curves, *_points(figure, "gain_percent", vertical)], residuals=False)


def _points(figure: str, row: str, modes: Iterable[Mode]) -> list[Series]:
    """Published values, in groups by the drawn modes that they were measured in and by their role."""
    listed = []
    for cell in published(STUDY):
        if cell.place.table == figure and cell.place.row == row:
            number = Number(cell.place, cell.published)
            measured = {case.mode for case in STUDY.cases(number)}
            own = [MODES[mode] for mode in modes if mode in measured]
            said = "not judged" if cell.ruling.role == "excluded" else cell.ruling.role
            dot = (float(_n_way(number)), cell.published, cell.width, 1.0)
            listed.append((dot, f"published, {own[0] if len(own) == 1 else 'vertical'}: {said}", own))
    return published_groups(listed)


def _figure(spec: Spec, figure: str, own: _Family) -> Iterator[Number]:
    def number(row: str, column: str, value: float) -> Number:
        return Number(Place(figure, row, spec.values[row].unit, column), value)

    yield from (number("gain_percent", f"n={n}", 0.0) for n in own.no_effect_n)
    yield from (number("gain_percent", f"n={gain.n}", gain.value) for gain in own.gain_percent)
    yield from (number("etr", f"n={etr.n} {etr.zvm}", etr.value) for etr in own.etr)


LITTLE = 3.0
"""Gain in percent below which the document reports little effect: the band of those cells."""

WITHOUT_EFFECT = {"figure1": (1, 4), "figure2": (1, 4, 8), "figure3": (1, 4), "figure4": (1, 4, 8)}

PARKED = ("6.3 CPUPAD 6400%", "6.3 CPUPAD 300%", "6.3 CPUPAD 100%")
"""Columns of Table 1 at N = 16, from no parking to the strongest."""


def _gain_keys(figure: str, n_way: Iterable[int]) -> list[tuple[str, str, str]]:
    return [(figure, "gain_percent", f"n={n}") for n in n_way]


def _falling(what: str, row: str) -> Rule:
    return what, [("table1.n16", row, column) for column in PARKED], lambda values: growing(values[::-1])


DIRECTIONS: tuple[Rule, ...] = (
    ("figure 4 gains more with every N (8, 16, 24, 32), %", _gain_keys("figure4", (8, 16, 24, 32)), growing),
    ("figure 2 gains more at N = 24 than at 16, %", _gain_keys("figure2", (16, 24)), growing),
    (
        f"the ten points without effect gain less than {LITTLE:g} %",
        [key for figure, n_way in WITHOUT_EFFECT.items() for key in _gain_keys(figure, n_way)],
        lambda values: all(abs(value) < LITTLE for value in values),
    ),
    _falling("fewer processors are unparked at CPUPAD 6400, 300 and 100 %", "unparked_lpus"),
    _falling(
        "parking cuts non-chargeable time (CPUPAD 6400, 300, 100 %), % of a processor", "nonchargeable_cp_percent"
    ),
    _falling("parking cuts spin (CPUPAD 6400, 300, 100 %), s/s", "srmslock_spin_s_per_s"),
    _falling("parking cuts throughput (CPUPAD 6400, 300, 100 %), tx/s", "transactions_per_s"),
)
"""The directions of the document that the hardware form is judged by, set by set, beside its cells."""


def _small_books(context: Context) -> Iterator[Block]:
    """Cells of figures at N above 20 with books of 24, which are judged, and of 20."""
    found = {cell.place.key: cell.estimate for cell in context.beside}

    def small(cell: Cell) -> Estimate | None:
        return found.get((*cell.place.key[:2], _in_books(cell.place.column, SMALL_BOOK)))

    def shown(cell: Cell) -> str:
        value = small(cell)
        return context.look.value(cell, value.mean) if value else ""

    rows = [cell for cell in context.cells if small(cell)]
    lines = f"cell; published | right; mean | right | books of 24; small | right | books of {SMALL_BOOK}"
    if rows:
        yield context.look.table(lines, rows, {"small": shown}, legend="Means over the sets.")


def _books(context: Context) -> Iterator[Block]:
    """Gains of figures 2 and 4 at N above 20 with each size of book: means over the sets, the least and the largest."""
    found = {cell.place.key: cell.estimate.mean for cell in context.beside}

    def of(book: int) -> Callable[[Cell], str]:
        def value(cell: Cell) -> str:
            keys = (of_set(_in_books(cell.place.column, book), at) for at in itertools.count(1))
            own = [(*cell.place.key[:2], column) for column in itertools.islice(keys, len(context.fit.members))]
            gains = [found[key] for key in own if key in found]
            return f"{math.fsum(gains) / len(gains):.1f} ({min(gains):.1f} to {max(gains):.1f})" if gains else ""

        return value

    books = {f"books_{size}": of(size) for size in USABLE_BOOKS}
    rows = [cell for cell in context.cells if cell.place.row == "gain_percent" and next(iter(books.values()))(cell)]
    lines = "cell; published | right; mean | right | judged"
    lines += "".join(f"; books_{size} | right | books of {size}" for size in USABLE_BOOKS)
    if rows:
        yield context.look.table(
            lines, rows, books, legend="Means over the sets, in brackets the least and the largest."
        )


def _both_constants(context: Context) -> Iterator[Block]:
    """Constants and scales of both forms with one set, with what each is."""
    first, other = (STUDY.committed(form) for form in ("first", "adopted"))
    rows = [
        {"constant": name, "first": f"{first.constants[name]:g} {each.unit}",
         "adopted": f"{other.constants[name]:g} {each.unit}", "what": each.meaning}
        for name, each in STUDY.spec().part(first.part).constants.items()
    ]  # fmt: skip
    rows += [
        {"constant": f"scale of {name}", "first": f"{first.scales[name]:g} tx/s",
         "adopted": f"{other.scales[name]:g} tx/s", "what": "of one processor's work in warm caches"}
        for name in first.scales
    ]  # fmt: skip
    lines = "constant; first | right | first form; adopted | right | adopted form; what || what it is"
    yield Table(columns(lines), rows)

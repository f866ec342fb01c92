"""The scenario of a run of the study: the cases, their machines, and the text that all commands share.

Every choice made here was declared before the runs that it is for: docs/decisions/0012-hiperdispatch-study.md, for the
adopted form 0014-hiperdispatch-free-wake-ups.md, for the hardware form 0045-hiperdispatch-hardware.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from slicewright.study.calibrate import Constants
from slicewright.study.points import Budget
from slicewright.study.spec import Number, Spec
from slicewright.values.numerals import in_scenario

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
    return Spec.read("hiperdispatch").document


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


def compared(figure: str, n: int) -> tuple[Case, ...]:
    """The runs that a gain is made of: the vertical ones, of which the mean counts, after the horizontal one.

    Where the text says “vertical with rebalance” it is that alone (figure 1; figure 2 up to N = 16); else both methods.

    >>> [case.mode for case in compared("figure2", 16)], [case.mode for case in compared("figure2", 24)]
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
    return _etr_cases(place.table, n_way(number), place.column.partition(" ")[2])


def n_way(number: Number) -> int:
    """The N-way of the partition that a number was measured in.

    >>> from slicewright.results.judge import Place
    >>> n_way(Number(Place("table1.n16", "tv_ratio", "", "6.2"), 2.24))
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


def machine(table: str) -> _Machine:
    """Which machine a table or figure was measured on.

    >>> machine("table1").name, machine("figure1").name
    ('z10', 'zEC12')
    """
    return Z10 if table == "table1" else ZEC12


# The text.

SLICE_MS = 5
"""DSPSLICE: its default."""

JITTER_PERCENT = 25
"""ASSUME how far a slice or a sleep strays: where all are equal, virtual processors get into step with each other,
never collide, and return to the same processor for ever."""

BARRIERS = (1, 2, 4)
"""ASSUME how many virtual processors wait in a vector before a processor steals: on its chip, in its book, farther."""

EVERY_S, HISTORY, PERCENTILE = 2, 10, 90
"""When the controller decides, and (ASSUME) which percentile of how many intervals it expects."""

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


def scenario(case: Case, constants: Constants, budget: Budget) -> str:
    """A run as a complete scenario file (TOML), measured as the budget says.

    >>> from slicewright.study.hiperdispatch.study import STUDY
    >>> text = scenario(Case("figure4", 32, "V B"), STUDY.constants(), Budget(interval_s=10, warm_up_s=5.0))
    >>> [line for line in text.splitlines() if line.startswith("polarization")]
    ['polarization = "vertical"']
    """
    return "\n".join(
        [
            _head(case),
            *_machine(case, constants),
            _control_program(case, constants),
            *_tiles(case, constants),
            _measure(budget),
        ]
    )


def _head(case: Case) -> str:
    kind = f"{case.tiles} {case.kind} tiles, {'high' if case.high_tv else 'low'} T/V"
    mode = MODES[case.mode]
    padded = f", CPUPAD {case.cpupad} %" if case.table == "table1" and case.mode != "H" else ""
    without = f"\n# An ablation: {ablations()[case.ablation]}." if case.ablation else ""
    return f"""\
# {kind}, on {case.n} processors of a {machine(case.table).name}: {mode}{padded}.
# Of the storage of tiles, only the amount that they touch and its rate are modelled.{without}

name = "HiperDispatch: {kind}, N = {case.n}, {mode}{padded}"

[source]
document = "z/VM HiperDispatch"
section = "{_section(case)}"

[cec]
processors = {case.n}
"""


def _section(case: Case) -> str:
    return "Table 1" if case.table == "table1" else f"Figure {case.table[-1]}"


def _machine(case: Case, constants: Constants) -> Iterable[str]:
    """The caches; no lines where caches cost nothing."""
    if case.ablation == "no-cache-cost":
        return
    on = machine(case.table)
    hardware = constants.form == HARDWARE
    slow = [_weight(level) if hardware else _beyond(on, at) for at, level in enumerate(on.levels)]
    levels = [
        f'  {{ name = "{level.name}", shared_by = "{level.shared_by}", size = "{level.size}", {slower} }},'
        for level, slower in zip(on.levels, slow, strict=True)
    ]
    yield f"# {on.name}: cores, chips and sizes are published."
    yield "[topology]"
    yield f"cores_per_chip = {on.cores_per_chip}"
    yield f"chips_per_book = {on.chips_per_book}"
    if hardware:
        yield f"cores_per_book = {case.book or on.cores_per_book}"
        yield f"nest_cost = {in_scenario(constants['nest_cost'])}"
    yield "\n".join(["cache = [", *levels, "]"])
    if hardware:
        yield f'calibrated = "nest_cost {FITTED}; processors a book, and the same weights on both machines, assumed"\n'
    else:
        yield 'assume = "how slow work is beyond a cache: the same factor from level to level, 4 in all"\n'


def _beyond(on: _Machine, level: int) -> str:
    return f"beyond = {in_scenario(on.slowness(level))}"


def _weight(level: _Level) -> str:
    return f"nest = {in_scenario(level.nest)}"


def _control_program(case: Case, constants: Constants) -> str:
    own = constants.of
    vertical = case.mode != "H"
    method = "none" if case.ablation == "no-churn" else "rebalance" if case.mode == "V B" else "reshuffle"
    horizontal = "free" if constants.form != "first" and not vertical else "global"
    stealing = "eager" if case.ablation == "eager-stealing" else "near"
    barriers = (1, 1, 1) if case.ablation == "no-barrier" else BARRIERS
    locked = case.ablation != "no-lock"
    hold, waiter = (_us(own[name] if locked else 0.0) for name in ("hold", "per_waiter"))
    path = _us(own["path"])
    entry = 0.0 if case.ablation == "no-cache-cost" else own["entry"]
    costs = [f"{name} = {path}" for name in ("wake", "dispatch", "wait")]
    costs += [f"simulate = {_us(own['simulate'])}", f"look = {_us(own['look'])}", f"entry = {_us(entry)}"]
    controller = [f'every = "{EVERY_S} s"', f"history = {HISTORY}", f'percentile = "{PERCENTILE} %"']
    from_few = constants.form == HARDWARE and case.parks
    margin = constants["margin"] if from_few else 0.0
    controller += [f'margin = "{in_scenario(100 * margin)} %"', f"tv_threshold = {TV_THRESHOLD}"]
    if from_few:
        controller.append(f"start = {min(case.n, math.ceil(NEEDED + case.cpupad / 100 + margin))}")
    return f"""\
[[partition]]
name = "ZVM"
logical_processors = {case.n}
mode = "UP"

[partition.control_program]
polarization = "{"vertical" if vertical else "horizontal"}"
method = "{method}"
cpupad = "{case.cpupad} %"
slice = "{SLICE_MS} ms"
slice_jitter = "{JITTER_PERCENT} %"
horizontal_stealing = "{horizontal}"
vertical_stealing = "{stealing}"
barriers = [{", ".join(map(str, barriers))}]
lock = {{ mode = "shared", hold = {hold}, per_waiter = {waiter} }}
costs = {{ {", ".join(costs)} }}
controller = {{ {", ".join(controller)} }}
calibrated = "lock and costs {FITTED}; slice: the default; the rest assumed"
"""


def _tiles(case: Case, constants: Constants) -> Iterable[str]:
    own, name = constants.of, case.kind.upper()
    hardware = constants.form == HARDWARE
    caches = ""
    if case.ablation != "no-cache-cost":
        footprint = f"{round(1024 * own['footprint'])} KiB" if hardware else FOOTPRINT
        touched_in = own["touched_in"] * (HEAVY if hardware and case.kind == "heavy" else 1.0)
        caches = f'footprint = "{footprint}"\ntouched_in = {_us(touched_in)}\n'
    sleep = _strayed(own["sleep_high"], "us") if case.high_tv else _strayed(own["sleep_low"], "ms")
    yield f"""\
[[virtual_machine]]
name = "{name}"
partition = "ZVM"
count = {case.tiles}
virtual_processors = {case.tile_processors}
{caches}calibrated = "{"touched_in and footprint " + FITTED if hardware else f"touched_in {FITTED}; footprint assumed"}"

[[guest]]
name = "VSE"
virtual_machine = "{name}"
count = {case.virtual_processors}
program = [{{ think = {{ uniform = {sleep} }} }}, {{ pace = "{in_scenario(case.duty_percent)} %" }}]
calibrated = "mean of sleeps {FITTED}; pace: {case.tiles} x {case.duty_percent * case.tile_processors:g} % as published"
"""


def _measure(budget: Budget) -> str:
    warm_up = f'warm_up = "{in_scenario(budget.warm_up_s)} s"\n' if budget.warm_up_s is not None else ""
    return f"""\
# Where processors are parked the controller needs a minute and more to settle: --set measure.warm_up="90 s".
[measure]
interval = "{budget.interval_s} s"
{warm_up}replications = {budget.replications}
"""


def _strayed(mean: float, unit: str) -> str:
    """The ends of a span that strays as far as slices do."""
    ends = (mean * (1 + sign * JITTER_PERCENT / 100) for sign in (-1, 1))
    return "[" + ", ".join(f'"{in_scenario(end)} {unit}"' for end in ends) + "]"


def _us(value: float) -> str:
    return f'"{in_scenario(value)} us"'

"""The HiperDispatch study: tiles of virtual servers over N-way, in horizontal and vertical mode, and what parking does.

Every choice made here was declared before the runs that it is for: docs/decisions/0012-hiperdispatch-study.md, for the
adopted form 0014-hiperdispatch-free-wake-ups.md, for the hardware form 0045-hiperdispatch-hardware.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from slicewright.report.figure import Figure, Panel, Series
from slicewright.report.model import Block, Column, Table
from slicewright.results.judge import Cell, Place, Role
from slicewright.statistics import Estimate
from slicewright.study.calibrate import Constants
from slicewright.study.hiperdispatch.scenario import (
    HARDWARE,
    MODES,
    N_WAY,
    SMALL_BOOK,
    Case,
    Mode,
    cases_of,
    column_case,
    machine,
    n_way,
    scenario,
)
from slicewright.study.judge import Judge, Unit, of_set
from slicewright.study.pages import (
    Context,
    Dot,
    Look,
    Maker,
    Rule,
    constants_tables,
    curve,
    directions,
    growing,
    published,
    published_dots,
    right,
)
from slicewright.study.points import Budget, Key, Point, Progress, Tables
from slicewright.study.reproduce import Points, shown
from slicewright.study.spec import Number, Spec, Wanted
from slicewright.study.study import Runs, Study

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

SMALL = f"books of {SMALL_BOOK}"
"""The end of a column whose value is of a zEC12 with small books."""

Drawn = Mapping[str, Mapping[Mode, Sequence[Point]]]
"""By figure and mode, the points that a line is drawn of."""


class HiperDispatch(Study):
    """The study: a case is a family of tiles on a number of processors under a release, a mode and CPUPAD."""

    name = "hiperdispatch"
    reads = ("control_programs", "locks")

    def numbers(self, spec: Spec, wanted: Wanted) -> Iterable[Number]:
        """The figures', with gain 0 where the text says “little effect until”, then Table 1's.

        A copy without the last columns of a block has fewer numbers.
        """
        found = spec.document
        listed = [number for figure in FIGURES for number in _figure(spec, figure, found.get(figure, {}))]
        for block in BLOCKS:
            for row, values in found["table1"].get(block, {}).items():
                for column, value in zip(found["table1"]["columns"], values, strict=False):
                    listed.append(Number(Place(f"table1.{block}", row, spec.values[row].unit, column), float(value)))
        return listed

    def cases(self, number: Number, part: str = "") -> tuple[Case, ...]:
        """The runs of a number; of a gain the horizontal one comes first.

        In a search all columns of 6.3 at N = 8 are one run: with T/V below the threshold CPUPAD changes nothing.
        """
        if part and number.place.table == "table1.n8" and number.place.column != "6.2":
            return (column_case(8, "6.3 CPUPAD 6400%"),)
        return cases_of(number)

    def scenario(self, case: Case, constants: Constants, budget: Budget) -> str:
        """A run as a complete scenario file (TOML), measured as the budget says."""
        return scenario(case, constants, budget)

    def measure(self, case: Case, run: Tables, constants: Constants) -> Mapping[Key, float]:
        """The values of one replication; figure 4 prints no ETR and has the tiles of figure 3."""
        program, lock = ({name: column[0] for name, column in run[table].items()} for table in self.reads)
        return values(program, lock, constants.scale("figure3" if case.table == "figure4" else case.table))

    def samples(self, number: Number, points: Mapping[Any, Point]) -> list[float]:
        """A gain or an ETR of its runs, or a value of the only one."""
        own = [points[case] for case in cases_of(number)]
        if number.place.row == "gain_percent":
            return gains(own)
        return _mean_etrs(own) if number.place.row == "etr" else own[0].samples[number.place.row]

    def runs(self) -> tuple[Runs, Runs]:
        """A family of tiles each in the first form; a run of every kind in each form."""
        first = self.spec().first
        return [(first, case) for case in SHIPPED], [(form, case) for form in self.spec().forms for case in SEEN]

    def extra(self, form: str) -> Iterator[Unit]:
        """Of the hardware form the runs of scored cells with small books, where these differ, and no run at all."""
        if form != HARDWARE:
            return
        for unit in Judge(self, form=form).units():
            small = tuple(dict.fromkeys(map(in_small_books, unit.cases)))
            if unit.scored and set(small) != set(unit.cases):
                yield Unit("", small)
        yield Unit("", ())

    def beside(self, unit: Unit, points: Points) -> Iterator[Cell]:
        """The values with small books; of no run, those of each set in the calibration cells of directions."""
        if points.form != HARDWARE:
            return
        if not unit.cases:
            yield from _calibrated()
        elif unit.cases[0].book:
            small = [{replace(case, book=0): point for case, point in by_case.items()} for by_case in points.sets]
            case = unit.cases[0]
            for number in self.published(self.spec()):
                if number.place.table == case.table and n_way(number) == case.n:
                    by_set = [self.samples(number, by_case) for by_case in small]
                    yield shown(replace(number.place, column=f"{number.place.column} {SMALL}"), by_set)

    def words(self) -> Mapping[str, Maker]:
        """Directions, constants and small books, and the four figures, published and simulated."""
        return {
            "directions": lambda context: (each.said for each in directions(DIRECTIONS, context.beside)),
            "first_constants": lambda context: constants_tables(self.spec(), self.committed("first")),
            "both_constants": _both_constants,
            "small": _small_books,
            "figures": lambda context: pictures(lines(context.progress)),
        }


STUDY = HiperDispatch()
"""The study."""


def values(program: Mapping[str, float], lock: Mapping[str, float], scale: float) -> dict[Key, float]:
    """The study's values from the counters of one replication.

    ETR is work done, in processors' worth, times the scale.  Percents per transaction are quotients of rows, as printed
    (z/VM HiperDispatch, Table 1).

    >>> counters = dict.fromkeys(("total_percent", "guests_percent", "chargeable_cp_percent"), 1.0)
    >>> counters |= {"nonchargeable_cp_percent": 1.0, "tv_ratio": 1.0, "unparked": 8.0, "work_percent": 500.0}
    >>> values(counters, dict.fromkeys(("collisions_per_s", "spin_us_per_collision", "spin_s_per_s"), 1.0), 2.0)["etr"]
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


def gains(points: Sequence[Point]) -> list[float]:
    """The mean ETR of all points but the first above that of the first, in percent, replication by replication.

    >>> runs = [Point(Case("figure3", 16, "H"), samples={"etr": [etr, etr + 1]}) for etr in (100.0, 110.0, 120.0)]
    >>> [round(gain, 2) for gain in gains(runs)]
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
    crosses = machine(case.table).cores_per_book > SMALL_BOOK and case.n > SMALL_BOOK
    return replace(case, book=SMALL_BOOK) if crosses else case


def _calibrated() -> Iterator[Cell]:
    """The values of each set in the calibration cells that a direction is about; nothing is simulated."""
    found = STUDY.committed(HARDWARE)
    for number, cell in enumerate(found.cells):
        if cell.row == "gain_percent" or (cell.column == "6.3 CPUPAD 6400%" and cell.table == "table1.n16"):
            for at, member in enumerate(found.members):
                yield shown(Place(cell.table, cell.row, "", of_set(cell.column, at + 1)), [[member.simulated[number]]])


def lines(progress: Progress = lambda share: None, own: Budget | None = None) -> Drawn:
    """Every figure in every mode over N; `progress` hears the share done.

    >>> short = Budget(replications=2, most=2, interval_s=1, warm_up_s=0.0)
    >>> [point.case.n for point in lines(own=short)["figure3"]["V B"]]
    [1, 4, 8, 16, 24, 32]
    """
    drawn: dict[str, dict[Mode, list[Point]]] = {figure: {mode: [] for mode in MODES} for figure in FIGURES}
    wanted = [Case(figure, n, mode) for figure in FIGURES for mode in MODES for n in N_WAY]
    for at, case in enumerate(wanted):
        point = STUDY.simulate(case, STUDY.constants(), own or STUDY.budget(case, "curve"))
        drawn[case.table][case.mode].append(point)
        progress((at + 1) / len(wanted))
    return drawn


def pictures(drawn: Drawn) -> list[Block]:
    """ETR over N and what vertical modes gain, figure by figure; none where nothing was simulated."""
    made: list[Block] = []
    for figure, modes in drawn.items():
        title = STUDY.spec().titles[figure]
        panels = [_etr(figure, modes), _gain(figure, modes)]
        caption = f"{title}: ETR in each mode, and what vertical ones gain over horizontal."
        made.append(Figure(panels, "N: processors of the partition", caption, title.partition(":")[0]))
    return made


def _etr(figure: str, modes: Mapping[Mode, Sequence[Point]]) -> Panel:
    curves = [
        curve([float(point.case.n) for point in points], [point.estimate("etr") for point in points], MODES[mode])
        for mode, points in modes.items()
    ]
    label = "ETR, tx per s" if figure != "figure4" else "ETR, tx per s (scale of figure 3)"
    return Panel(label, [*curves, *_published(figure, "etr", modes)])


def _gain(figure: str, modes: Mapping[Mode, Sequence[Point]]) -> Panel:
    curves = []
    before = [point.estimate("etr").mean for point in modes["H"]]
    for mode, points in modes.items():
        if mode != "H":
            gains = [100 * (point.estimate("etr").mean / etr - 1) for point, etr in zip(points, before, strict=True)]
            curves.append(Series([float(point.case.n) for point in points], gains, label=MODES[mode]))
    vertical = [mode for mode in modes if mode != "H"]
    return Panel("gain over horizontal, %", [*curves, *_published(figure, "gain_percent", vertical)], residuals=False)


def _published(figure: str, row: str, modes: Iterable[Mode]) -> list[Series]:
    """Published values, in groups by the drawn modes that they were measured in and by their role."""
    groups: dict[tuple[tuple[Mode, ...], Role], list[Dot]] = {}
    for cell in published(STUDY):
        if cell.place.table == figure and cell.place.row == row:
            number = Number(cell.place, cell.published)
            measured = {case.mode for case in cases_of(number)}
            own = tuple(mode for mode in modes if mode in measured)
            dot = (float(n_way(number)), cell.published, cell.width, 1.0)
            groups.setdefault((own, cell.ruling.role), []).append(dot)
    found = []
    for (measured_in, role), dots in groups.items():
        said = "not judged" if role == "excluded" else role
        named = MODES[measured_in[0]] if len(measured_in) == 1 else "vertical"
        found.append(published_dots(dots, f"published, {named}: {said}", [MODES[mode] for mode in measured_in]))
    return found


def _figure(spec: Spec, figure: str, own: Mapping[str, Any]) -> Iterator[Number]:
    def number(row: str, column: str, value: float) -> Number:
        return Number(Place(figure, row, spec.values[row].unit, column), float(value))

    yield from (number("gain_percent", f"n={n}", 0.0) for n in own.get("no_effect_n", []))
    yield from (number("gain_percent", f"n={gain['n']}", gain["value"]) for gain in own.get("gain_percent", []))
    yield from (number("etr", f"n={etr['n']} {etr['zvm']}", etr["value"]) for etr in own.get("etr", []))


LITTLE = 3.0
"""Gain in percent below which the document reports little effect: the band of those cells."""

WITHOUT_EFFECT = {"figure1": (1, 4), "figure2": (1, 4, 8), "figure3": (1, 4), "figure4": (1, 4, 8)}

PARKED = ("6.3 CPUPAD 6400%", "6.3 CPUPAD 300%", "6.3 CPUPAD 100%")
"""Columns of Table 1 at N = 16, from no parking to the strongest."""


def _gains(figure: str, n_way: Iterable[int]) -> list[tuple[str, str, str]]:
    return [(figure, "gain_percent", f"n={n}") for n in n_way]


def _falling(what: str, row: str) -> Rule:
    return what, [("table1.n16", row, column) for column in PARKED], lambda values: growing(values[::-1])


DIRECTIONS: tuple[Rule, ...] = (
    ("figure 4 gains more with every N (8, 16, 24, 32), %", _gains("figure4", (8, 16, 24, 32)), growing),
    ("figure 2 gains more at N = 24 than at 16, %", _gains("figure2", (16, 24)), growing),
    (
        f"the ten points without effect gain less than {LITTLE:g} %",
        [key for figure, n_way in WITHOUT_EFFECT.items() for key in _gains(figure, n_way)],
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
    found, look = {cell.place.key: cell.estimate for cell in context.beside}, Look(context.spec)

    def small(cell: Cell) -> Estimate | None:
        return found.get((*cell.place.key[:2], f"{cell.place.column} {SMALL}"))

    def shown(cell: Cell) -> str:
        value = small(cell)
        return look.value(cell, value.mean) if value else ""

    columns: list[Column[Cell]] = [
        Column("cell", "cell", lambda cell: cell.place.name),
        right("published", "published", look.published),
        right("large", "books of 24", look.mean),
        right("small", SMALL, shown),
    ]
    rows = [cell for cell in context.cells if small(cell)]
    if rows:
        yield Table(columns, rows, legend="Means over the sets.")


def _both_constants(context: Context) -> Iterator[Block]:
    """Constants and scales of both forms with one set, with what each is."""
    first, other = (STUDY.committed(form) for form in ("first", "adopted"))
    about = STUDY.spec().part(first.part).constants
    rows = [
        (name, *(f"{fit.constants[name]:g} {each.unit}" for fit in (first, other)), each.meaning)
        for name, each in about.items()
    ]
    meaning = "of one processor's work in warm caches"
    rows += [
        (f"scale of {name}", *(f"{fit.scales[name]:g} tx/s" for fit in (first, other)), meaning)
        for name in first.scales
    ]
    columns: list[Column[tuple[str, str, str, str]]] = [
        Column("constant", "constant", lambda row: row[0]),
        right("first", "first form", lambda row: row[1]),
        right("adopted", "adopted form", lambda row: row[2]),
        Column("what", "what it is", lambda row: row[3]),
    ]
    yield Table(columns, rows)

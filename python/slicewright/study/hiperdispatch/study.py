"""The HiperDispatch study: tiles of virtual servers over N-way, in horizontal and vertical mode, and what parking does.

Every choice made here was declared before the runs that it is for: docs/decisions/0012-hiperdispatch-study.md, for the
adopted form 0014-hiperdispatch-free-wake-ups.md, for the hardware form 0045-hiperdispatch-hardware.md.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.report.model import Block, Column, Table
from slicewright.results.judge import Cell, Place, Role, Ruling
from slicewright.statistics import Estimate, estimate
from slicewright.study.calibrate import Trial, fit
from slicewright.study.calibration import Calibration, Constants, Layout, cells, fitted, origin
from slicewright.study.ensemble import pages as sets
from slicewright.study.ensemble.beside import spread_of, unjudged
from slicewright.study.ensemble.calibrate import plan_of, search
from slicewright.study.ensemble.directions import Direction
from slicewright.study.ensemble.members import Ensemble, Sets
from slicewright.study.ensemble.members import shown as spans_shown
from slicewright.study.fit import DIGITS, Tell
from slicewright.study.hiperdispatch.cases import MODES, N_WAY, Case, Mode, cases_of, column_case, n_way
from slicewright.study.hiperdispatch.directions import directions
from slicewright.study.hiperdispatch.hardware import SMALL, Bench, beside
from slicewright.study.hiperdispatch.scenario import HARDWARE, scenario
from slicewright.study.judge import Judge
from slicewright.study.kept import Kept
from slicewright.study.look import Row, name_of, right
from slicewright.study.pages import Blocks, constants_tables, shown
from slicewright.study.points import Budget, Key, Point, Progress, Tables
from slicewright.study.published import Number, Wanted
from slicewright.study.reproduction import Reproduction, Request
from slicewright.study.spec import Spec
from slicewright.study.study import Study
from slicewright.study.summary import Context, Lines, Paragraphs, in_words

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
"""A run of every family of tiles, machine and mode; each in both forms."""

Drawn = Mapping[str, Mapping[Mode, Sequence[Point]]]
"""By figure and mode, the points that a line is drawn of."""


class WithScales(Sets):
    """The file of constants: cells before the constants, scales behind them, the first form without a name.

    The hardware form, an ensemble, has its sets behind its cells.
    """

    def head(self, spec: Spec) -> list[str]:
        """The comments at the head of the file."""
        return Layout.head(self, spec)

    def lines(self, spec: Spec, found: Calibration) -> list[str]:
        """The lines of a form."""
        if isinstance(found, Ensemble):
            return super().lines(spec, found)
        part = spec.part(found.part)
        first = found.part == spec.first
        within = "" if first else f"{part.name}."
        before = [] if first else ["", f"# {part.meaning}", f"[{part.name}]"]
        lines = [*before, *cells(found.cells, spec.data["calibrated"]["fields"]), "", f"[{within}constants]"]
        for each in part.constants.values():
            lines.append(f"{each.name} = {found.constants[each.name]!r} # {each.unit}, {each.meaning}")
        return [*lines, "", f"[{within}scales]", *(f"{name} = {value!r}" for name, value in found.scales.items())]

    def parse(self, spec: Spec, document: Mapping[str, Any], name: str) -> Calibration:
        """One form of a file that was read."""
        if name == HARDWARE:
            return super().parse(spec, document, name)
        own = document if name == spec.first else document[name]
        return Calibration(name, own["constants"], fitted(own["cell"]), origin(document), own["scales"])


class HiperDispatch(Study):
    """The study: a case is a family of tiles on a number of processors under a release, a mode and CPUPAD."""

    name = "hiperdispatch"
    has_curves = True
    reads = ("control_programs", "locks")
    layout = WithScales()

    def numbers(self, spec: Spec, wanted: Wanted) -> Iterable[Number]:
        """The figures', with gain 0 where the text says “little effect until”, then Table 1's.

        A copy without the last columns of a block has fewer numbers.
        """
        found = spec.tables
        listed = [number for figure in FIGURES for number in _figure(spec, figure, found.get(figure, {}))]
        for block in BLOCKS:
            for row, values in found["table1"].get(block, {}).items():
                for column, value in zip(found["table1"]["columns"], values, strict=False):
                    listed.append(Number(Place(f"table1.{block}", row, spec.unit(row), column), float(value)))
        return listed

    def calibrate(
        self, folder: Path | None = None, budget: Budget | None = None, tell: Tell = lambda line: None
    ) -> list[Calibration]:
        """The constants of the two forms with one set, and the ensemble of the hardware form."""
        single = [fit(self, part, folder, budget, tell) for part in self.parts if part != HARDWARE]
        return [*single, search(self, plan_of(self.spec(folder), HARDWARE), folder, budget, tell)]

    def cases(self, number: Number) -> tuple[Case, ...]:
        """The runs of a number; of a gain the horizontal one comes first."""
        return cases_of(number)

    def scenario(self, case: Case, constants: Constants, budget: Budget) -> str:
        """A run as a complete scenario file (TOML), measured as the budget says."""
        return scenario(case, constants, budget)

    def measure(self, case: Case, run: Tables, constants: Constants) -> Mapping[Key, float]:
        """The values of one replication; figure 4 prints no ETR and has the tiles of figure 3."""
        program, lock = ({name: column[0] for name, column in run[table].items()} for table in self.reads)
        return values(program, lock, constants.scale("figure3" if case.table == "figure4" else case.table))

    def estimated(self, number: Number, points: Mapping[Any, Point]) -> Estimate:
        """A gain or an ETR of its runs, or a value of the only one."""
        return estimate(self.samples(number, points))

    def samples(self, number: Number, points: Mapping[Any, Point]) -> list[float]:
        """The same, replication by replication."""
        own = [points[case] for case in cases_of(number)]
        if number.place.row == "gain_percent":
            return gains(own)
        return mean_etrs(own) if number.place.row == "etr" else own[0].samples[number.place.row]

    def unit_of(self, number: Number) -> tuple[str, str]:
        """A column of Table 1, or a point of a figure."""
        table = number.place.table
        return table, number.place.column if table.startswith("table1") else str(n_way(number))

    def kind(self, case: Case) -> str:
        """More is simulated where the controller parks, less where hundreds of thousands are dispatched a second."""
        return "parks" if case.parks else "high" if case.high_tv else "low"

    def trial_cases(self, part: str, number: Number) -> tuple[Case, ...]:
        """At N = 8 all columns of 6.3 are one run: with T/V below the threshold CPUPAD changes nothing."""
        if number.place.table == "table1.n8" and number.place.column != "6.2":
            return (column_case(8, "6.3 CPUPAD 6400%"),)
        return cases_of(number)

    def tried(self, part: str, numbers: Sequence[Number], points: Mapping[Any, Point]) -> Trial:
        """The results of a trial, with ETR by the scales that fit best, and those scales."""
        found = super().tried(part, numbers, points)
        simulated = dict(found.simulated)
        constants = Constants(part, {}, _scales(numbers, simulated))
        for number in numbers:
            row, scale = number.place.row, constants.scale(number.place.table)
            if row in ("etr", "transactions_per_s"):
                simulated[number] *= scale
            elif row.endswith("_per_tx"):
                simulated[number] /= scale
        return Trial(simulated, points, constants.scales)

    def ensemble(self) -> list[Constants]:
        """The sets of the committed ensemble of the hardware form, best first.

        >>> {round(set_["margin"], 1) >= 0.5 for set_ in STUDY.ensemble()}
        {True}
        """
        found = self.committed(HARDWARE)
        members = found.members if isinstance(found, Ensemble) else ()
        return [Constants(HARDWARE, member.constants, member.scales) for member in members]

    def reproduce(self, request: Request) -> Reproduction:
        """The forms with one set of constants; in full then the hardware form, with every set of its ensemble."""
        if request.quick or request.ablation:
            return super().reproduce(request)
        began = time.perf_counter()
        result = super().reproduce(replace(request, progress=lambda share: request.progress(share / 2)))
        self.hardware(replace(request, progress=lambda share: request.progress((1 + share) / 2)), result)
        result.wall_s = time.perf_counter() - began
        return result

    def hardware(self, request: Request, result: Reproduction) -> None:
        """Simulate the hardware form, and put its cells beside those of the other forms."""
        judge = Judge(self, request.folder, HARDWARE)
        Bench(self, judge, self.ensemble(), request, result).run()
        result.variant = judge.in_order(result.variant)

    def judged(self, numbers: Kept) -> Reproduction:
        """Cells judged again; those of the hardware form with the spread over its sets, and the values beside them."""
        result = super().judged(numbers)
        result.comparison += unjudged(
            {key: estimate for key, estimate in numbers.other.items() if key[0].startswith(f"{HARDWARE} ")}
        )
        found = beside(result.comparison, tuple(self.spec().forms))
        result.variant = [replace(cell, spread=spread_of(cell.place, found)) for cell in result.variant]
        return result

    def shipping(self) -> Mapping[str, tuple[Case, Constants]]:
        """A family of tiles each, in the first form."""
        return {f"{case.name}.toml": (case, self.constants()) for case in SHIPPED}

    def seen(self) -> Iterable[tuple[Case, Constants]]:
        """A run of every kind in each form, of the hardware form with its best set."""
        single = (form for form in self.spec().forms.values() if not form.ensemble)
        every = [*(self.constants(form.name) for form in single), *self.ensemble()[:1]]
        return [(case, constants) for constants in every for case in SEEN]

    def shown(self, part: str) -> str:
        """The constants, without a zero before the point; of an ensemble their spans."""
        if part == HARDWARE:
            own = [constants.of for constants in self.ensemble()]
            return f"{len(own)} sets: {spans_shown(self.spec(), part, own)}".replace(" 0.", " .")
        return shown(self.spec(), self.committed(part)).replace(" 0.", " .")

    def within(self, run: str, cells: Sequence[Cell]) -> list[Row]:
        """Cells of Table 1 under the name of their column."""
        if not run.rpartition(" ")[2].startswith("table1"):
            return list(cells)
        rows: list[Row] = []
        for column, group in groupby(cells, key=lambda cell: cell.place.column):
            rows += [column, *group]
        return rows

    def below(self, run: str, cells: Sequence[Cell]) -> str:
        """Empty: this study prints no line below a run."""
        return ""

    def in_run(self, cell: Cell) -> str:
        """The row, and of a figure N, too."""
        place = cell.place
        return place.row if place.table.startswith("table1") else f"{place.row} {place.column}"

    def blocks(self) -> Mapping[str, Blocks]:
        """The constants of the forms with one set, and the sets of the hardware form with their spread."""
        return {
            "first_constants": lambda context: constants_tables(
                self.spec(), self.committed("first"), "bands of the row"
            ),
            "both_constants": _both_constants,
            "spread": sets.spread,
            "sets": sets.sets_table,
            "spans": sets.spans_table,
            "fit": sets.fit_table,
            "small": _small_books,
        }

    def fields(self, context: Context) -> Mapping[str, Any]:
        """The count of the hardware form, its number of sets, and how much of each run is simulated with each set."""
        found = {f"budget_{kind}": self.spec().budget("set", kind) for kind in self.spec().kinds}
        budgets = {name: f"{budget.simulated} after {budget.warm_up_s:g} s" for name, budget in found.items()}
        return {"hardware_counted": in_words(context.result.variant), "sets": len(self.ensemble()), **budgets}

    def said(self) -> Mapping[str, Paragraphs]:
        """The directions of the document in the hardware form."""
        return {"directions": lambda context: (f"Direction  {each.said}" for each in _directions(context))}

    def lines(self) -> Mapping[str, Lines]:
        """The same as sentences."""
        return {"directions": lambda context: (f"{each.said}." for each in _directions(context))}

    def figures(self, context: Context) -> Iterable[Block]:
        """The four figures, published and simulated."""
        return pictures(lines(context.progress))


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


def mean_etrs(points: Sequence[Point]) -> list[float]:
    """The mean ETR of some points, replication by replication.

    >>> mean_etrs([Point(Case("figure3", 16, "H"), samples={"etr": [1.0, 3.0]})])
    [1.0, 3.0]
    """
    return [sum(values) / len(values) for values in zip(*(point.samples["etr"] for point in points), strict=True)]


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
    """ETR over N and what vertical modes gain, figure by figure; none where nothing was simulated.

    >>> pictures({})
    []
    """
    made: list[Block] = []
    for figure, modes in drawn.items():
        title = STUDY.titles()[figure]
        panels = [_etr(figure, modes), _gain(figure, modes)]
        caption = f"{title}: ETR in each mode, and what vertical ones gain over horizontal."
        made.append(Figure(panels, "N: processors of the partition", caption, title.partition(":")[0]))
    return made


def _etr(figure: str, modes: Mapping[Mode, Sequence[Point]]) -> Panel:
    curves = []
    for mode, points in modes.items():
        found = [point.estimate("etr") for point in points]
        x, noise = [float(point.case.n) for point in points], [estimate.half_width for estimate in found]
        curves.append(Series(x, [estimate.mean for estimate in found], half_width=noise, label=MODES[mode]))
    scaled = figure != "figure4"
    return Panel(
        "ETR, tx per s" if scaled else "ETR, tx per s (scale of figure 3)",
        [*curves, *_published(figure, "etr", modes)],
    )


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
    judge = Judge(STUDY)
    groups: dict[tuple[tuple[Mode, ...], Role], list[tuple[Number, Ruling]]] = {}
    for number in judge.published:
        if number.place.table == figure and number.place.row == row:
            ruling = judge.ruling(number)
            measured = {case.mode for case in STUDY.cases(number)}
            own = tuple(mode for mode in modes if mode in measured)
            groups.setdefault((own, ruling.role), []).append((number, ruling))
    found = []
    for (measured_in, role), numbers in groups.items():
        width = [ruling.band.width(number.value) if ruling.scored else 0.0 for number, ruling in numbers]
        said = "not judged" if role == "excluded" else role
        named = MODES[measured_in[0]] if len(measured_in) == 1 else "vertical"
        x, y = [float(n_way(number)) for number, _ in numbers], [number.value for number, _ in numbers]
        found.append(dots(x, y, width, f"published, {named}: {said}", [MODES[mode] for mode in measured_in]))
    return found


def _figure(spec: Spec, figure: str, own: Mapping[str, Any]) -> Iterable[Number]:
    for n in own.get("no_effect_n", []):
        yield Number(Place(figure, "gain_percent", spec.unit("gain_percent"), f"n={n}"), 0.0)
    for gain in own.get("gain_percent", []):
        yield Number(Place(figure, "gain_percent", spec.unit("gain_percent"), f"n={gain['n']}"), float(gain["value"]))
    for etr in own.get("etr", []):
        yield Number(Place(figure, "etr", spec.unit("etr"), f"n={etr['n']} {etr['zvm']}"), float(etr["value"]))


def _scales(numbers: Sequence[Number], simulated: Mapping[Number, float]) -> dict[str, float]:
    """By table or figure, the scale that brings work nearest to ETR: least squares of relative differences."""
    ratios: dict[str, list[float]] = {}
    for number in numbers:
        if number.place.row in ("etr", "transactions_per_s"):
            name = number.place.table.partition(".")[0]
            ratios.setdefault(name, []).append(simulated[number] / number.value)
    found = {name: math.fsum(group) / math.fsum(ratio * ratio for ratio in group) for name, group in ratios.items()}
    return {name: float(f"{scale:.{DIGITS}g}") for name, scale in sorted(found.items())}


def _directions(context: Context) -> list[Direction]:
    return directions(beside(context.result.comparison, tuple(context.spec.forms)))


def _small_books(context: Context) -> Iterable[Block]:
    """Cells of figures at N above 20 with books of 24, which are judged, and of 20."""
    found = beside(context.result.comparison, tuple(context.spec.forms))
    look = context.look

    def small(cell: Cell) -> Estimate:
        return found[(*cell.place.key[:2], f"{cell.place.column} {SMALL}")]

    rows = [cell for cell in context.cells if (*cell.place.key[:2], f"{cell.place.column} {SMALL}") in found]
    columns: list[Column[Cell]] = [
        Column("cell", "cell", name_of),
        right("published", "published", look.published),
        right("large", "books of 24", lambda cell: look.value(cell, cell.estimate.mean)),
        right("small", SMALL, lambda cell: look.value(cell, small(cell).mean)),
    ]
    if rows:
        yield Table(columns, rows, legend="Means over the sets.")


def _both_constants(context: Context) -> Iterable[Block]:
    """Constants and scales of both forms, with what each is."""
    first, other = (STUDY.committed(form.name) for form in STUDY.spec().forms.values() if not form.ensemble)
    about = STUDY.spec().part(first.part).constants
    rows = [
        (name, *(f"{fit.constants[name]:g} {each.unit}" for fit in (first, other)), each.meaning)
        for name, each in about.items()
    ]
    rows += [
        (
            f"scale of {name}",
            *(f"{fit.scales[name]:g} tx/s" for fit in (first, other)),
            "of one processor's work in warm caches",
        )
        for name in first.scales
    ]
    columns: list[Column[tuple[str, str, str, str]]] = [
        Column("constant", "constant", lambda row: row[0]),
        right("first", "first form", lambda row: row[1]),
        right("adopted", "adopted form", lambda row: row[2]),
        Column("what", "what it is", lambda row: row[3]),
    ]
    yield Table(columns, rows)

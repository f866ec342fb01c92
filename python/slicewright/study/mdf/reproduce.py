"""The 580/MDF study reproduced: both domains at each published parameter, every number beside the simulated one.

It leaves out how that is shown (`page.py`, `report.py`) and where the constants come from (`calibrate.py`).
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from slicewright.statistics import Estimate
from slicewright.study.bands import Bands, Ruling
from slicewright.study.cells import Cell, Change
from slicewright.study.mdf.constants import committed, committed_constants
from slicewright.study.mdf.derived import SEEN
from slicewright.study.mdf.points import Case, Point, simulate
from slicewright.study.mdf.published import COLUMNS, Number, numbers, study_folder
from slicewright.study.mdf.scenario import TSO
from slicewright.study.points import Budget, quick
from slicewright.study.reproduction import Reproduction, Wish

QUICK_INTERVAL_S, QUICK_WARM_UP_S = 600, 300
"""Simulated seconds a replication with --quick."""

NOTHING = Estimate(math.nan, math.nan, 0)
"""What is simulated of BASE."""

FOLLOWS = (
    ("table[12].*", "response_ms", "follows from IOSQ and service, an input"),
    ("table2.*", "rate_per_s", "follows from ETR and the device's share, an input"),
    ("figure8.ims", "io_per_s", "follows from ETR and I/Os a transaction, an input"),
    ("table3.ims", "cpu_percent", "follows from ETR and CPU a transaction, an input"),
    ("table?.*", "response_s", "follows from ETR and think time, an input"),
)
"""Cells that follow from others of their column: patterns of table and row, and from what."""


def budget(wish: Wish) -> Budget:
    """In full each point is what `slicewright run` makes of the shipped scenario, plus replications where needed.

    >>> budget(Wish(quick=True)).simulated
    '10 replications of 600 s'
    """
    full = Budget(seed=wish.seed)
    return replace(quick(full, QUICK_INTERVAL_S), warm_up_s=QUICK_WARM_UP_S) if wish.quick else full


def reproduce(wish: Wish | None = None) -> Reproduction[Point]:
    """Simulate the published scheduling parameters with the committed constants and judge every cell.

    With `quick` only the parameters that carry scored cells.  Raises RunError for a run that cannot go on.

    >>> from slicewright.study.mdf.kept import SHORT
    >>> judge = Judge(study_folder())
    >>> sum(cell.ruling.scored for cell in judge.cells(simulate(Case(3, committed_constants()), SHORT)))
    26
    """
    wish = wish or Wish()
    began = time.perf_counter()
    result: Reproduction[Point] = Reproduction("mdf", wish.seed)
    judge = Judge(wish.folder or study_folder())
    wanted = [column for column in COLUMNS if judge.scored(column) or not wish.quick]
    for index, column in enumerate(wanted):
        point = _point(column, judge, wish, (index, len(wanted)))
        cells = judge.cells(point)
        result.points.append(point)
        result.cells += cells
        wish.done(column, cells)
    if not wish.quick:
        result.cells += judge.excluded()
        result.comparison = compared(wish)
    result.cells = judge.in_order(result.cells)
    result.wall_s = time.perf_counter() - began
    return result


def compared(wish: Wish) -> list[Cell]:
    """The scored cells of TSO where each of its slices begins with reload: shown apart, never counted.

    >>> {cell.ruling.role for cell in compared(Wish(quick=True)) if cell.place.table == "table4.tso"}
    {'informed'}
    """
    judge = Judge(wish.folder or study_folder(), reload=True)
    own = replace(budget(wish), most=budget(wish).replications)
    cells: list[Cell] = []
    for column, parameter in COLUMNS.items():
        if judge.scored(column):
            case = Case(parameter, committed_constants(reload=True), domains=(TSO,))
            cells += judge.cells(simulate(case, own))
    return judge.in_order(cells)


class Judge:
    """The bands, the published numbers and the calibration that cells are judged with; `reload`: the comparison form.

    >>> judge = Judge(study_folder())
    >>> [column for column in COLUMNS if judge.scored(column)]
    ['sched3', 'sched5']
    """

    def __init__(self, folder: Path, *, reload: bool = False) -> None:
        self.bands = Bands.read("mdf", folder.parent)
        self.published = numbers(folder)
        self.reload = reload

    def scored(self, column: str) -> bool:
        """Whether any cell of a column is judged."""
        return any(self.ruling(one).scored for one in self.published if one.place.column == column)

    def cells(self, point: Point) -> list[Cell]:
        """The cells of a simulated point, in the order of publication; those of a domain without work are left out."""
        own = [one for one in self.published if one.place.column == point.column]
        return [
            self.cell(one, point.estimate((one.place.table, one.place.row)))
            for one in own
            if (one.place.table, one.place.row) in point.samples
        ]

    def excluded(self) -> list[Cell]:
        """The cells of columns that cannot be simulated."""
        return [self.cell(one, NOTHING) for one in self.published if one.place.column not in COLUMNS]

    def in_order(self, cells: list[Cell]) -> list[Cell]:
        """The same cells in the order of publication."""
        order = {one.place: at for at, one in enumerate(self.published)}
        return sorted(cells, key=lambda cell: order[cell.place])

    def cell(self, number: Number, estimate: Estimate) -> Cell:
        """The cell of one number; raises LookupError when no band was declared for it."""
        ruling = self.ruling(number)
        change = self._change(number, estimate.mean) if ruling.scored else None
        return Cell(number.place, number.value, estimate, ruling, change, _identity(number))

    def ruling(self, number: Number) -> Ruling:
        """What the bands say; in the comparison form table 4 is informed: reload was adopted by who knew it."""
        found = self.bands.ruling(number.place.table, number.place.row, number.place.column)
        if self.reload and number.place.table == "table4.tso" and found.role == "predicted":
            return replace(found, role="informed", note="reload was adopted knowing it")
        return found

    def _change(self, number: Number, simulated: float) -> Change | None:
        """From the calibrated cell of the same row, at scheduling parameter 1."""
        table, row = number.place.table, number.place.row
        domain = "tso_reload" if self.reload else "tso"
        before = committed("ims" if "ims" in table.lower() else domain).simulated(table, row)
        known = {one.place: one.value for one in self.published}.get(replace(number.place, column=SEEN))
        if before is None or known is None:
            return None
        return Change(number.value - known, simulated - before)


def _point(column: str, judge: Judge, wish: Wish, at: tuple[int, int]) -> Point:
    return simulate(
        Case(COLUMNS[column], committed_constants()),
        budget(wish),
        enough=lambda so_far: all(cell.settled for cell in judge.cells(so_far)),
        progress=lambda share: wish.progress((at[0] + share) / at[1]),
    )


def _identity(number: Number) -> str:
    place = number.place
    return next((why for table, row, why in FOLLOWS if fnmatchcase(place.table, table) and place.row == row), "")

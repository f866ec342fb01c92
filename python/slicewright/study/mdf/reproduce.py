"""The 580/MDF study reproduced: both domains at each published parameter, in both forms, beside every published number.

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
from slicewright.study.mdf.constants import FORMS, Form, committed, committed_constants, parts
from slicewright.study.mdf.derived import SEEN
from slicewright.study.mdf.points import Case, Point, simulate
from slicewright.study.mdf.published import COLUMNS, Number, numbers, study_folder
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

MEANT_FOR = (
    ("table4.tso", "*", "reload was adopted knowing it"),
    ("table2.IMS-*", "rate_per_s", "surges were adopted knowing ETR, from which it follows"),
    ("table2.IMS-*", "*", "volumes of programs' own were adopted knowing it"),
    ("table3.ims", "*", "surges were adopted knowing it"),
    ("figure8.ims", "*", "surges were adopted knowing ETR, from which it follows"),
)
"""Cells that are informed in the adopted form: patterns of table and row, and by what (decision 0011)."""


def budget(wish: Wish) -> Budget:
    """In full each point is what `slicewright run` makes of the shipped scenario, plus replications where needed.

    >>> budget(Wish(quick=True)).simulated
    '10 replications of 600 s'
    """
    full = Budget(seed=wish.seed)
    return replace(quick(full, QUICK_INTERVAL_S), warm_up_s=QUICK_WARM_UP_S) if wish.quick else full


def reproduce(wish: Wish | None = None) -> Reproduction[Point]:
    """Simulate the published scheduling parameters with the committed constants and judge every cell, form by form.

    With `quick` only the parameters that carry scored cells.  Raises RunError for a run that cannot go on.

    >>> from slicewright.study.mdf.kept import SHORT
    >>> judge = Judge(study_folder())
    >>> sum(cell.ruling.scored for cell in judge.cells(simulate(Case(3, committed_constants()), SHORT)))
    26
    """
    wish = wish or Wish()
    began = time.perf_counter()
    result: Reproduction[Point] = Reproduction("mdf", wish.seed)
    judges = [Judge(wish.folder or study_folder(), form) for form in FORMS]
    wanted = [column for column in COLUMNS if judges[0].scored(column) or not wish.quick]
    runs = [(judge, column) for judge in judges for column in wanted]
    for index, (judge, column) in enumerate(runs):
        point = _point(column, judge, wish, (index, len(runs)))
        cells = judge.cells(point)
        result.points.append(point)
        (result.cells if judge.form == "first" else result.adopted).extend(cells)
        wish.done(column if judge.form == "first" else f"{judge.form} {column}", cells)
    if not wish.quick:
        result.cells += judges[0].excluded()
    result.cells, result.adopted = judges[0].in_order(result.cells), judges[1].in_order(result.adopted)
    result.wall_s = time.perf_counter() - began
    return result


class Judge:
    """The bands, the published numbers and the calibration that the cells of a form are judged with.

    >>> judge = Judge(study_folder())
    >>> [column for column in COLUMNS if judge.scored(column)]
    ['sched3', 'sched5']
    """

    def __init__(self, folder: Path, form: Form = "first") -> None:
        self.bands = Bands.read("mdf", folder.parent)
        self.published = numbers(folder)
        self.form = form

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
        return Cell(number.place, number.value, estimate, ruling, change, _matching(FOLLOWS, number))

    def ruling(self, number: Number) -> Ruling:
        """What the bands say; in the adopted form, what a variant was meant for is informed."""
        found = self.bands.ruling(number.place.table, number.place.row, number.place.column)
        why = _matching(MEANT_FOR, number) if self.form == "adopted" and found.role == "predicted" else ""
        if not why:
            return found
        return replace(found, role="informed", note="; ".join(part for part in (found.note, why) if part))

    def _change(self, number: Number, simulated: float) -> Change | None:
        """From the calibrated cell of the same row, at scheduling parameter 1."""
        table, row = number.place.table, number.place.row
        ims, tso = parts(self.form)
        before = committed(ims if "ims" in table.lower() else tso).simulated(table, row)
        known = {one.place: one.value for one in self.published}.get(replace(number.place, column=SEEN))
        if before is None or known is None:
            return None
        return Change(number.value - known, simulated - before)


def _point(column: str, judge: Judge, wish: Wish, at: tuple[int, int]) -> Point:
    return simulate(
        Case(COLUMNS[column], committed_constants(judge.form)),
        budget(wish),
        enough=lambda so_far: all(cell.settled for cell in judge.cells(so_far)),
        progress=lambda share: wish.progress((at[0] + share) / at[1]),
    )


def _matching(patterns: tuple[tuple[str, str, str], ...], number: Number) -> str:
    """What the first pattern of table and row that matches says; nothing where none does."""
    place = number.place
    matching = (why for table, row, why in patterns if fnmatchcase(place.table, table) and fnmatchcase(place.row, row))
    return next(matching, "")

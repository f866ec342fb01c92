"""The HyperPAV study reproduced: every published run simulated, every published number beside the simulated one."""

from __future__ import annotations

import time
from pathlib import Path

from slicewright.statistics import Estimate
from slicewright.study.bands import Bands
from slicewright.study.cells import Cell, Change, Place
from slicewright.study.hyperpav.constants import Calibration, Form, committed
from slicewright.study.hyperpav.points import Point, simulate
from slicewright.study.hyperpav.published import ROWS, Report, Value, reports, study_folder, values
from slicewright.study.points import Budget, quick
from slicewright.study.reproduction import Reproduction, Wish

QUICK_INTERVAL_S = 20
"""Simulated seconds a replication with --quick."""

_IDENTITY = "follows from service, queue depth and rate of the same run (Little's law): not independent"


def budget(wish: Wish) -> Budget:
    """In full each run is what `slicewright run` makes of the shipped scenario, plus replications where needed.

    >>> budget(Wish(quick=True)).simulated
    '10 replications of 20 s'
    """
    full = Budget(seed=wish.seed)
    return quick(full, QUICK_INTERVAL_S) if wish.quick else full


def reproduce(wish: Wish | None = None) -> Reproduction[Point]:
    """Simulate the published runs with the committed constants and judge every cell.

    With `quick` only the runs that carry scored cells, the cheapest first.
    Raises InputError for a page that cannot be read and RunError for a run that cannot go on.

    >>> sum(cell.ruling.scored for cell in reproduce(Wish(quick=True)).cells)
    13
    """
    wish = wish or Wish()
    began = time.perf_counter()
    result: Reproduction[Point] = Reproduction("hyperpav", wish.seed)
    judge = Judge(wish.folder or study_folder())
    listed = reports(judge.folder)
    by_table: dict[str, list[Cell]] = {}
    wanted = sorted((one for one in listed if judge.scored(one)), key=_cost) if wish.quick else listed
    for index, report in enumerate(wanted):
        point, cells = _run(report, judge, wish, (index, len(wanted)))
        result.points.append(point)
        by_table[report.table] = cells
        wish.done(report.table, cells)
    result.cells = [cell for report in listed for cell in by_table.get(report.table, [])]
    if not wish.quick:
        result.comparison = compared(wish)
    result.wall_s = time.perf_counter() - began
    return result


def compared(wish: Wish) -> list[Cell]:
    """The scored cells under the linear service form, with the quick budget: shown apart, never counted.

    >>> len(compared(Wish(quick=True)))
    13
    """
    judge = Judge(wish.folder or study_folder(), "per_concurrent")
    short = quick(budget(wish), QUICK_INTERVAL_S)
    cells: list[Cell] = []
    for report in filter(judge.scored, reports(judge.folder)):
        point = simulate(report, judge.calibration.constants, short)
        cells += [cell for cell in judge.cells(point) if cell.ruling.scored]
    return cells


class Judge:
    """The bands, the published values and the calibration that cells of one service form are judged with.

    >>> judge = Judge(study_folder())
    >>> [report.table for report in reports(judge.folder) if judge.scored(report)]
    ['Y032181H', 'Y040180P', 'Y040182P']
    """

    def __init__(self, folder: Path, form: Form = "sharing") -> None:
        self.folder = folder
        self.bands = Bands.read("hyperpav", folder.parent)
        self.calibration: Calibration = committed(form)
        self.published: dict[str, dict[str, Value]] = {report.table: values(report) for report in reports(folder)}

    def scored(self, report: Report) -> bool:
        """Whether any cell of the run is judged."""
        return any(self.bands.ruling(report.table, row).scored for row in report.rows)

    def cells(self, point: Point) -> list[Cell]:
        """The cells of a simulated run, in the order of `published.ROWS`."""
        return [self.cell(point.report, row, point.estimate(row)) for row in point.report.rows]

    def cell(self, report: Report, row: str, estimate: Estimate) -> Cell:
        """The cell of one value of a run; raises LookupError when no band was declared for it."""
        ruling = self.bands.ruling(report.table, row)
        published = self.published[report.table][row].value
        change = self._change(report, row, published, estimate.mean) if ruling.scored else None
        identity = _IDENTITY if row == "response_ms" else ""
        return Cell(Place(report.table, row, ROWS[row]), published, estimate, ruling, change, identity)

    def _change(self, report: Report, row: str, published: float, simulated: float) -> Change | None:
        """From the calibrated cell of the same row nearest in aliases per volume; of two, the one with fewer."""
        known = {cell.table for cell in self.calibration.cells if cell.row == row}
        near = sorted(
            (one for one in reports(self.folder) if one.table in known),
            key=lambda one: (abs(one.aliases_per_volume - report.aliases_per_volume), one.aliases_per_volume),
        )
        before = self.calibration.simulated(near[0].table, row) if near else None
        if before is None:
            return None
        scale = report.bases / near[0].bases if row == "queue_depth" else 1.0
        return Change(published - scale * self.published[near[0].table][row].value, simulated - scale * before)


def _run(report: Report, judge: Judge, wish: Wish, at: tuple[int, int]) -> tuple[Point, list[Cell]]:
    point = simulate(
        report,
        judge.calibration.constants,
        budget(wish),
        enough=lambda so_far: all(cell.settled for cell in judge.cells(so_far)),
        progress=lambda share: wish.progress((at[0] + share) / at[1]),
    )
    return point, judge.cells(point)


def _cost(report: Report) -> float:
    """Simulated work grows with the exposures that are busy; ties keep the order of publication."""
    return report.aliases_per_volume

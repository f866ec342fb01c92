"""The study reproduced: five rows simulated and judged, then the sweeps of global pairs and of processors beside them.

It leaves out how that is shown (`page.py`, `report.py`) and where the prices come from (`calibrate.py`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from slicewright.statistics import Estimate
from slicewright.study.bands import Band, Bands, Ruling
from slicewright.study.cells import Cell, Change, Place
from slicewright.study.grs_exits.cases import Case, over_processors, over_shares
from slicewright.study.grs_exits.constants import committed
from slicewright.study.grs_exits.points import VALUES, Point, elapsed, simulate
from slicewright.study.grs_exits.published import Number, numbers, study_folder
from slicewright.study.points import Budget
from slicewright.study.reproduction import Reproduction, Wish

ROWS, SHARES, PROCESSORS = "elapsed", "share", "processors"
"""What is reproduced, in order: the published rows, then the sweeps."""

NEAREST = "4"
"""The calibrated row nearest to the one that is predicted: the same exits on later levels."""

SHOWN = {SHARES: ("elapsed_us", "cpu_us"), PROCESSORS: ("pairs_per_s", "lock_held_percent", "lock_wait_us", "cpu_us")}
"""The values of a sweep's runs that are kept."""

_NOTHING = Ruling("excluded", Band())


def budget(wish: Wish, case: Case) -> Budget:
    """How much of a run is simulated: more where something is drawn.

    >>> [budget(Wish(), Case("batch", share=share)).simulated for share in (0, 50)]
    ['2 replications of 10 s', '10 replications of 20 s']
    """
    if case.drawn:
        count, length = (4, 2.0) if wish.quick else (10, 20)
    else:
        count, length = (2, 0.5) if wish.quick else (2, 10)
    return Budget(count, count, length, 0.0, wish.seed)


def reproduce(wish: Wish | None = None) -> Reproduction[Point]:
    """Simulate the five rows and both sweeps at the committed prices; `cells` are the rows, `comparison` the sweeps.

    Raises InputError for published data that cannot be read and RunError for a run that cannot go on.

    >>> [cell.verdict for cell in reproduce(Wish(quick=True)).cells]
    ['calibrated', 'calibrated', 'matches', 'calibrated', 'calibrated']
    """
    wish = wish or Wish()
    began = time.perf_counter()
    result: Reproduction[Point] = Reproduction("grs-exits", wish.seed)
    judge = Judge(wish.folder or study_folder())
    rows = [Case(one.structure) for one in judge.published]
    sweeps = {SHARES: over_shares(), PROCESSORS: over_processors()}
    total = len(rows) + sum(map(len, sweeps.values()))
    run = _Runs(wish, total, result)
    result.cells = [judge.cell(one, elapsed(run(case))) for one, case in zip(judge.published, rows, strict=True)]
    wish.done(ROWS, result.cells)
    for sweep, cases in sweeps.items():
        cells = [cell for case in cases for cell in beside(sweep, run(case))]
        result.comparison += cells
        wish.done(sweep, cells)
    result.wall_s = time.perf_counter() - began
    return result


class Judge:
    """The bands and the published rows that cells are judged with.

    >>> judge = Judge(study_folder())
    >>> judge.cell(judge.published[2], Estimate(33.0, 0.0, 2)).verdict
    'matches'
    """

    def __init__(self, folder: Path) -> None:
        self.bands = Bands.read("grs-exits", folder.parent)
        self.published = numbers(folder)

    def cell(self, number: Number, estimate: Estimate) -> Cell:
        """The cell of one row."""
        ruling = self.bands.ruling(*number.place.key)
        change = self._change(number, estimate.mean) if ruling.scored else None
        return Cell(number.place, number.value, estimate, ruling, change)

    def _change(self, number: Number, simulated: float) -> Change | None:
        """From the nearest calibrated row."""
        before = committed().simulated(NEAREST)
        known = next((one.value for one in self.published if one.row == NEAREST), None)
        return Change(number.value - known, simulated - before) if known is not None and before is not None else None


def beside(sweep: str, point: Point) -> Iterable[Cell]:
    """The cells of one run of a sweep: judged by nothing, except in directions.

    >>> point = Point(Case("batch", share=20), "", samples={name: [1.0, 1.0] for name in VALUES})
    >>> [cell.place.key for cell in beside(SHARES, point)]
    [('share.batch', 'elapsed_us', 'g=20'), ('share.batch', 'cpu_us', 'g=20')]
    """
    case = point.case
    column = f"g={case.share}" if sweep == SHARES else f"n={case.processors}"
    for value in SHOWN[sweep]:
        yield aside((f"{sweep}.{case.form}", value, column), point.estimate(value))


def aside(key: tuple[str, ...], estimate: Estimate) -> Cell:
    """A value that nobody published.

    >>> aside(("share.batch", "cpu_us", "g=0"), Estimate(354.0, 0.0, 2)).verdict
    'excluded'
    """
    table, row, column = key
    return Cell(Place(table, row, VALUES[row], column), float("nan"), estimate, _NOTHING)


class _Runs:
    """Simulates one run after the other, and says how far it is."""

    def __init__(self, wish: Wish, total: int, result: Reproduction[Point]) -> None:
        self.wish, self.total, self.result = wish, total, result

    def __call__(self, case: Case) -> Point:
        at = len(self.result.points)
        progress: Callable[[float], None] = lambda share: self.wish.progress((at + share) / self.total)  # noqa: E731
        point = simulate(case, committed().prices, budget(self.wish, case), progress=progress)
        self.result.points.append(point)
        return point

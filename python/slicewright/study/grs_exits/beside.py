"""Both sweeps and the nine directions as objects: what `reproduce grs-exits --format json` has beside its five rows."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from slicewright.study.cells import Cell
from slicewright.study.grs_exits.directions import directions
from slicewright.study.grs_exits.points import Point
from slicewright.study.reproduction import Reproduction


def beside(result: Reproduction[Point]) -> dict[str, Any]:
    """The sweeps, a row per value at each `global_percent` or number of `processors`; the directions.

    The same reproduction gives the same object.

    >>> beside(Reproduction("grs-exits", 1))
    {'sweeps': [], 'directions': []}
    """
    return {
        "sweeps": [swept(cell) for cell in result.comparison],
        "directions": [asdict(one) for one in directions(result.comparison)],
    }


def swept(cell: Cell) -> dict[str, Any]:
    """One value of a sweep, with its 95 % half-width.

    >>> from slicewright.statistics import Estimate
    >>> from slicewright.study.grs_exits.reproduce import aside
    >>> swept(aside(("processors.batch", "pairs_per_s", "n=4"), Estimate(2_825.0, 0.5, 10)))
    {'processors': 4, 'exits': 'batch', 'value': 'pairs_per_s', 'unit': '1/s', 'simulated': 2825.0, 'half_width': 0.5}
    """
    sweep, _, exits = cell.place.table.partition(".")
    over = {"share": "global_percent", "processors": "processors"}[sweep]
    return {
        over: int(cell.place.column.partition("=")[2]),
        "exits": exits,
        "value": cell.place.row,
        "unit": cell.place.unit,
        "simulated": cell.estimate.mean,
        "half_width": cell.estimate.half_width,
    }

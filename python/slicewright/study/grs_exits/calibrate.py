"""The prices of the installation-exit study, from its calibration rows alone, and those rows simulated with them.

What is derived from what was declared before any run (docs/decisions/0020-grs-exits-study.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from slicewright.study.bands import Bands
from slicewright.study.fit import DIGITS, Tell
from slicewright.study.grs_exits.cases import BATCH, FRONT_END, POOLED, SINGLE, Case
from slicewright.study.grs_exits.constants import Calibration, Fitted, Prices
from slicewright.study.grs_exits.points import elapsed, simulate
from slicewright.study.grs_exits.published import Number, numbers, pairs, study_folder
from slicewright.study.points import Budget

BUDGET = Budget(replications=2, most=2, interval_s=10, warm_up_s=0.0)
"""Nothing is drawn: two replications say so."""


def calibrate(folder: Path | None = None, budget: Budget = BUDGET, tell: Tell = lambda line: None) -> Calibration:
    """The prices from rows 1, 2, 4 and 5, and what these rows are when simulated; `tell` hears a line per row.

    Raises RunError when a simulation cannot go on.

    >>> calibrate(budget=Budget(replications=2, most=2, interval_s=0.5, warm_up_s=0.0)).prices.pool
    13.0
    """
    from slicewright._core import __version__

    seen = targets(folder)
    prices = derived(seen)
    cells, checksums = [], {}
    for one in seen:
        point = simulate(Case(one.structure), prices, budget)
        found = elapsed(point).mean
        tell(f"row {one.row}: published {one.value:g} s, simulated {found:.4g} s")
        cells.append(Fitted(*_key(one), one.value, one.rounding, float(f"{found:.7g}")))
        checksums[one.row] = point.checksum
    provenance = {
        "study": "grs-exits", "version": __version__, "seed": budget.seed,
        "simulated": budget.simulated, "scenarios": checksums,
    }  # fmt: skip
    return Calibration(prices, _rounded(2e6 * seen[0].rounding / pairs()), tuple(cells), provenance)


def targets(folder: Path | None = None) -> list[Number]:
    """The rows that may be used.

    >>> [one.row for one in targets()]
    ['1', '2', '4', '5']
    """
    folder = folder or study_folder()
    bands = Bands.read("grs-exits", folder.parent)
    return [one for one in numbers(folder) if bands.ruling(*one.place.key).role == "calibrated"]


def derived(seen: Sequence[Number]) -> Prices:
    """The four prices: row 1, and differences of rows, us a pair, to four digits.

    >>> derived(targets())
    Prices(base=19.0, fast=1.0, pool=13.0, rest=335.0)
    """
    own = {one.structure: 1e6 * one.value / pairs() for one in seen}
    return Prices(
        base=_rounded(own[FRONT_END]),
        fast=_rounded(own[SINGLE] - own[FRONT_END]),
        pool=_rounded(own[POOLED] - own[SINGLE]),
        rest=_rounded(own[BATCH] - own[FRONT_END]),
    )


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _key(one: Number) -> tuple[str, str, str]:
    return one.place.table, one.place.row, one.place.column

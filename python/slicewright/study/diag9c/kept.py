"""The kept numbers of the DIAGNOSE X'9C' study judged again, and the fingerprint of the engine on its machines."""

from __future__ import annotations

from dataclasses import replace

from slicewright.study import kept
from slicewright.study.bands import Band, Ruling
from slicewright.study.cells import Cell, Place, Spread
from slicewright.study.diag9c.cases import RELEASES, Case, pair
from slicewright.study.diag9c.constants import Form, ensemble
from slicewright.study.diag9c.judge import Judge, aside
from slicewright.study.diag9c.points import Point, simulate
from slicewright.study.diag9c.published import study_folder
from slicewright.study.kept import Estimates, Kept
from slicewright.study.points import Budget
from slicewright.study.reproduction import Reproduction

SHORT = Budget(replications=1, most=1, interval_s=1, warm_up_s=0.0)
"""What the fingerprint is taken of."""

SEEN: tuple[tuple[Form, Case], ...] = (
    *(("first", case) for case in (Case("A", "x44"), *pair("C"), Case("X", "x44"), RELEASES[0])),
    *(("intercepts", case) for case in pair("C")),
)
"""A run of every kind of guest, machine, yield, release and form, with the best set."""


def judged(numbers: Kept) -> Reproduction[Point]:
    """The reproduction again: cells judged by today's bands against today's published values; no samples.

    >>> judged(Kept(1, "", {}, {})).cells
    []
    """
    judge, other = Judge(study_folder()), Judge(study_folder(), "intercepts")
    own = _judged(judge, numbers.own, numbers.other)
    # The variant's cells stand among the other numbers by the names of the first form's; what is beside them does not.
    varied = {one.place.key for one in other.published}
    comparison = _aside({key: one for key, one in numbers.other.items() if key not in varied})
    sets = {cell.place.key: cell.estimate for cell in aside(comparison, "intercepts")}
    variant = _judged(other, numbers.other, sets)
    return Reproduction("diag9c", numbers.seed, cells=own, comparison=comparison, variant=variant)


def fingerprint() -> str:
    """What tells this engine from others that simulate the study differently.

    >>> len(fingerprint())
    16
    """
    return kept.fingerprint(
        (case.name, [[row, found] for row, found in simulate(case, ensemble(form)[0], SHORT).samples.items()])
        for form, case in SEEN
    )


def _judged(judge: Judge, found: Estimates, sets: Estimates) -> list[Cell]:
    """The cells of a form, with how far its sets are apart."""
    own = [judge.cell(one, found[one.place.key]) for one in judge.published if one.place.key in found]
    return [replace(cell, spread=_spread(cell.place, sets)) for cell in own]


def _spread(place: Place, other: Estimates) -> Spread | None:
    """How far apart the sets are, from what each of them gave."""
    means = [
        one.mean
        for key, one in other.items()
        if key[:2] == (place.table, place.row) and key[2:] and key[2].startswith("set ")
    ]
    return Spread.of(means) if means else None


def _aside(other: Estimates) -> list[Cell]:
    """What stands beside the cells, judged by nothing."""
    nothing = Ruling("excluded", Band())
    return [Cell(Place(key[0], key[1], "", "".join(key[2:])), float("nan"), one, nothing) for key, one in other.items()]

"""The kept numbers of the HiperDispatch study judged again, and the fingerprint of the engine on its machines."""

from __future__ import annotations

from dataclasses import replace

from slicewright.study import kept
from slicewright.study.bands import Ruling
from slicewright.study.cells import Cell
from slicewright.study.hiperdispatch.cases import ABLATIONS, Case
from slicewright.study.hiperdispatch.constants import FORMS, Form, committed_constants
from slicewright.study.hiperdispatch.judge import Judge
from slicewright.study.hiperdispatch.points import Point, simulate
from slicewright.study.hiperdispatch.published import study_folder
from slicewright.study.kept import Estimates, Kept
from slicewright.study.points import Budget
from slicewright.study.reproduction import Reproduction

SHORT = Budget(replications=2, most=2, interval_s=1, warm_up_s=0.0)
"""What the fingerprint is taken of."""

SEEN = (
    Case("table1", 8, "H"),
    Case("table1", 16, "V F", 100),
    Case("figure1", 8, "V B"),
    Case("figure2", 24, "V F"),
    Case("figure3", 16, "H"),
    Case("figure4", 32, "V B"),
)
"""A run of every family of tiles, machine and mode; each in both forms."""


def judged(numbers: Kept) -> Reproduction[Point]:
    """The reproduction again: cells judged by today's bands against today's published values; no samples.

    >>> judged(Kept(1, "", {}, {})).cells
    []
    """
    own, adopted = _judged(numbers.own, "first"), _judged(numbers.other, "adopted")
    without = _ablated(Judge(study_folder()), numbers)
    return Reproduction("hiperdispatch", numbers.seed, cells=own, comparison=without, adopted=adopted)


def fingerprint() -> str:
    """What tells this engine from others that simulate the study differently.

    >>> len(fingerprint())
    16
    """
    return kept.fingerprint(
        (case.name, [[row, found] for row, found in simulate(case, committed_constants(form), SHORT).samples.items()])
        for form in FORMS
        for case in SEEN
    )


def _judged(found: Estimates, form: Form) -> list[Cell]:
    judge = Judge(study_folder(), form)
    return [judge.cell(one, found[one.place.key]) for one in judge.published if one.place.key in found]


def _ablated(judge: Judge, numbers: Kept) -> list[Cell]:
    """The scored cells under each ablation, judged by nothing."""
    cells = []
    for ablation in ABLATIONS:
        for one in judge.published:
            place = replace(one.place, table=f"{ablation} {one.place.table}")
            if place.key in numbers.other:
                ruling = Ruling("excluded", judge.ruling(one).band, note=ablation)
                cells.append(Cell(place, one.value, numbers.other[place.key], ruling))
    return cells

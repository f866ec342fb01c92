"""The kept numbers of the 580/MDF study judged again, and the fingerprint of the engine on its machines."""

from __future__ import annotations

from slicewright.study import kept
from slicewright.study.cells import Cell
from slicewright.study.kept import Estimates, Kept
from slicewright.study.mdf.constants import FORMS, Form, committed_constants
from slicewright.study.mdf.points import Case, Point, simulate
from slicewright.study.mdf.published import COLUMNS, study_folder
from slicewright.study.mdf.reproduce import Judge
from slicewright.study.points import Budget
from slicewright.study.reproduction import Reproduction

SHORT = Budget(replications=2, most=2, interval_s=60, warm_up_s=30)
"""What the fingerprint is taken of: every scheduling parameter, in both forms."""


def judged(numbers: Kept) -> Reproduction[Point]:
    """The reproduction again: cells judged by today's bands against today's published values; no samples.

    >>> judged(Kept(1, "", {}, {})).cells
    []
    """
    own, other = _judged(numbers.own, "first"), _judged(numbers.other, "adopted")
    judge = Judge(study_folder())
    whole = judge.in_order(own + judge.excluded()) if own else []
    return Reproduction("mdf", numbers.seed, cells=whole, adopted=other)


def fingerprint() -> str:
    """What tells this engine from others that simulate the study differently.

    >>> len(fingerprint())
    16
    """
    return kept.fingerprint(
        (f"sched{parameter}", [[*value, found] for value, found in simulate(case, SHORT).samples.items()])
        for form in FORMS
        for parameter in COLUMNS.values()
        for case in [Case(parameter, committed_constants(form))]
    )


def _judged(found: Estimates, form: Form) -> list[Cell]:
    judge = Judge(study_folder(), form)
    return [judge.cell(one, found[one.place.key]) for one in judge.published if one.place.key in found]

"""The kept numbers of the HyperPAV study judged again, and the fingerprint of the engine on its machines."""

from __future__ import annotations

from slicewright.study import kept
from slicewright.study.cells import Cell
from slicewright.study.hyperpav.constants import Form, committed
from slicewright.study.hyperpav.points import Point, simulate
from slicewright.study.hyperpav.published import ROWS, reports, study_folder
from slicewright.study.hyperpav.reproduce import Judge
from slicewright.study.kept import Estimates, Kept
from slicewright.study.points import Budget
from slicewright.study.reproduction import Reproduction

SHORT = Budget(replications=2, most=2, interval_s=5, warm_up_s=1.0)
"""What the fingerprint is taken of: every run of the study, for some 30,000 I/Os each."""


def judged(numbers: Kept) -> Reproduction[Point]:
    """The reproduction again: cells judged by today's bands against today's published values; no samples.

    >>> judged(Kept(1, "", {}, {})).cells
    []
    """
    listed = [report for report in reports() if any(key[0] == report.table for key in numbers.own)]
    own, other = _judged(numbers.own, "sharing"), _judged(numbers.other, "per_concurrent")
    return Reproduction("hyperpav", numbers.seed, [Point(report, "", 0.0) for report in listed], own, other)


def fingerprint() -> str:
    """What tells this engine from others that simulate the study differently.

    >>> fingerprint() == fingerprint()
    True
    """
    return kept.fingerprint(
        (report.table, simulate(report, committed(form).constants, SHORT).samples)
        for form in ("sharing", "per_concurrent")
        for report in reports()
    )


def _judged(found: Estimates, form: Form) -> list[Cell]:
    judge = Judge(study_folder(), form)
    places = [(report, row) for report in reports() for row in ROWS]
    return [judge.cell(report, row, found[report.table, row]) for report, row in places if (report.table, row) in found]

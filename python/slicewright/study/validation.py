"""The validation page of the study: the full text of `reproduce`, kept in the documentation with what is thought of it.

It leaves out pictures: `slicewright reproduce hyperpav --html FILE` draws them.
"""

from __future__ import annotations

from slicewright.study.constants import committed
from slicewright.study.page import heading, summary, table
from slicewright.study.reproduce import Reproduction, Wish


def markdown(result: Reproduction, wish: Wish) -> str:
    """The page of a full reproduction, in Markdown.

    >>> markdown(Reproduction("hyperpav", 1), Wish()).splitlines()[0]
    '# Validation: HyperPAV and classic PAV'
    """
    runs = [
        table(point.report, [cell for cell in result.cells if cell.place.table == point.report.table])
        for point in result.points
    ]
    text = "\n".join([heading(wish), *runs, summary(result, committed())])
    return f"{_BEFORE}\n```text\n{text}\n```\n\n{_misfits()}"


def _misfits() -> str:
    off = [cell for cell in committed().cells if abs(cell.residual) > 1]
    rows = [f"| {cell.table} | {cell.row} | {cell.residual:+.1f} |" for cell in off]
    return "\n".join([_AFTER, "", "| run | value | off, in units of its rounding |", "|---|---|---|", *rows, ""])


_BEFORE = """\
# Validation: HyperPAV and classic PAV

Written by `python -m slicewright.study validation`; not edited by hand. What was decided before any run stands in
[decision 0003](../decisions/0003-hyperpav-study.md).
"""

_AFTER = """\
Y040181P misses, as expected: its connect time, 1.45 ms at 1.84 concurrent I/Os, is above the 1.23 ms of Y040182P, which
has more concurrency. Nothing in the model can do that; the run may have met another load at the disk subsystem. It is
shown, not fitted, not counted. Service in Y040182P is predicted low by nearly its whole band for the same reason that
made the band wide: another day.

Calibration cells that the model does not reach within the rounding of the print stand below. What is thought to cause
it, seen only after the runs: rate x service of Y032180H says that a base is idle for 5 % of the time although
requests wait, which asks for a gap of about .07 ms, while the nearly empty queues of Y032182H leave no room for one
as long as a freed alias takes nobody up (redispatch `none`). And with 16 aliases the pool shares I/Os more evenly
between bases and aliases than the model, with 8 less evenly: how the control program picks an exposure is not exactly
this. Another policy would be chosen knowing the numbers, and every cell that it was meant for would be `informed`."""

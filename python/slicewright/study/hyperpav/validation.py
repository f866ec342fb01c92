"""The validation page of the study: every cell with role, band and verdict, and what is thought of those that miss."""

from __future__ import annotations

from slicewright.study.hyperpav.constants import committed
from slicewright.study.hyperpav.kept import judged
from slicewright.study.hyperpav.page import LOOK, summary
from slicewright.study.hyperpav.reproduce import budget
from slicewright.study.kept import Kept
from slicewright.study.reproduction import Wish
from slicewright.study.validation import section


def markdown(kept: Kept) -> str:
    """The page of a full reproduction, in Markdown, from the numbers that it simulated.

    >>> markdown(Kept(1, "", {}, {})).splitlines()[0]
    '# Validation: HyperPAV and classic PAV'
    """
    result = judged(kept)
    own = budget(Wish(seed=kept.seed))
    simulations = f"Seed {own.seed}, {own.replications} replications of 10 min"
    runs = [
        section(
            f"{report.table}: {report.title}", [cell for cell in result.cells if cell.place.table == report.table], LOOK
        )
        for report in (point.report for point in result.points)
    ]
    text = summary(result)
    parts = [_BEFORE.replace("SIMULATIONS", simulations), f"```text\n{text}\n```", *runs, _AFTER, _misfits()]
    return "\n\n".join(parts) + "\n"


def _misfits() -> str:
    off = [cell for cell in committed().cells if abs(cell.residual) > 1]
    rows = [f"| {cell.table} | {cell.row} | {cell.residual:+.1f} |" for cell in off]
    return "\n".join(["| run | value | off, in units of its rounding |", "|---|---|--:|", *rows])


_BEFORE = """\
# Validation: HyperPAV and classic PAV

Written by `python -m slicewright.study validation`; not edited by hand. What was decided before any run stands in
[decision 0003](../decisions/0003-hyperpav-study.md); what roles and verdicts mean, on the page of
[roles and verdicts](../concepts/roles-and-verdicts.md).

The source is “z/VM HyperPAV Support”: eight volumes of one control unit, with aliases in a pool or bound to a volume.
SIMULATIONS, more where a cell needs them; ± is simulation noise (95 %).

*Off* is simulated less published. A miss of a cell that *must* match would mean a wrong mechanism, not merely an
imprecise one. A cell that *follows from the others* of its run, by Little's law, is not independent of them.

How it came out, as `slicewright reproduce hyperpav` prints it:"""

_AFTER = """\
## What misses, and why

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

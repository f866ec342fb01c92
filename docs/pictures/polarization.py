"""The picture of choosing polarization: what each setting does of work, and in how much processor time."""

from __future__ import annotations

from slicewright._core import starter
from slicewright.advise.polarization.answering import COMPARISON
from slicewright.advise.polarization.report import picture
from slicewright.report.figure import Figure

LARGE = 'partition.ZVM.control_program.unparking="large"'


def choose() -> Figure:
    """Advice on the starter of a z/VM partition: work against processor time, a point per setting."""
    return picture(COMPARISON.answer([("zvm.toml", starter("zvm").encode())], COMPARISON.request(changes=(LARGE,)))[0])

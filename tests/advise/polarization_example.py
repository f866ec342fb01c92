"""The starter of a z/VM partition that parks nothing, and the answer from short runs."""

from __future__ import annotations

from functools import cache

from slicewright._core import starter
from slicewright.advise.polarization.answering import COMPARISON
from slicewright.advise.polarization.comparison import SettingAnswer

LARGE = 'partition.ZVM.control_program.unparking="large"'
"""So that nothing is parked, and no controller has to settle."""
SHORTLY = (LARGE, 'measure.interval="5 s"', "measure.replications=4")


@cache
def advice() -> SettingAnswer:
    """The answer, from runs that are shorter than usual."""
    request = COMPARISON.request(changes=SHORTLY)
    return COMPARISON.answer([("zvm.toml", starter("zvm").encode())], request)[0]

"""The starter of a z/VM partition that parks nothing, simulated shortly: the example of this folder."""

from __future__ import annotations

from functools import cache

from slicewright._core import Scenario, starter
from slicewright.advise.controlled import Controlled, controlled
from slicewright.advise.polarization.answering import COMPARISON
from slicewright.advise.polarization.comparison import SettingAnswer, SettingSimulations, explore
from slicewright.experiment.plan import Plan
from slicewright.scenario.starters import read_starter

LARGE = 'partition.ZVM.control_program.unparking="large"'
"""So that nothing is parked, and no controller has to settle."""
SHORTLY = (LARGE, 'measure.interval="5 s"', "measure.replications=4")


@cache
def scenario() -> Scenario:
    """The starter."""
    return read_starter("zvm").with_([LARGE])


@cache
def zvm() -> Controlled:
    """Its one partition."""
    return controlled(scenario().view)[0]


@cache
def simulations() -> SettingSimulations:
    """The starter under any setting, simulated for a short time."""
    return COMPARISON.simulations(scenario(), zvm(), Plan(4.0, 2.0, 2))


@cache
def explored() -> SettingAnswer:
    """The answer of the stages after a short simulation, without readings."""
    return explore(COMPARISON.case(scenario(), zvm()), simulations())


@cache
def advice() -> SettingAnswer:
    """The answer, from runs that are shorter than usual."""
    request = COMPARISON.request(changes=SHORTLY)
    return COMPARISON.answer([("zvm.toml", starter("zvm").encode())], request)[0]

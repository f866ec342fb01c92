"""What the examples of this folder start from: the starter of a z/VM partition that parks nothing, looked at shortly.

It leaves out scenarios of several partitions.
"""

from __future__ import annotations

from functools import cache

from slicewright._core import Scenario, starter
from slicewright.advise.controlled import Controlled, controlled
from slicewright.advise.polarization.answer import PolarizationAnswer
from slicewright.advise.polarization.build import Built, build
from slicewright.advise.polarization.from_scenario import answer_scenario
from slicewright.advise.polarization.laboratory import Laboratory
from slicewright.advise.polarization.question import PolarizationQuestion
from slicewright.advise.polarization.trial import Trial
from slicewright.advise.scenario_text import Plan
from slicewright.advise.source import Source, measured
from slicewright.scenario.starters import read_starter

PLAN = Plan(4.0, 2.0, 2)
LARGE = 'partition.ZVM.control_program.unparking="large"'
"""So that nothing is parked, and no controller has to settle."""
SHORTLY = (LARGE, 'measure.interval="5 s"', "measure.replications=4")


def source() -> Source:
    """The starter as a file.

    >>> source().file
    'zvm.toml'
    """
    return Source(read_starter("zvm").with_([LARGE]), "zvm.toml")


@cache
def scenario() -> Scenario:
    """It, measured for a short time.

    >>> scenario().view.measure.interval_s
    4.0
    """
    return source().scenario.with_(measured(PLAN, PLAN.replications))


@cache
def zvm() -> Controlled:
    """Its one partition.

    >>> zvm().name
    'ZVM'
    """
    return controlled(scenario().view)[0]


@cache
def laboratory() -> Laboratory:
    """The starter under any setting.

    >>> laboratory().plan.replications
    2
    """
    return Laboratory(source(), zvm(), PLAN)


def trial() -> Trial:
    """The starter as it is.

    >>> trial().columns["unparked"].shape
    (2,)
    """
    return laboratory().at(zvm().now)


@cache
def built() -> Built:
    """What the stages find in so short a time.

    >>> len(built().readings)
    1
    """
    return build(laboratory(), PolarizationQuestion(), (), lambda share: None)


@cache
def advice() -> PolarizationAnswer:
    """The answer, from runs that are shorter than usual.

    >>> advice().partition.now.words()
    'vertical reshuffle'
    """
    return answer_scenario(starter("zvm").encode(), source().file, PolarizationQuestion(changes=SHORTLY))[0]

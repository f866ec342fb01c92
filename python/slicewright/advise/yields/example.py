"""What the examples of this folder start from: four small guests that share one spin lock each, looked at shortly."""

from __future__ import annotations

from functools import cache

from slicewright._core import Scenario
from slicewright.advise.scenario_text import Plan
from slicewright.advise.source import Source, measured
from slicewright.advise.yields.answer import YieldAnswer
from slicewright.advise.yields.build import Built, build
from slicewright.advise.yields.from_scenario import answer_scenario
from slicewright.advise.yields.laboratory import Laboratory
from slicewright.advise.yields.locked import Locked, locked
from slicewright.advise.yields.question import YieldQuestion
from slicewright.advise.yields.trial import Trial

PLAN = Plan(0.2, 0.1, 2)
SHORTLY = ('measure.interval="0.2 s"', 'measure.warm_up="0.1 s"', "measure.replications=3")

SPINNERS = """
name = "Guests that spin"
assume = "an example: all numbers made up"

[cec]
processors = 2

[[partition]]
name = "ZVM"
logical_processors = 2
mode = "UP"
control_program = { polarization = "horizontal" }

[[virtual_machine]]
name = "LINUX"
partition = "ZVM"
count = 4
virtual_processors = 2
yields = "x44"

[[spin_lock]]
name = "dispatch"
virtual_machine = "LINUX"

[[guest]]
name = "TASKS"
virtual_machine = "LINUX"
count = 8
program = [
  { compute = { exponential = "80 us" } },
  { lock = "dispatch", steps = [ { compute = { exponential = "20 us" } } ] },
]

[measure]
interval = "1 s"
"""


def source() -> Source:
    """The example as a file.

    >>> source().file
    'spinners.toml'
    """
    return Source(Scenario.read(SPINNERS.encode(), "spinners.toml"), "spinners.toml")


@cache
def scenario() -> Scenario:
    """It, measured for a short time.

    >>> scenario().view.measure.interval_s
    0.2
    """
    return source().scenario.with_(measured(PLAN, PLAN.replications))


@cache
def spinners() -> Locked:
    """Its one partition.

    >>> spinners().name
    'ZVM'
    """
    return locked(scenario().view)[0]


@cache
def laboratory() -> Laboratory:
    """The example under any yields.

    >>> laboratory().plan.replications
    2
    """
    return Laboratory(source(), spinners(), PLAN)


def trial() -> Trial:
    """The example as it is.

    >>> trial().columns["unparked"].shape
    (2,)
    """
    return laboratory().at(spinners().now)


@cache
def built() -> Built:
    """What the stages find in so short a time.

    >>> len(built().readings)
    1
    """
    return build(laboratory(), YieldQuestion(), (), lambda share: None)


@cache
def advice() -> YieldAnswer:
    """The answer, from runs that are shorter than usual.

    >>> advice().partition.now.words()
    "X'44'"
    """
    return answer_scenario(SPINNERS.encode(), source().file, YieldQuestion(changes=SHORTLY))[0]

"""What the examples of this folder start from: four small guests that share one spin lock each, looked at shortly."""

from __future__ import annotations

from functools import cache

from slicewright._core import Scenario
from slicewright.advise.yields.answering import COMPARISON
from slicewright.advise.yields.comparison import YieldAnswer, explore
from slicewright.advise.yields.locked import Locked, locked
from slicewright.advise.yields.measured import Measured
from slicewright.advise.yields.yielding import On
from slicewright.experiment.plan import Plan
from slicewright.experiment.simulations import Simulations

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


@cache
def scenario() -> Scenario:
    """The example."""
    return Scenario.read(SPINNERS.encode(), "spinners.toml")


@cache
def spinners() -> Locked:
    """Its one partition."""
    return locked(scenario().view)[0]


def here() -> On:
    """Its yields and processors of now."""
    return On(spinners().yields, spinners().processors)


@cache
def simulations() -> Simulations[On, Measured]:
    """The example under any yields, simulated for a short time."""
    return COMPARISON.simulations(scenario(), spinners(), Plan(0.2, 0.1, 2))


@cache
def explored() -> YieldAnswer:
    """The answer of the stages after a short simulation, without readings."""
    return explore(COMPARISON.case(scenario(), spinners()), simulations())


@cache
def advice() -> YieldAnswer:
    """The answer, from runs that are shorter than usual."""
    request = COMPARISON.request(changes=SHORTLY)
    return COMPARISON.answer([("spinners.toml", SPINNERS.encode())], request)[0]

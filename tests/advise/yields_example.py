"""Four small guests that share one spin lock each, and the answer from short runs."""

from __future__ import annotations

from functools import cache

from slicewright.advise.yields.answering import COMPARISON
from slicewright.advise.yields.comparison import YieldAnswer

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
def advice() -> YieldAnswer:
    """The answer, from runs that are shorter than usual."""
    request = COMPARISON.request(changes=SHORTLY)
    return COMPARISON.answer([("spinners.toml", SPINNERS.encode())], request)[0]

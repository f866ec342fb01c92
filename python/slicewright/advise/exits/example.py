"""What the examples of this folder start from: requests that all go to slow exits, one in six global; run shortly."""

from __future__ import annotations

from functools import cache

from slicewright._core import Scenario
from slicewright.advise.exits.answer import ExitAnswer
from slicewright.advise.exits.build import Built, build
from slicewright.advise.exits.from_scenario import answer_scenario
from slicewright.advise.exits.laboratory import Laboratory
from slicewright.advise.exits.question import ExitQuestion
from slicewright.advise.exits.trial import Trial
from slicewright.advise.scenario_text import Plan
from slicewright.advise.source import Source, measured

PLAN = Plan(0.5, 0.1, 2)
SHORTLY = ('measure.interval="0.5 s"', 'measure.warm_up="0.1 s"', "measure.replications=2")

REQUESTS = """
name = "Requests that exits see"
assume = "an example: all numbers made up"

[cec]
processors = 1
slice = "10 ms"

[[partition]]
name = "MVS"
logical_processors = 1
mode = "UP"

[serialization]
exits = "batch"
answer = "5 ms"

[[enqueue]]
name = "LOCAL"
qname = "SYSDSN"
rname = "PROD.MASTER"

[[enqueue]]
name = "SHARED"
qname = "SYSDSN"
rname = "PROD.CATALOG"
scope = "systems"

[[guest]]
name = "LOCALS"
partition = "MVS"
arrivals = "500/s"
program = [ { enq = "LOCAL", do = [ { think = "0 ms" } ] } ]

[[guest]]
name = "GLOBALS"
partition = "MVS"
arrivals = "100/s"
program = [ { enq = "SHARED", do = [ { think = "0 ms" } ] } ]

[measure]
interval = "10 s"
"""


def source() -> Source:
    """The example as a file.

    >>> source().file
    'requests.toml'
    """
    return Source(Scenario.read(REQUESTS.encode(), "requests.toml"), "requests.toml")


@cache
def scenario() -> Scenario:
    """It, measured for a short time.

    >>> scenario().view.measure.interval_s
    0.5
    """
    return source().scenario.with_(measured(PLAN, PLAN.replications))


@cache
def laboratory() -> Laboratory:
    """The example with any structure.

    >>> laboratory().plan.replications
    2
    """
    return Laboratory(source(), "MVS", PLAN)


def trial() -> Trial:
    """The example as it is.

    >>> trial().columns["pairs_per_s"].shape
    (2,)
    """
    return laboratory().at("batch")


@cache
def built() -> Built:
    """What is found in so short a time.

    >>> len(built().readings)
    1
    """
    return build(laboratory(), "batch", ExitQuestion(), (), lambda share: None)


@cache
def advice() -> ExitAnswer:
    """The answer, from runs that are shorter than usual.

    >>> advice().now
    'batch'
    """
    return answer_scenario(REQUESTS.encode(), source().file, ExitQuestion(changes=SHORTLY))[0]

"""Requests that all go to slow exits, one in six global, and the answer from short runs."""

from __future__ import annotations

from functools import cache

from slicewright.advise.exits.comparison import COMPARISON
from slicewright.advise.exits.report import ExitAnswer

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


@cache
def advice() -> ExitAnswer:
    """The answer, from runs that are shorter than usual."""
    request = COMPARISON.request(changes=SHORTLY)
    return COMPARISON.answer([("requests.toml", REQUESTS.encode())], request)[0]

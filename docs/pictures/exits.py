"""The picture of choosing an exit structure: what each way through exits takes of a pair, and of the lock."""

from __future__ import annotations

from slicewright.advise.exits.comparison import COMPARISON
from slicewright.advise.exits.rates import as_scenario, read_rates
from slicewright.advise.exits.report import picture
from slicewright.report.figure import Figure

RATES = b"""\
qname,rname,scope,pairs_per_s
SYSDSN,PROD.MASTER,system,800
SYSDSN,TEST.DATA,system,300
SYSZVVDS,CATALOG,systems,60
"""
"""Those of the page."""

SHORT = ("measure.replications=4", 'measure.interval="2 s"', 'measure.warm_up="0.2 s"')


def choose() -> Figure:
    """Advice on some rates, a panel each for processor time, elapsed time and the lock."""
    text = as_scenario(read_rates(RATES, "rates.csv"), "rates.csv")
    return picture(COMPARISON.answer([("rates.csv", text.encode())], COMPARISON.request(changes=SHORT))[0])

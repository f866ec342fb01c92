"""Assumptions about aliases that change nothing for the input at hand, each with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from slicewright.advise.aliases.evidence import PoolReport
from slicewright.advise.aliases.request import Assumed
from slicewright.advise.assumptions import without_effect
from slicewright.errors import Problem

DECIDES = ("knee_percent",)
"""Assumptions about the choice, and not about the load."""
UNITS = ("_ms", "_percent")
WAITS = 0.005
"""A queue that is printed as zero."""
HALF_BUSY = 0.5
"""Requests present at a volume of a pool above which they may have to wait, though none does."""


def irrelevant_to_scenario(assumed: Assumed, file: str) -> list[Problem]:
    """A problem for each assumption about a load, which a scenario gives by itself.

    >>> [one["what"] for one in irrelevant_to_scenario(Assumed(population=3), "a.toml")]
    ['the assumption changes nothing: population']
    """
    usual, why = Assumed(), "the scenario gives its load: change it there, or run with --set"
    return [
        without_effect(_typed(each.name), why, file)
        for each in fields(assumed)
        if each.name not in DECIDES and getattr(assumed, each.name) != getattr(usual, each.name)
    ]


def irrelevant_to_reports(assumed: Assumed, pools: Sequence[PoolReport]) -> list[Problem]:
    """A problem for each assumption that no pool of the reports can use.

    >>> from slicewright.advise.aliases.example import report
    >>> irrelevant_to_reports(Assumed(population=3), [report()])
    []
    """
    problems = []
    if assumed.arrivals == "open" and assumed.population is not None:
        why = "arrivals=open: requests come from outside, in any number"
        problems.append(without_effect("population", why))
    elif assumed.population is not None and not any(map(_waits, pools)):
        why = "no volume waits, so the number of requests in circulation does not show"
        problems.append(without_effect("population", why))
    if assumed.arrivals is not None and not any(map(_waits, pools)):
        why = "no volume waits, so closed and open arrivals are alike"
        problems.append(without_effect("arrivals", why))
    return problems


def _waits(pool: PoolReport) -> bool:
    """Whether requests of one volume can meet: some wait, or a pool's aliases may have kept them from it."""
    present = (volume.base.queue_depth + volume.in_service for volume in pool.volumes)
    return pool.queue_depth > WAITS or (bool(pool.aliases) and any(requests > HALF_BUSY for requests in present))


def _typed(name: str) -> str:
    """The name of an assumption as it is typed: without its unit."""
    for unit in UNITS:
        name = name.removesuffix(unit)
    return name

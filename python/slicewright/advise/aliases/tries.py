"""Readings tested by a pool's tries and fails, which tell how an alias is used that ends an I/O (redispatch).

A request that finds its base busy tries the pool.  ASSUME: an alias that takes up a waiting request is no new try.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from slicewright.advise.aliases.evidence import PoolReport
from slicewright.advise.aliases.readings import Explored, Reading, Search, explore
from slicewright.reading.accept import FAILS_ABS, fails_miss
from slicewright.statistics import fixed


def explore_tested(search: Search) -> Explored:
    """The readings of reports, those rejected too whose fails per try are not those of the pool.

    Where this excludes the policy under which populations and growths are tried, they are tried under the next.

    >>> from slicewright.advise.aliases.example import search
    >>> explore_tested(search()).contradicted
    False
    """
    explored = _tested(explore(search), search)
    gone = excluded(explored)
    left = [policy for policy in search.policies if policy not in gone]
    if search.policies[0] not in gone or not left:
        return explored
    again = _tested(explore(replace(search, excluded=search.excluded | gone)), search)
    return replace(again, rejected=(*again.rejected, *explored.rejected))


def excluded(explored: Explored) -> frozenset[str]:
    """The redispatch policies of which only readings are left that the tries and fails rejected.

    >>> from slicewright.advise.aliases.example import explored
    >>> excluded(explored())
    frozenset()
    """
    kept = {reading.load.redispatch for reading in explored.accepted}
    return frozenset(reading.load.redispatch for reading in explored.rejected if reading.fails is not None) - kept


def tested_words(explored: Explored, report: PoolReport) -> list[str]:
    """The outcome of the test in words; nothing for a report without tries.

    >>> from slicewright.advise.aliases.example import explored, report
    >>> tested_words(explored(), report())
    []
    """
    tries = report.tries
    if tries is None:
        return []
    lent = "" if tries.lent_per_s is None else f", {fixed(tries.lent_per_s, 0)} I/Os on aliases"
    lines = [f"pool: {fixed(tries.per_s, 0)} tries/s, {fixed(tries.taken_per_s, 0)} found an alias{lent}"]
    measured = fixed(tries.fails_per_try, 2)
    if explored.contradicted:
        return [*lines, f"no reading has the fails per try of the pool ({measured}): none was rejected for it"]
    found: dict[str, Reading] = {}
    for reading in explored.rejected:
        if reading.fails is not None:
            found.setdefault(reading.load.redispatch, reading)
    gone = sorted(excluded(explored))
    if gone:
        which = ", ".join(f"`{name}` ({fixed(found[name].fails, 2)})" for name in gone)
        left = ", ".join(dict.fromkeys(f"`{reading.load.redispatch}`" for reading in explored.accepted))
        lines.append(f"fails per try {measured}: redispatch {left} fits; excluded are {which}")
    elif tries.fails_per_try < FAILS_ABS:
        lines.append(f"fails per try {measured}: too few to tell redispatch policies apart")
    else:
        lines.append(f"fails per try {measured} fit every redispatch policy that is left")
    return lines


def _tested(explored: Explored, search: Search) -> Explored:
    """The readings whose predicted fails per try are those measured; all of them where none is."""
    if not any(report.tries for report in search.reports) or not explored.accepted:
        return explored
    predicted = [_predicted(reading, search) for reading in explored.accepted]
    kept = [reading for reading in predicted if _fits(reading, search.reports)]
    if not kept:
        return replace(explored, contradicted=True)
    out = [replace(reading, saturated=False) for reading in predicted if reading not in kept]
    accepted = [replace(reading, saturated=at == 0, fails=None) for at, reading in enumerate(kept)]
    return replace(explored, accepted=tuple(accepted), rejected=(*explored.rejected, *out))


def _predicted(reading: Reading, search: Search) -> Reading:
    """A reading with its fails per try at the aliases of the report that has tries."""
    report = next(report for report in search.reports if report.tries)
    sample = search.simulations.simulate(reading.load, report.aliases_present)
    return replace(reading, fails=float(sample.pooled("fails_per_try").mean()))


def _fits(reading: Reading, reports: Sequence[PoolReport]) -> bool:
    tries = next(report.tries for report in reports if report.tries)
    assert reading.fails is not None, "predicted before"
    return fails_miss(reading.fails, tries.fails_per_try) <= 1

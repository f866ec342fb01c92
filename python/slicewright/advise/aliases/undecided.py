"""Pages that do not identify their load: a queue that may still grow, volumes that need different kinds of arrivals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from slicewright.advise.aliases.answer import Recommendation
from slicewright.advise.aliases.evidence import PoolReport
from slicewright.advise.aliases.readings import Explored, Reading, queue_allowance
from slicewright.statistics import fixed

LONGEST = 20.0
"""Requests that wait for one base, beyond which a page identifies no load: the base is then hardly ever idle.

ASSUME: some tens.  The queue may be one burst, or grow for as long as one looks; both have the same mean.
"""


def too_long(reports: Sequence[PoolReport]) -> str:
    """Why a queue is no evidence of a load; "" where none is that long with the most aliases that were measured.

    >>> from slicewright.advise.aliases.example import report
    >>> too_long([report()])
    ''
    """
    report = reports[-1]
    worst = max(report.volumes, key=lambda volume: volume.base.queue_depth)
    if worst.base.queue_depth <= LONGEST:
        return ""
    waits = f"{fixed(worst.base.queue_depth, 0)} requests wait for {worst.name}"
    why = f"more than {LONGEST:.0f} may be one burst, or a queue that still grows"
    return f"{waits}: {why}, and the page does not show which"


def by_base(explored: Explored, reports: Sequence[PoolReport]) -> Explored:
    """The readings, those rejected too whose requests wait for other bases than those of the report.

    Where aliases work for any volume the sums of a pool are compared; the queue of each base is on the page as well.

    >>> from slicewright.advise.aliases.example import explored, report
    >>> by_base(explored(), [report()]) == explored()
    True
    """
    if explored.apart or not any(report.aliases for report in reports):
        return explored
    judged = [_judged(reading, reports) for reading in explored.accepted]
    kept = [reading for reading in judged if reading.accepted]
    out = tuple(replace(reading, saturated=False) for reading in judged if not reading.accepted)
    accepted = tuple(replace(reading, saturated=at == 0) for at, reading in enumerate(kept))
    return replace(explored, accepted=accepted, rejected=(*explored.rejected, *out))


def different_kinds(explored: Explored) -> str:
    """Why no load is identified where no way of arriving fits all volumes; "" where one does.

    >>> from slicewright.advise.aliases.example import explored
    >>> different_kinds(explored())
    ''
    """
    if explored.apart or not explored.accepted or any(reading.one_kind for reading in explored.accepted):
        return ""
    main = explored.accepted[0]
    ways = dict.fromkeys(
        _way(volume.population, volume.batch)
        for volume, moves in zip(main.load.volumes, main.tight, strict=True)
        if moves
    )
    return f"volumes need different kinds of arrivals ({', '.join(ways)}), and one page does not show how these meet"


def fewer(explored: Explored, present: int, found: Recommendation) -> str:
    """Why no fewer aliases are recommended than there are, where bursts may be what keeps them in use; "" otherwise.

    >>> from slicewright.advise.aliases.example import explored
    >>> fewer(explored(), 4, Recommendation(2, 2, 5))
    ''
    """
    closed = all(reading.arrivals == "closed" for reading in explored.accepted)
    if closed or found.aliases >= present or found.high <= found.aliases:
        return ""
    return (
        f"the readings range from {found.low} to {found.high} aliases, and a page with {present} does not show bursts"
    )


def _way(population: int, batch: float) -> str:
    if population:
        return "requests that wait for each other"
    return f"batches of {batch:g}" if batch > 1 else "single arrivals"


def _judged(reading: Reading, reports: Sequence[PoolReport]) -> Reading:
    """The reading with the base at which it has another queue than a report, if any."""
    batch = max(volume.batch for volume in reading.load.volumes)
    for report, queues in zip(reports, reading.queues, strict=False):
        if not report.aliases:
            continue
        measured = np.array([volume.base.queue_depth for volume in report.volumes])
        off = np.abs(np.array(queues) - measured) / queue_allowance(report, batch)
        at = int(off.argmax())
        if off[at] > 1:
            name = report.volumes[at].name
            words = f"{fixed(queues[at], 2)} waiting for {name} against {fixed(float(measured[at]), 2)}"
            return replace(reading, elsewhere=words)
    return reading

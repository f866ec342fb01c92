"""One lock that all requests take for a part of their work, as an interpreter's: found where nothing else explains it.

A thread that waits for a lock sleeps, and a processor on which all threads sleep is not stopped: with a lock fewer
processors are stopped than threads have work, and more than with one thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from slicewright.advise.limits.fit import Observed, Reading, judged, matched, ranked, with_batch
from slicewright.advise.limits.request import LimitRequest
from slicewright.advise.limits.simulations import LimitSimulations

STEPS = 6
"""Halvings of the share of the work that is under the lock."""
NEAR = 0.02
"""Of the time for which processors were stopped: as near as a share has to bring it."""


def with_lock(
    simulations: LimitSimulations, first: Observed, question: LimitRequest, tried: Sequence[Reading]
) -> list[Reading]:
    """Readings with a lock, those that fit first; `tried` are those without one, none of which fits.

    A lock is tried for each kind of CPU time with all threads.  Where their number is not given, it is also tried with
    the fewest that are stopped for longer than was measured.  None is tried where none are, or where the share under a
    lock is given.

    >>> from dataclasses import replace
    >>> from slicewright.advise.limits.example import QUESTION, first, simulations, readings
    >>> shorter = replace(first(), stopped_ms=0.5 * first().stopped_ms)
    >>> found = with_lock(simulations(), shorter, QUESTION, readings()[:1])
    >>> found[0].why, 0 < found[0].load.serial < 1
    ('', True)
    """
    measured = first.stopped_ms
    if question.lock is not None or measured is None:
        return []
    found = []
    for scv in dict.fromkeys(reading.load.scv for reading in tried):
        longer = [reading for reading in tried if reading.load.scv == scv and reading.stopped_ms > measured]
        able = sorted((reading for reading in longer if reading.load.threads > 1), key=lambda one: one.load.threads)
        fewest = able[:1] if question.threads is None else []
        for reading in {each.load.threads: each for each in (*fewest, *able[-1:])}.values():
            found.append(_share(simulations, (first, measured), question, reading))
    return ranked(simulations, first, question, found) if found else []


def _share(
    simulations: LimitSimulations, of: tuple[Observed, float], question: LimitRequest, without: Reading
) -> Reading:
    """The share under the lock that has processors stopped for as long as they were; the batch hardly depends on it."""
    load, (first, measured) = without.load, of

    def stopped_ms(share: float) -> float:
        return matched(simulations, question.group, replace(load, serial=share), first).stopped_ms

    low, high, share = 0.0, 1.0, 1.0
    if stopped_ms(share) < measured:
        for _ in range(STEPS):
            share = (low + high) / 2
            gap = stopped_ms(share) / measured - 1
            if abs(gap) <= NEAR:
                break
            low, high = (share, high) if gap > 0 else (low, share)
    locked = with_batch(simulations, first, question.group, replace(load, serial=share), load.batch)
    return judged(locked, first, question)

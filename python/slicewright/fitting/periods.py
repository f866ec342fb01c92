"""The day as periods: neighbouring intervals of one level of load, each with the clock of its start."""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from slicewright.experiment.outcome import Array
from slicewright.fitting.evidence import Evidence
from slicewright.fitting.split import Split

LEVEL = 0.1
"""Neighbours whose rates and requests present differ by no more than this share are one period."""

MOST = 12
"""Periods at most: the nearest neighbours are joined until no more are left."""


@dataclass(frozen=True, slots=True)
class Period:
    """Shown intervals of one level of load, one after the other."""

    tag: str
    """The clock at its start, as names have it: 0900."""
    shown: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Level:
    """The load that is predicted for a held-out interval: of one period, or linear in time between two of them."""

    before: int
    after: int
    share: float
    """The weight of the later one; 0 within a period."""

    def words(self, periods: Sequence[Period]) -> str:
        """The periods by their clocks.

        >>> Level(0, 1, 0.5).words([Period("0900", (0,)), Period("1000", (2,))])
        '0900, 1000'
        """
        return ", ".join(dict.fromkeys(periods[at].tag for at in (self.before, self.after)))


def level(periods: Sequence[Period], interval: int) -> Level:
    """The level of an interval: that of its period, or for a held-out one that of the shown ones before and after it.

    >>> level([Period("0900", (0, 2)), Period("1000", (4,))], 3)
    Level(before=0, after=1, share=0.5)
    """
    place = {shown: at for at, period in enumerate(periods) for shown in period.shown}
    before = max((shown for shown in place if shown <= interval), default=min(place))
    after = min((shown for shown in place if shown >= interval), default=max(place))
    if place[before] == place[after]:
        return Level(place[before], place[before], 0.0)
    return Level(place[before], place[after], (interval - before) / (after - before))


def periods(evidence: Evidence, split: Split, starts_us: Sequence[int]) -> list[Period]:
    """The periods of a day, from its shown intervals alone."""
    load = _load(evidence)
    parts = [[number] for number in split.shown]
    while len(parts) > 1:
        apart = [_apart(load[a].mean(axis=0), load[b].mean(axis=0)) for a, b in itertools.pairwise(parts)]
        at = int(np.argmin(apart))
        if apart[at] > LEVEL and len(parts) <= MOST:
            break
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    tags = _tags([starts_us[part[0]] for part in parts])
    return [Period(tag, tuple(part)) for tag, part in zip(tags, parts, strict=True)]


def _load(evidence: Evidence) -> Array:
    """Intervals x measures x groups: rates, and requests present (Little's law)."""
    rates = [group.rate.sum(axis=1) for group in evidence.groups]
    present = [np.nansum(group.io_per_s * group.response_ms, axis=1) / 1000 for group in evidence.groups]
    return np.stack([np.column_stack(rates), np.column_stack(present)], axis=1)


def _apart(one: Array, other: Array) -> float:
    """How far apart two levels are: the difference as a share of the larger, of rates or of requests present."""
    whole = np.maximum(np.maximum(one.sum(axis=1), other.sum(axis=1)), 1e-9)
    return float((np.abs(one - other).sum(axis=1) / whole).max())


def _tags(starts_us: Sequence[int]) -> list[str]:
    """The shortest clock that differs between all periods.

    >>> _tags([0, 3_600_000_000]), _tags([0, 5_000_000])
    (['0000', '0100'], ['000000', '000005'])
    """
    clocks = [datetime.datetime.fromtimestamp(us / 1e6, datetime.UTC) for us in starts_us]
    forms = ("%H%M", "%H%M%S", "%m%d-%H%M%S")
    for form in forms:
        tags = [clock.strftime(form) for clock in clocks]
        if len(set(tags)) == len(tags):
            return tags
    return [f"p{number}" for number in range(1, len(clocks) + 1)]

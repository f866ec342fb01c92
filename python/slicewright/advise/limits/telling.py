"""Intervals that tell something about throttling, judged one by one; the others are excluded with a reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from slicewright.advise.limits.intervals import Interval
from slicewright.advise.limits.model import Group
from slicewright.statistics import percent, plural

MOST_USED = 0.97
"""Of what is allowed: above it requests pile up, and what is served is what the limit lets through."""
LIKE = 0.2
"""ASSUME: intervals that used at most this share more or less than those that were throttled have the same load."""
MOST_NAMED = 3
"""Intervals that are named of those that are excluded for one reason."""
FEWEST_THROTTLED, LEAST_PERCENT = 10, 0.1
"""Throttled periods, and their share in percent of all, below which nothing is to be found from them."""
IDLE = "no period was counted: the group was idle, or had no limit"
FULL = "the limit was used up, so requests piled up"


def tells(periods: float, throttled: float) -> bool:
    """Whether throttled periods are enough to find a load from: for one group and for those of a fleet alike.

    >>> tells(600, 12), tells(600, 9), tells(320_000, 77)
    (True, False, False)
    """
    return throttled >= FEWEST_THROTTLED and 100 * throttled >= LEAST_PERCENT * periods


@dataclass(frozen=True, slots=True)
class Excluded:
    """An interval without information about throttling, and why it has none."""

    interval: Interval
    why: str


@dataclass(frozen=True, slots=True)
class Judged:
    """Intervals that tell something, in their order, and those that are excluded."""

    used: tuple[Interval, ...]
    excluded: tuple[Excluded, ...] = ()

    @property
    def full(self) -> bool:
        """Whether any is excluded because the limit was used up."""
        return any(each.why == FULL for each in self.excluded)

    def words(self) -> list[str]:
        """The intervals that are excluded, in a line for each reason.

        >>> from slicewright.advise.limits.intervals import Clock
        >>> idle = Interval(1, 2, 0.0, 0, 0, 0.0, 60.0, Clock.EVERY)
        >>> Judged((), (Excluded(idle, IDLE),)).words()
        ['excluded: copy 1 to 2: no period was counted: the group was idle, or had no limit']
        """
        named: dict[str, list[str]] = {}
        for each in self.excluded:
            named.setdefault(each.why, []).append(each.interval.name)
        return [f"excluded: {_list(names)}: {why}" for why, names in named.items()]


def judged_one_by_one(found: Sequence[Interval], group: Group) -> Judged:
    """The intervals that tell something: not idle, not full, and with as much used as where the group was throttled.

    The time used decides, and not whether an interval was throttled: that choice would show more throttling than there
    was.  Where fewer than two were alike, all that are neither idle nor full are used: another rate is allowed.

    >>> from slicewright.advise.limits.intervals import Clock
    >>> alike = [Interval(at, at + 1, 20.0, 600, 60, 5.0, 60.0, Clock.EVERY) for at in (1, 2)]
    >>> night = Interval(3, 4, 1.0, 600, 0, 0.0, 60.0, Clock.EVERY)
    >>> [each.interval.name for each in judged_one_by_one([*alike, night], Group(0.5, 100.0)).excluded]
    ['copy 3 to 4']
    """
    left = [Excluded(interval, IDLE) for interval in found if not interval.periods]
    counted = [interval for interval in found if interval.periods]
    left += [Excluded(interval, FULL) for interval in counted if _share(interval, group) > MOST_USED]
    able = [interval for interval in counted if _share(interval, group) <= MOST_USED]
    throttled = sum(interval.throttled for interval in able)
    if throttled:
        usual = sum(interval.throttled * _share(interval, group) for interval in able) / throttled
        unlike = [interval for interval in able if abs(_share(interval, group) / usual - 1) > LIKE]
        if len(able) - len(unlike) >= 2:
            why = f"another load: it used less or more than {percent(usual)} of what is allowed by over {percent(LIKE)}"
            left += [Excluded(interval, why) for interval in unlike]
            able = [interval for interval in able if interval not in unlike]
    return Judged(tuple(able), tuple(sorted(left, key=lambda each: each.interval.first)))


def _share(interval: Interval, group: Group) -> float:
    """Processor time used, as a share of what the limit allows in the counted periods."""
    return interval.used_s / (group.quota_ms / 1000 * interval.periods)


def _list(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {plural(more, 'more interval')}" if more > 0 else "")

"""Intervals between copies of cpu.stat: their lengths, and which of them are evidence."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from slicewright.advise.limits.cpu_stat import Copy, read_copies
from slicewright.reading.cgroup import MOST_USED, Clock, Group, Interval
from slicewright.statistics import percent, plural
from slicewright.values.errors import Problem, gathered, problem, refusal

_COUNTERS = ("used_s", "periods", "throttled", "stopped_s", "at_s")
"""Counters that can only grow from one copy to the next."""


def read_all(named: Sequence[tuple[str, bytes]]) -> list[Copy]:
    """All copies of some files (name, content) in their order; raises InputError with every problem of all of them."""
    problems: list[Problem] = []
    copies: list[Copy] = []
    for name, data in named:
        for contents in gathered(problems, functools.partial(read_copies, data, name)):
            copies += contents
    problems += _impossible(copies)
    if len({copy.stopped_s is None for copy in copies}) > 1:
        copies = [replace(copy, stopped_s=None) for copy in copies]
    problems += [backward for at in range(1, len(copies)) for backward in _backwards(copies[at - 1], copies[at], at)]
    if problems:
        raise refusal(*problems)
    return copies


def intervals(copies: Sequence[Copy], period_ms: float, every_s: float | None) -> list[Interval]:
    """The intervals between copies, and before them what was counted until the first of two.

    With three copies or more, the time before the first is not used.  Raises InputError where none has a period; some
    without one are idle times.

    >>> text = b"usage_usec 1000000\\nnr_periods 50\\nnr_throttled 9\\nthrottled_usec 450000\\n"
    >>> later = b"usage_usec 9000000\\nnr_periods 350\\nnr_throttled 60\\nthrottled_usec 3000000\\n"
    >>> [(one.name, one.periods, one.length_s) for one in intervals(read_copies(text + later, "a"), 100.0, None)]
    [('until copy 1', 50, 5.0), ('copy 1 to 2', 300, 30.0)]
    """
    problems: list[Problem] = []
    idle: list[Problem] = []
    found: list[Interval] = []
    timed = every_s is None and all(copy.at_s is not None for copy in copies)
    for at in range(1, len(copies)):
        before, after = copies[at - 1], copies[at]
        periods = after.periods - before.periods
        length, clock = periods * period_ms / 1000, Clock.PERIODS
        if every_s is not None:
            length, clock = every_s, Clock.EVERY
        elif timed and before.at_s is not None and after.at_s is not None:
            length, clock = after.at_s - before.at_s, Clock.TIME
        (problems if periods else idle).extend(_timeless(periods, length, (before, after), at))
        problems += _too_many(periods * period_ms / 1000, (length, period_ms), clock, after)
        counted = (after.used_s - before.used_s, periods, after.throttled - before.throttled)
        stopped_s = _difference(after.stopped_s, before.stopped_s)
        found.append(Interval(at, at + 1, *counted, stopped_s, length, clock))
    if problems or (found and not any(interval.periods for interval in found)):
        raise refusal(*problems, *idle)
    return [*since_it_was_made(copies, period_ms), *found] if len(copies) < 3 else found


def since_it_was_made(copies: Sequence[Copy], period_ms: float) -> list[Interval]:
    """The counters until the first copy; nothing where no period was counted.

    >>> text = b"usage_usec 1000000\\nnr_periods 50\\nnr_throttled 9\\nthrottled_usec 450000\\n"
    >>> since_it_was_made(read_copies(text, "a"), 100.0)[0].name
    'until copy 1'
    """
    one = copies[0]
    if one.periods == 0:
        return []
    length = one.periods * period_ms / 1000
    return [Interval(0, 1, one.used_s, one.periods, one.throttled, one.stopped_s, length, Clock.PERIODS)]


def _difference(after: float | None, before: float | None) -> float | None:
    return None if after is None or before is None else after - before


def _impossible(copies: Sequence[Copy]) -> list[Problem]:
    return [
        problem(f"more throttled periods than periods: {copy.throttled} of {copy.periods}",
                **copy.place("throttled"), allowed=f"at most nr_periods, {copy.periods}")
        for copy in copies if copy.throttled > copy.periods
    ]  # fmt: skip


def _backwards(before: Copy, after: Copy, at: int) -> list[Problem]:
    if before.layout != after.layout:
        what = f"copy {at + 1} has the layout {after.layout}, copy {at} {before.layout}"
        return [problem(what, file=after.file, line=after.line, allowed="copies of one group on one machine")]
    found = []
    for key in _COUNTERS:
        earlier, later = getattr(before, key), getattr(after, key)
        if earlier is not None and later is not None and later < earlier:
            what = f"runs backwards from copy {at} to copy {at + 1}: {_raw(earlier)} to {_raw(later)}"
            why = "counters of one group only grow: the copies are not oldest first, or the container was restarted"
            allowed = "copies of one group without a restart, oldest first"
            found.append(problem(what, **after.place(key), why=why, allowed=allowed))
    return found


def _raw(value: float) -> str:
    return f"{value}" if isinstance(value, int) else f"{value:.6f} s"


def _timeless(periods: int, length_s: float, both: tuple[Copy, Copy], at: int) -> list[Problem]:
    before, after = both
    if length_s <= 0:
        key = "at_s" if periods > 0 else "periods"
        what = f"no time between copy {at} and copy {at + 1}"
        why = "no period was counted: the group was idle, has no limit, or the same copy was given twice"
        return [problem(what, **after.place(key), why=why, allowed="copies at least a minute apart")]
    if periods == 0 and after.used_s > before.used_s:
        why = "the kernel counts periods of a limited group while it runs"
        what = f"no period from copy {at} to copy {at + 1}, though processor time was used"
        return [
            problem(what, **after.place("periods"), why=why, allowed="copies from a time when the limit was in force")
        ]
    if periods == 0:
        what = f"no processor time was used from copy {at} to copy {at + 1}"
        return [problem(what, **after.place("periods"), allowed="copies from a time with requests")]
    return []


def _too_many(counted_s: float, known: tuple[float, float], clock: Clock, after: Copy) -> list[Problem]:
    """Periods fit into the time that passed; two percent for clocks that are read one after the other."""
    length_s, period_ms = known
    if clock is Clock.PERIODS or counted_s <= 1.02 * length_s + 2 * period_ms / 1000:
        return []
    what = f"{counted_s:g} s of periods in {length_s:g} s"
    why = "either the period or the time between copies is wrong"
    allowed = "--period as in cpu.max, --every as the time between copies"
    return [problem(what, **after.place("periods"), why=why, allowed=allowed)]


LIKE = 0.2
"""ASSUME: intervals that used at most this share more or less than those that were throttled have the same load."""
_MOST_NAMED = 3
"""Intervals that are named of those that are excluded for one reason."""
FEWEST_THROTTLED, LEAST_PERCENT = 10, 0.1
"""Throttled periods, and their share in percent of all, below which nothing is to be found from them."""
_IDLE = "no period was counted: the group was idle, or had no limit"
_FULL = "the limit was used up, so requests piled up"


def tells(periods: float, throttled: float) -> bool:
    """Whether throttled periods are enough to find a load from: for one group and for those of a fleet alike.

    >>> tells(600, 12), tells(600, 9), tells(320_000, 77)
    (True, False, False)
    """
    return throttled >= FEWEST_THROTTLED and 100 * throttled >= LEAST_PERCENT * periods


@dataclass(frozen=True, slots=True)
class _Excluded:
    """An interval without information about throttling, and why it has none."""

    interval: Interval
    why: str


@dataclass(frozen=True, slots=True)
class Judged:
    """Intervals that tell something, in their order, and those that are excluded."""

    used: tuple[Interval, ...]
    excluded: tuple[_Excluded, ...] = ()

    @property
    def full(self) -> bool:
        """Whether any is excluded because the limit was used up."""
        return any(each.why == _FULL for each in self.excluded)

    def words(self) -> list[str]:
        """The intervals that are excluded, in a line for each reason.

        >>> from slicewright.advise.limits.intervals import Clock
        >>> idle = Interval(1, 2, 0.0, 0, 0, 0.0, 60.0, Clock.EVERY)
        >>> Judged((), (_Excluded(idle, _IDLE),)).words()
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
    left = [_Excluded(interval, _IDLE) for interval in found if not interval.periods]
    counted = [interval for interval in found if interval.periods]
    left += [_Excluded(interval, _FULL) for interval in counted if _share(interval, group) > MOST_USED]
    able = [interval for interval in counted if _share(interval, group) <= MOST_USED]
    throttled = sum(interval.throttled for interval in able)
    if throttled:
        usual = sum(interval.throttled * _share(interval, group) for interval in able) / throttled
        unlike = [interval for interval in able if abs(_share(interval, group) / usual - 1) > LIKE]
        if len(able) - len(unlike) >= 2:
            why = f"another load: it used less or more than {percent(usual)} of what is allowed by over {percent(LIKE)}"
            left += [_Excluded(interval, why) for interval in unlike]
            able = [interval for interval in able if interval not in unlike]
    return Judged(tuple(able), tuple(sorted(left, key=lambda each: each.interval.first)))


def _share(interval: Interval, group: Group) -> float:
    """Processor time used, as a share of what the limit allows in the counted periods."""
    return interval.used_s / (group.quota_ms / 1000 * interval.periods)


def _list(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {plural(more, 'more interval')}" if more > 0 else "")

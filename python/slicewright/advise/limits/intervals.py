"""What happened between two copies of `cpu.stat`: counters over an interval, how long it was, and how that is known."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from slicewright.advise.limits.cpu_stat import Copy, read_copies
from slicewright.errors import Problem, gathered, problem, refusal

COUNTERS = ("used_s", "periods", "throttled", "stopped_s", "at_s")
"""Counters that can only grow from one copy to the next."""


class Clock(Enum):
    """How the length of an interval is known."""

    TIME = "time"
    """Each copy says when it was made."""
    EVERY = "every"
    """The time between copies is given."""
    PERIODS = "periods"
    """At least nr_periods x period: the kernel's timer rests while a group does nothing (sched-bwc.rst)."""


@dataclass(frozen=True, slots=True)
class Interval:
    """One interval: time used, periods counted, periods throttled, and the time stopped in all.

    `length_s` is how long it was; where `clock` is PERIODS that is the least that it can have been.  `first` and `last`
    are numbers of copies, from 1; 0 is when the group was made.  `stopped_s` is None where no copy has it.

    >>> one = Interval(1, 2, 20.0, 600, 120, 9.0, 60.0, Clock.EVERY)
    >>> one.throttled_percent, one.stopped_ms
    (20.0, 75.0)
    """

    first: int
    last: int
    used_s: float
    periods: int
    throttled: int
    stopped_s: float | None
    length_s: float
    clock: Clock

    @property
    def throttled_percent(self) -> float:
        """The share of the periods that were throttled, in percent; 0 where none was counted."""
        return 100 * self.throttled / self.periods if self.periods else 0.0

    @property
    def stopped_ms(self) -> float | None:
        """For how long processors were stopped, in ms of each throttled period; 0 without any, None: not known."""
        if self.stopped_s is None:
            return None
        return 1000 * self.stopped_s / self.throttled if self.throttled else 0.0

    @property
    def stopped_percent(self) -> float | None:
        """Stopped processors' worth, in percent of one, over all of the time; None where it is not known."""
        return None if self.stopped_s is None else 100 * self.stopped_s / self.length_s if self.length_s else 0.0

    @property
    def name(self) -> str:
        """In words: from which copy to which."""
        return f"copy {self.first} to {self.last}" if self.first else f"until copy {self.last}"


def read_all(named: Sequence[tuple[str, bytes]]) -> list[Copy]:
    """All copies of some files (name, content) in their order; raises InputError with every problem of all of them.

    >>> two = b"usage_usec 1\\nnr_periods 5\\nnr_throttled 1\\nthrottled_usec 5\\n"
    >>> len(read_all([("a", two), ("b", two.replace(b" 5", b" 9"))]))
    2
    """
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


def pooled(parts: Sequence[Interval]) -> Interval:
    """Several intervals, one after the other, as one.

    >>> half = Interval(1, 2, 10.0, 300, 60, 4.5, 30.0, Clock.EVERY)
    >>> pooled([half, half]).throttled_percent, pooled([half, half]).length_s
    (20.0, 60.0)
    """
    first, last = parts[0], parts[-1]
    return Interval(
        first.first, last.last, sum(part.used_s for part in parts), sum(part.periods for part in parts),
        sum(part.throttled for part in parts), _sum([part.stopped_s for part in parts]),
        sum(part.length_s for part in parts),
        first.clock,
    )  # fmt: skip


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


def _sum(parts: Sequence[float | None]) -> float | None:
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None


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
    for key in COUNTERS:
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

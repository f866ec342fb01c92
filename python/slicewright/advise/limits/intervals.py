"""Intervals between copies of cpu.stat: their lengths, which of them are evidence, and how much they vary."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from slicewright.advise.limits.cpu_stat import Copy, read_copies
from slicewright.advise.limits.model import Group, Load
from slicewright.experiment.outcome import Array
from slicewright.statistics import fixed, percent, plural
from slicewright.values.errors import Problem, gathered, problem, refusal

_COUNTERS = ("used_s", "periods", "throttled", "stopped_s", "at_s")
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


MOST_USED = 0.97
"""Of what is allowed: above it requests pile up, and what is served is what the limit lets through."""
_LIKE = 0.2
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
        unlike = [interval for interval in able if abs(_share(interval, group) / usual - 1) > _LIKE]
        if len(able) - len(unlike) >= 2:
            why = (
                f"another load: it used less or more than {percent(usual)} of what is allowed by over {percent(_LIKE)}"
            )
            left += [_Excluded(interval, why) for interval in unlike]
            able = [interval for interval in able if interval not in unlike]
    return Judged(tuple(able), tuple(sorted(left, key=lambda each: each.interval.first)))


def _share(interval: Interval, group: Group) -> float:
    """Processor time used, as a share of what the limit allows in the counted periods."""
    return interval.used_s / (group.quota_ms / 1000 * interval.periods)


def _list(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {plural(more, 'more interval')}" if more > 0 else "")


_LEVEL = 0.01
"""A load is refuted where it would show less variation, or more, than was measured this seldom."""
MODEL = 2.0
"""ASSUME: factor by which a variance may be off in addition: lumps of work are inferred from throttling."""
VARIES = "varies "
MORE, _LESS = f"{VARIES}more", f"{VARIES}less"
"""First words on a load that varies more, or less, from interval to interval than what was measured."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Processor time used in some intervals of about the same load.

    `length_s` is the mean length of an interval.  `squares_s2` sums the squared differences from a constant rate.
    """

    length_s: float
    count: int
    squares_s2: float
    used_s: float

    @property
    def deviation_s(self) -> float:
        """The standard deviation of what an interval used."""
        return math.sqrt(self.squares_s2 / (self.count - 1))


def spread_of(found: Sequence[Interval]) -> Spread | None:
    """The spread between intervals; None where there are fewer than two, or only their periods say how long they were.

    >>> alike = [Interval(at, at + 1, 9.0, 900, 600, 52.2, 300.0, Clock.TIME) for at in (1, 2, 3)]
    >>> spread_of(alike)
    Spread(length_s=300.0, count=3, squares_s2=0.0, used_s=9.0)
    """
    timed = [interval for interval in found if interval.clock is not Clock.PERIODS]
    if len(timed) < 2:
        return None
    length = sum(interval.length_s for interval in timed)
    rate = sum(interval.used_s for interval in timed) / length
    # A longer interval varies more, in proportion to its length.
    mean = length / len(timed)
    squares = sum(
        (interval.used_s - rate * interval.length_s) ** 2 * mean / interval.length_s for interval in timed
    )  # fmt: skip
    return Spread(mean, len(timed), float(f"{squares:.9g}"), rate * mean)


def variance_s2(load: Load, length_s: float) -> tuple[float, float]:
    """The least and the most variance of the work that arrives in an interval, s² of processor time.

    Batches arrive as a renewal process: variance of their number over its mean is the spread of the gaps (Cox, Renewal
    Theory, 1962, section 4.2).  Of a geometric batch of mean b the second moment over the mean is 2 b - 1.  A rate that
    rises and falls adds the variance of its integral: least where it does so by a clock, most where it switches at
    random, so that its correlation falls as exp(-2 t / phase).

    >>> random, regular = (Load(1.0, 30.0, 0.0, 1.0, 1, arrivals=kind) for kind in ("geometric", "regular"))
    >>> round(variance_s2(random, 300.0)[0], 6), variance_s2(regular, 300.0)
    (0.27, (0.0, 0.0))
    """
    pattern, work, each = load.pattern, load.used * length_s, load.cpu_ms / 1000
    rest = load.batch % 1
    lump = 2 * load.batch - 1 if pattern.geometric else pattern.gap_scv * load.batch + rest * (1 - rest) / load.batch
    steady = work * each * (lump + load.scv)
    if not load.swing:
        return steady, steady
    cycle_s, kept_s = 2 * pattern.phase_s, pattern.phase_s / 2
    part_s = min(length_s % cycle_s, -length_s % cycle_s)
    by_clock = part_s**2 * (1 - 4 * part_s / (3 * cycle_s))
    random = 2 * kept_s * (length_s - kept_s * (1 - math.exp(-length_s / kept_s)))
    low, high = sorted((by_clock, random))
    return steady + (load.swing * load.used) ** 2 * low, steady + (load.swing * load.used) ** 2 * high


def refuted(load: Load, seen: Spread | None, group: Group) -> str:
    """Why the spread between intervals refutes a load; empty where it does not, or where nothing is known of it.

    Queues even out what is used: an interval shorter than they last shows less variation.  The end of an interval may
    cut a batch, which is not held against a load.

    >>> seen = Spread(300.0, 3, 0.0, 9.0)
    >>> refuted(Load(1.0, 30.0, 0.0, 1.0, 1), seen, Group(0.13, 100.0))
    'varies more from interval to interval than measured: .52 s of processor time, measured .00 s'
    >>> refuted(Load(1.0, 30.0, 0.0, 1.0, 1, arrivals="regular"), seen, Group(0.13, 100.0))
    ''
    """
    if seen is None:
        return ""
    degrees, (least, most) = seen.count - 1, variance_s2(load, seen.length_s)
    batch_s = load.batch * load.cpu_ms / 1000
    # Lumps of work are inferred from throttling where requests come at random; a clock has none to infer.
    off = 1.0 if load.pattern.regular else MODEL
    low = least * seen.length_s / (seen.length_s + 2 * _queue_s(load, group))
    rounded = 0.0
    if load.scv == 0 and not load.pattern.geometric:
        # Whole batches alone make up a mean that is no multiple of them by more of them in some intervals.
        part = seen.used_s / batch_s % 1
        low, rounded = max(low, part * (1 - part) * batch_s**2), degrees * batch_s**2 / 12
    words = f"from interval to interval than measured: {fixed(math.sqrt(max(low, most)), 2)} s of processor time,"
    words = f"{words} measured {fixed(seen.deviation_s, 2)} s"
    high = off * (most + batch_s**2 / 2)
    less, _ = sides(*(np.array(each) for each in (degrees, seen.squares_s2 + rounded, low / off, high)))
    _, more = sides(*(np.array(each) for each in (degrees, seen.squares_s2, low / off, high)))
    return f"{MORE} {words}" if less else f"{_LESS} {words}" if more else ""


def sides(degrees: Array, squares_s2: Array, low_s2: Array, high_s2: Array) -> tuple[Array, Array]:
    """Where variation is less than the lower, and where it is more than the higher of two variances would show."""
    from scipy.special import chdtr, chdtrc

    with np.errstate(invalid="ignore", divide="ignore"):
        less = (low_s2 > 0) & (chdtr(degrees, squares_s2 / low_s2) < _LEVEL)
        more = (high_s2 > 0) & (chdtrc(degrees, squares_s2 / high_s2) < _LEVEL)
    return less, more


def _queue_s(load: Load, group: Group) -> float:
    """How long a queue lasts under the limit: the relaxation time of a queue in heavy traffic."""
    busy = min(load.used / group.limit, 0.99)
    lump_ms = load.cpu_ms * (2 * load.batch - 1 + load.scv)
    return group.period_ms / 1000 * lump_ms / group.quota_ms / (1 - busy) ** 2

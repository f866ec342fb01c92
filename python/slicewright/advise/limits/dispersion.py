"""Whether a load varies from interval to interval as much as what was measured: a test of how requests arrive.

Equal work in equal intervals refutes random arrivals, and work that comes and goes refutes a steady rate.  Throttling
within a period does not tell these apart: batches make up for either.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from slicewright.advise.limits.intervals import Clock, Interval
from slicewright.advise.limits.model import Group, Load
from slicewright.experiment.outcome import Array
from slicewright.statistics import fixed

LEVEL = 0.01
"""A load is refuted where it would show less variation, or more, than was measured this seldom."""
MODEL = 2.0
"""ASSUME: factor by which a variance may be off in addition: lumps of work are inferred from throttling."""
VARIES = "varies "
MORE, LESS = f"{VARIES}more", f"{VARIES}less"
"""First words on a load that varies more, or less, from interval to interval than what was measured."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Processor time used in some intervals of about the same load.

    `length_s` is the mean length of an interval.  `squares_s2` sums the squared differences from a constant rate.

    >>> Spread(300.0, 3, 0.0, 9.0).deviation_s
    0.0
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
    return f"{MORE} {words}" if less else f"{LESS} {words}" if more else ""


def sides(degrees: Array, squares_s2: Array, low_s2: Array, high_s2: Array) -> tuple[Array, Array]:
    """Where variation is less than the lower, and where it is more than the higher of two variances would show.

    >>> import numpy as np
    >>> sides(*(np.array([value]) for value in (59.0, 1.0, 1.0, 1.0)))
    (array([ True]), array([False]))
    """
    from scipy.special import chdtr, chdtrc

    with np.errstate(invalid="ignore", divide="ignore"):
        less = (low_s2 > 0) & (chdtr(degrees, squares_s2 / low_s2) < LEVEL)
        more = (high_s2 > 0) & (chdtrc(degrees, squares_s2 / high_s2) < LEVEL)
    return less, more


def _queue_s(load: Load, group: Group) -> float:
    """How long a queue lasts under the limit: the relaxation time of a queue in heavy traffic."""
    busy = min(load.used / group.limit, 0.99)
    lump_ms = load.cpu_ms * (2 * load.batch - 1 + load.scv)
    return group.period_ms / 1000 * lump_ms / group.quota_ms / (1 - busy) ** 2

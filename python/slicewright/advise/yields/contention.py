"""Whether a yield can gain anything at all: what a scenario's numbers say, and what the runs measured of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from slicewright.advise.yields.locked import Locked
from slicewright.advise.yields.measured import Measured
from slicewright.advise.yields.yielding import Yielding
from slicewright.experiment.paired import known
from slicewright.statistics import Estimate, estimate

CONTENDED_PERCENT = 0.1
"""ASSUME: below this share of acquisitions that had to spin, locks are not contended."""
FAST_PERCENT = 99.0
"""ASSUME: from this share on practically all X'44' are fast."""


class Why(Enum):
    """Why no gain is to be expected."""

    ALONE = "alone"
    """One virtual processor in each machine: each task finds its lock free."""
    ROOM = "room"
    """As many processors as virtual processors: the holder of a lock runs, and no virtual processor waits for one."""
    UNCONTENDED = "uncontended"
    """Measured: almost no task has to spin."""
    FAST = "fast"
    """Measured: practically all X'44' are fast: no virtual processor waits in the vectors."""


class Gains(Enum):
    """The gains in the simulated runs."""

    NONE = "none"
    """Every interval lies within what counts as no difference."""
    OPEN = "open"
    """Noise leaves open whether one does."""
    SOME = "some"
    """One does not, beyond noise."""


@dataclass(frozen=True, slots=True)
class Contention:
    """Why nothing is to be expected of yields, if so, and what was measured; of one number of processors.

    `most`: the difference that is farthest from none, interval included, and whose it is.

    >>> Contention((), Gains.OPEN, Estimate(0.2, 1.4, 4), Estimate(99.5, 0.1, 4), Estimate(0.5, 0.1, 4)).expected
    True
    """

    why: tuple[Why, ...]
    gains: Gains
    most: Estimate
    fast_percent: Estimate
    contended_percent: Estimate

    @property
    def expected(self) -> bool:
        """Whether a gain may be expected."""
        return not self.why


def contention(
    partition: Locked, processors: int, trials: Mapping[Yielding, Measured], gains: Sequence[Estimate], least: float
) -> Contention:
    """The gain to expect on `processors`, from trials of some yields and their gains over each other.

    DIAGNOSE X'9C' gains nothing without processor contention, nor over fast X'44' (z/VM 5.3 report, Diagnose X'9C'
    Support).  Shares are tested: their intervals have to lie on their side of what counts as none, or as all.

    >>> from slicewright.advise.yields.example import simulations, spinners
    >>> from slicewright.advise.yields.yielding import On
    >>> now = spinners().yields
    >>> [one.value for one in contention(spinners(), 8, {now: simulations().at(On(now, 8))}, [], 1.0).why]
    ['room', ...]
    """
    contended = [_known(trial, "contended_percent") for trial in trials.values()]
    most_contended = max(contended, key=_high, default=estimate([]))
    fast = next(
        (_known(trial, "fast_x44_percent") for key, trial in trials.items() if key.alike == "x44"), estimate([])
    )
    taken = any(trial.mean("taken_per_s") > 0 for trial in trials.values())
    why = []
    if all(kind.virtual_processors == 1 for kind in partition.kinds):
        why.append(Why.ALONE)
    if processors >= partition.virtual_processors and not partition.controlled.shares:
        why.append(Why.ROOM)
    if not taken or _high(most_contended) < CONTENDED_PERCENT:
        why.append(Why.UNCONTENDED)
    if fast.replications and fast.mean - _noise(fast) >= FAST_PERCENT:
        why.append(Why.FAST)
    most = max(gains, key=lambda gain: abs(gain.mean) + _noise(gain), default=Estimate(0.0, 0.0, 0))
    return Contention(tuple(why), _measured(gains, least), most, fast, most_contended)


def _measured(gains: Sequence[Estimate], least: float) -> Gains:
    if any(abs(gain.mean) - _noise(gain) > least for gain in gains):
        return Gains.SOME
    return Gains.NONE if all(abs(gain.mean) + _noise(gain) <= least for gain in gains) else Gains.OPEN


def _known(trial: Measured, name: str) -> Estimate:
    return known(trial.columns[name])


def _noise(value: Estimate) -> float:
    return value.half_width if math.isfinite(value.half_width) else math.inf


def _high(value: Estimate) -> float:
    return value.mean + (value.half_width if math.isfinite(value.half_width) else 0.0) if value.replications else 0.0

"""Which setting to choose: that of now, unless one does more work, or as much in less processor time.

Settings that differ by less than noise, or than a stated tolerance, count as alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from slicewright.advise.polarization.measured import Measured
from slicewright.advise.polarization.setting import Setting, product_default
from slicewright.experiment.paired import below, beyond, percent_over
from slicewright.statistics import Estimate, estimate

Trials = Mapping[Setting, Measured]


@dataclass(frozen=True, slots=True)
class Tolerances:
    """The largest differences that count as none, in percent: of work or CPU time; of CPU wait, of guests' time."""

    loss_percent: float = 1.0
    wait_percent: float = 10.0


@dataclass(frozen=True, slots=True)
class Difference:
    """One run less another, replication by replication, in percent of the other's mean.

    `wait`: processors' worth that more virtual processors wait, in percent of the time that the other's guests run.
    """

    work: Estimate
    total: Estimate
    wait: Estimate


def difference(base: Measured, other: Measured) -> Difference:
    """How another run differs from a base, paired by replication.

    >>> from slicewright.advise.polarization.example import simulations, zvm
    >>> now, flat = (simulations().at(one) for one in (zvm().now, zvm().now.with_(polarization="horizontal")))
    >>> difference(now, now).total.mean, difference(now, flat).work.mean < 0
    (0.0, True)
    """
    running = base.mean("guests_percent") / 100
    wait = (other.columns["ready"] - base.columns["ready"]) / running * 100 if running > 0 else np.zeros(1)
    work, total = (percent_over(base, other, name) for name in ("work_percent", "total_percent"))
    return Difference(work, total, estimate(wait.tolist()))


def alike(base: Measured, other: Measured, tolerances: Tolerances) -> bool:
    """Whether work, processor time and wait differ by nothing that counts."""
    found, small = difference(base, other), tolerances.loss_percent
    limits = ((found.work, small), (found.total, small), (found.wait, tolerances.wait_percent))
    return not any(beyond(value, least) or below(value, least) for value, least in limits)


def as_good(base: Measured, other: Measured, tolerances: Tolerances) -> bool:
    """Whether a run is no worse than a base as far as one can see, noise or not: to be on the safe side."""
    found, small = difference(base, other), tolerances.loss_percent
    return found.work.mean >= -small and found.total.mean <= small and found.wait.mean <= tolerances.wait_percent


def better(base: Measured, other: Measured, tolerances: Tolerances) -> bool:
    """Whether a run does more work than a base, or as much in less processor time without much more wait.

    More work, or less processor time, has to be beyond noise; less work and more wait only have to look like it.
    """
    found, small = difference(base, other), tolerances.loss_percent
    return beyond(found.work, small) or (below(found.total, small) and as_good(base, other, tolerances))


def choose(trials: Trials, now: Setting, tolerances: Tolerances) -> Setting:
    """The setting of now, unless others are better; of those the one with most work, then least processor time.

    Of several that do not differ in that, z/VM's own default; else the one that differs least from now.
    """
    here, small = trials[now], tolerances.loss_percent
    able = [trial for trial in trials if better(here, trials[trial], tolerances)]
    if not able:
        return now
    most = max(able, key=lambda one: trials[one].mean("work_percent"))
    able = [setting for setting in able if not below(difference(trials[most], trials[setting]).work, small)]
    least = min(able, key=lambda one: trials[one].mean("total_percent"))
    able = [setting for setting in able if not beyond(difference(trials[least], trials[setting]).total, small)]
    default = [setting for setting in able if setting == product_default(now.processors)]
    return default[0] if default else min(able, key=lambda one: (one.distance(now), -trials[one].mean("work_percent")))

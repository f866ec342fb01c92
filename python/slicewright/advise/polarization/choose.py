"""Which setting to choose: that of now, unless one does more work, or as much in less processor time.

What noise, or a stated tolerance, cannot tell apart counts as alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from slicewright.advise.noise import below, beyond
from slicewright.advise.polarization.setting import Setting, product_default
from slicewright.advise.polarization.trial import Trial
from slicewright.statistics import Estimate, estimate

Trials = Mapping[Setting, Trial]


@dataclass(frozen=True, slots=True)
class Tolerances:
    """What counts as no difference, in percent: of work or processor time; more CPU wait, of the time that guests run.

    >>> Tolerances().loss_percent
    1.0
    """

    loss_percent: float = 1.0
    wait_percent: float = 10.0


@dataclass(frozen=True, slots=True)
class Difference:
    """One trial less another, replication by replication, in percent of the other's mean.

    `wait`: processors' worth that more virtual processors wait, in percent of the time that the other's guests run.

    >>> from slicewright.advise.polarization.example import laboratory
    >>> lab = laboratory()
    >>> now = lab.partition.now
    >>> difference(lab.at(now), lab.at(now.with_(polarization="horizontal"))).work.mean < 0
    True
    """

    work: Estimate
    total: Estimate
    wait: Estimate


def difference(base: Trial, other: Trial) -> Difference:
    """How another trial differs from a base, paired by replication.

    >>> from slicewright.advise.polarization.example import trial
    >>> difference(trial(), trial()).total.mean
    0.0
    """
    running = base.mean("guests_percent") / 100
    wait = (other.columns["ready"] - base.columns["ready"]) / running * 100 if running > 0 else np.zeros(1)
    return Difference(
        _percent(base, other, "work_percent"), _percent(base, other, "total_percent"), estimate(wait.tolist())
    )


def alike(base: Trial, other: Trial, tolerances: Tolerances) -> bool:
    """Whether work, processor time and wait differ by nothing that counts.

    >>> from slicewright.advise.polarization.example import trial
    >>> alike(trial(), trial(), Tolerances())
    True
    """
    found, small = difference(base, other), tolerances.loss_percent
    limits = ((found.work, small), (found.total, small), (found.wait, tolerances.wait_percent))
    return not any(beyond(value, least) or below(value, least) for value, least in limits)


def as_good(base: Trial, other: Trial, tolerances: Tolerances) -> bool:
    """Whether a trial is no worse than a base as far as one can see, noise or not: to be on the safe side.

    >>> from slicewright.advise.polarization.example import trial
    >>> as_good(trial(), trial(), Tolerances())
    True
    """
    found, small = difference(base, other), tolerances.loss_percent
    return found.work.mean >= -small and found.total.mean <= small and found.wait.mean <= tolerances.wait_percent


def better(base: Trial, other: Trial, tolerances: Tolerances) -> bool:
    """Whether a trial does more work than a base, or as much in less processor time without much more wait.

    More work, or less processor time, has to be beyond noise; less work and more wait only have to look like it.

    >>> from slicewright.advise.polarization.example import trial
    >>> better(trial(), trial(), Tolerances())
    False
    """
    found, small = difference(base, other), tolerances.loss_percent
    return beyond(found.work, small) or (below(found.total, small) and as_good(base, other, tolerances))


def choose(trials: Trials, now: Setting, tolerances: Tolerances) -> Setting:
    """The setting of now, unless others are better; of those the one with most work, then least processor time.

    Of several that cannot be told apart in that, z/VM's own default; else the one that differs least from now.

    >>> from slicewright.advise.polarization.example import laboratory
    >>> lab = laboratory()
    >>> now = lab.partition.now
    >>> trials = {one: lab.at(one) for one in (now, now.with_(polarization="horizontal"))}
    >>> choose(trials, now, Tolerances()) == now
    True
    """
    here, small = trials[now], tolerances.loss_percent
    able = [one for one in trials if better(here, trials[one], tolerances)]
    if not able:
        return now
    most = max(able, key=lambda one: trials[one].mean("work_percent"))
    able = [one for one in able if not below(difference(trials[most], trials[one]).work, small)]
    least = min(able, key=lambda one: trials[one].mean("total_percent"))
    able = [one for one in able if not beyond(difference(trials[least], trials[one]).total, small)]
    default = [one for one in able if one.key == product_default(now.processors).key]
    return default[0] if default else min(able, key=lambda one: (one.distance(now), -trials[one].mean("work_percent")))


def _percent(base: Trial, other: Trial, name: str) -> Estimate:
    scale = base.mean(name)
    if not scale > 0:
        return Estimate(0.0, 0.0, 0)
    return estimate(((other.columns[name] - base.columns[name]) / scale * 100).tolist())

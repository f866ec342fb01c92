"""Which yields to choose: those of now, unless others do more beyond noise and what counts as no difference."""

from __future__ import annotations

from collections.abc import Mapping

from slicewright.advise.noise import below, beyond
from slicewright.advise.yields.trial import Trial
from slicewright.advise.yields.yielding import NEVER, SENSE, X9C, X44, Yielding
from slicewright.run.yield_budget import gain

PREFERRED = (X44, X9C, SENSE, NEVER, None)
"""Of yields that do the same: the one that most guests know and most hypervisors answer; a mixture last."""


def choose(trials: Mapping[Yielding, Trial], now: Yielding, least: float) -> Yielding:
    """The yields of now, unless others have more throughput; of those that cannot be told from the best, the usual one.

    >>> from slicewright.advise.yields.example import laboratory
    >>> lab = laboratory()
    >>> choose({lab.partition.now: lab.at(lab.partition.now)}, lab.partition.now, 1.0).words()
    "X'44'"
    """
    able = [one for one in trials if beyond(gain(trials[now].budget, trials[one].budget), least)]
    if not able:
        return now
    most = max(able, key=lambda one: trials[one].mean("work_percent"))
    able = [one for one in able if not below(gain(trials[most].budget, trials[one].budget), least)]
    return min(able, key=lambda one: (PREFERRED.index(one.alike), one.distance(now)))


def alike(trials: Mapping[Yielding, Trial], chosen: Yielding, least: float) -> tuple[Yielding, ...]:
    """Others that cannot be told from the chosen one.

    >>> from slicewright.advise.yields.example import laboratory
    >>> lab = laboratory()
    >>> alike({lab.partition.now: lab.at(lab.partition.now)}, lab.partition.now, 1.0)
    ()
    """
    found = {one: gain(trials[chosen].budget, trial.budget) for one, trial in trials.items() if one != chosen}
    return tuple(one for one, value in found.items() if not (beyond(value, least) or below(value, least)))

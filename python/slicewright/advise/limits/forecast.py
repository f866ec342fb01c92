"""Whether what was found from the first intervals foretells the last: how often it was throttled, and for how long."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from slicewright._core import student_t
from slicewright.advise.limits.fit import Observed, Reading, resting
from slicewright.advise.limits.intervals import Clock, Interval
from slicewright.advise.limits.measured import Measured
from slicewright.advise.limits.model import Group, setting_of
from slicewright.advise.limits.simulations import LimitSimulations
from slicewright.experiment.outcome import Array
from slicewright.experiment.plan import Plan

RUNS = 12
REQUESTS = 40_000
"""Requests that are simulated in all, unless the last interval is shorter."""
LEAST_PERCENT = 1.0
"""Points of throttled periods, of all, by which a forecast may always be off."""
WIDEST = 0.5
"""Of a forecast: if chance alone may move what is measured by more than this, nothing is proven by meeting it."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """One counter of the last interval: simulated, how far chance may move it (95 %), the band around it, and measured.

    >>> Forecast("throttled", 20.0, 2.0, 3.0, 22.5).holds, Forecast("throttled", 20.0, 2.0, 3.0, 24.0).holds
    (True, False)
    """

    name: str
    simulated: float
    chance: float
    band: float
    measured: float

    @property
    def holds(self) -> bool:
        """Whether what was measured is within the band."""
        return abs(self.measured - self.simulated) <= self.band

    @property
    def tells(self) -> bool:
        """Whether chance leaves something to be proven."""
        return self.chance <= WIDEST * max(self.simulated, self.measured)

    @property
    def longer(self) -> float:
        """How many times as long to measure for that: what chance does falls with the root of time."""
        most = WIDEST * max(self.simulated, self.measured)
        return (self.chance / most) ** 2 if most > 0 else math.inf


@dataclass(frozen=True, slots=True)
class Check:
    """A reading and what it foretells of the last interval.

    >>> from slicewright.advise.limits.example import checks
    >>> checks()[0].holds
    True
    """

    reading: Reading
    forecasts: tuple[Forecast, ...]

    @property
    def holds(self) -> bool:
        """Whether all of it is within the band."""
        return all(forecast.holds for forecast in self.forecasts)

    @property
    def tells(self) -> bool:
        """Whether chance leaves something to be proven."""
        return all(forecast.tells for forecast in self.forecasts)

    @property
    def longer(self) -> float:
        """How many times as long all of it would have to be measured for that; inf where nothing was to be seen."""
        return max(forecast.longer for forecast in self.forecasts)


def foretell(
    simulations: LimitSimulations,
    reading: Reading,
    both: tuple[Observed, Interval],
    group: Group,
    margin_percent: float,
) -> Check:
    """The forecast of a reading for the last of `both`, given what was used then; it was found from the first.

    The band is the margin of what is simulated, or how far chance may move the two measurements from each other where
    that is more.

    >>> from slicewright.advise.limits.example import checks
    >>> [one.name for one in checks()[0].forecasts]
    ['throttled_percent', 'stopped_percent']
    """
    first, last = both
    load = reading.load
    if not load.swing:
        load = replace(load, requests_per_s=last.used_s / last.length_s / load.cpu_ms * 1000)
    # A rate that rises and falls by itself used more in the last interval by chance, and not at another mean rate.
    setting = setting_of(group, load)
    length = min(last.length_s, max(REQUESTS / RUNS / load.requests_per_s, 20 * group.period_ms / 1000))
    plan = Plan(float(f"{length:.4g}"), float(f"{max(length / 20, group.period_ms / 100):.2g}"), RUNS)
    trial = simulations.at(load, setting, plan)
    if last.clock is Clock.PERIODS:
        load, trial = resting(load, trial, lambda one: simulations.at(one, setting, plan), (group.period_ms, True))
    # Chance moves the last interval, and the first ones, from which the reading was found.
    longer = plan.interval_s / last.length_s * (1 + last.length_s / first.interval.length_s)
    of_time = load.pattern.regular and last.clock is not Clock.PERIODS
    measured, made = _measured(last, group, of_time), _columns(trial, group, of_time)
    forecasts = []
    for name, value in measured.items():
        one = made[name]
        mean = float(one.mean())
        chance = student_t(RUNS - 1) * float(one.std(ddof=1)) * math.sqrt(longer + 1 / RUNS)
        least = LEAST_PERCENT if name.startswith("throttled") else 0.0
        forecasts.append(Forecast(name, mean, chance, max(margin_percent / 100 * mean, chance, least), value))
    return Check(reading, tuple(forecasts))


def stopped_percent(interval: Interval, group: Group) -> float | None:
    """Stopped processors' worth, in percent of one, over the periods that were counted; None where it is not known.

    >>> from slicewright.advise.limits.intervals import Clock, Interval
    >>> stopped_percent(Interval(1, 2, 24.0, 600, 120, 9.0, 60.0, Clock.EVERY), Group(0.5, 100.0))
    15.0
    """
    return (
        None if interval.stopped_s is None else 100 * interval.stopped_s / (interval.periods * group.period_ms / 1000)
    )


def _measured(last: Interval, group: Group, of_time: bool) -> dict[str, float]:
    """The counters of the last interval; `of_time`: of all periods of the time, as `Observed.share` counts them."""
    share = last.periods * group.period_ms / 1000 / last.length_s if of_time else 1.0
    stopped = stopped_percent(last, group)
    found = {"throttled_of_time_percent" if of_time else "throttled_percent": share * last.throttled_percent}
    return found if stopped is None else found | {"stopped_percent": share * stopped}


def _columns(trial: Measured, group: Group, of_time: bool) -> dict[str, Array]:
    counted_s = np.maximum(trial.columns["periods"], 1) * (group.period_ms / 1000)
    if of_time:
        counted_s = np.full_like(counted_s, trial.length_s)
    share = 100 * trial.columns["throttled"] * (group.period_ms / 1000) / counted_s
    return {
        "throttled_percent": trial.columns["throttled_percent"], "throttled_of_time_percent": share,
        "stopped_percent": 100 * trial.columns["stopped_s"] / counted_s,
    }  # fmt: skip

"""Finds guests and think times that reproduce rate and queue of every volume, by simulation with common random numbers.

A closed population obeys the interactive response-time law, rate = guests / (response + think) (Lazowska et al.,
Quantitative System Performance, section 3.4).  At the measured rate the law gives a think time for each population.
The queue decides between populations, since more guests at one rate queue more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from slicewright._core import RunError
from slicewright.experiment.outcome import Array
from slicewright.fitting.model import Simulated
from slicewright.fitting.targets import Targets
from slicewright.reading.accept import AIMED

TRIES = 5
"""Populations tried between the smallest that Little's law allows and the one that is as good as open arrivals."""

SETTLES = 4
"""How often, at most, all populations are tried together and the waits of each corrected."""

MOST_SHIFT = 2.0
"""The largest factor of one correction: a wait of zero says little of waits at other populations."""

AS_OPEN = 8
"""This many times the smallest population, and as many more, differ from open arrivals by less than noise."""

NEGLIGIBLE_MS = 0.001
"""A think time that is as good as none."""

STEP = 0.02
RATE_SCALE = 0.01
QUEUE_SCALE = 0.03
"""The step of differences, as a share of a guest's cycle; and the misses of rate and queue that count alike."""

Simulate = Callable[["Loads", Array], Simulated]
"""Simulates loads with connect times that are multiplied by these factors."""


@dataclass(frozen=True, slots=True)
class Loads:
    """Guests (0: open arrivals) and think times in ms, arrays over copies."""

    population: Array
    think_ms: Array


@dataclass(frozen=True, slots=True)
class Range:
    """The populations and think times of a copy that the intervals allow, at 95 %; `most` is None where open fits."""

    least: int
    most: int | None
    think_low_ms: float
    think_high_ms: float
    known: bool
    """Whether the shown intervals give a noise to judge by."""
    bursts: bool
    """Whether requests wait longer than even Poisson arrivals would have them wait."""


@dataclass
class Search:
    """The search for one set of service times: what was simulated, as waits by population."""

    targets: Targets
    simulate: Simulate
    service_ms: Array
    factor: Array
    """Factors of connect times, so that each period has its own: growth must not bias populations."""
    waits: list[dict[int, float]] = field(default_factory=list)

    def run(self) -> Loads:
        """The loads that come nearest to the queues, and whose think times reproduce the rates."""
        least = self._least()
        most = AS_OPEN * least + AS_OPEN
        self.waits = [{} for _ in least]
        self._try(least)
        self._try(most)
        for _ in range(TRIES):
            wanted = np.array(
                [_next(known, wait) for known, wait in zip(self.waits, self.targets.wait_ms, strict=True)]
            )
            if all(int(count) in known for count, known in zip(wanted, self.waits, strict=True)):
                break
            self._try(wanted)
        nearest = self._settled()
        population = np.array(
            [0 if count >= top else count for count, top in zip(nearest, most, strict=True)], dtype=int
        )
        return self._closed_where_open_fails(Loads(population, self.think_ms(population)), nearest)

    def think_ms(self, population: Array) -> Array:
        """The think times that the law gives for populations at the measured rates; 0 for open arrivals."""
        cycle = 1000 * population / self.targets.io_per_s
        think = np.maximum(cycle - self.service_ms - self.targets.wait_ms, 0.0)
        return np.asarray(np.where(think < NEGLIGIBLE_MS, 0.0, think))

    def ranges(self, loads: Loads, simulated_ios: Array) -> list[Range]:
        """The ranges that the noise leaves open: that of the targets, and of waits simulated with this many I/Os."""
        wider = np.sqrt(1 + self.targets.ios / simulated_ios)
        found = []
        for at, known in enumerate(self.waits):
            wait, half = self.targets.wait_ms[at], self.targets.wait_half_width[at] * wider[at]
            slack = (0.0 if math.isnan(half) else half) + AIMED * (self.service_ms[at] + wait)
            every, waits = _curve(known)
            fits = every[np.abs(waits - wait) <= slack].tolist()
            chosen = int(loads.population[at])
            fits = [*fits, chosen] if chosen else fits
            top = max(known)
            is_open = chosen == 0 or top in fits
            low = min(fits, default=top)
            high = None if is_open else max(fits)
            rate, off = self.targets.io_per_s[at], np.nan_to_num(self.targets.io_half_width[at])
            own = 1000 * max(chosen, low) / rate * off / rate + slack
            law = [1000 * count / rate - self.service_ms[at] - wait for count in (low, high or top)]
            given = [loads.think_ms[at]] if chosen else []
            found.append(Range(
                low, high, max(0.0, min([law[0], *given]) - own), math.inf if is_open else max([law[1], *given]) + own,
                not math.isnan(half), bool(wait - slack > 1.05 * waits[-1]),
            ))  # fmt: skip
        return found

    def _least(self) -> Array:
        """The smallest populations: at least the requests present (Little's law)."""
        present = self.targets.io_per_s * (self.service_ms + self.targets.wait_ms) / 1000
        return np.maximum(1, np.ceil(present - 0.02)).astype(int)

    def _try(self, population: Array) -> None:
        """Simulate one population of each copy, and remember the waits."""
        sample = self.simulate(Loads(population, self.think_ms(population)), self.factor)
        self.service_ms = sample.mean("service_ms")
        for known, count, wait in zip(self.waits, population, sample.wait_ms, strict=True):
            known[int(count)] = float(wait)

    def _settled(self) -> list[int]:
        """The nearest populations once all volumes have theirs: by shared aliases, waits of one depend on others.

        Waits are corrected by those of all populations together.  A pool takes the populations that then are nearest
        only where its queues miss less with them.
        """
        alone = [dict(known) for known in self.waits]
        best = self._nearest()
        waits = self._together(best)
        for _ in range(SETTLES):
            self.waits = _corrected(alone, best, waits)
            trial = self._nearest()
            if trial == best:
                break
            tried = self._together(trial)
            better = self._misses(tried) < self._misses(waits)
            if not better.any():
                break
            best = np.where(better, trial, best).tolist()
            waits = np.where(better, tried, waits)
        self.waits = _corrected(alone, best, waits)
        return best

    def _together(self, population: list[int]) -> Array:
        """The waits with these populations."""
        self._try(np.array(population))
        return np.array([known[count] for known, count in zip(self.waits, population, strict=True)])

    def _misses(self, waits: Array) -> Array:
        """Of each copy, the squared misses of the queues of its pool in its period."""
        aimed = self.targets.queue_depth
        misses = (self.targets.io_per_s * waits / 1000 - aimed) ** 2 / (aimed * (1 + aimed) + 1e-2)
        pools: dict[tuple[int, int], float] = {}
        for copy, miss in zip(self.targets.copies, misses.tolist(), strict=True):
            pools[copy.period, copy.group] = pools.get((copy.period, copy.group), 0.0) + miss
        return np.array([pools[copy.period, copy.group] for copy in self.targets.copies])

    def _nearest(self) -> list[int]:
        """The population of each copy whose wait is nearest to the measured one."""
        return [_nearest(known, wait) for known, wait in zip(self.waits, self.targets.wait_ms, strict=True)]

    def _closed_where_open_fails(self, loads: Loads, nearest: list[int]) -> Loads:
        """The loads, with the largest population tried in place of open arrivals where those queue without bound."""
        if (loads.population > 0).all():
            return loads
        try:
            self.simulate(loads, self.factor)
        except RunError:
            population = np.array(nearest)
            return Loads(population, self.think_ms(population))
        return loads


def refined(loads: Loads, targets: Targets, simulate: Simulate) -> Loads:
    """Think times at which rates and queues miss least, by least squares over simulations.

    One simulation with all think times a little longer gives the slope of each volume: volumes act on each other far
    less than on themselves.
    """
    from scipy import optimize, sparse

    closed = np.flatnonzero(loads.population > 0)
    if not closed.size:
        return loads
    cycle = 1000 * loads.population[closed] / targets.io_per_s[closed]
    own = np.ones(len(loads.population))
    seen: dict[bytes, Array] = {}

    def with_shares(shares: Array) -> Loads:
        think = np.zeros(len(loads.population))
        think[closed] = shares * cycle
        return Loads(loads.population, np.where(think < NEGLIGIBLE_MS, 0.0, think))

    def misses(shares: Array) -> Array:
        key = shares.tobytes()
        if key not in seen:
            seen[key] = _misses(simulate(with_shares(shares), own), targets, closed)
        return seen[key]

    def slopes(shares: Array) -> Any:
        step = np.where(shares > 1 - 2 * STEP, -STEP, STEP)
        change = (misses(shares + step) - misses(shares)) / np.tile(step, 2)
        count = len(closed)
        return sparse.csr_matrix(
            (change, (np.arange(2 * count), np.tile(np.arange(count), 2))), shape=(2 * count, count)
        )

    start = np.clip(loads.think_ms[closed] / cycle, 1e-6, 1 - 1e-6)
    found = optimize.least_squares(misses, start, jac=slopes, bounds=(0, 1), max_nfev=5, xtol=1e-3, ftol=1e-3)
    return with_shares(found.x)


def _misses(sample: Simulated, targets: Targets, closed: npt.NDArray[np.int_]) -> Array:
    rate, queue = sample.mean("io_per_s")[closed], sample.mean("queue_depth")[closed]
    aimed, waiting = targets.io_per_s[closed], targets.queue_depth[closed]
    return np.concatenate([
        np.log(np.maximum(rate, 1e-9) / aimed) / RATE_SCALE,
        (queue - waiting) / (QUEUE_SCALE * np.sqrt(waiting * (1 + waiting) + 1e-2)),
    ])  # fmt: skip


def _curve(known: Mapping[int, float]) -> tuple[npt.NDArray[np.int_], Array]:
    """Every population from the smallest to the largest tried, and its wait: linear in 1 / population between those."""
    counts = sorted(known, reverse=True)
    every = np.arange(counts[-1], counts[0] + 1)
    return every, np.interp(1 / every, [1 / count for count in counts], [known[count] for count in counts])


def _corrected(alone: list[dict[int, float]], population: list[int], waits: Array) -> list[dict[int, float]]:
    """Waits by population, multiplied so that those at some populations come out."""
    found = []
    for known, count, wait in zip(alone, population, waits.tolist(), strict=True):
        was = _wait(known, count)
        shift = min(max(wait / was, 1 / MOST_SHIFT), MOST_SHIFT) if was > NEGLIGIBLE_MS else 1.0
        found.append({each: shift * value for each, value in known.items()} | {count: wait})
    return found


def _wait(known: Mapping[int, float], population: int) -> float:
    """The wait at a population between the smallest and the largest tried."""
    every, waits = _curve(known)
    return float(waits[population - every[0]])


def _nearest(known: Mapping[int, float], wait: float) -> int:
    """The population whose wait is nearest; the smallest of equals.

    >>> _nearest({1: 0.0, 2: 1.0, 4: 1.5}, 1.2)
    3
    """
    every, waits = _curve(known)
    return int(every[np.argmin(np.abs(waits - wait))])


def _next(known: Mapping[int, float], wait: float) -> int:
    """The population to try next: the nearest by what is known, or its neighbour on the side of the wait."""
    best = _nearest(known, wait)
    beside = best + (1 if known[best] < wait else -1) if best in known else best
    return beside if min(known) <= beside <= max(known) else best

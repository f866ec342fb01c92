"""Estimates from the shown intervals: service, growth, guests and think times, each with its noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from slicewright._core import student_t
from slicewright.experiment.outcome import Array
from slicewright.fitting.evidence import Group
from slicewright.fitting.model import VolumeLoad
from slicewright.statistics import milliseconds, plural, plus_minus, significant

_Rows = npt.NDArray[np.int_]
"""Numbers of rows."""

_VARIES = 1.05
"""The largest number of other I/Os connected, over the least, from which a growth can be seen."""

SHORTEST_MS = 0.001
"""A connect time of which a logarithm is taken."""

MET = 0.01
"""Other I/Os connected on average, below which a growth changes nothing."""

_SHARING_KNOWN_WITHIN = 0.02
"""A half-width of the growth below which a growth of zero is a finding, and not a lack of evidence."""


@dataclass(frozen=True, slots=True)
class Service:
    """Times of each volume in ms, connect with no other I/O connected, and the growth; each with its 95 % half-width.

    Of n connected I/Os each progresses at 1 / (1 + sharing (n - 1)), sharing as a share of one.
    """

    pend_ms: Array
    disc_ms: Array
    connect_ms: Array
    sharing: float
    pend_half_width: Array
    disc_half_width: Array
    connect_half_width: Array
    sharing_half_width: float
    others: tuple[float, float]
    """The least and the largest mean number of other connected I/Os in a shown interval."""

    @property
    def varies(self) -> bool:
        """Whether the number of other I/Os varies enough to show a growth."""
        return self.others[1] >= _VARIES * self.others[0]

    @property
    def shows_none(self) -> bool:
        """Whether a growth of zero is a finding."""
        return self.sharing == 0 and self.varies and self.sharing_half_width <= _SHARING_KNOWN_WITHIN

    @property
    def growth(self) -> str:
        """How well the intervals show the growth, in words."""
        seen = f"{self.others[0]:.2f} to {self.others[1]:.2f} other I/Os connected"
        if self.others[1] < MET:
            return "no growth is seen: connected I/Os meet no others"
        if self.sharing > 0:
            return f"grows by {100 * self.sharing:.2g} ± {100 * self.sharing_half_width:.1g} % per I/O; {seen}"
        if self.shows_none:
            return f"no growth: within {100 * self.sharing_half_width:.1g} % per I/O; {seen}"
        return f"growth is not identified: {seen}, too little to show one"


def connected_others(group: Group, populations: Array) -> Array:
    """The mean number of other I/Os that a connected I/O meets, intervals x volumes.

    `populations` are guests of each volume in each interval: an I/O does not meet itself, nor more of its volume than
    there are guests and exposures.
    """
    exposures = 1 + np.array(group.aliases)[:, None]
    connected = np.nan_to_num(group.io_per_s * group.conn_ms) / 1000
    most = np.maximum(np.minimum(populations, exposures), 1)
    return np.asarray(connected.sum(axis=1, keepdims=True) - connected / most)


def service_of(group: Group, shown: Sequence[int], lengths_s: Array, others: Array, correction: Array) -> Service:
    """The service of a group.

    connect(i, v) = connect(v) (1 + sharing others(i, v)) correction(i, v); the correction is what a simulation gives
    more than this formula.  Weights are the I/Os of a volume in an interval.
    """
    rows = list(shown)
    ios = (group.rate * lengths_s[:, None])[rows]
    fit = _Connect(np.log(np.maximum(group.conn_ms[rows], SHORTEST_MS)) - np.log(correction[rows]), others[rows], ios)
    pend, pend_half = _jackknife(len(rows), lambda kept: _mean(group.pend_ms[rows][kept], ios[kept]))
    disc, disc_half = _jackknife(len(rows), lambda kept: _mean(group.disc_ms[rows][kept], ios[kept]))
    met = (others[rows] * ios).sum(axis=1) / np.maximum(ios.sum(axis=1), 1.0)
    sharing, sharing_half = np.zeros(1), np.full(1, np.nan)
    if met.max() >= max(MET, _VARIES * met.min()):
        sharing, sharing_half = _jackknife(len(rows), lambda kept: np.array([fit.sharing(kept)]))
    found = float(sharing[0]) if sharing[0] > sharing_half[0] else 0.0
    connect, connect_half = _jackknife(
        len(rows), lambda kept: np.exp(fit.level(fit.sharing(kept) if found else 0.0, kept))
    )
    # A single interval leaves half-widths unknown: 0 stands for them.
    halves = [np.nan_to_num(half) if len(rows) < 2 else half for half in (pend_half, disc_half, connect_half)]
    return Service(
        pend, disc, connect, found, halves[0], halves[1], halves[2], float(sharing_half[0]),
        (float(met.min()), float(met.max())),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Connect:
    """Logarithms of connect times, the I/Os met and the weights, each intervals x volumes."""

    logs: Array
    others: Array
    ios: Array

    def level(self, sharing: float, kept: _Rows) -> Array:
        """The logarithm of each volume's connect time with no other I/O, at some growth."""
        return _mean(self.logs[kept] - np.log1p(sharing * self.others[kept]), self.ios[kept])

    def residuals(self, sharing: float, kept: _Rows) -> Array:
        """Weighted misses of the logarithms; a volume without I/O misses nothing."""
        misses = self.logs[kept] - np.log1p(sharing * self.others[kept]) - self.level(sharing, kept)
        ios = self.ios[kept]
        return np.asarray((np.where(ios > 0, misses, 0.0) * np.sqrt(ios / max(float(ios.max()), 1.0))).ravel())

    def sharing(self, kept: _Rows) -> float:
        """The growth at which the weighted squares are least; noise may take it below zero."""
        from scipy import optimize

        # Below zero too: at a bound a jackknife would see no variance.
        start, least = 0.02, -0.5 / float(np.nanmax(self.others))
        found = optimize.least_squares(
            lambda trial: self.residuals(float(trial[0]), kept), [start], bounds=(least, 1.0), x_scale=start
        )
        return float(found.x[0])


def _mean(values: Array, ios: Array) -> Array:
    """Of each volume, the mean over intervals weighted by I/Os."""
    weighted = np.where(ios > 0, np.nan_to_num(values) * ios, 0.0).sum(axis=0)
    total = ios.sum(axis=0)
    return np.asarray(np.divide(weighted, total, out=np.zeros_like(total), where=total > 0))


def _jackknife(count: int, estimated: Callable[[_Rows], Array]) -> tuple[Array, Array]:
    """An estimate from all intervals, and its 95 % half-width from estimates without one of them.

    Efron and Tibshirani, An Introduction to the Bootstrap, section 11.5, with Student's t; NaN with fewer than two.
    """
    every = np.arange(count)
    whole = estimated(every)
    if count < 2:
        return whole, np.full_like(whole, np.nan)
    left = np.stack([estimated(np.delete(every, number)) for number in every])
    variance = (count - 1) / count * ((left - left.mean(axis=0)) ** 2).sum(axis=0)
    return whole, np.asarray(student_t(count - 1) * np.sqrt(variance))


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


@dataclass(frozen=True, slots=True)
class Names:
    """The name of the measured system, and the intervals shown, as notes in the scenario have them."""

    system: str
    shown: str


def service_note(found: Service, volume: int, names: Names) -> str:
    """Where the service times are from, each with its uncertainty."""
    parts = (
        ("pend", found.pend_ms, found.pend_half_width), ("disconnect", found.disc_ms, found.disc_half_width),
        ("connect", found.connect_ms, found.connect_half_width),
    )  # fmt: skip
    words = ", ".join(f"{part} {plus_minus(values[volume], halves[volume])} ms" for part, values, halves in parts)
    return f"{names.shown}: {words}; exponential is assumed"


def load_words(volume: VolumeLoad, left: Range) -> str:
    """Guests and think time of a volume with what the intervals leave open."""
    if volume.population == 0:
        batches = f" in batches of {volume.batch}" if volume.batch > 1 else ""
        rate = f"{significant(volume.io_per_s)} I/O per s"
        return f"open arrivals{batches}, {rate}; a closed population has {plural(left.least, 'guest')} or more"
    closed, think = plural(volume.population, "guest"), f"think {milliseconds(volume.think_ms)} ms"
    if not left.known:
        return f"{closed}, {think}; too few shown intervals to give an uncertainty"
    low = milliseconds(left.think_low_ms)
    if left.most is None:
        return f"{closed} ({left.least} or more: open arrivals fit as well), {think} ({low} or more)"
    within = f"{left.least} to {left.most}" if left.least < left.most else "no other by itself"
    return f"{closed} ({within}), {think} ({low} to {milliseconds(left.think_high_ms)})"

"""The cheapest setting that holds every constraint where costs are known: dearer ones are out before they run.

The probability of a right answer is bounded as in Lee, Pujowidianto, Li, Chen, Yap, "Approximate Simulation Budget
Allocation for Selecting the Best Design in the Presence of Stochastic Constraints", IEEE TAC 57(11), 2012: one minus
the probabilities that the choice breaks a constraint, and that each setting before it holds all.  Batches go where
these are largest.

Few batches say little of their own variance.  It is moderated by that of all settings, as in Smyth, "Linear Models and
Empirical Bayes Methods for Assessing Differential Expression", Stat. Appl. Genet. Mol. Biol. 3(1), 2004.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

Wanted = tuple[int, int, range]
"""A setting by its place, a reading by its number, and batches."""
Observe = Callable[[Sequence[Wanted]], Sequence["Array"]]
"""Of each that is wanted, the value of each constraint as a share of its bound: batches x constraints, at most 1 kept.

NaN is a value that cannot be kept."""

_TOGETHER = 16
"""Settings that are looked at before the next decision, whatever the number of threads: these change nothing."""
_FIRST, _SURE = 3, 6
"""Batches of a setting that may hold, and of the one that is chosen, at least."""
_CLEAR = 1e-4
"""ASSUME: a setting that holds with less probability gets no more batches at once."""
_PRIOR = 4.0
"""ASSUME: degrees of freedom of the common variance where fewer than three settings have one of their own."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a search: probability of a right answer, tolerance as a share of a bound, most batches."""

    confidence: float
    tolerance: float
    most: int


class Search:
    """Settings in the order of their costs, and what was observed of them.

    Settings are known by their place in that order.  `score` says in which order they are looked at: the lower, the
    likelier a setting holds.
    """

    def __init__(self, score: Sequence[float] | Array, shape: tuple[int, int], observe: Observe, terms: Terms) -> None:
        self.score, self.observe, self.terms = np.asarray(score, dtype=float), observe, terms
        self.readings, self.constraints = shape
        self.seen: dict[tuple[int, int], Array] = {}
        """By setting and reading: batches x constraints."""
        self.hardest = list(range(self.readings))
        """The readings, the one that breaks most first."""
        self._known: tuple[tuple[int, int], tuple[Array, float]] | None = None

    def look(self, wanted: Sequence[tuple[int, int]], batches: int) -> None:
        """Observe settings under readings, up to a number of batches."""
        want = [(at, reading, range(len(self.seen.get((at, reading), ())), batches)) for at, reading in wanted]
        want = [each for each in want if len(each[2])]
        for (at, reading, _), rows in zip(want, self.observe(want), strict=True):
            known = self.seen.get((at, reading))
            self.seen[at, reading] = rows if known is None else np.concatenate([known, rows])

    def order_readings(self, at: int) -> None:
        """Put the reading first under which a setting breaks most."""
        self.hardest.sort(
            key=lambda reading: -float(np.nan_to_num(self.seen[at, reading], nan=np.inf).mean(axis=0).max())
        )

    def keeps(self, at: int) -> float:
        """The probability that a setting holds every constraint, by what was observed; 1 before."""
        return self._chance(at, 0.0)

    def holds(self, at: int) -> bool:
        """Whether the means of a setting keep every constraint under every reading."""
        rows = [self.seen.get((at, reading)) for reading in range(self.readings)]
        return all(each is not None and bool((each.mean(axis=0) <= 1).all()) for each in rows)

    def find(self) -> int | None:
        """The place of the cheapest setting that holds; None where none does."""
        count = len(self.score)
        best = self._first()
        while True:
            left = [at for at in range(count if best is None else best) if (at, self.hardest[0]) not in self.seen]
            if not left:
                break
            left.sort(key=lambda at: (self.score[at], at))
            for at in self._holding(left[:_TOGETHER]):
                best = at if best is None else min(best, at)
        return self._settled(best)

    def wrong(self, best: int | None) -> dict[int, float]:
        """The probability of error of each setting: that the chosen one breaks, that one before it holds."""
        first, moved = self.hardest[0], -self.terms.tolerance
        before = [at for at in range(len(self.score) if best is None else best) if (at, first) in self.seen]
        once = [at for at in before if self._batches(at) == 1]
        risk = dict(zip(once, self._kept_once(once, moved), strict=True))
        risk |= {at: self._chance(at, moved) for at in before if at not in risk}
        if best is not None:
            risk[best] = self.breaks(best)
        return risk

    def breaks(self, at: int) -> float:
        """The probability that a setting breaks a constraint by more than the tolerance."""
        return min(
            1.0,
            sum(
                1 - float(kept)
                for reading in range(self.readings)
                for kept in self._kept(at, reading, self.terms.tolerance)
            ),
        )

    def _first(self) -> int | None:
        """The cheapest setting that the scores expect to hold and that does, found by lowering what is expected."""
        best: int | None = None
        expected = 1.0
        for _ in range(4 * _TOGETHER):
            likely = [
                at
                for at in range(len(self.score) if best is None else best)
                if self.score[at] < expected and (at, self.hardest[0]) not in self.seen
            ]
            if not likely:
                break
            found = self._holding(likely[:1])
            if found:
                return found[0]
            expected = min(expected, float(self.score[likely[0]]))
        return best

    def _holding(self, some: Sequence[int]) -> list[int]:
        """Those of some settings that hold, as far as some batches say; the clear cases have one."""
        self.look([(at, self.hardest[0]) for at in some], 1)
        left = [at for at in some if self.keeps(at) > _CLEAR]
        self.look([(at, self.hardest[0]) for at in left], _FIRST)
        for reading in self.hardest[1:]:
            left = [at for at in left if self.keeps(at) > _CLEAR]
            self.look([(at, reading) for at in left], _FIRST)
        return [at for at in left if self.holds(at)]

    def _settled(self, best: int | None) -> int | None:
        """The choice once batches have made the errors small enough, or have run out."""
        while True:
            if best is not None:
                self.look([(best, reading) for reading in range(self.readings)], _SURE)
            holding = [at for at in range(len(self.score)) if self.holds(at)]
            best = min(holding, default=None)
            risk = {at: each for at, each in self.wrong(best).items() if self._batches(at) < self.terms.most}
            if best is not None and self._batches(best) < _SURE:
                continue
            if not risk or sum(self.wrong(best).values()) <= 1 - self.terms.confidence:
                return best
            worst = sorted(risk, key=lambda at: (-risk[at], at))[: _TOGETHER // 2]
            worst = [at for at in worst if risk[at] > _CLEAR / len(self.score)] or worst[:1]
            for at in worst:
                more = min(self.terms.most, max(_FIRST, math.ceil(1.5 * self._batches(at))))
                readings = range(self.readings) if at == best or self.holds(at) else self.hardest[:1]
                self.look([(at, reading) for reading in readings], more)

    def _batches(self, at: int) -> int:
        return max((len(self.seen.get((at, reading), ())) for reading in range(self.readings)), default=0)

    def _chance(self, at: int, moved: float) -> float:
        """The probability that every constraint is kept with its bound moved, under the readings that were seen."""
        kept = [self._kept(at, reading, moved) for reading in range(self.readings) if (at, reading) in self.seen]
        return float(min((each.min() for each in kept if len(each)), default=1.0))

    def _kept(self, at: int, reading: int, moved: float) -> Array:
        """Of each constraint the probability that its expected value is below its bound, moved by a share of it."""
        rows = self.seen[at, reading]
        if not np.isfinite(rows).all():
            return np.zeros(self.constraints)
        mean, scale = rows.mean(axis=0), np.maximum(1.0, np.abs(rows.mean(axis=0)))
        variance, freedom = self._variance(rows)
        error = np.sqrt(variance / len(rows)) * scale
        with np.errstate(divide="ignore", invalid="ignore"):
            found = special.stdtr(freedom, (1 + moved - mean) / error)
        return np.asarray(np.where(error > 0, found, (mean <= 1 + moved).astype(float)))

    def _kept_once(self, some: Sequence[int], moved: float) -> list[float]:
        """The same of settings that were observed once, all constraints together."""
        if not some:
            return []
        rows = np.array([self.seen[at, self.hardest[0]][0] for at in some])
        common, freedom = self._common()
        known = np.nan_to_num(rows, nan=np.inf)
        with np.errstate(divide="ignore", invalid="ignore"):
            found = special.stdtr(freedom, (1 + moved - known) / (np.sqrt(common) * np.maximum(1.0, np.abs(known))))
        found = np.where(np.isfinite(rows) & (common > 0), found, (known <= 1 + moved).astype(float))
        return [float(each) for each in found.min(axis=1)]

    def _variance(self, rows: Array) -> tuple[Array, float]:
        """The moderated variance of a batch as a share of the mean or the bound, and its degrees of freedom."""
        common, weight = self._common()
        own = len(rows) - 1
        if not own:
            return common, weight
        variance = rows.var(axis=0, ddof=1) / np.maximum(1.0, rows.mean(axis=0)) ** 2
        return (weight * common + own * variance) / (weight + own), weight + own

    def _common(self) -> tuple[Array, float]:
        """The variance that settings have in common, and how many degrees of freedom it is worth."""
        count = len(self.seen), sum(map(len, self.seen.values()))
        if self._known is None or self._known[0] != count:
            self._known = (count, self._fitted())
        return self._known[1]

    def _fitted(self) -> tuple[Array, float]:
        rows = [each for each in self.seen.values() if len(each) > 1 and np.isfinite(each).all()]
        own = [each.var(axis=0, ddof=1) / np.maximum(1.0, np.abs(each.mean(axis=0))) ** 2 for each in rows]
        if not own:
            return np.full(self.constraints, 0.01), _PRIOR
        variances = np.array(own)
        freedoms = np.array([len(each) - 1 for each in rows], dtype=float)[:, None]
        pooled = (variances * freedoms).sum(axis=0) / freedoms.sum()
        if len(rows) < 3 or not (variances > 0).all():
            return pooled, _PRIOR
        return pooled, _freedom(variances, freedoms)


def _freedom(variances: Array, freedoms: Array) -> float:
    """Degrees of freedom of the common variance by the moments of log variances (Smyth 2004, section 6.2).

    >>> draw = np.random.default_rng(1)
    >>> same = draw.chisquare(4, size=(400, 1)) / 4  # all settings have one variance
    >>> _freedom(same, np.full((400, 1), 4.0)) > 20
    True
    """
    logs = np.log(variances) - special.digamma(freedoms / 2) + np.log(freedoms / 2)
    spread = float((logs.var(axis=0, ddof=1) - special.polygamma(1, freedoms / 2).mean()).max())
    if spread <= 1e-3:
        return 100.0
    # The trigamma function falls: halve the interval in which it passes the spread.
    low, high = 0.5, 100.0
    for _ in range(40):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if float(special.polygamma(1, middle / 2)) > spread else (low, middle)
    return low

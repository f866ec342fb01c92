"""The cheapest setting that holds every constraint: where costs are known, dearer ones are out before they run.

The probability of a right answer is bounded as in Lee, Pujowidianto, Li, Chen, Yap, "Approximate Simulation Budget
Allocation for Selecting the Best Design in the Presence of Stochastic Constraints", IEEE TAC 57(11), 2012: one minus
the probabilities that the choice breaks a constraint, and that each setting before it holds all.  Batches go where
these are largest.  Where costs are measured too, each other setting may also cost less than the choice, by more than
an indifference zone.

Looks that are repeated err more often than one.  With a number of `tests` the error is split among tests and looks by
Bonferroni's bound.  So it is in Healey, Andradóttir, Kim, "Selection Procedures for Simulations with Multiple
Constraints", ACM TOMACS 24(3), 2014.

Few batches say little of their own variance.  It is moderated by that of all settings, as in Smyth, "Linear Models and
Empirical Bayes Methods for Assessing Differential Expression", Stat. Appl. Genet. Mol. Biol. 3(1), 2004.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from slicewright.values.errors import extra
from slicewright.values.settings import FIRST

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
_SHARE_TOGETHER = 4
"""In a list one more setting is looked at for this many before, so that few turn out to cost more."""
_FIRST, _SURE = 3, 6
"""Batches of a setting that may hold, and of the one that is chosen, at least."""
_TRIED = 4
"""Values of a purchase without an order that are tried in place of a dearer one."""
_CLEAR = 1e-4
"""ASSUME: a setting that holds with less probability gets no more batches at once."""
_PRIOR = 4.0
"""ASSUME: degrees of freedom of the common variance where fewer than three settings have one of their own."""


_ZONE = 0.01
"""The indifference zone where none is given, as a share of the least mean cost in the first batches that is not 0."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a search: probability of a right answer, tolerance as a share of a bound, most batches."""

    confidence: float
    tolerance: float
    most: int
    indifference: float | None = None
    """Measured costs that differ by less count as equal."""
    tests: int = 0
    """Tests that have to be right at every look; 0 where the probabilities of one look are added up."""

    @property
    def error(self) -> float:
        """The probability of error of each test."""
        return (1 - self.confidence) / max(self.tests, 1)


class Order:
    """Settings in the order of their costs, each with a score: the lower, the likelier it holds."""

    def __init__(self, score: Sequence[float] | Array) -> None:
        self.score = np.asarray(score, dtype=float)

        self.ordered: list[bool] = []
        """By purchase, whether less of it is never better."""

    @property
    def count(self) -> int:
        """How many settings there are."""
        return len(self.score)

    def most(self, left: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
        """Those of some settings than which no other of them has more of everything."""
        return np.flatnonzero(left)

    def together(self, seen: int) -> int:
        """How many settings are looked at before the next decision, after some."""
        return max(2, min(_TOGETHER, seen // _SHARE_TOGETHER))

    def close(self, left: npt.NDArray[np.bool_], at: int) -> None:
        """Close a setting that does not hold, and those that have less."""
        left[at] = False

    def widest(self, some: Sequence[int]) -> list[int]:
        """Those of some settings that do not hold than which no other of them has more."""
        return list(some)

    def axes(self, at: int) -> list[int]:
        """The purchases of a setting, the dearest first."""
        return []

    def less(self, at: int, axis: int) -> list[int]:
        """The settings with less of one purchase that cost less, the least first."""
        return []


class Grid(Order):
    """All combinations of levels; along an ordered axis less is never better, so a broken setting closes those below.

    >>> grid = Grid([np.array([0.0, 5.0, 10.0]), np.array([0.0, 20.0])], [True, True])
    >>> left = np.ones(6, dtype=bool)
    >>> grid.close(left, grid.place((2, 0)))  # 10 of the first, nothing of the second
    >>> [grid.setting(at) for at in np.flatnonzero(left)]
    [(0, 1), (1, 1), (2, 1)]
    """

    def __init__(self, costs: Sequence[Array], ordered: Sequence[bool]) -> None:
        self.shape = tuple(len(each) for each in costs)
        whole, bought = np.zeros(self.shape), np.zeros(self.shape, dtype=int)
        for axis, prices in enumerate(costs):
            shape = [-1 if at == axis else 1 for at in range(len(costs))]
            whole = whole + prices.reshape(shape)
            bought = bought + (np.arange(len(prices)) > 0).reshape(shape)
        flat = np.arange(whole.size)
        self.cells = np.lexsort((flat, bought.ravel(), whole.round(9).ravel()))
        """The cell of each setting, by its place in the order of costs; of equal costs the fewest purchases first."""
        self.places = np.empty_like(self.cells)
        self.places[self.cells] = flat
        super().__init__(np.zeros(len(flat)))
        self.costs, self.ordered = list(costs), list(ordered)

    def setting(self, at: int) -> tuple[int, ...]:
        """The levels of a setting."""
        return tuple(int(each) for each in np.unravel_index(self.cells[at], self.shape))

    def place(self, setting: Sequence[int]) -> int:
        """The place of levels."""
        return int(self.places[np.ravel_multi_index(tuple(setting), self.shape)])

    def most(self, left: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
        """Those of some settings of which none has one level more along an ordered axis."""
        open_cells = left[self.places].reshape(self.shape)
        found = open_cells.copy()
        for axis, ordered in enumerate(self.ordered):
            if ordered:
                lower, upper = (
                    tuple(part if at == axis else slice(None) for at in range(len(self.shape)))
                    for part in (slice(None, -1), slice(1, None))
                )
                found[lower] &= ~open_cells[upper]
        return np.sort(self.places[np.flatnonzero(found.ravel())])

    def together(self, seen: int) -> int:
        """As many as keep the processors busy."""
        return _TOGETHER

    def close(self, left: npt.NDArray[np.bool_], at: int) -> None:
        """Close a setting that does not hold, and all with at most as much along ordered axes."""
        left[self._below(at)] = False

    def widest(self, some: Sequence[int]) -> list[int]:
        """Those that are below no other."""
        left = np.zeros(self.count, dtype=bool)
        left[list(some)] = True
        for at in some:
            if left[at]:
                below = self._below(at)
                left[below[below != at]] = False
        return [at for at in some if left[at]]

    def axes(self, at: int) -> list[int]:
        """The purchases of a setting, the dearest first."""
        setting = self.setting(at)
        bought = [axis for axis, level in enumerate(setting) if level]
        return sorted(bought, key=lambda axis: (-float(self.costs[axis][setting[axis]]), axis))

    def less(self, at: int, axis: int) -> list[int]:
        """The settings with less of one purchase that cost less, the least first."""
        setting = self.setting(at)
        levels = range(setting[axis]) if self.ordered[axis] else range(len(self.costs[axis]))
        places = [self.place((*setting[:axis], level, *setting[axis + 1 :])) for level in levels]
        return places if self.ordered[axis] else sorted(each for each in places if each < at)

    def _below(self, at: int) -> npt.NDArray[np.intp]:
        parts = (
            np.arange(level + 1) if ordered else np.array([level])
            for level, ordered in zip(self.setting(at), self.ordered, strict=True)
        )  # fmt: skip
        return np.asarray(self.places[np.ravel_multi_index(np.ix_(*parts), self.shape).ravel()])


class Standing(Enum):
    """The fate of a setting."""

    CHOSEN = "chosen"
    DEARER = "costs more"
    BROKEN = "breaks a constraint"
    FAILED = "has no value"
    OPEN = "not decided"
    SEARCHED = "searched"


class Search:
    """Settings in the order of their costs, and what was observed of them.

    Settings are known by their place in that order.
    """

    def __init__(self, order: Order, shape: tuple[int, int], observe: Observe, terms: Terms) -> None:
        self.order = order
        self.score, self.observe, self.terms = order.score, observe, terms
        self.readings, self.constraints = shape
        self.seen: dict[tuple[int, int], Array] = {}
        """By setting and reading: batches x constraints."""
        self.hardest = list(range(self.readings))
        """The readings, the one that breaks most first."""
        self.looks: dict[int, int] = {}
        """By setting, how often it was looked at."""
        self._known: tuple[tuple[int, int], tuple[Array, float]] | None = None

    def look(self, wanted: Sequence[tuple[int, int]], batches: int) -> None:
        """Observe settings under readings, up to a number of batches."""
        want = [(at, reading, range(len(self.seen.get((at, reading), ())), batches)) for at, reading in wanted]
        want = [each for each in want if len(each[2])]
        for at in dict.fromkeys(at for at, _, _ in want):
            self.looks[at] = self.looks.get(at, 0) + 1
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
        best = self._first()
        best = None if best is None else self._descended(best)
        while True:
            best = self._settled(self._exhausted(best))
            if not len(self.order.most(self._open(best))):
                return best

    def _exhausted(self, best: int | None) -> int | None:
        """The cheapest setting that holds once every setting before it was observed, or has less than a broken one."""
        while True:
            left = self.order.most(self._open(best))
            if not len(left):
                return best
            some = sorted(left.tolist(), key=lambda at: (self.score[at], at))
            some = some[: self.order.together(len(self.seen))]
            found = self._holding(some)
            if found:
                found = [*found, *([best] if best is not None else [])]
                best = self._descended(min(found))

    def _open(self, best: int | None) -> npt.NDArray[np.bool_]:
        """The settings before the best of which nothing is known."""
        left = np.ones(self.order.count, dtype=bool)
        if best is not None:
            left[best:] = False
        for at in {at for at, _ in self.seen}:
            if self.holds(at):
                left[at] = False
            else:
                self.order.close(left, at)
        return left

    def wrong(self, best: int | None) -> dict[int, float]:
        """The probability of error of each setting: that the chosen one breaks, that one before it holds."""
        first, moved = self.hardest[0], -self.terms.tolerance
        before = self.order.widest(
            sorted(at for at, reading in self.seen if reading == first and (best is None or at < best))
        )
        once = [at for at in before if self._batches(at) == 1]
        risk = dict(zip(once, self._kept_once(once, moved), strict=True))
        risk |= {at: self._chance(at, moved) for at in before if at not in risk}
        if best is not None:
            risk[best] = self.breaks(best)
        return self._over_looks(risk)

    def is_sure(self, best: int | None) -> bool:
        """Whether the probability of an error is as small as was asked for."""
        risk = self.wrong(best).values()
        return (max(risk, default=0.0) if self.terms.tests else math.fsum(risk)) <= self.terms.error

    def _over_looks(self, risk: dict[int, float]) -> dict[int, float]:
        """The same for all looks: the shares 1/2, 1/6, 1/12 and so on of the error go to the first, second, third."""
        if not self.terms.tests:
            return risk
        return {at: min(1.0, each * self.looks[at] * (self.looks[at] + 1)) for at, each in risk.items()}

    def standings(self, best: int | None) -> list[Standing]:
        """The fates of all settings, where one of them, or none, is the best."""
        risk = {} if self.is_sure(best) else self.wrong(best)
        least = self.terms.error / max(1, len(self.looks))
        return [
            Standing.OPEN if at != best and risk.get(at, 0.0) > least else self._standing(at, best)
            for at in range(self.order.count)
        ]

    def _standing(self, at: int, best: int | None) -> Standing:
        rows = [self.seen[at, reading] for reading in range(self.readings) if (at, reading) in self.seen]
        if not all(np.isfinite(each).all() for each in rows):
            return Standing.FAILED
        if at == best:
            return Standing.CHOSEN
        return Standing.DEARER if not rows or self.holds(at) else Standing.BROKEN

    def next_holding(self, best: int, most: int) -> int | None:
        """The cheapest setting after the best that holds, of some that come next; None where none of these does."""
        after = range(best + 1, min(best + 1 + most, self.order.count))
        return next((at for at in after if self._holding([at])), None)

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
        expected = math.inf
        for _ in range(2 * _TOGETHER):
            likely = np.flatnonzero(self.score < expected)
            if not len(likely):
                break
            at = int(likely[0])
            if (at, self.hardest[0]) not in self.seen and self._holding([at]):
                return at
            expected = min(expected, float(self.score[at]))
        return None

    def _descended(self, at: int) -> int:
        """A setting that holds of which no purchase can be less, from one that holds; the dearest purchase is first."""
        while True:
            lowest = at
            for axis in self.order.axes(at):
                lowest = self._lowered(lowest, axis)
            if lowest == at:
                return at
            at = lowest

    def _lowered(self, at: int, axis: int) -> int:
        """A setting with the least of one purchase with which it holds."""
        options = self.order.less(at, axis)
        if not self.order.ordered[axis]:
            return next((each for each in options[:_TRIED] if self._holding([each])), at)
        low, high = 0, len(options)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self._holding([options[middle]]) else (middle + 1, high)
        return options[low] if low < len(options) else at

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
            best = min((at for at in {at for at, _ in self.seen} if self.holds(at)), default=None)
            risk = {at: each for at, each in self.wrong(best).items() if self._batches(at) < self.terms.most}
            if best is not None and self._batches(best) < _SURE:
                continue
            if not risk or self.is_sure(best):
                return best
            worst = sorted(risk, key=lambda at: (-risk[at], at))[: _TOGETHER // 2]
            least = self.terms.error if self.terms.tests else _CLEAR / len(self.score)
            worst = [at for at in worst if risk[at] > least] or worst[:1]
            for at in worst:
                self.look([(at, reading) for reading in self._doubtful(at, best)], self._more(at))

    def _doubtful(self, at: int, best: int | None) -> list[int]:
        """The readings of which more batches help; of a setting that does not hold, the one where it breaks most."""
        if at != best and not self.holds(at):
            seen = [reading for reading in range(self.readings) if (at, reading) in self.seen]
            return [min(seen, key=lambda reading: (float(self._kept(at, reading, 0.0).min()), reading))]
        kept = {reading: float(self._kept(at, reading, 0.0).min()) for reading in range(self.readings)}
        least = min(kept.values())
        return [reading for reading in kept if kept[reading] < 1 - _CLEAR or kept[reading] == least]

    def _more(self, at: int) -> int:
        """How many batches of a setting are next."""
        return min(self.terms.most, max(_FIRST, math.ceil(1.5 * self._batches(at))))

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
            return np.full(self.constraints, np.inf if self.terms.tests else 0.01), _PRIOR
        variances = np.array(own)
        freedoms = np.array([len(each) - 1 for each in rows], dtype=float)[:, None]
        pooled = (variances * freedoms).sum(axis=0) / freedoms.sum()
        if len(rows) < 3 or not (variances > 0).all():
            return pooled, min(_PRIOR, float(freedoms.sum())) if self.terms.tests else _PRIOR
        return pooled, _freedom(variances, freedoms)


class Compared(Search):
    """Settings whose costs are measured too, in the first column of each batch.

    All settings of a batch may have random numbers in common: costs are compared batch by batch.
    """

    def __init__(self, count: int, constraints: int, observe: Observe, terms: Terms) -> None:
        self.paid: dict[int, Array] = {}
        """By setting: costs of its batches."""

        def own(wanted: Sequence[Wanted]) -> list[Array]:
            found = []
            for (at, _, _), rows in zip(wanted, observe(wanted), strict=True):
                self.paid[at] = np.concatenate([self.paid.get(at, rows[:0, 0]), rows[:, 0]])
                # A batch without a cost has no value of a constraint either.
                found.append(np.where(np.isfinite(rows[:, :1]), rows[:, 1:], np.nan))
            return found

        super().__init__(Order(np.zeros(count)), (1, constraints), own, terms)
        self.zone = terms.indifference or 0.0

    def find(self) -> int | None:
        """The setting of the least mean cost that holds; None where none does."""
        self.look([(at, 0) for at in range(self.order.count)], min(FIRST, self.terms.most))
        if self.terms.indifference is None:
            means = [abs(float(costs.mean())) for costs in self.paid.values() if np.isfinite(costs).all()]
            self.zone = _ZONE * min((mean for mean in means if mean), default=1.0)
        while True:
            best = self._least()
            risk = {at: each for at, each in self.wrong(best).items() if self._batches(at) < self.terms.most}
            if not risk or self.is_sure(best):
                return best
            worst = sorted(risk, key=lambda at: (-risk[at], at))[: _TOGETHER // 2]
            worst = [at for at in worst if risk[at] > self.terms.error] or worst[:1]
            more = [(at, self._more(at)) for at in worst]
            if best is not None:  # it keeps pace, so that each pair has its batches in common
                more.append((best, max(count for _, count in more)))
            for at, count in more:
                self.look([(at, 0)], count)

    def wrong(self, best: int | None) -> dict[int, float]:
        """The probability of error of each setting: the chosen one breaks, another one holds and costs less."""
        risk = {at: self._chance(at, -self.terms.tolerance) for at, _ in self.seen if at != best}
        if best is not None:
            risk = {at: min(each, self._cheaper(at, best)) for at, each in risk.items() if each}
            risk[best] = self.breaks(best)
        return self._over_looks(risk)

    def _least(self) -> int | None:
        holding = [at for at, _ in self.seen if self.holds(at)]
        return min(holding, key=lambda at: (float(self.paid[at].mean()), at), default=None)

    def _cheaper(self, at: int, best: int) -> float:
        """The probability that a setting costs less than another one, by more than the indifference zone."""
        common = min(len(self.paid[at]), len(self.paid[best]))
        more = self.paid[at][:common] - self.paid[best][:common]
        mean, error = float(more.mean()), float(more.std(ddof=1)) / math.sqrt(common)
        if not error > 1e-12 * abs(float(self.paid[best].mean())):  # costs without noise are compared exactly
            return float(mean < 0)
        return float(special.stdtr(common - 1, (-self.zone - mean) / error))


_PROPOSED = 8
"""Settings that are proposed at once, whatever the number of threads, so that these change nothing."""


def proposals(
    option: str, terms: tuple[int, int], proposed: Callable[[Any], Any], judged: Callable[[Sequence[Any]], Any]
) -> None:
    """Propose settings by a tree-structured Parzen estimator (Optuna's `TPESampler`): a seed and a number of trials.

    `proposed` makes a setting of a trial.  `judged` returns cost and excesses of some settings, NaN without a value.
    Raises InputError without Optuna, an optional extra.
    """
    remedy = "'slicewright[optuna]', or give fewer values, so that every setting is compared"
    extra("optuna", "Optuna", option, remedy)
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    seed, trials = terms
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed % 2**32))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for start in range(0, trials, _PROPOSED):
            asked = [study.ask() for _ in range(min(_PROPOSED, trials - start))]
            for trial, columns in zip(asked, judged([proposed(trial) for trial in asked]), strict=True):
                cost, *excesses = columns
                if not all(map(math.isfinite, columns)):
                    study.tell(trial, state=optuna.trial.TrialState.FAIL)
                    continue
                for number, excess in enumerate(excesses):
                    trial.set_constraint(str(number), excess)
                study.tell(trial, cost)


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

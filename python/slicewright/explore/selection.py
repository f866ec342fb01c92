"""Selection of the best feasible setting with a stated probability, by fully sequential screening.

It checks feasibility and compares at the same time, with common random numbers (Healey, Andradóttir, Kim,
"Selection Procedures for Simulations with Multiple Constraints", ACM TOMACS 24(3), 2014).

Two settings are compared as by Kim, Nelson, "A Fully Sequential Procedure for Indifference-Zone Selection in
Simulation", ACM TOMACS 11(3), 2001.

A setting and a bound are compared as by Andradóttir, Kim, "Fully sequential procedures for comparing constrained
systems via simulation", Naval Research Logistics 57(5), 2010.

Several tolerances at once, so that clear cases end soon, are an idea of "Indifference-Zone Relaxation Procedures for
Finding Feasible Systems", arXiv 2509.04514, 2025.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from slicewright.values.settings import FIRST as FIRST

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

Observe = Callable[[Sequence[int], range], "Array"]
"""Of some settings in some batches, cost and each constraint's excess over its bound: settings x batches x columns."""

_LEVELS = (1, 8, 64)
"""Tolerances by which a bound is tested, as multiples of the one that is given; the error is split among them."""
_SHARE = 0.01
"""The indifference zone where none is given, as a share of the least mean cost of the first stage that is not 0."""


class Standing(Enum):
    """The fate of a setting."""

    CHOSEN = "chosen"
    DEARER = "costs more"
    BROKEN = "breaks a constraint"
    FAILED = "has no value"
    OPEN = "not decided"
    SEARCHED = "searched"


@dataclass(frozen=True, slots=True)
class Rules:
    """The terms of a selection; a tolerance for each constraint, in its units."""

    confidence: float
    indifference: float | None
    tolerances: Sequence[float]
    most: int = 500


@dataclass(frozen=True, slots=True)
class Selection:
    """The fate of each setting, its observations, and the setting that was chosen.

    `sure` says whether all tests ended before the batches ran out.
    """

    standings: Sequence[Standing]
    observed: Sequence[Array]
    """By setting: batches x columns, as many batches as it took part in."""
    met: npt.NDArray[np.int8]
    """By setting and constraint: 1 met, -1 broken, 0 not decided."""
    chosen: int | None
    sure: bool
    indifference: float


def select(count: int, observe: Observe, rules: Rules) -> Selection:
    """The setting with the least expected cost among those whose expected excesses are all at most 0.

    Observations of one batch may depend on one another (common random numbers); batches must be independent, and
    normally distributed.  The best setting is chosen with at least the probability of `rules` under two conditions.  It
    is inside each constraint by the tolerance.  Each other setting costs more by the indifference zone, or is outside a
    constraint by the tolerance.  Variances are those of the first stage.

    >>> import numpy as np
    >>> draw = np.random.default_rng(1)
    >>> means = np.array([[1.0, 3.0], [2.0, -3.0], [3.0, -3.0]])  # the cheapest is not feasible
    >>> rules = Rules(0.95, 0.5, [1.0])
    >>> def observe(who, batches):
    ...     return means[who][:, None, :] + draw.normal(size=(len(who), len(batches), 2))
    >>> select(3, observe, rules).chosen
    1
    """
    screening = _Screening(count, observe, rules)
    while not screening.ended:
        screening.step()
    return screening.result()


class _Screening:
    """The settings that are still in question, and the sums of what was observed of them."""

    def __init__(self, count: int, observe: Observe, rules: Rules) -> None:
        import numpy as np

        self.observe, self.rules = observe, rules
        self.standing = [Standing.OPEN] * count
        self.blocks: list[list[Array]] = [[] for _ in range(count)]
        self.met = np.zeros((count, len(rules.tolerances)), dtype=np.int8)
        self.sums = np.zeros((count, 1 + len(rules.tolerances)))
        self.batches = 0
        self._take(FIRST)
        whole = [at for at in range(count) if self.standing[at] is Standing.OPEN]
        self.zone = _zone(rules, [float(self.sums[at, 0]) / FIRST for at in whole])
        # Bonferroni: the best setting may lose to each other one, or seem to break each constraint.
        tests = max(1, count - 1 + len(rules.tolerances))
        share = (1 - rules.confidence) / tests
        self.h2 = _h2(share)
        self.h2_of_bounds = _h2(share / len(_LEVELS))
        self.over: set[tuple[int, int, int, int]] = set()
        """Tests of bounds that ended: of a setting, a constraint, a level, a side."""
        first = np.full((count, FIRST, 1 + len(rules.tolerances)), math.nan)
        for at in whole:
            first[at] = self.blocks[at][0]
        self.variances = first.var(axis=1, ddof=1)
        costs = first[:, :, 0]
        self.between = (costs[:, None, :] - costs[None, :, :]).var(axis=2, ddof=1) if count else np.zeros((0, 0))
        self._screen()

    @property
    def open(self) -> list[int]:
        """The settings in question."""
        return [at for at, standing in enumerate(self.standing) if standing is Standing.OPEN]

    @property
    def feasible(self) -> list[int]:
        """Those of them that meet every constraint."""
        return [at for at in self.open if (self.met[at] > 0).all()]

    @property
    def ended(self) -> bool:
        """Whether no test is left, or no batch."""
        left = self.open
        return not left or (len(left) == 1 and left == self.feasible) or self.batches >= self.rules.most

    def step(self) -> None:
        """A tenth more batches of the settings in question, and all tests."""
        self._take(min(max(1, self.batches // 10), self.rules.most - self.batches))
        self._screen()

    def result(self) -> Selection:
        """The fate of all settings."""
        import numpy as np

        left = self.open
        sure = not left or (len(left) == 1 and left == self.feasible)
        likely = [at for at in left if (self.sums[at, 1:] <= 0).all()]
        chosen = min(likely, key=lambda at: (self.sums[at, 0], at), default=None)
        if chosen is not None:
            self.standing[chosen] = Standing.CHOSEN
        observed = [np.concatenate(blocks) for blocks in self.blocks]
        return Selection(self.standing, observed, self.met, chosen, sure, self.zone)

    def _take(self, more: int) -> None:
        """More batches of all settings in question; what has no value cannot be chosen."""
        import numpy as np

        who = self.open
        block = self.observe(who, range(self.batches, self.batches + more))
        for at, rows in zip(who, block, strict=True):
            self.blocks[at].append(rows)
            self.sums[at] += rows.sum(axis=0)
            if not np.isfinite(rows).all():
                self.standing[at] = Standing.FAILED
        self.batches += more

    def _screen(self) -> None:
        for at in self.open:
            self._check(at)
        compared = self.open
        rivals = sorted(self.feasible, key=lambda at: (self.sums[at, 0], at))
        for at in compared:
            if any(self._loses(at, rival) for rival in rivals if rival != at):
                self.standing[at] = Standing.DEARER

    def _check(self, at: int) -> None:
        """Feasibility: the sum of excesses leaves a triangle below (met) or above (broken)."""
        for number, tolerance in enumerate(self.rules.tolerances):
            if self.met[at, number]:
                continue
            self.met[at, number] = self._side(at, number, tolerance)
            if self.met[at, number] < 0:
                self.standing[at] = Standing.BROKEN

    def _side(self, at: int, number: int, tolerance: float) -> int:
        """1 where a test says that a constraint is met, -1 that it is broken, 0 as long as none does.

        A wider tolerance decides sooner what is far from the bound.  Its test has a bound that is moved away by what it
        is wider, so that a setting inside by the tolerance itself is inside by the wider one.
        """
        variance, excess = float(self.variances[at, 1 + number]), float(self.sums[at, 1 + number])
        for level in _LEVELS:
            room = self._room(level * tolerance, variance, self.h2_of_bounds)
            moved = (level - 1) * tolerance * self.batches
            for side, beyond in ((-1, excess - moved), (1, -excess - moved)):
                test = (at, number, level, side)
                if test not in self.over and beyond >= room:
                    return side
                if beyond <= -room:  # this test ends without a verdict
                    self.over.add(test)
        return 0

    def _loses(self, at: int, rival: int) -> bool:
        """Comparison: the sum of differences leaves the triangle of two settings; ties go to the first."""
        room = self._room(self.zone, float(self.between[at, rival]), self.h2)
        difference = float(self.sums[at, 0] - self.sums[rival, 0])
        return difference > room or (room == 0 and difference == 0 and rival < at)

    def _room(self, zone: float, variance: float, h2: float) -> float:
        """Half of the triangle's height after the batches so far (c = 1): it shrinks to 0."""
        return max(0.0, (h2 * variance / zone - zone * self.batches) / 2)


def _h2(error: float) -> float:
    """Kim and Nelson's h squared for c = 1, by which a test of two sides errs with this probability on one of them."""
    return float(((2 * error) ** (-2 / (FIRST - 1)) - 1) * (FIRST - 1))


def _zone(rules: Rules, costs: Sequence[float]) -> float:
    if rules.indifference is not None:
        return rules.indifference
    return _SHARE * min((abs(float(cost)) for cost in costs if cost), default=1.0)

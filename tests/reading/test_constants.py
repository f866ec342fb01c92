"""Do both searches for constants find what a model was made of, and stay within its bounds?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from slicewright.reading.constants import (
    Plan,
    Search,
    Set,
    Tried,
    ensemble,
    least_squares,
    residual,
    spread_out,
)
from slicewright.reading.evidence import Unknown, Value

TRUE = {"think": 0.25, "connect": 3.0}
CELLS = {at: TRUE["think"] * at + TRUE["connect"] / at for at in (1, 2, 5, 9)}


def unknowns(low: float, high: float, scale: Any) -> tuple[Unknown, ...]:
    """Both constants of the model within bounds."""
    return tuple(Unknown(name, "", low, high, "ms", scale) for name in TRUE)


def simulate(constants: Set) -> Tried:
    """A model that is exactly right with the true constants."""
    misses = [
        residual(Value("ms", str(at), value, 0.1), constants["think"] * at + constants["connect"] / at)
        for at, value in CELLS.items()
    ]
    return Tried(constants, tuple(misses))


def each(work: Callable[[Any], Any], over: Sequence[Any]) -> list[Any]:
    """One after the other."""
    return list(map(work, over))


@pytest.mark.parametrize(("scale", "step"), [("linear", 0.01), ("log", 0.05)])
@pytest.mark.parametrize("once", [False, True])
def test_one_start_leads_to_the_true_constants(scale: str, step: float, once: bool) -> None:
    told: list[Tried] = []
    start, steps = {"think": 0.3, "connect": 2.5}, dict.fromkeys(TRUE, step)
    search = Search(unknowns(0.0, math.inf, scale), start, steps, once)
    found = least_squares(search, simulate, told.append)
    assert found == pytest.approx(TRUE, rel=1e-2 if once else 1e-3)
    assert told[-1].misfit < told[0].misfit / 100


def test_no_constant_leaves_its_bounds_where_the_truth_is_outside() -> None:
    within = unknowns(0.5, 2.0, "log")
    for kept in ensemble(within, Plan(8, 2, 2), (simulate, simulate, simulate), each):
        assert all(unknown.low <= kept[unknown.name] <= unknown.high for unknown in within)


def test_an_ensemble_has_the_true_constants_where_cells_identify_them() -> None:
    kept = ensemble(unknowns(0.05, 20.0, "log"), Plan(32, 6, 3, (4, 3)), (simulate, simulate, simulate), each)
    assert len(kept) == 3
    assert min(kept, key=lambda found: simulate(found).misfit) == pytest.approx(TRUE, rel=0.02)


def test_every_set_is_alone_in_its_part_of_each_constant() -> None:
    count = 16
    sets = spread_out(unknowns(1.0, 256.0, "log"), Plan(spread=count))
    for name in TRUE:
        parts = [min(count - 1, int(count * math.log(drawn[name]) / math.log(256.0))) for drawn in sets]
        assert sorted(parts) == list(range(count))


def test_twice_and_half_a_rate_are_as_far_by_ratio() -> None:
    cell = Value("rate_per_s", "", 100.0, 25.0)
    twice, half = (residual(cell, rate, by_ratio=True) for rate in (200.0, 50.0))
    assert twice == pytest.approx(-half)
    assert residual(cell, 0.0, by_ratio=True) == residual(cell, 0.1, by_ratio=True)

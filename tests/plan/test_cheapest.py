"""Does the search for the cheapest setting keep its promise where the truth is known?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest
from slicewright.explore.cheapest import Grid, Order, Search, Terms, Wanted

Array = npt.NDArray[np.float64]
TERMS = Terms(0.95, 0.01, 60)


def searched(order: Order, truth: Array, trial: int, noise: float = 0.05) -> Search:
    """A search among settings whose expected shares of the bound are known, by place."""

    def observe(wanted: Sequence[Wanted]) -> list[Array]:
        return [
            np.array([truth[at] * (1 + noise * np.random.default_rng((trial, at, k)).normal()) for k in batches])
            for at, _, batches in wanted
        ]

    return Search(order, (1, truth.shape[1]), observe, TERMS)


def right(best: int | None, worst: Array) -> bool:
    """Whether a choice holds within the tolerance, and nothing before it clearly does."""
    clear = np.flatnonzero(worst <= 1 - TERMS.tolerance)
    return best is not None and worst[best] <= 1 + TERMS.tolerance and best <= clear.min()


@pytest.mark.slow
@pytest.mark.parametrize("constraints", [1, 2])
def test_the_choice_is_right_as_often_as_promised(constraints: int) -> None:
    wrong = 0
    for trial in range(200):
        draw = np.random.default_rng(trial)
        truth = np.exp(draw.normal(0.4, 0.4, size=(200, constraints)) - np.linspace(0, 1.2, 200)[:, None])
        search = searched(Order(truth.max(axis=1) + draw.normal(0, 0.2, 200)), truth, trial)
        wrong += not right(search.find(), truth.max(axis=1))
    assert wrong <= 16  # 10 are expected at most; 16 is the 97 % point of the binomial


def test_ordered_grids_need_few_settings() -> None:
    costs = [np.arange(8) * 5.0, np.arange(8) * 5.0, np.array([0.0, 100.0]), np.array([0.0, 3.0])]
    grid = Grid(costs, [True] * 4)
    settings = np.array([grid.setting(at) for at in range(grid.count)])
    truth = (2.0 - 0.1 * settings[:, 0] - 0.08 * settings[:, 1] - 0.5 * settings[:, 2])[:, None]
    search = searched(grid, truth, 1, 0.02)
    best = search.find()
    assert right(best, truth[:, 0])
    assert len({at for at, _ in search.seen}) < grid.count / 3


def test_dearer_settings_are_never_simulated() -> None:
    truth = np.array([[1.5], [0.5], [0.4], [0.3]])
    search = searched(Order([1.5, 0.5, 0.4, 0.3]), truth, 1)
    assert search.find() == 1
    assert {at for at, _ in search.seen} <= {0, 1}


def test_nothing_holds() -> None:
    truth = np.full((5, 1), 2.0)
    search = searched(Order([2.0] * 5), truth, 1)
    assert search.find() is None
    assert sum(search.wrong(None).values()) < 0.05


def test_a_setting_without_a_value_is_not_chosen() -> None:
    truth = np.array([[np.nan], [0.5]])
    assert searched(Order([0.1, 0.2]), truth, 1).find() == 1

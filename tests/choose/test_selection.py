"""Does the selection choose the best feasible setting as often as it states, where the best is known exactly?"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest
from slicewright.explore.selection import FIRST, Observe, Rules, Selection, Standing, select

Array = npt.NDArray[np.float64]
CONFIDENCE = 0.9


def normal(means: Array, common: float, seed: int) -> Observe:
    """Normal observations of unit variance; a share `common` of it is the same for all settings of a batch."""
    draw = np.random.default_rng(seed)

    def observe(who: Sequence[int], batches: range) -> Array:
        shared = draw.normal(size=(1, len(batches), means.shape[1]))
        own = draw.normal(size=(len(who), len(batches), means.shape[1]))
        return np.asarray(means[list(who)][:, None, :] + math.sqrt(common) * shared + math.sqrt(1 - common) * own)

    return observe


def least_favourable(chosen: Selection, best: int) -> bool:
    return chosen.sure and chosen.chosen == best


def share_correct(means: Array, best: int, common: float, runs: int) -> float:
    rules = Rules(CONFIDENCE, 1.0, [1.0] * (means.shape[1] - 1), 5000)
    found = [select(len(means), normal(means, common, seed), rules) for seed in range(runs)]
    return sum(least_favourable(each, best) for each in found) / runs


# All others cost more by exactly the indifference zone: the worst case for which the probability is stated.
SLIPPAGE = np.array([[0.0]] + [[1.0]] * 7)
# The best is inside by the tolerance; some are cheaper and outside by it, some are feasible and cost more by the zone.
MIXED = np.array([[-1.0, 1.0]] * 4 + [[0.0, -1.0]] + [[1.0, -1.0]] * 4)


@pytest.mark.parametrize("common", [0.0, 0.5, 0.9])
@pytest.mark.parametrize(("means", "best"), [(SLIPPAGE, 0), (MIXED, 4)])
def test_the_best_is_chosen_as_often_as_stated(means: Array, best: int, common: float) -> None:
    runs = 150
    # Three standard errors below: fixed seeds, so that the test gives the same answer each time.
    least = CONFIDENCE - 3 * math.sqrt(CONFIDENCE * (1 - CONFIDENCE) / runs)
    assert share_correct(means, best, common, runs) >= least


def test_the_statement_needs_its_zone() -> None:
    """The check above can fail: where costs differ by less than the zone, the best is chosen less often."""
    assert share_correct(0.1 * SLIPPAGE, 0, 0.0, 150) < CONFIDENCE / 2


def test_common_random_numbers_need_fewer_batches() -> None:
    rules = Rules(0.95, 0.5, [], 5000)
    means = np.array([[0.0], [0.5], [1.0]])
    batches = [
        sum(sum(map(len, select(3, normal(means, common, seed), rules).observed)) for seed in range(20))
        for common in (0.0, 0.9)
    ]
    assert batches[1] < 0.5 * batches[0]


def test_no_setting_is_chosen_where_all_are_outside() -> None:
    means = np.array([[1.0, 1.0], [2.0, 2.0]])
    found = select(2, normal(means, 0.5, 1), Rules(0.95, 0.5, [0.2], 5000))
    assert (found.chosen, found.sure) == (None, True)
    assert list(found.standings) == [Standing.BROKEN] * 2


def test_more_batches_go_to_the_setting_at_the_bound() -> None:
    means = np.array([[1.0, -0.1], [2.0, -5.0], [0.5, 5.0]])
    found = select(3, normal(means, 0.0, 1), Rules(0.95, 0.5, [0.1], 5000))
    assert len(found.observed[0]) > 5 * FIRST
    assert len(found.observed[2]) == FIRST


def test_costs_without_noise_are_compared_exactly_and_ties_go_to_the_first() -> None:
    costs = np.array([3.0, 1.0000001, 1.0, 1.0])

    def observe(who: Sequence[int], batches: range) -> Array:
        return np.asarray(np.repeat(costs[list(who)][:, None], len(batches), axis=1)[:, :, None])

    found = select(4, observe, Rules(0.95, 0.5, [], 100))
    assert (found.chosen, found.sure) == (2, True)
    assert {len(rows) for rows in found.observed} == {FIRST}


def test_a_setting_without_a_value_is_not_chosen() -> None:
    def observe(who: Sequence[int], batches: range) -> Array:
        costs = np.where(np.array(who) == 0, math.nan, np.array(who, dtype=float))
        return np.asarray(np.repeat(costs[:, None], len(batches), axis=1)[:, :, None])

    found = select(3, observe, Rules(0.95, 0.5, [], 100))
    assert found.chosen == 1
    assert found.standings[0] is Standing.FAILED


def test_where_batches_run_out_the_answer_is_not_sure() -> None:
    means = np.array([[0.0], [0.01]])
    found = select(2, normal(means, 0.0, 1), Rules(0.95, 0.001, [], 50))
    assert not found.sure
    assert found.chosen is not None
    assert {len(rows) for rows in found.observed} == {50}


def erlang_c(servers: int, load: float) -> float:
    """The probability that an arrival of M/M/c waits."""
    terms = [load**n / math.factorial(n) for n in range(servers)]
    last = load**servers / math.factorial(servers) * servers / (servers - load)
    return last / (sum(terms) + last)


def waits(servers: int, load: float, draw: np.random.Generator, customers: int = 1500) -> float:
    """The mean time in an M/M/c of service rate 1, by the recursion of Kiefer and Wolfowitz."""
    free = np.zeros(servers)
    gaps, services = draw.exponential(1 / load, customers), draw.exponential(1.0, customers)
    now = total = 0.0
    for gap, service in zip(gaps.tolist(), services.tolist(), strict=True):
        now += gap
        at = int(free.argmin())
        start = max(now, float(free[at]))
        free[at] = start + service
        total += start + service - now
    return total / customers


@pytest.mark.slow
def test_the_number_of_servers_of_an_mmc_is_the_exact_one() -> None:
    """Least cost of servers and time in the system, time at most 1.25: by Erlang's C formula and by selection."""
    load, price, limit = 3.0, 0.5, 1.25
    choices = [4, 5, 6, 7]
    exact = {c: 1 + erlang_c(c, load) / (c - load) for c in choices}
    best = min((c for c in choices if exact[c] <= limit), key=lambda c: price * c + exact[c])
    assert min(choices, key=lambda c: price * c + exact[c]) < best  # the constraint binds

    def observe_with(seed: int) -> Observe:
        def observe(who: Sequence[int], batches: range) -> Array:
            # The same generator for all settings of a batch: common random numbers.
            times = np.array([
                [waits(choices[at], load, np.random.default_rng((seed, batch))) for batch in batches] for at in who
            ])  # fmt: skip
            servers = np.array([choices[at] for at in who])[:, None]
            return np.stack([price * servers + times, times - limit], axis=2)

        return observe

    rules = Rules(0.95, 0.05, [0.05], 2000)
    found = [select(len(choices), observe_with(seed), rules).chosen for seed in range(20)]
    assert sum(choices[each] == best for each in found if each is not None) >= 19

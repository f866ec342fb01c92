"""Does the selection choose the best feasible setting as often as it states, where the best is known exactly?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pytest
from slicewright.explore.cheapest import Compared, Observe, Order, Search, Standing, Terms, Wanted
from slicewright.values.settings import FIRST

Array = npt.NDArray[np.float64]
Rows = Callable[[int, int], Array]
"""Cost and excesses over bounds of 1 of a setting in a batch."""
CONFIDENCE = 0.9


def observed(rows: Rows, measured: bool) -> Observe:
    """Observations as a search has them: the cost where it is measured, then shares of the bounds."""

    def observe(wanted: Sequence[Wanted]) -> list[Array]:
        found = []
        for at, _, batches in wanted:
            own = np.array([rows(at, batch) for batch in batches])
            shares = 1 + own[:, 1:] if own.shape[1] > 1 else np.where(np.isfinite(own), 0.0, np.nan)
            found.append(np.hstack([own[:, :1], shares]) if measured else shares)
        return found

    return observe


def searched(rows: Rows, shape: tuple[int, int], terms: Terms, measured: bool = True) -> tuple[Search, int | None]:
    """A search among settings with constraints that has ended, and its choice."""
    count, constraints = shape
    tests = Terms(terms.confidence, terms.tolerance, terms.most, terms.indifference, max(1, count - 1 + constraints))
    own = observed(rows, measured)
    search = (
        Compared(count, max(1, constraints), own, tests)
        if measured
        else Search(Order(np.zeros(count)), (1, max(1, constraints)), own, tests)
    )
    return search, search.find()


def normal(means: Array, common: float, seed: int) -> Rows:
    """Normal observations; a share `common` of their variance of .05 squared is the same for all in a batch."""

    def rows(at: int, batch: int) -> Array:
        shared = np.random.default_rng((seed, batch)).normal(size=means.shape[1])
        own = np.random.default_rng((seed, batch, 1 + at)).normal(size=means.shape[1])
        return np.asarray(means[at] + 0.05 * (math.sqrt(common) * shared + math.sqrt(1 - common) * own))

    return rows


def share_correct(means: Array, best: int, common: float, runs: int, measured: bool = True) -> float:
    terms = Terms(CONFIDENCE, ZONE, 5000, ZONE)
    right = 0
    for seed in range(runs):
        search, found = searched(normal(means, common, seed), (len(means), means.shape[1] - 1), terms, measured)
        right += found == best and search.is_sure(found)
    return right / runs


# All others cost more by exactly the indifference zone: the worst case for which the probability is stated.
ZONE = 0.025
SLIPPAGE = ZONE * np.array([[0.0]] + [[1.0]] * 7)
# The best is inside by the tolerance; some are cheaper and outside by it, some are feasible and cost more by the zone.
MIXED = ZONE * np.array([[-1.0, 1.0]] * 4 + [[0.0, -1.0]] + [[1.0, -1.0]] * 4)


@pytest.mark.parametrize("common", [0.0, 0.9])
@pytest.mark.parametrize(("means", "best", "measured"), [(SLIPPAGE, 0, True), (MIXED, 4, True), (MIXED, 4, False)])
def test_the_best_is_chosen_as_often_as_stated(means: Array, best: int, measured: bool, common: float) -> None:
    """Where costs are measured, and where they are known: by the order of settings."""
    runs = 60
    # Three standard errors below: fixed seeds, so that the test gives the same answer each time.
    least = CONFIDENCE - 3 * math.sqrt(CONFIDENCE * (1 - CONFIDENCE) / runs)
    assert share_correct(means, best, common, runs, measured) >= least


def test_the_statement_needs_its_zone() -> None:
    """The check above can fail: where costs differ by less than the zone, the best is chosen less often."""
    assert share_correct(0.1 * SLIPPAGE, 0, 0.0, 30) < CONFIDENCE / 2


def test_errors_of_one_look_alone_do_not_keep_the_statement() -> None:
    """The check above can fail: looks that are repeated without a share of the error choose wrongly too often."""
    terms = Terms(CONFIDENCE, ZONE, 5000, ZONE)
    found = [Compared(len(MIXED), 1, observed(normal(MIXED, 0.0, seed), True), terms).find() for seed in range(60)]
    assert sum(each == 4 for each in found) / 60 < CONFIDENCE - 3 * math.sqrt(CONFIDENCE * (1 - CONFIDENCE) / 60)


def test_common_random_numbers_need_fewer_batches() -> None:
    means = np.array([[0.0], [0.01], [0.02]])
    batches = [
        sum(
            sum(map(len, searched(normal(means, common, seed), (3, 0), Terms(0.95, 0.01, 5000, 0.01))[0].seen.values()))
            for seed in range(10)
        )
        for common in (0.0, 0.9)
    ]
    assert batches[1] < 0.5 * batches[0]


@pytest.mark.parametrize("measured", [False, True])
def test_no_setting_is_chosen_where_all_are_outside(measured: bool) -> None:
    means = np.array([[1.0, 1.0], [2.0, 2.0]])
    search, found = searched(normal(means, 0.5, 1), (2, 1), Terms(0.95, 0.01, 5000, 0.5), measured)
    assert (found, search.is_sure(found)) == (None, True)
    assert search.standings(found) == [Standing.BROKEN] * 2


def test_more_batches_go_to_the_setting_at_the_bound() -> None:
    means = np.array([[0.5, 5.0], [0.9, 0.4], [1.0, -0.01], [2.0, -5.0]])
    search, found = searched(normal(means, 0.0, 1), (4, 1), Terms(0.95, 0.01, 5000), measured=False)
    assert found == 2
    assert len(search.seen[2, 0]) > 20
    assert len(search.seen[0, 0]) <= 3


def test_a_clear_case_has_one_batch() -> None:
    means = np.array([[float(at), 5.0 if at < 8 else -0.5] for at in range(12)])
    search, found = searched(normal(means, 0.0, 1), (12, 1), Terms(0.95, 0.01, 5000), measured=False)
    assert found == 8
    assert [len(search.seen[at, 0]) for at in range(4, 8)] == [1] * 4
    assert all((at, 0) not in search.seen for at in (10, 11))


def test_measured_costs_without_noise_are_compared_exactly_and_ties_go_to_the_first() -> None:
    costs = np.array([3.0, 1.0000001, 1.0, 1.0])
    search, found = searched(lambda at, batch: costs[at : at + 1], (4, 0), Terms(0.95, 0.01, 100, 0.5))
    assert (found, search.is_sure(found)) == (2, True)
    assert {len(rows) for rows in search.seen.values()} == {FIRST}


@pytest.mark.parametrize("measured", [False, True])
def test_a_setting_without_a_value_is_not_chosen(measured: bool) -> None:
    def rows(at: int, batch: int) -> Array:
        return np.array([math.nan if at == 0 else float(at)])

    search, found = searched(rows, (3, 0), Terms(0.95, 0.01, 100, 0.5), measured)
    assert found == 1
    assert search.standings(found)[0] is Standing.FAILED


def test_where_batches_run_out_the_answer_is_not_sure() -> None:
    means = np.array([[0.0], [0.0005]])
    search, found = searched(normal(means, 0.0, 1), (2, 0), Terms(0.95, 0.01, 50, 0.00005))
    assert not search.is_sure(found)
    assert found is not None
    assert {len(rows) for rows in search.seen.values()} == {50}


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

    def rows_with(seed: int) -> Rows:
        def rows(at: int, batch: int) -> Array:
            # The same generator for all settings of a batch: common random numbers.
            time = waits(choices[at], load, np.random.default_rng((seed, batch)))
            return np.array([price * choices[at] + time, time / limit - 1])

        return rows

    terms = Terms(0.95, 0.04, 2000, 0.05)
    found = [searched(rows_with(seed), (len(choices), 1), terms)[1] for seed in range(20)]
    assert sum(choices[each] == best for each in found if each is not None) >= 19

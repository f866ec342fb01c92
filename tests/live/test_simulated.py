"""Is what a live measurement is held against right where an exact answer is known?"""

from __future__ import annotations

import pytest
from slicewright._core import student_t
from slicewright.live.groups import Limit
from slicewright.live.slices import REPLICATIONS, Machine, _late_ms, _simulated_waits, _Waits
from slicewright.live.throttling import _simulated_work
from slicewright.statistics import Estimate, estimate

EXACT = Machine(tick_ms=0.0, bandwidth_slice_ms=5.0)


def errors_off(found: Estimate, expected: float) -> float:
    """How many standard errors a mean is from what is expected."""
    return abs(found.mean - expected) / (found.half_width / student_t(REPLICATIONS - 1))


@pytest.mark.parametrize(("slice_ms", "wait_ms"), [(30, 18), (20, 25), (10, 9)])
def test_starts_over_the_own_slice_are_seen_as_late_as_the_formula_says(slice_ms: int, wait_ms: int) -> None:
    found = estimate(_simulated_waits(Limit(slice_ms * 1000, slice_ms * 2000), _Waits("uniform", wait_ms), EXACT))
    assert errors_off(found, _late_ms(wait_ms, slice_ms, 2 * slice_ms)) < 5


def test_starts_after_the_last_completion_keep_their_place_in_the_slice() -> None:
    # Seen at the start of a slice of 20 ms, .4 ms of work, 25 ms of waiting: over 14.6 ms before the next slice, less a
    # turn of the burner at most.
    found = estimate(_simulated_waits(Limit(20_000, 40_000), _Waits("locked", 25.0, work_ms=0.4), EXACT))
    assert 14.5 - 1e-9 <= found.mean <= 14.6 + 1e-9


def test_a_thread_that_wants_less_than_its_quota_is_never_stopped() -> None:
    found = _simulated_work(Limit(20_000, 100_000), 5.0, 30.0, Machine(4.0, 5.0))
    assert found["nr_throttled_per_s"].mean == 0
    assert found["nr_periods_per_s"].mean == pytest.approx(10.0)
    assert found["work_ms"].mean == pytest.approx(5.0, abs=0.02)


def test_a_thread_that_wants_more_gets_its_quota() -> None:
    found = _simulated_work(Limit(20_000, 100_000), 5.0, 5.0, Machine(4.0, 5.0))
    assert found["usage_usec_per_s"].mean == pytest.approx(200_000, rel=0.01)
    assert found["nr_throttled_per_s"].mean == pytest.approx(10.0, rel=0.01)
    # Four works and sleeps take a period of 100 ms: 5 ms of sleep each, and 20 ms until the work is done.
    assert found["work_ms"].mean == pytest.approx(20.0, rel=0.01)


def test_at_the_edge_of_a_quota_each_microsecond_of_work_counts() -> None:
    """Four works of 5 ms in 100 ms are the quota: a little more throttles periods, and more throttles more."""
    counts = [
        _simulated_work(Limit(20_000, 100_000), work_ms, 20.0, Machine(4.0, 5.0))["nr_throttled_per_s"].mean
        for work_ms in (5.0, 5.04, 5.14)
    ]
    assert counts[0] == 0
    assert 0 < counts[1] < counts[2]


def test_what_differs_from_group_to_group_is_where_its_periods_lie_between_two_ticks() -> None:
    limit, waits = Limit(20_000, 40_000), _Waits("locked", 18.0, work_ms=0.5)
    with_tick, without = (_simulated_waits(limit, waits, Machine(tick_ms, 5.0)) for tick_ms in (4.0, 0.0))
    assert max(with_tick) - min(with_tick) > 5.0
    assert max(without) - min(without) < 0.1

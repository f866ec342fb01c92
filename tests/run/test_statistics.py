"""Are intervals and printed numbers right?"""

from __future__ import annotations

import math
import random

import polars as pl
import pytest
from slicewright.statistics import (
    Estimate,
    count,
    estimate,
    fixed,
    over_replications,
    paired,
    plus_minus,
    seconds,
    significant,
    unpaired,
)


def test_an_interval_is_students_t() -> None:
    found = estimate([1.0, 2.0, 3.0, 4.0])
    assert found.mean == 2.5
    assert found.half_width == pytest.approx(3.1824463 * math.sqrt(5 / 3 / 4), rel=1e-6)
    assert (found.low, found.high) == (found.mean - found.half_width, found.mean + found.half_width)


def test_about_95_of_100_intervals_hold_the_mean() -> None:
    draw = random.Random(1)
    held = sum(abs((e := estimate([draw.gauss(3, 2) for _ in range(5)])).mean - 3) <= e.half_width for _ in range(2000))
    assert 0.935 < held / 2000 < 0.965


def test_too_few_values_leave_the_half_width_unknown() -> None:
    assert math.isnan(estimate([1.0]).half_width)
    assert math.isnan(estimate([]).mean)
    assert estimate([1.0]).relative == math.inf


def test_pairing_takes_out_what_both_runs_share() -> None:
    draw = random.Random(2)
    before = [draw.gauss(10, 3) for _ in range(10)]
    after = [value + 1 + draw.gauss(0, 0.01) for value in before]
    assert paired(before, after).half_width < 0.02
    assert unpaired(before, after).half_width > 1
    assert paired(before, after).mean == pytest.approx(unpaired(before, after).mean)


def test_pairing_refuses_what_is_not_common() -> None:
    with pytest.raises(ValueError, match="shorter"):
        paired([1.0, 2.0], [1.0])


def test_welch_agrees_with_scipy() -> None:
    from scipy.stats import ttest_ind

    before, after = [1.0, 2.5, 3.0, 4.2, 3.3], [2.0, 6.0, 9.5, 4.0, 7.7, 5.1]
    interval = ttest_ind(after, before, equal_var=False).confidence_interval()
    found = unpaired(before, after)
    assert found.mean == pytest.approx((interval.low + interval.high) / 2)
    exact = (interval.high - interval.low) / 2
    assert exact <= found.half_width < exact * 1.05


def test_a_table_gets_the_same_estimates_as_a_list() -> None:
    values = {"A": [1.0, 2.0, 4.0], "B": [5.0, 5.0, 8.0]}
    table = pl.DataFrame(
        {"volume": list("ABABAB"), "x": [v for pair in zip(*values.values(), strict=True) for v in pair]}
    )
    for row in over_replications(table, ["volume"], ["x"]).iter_rows(named=True):
        expected = estimate(values[row["volume"]])
        assert (row["x"], row["x_half_width"]) == pytest.approx((expected.mean, expected.half_width))


def test_values_that_are_missing_do_not_count() -> None:
    table = pl.DataFrame({"volume": ["A"] * 4, "x": [1.0, None, 3.0, math.nan]})
    row = over_replications(table, ["volume"], ["x"]).row(0, named=True)
    assert row["x"] == 2.0
    assert row["x_half_width"] == pytest.approx(estimate([1.0, 3.0]).half_width)


@pytest.mark.parametrize(
    ("value", "places", "printed"),
    [(0.2, 1, ".2"), (1.84, 2, "1.84"), (-0.5, 1, "-.5"), (12164.4, 0, "12,164"), (0, 1, ".0"), (-0.01, 1, ".0")],
)
def test_numbers_look_as_in_reports(value: float, places: int, printed: str) -> None:
    assert fixed(value, places) == printed


@pytest.mark.parametrize(
    ("estimate", "printed"),
    [
        (Estimate(12164.3, 7.2, 10), "12,164 ± 7"),
        (Estimate(1.6673, 0.0013, 10), "1.667 ± .001"),
        (Estimate(5.0, math.nan, 1), "5.00"),
        (Estimate(math.nan, math.nan, 0), "-"),
        (Estimate(0.0, 0.0, 10), "0"),
        (Estimate(3.0, 1e-9, 10), "3.0000 ± .0000"),
        (Estimate(1.5, 120.0, 10), "2 ± 120"),
    ],
)
def test_an_estimate_is_printed_to_the_digit_that_is_certain(estimate: Estimate, printed: str) -> None:
    assert str(estimate) == printed


def test_what_is_not_a_number_is_a_dash() -> None:
    assert {fixed(None, 1), significant(math.nan), count(math.inf), plus_minus(None, 1.0), seconds(None)} == {"-"}

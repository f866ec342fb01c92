"""Does one judge give the verdicts of studies, of live experiments and of comparisons, each by its own rule?"""

from __future__ import annotations

import math

import pytest
from slicewright.results.frame import COLUMNS, frame
from slicewright.results.judge import CHANGES, LIVE, PUBLISHED, SLICES, Band, Cell, Place, Ruling, Spread
from slicewright.statistics import Estimate

NAN = math.nan


@pytest.mark.parametrize(
    ("apart", "noise", "others", "live", "slices"),
    [
        (1.0, 0.0, 0.0, "agrees", "agrees"),
        (-1.0, 0.0, 90.0, "agrees", "agrees"),
        (1.1, 0.5, 0.0, "differs", "differs"),
        (-1.1, 0.5, 3.1, "too noisy", "differs"),
        (1.1, 1.1, 0.0, "too noisy", "too noisy"),
        (1.1, NAN, 0.0, "differs", "differs"),
        (NAN, NAN, 0.0, "too noisy", "differs"),
    ],
)
def test_live_is_judged_by_its_band_then_by_noise_and_the_load_of_others(
    apart: float, noise: float, others: float, live: str, slices: str
) -> None:
    assert LIVE.verdict(apart, 1.0, noise, others_percent=others) == live
    assert SLICES.verdict(apart, 1.0, noise, others_percent=others) == slices


def test_the_noise_beside_another_value_is_that_of_both() -> None:
    simulated = Estimate(10.0, 3.0, 20)
    assert LIVE.beside(Estimate(14.9, 4.0, 5), simulated, Band(rel=0.15)) == "too noisy"
    assert LIVE.beside(Estimate(15.1, 4.0, 5), simulated, Band(rel=0.15)) == "differs"
    assert LIVE.beside(Estimate(11.5, 0.0, 5), simulated, Band(rel=0.15)) == "agrees"


@pytest.mark.parametrize(
    ("difference", "half_width", "verdict"),
    [
        (0.2, 0.1, "interval excludes 0"),
        (-0.1, 0.1, "interval contains 0"),
        (0.0, 0.0, "interval contains 0"),
        (0.0, NAN, "no interval"),
        (NAN, NAN, "no interval"),
    ],
)
def test_a_change_is_judged_by_its_own_interval(difference: float, half_width: float, verdict: str) -> None:
    assert CHANGES.verdict(difference, NAN, half_width) == verdict


def test_noise_never_excuses_a_published_cell() -> None:
    assert PUBLISHED.verdict(4.1, 4.0, 5.0) == "misses"
    assert PUBLISHED.verdict(4.1, 4.0, 5.0, others_percent=90.0) == "misses"
    assert PUBLISHED.verdict(NAN, 4.0, NAN) == "misses"


def test_a_cell_is_a_row_of_the_frame_whose_range_is_that_of_its_readings() -> None:
    judged = Ruling("predicted", Band(rel=0.04))
    cell = Cell(Place("run.A", "gain", "%", "n=1"), 2.0, Estimate(2.1, NAN, 1), judged, spread=Spread.of([2.0, 2.2]))
    found = frame([cell.result])
    assert tuple(found.columns) == COLUMNS
    assert found.row(0) == ("run.A", "n=1", "", "gain", "%", 2.1, None, 1, 2.0, 2.2)

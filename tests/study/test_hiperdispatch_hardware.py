"""The hardware form of the HiperDispatch study: as declared, with its roles, fitted to calibration cells; what holds?

Its cells are printed, not tested.
"""

from __future__ import annotations

import math
import re
from collections import Counter

import pytest
from slicewright.report.html import render
from slicewright.results.judge import Cell
from slicewright.statistics import Estimate
from slicewright.study.calibrate import Calibration, Constants, Fit
from slicewright.study.hiperdispatch import DIRECTIONS, HARDWARE, STUDY, Case, column_case, in_small_books
from slicewright.study.judge import Judge, Kept, Reproduction, Request, beside
from slicewright.study.pages import directions
from slicewright.study.points import Budget

from tests.tidy.tree import ROOT

SHORT = Budget(replications=1, most=1, interval_s=1, warm_up_s=0.0)
NOTHING = Estimate(0.0, 0.0, 2)
ROUND = {
    "hold": 1.0, "per_waiter": 0.4, "path": 0.5, "simulate": 4.0, "look": 0.06, "entry": 4.0, "sleep_high": 70.0,
    "sleep_low": 9.0, "touched_in": 1000.0, "footprint": 3.0, "nest_cost": 0.36, "margin": 1.5,
}  # fmt: skip
"""Constants in round numbers."""


@pytest.fixture(scope="module")
def result() -> Reproduction:
    """The full reproduction, judged again."""
    return STUDY.judged(Kept.read((ROOT / STUDY.validation).with_suffix(".json").read_text("utf-8")))


@pytest.fixture(scope="module")
def fitted() -> Calibration:
    """The committed ensemble."""
    return STUDY.committed(HARDWARE)


def text_of(case: Case, form: str = HARDWARE) -> str:
    """The scenario of a run with round constants."""
    return STUDY.scenario(case, Constants(form, ROUND), SHORT)


def value(case: Case, key: str) -> float:
    """The number of a key in a scenario."""
    return float(re.findall(rf'\b{key} = "?([\d.]+)', text_of(case))[0])


def scored(form: str) -> list[Cell]:
    """The scored cells of a form, without anything simulated."""
    judge = Judge(STUDY, form=form)
    cells = [judge.cell(number, NOTHING) for number in judge.published]
    return [cell for cell in cells if cell.ruling.scored]


def test_every_cell_is_informed_and_bands_are_those_of_the_first_form() -> None:
    assert Counter(cell.ruling.role for cell in scored(HARDWARE)) == {"informed": 33}
    assert [cell.ruling.band for cell in scored(HARDWARE)] == [cell.ruling.band for cell in scored("first")]


def test_levels_cost_published_weights_times_one_constant_on_both_machines() -> None:
    for case in (Case("figure4", 32, "H"), Case("table1", 16, "H")):
        found = text_of(case)
        assert "beyond" not in found
        assert f"nest_cost = {ROUND['nest_cost']}" in found
    assert re.findall(r"nest = ([\d.]+)", text_of(Case("figure4", 32, "H"))) == ["0.4", "1.2", "2.7"]
    assert re.findall(r"nest = ([\d.]+)", text_of(Case("table1", 16, "H"))) == ["1.2", "2.7"]


def test_books_have_24_processors_on_the_zec12_and_16_on_the_z10_and_20_beside_them() -> None:
    assert value(Case("figure4", 32, "H"), "cores_per_book") == 24
    assert value(Case("table1", 16, "H"), "cores_per_book") == 16
    assert value(in_small_books(Case("figure4", 32, "H")), "cores_per_book") == 20


@pytest.mark.parametrize(("cpupad", "start"), [(100, 11), (300, 13)])
def test_columns_that_park_start_with_what_the_load_needs(cpupad: int, start: int) -> None:
    case = Case("table1", 16, "V F", cpupad)
    assert value(case, "start") == math.ceil(7.75 + cpupad / 100 + ROUND["margin"]) == start
    assert value(case, "margin") == 100 * ROUND["margin"]


@pytest.mark.parametrize("column", ["6.2", "6.3 CPUPAD 6400%"])
def test_no_calibration_cell_depends_on_the_margin(column: str) -> None:
    text = text_of(column_case(16, column))
    assert 'margin = "0 %"' in text
    assert "start" not in text


def test_heavy_tiles_touch_their_storage_faster_in_proportion_to_their_transactions() -> None:
    light, heavy = (value(Case(figure, 16, "H"), "touched_in") for figure in ("figure2", "figure3"))
    assert heavy / light == pytest.approx(1360 / 2361, rel=1e-6)


def test_wake_ups_are_free_in_horizontal_mode_as_in_the_adopted_form() -> None:
    assert 'horizontal_stealing = "free"' in text_of(Case("figure2", 24, "H"))
    assert 'horizontal_stealing = "global"' in text_of(Case("figure2", 24, "V F"))


def test_the_ensemble_has_as_many_sets_as_declared_within_their_bounds_and_the_best_is_first(
    fitted: Calibration,
) -> None:
    within = STUDY.spec().part(HARDWARE).bounds
    assert len(within) == 12
    assert len(fitted.members) == STUDY.spec().forms[HARDWARE].keep
    for member in fitted.members:
        assert all(low <= member.constants[name] <= high for name, (low, high) in within.items())
    misfits = [member.misfit for member in fitted.members]
    assert misfits == sorted(misfits)


def test_every_constant_has_a_source_of_its_bounds() -> None:
    constants = STUDY.spec().part(HARDWARE).constants.values()
    assert all(constant.source and constant.low and constant.high for constant in constants)


@pytest.mark.slow
def test_the_committed_cells_are_what_the_first_committed_set_gives(fitted: Calibration) -> None:
    kept = fitted.members[0]
    again = Fit(STUDY, HARDWARE).member(kept.constants)
    assert again.scales == kept.scales
    assert again.misfit == pytest.approx(kept.misfit, rel=1e-4)
    assert again.simulated == pytest.approx(kept.simulated, rel=1e-6)


def test_its_cells_are_counted_apart_with_their_spread(result: Reproduction) -> None:
    cells = [cell for cell in result.variant if cell.ruling.scored]
    assert [cell.place for cell in cells] == [cell.place for cell in result.cells if cell.ruling.scored]
    assert all(cell.spread is not None and cell.spread.least <= cell.estimate.mean for cell in cells)
    matches = sum(cell.verdict == "matches" for cell in cells)
    assert STUDY.summary(result).splitlines()[-2].startswith(f"           hardware form: {matches} of 33 match")


def test_all_directions_are_counted_over_all_sets(result: Reproduction) -> None:
    found = list(directions(DIRECTIONS, beside(result.comparison, HARDWARE, tuple(STUDY.spec().forms))))
    assert [each.of for each in found] == [STUDY.spec().forms[HARDWARE].keep] * 7


def test_the_page_shows_small_books_beside_large_ones(result: Reproduction) -> None:
    text = render(STUDY.page(result, Request(curves=False)))
    assert ">books of 20<" in text

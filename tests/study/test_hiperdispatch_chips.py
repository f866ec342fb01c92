"""The chips form of the HiperDispatch study: as declared, with its roles and its books; cells are not tested."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from slicewright.report.html import render
from slicewright.study.calibrate import Calibration, Fit
from slicewright.study.hiperdispatch import CHIPS, DIRECTIONS, STUDY, USABLE_BOOKS, Case
from slicewright.study.judge import Judge, Kept, Reproduction, Request, beside
from slicewright.study.pages import directions
from slicewright.study.points import Budget

from tests.tidy.tree import ROOT

SHORT = Budget(replications=1, most=1, interval_s=1, warm_up_s=0.0)


@pytest.fixture(scope="module")
def result() -> Reproduction:
    """The full reproduction, judged again."""
    return STUDY.judged(Kept.read((ROOT / STUDY.validation).with_suffix(".json").read_text("utf-8")))


@pytest.fixture(scope="module")
def fitted() -> Calibration:
    """The committed ensemble."""
    return STUDY.committed(CHIPS)


def test_what_it_is_fitted_to_never_counts_and_all_else_is_informed() -> None:
    judge = Judge(STUDY, form=CHIPS)
    scored = [judge.ruling(number) for number in judge.published if judge.ruling(number).scored]
    assert Counter(ruling.role for ruling in scored) == {"informed": 31}
    more = {number.place.key for number in judge.published if judge.ruling(number).role == "calibrated"}
    more -= {number.place.key for number in STUDY.calibrated(STUDY.spec())}
    assert more == {("figure2", "gain_percent", "n=8"), ("figure4", "gain_percent", "n=8")}
    used = {target.number.place.key for target in Fit(STUDY, CHIPS).targets if target.used}
    assert more <= used
    assert len(used) == 34


def test_chips_have_four_processors_and_sets_have_the_three_books_in_turn() -> None:
    books = []
    for constants in STUDY.sets(CHIPS):
        text = STUDY.scenario(Case("figure4", 32, "V B"), constants, SHORT)
        chip, chips, book = (int(value) for value in re.findall(r"(?:cores|chips)_per_\w+ = (\d+)", text))
        assert (chip, chips) == (4, -(-book // 4))
        books.append(book)
    assert books == [*USABLE_BOOKS, *USABLE_BOOKS]


def test_a_processor_steals_in_its_book_as_on_its_chip_and_levels_cost_published_weights() -> None:
    text = STUDY.scenario(Case("figure2", 24, "H"), STUDY.constants(CHIPS), SHORT)
    assert "barriers = [1, 1, 4]" in text
    assert 'horizontal_stealing = "global"' in text
    assert re.findall(r"nest = ([\d.]+)", text) == ["0.4", "1.2", "2.7"]


def test_every_constant_has_bounds_with_a_source_and_keeps_them(fitted: Calibration) -> None:
    within = STUDY.spec().part(CHIPS).bounds
    assert len(within) == 11
    assert all(constant.source for constant in STUDY.spec().part(CHIPS).constants.values())
    assert len(fitted.members) == STUDY.spec().forms[CHIPS].keep
    for member in fitted.members:
        assert all(low <= member.constants[name] <= high for name, (low, high) in within.items())


@pytest.mark.slow
def test_the_committed_cells_are_what_the_first_committed_set_gives(fitted: Calibration) -> None:
    kept = fitted.members[0]
    again = Fit(STUDY, CHIPS).member(kept.constants)
    assert again.simulated == pytest.approx(kept.simulated, rel=1e-6)


def test_its_directions_are_counted_over_all_sets_and_books_are_beside_its_cells(result: Reproduction) -> None:
    found = directions(DIRECTIONS, beside(result.comparison, CHIPS, tuple(STUDY.spec().forms)))
    # The points without effect that it is fitted to are in every set's calibration cells, with those at N = 16.
    assert {each.of for each in found} == {STUDY.spec().forms[CHIPS].keep}
    text = render(STUDY.page(result, Request(curves=False)))
    assert ">books of 22<" in text

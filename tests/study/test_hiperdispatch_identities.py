"""The published numbers of the HiperDispatch study hold the laws that the model is built on."""

from __future__ import annotations

from collections import Counter

import pytest
from slicewright.study.hiperdispatch import BLOCKS, FIGURES, STUDY

FOUND = STUDY.spec().document
TABLE, IDENTITIES, TILES = FOUND["table1"], FOUND["identities"], FOUND["tiles"]
COLUMNS = range(len(TABLE["columns"]))
BANDS, NUMBERS = STUDY.spec(), STUDY.published(STUDY.spec())


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("column", COLUMNS)
def test_tiles_pace_on_chargeable_time(block: str, column: int) -> None:
    own = TABLE[block]
    charged = own["guests_percent"][column] + own["chargeable_cp_percent"][column]
    assert charged == pytest.approx(IDENTITIES["guests_and_chargeable_cp_percent"], abs=0.1)
    assert charged == pytest.approx(TABLE["tiles"] * TILES[TABLE["tile"]]["busy_percent"], abs=0.15)


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("column", COLUMNS)
def test_total_is_the_sum_of_its_parts(block: str, column: int) -> None:
    own = TABLE[block]
    parts = sum(own[row][column] for row in ("guests_percent", "chargeable_cp_percent", "nonchargeable_cp_percent"))
    assert own["total_percent"][column] == pytest.approx(parts, abs=IDENTITIES["total_is_sum_within_percent"])


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("column", COLUMNS)
def test_tv_is_total_over_guests(block: str, column: int) -> None:
    own = TABLE[block]
    ratio = own["total_percent"][column] / own["guests_percent"][column]
    assert own["tv_ratio"][column] == pytest.approx(ratio, abs=IDENTITIES["tv_ratio_is_total_over_guests_within"])


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("column", COLUMNS)
def test_rows_per_transaction_are_quotients(block: str, column: int) -> None:
    own = TABLE[block]
    for row in ("total_percent", "guests_percent", "chargeable_cp_percent", "nonchargeable_cp_percent"):
        quotient = own[row][column] / own["transactions_per_s"][column]
        assert own[f"{row}_per_tx"][column] == pytest.approx(quotient, abs=1e-4)


def test_what_is_spent_spinning_is_collisions_times_their_spin() -> None:
    for rows in (TABLE[block] for block in BLOCKS):
        for collisions, spin_us, spin_s in zip(
            rows["srmslock_collisions_per_s"],
            rows["srmslock_spin_us_per_collision"],
            rows["srmslock_spin_s_per_s"],
            strict=True,
        ):
            assert spin_s == pytest.approx(collisions * spin_us / 1e6, rel=5e-3)


def test_each_figure_draws_what_its_tiles_do() -> None:
    for published in (FOUND[figure] for figure in FIGURES):
        assert published["demand_percent"] == published["tiles"] * TILES[published["tile"]]["busy_percent"]


def test_gains_are_those_of_the_etrs_beside_them() -> None:
    etr = [entry["value"] for entry in FOUND["figure1"]["etr"]]
    assert 100 * (etr[1] / etr[0] - 1) == pytest.approx(FOUND["figure1"]["gain_percent"][0]["value"], abs=0.5)
    etr = [entry["value"] for entry in FOUND["figure2"]["etr"]]
    assert 100 * (etr[1] / etr[0] - 1) == pytest.approx(FOUND["figure2"]["gain_percent"][0]["value"], abs=0.5)
    assert 100 * (etr[3] / etr[2] - 1) == pytest.approx(FOUND["figure2"]["gain_percent"][1]["value"], abs=0.5)


def test_thirty_three_cells_are_scored_and_ten_of_them_are_predicted() -> None:
    rulings = {number.place.key: BANDS.ruling(*number.place.key) for number in NUMBERS}
    assert Counter(ruling.role for ruling in rulings.values() if ruling.scored) == {"predicted": 10, "informed": 23}
    informed = {key for key, ruling in rulings.items() if ruling.role == "informed"}
    figures = {key[0] + " " + key[2] for key in informed if key[0].startswith("figure")}
    assert figures == {"figure2 n=8", "figure4 n=8", "figure4 n=16", "figure4 n=24", "figure4 n=32"}
    assert len(informed) - len(figures) == 18, "the columns that park"


def test_what_parks_is_judged_and_the_rest_of_table_1_is_not() -> None:
    scored = {number.place.column for number in NUMBERS if "table1" in number.place.table and judged(number.place.key)}
    assert scored == {"6.3 CPUPAD 100%", "6.3 CPUPAD 300%"}
    assert not any(judged(number.place.key) for number in NUMBERS if number.place.table == "table1.n8")


def test_points_without_effect_have_a_band_of_their_own() -> None:
    still = [number for number in NUMBERS if number.value == 0]
    assert len(still) == 10
    assert {BANDS.ruling(*number.place.key).band.width(0.0) for number in still} == {3.0}


def judged(key: tuple[str, ...]) -> bool:
    """Whether the bands judge a cell."""
    return BANDS.ruling(*key).scored

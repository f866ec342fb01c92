"""The values of the six published pages at full precision, and the role and band of every value."""

import math

import pytest
from msgspec import structs
from slicewright.results.judge import Band, Cell, Change, Place, Ruling, Tally
from slicewright.statistics import Estimate
from slicewright.study.hyperpav import STUDY, reports, values

BY_TABLE = {report.table: report for report in reports()}


@pytest.mark.parametrize(
    ("table", "response_ms"),
    [
        ("Y040180P", 3.74),
        ("Y040181P", 2.92),
        ("Y040182P", 1.74),
        ("Y032180H", 3.73),
        ("Y032181H", 2.18),
        ("Y032182H", 1.65),
    ],
)
def test_the_true_response_is_service_in_progress_and_queue_over_rate(table: str, response_ms: float) -> None:
    assert values(BY_TABLE[table])["response_ms"].value == pytest.approx(response_ms, abs=0.006)


@pytest.mark.parametrize(
    ("table", "row", "value"),
    [
        ("Y032180H", "volume_io_per_s", 5889 / 8),
        ("Y032182H", "volume_io_per_s", 13395 / 8),
        ("Y040181P", "volume_io_per_s", 942),
        ("Y040182P", "volume_io_per_s", 1619),
        ("Y032180H", "queue_depth", 14.4),
        ("Y032181H", "queue_depth", 7.39),
        ("Y040181P", "service_ms", (477 * 1.9 + 465 * 2.0) / 942),
        ("Y032181H", "base_alias_ratio", (5191 / 8) / (4788 / 8)),
    ],
)
def test_a_value_is_the_arithmetic_of_its_printed_rows(table: str, row: str, value: float) -> None:
    assert values(BY_TABLE[table])[row].value == pytest.approx(value, rel=1e-12)


def test_rounding_is_the_most_that_the_printed_digits_can_hide() -> None:
    found = values(BY_TABLE["Y032180H"])
    assert found["queue_depth"].rounding == pytest.approx(8 * 0.05)
    assert found["volume_io_per_s"].rounding == pytest.approx(0.5)
    assert found["service_ms"].rounding == pytest.approx(0.05, rel=0.01)


def test_only_pools_with_aliases_have_a_ratio() -> None:
    assert [table for table, report in BY_TABLE.items() if report.has_ratio] == [
        "Y032181H",
        "Y032182H",
    ]


def test_thirteen_cells_are_scored_and_their_roles_are_declared() -> None:
    bands = STUDY.spec()
    places = [number.place for number in STUDY.published(STUDY.spec())]
    roles = [(place.table, place.row, bands.ruling(place.table, place.row)) for place in places]
    scored: dict[str, int] = {}
    for table, _, ruling in roles:
        scored[table] = scored.get(table, 0) + ruling.scored
    assert scored == {"Y032180H": 0, "Y032181H": 5, "Y032182H": 0, "Y040180P": 4, "Y040181P": 0, "Y040182P": 4}
    assert [place[:2] for place in roles if place[2].role == "informed"] == [("Y032181H", "base_alias_ratio")]
    assert {table for table, _, ruling in roles if ruling.role == "excluded"} == {"Y040181P"}


def test_a_cell_without_a_band_is_an_error() -> None:
    with pytest.raises(LookupError):
        structs.replace(STUDY.spec(), rule=()).ruling("Y032181H", "service_ms")


def cell(simulated: float, half_width: float = 0.1, change: Change | None = None) -> Cell:
    """A predicted cell: published 100, band 4 %."""
    estimate = Estimate(simulated, half_width, 10)
    return Cell(Place("T", "rate", "1/s"), 100.0, estimate, Ruling("predicted", Band(rel=0.04)), change)


@pytest.mark.parametrize(
    ("simulated", "change", "verdict"),
    [
        (104.0, None, "matches"),
        (96.0, None, "matches"),
        (104.1, None, "misses"),
        (104.1, Change(50.0, 54.1), "trend"),
        (104.1, Change(50.0, -54.1), "misses"),
        (104.1, Change(50.0, 100.0), "trend"),
        (104.1, Change(50.0, 100.1), "misses"),
        (104.1, Change(50.0, 24.9), "misses"),
        (104.1, Change(0.0, 4.1), "misses"),
    ],
)
def test_the_verdict_follows_the_band_then_the_change(simulated: float, change: Change | None, verdict: str) -> None:
    assert cell(simulated, change=change).verdict == verdict


def test_the_half_width_is_not_added_to_the_band() -> None:
    assert cell(104.1, half_width=5.0).verdict == "misses"


def test_a_wide_interval_says_so() -> None:
    assert "too wide" in cell(100.0, half_width=4 / 3).note
    assert cell(100.0, half_width=1.3).note == ""


def test_an_absolute_band_holds_where_it_is_the_wider_one() -> None:
    assert Band(rel=0.04, abs=0.6).width(7.39) == 0.6
    assert math.isclose(Band(rel=0.1, abs=0.6).width(7.39), 0.739)


def test_cells_that_follow_from_others_are_counted_apart() -> None:
    own, other = cell(100.0), cell(110.0)
    follows = Cell(own.place, own.published, own.estimate, own.ruling, identity="follows")
    assert Tally.of([own, other, follows]) == Tally(3, 2, 0, 1)
    assert Tally.of([own, other, follows], independent=True) == Tally(2, 1, 0, 1)


def test_a_title_says_what_the_run_is() -> None:
    assert BY_TABLE["Y032181H"].title == "HyperPAV, 8 volumes, 8 aliases in the pool"
    assert BY_TABLE["Y040181P"].title == "classic PAV, one volume, 1 alias"

"""The prices of the installation-exit study come from its calibration rows alone; the file is what they give."""

import re
from pathlib import Path

import pytest
from slicewright.study.calibrate import parse, written
from slicewright.study.grs_exits import FAST_CALLS, PRICES, SLOW_CALLS, STUDY, Prices, pairs, rows
from slicewright.study.points import Budget

SHORT = Budget(replications=2, most=2, interval_s=0.2, warm_up_s=0.0)


def test_calibration_is_blind_to_row_3(published: Path) -> None:
    whole = written(STUDY.spec(), STUDY.calibrate(published, SHORT))
    path = published / "grs-exits.toml"
    before, *rows = path.read_text("utf-8").split("[[elapsed]]")
    path.write_text("[[elapsed]]".join([before, *(row for row in rows if 'row = "3"' not in row)]), "utf-8")
    (published / "calibrated.toml").unlink()
    assert len(STUDY.published(STUDY.spec(published))) == 4
    assert written(STUDY.spec(), STUDY.calibrate(published, SHORT)) == whole


def test_the_committed_prices_and_cells_are_what_calibration_gives() -> None:
    assert written(STUDY.spec(), STUDY.calibrate()) == STUDY.constants_file.read_text("utf-8")


def test_prices_add_up_to_the_rows_that_they_are_from() -> None:
    listed = STUDY.published(STUDY.spec())
    found = {number.place.column: 1e6 * number.value / pairs() for number in listed}
    prices = STUDY.derived(STUDY.calibrated(STUDY.spec()))
    own = Prices(*(prices[name] for name in PRICES))
    assert own.base == pytest.approx(found["1"], rel=1e-4)
    assert own.base + own.rest == pytest.approx(found["2"], rel=1e-4)
    assert own.base + own.fast + own.pool == pytest.approx(found["4"], rel=1e-4)
    assert own.base + own.fast == pytest.approx(found["5"], rel=1e-4)
    assert SLOW_CALLS * own.slow_call + own.fast_call == pytest.approx(own.rest)
    assert FAST_CALLS * (own.fast_call + own.pool_call) == pytest.approx(own.fast + own.pool)


def test_what_the_document_prints_is_transcribed() -> None:
    assert pairs() == 999_999
    assert [number.value for number in STUDY.published(STUDY.spec())] == [19, 354, 45, 33, 20]
    assert [len(re.findall("CA-MIM", row.environment)) for row in rows()] == [1] * 5


def test_the_file_reads_back_as_it_was_written() -> None:
    found = STUDY.committed("prices")
    assert parse(STUDY.spec(), written(STUDY.spec(), [found]), "prices") == found


def test_the_shipped_scenarios_are_those_of_the_committed_prices() -> None:
    for path, text in STUDY.shipped.items():
        assert path.read_text("utf-8") == text, "python -m slicewright.study grs-exits writes them anew"

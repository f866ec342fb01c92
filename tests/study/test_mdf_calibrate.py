"""The constants of the 580/MDF study come from scheduling parameter 1 alone, and the committed file is what they give.

The predictions from the constants are not tested here.
"""

import re
from pathlib import Path

import pytest
from slicewright.study.calibrate import parse, written
from slicewright.study.mdf import STUDY
from slicewright.study.points import Budget

PARTS = STUDY.parts
SHORT = Budget(replications=1, most=1, interval_s=30, warm_up_s=30)


@pytest.mark.slow
@pytest.mark.usefixtures("simulated_once")
def test_calibration_is_blind_to_what_is_predicted(published: Path) -> None:
    whole = written(STUDY.spec(), STUDY.calibrate(published, SHORT))
    path = published / "mdf.toml"
    text = re.sub(r",? *\b(sched3|sched5|base) = [\d.]+", "", path.read_text("utf-8"))
    assert not {"sched3 =", "sched5 ="} & set(re.findall(r"\w+ =", text))
    path.write_text(text, "utf-8")
    (published / "calibrated.toml").unlink()
    assert {number.place.column for number in STUDY.published(STUDY.spec(published))} == {"sched1"}
    assert written(STUDY.spec(), STUDY.calibrate(published, SHORT)) == whole


@pytest.mark.parametrize("part", PARTS)
def test_what_was_fitted_to_is_met(part: str) -> None:
    used = [cell for cell in STUDY.committed(part).cells if cell.used]
    assert len(used) == len(STUDY.spec().part(part).used)
    assert all(abs(cell.residual) < 0.2 for cell in used)


def test_every_cell_of_parameter_1_is_listed_once() -> None:
    seen = [(cell.table, cell.row) for part in ("ims", "tso") for cell in STUDY.committed(part).cells]
    assert sorted(seen) == sorted(
        (number.place.table, number.place.row)
        for number in STUDY.published(STUDY.spec())
        if number.place.column == "sched1"
    )


def test_the_file_reads_back_as_it_was_written() -> None:
    text = STUDY.constants_file.read_text("utf-8")
    read = [parse(STUDY.spec(), text, part) for part in PARTS]
    assert [parse(STUDY.spec(), written(STUDY.spec(), read), part) for part in PARTS] == read


def test_the_shipped_scenarios_are_those_of_the_committed_constants() -> None:
    for path, text in STUDY.shipped.items():
        assert path.read_text("utf-8") == text, "python -m slicewright.study mdf writes them anew"

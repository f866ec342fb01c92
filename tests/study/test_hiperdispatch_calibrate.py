"""The constants of the HiperDispatch study come from its calibration cells alone; the committed file is what they give.

The predictions from the constants are not tested here.
"""

import re
from pathlib import Path

import pytest
from slicewright.reading import constants as search
from slicewright.reading.constants import Plan
from slicewright.study import calibrate
from slicewright.study.calibrate import Fit, parse, written
from slicewright.study.hiperdispatch import CHIPS, HARDWARE, STUDY
from slicewright.study.points import Budget

FORMS = STUDY.parts
SINGLE = [part for part in FORMS if part not in (HARDWARE, CHIPS)]
SHORT = Budget(replications=1, most=1, interval_s=1, warm_up_s=0.0)


@pytest.mark.slow
@pytest.mark.usefixtures("simulated_once")
def test_calibration_is_blind_to_what_is_predicted(published: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some = dict(Fit(STUDY, "first").search.start)
    monkeypatch.setattr(calibrate, "least_squares", lambda search, simulate, tell: simulate(some) and some)
    whole = written(STUDY.spec(), [Fit(STUDY, "first", published, SHORT, print).fitted()])
    spoil(published / "hiperdispatch.toml")
    (published / "calibrated.toml").unlink()
    bands = {number.place.key for number in STUDY.published(STUDY.spec(published))}
    assert bands == {target.number.place.key for target in Fit(STUDY, "first", published).targets}
    assert written(STUDY.spec(), [Fit(STUDY, "first", published, SHORT, print).fitted()]) == whole


@pytest.mark.slow
@pytest.mark.usefixtures("simulated_once")
def test_the_search_for_the_ensemble_is_blind_too(published: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(spread=1, starts=1, keep=1, rounds=(1, 1))
    monkeypatch.setattr(search, "improved", lambda start, simulate, unknowns: start)
    monkeypatch.setattr(type(STUDY), "budget", lambda study, case, mode: SHORT)
    whole = Fit(STUDY, HARDWARE, published).ensemble(plan)
    spoil(published / "hiperdispatch.toml")
    (published / "calibrated.toml").unlink()
    assert Fit(STUDY, HARDWARE, published).ensemble(plan) == whole


def spoil(path: Path) -> None:
    """Take everything out that is not a calibration cell: from then on it cannot be read."""
    text = path.read_text("utf-8")
    before, block = text.split("[table1.n16]")
    block = re.sub(r"\[([\d.]+), ([\d.]+), [\d.]+, [\d.]+\]", r"[\1, \2]", block)
    before = re.sub(r"no_effect_n = .*\n", "", before)
    before = re.sub(r"(?s)(\[figure[14]\].*?)gain_percent = .*?\n", r"\1", before)
    before = before.replace(", { n = 24, value = 26 }", "")
    before = before.replace(', { n = 8, zvm = "6.3 V B", value = 10625 }', "")
    before = re.sub(r'  \{ n = 24, zvm = "(?:H|6\.3 V)", value = \d+ \},\n', "", before)
    path.write_text(before + "[table1.n16]" + block, "utf-8")


def test_a_search_sees_no_more_than_the_cells_that_are_used() -> None:
    fit = Fit(STUDY, "first")
    assert list(fit.search.start) == list(fit.search.steps) == list(STUDY.constants().of)
    assert len(fit.search.start) <= 12
    assert len([target for target in fit.targets if target.used]) == 32


def test_the_file_reads_back_as_it_was_written() -> None:
    read = [parse(STUDY.spec(), STUDY.constants_file.read_text("utf-8"), form) for form in FORMS]
    assert [parse(STUDY.spec(), written(STUDY.spec(), read), form) for form in FORMS] == read


def test_the_shipped_scenarios_are_those_of_the_committed_constants() -> None:
    for path, text in STUDY.shipped.items():
        assert path.read_text("utf-8") == text, "python -m slicewright.study hiperdispatch writes them anew"

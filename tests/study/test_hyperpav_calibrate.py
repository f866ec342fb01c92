"""The constants come from the calibration cells alone, and the committed file is what they give."""

from pathlib import Path

import pytest
from slicewright.study.__main__ import shipped
from slicewright.study.calibrate import Fit, parse, written
from slicewright.study.hyperpav import STUDY, reports
from slicewright.study.points import Budget

SHORT = Budget(replications=2, most=2, interval_s=2, warm_up_s=1.0)
CHECK = Budget(replications=10, most=10, interval_s=5, warm_up_s=2.0)
SEEN = {"Y032180H", "Y032182H"}
FORMS = list(STUDY.spec().forms)


@pytest.mark.slow
@pytest.mark.usefixtures("simulated_once")
def test_calibration_is_blind_to_the_reports_that_are_predicted(published: Path) -> None:
    whole = written(STUDY.spec(), STUDY.calibrate(published, SHORT))
    for report in reports(STUDY.spec(published)):
        if report.table not in SEEN:
            report.path.write_bytes(b"\x00 not a page \xff")
    (published / "calibrated.toml").unlink()
    assert written(STUDY.spec(), STUDY.calibrate(published, SHORT)) == whole


def test_only_fully_calibrated_runs_are_opened() -> None:
    assert {target.number.place.table for form in FORMS for target in Fit(STUDY, form).targets} == SEEN


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_no_step_from_the_committed_constants_fits_better(form: str) -> None:
    kept, steps = STUDY.committed(form).constants, STUDY.spec().part(form).constants
    fit = Fit(STUDY, form, budget=CHECK)
    here = fit.tried(kept).misfit
    for name, value in kept.items():
        for changed in (value - steps[name].step, value + steps[name].step):
            constants = {**kept, name: changed}
            assert changed < 0 or fit.tried(constants).misfit > here, (name, changed)


def test_constants_are_physical() -> None:
    for form in FORMS:
        assert all(value >= 0 for value in STUDY.committed(form).constants.values())


def test_the_file_reads_back_as_it_was_written() -> None:
    text = STUDY.constants_file.read_text("utf-8")
    read = [parse(STUDY.spec(), text, form) for form in FORMS]
    assert [parse(STUDY.spec(), written(STUDY.spec(), read), form) for form in FORMS] == read


def test_the_shipped_scenarios_are_those_of_the_committed_constants() -> None:
    for path, text in shipped().items():
        assert path.read_text("utf-8") == text, "python -m slicewright.study writes them anew"

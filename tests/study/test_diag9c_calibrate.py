"""The constants of the DIAGNOSE X'9C' study come from its calibration cells alone; the file is what they give."""

import re
from pathlib import Path

import pytest
from slicewright.reading import constants as search
from slicewright.reading.constants import Plan, spread_out
from slicewright.study.calibrate import Fit, parse, written
from slicewright.study.diag9c import STUDY
from slicewright.study.points import Budget

FORMS = tuple(STUDY.spec().forms)
SHORT = Budget(replications=1, most=1, interval_s=1, warm_up_s=0.0)


@pytest.mark.slow
@pytest.mark.usefixtures("simulated_once")
@pytest.mark.parametrize("form", FORMS)
def test_calibration_is_blind_to_what_is_predicted(form: str, published: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(spread=2, starts=1, keep=1, rounds=(1, 1))
    monkeypatch.setattr(search, "improved", lambda start, simulate, unknowns: simulate(dict(start.constants)))
    monkeypatch.setattr(type(STUDY), "budget", lambda study, case, mode: SHORT)
    whole = Fit(STUDY, form, published, SHORT).ensemble(plan)
    assert set(whole.members[0].constants) == set(STUDY.spec().part(form).bounds)
    spoil(published / "diag9c.toml")
    (published / "calibrated.toml").unlink()
    found = {number.place.key for number in STUDY.published(STUDY.spec(published))}
    assert found == {target.number.place.key for target in Fit(STUDY, form, published).targets}
    assert Fit(STUDY, form, published, SHORT).ensemble(plan) == whole


def spoil(path: Path) -> None:
    """Take everything out that is not a calibration cell: from then on it cannot be read."""
    text = path.read_text("utf-8")
    text = re.sub(r"(?m)^(diag9c = |throughput_gain_percent = |gain_percent = |zvm5).*\n", "", text)
    before, *runs = text.split("[[run]]")
    kept = [re.sub(r"(?m)^diag44 = .*\n", "", run) if re.search('id = "[HX]"', run) else run for run in runs]
    path.write_text("[[run]]".join([before, *kept]), "utf-8")


@pytest.mark.parametrize("form", FORMS)
def test_sets_are_spread_over_all_of_the_bounds(form: str) -> None:
    spread = spread_out(Fit(STUDY, form).unknowns, Plan())
    for name, (low, high) in STUDY.spec().part(form).bounds.items():
        found = sorted(constants[name] for constants in spread)
        step = (high / low) ** (1 / 64)
        assert all(low * step**at <= value * 1.0005 for at, value in enumerate(found))
        assert all(value <= low * step ** (at + 1) * 1.0005 for at, value in enumerate(found))


@pytest.mark.parametrize("form", FORMS)
def test_every_set_of_the_ensemble_lies_within_the_bounds(form: str) -> None:
    members = STUDY.committed(form).members
    assert len(members) == Plan().keep
    for member in members:
        assert all(
            low <= member.constants[name] <= high for name, (low, high) in STUDY.spec().part(form).bounds.items()
        )


@pytest.mark.parametrize("form", FORMS)
def test_the_best_set_is_first(form: str) -> None:
    misfits = [member.misfit for member in STUDY.committed(form).members]
    assert misfits == sorted(misfits)


@pytest.mark.parametrize("form", FORMS)
def test_the_committed_cells_are_what_the_first_committed_set_gives(form: str) -> None:
    kept = STUDY.committed(form).members[0]
    again = Fit(STUDY, form).member(kept.constants)
    assert again.simulated == pytest.approx(kept.simulated, rel=1e-6)


def test_the_file_reads_back_as_it_was_written() -> None:
    text = STUDY.constants_file.read_text("utf-8")
    read = [parse(STUDY.spec(), text, form) for form in FORMS]
    assert written(STUDY.spec(), read) == text
    assert [parse(STUDY.spec(), written(STUDY.spec(), read), form) for form in FORMS] == read


def test_the_shipped_scenarios_are_those_of_the_committed_constants() -> None:
    for path, text in STUDY.shipped.items():
        assert path.read_text("utf-8") == text, "python -m slicewright.study diag9c writes them anew"

"""Does a machine answer a field of its panel from the instant of Enter on, and does the saved scenario repeat it?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import polars as pl
import pytest
from slicewright._core import InputError, Scenario
from slicewright.measured.loading import load
from slicewright.serve.panels import PANELS, _panel, _with_changes
from slicewright.serve.tasks import Reporter
from slicewright.values.codec import plain

from tests.conftest import CommandLine
from tests.serve.conftest import LETTERS, Visit, until
from tests.serve.test_accessibility import violations

QUIET = Reporter(0, lambda job, kind, value: None)


def _shown(name: str, *changes: tuple[float, dict[str, str]]) -> dict[str, Any]:
    shown = _panel(QUIET, name, [{"at_s": at_s, "values": values} for at_s, values in changes])
    return dict(plain(shown))


def _curve(found: dict[str, Any], chart: str, label: str) -> list[float]:
    (curves,) = [each["curves"] for each in found["charts"] if each["title"] == chart]
    (values,) = [curve["values"] for curve in curves if curve["label"] == label]
    return list(values)


SHARE = "Share of the processors"
TARGETS = {"PEMDFI.target": "20", "PEMDFI.maximum": "20", "PEMDFT.target": "80", "PEMDFT.maximum": "80"}


def test_a_domain_gets_the_share_of_its_new_target() -> None:
    shares = _curve(_shown("580-mdf", (100, TARGETS)), SHARE, "PEMDFI")
    assert sum(shares[:50]) / 50 == pytest.approx(50, abs=1)
    assert sum(shares[50:]) / 100 == pytest.approx(20, abs=1)


def test_everything_before_a_change_stays_as_it_was() -> None:
    before, after = (_shown("580-mdf", *changes)["charts"] for changes in ((), ((100, TARGETS),)))
    for old, new in zip(before, after, strict=True):
        for curve, changed in zip(old["curves"], new["curves"], strict=True):
            assert curve["values"][:50] == changed["values"][:50]


def test_a_higher_scheduling_parameter_shortens_the_wait_of_interrupts() -> None:
    held = _curve(
        _shown("580-mdf", (100, {"scheduling_parameter": "5"})),
        "Ended I/O held until the domain is dispatched",
        "PEMDFI",
    )
    assert sum(held[51:101]) < 0.6 * sum(held[:50])


def test_more_padding_unparks_processors() -> None:
    unparked = _curve(_shown("set-srm", (100, {"cpupad": "300"})), "Unparked processors", "unparked")
    assert max(unparked[10:50]) < min(unparked[60:])


def test_the_scenario_takes_every_word_of_set_srm() -> None:
    own = PANELS["set-srm"]
    fields = own.fields(Scenario.read(own.text.encode(), "set-srm.toml").view)
    words = [(field.key, word) for field in fields for word in field.words]
    changes = [{"at_s": at, "values": {key: word}} for at, (key, word) in enumerate(words)]
    scenario = Scenario.read(_with_changes(own, fields, changes).encode(), "set-srm.toml")
    assert len(scenario.view.changes) == len(words) > 10


@pytest.mark.parametrize(
    "values",
    [{"PEMDFI.target": "101"}, {"PEMDFI.target": "x"}, {"PEMDFI.target": '5"'}, {"PEMDFI.targt": "5"}, {},
     {"PEMDFI.target": ""}, {"scheduling_parameter": "6"}, {"scheduling_parameter": "x"}, {"PEMDFI.target": 5}],
)  # fmt: skip
def test_what_a_screen_does_not_take_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(InputError) as refused:
        _shown("580-mdf", (10, values))
    assert all(each["allowed"] for each in refused.value.problems)


@pytest.mark.parametrize(
    ("values", "remedy"),
    [
        ({"PEMDFI.target": "70", "PEMDFI.maximum": "70"}, "TARGET CPU PERCENTAGE of PEMDFT too, before .*: up to 30 %"),
        ({"PEMDFI.maximum": "40"}, "TARGET CPU PERCENTAGE of PEMDFI too, before .*: up to 40 %"),
        ({"PEMDFI.target": "60", "PEMDFT.target": "40"}, "MAXIMUM CPU PERCENTAGE of PEMDFI too, .*: 60 % to 100 %"),
    ],
)
def test_a_contradiction_names_the_other_field_that_must_change(values: dict[str, str], remedy: str) -> None:
    with pytest.raises(InputError) as refused:
        _shown("580-mdf", (10, values))
    (found,) = refused.value.problems
    assert re.search(remedy, found["remedy"])


@pytest.mark.parametrize("at_s", [-1, "x", None, float("nan"), True])
def test_an_instant_that_is_none_is_refused(at_s: Any) -> None:
    with pytest.raises(InputError):
        _panel(QUIET, "set-srm", [{"at_s": at_s, "values": {"cpupad": "5"}}])


@dataclass(frozen=True)
class Shown:
    """A curve of a panel, and the counter of the run that it is."""

    panel: str
    values: dict[str, str]
    chart: str
    label: str
    table: str
    counter: str
    partition: str


DOMAIN = Shown(
    "580-mdf", TARGETS | {"scheduling_parameter": "5"}, SHARE, "PEMDFT", "partitions", "dispatched_percent", "PEMDFT"
)
PARKING = Shown("set-srm", {"cpupad": "300"}, "Unparked processors", "unparked", "control_programs", "unparked", "ZVM")


@pytest.mark.parametrize("shown", [DOMAIN, pytest.param(PARKING, marks=pytest.mark.slow)])
def test_the_saved_scenario_gives_the_same_numbers_on_the_command_line(
    shown: Shown, slicewright: CommandLine, tmp_path: Path
) -> None:
    found = _shown(shown.panel, (100, shown.values))
    (tmp_path / found["file"]).write_text(found["scenario"])
    slicewright("run", tmp_path / found["file"], "-q", "--out", tmp_path / "out")
    rows = load(str(tmp_path / "out")).raw[shown.table].sort("interval")
    own = rows.filter(pl.col("partition") == shown.partition)
    assert own[shown.counter].to_list() == _curve(found, shown.chart, shown.label)


def test_a_change_during_the_run_moves_the_share_and_the_saved_scenario_has_it(visit: Visit, tmp_path: Path) -> None:
    visit.page.click("text=Panels")
    visit.page.click("text=580/MDF")
    visit.page.click("text=Pause")  # the run would be over before a slow browser has filled in the form
    screen = visit.page.locator("form.terminal").first
    screen.locator('[data-field="PEMDFI.target"]').fill("20")
    screen.locator('[data-field="PEMDFI.maximum"]').fill("20")
    screen.locator('[data-field="PEMDFI.maximum"]').press("Enter")
    visit.page.wait_for_selector("text=Changed at")
    visit.page.click("text=Continue")
    visit.page.wait_for_selector("text=PEMDFI 20.0 %")
    assert visit.page.inner_text('[data-norm="PEMDFI.norm"]') == "28.6"
    with visit.page.expect_download() as saved:
        visit.page.click("text=Save the scenario")
    saved.value.save_as(tmp_path / "saved.toml")
    assert 'partition = { name = "PEMDFI", target = "20 %", maximum = "20 %" }' in (tmp_path / "saved.toml").read_text()
    visit.page.click("text=Pause")
    clock, entered = (visit.page.inner_text(place) for place in (".clock output", ".entered"))
    visit.page.reload()
    visit.page.wait_for_selector(".chart svg")
    assert [visit.page.inner_text(place) for place in (".clock output", ".entered")] == [clock, entered]
    assert visit.page.locator('[data-field="PEMDFI.target"]').first.input_value() == "20"
    for width in (1920, 1280, 820):
        visit.page.set_viewport_size({"width": width, "height": 900})
        until(visit.page, f"({LETTERS})('.chart text') >= 11")


def test_a_refused_value_keeps_the_run_and_says_what_is_allowed(visit: Visit) -> None:
    visit.page.click("text=Panels")
    visit.page.click("text=580/MDF")
    visit.page.click("text=Pause")
    field = visit.page.locator('[data-field="PEMDFI.target"]').first
    field.fill("120")
    field.press("Enter")
    visit.page.wait_for_selector(".problems dd")
    assert field.get_attribute("aria-invalid") == "true"
    assert "`120 %` is more than 100 %" in visit.page.inner_text(".problems")
    assert visit.page.inner_text(".entered") == ""
    visit.page.click("text=Files")
    visit.page.wait_for_selector("#choose", state="attached")
    visit.page.go_back()
    visit.page.wait_for_selector(".chart svg")
    assert field.input_value() == "120"
    assert "edited" in (field.get_attribute("class") or "")


@pytest.mark.parametrize(("name", "theme"), [("580-mdf", "light"), ("set-srm", "dark")])
def test_panels_are_accessible(visit: Visit, name: str, theme: Literal["light", "dark"]) -> None:
    visit.page.emulate_media(color_scheme=theme)
    visit.page.click("text=Panels")
    visit.page.click(f'a[href="#/panels/{name}"]')
    visit.page.wait_for_selector(".chart path")
    visit.page.click("text=Pause")
    assert violations(visit) == []

"""Does the page of a choice draw its limits, say its figures in words, and open the scenario of a point?"""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
import slicewright
from playwright.sync_api import Browser
from slicewright.explore.choose import choose
from slicewright.explore.sweep import Opening
from slicewright.report.figure import Figure
from slicewright.report.html import render
from slicewright.report.model import Entry, Report, Scenarios, Section
from slicewright.scenario.starters import read_starter

from tests.choose.example import cheapest
from tests.conftest import CommandLine
from tests.sweep.example import QUICK, small

ALIASES = "alias_pool.LSS-52.aliases"


def scenarios(page: slicewright.Sweep | slicewright.Choice) -> Scenarios:
    blocks = [block for section in page.report().sections for block in section.blocks]
    (found,) = (block for block in blocks if isinstance(block, Scenarios))
    return found


def shown(page: str, at: int) -> tuple[str, str]:
    """The command and the text that the script of the page shows of an entry."""
    match = re.search(r'<script type="application/json">(\{"base".*?)</script>', page)
    assert match is not None
    data = json.loads(match[1])
    command, lines = data["entries"][at]
    if isinstance(lines, dict):
        lines = [lines.get(str(number), line) for number, line in enumerate(data["base"])]
    return command, "\n".join(lines)


def test_a_page_has_the_resolved_scenario_of_each_point() -> None:
    entries = scenarios(small()).entries
    assert [entry.name for entry in entries] == ["aliases 0", "aliases 8"]
    expected = read_starter("pool").with_([
        f"{ALIASES}=0", 'measure.interval="1 s"', 'measure.warm_up="0 s"', "measure.replications=2",
    ])  # fmt: skip
    assert slicewright.scenario(shown(small().html(), 0)[1] + "\n").checksum == expected.checksum
    assert shown(small().html(), 1)[1] == entries[1].text.rstrip("\n")


def test_the_first_scenario_is_that_of_the_choice() -> None:
    assert scenarios(cheapest()).entries[0].name == "aliases 4"


def test_the_command_of_a_point_simulates_it(
    slicewright: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pool.toml").write_text(read_starter("pool").resolved, encoding="utf-8")
    opening = Opening.of("pool.toml", ["measure.interval=1 s"], read_starter("pool"), small().axes)
    said = slicewright(*shlex.split(opening.command((8,), "--replications", "1"))[1:], "--format", "json")
    assert said.status == 0
    assert json.loads(said.out)["pools"][0]["aliases"] == 8


def test_figures_have_the_limit_the_front_and_words() -> None:
    page = cheapest().html()
    assert page.count("limit 3") > 2
    assert "Pareto front" in page
    assert "2 keep the constraints, 1 does not, 3 are on the Pareto front; aliases 4 is chosen." in page
    assert '"o":"aliases 4"' in page


def test_a_third_knob_is_drawn_as_small_multiples(monkeypatch: pytest.MonkeyPatch) -> None:
    knobs = {ALIASES: [0, 8], "volume.*.gap": ["2 us", "200 us"], "guest.*.count": [1, 2]}
    choice = choose(
        read_starter("pool").resolved,
        knobs,
        "aliases + response_ms",
        "response_ms <= 3",
        set=QUICK,
        replications=1,
        most=10,
    )
    surface = choice.report().sections[1].blocks[0]
    assert isinstance(surface, Figure)
    assert {panel.title for panel in surface.panels} == {"count 1", "count 2"}
    assert all(panel.series[-1].label == "limit 3" for panel in surface.panels)


def test_a_notebook_and_text_leave_the_scenarios_out() -> None:
    assert "Scenario of a point" not in str(small())
    assert 'class="scenarios"' not in small()._repr_html_()


def test_what_would_end_the_script_is_escaped() -> None:
    block = Scenarios("Scenario", "a\n", [Entry("</script>", "</script>", "</script>\n")])
    page = render(Report("x", sections=[Section("y", [block])]))
    assert page.count("</script>") == 2


@pytest.mark.slow
def test_a_click_and_the_keyboard_open_a_scenario(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(cheapest().html(), encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    command = page.locator("pre.command")
    assert command.inner_text().endswith(f"{ALIASES}=4")
    page.locator(".scenarios select").focus()
    page.keyboard.press("ArrowDown")
    assert command.inner_text().endswith(f"{ALIASES}=8")
    page.wait_for_selector("figure.started .live svg")
    points = page.locator("figure.started .live svg g.mark-symbol.role-mark path")
    points.first.click(force=True)  # the leftmost one of the first figure: no alias
    assert command.inner_text().endswith(f"{ALIASES}=0")
    page.close()

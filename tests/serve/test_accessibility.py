"""Does each screen satisfy the rules of accessibility that a program can check, in both themes?"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.serve.conftest import Visit

FILE = Path(__file__).parents[2] / "published" / "hyperpav" / "device-reports" / "Y032180H.txt"
FIRST = 'a[href^="#/experiment/from/"] >> nth=0'


def violations(visit: Visit) -> list[str]:
    found: dict[str, Any] = Axe().run(visit.page).response
    return [f"{each['id']}: {each['nodes'][0]['html'][:100]}" for each in found["violations"]]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_screens_of_files_are_accessible(visit: Visit, theme: Literal["light", "dark"]) -> None:
    visit.page.emulate_media(color_scheme=theme)
    visit.page.wait_for_selector(".zone")
    assert violations(visit) == []
    visit.page.set_input_files("#choose", FILE)
    visit.page.wait_for_selector("figure.started svg")
    assert violations(visit) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_screens_of_experiments_are_accessible(visit: Visit, theme: Literal["light", "dark"]) -> None:
    visit.page.emulate_media(color_scheme=theme)
    visit.page.click('#screens a[data-name="experiment"]')
    visit.page.wait_for_selector(FIRST)  # cards of files are on the screen before
    assert violations(visit) == []
    visit.page.click(FIRST)
    visit.page.wait_for_selector("figure.started svg")
    assert violations(visit) == []
    visit.page.click("text=Pin this setting")
    visit.page.wait_for_selector(".pair")
    visit.page.click("#tab-text")
    visit.page.wait_for_selector(".picture:not(.old) figure.started svg")
    assert violations(visit) == []

"""Does the page show the studies as `slicewright reproduce` prints them, and simulate one again?"""

from __future__ import annotations

import re
from typing import Literal

import pytest
from slicewright.results.judge import Tally
from slicewright.study.studies import STUDIES, named

from tests.conftest import CommandLine
from tests.serve.conftest import WITHIN_MS, Visit
from tests.serve.test_accessibility import violations

VERDICTS = {"matches": "good", "trend": "fair", "misses": "bad"}


def _open(visit: Visit, name: str) -> None:
    visit.page.goto(f"{visit.page.url.partition('#')[0]}#/studies/{name}")
    visit.page.wait_for_selector(".report h1")


def _counts(visit: Visit) -> dict[str, int]:
    """The verdicts in the tables of the study's own form."""
    cells = visit.page.locator("section#cells")
    return {verdict: cells.locator(f"td.{tone}").count() for verdict, tone in VERDICTS.items()}


def test_the_table_of_studies_leads_to_each_of_them(visit: Visit) -> None:
    visit.page.click("text=Studies")
    visit.page.wait_for_selector("td a")
    links = visit.page.locator("td a")
    shown = [links.nth(at).get_attribute("href") for at in range(links.count())]
    assert shown == [f"#/studies/{name}" for name in STUDIES]


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_shows_the_kept_verdicts_without_a_run(visit: Visit, name: str) -> None:
    _open(visit, name)
    result = named(name).kept_result()
    assert result is not None
    tally = Tally.of(result.cells)
    assert _counts(visit) == {"matches": tally.matches, "trend": tally.trend, "misses": tally.misses}


def test_a_miss_has_its_probable_cause_beside_it(visit: Visit) -> None:
    _open(visit, "hiperdispatch")
    row = visit.page.locator("section#cells tr", has_text="misses").first
    assert "the barrier is too high for short bursts" in row.inner_text()


@pytest.mark.slow
def test_an_ablation_runs_with_progress_and_can_be_stopped(visit: Visit) -> None:
    _open(visit, "hiperdispatch")
    visit.page.check("input[value=no-lock]")
    visit.page.click("text=Run it again, quick")
    visit.page.wait_for_selector("text=Done so far")
    visit.page.wait_for_function("document.querySelector('progress').value > 0")
    visit.page.click(".progress button")
    visit.page.wait_for_selector("text=Stopped.")
    visit.page.wait_for_selector("section#cells")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_screens_of_studies_are_accessible(visit: Visit, theme: Literal["light", "dark"]) -> None:
    visit.page.emulate_media(color_scheme=theme)
    visit.page.click("text=Studies")
    visit.page.wait_for_selector("td a")
    assert violations(visit) == []
    _open(visit, "hyperpav")
    assert violations(visit) == []


@pytest.mark.slow
@pytest.mark.usefixtures("reproduced")
def test_a_run_from_the_page_counts_as_the_command_does(visit: Visit, slicewright: CommandLine) -> None:
    _open(visit, "hyperpav")
    visit.page.click("text=Run it again, quick")
    visit.page.wait_for_selector(".tools")
    printed = re.search(r"Scored +(\d+) of (\d+) match", slicewright("reproduce", "hyperpav", "--quick", "-q").out)
    assert printed is not None
    assert visit.page.inner_text(".facts dd >> nth=0") == f"{printed[1]} of {printed[2]}"
    assert _counts(visit)["matches"] == int(printed[1])


@pytest.mark.long
def test_an_ablation_shows_each_value_with_and_without(visit: Visit) -> None:
    visit.page.set_default_timeout(5 * WITHIN_MS)
    _open(visit, "hiperdispatch")
    visit.page.check("input[value=no-cache-cost]")
    visit.page.click("text=Run it again, quick")
    visit.page.wait_for_selector(".tools")
    heads = visit.page.locator("section#ablations th").all_inner_texts()
    assert heads == ["cell", "published", "whole", "without"]

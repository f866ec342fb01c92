"""Does the screen Plan go from a dropped file to a priced list with its machine, in words of the page?"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from slicewright._core import Scenario
from slicewright.explore.expression import Names, constraint
from slicewright.explore.requirements import requirements_of
from slicewright.measured.export import monwrite
from slicewright.run.run import run
from slicewright.serve.counters import bounded
from slicewright.serve.plans import TASKS
from slicewright.serve.tasks import Reporter

from tests.serve.conftest import Served, Visit, until

ROOT = Path(__file__).parents[2]
FULL = ROOT / "scenarios" / "full-channel.toml"
FASTER = "channel.50.type=FICON Express8S at 100"


def _opened(visit: Visit) -> None:
    visit.page.set_input_files("#choose", FULL)
    visit.page.click("text=Plan purchases")
    visit.page.wait_for_selector(".plan-form")


def _priced(visit: Visit) -> None:
    visit.page.fill('input[aria-label="type of channel 50: price"]', "100")
    visit.page.fill('input[aria-label="aliases of pool LSS-10: price"]', "5")
    visit.page.fill('input[aria-label="Growth of everything, percent, typed"]', "25")
    visit.page.fill('.needs input[type="number"]', "1.5")
    visit.page.click("text=Find the cheapest list")


def test_a_full_channel_is_bought_and_the_picture_shows_it_before_and_after(visit: Visit) -> None:
    _opened(visit)
    _priced(visit)
    visit.page.wait_for_selector(".machine")
    verdict = visit.page.inner_text(".verdict")
    assert re.search(r"100\s+is the least cost", verdict)
    assert "type of channel 50" in verdict
    assert "% sure that this is the cheapest list that holds" in verdict
    assert "mean response at most 1.5 ms" in visit.page.inner_text(".pictured")
    visit.page.wait_for_selector(".pictured figure.started svg")
    assert "The busiest today: channel 50" in visit.page.inner_text(".machine figcaption")
    channel = visit.page.locator('.part[data-name="channel 50"]')
    today, grown, after = (float(text.split()[0]) for text in channel.locator(".level b").all_inner_texts())
    assert after < today <= grown
    assert "was-full" in (channel.get_attribute("class") or "")
    until(visit.page, "document.querySelectorAll('.lanes svg path.waits').length > 0")
    shown = visit.page.inner_text("main")
    assert "--" not in shown
    assert "_ms" not in shown
    visit.page.click("text=Each purchase alone")
    visit.page.wait_for_selector(".rest table")


def test_a_reload_keeps_the_form_and_the_answer(visit: Visit) -> None:
    _opened(visit)
    _priced(visit)
    visit.page.wait_for_selector(".machine")
    visit.page.reload()
    visit.page.wait_for_selector(".machine")
    assert visit.page.input_value('input[aria-label="type of channel 50: price"]') == "100"
    assert visit.page.input_value('input[aria-label="Growth of everything, percent, typed"]') == "25"


def test_a_requirement_is_a_row_and_a_column_or_an_expression_and_zero_is_no_bound(visit: Visit) -> None:
    visit.page.set_input_files("#choose", ROOT / "scenarios" / "zvm.toml")
    visit.page.click("text=Plan purchases")
    visit.page.wait_for_selector(".plan-form")
    visit.page.fill('input[aria-label="processors of the machine: price"]', "1")
    need = visit.page.locator(".needs li")
    need.locator("select").first.select_option("partition ZVM")
    assert need.locator('input[type="number"]').input_value() == "", "it waits 0 % today"
    need.locator("select").first.select_option("USERS")
    need.locator("select").nth(1).select_option(label="transaction rate")
    assert need.locator("select").nth(2).input_value() == ">="
    rate = need.locator('input[type="number"]').input_value()
    need.locator("select").first.select_option("an expression")
    assert need.locator("input").input_value() == f"USERS cycles_per_s >= {rate}"
    visit.page.reload()
    visit.page.wait_for_selector(".plan-form")
    assert need.locator("select").nth(1).locator("option:checked").inner_text() == "transaction rate"


@pytest.mark.parametrize("name", ["container-limits", "two-domains"])
def test_everything_that_can_be_required_is_taken(name: str) -> None:
    path = ROOT / "scenarios" / f"{name}.toml"
    scenario = Scenario.read(path.read_bytes(), name)
    rows = bounded(run(str(path), set={"measure.interval": "1 s", "measure.replications": 2}), scenario.view)
    texts = [f"{row['required']} {row['bound']} 3" for row in rows]
    assert len(requirements_of(texts, scenario)) == len(texts) > 5
    for row in rows:
        constraint("subject-to", f"{row['left']} {row['bound']} 3", Names(()))


def test_a_plan_that_nothing_can_hold_says_so(served: Served) -> None:
    arguments = {"text": FULL.read_text(), "buy": ["alias_pool.LSS-10.aliases=+1..2 at 5 each"], "growth": ["*=25%"]}
    found = served.done("plan", **arguments, require=["system response_ms <= 0.3"])["result"]["shown"]
    assert found["recommended"] is None
    assert "_ms" not in found["why_not"]
    assert found["why_not"]


def test_a_first_list_is_shown_while_cheaper_ones_are_tried() -> None:
    heard: list[Any] = []
    reporter = Reporter(1, lambda _, kind, value: heard.append((kind, value)))
    asked = {"text": FULL.read_text(), "buy": [FASTER], "require": ["system response_ms <= 1.5"], "growth": ["*=25%"]}
    found = TASKS["plan"].work(reporter, **asked)["document"]["recommended"]
    lists = [value for kind, value in heard if kind == "part"]
    assert lists[-1]["cost"] == found["cost"] == 100
    assert "FICON Express8S" in lists[0]["words"]


@pytest.mark.parametrize(
    ("buy", "require", "key"),
    [
        ([], ["system response_ms <= 2"], "buy"),
        ([FASTER], [], "require"),
        (["alias_pool.NONE.aliases=+1..2 at 5"], ["system response_ms <= 2"], "buy alias_pool.NONE.aliases"),
    ],
)
def test_bad_input_is_refused_with_its_place(served: Served, buy: list[str], require: list[str], key: str) -> None:
    found = served.done("plan", text=FULL.read_text(), buy=buy, require=require, growth=[])
    assert found["state"] == "refused"
    assert key in [each["key"] for each in found["problems"]]


def test_a_form_without_prices_shows_the_problem_below_it(visit: Visit) -> None:
    _opened(visit)
    assert "Give at least one purchase a price" in visit.page.inner_text(".plan-form")
    visit.page.click("text=Find the cheapest list")
    visit.page.wait_for_selector(".planned .problems")


def _offered(served: Served, scenario: str) -> dict[str, dict[str, Any]]:
    found = served.done("shop", text=(ROOT / "scenarios" / f"{scenario}.toml").read_text())["result"]
    return {row["key"]: row for row in found["offered"]}


def test_rows_are_proposed_from_the_scenario(served: Served) -> None:
    pools = _offered(served, "two-pools")
    assert {"alias_pool.TRANS.aliases", "alias_pool.BATCH.aliases", "control_unit.CU-52.paths"} <= set(pools)
    assert pools["alias_pool.TRANS.aliases"]["words"] == "aliases of pool TRANS"
    shares = _offered(served, "prsm-three-lpars")
    assert {"cec.processors", "partition.PROD.weight"} <= set(shares)
    assert "control_unit.CU-50.paths" not in _offered(served, "full-channel"), "its paths are its channels"


@pytest.mark.parametrize("name", ["two-pools", "prsm-three-lpars"])
def test_values_that_are_proposed_are_values_of_the_scenario(served: Served, name: str) -> None:
    scenario = Scenario.read((ROOT / "scenarios" / f"{name}.toml").read_bytes(), name)
    rows = [row for row in _offered(served, name).values() if row["how"] != "words"]
    assert rows
    for row in rows:
        for value in row["proposed"].split(", "):
            scenario.with_([f"{row['key']}={value}"])


IN_ROWS = """(() => {
  const texts = [...document.querySelectorAll(".pictured .live svg text")], of = (words) =>
    texts.find((text) => text.textContent === words)?.getBoundingClientRect();
  const [first, last, zero] = [of("I/O per s"), of("Waiting"), of("0")];
  const change = texts.find((text) => text.textContent.endsWith(" %"))?.getBoundingClientRect();
  const live = document.querySelector(".pictured .live");
  return first && first.top === last.top && change.left > zero.right + 20
    && live.querySelector("svg").clientWidth <= live.clientWidth;
})()"""
"""Whether panels of rows stand beside each other, with the change in percent beside its row."""


def test_a_day_becomes_a_load_a_plan_and_what_an_earlier_day_is_compared_with(visit: Visit, tmp_path: Path) -> None:
    changes: dict[str, Any] = {"measure.interval": "4 s", "measure.intervals": 4, "measure.replications": 1}
    for name, aliases in (("monday", 4), ("tuesday", 8)):
        changes["alias_pool.*.aliases"] = aliases
        (tmp_path / f"{name}.monwrite").write_bytes(monwrite(run(str(ROOT / "scenarios" / "pool.toml"), set=changes)))
        visit.page.goto(f"{visit.page.url.partition('#')[0]}#/")
        visit.page.set_input_files("#choose", tmp_path / f"{name}.monwrite")
        visit.page.wait_for_selector("text=Which load gives these intervals?")
    visit.page.click(".question:has-text('What has changed since') button")
    visit.page.wait_for_selector(".verdict .leading:has-text('I/O per s')")
    visit.page.wait_for_selector(".pictured figure.started svg")
    until(visit.page, IN_ROWS)
    visit.page.click("text=Back to the question")
    form = visit.page.locator(".question:has-text('Which load gives these intervals?')")
    form.locator("summary").click()
    form.locator('input[name="shown"]').fill("0..2")
    form.locator("button.primary").click()
    visit.page.wait_for_selector(".verdict .leading:has-text('The load')")
    assert "interval" in visit.page.inner_text(".verdict")
    visit.page.click("text=Back to the question")
    assert form.locator('input[name="shown"]').input_value() == "0..2"
    assert visit.page.locator("text=Plan purchases from this day").is_visible()
    visit.page.go_forward()
    visit.page.click("text=Plan with this load")
    visit.page.wait_for_selector(".plan-form")
    assert "aliases of pool" in visit.page.inner_text(".offers")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_screen_is_accessible_and_no_wider_than_its_window(visit: Visit, theme: Any) -> None:
    visit.page.emulate_media(color_scheme=theme)
    _opened(visit)
    _priced(visit)
    visit.page.wait_for_selector(".pictured figure.started svg")
    found = Axe().run(visit.page).response
    assert [f"{each['id']}: {each['nodes'][0]['html'][:100]}" for each in found["violations"]] == []
    for width in (1920, 1280, 820):
        visit.page.set_viewport_size({"width": width, "height": 900})
        assert visit.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0

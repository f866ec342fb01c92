"""Does the screen of experiments show the last setting, through moves, reloads, tabs and mistakes?"""

from __future__ import annotations

import json
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from slicewright import load, run
from slicewright._core import starter
from slicewright.cli.main import main
from slicewright.serve.look import _Look
from slicewright.statistics import plus_minus

from tests.serve.conftest import LETTERS, WITHIN_S, Served, Visit, until

ALIASES = '.setting[data-key="alias_pool.LSS-52.aliases"] input[type="range"]'

READ_MS = 1000
"""A list of completions takes no key in its first 75 ms: the key was meant for what was there before."""
POOL = starter("pool").replace('interval = "10 min"\nreplications = 10', 'interval = "1 s"\nreplications = 4')
"""A pool whose looks end at once."""


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    """The file of the pool."""
    path = tmp_path / "pool.toml"
    path.write_text(POOL, "utf-8")
    return path


def _open(page: Page, served: Served, file: Path) -> None:
    page.goto(served.root)
    page.set_input_files("#choose", file)
    page.click("text=Open as an experiment")
    _rest(page)


def _kept(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(page.evaluate("sessionStorage.getItem('experiment')") or "{}")
    return found


def _rest(page: Page) -> None:
    """Wait until the look that was asked for last has ended."""
    until = time.monotonic() + WITHIN_S
    while time.monotonic() < until:
        page.wait_for_timeout(50)
        shown = page.evaluate("({...document.querySelector('.results')?.dataset})")
        busy = page.evaluate("document.querySelector('.results')?.getAttribute('aria-busy')")
        if busy == "false" and shown.get("done") == shown.get("ask") == str(_kept(page)["ask"]):
            return
    raise AssertionError("the last look did not end")


def _told(page: Page, aliases: int) -> bool:
    """Whether the first measure shown is that of a look at the pool with this number of aliases."""
    change = f"alias_pool.LSS-52.aliases={aliases}"
    *_, plan = _Look.of(POOL, [change], ".").plans(_kept(page)["pace"])
    same = run(POOL, set=[change, *plan.changes()]).system
    wanted = plus_minus(same["response_ms"][0], same["response_ms_half_width"][0])
    return bool(page.inner_text(".tile b >> nth=0") == wanted)


def test_a_slider_that_moves_two_hundred_times_shows_its_last_value(visit: Visit, served: Served, pool: Path) -> None:
    _open(visit.page, served, pool)
    visit.page.evaluate(
        """() => {
            window.asks = [];
            const box = document.querySelector('.results');
            const hear = () => window.asks.push(Number(box.dataset.ask));
            new MutationObserver(hear).observe(box, { attributeFilter: ['data-ask'] });
        }"""
    )
    visit.page.locator(ALIASES).evaluate(
        """async (slider) => {
            for (let move = 0; move < 200; move += 1) {
                slider.value = move % 19;
                slider.dispatchEvent(new Event('input', { bubbles: true }));
                await new Promise((soon) => setTimeout(soon, 10));
            }
        }"""
    )
    _rest(visit.page)
    asks = visit.page.evaluate("window.asks")
    assert asks == sorted(asks)
    assert _kept(visit.page)["changes"]["alias_pool.LSS-52.aliases"]["value"] == str(199 % 19)
    assert _told(visit.page, 199 % 19)


def _texts(page: Page, aliases: int) -> set[str]:
    """The texts that a look at the pool with this number of aliases shows as its first measure, step by step."""
    change = f"alias_pool.LSS-52.aliases={aliases}"
    changes = [] if aliases == 8 else [change]
    runs = [
        run(POOL, set=[*changes, *plan.changes()]) for plan in _Look.of(POOL, changes, ".").plans(_kept(page)["pace"])
    ]
    return {plus_minus(each.system["response_ms"][0], each.system["response_ms_half_width"][0]) for each in runs}


def test_a_result_stands_beside_the_values_that_it_was_simulated_with(visit: Visit, served: Served, pool: Path) -> None:
    _open(visit.page, served, pool)
    _rest(visit.page)
    visit.page.evaluate(
        """() => {
            window.seen = [];
            const box = document.querySelector('.results');
            new MutationObserver(() => window.seen.push({
                changes: JSON.parse(box.dataset.changes), words: box.querySelector('.simulated').textContent,
                tile: box.querySelector('.tile b').textContent, held: box.dataset.held,
                slider: document.querySelector('.setting[data-key="alias_pool.LSS-52.aliases"] input').value,
                curve: box.querySelector('.curve')?.getAttribute('aria-label') ?? '',
            })).observe(box, { attributes: true, childList: true, subtree: true });
        }"""
    )
    visit.page.locator(ALIASES).evaluate(
        """async (slider) => {
            for (let move = 0; move < 60; move += 1) {
                slider.value = 3 + move * 5 % 14;
                slider.dispatchEvent(new Event('input', { bubbles: true }));
                await new Promise((soon) => setTimeout(soon, 5 + move * 7 % 40));
            }
        }"""
    )
    _rest(visit.page)
    seen = visit.page.evaluate("window.seen")
    simulated = {aliases: _texts(visit.page, aliases) for aliases in range(3, 17)}
    for each in seen:
        value = int(each["changes"][0].partition("=")[2]) if each["changes"] else 8
        assert each["tile"] in simulated[value]
        assert (f"aliases={value}" if each["changes"] else "the text as it is") in each["words"]
        assert (each["held"] == "true") == (int(each["slider"]) == value)
        assert ("has changed since" in each["words"]) == (each["held"] == "false")
    assert len({str(each["changes"]) for each in seen}) > 2
    visit.page.set_viewport_size({"width": 820, "height": 900})
    until(visit.page, f"({LETTERS})('.curve text') >= 11")
    points = seen[-1]["curve"].partition(".aliases: ")[2].split("; ")
    assert len(points) > 2
    for point in points:
        x, _, text = point.partition(": ")
        assert text in simulated[int(x)], point


def test_a_result_of_an_earlier_text_is_not_taken_for_one_of_the_text(visit: Visit, served: Served, pool: Path) -> None:
    _open(visit.page, served, pool)
    assert visit.page.locator(ALIASES).get_attribute("max") == "30", "twice the rule of thumb: 8 and 6.1 that wait"
    visit.page.locator(ALIASES).press("ArrowRight")
    visit.page.click("#tab-text")
    assert "of the text with alias_pool.LSS-52.aliases=9 on top" in visit.page.inner_text(".on-top")
    visit.page.evaluate(
        """() => new MutationObserver(() => {
            if (document.querySelector('.simulated').textContent.includes('an earlier text'))
                window.said = document.querySelector('.step').textContent;
        }).observe(document.querySelector('.results'), { attributes: true, childList: true, subtree: true })"""
    )
    visit.page.click(".cm-line:has-text('first_alias')")
    visit.page.keyboard.press("End")
    visit.page.keyboard.type(" # looked at")
    visit.page.wait_for_selector(".simulated:has-text('an earlier text')")
    until(visit.page, "typeof window.said === 'string'")
    assert "refining" not in visit.page.evaluate("window.said")
    _rest(visit.page)
    assert "earlier" not in visit.page.inner_text(".simulated")


def test_a_run_survives_a_reload_and_its_files_are_a_run_directory(
    visit: Visit, served: Served, small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _open(visit.page, served, small)
    visit.page.click("text=Run in full")
    visit.page.wait_for_selector(".runs li")
    visit.page.reload()
    visit.page.wait_for_selector("text=Save run.zip")
    with visit.page.expect_download() as download:
        visit.page.click("text=Save run.zip")
    download.value.save_as(tmp_path / "run.zip")
    with zipfile.ZipFile(tmp_path / "run.zip") as archive:
        archive.extractall(tmp_path)
    assert load(tmp_path / "run").checksum == run(str(small)).checksum
    assert main(["report", str(tmp_path / "run")]) == 0
    assert "DEVICE" in capsys.readouterr().out


@pytest.mark.slow
def test_a_look_survives_a_reload(visit: Visit, served: Served, pool: Path) -> None:
    _open(visit.page, served, pool)
    visit.page.locator(ALIASES).press("ArrowRight")
    visit.page.reload()
    _rest(visit.page)
    assert visit.page.locator(ALIASES).input_value() == "9"
    assert _told(visit.page, 9)


@pytest.mark.slow
def test_two_tabs_do_not_disturb_each_other(visit: Visit, served: Served, pool: Path) -> None:
    other = visit.page.context.new_page()
    for page in (visit.page, other):
        _open(page, served, pool)
    visit.page.locator(ALIASES).press("ArrowRight")
    other.locator(ALIASES).press("ArrowLeft")
    for page, aliases in ((visit.page, 9), (other, 7)):
        _rest(page)
        assert _told(page, aliases)


def test_a_full_run_that_would_take_long_stops_and_another_begins(visit: Visit, served: Served, tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    text = POOL.replace('interval = "1 s"\nreplications = 4', 'interval = "1 min"\nreplications = 10000')
    path.write_text(text, "utf-8")
    _open(visit.page, served, path)
    for line in (1, 2):
        visit.page.click("text=Run in full")
        visit.page.wait_for_selector(f".runs li:nth-child({line}) progress[value]")
        visit.page.click(f".runs li:nth-child({line}) button")
        visit.page.wait_for_selector(f".runs li:nth-child({line}) >> text=cancelled")


@pytest.mark.slow
def test_the_keyboard_alone_leads_from_the_bar_to_a_result(visit: Visit) -> None:
    def tab_to(selector: str) -> None:
        for _ in range(60):
            visit.page.keyboard.press("Tab")
            if visit.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"Tab does not lead to {selector}")

    tab_to('#screens a[data-name="experiment"]')
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_selector('a[href$="/pool"]')
    tab_to('a[href$="/pool"]')
    visit.page.keyboard.press("Enter")
    _rest(visit.page)
    tab_to(ALIASES)
    before = visit.page.inner_text(".tile b >> nth=0")
    visit.page.keyboard.press("ArrowRight")
    _rest(visit.page)
    assert visit.page.inner_text(".tile b >> nth=0") != before


def test_a_bad_text_shows_all_of_its_problems_in_place(visit: Visit, served: Served, pool: Path) -> None:
    _open(visit.page, served, pool)
    visit.page.click("#tab-text")
    visit.page.click(".cm-content")
    visit.page.keyboard.press("Control+A")
    bad = POOL.replace("aliases = 8", 'aliases = "8"').replace("paths = 4", "paths = 99")
    visit.page.keyboard.insert_text(bad)
    visit.page.wait_for_selector("#tab-text:has-text('2 problems')")
    assert visit.page.locator(".found-one").count() == 2
    visit.page.click("#tab-settings")
    visit.page.click("text=Run in full")
    visit.page.wait_for_selector("#panel-text .found-one")
    assert visit.page.locator(".seen .problems").count() == 0, "problems of the text are under the text"
    for at in (0, 1):
        visit.page.click(f".found-one >> nth={at} >> button")
        visit.page.wait_for_selector(".cm-activeLine .cm-lintRange-error")
    visit.page.keyboard.press("Control+Z")
    visit.page.wait_for_selector(".found-one", state="detached")
    _rest(visit.page)


def test_the_editor_completes_keys_and_values(visit: Visit, served: Served, pool: Path) -> None:
    _open(visit.page, served, pool)
    visit.page.click("#tab-text")
    visit.page.click(".cm-line:has-text('first_alias')")
    visit.page.keyboard.press("End")
    visit.page.keyboard.type("\nredis")
    visit.page.wait_for_selector(".cm-tooltip-autocomplete [aria-selected]:has-text('redispatch')")
    visit.page.wait_for_timeout(READ_MS)
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_function(r"JSON.parse(sessionStorage.getItem('experiment')).text.includes('\nredispatch = \n')")
    visit.page.keyboard.type('"')
    visit.page.wait_for_selector(".cm-tooltip-autocomplete >> text=pool-fifo")


@pytest.mark.slow
def test_a_change_is_written_into_the_text_with_its_comments(visit: Visit, served: Served, pool: Path) -> None:
    _open(visit.page, served, pool)
    visit.page.locator(ALIASES).press("ArrowRight")
    assert "--set 'alias_pool.LSS-52.aliases=9'" in visit.page.inner_text(".command pre")
    visit.page.click("text=Write into the text")
    visit.page.wait_for_selector(".on-top p", state="detached")
    _rest(visit.page)
    assert _kept(visit.page)["text"] == POOL.replace("\naliases = 8\n", "\naliases = 9\n")


def test_a_pinned_setting_has_paired_differences_beside_it(visit: Visit, served: Served, pool: Path) -> None:
    _open(visit.page, served, pool)
    visit.page.click("text=Pin this setting")
    visit.page.locator(ALIASES).press("ArrowRight")
    visit.page.wait_for_selector(".pair .sure")
    assert "pinned" in visit.page.inner_text(".tile >> nth=0")
    _rest(visit.page)

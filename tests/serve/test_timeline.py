"""Can a user record a timeline, zoom, scroll and find the longest wait with its reason, also with keys alone?"""

from __future__ import annotations

import http.client
import json
import re
import time
from pathlib import Path
from typing import Any, Literal

import polars as pl
import pytest
import slicewright
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page
from slicewright.timeline.events import trace_text

from tests.serve.conftest import WITHIN_S, Served, Visit

ENDS = re.compile(r"of/\w+/([\d.]+)/([\d.]+)$")


def _opened(visit: Visit, small: Path) -> Page:
    """The timeline of the small scenario, from its drop on."""
    visit.page.set_input_files("#choose", small)
    visit.page.click("text=Show its timeline")
    visit.page.wait_for_selector(".timeline-live:not(:empty)")
    return visit.page


def _ends(page: Page) -> tuple[float, float]:
    """The ends of the view, when it is at rest."""
    found = ENDS.search(page.url)
    assert found is not None
    return float(found[1]), float(found[2])


def _reach(page: Page, from_us: float, to_us: float) -> None:
    """Wait until the view is at rest there; between two moves it may rest elsewhere."""
    until, near = time.monotonic() + WITHIN_S, (to_us - from_us) / 50
    while _ends(page) != pytest.approx((from_us, to_us), abs=near):
        assert time.monotonic() < until, f"the view is at {_ends(page)}, not at {(from_us, to_us)}"
        page.wait_for_timeout(50)


def _drawn(page: Page, least: int) -> None:
    """Wait until that many pixels of the lanes have the ink of what is in use."""
    page.wait_for_function(
        """least => {
            const canvas = document.querySelector(".timeline-lanes");
            if (canvas.width <= 500) return false;
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            let inked = 0;
            for (let at = 0; at < data.length; at += 4) if (data[at] < 40 && data[at + 2] > 120) inked += 1;
            return inked > least;
        }""",
        arg=least,
    )


def test_a_dropped_scenario_shows_its_whole_interval(visit: Visit, small: Path) -> None:
    page = _opened(visit, small)
    assert "0 s to 2 s from the start" in page.inner_text(".timeline-head")
    assert page.inner_text(".timeline-live").startswith("In view: 0 s to 2 s, lanes 1 to 4 of 4")
    _drawn(page, 1_000)


def test_another_theme_is_drawn_at_once(visit: Visit, small: Path) -> None:
    page = _opened(visit, small)
    paper = """() => [...document.querySelector(".timeline-names").getContext("2d").getImageData(100, 3, 1, 1).data]"""
    light = page.evaluate(paper)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"light => ({paper})()[0] < light - 100", arg=light[0])


def test_a_starter_is_recorded(visit: Visit) -> None:
    visit.page.click("nav >> text=Timeline")
    visit.page.click("text=Record a part of it")
    visit.page.fill('input[name="length"]', "2 s")
    visit.page.click('.starter:has(b:text-is("two-domains"))')
    visit.page.wait_for_selector(".timeline-live:not(:empty)")
    assert "0 s to 2 s" in visit.page.inner_text(".timeline-head")


def test_a_part_that_does_not_exist_is_refused(visit: Visit) -> None:
    visit.page.click("nav >> text=Timeline")
    visit.page.click("text=Record a part of it")
    visit.page.fill('input[name="start"]', "3 h")
    visit.page.click('.starter:has(b:text-is("mm1"))')
    visit.page.wait_for_selector(".problems")
    assert "that are measured" in visit.page.inner_text(".problems")


def test_the_wheel_zooms_at_the_pointer_and_dragging_scrolls(visit: Visit, small: Path) -> None:
    page = _opened(visit, small)
    box = page.locator(".timeline-plot").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 4, box["y"] + 10
    page.mouse.move(x, y)
    page.mouse.wheel(0, -400)
    _reach(page, 3.75e5, 8.75e5)
    first, last = _ends(page)
    assert last - first == pytest.approx(2e6 / 4, rel=0.01)
    assert first + (last - first) / 4 == pytest.approx(5e5, abs=2e3)
    page.mouse.down()
    page.mouse.move(x - 200, y, steps=5)
    page.mouse.up()
    scrolled = 200 * (last - first) / box["width"]
    _reach(page, first + scrolled, last + scrolled)
    assert _ends(page)[0] - first == pytest.approx(scrolled, rel=0.02)
    _drawn(page, 500)


def test_the_longest_wait_is_shown_with_its_reason(visit: Visit, small: Path) -> None:
    page = _opened(visit, small)
    whole = slicewright.trace(str(small), for_s=2.0)
    lengths = whole.waits.with_columns(length=whole.waits["to_us"] - whole.waits["from_us"])
    longest = lengths.sort("length", descending=True, nulls_last=True).to_dicts()
    page.evaluate(
        """() => {
            window.said = [];
            const live = document.querySelector(".timeline-live");
            new MutationObserver(() => window.said.push(live.innerText)).observe(live, { childList: true });
        }"""
    )
    for button, wait in (("Longest wait", longest[0]), ("Next longest", longest[1])):
        page.click(f'button:text-is("{button}")')
        page.wait_for_function(
            "why => document.querySelector('.timeline-details').innerText.includes(why)",
            arg=f"{wait['from_us'] / 1e3:,.3f} ms",
        )
        shown = page.inner_text(".timeline-details")
        assert wait["why"] in shown
        assert wait["holder"] in shown
        assert f"{wait['length'] / 1e3:,.3f} ms" in shown
        assert any(wait["why"] in text for text in page.evaluate("window.said"))


def test_keys_alone_reach_everything(visit: Visit, small: Path) -> None:
    page = _opened(visit, small)
    page.focus(".timeline-find input")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.className") == "timeline-scroller":
            break
    assert page.evaluate("() => document.activeElement.className") == "timeline-scroller"
    page.keyboard.press("w")
    page.wait_for_selector(".timeline-details >> text=Why")
    wait = slicewright.trace(str(small), for_s=2.0).waits.with_columns(length=pl.col("to_us") - pl.col("from_us"))
    first, length = wait.sort("length", descending=True, nulls_last=True).select("from_us", "length").row(0)
    _reach(page, first - length, first + 2 * length)
    page.keyboard.press("+")
    _reach(page, first - length / 2, first + 1.5 * length)
    page.keyboard.press("ArrowRight")
    _reach(page, first - length / 4, first + 1.75 * length)
    page.keyboard.press("Home")
    _reach(page, 0.0, 2 * length)
    page.keyboard.press("End")
    _reach(page, 2e6 - 2 * length, 2e6)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+ArrowLeft")
    page.wait_for_selector(".timeline-details >> text=State")
    page.keyboard.press("0")
    _reach(page, 0.0, 2e6)


def test_a_holder_is_found_by_its_name(visit: Visit, small: Path) -> None:
    page = _opened(visit, small)
    page.fill(".timeline-find input", "guest #3")
    page.keyboard.press("Enter")
    page.wait_for_selector(".timeline-details >> text=GUEST #3")
    assert page.input_value(".timeline-find input") == "GUEST #3"
    page.fill(".timeline-find input", "no such guest")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=no holder's name contains no such guest")


def test_the_table_of_waits_leads_to_each(visit: Visit, small: Path) -> None:
    page = _opened(visit, small)
    page.click("text=Show more")
    page.wait_for_selector("[aria-label='Show wait 12']")
    page.click("[aria-label='Show wait 12']")
    page.wait_for_selector(".timeline-details >> text=Why")
    cells = page.locator("tbody tr").nth(11).locator("td").all_inner_texts()
    assert cells[5] in page.inner_text(".timeline-details")


def test_a_window_is_saved_as_trace_writes_it(visit: Visit, small: Path) -> None:
    page = _opened(visit, small)
    with page.expect_download() as saved:
        page.click("text=Save for Perfetto")
    expected = trace_text(slicewright.trace(str(small), for_s=2.0))
    assert Path(saved.value.path()).read_text("utf-8") == expected


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_screens_are_accessible(visit: Visit, small: Path, theme: Literal["light", "dark"]) -> None:
    visit.page.emulate_media(color_scheme=theme)
    visit.page.click("nav >> text=Timeline")
    visit.page.wait_for_selector(".starter")
    found: list[Any] = Axe().run(visit.page).response["violations"]
    visit.page.click("nav >> text=Files")
    page = _opened(visit, small)
    page.click('button:text-is("Longest wait")')
    page.wait_for_selector(".timeline-details >> text=Why")
    found += Axe().run(page).response["violations"]
    assert [f"{each['id']}: {each['nodes'][0]['html'][:100]}" for each in found] == []


def _asked(served: Served, path: str, body: Any = None) -> tuple[int, Any]:
    asked = http.client.HTTPConnection("127.0.0.1", served.port, timeout=WITHIN_S)
    method = "GET" if body is None else "POST"
    asked.request(method, path, body and json.dumps(body), {"Authorization": f"Bearer {served.token}"})
    answer = asked.getresponse()
    found = answer.read()
    asked.close()
    return answer.status, json.loads(found) if found.startswith(b"{") else found


def test_a_window_that_makes_no_sense_is_refused(served: Served, small: Path) -> None:
    _, job = _asked(served, "/jobs", {"task": "record", "arguments": {"text": small.read_text()}})
    while job["state"] in ("waiting", "running"):
        _, job = _asked(served, f"/jobs/{job['job']}")
    name = job["result"]["timeline"]
    for query, key in (
        ("from=x&to=1", "from"), ("from=1&to=1", "to"), ("from=0&to=nan", "to"), ("from=0&to=9&lanes=3-1", "lanes"),
        ("from=0&to=9&lanes=0-99999", "lanes"), ("from=0&to=9&pixels=0", "pixels"),
        ("from=0&to=9&holder=-1", "holder"),
    ):  # fmt: skip
        status, answer = _asked(served, f"/timelines/{name}?{query}")
        assert (status, [problem["key"] for problem in answer["problems"]]) == (422, [key]), query
    status, window = _asked(served, f"/timelines/{name}?from=-1e300&to=1e300&lanes=90-99")
    assert (status, type(window)) == (200, bytes)


@pytest.mark.parametrize("path", ["none", "none/waits", "none/near?at=1", "..%2F..", "none/perfetto.json"])
def test_a_timeline_that_does_not_exist_is_refused(served: Served, path: str) -> None:
    status, _ = _asked(served, f"/timelines/{path}")
    assert status in (404, 422)

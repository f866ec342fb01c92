"""Does every screen show itself?  SLICEWRIGHT_UPDATE=1 writes the pictures of the documentation."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page

from tests.serve.conftest import WITHIN_MS, Served

ROOT = Path(__file__).parents[2]
FILE = ROOT / "published" / "hyperpav" / "device-reports" / "Y032180H.txt"
PICTURES = ROOT / "docs" / "pictures" / "page"
How = tuple[str, Literal["light", "dark"], int]
"""Screen, theme and width."""
WIDTHS = {1920: 1080, 1280: 800, 820: 1100}
IN_DOCS = (1280, 820)
"""Widths of the pictures of the documentation."""


def _file(page: Page) -> None:
    page.set_input_files("#choose", FILE)
    page.wait_for_selector("figure.started svg")


_ANSWERED: list[str] = []
"""The address of an answer of this file's server, which is asked for once and shown in every theme and width."""


def _answer(page: Page) -> None:
    if _ANSWERED:
        _at(_ANSWERED[0], ".glance figure.started svg")(page)
        return
    _file(page)
    page.click("button.primary")
    page.wait_for_selector("figure.started svg, .tools")
    page.wait_for_selector(".glance figure.started svg")
    _ANSWERED.append(page.url.partition("#/")[2])


def _at(address: str, shown: str) -> Callable[[Page], None]:
    """Opens an address after # and waits until something is shown."""

    def reach(page: Page) -> None:
        page.goto(f"{page.url.partition('#')[0]}#/{address}")
        page.locator(shown).first.wait_for()

    return reach


def _timeline(page: Page) -> None:
    _at("timeline", ".starter")(page)
    page.fill('input[name="length"]', "2 s", force=True)
    page.click('.starter:has-text("two-domains")')
    page.wait_for_selector(".timeline-live:not(:empty)")
    page.click("text=Longest wait")
    page.wait_for_selector(".timeline-details >> text=Why")


def _panel(page: Page) -> None:
    _at("panels/580-mdf", ".chart path")(page)
    page.wait_for_selector("output:text-matches('^2[0-9] s of ')")


def _plan(page: Page) -> None:
    page.set_input_files("#choose", ROOT / "scenarios" / "full-channel.toml")
    page.click("text=Plan purchases")
    page.fill('input[aria-label="type of channel 50: price"]', "100")
    page.fill('input[aria-label="aliases of pool LSS-10: price"]', "5")
    page.fill('input[aria-label="Growth of everything, percent, typed"]', "25")
    page.fill('.needs input[type="number"]', "1.5")
    page.click("text=Find the cheapest list")
    page.wait_for_selector(".pictured figure.started svg")
    page.locator(".planned").scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, document.querySelector('.planned').offsetTop - 20)")


SCREENS: dict[str, Callable[[Page], None]] = {
    "files": lambda page: page.locator(".zone").wait_for(),
    "file": _file,
    "answer": _answer,
    "plan": _plan,
    "experiment": _at("experiment/from/pool", "figure.started svg"),
    "timeline": _timeline,
    "panel": _panel,
    "studies": _at("studies", "td a"),
    "study": _at("studies/hyperpav", ".report h1"),
}
"""How each screen is reached from the first one."""
HOW: list[How] = [(screen, theme, width) for screen in SCREENS for theme in ("light", "dark") for width in WIDTHS]


@pytest.mark.slow
@pytest.mark.parametrize("how", HOW, ids=lambda how: "-".join(map(str, how)))
def test_every_screen_shows_itself(browser: Browser, served: Served, tmp_path: Path, how: How) -> None:
    screen, theme, width = how
    context = browser.new_context(viewport={"width": width, "height": WIDTHS[width]}, color_scheme=theme)
    context.set_default_timeout(2 * WITHIN_MS)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(served.address)
    SCREENS[screen](page)
    folder = PICTURES if os.environ.get("SLICEWRIGHT_UPDATE") == "1" and width in IN_DOCS else tmp_path
    folder.mkdir(exist_ok=True)
    page.screenshot(path=folder / f"{screen}-{theme}-{width}.png")
    across = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    context.close()
    assert errors == []
    assert across <= 0, "the page is wider than its window"

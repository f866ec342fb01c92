"""Does the documentation build without a warning and without a network, and does a page need nothing from elsewhere?"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.tidy.tree import ROOT, listing

pytestmark = pytest.mark.slow

# How long a worker waits for the build that another one makes.
PATIENCE_S = 600

OFFLINE = """
import socket, sys
def refuse(*words, **more):
    raise OSError("this build has no network")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
from sphinx.cmd.build import main
sys.exit(main(sys.argv[1:]))
"""

# Attributes that a browser loads to show a page, by tag; links that a reader follows are not among them.
LOADED = {
    "audio": {"src"},
    "embed": {"src"},
    "iframe": {"src"},
    "image": {"href", "xlink:href"},
    "img": {"src", "srcset"},
    "input": {"src"},
    "link": {"href"},
    "object": {"data"},
    "script": {"src"},
    "source": {"src", "srcset"},
    "use": {"href", "xlink:href"},
    "video": {"src", "poster"},
}


class Page(HTMLParser):
    """The files that a page loads, the targets of its links within the site, and its own anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Sort the attributes of one tag."""
        for name, value in attrs:
            if name in LOADED.get(tag, ()) and value:
                self.loads.append(value)
            elif tag == "a" and name == "href" and value:
                self.links.append(value)
            elif name == "id" and value:
                self.places.add(value)


def elsewhere(address: str) -> bool:
    """Whether an address leads out of the site; data in the page itself does not."""
    return bool(urlsplit(address).netloc) or urlsplit(address).scheme not in ("", "data")


def fetched(style: str) -> list[str]:
    """The addresses that a style sheet loads."""
    named = re.findall(
        r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)", re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    )
    return [address for pair in named for address in pair if address and elsewhere(address)]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The site as `make docs` builds it, with no way to the network, and what the build said; one for all workers."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "documentation"
    said = folder / "said.txt"
    try:
        folder.mkdir()
    except FileExistsError:
        until = time.monotonic() + PATIENCE_S
        while not said.exists() and time.monotonic() < until:
            time.sleep(0.1)
    else:
        (folder / "saying.txt").write_text(_built(folder), encoding="utf-8")
        (folder / "saying.txt").rename(said)
    return folder / "site", said.read_text("utf-8")


def _built(folder: Path) -> str:
    flags = re.findall(r"sphinx-build (-.*?) -d ", (ROOT / "Makefile").read_text("utf-8"))[0].split()
    words = [*flags, "-d", str(folder / "doctrees"), str(ROOT / "docs"), str(folder / "site")]
    kept = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE, *words], cwd=ROOT, env=kept, capture_output=True, text=True, check=False
    )
    return f"{done.stdout}{done.stderr}" + ("" if done.returncode == 0 else f"status {done.returncode}")


@cache
def pages(site: Path) -> tuple[tuple[Path, Page], ...]:
    """Every page of the built site, each read once."""
    return tuple((path, Page(path.read_text("utf-8"))) for path in sorted(site.rglob("*.html")))


def test_the_site_builds_offline_without_a_warning(build: tuple[Path, str]) -> None:
    site, said = build
    assert said == ""
    assert (site / "index.html").exists()


def test_warnings_are_errors() -> None:
    built = re.findall(r"sphinx-build (.*)", (ROOT / "Makefile").read_text("utf-8"))
    assert len(built) == 1
    assert "-W" in built[0]


def test_no_page_needs_anything_from_elsewhere(build: tuple[Path, str]) -> None:
    site, _ = build
    problems = [
        f"{path.relative_to(site)} loads {address}"
        for path, page in pages(site)
        for address in page.loads
        if elsewhere(address) or not _there(site, path, address)
    ]
    for path in (*site.rglob("*.css"), *site.rglob("*.svg"), *site.rglob("*.html")):
        problems += [f"{path.relative_to(site)} fetches {address}" for address in fetched(path.read_text("utf-8"))]
    assert not problems, listing(problems)


def test_every_link_within_the_site_leads_somewhere(build: tuple[Path, str]) -> None:
    site, _ = build
    found = {path.resolve(): page for path, page in pages(site)}
    problems = []
    for path, page in found.items():
        for link in page.links:
            parts = urlsplit(link)
            if elsewhere(link):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            known = found.get(target)
            if not target.exists() or (parts.fragment and known and unquote(parts.fragment) not in known.places):
                problems.append(f"{path.name}: {link} leads nowhere")
    assert not problems, listing(problems)


def test_every_page_of_the_folder_is_on_the_site(build: tuple[Path, str]) -> None:
    site, _ = build
    pages = [path.relative_to(ROOT / "docs").with_suffix(".html") for path in ROOT.glob("docs/**/*.md")]
    assert not [page for page in pages if not (site / page).exists()]


def test_each_heading_of_the_deck_is_a_slide_with_keys(build: tuple[Path, str]) -> None:
    site, _ = build
    deck = dict(pages(site))[site / "teaching" / "slides.html"]
    written = (ROOT / "docs/teaching/slides.md").read_text("utf-8")
    assert (site / "teaching/slides.html").read_text("utf-8").count("<h2>") == written.count("\n## ") > 10
    assert {"../_static/slides.js", "../_static/slides.css"} <= set(deck.loads)


def test_pictures_are_shown(build: tuple[Path, str]) -> None:
    site, _ = build
    shown = {Path(address).name for _, page in pages(site) for address in page.loads}
    drawn = {path.name for path in ROOT.glob("docs/pictures/*.svg")}
    assert drawn <= shown


def test_the_rules_find_what_they_are_for() -> None:
    page = Page('<img src="//x.org/a.png"><a href="https://x.org">cited</a><script src="a.js" id="b"></script>')
    assert page.loads == ["//x.org/a.png", "a.js"]
    assert [elsewhere(address) for address in page.loads] == [True, False]
    assert (page.links, page.places) == (["https://x.org"], {"b"})
    assert not elsewhere("data:image/svg+xml,x")
    assert fetched("@import 'https://x.org/a.css'; a { background: url(b.png) }") == ["https://x.org/a.css"]
    assert fetched("a { background: url(b.png) url(//y.org/c.png) }") == ["//y.org/c.png"]


def _there(site: Path, path: Path, address: str) -> bool:
    """Whether what a page loads is part of the site; data in the page itself always is."""
    parts = urlsplit(address)
    return parts.scheme == "data" or not parts.path or (path.parent / unquote(parts.path)).resolve().exists()

"""Does text from anywhere reach a terminal or a page as something to see, and never as something to obey?"""

from __future__ import annotations

import io
import json
import unicodedata
from pathlib import Path

import pytest
import slicewright as sw
from slicewright.live.kept import save
from slicewright.report.html import render
from slicewright.report.model import Report
from slicewright.run.manifest import OWN, text_of
from slicewright.values.console import Bar, Visible
from slicewright.values.errors import visible_lines

from tests.conftest import SMALL, CommandLine
from tests.live.examples import slices_result
from tests.tidy.tree import ROOT

PAGE = ROOT / "tests/golden/rmf_pages/pav-current.txt"
FOREIGN, SHOWN = "A\x1b[2J\x9b1m\u202eB", "A\\x1b[2J\\x9b1m\\u202eB"
LEGAL = "é ä e\u0301 表 日本 │└─ ± → − … \u00a0 \u3000 عربي 🙂\n\tnext"


def obeyed(text: str) -> list[str]:
    """Characters that a terminal or a browser would follow instead of show."""
    return [
        character
        for character in text
        if unicodedata.category(character) in ("Cc", "Cf", "Cs") and character not in "\n\t"
    ]


@pytest.mark.parametrize(
    "character", ["\x1b", "\x9b", "\r", "\b", "\x7f", "\u202e", "\u2066", "\u200b", "\u2028", "\udcff"]
)
def test_what_moves_the_cursor_or_hides_itself_is_seen(character: str) -> None:
    stream = io.StringIO()
    print(f"a{character}b", file=Visible(stream))
    assert stream.getvalue() == f"a{character.encode('unicode_escape').decode()}b\n"


def test_legal_characters_stay() -> None:
    assert visible_lines(LEGAL) == LEGAL


def test_every_page_that_is_shipped_stays_byte_for_byte() -> None:
    pages = [*(ROOT / "published").rglob("*.txt"), *(ROOT / "tests/golden").rglob("*.txt")]
    assert len(pages) > 5
    for page in pages:
        text = page.read_bytes().decode("utf-8").replace("\r\n", "\n")
        assert visible_lines(text) == text, page


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a scenario, a run, a report and a live result that have what they should not in their texts."""
    folder = tmp_path_factory.mktemp("foreign")
    (folder / "a.toml").write_text(SMALL.replace("two volumes, two aliases", "A\u202eB"), encoding="utf-8")
    sw.run(folder / "a.toml", replications=2, out=folder / "run")
    facts = json.loads((folder / "run/manifest.json").read_text("utf-8"))
    del facts[OWN]
    (folder / "run/manifest.json").write_text(text_of({**facts, "name": FOREIGN}), encoding="utf-8")
    page = PAGE.read_text("utf-8").replace("SYSTEM ID Classic PAV", f"SYSTEM ID {FOREIGN}")
    (folder / "report.txt").write_text(page, encoding="utf-8")
    save(slices_result(), folder / "live")
    kept = json.loads((folder / "live/live.json").read_text("utf-8"))["environment"]
    texts = {"kernel": FOREIGN, "measured": FOREIGN, "around": [FOREIGN]}
    change(folder / "live/live.json", "environment", kept | texts)
    return folder


def change(file: Path, key: str, value: object) -> None:
    """Give a key of a JSON file another value."""
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | {key: value}), encoding="utf-8")


@pytest.mark.parametrize(
    "words",
    [
        "run {}/a.toml --replications 2", "compare {}/run {}/run", "trace {}/a.toml --for 5ms", "explain {}/a.toml",
        "live show {}/live", "report {}/run --page nothing\u202e", "advise {}/\x1b",
    ],
)  # fmt: skip
def test_a_command_prints_text_to_see(words: str, foreign: Path, slicewright: CommandLine) -> None:
    found = slicewright(*(word.format(foreign) for word in words.split(" ")))
    assert obeyed(found.out + found.err) == []
    assert any(shown in found.out + found.err for shown in (SHOWN, "\\u202e", "\\x1b"))


def test_advice_on_a_page_moves_no_cursor(foreign: Path, slicewright: CommandLine) -> None:
    found = slicewright("advise", foreign / "report.txt")
    assert obeyed(found.out + found.err) == []


def test_a_page_and_a_picture_have_text_to_see(foreign: Path) -> None:
    page = render(Report(FOREIGN, FOREIGN))
    assert (obeyed(page), page.count(SHOWN)) == ([], 3)
    assert obeyed((foreign / "run/report.html").read_text("utf-8")) == []
    assert obeyed(sw.trace(foreign / "a.toml", for_s=0.005).svg()) == []


def test_a_progress_bar_still_moves_the_cursor(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", Visible(terminal))
    monkeypatch.setattr("slicewright.values.console.PATIENCE_S", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    with Bar("measuring") as bar:
        bar(0.5)
    assert "\x1b[" in terminal.getvalue()
    assert "\\x1b" not in terminal.getvalue()

"""Do the how-to pages print what their commands print, and does what they add build and do what they say?"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import slicewright

from tests.docs import console
from tests.tidy.tree import ROOT, sources

HOW_TO = ROOT / "docs" / "how-to"
POLICY = ROOT / "docs" / "change" / "add-a-redispatch-policy.md"
MOST_FILES = 4
MOST_LINES = 60


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder that has what the pages' commands read, and keeps what they write."""
    for folder in ("published", "scenarios"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("page", sorted([*HOW_TO.glob("*.md"), POLICY]), ids=lambda page: page.stem)
def test_a_page_prints_what_its_commands_print(page: Path, checkout: Path, request: pytest.FixtureRequest) -> None:
    if "$ slicewright sensitivity" not in page.read_text("utf-8"):  # it leaves guesses in a store, which advice prints
        request.getfixturevalue("simulated_once")
    reader = console.Reader(checkout).follow(page)
    assert not reader.problems, "\n\n".join(reader.problems)


def test_the_question_of_the_page_is_asked_in_one_file(tmp_path: Path) -> None:
    page = (HOW_TO / "ask-a-question-of-your-own.md").read_text("utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "busiest.py").write_text(code, encoding="utf-8")
    (tmp_path / "two-domains.toml").write_text(slicewright.starter("two-domains"), encoding="utf-8")
    (session,) = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    for command, shown in console.examples(session):
        program, *words = shlex.split(command)
        assert program == "python"
        done = subprocess.run([sys.executable, *words], cwd=tmp_path, capture_output=True, text=True)
        printed = [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]
        assert console.first_missing(shown, printed) is None, printed


def changes(page: Path) -> dict[str, list[tuple[str, str]]]:
    """By file, what a page's `diff` blocks replace by what."""
    found: dict[str, list[tuple[str, str]]] = {}
    for block in re.findall(r"^```diff\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        head, _, body = block.partition("@@\n")
        name = re.findall(r"^\+\+\+ b/(\S+)$", head, re.MULTILINE)[0]
        found.setdefault(name, []).extend(console.hunks(body))
    return found


def test_a_redispatch_policy_is_at_most_four_files_and_sixty_lines() -> None:
    blocks = re.findall(r"^```diff\n(.*?)^```$", POLICY.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    added = [line for block in blocks for line in block.splitlines() if re.match(r"\+(?!\+\+ )", line)]
    assert len(changes(POLICY)) <= MOST_FILES
    assert 0 < len(added) <= MOST_LINES


def test_nobody_else_decides_by_policy() -> None:
    where = [file for file in sources(".rs", under="crates") if "/src/" in str(file.path)]
    named = [str(file.path) for file in where if re.search(r"Redispatch::(SameVolume|PoolFifo)\b", file.text)]
    assert named == ["crates/machine/src/channel/redispatch/mod.rs"], "a new policy would have to be added there too"


@pytest.mark.slow
def test_the_redispatch_policy_of_the_page_builds_and_conforms() -> None:
    tried = _cargo(_patched_crates(), "test", "--package", "machine", "--test", "conformance", "redispatch")
    assert tried.returncode == 0, tried.stdout + tried.stderr
    passed = re.search(r"test result: ok. (\d+) passed", tried.stdout)
    assert passed is not None
    assert int(passed[1]) >= 1
    assert "warning" not in tried.stderr


def _patched_crates() -> Path:
    """The files that a build needs, with the page's changes; an unchanged file keeps its age."""
    copy = ROOT / "target" / "how-to"
    crates = [ROOT / "crates" / name for name in ("units", "fuzz", "kernel", "serialization", "machine")]
    sources = [path for crate in crates for path in crate.rglob("*") if path.suffix in (".rs", ".toml")]
    texts = {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
        for path in (*sources, ROOT / "Cargo.toml", ROOT / "Cargo.lock")
    }
    for name, hunks in changes(POLICY).items():
        texts[name] = console.applied(texts.get(name, ""), hunks)
    for old in copy.glob("crates/**/*.rs"):
        if old.relative_to(copy).as_posix() not in texts:
            old.unlink()
    for name, text in texts.items():
        file = copy / name
        if not file.exists() or file.read_text("utf-8") != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    return copy


def _cargo(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Cargo with a target folder of its own: elsewhere crates of the same name would take each other's place.

    The few tests run once, so that time to compile counts and their speed does not.
    """
    quick = {"CARGO_PROFILE_DEV_OPT_LEVEL": "0", "CARGO_PROFILE_DEV_DEBUG": "none"}
    return subprocess.run(
        ["cargo", *words, "--offline"],
        cwd=folder,
        env={**os.environ, **quick, "CARGO_TARGET_DIR": str(folder / "target")},
        capture_output=True,
        text=True,
        check=False,
    )

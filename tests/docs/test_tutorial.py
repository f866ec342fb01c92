"""Does the tutorial work, followed to the letter from an empty folder?"""

from __future__ import annotations

from pathlib import Path

import pytest
from slicewright.advise.limits.fleet.samples import main as write_samples

from tests.docs import console
from tests.tidy.tree import ROOT

TUTORIAL = ROOT / "docs" / "tutorial"
TAUGHT = ("new", "run", "report", "trace", "compare", "advise", "explain")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> console.Reader:
    """A reader that has followed the tutorial to its end."""
    return console.Reader(tmp_path_factory.mktemp("tutorial")).follow(TUTORIAL / "index.md")


def test_every_command_prints_what_the_page_shows(reader: console.Reader) -> None:
    assert not reader.problems, "\n\n".join(reader.problems)


@pytest.mark.usefixtures("simulated_once")
def test_the_tutorial_on_cpu_limits_prints_what_it_shows(tmp_path: Path) -> None:
    reader = console.Reader(tmp_path).follow(TUTORIAL / "cpu-limit.md")
    assert not reader.problems, "\n\n".join(reader.problems)
    assert (tmp_path / "container.toml").read_text("utf-8") == (TUTORIAL / "container.toml").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.usefixtures("simulated_once")
def test_the_tutorial_on_a_day_prints_what_it_shows(tmp_path: Path) -> None:
    reader = console.Reader(tmp_path).follow(TUTORIAL / "day.md")
    assert not reader.problems, "\n\n".join(reader.problems)


@pytest.mark.slow
@pytest.mark.usefixtures("simulated_once")
def test_the_tutorial_on_a_fleet_prints_what_it_shows(tmp_path: Path) -> None:
    assert write_samples([str(tmp_path / "fleet.parquet"), "1000", "5"]) == 0
    reader = console.Reader(tmp_path).follow(TUTORIAL / "fleet.md")
    assert not reader.problems, "\n\n".join(reader.problems)


def test_the_reader_ends_with_the_file_that_is_kept_beside_the_page(reader: console.Reader) -> None:
    assert (reader.folder / "two-pools.toml").read_text("utf-8") == (TUTORIAL / "two-pools.toml").read_text("utf-8")


def test_the_reader_has_used_every_command_that_a_newcomer_needs(reader: console.Reader) -> None:
    used = {command.split()[1] for command in reader.commands if command.startswith("slicewright ")}
    assert used >= set(TAUGHT)


def test_the_reader_has_pages_to_open_in_a_browser(reader: console.Reader) -> None:
    written = {path.relative_to(reader.folder).as_posix() for path in reader.folder.rglob("*.html")}
    assert {"runs/2/report.html", "runs/5/report.html", "compared.html"} <= written


def test_a_reader_finds_what_is_wrong(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        'Save as `a.toml`:\n\n```toml\nname = "a"\n```\n\n'
        'Now, in\n`a.toml`:\n\n```diff\n-name = "a"\n+name = "b"\n```\n\n'
        "```console\n$ slicewright --version\nnothing of the kind\n$ other\n```\n",
        "utf-8",
    )
    found = console.Reader(tmp_path).follow(page)
    assert len(found.problems) == 2
    assert (tmp_path / "a.toml").read_text("utf-8") == 'name = "b"\n'

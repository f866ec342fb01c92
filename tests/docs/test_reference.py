"""Is every generated page of the reference what the code says now, and does it leave nothing out?"""

from __future__ import annotations

import doctest
import re
from types import ModuleType

import pytest
import slicewright
from slicewright._core import counters, key_columns
from slicewright._core import tables as engine_tables
from slicewright.cli.main import COMMANDS, command_of
from slicewright.scenario.replay import COLUMNS
from slicewright.values.catalogue import PAGES as REPORT_PAGES

from docs import outside
from docs.generate import command_line, published, python_interface, tables
from docs.generate import counters as counter_page
from docs.generate.__main__ import PAGES, file_of, main
from tests.tidy.tree import ROOT

GLOSSARY = ROOT / "docs" / "glossary.md"


def text(name: str) -> str:
    """A page of the reference as it is kept."""
    return file_of(name).read_text("utf-8")


def terms() -> list[list[str]]:
    """The entries of the glossary: each with the terms that share it."""
    body = GLOSSARY.read_text("utf-8").split("```{glossary}\n", 1)[1].split("```")[0]
    return [re.findall(r"^(\S.*)$", entry, flags=re.MULTILINE) for entry in body.strip().split("\n\n")]


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_what_the_code_says_now(name: str) -> None:
    assert text(name) == PAGES[name](), f"write it again: .venv/bin/python -m docs.generate {name}"


def test_every_counter_and_identifying_column_is_listed() -> None:
    told = text("counters")
    assert all(f"| `{row['name']}` |" in told for row in counters())
    stored = text("run-directory")
    assert all(f"`{row['name']}`" in stored for row in [*counters(), *key_columns()])
    assert all(row["rows"] in told for row in engine_tables())


def test_every_command_and_option_is_listed_with_an_example() -> None:
    told = text("command-line") + text("command-line-advise")
    for name in COMMANDS:
        section = told.split(f"\n## slicewright {name}\n", 1)[1].split("\n## ", 1)[0]
        assert f"slicewright {name}" in section.split("```sh\n", 1)[1], f"{name} has no example"
        options = [word for option in command_of(name).params for word in option.opts if word.startswith("--")]
        assert all(word in section for word in options if word != "--help")


def test_every_column_of_a_recording_is_described() -> None:
    told = (ROOT / "docs/concepts/replay.md").read_text("utf-8")
    assert all(f"`{name}`" in told for name in COLUMNS)


def test_every_page_that_can_be_printed_is_shown() -> None:
    assert all(f"\n## {name}\n" in text("pages") for name in REPORT_PAGES)


def test_every_public_name_of_python_is_described() -> None:
    names = [name for name in slicewright.__all__ if not name.startswith("_")]
    assert all(f":: slicewright.{name}\n" in text("python") for name in names)


def test_a_page_of_another_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["countrs"]) == 2
    assert "counters" in capsys.readouterr().err


def test_the_glossary_is_in_order_and_short() -> None:
    listed = [term for entry in terms() for term in entry]
    assert len(set(listed)) == len(listed)
    first = [entry[0].casefold() for entry in terms()]
    assert first == sorted(first)
    entries = GLOSSARY.read_text("utf-8").split("```{glossary}\n", 1)[1].split("```")[0].strip().split("\n\n")
    for entry in entries:
        said = " ".join(line.strip() for line in entry.splitlines() if line.startswith(" "))
        links = re.sub(r"\bSee (?:the page of the )?\[[^.]*\.", "", re.sub(r"\([\w/-]+\.md\)", "", said))
        assert 1 <= len(re.findall(r"[\w)`]\.(?= |$)", links)) <= 2, entry


def test_every_term_that_a_page_uses_is_in_the_glossary() -> None:
    known = {term for entry in terms() for term in entry}
    for page in ROOT.glob("docs/**/*.md"):
        for shown, meant in re.findall(r"\{term\}`([^`<]+?)(?:\s*<([^>]+)>)?`", page.read_text("utf-8")):
            assert " ".join((meant or shown).split()) in known, f"{page.name}: {meant or shown} is not in the glossary"


def test_every_concept_page_leads_to_the_glossary() -> None:
    pages = list(ROOT.glob("docs/concepts/*.md"))
    assert pages
    without = [page.stem for page in pages if "{term}`" not in page.read_text("utf-8")]
    assert not without, f"link what a newcomer does not know: {{term}}`exposure` on {', '.join(without)}"


@pytest.mark.parametrize(
    "module",
    [command_line, counter_page, outside, published, python_interface, tables],
    ids=lambda one: one.__name__,
)
def test_the_examples_in_the_code_run(module: ModuleType) -> None:
    tried = doctest.testmod(module)
    assert tried.attempted
    assert not tried.failed

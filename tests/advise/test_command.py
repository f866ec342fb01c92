"""Does each question show its own options, refuse those of others by name, and write what its help says?"""

from __future__ import annotations

from pathlib import Path

import pytest
from slicewright._core import starter
from slicewright.advise.questions import QUESTIONS

from tests.advise.alias_example import FILE
from tests.advise.exits_example import REQUESTS
from tests.advise.limits_example import COPIES
from tests.advise.polarization_example import SHORTLY as SETTINGS_SHORTLY
from tests.advise.yields_example import SHORTLY, SPINNERS
from tests.conftest import CommandLine

SHORT = [word for change in SHORTLY for word in ("--assume", change)]
COPIED = ["--limit", "500m", "--requests", "40/s", "--threads", "4", "--every", "120 s", "--assume", "scv=1"]
TOLD = ["--assume", "population=3", "--assume", "sharing=2%", "--assume", "redispatch=none"]


@pytest.mark.parametrize("name", QUESTIONS)
def test_help_shows_the_options_of_the_question_and_of_no_other(slicewright: CommandLine, name: str) -> None:
    said = slicewright("advise", name, "--help").out
    for question in QUESTIONS.values():
        for option in question.options:
            assert (f"--{option.name} {option.metavar}" in said) == (question.name == name)
    assert " ".join(QUESTIONS[name].asks.split()) in " ".join(said.split())


@pytest.mark.parametrize(
    ("words", "owner"),
    [
        (["yields", "spinners.toml", "--limit", "500m"], "limits"),
        (["spinners.toml", "yields", "--limit", "500m"], ""),
        (["--pool", "522A-5231", "limits", "cpu.stat", *COPIED], "aliases"),
        (["cpu.stat", *COPIED, "--slices", "30 ms"], "slices"),
    ],
)
def test_an_option_of_another_question_is_refused_with_its_name(
    slicewright: CommandLine, folder: Path, words: list[str], owner: str
) -> None:
    said = slicewright("advise", *(folder / word if (folder / word).exists() else word for word in words))
    assert said.status == 2
    assert (f"belongs to the question {owner}" in said.err) == bool(owner)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "spinners.toml").write_text(SPINNERS, "utf-8")
    (tmp_path / "requests.toml").write_text(REQUESTS, "utf-8")
    (tmp_path / "cpu.stat").write_bytes(COPIES)
    (tmp_path / "zvm.toml").write_text(starter("zvm"), "utf-8")
    return tmp_path


def test_the_question_may_stand_behind_its_options(slicewright: CommandLine, folder: Path) -> None:
    said = slicewright("advise", *SHORT, "--at", "LINUX never", "yields", folder / "spinners.toml", "-q")
    assert (said.status, said.err) == (0, "")
    assert "<- asked" in said.out


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["yields", "spinners.toml", *SHORT], "yields"),
        (["exits", "requests.toml", *SHORT], 'exits = "prebatch-single-area"'),
        (
            ["polarization", "zvm.toml", *(w for setting in SETTINGS_SHORTLY for w in ("--assume", setting))],
            "polarization",
        ),
        (["limits", "cpu.stat", *COPIED], '"cpu.max"'),
        (["aliases", str(FILE), *TOLD], "[[alias_pool]]"),
    ],
)
def test_a_name_of_a_scenario_takes_one_scenario_alone(
    slicewright: CommandLine, folder: Path, words: list[str], found: str
) -> None:
    out = folder / "alone.toml"
    said = slicewright(
        "advise", *(folder / word if (folder / word).exists() else word for word in words), "--out", out, "-q"
    )
    assert (said.status, said.err) == (0, "")
    assert out.is_file()
    assert found in out.read_text("utf-8")
    assert slicewright("explain", out).status == 0


def test_html_writes_the_page_alone_and_beside_a_directory(slicewright: CommandLine, tmp_path: Path) -> None:
    page, out = tmp_path / "page.html", tmp_path / "advice"
    said = slicewright("advise", FILE, *TOLD, "--html", page, "--out", out, "-q")
    assert (said.status, said.err) == (0, "")
    assert page.read_text("utf-8") == (out / "report.html").read_text("utf-8")
    assert "2 aliases for volume 522A" in page.read_text("utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["advice", "page.html"]


def test_html_refuses_a_directory_before_anything_is_simulated(slicewright: CommandLine, tmp_path: Path) -> None:
    said = slicewright("advise", FILE, *TOLD, "--html", tmp_path)
    assert (said.status, said.out) == (2, "")
    assert "is a directory, not a file" in said.err


def test_without_a_scenario_the_answer_is_printed_and_the_name_refused(slicewright: CommandLine, folder: Path) -> None:
    first = b"".join(COPIES.splitlines(keepends=True)[:4])
    (folder / "once.stat").write_bytes(first)
    out = folder / "alone.toml"
    said = slicewright("advise", "limits", folder / "once.stat", *COPIED, "--out", out, "-q")
    assert said.status == 2
    assert "No recommendation" in said.out
    assert "no scenario to write" in said.err
    assert not out.exists()

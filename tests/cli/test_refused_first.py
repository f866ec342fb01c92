"""Is a result that could not be written, or printed, refused before any work is done for it?"""

from __future__ import annotations

from pathlib import Path

import pytest
from slicewright.values.console import Bar

from tests.conftest import CommandLine
from tests.tidy.tree import ROOT

DOMAINS = ROOT / "scenarios/two-domains.toml"
DIRECTORIES = {
    "loop/out": "is not a directory",
    "dangling/out": "is not a directory",
    "file/out": "is not a directory",
    "file": "is there already and is not a directory",
    "full": "holds something else",
    "/proc/out": "the system refused",
}
"""Names of directories that cannot be made."""
FILES = {
    "loop": "leads back to itself",
    "loop/page": "its directory does not exist",
    "dangling": "its directory does not exist",
    "file/page": "its directory does not exist",
    "missing/page": "its directory does not exist",
    "full": "is a directory, not a file",
    "/proc/page": "the system refused",
}
"""Names of files that cannot be written."""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working directory with a scenario and names that cannot be written, in which no work may begin."""
    for suffix in ("", ".html", ".json", ".toml"):
        (tmp_path / f"loop{suffix}").symlink_to(f"loop{suffix}")
        (tmp_path / f"dangling{suffix}").symlink_to("missing/x")
        (tmp_path / f"full{suffix}").mkdir()
        (tmp_path / f"full{suffix}" / "thesis.txt").touch()
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)

    def begun(bar: Bar) -> Bar:
        raise AssertionError("work began")

    monkeypatch.setattr(Bar, "__enter__", begun)


def _refused(slicewright: CommandLine, words: list[str], says: str) -> None:
    said = slicewright(*words)
    assert said.status in (1, 2)
    assert said.out == ""
    assert says in said.err


@pytest.mark.parametrize("name", DIRECTORIES)
@pytest.mark.parametrize(
    "command",
    [
        ["run", "small.toml"],
        ["advise", "small.toml"],
        ["live", "slices"],
        ["live", "throttling"],
    ],
    ids=" ".join,
)
def test_a_directory_that_cannot_be_made_is_refused_first(
    slicewright: CommandLine, command: list[str], name: str
) -> None:
    _refused(slicewright, [*command, "--out", name], DIRECTORIES[name])


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    ("command", "option", "suffix"),
    [
        (["trace", "small.toml"], "--out", ".json"),
        (["compare", "before", "after"], "--html", ".html"),
        (["fit", "before"], "--out", ".toml"),
        (["reproduce", "hyperpav", "--quick"], "--html", ".html"),
        (["advise", "slices", str(DOMAINS)], "--out", ".toml"),
    ],
    ids=["trace", "compare", "fit", "reproduce", "advise"],
)
def test_a_file_that_cannot_be_written_is_refused_first(
    slicewright: CommandLine, command: list[str], option: str, suffix: str, name: str
) -> None:
    _refused(slicewright, [*command, option, f"{name}{suffix}"], FILES[name])


@pytest.mark.parametrize("width", ["0", "-1", "39", "1001"])
def test_a_width_that_nothing_can_be_drawn_in_is_refused_first(slicewright: CommandLine, width: str) -> None:
    _refused(slicewright, ["trace", "small.toml", f"--width={width}"], "width: out of range")


@pytest.mark.parametrize(
    "command",
    [
        ["run", "small.toml"], ["trace", "small.toml"], ["advise", "small.toml"], ["compare", "before", "after"],
        ["fit", "before"], ["reproduce", "hyperpav"], ["reproduce", "hyperpav", "--calibrate"], ["live", "slices"],
        ["live", "throttling"], ["report", "run", "--page", "fcx108"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_an_unknown_format_is_refused_first(slicewright: CommandLine, command: list[str]) -> None:
    _refused(slicewright, [*command, "--format", "xml"], "'xml' is not one of")

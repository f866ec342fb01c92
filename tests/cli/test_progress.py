"""Is progress shown where it helps, on standard error only, and never where it is not wanted?"""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
import slicewright
from slicewright.values import console as progress

from tests.conftest import CommandLine
from tests.tidy.tree import ROOT

QUIET = ("run", "advise", "fit", "reproduce", "compare", "trace", "live slices", "live throttling")


class Clock:
    """A clock that advances only on request."""

    now = 0.0

    def monotonic(self) -> float:
        """Seconds."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(progress, "time", made)
    return made


def _lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    said = capsys.readouterr()
    assert said.out == ""
    return said.err.splitlines()


def test_short_work_says_nothing(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with progress.Bar("simulating") as bar:
        for clock.now in (0.1, 1.5, 9.9):
            bar(0.5)
    assert _lines(capsys) == []


def test_off_a_terminal_there_is_a_line_every_ten_seconds(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with progress.Bar("simulating") as bar:
        for second in range(26):
            clock.now = second
            bar(second / 40)
    assert _lines(capsys) == [
        "slicewright: simulating: 25 % after 10 s, about 30 s left",
        "slicewright: simulating: 50 % after 20 s, about 20 s left",
    ]


def test_quiet_work_says_nothing(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with progress.Bar("simulating", quiet=True) as bar:
        clock.now = 100.0
        bar(0.5)
    assert _lines(capsys) == []


@pytest.mark.parametrize("command", QUIET)
def test_every_command_with_progress_can_be_quiet(slicewright: CommandLine, command: str) -> None:
    assert "--quiet" in slicewright(*command.split(), "--help").out


def test_pilots_of_an_automatic_warm_up_have_progress() -> None:
    """A run of one replication of one interval simulates as long as its pilots: they are half of it."""
    shares: list[float] = []
    slow = {"measure.interval": "4 h", "measure.intervals": 1, "measure.replications": 1}
    slicewright.run(ROOT / "scenarios/mm1.toml", set=slow, progress=shares.append, threads=1)
    assert 0 < min(shares) < 0.5 < max(shares) <= 1
    assert shares == sorted(shares)


@pytest.mark.parametrize(("words", "drawn"), [(("--set=measure.interval=24 h",), True), (("--quiet",), False)])
def test_a_terminal_has_a_bar_with_the_time_left(small: Path, words: tuple[str, ...], drawn: bool) -> None:
    """The bar is drawn after a second: the run that draws it is far longer, and is stopped when the bar is seen."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "slicewright", "run", str(small), *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        seen = b""
        while not (left := re.search(rb"\d:\d\d:\d\d", seen)):
            try:
                seen += os.read(ours, 1024)
            except OSError:  # the process has ended
                break
        process.terminate()
    os.close(ours)
    assert (b"simulating" in seen) == drawn
    assert (left is not None) == drawn


def test_the_version_has_a_short_form(slicewright: CommandLine) -> None:
    assert slicewright("-V").out == slicewright("--version").out != ""


@pytest.mark.parametrize("command", ["run", "advise", "trace", "live slices", "live throttling"])
def test_out_has_a_short_form(slicewright: CommandLine, command: str) -> None:
    assert "-o, --out" in slicewright(*command.split(), "--help").out


def test_a_run_is_left_by_the_short_form(slicewright: CommandLine, small: Path, tmp_path: Path) -> None:
    slicewright("run", small, "-o", tmp_path / "out", "-q")
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())


def test_a_shell_completes_commands() -> None:
    environment = os.environ | {
        "_SLICEWRIGHT_COMPLETE": "complete_bash",
        "COMP_WORDS": "slicewright re",
        "COMP_CWORD": "1",
    }
    command = [sys.executable, "-m", "slicewright"]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["reproduce", "read", "report"]


def test_completion_can_be_shown_and_installed(slicewright: CommandLine) -> None:
    shown = slicewright("--help").out
    assert "--install-completion" in shown
    assert "--show-completion" in shown


def test_the_script_of_a_shell_is_of_the_command() -> None:
    command = [sys.executable, "-m", "slicewright", "--show-completion", "bash"]
    named = os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}  # no shell is above
    said = subprocess.run(command, capture_output=True, text=True, check=False, env=named)
    assert "_SLICEWRIGHT_COMPLETE=complete_bash" in said.stdout


def test_a_first_answer_is_shown_where_work_is_long(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with progress.Bar("planning") as bar:
        bar.found("aliases 8 -> 16: cost 40")
        assert _lines(capsys) == []
        clock.now = progress.EVERY_S / 2
        bar(0.5)
        bar.found("aliases 8 -> 12: cost 20")
    assert _lines(capsys) == [
        "slicewright: planning: so far aliases 8 -> 16: cost 40",
        "slicewright: planning: so far aliases 8 -> 12: cost 20",
    ]

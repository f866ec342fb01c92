"""Does the benchmark of short commands time each one, and notice one that fails?"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from benches import commands


def test_each_command_is_timed_as_often_as_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "COMMANDS", {"--version": commands.COMMANDS["--version"]})
    steps: list[int] = []
    taken = commands.measure(tmp_path, lambda: steps.append(1), rounds=1)
    assert list(taken) == ["--version"]
    assert len(taken["--version"]) == 1
    assert len(steps) == 2
    (once,) = taken["--version"]
    assert once.clock_s > 0
    assert once.processor_s > 0


def test_the_table_has_the_best_and_what_is_wanted() -> None:
    calls = [commands.Taken(3.0, 2.0), commands.Taken(1.0, 0.5), commands.Taken(2.0, 1.0)]
    table = commands.report({"run, mm1": calls})
    assert [list(column.cells) for column in table.columns] == [["run, mm1"], ["1.00"], ["2.00"], ["0.50"], ["0.40"]]


def test_a_command_that_fails_ends_the_benchmark() -> None:
    with pytest.raises(subprocess.CalledProcessError):
        commands.call(["new", "--no-such-option", "--quiet"], os.environ)

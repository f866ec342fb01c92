"""Are words of the command line converted as typer converts them, without what takes it a tenth of a second to load?"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CommandLine

LOADED = """
import sys
from slicewright.cli import main
status = main(sys.argv[1:])
print(*sorted({"pydantic", "slicewright.live", "slicewright.timeline"} & sys.modules.keys()), file=sys.stderr)
sys.exit(status)
"""


def test_a_run_loads_nothing_that_its_text_does_not_need(small: Path) -> None:
    words = ["run", small, "--replications", "2", "--seed", "7", "--format", "text", "--set", "measure.interval=200 ms"]
    command = [sys.executable, "-c", LOADED, *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "2 replications, seed 7" in done.stdout
    assert done.stderr == "\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--seed", "seven"], "'--seed': Input should be a valid integer"),
        (["--seed", "1.5"], "'--seed': Input should be a valid integer"),
        (["--format", "xml"], "'xml' is not one of 'text', 'json'"),
    ],
)
def test_what_has_to_be_refused_is_refused_by_typer(
    slicewright: CommandLine, small: Path, words: list[str], said: str
) -> None:
    done = slicewright("run", small, *words)
    assert done.status == 2
    assert said in done.err


def test_a_negative_number_is_a_number(slicewright: CommandLine, small: Path) -> None:
    done = slicewright("run", small, "--seed", "-1")
    assert done.status == 2
    assert "seed" in done.err
    assert "integer" not in done.err

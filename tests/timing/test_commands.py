"""Does each command take no longer than promised? Run by `make bench` on a quiet machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import pytest
from slicewright.study.studies import STUDIES

COMMAND = Path(sys.executable).with_name("slicewright")

REPORT = "published/hyperpav/device-reports/Y032180H.txt"


@pytest.mark.parametrize("study", STUDIES)
def test_a_quick_reproduction_takes_no_more_than_fifteen_seconds_of_two_processors(study: str) -> None:
    before = getrusage(RUSAGE_CHILDREN).ru_utime
    words = ["reproduce", study, "--quick", "--format", "json"]
    done = subprocess.run([COMMAND, *words], capture_output=True, text=True, timeout=300, check=True)
    assert json.loads(done.stdout)["study"] == study
    assert getrusage(RUSAGE_CHILDREN).ru_utime - before < 2 * 15


@pytest.mark.parametrize(
    ("words", "within_s"), [(["--version"], 0.15), (["--help"], 0.5), (["run", "scenarios/mm1.toml"], 0.5)]
)
def test_a_short_command_is_quick(words: list[str], within_s: float) -> None:
    def once() -> float:
        started = time.monotonic()
        subprocess.run([COMMAND, *words], check=True, capture_output=True)
        return time.monotonic() - started

    assert min(once() for _ in range(5)) < within_s


def test_advice_on_one_page_is_quick_once_its_simulations_are_kept(tmp_path: Path) -> None:
    def once() -> float:
        started = time.monotonic()
        environment = {**os.environ, "SLICEWRIGHT_STORE": str(tmp_path)}
        subprocess.run([COMMAND, "advise", REPORT, "--quiet"], check=True, capture_output=True, env=environment)
        return time.monotonic() - started

    once()
    assert min(once() for _ in range(3)) < 0.7

"""Does each command take no longer than promised? Run by `make bench` on a quiet machine."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import pytest
from slicewright.study.studies import STUDIES

COMMAND = Path(sys.executable).with_name("slicewright")


@pytest.mark.parametrize("study", STUDIES)
def test_a_quick_reproduction_takes_no_more_than_fifteen_seconds_of_two_processors(study: str) -> None:
    before = getrusage(RUSAGE_CHILDREN).ru_utime
    words = ["reproduce", study, "--quick", "--format", "json"]
    done = subprocess.run([COMMAND, *words], capture_output=True, text=True, timeout=300, check=True)
    assert json.loads(done.stdout)["study"] == study
    assert getrusage(RUSAGE_CHILDREN).ru_utime - before < 2 * 15


def test_help_is_quick() -> None:
    def once() -> float:
        started = time.monotonic()
        subprocess.run([sys.executable, "-m", "slicewright", "--help"], check=True, capture_output=True)
        return time.monotonic() - started

    assert min(once() for _ in range(5)) < 0.5

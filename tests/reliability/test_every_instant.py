"""Is a result whole, earlier or new, at whichever call to the system its maker is killed or interrupted?"""

from __future__ import annotations

import subprocess
import sys
from itertools import product

import pytest

pytestmark = pytest.mark.slow

CASES = [
    *product(["directory"], ["killed", "interrupted"], ["at once", "by turns"]),
    ("directory", "killed", "then removed"),
    *product(["file"], ["killed", "interrupted"], ["at once"]),
]


@pytest.mark.parametrize("words", CASES)
def test_at_every_instant_the_earlier_or_the_new_result_is_whole(words: tuple[str, str, str]) -> None:
    command = [sys.executable, "-m", "tests.reliability.every_instant", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 20

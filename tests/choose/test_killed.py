"""Does a choice whose process is killed come, when the same command runs again, to the same answer?"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from slicewright.scenario.starters import read_starter

pytestmark = pytest.mark.slow

KILLS = 3
LONGEST_S = 600


def _command(scenario: Path, out: Path) -> list[str]:
    words = ["--knob", "alias_pool.LSS-52.aliases=0,2,4,8", "--minimise", "aliases", "--subject-to", "response_ms <= 3"]
    words += ["--set", "measure.interval=1 s", "--set", "measure.warm_up=0 s", "--replications", "1"]
    return [sys.executable, "-m", "slicewright", "choose", str(scenario), *words, "--out", str(out), "--format", "json"]


def _answer(scenario: Path, out: Path) -> bytes:
    return subprocess.run(_command(scenario, out), stdout=subprocess.PIPE, check=True, timeout=LONGEST_S).stdout


def test_a_choice_that_is_killed_comes_to_the_same_answer(tmp_path: Path) -> None:
    scenario, out = tmp_path / "pool.toml", tmp_path / "killed"
    scenario.write_text(read_starter("pool").resolved, encoding="utf-8")
    draw = random.Random(7)
    cut_short = 0
    for _ in range(KILLS):
        before = len(list(out.glob("parts/*.parquet")))
        with subprocess.Popen(_command(scenario, out), stdout=subprocess.DEVNULL) as process:
            while process.poll() is None and len(list(out.glob("parts/*.parquet"))) == before:
                time.sleep(0.01)
            time.sleep(draw.uniform(0, 0.2))
            process.kill()
        cut_short += process.returncode != 0
    assert cut_short > 0
    assert _answer(scenario, out) == _answer(scenario, tmp_path / "alone").replace(b"alone", b"killed")

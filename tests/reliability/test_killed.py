"""Is a run directory absent, the earlier run or the new one, whenever `run --out` is killed?

`SLICEWRIGHT_KILLS=1000` kills that often.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
import slicewright
from slicewright.cli.guard import guarded
from slicewright.scenario.source import read_scenario
from slicewright.values.workplace import PREFIX

pytestmark = pytest.mark.slow

SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


def _start(scenario: Path, seed: int, out: Path) -> subprocess.Popen[bytes]:
    words = ["run", scenario, "--out", out, "--seed", seed]
    quick = ["--replications", "2", "--set", "measure.interval=200 ms"]
    command = [sys.executable, "-m", "slicewright", *map(str, words), *quick]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _workplaces(folder: Path) -> set[Path]:
    """Those with something in them; the check before the run leaves its own empty."""
    return set(folder.glob(f"{PREFIX}*/made"))


def _wait_until_saving(process: subprocess.Popen[bytes], folder: Path, abandoned: set[Path]) -> None:
    while process.poll() is None and not _workplaces(folder) - abandoned:
        time.sleep(0.0005)


def _seed_of(out: Path) -> int:
    """The seed of a run directory, all of which was read; 0 when there is none."""
    if not out.exists():
        return 0
    run = slicewright.load(out)
    assert isinstance(run, slicewright.Run)
    assert read_scenario(run.scenario).checksum == run.checksum
    assert (out / "report.html").read_text().rstrip().endswith("</html>")
    for table in run.raw:
        assert pl.read_parquet(out / f"{table}.parquet").equals(getattr(run, table), null_equal=True)
    return run.seed


def _kills(whole_s: float) -> Iterator[tuple[bool, float, signal.Signals]]:
    """Whether to wait for the save, how long to wait then, and what to send."""
    draw = random.Random(3)
    for number in range(int(os.environ.get("SLICEWRIGHT_KILLS", "6"))):
        saving = number % 5 != 4
        yield saving, draw.uniform(0, (0.5 if saving else 1.1) * whole_s), SIGNALS[number % len(SIGNALS)]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a signal that cannot be caught")
def test_whenever_it_is_killed_a_run_directory_is_whole(small: Path, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    out = folder / "out"
    started = time.monotonic()
    assert _start(small, 1, out).wait(300) == 0
    whole_s = time.monotonic() - started
    earlier, cut_short = _seed_of(out), 0
    for seed, (saving, wait_s, number) in enumerate(_kills(whole_s), start=2):
        abandoned = _workplaces(folder)
        with _start(small, seed, out) as process:
            if saving:
                _wait_until_saving(process, folder, abandoned)
            time.sleep(wait_s)
            process.send_signal(number)
        cut_short += process.returncode != 0
        left = _seed_of(out)
        assert left in (earlier, seed), f"kill {seed - 1}, {number.name} after {wait_s} s"
        earlier = left
    assert cut_short > 0
    assert _start(small, 0, out).wait(300) == 0
    assert _seed_of(out) == 0
    assert [path.name for path in folder.iterdir()] == ["out"]


def test_an_interrupt_that_a_library_renames_is_one() -> None:
    def command() -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as interrupt:
            raise ImportError("could not load") from interrupt

    assert guarded(command, []) == 130

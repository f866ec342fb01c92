"""Does a sweep keep every finished point, once, whenever the driver, a worker or the scheduler of Dask is killed?

`SLICEWRIGHT_KILLS=1000` kills that often.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from slicewright._core import InputError
from slicewright.explore.store import read_facts, read_part
from slicewright.explore.sweep import Sweep
from slicewright.values.workplace import PREFIX

from tests.sweep.swept import main
from tests.sweep.test_store import contents

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("SLICEWRIGHT_KILLS", "5"))
WHOLE = 24
"""Points of the sweep."""
LONGEST_S = 600


def _start(scenario: Path, out: Path, place: str) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "tests.sweep.swept", str(scenario), str(out), place]
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _names(out: Path) -> list[str]:
    """The names of all points that are in the store, as a reader finds them while a sweep may run."""
    while True:
        try:
            parts = sorted((out / "parts").glob("*.parquet"))
            facts = read_facts(out) if parts else None
            return [name for part in parts if facts for name in read_part(part, facts)["id"].to_list()]
        except (FileNotFoundError, InputError):  # between two looks the parts were written anew
            if not out.exists():
                return []
            time.sleep(0.005)


def _until(process: subprocess.Popen[bytes], out: Path, draw: random.Random) -> set[str]:
    """Wait for a random instant: after some part, or while the parts are written anew; the points seen until then."""
    finishing = draw.random() < 0.3
    wanted = draw.randrange(1, WHOLE // 2)
    while process.poll() is None:
        if finishing and list(out.glob(f"{PREFIX}*/made/*")):
            break
        if not finishing and len(list(out.glob("parts/*.parquet"))) >= wanted:
            break
        time.sleep(0.002)
    seen = set(_names(out))
    time.sleep(draw.uniform(0, 0.05))
    return seen


def _checked(out: Path, before: set[str]) -> set[str]:
    """The points of a store, none of which may be twice, and none of those before may be lost."""
    if not (out / "manifest.json").exists():
        assert not before
        return set()
    names = Sweep.read(out).scan().select("id").collect()["id"].to_list() if _names(out) else []
    assert len(names) == len(set(names))
    assert before <= set(names)
    return set(names)


@pytest.fixture
def alone(small: Path, tmp_path: Path) -> dict[str, bytes]:
    """The store of the sweep that was left alone."""
    main(str(small), str(tmp_path / "alone"), "threads:1")
    found = contents(tmp_path / "alone")
    assert len(_names(tmp_path / "alone")) == WHOLE
    return found


def test_whenever_the_driver_is_killed_no_finished_point_is_lost(
    small: Path, tmp_path: Path, alone: dict[str, bytes]
) -> None:
    draw, out, round_ = random.Random(5), tmp_path / "0", 0
    present: set[str] = set()
    cut_short = 0
    for _ in range(KILLS):
        with _start(small, out, "threads:2") as process:
            seen = _until(process, out, draw)
            process.kill()
        cut_short += process.returncode != 0
        present = _checked(out, present | seen)
        if len(present) == WHOLE:
            assert _start(small, out, "threads:2").wait(LONGEST_S) == 0
            assert contents(out) == alone
            round_, present = round_ + 1, set()
            out = tmp_path / str(round_)
    assert cut_short > 0
    assert _start(small, out, "threads:2").wait(LONGEST_S) == 0
    assert contents(out) == alone


class Cluster:
    """A scheduler and two workers of Dask, each a process that can be killed and replaced."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "scheduler.json"
        self.started = 0
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def ready(self) -> str:
        """Start what is not running; the address of the scheduler."""
        scheduler = self.processes.get("scheduler")
        if scheduler is None or scheduler.poll() is not None:
            for process in self.processes.values():
                process.kill()
                process.wait()
            self.processes.clear()
            self.started += 1
            self.file = self.file.with_name(f"scheduler-{self.started}.json")
            self._start("scheduler", "scheduler", "--port", "0", "--no-dashboard", "--no-show")
            while not self.file.exists():
                time.sleep(0.05)
        for name in ("worker 1", "worker 2"):
            worker = self.processes.get(name)
            if worker is None or worker.poll() is not None:
                self._start(name, "worker", "--no-nanny", "--nthreads", "1", "--no-dashboard")
        return str(json.loads(self.file.read_text())["address"])

    def kill(self, name: str) -> None:
        """End one process at once."""
        self.processes[name].kill()
        self.processes[name].wait()

    def _start(self, name: str, *words: str) -> None:
        command = [sys.executable, "-m", "dask", *words, "--scheduler-file", str(self.file)]
        self.processes[name] = subprocess.Popen(
            command, cwd=self.file.parent, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )


@contextmanager
def _cluster(folder: Path) -> Iterator[Cluster]:
    cluster = Cluster(folder)
    try:
        yield cluster
    finally:
        for name in cluster.processes:
            cluster.kill(name)


def test_whatever_of_dask_is_killed_no_finished_point_is_lost(
    small: Path, tmp_path: Path, alone: dict[str, bytes]
) -> None:
    draw, out, round_ = random.Random(6), tmp_path / "0", 0
    present: set[str] = set()
    with _cluster(tmp_path) as cluster:
        for number in range(max(4, KILLS // 5)):
            victim = ("worker 1", "driver", "scheduler", "all")[number % 4]
            with _start(small, out, cluster.ready()) as process:
                seen = _until(process, out, draw)
                for name in cluster.processes if victim == "all" else [victim]:
                    if name != "driver":
                        cluster.kill(name)
                if victim in ("driver", "all"):
                    process.kill()
                elif victim == "worker 1":
                    cluster.ready()
                process.wait(LONGEST_S)
            present = _checked(out, present | seen)
            if victim == "worker 1":
                assert process.returncode == 0, "the other worker does its points"
            if len(present) == WHOLE:
                assert _start(small, out, cluster.ready()).wait(LONGEST_S) == 0
                assert contents(out) == alone
                round_, present = round_ + 1, set()
                out = tmp_path / str(round_)
        assert _start(small, out, cluster.ready()).wait(LONGEST_S) == 0
    assert contents(out) == alone

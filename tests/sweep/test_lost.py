"""Is a process of Dask that dies an event of the sweep: retried, or named in one clear message?"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import distributed
import pytest
import slicewright
from slicewright.explore import workers
from slicewright.explore.places import place
from slicewright.explore.points import Point
from slicewright.explore.sweep import sweep
from slicewright.explore.workers import OnDask

from tests.sweep.test_store import AXES, QUICK, contents

LONG = {**QUICK, "measure.interval": "20 s"}
LONGEST_S = 120
CLUSTER: Any = distributed.LocalCluster
CLIENT: Any = distributed.Client


def _children(pid: int) -> list[int]:
    """The processes of Dask that a process started."""
    listed = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(line.split()[0]) for line in listed.stdout.splitlines() if "spawn_main" in line]


def _once(act: Callable[[], object]) -> Callable[[float], None]:
    done: list[float] = []

    def progress(share: float) -> None:
        if not done:
            done.append(share)
            act()

    return progress


def test_points_of_a_worker_that_is_killed_are_simulated_by_another(small: Path, tmp_path: Path) -> None:
    sweep(small, AXES, out=tmp_path / "a" / "out", set=QUICK, on="threads:2")
    with place("local:1") as on:
        assert isinstance(on, OnDask)
        worker = on.client.submit(os.getpid).result(timeout=LONGEST_S)
        killing = _once(lambda: os.kill(worker, signal.SIGKILL))
        sweep(small, AXES, out=tmp_path / "b" / "out", set=QUICK, on=on.client, progress=killing)
        assert on.client.submit(os.getpid).result(timeout=LONGEST_S) != worker
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_a_scheduler_that_goes_in_the_middle_ends_the_sweep(small: Path, tmp_path: Path) -> None:
    cluster = CLUSTER(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=":0")
    with cluster, CLIENT(cluster) as client, pytest.raises(slicewright.RunError, match="Dask is gone"):
        sweep(small, AXES, out=tmp_path / "out", set=LONG, on=client, progress=_once(cluster.close))


def test_a_client_that_was_closed_ends_the_sweep(small: Path, tmp_path: Path) -> None:
    with CLIENT(processes=False, n_workers=1, dashboard_address=":0") as client:
        pass
    with pytest.raises(slicewright.RunError, match="Dask is gone"):
        sweep(small, AXES, out=tmp_path / "out", set=QUICK, on=client)


def test_workers_that_never_come_back_end_the_sweep(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_PATIENCE_S", 0.5)
    with place("local:1") as on:
        assert isinstance(on, OnDask)
        monkeypatch.setattr(import_module("slicewright.explore.sweep"), "place", lambda _: contextlib.nullcontext(on))
        gone = _once(lambda: on.client.cluster.scale(0))
        with pytest.raises(slicewright.RunError, match=r"all workers of Dask died, and for 0\.5 s none"):
            sweep(small, AXES, out=tmp_path / "out", set=LONG, on="local:1", progress=gone)


@pytest.mark.parametrize("error", [MemoryError(), OSError(28, "No space left"), RuntimeError("can't start new thread")])
def test_what_a_worker_died_of_is_named(error: Exception) -> None:
    why = workers._why_failed(error, Point("ab", 1.0, (3,), 1, ""))
    assert isinstance(why, slicewright.RunError)
    assert type(error).__name__ in str(why)
    assert "(3,)" in str(why)


@pytest.mark.slow
@pytest.mark.parametrize("after_s", [0.0, 0.5, 1.5, 3.0])
def test_processes_that_are_killed_again_and_again_are_no_bug(small: Path, tmp_path: Path, after_s: float) -> None:
    words = ["sweep", str(small), "--set", "alias_pool.POOL.aliases=0..9", "--set", "measure.interval=20 s"]
    words += ["--on", "local:2", "--out", str(tmp_path / "out")]
    driver = subprocess.Popen([sys.executable, "-m", "slicewright", *words], stderr=subprocess.PIPE, text=True)
    started = time.monotonic()
    while driver.poll() is None and time.monotonic() - started < LONGEST_S:
        time.sleep(after_s or 0.05)
        for child in _children(driver.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
    said = driver.communicate(timeout=LONGEST_S)[1]
    assert driver.returncode in (0, 1), said
    assert "bug" not in said
    assert "Traceback" not in said
    if driver.returncode:
        assert "error: the run failed: " in said
        assert "Dask" in said

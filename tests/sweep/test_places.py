"""Are the bytes of a store those of its points alone, wherever they were simulated?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import distributed
import pytest
import slicewright
from slicewright.explore import workers
from slicewright.explore.places import place
from slicewright.explore.points import batch
from slicewright.explore.sweep import Sweep, sweep

from tests.sweep.test_store import AXES, QUICK, contents

RECORDED = "time_s,volume\n" + "".join(f"{at / 100},VOL001\n" for at in range(100))


@pytest.fixture
def replayed(small: Path) -> Path:
    """The small scenario with a guest that replays a recording beside it."""
    (small.parent / "io.csv").write_text(RECORDED)
    file = small.parent / "replay.toml"
    file.write_text(small.read_text().replace("[measure]", '[[guest]]\nname = "R"\nreplay = "io.csv"\n\n[measure]'))
    return file


def _sweep(scenario: Path, out: Path, on: Any) -> Sweep:
    return sweep(scenario, AXES, out=out, set=QUICK, on=on)


def test_dask_in_this_process_and_threads_leave_the_same_bytes(replayed: Path, tmp_path: Path) -> None:
    _sweep(replayed, tmp_path / "a" / "out", "threads:2")
    with distributed.Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=None) as client:
        _sweep(replayed, tmp_path / "b" / "out", client)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


@pytest.mark.slow
def test_two_processes_of_dask_and_threads_leave_the_same_bytes(replayed: Path, tmp_path: Path) -> None:
    _sweep(replayed, tmp_path / "a" / "out", "threads:2")
    _sweep(replayed, tmp_path / "b" / "out", "local:2")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


@pytest.mark.parametrize("on", ["foo", "local:0", "threads:", "http://a", 5])
def test_a_place_that_is_none_is_refused_and_leaves_nothing(small: Path, tmp_path: Path, on: Any) -> None:
    with pytest.raises(slicewright.InputError, match="no such place"):
        _sweep(small, tmp_path / "out", on)
    assert not (tmp_path / "out").exists()


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "ANSWER_S", 0.2)
    with pytest.raises(slicewright.InputError, match=r"no scheduler of Dask answers at tcp://127\.0\.0\.1:9"):
        place("tcp://127.0.0.1:9").__enter__()


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(slicewright.InputError, match=r"pip install 'slicewright\[dask\]'"):
        place("local:2").__enter__()


def test_a_worker_of_another_version_is_refused() -> None:
    with pytest.raises(RuntimeError, match=r"the sweep 9\.9\.9"):
        batch([], (), ("9.9.9", None))


def test_a_client_that_is_collected_while_another_one_starts_waits_for_nothing() -> None:
    lock = distributed.utils.LoopRunner._lock
    with lock:  # as while a loop starts; the garbage collector may end another client then, in the same thread
        assert lock.acquire(timeout=1)
        lock.release()
        distributed.utils.LoopRunner().stop()

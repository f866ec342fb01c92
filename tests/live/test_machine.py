"""Real threads in a real control group with a limit, for half a second: skipped, with the reason, where there is none.

Live and simulated results are not compared: that takes minutes and a quiet machine (`slicewright live slices`).
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from slicewright import InputError
from slicewright.live.groups import LIVE, ControlFiles, Group, Limit, _remove_stale, hierarchy, limited_group
from slicewright.live.threads import Threads, Waiter, run_threads

FILES = ControlFiles()
PROCESSOR = max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
PATIENCE_S = 120.0


@pytest.fixture
def group() -> Iterator[Group]:
    """A real control group without a limit."""
    try:
        with limited_group(FILES, hierarchy(FILES)) as made:
            yield made
    except InputError as error:
        pytest.skip(f"needs a cpu controller and the right to use it: {' '.join(str(error).split())}")


def _is_there(path: Path, wanted: bool) -> bool:
    """Whether a group is there as wanted, after some patience."""
    until = time.monotonic() + PATIENCE_S
    while path.exists() != wanted and time.monotonic() < until:
        time.sleep(0.02)
    return path.exists() == wanted


def _live(parent: Path) -> tuple[subprocess.Popen[bytes], Path]:
    """A command that measures for longer than it will be let, once its group is there."""
    words = [sys.executable, "-m", "slicewright", "live", "slices", "--seconds", "100", "--case", "uniform"]
    command = subprocess.Popen(
        [*words, "--group", str(parent)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        for path in parent.glob(f"{LIVE}{command.pid}-*"):
            if FILES.words(path / "cgroup.procs"):
                return command, path
        assert command.poll() is None, (command.stderr or sys.stderr).read()
        time.sleep(0.02)
    raise AssertionError("no group was made")


def test_a_limited_group_is_stopped_and_its_waits_are_seen_late(group: Group) -> None:
    group.limit(Limit(2_000, 40_000))  # so little that the group uses it up also where others take the processor
    waiters = (Waiter("uniform", 40_000_000, 20_000_000),) * 4
    saw = run_threads(Threads(PROCESSOR, 1_500_000_000, True, waiters), group)  # long, for a busy machine
    assert saw.stat["nr_throttled"] >= 5
    late = [wait.late_ms for waits in saw.waits for wait in waits]
    assert max(late) > 5.0  # 20 ms from any start in the first 2 ms end while the group is stopped
    assert saw.cpu_s < 0.5


def test_without_a_limit_the_group_is_not_stopped(group: Group) -> None:
    saw = run_threads(Threads(PROCESSOR, 200_000_000, True, (Waiter("locked", 0, 5_000_000),)), group)
    assert saw.stat.get("nr_throttled", 0) == 0


def test_an_interrupt_leaves_no_group(group: Group) -> None:
    command, path = _live(group.path.parent)
    command.send_signal(signal.SIGINT)
    _, said = command.communicate(timeout=PATIENCE_S)
    assert (command.returncode, said) == (130, b"slicewright: interrupted; nothing was left half-written\n")
    assert not path.exists()


def test_the_group_of_a_killed_run_is_removed_by_the_next(group: Group) -> None:
    command, path = _live(group.path.parent)
    workers = FILES.words(path / "cgroup.procs")
    command.kill()
    command.communicate(timeout=PATIENCE_S)
    for worker in workers:
        assert _is_there(Path("/proc") / worker, wanted=False), "the worker outlived its parent"
    _remove_stale(FILES, group.path.parent)
    assert not path.exists()
    assert group.path.exists()

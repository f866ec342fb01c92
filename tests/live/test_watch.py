"""Does `live watch` find a group in both versions, say which part of the waiting is the limit, and leave nothing?"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from slicewright import InputError
from slicewright.advise.limits.cpu_stat import limit_of, read_copies
from slicewright.live.groups import LIVE, ControlFiles, Hierarchy
from slicewright.live.watch import WatchPlan, _find, _Sample, _WatchResult, copies_in, folder_files, watch_report
from slicewright.report import text

from tests.conftest import CommandLine

STAT = {1: "nr_periods 10\nnr_throttled 4\nthrottled_time 5000\n", 2: "usage_usec 7\nnr_periods 10\nnr_throttled 4\n"}


def tree(folder: Path, version: int) -> Hierarchy:
    """Groups of a node with two pods and their containers."""
    root = folder / "cpu"
    for pod in ("pod3f2a_11", "pod77bc_22"):
        for group in (root / "kubepods" / pod, root / "kubepods" / pod / f"cri-{pod[3:7]}.scope"):
            group.mkdir(parents=True, exist_ok=True)
            (group / "cpu.stat").write_text(STAT[version])
            (group / "cpu.cfs_quota_us" if version == 1 else group / "cpu.max").write_text(
                "50000" if version == 1 else "50000 100000"
            )
            (group / "cpu.cfs_period_us").write_text("100000")
            (group / "cpu.shares" if version == 1 else group / "cpu.weight").write_text("512")
            (group / "cpu.pressure").write_text("some avg10=0.00 avg60=0.00 avg300=0.00 total=1234\n")
            (group / ("tasks" if version == 1 else "cgroup.threads")).write_text(f"{os.getpid()}\n999999999\n")
    usage = folder / "cpuacct" / "kubepods" / "pod3f2a_11"
    usage.mkdir(parents=True)
    (usage / "cpuacct.usage").write_text("4200\n")
    return Hierarchy(version, root, root)


def result(**changed: object) -> _WatchResult:
    """A group that was watched for two seconds: stopped for .3 s, and 100 dispatches."""
    samples = tuple(
        _Sample(100.0 + at, {"usage_usec": 10**5 * at, "nr_periods": 10 * at, "nr_throttled": 3 * at,
                            "throttled_usec": 150_000 * at}, 200_000 * at, {7: (10**8 * at, 10**8 * at, 50 * at)})
        for at in range(3)
    )  # fmt: skip
    known = {"group": "a", "version": 2, "limit_us": (50_000, 100_000), "weight": 100, "processor": 0}
    return _WatchResult(**{**known, "samples": samples, "late_ms": (1.0,) * 100, **changed})  # type: ignore[arg-type]


@pytest.mark.parametrize("version", [1, 2])
def test_a_group_is_found_and_read(tmp_path: Path, version: int) -> None:
    watched = _find(ControlFiles(), tree(tmp_path, version), "kubepods/pod3f2a_11")
    assert (watched.limit(), watched.weight(), watched.pressure_us()) == ((50_000, 100_000), 512, 1234)
    counters = watched.counters()
    assert counters["nr_throttled"] == 4
    assert counters["cpuacct.usage" if version == 1 else "usage_usec"] == (4200 if version == 1 else 7)
    assert list(watched.tasks()) in ([os.getpid()], [])  # a kernel without schedstat has no file


def test_a_part_of_the_name_is_enough_and_must_be_of_one(tmp_path: Path) -> None:
    here = tree(tmp_path, 2)
    assert _find(ControlFiles(), here, "3f2a-11").name == "kubepods/pod3f2a_11"
    assert _find(ControlFiles(), here, "cri-77bc").name == "kubepods/pod77bc_22/cri-77bc.scope"
    with pytest.raises(InputError, match="2 groups have this"):
        _find(ControlFiles(), here, "cri-")
    with pytest.raises(InputError, match="no such group: pod3f2a_12") as caught:
        _find(ControlFiles(), here, "pod3f2a_12")
    assert caught.value.problems[0]["nearest"] == "pod3f2a_11"
    for name in ("", "/", "..", "../..", "/etc"):
        with pytest.raises(InputError):
            _find(ControlFiles(), here, name)


def test_a_group_without_periods_is_refused(tmp_path: Path) -> None:
    here = tree(tmp_path, 2)
    (here.root / "kubepods" / "pod3f2a_11" / "cpu.stat").write_text("usage_usec 7\n")
    with pytest.raises(InputError, match="no CPU limit can be counted here"):
        _find(ControlFiles(), here, "kubepods/pod3f2a_11")


def test_waiting_is_divided_between_limit_and_neighbours() -> None:
    seen = result()
    assert seen.stopped_s == pytest.approx(0.3)
    assert seen.neighbours_s == pytest.approx(0.1)  # 100 dispatches, each 1 ms late
    assert seen.by_limit == pytest.approx(0.75)
    assert "75 % is the limit and 25 % the neighbours" in text.render(watch_report(seen))
    assert seen.pressure == pytest.approx(0.2)


def test_without_a_probe_neighbours_are_not_judged() -> None:
    shown = text.render(watch_report(result(late_ms=())))
    assert "neighbours were not measured" in shown


def test_the_copies_are_what_advise_limits_reads(tmp_path: Path) -> None:
    for name, content in folder_files(result()).items():
        (tmp_path / name).write_text(content)
    place = copies_in(tmp_path)
    assert place is not None
    data = place.read_bytes()
    assert limit_of([data]) == "50000 100000"
    assert [(copy.at_s, copy.periods) for copy in read_copies(data, "a")] == [(100.0, 0), (101.0, 10), (102.0, 20)]
    assert json.loads((tmp_path / "watch.json").read_text())["probe"]["late_p99_ms"] == 1.0


def test_wrong_spans_and_bounds_are_refused(slicewright: CommandLine) -> None:
    bad = slicewright("live", "watch", "x", "--every", "soon", "--for", "9d9")
    assert bad.status == 2
    assert "every: not a span" in bad.err
    assert "for: not a span" in bad.err
    with pytest.raises(InputError, match="longer than --for"):
        WatchPlan("x", 10, 5).check()


V1 = Path("/sys/fs/cgroup/cpu")


@pytest.mark.slow
@pytest.mark.skipif(not (os.geteuid() == 0 and os.access(V1, os.W_OK)), reason="needs root and the cpu controller")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_behind(how: signal.Signals) -> None:
    """After Ctrl-C at once; after kill -9 no process, and the empty group goes with the next measurement."""
    group = V1 / f"watch-test-{os.getpid()}"
    group.mkdir()
    try:
        command = [sys.executable, "-m", "slicewright", "live", "watch", group.name, "--for", "30s", "--quiet"]
        watching = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        own = f"{LIVE}{watching.pid}-*"
        made = _until(lambda: [each for each in V1.glob(own) if (each / "cgroup.procs").read_text()])
        watching.send_signal(how)
        watching.wait(10)
        if how == signal.SIGINT:
            assert not made[0].exists()
        else:
            _until(lambda: [1] if not (made[0] / "cgroup.procs").read_text() else [])
            made[0].rmdir()
    finally:
        group.rmdir()


def _until(look: object) -> list[Path]:
    for _ in range(100):
        if found := look():  # type: ignore[operator]
            return found  # type: ignore[no-any-return]
        time.sleep(0.1)
    raise AssertionError("it did not happen within ten seconds")

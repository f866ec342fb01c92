"""Live reads: plans that are refused, devices and limits, constants, verdicts and pages; some milliseconds of reads."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from slicewright import InputError
from slicewright._core import Scenario
from slicewright.live.disk import Device, counted_reads, device_of, limit_reads, nameless_file
from slicewright.live.groups import BLOCK, LIVE, ControlFiles, Group, hierarchy
from slicewright.live.kept import REPORT, load, save, shown
from slicewright.live.machine import Elsewhere
from slicewright.live.reads import (
    LOADS,
    Load,
    Reads,
    _alone,
    _Constants,
    _limit_of,
    _Plan,
    _scenario,
    _simulated,
    _slice_ms,
)
from slicewright.live.reads_program import Job, Seen, measure
from slicewright.live.workers import answers

from tests.conftest import CommandLine
from tests.live.examples import reads_result
from tests.live.live_tree import Tree, machine

LINUX = sys.platform.startswith("linux")
DISK = Device("254:0", "vda")
PATIENCE_S = 60.0


def keys(error: InputError) -> set[str]:
    return {str(problem.get("key")) for problem in error.problems}


def test_everything_that_is_wrong_with_a_plan_is_said_at_once() -> None:
    with pytest.raises(InputError) as refused:
        _Plan(".", limit_per_s=1.0, requesters=0, depths=(0, 64), seconds=0.1).check()
    assert keys(refused.value) == {"limit", "requesters", "depth", "for"}


@pytest.mark.parametrize("text", ["", "fast", "-3/s", "3000/min", "3 000"])
def test_a_limit_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError) as refused:
        _limit_of(text, "limit")
    assert keys(refused.value) == {"limit"}


def test_the_command_says_all_that_is_wrong(slicewright: CommandLine) -> None:
    found = slicewright("live", "io", ".", "--limit", "fast", "--depth", "x", "--for", "soon")
    assert found.status == 2
    for word in ("fast", "'x'", "soon"):
        assert word in found.err


@pytest.mark.parametrize(("folder", "word"), [("/no/such/folder", "is no directory"), ("/proc/self", "scratch file")])
def test_a_directory_without_a_scratch_file_is_refused(slicewright: CommandLine, folder: str, word: str) -> None:
    found = slicewright("live", "io", folder, "--depth", "1")
    assert (found.status, word in found.err) == (2, True)


@pytest.mark.parametrize("kind", LOADS)
def test_every_load_is_a_scenario_without_doubts(kind: Load) -> None:
    text = _scenario(_Plan("."), (kind, 8), _Constants()).replace('name = "', 'assume = "a test"\nname = "', 1)
    scenario = Scenario.read(text.encode(), "reads.toml")
    assert not scenario.warnings
    assert ("limit" in text.split("[[volume]]")[1].split("[[guest]]")[0]) == (kind != "no limit")


def test_under_a_limit_the_simulated_rate_is_met_and_one_read_in_a_hundred_takes_a_slice() -> None:
    found = _simulated(_Plan("."), ("limit", 8), _Constants())
    assert found["reads_per_s"].mean == pytest.approx(3000.0, rel=0.01)
    assert 90.0 < found["p99_ms"].mean < 105.0
    assert found["p50_ms"].mean < 1.0


def test_below_the_limit_nothing_waits_long() -> None:
    assert _simulated(_Plan("."), ("paced", 8), _Constants())["p99_ms"].mean < 1.0


def test_one_reader_alone_takes_its_read_and_its_processor_time() -> None:
    constants = _Constants(read_us=60.0, cpu_us=14.0, switch_us=0.0)
    plan = _Plan(".", requesters=1, depths=(1,))
    found = _simulated(plan, ("no limit", 1), constants)
    assert 1e6 / found["reads_per_s"].mean == pytest.approx(60.0, rel=0.01)
    assert found["cpu_us"].mean == pytest.approx(14.0, rel=0.01)


def seen(spans_ns: tuple[int, ...], cpu_us: float = 10.0) -> Seen:
    return Seen(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, cpu_us, 2.0, math.nan, math.nan, Elsewhere(), spans_ns)


def test_a_read_alone_is_that_of_the_quickest_run_without_its_slowest() -> None:
    disturbed, quiet = (80_000,) * 200, (40_000, 60_000) * 100
    read_us, spread, cpu_us = _alone([seen(disturbed), seen((*quiet, 9_000_000), 12.0)])
    assert read_us == pytest.approx(50.0, rel=0.02)
    assert spread == pytest.approx(0.04, rel=0.05)
    assert cpu_us == 12.0


def test_a_slice_is_the_time_from_burst_to_burst() -> None:
    burst = [50_000] * 19
    assert _slice_ms([*burst, 60_000_000, *burst, 19_050_000, *burst, 17_050_000], 4.0) == 20.0
    assert math.isnan(_slice_ms(burst, 4.0))


def block_device(system: Path, number: str, name: str, inside: str = "") -> None:
    place = system / "devices" / inside / name
    (place / "queue").mkdir(parents=True)
    (place / "dev").write_text(number)
    (place / "queue" / "rotational").write_text("0")
    (place / "queue" / "scheduler").write_text("none [mq-deadline] kyber")
    if inside:
        (place / "partition").write_text("1")
    (system / "dev" / "block").mkdir(parents=True, exist_ok=True)
    (system / "dev" / "block" / number).symlink_to(place)


def test_a_partition_is_limited_as_its_disk(tmp_path: Path) -> None:
    own = tmp_path.stat().st_dev
    block_device(tmp_path / "sys", "8:0", "sda")
    block_device(tmp_path / "sys", f"{os.major(own)}:{os.minor(own)}", "sda1", inside="sda")
    assert device_of(str(tmp_path), tmp_path / "sys") == Device("8:0", "sda", False, "mq-deadline")


def test_a_file_system_without_a_disk_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        device_of(str(tmp_path), tmp_path / "no-sys", tmp_path / "no-proc")
    assert "no disk is behind it" in str(refused.value)


@pytest.mark.parametrize(
    ("version", "wanted"), [(1, ["254:0 9", "254:0 0"]), (2, ["254:0 riops=9", "254:0 riops=max"])]
)
def test_a_limit_is_written_as_each_version_has_it(tmp_path: Path, version: int, wanted: list[str]) -> None:
    group = tmp_path / "root" / "own"
    group.mkdir(parents=True)
    for name in ("blkio.throttle.read_iops_device", "io.max"):
        (group / name).write_text("")
    tree = Tree(version)
    for per_s in (9, None):
        limit_reads(Group(tree, version, group), DISK, per_s)
    assert [value for _, value in tree.log] == wanted


def test_reads_are_counted_as_each_version_has_them() -> None:
    assert counted_reads("8:0 Read 5\n254:0 Write 3\n254:0 Read 12\nTotal 15\n", "254:0") == 12
    assert counted_reads("254:0 rbytes=8192 wbytes=0 rios=2 wios=0\n", "254:0") == 2
    assert counted_reads("", "254:0") is None


@pytest.mark.parametrize(("version", "controllers"), [(1, "blkio"), (2, "cpu io")])
def test_the_hierarchy_with_the_controller_of_block_devices_is_found(
    tmp_path: Path, version: int, controllers: str
) -> None:
    proc = machine(tmp_path, version, controllers=controllers)
    found = hierarchy(Tree(version), proc, controller=BLOCK)
    assert (found.version, found.root, found.controller) == (version, tmp_path / "root", controllers.split()[-1])


def test_a_machine_without_that_controller_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        hierarchy(Tree(2), machine(tmp_path, 2, controllers="cpu memory"), controller=BLOCK)
    assert "no controller of block devices" in str(refused.value)


def test_a_result_is_kept_and_shown_again(tmp_path: Path) -> None:
    result = reads_result()
    save(result, tmp_path / "live")
    assert load(tmp_path / "live") == result
    page = shown(result)
    for words in ("Constants, measured apart", "5 of 6 rates", "disk vda"):
        assert words in page
    assert "<svg" in (tmp_path / "live" / REPORT).read_text("utf-8")


def test_a_damaged_result_is_refused_with_every_place(tmp_path: Path) -> None:
    save(reads_result(), tmp_path / "live")
    path = tmp_path / "live" / "live.json"
    kept = json.loads(path.read_text(encoding="utf-8"))
    kept["pairs"][0]["load"] = "unlimited"
    del kept["device"]["name"]
    path.write_text(json.dumps(kept), encoding="utf-8")
    with pytest.raises(InputError) as refused:
        load(tmp_path / "live")
    assert keys(refused.value) == {"pairs[0].load", "device.name"}


def test_a_limit_that_nothing_reaches_is_said() -> None:
    result = reads_result()
    assert any("bounds nothing" in warning for warning in result.warnings)


@pytest.mark.skipif(not LINUX, reason="needs Linux")
def test_real_threads_read_behind_permits(tmp_path: Path) -> None:
    with nameless_file(str(tmp_path), 1 << 20) as file:
        assert not list(tmp_path.iterdir()), "the file has no name"
        jobs = [Job(str(file), 4, depth, every_ns, 30_000_000) for depth, every_ns in ((1, 0), (4, 0), (2, 2_000_000))]
        try:
            found = answers(measure, jobs)
        except InputError as error:
            pytest.skip(f"needs direct reads: {' '.join(str(error).split())}")
    for sight in found:
        assert sight.reads_per_s > 0
        assert sight.p50_ms <= sight.p99_ms
        assert sight.read_us <= 1000 * sight.wait_ms * 1.001


@pytest.mark.skipif(not LINUX, reason="needs Linux")
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        answers(measure, [Job(str(tmp_path / "none"), 1, 1, 0, 1_000_000)])
    assert "past the page cache" in str(refused.value)


@pytest.mark.slow
@pytest.mark.skipif(not LINUX, reason="needs Linux")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_of_a_run_that_was_ended(tmp_path: Path, how: signal.Signals) -> None:
    words = ["live", "io", str(tmp_path), "--depth", "1", "--for", "60s", "--quiet"]
    command = subprocess.Popen(
        [sys.executable, "-m", "slicewright", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True,
    )  # fmt: skip
    listed = Path(f"/proc/{command.pid}/task/{command.pid}/children")
    until = time.monotonic() + PATIENCE_S
    while not (workers := listed.read_text(encoding="utf-8").split()) and time.monotonic() < until:
        time.sleep(0.02)
    command.send_signal(how)
    command.communicate(timeout=PATIENCE_S)
    while any(Path(f"/proc/{worker}").exists() for worker in workers) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)
    assert not list(tmp_path.iterdir())
    if how == signal.SIGINT:
        assert not list(Path("/sys/fs/cgroup").glob(f"*/{LIVE}{command.pid}-*"))


@pytest.mark.slow
@pytest.mark.skipif(not LINUX, reason="needs Linux")
def test_a_short_run_is_measured_and_simulated(tmp_path: Path) -> None:
    result = Reads().measure(_Plan(str(tmp_path), requesters=8, depths=(8,), seconds=1.5))
    rates = {pair.load: pair.live["reads_per_s"].mean for pair in result.pairs}
    assert rates["no limit"] > 0
    assert result.constants.read_us > 0
    if result.left_out:
        pytest.skip(f"needs a limit: {result.left_out}")
    assert result.constants.slice_ms > 0
    assert rates["limit"] < 1.2 * result.plan.limit_per_s
    assert not [
        path for path in ControlFiles().folders(Path("/sys/fs/cgroup/blkio")) if f"-{os.getpid()}-" in path.name
    ]

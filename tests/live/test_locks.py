"""Live locks: plans that are refused, constants, verdicts and pages; a few milliseconds of real threads."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from slicewright import InputError
from slicewright._core import Scenario
from slicewright.live.experiment import counts_of
from slicewright.live.kept import REPORT, load, save, shown
from slicewright.live.locks import (
    LIVE,
    METHODS,
    SIMULATED,
    Constants,
    Locks,
    Plan,
    Times,
    _Pair,
    _scenario,
    _shown_slice_ms,
    simulated_lock,
)
from slicewright.live.locks_program import Job, Method, _Seen, measure
from slicewright.live.machine import Elsewhere, last_processors
from slicewright.live.workers import answers
from slicewright.statistics import Estimate

from tests.conftest import CommandLine
from tests.live.examples import locks_result

LINUX = hasattr(os, "sched_getaffinity")
MOST_TRIES = 100
PROCESSOR = max(os.sched_getaffinity(0)) if LINUX else 0
QUIET = Constants(attempt_ns=20.0, yield_ns=1.0, switch_ns=0.0, sleep_ns=1.0, wake_ns=1.0, tick_ms=0.0)


def keys(error: InputError) -> set[str]:
    return {str(problem.get("key")) for problem in error.problems}


def test_everything_that_is_wrong_with_a_plan_is_said_at_once() -> None:
    plan = Plan(threads=0, hogs=(100,), holds_us=(0.0,), think_us=0.0, tries=0, seconds=0.1)
    with pytest.raises(InputError) as refused:
        plan.check()
    assert keys(refused.value) == {"threads", "hogs", "hold", "think", "tries", "for"}
    with pytest.raises(InputError) as long:
        Plan(seconds=100.0).check()
    assert keys(long.value) == {"for"}


def test_words_that_are_none_are_refused_with_the_nearest() -> None:
    with pytest.raises(InputError) as refused:
        Locks.reads["methods"]("spin, futx", "methods")
    assert refused.value.problems[0]["nearest"] == "futex"
    with pytest.raises(InputError):
        counts_of("0, -1", "hogs")
    with pytest.raises(InputError) as none:
        last_processors(100_000)
    assert none.value.problems[0]["allowed"].startswith("1 to ")


def test_the_command_says_all_that_is_wrong(slicewright: CommandLine) -> None:
    found = slicewright("live", "yields", "--methods", "futx", "--hogs", "x", "--processors", "1000")
    assert found.status == 2
    for word in ("futx", "'x'", "1000 processors"):
        assert word in found.err


def test_a_yield_that_forfeits_says_how_long_a_slice_is(tmp_path: Path) -> None:
    costs = {"yields_per_s": 500.0, "yielder_share": 0.001}
    assert Constants.of(costs, 4.0, 2).base_slice_ms == 2.0
    other = Constants.of({"yields_per_s": 1e6, "yielder_share": 0.49}, 4.0, 2)
    assert other.sched_yield == "deadline"
    shown_by = tmp_path / "sched"
    shown_by.write_text("se.slice      :              1400000\n", encoding="utf-8")
    assert _shown_slice_ms(shown_by) == 1.4


@pytest.mark.parametrize("method", METHODS)
def test_every_method_is_a_scenario_without_doubts(method: Method) -> None:
    text = _scenario(Plan(), (method, 1, 20.0), Constants(), Times(100.0, 0.03, 20.0))
    text = text.replace('name = "', 'assume = "a test"\nname = "', 1)
    scenario = Scenario.read(text.encode(), "lock.toml")
    assert not scenario.warnings
    [lock] = scenario.view.thread_locks
    assert (lock.lift == -20) == (method == "handover")


@pytest.mark.parametrize("method", ["yield", "futex"])
def test_without_costs_a_processor_is_never_wasted(method: Method) -> None:
    found = simulated_lock(Plan(threads=3), (method, 0, 20.0), QUIET, Times(80.0, 0.02, 20.0))
    assert found["locks_per_s"].mean == pytest.approx(1e6 / 100.02, rel=0.01)
    assert found["cpu_us"].mean == pytest.approx(100.0, rel=0.01)


def pair(live: float, simulated: float, others_percent: float = 0.0, noise: float = 1.0) -> _Pair:
    return _Pair(
        "spin", 0, 2.0, others_percent, {name: Estimate(live, noise, 5) for name in LIVE},
        {name: Estimate(simulated, 1.0, 20) for name in SIMULATED},
    )  # fmt: skip


def test_a_pair_agrees_within_its_band_and_is_too_noisy_where_nothing_can_be_said() -> None:
    assert pair(114.0, 100.0).verdicts == {"locks_per_s": "agrees", "wait_us": "agrees"}
    assert pair(120.0, 100.0).verdicts == {"locks_per_s": "differs", "wait_us": "agrees"}
    assert pair(3000.0, 1500.0).verdicts["wait_us"] == "differs"
    assert pair(120.0, 100.0, noise=30.0).verdicts["locks_per_s"] == "too noisy"
    assert pair(120.0, 100.0, others_percent=5.0).verdicts["locks_per_s"] == "too noisy"


def test_a_result_is_kept_and_shown_again(tmp_path: Path) -> None:
    result = locks_result()
    save(result, tmp_path / "live")
    assert load(tmp_path / "live") == result
    page = shown(result)
    for words in ("Constants, measured apart", "3 of 4 rates", "handover was not measured: Permission denied"):
        assert words in page
    assert "<svg" in (tmp_path / "live" / REPORT).read_text("utf-8")


def test_a_damaged_result_is_refused_with_every_place(tmp_path: Path) -> None:
    save(locks_result(), tmp_path / "live")
    path = tmp_path / "live" / "live.json"
    kept = json.loads(path.read_text(encoding="utf-8"))
    kept["pairs"][0]["method"] = "mutex"
    del kept["constants"]["tick_ms"]
    path.write_text(json.dumps(kept), encoding="utf-8")
    with pytest.raises(InputError) as refused:
        load(tmp_path / "live")
    assert keys(refused.value) == {"pairs[0].method", "constants.tick_ms"}


def test_what_a_worker_says_is_summed_up() -> None:
    value = {
        "taken": [3, 1], "waits_ns": [1000, 0, 0, 9000], "holds_ns": [2000] * 4, "cpu_ns": [8000, 4000],
        "switches": [[1, 2], [1, 0]],
    }  # fmt: skip
    seen = _Seen.of(value, 2.0, Elsewhere())
    assert (seen.locks_per_s, seen.wait_us, seen.p50_us, seen.p99_us) == (2.0, 2.5, 0.0, 9.0)
    assert (seen.held_us, seen.cpu_us, seen.gave_up, seen.taken_away) == (2.0, 3.0, 0.5, 0.5)


@pytest.mark.skipif(not LINUX, reason="needs Linux")
def test_real_threads_take_the_lock_by_every_method_that_is_allowed() -> None:
    job = Job("spin", (PROCESSOR,), 3, 1, (1000, 100), 100, 20_000_000)
    left = [method for method in METHODS if method != "handover"]
    for _ in range(MOST_TRIES):  # on a busy machine none of the threads may get the processor in so short a time
        seen = dict(zip(left, answers(measure, [replace(job, method=method) for method in left]), strict=True))
        left = [method for method, sight in seen.items() if not (sight.locks_per_s > 0 and sight.cpu_us > 0)]
        if not left:
            return
    pytest.fail(f"no lock was taken by {', '.join(left)}")


@pytest.mark.skipif(not LINUX, reason="needs Linux")
def test_a_processor_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError) as refused:
        answers(measure, [Job("spin", (1000,), 1, 0, (10, 10), 10, 1_000_000)])
    assert keys(refused.value) == {"processors"}


def children(process: int) -> list[int]:
    listed = Path(f"/proc/{process}/task/{process}/children")
    return [int(word) for word in listed.read_text(encoding="utf-8").split()] if listed.exists() else []


@pytest.mark.slow
@pytest.mark.skipif(not LINUX, reason="needs Linux")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize(
    "words",
    [
        ["yields", "--hogs", "1", "--hold", "20us", "--methods", "spin", "--for", "60s"],
        ["hooks", "--rules", "0", "--filters", "1", "--order", "list", "--for", "60s"],
    ],
    ids=lambda words: words[0],
)
def test_nothing_is_left_of_a_run_that_was_ended(words: list[str], how: signal.Signals) -> None:
    command = subprocess.Popen(
        [sys.executable, "-m", "slicewright", "live", *words, "--quiet"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    until = time.monotonic() + 60.0
    while not children(command.pid) and time.monotonic() < until:
        time.sleep(0.02)
    [worker] = children(command.pid)
    command.send_signal(how)
    command.communicate(timeout=60.0)
    while Path(f"/proc/{worker}").exists() and time.monotonic() < until:
        time.sleep(0.02)
    assert not Path(f"/proc/{worker}").exists()


@pytest.mark.slow
@pytest.mark.skipif(not LINUX, reason="needs Linux")
def test_a_short_run_is_measured_and_simulated() -> None:
    plan = Plan(processors=(PROCESSOR,), hogs=(1,), holds_us=(20.0,), methods=("futex",), seconds=0.5)
    result = Locks().measure(plan)
    [only] = result.pairs
    assert only.live["locks_per_s"].mean > 0
    assert only.simulated["locks_per_s"].mean > 0
    assert 0 < result.constants.turn_ns < 100
    assert result.constants.switch_ns >= 0

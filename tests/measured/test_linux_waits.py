"""Are waits for a processor read as Linux counted them, and does `advise slices` add them up?

perf 6.1 and /proc/PID/task/PID/schedstat are real output (Linux 6.18); rows of other programs were taken out of that of
perf.  /proc/schedstat is written after Documentation/scheduler/sched-stats.rst: that kernel has no CONFIG_SCHEDSTATS.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
from pathlib import Path

import pytest
from slicewright import InputError
from slicewright.advise.slices.request import SliceRequest
from slicewright.advise.slices.waits import answer_waits
from slicewright.measured.linux.sched import is_sched, read_sched

from tests.conftest import CommandLine

WAITS = Path(__file__).parent / "linux_waits"
FILES = sorted(WAITS.iterdir())
CPUS = (WAITS / "schedstat-cpus.txt").read_text()


def refused(text: str) -> list[dict[str, object]]:
    with pytest.raises(InputError) as caught:
        read_sched(text.encode(), "a")
    return caught.value.problems


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_file_is_known_by_its_head(file: Path) -> None:
    assert is_sched(file.read_bytes())
    assert read_sched(file.read_bytes(), file.name).tasks


@pytest.mark.parametrize("name", ["perf-latency.txt", "perf-latency-p.txt"])
def test_rows_of_perf_add_up_to_its_total(name: str) -> None:
    text = (WAITS / name).read_text()
    found = read_sched(text.encode(), name)
    total = re.search(r"TOTAL: *\| *([0-9.]+) ms", text)
    assert total is not None
    assert 1000 * sum(task.on_s for task in found.tasks) == pytest.approx(float(total[1]), abs=0.002)
    assert all(task.longest_ms is not None and task.longest_ms >= task.mean_wait_ms for task in found.tasks)


def test_merged_tasks_of_perf_are_the_sum_of_single_ones() -> None:
    merged, single = (
        read_sched((WAITS / name).read_bytes(), name) for name in ("perf-latency.txt", "perf-latency-p.txt")
    )
    for tasks in (merged, single):
        assert sum(task.runs for task in tasks.tasks if task.name.startswith("reader")) == 134
    assert sum(task.waiting_s for task in single.tasks) == pytest.approx(
        sum(t.waiting_s for t in merged.tasks), rel=1e-4
    )


def test_copies_of_schedstat_are_the_last_less_the_first() -> None:
    text = (WAITS / "schedstat-tasks.txt").read_text()
    rows = re.findall(r"/proc/([0-9]+)/task/[0-9]+/schedstat:([0-9]+) ([0-9]+) ([0-9]+)", text)
    found = {task.name.split("/")[0]: task for task in read_sched(text.encode(), "a").tasks}
    for process in {row[0] for row in rows}:
        own = [tuple(map(int, row[1:])) for row in rows if row[0] == process]
        task = found[process]
        grown = [last - first for first, last in zip(own[0], own[-1], strict=True)]
        assert (task.on_s * 1e9, task.waiting_s * 1e9, task.runs) == pytest.approx(grown)


def test_the_first_thread_of_a_process_counts_once() -> None:
    copy = (
        "time {0}\n/proc/7/schedstat:{0} 0 {0}\n/proc/7/task/7/schedstat:{0} 0 {0}\n/proc/7/task/8/schedstat:0 0 {0}\n"
    )
    found = read_sched((copy.format(1) + copy.format(2)).encode(), "a")
    assert [task.name for task in found.tasks] == ["7/task/7", "7/task/8"]


@pytest.mark.parametrize("version", [15, 16, 17])
def test_processors_of_every_version_have_the_same_fields(version: int) -> None:
    text = CPUS.replace("version 17", f"version {version}")
    if version < 17:
        text = text.replace("domain0 MC ", "domain0 ")
    found = read_sched(text.encode(), "a")
    assert (found.length_s, found.processors) == (10.0, 2)
    assert [(task.name, task.on_s, task.waiting_s, task.runs) for task in found.tasks] == [
        ("cpu1", 9.5, 12.0, 10_000), ("cpu0", 9.5, 8.0, 10_000),
    ]  # fmt: skip


def test_processors_that_are_wanted_follow_from_running_and_waiting_tasks() -> None:
    (answer,) = answer_waits([("a.txt", CPUS.encode())], SliceRequest())
    assert answer.share == pytest.approx(20 / 39)
    assert answer.recommendation == (2, 4)  # 1.9 run, 2.0 wait
    assert any("1.90 tasks ran of 2 processors, and 2.00 waited" in fact for fact in answer.facts)
    calm = CPUS.replace(" 9000000000 ", " 1100000000 ").replace(" 12800000000 ", " 900000000 ")
    (other,) = answer_waits([("a.txt", calm.encode())], SliceRequest())
    assert other.recommendation is None
    assert "no matter" in other.reason


def test_the_command_answers_in_text_and_in_json(slicewright: CommandLine, tmp_path: Path) -> None:
    asked = slicewright("advise", str(WAITS / "perf-latency.txt"), "--out", str(tmp_path / "advice"))
    assert asked.status == 0, asked.err
    assert "does not say how long it looked" in " ".join(asked.out.split())
    assert (tmp_path / "advice" / "report.html").exists()
    made = slicewright("advise", "slices", str(WAITS / "schedstat-cpus.txt"), "--format", "json")
    assert json.loads(made.out)["recommendation"] == {"processors": 2, "without_waits": 4}
    wrong = slicewright("advise", "slices", str(WAITS / "perf-latency.txt"), "--growth", "20%", "--slices", "5 ms")
    assert wrong.status == 2
    assert wrong.err.count("has no effect on counts of Linux") == 2


def test_accidents_have_their_place() -> None:
    assert refused(CPUS.replace("version 17", "version 14"))[0]["line"] == 2
    assert "8 numbers of cpu0" in str(refused(CPUS.replace("cpu0 0 0", "cpu0 0", 1))[0]["what"])
    assert "no `time`" in str(refused(CPUS.partition("\n")[2])[0]["what"])
    assert "fewer than two copies" in str(refused(CPUS[: CPUS.rindex("time ")])[0]["what"])
    assert "order of time" in str(refused(CPUS.replace("time 1764100010", "time 1764100000"))[0]["what"])
    perf = (WAITS / "perf-latency.txt").read_text()
    assert "no line of the total" in str(refused(perf[: perf.index("TOTAL")])[0]["what"])
    assert "not a row of a task" in str(refused(perf.replace("avg:", "mean:", 1))[0]["what"])


def test_a_number_that_is_used_again_is_left_out_and_said() -> None:
    copy = "time {0}\n/proc/5/schedstat:{1} 9 9\n/proc/6/schedstat:{0} {0} {0}\n"
    text = copy.format(1, 9) + copy.format(2, 1)
    found = read_sched(text.encode(), "a")
    assert [task.name for task in found.tasks] == ["6"]
    assert "1 task in one copy alone" in found.notes[0]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_damage_is_refused_or_read(file: Path) -> None:
    data, draw = file.read_bytes(), random.Random(file.name)
    for _ in range(100):
        damaged = bytearray(data[: draw.randrange(len(data))] if draw.random() < 0.3 else data)
        for _ in range(draw.randrange(1, 5)):
            if damaged:
                damaged[draw.randrange(len(damaged))] = draw.choice(b"0-,.:|()x 9\n\xff\0")
        with contextlib.suppress(InputError):
            assert all(task.runs >= 0 and task.on_s >= 0 for task in read_sched(bytes(damaged), "a").tasks)

"""Are other forms of Linux's tools read, and is output that no reader takes refused under the name of its tool?

Files in `linux_other`, and iostat-pretty, -human, -compact, -h-old and -runs are written after the forms of the tools,
with invented names and numbers.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from slicewright import InputError
from slicewright.advise.slices.request import SliceRequest
from slicewright.advise.slices.waits import answer_waits
from slicewright.measured.linux.forms import read_disks, refused_files, tool_of
from slicewright.measured.linux.sched import read_sched

from tests.conftest import CommandLine

HERE = Path(__file__).parent
TOOLS, OTHER, WAITS = HERE / "linux_tools", HERE / "linux_other", HERE / "linux_waits"
NAMES = {
    "biolatency-bcc.txt": "a histogram of BCC", "blkparse.txt": "blkparse", "blkparse-totals.txt": "blkparse",
    "bpftrace.txt": "bpftrace", "diskstats.txt": "/proc/diskstats", "dstat.csv": "dstat --output", "dstat.txt": "dstat",
    "fio-terse.txt": "fio --minimal", "fio-text.txt": "fio as text", "freebsd-iostat.txt": "iostat of another system",
    "iostat-c.txt": "iostat -c", "lsblk.txt": "lsblk", "lscss.txt": "lscss", "mpstat.json": "mpstat -o JSON",
    "mpstat.txt": "mpstat", "nmon.txt": "nmon", "perf-trace-log.txt": "perf trace without -s", "pidstat.txt": "pidstat",
    "sadf.json": "sadf", "sar-24h.txt": "sar -d", "sar-d.txt": "sar -d", "strace-log.txt": "strace without -c",
    "seccompprofile.yaml": "a SeccompProfile in YAML", "app.service": "a unit of systemd",
    "timehist.txt": "perf sched timehist", "vmstat.txt": "vmstat",
}  # fmt: skip


@pytest.mark.parametrize("file", sorted(OTHER.iterdir()), ids=lambda file: file.name)
@pytest.mark.parametrize("command", [("advise",), ("advise", "slices"), ("read",)], ids=" ".join)
def test_other_tools_are_refused_under_their_own_name(
    file: Path, command: tuple[str, ...], slicewright: CommandLine
) -> None:
    asked = slicewright(*command, str(file))
    assert asked.status == 2
    assert asked.err.startswith(f"error: {file}: output of {NAMES[file.name]}\n")
    assert "help: use " in asked.err
    assert "FCX108" not in asked.err
    assert "DEVICE" not in asked.err


def test_binary_traces_are_refused_under_their_own_name(tmp_path: Path, slicewright: CommandLine) -> None:
    for name, data, tool in (
        ("sda.blktrace.0", b"\x07\x74\x61\x65" + bytes(100), "blktrace"),
        ("perf.data", b"PERFILE2" + bytes(100), "perf record"),
    ):
        (tmp_path / name).write_bytes(data)
        for command in ("advise", "read"):
            asked = slicewright(command, str(tmp_path / name))
            assert asked.status == 2
            assert f"output of {tool}" in asked.err


@pytest.mark.parametrize(
    ("question", "file", "what", "other"),
    [
        ("slices", TOOLS / "iostat.txt", "output of iostat", "aliases"),
        ("exits", TOOLS / "fio-depth-1.json", "output of fio", "aliases"),
        ("aliases", WAITS / "perf-latency-count.txt", "waits for a processor", "slices"),
        ("aliases", HERE.parent / "advise" / "syscalls" / "strace-calls.txt", "counts of system calls", "exits"),
        ("limits", HERE.parent / "advise" / "syscalls" / "profile.json", "a seccomp profile", "exits"),
        ("slices", HERE / "linux_listings" / "lsdasd-c.txt", "a listing of lsdasd", "aliases"),
    ],
    ids=str,
)
def test_a_question_that_a_file_does_not_ask_names_the_one_that_it_asks(
    question: str, file: Path, what: str, other: str, slicewright: CommandLine
) -> None:
    asked = slicewright("advise", question, str(file))
    assert asked.status == 2
    assert asked.err.startswith(f"error: {file}: {what}\n")
    assert f"advise {other}" in asked.err


def test_read_names_files_that_make_no_run() -> None:
    found = refused_files([("a", (WAITS / "perf-latency.txt").read_bytes()),
                           ("b", (HERE / "linux_listings" / "lsdasd.txt").read_bytes())])  # fmt: skip
    assert [problem["what"] for problem in found] == [
        "waits for a processor, which are no disks", "output of lsdasd",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("iostat-pretty.txt", [("nvme0n1", 3000.0, 2.0, 24000.0), ("sdb", 100.0, 0.5, 800.0)]),
        ("iostat-human.txt", [("sda", 2000.0, 0.96, 45.5 * 1024)]),
        ("iostat-compact.txt", [("sda", 1000.0, 3.0, 2 * 3.91 * 1024)]),
        ("iostat-h-old.txt", [("sda", 400.0, 1.2, 3200.0)]),
        ("iostat-runs.txt", [("sda", 400.0, 0.4, 3200.0), ("sda", 500.0, 0.5, 4000.0)]),
    ],
)
def test_every_form_of_iostat_has_the_intervals_alone(name: str, rows: list[tuple[str, float, float, float]]) -> None:
    data = (TOOLS / name).read_bytes()
    assert tool_of(data) == "iostat"
    found = read_disks(data, name)
    assert [(disk.device, disk.io_per_s, disk.in_flight) for disk in found.disks] == [row[:3] for row in rows]
    assert [disk.kib_per_s for disk in found.disks] == pytest.approx([row[3] for row in rows])
    assert not any(disk.since_boot for disk in found.disks)


def test_a_table_of_pretty_that_is_cut_has_its_problem() -> None:
    text = (TOOLS / "iostat-pretty.txt").read_text()
    cut = text[: text.rindex("     f/s")]
    with pytest.raises(InputError, match="aqu-sz: has no such column"):
        read_disks(cut.encode(), "a")
    with pytest.raises(InputError, match="not a number: x") as caught:
        read_disks(text.replace("2000.00  16000.00", "2000.00         x").encode(), "a")
    assert caught.value.problems[0]["line"] == 21


def test_perf_with_the_heading_count_is_read() -> None:
    found = read_sched((WAITS / "perf-latency-count.txt").read_bytes(), "a")
    assert [(task.name, task.runs) for task in found.tasks] == [("api-worker:(8)", 9210), ("cron:912", 14)]
    assert found.tasks[0].waiting_s == pytest.approx(9210 * 0.412e-3)


def test_events_that_perf_lost_are_said() -> None:
    text = (WAITS / "perf-latency-count.txt").read_text()
    lost = "  INFO: 4.205% lost events (5100 out of 121300, in 7 chunks)\n"
    found = read_sched((text + lost).encode(), "a")
    assert found.notes[-1] == "a: perf reports 4.205% lost events (5100 out of 121300, in 7 chunks)"


JIFFIES = (WAITS / "schedstat-jiffies.txt").read_text()


def test_copies_of_schedstat_without_times_have_jiffies_of_unknown_length() -> None:
    (answer,) = answer_waits([("a", JIFFIES.encode())], SliceRequest())
    assert answer.recommendation == (1, 1)
    # 7 s on one processor are more than 2,500 jiffies of 1 ms.
    assert any("25.0 s at HZ=100, 10.0 s at HZ=250, 8.3 s at HZ=300;" in fact for fact in answer.facts)
    assert not any("HZ=1000" in fact for fact in answer.facts)
    assert "date" in answer.needed[0]


def test_more_demand_than_processors_have_at_any_hz_is_no_recommendation() -> None:
    (answer,) = answer_waits([("a", JIFFIES.replace("127000000000", "220000000000").encode())], SliceRequest())
    assert answer.recommendation is None
    assert "longer than all processors can" in answer.reason


@pytest.mark.parametrize("on_ns", [2_000_000_000, 7_000_000_000, 9_000_000_000])
def test_copies_without_times_never_have_a_narrower_answer(on_ns: int) -> None:
    text = JIFFIES.replace("127000000000", str(120_000_000_000 + on_ns)).replace("3600000000", "8600000000")
    timed = text.replace("version", "time 100\nversion", 1)
    timed = timed[: timed.rindex("version")] + "time 110\n" + timed[timed.rindex("version") :]
    (with_times,), (without,) = (answer_waits([("a", data.encode())], SliceRequest()) for data in (timed, text))
    assert with_times.recommendation is not None
    assert without.recommendation is not None
    assert without.recommendation[0] <= with_times.recommendation[0]
    assert without.recommendation[1] >= with_times.recommendation[1]


def test_statistics_of_dasds_without_a_heading_are_of_an_unknown_device() -> None:
    data = (TOOLS / "dasdstat-unnamed.txt").read_bytes()
    assert tool_of(data) == "dasdstat"
    found = read_disks(data, "a")
    (disk,) = found.disks
    assert disk.device == "unknown"
    assert disk.queue_depth == pytest.approx((100 + 2 * 200 + 3 * 46681) / 56881)
    assert any("does not name its device" in note for note in found.notes)
    scaled = data.replace(b"512B each)\n", b"512B each)\nScale Factor is  10\n")
    assert read_disks(scaled, "a").disks == found.disks
    twice = b"time 1000\n" + data + b"time 1060\n" + data.replace(b"56881 dasd", b"62881 dasd")
    with pytest.raises(InputError, match="32"):  # the second print is cut
        read_disks(twice[: -len(data) // 2], "a")


def test_two_prints_without_a_heading_have_an_interval() -> None:
    data = (TOOLS / "dasdstat-unnamed.txt").read_text()
    later = data.replace("56881 dasd", "62881 dasd").replace("46681 ", "52681 ").replace("  25570 ", "  31570 ")
    later = later.replace("  30661 ", "  36661 ")
    (disk,) = read_disks(f"time 1000\n{data}time 1060\n{later}".encode(), "a").disks
    assert (disk.io_per_s, disk.length_s, disk.queue_depth) == (100.0, 60.0, 3.0)


def side(iops: float, ms: float) -> dict[str, Any]:
    return {"iops": iops, "bw": int(4 * iops), "runtime": 10_000, "lat_ns": {"mean": ms * 1e6}, "clat_ns": {}}


def job(iops: float, ms: float, group: int = 0, **more: Any) -> dict[str, Any]:
    return {"jobname": "d", "groupid": group, "error": 0, "read": side(iops, ms), "write": side(0, 0), **more}


def disks(found: dict[str, Any], before: str = "") -> list[tuple[str, int | None, float, float]]:
    data = before + json.dumps({"fio version": "fio-3.36", **found})
    return [(disk.device, disk.depth, disk.io_per_s, round(disk.response_ms, 3)) for disk in
            read_disks(data.encode(), "a.json").disks]  # fmt: skip


OPTIONS = {"filename": "/dev/sdb", "ioengine": "libaio", "direct": "1", "iodepth": "4"}


@pytest.mark.parametrize(("jobs", "rate"), [(1, 3_900), (4, 15_000), (16, 31_500)])
def test_jobs_without_group_reporting_are_added_up(jobs: int, rate: float) -> None:
    (disk,) = read_disks((TOOLS / f"fio-numjobs-{jobs}.json").read_bytes(), "a").disks
    assert (disk.depth, disk.io_per_s, disk.writes_per_s) == (jobs, rate, rate)
    assert disk.in_flight == pytest.approx(jobs, rel=0.02)


def test_groups_and_devices_are_added_up_by_themselves() -> None:
    jobs = [
        job(1000, 4, 0),
        job(1000, 4, 0),
        job(3000, 1.25, 1),
        job(500, 8, 1, **{"job options": {"filename": "/dev/c"}}),
    ]
    found = disks({"global options": {**OPTIONS, "stonewall": "1"}, "jobs": jobs})
    assert found == [("/dev/sdb", 8, 2000, 4), ("/dev/sdb", 4, 3000, 1.25), ("/dev/c", 4, 500, 8)]


def test_group_reporting_and_clones_have_the_same_depth() -> None:
    grouped = {**OPTIONS, "numjobs": "2", "group_reporting": "1"}
    assert disks({"global options": grouped, "jobs": [job(2000, 4)]}) == [("/dev/sdb", 8, 2000, 4)]
    clones = {**OPTIONS, "numjobs": "2"}
    assert disks({"global options": clones, "jobs": [job(1000, 4)] * 2}) == [("/dev/sdb", 8, 2000, 4)]


def test_reads_and_writes_of_a_mix_are_added_up() -> None:
    mix = job(700, 4) | {"write": side(300, 2)}
    (disk,) = read_disks(json.dumps({"fio version": "3", "jobs": [mix, mix]}).encode(), "a").disks
    assert (disk.io_per_s, disk.reads_per_s, disk.writes_per_s) == (2000, 1400, 600)
    assert disk.response_ms == pytest.approx(3.4)
    unified = {"jobname": "d", "groupid": 0, "mixed": side(1000, 3)}
    assert disks({"global options": OPTIONS, "jobs": [unified]}) == [("/dev/sdb", 4, 1000, 3)]


def test_clients_are_systems_of_their_own_and_their_sum_is_not_counted() -> None:
    clients = [job(1000, 4, hostname=host, port=8765) for host in ("app-1", "app-2")]
    total = {**job(2000, 4), "jobname": "All clients"}
    warning = "<app-1> Starting 1 process\nhostname=app-1, be=0, 64-bit, os=Linux, fio=fio-3.36\n"
    found = disks({"global options": OPTIONS, "client_stats": [*clients, total]}, warning)
    assert found == [("app-1:/dev/sdb", 4, 1000, 4), ("app-2:/dev/sdb", 4, 1000, 4)]
    other = {**job(2000, 4), "hostname": "All clients"}
    assert disks({"global options": OPTIONS, "client_stats": [*clients, other]}) == found
    one = disks({"global options": OPTIONS, "client_stats": [clients[0], total]})
    assert one == [("/dev/sdb", 4, 1000, 4)]
    alone = disks({"global options": OPTIONS, "client_stats": [{**total, "hostname": "loader-2"}]})
    assert alone == [("/dev/sdb", 8, 2000, 4)]


def test_normal_output_around_the_object_is_passed_over() -> None:
    text = "d: (g=0): rw=randread, bs=(R) 4096B-4096B, ioengine=libaio, iodepth=4\nfio-3.36\nStarting 1 process\n\n"
    whole = text + json.dumps({"fio version": "fio-3.36", "global options": OPTIONS, "jobs": [job(1000, 4)]}, indent=2)
    whole += "\n\nd: (groupid=0, jobs=1): err= 0: pid=4100: Thu Nov 12 10:00:00 2026\n  read: IOPS=1000\n"
    assert tool_of(whole.encode()) == "fio"
    assert [disk.depth for disk in read_disks(whole.encode(), "a").disks] == [4]


def test_results_that_were_appended_are_all_read() -> None:
    results = [
        json.dumps({"fio version": "fio-3.36", "global options": {**OPTIONS, "iodepth": str(depth)},
                    "jobs": [job(1000 * depth, 1)]}, indent=1)
        for depth in (1, 2, 4)
    ]  # fmt: skip
    found = read_disks("\n".join(results).encode(), "a").disks
    assert [(disk.depth, disk.interval) for disk in found] == [(1, 0), (2, 1), (4, 2)]
    with pytest.raises(InputError, match="no whole output of fio"):
        read_disks("\n".join(results)[:-20].encode(), "a")
    one = (TOOLS / "iostat.json").read_text()
    twice = read_disks(f"{one}\n{one}".encode(), "a")
    assert len(twice.disks) == 2 * len(read_disks(one.encode(), "a").disks)


def test_statistics_of_all_dasds_are_said_to_be_so() -> None:
    text = (TOOLS / "dasdstat-short.txt").read_text()
    whole = text[text.index("statistics data for statistic: global") :]
    end = whole.find("statistics data for statistic: ", 10)
    found = read_disks(whole[: end if end > 0 else None].encode(), "a")
    assert found.disks[0].device == "global"
    assert any("all DASDs together" in note for note in found.notes)

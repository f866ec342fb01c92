"""Are fio, iostat -x and btt read as their tools printed them, and is each accident answered with its place?

The files are real output (fio 3.33, sysstat 12.6.1, btt 2.09 of a made-up trace: the machine allowed no blktrace).
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from slicewright import InputError
from slicewright.measured.linux.forms import read_disks, tool_of
from slicewright.measured.read import read

from tests.conftest import CommandLine

TOOLS = Path(__file__).parent / "linux_tools"
FILES = sorted(TOOLS.iterdir())
NOW = "Device  r/s  rkB/s  r_await  w/s  wkB/s  w_await  aqu-sz  %util"


def refused(data: bytes) -> dict[str, object]:
    """The first problem of some content."""
    with pytest.raises(InputError) as caught:
        read_disks(data, "a")
    return caught.value.problems[0]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_file_obeys_littles_law(file: Path) -> None:
    for disk in read_disks(file.read_bytes(), file.name).disks:
        by_law = disk.io_per_s * disk.response_ms / 1000
        # iostat prints milliseconds with two decimals.
        assert by_law == pytest.approx(disk.in_flight, rel=0.002, abs=0.006 * disk.io_per_s / 1000)


def test_fio_keeps_its_depth_and_its_percentiles_rise() -> None:
    (disk,) = read_disks((TOOLS / "fio-depth-8.json").read_bytes(), "a").disks
    assert disk.depth == 8
    assert disk.in_flight == pytest.approx(8, rel=0.01)
    values = list(disk.percentiles_ms.values())
    assert list(disk.percentiles_ms) == [50, 90, 95, 99]
    assert values == sorted(values)


def test_bins_of_both_directions_give_one_distribution() -> None:
    (disk,) = read_disks((TOOLS / "fio-plus.json").read_bytes(), "a").disks
    job = json.loads((TOOLS / "fio-plus.json").read_bytes())["jobs"][0]
    ends = sorted(job[side]["clat_ns"]["percentile"]["99.000000"] / 1e6 for side in ("read", "write"))
    assert ends[0] * 0.98 <= disk.percentiles_ms[99] <= ends[1] * 1.02


def test_fio_of_version_2_counts_microseconds() -> None:
    job = {"jobname": "a", "read": {"iops": 100.0, "bw": 400, "runtime": 1000, "lat": {"mean": 2500.0}, "clat": {}}}
    old = {"fio version": "fio-2.16", "jobs": [job]}
    assert read_disks(json.dumps(old).encode(), "a").disks[0].response_ms == 2.5


def test_warnings_above_the_object_are_passed_over() -> None:
    data = b"fio: engine not loaded\n" + (TOOLS / "fio-depth-1.json").read_bytes()
    assert tool_of(data) == "fio"
    assert read_disks(data, "a").disks[0].depth == 1


def test_text_and_json_of_iostat_have_the_same_columns() -> None:
    text, as_json = (read_disks((TOOLS / name).read_bytes(), "a").disks[0] for name in ("iostat.txt", "iostat.json"))
    assert text.device == as_json.device == "vda"
    assert text.kib_per_s is not None
    assert text.kib_per_s / text.io_per_s == pytest.approx(4.63, abs=0.1)


def test_the_report_since_the_boot_is_dropped_and_said() -> None:
    found = read_disks((TOOLS / "iostat-t.txt").read_bytes(), "a.txt")
    assert [disk.start_us for disk in found.disks] == [1_795_477_172_000_000]
    assert found.disks[0].length_s == 1.0
    assert "the first report of a.txt is dropped" in found.notes[0]


def test_other_versions_and_locales() -> None:
    old = "Device:  rrqm/s wrqm/s r/s w/s rsec/s wsec/s avgrq-sz avgqu-sz await svctm %util\n"
    disk = read_disks(
        (old + "sda 0,00 1,00 60,00 40,00 480,00 320,00 8,00 0,25 2,50 1,00 10,00\n").encode(), "a"
    ).disks[0]
    assert (disk.io_per_s, disk.response_ms, disk.in_flight, disk.kib_per_s) == (100.0, 2.5, 0.25, 400.0)


@pytest.mark.parametrize(
    ("row", "what", "key"),
    [
        ("vda 1 2 3", "4 cells", ""),
        ("vda 1 2 x 4 5 6 7 8", "not a number: x", "r_await"),
        ("vda 1 2 -3 4 5 6 7 8", "not a number: -3", "r_await"),
    ],
)
def test_a_bad_row_of_iostat_has_its_line(row: str, what: str, key: str) -> None:
    found = refused(f"{NOW}\n{row}\n".encode())
    assert (found["what"], found["line"], found["key"]) == (what, 2, key)


def test_iostat_without_x_and_a_table_without_await() -> None:
    plain = refused(b"Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\nvda 1 2 3 4 5\n")
    assert plain["what"] == "a report without -x"
    lacking = refused(b"Device r/s w/s aqu-sz %util\nvda 1 2 3 4\n")
    assert (lacking["what"], lacking["key"]) == ("has no such column", "await or r_await")


def test_a_cut_fio_file_says_where_it_ends() -> None:
    data = (TOOLS / "fio-depth-8.json").read_bytes()
    found = refused(data[:3000])
    assert found["line"] == data[:3000].count(b"\n") + 1
    assert "ends within" in str(found["why"])


def test_fio_with_a_wrong_value_names_its_key() -> None:
    whole = json.loads((TOOLS / "fio-depth-8.json").read_bytes())
    whole["jobs"][0]["read"]["iops"] = "many"
    whole["jobs"][0]["job options"]["iodepth"] = "-4"
    with pytest.raises(InputError) as caught:
        read_disks(json.dumps(whole).encode(), "a")
    assert [each["key"] for each in caught.value.problems] == ["jobs[0].read.iops"]
    whole["jobs"][0]["read"]["iops"] = 1.0
    assert refused(json.dumps(whole).encode())["key"] == "jobs[0].job options.iodepth"


def test_btt_separates_the_wait_and_refuses_several_devices() -> None:
    data = (TOOLS / "btt.txt").read_bytes()
    (disk,) = read_disks(data, "a").disks
    assert disk.service_ms == pytest.approx(0.200267)
    assert disk.response_ms == pytest.approx(0.205508)
    assert disk.io_per_s == pytest.approx(2000 / (1999 * 0.000241177))
    other = data.replace(b" (  8, 16) |     2000", b" (  8, 32) |     2000", 1)
    assert refused(other)["what"] == "2 devices"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_damage_is_refused_or_read_and_never_a_traceback(file: Path) -> None:
    data, draw = file.read_bytes(), random.Random(file.name)
    for _ in range(40):
        damaged = bytearray(data[: draw.randrange(len(data))] if draw.random() < 0.5 else data)
        for _ in range(draw.randrange(4)):
            if damaged:
                damaged[draw.randrange(len(damaged))] = draw.choice(b'0-,.{}[]"x \n\xff\0')
        try:
            disks = read_disks(bytes(damaged), file.name).disks
        except InputError as error:
            disks, named = (), {problem["file"] for problem in error.problems}
        else:
            named = {disk.file for disk in disks}
        assert named == {file.name}
        assert all(disk.io_per_s > 0 and disk.response_ms > 0 for disk in disks)


def test_read_writes_a_run_that_report_takes(slicewright: CommandLine, tmp_path: Path) -> None:
    out = str(tmp_path / "run")
    names = [str(TOOLS / name) for name in ("iostat-t.txt", "fio-depth-8.json", "btt.txt")]
    read_first = slicewright("read", *names, "--out", out)
    assert read_first.status == 0, read_first.err
    assert "3 intervals" in read_first.out
    shown = slicewright("report", out, "--page", "fcx108")
    assert shown.status in (0, 2)
    assert "Traceback" not in shown.err
    run = read(names).of()
    assert run["volumes"]["device"].to_list() == ["vda", "/data/file", "8:16"]

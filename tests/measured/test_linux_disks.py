"""Are fio, iostat -x and btt read as their tools printed them, and is each accident answered with its place?

The files are real output (fio 3.33, sysstat 12.6.1, btt 2.09 of a made-up trace: the machine allowed no blktrace;
dasdstat and lsdasd of s390-tools 2.43 over made-up files of debugfs and sysfs: a base and two aliases).
"""

from __future__ import annotations

import contextlib
import json
import random
from pathlib import Path

import pytest
from slicewright import InputError
from slicewright.measured.linux.forms import read_disks, tool_of
from slicewright.measured.linux.lsdasd import is_lsdasd, read_lsdasd
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
    # dasdstat counts times in classes, whose middles miss a mean by a quarter at most.
    rel = 0.25 if file.name.startswith("dasdstat") else 0.002
    for disk in read_disks(file.read_bytes(), file.name).disks:
        by_law = disk.io_per_s * disk.response_ms / 1000
        # iostat prints milliseconds and queues with two decimals.
        assert by_law == pytest.approx(disk.in_flight, rel=rel, abs=0.005 + 0.006 * disk.io_per_s / 1000)


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


def test_dasdstat_finds_the_load_that_was_made_up() -> None:
    (disk,) = read_disks((TOOLS / "dasdstat-two.txt").read_bytes(), "a").disks
    assert (disk.device, disk.length_s) == ("dasda", 60.0)
    assert disk.io_per_s == pytest.approx(2505.5, abs=0.1)  # counted
    assert disk.reads_per_s == pytest.approx(0.7 * disk.io_per_s, rel=0.01)
    assert disk.queue_depth == pytest.approx(1.75, abs=0.01)  # counted by arrivals
    # Times are known by their class: within a quarter.
    assert disk.response_ms == pytest.approx(0.698, rel=0.25)
    assert disk.service_ms == pytest.approx(0.617, rel=0.25)
    assert disk.percentiles_ms[50] == 1.024


@pytest.mark.parametrize("name", ["dasdstat-short.txt", "dasdstat-columns.txt"])
def test_one_print_of_dasdstat_has_its_rate_by_littles_law(name: str) -> None:
    disks = read_disks((TOOLS / name).read_bytes(), "a")
    assert [disk.device for disk in disks.disks] == ["dasda"]
    assert disks.disks[0].io_per_s == pytest.approx(2501.6, rel=0.25)
    assert any("Little's law" in note for note in disks.notes)
    assert any("67 % of the requests of dasda used an alias" in note for note in disks.notes)


def test_a_reset_of_dasdstat_is_an_interval_that_is_dropped() -> None:
    text = (TOOLS / "dasdstat-two.txt").read_text()
    swapped = text.replace("time 1764100060", "time x").replace("time 1764100120", "time 1764100060")
    back = swapped.replace("time x", "time 1764100120")
    half = back.index("time 1764100060")
    with pytest.raises(InputError, match="no volume did I/O"):
        read_disks((back[half:] + back[:half]).encode(), "a")


def test_a_cut_print_of_dasdstat_is_refused_with_its_classes() -> None:
    text = (TOOLS / "dasdstat-short.txt").read_text()
    cut = text[: text.index("# of req in chanq", text.index("statistic: dasda"))]
    assert "0 classes" in str(refused(cut.encode())["what"])
    assert refused(b"statistics data for statistic: dasda\n9999999999999999999 dasd I/O requests\n")["key"] == "dasda"


@pytest.mark.parametrize("file", sorted((TOOLS.parent / "linux_listings").iterdir()), ids=lambda file: file.name)
def test_every_form_of_lsdasd_lists_the_same(file: Path) -> None:
    assert is_lsdasd(file.read_bytes())
    dasds = read_lsdasd(file.read_bytes(), file.name)
    assert dasds.volumes == {"dasda": "0.0.1800", "dasdb": "0.0.1801"}
    assert dasds.aliases == ("0.0.18fe", "0.0.18ff")


def test_lines_of_lsdasd_that_are_none_are_refused_with_their_place() -> None:
    head = b"Bus-ID    Status    Name      Device  Type\n====\n"
    with pytest.raises(InputError) as caught:
        read_lsdasd(head + b"0.0.1800  busy  dasda\nx\n", "a")
    assert [problem["line"] for problem in caught.value.problems] == [3, 4]
    with pytest.raises(InputError, match="no volume is online"):
        read_lsdasd(head + b"0.0.1800  alias    ECKD\n", "a")


def test_aliases_of_lsdasd_stand_beside_the_depth(slicewright: CommandLine) -> None:
    listing = str(TOOLS.parent / "linux_listings" / "lsdasd.txt")
    asked = slicewright("advise", "aliases", str(TOOLS / "dasdstat-two.txt"), listing)
    assert asked.status == 0, asked.err
    assert "dasda is 0.0.1800; 2 aliases and 2 volumes online" in " ".join(asked.out.split())
    alone = slicewright("advise", "aliases", listing)
    assert alone.status == 2
    assert "a listing alone" in alone.err


@pytest.mark.parametrize("file", sorted((TOOLS.parent / "linux_listings").iterdir()), ids=lambda file: file.name)
def test_damage_of_lsdasd_is_refused_or_read(file: Path) -> None:
    data, draw = file.read_bytes(), random.Random(file.name)
    for _ in range(60):
        damaged = bytearray(data)
        for _ in range(draw.randrange(1, 5)):
            damaged[draw.randrange(len(damaged))] = draw.choice(b"0-,.()xa \n\xff\0")
        with contextlib.suppress(InputError):
            assert read_lsdasd(bytes(damaged), "a").volumes

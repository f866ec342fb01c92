"""Is each kind of file recognised, with its question?"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import slicewright
from slicewright.measured.export import monwrite, smf
from slicewright.run.pages.rmf import direct_access_page_of, partition_page_of
from slicewright.run.pages.run import device_page_of, pool_listing_of
from slicewright.run.run import Run
from slicewright.serve.questions import _describe
from slicewright.serve.tasks import Reporter

from tests.advise.fleets import Simulated, range_query

FLEET = Simulated(containers=2, samples=3)
LINUX = Path(__file__).parents[1] / "measured"
COPY = b"usage_usec 10\nuser_usec 10\nsystem_usec 0\nnr_periods 10\nnr_throttled 1\nthrottled_usec 5\n"
CLUSTER = range_query(list(FLEET.lines()), FLEET.times)

KINDS: dict[str, tuple[str, Callable[[Run], bytes], str, str]] = {
    "DEVICE page": ("device.txt", lambda run: device_page_of(run).encode(), "DEVICE report", "aliases"),
    "MONWRITE": ("day.monwrite", monwrite, "monitor data", "aliases"),
    "SMF": ("day.smf", smf, "monitor data", "aliases"),
    "RMF page of devices": (
        "rmf.txt",
        lambda run: direct_access_page_of(run).encode(),
        "RMF: DIRECT ACCESS",
        "aliases",
    ),
    "fio": (
        "fio.json",
        lambda run: (LINUX / "linux_tools" / "fio-depth-1.json").read_bytes(),
        "output of fio",
        "aliases",
    ),
    "iostat": ("a.txt", lambda run: (LINUX / "linux_tools" / "iostat-pretty.txt").read_bytes(), "of iostat", "aliases"),
    "perf": ("a.txt", lambda run: (LINUX / "linux_waits" / "perf-latency.txt").read_bytes(), "waits for", "slices"),
    "FCX102": ("a.txt", lambda run: (LINUX / "pages" / "fcx102-system.txt").read_bytes(), "monitor data", "yields"),
    "cpu.stat": ("cpu.stat", lambda run: COPY, "cpu.stat", "limits"),
    "range query": ("all.json", lambda run: CLUSTER, "series of a cluster", "limits"),
    "scenario": ("pool.toml", lambda run: run.scenario.encode(), "a scenario", "aliases"),
}
"""Of each kind: the name of a file, its content, what it is called, its question."""


@pytest.fixture(scope="module")
def pool() -> Run:
    """A pool of volumes, measured for two intervals."""
    changes = {"measure.interval": "4 s", "measure.intervals": 2, "measure.replications": 1}
    return slicewright.run(slicewright.starter("pool"), set=changes)


@pytest.fixture(autouse=True)
def stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of this process afterwards is that before: a task goes to its files."""
    monkeypatch.chdir(tmp_path)


def _described(folder: Path, *names: str) -> dict[str, Any]:
    return _describe(Reporter(0, lambda *report: None), folder=str(folder), names=names)


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_each_kind_is_recognised_with_its_question(pool: Run, tmp_path: Path, kind: str) -> None:
    name, content, called, question = KINDS[kind]
    (tmp_path / name).write_bytes(content(pool))
    found = _described(tmp_path, name)
    assert called in found["kind"]
    assert question in [each["name"] for each in found["questions"]]


DRAWN = [kind for kind in KINDS if kind not in ("perf", "cpu.stat", "scenario")]


@pytest.mark.parametrize("kind", DRAWN)
def test_a_file_of_each_kind_is_drawn(pool: Run, tmp_path: Path, kind: str) -> None:
    name, content, *_ = KINDS[kind]
    (tmp_path / name).write_bytes(content(pool))
    assert '<figure class="drawn">' in _described(tmp_path, name)["html"]


def _fields(found: dict[str, Any]) -> dict[str, bool]:
    """The fields of a question by name, and whether each has to be filled in."""
    (asked,) = found["questions"]
    return {each["name"]: each["required"] for each in (*asked["shared"], *asked["options"])}


def test_no_option_is_offered_that_is_always_refused(pool: Run, tmp_path: Path) -> None:
    (tmp_path / "pool.toml").write_text(pool.scenario)
    assert not {"growth", "pool", "aliases"} & set(_fields(_described(tmp_path, "pool.toml")))
    (tmp_path / "cpu.stat").write_bytes(COPY.replace(b" 10", b" 5000000") + COPY.replace(b" 10", b" 9000000"))
    fields = _fields(_described(tmp_path, "cpu.stat"))
    assert fields["limit"], "cpu.stat has no limit"
    assert "workload" not in fields


def test_copies_of_counters_are_drawn_and_one_copy_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_bytes(COPY)
    assert "a second one, a minute or more later" in _described(tmp_path, "one.txt")["html"]
    (tmp_path / "two.txt").write_bytes(COPY.replace(b" 10", b" 5000000") + COPY.replace(b" 10", b" 9000000"))
    assert '<figure class="drawn">' in _described(tmp_path, "two.txt")["html"]


def test_the_hardest_interval_of_a_day_is_marked_and_others_are_named(pool: Run, tmp_path: Path) -> None:
    (tmp_path / "day.monwrite").write_bytes(monwrite(pool))
    measured = slicewright.read([str(tmp_path / "day.monwrite")]).of()
    queue = measured.raw["system"]["queue_depth"].to_list()
    found = _described(tmp_path, "day.monwrite")
    assert f"Marked: interval {queue.index(max(queue))}, the highest of “requests waiting”" in found["html"]
    assert "advise " not in found["html"]
    assert [each["asks"] for each in found["lacks"]]
    assert all(each["missing"] for each in found["lacks"])


REPORTS = Path(__file__).parents[2] / "published" / "hyperpav" / "device-reports"


@pytest.mark.parametrize(
    ("report", "rate"),
    [
        ("Y032180H", "8 volumes, 5,889 I/O/s"), ("Y032181H", "8 volumes, 9,979 I/O/s"),
        ("Y032182H", "8 volumes, 13,395 I/O/s"), ("Y040180P", "1 volume, 755 I/O/s"),
        ("Y040181P", "1 volume, 942 I/O/s"), ("Y040182P", "1 volume, 1,619 I/O/s"),
    ],
)  # fmt: skip
def test_the_rate_of_a_pool_is_that_of_bases_and_aliases(report: str, rate: str) -> None:
    html = _described(REPORTS, f"{report}.txt")["html"]
    assert rate in html
    assert ("without the I/Os that aliases did" in html) == (" 0 aliases" not in html)


@pytest.mark.parametrize("aliases", [0, 3, 8])
def test_the_rate_of_a_page_is_that_of_the_run_which_printed_it(tmp_path: Path, aliases: int) -> None:
    changes = {"measure.interval": "4 s", "measure.replications": 1, "alias_pool.LSS-52.aliases": aliases}
    run = slicewright.run(slicewright.starter("pool"), set=changes)
    (tmp_path / "device.txt").write_text(device_page_of(run))
    rate = re.search(r"([0-9,]+) I/O/s", _described(tmp_path, "device.txt")["html"])
    assert rate is not None
    assert abs(int(rate[1].replace(",", "")) - run.system["io_per_s"][0]) <= (8 + aliases) / 2 + 1


def test_an_interval_among_others_is_called_the_first(pool: Run, tmp_path: Path) -> None:
    page = REPORTS.joinpath("Y032181H.txt").read_text()
    (tmp_path / "device.txt").write_text(page + page.replace("13:16:46", "13:26:46").replace("13:26:47", "13:36:47"))
    assert "the first of 2 intervals" in _described(tmp_path, "device.txt")["html"]


def test_a_listing_of_pools_asks_for_the_report_of_its_system(pool: Run, tmp_path: Path) -> None:
    (tmp_path / "pav.txt").write_text(pool_listing_of(pool))
    assert "drop the DEVICE report of the same system with it" in _described(tmp_path, "pav.txt")["html"]


def test_a_listing_beside_a_report_is_one_subject(pool: Run, tmp_path: Path) -> None:
    (tmp_path / "pav.txt").write_text(pool_listing_of(pool))
    (tmp_path / "device.txt").write_text(device_page_of(pool))
    assert _described(tmp_path, "device.txt", "pav.txt")["kind"].startswith("a DEVICE report")


def test_a_run_has_its_scenario_and_two_are_compared(pool: Run, tmp_path: Path) -> None:
    pool.save(tmp_path / "run")
    found = _described(tmp_path, "run")
    assert (found["kind"], found["scenario"]) == ("a simulated run", pool.scenario)
    (tmp_path / "again").symlink_to(tmp_path / "run")
    found = _described(tmp_path, "run", "again")
    assert found["kind"] == "two runs"
    assert "What is uncertain" in found["html"]


def test_a_page_of_partitions_says_what_its_question_needs(tmp_path: Path) -> None:
    changes = {"measure.interval": "4 s", "measure.replications": 1}
    run = slicewright.run(slicewright.starter("two-domains"), set=changes)
    (tmp_path / "rmf.txt").write_text(partition_page_of(run))
    found = _described(tmp_path, "rmf.txt")
    assert found["questions"] == [], "a question that is always refused"
    assert "no page of devices" in str(found["lacks"])
    assert "Which slice" in found["lacks"][0]["asks"]


def test_output_of_a_tool_that_no_reader_takes_is_refused_under_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes((LINUX / "linux_other" / "vmstat.txt").read_bytes())
    with pytest.raises(slicewright.InputError, match="output of vmstat"):
        _described(tmp_path, "a.txt")

"""Do the logs of a control program say what its tables say, and does a run without one say so?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import slicewright
from slicewright.run.pages.control_programs import BY_INTERVAL, OF_SPINNING, PARKING, log_pages_of, parking_pages_of
from slicewright.run.pages.rmf import cpu_pages_of
from slicewright.values.catalogue import PAGES

from tests.conftest import CommandLine
from tests.tidy.tree import ROOT

SHORT = ["measure.interval=2 s", "measure.intervals=2", "measure.warm_up=2500 ms", "measure.replications=2"]
OF_CONTROL_PROGRAMS = [*(page for page in BY_INTERVAL if page not in OF_SPINNING), PARKING]


@pytest.fixture(scope="module")
def zvm() -> slicewright.Run:
    return slicewright.run(ROOT / "scenarios/zvm.toml", set=SHORT)


@pytest.fixture(scope="module")
def saved(zvm: slicewright.Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from slicewright.run.directory import save

    place = tmp_path_factory.mktemp("zvm") / "run"
    save(zvm, place)
    return place


def rows(text: str, when: str) -> list[list[str]]:
    """The words of the rows of an instant."""
    return [line.split() for line in text.splitlines() if line.split()[:1] == [when]]


def decided(text: str) -> list[str]:
    """When something was decided or set."""
    body = text.splitlines()
    return [line.split()[0] for line in body[body.index(next(line for line in body if line[:3] == " at")) + 2 :]]


def test_every_log_has_a_page_of_its_name() -> None:
    assert set(OF_CONTROL_PROGRAMS) <= set(PAGES)


def test_the_processor_log_says_what_the_table_says(zvm: slicewright.Run) -> None:
    text = log_pages_of(zvm, "proclog")["ZVM"]
    table = zvm.control_processors.to_dicts()
    printed = rows(text, ">>Mean>>")
    assert [row[1] for row in printed] == [*(str(row["number"]) for row in table), ">>Total>"]
    assert [float(row[4]) for row in printed[:-1]] == pytest.approx([row["busy_percent"] for row in table], abs=0.0501)
    (total,) = zvm.control_programs.to_dicts()
    assert float(printed[-1][3]) == pytest.approx(total["total_percent"], abs=0.0501)
    assert float(printed[-1][4]) == pytest.approx(total["guests_percent"], abs=0.0501)


def test_intervals_end_after_the_warm_up_and_their_mean_is_the_mean(zvm: slicewright.Run) -> None:
    text = log_pages_of(zvm, "users")["ZVM"]
    assert "Interval 00:00:00 - 00:00:04 " in text
    mean, *each = (rows(text, when)[-1] for when in (">>Mean>>", "00:00:02", "00:00:04"))
    for at in range(2, len(mean)):
        assert float(mean[at]) == pytest.approx(sum(float(row[at]) for row in each) / 2, abs=0.1001)


def test_one_interval_has_only_its_mean() -> None:
    run = slicewright.run(ROOT / "scenarios/zvm.toml", set=[*SHORT, "measure.intervals=1"])
    text = log_pages_of(run, "fcx265")["ZVM"]
    assert text.splitlines()[-1].split()[:2] == [">>Mean>>", ">>Total>"]


def test_the_lock_log_has_the_rates_of_the_lock(zvm: slicewright.Run) -> None:
    (lock,) = zvm.locks.to_dicts()
    mean = rows(log_pages_of(zvm, "fcx265")["ZVM"], ">>Mean>>")[0]
    assert mean[1] == "SRMSLOCK"
    for at, counter in ((2, "collisions_per_s"), (6, "exclusive_collisions_per_s"), (10, "shared_collisions_per_s")):
        assert float(mean[at]) == pytest.approx(lock[counter], abs=0.501)


def test_states_add_up_to_all_of_the_time(zvm: slicewright.Run) -> None:
    for row in rows(log_pages_of(zvm, "users")["ZVM"], ">>Mean>>"):
        assert sum(map(float, row[2:])) == pytest.approx(100, abs=0.31)


def test_shares_and_limits_are_those_of_the_scenario(zvm: slicewright.Run) -> None:
    text = log_pages_of(zvm, "shares")["ZVM"]
    servers, users, total = rows(text, ">>Mean>>")
    assert (servers[1], servers[2], servers[8]) == ("SERVER(4)", "100", "-")
    # A tenth of eight processors each.
    assert (users[1], users[2], float(users[8])) == ("CMS(50)", "200", 50 * 80)
    assert float(total[3]) == pytest.approx(100, abs=0.11)
    assert float(total[4]) == pytest.approx(800, abs=0.11)


def test_decisions_are_listed_with_what_was_set_at_the_start(zvm: slicewright.Run) -> None:
    text = parking_pages_of(zvm)["ZVM"]
    starts = "SET SRM at the start: POLARIZATION VERTICAL, UNPARKING SMALL, EXCESSUSE MEDIUM, CPUPAD 100%"
    assert starts in text
    times = decided(text)
    assert times == ["-00:00:00.500", "00:00:01.500", "00:00:03.500"]
    assert len(times) == zvm.decisions.height


def test_what_is_set_on_the_way_is_on_the_page() -> None:
    change = '[[change]]\nat = "2 s"\nsrm = { partition = "ZVM", cpupad = "200 %", unparking = "large" }\n\n[measure]'
    text = (ROOT / "scenarios/zvm.toml").read_text().replace("[measure]", change)
    page = parking_pages_of(slicewright.run(text, set=SHORT))["ZVM"]
    assert decided(page) == ["-00:00:00.500", "00:00:01.500", "00:00:02.000", "00:00:03.500"]
    assert page.splitlines()[-2].endswith("  SET SRM UNPARKING LARGE, CPUPAD 200%")
    before, after = page.splitlines()[-3], page.splitlines()[-1]
    assert before.endswith("  need, as UNPARKING SMALL says")
    assert after.endswith("  entitled")


def test_the_rmf_page_of_processors_shows_parked_ones_and_is_read_back(zvm: slicewright.Run) -> None:
    page = slicewright.CpuReport.read(cpu_pages_of(zvm)["ZVM"].encode(), "page")
    printed = [float(row["TIME % PARKED"]) for row in page.fields()]
    assert printed == pytest.approx(zvm.control_processors["parked_percent"].to_list(), abs=0.00501)
    assert sum(printed) > 0


@pytest.mark.parametrize("page", [*OF_CONTROL_PROGRAMS, "locklog", "PROCLOG"])
def test_the_command_prints_it(slicewright: CommandLine, saved: Path, page: str) -> None:
    outcome = slicewright("report", saved, "--page", page, "--partition", "ZVM")
    assert (outcome.status, outcome.err) == (0, "")
    assert "written by slicewright" in outcome.out.splitlines()[0]
    assert "System ZVM" in outcome.out.splitlines()[2]
    listed = json.loads(slicewright("report", saved, "--page", page, "--format", "json").out)
    assert {row["partition"] for row in listed} == {"ZVM"}


def test_a_run_without_a_control_program_says_so(slicewright: CommandLine, small: Path, tmp_path: Path) -> None:
    slicewright("run", small, "--out", tmp_path / "out")
    for page in OF_CONTROL_PROGRAMS:
        outcome = slicewright("report", tmp_path / "out", "--page", page)
        assert (outcome.status, outcome.out) == (2, "")
        assert "the run has no control program" in outcome.err


@pytest.mark.parametrize("arguments", [("--partition", "ZVN"), ("--view", "true")])
def test_another_partition_or_view_is_refused(
    slicewright: CommandLine, saved: Path, arguments: tuple[str, str]
) -> None:
    outcome = slicewright("report", saved, "--page", "proclog", *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert "did you mean `ZVM`" in outcome.err or "proclog has one view" in outcome.err


def test_a_run_of_an_older_version_is_refused(slicewright: CommandLine, saved: Path, tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    manifest = json.loads((saved / "manifest.json").read_text())
    (old / "manifest.json").write_text(json.dumps(manifest | {"format": manifest["format"] - 1}))
    outcome = slicewright("report", old, "--page", "proclog")
    assert (outcome.status, outcome.out) == (2, "")
    assert "its scenario.toml can be run again" in outcome.err

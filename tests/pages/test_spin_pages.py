"""Do the pages on guests that spin agree with their tables, and does a run without spinning guests say so?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import slicewright
from slicewright.run.pages.control_programs import OF_SPINNING, log_pages_of
from slicewright.values.catalogue import PAGES

from tests.conftest import CommandLine
from tests.tidy.tree import ROOT

SPINNING = """\
name = "three machines that spin"
assume = "an example: all numbers made up"

[cec]
processors = 2
machine = "z990"
dispatcher = "prsm"

[[partition]]
name = "ZVM"
logical_processors = 2
mode = "UP"
control_program = {}

[[virtual_machine]]
name = "DIRECTED"
partition = "ZVM"
count = 2
virtual_processors = 2
guest_type = "SLES 10"

[[virtual_machine]]
name = "GENERAL"
partition = "ZVM"
virtual_processors = 2
guest_type = "SLES 9"

[[spin_lock]]
name = "files"
virtual_machine = "DIRECTED"

[[spin_lock]]
name = "pages"
virtual_machine = "GENERAL"

[[guest]]
name = "READERS"
virtual_machine = "DIRECTED"
count = 4
program = [ { compute = { exponential = "20 us" } }, { lock = "files", steps = [ { compute = "10 us" } ] } ]

[[guest]]
name = "WRITERS"
virtual_machine = "GENERAL"
count = 2
program = [
  { compute = { exponential = "20 us" } },
  { lock = "pages", steps = [ { compute = "10 us" }, { intercept = "2 us" } ] },
]

[measure]
interval = "200 ms"
intervals = 2
warm_up = "200 ms"
replications = 2
"""
ENDS = ("00:00:00.200", "00:00:00.400")
LOCKS = (("files", 0), ("files", 1), ("pages", 0))


@pytest.fixture(scope="module")
def spun() -> slicewright.Run:
    return slicewright.run(SPINNING)


@pytest.fixture(scope="module")
def saved(spun: slicewright.Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from slicewright.run.directory import save

    place = tmp_path_factory.mktemp("spun") / "run"
    save(spun, place)
    return place


def rows(text: str, when: str) -> list[list[str]]:
    """The words of the rows of an instant."""
    return [line.split() for line in text.splitlines() if line.split()[:1] == [when]]


def rate(text: str, operation: str) -> float:
    """The mean rate of an operation on the page of system counters."""
    (line,) = (line for line in text.splitlines() if ">>Mean>>" in line and f" {operation} " in line)
    return float(line.split(f" {operation} ")[1].split()[1])


def near(value: float) -> object:
    """A rate within the rounding of its print."""
    return pytest.approx(value, abs=0.501 if value >= 99.95 else 0.0501)


def test_privileged_operations_are_those_of_the_machines(spun: slicewright.Run) -> None:
    printed = rows(log_pages_of(spun, "privop")["ZVM"], ">>Mean>>")
    table = spun.virtual_machines.to_dicts()
    assert [row[1] for row in printed] == ["DIRECTED#0", "DIRECTED#1", "GENERAL", ">>Total>"]
    for row, machine in zip(printed, table, strict=False):
        assert float(row[2]) == near(machine["x44_per_s"])
        assert float(row[5]) == near(machine["x9c_per_s"])
        assert float(row[8]) == pytest.approx(machine["spinning_percent"], abs=0.0501)
        assert float(row[10]) == near(machine["intercepts_per_s"])
    assert printed[0][10] == ".0" != printed[2][10]


def test_all_yields_together_are_those_of_the_control_program(spun: slicewright.Run) -> None:
    total = rows(log_pages_of(spun, "privop")["ZVM"], ">>Mean>>")[-1]
    (program,) = spun.control_programs.to_dicts()
    assert float(total[6]) == near(program["diagnoses_per_s"])
    assert float(total[4]) == pytest.approx(100 * program["fast_x44_per_s"] / program["x44_per_s"], abs=0.0501)


def test_a_machine_that_yields_without_a_target_has_no_x9c(spun: slicewright.Run) -> None:
    directed, _, general, _ = rows(log_pages_of(spun, "privop")["ZVM"], ">>Mean>>")
    assert (directed[2], directed[7]) == (".0", "100.0")
    assert (general[5], general[7]) == (".0", ".0")


def test_system_counters_are_those_of_the_control_program(spun: slicewright.Run) -> None:
    text = log_pages_of(spun, "system")["ZVM"]
    (program,) = spun.control_programs.to_dicts()
    assert rate(text, "FP simul of Diag.X'44'") == near(program["fast_x44_per_s"])
    assert rate(text, "Diag.X'9C', target ran") == near(program["x9c_yielded_per_s"])
    outcomes = ("not_ready", "wait", "soft_wait", "dispatched")
    names = ("Diag.X'9C' Not Ready", "Diag.X'9C' Wait State", "Diag.X'9C' Soft Wait", "Diag.X'9C' Alr.Dispat.")
    for outcome, name in zip(outcomes, names, strict=True):
        assert rate(text, name) == near(program[f"x9c_{outcome}_per_s"])


def test_spin_locks_are_those_of_the_machines(spun: slicewright.Run) -> None:
    printed = rows(log_pages_of(spun, "spinlocks")["ZVM"], ">>Mean>>")
    table = spun.spin_locks.to_dicts()
    names = [["files", "DIRECTED#0"], ["files", "DIRECTED#1"], ["pages", "GENERAL"]]
    assert [row[1:3] for row in printed[:-1]] == names
    for row, lock in zip(printed, table, strict=False):
        assert float(row[3]) == near(lock["taken_per_s"])
        assert float(row[4]) == near(lock["contended_per_s"])
        assert float(row[9]) == pytest.approx(lock["held_percent"], abs=0.0501)


def test_waits_are_those_of_all_waiters(spun: slicewright.Run) -> None:
    printed = rows(log_pages_of(spun, "spinlocks")["ZVM"], ">>Mean>>")
    for (name, number), row in zip(LOCKS, printed, strict=False):
        each = spun.raw["spin_locks"].filter(lock=name, number=number).to_dicts()
        waits = sum(row["contended_per_s"] for row in each)
        waited = sum(row["contended_per_s"] * (row["wait_us"] or 0) for row in each)
        assert float(row[6]) == pytest.approx(waited / waits, rel=6e-4)
        assert float(row[7]) == pytest.approx(max(row["longest_wait_ms"] for row in each), rel=6e-4)


def test_no_wait_is_longer_than_the_longest(spun: slicewright.Run) -> None:
    text = log_pages_of(spun, "spinlocks")["ZVM"]
    mean, *each = ([float(row[7]) for row in rows(text, when)[:-1]] for when in (">>Mean>>", *ENDS))
    assert mean == [max(longest) for longest in zip(*each, strict=True)]


def test_intervals_have_rows_of_their_own(spun: slicewright.Run) -> None:
    for page in OF_SPINNING:
        text = log_pages_of(spun, page)["ZVM"]
        of_each = [len(rows(text, when)) for when in (">>Mean>>", *ENDS)]
        assert len(set(of_each)) == 1
        assert of_each[0] > 1


@pytest.mark.parametrize("page", [*OF_SPINNING, "fcx102", "FCX104"])
def test_the_command_prints_it(slicewright: CommandLine, saved: Path, page: str) -> None:
    outcome = slicewright("report", saved, "--page", page, "--partition", "ZVM")
    assert (outcome.status, outcome.err) == (0, "")
    assert "written by slicewright" in outcome.out.splitlines()[0]
    listed = json.loads(slicewright("report", saved, "--page", page, "--format", "json").out)
    assert {row["partition"] for row in listed} == {"ZVM"}


def test_each_is_listed() -> None:
    assert set(OF_SPINNING) <= set(PAGES)


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from slicewright.run.directory import save

    place = tmp_path_factory.mktemp("calm") / "run"
    short = ["measure.interval=200 ms", "measure.warm_up=200 ms", "measure.replications=1"]
    save(slicewright.run(ROOT / "scenarios/zvm.toml", set=short), place)
    return place


@pytest.mark.parametrize("page", ["fcx108", "rmf-dasd", "query-pav"])
def test_a_page_of_devices_without_volumes_is_refused(slicewright: CommandLine, calm: Path, page: str) -> None:
    outcome = slicewright("report", calm, "--page", page)
    assert (outcome.status, outcome.out) == (2, "")
    assert "the run has no volumes" in outcome.err


def test_a_run_without_spin_locks_says_so(slicewright: CommandLine, calm: Path) -> None:
    outcome = slicewright("report", calm, "--page", "spinlocks")
    assert (outcome.status, outcome.out) == (2, "")
    assert "the run has no spin locks" in outcome.err


@pytest.mark.parametrize("page", ["privop", "system"])
def test_counters_without_guests_say_that_there_is_none(slicewright: CommandLine, calm: Path, page: str) -> None:
    outcome = slicewright("report", calm, "--page", page)
    assert (outcome.status, outcome.err) == (0, "")
    assert "No virtual machine of this system has a spin lock" in outcome.out


@pytest.mark.parametrize("page", OF_SPINNING)
def test_a_run_without_a_control_program_says_so(
    slicewright: CommandLine, small: Path, tmp_path: Path, page: str
) -> None:
    slicewright("run", small, "--out", tmp_path / "out")
    outcome = slicewright("report", tmp_path / "out", "--page", page)
    assert (outcome.status, outcome.out) == (2, "")
    assert "the run has no control program" in outcome.err

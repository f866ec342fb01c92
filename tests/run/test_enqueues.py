"""Do runs in which guests enqueue show the cost of pairs, the waiting tasks, and the task that blocks each of them?"""

from __future__ import annotations

from pathlib import Path

import pytest
import slicewright
from slicewright._core import starter
from slicewright.run.directory import save
from slicewright.run.pages.enqueues import contention_page_of, contention_rows, enqueue_page_of

from tests.conftest import CommandLine

SERIAL = """
name = "serial pairs"
assume = "made up"

[serialization]

[cec]
processors = 2

[[partition]]
name = "SYSA"
logical_processors = 1
mode = "UP"

[[enqueue]]
name = "R"
qname = "TEST"
rname = "R"

[[guest]]
name = "JOB"
count = 1
partition = "SYSA"
program = [ { enq = "R", do = [ { think = "0 ms" } ] } ]

[measure]
interval = "1 s"
warm_up = "0 s"
replications = 1
"""

EMBRACE = """
[[enqueue]]
name = "S"
qname = "TEST"
rname = "S"

[[guest]]
name = "OTHER"
count = 1
partition = "SYSA"
program = [ { enq = "S", do = [ { think = "1 ms" }, { enq = "R", do = [ { think = "1 ms" } ] } ] } ]

[measure]"""


@pytest.fixture(scope="module")
def exits() -> slicewright.Run:
    """The starter, for a short while."""
    return slicewright.run(starter("enq-exits"), replications=2, set={"measure.interval": "4 s"})


@pytest.mark.parametrize(
    ("structure", "us"),
    [
        ("none", 19),
        ("svc-front-end", 19),
        ("batch", 354),
        ("prebatch-pooled-1.2", 33),
        ("prebatch-pooled-1.4", 33),
        ("prebatch-single-area", 20),
    ],
)
def test_a_serial_pair_takes_what_its_pieces_cost(structure: str, us: float) -> None:
    row = slicewright.run(SERIAL, set={"serialization.exits": structure}).serialization.to_dicts()[0]
    assert row["elapsed_us_per_pair"] == pytest.approx(us, rel=1e-3)
    assert 1e6 / row["pairs_per_s"] == pytest.approx(us, rel=1e-3)
    pieces = ("base_us", "front_end_us", "fast_us", "slow_us", "storage_us", "message_us")
    assert sum(row[piece] for piece in pieces) == pytest.approx(row["cpu_us_per_pair"])


def test_a_filter_spares_the_slow_exit_on_local_requests_alone(exits: slicewright.Run) -> None:
    filtered = slicewright.run(
        starter("enq-exits"),
        replications=2,
        set={"measure.interval": "4 s", "serialization.exits": "prebatch-single-area"},
    )
    slow, fast = (run.serialization.to_dicts()[0] for run in (exits, filtered))
    assert slow["batch_per_pair"] == pytest.approx(2, rel=1e-2)
    assert fast["batchcnd_per_pair"] == pytest.approx(fast["global_per_s"] / fast["pairs_per_s"], rel=1e-2)
    assert slow["cpu_us_per_pair"] > 3 * fast["cpu_us_per_pair"]


def test_a_reserve_holds_up_the_other_system(exits: slicewright.Run) -> None:
    reserved = dict(exits.volumes.select("volume", "reserved_percent").iter_rows())
    assert reserved["SHR.A"] == 0 < reserved["SHR.B"]
    held = dict(exits.volumes.select("volume", "held_ms").iter_rows())
    assert held["SHR.A"] == 0 < held["SHR.B"]


def test_who_waits_for_each_other_is_a_deadlock() -> None:
    program = 'program = [ { enq = "R", do = [ { think = "1 ms" }, { enq = "S", do = [ { think = "1 ms" } ] } ] } ]'
    text = SERIAL.replace('program = [ { enq = "R", do = [ { think = "0 ms" } ] } ]', program)
    run = slicewright.run(text.replace("\n[measure]", EMBRACE))
    assert [(row["status"], row["task"], row["blockers"], row["deadlock"]) for row in contention_rows(run)] == [
        ("OWN", "JOB#0", "", 1),
        ("WAIT", "OTHER#1", "JOB#0", 1),
        ("OWN", "OTHER#1", "", 1),
        ("WAIT", "JOB#0", "OTHER#1", 1),
    ]
    page = contention_page_of(run)
    assert page.endswith("\nDEADLOCK 1: JOB#0 OTHER#1\n")
    assert "S=SYSTEM  TEST     R\n" in page


def test_a_resource_in_contention_is_on_the_page(exits: slicewright.Run) -> None:
    page = enqueue_page_of(exits)
    row = next(line for line in page.splitlines() if "CATALOG.MASTER" in line).split()
    assert row[:3] == ["SYSIGGV2", "CATALOG.MASTER", "SYSTEMS"]
    catalog = next(row for row in exits.enqueues.to_dicts() if row["enqueue"] == "CATALOG")
    assert float(row[3]) == pytest.approx(catalog["requests_per_s"], abs=0.06)
    assert float(row[-1]) == pytest.approx(catalog["contentions"], abs=0.6)


@pytest.mark.parametrize(("page", "says"), [("rmf-enqueue", "E N Q U E U E"), ("contention", "DISPLAY GRS")])
def test_pages_of_names_are_printed(
    slicewright: CommandLine, exits: slicewright.Run, tmp_path: Path, page: str, says: str
) -> None:
    save(exits, tmp_path / "run")
    outcome = slicewright("report", tmp_path / "run", "--page", page)
    assert outcome.status == 0
    assert says in outcome.out


def test_a_run_without_names_has_no_page_of_them(slicewright: CommandLine, small: Path, tmp_path: Path) -> None:
    slicewright("run", small, "--out", tmp_path / "run")
    outcome = slicewright("report", tmp_path / "run", "--page", "rmf-enqueue")
    assert (outcome.status, outcome.out) == (2, "")
    assert "no resources by name" in outcome.err

"""Does advice about exits on a day take its rates and its names in contention from the records?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import slicewright as sw
from slicewright.advise.exits.day import contended
from slicewright.measured.export import smf

from tests.advise.days import day_of
from tests.conftest import CommandLine
from tests.measured.dump_maker import QUARTER, Request, each_request, requests, write


@pytest.fixture(scope="module")
def run() -> sw.Run:
    return sw.run(sw.starter("enq-exits"), replications=1, set={"measure.interval": "5 s", "measure.intervals": 2})


@pytest.fixture(scope="module")
def file(run: sw.Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("day") / "day.smf"
    path.write_bytes(smf(run, system="SYSA"))
    return path


def test_names_in_contention_are_those_of_the_run_longest_first(run: sw.Run, file: Path) -> None:
    found = contended(day_of(file))
    enqueues = run.raw["enqueues"]
    assert [name.share for name in found] == sorted((name.share for name in found), reverse=True)
    worst = found[0]
    own = enqueues.filter(enqueues["qname"] == worst.qname)
    assert worst.contentions == own["contentions"].sum()
    assert worst.share == pytest.approx(own["contention_total_ms"].sum() / 10_000, rel=0.02)


@pytest.mark.slow
def test_the_structure_is_that_of_a_table_with_the_same_rates(file: Path, slicewright: CommandLine) -> None:
    few = ("--assume", "measure.replications=4")  # as on the page about exits; no number below needs more
    said = slicewright("advise", "exits", file, *few, "--format", "json", "-q")
    assert (said.status, said.err) == (0, "")
    made = json.loads(said.out)
    assert made["recommendation"] == "prebatch-single-area"
    (group,) = made["groups"]
    assert group["intervals"] == [0, 1]
    rate = group["enq_per_s"]
    assert rate == pytest.approx(sw.read([file]).of().raw["serialization"]["enq_per_s"].mean())


def test_a_day_without_72_5_says_so(tmp_path: Path, slicewright: CommandLine) -> None:
    (tmp_path / "day").write_bytes(smf(sw.run(sw.starter("mm1"), replications=1)))
    said = slicewright("advise", "exits", tmp_path / "day")
    assert said.status == 2
    assert "72-5: the rate of ENQ and DEQ" in said.err


def _asked() -> list[Request]:
    """Each second of a quarter of an hour: PAY.MASTER held for 251 ms, LOG for 9 ms, STEP for 19 ms."""
    rows: list[Request] = []
    for at in range(QUARTER - 1):
        rows += [(at, 1, True, 3, "PAY.MASTER"), (at + 0.252, 1, False, 3, "PAY.MASTER")]
        rows += [(at + 0.3, 2, True, 2, "LOG"), (at + 0.31, 2, False, 2, "LOG")]
        rows += [(at + 0.4, 2, True, 1, "STEP"), (at + 0.42, 2, False, 1, "STEP")]
    return rows


def _each(rows: list[Request]) -> list[bytes]:
    return [each_request(rows[at : at + 150]) for at in range(0, len(rows), 150)]


def test_pairs_and_holds_are_those_of_each_request(tmp_path: Path, slicewright: CommandLine) -> None:
    (file := tmp_path / "day").write_bytes(b"".join(_each(_asked())))
    few = ("--assume", "measure.replications=3")
    said = slicewright("advise", "exits", file, *few, "-q")
    assert (said.status, said.err) == (0, "")
    assert "87-2 has the requests that GRS monitors" in said.out
    assert "72-5 counts" not in said.out
    made = json.loads(slicewright("advise", "exits", file, *few, "--format", "json", "-q").out)
    assert made["global_share_percent"] == pytest.approx(50)
    assert [group["enq_per_s"] for group in made["groups"]] == [pytest.approx(2, rel=0.01)]
    held = {row["rname"]: (row["scope"], row["held_ms"]) for row in made["requested"]}
    assert held == {
        "PAY.MASTER": ("SYSTEMS", pytest.approx(251)),
        "LOG": ("SYSTEM", pytest.approx(9)),
        "STEP": ("STEP", pytest.approx(19)),
    }


def test_rates_are_those_of_72_5_where_both_are_there(tmp_path: Path, slicewright: CommandLine) -> None:
    file = write(tmp_path / "day", requests(9_000, 36_000, 18_000))
    file.write_bytes(b"".join([file.read_bytes()[4:], *_each(_asked())]))
    few = ("--assume", "measure.replications=3")
    said = slicewright("advise", "exits", file, *few, "-q")
    assert (said.status, said.err) == (0, "")
    assert "60 ENQs per second outside STEP, 33.3 % with SCOPE=SYSTEMS" in said.out
    assert "72-5 counts ENQs" in said.out
    assert "holds are shown and not simulated" in said.out
    listed = slicewright("read", file)
    assert "87-2    ENQ and DEQ, one by one" in listed.out
    assert "87-2 has 4 % or more of the ENQs that 72-5 counts" in listed.out

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

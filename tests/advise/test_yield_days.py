"""Does a day give the rates of DIAGNOSE and the scheduler lock, and no recommendation that no record supports?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import slicewright as sw
from slicewright.measured.export import monwrite

from tests.conftest import CommandLine


@pytest.fixture(scope="module")
def run() -> sw.Run:
    short = {"measure.interval": "200 ms", "measure.warm_up": "100 ms", "measure.intervals": 2}
    return sw.run(sw.starter("apache-spin"), replications=1, set=short)


def test_rates_and_costs_of_a_day_are_those_of_the_run(run: sw.Run, tmp_path: Path, slicewright: CommandLine) -> None:
    (tmp_path / "day").write_bytes(monwrite(run))
    said = slicewright("advise", "yields", tmp_path / "day", "--format", "json", "-q")
    assert (said.status, said.err) == (0, "")
    made = json.loads(said.out)
    assert made["recommendation"] is None
    assert "no record has the time" in made["reason"]
    rows = run.raw["control_programs"]
    counts = [len(group["intervals"]) for group in made["groups"]]
    rates = [count * group["x9c_per_s"] for count, group in zip(counts, made["groups"], strict=True)]
    assert sum(rates) / sum(counts) == pytest.approx(rows["x9c_per_s"].mean(), rel=0.01)
    assert made["taken_percent"] >= made["x9c_us"] * rows["x9c_per_s"].mean() / 1e4 * 0.99


def test_a_day_without_5_12_says_so(tmp_path: Path, slicewright: CommandLine) -> None:
    (tmp_path / "day").write_bytes(monwrite(sw.run(sw.starter("mm1"), replications=1)))
    said = slicewright("advise", "yields", tmp_path / "day")
    assert said.status == 2
    assert "5/12: rates of DIAGNOSE" in said.err

"""Do runs with control programs tell where time goes, keep their decisions, and show all of it?"""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
import slicewright
from slicewright._core import starter
from slicewright.cli.simulate import run_json as as_json
from slicewright.run.kinds import by_kind
from slicewright.run.tables import LOGS

PARKS = {
    "partition.ZVM.control_program.unparking": "small", "partition.ZVM.control_program.controller.every": "400 ms",
    "measure.warm_up": "500 ms", "measure.interval": "500 ms", "measure.intervals": 2,
}  # fmt: skip


@pytest.fixture(scope="module")
def zvm() -> slicewright.Run:
    """A short run of a control program that parks what it does not need."""
    return slicewright.run(starter("zvm"), replications=3, set=PARKS)


def test_the_time_of_a_control_program_is_that_of_its_processors(zvm: slicewright.Run) -> None:
    (row,) = zvm.control_programs.iter_rows(named=True)
    parts = row["guests_percent"] + row["chargeable_cp_percent"] + row["nonchargeable_cp_percent"]
    assert parts == pytest.approx(row["total_percent"])
    assert row["total_percent"] + row["wait_percent"] + 100 * (8 - row["unparked"]) == pytest.approx(800, abs=0.01)
    assert row["tv_ratio"] == pytest.approx(row["total_percent"] / row["guests_percent"], rel=1e-3)


def test_the_time_of_each_processor_adds_up(zvm: slicewright.Run) -> None:
    for row in zvm.control_processors.iter_rows(named=True):
        assert row["busy_percent"] + row["wait_percent"] + row["parked_percent"] == pytest.approx(100)
        assert row["spin_percent"] <= row["nonchargeable_cp_percent"]
        assert (row["polarity"], row["entitlement_percent"]) == ("Vh", 100.0)


def test_machines_are_charged_what_processors_charge(zvm: slicewright.Run) -> None:
    parts = zvm.control_processors.select("emulation_percent", "chargeable_cp_percent")
    charged = sum(sum(row) for row in parts.iter_rows())
    assert zvm.virtual_machines["charged_percent"].sum() == pytest.approx(charged)


def test_every_virtual_processor_is_in_one_state(zvm: slicewright.Run) -> None:
    standings = ("running", "ready_wait", "waking", "interrupted", "idle", "limited")
    together = zvm.virtual_machines.select(pl.sum_horizontal(standings).alias("all"), "virtual_machine")
    for kind, count in (("SERVER", 3), ("CMS", 1)):
        of_kind = together.filter(pl.col("virtual_machine") == kind)["all"].to_list()
        assert of_kind == pytest.approx([count] * len(of_kind))


def test_shares_promise_all_of_it(zvm: slicewright.Run) -> None:
    assert zvm.virtual_machines["share"].sum() == pytest.approx(100)


def test_machines_of_a_kind_are_added_up(zvm: slicewright.Run) -> None:
    kinds = by_kind(zvm)
    assert kinds["virtual_machine"].to_list() == ["SERVER", "CMS"]
    assert kinds["machines"].to_list() == [4, 50]
    servers = zvm.virtual_machines.filter(pl.col("virtual_machine") == "SERVER")
    assert kinds["charged_percent"][0] == pytest.approx(servers["charged_percent"].sum())
    assert 0 < kinds["resident"][0] < 1


def test_decisions_are_those_of_the_first_replication(zvm: slicewright.Run) -> None:
    decisions = zvm.decisions
    assert decisions["at_s"].to_list() == pytest.approx([-0.1, 0.3, 0.7])
    assert decisions["before"].to_list()[1:] == decisions["after"].to_list()[:-1]
    assert decisions["after"][-1] < 8


def test_decisions_do_not_depend_on_how_many_replications_follow(zvm: slicewright.Run) -> None:
    alone = slicewright.run(starter("zvm"), replications=1, set=PARKS)
    assert alone.decisions.equals(zvm.decisions)


def test_a_counter_of_one_machine_is_asked_for_by_name(zvm: slicewright.Run) -> None:
    values = zvm.values("virtual_machines", "charged_percent", "ZVM SERVER 2")
    assert len(values) == 3
    assert values == pytest.approx([81] * 3, rel=0.2)
    with pytest.raises(KeyError, match="SERVER 4"):
        zvm.values("virtual_machines", "charged_percent", "ZVM SERVER 4")


def test_a_saved_run_has_its_machines_and_decisions(zvm: slicewright.Run, tmp_path: Path) -> None:
    zvm.save(tmp_path / "run")
    again = slicewright.load(tmp_path / "run")
    for table in ("control_programs", "locks", "control_processors", "virtual_machines", *LOGS):
        assert getattr(again, table).equals(getattr(zvm, table), null_equal=True)
    assert pl.read_parquet(tmp_path / "run" / "decisions.parquet").equals(zvm.decisions)


def test_a_damaged_log_is_refused(zvm: slicewright.Run, tmp_path: Path) -> None:
    zvm.save(tmp_path / "run")
    (tmp_path / "run" / "decisions.parquet").write_bytes(b"PAR1")
    with pytest.raises(slicewright.InputError, match=r"decisions\.parquet"):
        slicewright.load(tmp_path / "run")


def test_a_run_shows_its_control_program(zvm: slicewright.Run) -> None:
    text = str(zvm)
    for title in ("Control programs", "Locks of control programs", "Virtual machines, those of a kind together"):
        assert title in text
    assert "T/V" in text.splitlines()[2]
    page = zvm.html()
    assert "<h2>Processors of control programs</h2>" in page
    assert "unparked" in page
    assert "spinning" in page


def test_without_volumes_precision_is_of_the_work_that_is_done() -> None:
    precise = slicewright.run(starter("zvm"), precision="2%", set=PARKS)
    row = precise.control_programs.row(0, named=True)
    assert row["work_percent_half_width"] <= 0.02 * row["work_percent"]
    assert precise.replications > 2


def test_json_has_the_log(zvm: slicewright.Run) -> None:
    assert [row["partition"] for row in as_json(zvm)["decisions"]] == ["ZVM"] * 3


def test_a_run_without_control_programs_shows_none(small: Path) -> None:
    result = slicewright.run(small)
    assert result.control_programs.is_empty()
    assert result.decisions.is_empty()
    page = result.html()
    for title in ("Control programs", "Locks of control programs", "Virtual machines, those of a kind together"):
        assert title not in str(result) + page

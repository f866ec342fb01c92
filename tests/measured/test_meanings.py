"""Do fields of SMF records mean what IBM says they mean, and is unknown what they do not say?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import slicewright as sw
from slicewright.advise.slices.day import read_day_partitions
from slicewright.advise.slices.request import Assumed, SliceRequest

from tests.advise.days import day_of
from tests.conftest import CommandLine
from tests.measured.dump_maker import disks, partitions, pools, requests, write

RECORDS = Path(__file__).parent / "records"
OWN = ("LABP", 1, 500, [700, 500])
OTHER = ("LABQ", 2, 250, [600, 0, 0])


def _first(file: Path, table: str) -> dict[str, float | str | None]:
    return sw.read([file]).of().raw[table].row(0, named=True)


def test_all_ios_of_a_subsystem_are_no_tries(slicewright: CommandLine) -> None:
    file = RECORDS / "hnai-htio-none.smf"
    row = _first(file, "pools")
    assert (row["fails"], row["tries"], row["fails_per_try"]) == (232_309, None, None)
    few = ("--interval", "0", "--aliases", "0001=8", "--assume", "population=30", "--assume", "sharing=0%")
    said = slicewright("advise", "aliases", file, *few, "-q")
    assert said.status == 0, said.err
    assert "tries/s" not in said.out
    assert "excluded are" not in said.out


def test_times_an_alias_was_needed_are_tries() -> None:
    row = _first(RECORDS / "dasd-rdwonly.smf", "pools")
    assert row["tries"] == pytest.approx(661_950)
    assert row["fails_per_try"] == pytest.approx(0.2)
    assert row["aliases"] == 8


@pytest.mark.parametrize(
    ("needs", "tries"), [(None, None), (0.0, None), (40_000.0, 40_000.0)], ids=["short record", "not filled", "filled"]
)
def test_a_pool_has_tries_where_its_record_has_them(tmp_path: Path, needs: float | None, tries: float | None) -> None:
    file = write(tmp_path / "day", disks([("LAB001", 90_000)], aliases=4), pools(5_000.0, 90_000.0, needs))
    row = _first(file, "pools")
    assert row["fails"] == pytest.approx(5_000)
    assert row["tries"] == (None if tries is None else pytest.approx(tries))
    assert row["aliases"] == 4


def test_requests_with_scope_step_reach_no_exit(slicewright: CommandLine) -> None:
    file = RECORDS / "72-5-77.smf"
    row = _first(file, "serialization")
    assert (row["enq_per_s"], row["enq_step_per_s"], row["enq_systems_per_s"]) == (1_300, 1_000, 100)
    few = ("--assume", "measure.replications=3")
    made = json.loads(slicewright("advise", "exits", file, *few, "--format", "json", "-q").out)
    assert made["global_share_percent"] == pytest.approx(100 / 3)
    assert [group["enq_per_s"] for group in made["groups"]] == [pytest.approx(300)]


@pytest.mark.parametrize(
    ("counted", "share"), [((0, 900, 0), 0), ((9_000, 0, 1_800), 100), ((90, 1_800, 1_800), 50)], ids=str
)
def test_the_share_of_systems_is_that_of_the_record(
    tmp_path: Path, slicewright: CommandLine, counted: tuple[int, int, int], share: float
) -> None:
    file = write(tmp_path / "day", requests(*counted))
    few = ("--assume", "measure.replications=3")
    made = json.loads(slicewright("advise", "exits", file, *few, "--format", "json", "-q").out)
    assert made["global_share_percent"] == pytest.approx(share)


def test_requests_with_scope_step_alone_ask_nothing_of_exits(tmp_path: Path, slicewright: CommandLine) -> None:
    said = slicewright("advise", "exits", write(tmp_path / "day", requests(9_000, 0, 0)))
    assert said.status == 2
    assert "72-5: the rate of ENQ and DEQ" in said.err


def test_the_hypervisors_row_is_no_partition() -> None:
    rows = sw.read([RECORDS / "70-1.smf"]).of().raw["partitions"].filter(interval=0)
    assert rows["partition"].to_list() == ["PRDA", "TSTB"]
    assert rows["logical_processors"].to_list() == [4, 3]
    assert rows["weight"].to_list() == [600, 300]
    assert rows["machine_processors"].to_list() == [6, 6]
    assert rows["hypervisor_percent"].to_list() == pytest.approx([12, 12])


def test_weights_and_processors_of_the_records_need_no_option() -> None:
    found = read_day_partitions(day_of(RECORDS / "70-and-74.smf"), SliceRequest())
    assert (found.own, found.weights, found.processors) == ("PRDA", {"PRDA": 600, "TSTB": 300}, 6)
    machine = found.evidence([0], "first").machine
    assert machine is not None
    assert [round(row.used or 0, 3) for row in machine.partitions] == [2.242, 0.996]
    assert machine.shared == 6


def test_partition_zero_alone_is_the_hypervisor(tmp_path: Path) -> None:
    hypervisor, named_alike = ("PHYSICAL", 0, 0, [9] * 4), ("PHYSICAL", 7, 100, [90])
    file = write(tmp_path / "day", partitions([OWN, OTHER, named_alike, hypervisor], 4))
    rows = sw.read([file]).of().raw["partitions"]
    assert rows["partition"].to_list() == ["LABP", "LABQ", "PHYSICAL"]
    assert rows["hypervisor_percent"].to_list() == pytest.approx([4] * 3)


def test_dedicated_processors_are_not_shared(tmp_path: Path) -> None:
    dedicated = ("LABD", 3, 0xFFFF, [890, 880])
    day = day_of(write(tmp_path / "day", partitions([OWN, OTHER, dedicated], 5), disks([("LAB001", 90_000)])))
    found = read_day_partitions(day, SliceRequest())
    assert (found.weights["LABD"], found.processors) == (0, 3)
    machine = found.evidence([0], "first").machine
    assert machine is not None
    assert (machine.processors, machine.shared) == (5, 3)
    with pytest.raises(sw.InputError, match="dedicated processors are never waited for"):
        read_day_partitions(day, SliceRequest(partition="LABD"))


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (SliceRequest(assumed=Assumed(processors=2)), "the partitions used 3.24 processors, and share 2"),
        (SliceRequest(assumed=Assumed(processors=8)), "the records have 6 shared processors, not 8"),
        (SliceRequest(weights={"PRDA": 500.0}), "the records have another weight: 600"),
    ],
    ids=["too few", "too many", "weight"],
)
def test_options_that_the_records_contradict_are_refused(request_: SliceRequest, words: str) -> None:
    with pytest.raises(sw.InputError, match=words):
        read_day_partitions(day_of(RECORDS / "70-and-74.smf"), request_)


@pytest.mark.parametrize(
    ("rows", "assumed", "fits"),
    [([OWN, OTHER], 2, True), ([OWN, OTHER], 1, False), ([OWN, ("LABQ", 2, 250, [900, 900])], 3, False)],
    ids=["fits", "one processor", "three"],
)
def test_no_answer_where_more_was_used_than_is_assumed(
    tmp_path: Path, slicewright: CommandLine, rows: list[tuple[str, int, int, list[int]]], assumed: int, fits: bool
) -> None:
    file = write(tmp_path / "day", partitions(rows, 0), disks([("LAB001", 90_000)]))
    question = SliceRequest(assumed=Assumed(processors=assumed))
    if fits:
        assert read_day_partitions(day_of(file), question).processors == assumed
        return
    said = slicewright("advise", "slices", file, "--assume", f"processors={assumed}")
    assert (said.status, said.out) == (2, "")
    assert f"processors, and share {assumed}" in said.err

"""Does advice about slices on a day use the partitions of the records, and refuse a day that lacks them?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import slicewright as sw
from slicewright.advise.slices.answer import answer_scenario
from slicewright.advise.slices.day import DaySliceAnswer, answer_day, read_day_partitions
from slicewright.advise.slices.request import Assumed, SliceRequest
from slicewright.measured.export import monwrite, smf

from tests.advise.days import day_of
from tests.conftest import CommandLine

WORLD = """\
name = "two partitions by weight"
assume = "an example"

[cec]
processors = 1
dispatcher = "prsm"
run_time = "25 ms"
switch = "0.1 ms"

[[partition]]
name = "PROD"
logical_processors = 1
weight = 300
slih = "0.02 ms"

[[partition]]
name = "TEST"
logical_processors = 1
weight = 700
slih = "0.02 ms"

[[volume]]
name = "PROD01"
device = "1000"
partition = "PROD"
service = { pend = "0.2 ms", connect = { exponential = "2 ms" } }

[[guest]]
name = "ONLINE"
partition = "PROD"
count = 3
program = [
  { think = { exponential = "10 ms" } }, { compute = { exponential = "1 ms" } }, { io = { volume = "PROD01" } },
]

[[guest]]
name = "BATCH"
partition = "TEST"
arrivals = "60/s"
program = [ { compute = { exponential = "10 ms" } } ]

[measure]
interval = "60 s"
replications = 1
intervals = 2
"""
WEIGHTS = ["--weight", "PROD=300", "--weight", "TEST=700", "--assume", "processors=1", "--slices", "25 ms"]


@pytest.fixture(scope="module")
def run() -> sw.Run:
    return sw.run(WORLD)


@pytest.fixture(scope="module")
def file(run: sw.Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("day") / "day.smf"
    path.write_bytes(smf(run, system="SYSA"))
    return path


@pytest.fixture(scope="module")
def without_weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records of partitions of which one changes while the machine runs: they are written without weights."""
    path = tmp_path_factory.mktemp("day") / "changed.smf"
    change = '[[change]]\nat = "119 s"\npartition = { name = "TEST", weight = 600 }\n'
    path.write_bytes(smf(sw.run(WORLD + change), system="SYSA"))
    return path


def test_the_evidence_has_weights_processors_and_the_time_used(run: sw.Run, file: Path) -> None:
    question = SliceRequest(weights={"PROD": 300.0, "TEST": 700.0}, assumed=Assumed(processors=1))
    found = read_day_partitions(day_of(file), question)
    assert found.own == "PROD"  # the only partition with interrupts of its own
    evidence = found.evidence([0, 1], "all")
    machine = evidence.machine
    assert machine is not None
    assert machine.share("PROD") == pytest.approx(0.3)
    used = run.values("partitions", "dispatched_percent", "TEST")[0] / 100
    assert next(row.used for row in machine.partitions if row.name == "TEST") == pytest.approx(used, rel=1e-3)
    assert evidence.pages[0].io_per_s == pytest.approx(run.values("volumes", "io_per_s", "PROD01")[0], rel=1e-2)


@pytest.mark.slow
def test_the_range_of_the_day_holds_the_slice_of_the_system(file: Path) -> None:
    truth = answer_scenario(WORLD.encode(), "world.toml", SliceRequest()).recommendation
    question = SliceRequest(
        slice_ms=25.0, weights={"PROD": 300.0, "TEST": 700.0}, assumed=Assumed(processors=1, service="exponential")
    )
    (found,) = answer_day(day_of(file), question)
    assert isinstance(found, DaySliceAnswer)
    assert found.recommendation is not None
    assert truth is not None
    assert found.recommendation.low_ms <= truth.slice_ms <= found.recommendation.high_ms


@pytest.mark.slow
def test_text_and_document_name_partition_groups_and_range(file: Path, slicewright: CommandLine) -> None:
    words = ("advise", "slices", file, *WEIGHTS, "--assume", "service=exponential", "-q")
    said = slicewright(*words)
    assert (said.status, said.err) == (0, "")
    assert "cost least over the day" in said.out
    made = json.loads(slicewright(*words, "--format", "json").out)
    assert (made["partition"], made["system"]) == ("PROD", "SYSA")
    assert sorted(at for group in made["groups"] for at in group["intervals"]) == [0, 1]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "no weight of PROD, TEST"),
        (["--weight", "PROD=300", "--weight", "TEST=DED", "--assume", "processors=2"], "no two partitions share"),
        (["--weight", "PROD=300", "--weight", "TEST=700"], "the number of shared processors is missing"),
        ([*WEIGHTS, "--weight", "TSET=1"], "did you mean `TEST`?"),
        ([*WEIGHTS, "--partition", "NONE"], "no such partition: NONE"),
        (["--weight", "PROD"], "not a weight: PROD"),
    ],
)
def test_what_the_tables_do_not_have_is_asked_for(
    without_weights: Path, slicewright: CommandLine, words: list[str], expected: str
) -> None:
    said = slicewright("advise", "slices", without_weights, *words)
    assert (said.status, said.out) == (2, "")
    assert expected in said.err


def test_a_vm_day_has_to_name_its_partition(run: sw.Run, tmp_path: Path, slicewright: CommandLine) -> None:
    (tmp_path / "day").write_bytes(monwrite(run, system="LABSYS"))
    said = slicewright("advise", "slices", tmp_path / "day", *WEIGHTS)
    assert "the partition of the system is missing" in said.err
    assert "PROD, TEST" in said.err


def test_a_day_that_answers_several_questions_lists_them(file: Path, slicewright: CommandLine) -> None:
    said = slicewright("advise", file)
    assert said.status == 2
    assert "advise aliases" in said.err
    assert "advise slices" in said.err


def test_a_day_without_partitions_says_which_records_are_missing(tmp_path: Path, slicewright: CommandLine) -> None:
    (tmp_path / "day").write_bytes(monwrite(sw.run(sw.starter("mm1"), replications=1)))
    said = slicewright("advise", "slices", tmp_path / "day")
    assert said.status == 2
    assert "0/16 (MRSYTCUP) or 70-1" in said.err


def test_weights_belong_to_monitor_data(small: Path, slicewright: CommandLine) -> None:
    assert "applies to monitor data alone" in slicewright("advise", "slices", small, "--weight", "A=1").err

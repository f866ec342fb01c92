"""Does one dump of a day of z/OS answer every question without an option, from either of two writers?

One is written by `export`, one by a writer of published places alone (`tests/reference_models/smf_reference.py`).
"""

from __future__ import annotations

import datetime
from pathlib import Path

import polars as pl
import pytest
import slicewright as sw
from slicewright.measured.export import smf

from tests.conftest import CommandLine
from tests.reference_models import smf_reference as reference

SCENARIO = (Path(__file__).parent / "zos_day.toml").read_text()
START = datetime.datetime(2026, 2, 2)
SHORT = {"measure.interval": "60 s", "measure.intervals": 2}
WRITERS = ["export", "reference"]
NOT_IN_BOTH = {"channels": "export writes no record 73"}
TABLES = ("volumes", "pools", "partitions", "logical_processors", "enqueues", "serialization", "channels")


def written(run: sw.Run, writer: str) -> bytes:
    """A run as one of the two writers has it."""
    if writer == "export":
        return smf(run, system="SYSA", start=f"{START:%Y-%m-%d %H:%M:%S}")
    count = int(run.raw["partitions"]["interval"].max()) + 1  # type: ignore[arg-type]
    intervals = [
        reference.Interval(
            start=START + datetime.timedelta(seconds=number * run.interval_s),
            seconds=run.interval_s,
            tables={name: run.raw[name].filter(pl.col("interval") == number).to_dicts() for name in TABLES},
            weights={"PROD": 600, "TEST": 300},
            processors=3,
            paths=[0x41, 0x42],
        )
        for number in range(count)
    ]
    return reference.dump(intervals, "SYSA")


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    run = sw.run(SCENARIO, replications=1, set=SHORT)
    folder = tmp_path_factory.mktemp("short")
    for writer in WRITERS:
        (folder / writer).write_bytes(written(run, writer))
    return {writer: folder / writer for writer in WRITERS}


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    run = sw.run(SCENARIO, replications=1)
    folder = tmp_path_factory.mktemp("day")
    for writer in WRITERS:
        (folder / writer).write_bytes(written(run, writer))
    return {writer: folder / writer for writer in WRITERS}


@pytest.mark.parametrize("table", [name for name in TABLES if name not in NOT_IN_BOTH])
def test_both_writers_give_the_same_tables(short: dict[str, Path], table: str) -> None:
    ours, theirs = (sw.read([short[writer]]).of().raw[table] for writer in WRITERS)
    assert ours.height == theirs.height > 0
    for column in ours.columns:
        if column in ("channel_busy_percent", "lock_waiting"):  # of record 73; of a lock that is hardly waited for
            continue
        if not ours[column].dtype.is_numeric():
            assert ours[column].to_list() == theirs[column].to_list(), column
            continue
        for number, other in zip(ours[column].to_list(), theirs[column].to_list(), strict=True):
            assert (number is None) == (other is None), column
            assert number is None or number == pytest.approx(other, rel=1e-3, abs=1e-3), column


def test_channels_and_paths_give_a_pool_its_utilization(short: dict[str, Path]) -> None:
    run = sw.read([short["reference"]]).of()
    busy = run.raw["channels"].group_by("interval", maintain_order=True).agg(pl.col("busy_percent").mean())
    assert run.raw["pools"]["channel_busy_percent"].to_list() == pytest.approx(busy["busy_percent"].to_list(), rel=1e-3)


# Both writers give the same tables, so that what takes long is asked of one dump.  Channels are in one of them alone.
@pytest.mark.slow
@pytest.mark.parametrize("writer", WRITERS)
def test_aliases_need_no_option(day: dict[str, Path], slicewright: CommandLine, writer: str) -> None:
    said = slicewright("advise", "aliases", day[writer], "-q")
    assert (said.status, said.err) == (0, "")
    assert "24 intervals of 3,600 s" in said.out
    assert "(2 more than now)" in said.out, "SMF74HPC has the aliases"
    assert "fails per try" in said.out, "R783XANC has the tries"
    assert ("channels: not in these records" in said.out) == (writer == "export")


@pytest.mark.slow
def test_slices_need_no_option(day: dict[str, Path], slicewright: CommandLine) -> None:
    said = slicewright("advise", "slices", day["reference"], "-q")
    assert (said.status, said.err) == (0, "")
    assert "shares by the weights: PROD 66.67 %, TEST 33.33 %" in said.out
    assert "MVS BUSY" in said.out
    assert "Settles it monitor data of the same load with another slice" in said.out


@pytest.mark.slow
def test_exits_need_no_option(day: dict[str, Path], slicewright: CommandLine) -> None:
    said = slicewright("advise", "exits", day["reference"], "--assume", "measure.replications=3", "-q")
    assert (said.status, said.err) == (0, "")
    assert "SYSDSN  PAY.MASTER" in said.out
    assert "72-5 counts ENQs: each is taken for a pair of ENQ and DEQ" in said.out
    assert "the present structure of exits is in no record" in said.out


@pytest.mark.parametrize("writer", WRITERS)
def test_polarization_says_what_the_records_have_and_lack(
    short: dict[str, Path], slicewright: CommandLine, writer: str
) -> None:
    said = slicewright("advise", "polarization", short[writer])
    assert (said.status, said.out) == (2, "")
    assert "by weight of 3 processors the partitions are entitled to PROD 2.00, TEST 1.00 (70-1)" in said.err
    assert "z/OS parks its processors by itself, which is not simulated" in said.err
    assert "hardware counters (113) and topology (99-14)" in said.err

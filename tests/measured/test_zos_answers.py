"""Do small dumps of z/OS 3.1, and MONWRITE data of z/VM 5.3, give their right answers at the command line?

Names and numbers are invented; places and meanings are IBM's (docs/reference/smf-records.md).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import slicewright as sw

from tests.conftest import CommandLine
from tests.measured.dump_maker import channels, disks, number, paths, plain, pools, record, section, write

RECORDS = Path(__file__).parent / "records"


def _table(slicewright: CommandLine, file: Path, out: Path, name: str) -> pl.DataFrame:
    """A table of the first interval, after the command has written the means of all."""
    said = slicewright("read", file, "--out", out, "-q")
    assert said.status == 0, said.err
    assert (out / f"{name}.parquet").exists()
    return sw.read([file]).of().raw[name].filter(pl.col("interval") == 0)


def _advice(slicewright: CommandLine, question: str, file: Path, *more: str) -> tuple[str, dict[str, Any]]:
    text = slicewright("advise", question, file, *more, "-q")
    assert text.status == 0, text.err
    return text.out, json.loads(slicewright("advise", question, file, *more, "--format", "json", "-q").out)


@pytest.mark.parametrize("name", ["dasd.smf", "dasd-rdwonly.smf", "dasd-logical-records.smf"])
def test_disks_have_their_rates_waits_and_aliases(slicewright: CommandLine, tmp_path: Path, name: str) -> None:
    said = slicewright("read", RECORDS / name)
    assert "PRDA: 2 intervals" in said.out
    volumes = _table(slicewright, RECORDS / name, tmp_path / "run", "volumes")
    assert volumes["io_per_s"].to_list()[:3] == pytest.approx([812, 604, 55], rel=1e-3)
    assert volumes["iosq_rmf_ms"].to_list()[:3] == pytest.approx([0.9, 0.45, 0], abs=0.01)
    assert volumes["iosq_ms"].to_list()[:3] == pytest.approx([0.9, 0.45, 0], abs=1e-6)
    assert volumes["command_ms"].to_list()[:3] == pytest.approx([0.06] * 3, abs=1e-3)
    assert volumes["exposures"].to_list()[:3] == pytest.approx([0.8, 0.5, 0])
    pool = _table(slicewright, RECORDS / name, tmp_path / "again", "pools").row(0, named=True)
    assert pool["aliases"] == 8
    assert pool["tries"] / 900 / (812 + 604 + 55) == pytest.approx(0.5, abs=0.001)
    assert pool["fails"] / 900 / (812 + 604 + 55) == pytest.approx(0.1, abs=0.001)


def test_tapes_are_no_disks(slicewright: CommandLine, tmp_path: Path) -> None:
    volumes = _table(slicewright, RECORDS / "dasd-logical-records.smf", tmp_path / "run", "volumes")
    assert volumes.height == 5
    page = slicewright("report", tmp_path / "run", "--page", "fcx108")
    assert page.status == 0, page.err
    assert all(name in page.out for name in volumes["volume"].to_list())


def test_the_ratio_of_a_pool_is_fails_per_io_where_its_record_has_no_tries(slicewright: CommandLine) -> None:
    few = ("--aliases", "0001=8", "--interval", "0")
    text, made = _advice(slicewright, "aliases", RECORDS / "hnai-htio-none.smf", *few)
    assert "I/Os/s, 3,8" in text
    assert "fails per I/O .39" in text
    assert "tries/s" not in text
    assert made["question"] == "aliases"


def test_the_ratio_of_a_pool_is_fails_per_try_where_its_record_has_tries(
    slicewright: CommandLine, tmp_path: Path
) -> None:
    pool = _table(slicewright, RECORDS / "dasd-rdwonly.smf", tmp_path / "run", "pools").row(0, named=True)
    assert pool["fails_per_try"] == pytest.approx(0.20, abs=0.005)
    assert pool["tries"] / 900 == pytest.approx(736, abs=1)


def test_slices_need_neither_weights_nor_processors(slicewright: CommandLine) -> None:
    said = slicewright("advise", "slices", RECORDS / "70-and-74.smf", "--interval", "0", "-q")
    assert said.status == 0, said.err
    assert "PRDA 66.67 %, TSTB 33.33 %" in said.out
    assert "PHYSICAL" not in said.out


def test_partitions_are_those_that_use_general_processors(slicewright: CommandLine, tmp_path: Path) -> None:
    rows = _table(slicewright, RECORDS / "70-1.smf", tmp_path / "run", "partitions")
    assert rows["partition"].to_list() == ["PRDA", "TSTB"]
    used = rows["dispatched_percent"] * rows["logical_processors"] / 100
    assert used.to_list() == pytest.approx([2.242, 0.996], abs=0.01)
    assert set(rows["machine_processors"]) == {6}
    said = slicewright("advise", "slices", RECORDS / "70-1.smf", "-q")
    assert (said.status, said.out) == (2, "")
    assert "74-1" in said.err


def test_exits_see_requests_of_system_and_systems(slicewright: CommandLine) -> None:
    few = ("--assume", "measure.replications=2")
    text, made = _advice(slicewright, "exits", RECORDS / "72-5-77.smf", *few)
    assert "300 ENQs per second outside STEP, 33.3 % with SCOPE=SYSTEMS" in text
    assert made["global_share_percent"] == pytest.approx(100 / 3)


def test_monwrite_data_of_zvm_53_have_their_lengths(slicewright: CommandLine, tmp_path: Path) -> None:
    volumes = _table(slicewright, RECORDS / "lengths-53.monwrite", tmp_path / "run", "volumes")
    assert volumes["io_per_s"].to_list() == pytest.approx([700, 400, 100], rel=1e-3)
    assert volumes["queue_depth_sampled"].to_list() == pytest.approx([0.8, 0.3, 0], abs=0.01)


@pytest.mark.parametrize(
    ("busy", "words"),
    [
        ({0x41: 10, 0x42: 30, 0x43: 90}, "channels 20 % busy, as measured (73, 78-3)"),
        ({0x41: 50, 0x42: 70}, "channels 60 % busy, as measured (73, 78-3), by others too; by this I/O up to"),
        ({0x41: 10}, "channels: not in these records"),
    ],
    ids=["own", "shared", "one of two"],
)
def test_records_73_and_783_say_how_busy_the_channels_of_a_pool_are(
    slicewright: CommandLine, tmp_path: Path, busy: dict[int, float], words: str
) -> None:
    rows = disks([("LAB001", 900_000), ("LAB002", 450_000)], aliases=4)
    file = write(tmp_path / "day", rows, pools(0.0, 1_350_000.0, None, paths(0x41, 0x42)), channels(busy))
    table = _table(slicewright, file, tmp_path / "run", "channels")
    assert table["channel"].to_list() == [f"{path:02X}" for path in busy]
    assert table["busy_percent"].to_list() == pytest.approx(list(busy.values()), rel=1e-3)
    said = slicewright("read", file)
    assert "73-1    Channel path activity" in said.out
    assert "utilization of channel paths" in said.out
    text = slicewright("advise", "aliases", file, "-q").out
    assert words in " ".join(text.split())
    assert ("as measured" in text) == (len(busy) > 1)


def test_devices_of_two_subchannel_sets_are_two(slicewright: CommandLine, tmp_path: Path) -> None:
    file = write(tmp_path / "day", disks([("LAB001", 90_000)]), disks([("LAB001", 45_000)], subchannel_set=1))
    volumes = _table(slicewright, file, tmp_path / "run", "volumes")
    assert volumes["device"].to_list() == ["3100", "13100"]
    assert volumes["io_per_s"].to_list() == pytest.approx([100, 50])


def test_a_pool_has_its_aliases_without_record_783(slicewright: CommandLine, tmp_path: Path) -> None:
    file = write(tmp_path / "day", disks([("LAB001", 900_000), ("LAB002", 450_000)], aliases=4))
    text, _ = _advice(slicewright, "aliases", file)
    assert "pool 0031" in text
    assert "4 (read)" in text


def test_volumes_with_static_aliases_are_not_advised_on_as_if_they_had_none(
    slicewright: CommandLine, tmp_path: Path
) -> None:
    file = write(tmp_path / "day", disks([("LAB001", 900_000)], exposures=3))
    said = slicewright("advise", "aliases", file, "-q")
    assert said.status == 2
    assert "static aliases" in said.err


def test_records_that_are_counted_alone_are_named(slicewright: CommandLine, tmp_path: Path) -> None:
    cache, workload = (record(code, [[section(64, {})]]) for code in ((74, 5), (72, 3)))
    counters, unknown = (plain(kind, 28, {4: b"\x5e", 22: number(1, 2)}) for kind in (113, 200))
    file = write(tmp_path / "day", disks([("LAB001", 90_000)]), cache, workload, counters, unknown)
    said = slicewright("read", file)
    assert said.status == 0, said.err
    rows = {line.split()[0]: line for line in said.out.splitlines() if line[2:3].isdigit() and "-" in line}
    assert "Cache subsystem activity" in rows["74-5"]
    assert rows["74-5"].endswith("counted")
    assert "Hardware counters" in rows["113-1"]
    told = said.out[said.out.index("Not read") : said.out.index("Answers")]
    assert "72-3, Workload activity: counted alone" in told
    assert "200" not in told
    assert "74-1" not in told

"""Are recorded I/Os replayed as they were recorded, from CSV and Parquet alike, and kept with the run?"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import slicewright
from slicewright._core import RunError, Scenario, supply
from slicewright.scenario.source import read_scenario

from tests.conftest import CommandLine
from tests.tidy.tree import ROOT

SHIPPED = ROOT / "scenarios/replay.toml"
SHORT = ["measure.interval=5 s", "measure.intervals=1", "measure.replications=2"]

ONE_VOLUME = """\
name = "one volume, one millisecond"
assume = "a test"

[[volume]]
name = "A"
device = "5220"
service = { pend = "0.2 ms", connect = "0.8 ms" }

[[guest]]
name = "RECORDED"
replay = "io.csv"

[measure]
interval = "1 s"
warm_up = "0 s"
replications = 2
"""


@pytest.fixture
def one_volume(tmp_path: Path) -> Path:
    """A volume that serves each I/O in one millisecond, and a guest whose I/Os stand in io.csv beside it."""
    path = tmp_path / "one.toml"
    path.write_text(ONE_VOLUME, encoding="utf-8")
    return path


def record(one_volume: Path, rows: list[str], header: str = "time_ms,volume") -> None:
    """Write io.csv beside a scenario."""
    (one_volume.parent / "io.csv").write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")


def test_arrivals_apart_from_each_other_are_served_at_once(one_volume: Path) -> None:
    record(one_volume, [f"{10 * at},A" for at in range(50)])
    system = slicewright.run(one_volume).system
    assert (system["io_per_s"][0], system["response_ms"][0], system["queue_depth"][0]) == (50.0, 1.0, 0.0)


def test_a_pair_at_one_instant_waits_for_each_other(one_volume: Path) -> None:
    record(one_volume, [f"{10 * (at // 2)},A" for at in range(100)])
    system = slicewright.run(one_volume).system
    assert system["response_ms"][0] == pytest.approx(1.5, abs=1e-12)
    assert system["queue_depth"][0] == pytest.approx(50 * 0.001, abs=1e-12)


def test_the_units_of_time_mean_the_same(one_volume: Path) -> None:
    made = []
    for header, factor in (("time_s", 0.001), ("time_ms", 1), ("time_us", 1000)):
        record(one_volume, [f"{factor * 10 * at:g},5220" for at in range(20)], f"{header},volume")
        made.append(slicewright.run(one_volume).raw["system"])
    assert made[0].equals(made[1], null_equal=True)
    assert made[0].equals(made[2], null_equal=True)


def test_reads_and_writes_and_bytes_are_counted_as_recorded(one_volume: Path) -> None:
    record(one_volume, ["0,A,8192,W", "5,A,,r", "9,A,1024,write"], "time_ms,volume,bytes,access")
    volumes = slicewright.run(one_volume).volumes
    assert (volumes["reads_per_s"][0], volumes["writes_per_s"][0], volumes["kib_per_s"][0]) == (1.0, 2.0, 13.0)


def test_csv_and_parquet_give_the_same_bytes(tmp_path: Path) -> None:
    frame = pl.read_csv(SHIPPED.with_suffix(".csv"))
    frame.write_parquet(tmp_path / "replay.parquet")
    text = SHIPPED.read_text(encoding="utf-8").replace('"replay.csv"', '"replay.parquet"')
    (tmp_path / "replay.toml").write_text(text, encoding="utf-8")
    csv, parquet = slicewright.run(SHIPPED, set=SHORT), slicewright.run(tmp_path / "replay.toml", set=SHORT)
    for table in csv.raw:
        assert csv.raw[table].equals(parquet.raw[table], null_equal=True), table
    assert csv.recordings[0].copy.endswith(".csv")
    assert parquet.recordings[0].copy.endswith(".parquet")


def test_the_shipped_recording_is_what_its_formula_makes() -> None:
    rows = []
    for start, spacing, count in ((0, 10_000, 1000), (10_000_000, 1_667, 3000), (15_001_000, 10_000, 499)):
        for k in range(count):
            size = 32_768 if k % 10 == 9 else 4_096
            volume = "DATA1" if k % 3 < 2 else "DATA2"
            time_us = start + spacing * k + (7919 * k % 997) * spacing // 1000
            rows.append(f"{time_us},{volume},{size},{'write' if k % 4 == 3 else 'read'}")
    expected = "\n".join(["time_us,volume,bytes,access", *rows]) + "\n"
    assert SHIPPED.with_suffix(".csv").read_text(encoding="utf-8") == expected


def test_the_run_directory_keeps_what_was_replayed_and_runs_again(tmp_path: Path) -> None:
    first = slicewright.run(SHIPPED, set=SHORT, out=tmp_path / "first")
    (told,) = json.loads((tmp_path / "first/manifest.json").read_text(encoding="utf-8"))["recordings"]
    assert (told["guest"], told["file"], told["records"]) == ("RECORDED", "replay.csv", 4499)
    assert (tmp_path / "first" / told["copy"]).read_bytes() == SHIPPED.with_suffix(".csv").read_bytes()
    again = slicewright.run(tmp_path / "first/scenario.toml")
    assert again.checksum == first.checksum
    assert again.intervals.equals(first.intervals, null_equal=True)
    loaded = slicewright.load(tmp_path / "first")
    assert isinstance(loaded, slicewright.Run)
    assert loaded.recordings[0].sha256 == told["sha256"]


def test_another_recording_is_another_scenario(one_volume: Path) -> None:
    checksums = set()
    for rows in (["0,A"], ["1,A"]):
        record(one_volume, rows)
        checksums.add(slicewright.run(one_volume).checksum)
    assert len(checksums) == 2


def test_a_changed_copy_is_noticed(one_volume: Path, tmp_path: Path, slicewright: CommandLine) -> None:
    record(one_volume, ["0,A"])
    slicewright("run", one_volume, "--out", tmp_path / "out")
    (copy,) = (tmp_path / "out/replay").iterdir()
    copy.write_text("time_ms,volume\n1,A\n", encoding="utf-8")
    outcome = slicewright("report", tmp_path / "out", "--page", "fcx108")
    assert outcome.status == 2
    assert "is not what was written" in outcome.err


def test_what_was_not_supplied_is_explained_and_not_simulated(one_volume: Path, slicewright: CommandLine) -> None:
    scenario = read_scenario(one_volume)
    with pytest.raises(RunError, match=r"io\.csv.*have not been supplied"):
        scenario.simulate(1, (0, 1), 1, 0.0)
    assert slicewright("explain", one_volume).status == 0


def test_a_program_may_supply_records_itself(one_volume: Path) -> None:
    records: dict[str, list[Any]] = {
        "time_ns": [0, 5_000_000],
        "texts": ["A"],
        "text": [0, 0],
        "bytes": [4096] * 2,
        "write": [False] * 2,
    }
    supplied = supply(Scenario.read(one_volume.read_bytes(), "one.toml"), "RECORDED", records)
    result = slicewright.run(supplied)
    assert result.system["io_per_s"][0] == 2.0
    assert any("supplied by a program" in note for note in result.notes)


def test_what_comes_after_the_last_interval_is_said(one_volume: Path) -> None:
    record(one_volume, ["0,A", "999,A", "1001,A"])
    result = slicewright.run(one_volume)
    assert result.system["io_per_s"][0] == 2.0
    assert any("1 of 3 recorded I/Os come after the last interval" in note for note in result.notes)


def test_a_text_is_relative_to_the_working_directory(one_volume: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record(one_volume, ["0,A"])
    monkeypatch.chdir(one_volume.parent)
    assert slicewright.run(ONE_VOLUME).recordings[0].records == 1


def test_a_timeline_shows_recorded_arrivals(one_volume: Path) -> None:
    record(one_volume, ["2,A", "2.5,A"])
    text = slicewright.trace(one_volume, for_s=0.01).text()
    assert "RECORDED" in text


def test_parquet_of_whole_microseconds_reads_like_floats(one_volume: Path) -> None:
    made = []
    for column in (pl.Series("time_us", [0, 1500]), pl.Series("time_us", [0.0, 1500.0])):
        buffer = io.BytesIO()
        pl.DataFrame([column, pl.Series("volume", ["A", "5220"], dtype=pl.Categorical)]).write_parquet(buffer)
        (one_volume.parent / "io.csv").write_bytes(buffer.getvalue())
        made.append(slicewright.run(one_volume).raw["system"])
    assert made[0].equals(made[1], null_equal=True)

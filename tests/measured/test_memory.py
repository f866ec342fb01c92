"""Does reading monitor data take the same memory whatever the size of a file, and give the same tables?"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import slicewright as sw
from polars.testing import assert_frame_equal
from slicewright._core import InputError, monitor_file, smf_file
from slicewright.measured.measured import Measured
from slicewright.run import stored
from slicewright.run.manifest import MANIFEST, OWN, text_of, written_in
from slicewright.run.stored import Stored
from slicewright.run.tables import ENTITY, per_replication

FIGURES = {"io_per_s": 120.0, "pend_ms": 0.2, "disc_ms": 0.1, "conn_ms": 0.9, "queue_depth": 0.3, "response_ms": 1.5}
EMPTY: dict[str, dict[str, list[Any]]] = {
    "volumes": {"volume": []}, "pools": {"pool": []}, "partitions": {"partition": []},
    "logical_processors": {"number": []}, "control_programs": {"partition": []}, "control_processors": {"number": []},
    "locks": {"lock": []},
}  # fmt: skip


def intervals(form: str, count: int, devices: int) -> list[dict[str, Any]]:
    """Intervals in which every disk has its own rates and times; some disks are idle in some of them."""
    draw = random.Random(7)
    names = range(devices)
    table: dict[str, list[Any]] = {"device": [f"{0x1000 + at:04X}" for at in names]}
    if form == "smf":
        table["volume"] = [f"V{at:05}" for at in names]
    else:
        table |= {name: [""] * devices for name in ("type", "base", "pool")}
        table |= {"label": [f"V{at:05}" for at in names], "role": ["base"] * devices, "paths": [4] * devices}
    of = "volumes" if form == "smf" else "devices"
    made = []
    for _ in range(count):
        values = {name: [usual * draw.uniform(0.5, 1.5) for _ in names] for name, usual in FIGURES.items()}
        values["io_per_s"] = [0.0 if draw.random() < 0.1 else rate for rate in values["io_per_s"]]
        tables = {**({} if form == "smf" else EMPTY), of: table | values}
        made.append({"length_s": 60.0, "samples": 60, "tables": tables})
    return made


def day(form: str, folder: Path, count: int, devices: int = 40) -> Path:
    """A file of some intervals."""
    made = intervals(form, count, devices)
    data = smf_file(made, "LAB1", 0) if form == "smf" else monitor_file(made, "LABSYS", 0)
    path = folder / f"{form}-{count}"
    path.write_bytes(data)
    return path


@pytest.fixture(params=["smf", "monwrite"])
def both(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Measured, Measured]:
    """The same day with its tables in memory, and in files."""
    file = day(request.param, tmp_path, 9)
    whole = sw.read([file]).of()
    monkeypatch.setattr(stored, "MOST_ROWS", 100)
    return whole, sw.read([file]).of()


def same(whole: Measured, parts: Measured) -> None:
    """Both have the same tables, by interval and over all of them, and the same page."""
    for table in ENTITY:
        assert parts.raw[table].equals(whole.raw[table], null_equal=True), table
        assert_frame_equal(parts[table], whole[table], rel_tol=1e-14, abs_tol=0.0)
    assert parts.html() == whole.html()


def test_tables_in_files_are_those_in_memory(both: tuple[Measured, Measured]) -> None:
    whole, parts = both
    assert isinstance(parts.raw, Stored)
    assert "volumes" in parts.raw.files
    assert not isinstance(whole.raw, Stored)
    same(whole, parts)


def test_the_engine_makes_one_interval_of_several_by_the_rules_of_the_counters(both: tuple[Measured, Measured]) -> None:
    _, parts = both
    for table, counted in parts.counted.items():
        assert_frame_equal(counted, per_replication(parts.raw[table], table), rel_tol=1e-14, abs_tol=0.0)
    assert parts.counted


def test_a_run_directory_has_the_same_tables_and_is_read_back_from_its_files(
    both: tuple[Measured, Measured], tmp_path: Path
) -> None:
    whole, parts = both
    parts.save(tmp_path / "run")
    loaded = sw.load(tmp_path / "run")
    assert isinstance(loaded, Measured)
    assert isinstance(loaded.raw, Stored)
    same(whole, loaded)
    assert loaded.at(4)["volumes"].equals(whole.at(4)["volumes"])


@pytest.mark.parametrize("name", ["raw/volumes.parquet", "volumes.parquet", "raw/pools.parquet"])
@pytest.mark.parametrize("data", [b"", b"PAR1 no more than this PAR1"])
def test_a_table_that_is_no_parquet_is_named(
    both: tuple[Measured, Measured], name: str, data: bytes, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    both[1].save(folder)
    (folder / name).write_bytes(data)
    facts = json.loads((folder / MANIFEST).read_text())
    del facts[OWN], facts["files"]
    (folder / MANIFEST).unlink()
    (folder / MANIFEST).write_text(text_of(facts | {"files": written_in(folder)}))
    with pytest.raises(InputError, match=f"run: is a damaged run directory.*\n.*{name}: is no Parquet"):
        sw.load(folder)


def spools() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob(".slicewright-*"))


@pytest.mark.parametrize("form", ["smf", "monwrite"])
def test_a_file_that_is_cut_leaves_nothing_behind(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(stored, "MOST_ROWS", 100)
    file = day(form, tmp_path, 9)
    file.write_bytes(file.read_bytes()[:-5000])
    with pytest.raises(InputError, match="cut short"):
        sw.read([file])
    assert spools() == set()


def test_files_go_with_the_run_that_needs_them(
    both: tuple[Measured, Measured], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    run = sw.read([next(tmp_path.glob("*-9"))]).of()
    assert len(spools()) == 1
    del run
    assert spools() == set()


def test_records_of_an_interval_may_come_in_any_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (tmp_path / name for name in ("first", "second"))
    made = intervals("smf", 6, 40)
    first.write_bytes(smf_file(made[:3], "LAB1", 0))
    second.write_bytes(smf_file(made[3:], "LAB1", 180_000_000))
    in_order = sw.read([first, second]).of()
    monkeypatch.setattr(stored, "MOST_ROWS", 100)
    for files in ([first, second], [second, first], [second, first, second]):
        found = sw.read(files).of()
        assert found.starts_us == in_order.starts_us
        assert found.raw["volumes"].equals(in_order.raw["volumes"], null_equal=True)


def peak_mb(*arguments: str) -> float:
    """The peak memory of a command, MB."""
    script = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    command = [sys.executable, "-c", script, sys.executable, "-m", "slicewright", *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(done.stdout) / 1024


def files_of(form: str, folder: Path, counts: Sequence[int]) -> list[Path]:
    return [day(form, folder, count, 2_000) for count in counts]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["smf", "monwrite"])
@pytest.mark.parametrize("out", [True, False], ids=["read --out", "read"])
def test_peak_memory_does_not_grow_with_a_file(form: str, out: bool, tmp_path: Path) -> None:
    peaks = []
    for file in files_of(form, tmp_path, [40, 160]):
        peaks.append(peak_mb("read", str(file), *(["--out", f"{file}-run"] if out else [])))
    assert peaks[1] < 1.2 * peaks[0], peaks
    assert peaks[1] < 300, peaks

"""Is a run directory complete, the same whenever written, and never something else's end?"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import polars as pl
import pytest
import slicewright
from slicewright import InputError
from slicewright.run.tables import ENTITY


def _bytes(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_run_directory_has_everything(small: Path, tmp_path: Path) -> None:
    result = slicewright.run(small, out=tmp_path / "out")
    names = set(_bytes(tmp_path / "out"))
    assert {"scenario.toml", "manifest.json", "numbers.json", "report.html"} <= names
    assert {f"{table}.parquet" for table in ENTITY} <= names
    assert pl.read_parquet(tmp_path / "out" / "volumes.parquet").equals(result.volumes, null_equal=True)


def test_two_equal_runs_are_equal_to_the_byte(small: Path, tmp_path: Path) -> None:
    for name, threads in (("one", 1), ("two", 2)):
        slicewright.run(small, out=tmp_path / name, threads=threads)
    assert _bytes(tmp_path / "one") == _bytes(tmp_path / "two")


def test_the_resolved_scenario_runs_the_same(small: Path, tmp_path: Path) -> None:
    result = slicewright.run(small, out=tmp_path / "out")
    again = slicewright.run(tmp_path / "out" / "scenario.toml")
    assert again.checksum == result.checksum
    assert again.intervals.equals(result.intervals, null_equal=True)


def test_the_manifest_carries_no_date(small: Path, tmp_path: Path) -> None:
    slicewright.run(small, out=tmp_path / "out", seed=7)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    facts = {
        "format",
        "slicewright",
        "name",
        "checksum",
        "seed",
        "replications",
        "warm_up_s",
        "notes",
        "recordings",
        "files",
        "sha256",
    }
    assert set(manifest) == facts
    assert manifest["seed"] == 7
    assert tomllib.loads((tmp_path / "out" / "scenario.toml").read_text())["name"] == manifest["name"]


def test_what_was_saved_is_loaded(small: Path, tmp_path: Path) -> None:
    result = slicewright.run(small, out=tmp_path / "out")
    loaded = slicewright.load(tmp_path / "out")
    assert loaded.scenario == result.scenario
    assert list(loaded.numbers) == list(result.numbers)
    for table in ENTITY:
        assert loaded.raw[table].equals(result.raw[table], null_equal=True)


def test_an_earlier_run_is_replaced(small: Path, tmp_path: Path) -> None:
    slicewright.run(small, out=tmp_path / "out", seed=1)
    slicewright.run(small, out=tmp_path / "out", seed=2)
    assert slicewright.load(tmp_path / "out").seed == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "small.toml"]


def test_an_empty_directory_is_used(small: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    slicewright.run(small, out=tmp_path / "out")
    assert (tmp_path / "out" / "report.html").exists()


def test_a_directory_of_anything_else_is_refused_before_the_run(small: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").touch()
    with pytest.raises(InputError, match=r"thesis\.txt"):
        slicewright.run(small, out=tmp_path / "out")


def test_a_run_directory_with_something_added_is_refused(small: Path, tmp_path: Path) -> None:
    slicewright.run(small, out=tmp_path / "out")
    (tmp_path / "out" / "notes.txt").touch()
    with pytest.raises(InputError, match=r"notes\.txt"):
        slicewright.run(small, out=tmp_path / "out")
    assert (tmp_path / "out" / "notes.txt").exists()


def test_a_file_is_not_replaced(small: Path) -> None:
    with pytest.raises(InputError, match="is not a directory"):
        slicewright.run(small, out=small)


@pytest.mark.parametrize("name", ["manifest.json", "scenario.toml", "numbers.json", "raw/volumes.parquet"])
def test_a_damaged_run_directory_is_refused(small: Path, tmp_path: Path, name: str) -> None:
    slicewright.run(small, out=tmp_path / "out")
    (tmp_path / "out" / name).write_bytes(b"\xff\x00{")
    with pytest.raises(InputError, match="is a damaged run directory"):
        slicewright.load(tmp_path / "out")
    (tmp_path / "out" / name).unlink()
    with pytest.raises(InputError, match="is not a run directory"):
        slicewright.load(tmp_path / "out")


def test_a_directory_of_another_format_is_refused(small: Path, tmp_path: Path) -> None:
    slicewright.run(small, out=tmp_path / "out")
    manifest = tmp_path / "out" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"format": 7', '"format": 99'))
    with pytest.raises(InputError, match="format 99"):
        slicewright.load(tmp_path / "out")

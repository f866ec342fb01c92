"""`report RUN --verify` names each file of a run directory that is damaged, missing, extra or does not follow."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest
import slicewright as package
from slicewright.run.manifest import text_of, written_in

from tests.conftest import SMALL, CommandLine


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run directory as it should be."""
    out = tmp_path_factory.mktemp("runs") / "sound"
    package.run(SMALL, replications=2, out=out)
    return out


def _sign(run: Path) -> None:
    facts = json.loads((run / "manifest.json").read_text())
    del facts["sha256"]
    files = {name: row for name, row in written_in(run).items() if name != "manifest.json"}
    (run / "manifest.json").write_text(text_of({**facts, "files": files}))


def test_a_sound_run_is_said_to_be(slicewright: CommandLine, sound: Path) -> None:
    done = slicewright("report", sound, "--verify")
    assert (done.status, done.err) == (0, "")
    count = sum(path.is_file() for path in sound.rglob("*"))
    assert done.out == f"{count} files: each is what was written, and estimates, numbers and page follow from it\n"


def test_damaged_missing_and_extra_files_are_named(slicewright: CommandLine, sound: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(sound, tmp_path / "run"))
    (run / "volumes.parquet").write_bytes((run / "volumes.parquet").read_bytes()[:-1])
    changed = bytearray((run / "report.html").read_bytes())
    changed[100] ^= 1
    (run / "report.html").write_bytes(changed)
    (run / "numbers.json").unlink()
    (run / "raw" / "mine.txt").touch()
    done = slicewright("report", run, "--verify")
    assert (done.status, done.out) == (2, "")
    for words in (
        f"{run}/volumes.parquet: damaged\n  why: is not what was written: ",
        f"{run}/report.html: damaged\n  why: is not what was written: its SHA-256 is not that in manifest.json",
        f"{run}/numbers.json: missing\n",
        f"{run}/raw/mine.txt: extra\n  why: no file of manifest.json",
    ):
        assert words in done.err
    rows = json.loads(slicewright("report", run, "--verify", "--format", "json").out)
    assert {row["file"]: row["state"] for row in rows if row["state"] != "ok"} == {
        "volumes.parquet": "damaged",
        "report.html": "damaged",
        "numbers.json": "missing",
        "raw/mine.txt": "extra",
    }


def test_what_does_not_follow_is_named(slicewright: CommandLine, sound: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(sound, tmp_path / "run"))
    frame = pl.read_parquet(run / "volumes.parquet")
    frame.with_columns(io_per_s=pl.lit(1.0)).write_parquet(run / "volumes.parquet")
    (run / "report.html").write_text("<p>better</p>")
    (run / "numbers.json").write_text("[]")
    _sign(run)
    done = slicewright("report", run, "--verify")
    assert done.status == 2
    named = [line.partition(": ")[2] for line in done.err.splitlines() if str(run) in line]
    assert len(named) == 3
    assert (
        f"{run}/volumes.parquet: differs\n  why: is not the estimates that follow from raw/volumes.parquet" in done.err
    )
    assert f"{run}/numbers.json: differs\n  why: is not the numbers of scenario.toml" in done.err
    assert f"{run}/report.html: differs\n  why: is not the page of this run" in done.err


def test_a_page_of_another_version_is_not_checked(slicewright: CommandLine, sound: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(sound, tmp_path / "run"))
    facts = json.loads((run / "manifest.json").read_text())
    del facts["sha256"]
    (run / "manifest.json").write_text(text_of({**facts, "slicewright": "9.9"}))
    done = slicewright("report", run, "--verify")
    assert done.status == 0
    assert "not checked: report.html: written by version 9.9" in done.out


def test_a_damaged_manifest_is_refused_before_all_else(slicewright: CommandLine, sound: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(sound, tmp_path / "run"))
    text = (run / "manifest.json").read_text()
    (run / "manifest.json").write_text(text.replace('"seed": 1', '"seed": 3'))
    done = slicewright("report", run, "--verify")
    assert (done.status, done.out) == (2, "")
    assert "manifest.json: is not what was written: its own SHA-256 is not that of its text" in done.err


def test_verify_prints_no_page(slicewright: CommandLine, sound: Path) -> None:
    done = slicewright("report", sound, "--verify", "--page", "fcx108")
    assert (done.status, done.out) == (2, "")
    assert "verify: prints no page" in done.err

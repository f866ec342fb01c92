"""Does the current folder have no say in what runs?"""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl
import pytest
from slicewright.live.threads import Threads, Waiter, run_threads
from slicewright.values.parquet import read_apart

from tests.live.test_machine import PROCESSOR
from tests.tidy.tree import ROOT

PLANTED = {"slicewright/__init__.py": 'open("ran", "w")\n', "random.py": ""}


@pytest.fixture(params=PLANTED)
def planted(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, in which a module has the name of one that a child imports."""
    file = tmp_path / request.param
    file.parent.mkdir(exist_ok=True)
    file.write_text(PLANTED[request.param], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_module_in_the_current_folder_is_not_run_to_read_parquet(planted: Path) -> None:
    buffer = io.BytesIO()
    pl.DataFrame({"time_s": [0.5]}).write_parquet(buffer)
    assert read_apart(buffer.getvalue(), 1)["time_s"].to_list() == [0.5]
    assert not (planted / "ran").exists()


def test_a_module_in_the_current_folder_is_not_run_to_measure(planted: Path) -> None:
    saw = run_threads(Threads(PROCESSOR, 5_000_000, False, (Waiter("locked", 0, 1_000_000),)), None)
    assert len(saw.waits) == 1
    assert not (planted / "ran").exists()


def test_only_one_place_knows_how_a_child_is_started() -> None:
    sources = (ROOT / "python/slicewright").rglob("*.py")
    assert [file.name for file in sources if "sys.executable" in file.read_text("utf-8")] == ["child.py"]

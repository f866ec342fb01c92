"""Does the folder that somebody happens to stand in have no say in what runs, and in what is drawn?"""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from slicewright.live.launch import run_threads
from slicewright.live.threads import Threads, Waiter
from slicewright.parquet import read_apart

from tests.test_live_machine import PROCESSOR

ROOT = Path(__file__).resolve().parents[1]
PLANTED = {"slicewright/__init__.py": 'open("ran", "w")\n', "random.py": ""}
DRAW = "from slicewright.plots import *; print(curve([Panel('y', [Curve([0, 1], [0, 1], label='a')])], 'x'))"


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


def drawn(folder: Path, **environment: str) -> str:
    """A picture that a process draws which stands in a folder; the bytes are the same for the same settings."""
    words = [sys.executable, "-P", "-c", DRAW]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def plain() -> str:
    """The picture as it is drawn where there are no settings."""
    return drawn(ROOT)


@pytest.mark.parametrize("settings", [b"xtick.major.size: 40\n", b"\xff\xfe"])
def test_a_matplotlibrc_in_the_current_folder_changes_no_picture(settings: bytes, plain: str, tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_bytes(settings)
    assert drawn(tmp_path) == plain


def test_a_matplotlibrc_that_the_environment_names_changes_no_picture(plain: str, tmp_path: Path) -> None:
    (tmp_path / "settings").write_bytes(b"xtick.major.size: 40\n")
    assert drawn(ROOT, MATPLOTLIBRC=str(tmp_path / "settings")) == plain


def test_a_style_of_the_caller_changes_no_picture_and_stays() -> None:
    import matplotlib as mpl
    from slicewright.plots.drawing import figure_of, ink, svg_of

    def lines() -> str:
        with ink():
            figure = figure_of(2, 1)
            figure.subplots().plot([0, 1], [0, 1])
            return svg_of(figure, "style")

    plain = lines()
    with mpl.rc_context({"lines.linewidth": 40}):
        assert lines() == plain
        assert mpl.rcParams["lines.linewidth"] == 40

"""Do the pages about sweeps name what a store has, and does their Python run?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from slicewright.explore.axes import axis
from slicewright.explore.points import schema
from slicewright.explore.store import MANIFEST
from slicewright.explore.sweep import sweep
from slicewright.scenario.starters import read_starter

from tests.sweep.example import QUICK
from tests.tidy.tree import ROOT

REFERENCE = ROOT / "docs" / "reference" / "sweep-store.md"
HOW_TO = ROOT / "docs" / "how-to" / "sweep.md"
ALIASES = axis("alias_pool.LSS-52.aliases", "0,8,16")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with the store that the pages read."""
    monkeypatch.chdir(tmp_path)
    sweep(read_starter("pool").with_(QUICK), {ALIASES.key: [0, 8, 16]}, out=tmp_path / "sweeps" / "aliases")
    return tmp_path


def test_the_reference_names_every_column_and_every_field(folder: Path) -> None:
    page = REFERENCE.read_text("utf-8")
    named = set(re.findall(r"`([^`]+)`", page))
    plain = [name for name, kind in schema([]).items() if "." not in name and "Struct" not in str(kind)]
    assert set(plain) <= named
    fields = re.findall(r'^ "(\w+)":', (folder / "sweeps" / "aliases" / MANIFEST).read_text("utf-8"), re.MULTILINE)
    assert fields
    assert set(fields) <= named


def test_the_python_of_the_pages_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = [
        block
        for page in (HOW_TO, REFERENCE)
        for block in re.findall(r"^```python\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
        if "SLURM" not in block
    ]
    assert len(blocks) == 2
    for block in blocks:
        exec(block, {})
    printed = capsys.readouterr().out
    assert "16" in printed
    assert "response_ms_half_width" in printed

"""What a wheel carries beside the package while it is built: published numbers, shipped scenarios, kept results.

No wheel is built here: that takes a compiler and half a minute.
"""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tests.tidy.tree import ROOT


def backend(monkeypatch: pytest.MonkeyPatch, data: Path) -> ModuleType:
    """The build backend, writing to `data` in place of the package's own folder."""
    spec = importlib.util.spec_from_file_location("backend", ROOT / "packaging" / "backend.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "DATA", data)
    return module


def built_with(seen: list[str], data: Path) -> str:
    """A replacement for maturin: records the files in the package while the wheel is made."""
    seen += sorted(path.relative_to(data).as_posix() for path in data.rglob("*.*"))
    return "slicewright.whl"


def test_a_wheel_carries_the_data_and_leaves_none_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    data, seen = tmp_path / "data", list[str]()
    module = backend(monkeypatch, data)
    monkeypatch.setattr(module.maturin, "build_wheel", lambda *_: built_with(seen, data))
    assert module.build_wheel(str(tmp_path)) == "slicewright.whl"
    assert "published/hyperpav/study.toml" in seen
    assert "scenarios/pool.toml" in seen
    assert "docs/validation/hyperpav.json" in seen
    assert not data.exists()


def test_a_build_that_fails_leaves_no_data_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = backend(monkeypatch, tmp_path / "data")

    def fail(*_: object) -> str:
        raise RuntimeError("no compiler")

    monkeypatch.setattr(module.maturin, "build_wheel", fail)
    with pytest.raises(RuntimeError, match="no compiler"):
        module.build_wheel(str(tmp_path))
    assert not (tmp_path / "data").exists()

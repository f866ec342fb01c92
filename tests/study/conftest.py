"""Published numbers that a test of a calibration may spoil."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from slicewright.values.carried import data_folder


@pytest.fixture
def published(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A copy of the published numbers of the study that a file tests, among those of all studies."""
    shutil.copytree(data_folder("published"), tmp_path / "published")
    name: str = request.module.STUDY.name
    return tmp_path / "published" / name

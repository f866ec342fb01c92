"""What tests of studies share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from slicewright.experiment.store import using


@pytest.fixture
def simulated_once(tmp_path: Path) -> Iterator[None]:
    """A store for one test: the same scenario, seed and warm-up are simulated once, anything else for itself."""
    with using(tmp_path / "store"):
        yield

"""The committed cells of each calibration are what its committed constants give."""

from __future__ import annotations

import pytest
from slicewright.study.calibrate import Fit
from slicewright.study.hiperdispatch import CHIPS, HARDWARE
from slicewright.study.studies import named

SINGLE = [
    pytest.param(name, part, marks=[pytest.mark.slow] if name != "hyperpav" else [])
    for name in ("hyperpav", "mdf", "hiperdispatch")
    for part in named(name).parts
    if part not in (HARDWARE, CHIPS)
]
"""Parts that are one set of constants each; tests of ensembles are beside their studies."""


@pytest.mark.parametrize(("name", "part"), SINGLE)
def test_the_committed_cells_are_what_the_committed_constants_give(name: str, part: str) -> None:
    study = named(name)
    kept = study.committed(part)
    again = Fit(study, part).calibration(kept.constants)
    assert (again.constants, again.scales) == (kept.constants, kept.scales)
    for new, old in zip(again.cells, kept.cells, strict=True):
        assert (new.table, new.row, new.column) == (old.table, old.row, old.column)
        assert new.simulated == pytest.approx(old.simulated, rel=1e-6)

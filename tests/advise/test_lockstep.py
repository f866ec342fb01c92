"""Do `run` and `advise` doubt ± where nothing in a loop is random?"""

from __future__ import annotations

import pytest

from tests.conftest import CommandLine
from tests.tidy.tree import ROOT

LOCKSTEP = ROOT / "crates/scenario/tests/lockstep.toml"


@pytest.mark.parametrize("command", ["run", "advise"])
def test_lockstep_is_a_warning(slicewright: CommandLine, command: str) -> None:
    said = slicewright(command, LOCKSTEP, "-q")
    assert said.status == 0
    assert "volume DISK: its requests move in lockstep" in said.out + said.err

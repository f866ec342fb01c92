"""Do `run` and `advise` doubt ± where nothing in a loop is random?"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import CommandLine

LOCKSTEP = """
name = "lockstep"
assume = "a test"

[[alias_pool]]
name = "P"
aliases = 1

[[volume]]
name = "DISK"
device = "522A"
alias_pool = "P"
service = { pend = "0.1 ms", disconnect = "0.2 ms", connect = "1 ms" }

[[guest]]
name = "JOBS"
count = 3
program = [ { think = "1 ms" }, { io = { volume = "DISK" } } ]

[measure]
interval = "2 s"
warm_up = "100 ms"
replications = 3
"""


@pytest.mark.parametrize("command", ["run", "advise"])
def test_lockstep_is_a_warning(tmp_path: Path, slicewright: CommandLine, command: str) -> None:
    (tmp_path / "a.toml").write_text(LOCKSTEP)
    said = slicewright(command, tmp_path / "a.toml", "-q")
    assert said.status == 0
    assert "volume DISK: its requests move in lockstep" in said.out + said.err

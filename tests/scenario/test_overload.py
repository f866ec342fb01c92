"""Is it said in a run's notes, and in advice, which part of a scenario arrivals ask too much of?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import CommandLine

SAYS = "arrivals ask for 130 % of what it can do"
ENQ = '{ enq = "MASTER", do = [ { think = "10 ms" } ] }'
SCENARIO = f"""
name = "Overload"
assume = "made up"
[serialization]
linkage = "svc"
[cec]
processors = 1
[[partition]]
name = "SYSA"
logical_processors = 1
mode = "UP"
[[enqueue]]
name = "MASTER"
qname = "Q"
rname = "R"
[[guest]]
name = "A"
partition = "SYSA"
arrivals = "130/s"
program = [ {ENQ} ]
[measure]
interval = "1 s"
warm_up = "0 s"
replications = 2
"""


@pytest.fixture
def overloaded(tmp_path: Path) -> Path:
    path = tmp_path / "overloaded.toml"
    path.write_text(SCENARIO)
    return path


def test_the_notes_of_a_run_name_what_is_overloaded(slicewright: CommandLine, overloaded: Path) -> None:
    assert f"Note: enqueue MASTER: {SAYS}" in slicewright("run", overloaded).out


def test_the_caveats_of_advice_name_what_is_overloaded(slicewright: CommandLine, overloaded: Path) -> None:
    said = slicewright("advise", "exits", overloaded, "--format", "json")
    assert any(caveat.startswith(f"enqueue MASTER: {SAYS}") for caveat in json.loads(said.out)["caveats"])

"""Is ± doubted where nothing in a loop is random, and only there?"""

from __future__ import annotations

from pathlib import Path

import pytest
from slicewright._core import Scenario
from slicewright.advise.source import doubts

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


def doubted(text: str) -> bool:
    return any("lockstep" in line for line in doubts(Scenario.read(text.encode(), "a.toml")))


def test_constant_think_and_service_are_in_lockstep() -> None:
    assert doubted(LOCKSTEP)


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ('think = "1 ms"', 'think = { exponential = "1 ms" }'),
        ('connect = "1 ms"', 'connect = { exponential = "1 ms" }'),
        ('count = 3\nprogram = [ { think = "1 ms" }, ', 'arrivals = "300/s"\nprogram = [ '),
        ("count = 3", "count = 1"),
    ],
)
def test_chance_anywhere_in_the_loop_ends_it(was: str, becomes: str) -> None:
    assert was in LOCKSTEP
    assert not doubted(LOCKSTEP.replace(was, becomes))


def test_advice_says_so(tmp_path: Path, slicewright: CommandLine) -> None:
    (tmp_path / "a.toml").write_text(LOCKSTEP)
    said = slicewright("advise", tmp_path / "a.toml", "-q")
    assert said.status == 0
    assert "± means nothing for DISK" in said.out

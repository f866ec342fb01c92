"""What every Python test may ask for: a small scenario that runs in a moment, and the command line in this process.

It leaves out the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from slicewright.cli import main

SMALL = """\
name = "two volumes, two aliases"

[source]
document = "an example"

[[alias_pool]]
name = "POOL"
aliases = 2

[[volume]]
name = "VOL001"
device = "1000"
alias_pool = "POOL"
service = { pend = "0.2 ms", connect = { exponential = "1 ms" } }

[[volume]]
name = "VOL002"
device = "1001"
alias_pool = "POOL"
service = { pend = "0.2 ms", connect = { exponential = "1 ms" } }

[[guest]]
name = "GUEST"
count = 4
program = [ { think = "0.5 ms" }, { io = { uniform = ["VOL001", "VOL002"] } } ]

[measure]
interval = "2 s"
warm_up = "500 ms"
replications = 3
"""


@dataclass(frozen=True)
class Outcome:
    """How a command line ended: exit status, standard output, standard error."""

    status: int
    out: str
    err: str


CommandLine = Callable[..., Outcome]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The file of a small scenario."""
    path = tmp_path / "small.toml"
    path.write_text(SMALL, encoding="utf-8")
    return path


@pytest.fixture
def slicewright(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """The command line: call it with the words after `slicewright`."""

    def call(*words: str | Path) -> Outcome:
        capsys.readouterr()
        status = main([str(word) for word in words])
        said = capsys.readouterr()
        return Outcome(status, said.out, said.err)

    return call

"""Does advice on the report of a simulated pool hold the truth, which the scenario knows?

It leaves out published reports.  None of these pools was used in making the method.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from slicewright.advise.answer import Answer
from slicewright.advise.command import answer
from slicewright.advise.question import Question

CommandLine = Callable[..., Any]

POPULATIONS = (6, 4, 2, 1, 1, 1)
"""Guests of each volume; the last has open arrivals besides."""


def scenario(aliases: int) -> str:
    """A pool of six volumes that are driven very differently."""
    text = f"""name = "uneven"

[source]
document = "an example"

[[control_unit]]
name = "CU"
sharing = "1 %"

[[alias_pool]]
name = "POOL"
aliases = {aliases}
"""
    for at, count in enumerate(POPULATIONS):
        text += f"""
[[volume]]
name = "VOL00{at}"
device = "520{at}"
control_unit = "CU"
alias_pool = "POOL"
service = {{ pend = "0.2 ms", disconnect = "0.5 ms", connect = {{ exponential = "1.5 ms" }} }}

[[guest]]
name = "GUEST{at}"
count = {count}
program = [ {{ think = {{ exponential = "{2 + 3 * at} ms" }} }}, {{ io = {{ volume = "VOL00{at}" }} }} ]
"""
    return (
        text
        + """
[[guest]]
name = "OPEN"
arrivals = "150/s"
program = [ { io = { volume = "VOL005" } } ]

[measure]
interval = "60 s"
warm_up = "1 s"
replications = 4
"""
    )


@pytest.fixture
def advised(slicewright: CommandLine, tmp_path: Path) -> Callable[[int], tuple[Answer, Answer]]:
    """The truth (advice on the scenario) and the advice on its report, at a number of aliases."""

    def both(aliases: int) -> tuple[Answer, Answer]:
        world, run, report = tmp_path / "world.toml", tmp_path / "run", tmp_path / "report.txt"
        world.write_text(scenario(aliases))
        assert slicewright("run", world, "--out", run).status == 0
        report.write_text(slicewright("report", run, "--page", "fcx108").out)
        (truth,), (found,) = answer([world], Question()), answer([report], Question())
        return truth, found

    return both


@pytest.mark.parametrize("aliases", [0, 3])
def test_the_range_holds_the_true_knee_and_response(
    advised: Callable[[int], tuple[Answer, Answer]], aliases: int
) -> None:
    truth, found = advised(aliases)
    assert truth.recommendation is not None
    assert found.recommendation is not None
    knee = truth.recommendation.aliases
    assert found.recommendation.low <= knee <= found.recommendation.high
    true, told = truth.point(knee), found.point(knee)
    assert true is not None
    assert told is not None
    for name in ("io_per_s", "response_ms"):
        assert told.low[name] * 0.97 <= true.estimates[name].mean <= told.high[name] * 1.03

"""Does advice on the report of a simulated pool hold the truth, which the scenario knows?

None of these pools was used in making the method.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from slicewright.advise.aliases.answer import Answer
from slicewright.advise.aliases.from_reports import answer
from slicewright.advise.aliases.request import AliasRequest
from slicewright.advise.command import read

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


Written = Callable[[int], tuple[Path, Path]]


@pytest.fixture
def written(slicewright: CommandLine, tmp_path: Path) -> Written:
    """The scenario with this number of aliases and the report of its run, as files."""

    def both(aliases: int) -> tuple[Path, Path]:
        world, run = tmp_path / f"world{aliases}.toml", tmp_path / f"run{aliases}"
        report = tmp_path / f"report{aliases}.txt"
        world.write_text(scenario(aliases))
        assert slicewright("run", world, "--out", run).status == 0
        report.write_text(slicewright("report", run, "--page", "fcx108").out)
        return world, report

    return both


def holds(truth: Answer, found: Answer) -> None:
    """Assert that the ranges hold the true knee and, within 3 %, the true rate and response there."""
    assert truth.recommendation is not None
    assert found.recommendation is not None
    knee = truth.recommendation.aliases
    assert found.recommendation.low <= knee <= found.recommendation.high
    true, told = truth.point(knee), found.point(knee)
    assert true is not None
    assert told is not None
    for name in ("io_per_s", "response_ms"):
        assert told.low[name] * 0.97 <= true.estimates[name].mean <= told.high[name] * 1.03


@pytest.mark.parametrize("aliases", [0, 3])
def test_the_range_from_one_report_holds_the_truth(written: Written, aliases: int) -> None:
    world, report = written(aliases)
    (truth,), (found,) = answer(read([world]), AliasRequest()), answer(read([report]), AliasRequest())
    holds(truth, found)


@pytest.mark.slow
def test_two_reports_of_an_uneven_pool_hold_the_truth_and_narrow_the_range(written: Written) -> None:
    world, none = written(0)
    _, three = written(3)
    (truth,), (one,), (both,) = (answer(read(files), AliasRequest()) for files in ([world], [none], [none, three]))
    holds(truth, both)
    assert one.recommendation is not None
    assert both.recommendation is not None
    assert both.recommendation.high - both.recommendation.low < one.recommendation.high - one.recommendation.low

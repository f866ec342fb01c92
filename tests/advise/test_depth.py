"""Is the advised queue depth where a disk's rate bends, and is the law of waiting that of the engine?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import slicewright as package
from slicewright import InputError
from slicewright.advise.aliases.depth import DepthLaw, answer_depths, fit_law, places, response_factor
from slicewright.advise.aliases.request import AliasRequest, check
from slicewright.advise.options import AdviceOptions

from tests.conftest import CommandLine

TOOLS = Path(__file__).parents[1] / "measured" / "linux_tools"
FIO = [str(file) for file in sorted(TOOLS.glob("fio-depth-*.json"))]


def jobs(law: DepthLaw, *depths: int) -> tuple[str, bytes]:
    """Results of fio on a disk that obeys a law."""
    rows = [
        {"jobname": f"d{n}", "job options": {"filename": "/dev/sdb", "iodepth": str(n)},
         "read": {"iops": law.rate(n), "bw": 1, "runtime": 1000, "clat_ns": {},
                  "lat_ns": {"mean": n / law.rate(n) * 1e9}}}
        for n in depths
    ]  # fmt: skip
    return "a.json", json.dumps({"fio version": "fio-3.33", "jobs": rows}).encode()


@pytest.mark.parametrize(("servers", "growth"), [(3, 0.0), (6, 0.0), (12, 0.0), (8, 0.05)])
def test_the_bend_of_a_known_disk_is_found(servers: int, growth: float) -> None:
    law = DepthLaw(0.5, growth, 1000 * servers / 0.5 / (1 + growth * (servers - 1)))
    (answer,) = answer_depths([jobs(law, 1, 2, 4, 8, 16, 32, 64)], AliasRequest())
    assert answer.recommendation is not None
    truth = law.depth_for(0.95 * law.ceiling)
    assert answer.recommendation.low <= truth <= answer.recommendation.high
    assert abs(answer.recommendation.aliases - truth) <= 1


def test_a_rate_that_still_grows_gives_no_recommendation() -> None:
    (answer,) = answer_depths([jobs(DepthLaw(0.5, 0.0, 1e9), 1, 2, 4, 8)], AliasRequest())
    assert answer.recommendation is None
    assert "--iodepth=16" in answer.needed[0]


def test_law_and_parameters_come_back() -> None:
    truth = DepthLaw(0.2, 0.1, 20_000.0)
    law = fit_law([(n, truth.rate(n)) for n in (1, 2, 4, 8, 16, 32)])
    assert law is not None
    assert law.service_ms == pytest.approx(0.2, rel=0.05)


def test_waiting_for_a_place_is_that_of_the_engine() -> None:
    """A volume with aliases and open arrivals: the engine's response over its service, beside Erlang's formula."""
    scenario = """\
name = "places"
[[alias_pool]]
name = "P"
aliases = 3
redispatch = "pool-fifo"
[[volume]]
name = "V"
device = "1000"
alias_pool = "P"
service = { pend = "0 ms", connect = { exponential = "1 ms" } }
[[guest]]
name = "G"
arrivals = "2800/s"
program = [ { io = { volume = "V" } } ]
[measure]
interval = "20 s"
warm_up = "1 s"
replications = 6
"""
    run = package.run(scenario, seed=1)
    response = run["volumes"]["response_ms"].to_list()[0]
    assert response == pytest.approx(response_factor(4, 2.8), rel=0.05)


def test_places_rise_with_the_load_and_fall_with_the_knee() -> None:
    counts = [places(busy, 0.05) for busy in (0.1, 1.0, 5.0, 30.0, 200.0)]
    assert counts == sorted(counts)
    assert all(count > busy for count, busy in zip(counts, (0.1, 1, 5, 30, 200), strict=True))
    assert places(5.0, 0.5) < places(5.0, 0.01)


def test_the_command_asks_about_depth_without_the_question(slicewright: CommandLine) -> None:
    asked = slicewright("advise", str(TOOLS / "iostat.txt"))
    assert asked.status == 0
    assert "8 requests in flight" in asked.out
    assert "alias" not in asked.out
    found = json.loads(slicewright("advise", "aliases", *FIO, "--format", "json").out)
    assert [point["depth"] for point in found["curve"]] == [1, 2, 4, 8, 16, 32]


def test_growth_asks_for_more_and_a_condition_is_met() -> None:
    data = [("btt.txt", (TOOLS / "btt.txt").read_bytes())]
    now, then = (answer_depths(data, check(AdviceOptions.of(**more)))[0] for more in ({}, {"growth": "3x"}))
    assert now.recommendation is not None
    assert then.recommendation is not None
    assert then.recommendation.aliases > now.recommendation.aliases
    (asked,) = answer_depths(data, check(AdviceOptions.of(target="response_ms <= 0.21")))
    assert asked.target is not None
    assert asked.target[1] == min(point.depth for point in asked.points if point.response_ms <= 0.21)


def test_options_of_pools_and_mixed_files_are_refused(slicewright: CommandLine) -> None:
    wrong = slicewright("advise", "aliases", *FIO, "--pool", "522A-5231", "--assume", "think=1ms")
    assert wrong.status == 2
    assert "pool: applies to pools" in wrong.err
    assert "assume think_ms" in wrong.err
    twice = slicewright("advise", "aliases", FIO[0], str(TOOLS / "iostat.txt"), FIO[0])
    assert twice.status == 2
    assert "a second time" in twice.err
    with pytest.raises(InputError, match="beside output of Linux's tools"):
        package.advise("aliases", [FIO[0], str(TOOLS / "../dumps.py")])

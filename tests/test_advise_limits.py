"""Is the advice on limits right: is what made the copies found, is the last of them foretold, does the limit do it?

It leaves out reading copies (`test_advise_limits_copies`), and the dispatcher itself, which has its own tests.  Copies
are simulated, with random numbers of their own.
"""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import slicewright as sw
from slicewright._core import Scenario
from slicewright.advise.limits.answer import Lever, LimitAnswer
from slicewright.advise.limits.cpu_stat import Copy, texts
from slicewright.advise.limits.example import COPIES, OPTIONS
from slicewright.advise.limits.from_copies import answer_copies
from slicewright.advise.limits.model import Group, Load, Node, Setting, scenario_text, setting_of
from slicewright.advise.limits.page import page
from slicewright.advise.limits.question import check
from slicewright.advise.limits.trial import LATENCY, simulate
from slicewright.advise.question import AdviceOptions
from slicewright.advise.scenario_text import Plan

from tests.conftest import CommandLine

TRUTH = Load(40.0, 8.0, 1.0, 3.0, 4)
GROUP = Group(0.5, 100.0)
KNOWN = AdviceOptions(limit="500m", requests="40/s", threads="4", every="300 s", assume=["scv=1"])
SEED = 977


def copies(*loads: Load, group: Group = GROUP, length_s: float = 300.0) -> str:
    """The first copy and one after each load, each simulated for so long."""
    used, periods, throttled, stopped = 3.0, 90, 12, 1.5
    made = [Copy("a", 1, "v2", used, periods, throttled, stopped, None, None, {})]
    for at, load in enumerate(loads):
        plan = Plan(length_s, 10.0, 1)
        scenario = Scenario.read(scenario_text(load, setting_of(group, load), Node(4), plan).encode(), "truth")
        table = scenario.simulate(SEED + at, (0, 1), 1, plan.warm_up_s)["cgroups"]
        used += table["usage_usec"][0] / 1e6
        periods += int(table["nr_periods"][0])
        throttled += int(table["nr_throttled"][0])
        stopped += table["throttled_usec"][0] / 1e6
        made.append(Copy("a", 1, "v2", used, periods, throttled, stopped, None, None, {}))
    return texts(made)


def asked(text: str, options: AdviceOptions = KNOWN) -> LimitAnswer:
    return answer_copies([("cpu.stat", text.encode())], check(options))


@cache
def steady() -> LimitAnswer:
    """Three intervals of one load, asked for a target."""
    return asked(copies(TRUTH, TRUTH, TRUTH), replace(KNOWN, target="p99_ms <= 120"))


def test_what_made_the_copies_is_found() -> None:
    main = steady().main
    assert main is not None
    assert main.reading.load.threads == TRUTH.threads
    assert main.reading.load.batch == pytest.approx(TRUTH.batch, rel=0.35)
    assert main.reading.load.cpu_ms == pytest.approx(TRUTH.cpu_ms, rel=0.05)


def test_the_last_interval_is_foretold() -> None:
    main = steady().main
    assert main is not None
    assert main.check is not None
    assert main.check.holds
    assert main.check.tells


def test_another_load_in_the_last_interval_is_no_ground_for_advice() -> None:
    calm, bursty = replace(TRUTH, batch=1.0), replace(TRUTH, batch=20.0)
    found = asked(copies(calm, calm, bursty))
    assert found.recommendation is None
    assert "does not foretell the last" in found.reason
    assert not found.points
    assert found.needed


def test_the_recommended_limit_does_it_and_less_does_not() -> None:
    told = steady().recommendation
    assert told is not None

    def latency(limit: float) -> float:
        setting = Setting(limit, TRUTH.threads, GROUP.period_ms, 0.0)
        return simulate(scenario_text(TRUTH, setting, Node(4), Plan(300.0, 10.0, 6))).mean("p99_ms")

    assert latency(told.high) <= 120
    assert latency(0.8 * told.low) > 120


def test_the_latency_of_now_is_within_the_range_of_the_readings() -> None:
    now = steady().now
    assert now is not None
    true = simulate(scenario_text(TRUTH, setting_of(GROUP, TRUTH), Node(4), Plan(600.0, 10.0, 6)))
    for name in ("p50_ms", "p90_ms", "p95_ms", "p99_ms"):
        noise = now.columns[name].half_width
        assert now.low[name] - noise <= true.mean(name) <= now.high[name] + noise


def test_without_a_limit_nothing_is_throttling() -> None:
    without = steady().of(Lever.LIMIT)[-1]
    assert math.isinf(without.setting.limit)
    assert {without.throttling[name].mean for name in LATENCY} == {0.0}
    assert without.columns["throttled_percent"].mean == 0.0


def test_more_of_a_limit_is_never_more_latency() -> None:
    means = [one.columns["p99_ms"].mean for one in steady().of(Lever.LIMIT)]
    assert all(after <= before * 1.02 for before, after in itertools.pairwise(means))


def test_who_owns_the_pod_comes_before_who_owns_the_node() -> None:
    owners = [one.lever.owner for one in steady().points]
    assert owners == sorted(owners, reverse=True)
    assert {one.lever for one in steady().points} == set(Lever)


def test_what_no_limit_does_is_not_recommended() -> None:
    found = asked(copies(TRUTH, TRUTH, TRUTH), replace(KNOWN, target="p50_ms <= 1"))
    assert found.recommendation is None
    assert found.reason.startswith("even without a limit")
    assert found.points


def test_both_layouts_are_answered_alike() -> None:
    old = []
    for line in COPIES.decode().splitlines():
        key, value = line.split()
        name = {"throttled_usec": "throttled_time ", "usage_usec": ""}.get(key, f"{key} ")
        old.append(f"{name}{int(value) * 1000 if key.endswith('_usec') else value}\n")
    found, again = (asked(text, OPTIONS) for text in (COPIES.decode(), "".join(old)))
    assert page(found) == page(again)


def test_two_copies_are_foretold_from_before_the_first() -> None:
    text = copies(TRUTH, TRUTH)
    first = text.index("usage_usec", text.index("usage_usec") + 1)
    found = asked(text[first:])
    assert [one.first for one in found.intervals] == [0, 1]
    assert found.recommendation is not None


def test_time_that_was_not_counted_has_to_be_known() -> None:
    rare = Load(1.0, 60.0, 1.0, 4.0, 4)
    found = asked(copies(rare, rare), AdviceOptions(limit="500m", requests="1/s", threads="4", assume=["scv=1"]))
    assert found.recommendation is None
    assert "--every" in found.needed[0]


def test_the_command_writes_scenarios_that_give_the_same_numbers(slicewright: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "cpu.stat").write_bytes(COPIES)
    words = ["--limit", "500m", "--requests", "40/s", "--threads", "4", "--every", "120 s", "--assume", "scv=1"]
    out = tmp_path / "advice"
    found = slicewright("advise", tmp_path / "cpu.stat", *words, "--out", out, "--format", "json")
    assert found.status == 0, found.err
    told = json.loads(found.out)
    assert json.loads((out / "advice.json").read_text("utf-8")) == told
    assert "<svg" in (out / "report.html").read_text("utf-8")
    run = sw.run(out / "limit-500m.toml")
    means = run.guests["cycle_p99_ms"].to_list()
    assert sum(means) / len(means) == pytest.approx(told["latency"]["p99_ms"], rel=1e-6)

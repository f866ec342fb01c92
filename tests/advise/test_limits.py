"""Is the advice on limits right: is what made the copies found, is the last of them foretold, does the limit do it?

Copies are simulated, with random numbers of their own.
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
from slicewright.advise.limits.from_copies import answer_copies
from slicewright.advise.limits.question import QUESTION
from slicewright.advise.limits.request import check
from slicewright.advise.options import AdviceOptions
from slicewright.experiment.plan import Plan
from slicewright.reading.cgroup import LATENCY, Group, Load, Node, Setting, measured, scenario_text, setting_of

from tests.advise.limits_example import COPIES, OPTIONS
from tests.conftest import CommandLine

TRUTH = Load(40.0, 8.0, 1.0, 3.0, 4)
GROUP = Group(0.5, 100.0)
KNOWN = AdviceOptions.of(limit="500m", requests="40/s", threads="4", every="300 s", assume=["scv=1"])
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
    assert "does not predict the last" in found.reason
    assert not found.points
    assert found.needed


def test_the_recommended_limit_does_it_and_less_does_not() -> None:
    told = steady().recommendation
    assert told is not None

    def latency(limit: float) -> float:
        setting = Setting(limit, TRUTH.threads, GROUP.period_ms, 0.0)
        return measured(scenario_text(TRUTH, setting, Node(4), Plan(300.0, 10.0, 6))).mean("p99_ms")

    assert latency(told.high) <= 120
    assert latency(0.8 * told.low) > 120


def test_the_latency_of_now_is_within_the_range_of_the_readings() -> None:
    now = steady().now
    assert now is not None
    true = measured(scenario_text(TRUTH, setting_of(GROUP, TRUTH), Node(4), Plan(600.0, 10.0, 6)))
    for name in ("p50_ms", "p90_ms", "p95_ms", "p99_ms"):
        noise = now.columns[name].half_width
        assert now.low[name] - noise <= true.mean(name) <= now.high[name] + noise


def test_without_a_limit_nothing_is_throttling() -> None:
    without = steady().of(Lever.LIMIT)[-1]
    assert math.isinf(without.setting.limit)
    assert {without.throttling[name].mean for name in LATENCY} == {0.0}
    assert without.columns["throttled_percent"].mean == 0.0


def test_more_of_a_limit_is_never_more_latency() -> None:
    means = [point.columns["p99_ms"].mean for point in steady().of(Lever.LIMIT)]
    assert all(after <= before * 1.02 for before, after in itertools.pairwise(means))


def test_the_owner_of_the_pod_comes_before_the_owner_of_the_node() -> None:
    owners = [point.lever.owner for point in steady().points]
    assert owners == sorted(owners, reverse=True)
    assert {point.lever for point in steady().points} == set(Lever)


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
    assert QUESTION.text(found) == QUESTION.text(again)


def test_two_copies_are_foretold_from_before_the_first() -> None:
    text = copies(TRUTH, TRUTH)
    first = text.index("usage_usec", text.index("usage_usec") + 1)
    found = asked(text[first:])
    assert [interval.first for interval in found.intervals] == [0, 1]
    assert found.recommendation is not None


LOCKED = replace(TRUTH, serial=0.6)
LUMPS = replace(TRUTH, requests_per_s=4.0, cpu_ms=80.0)


@cache
def locked() -> LimitAnswer:
    """Three intervals of a load whose requests hold one lock for a part of their work."""
    return asked(copies(LOCKED, LOCKED, LOCKED))


def test_a_lock_that_holds_threads_back_is_found() -> None:
    main = locked().main
    assert main is not None
    assert main.reading.load.serial == pytest.approx(LOCKED.serial, abs=0.15)
    assert locked().recommendation is not None
    assert any("lock" in caveat for caveat in locked().caveats)


def test_latency_with_a_lock_is_within_the_range_of_the_readings() -> None:
    now = locked().now
    assert now is not None
    true = measured(scenario_text(LOCKED, setting_of(GROUP, LOCKED), Node(4), Plan(600.0, 10.0, 6)))
    for name in ("p50_ms", "p90_ms", "p95_ms"):
        noise = now.columns[name].half_width
        assert now.low[name] - noise <= true.mean(name) <= now.high[name] + noise


def test_what_is_explained_without_a_lock_has_none() -> None:
    assert {reading.reading.load.serial for reading in steady().readings} == {0.0}


def test_a_lock_changes_neither_the_mean_nor_the_spread_of_cpu_times() -> None:
    calm = replace(TRUTH, requests_per_s=2.0, batch=1.0)
    plain, split = (
        measured(scenario_text(load, Setting(math.inf, 4, 100.0, 0.0), Node(4), Plan(5000.0, 10.0, 4)))
        for load in (calm, replace(calm, serial=0.5))
    )
    assert split.mean("mean_ms") == pytest.approx(plain.mean("mean_ms"), rel=0.05)
    assert split.mean("p95_ms") == pytest.approx(plain.mean("p95_ms"), rel=0.15)


@pytest.mark.parametrize(
    ("load", "options", "cause"),
    [
        (LOCKED, replace(KNOWN, assume=["scv=1", "lock=0%"]), "fewer threads may run at once"),
        (LOCKED, replace(KNOWN, own={**KNOWN.own, "requests": "2/s"}, assume=["scv=0"]), "more evenly than at random"),
        (LUMPS, replace(KNOWN, own={**KNOWN.own, "requests": "900/s"}), "larger lumps than requests"),
    ],
)
def test_a_refusal_says_what_was_seen_what_was_tried_and_what_may_be_the_cause(
    load: Load, options: AdviceOptions, cause: str
) -> None:
    found = asked(copies(load, load), options)
    assert found.recommendation is None
    assert any(fact.startswith("measured: ") for fact in found.facts)
    assert any(fact.startswith("tried: ") for fact in found.facts)
    assert any(cause in question for question in found.open)
    assert found.needed


def test_a_rate_that_is_roughly_known_is_tried_at_both_ends() -> None:
    about = replace(KNOWN, own={**KNOWN.own, "requests": "30-50/s"}, target="p99_ms <= 120")
    found = asked(copies(TRUTH, TRUTH, TRUTH), about)
    assert found.requests_per_s == pytest.approx(40.0, rel=0.05)
    ends = {
        reading.reading.rate: reading.reading.load
        for reading in found.readings
        if reading.reading.rate != 1 and not reading.why
    }
    assert set(ends) == {0.75, 1.25}
    for share, load in ends.items():
        assert load.cpu_ms == pytest.approx(TRUTH.cpu_ms / share, rel=0.05)
        assert load.used == pytest.approx(TRUTH.used, rel=0.05)
    told, known = found.recommendation, steady().recommendation
    assert told is not None
    assert known is not None
    assert told.low <= known.limit <= told.high


def test_copies_that_are_too_near_each_other_have_to_be_so_much_further_apart() -> None:
    found = asked(copies(TRUTH, TRUTH, length_s=5.0), replace(KNOWN, own={**KNOWN.own, "every": "5 s"}))
    assert found.reason.startswith("the last interval is too short")
    assert "times as far apart" in found.needed[0]


def test_where_one_thread_works_at_a_time_no_more_of_them_are_advised() -> None:
    alone = replace(TRUTH, threads=1)
    found = asked(copies(alone, alone, alone))
    assert not found.of(Lever.THREADS)
    assert any("with 4 threads, one works at a time" in caveat for caveat in found.caveats)


def test_time_that_was_not_counted_has_to_be_known() -> None:
    rare = Load(1.0, 60.0, 1.0, 4.0, 4)
    found = asked(copies(rare, rare), AdviceOptions.of(limit="500m", requests="1/s", threads="4", assume=["scv=1"]))
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

"""Do long series and copies with few counters get an answer, whose ranges have the truth in them?

Copies are simulated, so the truth is known: the load, its latency, and the limit that it needs.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest
from slicewright._core import Scenario
from slicewright.advise.limits.answer import Lever, LimitAnswer
from slicewright.advise.limits.cpu_stat import Copy, texts
from slicewright.advise.limits.from_copies import answer_copies
from slicewright.advise.limits.question import QUESTION
from slicewright.advise.limits.report import document
from slicewright.advise.limits.request import check
from slicewright.advise.options import AdviceOptions
from slicewright.experiment.plan import Plan
from slicewright.reading.cgroup import Group, Load, Measured, Node, Setting, measured, scenario_text, setting_of

from tests.advise.limits_example import COPIES, OPTIONS

GROUP = Group(0.5, 100.0)
TRUTH = Load(40.0, 8.0, 1.0, 3.0, 4)
IDLE = replace(TRUTH, requests_per_s=0.0)
KNOWN = AdviceOptions.of(limit="500m", requests="40/s", threads="4", every="60 s", target="p99_ms <= 120")
SEED = 4711


def series(loads: Sequence[Load], length_s: float = 60.0, *, stopped: bool = True) -> str:
    """Copies of a group, one after each load; without `stopped` they lack the counter of stopped time."""
    used, periods, throttled, stopped_s = 3.0, 90, 12, 1.5
    made = [Copy("a", 1, "v2", used, periods, throttled, stopped_s if stopped else None, None, None, {})]
    for at, load in enumerate(loads):
        if load.requests_per_s > 0:
            plan = Plan(length_s, 10.0, 1)
            scenario = Scenario.read(scenario_text(load, setting_of(GROUP, load), Node(4), plan).encode(), "truth")
            table = scenario.simulate(SEED + at, (0, 1), 1, plan.warm_up_s)["cgroups"]
            used += table["usage_usec"][0] / 1e6
            periods += int(table["nr_periods"][0])
            throttled += int(table["nr_throttled"][0])
            stopped_s += table["throttled_usec"][0] / 1e6
        made.append(Copy("a", 1, "v2", used, periods, throttled, stopped_s if stopped else None, None, None, {}))
    return texts(made)


def asked(text: str, options: AdviceOptions) -> LimitAnswer:
    return answer_copies([("cpu.stat", text.encode())], check(options))


def truth(load: Load, limit: float = GROUP.limit) -> Measured:
    setting = Setting(limit, load.threads, GROUP.period_ms, 0.0)
    return measured(scenario_text(load, setting, Node(max(4, load.threads)), Plan(600.0, 10.0, 6)))


def least_limit(load: Load, most_ms: float) -> float:
    """The least limit, in steps of 50m, under which the 99th percentile of a load is short enough."""
    steps = [0.4 + 0.05 * step for step in range(60)]
    low, high = 0, len(steps) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if truth(load, steps[middle]).mean("p99_ms") <= most_ms else (middle + 1, high)
    return steps[low]


def holds_truth(found: LimitAnswer, load: Load, names: Sequence[str] = ("p50_ms", "p90_ms", "p99_ms")) -> None:
    """The latency of now is in the range of the readings, in which half-widths are those of simulation alone."""
    now = found.now
    assert now is not None, found.reason
    true = truth(load)
    for name in names:
        noise = now.columns[name].half_width
        assert now.low[name] - noise <= true.mean(name) <= now.high[name] + noise, (name, true.mean(name))


@cache
def monitored() -> LimitAnswer:
    """Sixty minutes of monitoring: idle and quiet minutes, one in which the limit was used up, and the others alike."""
    loads = [TRUTH] * 60
    loads[7], loads[20], loads[33] = IDLE, replace(TRUTH, requests_per_s=90.0), IDLE
    loads[40:50] = [replace(TRUTH, requests_per_s=4.0)] * 10
    served = sum(load.requests_per_s for load in loads) / len(loads)
    return asked(series(loads), replace(KNOWN, own={**KNOWN.own, "requests": f"{served:.4g}/s"}))


def test_one_busy_and_some_idle_minutes_of_sixty_are_excluded_and_named() -> None:
    found = monitored()
    assert found.recommendation is not None, found.reason
    left = {each.interval.first for each in found.judged.excluded}
    assert left >= {8, 21, 34, *range(41, 51)}
    assert len(left) <= 16
    said = " ".join(found.facts)
    assert "excluded: copy 21 to 22: the limit was used up" in said
    assert "excluded: copy 8 to 9, copy 34 to 35: no period was counted" in said


def test_the_advice_on_a_series_is_that_on_its_usual_minutes() -> None:
    main = monitored().main
    assert main is not None
    assert main.reading.load.cpu_ms == pytest.approx(TRUTH.cpu_ms, rel=0.1)
    assert monitored().requests_per_s == pytest.approx(TRUTH.requests_per_s, rel=0.1)
    holds_truth(monitored(), TRUTH)
    told = monitored().recommendation
    assert told is not None
    assert told.low - 0.05 <= least_limit(TRUTH, 120) <= told.high + 0.05


def test_one_informative_interval_is_not_enough() -> None:
    loads = [TRUTH, IDLE, IDLE]
    found = asked(series(loads), replace(KNOWN, own={**KNOWN.own, "requests": "13/s"}))
    assert found.recommendation is None
    assert "only one interval" in found.reason
    assert found.needed


TIMELESS = replace(KNOWN, own={**KNOWN.own, "every": "300 s"})


@cache
def without_stopped_time() -> LimitAnswer:
    """Copies without throttled_usec; `test_limits_arrivals` asks without the number of threads."""
    return asked(series([TRUTH] * 3, 300.0, stopped=False), TIMELESS)


@pytest.mark.long
def test_copies_without_the_time_of_throttling_are_answered_with_a_wider_range() -> None:
    found = without_stopped_time()
    assert found.recommendation is not None, found.reason
    assert any("no throttled_usec" in fact for fact in found.facts)
    assert any("throttled_usec" in needed for needed in found.needed)
    with_it = asked(series([TRUTH] * 3, 300.0), TIMELESS).recommendation
    assert with_it is not None
    told = found.recommendation
    assert told.low <= with_it.limit <= told.high
    assert told.high - told.low >= with_it.high - with_it.low or math.isinf(told.high)


@pytest.mark.long
def test_the_truth_is_in_the_range_without_the_time_of_throttling() -> None:
    holds_truth(without_stopped_time(), TRUTH)
    told = without_stopped_time().recommendation
    assert told is not None
    assert told.low - 0.05 <= least_limit(TRUTH, 120) <= told.high + 0.05


def least_like_none(load: Load) -> float:
    """The least limit, in steps of 50m, with a 99th percentile within 20 % of that without a limit."""
    return least_limit(load, 1.2 * truth(load, math.inf).mean("p99_ms"))


@cache
def without_rate() -> LimitAnswer:
    """Copies of a group whose rate of requests is not known, nor the number of its threads."""
    return asked(series([TRUTH] * 3, 300.0), AdviceOptions.of(limit="500m", every="300 s"))


@pytest.mark.slow
def test_without_a_rate_of_requests_the_answer_is_about_bursts() -> None:
    found = without_rate()
    assert found.recommendation is not None, found.reason
    assert "rate of requests not known" in found.heading
    assert any(fact.startswith("a burst takes") for fact in found.facts)
    assert any("--requests" in needed for needed in found.needed)
    text = QUESTION.text(found)
    assert "99 % of bursts take at most" in text
    assert "of bursts, now" in text
    assert json.loads(json.dumps(document(found)))["now"]["requests_per_s"] is None


@pytest.mark.slow
def test_the_limit_hardly_needs_the_rate_of_requests() -> None:
    told = without_rate().recommendation
    assert told is not None
    assert told.low - 0.05 <= least_like_none(TRUTH) <= told.high + 0.05


SPREADS = {4.0: replace(TRUTH, scv=4.0), 10.0: replace(TRUTH, scv=10.0, cpu_ms=7.0)}


@cache
def spread(scv: float, threads: str = "") -> LimitAnswer:
    own = {"limit": "500m", "requests": "40/s", "every": "300 s"} | ({"threads": threads} if threads else {})
    return asked(series([SPREADS[scv]] * 3, 300.0), AdviceOptions.of(**own))


@pytest.mark.slow
@pytest.mark.parametrize(("scv", "threads"), [pytest.param(10.0, "", marks=pytest.mark.long), (4.0, "4")])
def test_the_truth_is_in_the_range_whatever_the_spread_of_cpu_times(scv: float, threads: str) -> None:
    found = spread(scv, threads)
    holds_truth(found, SPREADS[scv])
    told = found.recommendation
    assert told is not None
    assert told.low - 0.05 <= least_like_none(SPREADS[scv]) <= told.high + 0.05
    assert any("--assume scv=" in needed for needed in found.needed)


def test_settings_of_the_node_and_threads_have_ranges_like_limits() -> None:
    others = [point for point in monitored().points if point.lever is not Lever.LIMIT]
    assert {point.lever for point in others} == {Lever.THREADS, Lever.PERIOD, Lever.BURST}
    assert all(point.low["p99_ms"] < point.high["p99_ms"] for point in others)
    now = monitored().now
    assert now is not None
    (same,) = (point for point in monitored().of(Lever.PERIOD) if point.setting.period_ms == GROUP.period_ms)
    for name in ("p50_ms", "p99_ms"):
        assert (same.low[name], same.high[name]) == (now.low[name], now.high[name])


def test_the_threads_that_were_named_have_a_row() -> None:
    found = asked(COPIES.decode(), replace(OPTIONS, own={**OPTIONS.own, "threads": "7"}))
    assert 7 in [point.setting.threads for point in found.of(Lever.THREADS)]


def test_the_limit_of_now_has_one_row() -> None:
    found = asked(COPIES.decode(), replace(OPTIONS, own={**OPTIONS.own, "limit": "350m"}))
    text = QUESTION.text(found)
    assert sum(line.lstrip().startswith("350m ") for line in text.splitlines()) <= 1
    group = check(replace(OPTIONS, own={**OPTIONS.own, "limit": "350m"})).group
    assert group.limit == 0.35


def test_growth_says_of_every_number_whether_it_is_grown() -> None:
    found = asked(COPIES.decode(), replace(OPTIONS, growth="20%"))
    text, made = QUESTION.text(found), document(found)
    assert "with 1.2 times the requests" in text
    assert "of requests, now" not in text
    assert "Every number is for 1.2 times the requests" in " ".join(text.split())
    assert "Evidence is for the load as it was measured" in " ".join(text.split())
    assert made["growth"]["factor"] == 1.2
    assert "curve" in made["growth"]["grown"]
    assert "evidence" in made["growth"]["as_measured"]

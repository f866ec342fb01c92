"""Does the spread between copies decide how requests arrive, and does less evidence never say more?

Copies are written by hand where the truth is exact, and simulated elsewhere.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from slicewright._core import Scenario
from slicewright.advise.limits.answer import LimitAnswer
from slicewright.advise.limits.cpu_stat import Copy, texts
from slicewright.advise.limits.from_copies import answer_copies
from slicewright.advise.limits.intervals import intervals, read_all
from slicewright.advise.limits.question import QUESTION
from slicewright.advise.limits.report import document
from slicewright.advise.limits.request import check
from slicewright.advise.options import AdviceOptions
from slicewright.experiment.plan import Plan
from slicewright.reading.cgroup import (
    PATTERNS,
    Arrivals,
    Clock,
    Group,
    Interval,
    Load,
    Node,
    Spread,
    measured,
    refuted,
    scenario_text,
    setting_of,
    spread_of,
    variance_s2,
)

TIMER = [(3.0, 900, 60, 4.2), *((3.0 + 9.6 * at, 900 + 1200 * at, 60 + 480 * at, 4.2 + 40.8 * at) for at in (1, 2, 3))]
"""40 ms each 2 s under 150m: 15 + 15 + 10 ms, so two throttled periods, 240 times in each copy of 480 s."""


def v2(rows: Sequence[tuple[float, int, int, float]], every_s: float = 480.0) -> str:
    """Copies as `cat cpu.stat` of control groups of version 2, with a line of `date +%s` as time."""
    lines = []
    for at, (used_s, periods, throttled, stopped_s) in enumerate(rows):
        lines += [f"time {1_791_000_000 + round(at * every_s)}", f"usage_usec {round(used_s * 1e6)}",
                  f"user_usec {round(used_s * 7e5)}", f"system_usec {round(used_s * 3e5)}", "nice_usec 0",
                  "core_sched.force_idle_usec 0", f"nr_periods {periods}", f"nr_throttled {throttled}",
                  f"throttled_usec {round(stopped_s * 1e6)}", "nr_bursts 0", "burst_usec 0"]  # fmt: skip
    return "\n".join(lines) + "\n"


def v1(rows: Sequence[tuple[float, int, int, float]], every_s: float = 480.0) -> str:
    """The same of version 1, whose usage is in a file of its own."""
    lines = []
    for at, (used_s, periods, throttled, stopped_s) in enumerate(rows):
        lines += [f"time {1_791_000_000 + round(at * every_s)}.25",
                  f"nr_periods {periods}", f"nr_throttled {throttled}",
                  f"throttled_time {round(stopped_s * 1e9)}", "nr_bursts 0", "burst_time 0",
                  f"{round(used_s * 1e9)}"]  # fmt: skip
    return "\n".join(lines) + "\n"


def watched(rows: Sequence[tuple[float, int, int, float]], every_s: float = 480.0) -> str:
    """The same as `live watch` hands it over: with the time and the limit of each copy."""
    lines = []
    for at, copy in enumerate(v2(rows, every_s).split("time ")[1:]):
        _, *counters = copy.splitlines()
        lines += [f"time {1_791_000_000.25 + at * every_s:.6f}", "quota_us 15000", "period_us 100000", *counters]
    return "\n".join(lines) + "\n"


def asked(text: str, **options: str) -> LimitAnswer:
    return answer_copies([("cpu.stat", text.encode())], check(AdviceOptions.of(**options)))


def copies(text: str, count: int, group: Group, processors: int, seed: int) -> list[Copy]:
    """Copies that a scenario makes, one after each interval."""
    scenario = Scenario.read(text.encode(), "truth").with_([f"measure.intervals={count}"])
    table = scenario.simulate(seed, (0, 1), 1, 10.0)["cgroups"]
    found = [Copy("a", 1, "v2", 3.0, 90, 12, 1.5, None, 1000.0, {})]
    length = float(scenario.measure["interval_s"])
    for at in range(count):
        last = found[-1]
        found.append(
            replace(
                last, used_s=last.used_s + table["usage_usec"][at] / 1e6, at_s=(last.at_s or 0) + length,
                periods=last.periods + int(table["nr_periods"][at]),
                throttled=last.throttled + int(table["nr_throttled"][at]),
                stopped_s=(last.stopped_s or 0) + table["throttled_usec"][at] / 1e6,
            )
        )  # fmt: skip
    return found


def made(load: Load, group: Group, count: int, length_s: float = 60.0, seed: int = 71) -> list[Copy]:
    node = Node(max(load.threads, 4))
    return copies(scenario_text(load, setting_of(group, load), node, Plan(length_s, 10.0, 1)), count, group, 4, seed)


@pytest.mark.parametrize("form", [v2, v1, watched])
@pytest.mark.parametrize("more", [{"threads": "1"}, {}])
def test_equal_work_in_equal_intervals_is_no_random_arrivals(form: object, more: dict[str, str]) -> None:
    assert callable(form)
    found = asked(form(TIMER), limit="150m", requests=".5/s", **more)
    told = found.recommendation
    assert told is not None, found.reason
    holding = [line.reading.load for line in found.readings if not line.why]
    assert holding
    assert all(load.pattern.regular for load in holding)
    assert told.low <= 0.4 <= told.high
    now = found.now
    assert now is not None
    # 85 + 85 + 40 ms where a request meets a fresh period, 125 ms and more where it meets the end of one.
    assert now.low["p99_ms"] <= 130
    assert now.high["p99_ms"] >= 210


def test_without_a_rate_of_requests_the_range_is_no_narrower() -> None:
    known = asked(v2(TIMER), limit="150m", requests=".5/s", threads="1")
    unknown = asked(v2(TIMER), limit="150m")
    assert _wider(unknown, known)


def test_two_intervals_leave_both_kinds_of_arrivals_open() -> None:
    rows = [(0.0, 100, 10, 1.0), (9.06, 1000, 610, 53.2), (17.98, 1900, 1210, 105.4)]
    found = asked(v2(rows, 300.0), limit="130m", requests="1/s", threads="1")
    kinds = {line.reading.load.pattern.regular for line in found.readings if not line.why}
    assert kinds == {True, False}
    assert "every reading agrees" not in QUESTION.text(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("load", "group", "seed"),
    [
        (Load(4.0, 30.0, 0.0, 1.0, 2, arrivals="regular"), Group(0.2, 100.0), 1),
        pytest.param(Load(10.0, 8.0, 0.0, 2.0, 4, arrivals="jittered"), Group(0.13, 100.0), 2, marks=pytest.mark.long),
        pytest.param(Load(40.0, 8.0, 1.0, 3.0, 4), Group(0.5, 100.0), 3, marks=pytest.mark.long),
        (Load(60.0, 5.0, 1.0, 1.0, 4, arrivals="surging", fitted_swing=0.8), Group(0.5, 100.0), 4),
    ],
)
def test_the_latency_of_now_is_in_the_range_for_each_kind_of_arrivals(load: Load, group: Group, seed: int) -> None:
    text = texts(made(load, group, 10, seed=seed)).encode()
    rate = f"{load.requests_per_s:g}/s"
    found = answer_copies([("x", text)], check(AdviceOptions.of(limit=f"{group.limit * 1000:g}m", requests=rate)))
    if found.recommendation is None:
        assert found.reason  # silence is no error: it says why
        return
    now = found.now
    assert now is not None
    plan = Plan(300.0, 20.0, 6)
    true = measured(scenario_text(load, setting_of(group, load), Node(max(4, load.threads)), plan)).mean("p99_ms")
    noise = now.columns["p99_ms"].half_width
    assert now.low["p99_ms"] - noise <= true <= now.high["p99_ms"] + noise


def test_work_that_comes_and_goes_by_the_minute_is_no_steady_load() -> None:
    rates = (60.0, 12.0, 60.0, 12.0, 60.0, 12.0, 60.0, 12.0)
    used, rows = 0.0, [(0.0, 0, 0, 0.0)]
    for rate in rates:
        used += rate * 0.005 * 60 / (0.9 if rate > 50 else 1.0)
        last = rows[-1]
        rows.append((used, last[1] + 600, last[2] + 60, last[3] + 6.0))
    found = asked(v2(rows, 60.0), limit="400m", requests="36/s", threads="4")
    assert found.recommendation is None or any("another load" in fact for fact in found.facts)


def test_a_spread_that_nothing_explains_is_named_with_both_numbers() -> None:
    group = Group(0.5, 100.0)
    steady = Load(40.0, 8.0, 1.0, 1.0, 4)
    more = refuted(steady, Spread(60.0, 20, 19 * 16.0, 19.2), group)
    assert more == "varies less from interval to interval than measured: .55 s of processor time, measured 4.00 s"
    assert refuted(steady, Spread(60.0, 20, 19 * 0.3, 19.2), group) == ""
    assert refuted(steady, Spread(60.0, 20, 0.02, 19.2), group).startswith("varies more")


@pytest.mark.parametrize("arrivals", list(PATTERNS))
def test_the_variance_of_work_is_that_of_the_simulation(arrivals: Arrivals) -> None:
    load = Load(50.0, 4.0, 1.0, 2.0, 8, arrivals=arrivals)
    free = Group(8.0, 100.0)
    parts = made(load, free, 80, 30.0)
    seen = spread_of([Interval(at, at + 1, after.used_s - before.used_s, 300, 0, 0.0, 30.0, Clock.TIME)
                      for at, (before, after) in enumerate(itertools.pairwise(parts), 1)])  # fmt: skip
    assert seen is not None
    low, high = variance_s2(load, 30.0)
    assert 0.6 * low - 0.001 <= seen.squares_s2 / (seen.count - 1) <= 1.5 * high + 0.001


def test_intervals_that_only_their_periods_time_have_no_spread() -> None:
    rows = [(9.0, 900, 600, 50.0)] * 3
    found = [Interval(at, at + 1, *row, 90.0, Clock.PERIODS) for at, row in enumerate(rows, 1)]
    assert spread_of(found) is None


CONTRADICTIONS = [
    ({"limit": "100m"}, "160m was used under a limit of 100m"),
    ({"limit": "3"}, "480 throttled periods use up 144.0 s of a limit of 3000m, but 9.6 s were used"),
]


@pytest.mark.parametrize(("options", "words"), CONTRADICTIONS)
def test_more_used_or_throttled_than_the_limit_allows_is_refused_with_both_numbers(
    options: dict[str, str], words: str
) -> None:
    by = 2 if options["limit"] == "100m" else 1
    rows = [(by * used, periods, throttled, stopped) for used, periods, throttled, stopped in TIMER]
    found = asked(v2(rows), **options)
    assert found.recommendation is None
    assert words in found.reason
    assert "--limit" in found.needed[0]


def test_more_used_than_processors_or_threads_is_refused_with_both_numbers() -> None:
    rows = [(100.0 * at, 600 * at, 60 * at, 6.0 * at) for at in (1, 2, 3)]
    for key, word in (("processors", "processor"), ("threads", "thread")):
        found = asked(v2(rows, 60.0), limit="1", **{key: "1"})
        assert found.recommendation is None
        assert f"1.67 processors were used on average, but there are 1 {word}" in found.reason


def test_a_limit_that_threads_cannot_use_up_is_refused() -> None:
    rows = [(45.0 * at, 600 * at, 30 * at, 1.0 * at) for at in (1, 2, 3)]
    found = asked(v2(rows, 60.0), limit="1500m", threads="1")
    assert found.recommendation is None
    assert "1 thread cannot use up a limit of 1500m" in found.reason


def test_a_few_throttled_periods_are_no_evidence_for_either_question() -> None:
    rows = [(6.0 * at, 600 * at, 2 * at, 0.1 * at) for at in (1, 2, 3)]
    found = asked(v2(rows, 60.0), limit="500m", requests="10/s")
    assert found.recommendation is None
    assert "fewer than 10" in found.reason


def _wider(less: LimitAnswer, more: LimitAnswer, slack: float = 0.3) -> bool:
    """Whether an answer from less evidence has no narrower range of limits, within a step of the grid."""
    if less.recommendation is None:
        return True
    if more.recommendation is None:
        return False
    low, high = less.recommendation, more.recommendation
    return low.low <= high.low * (1 + slack) and (math.isinf(low.high) or low.high >= high.high * (1 - slack))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("load", "group"),
    [
        pytest.param(Load(40.0, 8.0, 1.0, 3.0, 4), Group(0.5, 100.0), marks=pytest.mark.long),
        (Load(5.0, 24.0, 0.0, 1.0, 2, arrivals="regular"), Group(0.17, 100.0)),
        pytest.param(
            Load(80.0, 4.0, 1.0, 1.0, 4, arrivals="surging", fitted_swing=0.6),
            Group(0.5, 100.0),
            marks=pytest.mark.long,
        ),
    ],
)
def test_less_evidence_never_says_more(load: Load, group: Group) -> None:
    every = made(load, group, 8, 120.0)
    known = {
        "limit": f"{group.limit * 1000:g}m",
        "requests": f"{load.requests_per_s:g}/s",
        "threads": f"{load.threads}",
    }

    def answer(parts: Sequence[Copy], *without: str) -> LimitAnswer:
        own = {key: value for key, value in known.items() if key not in without}
        return asked(texts(list(parts)), **own)

    whole = answer(every)
    assert _wider(answer(every, "threads"), whole), "without --threads"
    if load.swing:
        pytest.xfail("without a rate of requests no reading has single requests at a rate that swings")
    assert _wider(answer(every, "requests"), whole), "without --requests"


def test_every_kind_of_arrivals_is_in_the_document() -> None:
    told = document(asked(v2(TIMER), limit="150m", requests=".5/s", threads="1"))
    words = " ".join(reading["what"] for reading in told["readings"])
    for part in ("at equal gaps", "at gaps that vary by 30 %", "at a rate that varies by"):
        assert part in words
    assert np.isfinite(told["recommendation"]["limit"])


def test_the_spread_is_of_intervals_whatever_their_number() -> None:
    found = intervals(read_all([("a", v2(TIMER).encode())]), 100.0, None)
    seen = spread_of(found)
    assert seen is not None
    assert seen.count == 3
    assert seen.used_s == pytest.approx(9.6)

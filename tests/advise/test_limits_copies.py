"""Are copies of cpu.stat read as Linux writes them, and is everything refused that cannot be one group's?"""

from __future__ import annotations

import contextlib
import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicewright import InputError
from slicewright.advise.limits.cpu_stat import Copy, is_cpu_stat, read_copies, texts
from slicewright.advise.limits.from_copies import contradictions
from slicewright.advise.limits.intervals import intervals, read_all
from slicewright.advise.limits.request import Asked, check
from slicewright.advise.options import AdviceOptions
from slicewright.advise.questions import question_of
from slicewright.reading.cgroup import Clock, Interval, Load, Measured, pooled
from slicewright.reading.limits import resting

from tests.conftest import CommandLine

V2 = """\
usage_usec 2000000
user_usec 1500000
system_usec 500000
core_sched.force_idle_usec 0
nr_periods 50
nr_throttled 9
throttled_usec 450000
nr_bursts 0
burst_usec 0
"""
V1 = "nr_periods 50\nnr_throttled 9\nthrottled_time 450000000\n"
USED = "2000000000\n"
LIMIT = AdviceOptions.of(limit="500m", requests="40/s")


def later(text: str = V2, times: int = 3) -> str:
    """A copy with every counter multiplied by a factor."""
    pairs = (line.rpartition(" ") for line in text.splitlines())
    return "".join(f"{key}{blank}{int(value) * times}\n" for key, blank, value in pairs)


def refused(text: str, file: str = "cpu.stat") -> list[tuple[int, str, str]]:
    """Line, key and what is wrong, of all problems."""
    with pytest.raises(InputError) as found:
        read_all([(file, text.encode())])
    return [(problem["line"], problem["key"], problem["what"]) for problem in found.value.problems]


def test_both_layouts_say_the_same() -> None:
    (new,), (old,) = read_copies(V2.encode(), "a"), read_copies((V1 + USED).encode(), "b")
    for name in ("used_s", "periods", "throttled", "stopped_s"):
        assert getattr(new, name) == pytest.approx(getattr(old, name), rel=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        V2 + later(), f"{V2}\n\n{later()}", f"==> a/cpu.stat <==\n{V2}\n==> b/cpu.stat <==\n{later()}",
        (V2 + later()).replace("\n", "\r\n"), f"# first\n{V2}---\n{later()}", f"time 10.5\n{V2}time 40.25\n{later()}",
    ],
)  # fmt: skip
def test_copies_of_one_stream_are_distinguished(text: str) -> None:
    first, second = read_copies(text.encode(), "-")
    assert (first.periods, second.periods) == (50, 150)


def test_what_was_used_may_stand_before_or_after_in_version_1() -> None:
    after = V1 + USED + later(V1) + later(USED)
    before = USED + V1 + later(USED) + later(V1)
    told = [[(copy.used_s, copy.periods) for copy in read_copies(text.encode(), "-")] for text in (before, after)]
    assert told[0] == told[1] == [(2.0, 50), (6.0, 150)]


def test_several_files_are_one_after_the_other() -> None:
    found = read_all([("a", V2.encode()), ("b", later().encode())])
    assert [(copy.file, copy.used_s) for copy in found] == [("a", 2.0), ("b", 6.0)]


@pytest.mark.parametrize("key", ["usage_usec", "nr_periods", "nr_throttled", "throttled_usec"])
def test_a_missing_line_is_reported_with_its_copy(key: str) -> None:
    short = "".join(f"{line}\n" for line in later().splitlines() if not line.startswith(f"{key} "))
    (problem,) = refused(V2 + short)
    assert problem[0] in (10, 11)
    assert problem[1:] == (key, f"copy 2 of 2 has no line {key}")


def test_a_misspelt_line_is_the_one_that_was_meant() -> None:
    with pytest.raises(InputError) as found:
        read_copies(V2.replace("nr_throttled", "nr_throtled").encode(), "cpu.stat")
    assert found.value.problems[0]["nearest"] == "nr_throtled"


def test_version_1_says_where_what_was_used_is() -> None:
    with pytest.raises(InputError) as found:
        read_copies(V1.encode(), "cpu.stat")
    assert "cpuacct.usage" in found.value.problems[0]["allowed"]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("nr_periods -3", "not a count: -3"), ("nr_periods 5.5", "not a count: 5.5"), ("nr_periods", "has no value"),
        ("nr_periods 18446744073709551616", "not a count: 18446744073709551616"), ("12 34", "no counter"),
        ("nr_periods 50 60", "not a count: 50 60"), ("time soon", "not a count: soon"),
    ],
)  # fmt: skip
def test_a_line_that_is_no_counter_is_refused_with_its_place(line: str, what: str) -> None:
    assert (5, what) in [(at, problem) for at, _, problem in refused(V2.replace("nr_periods 50", line))]


def test_all_problems_of_all_files_come_at_once() -> None:
    with pytest.raises(InputError) as found:
        read_all([("a", V2.replace("nr_periods 50", "nr_periods x").encode()), ("b", b""), ("c", b"\xff\xfe")])
    assert [problem["file"] for problem in found.value.problems] == ["a", "b", "c"]


@pytest.mark.parametrize("key", ["usage_usec", "nr_periods", "nr_throttled", "throttled_usec"])
def test_a_counter_that_runs_backwards_is_reported_with_its_line(key: str) -> None:
    text = V2 + "".join(f"{key} 1\n" if line.startswith(key) else f"{line}\n" for line in later().splitlines())
    at = 10 + [line.split()[0] for line in V2.splitlines()].index(key)
    assert (at, key) in [(line, name) for line, name, _ in refused(text)]


def test_more_throttled_periods_than_periods_are_impossible() -> None:
    assert refused(V2.replace("nr_throttled 9", "nr_throttled 51"))[0][:2] == (6, "nr_throttled")


def test_the_layouts_of_two_kernels_are_no_one_group() -> None:
    assert "layout" in refused(V2 + later(V1) + later(USED))[0][2]


def test_the_same_copy_twice_has_no_time_between() -> None:
    with pytest.raises(InputError, match="no time between copy 1 and copy 2"):
        intervals(read_copies((V2 + V2).encode(), "a"), 100.0, None)


def test_periods_that_do_not_fit_into_the_time_are_refused() -> None:
    with pytest.raises(InputError, match="10 s of periods in 5 s"):
        intervals(read_copies((V2 + later()).encode(), "a"), 100.0, 5.0)


@pytest.mark.parametrize(
    ("text", "every", "length", "clock"),
    [
        (V2 + later(), None, 10.0, Clock.PERIODS), (V2 + later(), 30.0, 30.0, Clock.EVERY),
        (f"time 100\n{V2}time 112.5\n{later()}", None, 12.5, Clock.TIME),
    ],
)  # fmt: skip
def test_how_long_an_interval_was_is_known_from(text: str, every: float | None, length: float, clock: Clock) -> None:
    one = intervals(read_copies(text.encode(), "a"), 100.0, every)[-1]
    assert (one.length_s, one.clock) == (length, clock)


def test_of_two_copies_the_time_before_the_first_counts_and_of_three_it_does_not() -> None:
    two, three = V2 + later(), V2 + later() + later(times=5)
    names = [
        [interval.name for interval in intervals(read_copies(text.encode(), "a"), 100.0, None)] for text in (two, three)
    ]
    assert names == [["until copy 1", "copy 1 to 2"], ["copy 1 to 2", "copy 2 to 3"]]


def test_pooled_intervals_add_up() -> None:
    copies = read_copies((V2 + later() + later(times=5)).encode(), "a")
    both = pooled(intervals(copies, 100.0, None))
    assert (both.periods, both.throttled, both.used_s) == (200, 36, 8.0)


@given(st.lists(st.tuples(*[st.integers(0, 10**9)] * 4), min_size=1, max_size=5))
def test_what_is_written_is_read_again(steps: list[tuple[int, int, int, int]]) -> None:
    sums = list(itertools.accumulate(steps, lambda a, b: (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3])))
    copies = [Copy("a", 1, "v2", u / 1e6, p + t, t, s / 1e6, None, None, {}) for u, p, t, s in sums]
    again = read_copies(texts(copies).encode(), "a")
    assert [
        (round(copy.used_s * 1e6), copy.periods, copy.throttled, round((copy.stopped_s or 0.0) * 1e6)) for copy in again
    ] == [(u, p + t, t, s) for u, p, t, s in sums]


@given(st.binary(max_size=200))
def test_whatever_is_read_is_read_or_refused(data: bytes) -> None:
    with contextlib.suppress(InputError):
        assert read_copies(data, "noise")


def test_copies_ask_the_question_of_limits() -> None:
    assert question_of([("-", V2.encode())]).name == "limits"
    assert is_cpu_stat(V1.encode())


@pytest.mark.parametrize(
    ("text", "limit", "period"),
    [("500m", 0.5, 100.0), ("0.5", 0.5, 100.0), ("2", 2.0, 100.0), (".25", 0.25, 100.0), ("1500m", 1.5, 100.0),
     ("50000 100000", 0.5, 100.0), ("20000 40000", 0.5, 40.0)],
)  # fmt: skip
def test_a_limit_is_read_as_kubernetes_and_the_kernel_write_it(text: str, limit: float, period: float) -> None:
    found = check(AdviceOptions.of(limit=text, requests="40/s")).group
    assert (found.limit, found.period_ms) == pytest.approx((limit, period))


@pytest.mark.parametrize(
    ("options", "key", "words"),
    [
        (AdviceOptions.of(requests="40/s"), "limit", "no limit"),
        (AdviceOptions.of(limit="max", requests="40/s"), "limit", "no limit: max"),
        (AdviceOptions.of(limit="5Gi", requests="40/s"), "limit", "not a limit: 5Gi"),
        (AdviceOptions.of(limit="5m", requests="40/s"), "limit", "outside the range that the kernel accepts: 5m"),
        (AdviceOptions.of(limit="0", requests="40/s"), "limit", "outside the range that the kernel accepts: 0"),
        (AdviceOptions.of(limit="500", requests="40/s"), "limit", "outside the range that the kernel accepts: 500"),
        (AdviceOptions.of(limit="4", requests="40/s", processors="2"), "limit", "more than the processors allow"),
        (AdviceOptions.of(limit="500m", requests="40"), "requests", "not a rate: 40"),
        (AdviceOptions.of(limit="500m", requests="50-40/s"), "requests", "not a rate: 50-40/s"),
        (AdviceOptions.of(limit="500m", requests="40/s", threads="0"), "threads", "not a number of threads: 0"),
        (AdviceOptions.of(limit="500m", requests="40/s", period="2 s"), "period", "not a period: 2 s"),
        (AdviceOptions.of(limit="500m", requests="40/s", burst="60 ms"), "burst", "above the quota: 60 ms"),
        (AdviceOptions.of(limit="500m", requests="40/s", every="soon"), "every", "not a span: soon"),
        (AdviceOptions.of(limit="500m", requests="40/s", at=["many"]), "at", "not a setting: many"),
        (AdviceOptions.of(limit="500m", requests="40/s", target="p98_ms <= 3"), "target", "no such number: p98_ms"),
        (AdviceOptions.of(limit="500m", requests="40/s", target="p99_ms >= 3"), "target", "asks for more latency"),
        (AdviceOptions.of(limit="500m", requests="40/s", assume=["scv=lots"]), "assume", "not a value of scv"),
        (AdviceOptions.of(limit="5000 100000", requests="1/s", period="50 ms"), "limit, period", "both give the"
        " period"),
    ],
)  # fmt: skip
def test_an_option_that_cannot_be_is_refused(options: AdviceOptions, key: str, words: str) -> None:
    with pytest.raises(InputError) as found:
        check(options)
    assert [(problem["key"], problem["what"].startswith(words)) for problem in found.value.problems] == [(key, True)]


@pytest.mark.parametrize(
    ("text", "asked"),
    [("750m", Asked(limit=0.75)), ("limit 2", Asked(limit=2.0)), ("none", Asked(limit=float("inf"))),
     ("4 threads", Asked(threads=4)), ("period 20 ms", Asked(period_ms=20.0)), ("burst = 30 ms", Asked(burst_ms=30.0))],
)  # fmt: skip
def test_a_setting_is_asked_for_in_words(text: str, asked: Asked) -> None:
    assert check(AdviceOptions.of(limit="500m", requests="40/s", at=[text])).at == (asked,)


@pytest.mark.parametrize("question", ["aliases", "slices", "polarization", "yields"])
def test_other_questions_refuse_what_is_about_limits(question: str, slicewright: CommandLine, small: Path) -> None:
    found = slicewright("advise", question, small, "--limit", "500m")
    assert found.status == 2
    assert f"limit: belongs to the question limits, not to {question}" in found.err


@pytest.mark.parametrize(
    ("interval", "options", "settles"),
    [
        (Interval(1, 2, 60.0, 600, 120, 9.0, 60.0, Clock.EVERY), LIMIT, "--limit"),
        (Interval(1, 2, 20.0, 600, 120, 48.0, 60.0, Clock.EVERY),
         AdviceOptions.of(limit="500m", requests="40/s", threads="2"), "--threads"),
    ],
)  # fmt: skip
def test_contradictions_to_the_options_are_reported(interval: Interval, options: AdviceOptions, settles: str) -> None:
    (found,) = contradictions([interval], check(options))
    assert settles in found.settles


def test_one_copy_is_not_advised_on(slicewright: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "cpu.stat"
    file.write_text(V2, encoding="ascii")
    found = slicewright("advise", "limits", file, "--limit", "500m", "--requests", "40/s")
    assert found.status == 0
    assert "No recommendation" in found.out
    assert "Settles it a second copy" in found.out


def test_a_group_that_was_never_throttled_is_not_slowed_by_its_limit(slicewright: CommandLine, tmp_path: Path) -> None:
    file, calm = tmp_path / "cpu.stat", V2.replace("nr_throttled 9", "nr_throttled 0").replace("450000", "0")
    file.write_text(calm + later(calm), encoding="ascii")
    found = slicewright("advise", file, "--limit", "500m", "--requests", "40/s")
    assert found.status == 0
    assert "the limit costs no latency" in found.out


ALL_CLEAR = "the limit costs no latency"


def stream(*steps: tuple[int, int]) -> str:
    """Copies a minute apart of a group that used half of 500m, each (periods throttled, us stopped) after the last."""
    sums = itertools.accumulate(steps, lambda before, step: (before[0] + step[0], before[1] + step[1]))
    return "".join(
        f"usage_usec {15_000_000 * at}\nnr_periods {600 * at}\nnr_throttled {throttled}\nthrottled_usec {stopped_us}\n"
        for at, (throttled, stopped_us) in enumerate(sums, start=1)
    )


QUIET, RARE, OFTEN = (0, 0), (1, 50_000), (300, 15_000_000)


@pytest.mark.parametrize(
    ("steps", "seen"),
    [
        ((QUIET, OFTEN), "copy 1 to 2: 50.0 % of periods throttled"),
        ((QUIET, QUIET, OFTEN), "copy 2 to 3: 50.0 % of periods throttled"),
        ((OFTEN, QUIET, QUIET), "until copy 1: 50.0 % of periods throttled"),
        ((QUIET, RARE, *[QUIET] * 7, OFTEN), "copy 1 to 2: .2 % of periods throttled; copy 9 to 10: 50.0 % of periods"),
        ((QUIET, (0, 1_500_000), QUIET), "copy 1 to 2: .0 % of periods throttled"),
    ],
)  # fmt: skip
def test_a_limit_is_not_cleared_while_an_interval_was_throttled(
    steps: tuple[tuple[int, int], ...], seen: str, slicewright: CommandLine, tmp_path: Path
) -> None:
    (tmp_path / "cpu.stat").write_text(stream(*steps), encoding="ascii")
    found = slicewright("advise", tmp_path / "cpu.stat", "--limit", "500m", "--requests", "40/s")
    assert (found.status, ALL_CLEAR in found.out) == (0, False)
    assert seen in " ".join(found.out.split())


def test_a_limit_that_is_not_met_now_is_not_cleared_for_more_requests(slicewright: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "cpu.stat").write_text(stream(QUIET, QUIET), encoding="ascii")
    found = slicewright("advise", tmp_path / "cpu.stat", "--limit", "500m", "--requests", "40/s", "--growth", "50%")
    assert (found.status, ALL_CLEAR in found.out) == (0, False)
    assert "do not predict 1.5 times the requests" in " ".join(found.out.split())


@pytest.mark.parametrize("threads", [[], ["--threads", "4"]])
@pytest.mark.parametrize("steps", [((0, 9_000_000), QUIET), (OFTEN, (0, 9_000_000))])
def test_stopped_time_without_a_throttled_period_is_reported(
    steps: tuple[tuple[int, int], ...], threads: list[str], slicewright: CommandLine, tmp_path: Path
) -> None:
    (tmp_path / "cpu.stat").write_text(stream(*steps), encoding="ascii")
    found = slicewright("advise", tmp_path / "cpu.stat", "--limit", "500m", "--requests", "40/s", *threads)
    assert (found.status, found.err) == (0, "")
    assert "processors were stopped for 9 s, but no period is counted as throttled" in " ".join(found.out.split())


def test_a_stop_that_spans_a_copy_contradicts_nothing() -> None:
    question = check(AdviceOptions.of(limit="500m", requests="40/s", threads="4"))
    found = intervals(read_copies(stream(OFTEN, (0, 200_000)).encode(), "a"), 100.0, None)
    assert contradictions(found, question) == []


def test_a_group_that_counts_no_period_in_the_simulation_is_not_simulated_again() -> None:
    load, idle = Load(1e-3, 8.0, 1.0, 64.0, 4), Measured({"periods": np.zeros(4)}, length_s=60.0)
    assert resting(load, idle, lambda other: pytest.fail(f"{other}"), (100.0, True)) == (load, idle)


def test_a_file_that_is_no_cpu_stat_is_refused(slicewright: CommandLine, small: Path) -> None:
    found = slicewright("advise", "limits", small, "--limit", "500m", "--requests", "40/s")
    assert found.status == 2
    assert "no cpu.stat" in found.err


def test_problems_of_files_and_options_are_reported_together(slicewright: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "cpu.stat"
    file.write_text("usage_usec 5\n", encoding="ascii")
    found = slicewright("advise", file, "--limit", "500", "--requests", "40")
    assert found.status == 2
    for words in (
        "no line nr_periods",
        "no line nr_throttled",
        "accepts: 500",
        "did you mean `500m`",
        "not a rate: 40",
    ):
        assert words in found.err

"""Pages of live results, and requests that are refused before any measurement: no cpu controller is needed here."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from slicewright import InputError
from slicewright.live.groups import Limit
from slicewright.live.kept import REPORT, load, plain, save, shown
from slicewright.live.slices import _late_ms, _lateness, _SlicesResult, _stretches
from slicewright.live.threads import Wait
from slicewright.live.throttling import _Estimates, _ThrottlingResult, _Worked
from slicewright.statistics import Estimate

from tests.conftest import CommandLine
from tests.live.examples import slices_result, throttling_result


@pytest.mark.parametrize("wait_ms", [0.0, 3.0, 9.0, 18.0, 25.0, 45.0, 61.5])
@pytest.mark.parametrize(("slice_ms", "period_ms"), [(30.0, 60.0), (10.0, 20.0), (20.0, 100.0), (90.0, 100.0)])
def test_the_formula_is_the_mean_over_starts(wait_ms: float, slice_ms: float, period_ms: float) -> None:
    steps = 20_000
    starts = [slice_ms * (step + 0.5) / steps for step in range(steps)]
    over = [(start + wait_ms) % period_ms for start in starts]
    mean = math.fsum(period_ms - place if place >= slice_ms else 0.0 for place in over) / steps
    assert _late_ms(wait_ms, slice_ms, period_ms) == pytest.approx(mean, abs=period_ms / steps)


def test_with_half_the_period_it_is_the_formula_of_two_domains() -> None:
    for slice_ms in (9.0, 10.0, 18.0, 20.0, 30.0, 100.0):
        over = 18.0 % (2 * slice_ms)
        told = over - over**2 / (2 * slice_ms) if over <= slice_ms else (2 * slice_ms - over) ** 2 / (2 * slice_ms)
        assert _late_ms(18.0, slice_ms, 2 * slice_ms) == pytest.approx(told)


def test_a_live_mean_is_over_waits_and_its_interval_over_runs() -> None:
    runs = [[Wait(at, at, at + 5, at + 5 + late) for at in range(4)] for late in (1.0, 2.0, 3.0)]
    mean, (middle, worst) = _lateness([*runs, []])
    assert (mean.mean, mean.replications, middle, worst) == (2.0, 3, 2.0, 3.0)
    assert mean.half_width == pytest.approx(2.4841, abs=1e-4)  # t(2) / sqrt(3)


def test_without_waits_nothing_is_known() -> None:
    assert math.isnan(_lateness([[], []])[0].mean)


def test_short_gaps_are_no_ends_of_slices() -> None:
    gaps = [(10.0, 20.0), (25.0, 26.0), (30.0, 39.0), (50.0, 60.0)]
    assert _stretches(gaps, Limit(10_000, 20_000)) == ([10.0, 11.0], [10.0, 9.0, 10.0])


def test_the_table_says_which_pairs_differ() -> None:
    lines = shown(slices_result()).splitlines()
    assert sum(line.split()[-2:-1] == ["differs"] for line in lines) == 1
    assert any(line.startswith("  3 of 4 pairs within 15 % or 1 ms") for line in lines)


def test_of_a_pair_that_does_not_agree_single_runs_are_reported() -> None:
    result = slices_result()
    runs = (1.0, 4.5, 2.0), (0.1, 0.3)
    cells = tuple(replace(cell, live_runs_ms=runs[0], simulated_runs_ms=runs[1]) for cell in result.cells)
    lines = [line for line in shown(replace(result, cells=cells)).splitlines() if "single runs" in line]
    assert lines == [
        "  10 and 18 ms: single runs 1.0 to 4.5 ms live, .1 to .3 simulated; each draws where its periods begin"
    ]


@pytest.mark.parametrize("result", [slices_result(40.0), throttling_result()])
def test_the_page_of_a_measurement_has_its_numbers_and_does_not_promise_to_repeat(
    result: _SlicesResult | _ThrottlingResult, tmp_path: Path
) -> None:
    save(result, tmp_path / "live")
    text = (tmp_path / "live" / REPORT).read_text("utf-8")
    assert text.partition("</main>")[0].count("<table>") == (3 if isinstance(result, _SlicesResult) else 1)
    assert "A measurement: the next gives other numbers." in text
    assert ("Warning: others took 40.0 %" in text) == isinstance(result, _SlicesResult)


def test_the_time_of_throttling_has_a_verdict_of_its_own() -> None:
    result = throttling_result()
    often = result.worked[0]
    longer = replace(often, live=replace(often.live, throttled_ms=5000.0))
    assert (often.time_verdict, longer.agrees, longer.time_verdict) == ("agrees", True, "differs")
    text = shown(replace(result, worked=(longer, result.worked[1])))
    assert "2 of 2 counts of throttled periods agree" in text
    assert "1 of 2 times of throttling" in " ".join(text.split())
    assert re.search(r" agrees +5,000 +4,000\S* ± \S+ +differs ", text)


def test_a_busy_machine_is_warned_of() -> None:
    assert "warning: others took 40.0 % of the measured processor" in shown(slices_result(40.0))
    assert "warning" not in shown(slices_result()).replace("0 warnings", "")


def test_a_count_of_one_run_is_judged_by_how_single_runs_scatter() -> None:
    counts = throttling_result().worked[0].live
    worked = _Worked(20.0, replace(counts, nr_throttled=18.0), _Estimates(*[Estimate(32.0, 3.5, 20)] * 4))
    assert worked.verdict == "too noisy"  # 3.5 times the root of 21 is 16
    far = replace(worked, live=replace(counts, nr_throttled=60.0))
    sure = replace(worked, simulated=_Estimates(*[Estimate(32.0, 0.1, 20)] * 4))
    assert (far.verdict, sure.verdict) == ("differs", "differs")


def test_results_from_before_the_overhead_are_read(tmp_path: Path) -> None:
    save(replace(throttling_result(), overhead_ms=0.04, late_ms=0.03), tmp_path / "live")
    path = tmp_path / "live" / "live.json"
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert (kept.pop("overhead_ms"), kept.pop("late_ms")) == (0.04, 0.03)
    path.write_text(json.dumps(kept), encoding="utf-8")
    assert load(tmp_path / "live") == throttling_result()


@pytest.mark.parametrize("result", [slices_result(), throttling_result()])
def test_a_kept_result_is_shown_again(
    result: _SlicesResult | _ThrottlingResult, tmp_path: Path, slicewright: CommandLine
) -> None:
    save(result, tmp_path / "live")
    assert load(tmp_path / "live") == result
    text = slicewright("live", "show", str(tmp_path / "live"))
    assert text.status == 0
    assert text.out.startswith(f"live {'slices' if 'slices' in text.out.split()[1] else 'throttling'}")
    value = json.loads(slicewright("live", "show", str(tmp_path / "live"), "--format", "json").out)
    assert value == plain(load(tmp_path / "live"))


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"kind": "x"}', b'{"kind": []}', b'{"kind": "live slices", "format": 9}']
)
def test_what_is_no_live_result_is_refused(content: bytes, tmp_path: Path, slicewright: CommandLine) -> None:
    (tmp_path / "live.json").write_bytes(content)
    outcome = slicewright("live", "show", str(tmp_path / "live.json"))
    assert outcome.status == 2
    assert outcome.err.startswith(f"error: {tmp_path / 'live.json'}: is ")


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to everything in a JSON value."""
    items = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    for key, inside in items:
        yield (*at, key)
        yield from places(inside, (*at, key))


def mutated(text: str, seed: int) -> str:
    """A kept result in which one thing, drawn from a seed, is another, missing, twice there or under another name."""
    draw, value = random.Random(seed), json.loads(text)
    *way, last = draw.choice(list(places(value)))
    inside: Any = value
    for key in way:
        inside = inside[key]
    others: list[Any] = [None, True, -1, 0, 1e300, 10**400, float("nan"), float("inf"), "x", "", [], [[]], {}, {"a": 1}]
    match draw.randrange(4):
        case 0:
            del inside[last]
        case 1 if isinstance(inside, dict):
            inside[f"{last}\x1b"] = inside.pop(last)
        case 2 if isinstance(inside, list):
            inside.insert(0, inside[last])
        case _:
            inside[last] = draw.choice(others)
    return json.dumps(value)


@pytest.mark.parametrize("result", [slices_result(), throttling_result()])
def test_a_mutated_result_is_shown_or_refused(result: Any, tmp_path: Path) -> None:
    save(result, tmp_path / "live")
    text, file = (tmp_path / "live" / "live.json").read_text("utf-8"), tmp_path / "live.json"
    refused = 0
    for seed in range(150):
        file.write_text(mutated(text, seed), encoding="utf-8")
        try:
            found = load(file)
        except InputError:
            refused += 1
        else:
            assert shown(found)
            assert json.dumps(plain(found))
    assert 50 < refused < 150


def test_all_problems_of_a_result_are_reported(tmp_path: Path, slicewright: CommandLine) -> None:
    save(slices_result(), tmp_path / "live")
    file = tmp_path / "live" / "live.json"
    value = json.loads(file.read_text("utf-8"))
    value["grid"]["wait_ms"] = value["grid"].pop("waits_ms")
    value["cells"][3]["live_ms"], value["cells"][4]["case"], value["slices"][0]["on_range_ms"] = "7", "lockd", [1.0]
    file.write_text(json.dumps(value), encoding="utf-8")
    outcome = slicewright("live", "show", file)
    told = [line.removeprefix("error: ") for line in outcome.err.splitlines() if line[0] != " "]
    assert (outcome.status, told) == (2, [
        "grid.wait_ms: unknown key", "grid.waits_ms: is missing",
        "cells[3].live_ms: not a number: '7'", "cells[4].case: not one of its words: 'lockd'",
        "slices[0].on_range_ms: a list of 1",
    ])  # fmt: skip


def test_all_problems_of_spans_are_reported(slicewright: CommandLine) -> None:
    outcome = slicewright("live", "slices", "--slices", "x", "--waits", "0y", "--work", "-")
    assert outcome.status == 2
    assert [key for key in ("slices:", "waits:", "work:") if key in outcome.err] == ["slices:", "waits:", "work:"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["slices", "--slices", "0.5 ms"], "slices: a quota of 0.5 ms of a period of 1 ms"),
        (["slices", "--slices", "600 ms"], "slices: a quota of 600 ms of a period of 1200 ms"),
        (["slices", "--waits", "2 s"], "waits: a wait out of bounds"),
        (["slices", "--waits", "9,9"], "waits: the same twice"),
        (["slices", "--case", "lockd"], "did you mean `locked`"),
        (["slices", "--share", "half"], "share: not a share: 'half'"),
        (["slices", "--share", "100%"], "share: a share of 1"),
        (["slices", "--seconds", "1000"], "seconds: 1000 s for each slice and case, 6000 s in all"),
        (["slices", "--seconds", "4"], "allowed: at least 4.5 s each, at most 900 s in all"),
        (["slices", "--seconds", "nan"], "seconds: nan s"),
        (["slices", "--tick", "1 s"], "tick: a tick of 1000 ms"),
        (["slices", "--waiters", "0"], "waiters: 0 waiters for each wait"),
        (["slices", "--processor", "99999"], "processor: this process may not use processor 99999"),
        (["slices", "--group", "/no/such/group"], "group: there is no such group"),
        (["throttling", "--quota", "0.5 ms"], "quota: a quota of 0.5 ms"),
        (["throttling", "--period", "2 s"], "quota: a quota of 20 ms of a period of 2000 ms"),
        (["throttling", "--quota", "200 ms"], "why: one thread uses at most the whole of one processor"),
        (["throttling", "--burst", "30 ms"], "burst: a burst of 30 ms"),
        (["throttling", "--sleeps", "20 s"], "sleeps: a sleep out of bounds"),
        (["throttling", "--seconds", "200"], "seconds: 1200 s in all"),
        (["throttling", "--processor", "99999"], "processor: this process may not use processor 99999"),
    ],
)
def test_what_cannot_be_measured_is_refused_before(words: list[str], said: str, slicewright: CommandLine) -> None:
    outcome = slicewright("live", *words)
    assert outcome.status == 2
    assert said in outcome.err
    assert outcome.out == ""

"""Does less evidence about a disk of Linux ever give a surer depth, and does evidence without a load give none?"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicewright.advise.aliases.depth import DepthAnswer, DepthLaw, answer_depths, depths_that_fit
from slicewright.advise.aliases.request import AliasRequest, check
from slicewright.advise.options import AdviceOptions

from tests.conftest import CommandLine

TOOLS = Path(__file__).parents[1] / "measured" / "linux_tools"
HEAD = "Device r/s r_await w/s w_await aqu-sz %util"
ASYNC = {"filename": "/dev/sdb", "ioengine": "libaio", "direct": "1", "rw": "randread", "bs": "4k"}


def fio(*points: tuple[int, float, float], **options: str) -> tuple[str, bytes]:
    """A result of fio with a group for each point: depth, requests per second, ms."""
    rows = [
        {"jobname": f"d{depth}", "groupid": at, "job options": {**ASYNC, "iodepth": str(depth), **options},
         "read": {"iops": rate, "bw": 1, "runtime": 1000, "clat_ns": {}, "lat_ns": {"mean": 1e6 * ms}}}
        for at, (depth, rate, ms) in enumerate(points)
    ]  # fmt: skip
    return "a.json", json.dumps({"fio version": "fio-3.36", "jobs": rows}).encode()


def iostat(*intervals: tuple[float, float]) -> tuple[str, bytes]:
    """Reports of iostat after the one since the boot: requests per second and ms of each interval."""
    rows = [(1.0, 0.5), *intervals]
    return "a.txt", "\n\n".join(
        f"{HEAD}\nsda {rate:.2f} {ms:.2f} 0 0 {rate * ms / 1000:.4f} 9\n" for rate, ms in rows
    ).encode()  # fmt: skip


def one(*files: tuple[str, bytes], **options: Any) -> DepthAnswer:
    (answer,) = answer_depths(files, check(AdviceOptions.of(**options)))
    return answer


def span(answer: DepthAnswer) -> tuple[float, float]:
    """The range of an answer; without a recommendation it is everything."""
    chosen = answer.recommendation
    return (0, math.inf) if chosen is None else (chosen.low, chosen.high)


def wider(less: DepthAnswer, more: DepthAnswer) -> bool:
    return span(less)[0] <= span(more)[0] and span(less)[1] >= span(more)[1]


@given(
    st.integers(1, 40), st.sampled_from([0.0, 0.01, 0.05]), st.lists(st.floats(-0.15, 0.15), min_size=8, max_size=8),
    st.sets(st.integers(0, 7), max_size=7),
)  # fmt: skip
def test_fewer_points_leave_no_fewer_laws(servers: int, growth: float, noise: Sequence[float], gone: set[int]) -> None:
    law = DepthLaw(0.5, growth, 1000 * servers / 0.5 / (1 + growth * (servers - 1)))
    depths = (1, 2, 4, 8, 16, 32, 64, 128)
    points = [(n, law.rate(n) * (1 + off), None) for n, off in zip(depths, noise, strict=True)]
    whole = depths_that_fit(points, 0.05)
    fewer = depths_that_fit([point for at, point in enumerate(points) if at not in gone], 0.05)
    counted = depths_that_fit([(n, rate, 60.0) for n, rate, _ in points], 0.05)
    if whole is None or len(gone) == len(depths):
        return
    for less in (fewer, counted):
        assert less is not None
        assert less[0] <= whole[0] <= whole[1] <= less[1]


@pytest.mark.parametrize("servers", [3, 6, 11])
def test_fewer_depths_never_give_a_narrower_range(servers: int) -> None:
    law = DepthLaw(0.5, 0.01, 2000 * servers)
    points = [(depth, law.rate(depth), 1000 * depth / law.rate(depth)) for depth in (1, 2, 4, 8, 16, 32)]
    whole = one(fio(*points))
    assert whole.recommendation is not None
    for gone in range(len(points)):
        assert wider(one(fio(*points[:gone], *points[gone + 1 :])), whole)
    assert one(fio(*points[:2])).recommendation is None


@given(st.integers(1, 60), st.sampled_from([0.0, 0.02]), st.sampled_from([0.02, 0.05, 0.2]))
def test_the_true_depth_is_in_the_range_of_laws_that_fit(servers: int, growth: float, knee: float) -> None:
    law = DepthLaw(0.5, growth, 1000 * servers / 0.5 / (1 + growth * (servers - 1)))
    found = depths_that_fit([(n, law.rate(n), None) for n in (1, 2, 4, 8, 16, 32, 64, 128, 256)], knee)
    assert found is not None
    assert found[0] <= law.depth_for((1 - knee) * law.ceiling) <= found[1]


@pytest.mark.parametrize("name", ["fio-depth", "fio-numjobs", "fio-rate"])
def test_files_of_fio_that_are_left_out_never_narrow_the_range(name: str) -> None:
    files = [(file.name, file.read_bytes()) for file in sorted(TOOLS.glob(f"{name}-*.json"))]
    whole = one(*files)
    for gone in range(len(files)):
        assert wider(one(*files[:gone], *files[gone + 1 :]), whole)


@given(
    st.lists(st.tuples(st.floats(10, 5000), st.floats(0.1, 5)), min_size=2, max_size=6), st.integers(0, 5)
)  # fmt: skip
def test_intervals_beside_the_hardest_do_not_narrow_the_range(intervals: list[tuple[float, float]], gone: int) -> None:
    hardest = max(intervals, key=lambda interval: round(interval[0] * interval[1] / 1000, 4))
    fewer = [each for at, each in enumerate(intervals) if at != gone or each == hardest]
    assert wider(one(iostat(*fewer)), one(iostat(*intervals)))
    assert one(iostat()).recommendation is None


def test_fewer_intervals_say_that_a_harder_one_is_likelier() -> None:
    few, many = one(iostat((2000, 2))), one(iostat(*[(2000, 2)] * 9))
    assert "1 in 2" in few.open[-1]
    assert "1 in 10" in many.open[-1]
    assert span(few) == span(many)


def test_a_load_does_not_tell_how_many_requests_a_disk_serves_at_once() -> None:
    for name in ("iostat.txt", "btt.txt", "dasdstat-two.txt"):
        answer = one((name, (TOOLS / name).read_bytes()))
        assert answer.recommendation is not None
        assert answer.recommendation.low == 1 < answer.recommendation.high
        assert any("serves at once" in line for line in answer.open)


def test_classes_of_dasdstat_are_in_the_range() -> None:
    chosen = one(("a", (TOOLS / "dasdstat-two.txt").read_bytes())).recommendation
    assert chosen is not None
    assert chosen.aliases <= chosen.high


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_report_since_the_boot_is_no_interval(form: str, slicewright: CommandLine) -> None:
    asked = slicewright("advise", "aliases", str(TOOLS / "iostat-since-boot.txt"), "--format", form)
    assert asked.status == 0
    assert "since the boot" in " ".join(asked.out.split())
    assert "1 requests" not in asked.out
    if form == "json":
        found = json.loads(asked.out)
        assert found["recommendation"] is None
        assert found["reason"]
        assert "iostat -x -t 10 60" in found["needed"][0]


def test_a_report_since_the_boot_in_json_is_no_interval() -> None:
    whole = json.loads((TOOLS / "iostat.json").read_text())
    host = whole["sysstat"]["hosts"][0]
    host["statistics"] = host["statistics"][:1]
    assert "since the boot" in one(("a.json", json.dumps(whole).encode())).reason


def test_a_disk_that_is_nearly_idle_has_no_recommendation() -> None:
    answer = one(iostat((30, 0.5), (40, 0.5)))
    assert answer.recommendation is None
    assert "nearly idle: .020 requests present in the hardest of 2 intervals" in answer.reason
    assert one(iostat((30, 0.5), (40, 0.5)), growth="10x").recommendation is not None


def test_a_rate_that_fio_was_told_to_keep_gives_no_recommendation(slicewright: CommandLine) -> None:
    asked = slicewright("advise", "aliases", *(str(TOOLS / f"fio-rate-{depth}.json") for depth in (1, 4, 16)),
                        "--format", "json")  # fmt: skip
    found = json.loads(asked.out)
    assert found["recommendation"] is None
    assert ".5 requests in flight" in found["reason"]
    assert "rate_iops=2000" in found["reason"]
    assert found["needed"]


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"ioengine": "psync"}, "ioengine=psync"),
        ({"ioengine": "sync"}, "ioengine=sync"),
        ({"ioengine": "pvsync2"}, "ioengine=pvsync2"),
        ({"ioengine": "mmap"}, "ioengine=mmap"),
        ({"rate": "8m"}, "rate=8m limits"),
        ({"thinktime": "500us"}, "thinktime=500us"),
        ({"rate_iops": "2000", "rate_process": "poisson"}, "rate_iops=2000"),
    ],
)
def test_an_engine_or_an_option_that_keeps_fio_from_asking_is_named(options: dict[str, str], word: str) -> None:
    answer = one(fio((1, 3000, 0.3), (4, 3010, 0.3), (16, 2990, 0.3), **options))
    assert answer.recommendation is None
    assert "never had more than .9 requests in flight, although depth 16" in answer.reason
    assert word in answer.reason
    assert "numjobs" in answer.needed[0]


def test_without_an_engine_one_request_in_flight_is_that_of_psync() -> None:
    plain = {key: value for key, value in ASYNC.items() if key != "ioengine"}
    rows = [
        {"jobname": "d", "groupid": 0, "job options": {**plain, "iodepth": str(depth)},
         "read": {"iops": 3000, "bw": 1, "runtime": 1000, "clat_ns": {}, "lat_ns": {"mean": 3.3e5}}}
        for depth in (1, 8, 32)
    ]  # fmt: skip
    files = [(f"{at}.json", json.dumps({"fio version": "fio-3.36", "jobs": [row]}).encode())
             for at, row in enumerate(rows)]  # fmt: skip
    assert "psync, which Linux takes where none is given" in one(*files).reason


@pytest.mark.parametrize("depths", [(1, 4, 16), (4, 8, 16), (16, 32, 64)])
def test_a_rate_that_does_not_depend_on_depth_tells_no_depth(depths: tuple[int, ...]) -> None:
    answer = one(fio(*((depth, 2000 + depth / 10, depth / 2) for depth in depths)))
    assert answer.recommendation is None
    assert "does not depend on depth" in answer.reason
    assert "io.max" in answer.reason


def test_a_depth_that_was_not_reached_meets_no_condition() -> None:
    answer = one(fio((1, 3000, 0.3), (4, 3010, 0.3), (16, 2990, 0.3), thinktime="1ms"), target="response_ms <= 1")
    assert answer.target is not None
    assert answer.target[1] == 1  # 4 and 16 were asked for, and not reached
    full = one(fio((1, 1000, 1), (4, 4000, 1), (16, 5000, 3.2)), target="response_ms <= 1")
    assert full.target is not None
    assert full.target[1] == 4


def test_buffered_libaio_is_named() -> None:
    answer = one(fio((1, 3000, 0.33), (4, 3000, 1.33), (16, 3000, 5.3), direct="0"))
    assert any("libaio without direct=1" in caveat for caveat in answer.caveats)


def test_depths_of_different_loads_are_no_curve() -> None:
    law = DepthLaw(0.5, 0.0, 8000)
    files = [("a.json", fio((1, law.rate(1), 0.5), (2, law.rate(2), 0.5), (4, law.rate(4), 0.5))[1]),
             ("b.json", fio((8, 8000, 1), (16, 8000, 2), (32, 8000, 4), rw="randwrite", bs="64k")[1])]  # fmt: skip
    answer = one(*files)
    assert answer.recommendation is None
    assert "randread 4096; randwrite 65536" in answer.reason


def test_groups_that_ran_at_the_same_time_are_no_curve() -> None:
    points = [(depth, DepthLaw(0.5, 0.0, 8000).rate(depth)) for depth in (1, 2, 4, 8, 16, 32)]
    timed = [(depth, rate, 1000 * depth / rate) for depth, rate in points]
    after, beside = (one(fio(*timed, **options)) for options in ({"stonewall": "1"}, {"new_group": "1"}))
    assert after.recommendation is not None
    assert beside.recommendation is None
    assert "at the same time" in beside.reason


def test_times_of_groups_decide_before_their_options() -> None:
    _, data = fio(
        *((depth, 1000.0 * min(depth, 8), max(1.0, depth / 8)) for depth in (1, 2, 4, 8, 16, 32)), new_group="1"
    )
    for apart_s, together in ((30, False), (0, True), (0.5, True)):
        result = json.loads(data)
        for at, job in enumerate(result["jobs"]):
            job["job_start"] = 1_783_516_269_000 + 1000 * apart_s * at
        answer = one(("a.json", json.dumps(result).encode()))
        assert (answer.recommendation is None) is together
        assert ("at the same time" in answer.reason) is together


def test_rates_that_no_law_fits_give_no_recommendation() -> None:
    answer = one(fio((1, 1000, 1), (2, 4000, 0.5), (4, 1000, 4), (8, 4000, 2), (16, 1000, 16)))
    assert answer.recommendation is None
    assert "too uneven" in answer.reason


def test_clones_that_reach_a_ceiling_have_a_recommendation() -> None:
    clones = []
    for jobs in (1, 2, 4, 8, 16, 32):
        rate = min(jobs, 6) * 2000 / jobs
        rows = [
            {
                "jobname": "d",
                "groupid": 0,
                "job options": {**ASYNC, "ioengine": "psync", "numjobs": str(jobs)},
                "read": {"iops": rate, "bw": 1, "runtime": 1000, "clat_ns": {}, "lat_ns": {"mean": 1e9 / rate}},
            }
        ] * jobs
        clones.append((f"{jobs}.json", json.dumps({"fio version": "fio-3.36", "jobs": rows}).encode()))  # fmt: skip
    answer = one(*clones)
    assert [point.depth for point in answer.points] == [1, 2, 4, 8, 16, 32]
    assert answer.recommendation is not None
    assert answer.recommendation.low <= 6 <= answer.recommendation.high


def test_few_requests_widen_the_range_of_a_curve() -> None:
    law = DepthLaw(0.5, 0.0, 12_000)
    spans = []
    for count in (100_000, 100, 30, 4):
        _, data = fio(*((depth, law.rate(depth), 1000 * depth / law.rate(depth)) for depth in (1, 2, 4, 8, 16, 32, 64)))
        result = json.loads(data)
        for job in result["jobs"]:
            job["read"]["total_ios"] = count
        spans.append(span(one(("a.json", json.dumps(result).encode()))))
    assert spans == sorted(spans, key=lambda each: each[1] - each[0])
    assert spans[0][1] < spans[2][1]
    assert spans[-1] == (0, math.inf)


def test_few_requests_of_a_load_give_no_recommendation() -> None:
    text = (TOOLS / "btt.txt").read_text()
    few = text.replace("1999", "49").replace("2000", "50")
    answer = one(("btt.txt", few.encode()))
    assert answer.recommendation is None
    assert "at most 50 requests were counted" in answer.reason


def test_one_request_is_one_request(slicewright: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(iostat((60, 1))[1])
    asked = slicewright("advise", "aliases", str(tmp_path / "a.txt"), "--assume", "knee=20%")
    assert asked.status == 0, asked.err
    assert "  1 request in flight " in asked.out
    assert "no other depth fits" not in asked.out


def test_notes_of_the_readers_are_caveats() -> None:
    answer = answer_depths([("p", (TOOLS / "dasdstat-unnamed.txt").read_bytes())], AliasRequest())[0]
    assert any("does not name its device" in caveat for caveat in answer.caveats)

"""Does advice on slices from RMF pages find the load again that printed them, and refuse what no page can answer?"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import slicewright
from slicewright import InputError
from slicewright._core import Scenario
from slicewright.advise.options import AdviceOptions
from slicewright.advise.slices.answer import SliceAnswer
from slicewright.advise.slices.from_pages import answer_evidence, answer_pages
from slicewright.advise.slices.machine import machine_of
from slicewright.advise.slices.pages import gather
from slicewright.advise.slices.request import check
from slicewright.run.pages.rmf import cpu_pages_of, direct_access_page_of

from tests.advise.slices_example import CPU, PAGE, PARTITIONS
from tests.conftest import CommandLine

SECOND = PAGE.replace(b"PEMDFI", b"PEMDFT").replace(b" C23 ", b" CC1 ")
SIMULATED = """
name = "PROD"
assume = "a test"
cec = { processors = 2, scheduling_parameter = 1 }

[[partition]]
name = "PROD"
logical_processors = 2
target = "50 %"

[[partition]]
name = "TEST"
logical_processors = 2
target = "50 %"

[[volume]]
name = "BUSY"
device = "100"
partition = "PROD"
service = { pend = "0.5 ms", disconnect = { uniform = ["4 ms", "20.7 ms"] }, connect = "3 ms" }

[[volume]]
name = "QUIET"
device = "101"
partition = "PROD"
service = { pend = "0.5 ms", disconnect = { uniform = ["4 ms", "20.7 ms"] }, connect = "3 ms" }

[[guest]]
name = "FOUR"
partition = "PROD"
count = 4
program = [ { think = { exponential = "80 ms" } }, { compute = "0.2 ms" }, { io = { volume = "BUSY" } } ]

[[guest]]
name = "ONE"
partition = "PROD"
count = 1
program = [ { think = { exponential = "80 ms" } }, { compute = "0.2 ms" }, { io = { volume = "QUIET" } } ]

[measure]
interval = "5 min"
warm_up = "10 s"
replications = 4
"""


ONE_READING = ["arrivals=open", "service=constant", "slih=0.15ms"]
"""Leaves a single reading to simulate, for tests that ask something else of the answer."""


def asked(**options: object) -> SliceAnswer:
    return answer_pages([("A.txt", PAGE)], check(AdviceOptions.of(slices="30 ms", **options)))


@pytest.mark.parametrize("level", ["current", pytest.param("classic", marks=pytest.mark.slow)])
def test_the_truth_behind_a_simulated_page_lies_in_the_range(level: str) -> None:
    run = slicewright.run(SIMULATED)
    page = direct_access_page_of(run, level)
    found = answer_pages(
        [("PROD.txt", page.encode())], check(AdviceOptions.of(slices="1", at=["5"], assume=["slih=0.15ms"]))
    )
    assert any(reading.accepted for reading in found.readings), [reading.why for reading in found.readings]
    for parameter, slice_ms in ((1, 30.0), (5, 10.0)):
        truth = slicewright.run(SIMULATED, set={"cec.scheduling_parameter": parameter}).volumes
        point = found.point(slice_ms)
        assert point is not None
        for name, hold in zip(truth["volume"], truth["hold_ms"], strict=True):
            held = point.devices[name]
            assert 0.85 * held.low_ms < hold < 1.15 * held.high_ms, (name, slice_ms)


@pytest.mark.slow
def test_the_range_holds_the_printed_delay_and_a_page_without_it_says_no_more() -> None:
    page = direct_access_page_of(slicewright.run(SIMULATED), "current").encode()
    evidence, options = gather([("PROD.txt", page)]), check(AdviceOptions.of(slices="1", assume=["arrivals=closed"]))
    found = answer_evidence(evidence, ("PROD.txt",), options)
    now, short = found.point(30.0), found.point(5.0)
    assert now is not None
    assert short is not None
    for volume in evidence.pages[0].volumes:
        held = now.devices[volume.name]
        assert volume.hold_ms is not None
        assert held.low_ms - 1e-3 <= volume.hold_ms <= held.high_ms + 1e-3

    silent = tuple(replace(volume, hold_ms=None) for volume in evidence.pages[0].volumes)
    less = replace(evidence, pages=(replace(evidence.pages[0], volumes=silent),))
    wider = answer_evidence(less, ("PROD.txt",), options).point(5.0)
    assert wider is not None
    assert wider.hold.high_ms / wider.hold.low_ms >= 0.95 * short.hold.high_ms / short.hold.low_ms


def test_a_number_that_is_missed_by_little_widens_the_range_and_is_named() -> None:
    page = PAGE.replace(b"33.00   55   38 ", b"10.00   17    0 ")
    found = answer_pages([("A.txt", page)], check(AdviceOptions.of(slices="1", assume=ONE_READING)))
    (why,) = [question for question in found.open if "ranges are multiplied by the miss" in question]
    assert "against .00" in why
    (used, *_) = found.readings
    assert not used.accepted
    now = found.point(30.0)
    assert now is not None
    assert now.hold.low_ms < now.hold.simulated.mean < now.hold.high_ms


def test_a_page_alone_answers_without_its_slice_and_says_what_that_costs() -> None:
    found = answer_pages([("A.txt", PAGE)], check(AdviceOptions.of()))
    assert found.now_ms is None
    assert found.recommendation is not None
    assert any("--slices" in need for need in found.needed)
    assert not found.domains, "a full domain cannot be named while its slices are unknown"


def test_who_says_more_is_asked_less() -> None:
    found = asked(assume=[*ONE_READING, "switch=0.1 ms", "processors=2", "busy=50%"])
    assert {reading.name.partition("-")[0] for reading in found.readings} == {"open"}
    assert not any("interrupt handler" in question or "scv" in question for question in found.open)
    assert not any("assumed; --assume processors" in question for question in found.open)
    assert found.domains[0].got is not None
    assert found.domains[0].got.mean == pytest.approx(0.25, rel=0.1)


def test_pages_of_two_partitions_make_a_scenario(slicewright: CommandLine, tmp_path: Path) -> None:
    for name, page in (("A.txt", PAGE), ("B.txt", SECOND)):
        (tmp_path / name).write_bytes(page)
    made = tmp_path / "both.toml"
    words = ["--slices", "30 ms", "--share", "60%,40%", "--assume", "busy=60%,50%", "--format", "json"]
    outcome = slicewright("advise", tmp_path / "A.txt", tmp_path / "B.txt", *words, "--out", made)
    assert (outcome.status, outcome.err) == (0, "")
    answer = json.loads(outcome.out)
    first, second = answer["partitions"]
    assert (first["share_due_percent"], second["share_due_percent"]) == (60, 40)
    assert first["share_got_percent"] == pytest.approx(36, rel=0.1)
    assert second["share_got_percent"] == pytest.approx(20, rel=0.1)
    assert first["headroom"]["low"] > 1
    assert {device["device"] for device in answer["devices"]} == {"C23", "8C2", "CC1", "8C2.PEMDFT"}
    again = slicewright("advise", made, "--format", "json")
    assert [partition["share_got_percent"] for partition in json.loads(again.out)["partitions"]] == [
        partition["share_got_percent"] for partition in answer["partitions"]
    ]


def test_growth_scales_what_is_asked_for() -> None:
    known = ["arrivals=closed", "service=rotating", "busy=30%", "slih=0.15ms"]
    now, grown = asked(assume=known), asked(assume=known, growth="1.3x")
    before, after = (sum(device.io_per_s for device in answer.devices) for answer in (now, grown))
    assert 1.05 * before < after < 1.31 * before
    assert now.domains[0].room is not None
    assert grown.domains[0].room is not None
    assert grown.domains[0].room.high < now.domains[0].room.high


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"share": ["100%"]}, "no share remains"),
        ({"share": ["50%", "20%"]}, "2 values for 1 page"),
        ({"assume": ["busy=50%,50%"]}, "2 values for 1 page"),
    ],
)
def test_shares_that_cannot_be_are_refused(options: dict[str, list[str]], said: str) -> None:
    with pytest.raises(InputError, match=said):
        asked(**options)


def test_every_file_that_is_no_page_is_reported() -> None:
    files = [("A.txt", PAGE), ("b.toml", b"[cec]"), ("C.txt", b"1FCX108  Run"), ("D.txt", b"nothing")]
    with pytest.raises(InputError) as caught:
        answer_pages(files, check(AdviceOptions.of()))
    assert [problem["file"] for problem in caught.value.problems] == ["b.toml", "C.txt", "D.txt"]


def test_pages_of_other_intervals_are_noticed() -> None:
    later = SECOND.replace(b"10.00.00", b"11.00.00")
    options = AdviceOptions.of(assume=["service=constant", "slih=0.15ms"])
    found = answer_pages([("A.txt", PAGE), ("B.txt", later)], check(options))
    assert any("cover different intervals" in question for question in found.open)
    assert any("8C2 on more than one page" in question for question in found.open)


@pytest.mark.parametrize("beside", [CPU, PARTITIONS])
def test_a_page_beside_it_of_another_interval_is_noticed(beside: bytes) -> None:
    later = beside.replace(b"10.00.00", b"11.00.00")
    options = AdviceOptions.of(assume=["service=constant", "slih=0.15ms"])
    together, apart = (answer_pages([("A.txt", PAGE), ("B.txt", other)], check(options)) for other in (beside, later))
    assert not any("cover different intervals" in question for question in together.open)
    assert any("cover different intervals" in question for question in apart.open)


def test_pages_beside_it_show_shares_and_busy_domains() -> None:
    found = answer_pages([("A.txt", PAGE + CPU), ("machine.txt", PARTITIONS)], check(AdviceOptions.of()))
    assert found.now_ms == 30, "the dispatch interval"
    assert [(domain.name, domain.due) for domain in found.domains] == [("PEMDFI", 0.5), ("PEMDFT", 0.5)]
    assert found.domains[0].got is not None
    assert found.domains[1].got is None
    (busy,) = [fact for fact in found.facts if "MVS BUSY 30.0 %" in fact]
    simulated = float(busy.rpartition("simulated ")[2].removesuffix(" %"))
    assert simulated == pytest.approx(30, abs=1.5)


def test_cpu_activity_of_a_simulated_run_gives_its_busy_back() -> None:
    run = slicewright.run(SIMULATED.replace('compute = "0.2 ms"', 'compute = "12 ms"'))
    pages = direct_access_page_of(run, "current") + cpu_pages_of(run)["PROD"]
    found = answer_pages([("PROD.txt", pages.encode())], check(AdviceOptions.of(slices="1")))
    (row,) = run.partitions.filter(run.partitions["partition"] == "PROD").to_dicts()
    assert found.domains[0].got is not None
    assert found.domains[0].got.mean == pytest.approx(row["cpu_percent"] / 200, rel=0.1)


def test_weights_that_are_not_equal_are_shares() -> None:
    heavy = PARTITIONS.replace(b"PEMDFI      A   50", b"PEMDFI      A   70").replace(b"30 ms", b"DYNAMIC")
    options = AdviceOptions.of(slices="20 ms", assume=ONE_READING)
    found = answer_pages([("A.txt", PAGE), ("m.txt", heavy)], check(options))
    machine = machine_of(Scenario.read(found.scenario.encode(), "a.toml").view)
    assert machine is not None
    assert [round(domain.share, 4) for domain in machine.domains] == [0.5833, 0.4167]


@pytest.mark.parametrize(
    ("files", "options", "said"),
    [
        ([("m.txt", PARTITIONS)], {}, "no page of devices"),
        ([("A.txt", PAGE), ("m.txt", PARTITIONS)], {"share": ["50%"]}, "PARTITION DATA gives it"),
        ([("A.txt", PAGE.replace(b"PEMDFI", b"SYSX")), ("m.txt", PARTITIONS)], {}, "no partition that shares"),
        ([("A.txt", PAGE), ("B.txt", PAGE), ("m.txt", PARTITIONS)], {}, "two pages of partition PEMDFI"),
        ([("A.txt", PAGE), ("m.txt", PARTITIONS.replace(b"A   50", b"A   DED"))], {}, "no two partitions share"),
        ([("A.txt", PAGE), ("m.txt", PARTITIONS.replace(b"A   50", b"A    x"))], {}, "not a weight"),
    ],
)
def test_pages_that_contradict_are_refused(
    files: list[tuple[str, bytes]], options: dict[str, list[str]], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        answer_pages(files, check(AdviceOptions.of(**options)))


def test_no_advice_where_nothing_that_was_tried_prints_the_page() -> None:
    impossible = PAGE.replace(b"33.00   55   38 ", b"57.00   17    0 ").replace(
        b"10.00   17    0 ", b"57.00   17    0 "
    )
    found = answer_pages([("A.txt", impossible)], check(AdviceOptions.of(slices="1")))
    assert found.recommendation is None
    assert "reproduces these pages" in found.reason
    assert found.curve, "what would be is shown all the same"


def test_a_slice_that_a_switch_fills_is_refused() -> None:
    with pytest.raises(InputError, match="a switch takes 5 ms"):
        asked(at=["3 ms"], assume=["switch=5 ms"])

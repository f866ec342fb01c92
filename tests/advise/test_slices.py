"""Is the advice on slices right: the formula beside exact results, the curve beside the formula, the cost, the room?"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from slicewright import InputError
from slicewright._core import Scenario, starter
from slicewright.advise.options import AdviceOptions
from slicewright.advise.questions import question_of, request_of
from slicewright.advise.slices.answer import Growing, SliceAnswer, answer_scenario, most_growth
from slicewright.advise.slices.machine import Machine, Part, Turn, _of_any, at_slice, hold_ms, machine_of, measured
from slicewright.advise.slices.question import QUESTION
from slicewright.advise.slices.request import SliceRequest, check
from slicewright.experiment.plan import Plan

from tests.conftest import CommandLine

STARTER = starter("two-domains").encode()

ALONE = """
name = "I/Os that do not meet"
assume = "a test"
cec = { processors = 1, slice = "10 ms" }

[[partition]]
name = "OWN"
logical_processors = 1
target = "OWN_SHARE"
slih = "0 ms"

[[partition]]
name = "OTHER"
logical_processors = 1
target = "OTHER_SHARE"

[[volume]]
name = "A"
device = "100"
partition = "OWN"
service = { pend = "0.5 ms", disconnect = { uniform = ["4 ms", "20.7 ms"] }, connect = { exponential = "3 ms" } }

[[guest]]
name = "ONE"
partition = "OWN"
count = 1
program = [ { compute = { exponential = "400 ms" } }, { io = { volume = "A" } } ]
"""


def resolved(text: bytes) -> tuple[Scenario, Machine]:
    made = Scenario.read(text, "test.toml")
    machine = machine_of(made.view)
    assert machine is not None
    return made, machine


@pytest.fixture(scope="module")
def starter_answer() -> SliceAnswer:
    return answer_scenario(STARTER, "two-domains.toml", SliceRequest(at=(12.5,)))


@pytest.mark.parametrize("slice_ms", [0.7, 5.0, 9.0, 10.0, 18.0, 20.0, 30.0, 100.0])
@pytest.mark.parametrize("service_ms", [0.3, 5.0, 18.0, 47.0])
def test_the_formula_of_equal_slices_is_the_published_one(slice_ms: float, service_ms: float) -> None:
    frame = 2 * slice_ms
    rest = service_ms % frame
    exact = rest - rest**2 / frame if rest <= slice_ms else (frame - rest) ** 2 / frame
    assert hold_ms(Turn(slice_ms, slice_ms), [Part(service_ms, 0.0)]) == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("turn", [Turn(30, 30), Turn(15, 45), Turn(45, 15), Turn(9.9, 10.1)])
@pytest.mark.parametrize("service_ms", [2.0, 18.0, 77.0])
def test_the_series_agrees_with_the_closed_form(turn: Turn, service_ms: float) -> None:
    series = _of_any(turn, [Part(service_ms, 0.0)])  # of constants too
    assert series == pytest.approx(hold_ms(turn, [Part(service_ms, 0.0)]), abs=0.002)


def test_what_varies_much_waits_as_from_any_instant() -> None:
    turn = Turn(10.0, 30.0)
    anywhere = turn.off_ms**2 / (2 * turn.frame_ms)
    assert hold_ms(turn, [Part(5000.0, 1.0, "gamma")]) == pytest.approx(anywhere, rel=0.01)


def test_who_has_processors_always_waits_for_nothing() -> None:
    assert hold_ms(Turn(30.0, 0.0), [Part(18.0, 0.0)]) == 0
    assert hold_ms(Turn(0.0, 30.0), [Part(18.0, 0.0)]) == math.inf


@pytest.mark.parametrize("shares", [("50 %", "50 %"), ("25 %", "75 %"), ("75 %", "25 %")])
@pytest.mark.parametrize("slice_ms", [5.0, 12.0, 30.0])
def test_the_simulated_hold_is_the_exact_one_where_nothing_else_happens(
    shares: tuple[str, str], slice_ms: float
) -> None:
    scenario, machine = resolved(ALONE.replace("OWN_SHARE", shares[0]).replace("OTHER_SHARE", shares[1]).encode())
    trial = measured(at_slice(scenario, slice_ms, 0.3), ["A"], [], Plan(400.0, 1.0, 20))
    service = machine.devices[0].service
    assert service is not None
    exact = hold_ms(machine.turn("OWN", slice_ms, 0.3), service)
    held = trial.devices["hold_ms"][:, 0]
    assert abs(held.mean() - exact) < 5 * held.std(ddof=1) / math.sqrt(len(held))


@pytest.mark.parametrize("slice_ms", [2.0, 10.0, 30.0])
def test_what_switches_take_is_what_is_simulated(slice_ms: float) -> None:
    scenario, machine = resolved(STARTER)
    names = [domain.name for domain in machine.domains]
    trial = measured(at_slice(scenario, slice_ms, 0.2), [], names, Plan(30.0, 1.0, 2))
    logicals = np.asarray([domain.logicals for domain in machine.domains])
    lost = (trial.domains["management_percent"] * logicals).sum(axis=1).mean() / 100
    assert lost == pytest.approx(machine.switching(slice_ms, 0.2), rel=0.01)


def test_shorter_slices_than_those_of_now_cost_least(starter_answer: SliceAnswer) -> None:
    told, now = starter_answer.recommendation, starter_answer.point(30.0)
    assert told is not None
    assert now is not None
    best = starter_answer.point(told.slice_ms)
    assert best is not None
    assert told.low_ms <= told.slice_ms <= told.high_ms < 10
    assert told.parameter == 5
    assert best.cost.mean == min(point.cost.mean for point in starter_answer.curve)
    assert best.hold.simulated.mean < now.hold.simulated.mean / 3
    assert starter_answer.point(12.5) is not None


def test_the_dearer_processors_are_the_longer_the_best_slice() -> None:
    dear = answer_scenario(STARTER, "a.toml", check(AdviceOptions.of(assume=["processor=20", "switch=0.1 ms"])))
    assert dear.recommendation is not None
    assert dear.recommendation.slice_ms >= 6
    assert not dear.switch_assumed


def test_a_slice_above_half_of_the_service_is_warned_of(starter_answer: SliceAnswer) -> None:
    assert all(device.dear for device in starter_answer.devices)
    assert "above half of the service of C23" in starter_answer.warnings[0]
    short = STARTER.replace(b"scheduling_parameter = 1", b'slice = "7 ms"')
    fine = answer_scenario(short, "a.toml", SliceRequest())
    assert not any(device.dear for device in fine.devices)
    assert not fine.warnings


def test_a_partition_with_endless_work_has_all_of_its_share_and_no_room(starter_answer: SliceAnswer) -> None:
    ims, tso = starter_answer.domains
    assert (ims.due, tso.due, ims.binds, tso.binds) == (0.5, 0.5, False, True)
    assert tso.got is not None
    assert tso.got.mean == pytest.approx(0.5, abs=0.02)
    assert tso.room is not None
    assert tso.room.high == 1
    assert ims.room is not None
    assert ims.room.full == "volume C23"
    assert 1 < ims.room.bound < ims.room.high


def test_room_ends_where_the_share_of_the_processors_does() -> None:
    text = ALONE.replace("OWN_SHARE", "50 %").replace("OTHER_SHARE", "50 %").replace("count = 1", 'arrivals = "20/s"')
    made, machine = resolved(text.replace("400 ms", "10 ms").encode())
    growing = Growing(made.grown, machine, Plan(100.0, 5.0, 10), 1.0, 0.0)
    assert growing.full("OWN", 2.3) == ""
    assert growing.full("OWN", 2.6) == "its share of the processors"
    assert growing.bound("OWN")[0] == pytest.approx(2.5, rel=0.05)


def test_growth_scales_populations_and_rates_and_nothing_else() -> None:
    before = Scenario.read(ALONE.replace("OWN_SHARE", "50 %").replace("OTHER_SHARE", "50 %").encode(), "a.toml")
    more = before.grown(2.0).view
    assert [guest.count for guest in more.guests] == [2 * (guest.count or 0) for guest in before.view.guests]
    assert replace(more, guests=()) == replace(before.view, guests=())


def test_populations_are_not_grown_beyond_the_language() -> None:
    text = ALONE.replace("OWN_SHARE", "50 %").replace("OTHER_SHARE", "50 %").replace("count = 1", "count = 50_000")
    assert most_growth(Scenario.read(text.encode(), "a.toml").view) == 2.0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (starter("mm1"), "partitions share processors in slices"),
        (ALONE.partition("[[volume]]")[0].replace("OWN_SHARE", "50 %").replace("OTHER_SHARE", "50 %"), "no guests"),
        (ALONE.replace('target = "OTHER_SHARE"', 'mode = "UP"').replace("processors = 1,", "processors = 2,")
         .replace("OWN_SHARE", "50 %"), "shares with no other"),
        (ALONE.replace("OWN_SHARE", "150 %"), "150 %"),
    ],
)  # fmt: skip
def test_a_scenario_without_slices_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        answer_scenario(text.encode(), "a.toml", SliceRequest())


def test_what_a_scenario_says_itself_is_not_taken_from_options() -> None:
    asked = check(AdviceOptions.of(slices="20 ms", share=["50%"], assume=["busy=40%", "partitions=3"]))
    with pytest.raises(InputError) as caught:
        answer_scenario(STARTER, "a.toml", asked)
    assert [problem["key"] for problem in caught.value.problems] == [
        "slices",
        "share",
        "assume partitions",
        "assume busy",
    ]


def test_every_mistake_in_the_options_is_reported_at_once() -> None:
    wrong = AdviceOptions.of(
        at=["7"], growth="twice", target="hold < 2", pool=["522A"], assume=["swtich=1 ms", "partitions=1"],
        format="xml", slices="30", share=["50%", "60%", "much"],
    )  # fmt: skip
    with pytest.raises(InputError) as caught:
        request_of(QUESTION, [], wrong)
    keys = [problem["key"] for problem in caught.value.problems]
    assert keys == ["at", "growth", "target", "slices", "share", "assume", "assume", "pool", "format"]
    assert "switch" in {problem["nearest"] for problem in caught.value.problems}
    with pytest.raises(InputError, match="add up to 110 %"):
        check(AdviceOptions.of(share=["50%,60%"]))


def test_a_file_asks_one_question_or_is_refused() -> None:
    ask = partial(str.encode)
    assert question_of([("a.toml", ask("[cec]\n[[volume]]\n"))]).name == "slices"
    assert question_of([("a.toml", ask("[[volume]]\naliases = 1\n"))]).name == "aliases"
    assert question_of([("a.txt", b"D I R E C T   A C C E S S   D E V I C E   A C T I V I T Y")]).name == "slices"
    with pytest.raises(InputError, match="two questions fit"):
        question_of([("a.toml", ask("[cec]\n[[volume]]\naliases = 1\n"))])


def test_the_command_prints_and_writes_the_same(slicewright: CommandLine, tmp_path: Path) -> None:
    scenario = tmp_path / "two.toml"
    scenario.write_bytes(STARTER)
    out = tmp_path / "out"
    outcome = slicewright("advise", scenario, "--at", "12.5 ms", "--format", "json", "--out", out)
    assert (outcome.status, outcome.err) == (0, "")
    made = json.loads(outcome.out)
    assert json.loads((out / "advice.json").read_text()) == made
    assert made["question"] == "slices"
    assert made["at"][0]["slice_ms"] == 12.5
    assert {partition["partition"]: partition["cap_binds"] for partition in made["partitions"]} == {
        "PEMDFI": False,
        "PEMDFT": True,
    }
    assert "<svg" in (out / "report.html").read_text()
    again = slicewright("run", out / "01-given.toml", "--replications", "2", "--set", "measure.interval=5 s")
    assert again.status == 0

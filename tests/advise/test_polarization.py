"""Is the advice on polarization right: what is chosen, what gates throughput, what parks, and what is said to be open?

The simulation itself is tested elsewhere: each setting is a scenario that `run` reproduces.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import slicewright as sw
from slicewright import InputError
from slicewright._core import Scenario, starter
from slicewright.advise.comparison import _grown_source
from slicewright.advise.controlled import Controlled, constants, controlled, variations
from slicewright.advise.options import AdviceOptions
from slicewright.advise.polarization.answering import COMPARISON, plan
from slicewright.advise.polarization.comparison import (
    COLUMNS,
    Measured,
    SettingAnswer,
    SettingSimulations,
    Tolerances,
    alike,
    as_good,
    choose,
    explore,
    gate_of,
)
from slicewright.advise.polarization.question import QUESTION
from slicewright.advise.polarization.setting import Setting, parse, product_default, wanted
from slicewright.advise.questions import question_of, request_of
from slicewright.experiment.plan import Plan

from tests.advise.contract import kept_document
from tests.advise.polarization_example import LARGE, SHORTLY
from tests.conftest import CommandLine
from tests.tidy.tree import ROOT

STARTER = starter("zvm").encode()
USUAL = product_default(8)
PAGE = ROOT / "published" / "hyperpav" / "device-reports" / "Y032180H.txt"


SHORT = Plan(8.0, 4.0, 4)
LONG = Plan(20.0, 4.0, 8)


def read(*changes: str, data: bytes = STARTER) -> Scenario:
    return Scenario.read(data, "zvm.toml", [LARGE, *changes])


def subject(scenario: Scenario) -> Controlled:
    return controlled(scenario.view)[0]


def simulations(scenario: Scenario, plan: Plan = SHORT) -> SettingSimulations:
    return COMPARISON.simulations(scenario, subject(scenario), plan)


def explored(scenario: Scenario, plan: Plan = SHORT, at: tuple[str, ...] = ()) -> SettingAnswer:
    case = COMPARISON.case(scenario, subject(scenario), COMPARISON.check(AdviceOptions.of(at=at)))
    return explore(case, simulations(scenario, plan))


def trial(work: float, total: float = 400.0, ready: float = 0.1) -> Measured:
    """Six replications that stray by a tenth of a percent, each alike in every trial."""
    stray = np.asarray([-0.1, 0.1, -0.05, 0.05, -0.02, 0.02]) / 100
    columns = {name: np.full(6, 1.0) for name in (*COLUMNS, "spin_percent")}
    columns |= {"work_percent": work * (1 + stray), "total_percent": total * (1 - stray), "ready": np.full(6, ready)}
    return Measured(columns | {"guests_percent": np.full(6, 390.0)}, guests={}, tv_parks=0.0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("horizontal", "horizontal"),
        ("rebalance", "vertical rebalance"),
        ("vertical, CPUPAD 300 %", "vertical reshuffle, CPUPAD 300 %"),
        ("300%", "vertical reshuffle, CPUPAD 300 %"),
        ("UNPARKING SMALL", "vertical reshuffle, UNPARKING SMALL"),
        ("6", "vertical reshuffle, 6 processors"),
        ("horizontal 6 processors", "horizontal, 6 processors"),
    ],
)
def test_a_setting_is_read_as_people_write_it(text: str, words: str) -> None:
    found = parse(text)
    assert found is not None
    assert wanted(USUAL, found).words(USUAL) == words


@pytest.mark.parametrize(
    "text", ["", "diagonal", "0", "9000 %", "horizontal rebalance", "6 7", "6.5", "vertical horizontal"]
)
def test_what_is_no_setting_is_refused(text: str) -> None:
    assert parse(text) is None


def test_more_work_is_chosen_then_less_processor_time_and_otherwise_nothing_changes() -> None:
    flat, placed = USUAL.with_(polarization="horizontal"), USUAL.with_(method="rebalance")
    assert choose({flat: trial(350.0), USUAL: trial(385.0), placed: trial(385.5)}, flat, Tolerances()) == USUAL
    assert choose({USUAL: trial(385.0), placed: trial(385.0, total=380.0)}, USUAL, Tolerances()) == placed
    assert choose({placed: trial(385.0), USUAL: trial(386.0), flat: trial(384.0)}, placed, Tolerances()) == placed


def test_who_makes_guests_wait_saves_nothing() -> None:
    fewer = USUAL.with_(processors=5)
    trials = {USUAL: trial(385.0), fewer: trial(385.0, total=390.0, ready=2.0)}
    assert choose(trials, USUAL, Tolerances()) == USUAL
    assert choose(trials, USUAL, Tolerances(wait_percent=100.0)) == fewer
    assert not as_good(trials[USUAL], trials[fewer], Tolerances())
    assert not alike(trials[USUAL], trials[fewer], Tolerances())


def test_paced_guests_in_caches_gain_from_vertical_mode_and_are_gated_by_the_processor() -> None:
    found = explored(read(), LONG)
    assert found.recommendation == found.now
    assert "polarization" not in found.evidence.indifferent
    assert "cpupad" in found.evidence.indifferent
    assert not found.evidence.parking
    gate = found.evidence.gate
    assert gate.where == "processor"
    assert gate.follows is not None
    assert gate.follows.low < 1 < gate.follows.high


def test_guests_that_think_are_gated_elsewhere() -> None:
    fixed = STARTER.replace(b'{ pace = "27 %" }', b'{ compute = { exponential = "500 us" } }')
    scenario = read('guest.TASKS.program.1.think.exponential="4 ms"', data=fixed)
    partition, one = subject(scenario), simulations(scenario, LONG)
    flat = one.at(partition.now.with_(polarization="horizontal"))
    gate = gate_of({"flat": flat}, one.at(partition.now), partition)
    assert gate.where == "elsewhere"


def test_without_caches_it_makes_no_difference() -> None:
    bare = b"\n".join(line for line in STARTER.splitlines() if not line.startswith((b"footprint", b"touched_in")))
    found = explored(read(data=bare), LONG)
    assert not found.subject.caches
    assert found.recommendation is None
    assert found.reason.startswith("it makes no difference")
    assert {"polarization", "method", "cpupad"} == set(found.evidence.indifferent)


def test_cpupad_is_looked_at_where_t_v_parks() -> None:
    found = explored(read("partition.ZVM.control_program.controller.tv_threshold=1.001"))
    assert found.evidence.parking
    parked = {point.variant.cpupad: point.columns["unparked"].mean for point in found.points if point.variant.vertical}
    assert {0.0, 100.0, 300.0, 6400.0} <= parked.keys()
    assert parked[0.0] < parked[6400.0] == 8
    assert {point.variant.cpupad for point in explored(read()).points} == {100.0}


def test_a_setting_asked_for_is_shown_and_may_have_more_processors() -> None:
    found = explored(read(), Plan(2.0, 1.0, 2), ("10", "rebalance, 6"))
    assert [setting.words(USUAL) for setting in found.case.asked] == [
        "vertical reshuffle, 10 processors",
        "vertical rebalance, 6 processors",
    ]
    unparked = {point.variant.processors: point.columns["unparked"].mean for point in found.points}
    assert (unparked[10], unparked[6]) == (10, 6)


def test_the_controller_gets_the_time_that_it_needs() -> None:
    scenario = read()
    partition = subject(scenario)
    pilot = simulations(scenario).at(partition.now)
    case = COMPARISON.case(scenario, partition)
    assert plan(pilot, case, SHORT)[0].warm_up_s == 10
    assert plan(pilot, case, Plan(8.0, 25.0, 4))[0].warm_up_s == 25
    small = COMPARISON.case(scenario, partition, COMPARISON.check(AdviceOptions.of(at=["UNPARKING SMALL"])))
    assert plan(pilot, small, SHORT)[0] == Plan(8.0, 40.0, 4)
    low = replace(partition, controller=replace(partition.controller, tv_threshold=1.001))
    assert plan(pilot, replace(case, subject=low), SHORT)[0].warm_up_s == 60


def test_assumed_constants_are_listed_and_varied_and_known_ones_are_not() -> None:
    partition = subject(read())
    found = constants(Scenario.read(STARTER, "a.toml"), partition)
    keys = {assumption.key for assumption in found}
    assert {
        "topology.cache.L2.beyond",
        "partition.ZVM.control_program.costs.look",
        "virtual_machine.SERVER.footprint",
    } <= keys
    assert "partition.ZVM.control_program.cpupad" not in keys
    changes = {variation.name: variation.changes for variation in variations(found)}
    assert 'partition.ZVM.control_program.lock.hold="1.4 us"' in changes["costs-doubled"]
    assert "topology.cache.L4.beyond=2.5" in changes["misses-cheaper"]
    assert changes["storage-halved"] == ('virtual_machine.SERVER.footprint="1024 KiB"',)
    for change in changes.values():
        Scenario.read(STARTER, "a.toml", list(change))
    assert variations(()) == []


def test_growth_adds_virtual_machines_with_their_guests() -> None:
    more = _grown_source(Scenario.read(STARTER, "a.toml"), "a.toml", 1.5)
    assert more.grown == ("SERVER 4 -> 6", "CMS 50 -> 75")
    assert {guest.name: guest.count for guest in more.scenario.view.guests} == {"TASKS": 18, "USERS": 75}


def test_growth_beyond_the_language_is_a_problem_of_its_option() -> None:
    with pytest.raises(InputError) as caught:
        _grown_source(Scenario.read(STARTER, "a.toml"), "a.toml", 1e6)
    assert {problem["file"] for problem in caught.value.problems} == {"--growth"}


def test_every_mistake_in_the_options_is_reported_at_once() -> None:
    wrong = AdviceOptions.of(
        at=["diagonal"], growth="twice", target="cost < 2", pool=["522A"], assume=["loss=much", "nothing"],
        format="xml", slices="30 ms", share=["50%"],
    )  # fmt: skip
    with pytest.raises(InputError) as caught:
        request_of(QUESTION, [], wrong)
    keys = [problem["key"] for problem in caught.value.problems]
    assert keys == ["at", "growth", "target", "assume", "assume", "pool", "slices", "share", "format"]


def test_a_scenario_with_a_control_program_asks_for_its_polarization() -> None:
    assert question_of([("zvm.toml", STARTER)]).name == "polarization"
    other = STARTER + b'\n[[partition]]\nname = "MVS"\nlogical_processors = 1\n'
    with pytest.raises(InputError, match="two questions fit"):
        question_of([("zvm.toml", other)])


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ([("mm1.toml", starter("mm1").encode())], "no control program"),
        ([("Y032180H.txt", PAGE.read_bytes())], "no scenario"),
        ([("a.toml", STARTER), ("b.toml", STARTER)], "a second scenario"),
        ([("a.toml", STARTER.partition(b"[[guest]]")[0])], "guest"),
    ],
)
def test_what_cannot_be_answered_is_refused(files: list[tuple[str, bytes]], said: str) -> None:
    with pytest.raises(InputError, match=said):
        COMPARISON.answer(files, COMPARISON.request())


def test_a_wrong_key_is_reported_with_its_option() -> None:
    asked = COMPARISON.check(AdviceOptions.of(assume=["partition.ZVM.control_program.cpupda=1"]))
    with pytest.raises(InputError) as caught:
        COMPARISON.answer([("a.toml", STARTER)], asked)
    assert (caught.value.problems[0]["file"], caught.value.problems[0]["nearest"]) == ("--assume", "cpupad")


def test_the_command_writes_scenarios_that_give_the_same_numbers(slicewright: CommandLine, tmp_path: Path) -> None:
    scenario, out = tmp_path / "zvm.toml", tmp_path / "out"
    scenario.write_bytes(STARTER)
    known = [word for setting in SHORTLY for word in ("--assume", setting)]
    made = kept_document(slicewright, [scenario, *known], out)
    assert made["recommendation"]["polarization"] == "vertical"
    flat = next(point for point in made["curve"] if point["polarization"] == "horizontal")
    assert flat["work_from_now_percent"] + flat["work_from_now_percent_half_width"] < 0
    assert flat["work_percent_low"] < flat["work_percent"] < flat["work_percent_high"]
    again = sw.run(out / "02-horizontal.toml").control_programs
    assert again["work_percent"][0] == pytest.approx(flat["work_percent"], rel=1e-6)
    assert again["total_percent_half_width"][0] == pytest.approx(flat["total_percent_half_width"], rel=1e-5)


def test_a_setting_says_nothing_of_what_does_not_matter_to_it() -> None:
    flat = Setting("horizontal", "reshuffle", 100.0, "large", 8)
    assert flat == flat.with_(cpupad=300.0, method="rebalance")
    assert flat.words(USUAL) == "horizontal"

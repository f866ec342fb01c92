"""Is the advice on yields right: what is chosen, where a gain is from, and where none is to be expected?"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import slicewright as sw
from slicewright import InputError
from slicewright._core import Scenario, starter
from slicewright.advise.options import AdviceOptions
from slicewright.advise.questions import question_of, request_of
from slicewright.advise.yields.answering import COMPARISON
from slicewright.advise.yields.comparison import (
    Gains,
    Locked,
    Measured,
    Why,
    YieldAnswer,
    alike,
    choose,
    constants,
    contention,
    explore,
    locked,
    steps,
    variations,
)
from slicewright.advise.yields.question import QUESTION
from slicewright.advise.yields.yielding import YIELDS, On, Yielding, everywhere, parse, wanted
from slicewright.experiment.plan import Plan
from slicewright.experiment.simulations import Simulations
from slicewright.report.text import render
from slicewright.run.yield_budget import SAVED, Budget, saved

from tests.advise.contract import kept_document
from tests.advise.yields_example import SHORTLY, SPINNERS
from tests.conftest import CommandLine
from tests.tidy.tree import ROOT

DATA = SPINNERS.encode()
PAGE = ROOT / "published" / "hyperpav" / "device-reports" / "Y032180H.txt"
SHORT = Plan(0.3, 0.2, 4)
NEVER, X44, X9C, SENSE = (everywhere(["LINUX"], kind) for kind in YIELDS)
ONE_EACH = {"virtual_processors = 2": "virtual_processors = 1", "count = 4": "count = 8"}
BOTH = {"CLIENT": "x44", "SERVER": "x44"}


def subject(data: bytes = DATA) -> Locked:
    return locked(Scenario.read(data, "a.toml").view)[0]


def simulations(plan: Plan = SHORT) -> Simulations[On, Measured]:
    return COMPARISON.simulations(Scenario.read(DATA, "a.toml"), subject(), plan)


def explored(data: bytes = DATA, plan: Plan = SHORT, at: tuple[str, ...] = ()) -> YieldAnswer:
    scenario, partition = Scenario.read(data, "a.toml"), subject(data)
    case = COMPARISON.case(scenario, partition, COMPARISON.check(AdviceOptions.of(at=at)))
    return explore(case, COMPARISON.simulations(scenario, partition, plan))


def replaced(changes: dict[str, str]) -> bytes:
    text = SPINNERS
    for before, after in changes.items():
        assert before in text
        text = text.replace(before, after, 1)
    return text.encode()


def trial(work: float, fast: float = 50.0, contended: float = 20.0) -> Measured:
    """Six replications that stray by a tenth of a percent, each alike in every trial."""
    stray = 1 + np.asarray([-0.1, 0.1, -0.05, 0.05, -0.02, 0.02]) / 100
    columns = {"work_percent": work * stray, "taken_per_s": 1000 * stray}
    columns |= {"fast_x44_percent": fast * stray, "contended_percent": contended * stray}
    return Measured(columns, budget=Budget(work * stray, {}, 0 * stray, 2))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x9c", {"CLIENT": "x9c", "SERVER": "x9c"}),
        ("X'9C'", {"CLIENT": "x9c", "SERVER": "x9c"}),
        ("DIAG 44", BOTH),
        ("44", BOTH),
        ("sense-running", {"CLIENT": "sense-running", "SERVER": "sense-running"}),
        ("CLIENT x9c", {"CLIENT": "x9c", "SERVER": "x44"}),
        ("CLIENT = x9c, SERVER = never", {"CLIENT": "x9c", "SERVER": "never"}),
    ],
)
def test_yields_are_read_as_people_write_them(text: str, found: dict[str, str]) -> None:
    asked = parse(text)
    assert asked is not None
    assert dict(wanted(everywhere(["CLIENT", "SERVER"], "x44"), asked).pairs) == found


@pytest.mark.parametrize("text", ["", "0", "900", "x45", "CLIENT", "x9c, x44", "CLIENT x9c, CLIENT x44", "6.5"])
def test_what_is_no_yield_is_refused(text: str) -> None:
    assert parse(text) is None


def test_more_throughput_is_chosen_and_otherwise_nothing_changes() -> None:
    assert choose({X44: trial(100), X9C: trial(110), SENSE: trial(110.2)}, X44, 1.0) == X9C
    assert choose({X44: trial(100), X9C: trial(110), SENSE: trial(120)}, X44, 1.0) == SENSE
    assert choose({X44: trial(100), X9C: trial(100.4), NEVER: trial(80)}, X44, 1.0) == X44
    assert choose({X44: trial(100), SENSE: trial(100.4), NEVER: trial(80)}, SENSE, 1.0) == SENSE
    assert alike({X44: trial(100), X9C: trial(110), SENSE: trial(110.2)}, X9C, 1.0) == (SENSE,)


def test_processors_are_varied_both_ways_and_up_to_the_virtual_ones() -> None:
    assert steps(9, 210) == [5, 7, 9, 14, 18]
    assert steps(4, 10) == [2, 3, 4, 6, 8, 10]
    assert steps(1, 3) == [1, 2, 3]
    assert steps(8, 8) == [4, 6, 8]


def test_the_parts_of_a_gain_add_up_to_it_in_every_replication() -> None:
    budgets = {key: simulations().at(On(key, 2)).budget for key in (NEVER, X44, X9C)}
    for other in (budgets[NEVER], budgets[X9C]):
        for at in range(SHORT.replications):
            alone = [
                Budget(
                    b.throughput[at : at + 1],
                    {k: v[at : at + 1] for k, v in b.parts.items()},
                    b.held[at : at + 1],
                    2,
                )
                for b in (budgets[X44], other)
            ]
            parts = saved(*alone)
            gained = float(alone[1].throughput[0] / alone[0].throughput[0] - 1) * 100
            assert list(parts) == list(SAVED)
            assert sum(part.mean for part in parts.values()) == pytest.approx(gained, abs=1e-6)


def test_who_never_yields_spins_while_the_holder_waits_for_a_processor() -> None:
    here = next(row for row in explored().evidence.rows if row.processors == 2)
    point = here.point(NEVER)
    assert point is not None
    assert point.differences["gain"].high < -5
    assert point.parts["spin"].high < -5
    assert here.contention.expected


def test_programs_per_second_rise_and_fall_with_work() -> None:
    one = simulations(Plan(1.0, 0.2, 8))
    for other in (NEVER, X9C):
        after, before = (one.at(On(yielding, 2)).columns for yielding in (other, X44))
        work, programs = (after[name] / before[name] for name in ("work_percent", "programs_per_s"))
        difference = programs - work
        assert abs(difference.mean()) <= 5 * difference.std(ddof=1) / np.sqrt(len(difference))


def test_with_one_virtual_processor_each_all_yields_are_alike() -> None:
    for row in explored(replaced(ONE_EACH)).evidence.rows:
        assert Why.ALONE in row.contention.why
        assert row.contention.gains is Gains.NONE
        gains = [point.differences["gain"] for point in row.points]
        assert all(abs(gain.mean) <= 5 * max(gain.half_width, 1e-9) for gain in gains)


def test_with_as_many_processors_as_virtual_ones_none_is_expected() -> None:
    row = explored().evidence.rows[-1]
    assert row.processors == 8
    assert Why.ROOM in row.contention.why
    assert row.contention.gains is not Gains.SOME


def test_that_no_lock_is_contended_is_tested() -> None:
    one = subject()
    quiet = contention(one, 2, {X44: trial(100, contended=0.05)}, [], 1.0)
    assert quiet.why == (Why.UNCONTENDED,)
    assert contention(one, 2, {X44: trial(100, contended=0.2)}, [], 1.0).expected
    assert contention(one, 2, {X44: trial(100, fast=99.8)}, [], 1.0).why == (Why.FAST,)
    assert contention(one, 2, {X9C: trial(100, fast=99.8)}, [], 1.0).expected


def test_yields_of_each_kind_and_processors_can_be_asked_for() -> None:
    found = explored(plan=Plan(0.1, 0.1, 2), at=("LINUX never", "5")).evidence
    assert found.asked == (NEVER,)
    assert [row.processors for row in found.rows] == [1, 2, 3, 4, 5, 8]


def test_the_costs_of_diagnoses_and_tries_are_listed_and_varied() -> None:
    found = constants(Scenario.read(DATA, "a.toml"), subject())
    assert {assumption.key.rpartition(".")[2] for assumption in found} >= {
        "x44",
        "fast_x44",
        "x9c",
        "sense",
        "soft_wait",
        "spin_try",
    }
    changes = {variation.name: variation.changes for variation in variations(found)}
    assert 'partition.ZVM.control_program.costs.x9c="4 us"' in changes["costs-doubled"]
    assert changes["tries-shorter"] == ('virtual_machine.LINUX.spin_try="4 ns"',)
    for change in changes.values():
        Scenario.read(DATA, "a.toml", list(change))


def test_every_mistake_in_the_options_is_reported_at_once() -> None:
    wrong = AdviceOptions.of(
        at=["diagonal"], growth="twice", target="cost < 2", pool=["522A"], assume=["least=much", "nothing"],
        format="xml", slices="30 ms", share=["50%"],
    )  # fmt: skip
    with pytest.raises(InputError) as caught:
        request_of(QUESTION, [], wrong)
    keys = [problem["key"] for problem in caught.value.problems]
    assert keys == ["at", "growth", "target", "assume", "assume", "pool", "slices", "share", "format"]


def test_a_scenario_with_spin_locks_asks_for_polarization_or_yields() -> None:
    with pytest.raises(InputError, match="two questions fit") as caught:
        question_of([("a.toml", DATA)])
    assert caught.value.problems[0]["allowed"] == "advise polarization a.toml, or advise yields a.toml"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ([("mm1.toml", starter("mm1").encode())], "no control program"),
        ([("zvm.toml", starter("zvm").encode())], "no spin lock"),
        ([("Y032180H.txt", PAGE.read_bytes())], "no scenario"),
        ([("a.toml", DATA), ("b.toml", DATA)], "a second scenario"),
    ],
)
def test_what_cannot_be_answered_is_refused(files: list[tuple[str, bytes]], said: str) -> None:
    with pytest.raises(InputError, match=said):
        COMPARISON.answer(files, COMPARISON.request())


def test_a_kind_without_spin_locks_is_refused_with_the_nearest() -> None:
    asked = COMPARISON.check(AdviceOptions.of(at=["LINUS x9c"]))
    with pytest.raises(InputError, match="no virtual machine with spin locks") as caught:
        COMPARISON.answer([("a.toml", DATA)], asked)
    assert caught.value.problems[0]["nearest"] == "LINUX"


def test_without_contention_the_page_says_that_none_is_to_be_expected() -> None:
    (found,) = COMPARISON.answer([("a.toml", replaced(ONE_EACH))], COMPARISON.request(changes=SHORTLY))
    assert found.recommendation is None
    text = render(QUESTION.report(found))
    assert "No recommendation: no yield differs from X'44'" in text
    assert "No gain is to be expected on 2 processors: with one virtual processor in each machine" in text


def test_the_command_writes_scenarios_that_give_the_same_numbers(slicewright: CommandLine, tmp_path: Path) -> None:
    scenario, out = tmp_path / "spinners.toml", tmp_path / "out"
    scenario.write_bytes(DATA)
    known = [word for setting in SHORTLY for word in ("--assume", setting)]
    made = kept_document(slicewright, ["yields", scenario, *known], out)
    never = next(point for point in made["curve"] if point["name"] == "never" and point["processors"] == 2)
    parts = sum(never[f"{name}_saved_percent"] for name in SAVED)
    assert parts == pytest.approx(never["gain_percent"], rel=1e-4)
    again = sw.run(out / "002-never.toml").control_programs
    assert again["spinning_percent"][0] == pytest.approx(never["spinning_percent"], rel=1e-6)


def test_words_of_a_mixture_name_every_kind() -> None:
    assert Yielding((("CLIENT", "x9c"), ("SERVER", "x44"))).words() == "CLIENT X'9C', SERVER X'44'"

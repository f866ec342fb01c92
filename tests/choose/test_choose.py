"""Does a choice name the right setting and what separates it, resume from its store, and refuse what it cannot use?"""

from __future__ import annotations

import functools
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import slicewright
from slicewright.explore import choose as module
from slicewright.explore import observed
from slicewright.explore.cheapest import Standing
from slicewright.explore.choose import Choice, choose
from slicewright.explore.store import parts
from slicewright.explore.sweep import Sweep, sweep
from slicewright.scenario.starters import read_starter

from tests.choose.example import cheapest
from tests.conftest import CommandLine

ALIASES, GAP = "alias_pool.LSS-52.aliases", "volume.*.gap"
SURE = 6
QUICK = {"measure.interval": "200 ms", "measure.warm_up": "0 s", "measure.replications": 1}


def chosen(out: Path | None = None, **options: Any) -> Choice:
    usual: dict[str, Any] = {
        "knobs": {ALIASES: [0, 8]}, "minimise": "aliases", "subject_to": "response_ms <= 3", "set": QUICK,
    }  # fmt: skip
    return choose(read_starter("pool").resolved, out=out, **(usual | options))


@functools.cache
def usual() -> Choice:
    return chosen()


def test_the_answer_names_the_runner_up_and_what_separates_them() -> None:
    answer = cheapest().answer
    assert answer.chosen is not None
    assert answer.runner_up is not None
    assert answer.difference is not None
    assert (answer.chosen.values, answer.runner_up.values) == ((4,), (8,))
    assert answer.difference.mean == 4
    assert answer.refused_nearest is not None
    assert answer.refused_nearest.values == (0,)
    page = str(cheapest())
    assert "aliases 4: cost 4" in page
    assert "the best with at least 95 % probability" in page
    assert "it costs 4 more" in page
    assert "Binds      response_ms <= 3: aliases 0, of cost 0, has 3." in page


def test_the_values_are_those_of_the_runs() -> None:
    scenario = read_starter("pool").with_([*(f'{key}="{value}"' for key, value in list(QUICK.items())[:2])])
    batches = [
        slicewright.run(scenario.with_([f"{ALIASES}=8"]), seed=seed, replications=1)["system"]["response_ms"][0]
        for seed in range(1, SURE + 1)
    ]
    (candidate,) = (each for each in usual().answer.candidates if each.values == (8,))
    assert candidate.measured[0].mean == pytest.approx(sum(batches) / SURE)


def test_a_point_of_the_store_is_not_simulated_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = chosen(tmp_path / "store")
    before = [part.name for part in parts(tmp_path / "store")]

    def never(*given: object) -> None:
        raise AssertionError("simulated again")

    monkeypatch.setattr(observed, "run_left", never)
    again = chosen(tmp_path / "store")
    assert str(again) == str(first)
    assert [part.name for part in parts(tmp_path / "store")] == before
    assert (tmp_path / "store" / "report.html").read_text("utf-8") == again.html()


def test_points_of_a_sweep_are_the_first_batch(tmp_path: Path) -> None:
    sweep(read_starter("pool").resolved, {ALIASES: [0, 8]}, out=tmp_path / "store", set=QUICK)
    chosen(tmp_path / "store")
    assert Sweep.read(tmp_path / "store").points.height == usual().answer.points


def test_a_choice_that_was_cut_short_ends_with_the_same_answer(tmp_path: Path) -> None:
    class StopError(Exception):
        pass

    def stop(share: float) -> None:
        if share > 0.3:
            raise StopError

    with pytest.raises(StopError):
        chosen(tmp_path / "cut", progress=stop)
    assert 0 < Sweep.read(tmp_path / "cut").points.height < usual().answer.points
    assert str(chosen(tmp_path / "cut")) == str(chosen(tmp_path / "whole"))
    names = [[part.name for part in parts(tmp_path / each)] for each in ("cut", "whole")]
    assert names[0] == names[1]


def test_progress_leaves_room_for_looks_that_may_follow() -> None:
    shares: list[float] = []
    chosen(progress=shares.append)
    assert shares == sorted(shares)
    assert 0.5 <= shares[-1] < 1, "the first look ends in the middle"


def test_settings_that_cost_more_than_one_that_holds_are_not_simulated() -> None:
    found = chosen(knobs={ALIASES: "0..24:2"})
    batches = {each.values[0]: len(each.costs) for each in found.answer.candidates}
    assert found.answer.chosen is not None
    (aliases,) = found.answer.chosen.values
    assert batches[aliases] == SURE
    assert sum(count > 0 for count in batches.values()) <= int(aliases) / 2 + 4
    assert batches[24] == 0
    assert "24                               0    24" in str(found)


def test_infeasible_everywhere_is_an_answer() -> None:
    choice = chosen(subject_to="response_ms <= 1")
    assert choice.answer.chosen is None
    assert "No setting keeps response_ms <= 1." in str(choice)
    assert "Nearest    aliases 8: response_ms 2." in str(choice)


def test_a_choice_says_that_no_load_of_its_fit_reproduces_what_was_measured() -> None:
    fitted = slicewright.starter("pool") + '\n[fit]\npredicts = "yes"\nreproduces = "no"\n'
    found = choose(
        fitted, knobs={ALIASES: [8, 12]}, minimise="aliases", subject_to="response_ms <= 9",
        set={"measure.interval": "1 s", "measure.warm_up": "100 ms"},
    )  # fmt: skip
    assert "no load that the fit tried reproduces the intervals that it was shown" in " ".join(str(found).split())


def test_a_constraint_on_what_the_machine_does_not_have_has_no_value() -> None:
    found = choose(
        slicewright.starter("apache-spin"), {"cec.processors": [9, 10]}, "processors",
        "max(volumes.*.response_ms) <= 9", set=QUICK,
    )  # fmt: skip
    assert "No setting has a value." in str(found)
    assert "Nearest" not in str(found)


def test_a_refused_setting_has_a_reason_and_is_not_chosen() -> None:
    choice = chosen(knobs={ALIASES: [-4, 8]}, subject_to=())
    assert choice.answer.chosen is not None
    assert choice.answer.chosen.values == (8,)
    (refused,) = (each for each in choice.answer.candidates if each.values == (-4,))
    assert refused.standing is Standing.FAILED
    assert "-4 is out of range" in str(choice)


def test_where_every_setting_is_refused_the_problem_is_that_of_the_first() -> None:
    with pytest.raises(slicewright.InputError, match="-4 is out of range"):
        chosen(knobs={ALIASES: [-4, -5]})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"minimise": "alises"}, ["alises", "aliases"]),
        ({"minimise": "1 +", "subject_to": ["response_ms", "volumes.X.reponse_ms <= 5"]}, ["missing", "volumes.X"]),
        ({"subject_to": "response_ms - 2 <= 0"}, ["the bound is 0"]),
        ({"subject_to": "volumes.BWPVS9.response_ms <= 5"}, ["no row of volumes", "BWPVS0"]),
        ({"confidence": "95", "tolerance": "0%", "seed": -1, "most": 3}, ["confidence", "tolerance", "seed", "most"]),
        ({"indifference": 0}, ["indifference"]),
        ({"knobs": {ALIASES: [8]}}, ["nothing varies"]),
        ({"subject_to": 5}, ["subject-to"]),
    ],
)
def test_all_problems_of_a_choice_are_listed(options: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(slicewright.InputError) as refused:
        chosen(**options)
    assert all(word in str(refused.value) for word in words)


@pytest.mark.slow
def test_very_many_settings_are_searched_and_the_best_compared_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FINALISTS", 2)
    found = [
        chosen(knobs={ALIASES: "0..16", GAP: "2.0..200.0 us"}, trials=6, on=on) for on in ("threads:1", "threads:2")
    ]
    answer = found[0].answer
    assert answer.searched
    assert answer.chosen is not None
    assert "of the search" in str(found[0])
    assert str(found[0]) == str(found[1])
    assert all(each.excesses[0].mean > 0 or each.cost.mean >= answer.chosen.cost.mean for each in answer.candidates)


def test_settings_that_cannot_win_are_pruned() -> None:
    answer = chosen(knobs={ALIASES: [0, 8]}, trials=4).answer
    batches = {each.values: len(each.costs) for each in answer.candidates}
    assert batches.get((0,), 3) == 3
    assert answer.chosen is not None
    assert answer.chosen.values == (8,)


def test_a_search_without_optuna_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(slicewright.InputError, match=r"slicewright\[optuna\]"):
        chosen(trials=3)


def test_more_settings_than_are_compared_go_to_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_COMPARED", 1)
    monkeypatch.setattr(module, "_TRIALS", 2)
    assert chosen().answer.searched


def test_the_command_prints_text_or_json_and_keeps_a_page(
    slicewright: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pool.toml").write_text(read_starter("pool").resolved, encoding="utf-8")
    quick = [word for key, value in QUICK.items() for word in ("--set", f"{key}={value}")]
    words = ["choose", "pool.toml", "--knob", f"{ALIASES}=0,8", "--minimise", "aliases", *quick, "--out", "store"]
    said = slicewright(*words, "--subject-to", "response_ms <= 3")
    assert said.status == 0
    assert "aliases 8: cost 8" in said.out
    result = json.loads(slicewright(*words, "--subject-to", "response_ms <= 3", "--format", "json").out)
    rows = [block for section in result["sections"] for block in section["blocks"] if block["kind"] == "table"]
    assert rows[0]["rows"][0]["state"] == "met"
    assert rows[0]["rows"][0]["value_half_width"] > 0
    assert "limit 3" in Path("store", "report.html").read_text("utf-8")
    wrong = slicewright(*words, "--subject-to", "respons_ms <= 3")
    assert wrong.status == 2
    assert "did you mean `response_ms`?" in wrong.err

"""Is the advice on exits right: what each structure costs, what is chosen, what is refused, and do its files run?"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import slicewright as sw
from slicewright import InputError
from slicewright._core import Scenario, starter
from slicewright.advise.exits.comparison import COLUMNS, COMPARISON, answer, choose, constants, variations
from slicewright.advise.exits.question import QUESTION
from slicewright.advise.exits.rates import as_scenario, is_rates, read_rates
from slicewright.advise.exits.report import ExitAnswer
from slicewright.advise.exits.structures import (
    BATCH,
    COMPLETE,
    FRONT_END,
    NONE,
    POOLED,
    SHORT,
    SINGLE,
    STEPS,
    parse,
)
from slicewright.advise.options import AdviceOptions
from slicewright.advise.questions import question_of, request_of
from slicewright.experiment.outcome import Outcome
from slicewright.report.text import render

from tests.advise.exits_example import REQUESTS, SHORTLY
from tests.conftest import CommandLine
from tests.tidy.tree import ROOT

RATES = """qname,rname,scope,pairs_per_s
SYSDSN,PROD.MASTER,system,400
SYSZVVDS,CATALOG,systems,100
"""
QUICK = ("measure.replications=4", 'measure.interval="2 s"', 'measure.warm_up="0.1 s"')
DEVICES = ROOT / "published" / "hyperpav" / "device-reports" / "Y032180H.txt"


@pytest.fixture(scope="module")
def found() -> ExitAnswer:
    """The answer to some rates."""
    (one,) = answer([("rates.csv", RATES.encode())], COMPARISON.request(changes=QUICK), lambda share: None)
    return one


def trial(cpu_us: float, rate: float = 1000.0) -> Outcome:
    """Six replications that stray by a tenth of a percent, each alike in every trial."""
    stray = 1 + np.asarray([-0.1, 0.1, -0.05, 0.05, -0.02, 0.02]) / 100
    columns = dict.fromkeys(COLUMNS, 0 * stray)
    return Outcome(columns | {"cpu_us_per_pair": cpu_us * stray, "pairs_per_s": rate * stray}, "")


def trials(**cpu_us: float) -> dict[str, Outcome]:
    named = {"none": NONE, "front": FRONT_END, "batch": BATCH, "pooled": POOLED, "single": SINGLE}
    usual = {"none": 19.0, "front": 19.0, "batch": 354.0, "pooled": 33.0, "single": 20.0}
    return {named[key]: trial(value) for key, value in (usual | cpu_us).items()}


def test_the_cheapest_that_sees_every_request_is_chosen() -> None:
    assert choose(trials(), BATCH, 1.0) == (SINGLE, ())
    assert choose(trials(), FRONT_END, 1.0) == (SINGLE, ())
    assert choose(trials(pooled=20.1), BATCH, 1.0) == (SINGLE, (POOLED,))


def test_what_there_is_stays_where_nothing_is_saved() -> None:
    assert choose(trials(), SINGLE, 1.0)[0] == SINGLE
    assert choose(trials(pooled=20.1), POOLED, 1.0)[0] == POOLED
    assert choose(trials(batch=20.0, pooled=20.05), BATCH, 1.0)[0] is None


@pytest.mark.parametrize(
    ("text", "structure"),
    [("pooled", POOLED), ("Single area", SINGLE), ("svc-front-end", FRONT_END), ("prebatch-pooled-1.2", POOLED)],
)
def test_structures_are_read_as_people_write_them(text: str, structure: str) -> None:
    assert parse(text) == structure


def test_local_and_global_pairs_cost_what_they_are_made_of(found: ExitAnswer) -> None:
    for point in found.points:
        parts = sum(point.columns[name].mean for name in STEPS)
        assert parts == pytest.approx(point.columns["cpu_us_per_pair"].mean, rel=1e-6)


def test_with_rates_a_filter_saves_what_arithmetic_says(found: ExitAnswer) -> None:
    local, wide = 354.0, 354.0 + 200
    filtered_local, filtered_wide = 20.0, 20.0 + 2 * (111.6 + 2.6) + 200
    for structure, here, there in ((BATCH, local, wide), (SINGLE, filtered_local, filtered_wide)):
        columns = {name: value.mean for name, value in found.point(structure).columns.items()}
        share = columns["global_per_s"] / columns["pairs_per_s"]
        expected = (1 - share) * here + share * there
        assert columns["cpu_us_per_pair"] == pytest.approx(expected, rel=0.01)
        assert columns["cpu_percent"] == pytest.approx(500 * expected / 1e4, rel=0.05)
    assert found.recommendation == SINGLE


def test_every_structure_says_what_it_saves_under_every_reading(found: ExitAnswer) -> None:
    assert {reading.name for reading in found.readings} >= {"given", "slow-halved", "message-doubled", "unlocked"}
    for point in found.points:
        saved = point.range("saved")
        assert saved.low is not None
        assert saved.high is not None
        assert saved.low - 1e-9 <= point.differences["saved"].mean <= saved.high + 1e-9


def test_what_is_not_advised_is_marked(found: ExitAnswer) -> None:
    lines = {
        line.split("  ")[1].strip(): line
        for line in render(QUESTION.report(found)).splitlines()
        if "not advised" in line
    }
    assert set(lines) == {"none", "front end"}


def test_growth_adds_requests() -> None:
    (one,) = answer([("rates.csv", RATES.encode())], COMPARISON.request(growth=2.0, changes=QUICK), lambda share: None)
    assert one.point(BATCH).columns["pairs_per_s"].mean == pytest.approx(1000, rel=0.05)


def test_a_target_names_the_structures_that_meet_it() -> None:
    question = COMPARISON.check(AdviceOptions.of(target="cpu_us_per_pair <= 150", assume=list(QUICK)))
    (one,) = answer([("rates.csv", RATES.encode())], question, lambda share: None)
    assert SINGLE in one.meets
    assert BATCH not in one.meets


def test_no_structure_keeps_up_that_needs_more_than_there_is() -> None:
    many = RATES.replace("400", "6000").replace("100", "1")
    short = ("measure.replications=2", 'measure.interval="0.5 s"', 'measure.warm_up="0.1 s"')
    (one,) = answer([("rates.csv", many.encode())], COMPARISON.request(changes=short), lambda share: None)
    assert [point.variant for point in one.points if not point.fits] == [BATCH]
    assert "completes fewer" in render(QUESTION.report(one))


def test_rates_are_distinguished_from_other_files() -> None:
    assert is_rates(RATES.encode())
    assert not is_rates(DEVICES.read_bytes())
    assert not is_rates(REQUESTS.encode())
    assert question_of([("rates.csv", RATES.encode())]).name == "exits"


def test_a_scenario_with_enqueues_asks_of_exits_and_of_slices() -> None:
    with pytest.raises(InputError) as caught:
        question_of([("requests.toml", REQUESTS.encode())])
    assert "advise exits" in caught.value.problems[0]["allowed"]


def test_rates_make_a_scenario_that_says_what_is_borrowed() -> None:
    text = as_scenario(read_rates(RATES.encode(), "rates.csv"), "rates.csv")
    scenario = Scenario.read(text.encode(), "rates.csv")
    roles = {value["key"]: value["role"] for value in scenario.explain()}
    assert roles["serialization.cost.state"] == "borrowed"
    known = constants(scenario)
    assert {variation.name for variation in variations(known, 0.0)} >= {"unlocked"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("qname,rname,scope\nA,B,system\n", "not the columns of rates"),
        ("qname,rname,scope,pairs_per_s\nA,B,system\n", "3 cells"),
        ("qname,rname,scope,pairs_per_s\nTOOLONGNAME,B,system,1\n", "not a qname"),
        ("qname,rname,scope,pairs_per_s\nA,B,sistem,1\n", "no such scope"),
        ("qname,rname,scope,pairs_per_s\nA,B,system,many\n", "not a rate"),
        ("qname,rname,scope,pairs_per_s\nA,B,system,1\nA,B,system,2\n", "a second time"),
        ("qname,rname,scope,pairs_per_s\nA,B,system,0\n", "no requests"),
    ],
)
def test_rates_that_cannot_be_read_are_refused(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read_rates(text.encode(), "rates.csv")
    assert said in caught.value.problems[0]["what"]


def test_all_wrong_rows_are_reported_at_once() -> None:
    with pytest.raises(InputError) as caught:
        read_rates(b"qname,rname,scope,pairs_per_s\nA,B,sistem,1\nA,B,system,many\n", "rates.csv")
    assert [problem["key"] for problem in caught.value.problems] == ["line 2", "line 3"]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ([("a.txt", DEVICES.read_bytes())], "no scenario"),
        ([("zvm.toml", starter("zvm").encode())], "no ENQ to advise on"),
        ([("a.csv", RATES.encode()), ("b.csv", RATES.encode())], "a second file"),
        ([("a.toml", REQUESTS.encode()), ("b.toml", REQUESTS.encode())], "a second scenario"),
    ],
)
def test_files_that_say_too_little_are_refused(files: list[tuple[str, bytes]], said: str) -> None:
    with pytest.raises(InputError) as caught:
        answer(files, COMPARISON.request(), lambda share: None)
    assert said in caught.value.problems[0]["what"]


@pytest.mark.parametrize(
    "options",
    [
        AdviceOptions.of(at=["diagonal"]),
        AdviceOptions.of(target="speed > 1"),
        AdviceOptions.of(assume=["least=200%"]),
        AdviceOptions.of(assume=["much"]),
        AdviceOptions.of(pool=["522A-5231"]),
        AdviceOptions.of(slices="30 ms"),
        AdviceOptions.of(format="xml"),
    ],
)
def test_options_that_say_nothing_of_exits_are_refused(options: AdviceOptions) -> None:
    with pytest.raises(InputError):
        request_of(QUESTION, [], options)


def test_what_is_written_runs_and_gives_the_same_numbers(slicewright: CommandLine, tmp_path: Path) -> None:
    file, out = tmp_path / "requests.toml", tmp_path / "advice"
    file.write_text(REQUESTS, "utf-8")
    assumed = [word for setting in SHORTLY for word in ("--assume", setting)]
    done = slicewright("advise", "exits", file, "--at", "pooled", *assumed, "--out", out)
    assert done.status == 0
    assert done.err == ""
    told = json.loads((out / "advice.json").read_text("utf-8"))
    assert [row["exits"] for row in told["structures"]] == list(SHORT)
    assert "<svg" in (out / "report.html").read_text("utf-8")
    run = sw.run(out / f"{SINGLE}.toml")
    cpu = float(run.serialization["cpu_us_per_pair"][0])
    own = next(row for row in told["structures"] if row["exits"] == SINGLE)
    assert cpu == pytest.approx(own["cpu_us_per_pair"], rel=1e-6)


def test_only_what_sees_every_request_is_recommended() -> None:
    assert {NONE, FRONT_END}.isdisjoint(COMPLETE)

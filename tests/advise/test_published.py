"""Do the published reports get the advice that their study ends with, and is the advice whole?

Every number here was known when the method was made (docs/decisions/0004-readings.md).
"""

from __future__ import annotations

import functools
import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import slicewright as sw
from slicewright.advise.aliases.answer import Answer
from slicewright.advise.aliases.from_reports import answer
from slicewright.advise.aliases.question import QUESTION
from slicewright.advise.aliases.request import check
from slicewright.advise.command import read
from slicewright.advise.options import AdviceOptions
from slicewright.values.carried import study_folder

from tests.advise.contract import PARTS

FOLDER = study_folder("hyperpav") / "device-reports"
CommandLine = Callable[..., Any]


@functools.cache
def advice(*tables: str, at: int | None = None) -> Answer:
    options = AdviceOptions.of(at=[] if at is None else [at])
    (only,) = answer(read([FOLDER / f"{table}.txt" for table in tables]), check(options))
    return only


def range_of(found: Answer, aliases: int, name: str) -> tuple[float, float]:
    point = found.point(aliases)
    assert point is not None
    return point.low[name], point.high[name]


def test_without_aliases_the_pool_gets_fifteen_or_sixteen_and_the_range_holds_what_was_measured() -> None:
    found = advice("Y032180H")
    assert found.recommendation is not None
    assert found.recommendation.aliases in (15, 16)
    assert found.recommendation.low < 15
    assert found.estimate.aliases == 15
    low, high = range_of(found, 16, "response_ms")
    measured = advice("Y032180H", "Y032182H", at=8).observed[1].response_ms
    assert low <= measured <= high
    fitting = {reading.population for reading in found.readings if reading.accepted}
    assert {f"{count} requests per volume" for count in (3, 4, 5)} <= fitting
    assert any(reading.arrivals == "open" and not reading.accepted for reading in found.readings)


def test_two_reports_predict_the_third() -> None:
    found = advice("Y032180H", "Y032182H", at=8)
    point = found.point(8)
    assert point is not None
    measured = advice("Y032181H").observed[0]
    mean = {name: estimate.mean for name, estimate in point.estimates.items()}
    assert mean["io_per_s"] == pytest.approx(measured.io_per_s, rel=0.04)
    assert mean["service_ms"] == pytest.approx(measured.service_ms, rel=0.05)
    assert mean["response_ms"] == pytest.approx(measured.response_ms, rel=0.04)
    assert mean["queue_depth"] == pytest.approx(measured.queue_depth, abs=0.6)
    assert all(reading.load is None or reading.load.growth in ("fitted", "channel") for reading in found.readings)


def test_one_volume_gets_two() -> None:
    found = advice("Y040180P")
    assert found.recommendation is not None
    assert found.recommendation.aliases == 2


def test_half_way_the_pool_gets_a_total_of_fifteen_to_seventeen() -> None:
    found = advice("Y032181H")
    assert found.recommendation is not None
    assert 15 <= found.recommendation.aliases <= 17


def test_a_page_that_needs_a_gap_of_its_own_is_read_closely() -> None:
    """The nearest load of Y040181P misses its rate by 3 % with a borrowed gap, by less than 1 % with its own."""
    found = advice("Y040181P")
    assert found.recommendation is not None
    main = found.readings[0]
    assert main.saturated
    assert main.miss is not None
    assert main.miss < 1
    assert any("within 8 %" in caveat for caveat in found.caveats)


def test_what_nothing_explains_gets_the_nearest_and_what_it_misses() -> None:
    known = check(AdviceOptions.of(assume=["population=2", "arrivals=closed"]))
    (found,) = answer(read([FOLDER / "Y040180P.txt"]), known)
    assert found.recommendation is None
    assert "The nearest: 2 requests per volume" in found.reason
    assert "against 755, 1.30, 1.84" in found.reason
    assert found.needed
    assert "No recommendation" in QUESTION.text(found)


def test_a_reading_that_misses_no_printed_number_fits() -> None:
    for reading in advice("Y032180H").readings:
        assert reading.miss is not None
        assert reading.accepted or reading.miss > 1


def test_the_json_is_the_contract(slicewright: CommandLine) -> None:
    outcome = slicewright(
        "advise", FOLDER / "Y040180P.txt", "--format", "json", "--at", "3", "--target", "response_ms <= 2"
    )
    assert outcome.status == 0
    found = json.loads(outcome.out)
    assert found.keys() >= PARTS
    assert found["recommendation"].keys() == {"aliases", "low", "high"}
    names = ("io_per_s", "response_ms", "service_ms", "queue_depth", "fails_per_try")
    expected = {"aliases"} | {f"{name}{end}" for name in names for end in ("", "_half_width", "_low", "_high")}
    assert all(point.keys() == expected for point in found["curve"])
    assert found["at"][0]["aliases"] == 3
    assert found["target"]["aliases"] >= 1


def test_readings_are_written_as_scenarios_that_give_the_same_numbers(slicewright: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "advice"
    assert slicewright("advise", FOLDER / "Y040180P.txt", "--out", out).status == 0
    first = sorted(out.glob("*.toml"))[0]
    advised = json.loads((out / "advice.json").read_text())
    result = sw.run(first, set={f"alias_pool.{tomllib.loads(first.read_text())['alias_pool'][0]['name']}.aliases": 2})
    assert result.system["io_per_s"][0] == pytest.approx(advised["curve"][2]["io_per_s"], rel=1e-6)
    assert result.system["response_ms"][0] == pytest.approx(advised["curve"][2]["response_ms"], rel=1e-6)
    assert "<svg" in (out / "report.html").read_text()


def test_a_scenario_is_its_own_reading(slicewright: CommandLine, small: Path) -> None:
    outcome = slicewright("advise", small, "--at", "1", "--format", "json")
    assert outcome.status == 0
    found = json.loads(outcome.out)
    assert [reading["name"] for reading in found["readings"]] == ["given"]
    assert found["at"][0]["aliases"] == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["aliases", "nowhere.txt"], "no such file"),
        (["aliases", str(FOLDER)], "directory"),
        (["aliases", str(FOLDER / "Y032180H.txt"), "--pool", "6000-60FF"], "no volume with I/O"),
    ],
)
def test_bad_input_ends_with_two_and_says_why(slicewright: CommandLine, words: list[str], said: str) -> None:
    outcome = slicewright("advise", *words)
    assert outcome.status == 2
    assert outcome.out == ""
    assert said in outcome.err

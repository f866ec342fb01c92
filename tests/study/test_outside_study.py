"""Measurements from outside: what was declared, how numbers follow from runs, and that ranges are those declared."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest
from slicewright._core import Scenario
from slicewright.study.calibrate import written
from slicewright.study.judge import Kept, Reproduction
from slicewright.study.outside import ALONE, STUDY, Case
from slicewright.study.points import Budget, Point

from tests.conftest import CommandLine
from tests.tidy.tree import ROOT

NUMBERS = STUDY.published(STUDY.spec())
SOURCES = STUDY.spec().document["source"]


@pytest.fixture(scope="module")
def result() -> Reproduction:
    """The full reproduction, judged again."""
    return STUDY.judged(Kept.read((ROOT / STUDY.validation).with_suffix(".json").read_text("utf-8")))


def test_every_cell_is_predicted_and_none_is_fitted_to(result: Reproduction) -> None:
    assert {cell.ruling.role for cell in result.cells} == {"predicted"}
    assert STUDY.calibrated(STUDY.spec()) == []
    assert written(STUDY.spec(), STUDY.calibrate()) == STUDY.constants_file.read_text("utf-8")


def test_a_time_of_an_increment_is_beside_that_with_a_thread_for_each_processor() -> None:
    first = NUMBERS[0]
    points = {case: Point(case, samples={"relative_time": [2.0, 3.0]}) for case in STUDY.cases(first)}
    points[Case(f"locks-{ALONE}")].samples["relative_time"] = [1.0, 2.0]
    assert STUDY.samples(first, points) == [2.0, 1.5]
    assert first.value == pytest.approx(4030.45 / 6 / (2103.7 / 4))


def test_every_number_has_a_run_and_every_source_a_number() -> None:
    assert {case.inputs.source for number in NUMBERS for case in STUDY.cases(number)} == {
        source["name"] for source in SOURCES
    }


@pytest.mark.parametrize("key", ["title", "author", "year", "address", "inputs", "assumed", "excluded"])
def test_every_source_is_cited_and_says_what_is_assumed_and_excluded(key: str) -> None:
    assert all(source[key] for source in SOURCES)


def test_every_end_of_a_range_changes_the_scenario_and_is_beside_the_cells(result: Reproduction) -> None:
    plain = {case for number in NUMBERS for case in STUDY.cases(number)}
    for vary in STUDY.spec().document["vary"]:
        changed = [case for case in plain if fnmatchcase(case.key, vary["of"])]
        assert changed, vary
        for case in changed:
            texts = [STUDY.scenario(Case(case.key, what), STUDY.constants(), Budget()) for what in ("", vary["name"])]
            bodies = [[line for line in text.splitlines()[1:] if not line.startswith("name")] for text in texts]
            assert bodies[0] != bodies[1], (case, vary)
            Scenario.read(texts[1].encode(), "varied.toml", [])
    ends = {cell.place.column.rpartition("; ")[2] for cell in result.comparison}
    assert ends == {vary["name"] for vary in STUDY.spec().document["vary"]}


def test_misses_are_kept_with_their_suspected_causes(slicewright: CommandLine, result: Reproduction) -> None:
    missed = [cell for cell in result.cells if cell.verdict == "misses"]
    assert missed
    assert all(STUDY.spec().cause(cell.place, "inputs") != "no cause is known" for cell in missed)
    page = (ROOT / STUDY.validation).read_text("utf-8")
    assert all(f"`{cell.place.row} {cell.place.column}`" in page for cell in missed)


def test_the_shipped_scenarios_are_those_of_the_declared_inputs() -> None:
    for path, text in STUDY.shipped.items():
        assert path.read_text("utf-8") == text, "python -m slicewright.study outside writes them anew"

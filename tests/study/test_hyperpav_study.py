"""The published layer: do the HyperPAV measurements come out, and does `reproduce` keep its contract?"""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from slicewright import run as simulated
from slicewright.report.html import render
from slicewright.report.text import WIDTH
from slicewright.study.__main__ import shipped
from slicewright.study.hyperpav import STUDY, reports
from slicewright.study.judge import Request
from slicewright.study.points import Budget

from tests.conftest import CommandLine
from tests.study.reproductions import QUICK, Reproductions

FIELDS = ["study", "wall_s", "events", "seed", "replications", "cells"]
CELL = ["table", "row", "column", "unit", "published", "simulated", "half_width", "role", "band", "verdict", "note"]


@pytest.fixture
def quick(reproduced: Reproductions, slicewright: CommandLine) -> dict[str, Any]:
    """The output of `reproduce hyperpav --quick --format json`."""
    found: dict[str, Any] = json.loads(slicewright("reproduce", "hyperpav", "--quick", "--format", "json").out)
    return found


def scored(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells that are judged and counted."""
    return [cell for cell in document["cells"] if cell["role"] in ("predicted", "informed")]


def test_the_json_has_the_fields_of_the_contract(quick: dict[str, Any]) -> None:
    assert list(quick) == FIELDS
    assert all(list(cell) == CELL for cell in quick["cells"])
    assert all(set(cell["band"]) == {"rel", "abs"} for cell in quick["cells"])
    assert quick["study"] == "hyperpav"
    assert quick["events"] > 1_000_000


def test_thirteen_cells_are_scored(quick: dict[str, Any]) -> None:
    assert Counter(cell["table"] for cell in scored(quick)) == {"Y032181H": 5, "Y040180P": 4, "Y040182P": 4}
    assert [cell["row"] for cell in quick["cells"] if cell["role"] == "informed"] == ["base_alias_ratio"]


def test_a_verdict_follows_from_the_numbers_of_its_cell(quick: dict[str, Any]) -> None:
    for cell in scored(quick):
        width = max(cell["band"]["rel"] * abs(cell["published"]), cell["band"]["abs"])
        inside = abs(cell["simulated"] - cell["published"]) <= width
        assert (cell["verdict"] == "matches") == inside
        assert (cell["half_width"] < width / 3) == ("too wide" not in cell["note"])


def test_the_cells_that_must_match_do(quick: dict[str, Any]) -> None:
    bands = STUDY.spec()
    must = [cell for cell in scored(quick) if bands.ruling(cell["table"], cell["row"]).must]
    assert len(must) == 4
    assert {cell["verdict"] for cell in must} == {"matches"}


def test_at_least_twelve_of_thirteen_match(quick: dict[str, Any]) -> None:
    assert sum(cell["verdict"] == "matches" for cell in scored(quick)) >= 12


def test_two_runs_differ_in_wall_time_alone_and_go_cheapest_first(quick: dict[str, Any]) -> None:
    seen: list[str] = []
    again = STUDY.reproduce(Request(quick=True, done=lambda run, cells: seen.append(run))).to_json()
    assert {**again, "wall_s": 0} == {**quick, "wall_s": 0}
    assert seen == ["Y040180P", "Y032181H", "Y040182P"]


@pytest.mark.parametrize("table", ["Y032181H", "Y040182P"])
def test_a_shipped_scenario_run_by_itself_gives_the_cells(table: str, quick: dict[str, Any]) -> None:
    path = next(path for path in shipped() if path.stem == table)
    report = next(report for report in reports() if report.table == table)
    run = simulated(path, set={"measure.interval": "20 s"})
    volumes = run.volumes.to_dict(as_series=False)
    found = STUDY.measure(report, {"volumes": volumes}, STUDY.constants())
    for cell in quick["cells"]:
        if cell["table"] == table and cell["row"] != "base_alias_ratio":
            assert found[cell["row"]] == pytest.approx(cell["simulated"], rel=2e-3)


def test_text_ends_with_how_many_matched(reproduced: Reproductions, slicewright: CommandLine) -> None:
    done = slicewright("reproduce", "hyperpav", "--quick")
    assert done.status == 0
    assert done.err == ""
    assert re.search(r"Scored +1[23] of 13 match", done.out)
    assert re.search(r"independent of each other, \d+ of 10 match", " ".join(done.out.split()))
    assert max(map(len, done.out.splitlines())) <= WIDTH


@pytest.mark.parametrize(
    ("word", "said"),
    [("hyprpav", "did you mean `hyperpav`"), ("grs-exit", "did you mean `grs-exits`")],
)
@pytest.mark.parametrize("option", ["--quick", "--calibrate"])
def test_an_unknown_study_is_refused_with_the_nearest(
    slicewright: CommandLine, option: str, word: str, said: str
) -> None:
    done = slicewright("reproduce", word, option)
    assert done.status == 2
    assert said in done.err
    assert done.out == ""


def test_a_page_that_cannot_be_written_is_refused_before_the_run(slicewright: CommandLine, tmp_path: Path) -> None:
    done = slicewright("reproduce", "--quick", "--html", tmp_path / "none" / "page.html")
    assert done.status == 2
    assert done.out == ""


def test_the_page_needs_no_network_and_shows_every_cell(
    reproductions: Reproductions, monkeypatch: pytest.MonkeyPatch
) -> None:
    request, result = QUICK, reproductions.of("hyperpav")
    drawn = STUDY.lines(budget=Budget(replications=2, most=2, interval_s=2, warm_up_s=0.5))
    monkeypatch.setattr(type(STUDY), "lines", lambda study, progress: drawn)
    text = render(STUDY.page(result, request))
    assert render(STUDY.page(result, request)) == text
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", text)
    assert text.count('<figure class="drawn">') == 1
    assert all(f">{cell.place.row}<" in text for cell in result.cells)

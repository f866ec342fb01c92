"""The published layer of the 580/MDF study: what comes out, what slices do, and whether `reproduce` keeps its contract.

The constants are tested in `test_mdf_calibrate.py`.
"""

import json
import re
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace
from slicewright import run as simulated
from slicewright.report.html import render
from slicewright.report.text import WIDTH
from slicewright.study.judge import Reproduction, Request
from slicewright.study.mdf import BOTH, STUDY, TSO, Case, Value, values
from slicewright.study.points import Budget, Point

from tests.conftest import CommandLine
from tests.study.reproductions import Reproductions

LAWS = Budget(replications=10, most=10, interval_s=400, warm_up_s=300)
STANDARD_ERRORS = 5
RESPONSE, RATE = ("table4.tso", "response_s"), ("table4.tso", "external_transactions_per_s")


@pytest.fixture
def quick(reproduced: Reproductions, slicewright: CommandLine) -> dict[str, Any]:
    """The output of `reproduce mdf --quick --format json`."""
    found: dict[str, Any] = json.loads(slicewright("reproduce", "mdf", "--quick", "--format", "json").out)
    return found


@pytest.fixture(scope="module")
def points() -> dict[int, Point]:
    """Both domains at the ends of the scale."""
    return {parameter: STUDY.simulate(Case(parameter), STUDY.constants(), LAWS) for parameter in (1, 5)}


def change(points: dict[int, Point], value: Value) -> tuple[float, float]:
    """The gain of a value from parameter 1 to 5, and its standard error."""
    first, last = (points[parameter].estimate(value) for parameter in (1, 5))
    return last.mean - first.mean, (first.half_width**2 + last.half_width**2) ** 0.5 / 2


def test_fifty_three_cells_are_scored_and_all_are_predicted(quick: dict[str, Any]) -> None:
    assert quick["study"] == "mdf"
    assert Counter(cell["role"] for cell in quick["cells"]) == {"predicted": 53}
    assert {cell["column"] for cell in quick["cells"]} == {"sched3", "sched5"}


def test_a_verdict_follows_from_the_numbers_of_its_cell(quick: dict[str, Any]) -> None:
    for cell in quick["cells"]:
        width = max(cell["band"]["rel"] * abs(cell["published"]), cell["band"]["abs"])
        assert (cell["verdict"] == "matches") == (abs(cell["simulated"] - cell["published"]) <= width)
        assert (cell["half_width"] < width / 3) == ("too wide" not in cell["note"])


def test_the_cells_that_must_match_do_or_are_on_the_edge_by_noise(quick: dict[str, Any]) -> None:
    bands = STUDY.spec()
    must = [cell for cell in quick["cells"] if bands.ruling(cell["table"], cell["row"], cell["column"]).must]
    assert len(must) == 7
    for cell in must:
        width = max(cell["band"]["rel"] * abs(cell["published"]), cell["band"]["abs"])
        assert abs(cell["simulated"] - cell["published"]) <= width + cell["half_width"], cell


def test_at_least_thirty_of_fifty_three_match(quick: dict[str, Any]) -> None:
    assert sum(cell["verdict"] == "matches" for cell in quick["cells"]) >= 30


def test_twenty_six_cells_do_not_follow_from_others(quick: dict[str, Any]) -> None:
    assert sum("follows from" not in cell["note"] for cell in quick["cells"]) == 26


@pytest.mark.parametrize(
    "table",
    ["table1.ims", "table1.tso", "table2.IMS-C23", "table2.IMS-8C2", "table2.TSO-CC1", "table2.TSO-CC2"],
)
def test_iosq_falls_as_slices_get_shorter(points: dict[int, Point], table: str) -> None:
    gain, error = change(points, (table, "iosq_ms"))
    assert gain < -STANDARD_ERRORS * error


@pytest.mark.parametrize(
    ("busy", "domain"), [("IMS-C23", "ims"), ("IMS-8C2", "ims"), ("TSO-CC1", "tso"), ("TSO-CC2", "tso")]
)
def test_iosq_falls_more_on_busier_devices(points: dict[int, Point], busy: str, domain: str) -> None:
    own, own_error = change(points, (f"table2.{busy}", "iosq_ms"))
    mean, mean_error = change(points, (f"table1.{domain}", "iosq_ms"))
    assert own < mean - STANDARD_ERRORS * (own_error + mean_error) / 2


def test_tso_stays_flat_without_reload(points: dict[int, Point]) -> None:
    for value in (RESPONSE, RATE):
        gain, error = change(points, value)
        assert abs(gain) <= STANDARD_ERRORS * error


@pytest.mark.slow
def test_with_reload_response_rises_and_the_rate_falls_a_little() -> None:
    constants = STUDY.constants("adopted")
    longer = replace(LAWS, interval_s=3600)
    points = {parameter: STUDY.simulate(Case(parameter, (TSO,)), constants, longer) for parameter in (1, 5)}
    slower, error = change(points, RESPONSE)
    assert slower > STANDARD_ERRORS * error
    fewer, error = change(points, RATE)
    assert fewer < -STANDARD_ERRORS * error
    assert fewer > -0.04 * points[1].estimate(RATE).mean


def test_a_domain_does_what_it_does_whether_the_other_has_work_or_not() -> None:
    short = Budget(replications=2, most=2, interval_s=60, warm_up_s=30)
    both, alone = (STUDY.simulate(Case(3, domains), STUDY.constants(), short) for domains in (BOTH, (TSO,)))
    assert alone.samples == {value: both.samples[value] for value in alone.samples}


def test_a_shipped_scenario_run_by_itself_gives_the_cells(quick: dict[str, Any]) -> None:
    path = next(path for path in STUDY.shipped if path.stem == "ims-tso-sched5")
    run = simulated(path, set={"measure.interval": "600 s", "measure.warm_up": "300 s"}, replications=10)
    tables = {
        name: getattr(run, name).to_dict(as_series=False)
        for name in ("volumes", "guests", "front_ends", "resources", "partitions")
    }
    found = values(tables)
    for cell in quick["cells"]:
        if cell["column"] == "sched5":
            assert found[cell["table"], cell["row"]] == pytest.approx(cell["simulated"], rel=5e-3, abs=2e-3)


def test_text_ends_with_how_many_matched(reproduced: Reproductions, slicewright: CommandLine) -> None:
    done = slicewright("reproduce", "mdf", "--quick")
    assert done.status == 0
    assert done.err == ""
    assert re.search(r"Scored +3\d of 53 match", done.out)
    assert max(map(len, done.out.splitlines())) <= WIDTH


def test_the_page_has_figures_7_to_10_and_needs_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = STUDY.lines(budget=Budget(replications=2, most=2, interval_s=30, warm_up_s=30))
    monkeypatch.setattr(type(STUDY), "lines", lambda study, progress: drawn)
    result: Reproduction = Reproduction("mdf", 1)
    text = render(STUDY.page(result, Request(quick=True)))
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", text)
    assert text.count('<figure class="drawn">') == 5
    assert all(f"Figure {number}." in text for number in (7, 8, 9, 10))

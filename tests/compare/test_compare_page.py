"""Does the page of a comparison show the differences, what differed, and what its intervals do not cover?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import slicewright
from slicewright._core import starter
from slicewright.report.drawing import svg
from slicewright.report.figure import Figure
from slicewright.results.compare import Comparison, _differences, _texts, _uncertain
from slicewright.run.directory import save
from slicewright.run.results import Results
from slicewright.run.tabulated import Tabulated

from tests.conftest import CommandLine


@pytest.fixture
def both(small: Path) -> Comparison:
    """The small scenario with two aliases and with none."""
    before, after = (slicewright.run(small, set={"alias_pool.POOL.aliases": count}) for count in (2, 0))
    return Comparison.of_runs(before, after)


def test_the_page_has_pictures_and_fetches_nothing(both: Comparison) -> None:
    page = both.html()
    assert page.count('<figure class="drawn">') == 3
    written = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    assert not re.search(r"<script src|<link|<img|@import|url\((?!#)|(src|href)=\"(?!#)", written)


def test_the_page_says_what_differed_and_what_only_one_run_has(both: Comparison) -> None:
    page = both.html()
    assert "alias_pool.POOL.aliases" in page
    assert "In the run before alone, among the devices: " in page


def test_paired_and_unpaired_are_said_in_plain_words(both: Comparison, small: Path) -> None:
    assert _uncertain(both)[0].startswith("Paired: both runs have seed 1")
    other = Comparison.of_runs(both.before, slicewright.run(small, seed=2))
    assert _uncertain(other)[0].startswith("Unpaired: the runs have different seeds")


def test_what_the_intervals_do_not_cover_is_said(both: Comparison) -> None:
    said = " ".join(_uncertain(both))
    assert "simulation noise alone" in said
    assert "whether the scenario is like the machine" in said


def test_the_same_runs_give_the_same_page(both: Comparison) -> None:
    assert both.html() == both.html()


def test_one_replication_has_points_without_intervals(small: Path) -> None:
    before, after = (slicewright.run(small, replications=1, set={"alias_pool.POOL.aliases": n}) for n in (2, 0))
    page = Comparison.of_runs(before, after).html()
    assert "no interval" in page


def test_a_point_shows_by_its_filling_whether_its_interval_excludes_zero() -> None:
    panel = _differences("Response, ms", [(0, 1.0, 0.5), (1, 0.1, 0.5), (2, 1.0, None)], ["A", "B", "C", "D"])
    drawn = svg(Figure([panel], layout="rows"))
    for word in ("interval excludes 0", "interval contains 0", "no interval"):
        assert f">{word}<" in drawn


def test_one_legend_does_where_panels_hold_different_kinds() -> None:
    panels = [_differences("A", [(0, 1.0, 0.5)], ["system"]), _differences("B", [(0, 0.1, 0.5)], ["system"])]
    drawn = svg(Figure(panels, layout="rows"))
    assert [drawn.count(f">{word}<") for word in ("interval excludes 0", "interval contains 0")] == [1, 1]


@pytest.fixture
def yields() -> Comparison:
    """Guests that spin, with X'44' and with X'9C'; no I/O."""
    short = {"measure.interval": "20 ms", "measure.warm_up": "0 s"}
    x44, x9c = (
        slicewright.run(starter("apache-spin"), replications=2, set=short | {"virtual_machine.*.yields": word})
        for word in ("x44", "x9c")
    )
    return Comparison.of_runs(x44, x9c)


def test_without_io_what_control_programs_and_guests_did_is_compared(yields: Comparison) -> None:
    assert list(yields.shown) == ["control_programs", "guests"]
    assert yields.shown["control_programs"] == ("work_percent", "tv_ratio", "spinning_percent", "diagnoses_per_s")
    page = yields.html()
    assert "Work in ZVM" in page
    assert "Response" not in page


def test_with_io_the_system_and_its_volumes_are_compared(both: Comparison) -> None:
    assert list(both.shown) == ["system", "volumes", "pools"]


def _save(side: Tabulated, directory: Path) -> None:
    assert isinstance(side, Results)
    save(side, directory)


def test_the_command_prints_what_changed_without_io(
    yields: Comparison, tmp_path: Path, slicewright: CommandLine
) -> None:
    _save(yields.before, tmp_path / "x44")
    _save(yields.after, tmp_path / "x9c")
    said = slicewright("compare", tmp_path / "x44", tmp_path / "x9c").out
    assert re.search(r"ZVM +diagnoses_per_s", said)
    assert "io_per_s" not in said
    assert not re.search(r"REQUESTS +exchanges_per_s", said)


def test_what_is_but_rounding_is_no_difference(both: Comparison) -> None:
    row = {"table": "system", "entity": "", "counter": "service_ms", "before": 2.78, "streams": "paired"}
    told = Comparison(both.before, both.after, [row | {"after": 2.78, "difference": 3e-16, "half_width": 1e-16}])
    assert [(row["difference"], row["half_width"]) for row in told.of("system")] == [(0.0, 0.0)]


def test_the_command_writes_the_page_and_prints_as_before(
    both: Comparison, tmp_path: Path, slicewright: CommandLine
) -> None:
    _save(both.before, tmp_path / "2")
    _save(both.after, tmp_path / "0")
    plain = slicewright("compare", tmp_path / "2", tmp_path / "0")
    written = slicewright("compare", tmp_path / "2", tmp_path / "0", "--html", tmp_path / "page.html")
    assert written == plain
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_a_page_that_cannot_be_written_is_refused(both: Comparison, tmp_path: Path, slicewright: CommandLine) -> None:
    _save(both.before, tmp_path / "2")
    assert slicewright("compare", tmp_path / "2", tmp_path / "2", "--html", tmp_path).status == 2


def test_the_change_in_percent_is_beside_before_and_after(both: Comparison) -> None:
    (row,) = both.of("system", ["response_ms"])
    assert row["change_percent"] == pytest.approx(100 * row["difference"] / row["before"])
    shown = _texts(row)["change_percent"]
    assert shown.startswith("+")
    line = next(line for line in str(both).splitlines() if "response_ms" in line)
    assert line.split()[4] == shown
    page = both.html()
    assert f">{shown}<" in page.replace(" ", "").replace("\n", "")
    assert f">{shown} %<" in page, "the figure shows it at the end of the row"
    assert both.frame.columns[5] == "change_percent"


def test_of_zero_there_is_no_percentage(both: Comparison) -> None:
    rows = [row for row in both.rows if row["before"] == 0 and row["difference"]]
    assert rows
    assert all(row["change_percent"] is None and _texts(row)["change_percent"] == "-" for row in rows)

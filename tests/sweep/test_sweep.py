"""Are the points of a sweep those that were asked for, each with the numbers of its own run?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import slicewright
from slicewright.explore.axes import axes_of, axis, design_of
from slicewright.explore.sweep import Sweep, sweep
from slicewright.run.run import run

from tests.conftest import CommandLine

QUICK = {"measure.interval": "200 ms", "measure.warm_up": "0 s", "measure.replications": 2}
ALIASES = "alias_pool.POOL.aliases"


@pytest.mark.parametrize(
    ("text", "values", "unit"),
    [
        ("0..4", (0, 1, 2, 3, 4), ""),
        ("0..9:4", (0, 4, 8), ""),
        ("-2..2:2", (-2, 0, 2), ""),
        ("0.1..0.5:0.2", (0.1, 0.3, 0.5), ""),
        ("2..30:14 ms", (2, 16, 30), "ms"),
        ("2 ms, 5ms", (2, 5), "ms"),
        ('"2 ms","5 ms"', (2, 5), "ms"),
        ("6/s,8/s", (6, 8), "/s"),
        ("25 %,50 %", (25, 50), "%"),
        ("none,fifo", ("none", "fifo"), ""),
        ("1 s,2 ms", ("1 s", "2 ms"), ""),
        ("522A,523A", ("522A", "523A"), ""),
        ('["A","B"],["A"]', ('["A","B"]', '["A"]'), ""),
    ],
)
def test_an_axis_has_the_values_that_its_text_names(text: str, values: tuple[Any, ...], unit: str) -> None:
    assert (axis("key", text).values, axis("key", text).unit) == (values, unit)


@pytest.mark.parametrize(
    ("given", "what"),
    [
        (["aliases"], "has no value"),
        (["=3"], "has no key"),
        (["a=8..2"], "8 is not below 2"),
        (["a=1..9:0"], "step of 0"),
        (["a=1..9999999"], "9,999,999 values"),
        (["a=1,,2"], "a value is missing"),
        (["a=1,2,1"], "`1` is given twice"),
        (["a=1,2", "a=3,4"], "is given twice"),
        ({"a": 5}, "has the type int"),
        ({5: "1,2"}, "has the type int"),
        ("a=1", "has the type str"),
    ],
)
def test_an_axis_that_is_none_is_refused(given: Any, what: str) -> None:
    with pytest.raises(slicewright.InputError, match=what):
        axes_of(given)


def test_all_problems_of_axes_are_listed_at_once() -> None:
    with pytest.raises(slicewright.InputError) as refused:
        axes_of(["a=8..2", "b", "c=1,,2"])
    assert len(refused.value.problems) == 3


@pytest.mark.parametrize(
    ("name", "points", "what"),
    [("grid", 8, "a grid has all combinations"), ("sobol", None, "number of points"), ("best", None, "no such design")],
)
def test_a_design_that_is_none_is_refused(name: str, points: int | None, what: str) -> None:
    with pytest.raises(slicewright.InputError, match=what):
        design_of([axis("a", "0..3")], name, points)


def test_a_grid_needs_a_step_between_decimal_ends() -> None:
    with pytest.raises(slicewright.InputError, match="needs a step"):
        design_of([axis("a", "0.5..1.5 ms")], "grid", None)


@pytest.mark.parametrize("name", ["sobol", "latin"])
def test_a_design_fills_each_axis_evenly(name: str) -> None:
    design = design_of([axis("a", "0..7"), axis("b", "0.0..1.0")], name, 16)
    points = [design.at(number) for number in range(16)]
    assert sorted(int(value) for value, _ in points) == sorted([*range(8), *range(8)])
    assert {int(float(value) * 4) for _, value in points} == {0, 1, 2, 3}
    assert points == [design_of(design.axes, name, 16).at(number) for number in range(16)]


def test_a_point_has_the_numbers_of_a_run(small: Path, tmp_path: Path) -> None:
    result = sweep(small, {ALIASES: [0, 2]}, out=tmp_path / "out", set=QUICK, seed=7)
    alone = run(small, seed=7, set=QUICK | {ALIASES: 2})
    point = result.points.row(1, named=True)
    assert point["checksum"] == alone.checksum
    assert point["replications"] == alone.replications
    for name in ("response_ms", "response_ms_half_width", "io_per_s"):
        assert point[f"system.{name}"] == alone.system[name].item()
    volumes = result.table("volumes")
    assert volumes["volume"].to_list() == 2 * alone.volumes["volume"].to_list()
    assert volumes["response_ms"].to_list()[2:] == alone.volumes["response_ms"].to_list()


def test_cheap_points_come_first(small: Path, tmp_path: Path) -> None:
    result = sweep(small, {"guest.GUEST.count": [8, 1, 4]}, out=tmp_path / "out", set=QUICK)
    assert result.points["guest.GUEST.count"].to_list() == [1, 4, 8]


def test_precision_adds_replications_to_each_point(small: Path, tmp_path: Path) -> None:
    result = sweep(small, {ALIASES: [0, 2]}, out=tmp_path / "out", set=QUICK, precision="5%")
    done = result.points
    assert (done["system.response_ms_half_width"] <= 0.05 * done["system.response_ms"]).all()
    assert (done["replications"] >= 2).all()


def test_a_point_that_is_refused_is_a_row_with_its_reason(small: Path, tmp_path: Path) -> None:
    result = sweep(small, {ALIASES: [-1, 2]}, out=tmp_path / "out", set=QUICK)
    assert result.points["state"].to_list() == ["refused", "done"]
    assert "out of range" in result.points["reason"][0]
    assert "out of range" in str(result)


def test_where_every_point_is_refused_the_sweep_is(small: Path, tmp_path: Path) -> None:
    with pytest.raises(slicewright.InputError, match="unknown key"):
        sweep(small, {"alias_pool.POOL.alises": "0..2"}, out=tmp_path / "out", set=QUICK)
    assert not (tmp_path / "out").exists()


def test_a_recording_is_replayed_at_every_point(small: Path, tmp_path: Path) -> None:
    (tmp_path / "io.csv").write_text("time_s,volume\n" + "".join(f"{at / 100},VOL001\n" for at in range(100)))
    text = small.read_text().partition("[[guest]]")[0] + '[[guest]]\nname = "R"\nreplay = "io.csv"\n[measure]\n'
    file = tmp_path / "replay.toml"
    file.write_text(text + 'interval = "1 s"\nwarm_up = "0 s"\nreplications = 2\n')
    result = sweep(file, {ALIASES: [0, 2]}, out=tmp_path / "out")
    assert (result.points["system.io_per_s"] - 100).abs().max() < 2  # type: ignore[operator]


def test_the_page_of_two_axes_has_a_line_for_each_value_of_the_second(small: Path, tmp_path: Path) -> None:
    axes = {"guest.GUEST.count": "1..3", ALIASES: [0, 2]}
    page = sweep(small, axes, out=tmp_path / "out", set=QUICK).html()
    assert "aliases 0" in page
    assert "aliases 2" in page
    assert "Requests waiting" in page


def test_a_scenario_without_io_shows_its_groups(tmp_path: Path) -> None:
    starter = slicewright.starter("container-limits")
    group = slicewright.Scenario.read(starter.encode(), "a").view.cgroups[0].name
    result = sweep(starter, {"guest.requests.arrivals": "6..8:2 /s"}, out=tmp_path / "out", set=QUICK)
    assert f"{group}: cpu_percent" in result.html()


def test_the_command_prints_its_points_and_leaves_a_store(
    slicewright: CommandLine, small: Path, tmp_path: Path
) -> None:
    changes = [word for key, value in QUICK.items() for word in ("--set", f"{key}={value}")]
    said = slicewright("sweep", small, "--set", f"{ALIASES}=0..2", *changes, "--out", tmp_path / "out")
    assert said.status == 0
    assert "3 points: 3 done." in said.out
    assert str(tmp_path / "out") in said.err
    assert Sweep.read(tmp_path / "out").points.height == 3

"""Has every name of a figure a look of its own, outside of what it explains, in all figures that commands draw?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from slicewright.advise.exits import report as exits_report
from slicewright.advise.limits import report as limits_picture
from slicewright.advise.polarization import report as polarization_report
from slicewright.advise.slices import report as slices_picture
from slicewright.advise.yields import report as yields_report
from slicewright.live import slices as live_slices
from slicewright.live import throttling as live_throttling
from slicewright.report import drawing as figures
from slicewright.report.drawing.inks import Style
from slicewright.report.drawing.views import _legends, specification
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.results.compare import _differences
from slicewright.study.hiperdispatch import MODES, _points

from tests.advise import exits_example as exits
from tests.advise import limits_example as limits
from tests.advise import polarization_example as polarization
from tests.advise import slices_example as slices
from tests.advise import yields_example as yields
from tests.live.examples import slices_result, throttling_result

DRAWN: dict[str, Callable[[], Figure]] = {
    "exits": lambda: exits_report.picture(exits.advice()),
    "limits": lambda: limits_picture.picture(limits.advice()),
    "polarization": lambda: polarization_report.picture(polarization.advice()),
    "slices": lambda: slices_picture.picture(slices.advice()),
    "yields": lambda: yields_report.picture(yields.advice()),
    "live slices": lambda: live_slices._figure(slices_result(), "uniform"),
    "live throttling": lambda: live_throttling._figure(throttling_result()),
    "compare": lambda: Figure(
        [_differences("ms", [(0, 1.0, 0.5), (1, 0.1, 0.5), (2, 1.0, None)], ["A", "B", "C"])], layout="rows"
    ),
}


def _styles(figure: Figure) -> dict[str, set[Any]]:
    """The styles of each name over all panels."""
    found: dict[str, set[Any]] = {}
    for legend in _legends(figure):
        for name, style in legend.entries.items():
            found.setdefault(name, set()).add((style.stroke, style.fill, tuple(style.dash), style.shape))
    return found


def _lines(count: int) -> list[Series]:
    return [Series([0, 1], [at, at + 1], label=f"line {at}") for at in range(count)]


@pytest.mark.parametrize("name", DRAWN)
def test_one_look_has_one_meaning_in_a_figure(name: str) -> None:
    styles = _styles(DRAWN[name]())
    assert all(len(looks) == 1 for looks in styles.values())
    looks = [look for looks in styles.values() for look in looks]
    assert len(looks) == len(set(looks))


def test_sixteen_lines_and_sixteen_sets_of_points_differ() -> None:
    points = [dots([0], [at], label=f"points {at}") for at in range(16)]
    styles = _styles(Figure([Panel("y", [*_lines(16), *points])]))
    assert len({look for looks in styles.values() for look in looks}) == 32


def test_names_of_other_panels_have_other_looks() -> None:
    first, second = Panel("a", _lines(2)), Panel("b", [Series([0, 1], [1, 2], label="another")])
    styles = _styles(Figure([first, second]))
    assert len({look for looks in styles.values() for look in looks}) == 3


def test_simulated_and_live_points_differ_in_shape() -> None:
    (legend,) = {id(legend): legend for legend in _legends(live_throttling._figure(throttling_result()))}.values()
    assert legend.entries["simulated"].shape != legend.entries["live"].shape


def test_published_points_of_horizontal_and_vertical_modes_differ_without_colour() -> None:
    published = _points("figure2", "etr", MODES)
    lines = [Series([8.0, 16.0], [1.0, 2.0], label=name) for name in MODES.values()]
    (legend,) = _legends(Figure([Panel("ETR", [*lines, *published])]))
    shapes: dict[str, set[tuple[str, bool]]] = {"horizontal": set(), "vertical": set()}
    for series in published:
        mode = "horizontal" if series.of == ["horizontal"] else "vertical"
        assert mode in series.label
        style: Style = legend.style(series.label)
        shapes[mode].add((style.shape, style.fill == style.stroke))
    assert shapes["horizontal"]
    assert shapes["vertical"]
    assert not shapes["horizontal"] & shapes["vertical"]


def test_points_of_a_line_have_its_colour() -> None:
    lines = _lines(2)
    (legend,) = _legends(Figure([Panel("y", [*lines, dots([0], [1], label="published", of=["line 1"])])]))
    assert legend.style("published").stroke == legend.style("line 1").stroke


def test_points_of_a_line_that_is_not_drawn_are_refused() -> None:
    with pytest.raises(ValueError, match="'line 7'"):
        Panel("y", [*_lines(2), dots([0], [1], of=["line 7"])])


def _found(part: Any, key: str) -> Iterator[Any]:
    if isinstance(part, dict):
        if key in part:
            yield part[key]
        for value in part.values():
            yield from _found(value, key)
    elif isinstance(part, list):
        for value in part:
            yield from _found(value, key)


@pytest.mark.parametrize("layout", ["beside", "below", "rows"])
def test_legends_and_names_of_marks_are_outside_of_the_values(layout: Any) -> None:
    panel = Panel("y", _lines(2), marks=[(0.5, "now"), (0.6, "knee")], names=["A", "B"] if layout == "rows" else ())
    spec = specification(Figure([panel], layout=layout))
    assert {
        legend["orient"] for legend in _found(spec, "legend") if isinstance(legend, dict) and "orient" in legend
    } == {"bottom"}
    named = [
        part["encoding"]["y"]["value"]
        for parts in _found(spec, "layer")
        for part in parts
        if part["mark"]["type"] == "text" and {"n": "now"}.items() <= part["data"]["values"][0].items()
    ]
    assert named
    assert all(height < 0 for height in named)


def test_a_long_name_of_a_legend_is_not_cut_off() -> None:
    name = "published, vertical with rebalance: informed by what was seen before the form was adopted " * 2
    drawn = figures.svg(Figure([Panel("y", [Series([0, 1], [1, 2], label=name), *_lines(2)])]))
    assert f">{name}<".replace(" <", "<") in drawn.replace(" <", "<")
    width = float(drawn.split('width="')[1].split('"')[0])
    assert width > 5 * len(name)


def test_a_figure_with_notes_keeps_its_title() -> None:
    drawn = figures.svg(Figure([Panel("y", _lines(2))], title="Two pools", notes=["low bars: waits"]))
    assert ">Two pools<" in drawn
    assert ">low bars: waits<" in drawn


def test_a_long_title_is_wrapped() -> None:
    title = "a scenario with a long name of many words and its pools " * 4
    drawn = figures.svg(Figure([Panel("y", _lines(2))], title=title))
    assert f">{title.strip()}<" not in drawn
    assert drawn.count("pools") >= 4

"""Do curves that nearly coincide get a panel of residuals, and no others?"""

from __future__ import annotations

import pytest
from slicewright.report import drawing as figures
from slicewright.report.drawing.residuals import NEAR, residuals
from slicewright.report.drawing.views import specification
from slicewright.report.figure import Figure, Panel, Series, dots

X = [1.0, 2.0, 3.0]
BASE = Series(X, [10.0, 20.0, 30.0], label="first")
HEIGHT = 30.0


def _beside(*others: Series) -> Panel:
    return Panel("Response, ms", [BASE, *others])


def _line(*y: float) -> Series:
    return Series(X, list(y), label="second")


def test_lines_nearer_than_a_marker_have_residuals_over_the_first() -> None:
    found = residuals(_beside(_line(10.5, 20.5, 30.0)), HEIGHT)
    assert found is not None
    assert found.label == "Over first, %"
    assert list(found.series[0].y) == pytest.approx([5.0, 2.5, 0.0])


def test_one_value_farther_than_a_marker_is_enough_to_tell_lines_apart() -> None:
    far = 30.0 + 1.01 * NEAR * HEIGHT
    assert residuals(_beside(_line(10.0, 20.0, far)), HEIGHT) is None
    assert residuals(_beside(_line(10.0, 20.1, far - 0.02 * HEIGHT)), HEIGHT) is not None


def test_a_line_is_compared_with_the_points_that_are_of_it_with_its_noise() -> None:
    line = Series(X, [10.0, 20.2, 30.3], [0.1, 0.1, 0.3], "simulated")
    panel = Panel("ms", [line, dots([2, 3], [20.0, 30.0], label="published", of=["simulated"])])
    found = residuals(panel, HEIGHT)
    assert found is not None
    over, points = found.series
    assert (over.label, points.label, points.kind) == ("simulated", "published", "points")
    assert list(over.y) == pytest.approx([1.0, 1.0])
    assert over.half_width == pytest.approx([0.5, 1.0])


def test_points_that_are_of_no_line_have_no_residuals() -> None:
    assert residuals(Panel("ms", [BASE, dots([2, 3], [20.0, 30.0])]), HEIGHT) is None


def test_values_near_zero_have_no_percentage() -> None:
    near_zero = [Series(X, [0.0, 0.1, 30.0], label="a"), Series(X, [0.5, 0.5, 30.1], label="b")]
    found = residuals(Panel("ms", near_zero), HEIGHT)
    assert found is not None
    assert list(found.series[0].x) == [3.0]


def test_equal_lines_and_panels_of_differences_have_none() -> None:
    assert residuals(_beside(_line(10.0, 20.0, 30.0)), HEIGHT) is None
    near = [BASE, _line(10.1, 20.0, 30.0)]
    assert residuals(Panel("ms", near, origin="both sides"), HEIGHT) is None
    assert residuals(Panel("ms", near, residuals=False), HEIGHT) is None


def test_the_panel_is_below_its_own_for_print_and_for_the_pointer() -> None:
    figure = Figure([Panel("I/O per s", [BASE]), _beside(_line(10.1, 20.1, 30.0))], "Aliases")
    spec = specification(figure)
    assert spec["columns"] == 2
    assert len(spec["concat"]) == 4
    assert "data" in spec["concat"][2], "the first panel has none: its place stays empty"
    assert ">Over first, %<" in figures.svg(figure)
    assert "residuals_1" in str(figures.compiled(figure)["signals"])


def test_the_numbers_of_residuals_are_in_the_table() -> None:
    page = figures.html(Figure([_beside(_line(10.5, 20.5, 30.0))], "Aliases"))
    assert "<caption>Over first, %</caption>" in page


def test_differences_of_rounding_are_none() -> None:
    assert residuals(_beside(_line(10.0, 20.0, 30.0 * (1 + 1e-9))), HEIGHT) is None

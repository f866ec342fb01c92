"""Do figures use the width of the page, with every panel in view and labels that can be read?"""

from __future__ import annotations

from pathlib import Path

import pytest
from slicewright.report.drawing import compiled
from slicewright.report.figure import Figure, Panel, Series

from tests.serve.conftest import Visit, until

FILE = Path(__file__).parents[2] / "published" / "hyperpav" / "device-reports" / "Y032180H.txt"
SIZES = """() => {
  const live = document.querySelector("figure.started .live"), svg = live.querySelector("svg");
  const shown = svg.getBoundingClientRect();
  const letters = [...svg.querySelectorAll("text")].map((text) => parseFloat(getComputedStyle(text).fontSize));
  const scale = shown.width / svg.viewBox.baseVal.width;
  return {room: live.clientWidth, wide: shown.width, scale, least: Math.min(...letters)};
}"""


@pytest.mark.parametrize("width", [1920, 1280, 820])
def test_a_figure_fills_the_page_without_scrolling_and_without_small_labels(visit: Visit, width: int) -> None:
    visit.page.set_viewport_size({"width": width, "height": 900})
    visit.page.set_input_files("#choose", FILE)
    visit.page.wait_for_selector("figure.started svg")
    until(
        visit.page,
        "(() => { const live = document.querySelector('figure.started .live');"
        " return live.querySelector('svg').clientWidth > 0.93 * live.clientWidth; })()",
    )
    found = visit.page.evaluate(SIZES)
    assert found["wide"] <= found["room"]
    assert found["scale"] == pytest.approx(1)
    assert found["least"] >= 11


def test_panels_follow_a_window_that_changes(visit: Visit) -> None:
    visit.page.set_input_files("#choose", FILE)
    visit.page.wait_for_selector("figure.started svg")
    for width in (820, 640):
        visit.page.set_viewport_size({"width": width, "height": 900})
        until(
            visit.page,
            "(() => { const live = document.querySelector('figure.started .live'), svg = live.querySelector('svg');"
            " const names = [...svg.querySelectorAll('.role-legend text')];"
            " const ends = names.map((text) => text.getBoundingClientRect().right);"
            " return svg.clientWidth <= live.clientWidth && Math.max(...ends) <= innerWidth; })()",
        )


@pytest.mark.parametrize(("half", "named"), [(0.001, False), (0.3, True)])
def test_the_legend_names_a_band_only_where_it_can_be_seen(half: float, named: bool) -> None:
    figure = Figure([Panel("Response, ms", [Series([0, 1], [2.0, 1.0], [half, half])])])
    scales = str(compiled(figure)["scales"])
    assert ("95 % interval" in scales) == named
    assert ("color-mix(in srgb, var(--series-1, #0072b2) 35%" in scales) == named, "in the colour of its line"

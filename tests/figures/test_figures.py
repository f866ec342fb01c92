"""Are figures whole as data, drawn with the same bytes anywhere, and readable without a picture?"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
import slicewright
from slicewright.report import drawing as figures
from slicewright.report.drawing.bundle import FILE, bundle
from slicewright.report.figure import Figure, Kind, Look, Panel, Series, dots
from slicewright.report.html import render
from slicewright.report.model import Report

FIGURE = Figure(
    [
        Panel(
            "Response, ms",
            [
                Series([0, 8, 16], [3.0, None, 1.5], [0.1, None, 0.1], "pool", low=[2.5, None, 1], high=[3.5, None, 2]),
                dots([8], [2.1], [0.2]),
            ],
            marks=[(8, "knee")],
        ),
        Panel("I/O per s", [Series([0, 8, 16], [100, 200, 300], label="pool")]),
    ],
    "Aliases",
    "Response falls.",
)
ROWS = Figure(
    [
        Panel(
            "ms",
            [
                Series([0, 1], [1, 2], label="served", kind="bars", look=Look(1, 0.5)),
                Series([0, 1], [1, 0], [0.1, 0.1], "queued", "bars", look=Look(2, texture="hatched")),
            ],
            names=["A < B", "C"],
        )
    ],
    layout="rows",
)
PRINT = """
from tests.figures.test_figures import FIGURE, ROWS
from slicewright.report import drawing as figures
for figure in (ROWS, FIGURE):
    print(figures.html(figure))
"""


@pytest.mark.parametrize("name", ["y", "half_width", "x_half_width", "names", "tips", "groups", "look"])
def test_sequences_of_different_lengths_are_refused(name: str) -> None:
    given = {"x": [0, 1], "y": [1, 2], name: [Look()] if name == "look" else [1]}
    with pytest.raises(ValueError, match=f"2 x and 1 values of {name}"):
        Series(**given)  # type: ignore[arg-type]


def test_a_range_has_two_ends() -> None:
    with pytest.raises(ValueError, match="one end"):
        Series([0], [1], low=[0])


def test_spans_have_ends() -> None:
    with pytest.raises(ValueError, match="no ends"):
        Series([0], [None], label="runs", kind="spans")


def test_a_process_with_other_hashes_draws_the_same_bytes() -> None:
    printed = [
        subprocess.run(
            [sys.executable, "-c", PRINT], check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    ]
    assert printed[0] == printed[1]
    # Whatever was drawn before: Vega numbers clips through a process.
    again = f"{figures.html(ROWS)}\n{figures.html(FIGURE)}\n"
    assert printed[0].decode() == again


def test_every_figure_has_a_text_alternative() -> None:
    for figure in (FIGURE, ROWS):
        picture = ET.fromstring(figures.svg(figure))
        description = picture.find("{http://www.w3.org/2000/svg}desc")
        assert description is not None
        assert picture.get("aria-label") == description.text == figure.described


def test_the_numbers_are_beside_the_picture() -> None:
    part = figures.html(FIGURE)
    for cell in ("3.00 ± .10 (2.50 - 3.50)", "2.10 ± .20", "300"):
        assert f"<td>{cell}</td>" in part
    assert '<th scope="col">Aliases</th>' in part


def test_names_are_escaped() -> None:
    part = figures.html(ROWS)
    assert "A < B" not in part
    assert "A &lt; B" in part


@pytest.mark.parametrize("kind", ["line", "steps", "points", "crosses", "ticks", "bars"])
def test_each_kind_is_drawn_for_print_and_for_the_pointer(kind: Kind) -> None:
    figure = Figure([Panel("y", [Series([1, 2], [1, None], [0.1, 0.1], "a series", kind)])], "x")
    assert ">a series<" in figures.svg(figure)
    assert "a series" in json.dumps(figures.compiled(figure)["data"]) + json.dumps(figures.compiled(figure)["legends"])


def test_a_name_that_is_clicked_hides_its_rows() -> None:
    spec = figures.compiled(FIGURE)
    assert [signal["name"] for signal in spec["signals"] if signal["name"] == "hidden_0"] == ["hidden_0"]
    filters = [step for data in spec["data"] for step in data.get("transform", ()) if step["type"] == "filter"]
    assert any("hidden_0_store" in step["expr"] for step in filters)


SPANS = Figure(
    [
        Panel(
            "ms",
            [
                Series(
                    [0, 0], [None, None], None, "", "spans", [0, 2], [1, 3], names=["A", "B"],
                    groups=["A  one", "B  two"], look=[Look(1, 0.3, edge="line"), Look(2, 0.3, "dotted")],
                )
            ],
            names=["lane"],
        )
    ],
    layout="rows",
)  # fmt: skip
AROUND_ZERO = Figure([Panel("gain", [Series([0, 1], [-1, 1], [0.1, 0.1])], origin="both sides", shaded=(0, 0.5))], "x")


@pytest.mark.parametrize("figure", [FIGURE, ROWS, SPANS, AROUND_ZERO], ids=["lines", "bars", "spans", "around zero"])
def test_every_layout_can_be_zoomed_and_its_legend_clicked(figure: Figure) -> None:
    spec = figures.compiled(figure)
    # Signals of an axis are named after its field.
    assert re.search(r'"zoom_0_[pva]"', json.dumps(spec))
    parts = [spec, *(mark for mark in spec["marks"] if mark["type"] == "group")]
    drawn = [legend for part in parts for legend in part.get("legends", [])]
    assert drawn
    assert all(legend["encode"]["symbols"]["interactive"] for legend in drawn)


def test_a_picture_alone_has_its_own_colours() -> None:
    drawn = figures.alone(FIGURE)
    assert "var(" not in drawn
    assert 'fill="#ffffff"' in drawn


def test_a_picture_can_be_had_as_png() -> None:
    assert figures.png(ROWS).startswith(b"\x89PNG")


def test_a_long_note_is_not_cut_off() -> None:
    note = "the frame is as long as the turns of all partitions together " * 4
    drawn = figures.svg(replace(ROWS, notes=["short", note.strip()]))
    lines = [line for line in re.findall(r">([^<>]+)</t(?:ext|span)>", drawn) if "partitions" in line]
    assert len(lines) == 2
    assert " ".join(lines).split() == note.split()
    assert max(map(len, lines)) < 150


def test_counts_have_no_ticks_between_them() -> None:
    counts = figures.svg(Figure([Panel("Aliases", [Series([1, 2], [1, 2], label="knee")])], "Requests"))
    times = figures.svg(Figure([Panel("Response, ms", [Series([1, 2], [1.5, 2.2], label="knee")])], "Requests"))
    assert ">0.5<" not in counts
    assert ">1.5<" not in counts
    assert ">0.5<" in times


def test_the_script_is_once_on_a_page_of_several_figures_and_loads_nothing(small: Path) -> None:
    page = slicewright.run(small).html()
    assert page.count('<figure class="drawn">') > 1
    assert page.count("globalThis.vegaEmbed=") == 1
    written = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    assert not re.search(r"<(?:script|link|img)[^>]*(?:src|href)=", written)


def test_a_page_without_figures_has_no_script() -> None:
    assert "<script" not in render(Report("nothing"))


def test_the_script_is_what_the_library_bundles() -> None:
    assert FILE.read_text("utf-8") == bundle(), "write it anew: .venv/bin/python -m slicewright.report.drawing.bundle"


def test_drawing_is_not_loaded_before_something_is_drawn() -> None:
    modules = "sys, slicewright, slicewright.report.html, slicewright.run.pages.run_figures"
    code = f"import {modules}; print('vl_convert' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout == b"False\n"

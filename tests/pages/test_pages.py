"""Do pages and pictures open anywhere, say what they show, and come out the same?"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest
import slicewright
from slicewright._core import starter
from slicewright.report.drawing import svg
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.report.html import render
from slicewright.report.model import Paragraph, Report, Section
from slicewright.report.text import render as as_text
from slicewright.run.pages.run import device_page_of
from slicewright.run.pages.run_figures import changes
from slicewright.run.pages.run_rows import volumes_bar

CURVE = Figure(
    [Panel("Response, ms", [Series([0, 1, 2], [3.0, 2.0, 1.5], [0.1, 0.1, 0.1]), dots([0], [3.1], [0.2])])],
    "Aliases in the pool",
)


class _Tags(HTMLParser):
    """Collects what a page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.fetched += [f"{tag} {name}={value}" for name, value in attrs if name in ("src", "href") and value]
        assert tag not in ("link", "iframe", "object", "img")


def test_a_page_fetches_nothing(small: Path) -> None:
    page = slicewright.run(small).html()
    tags = _Tags()
    tags.feed(page)
    assert all("=#" in tag for tag in tags.fetched)
    written = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    assert not re.search(r"@import|url\((?!#)", written)


def test_a_page_escapes_what_it_is_given(small: Path) -> None:
    text = small.read_text().replace("two volumes, two aliases", "<script>alert(1)</script>")
    assert "<script>alert" not in slicewright.run(text).html()


def test_a_page_says_its_seed_version_and_sections(small: Path) -> None:
    page = slicewright.run(small, seed=77).html()
    for words in ("77", slicewright.__version__, "Volumes", "Alias pools", "Where the numbers come from", "<svg"):
        assert words in page


def test_a_page_without_anything_is_a_page() -> None:
    assert "<h1>nothing</h1>" in render(Report("nothing", sections=[Section("empty", [])]))


def test_a_picture_is_the_same_again() -> None:
    assert svg(CURVE) == svg(CURVE)


def test_a_picture_is_svg_with_its_words_as_text() -> None:
    drawn = svg(CURVE)
    ET.fromstring(drawn)
    for word in ("Response, ms", "Aliases in the pool", "published", "simulated"):
        assert f">{word}<" in drawn


def test_a_gap_in_a_curve_is_a_gap() -> None:
    assert "nan" not in svg(Figure([Panel("y", [Series([0, 1, 2], [1.0, None, 2.0], [None, None, 0.1])])])).lower()


def test_a_picture_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one panel"):
        Figure([])


def test_our_own_reader_reads_the_device_page_of_a_run(small: Path) -> None:
    result = slicewright.run(small)
    page = slicewright.DeviceReport.read(device_page_of(result).encode(), "page")
    read, simulated = page.devices(), result.devices
    assert read["device"] == simulated["device"].to_list()
    assert page.interval_s == 2.0
    for name, printed in (
        ("io_per_s", "io_per_s"),
        ("service_ms", "service_ms"),
        ("queue_depth", "queue_depth_sampled"),
    ):
        for value, rounding, mean in zip(read[name], read[f"{name}_rounding"], simulated[printed], strict=True):
            assert abs(value - mean) <= rounding * 1.001


def test_the_correct_response_of_a_base_is_that_of_its_volume(small: Path) -> None:
    result = slicewright.run(small)
    read = slicewright.DeviceReport.read(device_page_of(result, "correct").encode(), "page").devices()
    for volume in result.volumes.iter_rows(named=True):
        at = read["device"].index(volume["device"])
        wait_ms = 1000 * result.devices["queue_depth_sampled"][at] / volume["io_per_s"]
        expected = result.devices["service_ms"][at] + wait_ms
        assert abs(read["response_ms"][at] - expected) <= read["response_ms_rounding"][at] * 1.001


def test_four_hundred_volumes_are_drawn_as_the_forty_slowest() -> None:
    parts = {name: [0.1] * 400 for name in ("pend_ms", "disc_ms", "conn_ms")}
    frame = pl.DataFrame(
        {"volume": [f"V{i:03}" for i in range(400)], **parts, "response_ms": [float(i) for i in range(400)]}
    )
    (panel,) = volumes_bar(frame).panels
    assert "V399" in panel.names
    assert "V359" not in panel.names


def test_the_text_of_a_run_is_aligned_and_says_what_it_took(small: Path) -> None:
    lines = str(slicewright.run(small, seed=5)).splitlines()
    assert lines[0] == "two volumes, two aliases  3 replications, seed 5, warm-up cut 0.5 s"
    head = next(line for line in lines if "volume" in line and "resp, ms" in line)
    row = next(line for line in lines if "VOL001" in line)
    assert len(head) == len(row)
    assert "95 % half-width over 3 replications" in lines[-1]


def test_one_replication_has_no_half_widths(small: Path) -> None:
    text = str(slicewright.run(small, replications=1))
    assert "±" not in text
    assert "no half-widths" in text


def test_a_page_says_first_what_is_uncertain(small: Path) -> None:
    section = slicewright.run(small).report().sections[1]
    assert section.title == "What is uncertain"
    noise, roles = section.blocks
    assert isinstance(noise, Paragraph)
    assert isinstance(roles, Paragraph)
    assert "simulation noise only" in noise.text
    assert "are assumed" in roles.text or "are default" in roles.text


def test_several_intervals_are_drawn_over_time_with_what_changes(small: Path) -> None:
    told = small.read_text() + '\n[[change]]\nat = "3 s"\naliases = { pool = "POOL", online = 1 }\n'
    (section,) = [
        section
        for section in slicewright.run(told, set={"measure.intervals": 3}).report().sections
        if section.title == "Interval by interval"
    ]
    (picture,) = section.blocks
    assert isinstance(picture, Figure)
    for word in ("1 alias of POOL online", "Response, ms", "Free aliases, mean, pool POOL"):
        assert f">{word}<" in svg(picture)


def test_partitions_that_change_are_marked_over_time() -> None:
    soon = {"measure.interval": "0.1 s", "change.1.at": "0.1 s", "change.2.at": "0.2 s"}
    run = slicewright.run(starter("prsm-three-lpars"), replications=2, set=soon)
    assert changes(run) == [(0.1, "DEV added"), (0.2, "DEV: weight 900")]
    assert "DEV: weight 900" in run.html()


def test_one_interval_is_not_drawn_over_time(small: Path) -> None:
    assert "Interval by interval" not in slicewright.run(small).html()


def test_an_empty_column_is_omitted(small: Path) -> None:
    told = small.read_text().replace('"VOL002"] }', '"VOL002"], reads = "50 %" }')
    assert "writes" not in str(slicewright.run(small))
    assert "writes" in str(slicewright.run(told))


@pytest.mark.parametrize("kind", ["mm1", "pool", "two-domains", "prsm-three-lpars", "container-limits", "enq-exits"])
def test_the_text_made_alone_is_the_text_of_the_whole_report(kind: str) -> None:
    run = slicewright.run(starter(kind), replications=2, set={"measure.interval": "2 s", "measure.warm_up": "0 s"})
    assert str(run) == as_text(run.report())

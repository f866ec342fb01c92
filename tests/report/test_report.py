"""Do text, HTML and JSON show the same report, each in its own way?"""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from slicewright.report import html, json, text
from slicewright.report.figure import Figure, Panel, Series
from slicewright.report.forms import Span, decimals, estimates, spans
from slicewright.report.model import (
    Cell,
    Column,
    Face,
    Lead,
    Notes,
    Paragraph,
    Report,
    Section,
    Table,
    Verbatim,
    joined,
)
from slicewright.statistics import Estimate


@dataclass(frozen=True)
class Point:
    """A row: a count, a time, its range, and a verdict."""

    aliases: int
    response: Estimate
    span: Span | None
    verdict: Cell


POINTS = [
    Point(0, Estimate(3.73, 0.02, 10), None, Cell("misses", "bad", "far off")),
    Point(15, Estimate(1.535, 0.009, 10), Span(1.24, 1.7), Cell("matches", "good")),
]


def curve(points: list[Point]) -> Table[Point]:
    return Table(
        [
            Column("aliases", "aliases", lambda point: point.aliases),
            Column("response_ms", "Resp", lambda point: point.response, "ms", estimates),
            Column("response", "all readings", lambda point: point.span, form=spans(2), optional=True),
            Column("verdict", "verdict", lambda point: point.verdict),
            Column("knee", "", lambda point: point.aliases == 15, face=Face.JSON),
        ],
        points,
        legend="± is simulation noise.",
        marks=lambda point: ["knee"] if point.aliases == 15 else [],
        brief=lambda point: point.aliases != 7,
    )


def report(*blocks: object) -> Report:
    return Report("A pool", "a.txt", [("aliases", "15")], [Section("Pool", blocks)])  # type: ignore[arg-type]


def test_text_aligns_columns_and_sets_marks_behind_rows() -> None:
    assert text.render(report(curve(POINTS))) == (
        "  aliases       Resp ms  all readings  verdict\n"
        "  0        3.730 ± .020                misses\n"
        "  15       1.535 ± .009   1.24 - 1.70  matches  <- knee\n"
        "  ± is simulation noise.\n"
    )


def test_html_shows_tones_notes_and_marks() -> None:
    page = html.render(report(curve(POINTS)))
    assert '<td class="bad" title="far off">misses</td>' in page
    assert '<td class="mark">knee</td>' in page


def test_json_has_half_widths_ranges_and_columns_of_its_own() -> None:
    assert json.records(curve(POINTS))[1] == {
        "aliases": 15, "response_ms": 1.535, "response_ms_half_width": 0.009, "response_low": 1.24,
        "response_high": 1.7, "verdict": "matches", "knee": True,
    }  # fmt: skip


def test_an_optional_column_without_values_is_omitted_for_people_and_kept_in_json() -> None:
    table = curve(POINTS[:1])
    assert "all readings" not in text.render(report(table))
    assert "response" in json.records(table)[0]


def test_text_shows_the_brief_rows_alone() -> None:
    between = Point(7, Estimate(2.12, 0.01, 10), None, Cell("matches", "good"))
    table = curve([*POINTS, between])
    assert "\n  7 " not in text.render(report(table))
    assert ">7</td>" in html.render(report(table))
    assert len(json.records(table)) == 3


def test_text_wraps_paragraphs_notes_and_legends_within_the_width() -> None:
    long = "word " * 60
    table = Table([Column("name", "name", str)], ["a"], legend=long)
    printed = text.render(report(Paragraph(long), table, Notes("Evidence", [long, long])))
    assert max(map(len, printed.splitlines())) <= text.WIDTH


def test_html_escapes_text() -> None:
    page = html.render(report(Lead("<i>", "<b>"), Paragraph("<p1>"), Notes("<n>", ["<l>"]), Verbatim("<v>", "<w>")))
    for tag in ("<i>", "<b>", "<p1>", "<n>", "<l>", "<v>", "<w>"):
        assert tag not in page


def test_figures_are_drawn_in_html_and_described_in_json() -> None:
    figure = Figure([Panel("Response, ms", [Series([0, 8], [3.7, 2.2])])], "Aliases", "A curve.")
    assert text.render(report(figure)) == "\n"
    block = json.document(report(figure))["sections"][0]["blocks"][0]
    assert block == {"kind": "figure", "caption": "A curve.", "alternative": "Response, ms over Aliases: simulated"}
    page = html.render(report(figure))
    assert "A curve." in page
    assert "<svg" in page


@pytest.mark.parametrize("face", list(Face))
def test_a_block_is_shown_on_its_own_faces_alone(face: Face) -> None:
    section = Section("Pool", [Paragraph("here", face=face)])
    assert [bool(list(section.shown(other))) for other in Face] == [other is face for other in Face]


def test_decimals_take_means_and_keep_gaps() -> None:
    assert decimals(1)([Estimate(11.04, 0.5, 10), None, "-"]) == ["11.0", "", "-"]


def test_a_page_of_several_answers_sums_up_each_of_them() -> None:
    reports = [
        Report(f"Aliases for {pool}", f"{pool}: 1,602 I/O/s", [("aliases", count)], [Section("", [Paragraph(pool)])])
        for pool, count in (("TRANS", "3"), ("BATCH", "6"))
    ]
    page = html.render(joined(reports))
    box = page.partition('<dl class="facts">')[2].partition("</dl>")[0]
    for fact in ("Aliases for TRANS", "aliases 3", "Aliases for BATCH", "aliases 6"):
        assert f">{fact}<" in box
    for pool in ("TRANS", "BATCH"):
        assert page.count(f">{pool}: 1,602 I/O/s<") == 1


def test_sections_with_one_title_have_anchors_of_their_own() -> None:
    page = html.render(Report("Two pools", sections=[Section("Caveats", [Paragraph(text)]) for text in "ABC"]))
    anchors = re.findall(r'<section id="([^"]*)"', page)
    assert anchors == ["caveats", "caveats-2", "caveats-3"]
    assert all(f'href="#{anchor}"' in page for anchor in anchors)

"""Does a table made from lines of data show what the lines say, on every face?"""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from slicewright._core import counters
from slicewright.advise.answer import Point
from slicewright.report.forms import Span
from slicewright.report.json import records
from slicewright.report.markdown import table_text
from slicewright.report.model import Face, Table
from slicewright.report.spec import columns, header, series
from slicewright.report.text import table_lines
from slicewright.run.pages.run_columns import SHOWN
from slicewright.statistics import Estimate

POINTS = [
    Point(
        name, {"cpu_percent": Estimate(cpu, 0.5, 10), "lock_wait_us": Estimate(cpu / 3, 0.25, 10)},
        {"saved": Estimate(20 - cpu, 0.4, 10)}, ranges={"saved": Span(low, low + 2)} if low else {},
    )
    for name, cpu, low in (("batch", 20.0, None), ("pooled", 12.5, 6.0))
]  # fmt: skip
SAID = ("agrees", "differs", "constants")
LINES = """
    name              |      | exits
    programs  now
    cpu_percent       | ±
    saved.. ?         | .1   | all readings
    people    half    | .2   | half         | %
    lock_wait_us      | ± .1 | wait
    programs  saved_percent
"""
VALUES = {
    "name": lambda point: point.variant,
    "now": lambda point: point.variant == "batch",
    "half": lambda point: point.columns["cpu_percent"].mean / 2,
}


def table(lines: str = LINES) -> Table[Point[str]]:
    return Table(columns(lines, ["serialization"], VALUES), POINTS)


def test_text_has_what_people_read() -> None:
    assert table_lines(table()) == [
        "  exits       CPU %  all readings  half %  wait us",
        "  batch   20.0 ± .5                 10.00      6.7",
        "  pooled  12.5 ± .5     6.0 - 8.0    6.25      4.2",
    ]


def test_a_page_has_half_widths_where_text_has_no_room() -> None:
    assert "| pooled | 12.5 ± .5 | 6.0 - 8.0 | 6.25 | 4.17 ± .25 |" in table_text(table()).splitlines()


def test_programs_get_every_key_with_what_belongs_to_it() -> None:
    batch, pooled = records(table())
    assert list(batch) == [
        "name", "now", "cpu_percent", "cpu_percent_half_width", "saved_low", "saved_high", "lock_wait_us",
        "lock_wait_us_half_width", "saved_percent", "saved_percent_half_width",
    ]  # fmt: skip
    assert (batch["saved_low"], pooled["saved_low"], pooled["saved_percent"]) == (None, 6.0, 7.5)


def test_a_column_without_values_is_omitted_where_the_line_says_so() -> None:
    rows = [{"io_per_s": 1.0, "avoided_per_s": 0.0, "writes_per_s": 2.0, "pend_ms": None, "pend_ms_half_width": None}]
    shown = Table(columns("io_per_s; avoided_per_s ?0; writes_per_s ?0 io_per_s; pend_ms", ["volumes"]), rows)
    assert table_lines(shown) == ["  I/O per s  writes  pend ms", "  1.00         2.00        -"]


def test_a_mapping_gives_an_estimate_where_a_half_width_is_beside_the_value() -> None:
    rows = [{"response_ms": 1.844, "response_ms_half_width": 0.012}]
    assert table_lines(Table(columns("response_ms | ±; response_ms | | | ,", ["volumes"]), rows)) == [
        "  resp ms     resp, ms",
        "  1.84 ± .01      1.84",
    ]


def test_every_counter_has_a_header_and_digits_that_a_spec_knows() -> None:
    for counter in counters():
        (column,) = columns(counter["name"], [counter["table"]])
        assert column.header == counter["header"] == header(counter["name"], [counter["table"]])
        assert column.header.strip() == column.header != ""
        assert column.form([1.0]) != [""]


def test_the_tables_of_a_run_name_counters_of_the_engine() -> None:
    known = {(counter["table"], counter["name"]) for counter in counters()}
    for table, (_, shown) in SHOWN.items():
        of = {"yields": "control_programs", "classes": "guests"}.get(table, table)
        assert any((of, column.key) in known for column in shown)


def test_a_form_and_a_face_that_are_none_are_mistakes_of_the_spec() -> None:
    with pytest.raises(KeyError):
        columns("cpu_percent | much", ["serialization"])
    with pytest.raises(ValueError, match="person cpu_percent"):
        columns("person cpu_percent", ["serialization"])


def test_series_leave_out_half_widths_that_nothing_has() -> None:
    assert series([0.0, 1.0], [1.5, None]).half_width is None
    assert series([0.0], [Estimate(1.5, float("nan"), 1)]).half_width is None
    assert series([0.0], [Estimate(0.0, 0.0, 4)]).half_width == [0.0]


def test_a_dot_leads_into_a_row_and_a_verdict_has_its_tone() -> None:
    rows = [SimpleNamespace(slice_ms=20.0, live={"wait_ms": Estimate(7.75, 0.2, 5)}, verdict=word) for word in SAID]
    shown = Table(columns("slice_ms | :.6g; live.wait_ms | .1 | late; verdict | verdict"), rows)
    assert [line.split() for line in table_lines(shown)[1:]] == [["20", "7.8", word] for word in SAID]
    assert [row[2].tone for row in shown.grid(Face.HTML).rows] == ["good", "bad", "quiet"]
    assert list(records(shown)[0]) == ["slice_ms", "live_wait_ms", "live_wait_ms_half_width", "verdict"]

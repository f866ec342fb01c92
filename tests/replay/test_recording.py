"""Are recordings that cannot be replayed refused with every problem, each with its place and what is allowed?"""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slicewright import InputError
from slicewright.scenario.replay import COLUMNS, MOST_LISTED, _read_records

from tests.conftest import CommandLine
from tests.replay.test_replay import ONE_VOLUME


def problems(data: bytes | str) -> list[str]:
    """The problems of a recording, each as line, column of the table, what, nearest."""
    with pytest.raises(InputError) as refused:
        _read_records(data.encode() if isinstance(data, str) else data, "io.csv")
    return [
        ": ".join(str(problem[name]) for name in ("line", "key", "what", "nearest") if problem[name])
        for problem in refused.value.problems
    ]


def parquet(**columns: list[object]) -> bytes:
    """A Parquet file of columns."""
    buffer = io.BytesIO()
    pl.DataFrame(columns).write_parquet(buffer)
    return buffer.getvalue()


def test_every_wrong_cell_is_reported_with_its_line() -> None:
    told = problems("time_s,volume,bytes,access\n1,A,3,x\n\n-1,A,1.5,R\nx,A,-1,\n5,,99999999999,w\n4,A,1,w\n")
    assert told == [
        "2: access: neither read nor write: x",
        "4: time_s: before the start of the first interval: -1",
        "4: bytes: not whole: 1.5",
        "5: time_s: not a number: x",
        "5: bytes: out of range: -1",
        "6: volume: empty",
        "6: bytes: out of range: 99999999999",
        "7: time_s: earlier than the row before: 4",
    ]


def test_of_many_problems_the_first_are_listed_and_the_rest_counted() -> None:
    told = problems("time_s,volume\n" + "x,A\n" * 1000)
    assert len(told) == MOST_LISTED + 1
    assert told[-1] == f"and {1000 - MOST_LISTED} more problems"


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("time_s,volum", ["unknown column volum: volume", "no column volume"]),
        ("when,volume", ["unknown column when", "no column of times"]),
        ("time_s,time_ms,volume", ["several columns of times: time_s, time_ms"]),
        ("time_s,volume,volume", ["1: two columns volume"]),
    ],
)
def test_columns_are_reported_before_rows(header: str, said: list[str]) -> None:
    assert problems(f"{header}\n" + ",".join(["1"] * (header.count(",") + 1)) + "\n") == said


def test_rows_of_another_width_are_reported_with_their_lines() -> None:
    assert problems('time_s,volume\n1,A,2\n"2",A\n3\n') == [
        "2: 3 cells where the header has 2",
        "4: 1 cell where the header has 2",
    ]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"time_s,volume\n", "holds no records"),
        (b"time_s,volume\n1,\xff\n", "2: is neither Parquet nor text in UTF-8"),
        (b"time_s,volume\n\0\n", "2: is neither Parquet nor text"),
        (b'time_s,volume\n1,"A\n', "is not CSV"),
        (b"PAR1 no PAR1", "is a damaged Parquet file"),
    ],
)
def test_what_is_no_recording_says_so(data: bytes, said: str) -> None:
    assert said in problems(data)[0]


def test_problems_of_parquet_have_row_and_type() -> None:
    assert problems(parquet(time_s=[0.0, None, 2.0, 1.0], volume=["A"] * 4)) == [
        "time_s: row 2: not a number",
        "time_s: row 4: earlier than the row before: 1.0",
    ]
    assert problems(parquet(time_s=[0.0], volume=[5220])) == ["volume: holds Int64 and not texts"]
    assert problems(parquet(time_s=[True], volume=["A"])) == ["time_s: holds Boolean and not numbers"]


def test_unknown_volumes_are_reported_beside_the_rest(tmp_path: Path, slicewright: CommandLine) -> None:
    (tmp_path / "one.toml").write_text(ONE_VOLUME.replace('name = "A"', 'name = "DATA01"'), encoding="utf-8")
    (tmp_path / "io.csv").write_text("time_s,volume\n0,DATA1\n-1,5220\n2,DATA1\n", encoding="utf-8")
    outcome = slicewright("run", tmp_path / "one.toml")
    assert outcome.status == 2
    assert "error: volume: no volume or minidisk is called `DATA1`" in outcome.err
    assert "(and in 1 more row)" in outcome.err
    assert "did you mean `DATA01`" in outcome.err
    assert "error: time_s: before the start" in outcome.err
    assert [line for line in outcome.err.splitlines() if "-->" in line] == [
        f"  --> {tmp_path}/io.csv:{row}" for row in (2, 3)
    ]


def test_a_missing_file_is_reported_with_the_key_that_names_it(tmp_path: Path, slicewright: CommandLine) -> None:
    (tmp_path / "one.toml").write_text(ONE_VOLUME, encoding="utf-8")
    (tmp_path / "io2.csv").touch()
    outcome = slicewright("run", tmp_path / "one.toml")
    assert (outcome.status, outcome.out) == (2, "")
    assert "guest RECORDED: replay: there is no such file" in outcome.err
    assert "io2.csv" in outcome.err


CELLS = st.sampled_from(["0", "1e300", "nan", "inf", "-0.5", "A", "", " 7 ", "W", '"', "\r", "\ufeff", "4096.0"])


@settings(max_examples=50)
@given(
    st.lists(st.sampled_from([*COLUMNS, "other"]), min_size=1, max_size=4),
    st.lists(st.lists(CELLS, max_size=4), max_size=4),
)
def test_any_table_is_read_or_refused(names: list[str], rows: list[list[str]]) -> None:
    text = "\n".join(",".join(row) for row in [names, *rows])
    with contextlib.suppress(InputError):
        records = _read_records(text.encode(), "io.csv")
        assert max(records.text) < len(records.texts)
        assert records.time_ns == sorted(records.time_ns)


@settings(max_examples=50)
@given(st.binary(max_size=200))
def test_any_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(InputError):
        _read_records(data, "io.csv")


@settings(max_examples=4)  # each is read in a process of its own
@given(st.binary(max_size=200))
def test_any_bytes_marked_as_parquet_are_refused(data: bytes) -> None:
    with pytest.raises(InputError):
        _read_records(b"PAR1" + data + b"PAR1", "io.parquet")

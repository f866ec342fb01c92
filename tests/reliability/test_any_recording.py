"""Is any recording read or refused with its problems, whatever is in it, CSV or Parquet?"""

from __future__ import annotations

import datetime
import io
import random
import sys
import time
from decimal import Decimal

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from slicewright import InputError
from slicewright.scenario.replay import MOST_IO_BYTES, _read_records
from slicewright.values import parquet
from slicewright.values.errors import problem

CELLS = st.one_of(
    st.sampled_from(["", "0", "1.5", "A", "nan", "inf", "-1", "1e999", "1e-320", "18446744073709551616", "W", "r"]),
    st.text(max_size=6),
)
NAMES = st.sampled_from(["time_s", "time_ms", "time_us", "volume", "bytes", "access", "", "tme_s", '"volume"'])
TABLES = st.tuples(
    st.lists(NAMES, min_size=1, max_size=6), st.lists(st.lists(CELLS, min_size=1, max_size=5), max_size=8)
).map(lambda table: "\n".join(",".join(row) for row in [table[0], *table[1]]).encode(errors="replace"))


def _check(data: bytes) -> bool:
    """Whether it was read: then as columns of one length and in order; otherwise with a few problems."""
    refused: InputError | None = None
    try:
        records = _read_records(data, "io.csv")
    except InputError as error:
        refused = error
    if refused is not None:
        assert 0 < len(refused.problems) <= 20
        assert len(str(refused)) < 5000
        return False
    lengths = {len(column) for column in (records.time_ns, records.text, records.bytes, records.write)}
    assert lengths == {len(records.time_ns)} != {0}
    assert records.time_ns == sorted(records.time_ns)
    assert records.time_ns[0] >= 0
    assert all(0 <= size <= MOST_IO_BYTES for size in records.bytes)
    assert all(records.texts[at].strip() for at in records.text)
    return True


@settings(max_examples=300)
@given(st.one_of(TABLES, TABLES.map(lambda data: b"time_s,volume\n" + data), st.binary(max_size=60)))
@example(b"")
@example(b"time_s,volume\n0,A\n\n\n1,B")
@example(b'time_s,volume\n0,"A')
@example(b"\xef\xbb\xbftime_s,volume\r0,A\r")
@example(b"time_s,volume\n" + b"a" * 200_000)
@example(b"time_s,volume\n" + b'"' * 200_000)
def test_any_text_is_read_or_refused(data: bytes) -> None:
    _check(data)


@pytest.mark.parametrize(
    "data",
    [
        ",".join(f"column{number}" for number in range(100_000)),
        "time_s,volume\n" + "\n".join(f"{number},V{number}" for number in range(100_000)),
        "time_s,volume\n" + "x,\n" * 100_000,
        "time_s,volume\n" + "x\n" * 100_000,
    ],
    ids=["columns", "names", "cells", "rows"],
)
def test_very_many_mistakes_are_counted_and_take_no_time(data: str) -> None:
    nothing = problem("there is no such volume")
    started = time.process_time()
    with pytest.raises(InputError, match=r"and [\d,]+ more problems") as refused:
        _read_records(data.encode(), "io.csv", lambda texts: [nothing] * len(texts))
    assert len(refused.value.problems) <= 20
    assert time.process_time() - started < 10  # a tenth as a rule; what grew with the square took minutes


@pytest.mark.parametrize(
    ("column", "values", "fine"),
    [
        ("time_s", pl.Series([0, 1], dtype=pl.UInt8), True),
        ("time_s", pl.Series([0, 2**63], dtype=pl.UInt64), False),
        ("time_s", pl.Series([0.0, float("nan")]), False),
        ("time_s", pl.Series([Decimal(0), Decimal("1.5")]), True),
        ("time_s", pl.Series([datetime.timedelta(0), datetime.timedelta(1)]), False),
        ("time_s", pl.Series([datetime.datetime(2020, 1, 1)] * 2), False),
        ("volume", pl.Series(["A", "B"], dtype=pl.Categorical), True),
        ("volume", pl.Series([b"A", b"B"]), False),
        ("volume", pl.Series([None, None]), False),
        ("bytes", pl.Series([None, None], dtype=pl.Int64), True),
        ("bytes", pl.Series([True, False]), False),
        ("access", pl.Series([["R"], ["W"]]), False),
        ("access", pl.Series([datetime.timedelta(0)] * 2), False),
        ("access", pl.Series([{"a": 1}] * 2), False),
    ],
)
def test_parquet_of_any_type_is_read_or_refused(column: str, values: pl.Series, fine: bool) -> None:
    frame = pl.DataFrame({"time_s": [0.0, 0.5], "volume": ["A", "B"]})
    assert _check(_parquet(frame.with_columns(values.alias(column)))) == fine


@pytest.mark.parametrize("seed", range(4))
def test_damaged_parquet_is_read_or_refused(seed: int, capfd: pytest.CaptureFixture[str]) -> None:
    draw = random.Random(seed)
    data = bytearray(_parquet(pl.DataFrame({"time_s": [0.0, 0.5] * 9, "volume": ["A", "B"] * 9})))
    for _ in range(6):
        data[draw.randrange(4, len(data) - 8)] = draw.choice([0, 127, 128, 255])
    assert not _check(bytes(data))
    assert capfd.readouterr().err == ""


def test_a_reader_that_dies_or_never_ends_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    data = _parquet(pl.DataFrame({"time_s": [0.0]}))
    with monkeypatch.context() as patch:
        patch.setattr(parquet, "LONGEST_S", 0)
        with pytest.raises(ValueError, match="not read within"):
            parquet.read_apart(data, 1)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/bin/false")
        with pytest.raises(ValueError, match="the reader of Parquet gave up: status 1"):
            parquet.read_apart(data, 1)


def _parquet(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()

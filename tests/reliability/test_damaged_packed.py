"""Is every flipped bit of a gzip or Parquet file an input error with the file and the place, or harmless?

`SLICEWRIGHT_FUZZ_INPUTS=3000` flips that many bits of monitor data, and a thirtieth of them in each Parquet file.
"""

from __future__ import annotations

import gzip
import io
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
import slicewright
from slicewright.measured.export import monwrite
from slicewright.measured.read import read
from slicewright.run.run import run
from slicewright.scenario.starters import read_starter
from slicewright.values.packed import beginning, refuse_damaged
from slicewright.values.parquet import read_apart, slices_apart

from tests.conftest import CommandLine

FLIPS = int(os.environ.get("SLICEWRIGHT_FUZZ_INPUTS", "300"))
TEXT = "".join(
    f'container_cpu_cfs_{counter}_total{{namespace="a",pod="web-{pod}",container="web"}} {at * (pod + 2)} {1000 * at}\n'
    for counter in ("periods", "throttled_periods")
    for pod in range(2)
    for at in range(1_700_000_000, 1_700_000_600, 30)
)


def _parquet(**how: object) -> bytes:
    """A long table of samples, as pandas and polars write it with other codecs and versions of pages."""
    rows = [
        {"time": at, "metric": f"container_cpu_cfs_{counter}_total", "namespace": "shop", "pod": f"web-{pod}",
         "container": "web", "value": float(at % 1000 * (pod + 2))}
        for counter in ("periods", "throttled_periods") for pod in range(2)
        for at in range(1_700_000_000, 1_700_000_600, 30)
    ]  # fmt: skip
    buffer = io.BytesIO()
    pl.DataFrame(rows).write_parquet(buffer, **how)  # type: ignore[arg-type]
    return buffer.getvalue()


def _flipped(data: bytes, count: int, seed: int) -> list[bytes]:
    """The data with one bit flipped, at places spread over all of it, and cut off at some."""
    draw = random.Random(seed)
    found = []
    for number in range(count):
        at = number * len(data) // count
        found.append(data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :])
        if number % 10 == 0:
            found.append(data[:at])
    return found


def _never_a_bug(mutants: list[bytes], file: Path, act: Callable[[], object]) -> int:
    """How many mutants are refused; all others have to be read, and nothing else may be raised."""
    refused = []
    for mutant in mutants:
        file.write_bytes(mutant)
        try:
            act()
        except slicewright.InputError as error:
            refused.append(str(error))
    assert all(file.name in text for text in refused)
    return len(refused)


@pytest.fixture(scope="module")
def monitor() -> bytes:
    """A short file of MONWRITE in gzip."""
    short = read_starter("pool").with_(['measure.interval="60 s"', 'measure.warm_up="0 s"', "measure.replications=1"])
    return gzip.compress(monwrite(run(short)), mtime=0)


def test_no_bit_of_packed_monitor_data_is_a_bug(monitor: bytes, tmp_path: Path) -> None:
    file = tmp_path / "day.monwrite"
    file.write_bytes(monitor)
    assert read([file]).runs
    mutants = _flipped(monitor, FLIPS, 1)
    assert _never_a_bug(mutants, file, lambda: read([file])) > 0.9 * len(mutants)


@pytest.mark.parametrize("question", ["limits", "aliases", "slices"])
def test_no_bit_of_packed_series_is_a_bug(tmp_path: Path, question: str) -> None:
    packed = gzip.compress(TEXT.encode(), mtime=0)
    file = tmp_path / "series.txt"
    mutants = _flipped(packed, 60 if question == "limits" else 20, 2)
    _never_a_bug(mutants, file, lambda: slicewright.advise(question, [file]))


@pytest.mark.parametrize("compression", ["zstd", "snappy", "gzip", "uncompressed"])
def test_some_bits_of_parquet_series_are_no_bug(slicewright: CommandLine, tmp_path: Path, compression: str) -> None:
    file = tmp_path / "series.parquet"
    for number, mutant in enumerate(_flipped(_parquet(compression=compression), 4, 3)):
        file.write_bytes(mutant)
        done = slicewright("read", file)
        assert done.status in (0, 2), (number, done.err)
        assert "bug" not in done.err
        assert "Traceback" not in done.err
        assert "panicked" not in done.err
        assert done.status == 0 or f"error: {file}" in done.err


@pytest.mark.slow
@pytest.mark.parametrize("compression", ["zstd", "snappy", "gzip", "uncompressed"])
def test_no_bit_of_parquet_series_is_a_bug(tmp_path: Path, compression: str) -> None:
    file = tmp_path / "series.parquet"
    mutants = _flipped(_parquet(compression=compression), FLIPS // 30, 4)
    assert _never_a_bug(mutants, file, lambda: slicewright.advise("limits", [file])) > 0


def test_the_byte_of_the_damage_is_named(monitor: bytes, tmp_path: Path) -> None:
    file = tmp_path / "day.gz"
    for at, why in ((len(monitor) - 6, "incorrect data check"), (len(monitor) - 1, "incorrect length check")):
        file.write_bytes(monitor[:at] + bytes([monitor[at] ^ 1]) + monitor[at + 1 :])
        with pytest.raises(
            slicewright.InputError, match=f"damaged gzip at byte {len(monitor) - 1 - 4 * (at < len(monitor) - 4):,}"
        ) as refused:
            refuse_damaged(str(file), file.name)
        assert why in str(refused.value.problems)
    file.write_bytes(monitor[:100])
    with pytest.raises(slicewright.InputError, match="damaged gzip at byte 100"):
        read([file])


def test_members_in_sequence_and_padding_are_whole(tmp_path: Path) -> None:
    file = tmp_path / "two.gz"
    file.write_bytes(gzip.compress(b"a" * 10_000) + gzip.compress(b"b") + bytes(512))
    refuse_damaged(str(file), file.name)
    assert beginning(file.read_bytes(), 3) == b"aaa"


def test_a_packed_file_is_damaged_for_every_command(slicewright: CommandLine, monitor: bytes, tmp_path: Path) -> None:
    file = tmp_path / "pool.smf"
    file.write_bytes(monitor[:12] + bytes([monitor[12] ^ 0xFF]) + monitor[13:])
    for words in (["read"], ["fit"], *(["advise", question] for question in ("aliases", "limits", "slices", "yields"))):
        done = slicewright(*words, file)
        assert done.status == 2, done.err
        assert f"error: {file}: damaged gzip at byte " in done.err


def test_parquet_is_read_in_parts_and_damage_after_some_rows_says_so(tmp_path: Path) -> None:
    frame = pl.DataFrame({"time": range(1000), "value": [0.5] * 1000})
    file = tmp_path / "a.parquet"
    frame.write_parquet(file, row_group_size=100, compression="uncompressed")
    assert pl.concat(slices_apart(str(file))).equals(frame)
    assert pl.concat(slices_apart(file.read_bytes())).equals(frame)
    assert read_apart(file.read_bytes(), 3).height == 3
    empty = io.BytesIO()
    frame.head(0).write_parquet(empty)
    assert [part.columns for part in slices_apart(empty.getvalue())] == [["time", "value"]]


def test_the_reader_of_parquet_prints_nothing() -> None:
    words = [sys.executable, "-c", "from slicewright.values.parquet import read_apart; read_apart(b'PAR1' * 9, 1)"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.stderr.rstrip().splitlines()[-1].startswith("ValueError: ")

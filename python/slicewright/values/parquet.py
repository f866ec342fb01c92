"""Parquet from anywhere, read in a process of its own: on a damaged file its reader may panic, abort or never end."""

from __future__ import annotations

import contextlib
import io
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

from slicewright.values.child import command

if TYPE_CHECKING:
    import polars

LONGEST_S = 60
"""After so long the reader is ended; millions of rows take a second."""

MOST_UNPACKED = 1 << 30
"""Bytes that a table may have unpacked; five million I/Os with names of 20 characters have a third of it."""

_MEMORY = 4 << 30
"""Address space of the reader, to which each processor adds what its thread takes."""
_OF_THREAD = 256 << 20

_REFUSED, _TOO_LARGE = 3, 4
_WHY = "\0why: "
"""A mark before the reason on the standard error, where a panic prints its own text first."""
_LENGTH = 20
"""Digits of the length that precedes each frame."""
_CELLS = 1 << 23
"""Cells of a frame at most, so that neither side holds a long file."""


class TooLargeError(ValueError):
    """A Parquet file that does not fit the memory of its reader, or would not fit that of this process."""


def read_apart(data: bytes, most_rows: int) -> polars.DataFrame:
    """The first `most_rows` rows of a Parquet file; raises ValueError with the reason when it cannot be read.

    Raises TooLargeError, which is one, when they have more than `MOST_UNPACKED` bytes: a dictionary of a few bytes may
    stand for gigabytes.

    >>> import polars
    >>> buffer = io.BytesIO()
    >>> polars.DataFrame({"time_s": [0.0, 0.5]}).write_parquet(buffer)
    >>> read_apart(buffer.getvalue(), 1)["time_s"].to_list()
    [0.0]
    >>> read_apart(b"PAR1 nothing PAR1", 1)
    Traceback (most recent call last):
    ValueError: ...
    """
    with _held(data) as file, contextlib.closing(_frames(file, str(most_rows))) as frames:
        return next(frames)


def slices_apart(source: str | bytes) -> Iterator[polars.DataFrame]:
    """All rows of a Parquet file, by its name or its bytes, some at a time; at least one frame, which may be empty.

    Raises ValueError as `read_apart`, also after some frames; OSError where the file cannot be opened.

    >>> import polars
    >>> buffer = io.BytesIO()
    >>> polars.DataFrame({"time_s": [0.0, 0.5]}).write_parquet(buffer)
    >>> [frame.height for frame in slices_apart(buffer.getvalue())]
    [2]
    """
    with _held(source) if isinstance(source, bytes) else Path(source).open("rb") as file:
        yield from _frames(file, "all")


@contextlib.contextmanager
def _held(data: bytes) -> Iterator[IO[bytes]]:
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        yield file


def _frames(file: IO[bytes], wanted: str) -> Generator[polars.DataFrame]:
    """The frames that a process of its own reads from a file, each after its length."""
    import polars as pl

    with tempfile.TemporaryFile() as said:
        words = command("slicewright.values.parquet", wanted)
        with subprocess.Popen(words, stdin=file, stdout=subprocess.PIPE, stderr=said) as reader:
            assert reader.stdout is not None
            try:
                while length := _next(reader.stdout, _LENGTH):
                    yield pl.read_ipc_stream(io.BytesIO(_next(reader.stdout, int(length))))
                status = reader.wait(LONGEST_S)
            except TimeoutError:
                raise ValueError(f"was not read within {LONGEST_S} s") from None
            finally:
                reader.kill()
        said.seek(0)
        _refuse_failed(status, said.read().decode(errors="replace"))


def _next(stream: IO[bytes], count: int) -> bytes:
    """This number of bytes of a pipe, fewer at its end; raises TimeoutError where none come for too long."""
    found = bytearray()
    while len(found) < count:
        if not select.select([stream], [], [], LONGEST_S)[0]:
            raise TimeoutError
        part = os.read(stream.fileno(), min(count - len(found), 1 << 20))
        if not part:
            break
        found += part
    return bytes(found)


def _refuse_failed(status: int, said: str) -> None:
    if status == 0:
        return
    if status == _TOO_LARGE or "memory allocation" in said:
        raise TooLargeError(f"unpacks to more than {MOST_UNPACKED >> 30} GiB")
    if status == _REFUSED:
        raise ValueError(said.rpartition(_WHY)[2])
    why = signal.strsignal(-status) if status < 0 else f"status {status}"
    raise ValueError(f"the reader of Parquet gave up: {why}")


def _limit_memory() -> None:
    """Have this process refused what it asks for beyond its share, so that no other has to make room."""
    most, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = _MEMORY + _OF_THREAD * len(os.sched_getaffinity(0))
    if most == resource.RLIM_INFINITY or most > wanted:
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))


def _unpacked(frame: polars.DataFrame) -> int:
    """Bytes of a table when every row has its own text."""
    import polars as pl

    texts = [column for column in frame if column.dtype in (pl.String, pl.Categorical, pl.Enum)]
    lengths = (column.cast(pl.String).str.len_bytes().sum() for column in texts)
    return int(frame.estimated_size()) + sum(map(int, lengths))


def _main(wanted: str) -> int:
    _limit_memory()
    import polars as pl

    try:
        # A regular file has been opened as the standard input: it is not read as a whole.
        for frame in _read("/proc/self/fd/0", wanted):
            if _unpacked(frame) > MOST_UNPACKED:
                return _TOO_LARGE
            buffer = io.BytesIO()
            frame.write_ipc_stream(buffer)
            sys.stdout.buffer.write(b"%*d" % (_LENGTH, len(buffer.getvalue())) + buffer.getvalue())
        sys.stdout.buffer.flush()
    except MemoryError:
        return _TOO_LARGE
    except BrokenPipeError:  # the other side wants no more
        return _REFUSED
    except Exception as error:
        sys.stderr.write(_WHY + " ".join(str(error).split())[:200])
        return _REFUSED
    except pl.exceptions.PanicException:  # not a subclass of Exception, and its text is for its author
        sys.stderr.write(_WHY + "it contradicts itself")
        return _REFUSED
    return 0


def _read(file: str, wanted: str) -> Iterator[polars.DataFrame]:
    import polars as pl

    if wanted != "all":
        yield pl.read_parquet(file, n_rows=int(wanted), glob=False, hive_partitioning=False)
        return
    scan = pl.scan_parquet(file, glob=False, hive_partitioning=False)
    rows = max(1, _CELLS // max(1, len(scan.collect_schema())))
    height = scan.select(pl.len()).collect().item()
    for at in range(0, max(1, height), rows):
        frame = scan.slice(at, rows).collect()
        if frame.height != min(rows, height - at):
            raise ValueError(f"{height:,} rows are announced, and after {at + frame.height:,} there are no more")
        yield frame


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1]))

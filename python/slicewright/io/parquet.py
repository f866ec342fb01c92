"""Parquet from anywhere, read in a process of its own: on a damaged file its reader may panic, abort or never end."""

from __future__ import annotations

import io
import os
import resource
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

from slicewright.io.child import command

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
    import polars as pl

    words = command("slicewright.io.parquet", str(most_rows))
    try:
        done = subprocess.run(words, input=data, capture_output=True, timeout=LONGEST_S)
    except subprocess.TimeoutExpired:
        raise ValueError(f"was not read within {LONGEST_S} s") from None
    if done.returncode == 0:
        return pl.read_ipc_stream(io.BytesIO(done.stdout))
    if done.returncode == _TOO_LARGE or b"memory allocation" in done.stderr:
        raise TooLargeError(f"unpacks to more than {MOST_UNPACKED >> 30} GiB")
    if done.returncode == _REFUSED:
        raise ValueError(done.stdout.decode(errors="replace"))
    why = signal.strsignal(-done.returncode) if done.returncode < 0 else f"status {done.returncode}"
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


def _main(most_rows: int) -> int:
    _limit_memory()
    import polars as pl

    try:
        frame = pl.read_parquet(io.BytesIO(sys.stdin.buffer.read()), n_rows=most_rows)
        if _unpacked(frame) > MOST_UNPACKED:
            return _TOO_LARGE
        frame.write_ipc_stream(sys.stdout.buffer)
    except MemoryError:
        return _TOO_LARGE
    except Exception as error:
        sys.stdout.write(" ".join(str(error).split())[:200])
        return _REFUSED
    except pl.exceptions.PanicException:  # not a subclass of Exception, and its text is for its author
        sys.stdout.write("it contradicts itself")
        return _REFUSED
    return 0


if __name__ == "__main__":
    sys.exit(_main(int(sys.argv[1])))

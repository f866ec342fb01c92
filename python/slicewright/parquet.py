"""Parquet from anywhere, read in a process of its own: on a damaged file its reader may panic, abort or never end.

It leaves out the tables of run directories, which are read at once because their checksums were found right.
"""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

from slicewright.child import command

if TYPE_CHECKING:
    import polars

LONGEST_S = 60
"""After so long the reader is ended; millions of rows take a second."""

_REFUSED = 3


def read_apart(data: bytes, most_rows: int) -> polars.DataFrame:
    """The first `most_rows` rows of a Parquet file; raises ValueError with the reason when it cannot be read.

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

    words = command("slicewright.parquet", str(most_rows))
    try:
        done = subprocess.run(words, input=data, capture_output=True, timeout=LONGEST_S)
    except subprocess.TimeoutExpired:
        raise ValueError(f"was not read within {LONGEST_S} s") from None
    if done.returncode == 0:
        return pl.read_ipc_stream(io.BytesIO(done.stdout))
    if done.returncode == _REFUSED:
        raise ValueError(done.stdout.decode(errors="replace"))
    why = signal.strsignal(-done.returncode) if done.returncode < 0 else f"status {done.returncode}"
    raise ValueError(f"the reader of Parquet gave up: {why}")


def _main(most_rows: int) -> int:
    import polars as pl

    try:
        frame = pl.read_parquet(io.BytesIO(sys.stdin.buffer.read()), n_rows=most_rows)
        frame.write_ipc_stream(sys.stdout.buffer)
    except Exception as error:
        sys.stdout.write(" ".join(str(error).split())[:200])
        return _REFUSED
    except pl.exceptions.PanicException:  # which is no Exception, and tells only its author something
        sys.stdout.write("it contradicts itself")
        return _REFUSED
    return 0


if __name__ == "__main__":
    sys.exit(_main(int(sys.argv[1])))

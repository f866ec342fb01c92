"""A scratch file that waiters read from, and how long a read of it takes without a limit."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import fmean

from slicewright.errors import problem, refusal
from slicewright.io.workplace import workplace
from slicewright.live.threads import Saw, Threads

FILE_BYTES = 64 << 20


@contextlib.contextmanager
def scratch_file(folder: str, length: int = FILE_BYTES) -> Iterator[Path]:
    """A file of this many bytes that are not zeros, in a folder; gone at the end, or at the next measurement there.

    Raises InputError when the folder is none or nothing can be written there.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, scratch_file(folder, 8192) as file:
    ...     file.stat().st_size
    8192
    """
    if not Path(folder).is_dir():
        why = "the scratch file is made in it and removed at the end"
        raise refusal(problem("is no directory", file=folder, key="disk", why=why))
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(workplace(Path(folder)))
            piece = os.urandom(1 << 20)
            with file.open("wb") as stream:
                for begin in range(0, length, len(piece)):
                    stream.write(piece[: length - begin])
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            why = error.strerror or str(error)
            raise refusal(problem("no scratch file can be written", file=folder, key="disk", why=why)) from None
        yield file


def unlimited_ms(threads: Threads, run: Callable[[Threads], Saw]) -> float:
    """How long a read takes without a limit, in ms: the mean over those of some threads.

    Raises InputError when not one read ended.

    >>> from slicewright.live.threads import Wait
    >>> saw = Saw([[Wait(0.0, 0.0, None, 4.0)]], 0, [], {}, 0.0, 1.0)
    >>> unlimited_ms(Threads(0, 1000, False, ()), lambda threads: saw)
    4.0
    """
    took = [wait.late_ms for waits in run(threads).waits for wait in waits]
    if not took:
        why = f"not one read ended within {threads.length_ns / 1e9:.3g} s"
        raise refusal(problem("the disk is too slow for this measurement", file=threads.file, key="disk", why=why))
    return fmean(took)

"""A scratch file that waiters read from, and how long a read of it takes without a limit."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import fmean
from typing import BinaryIO

from slicewright.errors import problem, refusal
from slicewright.io.workplace import workplace
from slicewright.live.threads import Saw, Threads

FILE_BYTES = 64 << 20

_NAMELESS = getattr(os, "O_TMPFILE", 0)
_NOT_NAMELESS = (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL)
"""The answers of systems and file systems without such files."""


@contextlib.contextmanager
def scratch_file(folder: str, length: int = FILE_BYTES) -> Iterator[Path]:
    """A file of this many bytes that are not zeros, in a folder; gone at the end, or at the next measurement there.

    Raises InputError when the folder is none or nothing can be written there.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, scratch_file(folder, 8192) as file:
    ...     file.stat().st_size
    8192
    """
    _in_directory(folder, "disk")
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(workplace(Path(folder)))
            with file.open("wb") as stream:
                _fill(stream, length)
        except OSError as error:
            raise _unwritable(folder, "disk", error) from None
        yield file


@contextlib.contextmanager
def nameless_file(folder: str, length: int = FILE_BYTES) -> Iterator[Path]:
    """The same without a name in the folder: it goes with this process, however that ends.

    It is opened as /proc/PID/fd/N.  Where the file system has no such files it is a scratch file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, nameless_file(folder, 8192) as file:
    ...     len(file.read_bytes())
    8192
    """
    _in_directory(folder, "DIR")
    with contextlib.ExitStack() as stack:
        try:
            stream = stack.enter_context(os.fdopen(os.open(folder, _NAMELESS | os.O_RDWR, 0o600), "wb"))
            _fill(stream, length)
            file = Path(f"/proc/{os.getpid()}/fd/{stream.fileno()}")
        except OSError as error:
            if error.errno not in _NOT_NAMELESS:
                raise _unwritable(folder, "DIR", error) from None
            file = stack.enter_context(scratch_file(folder, length))
        yield file


def _in_directory(folder: str, key: str) -> None:
    if not Path(folder).is_dir():
        why = "the scratch file is made in it and removed at the end"
        raise refusal(problem("is no directory", file=folder, key=key, why=why))


def _fill(stream: BinaryIO, length: int) -> None:
    piece = os.urandom(1 << 20)
    for begin in range(0, length, len(piece)):
        stream.write(piece[: length - begin])
    stream.flush()
    os.fsync(stream.fileno())


def _unwritable(folder: str, key: str, error: OSError) -> Exception:
    why = error.strerror or str(error)
    room = f"a directory that you may write to, with {FILE_BYTES >> 20} MiB of room"
    return refusal(problem("no scratch file can be written", file=folder, key=key, why=why, allowed=room))


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

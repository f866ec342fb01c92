"""Files as people name them: reading with a clear refusal, and writing a file or a directory whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from slicewright.values.carried import carried
from slicewright.values.errors import nearest, problem, refusal
from slicewright.values.reach import refuse_beyond
from slicewright.values.workplace import PREFIX, take_name, workplace

STANDARD_INPUT = "-"

MOST_BYTES = 64 << 20
"""Far above any scenario or report, far below what would fill a machine."""

_STREAMS = ("/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd", "/proc/self/fd")
"""Names of open streams: the process that opened them keeps them, whatever is behind them."""


def read_bytes(file: str | os.PathLike[str]) -> bytes:
    """All bytes of a regular file, or of a stream that is open (`/dev/fd/3`); `-` is standard input.

    `published/...` and `scenarios/...` are files of the package where none of that name is here.
    Raises InputError for anything else: a named pipe may have no writer, a device or a file of /proc no end.  So it
    does when there is no such file, it may not be read, or it has over 64 MiB.

    >>> import tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "a.toml")
    ...     write_whole(path, b"name = 'a'")
    ...     read_bytes(path)
    b"name = 'a'"
    """
    name = os.fspath(file)
    refuse_beyond(name)
    with _telling_of(name):
        if name == STANDARD_INPUT:
            name = "standard input"
            if sys.stdin is None:
                raise refusal(problem("cannot be read", file=name, why="it is closed"))
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            data = (
                _of_stream(name)
                if any(Path(name).absolute().is_relative_to(stream) for stream in _STREAMS)
                else _of_regular_file(name)
            )
    if len(data) > MOST_BYTES:
        raise refusal(problem("is larger than 64 MiB", file=name, why="a scenario or report is a page of text"))
    return data


def digest(file: str | os.PathLike[str]) -> tuple[int, str]:
    """Size and SHA-256 of a regular file of any size; raises InputError as `read_bytes`, but for the size."""
    name, size, digest = os.fspath(file), 0, hashlib.sha256()
    refuse_beyond(name)
    with _telling_of(name), _regular(name) as stream:
        while part := stream.read(1 << 20):
            size += len(part)
            digest.update(part)
    return size, digest.hexdigest()


def shown(file: str | os.PathLike[str]) -> str:
    """A file's name as text, whatever bytes it has; `-` is standard input.

    >>> shown("-"), shown(os.fsdecode(bytes([97, 255])))
    ('standard input', 'a\\\\udcff')
    """
    name = os.fspath(file)
    return "standard input" if name == STANDARD_INPUT else name.encode(errors="backslashreplace").decode()


def write_whole(file: str | os.PathLike[str], data: bytes) -> None:
    """Write a file under another name beside it and rename it, so that it is never there in part.

    Where a symbolic link points is written, not the link; what has no beside (a pipe, /dev/stdout) is appended to.
    Raises InputError for a directory, OSError as the system gives it, with the name of the file.

    >>> import tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(os.path.join(folder, "a"), b"1")
    ...     os.listdir(folder)
    ['a']
    """
    target = Path(file)
    if target.is_dir():
        raise refusal(problem("is a directory, not a file", file=str(file)))
    with _telling(target):
        if _has_no_beside(target):
            with target.open("ab") as stream:
                stream.write(data)
            return
        target = Path(os.path.realpath(target))
        with workplace(target.parent) as made:
            made.write_bytes(data)
            take_name(made, target)


def refuse_unwritable(file: str | os.PathLike[str]) -> None:
    """Raise InputError or OSError, as `write_whole` would, before minutes are spent on what would be written.

    >>> refuse_unwritable("page.html")
    """
    target = Path(file)
    if target.is_dir():
        raise refusal(problem("is a directory, not a file", file=str(file)))
    with _telling(target):
        if target.is_symlink() and not target.exists():
            try:
                target.stat()
            except OSError as error:
                if error.errno == errno.ELOOP:
                    raise refusal(problem("is a symbolic link that leads back to itself", file=str(target))) from None
        if _has_no_beside(target):
            if not os.access(target, os.W_OK):
                raise refusal(problem("cannot be written", file=str(file)))
            return
        parent = Path(os.path.realpath(target)).parent
        if not parent.is_dir():
            raise refusal(problem("its directory does not exist", file=str(file)))
        with workplace(parent):
            pass


@dataclass(frozen=True, slots=True)
class Earlier:
    """What an earlier result in a directory looks like: a file that marks it, and which names belong to it.

    >>> Earlier("manifest.json", frozenset({"manifest.json", "a.toml"}).__contains__).marker
    'manifest.json'
    """

    marker: str
    holds: Callable[[str], bool]


def refuse_occupied(directory: str | os.PathLike[str], earlier: Earlier) -> None:
    """Raise InputError unless the name is free, an empty directory, or an earlier result and nothing beside it.

    Raises OSError when it cannot be written there, which is better known before a long run than after it.

    >>> refuse_occupied("no/such/directory", Earlier("manifest.json", lambda name: True))
    """
    _refuse_others(directory, earlier)
    beside = Path(directory).absolute().parent
    while not os.path.lexists(beside):
        beside = beside.parent
    if not beside.is_dir():
        allowed = "a name in a directory that is there, or can be made"
        raise refusal(problem(f"{beside} is not a directory", file=str(directory), key="out", allowed=allowed))
    with _telling(Path(directory)), workplace(beside):
        pass


@contextlib.contextmanager
def whole_directory(directory: str | os.PathLike[str], earlier: Earlier) -> Iterator[Path]:
    """A directory to fill, which takes its name only when the block ends well; an earlier result is replaced then.

    Raises InputError when the name belongs to anything else, OSError as the system gives it, with the name that the
    file would have had.  No half-written result stays when the block fails.  At every instant the earlier result or
    the new one is there.

    >>> import tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with whole_directory(os.path.join(folder, "out"), Earlier("a", lambda name: name == "a")) as partial:
    ...         _ = (partial / "a").write_text("1")
    ...     os.listdir(folder)
    ['out']
    """
    _refuse_others(directory, earlier)
    target = Path(directory).absolute()
    with _telling(Path(directory)):
        target.parent.mkdir(parents=True, exist_ok=True)
        with workplace(target.parent) as partial:
            partial.mkdir()
            yield partial
            _refuse_others(directory, earlier)
            take_name(partial, target)


def _refuse_others(directory: str | os.PathLike[str], earlier: Earlier) -> None:
    folder = Path(directory)
    allowed = "a new name, an empty directory, or an earlier result"
    if not os.fspath(directory):
        raise refusal(problem("no name", key="out", allowed=allowed))
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        what = "is there already and is not a directory"
        raise refusal(problem(what, file=str(directory), key="out", allowed=allowed))
    if not folder.exists():
        return
    names = sorted(entry.name for entry in folder.iterdir())
    foreign = [name for name in names if not earlier.holds(name)]
    if foreign or (names and earlier.marker not in names):
        why = f"it holds {foreign[0]}, which is none of ours" if foreign else f"it has no {earlier.marker}"
        raise refusal(problem("holds something else", file=str(directory), key="out", why=why, allowed=allowed))


def _has_no_beside(target: Path) -> bool:
    if not target.exists():
        return False
    return not target.is_file() or any(target.absolute().is_relative_to(stream) for stream in _STREAMS)


@contextlib.contextmanager
def _telling(target: Path) -> Iterator[None]:
    """Let an error of the system name what was to be written, not the workplace it was made in, or nothing at all."""
    try:
        yield
    except OSError as error:
        parts = Path(os.fsdecode(error.filename)).parts if error.filename else ()
        inside = [at for at, part in enumerate(parts) if part.startswith(PREFIX)]
        if inside or not parts:
            error.filename = str(target.joinpath(*parts[inside[0] + 2 :])) if inside else str(target)
        raise


@contextlib.contextmanager
def _telling_of(name: str) -> Iterator[None]:
    """Have whatever keeps a file from being read refused with its name."""
    try:
        yield
    except FileNotFoundError:
        raise refusal(problem("there is no such file", file=name, nearest=_neighbour(Path(name)))) from None
    except (OSError, ValueError) as error:
        if hasattr(error, "problems"):
            raise
        why = getattr(error, "strerror", None) or str(error)
        raise refusal(problem("cannot be read", file=name.replace("\0", "\\0"), why=why)) from None


def _of_stream(name: str) -> bytes:
    with Path(name).open("rb") as stream:
        return stream.read(MOST_BYTES + 1)


def _of_regular_file(name: str) -> bytes:
    with _regular(carried(name)) as stream:
        return stream.read(MOST_BYTES + 1)


@contextlib.contextmanager
def _regular(name: str) -> Iterator[BinaryIO]:
    """A regular file, open; it is known to be one before it is opened, which starts some devices."""
    _refuse_irregular(name, Path(name).stat())
    handle = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    with os.fdopen(handle, "rb") as stream:
        _refuse_irregular(name, os.fstat(handle))
        yield stream


def _refuse_irregular(name: str, state: os.stat_result) -> None:
    """Raise InputError unless a file is a regular one; some files of /proc wait for the kernel's next message."""
    kinds = ((stat.S_ISDIR, "directory"), (stat.S_ISFIFO, "named pipe"), (stat.S_ISSOCK, "socket"))
    kind = next((kind for holds, kind in kinds if holds(state.st_mode)), "device")
    if stat.S_ISREG(state.st_mode):
        if not _in_proc(state):
            return
        kind = "file of /proc"
    allowed = "a regular file, or - for standard input"
    raise refusal(problem(f"is a {kind}, not a regular file", file=name, allowed=allowed))


def _in_proc(state: os.stat_result) -> bool:
    with contextlib.suppress(OSError):
        return state.st_dev == Path("/proc").stat().st_dev
    return False


def _neighbour(path: Path) -> str:
    with contextlib.suppress(OSError):
        found = nearest(path.name, sorted(entry.name for entry in path.parent.iterdir()))
        return str(path.with_name(found)) if found else ""
    return ""

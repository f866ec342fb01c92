"""Files as people name them: reading with a clear refusal, and writing a file or a directory whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from slicewright.errors import nearest, problem, refusal
from slicewright.io.workplace import PREFIX, take_name, workplace

STANDARD_INPUT = "-"

MOST_BYTES = 64 << 20
"""Far above any scenario or report, far below what would fill a machine."""

_LOOKS, _PAUSE_S = 40, 0.05
"""How often, and how far apart, a pipe is read until a writer opens it."""

_STREAMS = ("/dev/stdout", "/dev/stderr", "/dev/fd", "/proc/self/fd")
"""Names of open streams: the process that opened them keeps them, whatever is behind them."""


def read_bytes(file: str | os.PathLike[str]) -> bytes:
    """All bytes of a file; `-` is standard input.

    Raises InputError when there is no such file, it is a directory or it may not be read.  So it does when the file
    has over 64 MiB, or is a pipe into which nothing is written.

    >>> import tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "a.toml")
    ...     write_whole(path, b"name = 'a'")
    ...     read_bytes(path)
    b"name = 'a'"
    """
    name = os.fspath(file)
    try:
        if name == STANDARD_INPUT:
            name = "standard input"
            if sys.stdin is None:
                raise ValueError("it is closed")
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        elif Path(name).is_fifo():
            data = _from_pipe(name)
        else:
            with Path(name).open("rb") as stream:
                data = stream.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise refusal(problem("there is no such file", file=name, nearest=_neighbour(Path(name)))) from None
    except IsADirectoryError:
        raise refusal(problem("is a directory, not a file", file=name)) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise refusal(problem("cannot be read", file=name.replace("\0", "\\0"), why=why)) from None
    if len(data) > MOST_BYTES:
        raise refusal(problem("is larger than 64 MiB", file=name, why="a scenario or report is a page of text"))
    return data


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
            _refuse_loop(target)
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


def _refuse_loop(target: Path) -> None:
    """Raise InputError for a symbolic link that leads back to itself."""
    try:
        target.stat()
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise refusal(problem("is a symbolic link that leads back to itself", file=str(target))) from None


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


def _from_pipe(name: str) -> bytes:
    """The bytes in a named pipe, or in that of a shell's `<(...)`; does not wait for a pipe without a writer."""
    handle = os.open(name, os.O_RDONLY | os.O_NONBLOCK)
    data, looks = bytearray(), 0
    try:
        while len(data) <= MOST_BYTES:
            try:
                part = os.read(handle, 1 << 20)
            except BlockingIOError:  # a writer has it open and writes later
                select.select([handle], [], [])
                continue
            if part:
                data += part
            elif data or looks == _LOOKS:
                break
            else:
                looks += 1
                time.sleep(_PAUSE_S)
    finally:
        os.close(handle)
    if not data:
        raise ValueError("it is a pipe, and nothing was written into it")
    return bytes(data)


def _neighbour(path: Path) -> str:
    with contextlib.suppress(OSError):
        found = nearest(path.name, sorted(entry.name for entry in path.parent.iterdir()))
        return str(path.with_name(found)) if found else ""
    return ""

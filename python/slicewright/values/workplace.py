"""A workplace: a directory beside a name, in which a result is made before it takes that name in one step."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

PREFIX = ".slicewright-"
"""How the name of every workplace begins; eight random characters follow."""

_MADE, _EARLIER, _GONE = "made", "earlier", "gone"


@contextlib.contextmanager
def workplace(parent: Path) -> Iterator[Path]:
    """The name under which to make a file or a directory; whatever ends the block, nothing of the workplace stays.

    A killed process cannot tidy up after itself.  Its lock dies with it, so the next process that opens a
    workplace beside it clears it away.  Raises OSError as the system gives it.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with workplace(Path(folder)) as made:
    ...         _ = made.write_text("1")
    ...         take_name(made, Path(folder, "a"))
    ...     os.listdir(folder)
    ['a']
    """
    clear_away(parent)
    place, lock = _opened(parent)
    try:
        yield place / _MADE
    finally:
        try:
            _leave(place)
        except BaseException:  # an interrupt right here is no reason to leave something behind
            _leave(place)
            raise
        finally:
            os.close(lock)


def take_name(made: Path, target: Path) -> None:
    """Give a name to what was made: it is on the disk by then, and at every instant the old or the new has the name.

    The new one and an earlier directory change places in one step.  Where the file system has no such step, the
    earlier one is moved into the workplace first.  If the process is killed right then, the next that opens a workplace
    here moves it back.  Raises OSError as the system gives it.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with workplace(Path(folder)) as made:
    ...         made.mkdir()
    ...         take_name(made, Path(folder, "a"))
    ...     os.listdir(folder)
    ['a']
    """
    if made.is_dir():
        for folder, _, files in os.walk(made, topdown=False):
            for name in (*files, ""):
                _sync(Path(folder, name))
    else:
        _sync(made)
    occupied = target.is_dir() and any(target.iterdir())
    if not (occupied and _exchange(made, target)):
        if occupied:
            aside = made.parent / _EARLIER
            aside.mkdir()
            target.rename(aside / target.name)
        made.replace(target)
    _sync(target.parent)


def clear_away(parent: Path) -> None:
    """Remove the workplaces of processes that were killed; those of living ones and all else stay.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Path(folder, PREFIX + "k1ll3d__", "made").mkdir(parents=True)
    ...     clear_away(Path(folder))
    ...     os.listdir(folder)
    []
    """
    with contextlib.suppress(OSError):
        for place in list(parent.iterdir()):
            if re.fullmatch(re.escape(PREFIX) + "[a-z0-9_]{8}", place.name):
                with contextlib.suppress(OSError):
                    _clear_away(place)


def _clear_away(place: Path) -> None:
    handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if {entry.name for entry in place.iterdir()} <= {_MADE, _EARLIER, _GONE}:
            _leave(place)
    finally:
        os.close(handle)


def _opened(parent: Path) -> tuple[Path, int]:
    """A new workplace and the handle whose lock marks it as in use."""
    while True:
        place = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
        try:
            handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:  # it looked abandoned in the moment before the lock
            continue
        with contextlib.suppress(OSError):  # where nothing can be locked, no process clears away either
            fcntl.flock(handle, fcntl.LOCK_EX)
        if os.fstat(handle).st_nlink > 0 and place.exists():
            return place, handle
        os.close(handle)


def _leave(place: Path) -> None:
    """Remove a workplace; an earlier result that had to leave its name and found no successor goes back first."""
    aside = place / _EARLIER
    if aside.is_dir():
        for earlier in aside.iterdir():
            name = place.parent / earlier.name
            if not os.path.lexists(name):
                earlier.rename(name)
        aside.rename(place / _GONE)  # so that what is removed in part never goes back
    shutil.rmtree(place, ignore_errors=True)


def _exchange(one: Path, other: Path) -> bool:
    """Let two names change places in one step; whether this system and this file system can."""
    import ctypes

    here, change_places = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of renameat2(2)
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return False
    if rename(here, os.fsencode(one), here, os.fsencode(other), change_places) == 0:
        return True
    number = ctypes.get_errno()
    if number in (errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP):
        return False
    raise OSError(number, os.strerror(number), str(other))


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some file systems cannot, and some not for directories
            error.filename = str(path)
            raise
    finally:
        os.close(handle)

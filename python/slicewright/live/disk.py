"""The disk behind a directory: a scratch file that is read past the page cache, its device, a limit on its reads."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from slicewright.live.groups import Group
from slicewright.live.machine import text_of
from slicewright.values.errors import problem, refusal
from slicewright.values.workplace import workplace

FILE_BYTES = 64 << 20

_NAMELESS = getattr(os, "O_TMPFILE", 0)
_NOT_NAMELESS = (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL)
"""The answers of systems and file systems without such files."""

_LIMIT_FILE = {1: "blkio.throttle.read_iops_device", 2: "io.max"}
COUNT_FILE = {1: "blkio.throttle.io_serviced", 2: "io.stat"}


@contextlib.contextmanager
def scratch_file(folder: str, length: int = FILE_BYTES) -> Iterator[Path]:
    """A file of this many bytes that are not zeros, in a folder; gone at the end, or at the next measurement there.

    Raises InputError when the folder is none or nothing can be written there.
    """
    _refuse_no_folder(folder, "disk")
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
    """
    _refuse_no_folder(folder, "DIR")
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


def _refuse_no_folder(folder: str, key: str) -> None:
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


@dataclass(frozen=True)
class Device:
    """A disk as control groups name it: "254:0", and the name of its queue."""

    number: str
    name: str
    rotational: bool = False
    scheduler: str = ""


def device_of(folder: str, system: Path = Path("/sys"), proc: Path = Path("/proc")) -> Device:
    """The whole disk that the files of a directory are on.

    Raises InputError where there is none: a file system in memory, over others or over the network.

    >>> device_of("/proc")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: /proc: no disk is behind it
    """
    number = Path(folder).stat().st_dev
    found = _disk(f"{os.major(number)}:{os.minor(number)}", system) or _disk(_mounted(number, proc), system)
    if found is None:
        why = "its file system is in memory, over other file systems (overlay), or over a network"
        allowed = "a directory of a file system that is on a block device: ext4, xfs, btrfs"
        raise refusal(problem("no disk is behind it", file=folder, key="DIR", why=why, allowed=allowed))
    return found


def _disk(number: str, system: Path) -> Device | None:
    """A device of /sys/dev/block; limits hold for whole disks, so that a partition is its disk."""
    place = system / "dev" / "block" / number
    if not number or not place.exists():
        return None
    place = place.resolve()
    if (place / "partition").exists():
        place = place.parent
    scheduler = text_of(place / "queue" / "scheduler").strip()
    chosen = scheduler.split("[")[-1].split("]")[0] if "[" in scheduler else scheduler
    return Device(
        text_of(place / "dev").strip(), place.name, text_of(place / "queue" / "rotational").strip() == "1", chosen
    )


def _mounted(number: int, proc: Path) -> str:
    """The device of a mounted file system that has a number of its own, as btrfs has."""
    for line in text_of(proc / "self" / "mountinfo").splitlines():
        words = line.split()
        if len(words) > 6 and words[2] == f"{os.major(number)}:{os.minor(number)}" and "-" in words:
            source = Path(words[words.index("-") + 2])
            if source.is_absolute() and source.is_block_device():
                return f"{os.major(source.stat().st_rdev)}:{os.minor(source.stat().st_rdev)}"
    return ""


def limit_reads(group: Group, device: Device, per_s: int | None) -> None:
    """Limit the reads of a group to this many a second, or take the limit away.

    Raises InputError when the kernel refuses it.
    """
    value = f"{per_s or 0}" if group.version == 1 else f"riops={per_s or 'max'}"
    try:
        group.files.write(group.path / _LIMIT_FILE[group.version], f"{device.number} {value}")
    except OSError as error:
        what = f"the kernel refuses a limit of {per_s} reads a second on {device.name}"
        allowed = "a kernel with CONFIG_BLK_DEV_THROTTLING"
        why = error.strerror or str(error)
        raise refusal(problem(what, file=str(group.path), key="limit", why=why, allowed=allowed)) from None


def counted_reads(text: str, device: str) -> int | None:
    """The reads of a device in blkio.throttle.io_serviced or io.stat; None where they are not counted.

    >>> counted_reads("254:0 Read 12\\n254:0 Write 3\\n", "254:0"), counted_reads("254:0 rbytes=9 rios=4\\n", "254:0")
    (12, 4)
    """
    for words in map(str.split, text.splitlines()):
        if words[:2] == [device, "Read"] and len(words) == 3:
            return int(words[2])
        if words[:1] == [device]:
            values = dict(word.split("=", 1) for word in words[1:] if "=" in word)
            if "rios" in values:
                return int(values["rios"])
    return None

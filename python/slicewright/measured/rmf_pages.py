"""Pages by their titles and headings: those of RMF, and whether a file may be a page of devices at all."""

from __future__ import annotations

import re
from enum import Enum
from typing import Any

from slicewright._core import InputError
from slicewright.values.errors import Problem, problem


class Kind(Enum):
    """A page of RMF that is read."""

    DEVICES = "DIRECT ACCESS DEVICE ACTIVITY"
    CPU = "CPU ACTIVITY"
    PARTITIONS = "PARTITION DATA REPORT"
    CHANNELS = "CHANNEL PATH ACTIVITY"
    QUEUING = "I/O QUEUING ACTIVITY"


OF_PARTITIONS = (Kind.DEVICES, Kind.CPU, Kind.PARTITIONS)
"""The pages that say something of slices."""


_EBCDIC = "cp037"


def kinds(data: bytes) -> list[Kind]:
    """The RMF pages that a file has, by their titles, spaced out or not; EBCDIC is read too.

    >>> kinds(b"  D I R E C T   A C C E S S   D E V I C E   A C T I V I T Y")
    [<Kind.DEVICES: 'DIRECT ACCESS DEVICE ACTIVITY'>]
    """
    texts = [data.decode("latin-1").upper()]
    if data.count(b"\x40") > data.count(b" "):
        texts.append(data.decode(_EBCDIC).upper())
    return [kind for kind in Kind if any(_title(kind).search(text) for text in texts)]


def is_rmf(data: bytes) -> bool:
    """Whether a file has an RMF page of devices.

    >>> is_rmf(b"FCX108"), is_rmf(b"D I R E C T   A C C E S S   D E V I C E   A C T I V I T Y")
    (False, True)
    """
    return b"FCX108" not in data and Kind.DEVICES in kinds(data)


def has_exposures(data: bytes) -> bool:
    """Whether a file has an RMF page of devices with the number of exposures of each volume (PAV).

    >>> has_exposures(b"D I R E C T   A C C E S S   D E V I C E   A C T I V I T Y")
    False
    """
    return is_rmf(data) and re.search(r"\bPAV\b", data.decode("latin-1").upper()) is not None


def has_page(reader: Any, data: bytes, file: str) -> bool:
    """Whether a listing has a page and not its title alone, at the end of another; damage is left to its reader."""
    try:
        reader.read(data, file)
    except InputError as error:
        return not any("no heading lines" in each["what"] for each in error.problems)
    return True


_HEADINGS = frozenset(
    ["Addr", "Label/ID", "Pend", "Disc", "Conn", "Serv", "Resp", "Qued", "IOSQ", "RESP", "PEND", "DISC", "CONN"]
)
"""Headings of FCX108, and of RMF in capitals; a page has several of them in one line."""
_ENOUGH = 3


def refuse_others(file: str, data: bytes, allowed: str) -> list[Problem]:
    """The problem of a file in which a question about devices finds none: another page, or a text without headings.

    Files that are no text are left to the readers of pages, which name their encoding.

    >>> refuse_others("a.txt", b"all: build", "a DEVICE page (FCX108)")[0]["what"]
    'no page of devices'
    """
    found = kinds(data)
    if b"FCX108" in data or Kind.DEVICES in found:
        return []
    why = "a page of devices is needed"
    if found:
        return [problem(f"the RMF page {found[0].value}", file=file, why=why, allowed=allowed)]
    try:
        lines = data.decode().splitlines()
    except UnicodeDecodeError:
        return []
    if b"\0" in data or not data.strip() or any(len(_HEADINGS & set(line.split())) >= _ENOUGH for line in lines):
        return []
    first = next(line for line in lines if line.strip()).strip()
    why = f"no line has the headings of one; the file begins `{first[:_SHOWN]}`"
    return [problem("no page of devices", file=file, why=why, allowed=allowed)]


_SHOWN = 40


def _title(kind: Kind) -> re.Pattern[str]:
    words = (r"[ \t]{0,2}".join(word) for word in kind.value.split())
    return re.compile(r"[ \t]+".join(words))

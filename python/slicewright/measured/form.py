"""The forms of monitor data: MONWRITE files of z/VM and SMF dumps of z/OS, recognised by their first bytes."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from slicewright._core import MonitorFile, SmfFile
from slicewright.io.files import shown
from slicewright.io.packed import beginning, refuse_damaged

Form = Literal["monwrite", "smf"]

CLOCKS: dict[Form, str] = {"monwrite": "UTC", "smf": "local time"}
"""The clock of the records of each form."""

_HEAD, _PACKED = 64, 4096
_AREAS = (0xE2, 0xC5)
"""S and E in EBCDIC: the type of the first area that a control block of MONWRITE names."""
_TYPE = 40


@dataclass(frozen=True, slots=True)
class Kind:
    """The records of one kind in some files."""

    record: str
    """Domain and number of monitor data, type and subtype of SMF: "6/3", "74-1"."""
    name: str
    title: str
    records: int
    bytes: int
    used: bool


def form_of(file: str | os.PathLike[str]) -> Form:
    """The form of a file; MONWRITE for what is neither, whose reader names the damage.

    >>> form_of("README.md")
    'monwrite'
    """
    head = _head(file)
    return "smf" if len(head) == _HEAD and head[_TYPE] not in _AREAS and _is_smf(head) else "monwrite"


def is_monitor_data(file: str | os.PathLike[str]) -> bool:
    """Whether a file begins as MONWRITE or SMF does, which no page and no scenario does: these have no zero bytes.

    >>> is_monitor_data("README.md"), is_monitor_data("no/such/file")
    (False, False)
    """
    try:
        head = _head(file) if Path(file).is_file() else b""
    except OSError:  # the reader of pages names the accident
        return False
    return len(head) == _HEAD and (_is_smf(head) or (head[_TYPE] in _AREAS and 0 in head))


def _head(file: str | os.PathLike[str]) -> bytes:
    """The first bytes of a file, unpacked where it is gzip; raises InputError where nothing of it can be unpacked."""
    with Path(file).open("rb") as stream:
        head = stream.read(_PACKED)
    found = beginning(head, _HEAD)
    if not found:
        refuse_damaged(os.fspath(file), shown(file))
    return found


def _is_smf(head: bytes) -> bool:
    """Whether the bytes start with descriptor words of a block and a record, or of a record alone."""
    stream = io.BytesIO(head)
    words = [int.from_bytes(stream.read(2)) for _ in range(4)]
    block, zero, record, segment = words
    if 18 <= record <= max(0, block - 4) and zero == 0 and segment in (0, 0x100, 0x200, 0x300):
        return True
    return 18 <= block <= 32_760 and zero in (0, 0x100)


def kinds(found: MonitorFile | SmfFile) -> list[Kind]:
    """The kinds of records that were read."""
    return [_of_smf(row) if isinstance(found, SmfFile) else _of_monitor(row) for row in found.kinds]


def _of_monitor(row: Mapping[str, Any]) -> Kind:
    code = f"{row['domain']}/{row['record']}"
    return Kind(code, row["name"], row["title"], row["samples"] + row["events"], row["bytes"], row["used"])


def _of_smf(row: Mapping[str, Any]) -> Kind:
    return Kind(f"{row['type']}-{row['subtype']}", "", row["title"], row["records"], row["bytes"], row["used"])

"""The forms of monitor data: MONWRITE files of z/VM and SMF dumps of z/OS, recognised by their first bytes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from slicewright._core import MonitorFile, SmfFile, monitor_form
from slicewright.values.files import shown
from slicewright.values.packed import beginning, refuse_damaged

Form = Literal["monwrite", "smf"]

CLOCKS: dict[Form, str] = {"monwrite": "UTC", "smf": "local time"}
"""The clock of the records of each form."""

_PACKED = 4096
"""Bytes of a packed file in which the first bytes of its contents are."""


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
    return monitor_form(Path(file)) or "monwrite"


def is_monitor_data(file: str | os.PathLike[str]) -> bool:
    """Whether a file begins as MONWRITE or SMF does, which no page and no scenario does.

    Raises InputError for gzip of which nothing can be unpacked.

    >>> is_monitor_data("README.md"), is_monitor_data("no/such/file")
    (False, False)
    """
    try:
        if not Path(file).is_file():
            return False
        with Path(file).open("rb") as stream:
            head = stream.read(_PACKED)
        if not beginning(head, 1):
            refuse_damaged(os.fspath(file), shown(file))
        return monitor_form(Path(file)) is not None
    except OSError:  # the reader of pages names the accident
        return False


def kinds(found: MonitorFile | SmfFile) -> list[Kind]:
    """The kinds of records that were read."""
    return [
        Kind(f"{row['type']}-{row['subtype']}", "", row["title"], row["records"], row["bytes"], row["used"])
        if isinstance(found, SmfFile)
        else _of_monitor(row)
        for row in found.kinds
    ]


def _of_monitor(row: Mapping[str, Any]) -> Kind:
    code = f"{row['domain']}/{row['record']}"
    return Kind(code, row["name"], row["title"], row["samples"] + row["events"], row["bytes"], row["used"])

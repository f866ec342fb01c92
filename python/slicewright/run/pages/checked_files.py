"""Checks of a run directory, or of a file with RMF pages."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from slicewright._core import CpuReport, DirectAccessReport, InputError, PartitionReport
from slicewright.run.directory import read
from slicewright.run.pages.checks import Check, checks
from slicewright.values.errors import problem, refusal
from slicewright.values.files import read_bytes, shown

_READERS: dict[str, Any] = {
    "DIRECTACCESSDEVICEACTIVITY": DirectAccessReport,
    "CPUACTIVITY": CpuReport,
    "PARTITIONDATAREPORT": PartitionReport,
}


def checks_of_file(path: str | os.PathLike[str]) -> list[Check]:
    """The checks of a run directory or of a file with RMF pages; raises InputError for anything else.

    >>> checks_of_file("no/such/page")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: no/such/page: cannot be read
    """
    if Path(path).is_dir():
        return checks(read(path))
    data = read_bytes(path)
    titles = {re.sub(r"\s", "", line) for line in data.decode("latin-1").splitlines()}
    found: list[Check] = []
    refused: list[InputError] = []
    for reader in (reader for title, reader in _READERS.items() if title in titles):
        try:
            found += checks(reader.read(data, shown(path)))
        except InputError as error:
            refused.append(error)
    # A page of which there is a title alone is the end of another one, not a damaged page.
    damaged = [error for error in refused if "no heading lines" not in error.problems[0]["what"]]
    told = damaged or ([] if found else refused)
    if told:
        raise refusal(*(fault for error in told for fault in error.problems))
    if not found:
        allowed = "a run directory, or an RMF page: DIRECT ACCESS DEVICE ACTIVITY, CPU ACTIVITY, PARTITION DATA"
        raise refusal(problem("unsupported input", file=shown(path), allowed=allowed))
    return found

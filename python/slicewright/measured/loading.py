"""Reads a directory of results back, whichever kind it is: a simulated run or a measured one."""

from __future__ import annotations

import os

from slicewright.measured import directory as measured
from slicewright.measured.measured import Measured
from slicewright.run.directory import load_manifest
from slicewright.run.directory import read as read_run
from slicewright.run.run import Run


def load(directory: str | os.PathLike[str]) -> Run | Measured:
    """Read back what `run`, `slicewright run --out` or `slicewright read --out` has written.

    Every file is checked.  Raises InputError for anything that is no such directory, that is damaged, or that was
    written by a version whose format cannot be read.

    >>> load("no/such/run")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: no/such/run: there is no such directory
    """
    if load_manifest(directory).get("kind") == "measured":
        return Measured(**vars(measured.read(directory)))
    return Run(**vars(read_run(directory)))

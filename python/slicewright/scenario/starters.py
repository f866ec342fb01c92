"""The starter scenarios, read."""

from __future__ import annotations

from slicewright._core import Scenario, starter


def read_starter(kind: str) -> Scenario:
    """The starter scenario of a kind; raises InputError with the nearest kind.

    >>> read_starter("mm1").name
    'M/M/1 at 50 %'
    """
    return Scenario.read(starter(kind).encode(), f"{kind}.toml")

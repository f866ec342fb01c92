"""A scenario with the files that it names in place of texts, such as name lists: read with them, or made whole."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from slicewright._core import InputError, Scenario, scenario_files
from slicewright.values.errors import Problem, refusal
from slicewright.values.files import read_bytes

__all__ = ["read_with_files", "whole"]


def read_with_files(data: bytes, file: str, changes: Sequence[str], folder: str | Path) -> Scenario:
    """Read a scenario with the files that it names, relative to a folder; raises InputError with all problems.

    >>> from slicewright._core import starter
    >>> read_with_files(starter("mm1").encode(), "mm1.toml", [], ".").name
    'M/M/1 at 50 %'
    """
    found: list[tuple[str, str, bytes]] = []
    problems: list[Problem] = []
    unread: set[str] = set()
    for named in scenario_files(data, file, list(changes)):
        path = Path(folder) / named["file"]
        try:
            found.append((named["file"], str(path), read_bytes(path)))
        except InputError as error:
            problems += [{**problem, "key": problem["key"] or named["key"]} for problem in error.problems]
            unread.add(named["key"])
    try:
        scenario = Scenario.read(data, file, list(changes), found)
    except InputError as error:
        raise refusal(*problems, *(problem for problem in error.problems if problem["key"] not in unread)) from None
    return scenario


def whole(data: bytes, file: str) -> bytes:
    """The text of a scenario that names no files: the same, or resolved with what is in its files; raises InputError.

    Files are relative to the scenario's own.
    """
    if not scenario_files(data, file):
        return data
    return read_with_files(data, file, [], Path(file).parent).resolved.encode()

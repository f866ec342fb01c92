"""What a scenario can be given as: a path, TOML text, bytes, or a scenario that was read."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from slicewright._core import InputError, Scenario
from slicewright.scenario.changes import changes_of
from slicewright.scenario.files import read_with_files
from slicewright.values.errors import Problem, problem, refusal
from slicewright.values.files import read_bytes, shown
from slicewright.values.parameters import check, path_problem

Source = str | bytes | os.PathLike[str] | Scenario
"""A path, TOML text (bytes, or a string of more than one line), or a scenario that was read."""

_REPORTS = {
    b"FCX108": "a DEVICE report (FCX108)",
    b"D I R E C T   A C C E S S": "an RMF page",
    b"C P U   A C T I V I T Y": "an RMF page",
    b"P A R T I T I O N   D A T A": "an RMF page",
}
"""How pages are known that are no scenarios."""


def read_scenario(
    scenario: Source,
    set: Mapping[str, Any] | Sequence[str] | None = None,
) -> Scenario:
    """Read a scenario from a path (`-`: standard input), text or bytes, with keys changed by `set`.

    Files that it names in place of texts (name lists) are relative to its own file, without one to the working
    directory.  The scenario that was read holds their contents.

    Raises InputError with every problem, also when `set` is given for a scenario that was already read.

    >>> from slicewright._core import starter
    >>> read_scenario(starter("mm1")).name != ""
    True
    """
    if isinstance(scenario, Scenario):
        if changes_of(set):
            what = "a scenario that was already read cannot be changed"
            raise refusal(problem(what, key="set", allowed="the text of the scenario, or its file"))
        return scenario
    check(scenario_problem(scenario))
    changes = changes_of(set)
    if isinstance(scenario, bytes):
        return read_with_files(scenario, "scenario", changes, Path())
    if isinstance(scenario, str) and "\n" in scenario:
        return read_with_files(scenario.encode(errors="backslashreplace"), "scenario", changes, Path())
    return _read(read_bytes(scenario), shown(scenario), (changes, folder_of(scenario)))


def scenario_problem(scenario: object) -> Problem | None:
    """The problem with a scenario that is neither a text nor the name of a file.

    >>> scenario_problem(5)["key"]
    'scenario'
    """
    if isinstance(scenario, bytes | Scenario) or (isinstance(scenario, str) and "\n" in scenario):
        return None
    return path_problem("scenario", scenario, "a path, TOML text, bytes, or a Scenario that was read")


def folder_of(scenario: Source) -> Path:
    """The folder that the files of a scenario are relative to: that of its own file, else the working directory.

    >>> str(folder_of("runs/pool.toml"))
    'runs'
    """
    if isinstance(scenario, (bytes, Scenario)) or (isinstance(scenario, str) and ("\n" in scenario or scenario == "-")):
        return Path()
    return Path(os.fsdecode(os.fspath(scenario))).parent


def _read(data: bytes, file: str, given: tuple[Sequence[str], Path]) -> Scenario:
    changes, folder = given
    try:
        return read_with_files(data, file, changes, folder)
    except InputError as error:
        found = [kind for mark, kind in _REPORTS.items() if mark in data[:1000]]
        # A scenario that cites a report has its marks too.
        if not found or not any(wrong["what"].startswith("not TOML") for wrong in error.problems):
            raise
    what = f"is {found[0]}, not a scenario"
    raise refusal(problem(what, file=file, allowed="a scenario; slicewright advise reads reports"))

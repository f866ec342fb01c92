"""The files that a scenario on the command line names: a text on the page that was made of it may read these."""

from __future__ import annotations

from pathlib import Path

from slicewright._core import InputError, scenario_files
from slicewright.io.files import read_bytes
from slicewright.scenario.files import read_with_files


def named_files(scenario: Path) -> list[Path]:
    """The name lists and recordings that a scenario names; none for anything that is no scenario.

    >>> named_files(Path("no/such/file.toml")), named_files(Path("README.md"))
    ([], [])
    """
    if scenario.suffix != ".toml" or not scenario.is_file():
        return []
    try:
        data = read_bytes(scenario)
        named = [each["file"] for each in scenario_files(data, scenario.name, [])]
        replays = read_with_files(data, scenario.name, (), scenario.parent).replays
    except InputError:  # the task on it lists the problems
        return []
    return [scenario.parent / name for name in (*named, *(each["file"] for each in replays))]

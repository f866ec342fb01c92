"""The tasks of a scenario's text: all of its problems at once, or its settings; and the text with changes in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from slicewright._core import InputError
from slicewright.scenario.files import read_with_files
from slicewright.scenario.settings import settings
from slicewright.serve.reporter import Reporter
from slicewright.serve.rewritten import rewritten

FILE = "scenario.toml"
"""The name of the text in problems."""


def check(reporter: Reporter, text: str, folder: str = ".", ask: int = 0, **about: Any) -> dict[str, Any]:
    """The problems of a text with line and column; without problems its name, warnings and settings.

    A text that is no scenario is a result like any other: the page marks its problems in place.
    """
    try:
        scenario = read_with_files(text.encode(), FILE, (), folder)
    except InputError as error:
        return {"ask": ask, "problems": [dict(problem) for problem in error.problems]}
    return {
        "ask": ask, "problems": [], "name": scenario.name, "warnings": [dict(each) for each in scenario.warnings],
        "settings": [asdict(setting) for setting in settings(scenario)],
    }  # fmt: skip


def rewrite(reporter: Reporter, text: str, changes: Sequence[str], folder: str = ".", **about: Any) -> dict[str, Any]:
    """The text with changes written into it; raises InputError."""
    return {"text": rewritten(text, changes, folder)}

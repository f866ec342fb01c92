"""The guesses that matter most in a scenario: three lines that `slicewright sensitivity` found before, below advice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from slicewright._core import InputError, Scenario
from slicewright.advise.day import Day
from slicewright.advise.limits.fleet.cluster import Cluster
from slicewright.advise.options import AdviceOptions
from slicewright.advise.question import Files, Pair
from slicewright.advise.source import is_scenario
from slicewright.experiment.store import opened
from slicewright.report.model import Notes, Section

NAME = "Guesses"


def remember(scenario: Scenario, question: str, lines: Sequence[str]) -> None:
    """Keep the lines of a scenario and a question ("" for none) in the store that is used.

    >>> from slicewright.scenario.starters import read_starter
    >>> remember(read_starter("mm1"), "", ["guest.USERS.arrivals 500/s"])  # no store is used
    """
    store = opened()
    if store is not None:
        store.put(_name(scenario, question), list(lines))


def remembered(files: Files | Day | Cluster | Pair[Any], question: str, options: AdviceOptions) -> list[Section]:
    """The section with the lines of a scenario that is asked as it is; none where nothing is known of it.

    Nothing is simulated for it: `slicewright sensitivity` has to have looked at the same scenario before.

    >>> remembered([], "aliases", AdviceOptions())
    []
    """
    store = opened()
    if store is None or isinstance(files, Day | Cluster | Pair) or options.assume or options.growth:
        return []
    if len(files) != 1 or not is_scenario(*files[0]):
        return []
    try:
        scenario = Scenario.read(files[0][1], files[0][0])
    except InputError:
        return []
    lines = store.get(_name(scenario, question)) or store.get(_name(scenario, ""))
    return [Section("", [Notes(NAME, lines)])] if lines else []


def _name(scenario: Scenario, question: str) -> str:
    return hashlib.sha256(json.dumps(["guesses", scenario.checksum, question]).encode()).hexdigest()

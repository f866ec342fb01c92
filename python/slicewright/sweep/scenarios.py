"""The scenario behind a point of a page: the command that simulates it, and its complete text."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from slicewright._core import InputError, Scenario
from slicewright.report.model import Entry, Scenarios
from slicewright.scenario.source import Source
from slicewright.statistics import count
from slicewright.sweep.axes import Axis, Value

UNNAMED = "scenario.toml"
"""The file of a scenario that came from no file; `manifest.json` of the store has its text."""
MOST = 500
"""Points of a page whose scenarios it has; the store has all."""


@dataclass(frozen=True)
class Opening:
    """What all points of a page share: the beginning of the command, the scenario that varies, and the axes."""

    start: tuple[str, ...]
    scenario: Scenario
    axes: Sequence[Axis]

    @staticmethod
    def of(source: Source, changes: Sequence[str], scenario: Scenario, axes: Sequence[Axis]) -> Opening:
        """The opening of a scenario that was given as a path or otherwise, with changes for all points."""
        text = isinstance(source, str) and ("\n" in source or source == "-")
        path = isinstance(source, str | os.PathLike) and not text
        file = str(os.fspath(source)) if path and not isinstance(source, bytes | Scenario) else UNNAMED
        own = [word for change in changes for word in ("--set", change)] if path else []
        return Opening((file, *own), scenario, axes)

    @staticmethod
    def kept(text: str, axes: Sequence[Axis]) -> Opening | None:
        """The opening of a store that is read; None where this version cannot read its scenario."""
        try:
            return Opening((UNNAMED,), Scenario.read(text.encode(), UNNAMED), axes)
        except InputError:
            return None

    def command(self, values: Sequence[Value], *more: str) -> str:
        """The command line that simulates the point with these values."""
        set_values = [word for axis, value in self._given(values) for word in ("--set", axis.changes(value))]
        return shlex.join(["slicewright", "run", *self.start, *set_values, *more])

    def scenarios(self, points: Sequence[tuple[str, Sequence[Value], Sequence[str]]]) -> Scenarios:
        """The block of a page for points by name, each with its values and further options of `run`."""
        entries = []
        for name, values, more in points[:MOST]:
            try:
                resolved = self.scenario.with_([axis.changes(value) for axis, value in self._given(values)]).resolved
            except InputError:
                continue
            entries.append(Entry(name, self.command(values, *more), resolved))
        return Scenarios("Scenario of a point", self.scenario.resolved, entries)

    def _given(self, values: Sequence[Value]) -> list[tuple[Axis, Value]]:
        return list(zip(self.axes, values, strict=True))


def name_of(axes: Sequence[Axis], values: Sequence[Any]) -> str:
    """The values of a point in words.

    >>> from slicewright.sweep.axes import axis
    >>> name_of([axis("cec.slice", "2 ms,5 ms"), axis("alias_pool.A.aliases", "0..8")], (5, 8))
    'slice 5 ms, aliases 8'
    """
    last = [axis.key.rpartition(".")[2] for axis in axes]
    keys = last if len(set(last)) == len(last) else [axis.key for axis in axes]
    return ", ".join(
        f"{key} {value if isinstance(value, str) else count(value)} {axis.unit}".strip()
        for key, axis, value in zip(keys, axes, values, strict=True)
    )

"""The readings of a scenario, each simulated as it is, and the range of the headline over all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slicewright.report import text
from slicewright.report.forms import estimates
from slicewright.report.model import Column, Paragraph, Report, Section, Table
from slicewright.run.headline import foremost
from slicewright.run.run import Progress, Run, run
from slicewright.scenario.changes import changes_of
from slicewright.scenario.left_open import GIVEN, LeftOpen
from slicewright.scenario.replay import ready_to_run
from slicewright.scenario.source import Source
from slicewright.statistics import Estimate, plural, significant
from slicewright.values.progress import piece


@dataclass(frozen=True)
class Readings:
    """Runs by the name of their reading, the scenario itself first; `open` names the values that are not identified."""

    runs: Mapping[str, Run]
    open: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row per reading: its name, and each counter of the headline with its half-width."""
        return [_row(name, values) for name, values in self._values.items()]

    @property
    def ranges(self) -> dict[str, tuple[float, float]]:
        """The least and the largest mean of each counter of the headline."""
        of_each = [dict(values) for values in self._values.values()]
        common = [name for name in of_each[0] if all(name in values for values in of_each)]
        means = {name: [values[name].mean for values in of_each] for name in common}
        return {name: (min(values), max(values)) for name, values in means.items()}

    def __str__(self) -> str:
        """The table of readings, with the range of each counter."""
        names = list(self.ranges)
        columns: list[Column[tuple[str, Mapping[str, Estimate]]]] = [Column("reading", "reading", lambda row: row[0])]
        columns += [Column(name, name, lambda row, name=name: row[1][name], form=estimates) for name in names]  # type: ignore[misc]
        said = ", ".join(
            f"{name} {significant(low)} to {significant(high)}" for name, (low, high) in self.ranges.items()
        )
        open_values = f"Not identified: {self.open}." if self.open else "The scenario names no value that is open."
        over = f"Over {plural(len(self.runs), 'reading')}: {said}. {open_values}"
        rows = [(name, dict(values)) for name, values in self._values.items()]
        section = Section("Readings", [Table(columns, rows), Paragraph(over)])
        return text.render(Report("Readings", over, sections=[section]))

    @property
    def _values(self) -> dict[str, Sequence[tuple[str, Estimate]]]:
        named = {GIVEN: "the scenario"}
        return {
            named.get(name, name): [(f"{entity}: {counter}" if entity else counter, value)
                                    for entity, counter, value in foremost(each.pooled)]
            for name, each in self.runs.items()
        }  # fmt: skip


def run_readings(
    scenario: Source,
    *,
    set: Mapping[str, Any] | Sequence[str] | None = None,
    progress: Progress | None = None,
    **asked: Any,
) -> Readings:
    """Simulate each reading of a scenario, with the same changes and the same random numbers; `asked` is as of `run`.

    Raises InputError and RunError as `run`.
    """
    onward = progress or (lambda share: None)
    world = ready_to_run(scenario, set).scenario
    left_open = LeftOpen.of(world)
    loads = left_open.loads(world, changes_of(set))
    made = {
        name: run(load, progress=piece(onward, at, len(loads)), **asked)
        for at, (name, load) in enumerate(loads.items())
    }
    return Readings(made, left_open.words)


def _row(name: str, values: Sequence[tuple[str, Estimate]]) -> dict[str, Any]:
    row: dict[str, Any] = {"reading": name}
    for counter, value in values:
        row |= {counter: value.mean, f"{counter}_half_width": value.half_width}
    return row

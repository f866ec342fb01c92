"""The machines of a plan: a scenario under each of its readings, grown, with purchases, simulated in short batches.

A batch is a replication.  All machines have the same random numbers, so that differences are those of pairs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from slicewright._core import InputError, RunError, Scenario
from slicewright.experiment import plan as experiment
from slicewright.experiment.outcome import Array
from slicewright.experiment.store import Columns, Part, Tables, once, tables_of, warm_up_of
from slicewright.explore.places import Place, threads_here
from slicewright.explore.purchases import Purchase, Setting, changes_in
from slicewright.explore.requirements import Growth, Requirement, columns_of, factors, left_side, values_of
from slicewright.results import busiest
from slicewright.results.busiest import Machine
from slicewright.run.kinds import CLASS, of_classes
from slicewright.run.tables import frames
from slicewright.scenario.left_open import LeftOpen
from slicewright.scenario.replay import Replayed
from slicewright.values.errors import sentence

if TYPE_CHECKING:
    from slicewright.scenario.view import View

OVERLOAD = "arrivals ask for"
"""The beginning of the engine's warning about arrivals that a part cannot serve, whatever it waits."""
_PILOTS = 4
"""Replications from which the length of a batch is found."""
_PRECISE = 0.08
"""ASSUME: a batch is long enough where requirements vary by this share between batches."""
_EVENTS = 5_000
"""Events of the shortest batch."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A machine that was simulated: its resources and times, and the left side of each requirement by batch."""

    machine: Machine
    left: Sequence[Array]
    response: Array
    """The number against which cost is drawn, by batch."""
    cpu: dict[str, Array] = field(default_factory=dict)
    """Use of processors by partition, in percent of one."""
    classes: dict[str, Array] = field(default_factory=dict)
    """Transactions of each class of business, guests together, in ms by batch."""


@dataclass
class Machines:
    """All machines of a plan; `loads` has the scenario under each reading, measured in batches."""

    loads: dict[str, Scenario]
    growth: Sequence[Growth]
    purchases: Sequence[Purchase]
    requirements: Sequence[Requirement]
    seed: int
    warm_up_s: float = 0.0
    left_open: LeftOpen = field(default_factory=LeftOpen)
    """The values that a fit left open."""
    given: Scenario | None = None
    """The first load, measured as it was given."""
    shown: Any = None
    """The expression against which cost is drawn."""
    done: Callable[[int], None] = lambda batches: None
    told: Callable[[Setting], None] = lambda setting: None
    """Called with a setting that seems to hold."""
    place: Place = field(default_factory=threads_here)
    refused: dict[Setting, str] = field(default_factory=dict)
    """Settings that are no scenario, or whose simulation failed."""
    _grown: dict[float, dict[str, Scenario]] = field(default_factory=dict)
    _seen: dict[tuple[tuple[Setting, int, float], int], Seen] = field(default_factory=dict)

    @staticmethod
    def of(
        ready: Replayed,
        changes: Sequence[str],
        parts: tuple[Sequence[Growth], Sequence[Purchase], Sequence[Requirement]],
        where: tuple[int, Place],
    ) -> Machines:
        """The machines of a scenario that is ready to run, with batches as long as requirements need."""
        growth, purchases, requirements = parts
        left_open = LeftOpen.of(ready.scenario)
        loads = left_open.loads(ready.scenario, changes) if left_open.readings else {"given": ready.scenario}
        made = Machines(loads, growth, purchases, requirements, where[0], place=where[1])
        made.left_open = left_open
        made.given = next(iter(loads.values()))
        made.shown = made._shown()
        made._measure()
        return made

    @property
    def readings(self) -> list[str]:
        """The names of the readings."""
        return list(self.loads)

    @property
    def nothing(self) -> Setting:
        """The setting that buys nothing."""
        return (0,) * len(self.purchases)

    def grown(self, scale: float = 1.0) -> dict[str, Scenario]:
        """The loads with a multiple of the growth; raises InputError beyond the bounds of the language."""
        if scale not in self._grown:
            by = {guest: factor for guest, factor in factors(self.growth, scale).items() if factor != 1}
            self._grown[scale] = {name: load.grown_by(by) if by else load for name, load in self.loads.items()}
        return self._grown[scale]

    def scenario(self, setting: Setting, reading: int = 0, scale: float = 1.0) -> Scenario:
        """The scenario of a setting under a reading; raises InputError where it is none."""
        return self.grown(scale)[self.readings[reading]].with_(changes_in(self.purchases, setting))

    def bought(self, setting: Setting) -> Scenario:
        """The first load with growth and purchases, measured as it was given."""
        assert self.given is not None
        grows = {guest: factor for guest, factor in factors(self.growth).items() if factor != 1}
        grown = self.given.grown_by(grows) if grows else self.given
        return grown.with_(changes_in(self.purchases, setting))

    def overload(self, setting: Setting, scale: float = 1.0) -> str:
        """The part that arrivals ask for more of than it can do, by the utilization law; "" where there is none."""
        try:
            warnings = self.scenario(setting, 0, scale).warnings
        except InputError:
            return ""
        return next((sentence(each) for each in warnings if str(each["what"]).startswith(OVERLOAD)), "")

    def ratios(self, wanted: Sequence[tuple[Setting, int, range]]) -> list[Array]:
        """The left sides as shares of their bounds, for each: batches x requirements; NaN where there is no value."""

        def one(each: tuple[Setting, int, range]) -> Array:
            setting, reading, batches = each
            try:
                return self.ratio(self.scenario(setting, reading), batches)
            except (InputError, RunError) as error:
                self.refused[setting] = " ".join(str(error).split())
                return np.full((len(batches), len(self.requirements)), math.nan)

        found = self.each(one, wanted)
        self.done(sum(len(each[2]) for each in wanted))
        return found

    def ratio(self, scenario: Scenario, batches: range) -> Array:
        """The same of one scenario."""
        columns = columns_of([each.constraint.expression for each in self.requirements])
        tables = self._tables(scenario, batches, columns)
        return np.stack([need.ratio(left_side(need, tables, len(batches))) for need in self.requirements], axis=1)

    def see(self, wanted: Sequence[tuple[Setting, int, float]], batches: int) -> list[Seen]:
        """Machines with all that is known of them: settings under readings, with multiples of the growth."""

        new = [each for each in dict.fromkeys(wanted) if (each, batches) not in self._seen]
        seen = self.each(lambda each: self.seen_of(self.scenario(*each), batches), new)
        self._seen |= {(each, batches): machine for each, machine in zip(new, seen, strict=True)}
        self.done(len(new) * batches)
        return [self._seen[each, batches] for each in wanted]

    def seen_of(self, scenario: Scenario, batches: int) -> Seen:
        """All that is known of a scenario."""
        needed = columns_of([*(each.constraint.expression for each in self.requirements), self.shown])
        columns: dict[str, list[str]] = {table: list(names) for table, names in busiest.COLUMNS.items()}
        for table, names in needed.items():
            columns[table] = list(dict.fromkeys([*columns.get(table, ()), *names]))
        tables = self._tables(scenario, range(batches), columns)
        left = [left_side(need, tables, batches) for need in self.requirements]
        cpu = {}
        for partition in scenario.view.partitions:
            rows = [at for at, name in enumerate(tables["partitions"]["partition"]) if name == partition.name]
            cpu[partition.name] = np.array([tables["partitions"]["cpu_percent"][at] or 0.0 for at in rows], dtype=float)
        machine = busiest.machine_of(tables, scenario.view, batches)
        return Seen(machine, left, values_of(self.shown, tables, batches), cpu, _of_classes(tables, scenario.view))

    def _tables(self, scenario: Scenario, batches: range, columns: Columns) -> Tables:
        """Replications of a scenario, numbered from 0 whatever the first is."""
        part = Part(self.seed, (batches.start, batches.stop), self.warm_up_s, columns)
        found = tables_of(scenario, part, simulate=self.place.tables)
        first = batches.start
        return {
            table: {**rows, "replication": [number - first for number in rows["replication"]]} if first else rows
            for table, rows in found.items()
        }

    def each(self, work: Callable[[Any], Any], wanted: Sequence[Any]) -> list[Any]:
        """The results of work on machines, some at once, in their order."""
        if len(wanted) < 2:
            return [work(each) for each in wanted]
        with ThreadPoolExecutor(self.place.workers()) as pool:
            return list(pool.map(work, wanted))

    def _shown(self) -> Any:
        """The first requirement in ms; else the response of all I/Os, or what the first requirement bounds."""
        from slicewright.explore.expression import Column
        from slicewright.explore.points import HEADLINE

        own = [need.constraint.expression for need in self.requirements]
        first = next((need.constraint.expression for need in self.requirements if need.unit == "ms"), None)
        if first is not None:
            return first
        scenario = next(iter(self.loads.values()))
        return Column(HEADLINE, "", "response_ms") if scenario.view.volumes else own[0]

    def _measure(self) -> None:
        """Make batches as long as requirements are precise; a machine that changes by the clock keeps its interval."""
        first = next(iter(self.loads.values()))
        measure = first.view.measure
        declared = first.measure["warm_up_s"]
        self.warm_up_s = float(declared if declared is not None else f"{warm_up_of(first, self.seed)[0]:.2g}")
        whole, own = self.loads, once(self.warm_up_s)
        length = measure.measured_s if first.replays or first.view.changes else self._shortest(first)
        while True:
            length = float(f"{length:.2g}")
            # As long as the scenario says, a batch is a replication of it, which other commands may have run.
            is_whole = length >= measure.measured_s
            changes = own if is_whole else experiment.Plan(length, self.warm_up_s, 1).changes()
            self.loads = {name: load.with_(changes) for name, load in whole.items()}
            if is_whole or self._precise():
                return
            length *= 2

    def _shortest(self, scenario: Scenario) -> float:
        """The length of a batch with some thousand events, and no shorter than its warm-up."""
        trial = scenario.with_(experiment.Plan(1.0, self.warm_up_s, 1).changes())
        events = self._tables(trial, range(1), {"system": ["replication", "events"]})["system"]["events"][0]
        return max(_EVENTS / max(float(events), 1.0), self.warm_up_s, 0.1)

    def _precise(self) -> bool:
        scenario = self.loads[self.readings[0]]
        columns = columns_of([each.constraint.expression for each in self.requirements])
        tables = self._tables(scenario, range(_PILOTS), columns)
        for need in self.requirements:
            values = left_side(need, tables, _PILOTS)
            if not np.isfinite(values).all() or values.std(ddof=1) > _PRECISE * max(abs(values.mean()), 1e-12):
                return False
        return True


def _of_classes(tables: Tables, view: View) -> dict[str, Array]:
    if not view.classes:
        return {}
    found: dict[str, Array] = {}
    needed = {name: tables["guests"][name] for name in busiest.COLUMNS["guests"]}
    rows = of_classes(frames({"guests": needed})["guests"], view)
    for name in rows[CLASS].unique(maintain_order=True):
        own = rows.filter(rows[CLASS] == name).sort("replication")
        found[name] = own["transaction_ms"].to_numpy()
    return found

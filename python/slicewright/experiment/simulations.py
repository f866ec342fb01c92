"""One scenario simulated under any variant, each once, with common random numbers and on all processors."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from slicewright._core import Scenario
from slicewright.experiment.outcome import Outcome, Table
from slicewright.experiment.plan import Plan
from slicewright.experiment.store import Columns, Part, tables_of, tables_of_text
from slicewright.values.progress import Progress, counting, silent

V = TypeVar("V", bound=Hashable)
O = TypeVar("O", bound=Outcome)  # noqa: E741

SEED = 1
"""Of every run, so that variants share random numbers and differences are those of pairs."""

_seed = ContextVar("seed", default=SEED)


@contextlib.contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Have all simulations of the block use another seed, to see what of an answer is noise.

    >>> with seeded(2):
    ...     pass
    """
    token = _seed.set(seed)
    try:
        yield
    finally:
        _seed.reset(token)


@dataclass
class Simulations(Generic[V, O]):
    """Outcomes by variant and other constants (the changes of a reading), simulated when first asked for."""

    scenario: Scenario
    changes: Callable[[V], Sequence[str]]
    """The changes of `--set` that make a variant."""
    measured: Callable[[Scenario, Mapping[str, Table]], O]
    """The outcome kept from the tables of a run."""
    plan: Plan
    dear: bool = False
    """Whether a point is worth more than is simulated, so that fewer are looked at."""
    progress: Progress = silent
    done: Callable[[int], None] = lambda replications: None
    """Called after each simulation with its replications."""
    seen: dict[tuple[V, tuple[str, ...], int], O] = field(default_factory=dict)

    def expect(self, replications: int) -> None:
        """Count progress from now on, towards about this number of replications."""
        self.done = counting(self.progress, replications)

    def at(self, variant: V, reading: Sequence[str] = (), replications: int | None = None) -> O:
        """The outcome of a variant; the changes of a reading come last, so that they hold."""
        count = replications or self.plan.replications
        key = (variant, tuple(reading), count)
        if key not in self.seen:
            scenario = self.scenario_of(variant, reading, count)
            self.seen[key] = self.measured(scenario, simulate(scenario))
            self.done(count)
        return self.seen[key]

    def scenario_of(self, variant: V, reading: Sequence[str] = (), replications: int | None = None) -> Scenario:
        """The scenario of a variant, without what is changed while it runs; raises InputError."""
        changes = [*self.changes(variant), *reading, *self.plan.changes(replications)]
        return self.scenario.with_(changes).without_changes()


def simulate(scenario: Scenario, columns: Columns | None = None) -> dict[str, Any]:
    """The tables of a scenario, simulated as it says that it is measured; only some where those are named.

    Raises InputError when the scenario is wrong and RunError when it cannot go on.

    >>> from slicewright.scenario.starters import read_starter
    >>> short = read_starter("mm1").with_(Plan(1.0, 0.1, 2).changes())
    >>> len(simulate(short)["volumes"]["response_ms"])
    2
    """
    return tables_of(scenario, Part.measured(scenario, _seed.get(), columns or {}))


def simulate_text(text: str, file: str, columns: Columns) -> dict[str, Any]:
    """The same of a scenario as text, which need not be read where it was simulated before.

    >>> from slicewright.scenario.starters import read_starter
    >>> short = read_starter("mm1").with_(Plan(1.0, 0.1, 2).changes()).resolved
    >>> list(simulate_text(short, "mm1.toml", {"volumes": ["volume"]}))
    ['volumes']
    """
    return tables_of_text(text, file, _seed.get(), columns)


def processors() -> int:
    """Processors that this process may use; they change nothing but the time a run takes.

    >>> processors() >= 1
    True
    """
    return len(os.sched_getaffinity(0))

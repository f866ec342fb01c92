"""Settings of guesses as points of a sweep: simulated once into its store, and their answers read from there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from slicewright._core import Scenario
from slicewright.errors import nearest, problem, refusal
from slicewright.experiment import plan as experiment
from slicewright.experiment.progress import Progress, piece
from slicewright.experiment.simulations import SEED
from slicewright.experiment.store import Part, tables_of, warm_up_of
from slicewright.parameters import brief
from slicewright.reading.left_open import LeftOpen
from slicewright.replay.replay import Recording, resupplied
from slicewright.run.headline import SUBJECTS, foremost
from slicewright.run.pooled import Pooled, Simulated
from slicewright.run.tables import ENTITY, counters
from slicewright.sensitivity.guesses import Guess
from slicewright.statistics import Estimate, estimate
from slicewright.sweep.axes import Value
from slicewright.sweep.design import Design
from slicewright.sweep.place import Place
from slicewright.sweep.plan import Plan, Terms
from slicewright.sweep.row import DONE, HEADLINE
from slicewright.sweep.runner import run_left
from slicewright.sweep.store import Store, scan

if TYPE_CHECKING:
    import polars

LEAST_S = 0.01
"""Simulated seconds of the shortest interval: the engine samples queues every millisecond at most."""
PRECISE = 0.01
"""Half-width of the answer as it is, as a share of it, at which intervals are long enough."""
SHORTEST = 256
"""The shortest interval that is tried, as a part of the scenario's own."""
_NAMED = 6


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a run: a counter of a table, and of which entity where there are several.

    >>> Quantity("system", "", "response_ms").named
    'response_ms'
    """

    table: str
    entity: str
    counter: str

    @property
    def named(self) -> str:
        """The counter, and its entity where there are several."""
        return f"{self.entity}: {self.counter}" if self.entity else self.counter


@dataclass(frozen=True)
class Listed(Design):
    """Settings one by one, in place of a grid or a sequence."""

    settings: tuple[tuple[Value, ...], ...] = ()

    @property
    def count(self) -> int:
        """How many settings there are."""
        return len(self.settings)

    def at(self, number: int) -> tuple[Value, ...]:
        """The values of one setting."""
        return self.settings[number]


@dataclass(frozen=True)
class Points:
    """A scenario with guesses as a function: settings in, answers out, and what is simulated is kept in a store."""

    scenario: Scenario
    """Measured as `shortened` says, one replication a seed."""
    guesses: Sequence[Guess]
    quantity: Quantity
    store: Store
    where: tuple[Place, Sequence[Recording]]

    def __call__(self, settings: npt.NDArray[np.float64], seeds: int, progress: Progress) -> npt.NDArray[np.float64]:
        """Answers of settings (a row each, 0 to 1 of each band), a row per seed; NaN where a point has none."""
        values = [
            tuple(guess.at(float(share)) for guess, share in zip(self.guesses, row, strict=True)) for row in settings
        ]
        design = Listed(tuple(guess.axis for guess in self.guesses), settings=tuple(values))
        answers = []
        for at in range(seeds):
            plan = Plan(Terms(self.scenario, SEED + at, None), design)
            run_left(plan, self.store, self.where, piece(progress, at, seeds))
            answers.append(self._answers(plan))
        progress(1.0)
        return np.array(answers)

    def _answers(self, plan: Plan) -> list[float]:
        known = dict(self._rows(plan).rows())
        return [float("nan") if (value := known.get(name)) is None else float(value) for name in plan.names]

    def _rows(self, plan: Plan) -> polars.DataFrame:
        """Name and answer of the points of a plan."""
        import polars as pl

        own = scan(self.store.directory).filter(pl.col("id").is_in(sorted(plan.ids)), pl.col("state") == DONE)
        quantity = self.quantity
        if quantity.table == HEADLINE:
            return own.select("id", f"{HEADLINE}.{quantity.counter}").collect()
        rows = own.select("id", quantity.table).collect().explode(quantity.table).unnest(quantity.table)
        if quantity.entity:
            rows = rows.filter(pl.col(ENTITY[quantity.table].split()[0]) == quantity.entity)
        return rows.select("id", quantity.counter).unique("id", keep="first", maintain_order=True)


def shortened(
    scenario: Scenario, recordings: Sequence[Recording], replications: int, wanted: str | None = None
) -> tuple[Scenario, Quantity]:
    """The scenario measured for as short as its answer is precise, one replication a seed; and what its answer is.

    The warm-up is that of the scenario as it is, so that no point looks for its own.  A scenario that changes while it
    runs, or that replays recordings, keeps its own interval: its times mean something.  Raises RunError, and
    InputError where nothing is measured, or nothing that is `wanted`.

    >>> from slicewright.scenario.starters import read_starter
    >>> short, quantity = shortened(read_starter("mm1"), (), 4)
    >>> short.measure["interval_s"] < 600, quantity.named
    (True, 'response_ms')
    """
    world = resupplied(scenario, recordings)
    measure = world.view.measure
    warm_up = float(f"{warm_up_of(world, SEED)[0]:.2g}")
    timed = bool(world.replays or world.view.changes)
    length = measure.measured_s if timed else max(measure.measured_s / SHORTEST, min(measure.measured_s, LEAST_S))
    while True:
        length = min(measure.measured_s, float(f"{length:.2g}"))
        keys = [f'measure.warm_up="{warm_up:g} s"', "measure.replications=1"]
        made = scenario.with_(keys if timed else experiment.Plan(length, warm_up, 1).changes())
        tables = tables_of(resupplied(made, recordings), Part(SEED, (0, replications), warm_up))
        pooled = Simulated.of(tables).pooled
        quantity = _quantity(pooled, wanted)
        if timed or length >= measure.measured_s or _values(pooled, quantity).relative <= PRECISE:
            return made, quantity
        length *= 2


def by_reading(
    scenario: Scenario, measured: Scenario, recordings: Sequence[Recording], asked: tuple[Quantity, int]
) -> dict[str, Estimate]:
    """The quantity under each reading of a scenario, measured as another is; asked with a number of seeds."""
    quantity, seeds = asked
    left_open = LeftOpen.of(scenario)
    warm_up = float(measured.measure["warm_up_s"])
    found = {}
    for name, load in left_open.loads(measured).items() if left_open.readings else ():
        tables = tables_of(resupplied(load, recordings), Part(SEED, (0, seeds), warm_up))
        found[name] = _values(Simulated.of(tables).pooled, quantity)
    return found


def _quantity(pooled: Pooled, wanted: str | None) -> Quantity:
    """The first number of the headline, or the one that is wanted: TABLE.COUNTER, or TABLE.ENTITY.COUNTER."""
    if wanted is not None:
        return _wanted(pooled, wanted)
    known = foremost(pooled)
    if not known:
        what = "nothing is measured that a number could move"
        raise refusal(problem(what, key="SCENARIO", allowed="a scenario with I/O, virtual machines, threads or guests"))
    entity, counter, _ = known[0]
    subject = next(each for each in SUBJECTS if counter in each.counters and not each.rows(pooled).is_empty())
    return Quantity(subject.table, entity, counter)


def _wanted(pooled: Pooled, text: str) -> Quantity:
    table, _, rest = text.partition(".")
    entity, _, counter = rest.rpartition(".")
    tables = [name for name in ENTITY if not pooled[name].is_empty()]
    if table not in tables:
        near = nearest(table, tables)
        raise refusal(problem(f"no such table: {brief(table)}", key="of", allowed=", ".join(tables), nearest=near))
    known = counters(pooled[table])
    if counter not in known:
        near, allowed = nearest(counter, known), ", ".join(known)
        raise refusal(problem(f"no such counter of {table}: {brief(counter)}", key="of", allowed=allowed, nearest=near))
    names = pooled[table][ENTITY[table].split()[0]].unique(maintain_order=True).to_list() if ENTITY[table] else [""]
    entities = list(map(str, names))
    if not entity and len(entities) == 1:
        entity = entities[0]
    if entity not in entities:
        what = f"no such row of {table}: {brief(entity)}" if entity else f"{table} has several rows"
        allowed = ", ".join(f"{table}.{name}.{counter}" for name in entities[:_NAMED])
        raise refusal(problem(what, key="of", allowed=allowed, nearest=nearest(entity, entities)))
    return Quantity(table, entity, counter)


def _values(pooled: Pooled, quantity: Quantity) -> Estimate:
    """The estimate of a quantity over replications."""
    frame = pooled[quantity.table]
    if quantity.entity:
        frame = frame.filter(frame[ENTITY[quantity.table].split()[0]] == quantity.entity)
    return estimate(frame[quantity.counter].drop_nulls().to_list())

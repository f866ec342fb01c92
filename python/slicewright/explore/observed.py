"""Settings observed batch by batch: points of a store, and the values of expressions of their counters."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from slicewright._core import Scenario
from slicewright.explore.axes import Axis, Design, Value
from slicewright.explore.expression import Column as Counter
from slicewright.explore.expression import Constraint, Expression, Knob, named, value
from slicewright.explore.places import Place
from slicewright.explore.points import DONE, HEADLINE, REFUSED, Plan, Terms
from slicewright.explore.store import Store, run_left, scan
from slicewright.run.tables import ENTITY
from slicewright.scenario.replay import Recording
from slicewright.values.errors import nearest, problem, refusal
from slicewright.values.parameters import brief

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import polars

    Array = npt.NDArray[np.float64]

Setting = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Aim:
    """A cost to minimise, and the constraints on it."""

    text: str
    cost: Expression
    constraints: Sequence[Constraint]

    @property
    def scales(self) -> list[float]:
        """The size of each bound, of which tolerances and excesses are shares."""
        return [abs(constraint.bound) for constraint in self.constraints]

    @property
    def is_measured(self) -> bool:
        """Whether the cost has counters in it, so that it has noise; a cost of knobs alone has none."""
        return any(isinstance(each, Counter) for each in named(self.cost))

    def ratios(self, rows: Array) -> Array:
        """Batches of cost and excesses as a search has them: a measured cost, then shares of the bounds."""
        import numpy as np

        shares = 1 + rows[:, 1:] / np.array(self.scales)
        if not self.constraints:  # a point has a value, or it has none
            shares = np.where(np.isfinite(rows[:, :1]), 0.0, np.nan)
        return np.hstack([rows[:, :1], shares]) if self.is_measured else shares

    @property
    def columns(self) -> list[Counter]:
        """The columns of the store that it needs."""
        trees = [self.cost, *(constraint.expression for constraint in self.constraints)]
        return list(dict.fromkeys(name for tree in trees for name in named(tree) if isinstance(name, Counter)))

    def of(self, known: Mapping[Knob | Counter, Any], shape: tuple[int, int]) -> Array:
        """Cost and excesses over the bounds: settings x batches x columns."""
        import numpy as np

        parts = [value(self.cost, known)]
        parts += [constraint.excess(value(constraint.expression, known)) for constraint in self.constraints]
        return np.stack([np.broadcast_to(np.asarray(part, dtype=float), shape) for part in parts], axis=2)


@dataclass
class Observer:
    """The points of one choice: a batch of all settings has one seed, and the next batch the next seed."""

    store: Store
    scenario: Scenario
    seed: int
    axes: tuple[Axis, ...]
    where: tuple[Place, Sequence[Recording]]
    aim: Aim
    look: Callable[[], Callable[[float], None]]
    """The progress of the next look."""
    reasons: dict[Setting, str] = field(default_factory=dict)
    """The reason for which a setting has no value."""
    ids: set[str] = field(default_factory=set)
    """The points that were asked for."""

    def resolve(self, settings: Sequence[Setting]) -> None:
        """Note the settings that are no scenario; raises InputError where none is one."""
        plan = Plan(Terms(self.scenario, self.seed, None), Design(self.axes, listed=settings))
        if plan.hopeless:
            raise plan.hopeless
        self.reasons |= {settings[at]: f"{REFUSED}: {reason}" for at, reason in plan.refused.items()}

    def cost(self, setting: Setting) -> float:
        """The cost of a setting, where it is one of knobs alone; else 0."""
        import numpy as np

        return 0.0 if self.aim.is_measured else float(np.ravel(value(self.aim.cost, self._knobs([setting])))[0])

    def observe(self, settings: Sequence[Setting], batches: range) -> Array:
        """Cost and excesses of the settings in these batches, NaN where a point has none."""
        import numpy as np
        import polars as pl

        terms = Terms(self.scenario, (self.seed + batches.start) % 2**64, None, len(batches))
        plan = Plan(terms, Design(self.axes, listed=settings))
        if plan.ids - self.store.done:
            self.store.refuse_unwritable()
            run_left(plan, self.store, self.where, self.look())
        self.ids |= plan.ids
        order = pl.DataFrame({"id": plan.named})
        wanted = ["id", "state", "reason", *dict.fromkeys(map(_stored, self.aim.columns))]
        rows = scan(self.store.directory).filter(pl.col("id").is_in(order["id"].unique().to_list())).select(wanted)
        frame = order.join(rows.collect(), on="id", how="left", maintain_order="left")
        self._note_reasons(settings, frame)
        shape = (len(settings), len(batches))
        known = self._knobs(settings)
        for column in self.aim.columns:
            flat = np.array(_values(frame, column), dtype=float)
            known[column] = flat.reshape(shape[::-1]).T  # the plan has all settings of a batch, then the next batch
        found = self.aim.of(known, shape)
        lost = (frame["state"] != DONE).to_numpy().reshape(shape[::-1]).T
        # A cost of knobs alone has a value though the point has none.
        return np.where(lost[:, :, None], math.nan, found)

    def _knobs(self, settings: Sequence[Setting]) -> dict[Knob | Counter, Any]:
        import numpy as np

        return {
            Knob(axis.key): np.array([[setting[at]] for setting in settings], dtype=float)
            for at, axis in enumerate(self.axes)
            if axis.kind != "text"
        }

    def _note_reasons(self, settings: Sequence[Setting], frame: polars.DataFrame) -> None:
        for at, (state, reason) in enumerate(frame.select("state", "reason").rows()):
            if state != DONE:
                self.reasons.setdefault(settings[at % len(settings)], f"{state}: {reason}")


FIRST_ROW = "first"
"""Of a column whose row is known by the first of its keys alone."""


def _stored(column: Counter) -> str:
    return f"{HEADLINE}.{column.counter}" if column.table == HEADLINE else column.table


def _values(frame: polars.DataFrame, column: Counter) -> list[float]:
    """The value of a column in each row of the frame; raises InputError where no row of its table has the name."""
    if column.table == HEADLINE:
        return [math.nan if value is None else value for value in frame[_stored(column)].to_list()]
    names = ENTITY[column.table].split()[: 1 if column.of_all == FIRST_ROW else None]
    found: list[float] = []
    present: set[str] = set()
    for entities in frame[column.table].to_list():
        rows = reversed(entities or ())  # of several rows with one name the first stays
        of = {" ".join(str(each[name]) for name in names): each[column.counter] for each in rows}
        present |= of.keys()
        chosen = of.values() if column.entity == "*" else [of.get(column.entity)]
        numbers = [value for value in chosen if value is not None and not math.isnan(value)]
        found.append((min if column.of_all == "min" else max)(numbers, default=math.nan))
    done = (frame["state"] == DONE).any()
    if done and column.entity != "*" and column.entity not in present:
        what = f"no row of {column.table} is named `{brief(column.entity)}`"
        allowed = ", ".join(sorted(present)[:20]) or "a table that has rows in this scenario"
        raise refusal(problem(what, key="expression", allowed=allowed, nearest=nearest(column.entity, present)))
    return found

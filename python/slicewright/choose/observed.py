"""What is observed of settings: points of a store, simulated where it lacks them, as cost and excesses over bounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from slicewright._core import Scenario
from slicewright.choose.expression import Constraint, Expression, value
from slicewright.choose.names import Column, Knob
from slicewright.errors import nearest, problem, refusal
from slicewright.parameters import brief
from slicewright.replay.replay import Recording
from slicewright.run.tables import ENTITY
from slicewright.sweep.axes import Axis, Value
from slicewright.sweep.design import Settings
from slicewright.sweep.place import Place
from slicewright.sweep.plan import Plan, Terms
from slicewright.sweep.row import DONE, HEADLINE
from slicewright.sweep.runner import run_left
from slicewright.sweep.store import Store, scan

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import polars

    Array = npt.NDArray[np.float64]

Setting = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Aim:
    """A cost to minimise, and the constraints on it.

    >>> from slicewright.choose.expression import Number
    >>> Aim("1", Number(1.0), ()).columns
    []
    """

    text: str
    cost: Expression
    constraints: Sequence[Constraint]

    @property
    def columns(self) -> list[Column]:
        """The columns of the store that it needs."""
        from slicewright.choose.expression import named

        trees = [self.cost, *(constraint.expression for constraint in self.constraints)]
        return list(dict.fromkeys(name for tree in trees for name in named(tree) if isinstance(name, Column)))

    def of(self, known: Mapping[Knob | Column, Any], shape: tuple[int, int]) -> Array:
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
    progress: Callable[[float], None]
    searching: bool = False
    """Whether settings are proposed a few at a time, so that all of a few may be refused."""
    reasons: dict[Setting, str] = field(default_factory=dict)
    """The reason for which a setting has no value."""
    ids: set[str] = field(default_factory=set)
    """The points that were asked for."""

    def observe(self, settings: Sequence[Setting], batches: range) -> Array:
        """Cost and excesses of the settings in these batches, NaN where a point has none."""
        import numpy as np
        import polars as pl

        terms = Terms(self.scenario, (self.seed + batches.start) % 2**64, None, len(batches))
        plan = Plan(terms, Settings(self.axes, settings))
        if plan.hopeless and not (self.searching or self.ids):
            raise plan.hopeless
        if plan.ids - self.store.done:
            self.store.refuse_unwritable()
            run_left(plan, self.store, self.where, self.progress)
        self.ids |= plan.ids
        order = pl.DataFrame({"id": plan.named})
        wanted = ["id", "state", "reason", *dict.fromkeys(map(_stored, self.aim.columns))]
        rows = scan(self.store.directory).filter(pl.col("id").is_in(order["id"].unique().to_list())).select(wanted)
        frame = order.join(rows.collect(), on="id", how="left", maintain_order="left")
        self._note_reasons(settings, frame)
        shape = (len(settings), len(batches))
        known: dict[Knob | Column, Any] = {
            Knob(axis.key): np.array([[setting[at]] for setting in settings], dtype=float)
            for at, axis in enumerate(self.axes)
            if axis.kind != "text"
        }
        for column in self.aim.columns:
            flat = np.array(_values(frame, column), dtype=float)
            known[column] = flat.reshape(shape[::-1]).T  # the plan has all settings of a batch, then the next batch
        found = self.aim.of(known, shape)
        lost = (frame["state"] != DONE).to_numpy().reshape(shape[::-1]).T
        # A cost of knobs alone has a value though the point has none.
        return np.where(lost[:, :, None], math.nan, found)

    def _note_reasons(self, settings: Sequence[Setting], frame: polars.DataFrame) -> None:
        for at, (state, reason) in enumerate(frame.select("state", "reason").rows()):
            if state != DONE:
                self.reasons.setdefault(settings[at % len(settings)], f"{state}: {reason}")


def _stored(column: Column) -> str:
    return f"{HEADLINE}.{column.counter}" if column.table == HEADLINE else column.table


def _values(frame: polars.DataFrame, column: Column) -> list[float]:
    """The value of a column in each row of the frame; raises InputError where no row of its table has the name."""
    if column.table == HEADLINE:
        return [math.nan if value is None else value for value in frame[_stored(column)].to_list()]
    names = ENTITY[column.table].split()
    found: list[float] = []
    present: set[str] = set()
    for entities in frame[column.table].to_list():
        of = {" ".join(str(each[name]) for name in names): each[column.counter] for each in entities or ()}
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

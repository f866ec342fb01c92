"""Observations of settings, the search among very many of them, and the answer to a choice as data."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from slicewright._core import Scenario
from slicewright.explore.axes import Axis, Settings, Value
from slicewright.explore.expression import Column, Constraint, Expression, Knob, value
from slicewright.explore.places import Place
from slicewright.explore.points import DONE, HEADLINE, Plan, Terms
from slicewright.explore.selection import Observe, Rules, Selection, Standing
from slicewright.explore.store import Store, run_left, scan
from slicewright.run.tables import ENTITY
from slicewright.scenario.replay import Recording
from slicewright.statistics import Estimate, estimate, paired
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
    """A cost to minimise, and the constraints on it.

    >>> from slicewright.explore.expression import Number
    >>> Aim("1", Number(1.0), ()).columns
    []
    """

    text: str
    cost: Expression
    constraints: Sequence[Constraint]

    @property
    def scales(self) -> list[float]:
        """The size of each bound, of which tolerances and excesses are shares."""
        return [abs(constraint.bound) for constraint in self.constraints]

    @property
    def columns(self) -> list[Column]:
        """The columns of the store that it needs."""
        from slicewright.explore.expression import named

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


LOOK, BATCHES = 3, 10
"""Batches of every setting, and of one that is not pruned."""
_TOGETHER = 8
"""Settings that are proposed at once, whatever the number of threads, so that these change nothing."""
FINALISTS = 10
"""Settings that go on to the selection."""
_NEAREST = 3
"""The same where none keeps the constraints."""


def search(observer: Observer, observe: Callable[[Sequence[Setting]], Observe], trials: int) -> _Searched:
    """Propose settings by a tree-structured Parzen estimator (Optuna's `TPESampler`), observe them, and keep the best.

    A setting has 3 batches.  It has 10 unless its 95 % intervals say that it breaks a constraint, or that it costs more
    than the best one so far.  The same seed proposes the same
    settings.  Raises InputError without Optuna.
    """
    optuna = _optuna()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=observer.seed % 2**32))
    found = _Searched(observer.aim.scales)
    for start in range(0, trials, _TOGETHER):
        asked = [study.ask() for _ in range(min(_TOGETHER, trials - start))]
        settings = [tuple(_proposed(trial, axis) for axis in observer.axes) for trial in asked]
        found.look(list(dict.fromkeys(settings)), observe)
        for trial, setting in zip(asked, settings, strict=True):
            columns = found.estimates(setting)
            if any(math.isnan(column.mean) for column in columns):
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
                continue
            for number, excess in enumerate(columns[1:]):
                trial.set_constraint(str(number), excess.mean)
            study.tell(trial, columns[0].mean)
    return found


class _Searched:
    """The settings that were proposed, and their observations."""

    def __init__(self, scales: Sequence[float]) -> None:
        self.scales = scales
        self.rows: dict[Setting, Any] = {}
        """By setting: batches x columns."""
        self.pruned: set[Setting] = set()

    def look(self, settings: Sequence[Setting], observe: Callable[[Sequence[Setting]], Observe]) -> None:
        """Observe settings: a few batches of each, and more of those that may be the best."""
        import numpy as np

        new = [setting for setting in settings if setting not in self.rows]
        if not new:
            return
        seen = observe(new)(range(len(new)), range(LOOK))
        self.rows |= dict(zip(new, seen, strict=True))
        limit = min((self.estimates(each)[0].high for each in self.rows if self._keeps(each)), default=math.inf)
        self.pruned |= {each for each in new if not self._may_win(each, limit)}
        left = [each for each in new if each not in self.pruned]
        if left:
            more = observe(left)(range(len(left)), range(LOOK, BATCHES))
            for setting, rows in zip(left, more, strict=True):
                self.rows[setting] = np.concatenate([self.rows[setting], rows])

    def estimates(self, setting: Setting) -> list[Estimate]:
        """Cost and excesses with their intervals; NaN where a batch has none."""
        rows = self.rows[setting]
        return [
            estimate(column) if all(map(math.isfinite, column)) else Estimate(math.nan, math.nan, 0)
            for column in rows.T.tolist()
        ]

    def finalists(self) -> list[Setting]:
        """The settings of least cost whose intervals do not break a constraint; without any, those that break least."""
        known = {each: self.estimates(each) for each in self.rows}
        known = {each: columns for each, columns in known.items() if not math.isnan(columns[0].mean)}
        open_ones = [each for each in known if each not in self.pruned]
        if open_ones:
            return sorted(open_ones, key=lambda each: known[each][0].mean)[:FINALISTS]
        return sorted(known, key=lambda each: worst(known[each][1:], self.scales))[:_NEAREST]

    def _keeps(self, setting: Setting) -> bool:
        cost, *excesses = self.estimates(setting)
        return not math.isnan(cost.mean) and all(excess.high <= 0 for excess in excesses)

    def _may_win(self, setting: Setting, limit: float) -> bool:
        cost, *excesses = self.estimates(setting)
        return not math.isnan(cost.mean) and cost.low <= limit and all(excess.low <= 0 for excess in excesses)


def worst(excesses: Sequence[Estimate], scales: Sequence[float]) -> float:
    """The largest excess over a bound, as a share of it.

    >>> worst([Estimate(1.0, 0.1, 10), Estimate(1.0, 0.1, 10)], [2.0, 10.0])
    0.5
    """
    return max((excess.mean / scale for excess, scale in zip(excesses, scales, strict=True)), default=0.0)


def _proposed(trial: Any, axis: Axis) -> Any:
    if not axis.values:
        return axis.at((trial.suggest_float(axis.key, axis.low, axis.high) - axis.low) / (axis.high - axis.low))
    if axis.kind == "text":
        return trial.suggest_categorical(axis.key, axis.values)
    return sorted(axis.values)[trial.suggest_int(axis.key, 0, len(axis.values) - 1)]


def _optuna() -> Any:
    """Optuna, an optional extra."""
    try:
        import optuna
    except ModuleNotFoundError:
        remedy = "pip install 'slicewright[optuna]', or give fewer values, so that every setting is compared"
        raise refusal(problem("Optuna is not installed", key="knob", remedy=remedy)) from None
    return optuna


@dataclass(frozen=True, slots=True)
class Candidate:
    """A setting, what was observed of it, and what became of it."""

    values: Setting
    standing: Standing
    cost: Estimate
    measured: Sequence[Estimate]
    """Of each constraint the value of its expression."""
    excesses: Sequence[Estimate]
    """The same over the bounds; negative where a constraint is met."""
    costs: Sequence[float]
    """By batch, so that settings can be compared batch by batch."""
    reason: str = ""

    @property
    def seems_feasible(self) -> bool:
        """Whether its means keep all constraints.

        >>> Candidate((), Standing.OPEN, Estimate(1.0, 0.1, 10), [], [], []).seems_feasible
        True
        """
        return math.isfinite(self.cost.mean) and all(excess.mean <= 0 for excess in self.excesses)


@dataclass(frozen=True, slots=True)
class Answer:
    """The question, every setting that was observed, and the one that was chosen."""

    name: str
    aim: Aim
    axes: Sequence[Axis]
    rules: Rules
    selection: Selection
    candidates: Sequence[Candidate]
    searched: bool
    points: int
    """Points of the store that the answer rests on."""
    seed: int
    readings: Mapping[str, Candidate] = field(default_factory=dict)
    """The setting that was chosen under each reading that a fit left; empty where the scenario is the only one."""

    @property
    def chosen(self) -> Candidate | None:
        """The setting that was chosen."""
        return next((each for each in self.candidates if each.standing is Standing.CHOSEN), None)

    @property
    def runner_up(self) -> Candidate | None:
        """The setting of next higher cost among those whose means keep all constraints."""
        kept = (Standing.DEARER, Standing.OPEN)
        others = [each for each in self.candidates if each.standing in kept and each.seems_feasible]
        return min(others, key=lambda each: each.cost.mean, default=None)

    @property
    def difference(self) -> Estimate | None:
        """How much more the runner-up costs, batch by batch."""
        chosen, other = self.chosen, self.runner_up
        if chosen is None or other is None:
            return None
        common = min(len(chosen.costs), len(other.costs))
        return paired(chosen.costs[:common], other.costs[:common])

    @property
    def refused_nearest(self) -> Candidate | None:
        """The cheaper setting, nearest in cost, that breaks a constraint: the constraint that binds."""
        chosen = self.chosen
        cheaper = [
            each
            for each in self.candidates
            if chosen and each.standing is Standing.BROKEN and each.cost.mean < chosen.cost.mean
        ]
        return max(cheaper, key=lambda each: each.cost.mean, default=None)

    @property
    def nearest(self) -> Candidate | None:
        """The setting that breaks its constraints least, as a share of their bounds."""
        known = [each for each in self.candidates if math.isfinite(each.cost.mean)]
        scales = self.aim.scales
        return min(known, key=lambda each: worst(each.excesses, scales), default=None)


def answered(
    observer: Observer,
    settings: Sequence[Setting],
    selection: Selection,
    rules: Rules,
    searched: _Searched | None = None,
) -> Answer:
    """The answer of a selection among settings, and of the search before it."""
    aim = observer.aim
    made = []
    for setting, standing, rows in zip(settings, selection.standings, selection.observed, strict=True):
        made.append(candidate(observer, setting, standing, rows.T.tolist()))
    if searched is not None:
        others = [each for each in searched.rows if each not in set(settings)]
        made += [
            candidate(observer, each, _of_search(searched, each), searched.rows[each].T.tolist()) for each in others
        ]
    name, axes = observer.scenario.name, observer.axes
    return Answer(name, aim, axes, rules, selection, made, searched is not None, len(observer.ids), observer.seed)


def candidate(observer: Observer, setting: Setting, standing: Standing, columns: Sequence[list[float]]) -> Candidate:
    """A setting with the estimates of what was observed, a column of batches each."""
    costs, *excesses = columns
    over = [_whole(column) for column in excesses]
    measured = [
        Estimate(constraint.bound + (1 if constraint.comparison == "<=" else -1) * each.mean, each.half_width,
                 each.replications)
        for constraint, each in zip(observer.aim.constraints, over, strict=True)
    ]  # fmt: skip
    reason = observer.reasons.get(setting, "")
    if standing is Standing.FAILED and not reason:
        reason = "a batch has no value of the cost or of a constraint, such as a mean of nothing or a division by 0"
    return Candidate(setting, standing, _whole(costs), measured, over, costs, reason)


def _whole(values: Sequence[float]) -> Estimate:
    """The estimate over batches; none where a batch has no value."""
    if all(map(math.isfinite, values)):
        return estimate(values)
    return Estimate(math.nan, math.nan, 0)


def _of_search(searched: _Searched, setting: Setting) -> Standing:
    cost, *excesses = searched.estimates(setting)
    if math.isnan(cost.mean):
        return Standing.FAILED
    return Standing.BROKEN if any(excess.low > 0 for excess in excesses) else Standing.SEARCHED

"""Yields compared: as it is now, then over contention, then under each reading; and which to choose."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

import numpy as np

from slicewright._core import InputError, Scenario
from slicewright.advise.answer import Answer, Case, Point, Reading, readings_of
from slicewright.advise.constants import GIVEN, OPEN, Constant, Variation, constants_where, variations_of
from slicewright.advise.controlled import Controlled, controlled
from slicewright.advise.controlled import constants as of_control_program
from slicewright.advise.controlled import variations as of_costs
from slicewright.advise.yields.yielding import (
    MOST_PROCESSORS,
    NEVER,
    SENSE,
    X9C,
    X44,
    YIELDS,
    Asked,
    On,
    Yielding,
    everywhere,
    wanted,
)
from slicewright.experiment.outcome import Array, Outcome, Table, columns, rows
from slicewright.experiment.paired import below, beyond, known
from slicewright.experiment.simulations import Simulations
from slicewright.report.forms import Span
from slicewright.run.yield_budget import Budget, DiagnoseCosts, budget, gain, held, saved
from slicewright.scenario.view import SpinLock, View, VirtualMachine
from slicewright.statistics import Estimate, estimate


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of virtual machine that has spin locks: virtual processors of each, its yields, the order of its locks."""

    name: str
    virtual_processors: int
    yields: str
    locks: tuple[str, ...]
    orders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Locked:
    """A partition, its kinds with spin locks, and whose programs are counted."""

    controlled: Controlled
    kinds: tuple[_Kind, ...]
    costs: DiagnoseCosts
    starting: str
    """The guests whose programs are counted; "" where several begin by themselves, and no sum means anything."""

    @property
    def name(self) -> str:
        """The partition's name."""
        return self.controlled.name

    @property
    def processors(self) -> int:
        """Logical processors of now."""
        return self.controlled.now.processors

    @property
    def virtual_processors(self) -> int:
        """Of all virtual machines, those without locks too."""
        return self.controlled.virtual_processors

    @property
    def each(self) -> float:
        """Virtual processors per logical one."""
        return self.virtual_processors / self.processors

    @property
    def yields(self) -> Yielding:
        """How its guests yield now."""
        return Yielding(tuple((kind.name, kind.yields) for kind in self.kinds))

    @property
    def names(self) -> tuple[str, ...]:
        """The kinds by name."""
        return tuple(kind.name for kind in self.kinds)


def locked(view: View) -> tuple[Locked, ...]:
    """Every partition with a control program whose guests have spin locks, in the order of the scenario."""
    found = (_locked(view, partition) for partition in controlled(view))
    return tuple(partition for partition in found if partition.kinds)


def constants(scenario: Scenario, partition: Locked) -> tuple[Constant, ...]:
    """Those of a partition's control program and caches, of DIAGNOSEs, and of how its guests spin."""
    kinds = "|".join(map(re.escape, partition.names))
    program = rf"partition\.{re.escape(partition.name)}\.control_program\."
    wanted = re.compile(
        rf"virtual_machine\.(?:{kinds})\.spin_(?:try|retry)|{program}(?:soft_wait|costs\.(?:fast_x44|x44|x9c|sense))"
    )
    spun = constants_where(scenario, lambda one: one.role in OPEN and wanted.fullmatch(one.key) is not None)
    return (*of_control_program(scenario, partition.controlled), *spun)


def variations(found: Sequence[Constant]) -> list[Variation]:
    """What they may be as well: as for polarization, and a try that takes half or twice as long.

    >>> one = Constant("virtual_machine.LINUX.spin_try", "8 ns", "assumed", "")
    >>> [(one.name, one.changes) for one in variations([one])]
    [('tries-shorter', ('virtual_machine.LINUX.spin_try="4 ns"',)), ...]
    """
    tries = [constant for constant in found if constant.key.endswith(".spin_try")]
    kinds = (
        ("tries-shorter", "an attempt to take a lock takes half as long", tries, 0.5),
        ("tries-longer", "an attempt to take a lock takes twice as long", tries, 2.0),
    )
    return [*of_costs(found), *variations_of(kinds)]


def _locked(view: View, one: Controlled) -> Locked:
    locks: dict[str, list[SpinLock]] = {}
    for lock in view.spin_locks:
        locks.setdefault(lock.virtual_machine, []).append(lock)
    machines = [kind for kind in view.virtual_machines if kind.name in locks and kind.partition == one.name]
    costs = view.partition(one.name).program.costs
    spent = DiagnoseCosts(*(1e6 * cost_s for cost_s in (costs.fast_x44_s, costs.x44_s, costs.x9c_s)))
    starting = [guest.name for guest in view.guests if guest.name in one.guests and guest.arrives is None]
    kinds = tuple(_kind(machine, locks[machine.name]) for machine in machines)
    return Locked(one, kinds, spent, starting[0] if len(starting) == 1 else "")


def _kind(machine: VirtualMachine, locks: list[SpinLock]) -> _Kind:
    assert machine.yields is not None, "advise computes it for spin locks"
    orders = dict.fromkeys(lock.order for lock in locks)
    names = tuple(lock.name for lock in locks)
    return _Kind(machine.name, machine.virtual_processors, machine.yields, names, tuple(orders))


_CONTROL = (
    "total_percent", "guests_percent", "chargeable_cp_percent", "nonchargeable_cp_percent", "work_percent", "tv_ratio",
    "unparked", "dispatches_per_s", "moved_percent", "ready", "spinning_percent", "x44_per_s", "fast_x44_per_s",
    "fast_x44_percent", "x9c_per_s", "x9c_yielded_per_s", "x9c_not_ready_per_s", "x9c_wait_per_s",
    "x9c_soft_wait_per_s", "x9c_dispatched_per_s", "sensed_per_s", "diagnoses_per_s", "vector_empty_percent",
    "vector_depth",
)  # fmt: skip
"""Of the table of control programs."""
_SUMMED = ("taken_per_s", "contended_per_s", "spinning")
_LOCKS = (*_SUMMED, "wait_us", "held_us", "longest_wait_ms")
"""Of the table of spin locks: sums over machines, means per contended taking and per taking, the longest of all."""


@dataclass(frozen=True, slots=True)
class Measured(Outcome):
    """Columns, all locks of the partition as one, and the budget of its processors.

    `programs_per_s` is NaN where several guests begin by themselves; `contended_percent` the share of acquisitions that
    spun.  The throughput of the budget is work: programs take as much under any yield, but stray with their draws.
    """

    budget: Budget = field(kw_only=True)


def measured(partition: Locked, scenario: Scenario, tables: Mapping[str, Table]) -> Measured:
    """The measurements of one control program, its locks and its guests."""
    count = int(scenario.measure["replications"])
    found = columns(tables["control_programs"], {"partition": partition.name}, _CONTROL, count)
    names = [(kind.name, lock) for kind in partition.kinds for lock in kind.locks]
    found |= _overall([_lock(tables["spin_locks"], (partition.name, *name), count) for name in names])
    found["held"] = held(found["taken_per_s"], found["held_us"])
    own = {"guest": partition.starting}
    found["programs_per_s"] = columns(tables["guests"], own, ("cycles_per_s",), count)["cycles_per_s"]
    processors = scenario.view.partition(partition.name).logical_processors
    spent = budget(found, found["work_percent"], partition.costs, processors)
    return Measured(found, scenario.resolved, budget=spent)


def _lock(table: Table, name: tuple[str, str, str], count: int) -> dict[str, Array]:
    """A kind's lock (partition, kind, lock) summed over all its machines; times weighed by their events."""
    made = {column: np.zeros(count) for column in _LOCKS}
    for row in rows(table, dict(zip(("partition", "virtual_machine", "lock"), name, strict=True))):
        at = int(table["replication"][row])
        value = {column: float(table[column][row] or 0.0) for column in _LOCKS}
        value["wait_us"] *= value["contended_per_s"]
        value["held_us"] *= value["taken_per_s"]
        for column in (*_SUMMED, "wait_us", "held_us"):
            made[column][at] += value[column]
        made["longest_wait_ms"][at] = max(made["longest_wait_ms"][at], value["longest_wait_ms"])
    return made


def _overall(locks: Sequence[Mapping[str, Array]]) -> dict[str, Array]:
    """All locks of a partition as one."""
    made = {name: np.sum([lock[name] for lock in locks], axis=0) for name in (*_SUMMED, "wait_us", "held_us")}
    made["longest_wait_ms"] = np.max([lock["longest_wait_ms"] for lock in locks], axis=0)
    return _means(made)


def _means(made: Mapping[str, Array]) -> dict[str, Array]:
    taken, contended = made["taken_per_s"], made["contended_per_s"]
    return dict(made) | {
        "wait_us": _over(made["wait_us"], contended), "held_us": _over(made["held_us"], taken),
        "contended_percent": _over(100 * contended, taken),
    }  # fmt: skip


def _over(sums: Array, counts: Array) -> Array:
    return np.asarray(np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0))


_CONTENDED_PERCENT = 0.1
"""ASSUME: below this share of acquisitions that had to spin, locks are not contended."""
_FAST_PERCENT = 99.0
"""ASSUME: from this share on practically all X'44' are fast."""


class Why(Enum):
    """Why no gain is to be expected."""

    ALONE = "alone"
    """One virtual processor in each machine: each task finds its lock free."""
    ROOM = "room"
    """As many processors as virtual processors: the holder of a lock runs, and no virtual processor waits for one."""
    UNCONTENDED = "uncontended"
    """Measured: almost no task has to spin."""
    FAST = "fast"
    """Measured: practically all X'44' are fast: no virtual processor waits in the vectors."""


class Gains(Enum):
    """The gains in the simulated runs."""

    NONE = "none"
    """Every interval lies within what counts as no difference."""
    OPEN = "open"
    """Noise leaves open whether one does."""
    SOME = "some"
    """One does not, beyond noise."""


@dataclass(frozen=True, slots=True)
class Contention:
    """Why nothing is to be expected of yields, if so, and what was measured; of one number of processors.

    `most`: the difference that is farthest from none, interval included, and whose it is.

    >>> Contention((), Gains.OPEN, Estimate(0.2, 1.4, 4), Estimate(99.5, 0.1, 4), Estimate(0.5, 0.1, 4)).expected
    True
    """

    why: tuple[Why, ...]
    gains: Gains
    most: Estimate
    fast_percent: Estimate
    contended_percent: Estimate

    @property
    def expected(self) -> bool:
        """Whether a gain may be expected."""
        return not self.why


def contention(
    partition: Locked, processors: int, trials: Mapping[Yielding, Measured], gains: Sequence[Estimate], least: float
) -> Contention:
    """The gain to expect on `processors`, from trials of some yields and their gains over each other.

    DIAGNOSE X'9C' gains nothing without processor contention, nor over fast X'44' (z/VM 5.3 report, Diagnose X'9C'
    Support).  Shares are tested: their intervals have to lie on their side of what counts as none, or as all.
    """
    contended = [known(trial.columns["contended_percent"]) for trial in trials.values()]
    most_contended = max(contended, key=_high, default=estimate([]))
    fast = next(
        (known(trial.columns["fast_x44_percent"]) for key, trial in trials.items() if key.alike == X44), estimate([])
    )
    taken = any(trial.mean("taken_per_s") > 0 for trial in trials.values())
    why = []
    if all(kind.virtual_processors == 1 for kind in partition.kinds):
        why.append(Why.ALONE)
    if processors >= partition.virtual_processors and not partition.controlled.shares:
        why.append(Why.ROOM)
    if not taken or _high(most_contended) < _CONTENDED_PERCENT:
        why.append(Why.UNCONTENDED)
    if fast.replications and fast.mean - _noise(fast) >= _FAST_PERCENT:
        why.append(Why.FAST)
    most = max(gains, key=lambda gain: abs(gain.mean) + _noise(gain), default=Estimate(0.0, 0.0, 0))
    return Contention(tuple(why), _gains(gains, least), most, fast, most_contended)


def _gains(gains: Sequence[Estimate], least: float) -> Gains:
    if any(abs(gain.mean) - _noise(gain) > least for gain in gains):
        return Gains.SOME
    return Gains.NONE if all(abs(gain.mean) + _noise(gain) <= least for gain in gains) else Gains.OPEN


def _noise(value: Estimate) -> float:
    return value.half_width if math.isfinite(value.half_width) else math.inf


def _high(value: Estimate) -> float:
    return value.mean + (value.half_width if math.isfinite(value.half_width) else 0.0) if value.replications else 0.0


_STEPS = (0.5, 0.75, 1.0, 1.5, 2.0)
"""Processors that are looked at, times those of now; and as many as there are virtual ones, up to _FARTHEST times."""
_FEW_STEPS = (0.5, 1.0, 2.0)
"""The same where a point takes long."""
_FARTHEST = 6.0
_READING_RUNS = 4
"""Replications of a reading's constants."""
_FEW_RUNS, _FEW_READINGS = 2, 4
"""The same where a point takes long."""
_PREFERRED = (X44, X9C, SENSE, NEVER, None)
"""Of yields that do the same: the one that most guests know and most hypervisors answer; a mixture last."""

YieldPoint = Point[On]
"""Differences: `gain` over X'44' everywhere and `from_now`, in percent; parts are what the gain is made of."""
_Trials = Mapping[Yielding, Measured]


@dataclass(frozen=True, slots=True)
class Row:
    """One number of processors: virtual processors for each, a point per yield, and what is to be expected there."""

    processors: int
    each: float
    points: tuple[YieldPoint, ...]
    contention: Contention

    def point(self, yielding: Yielding) -> YieldPoint | None:
        """The point of some yields, if there is one."""
        return next((point for point in self.points if point.variant.yielding == yielding), None)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Rows by processors, fewest first; what gains are over, and whose gain is compared."""

    rows: tuple[Row, ...]
    base: Yielding
    """X'44' everywhere, over which gains are."""
    compared: Yielding
    """Those whose gain readings are about: the recommended ones, or X'9C'."""
    asked: tuple[Yielding, ...]
    asked_processors: tuple[int, ...]
    skipped: tuple[str, ...] = ()
    """Numbers of processors that could not be simulated, each with the reason."""

    @property
    def none_from(self) -> Row | None:
        """From where on, with more processors, nothing is to be expected; None where that was not reached."""
        found = None
        for row in reversed(self.rows):
            if row.contention.expected:
                break
            found = row
        return found


YieldAnswer = Answer[Locked, On, Evidence]


def here(answer: YieldAnswer) -> Row:
    """The row of now."""
    return next(row for row in answer.evidence.rows if row.processors == answer.now.processors)


def points_of(answer: YieldAnswer, yielding: Yielding) -> list[YieldPoint]:
    """The points of some yields, fewest processors first."""
    return [point for row in answer.evidence.rows if (point := row.point(yielding)) is not None]


def asked_for(partition: Locked, at: Sequence[Asked]) -> list[On]:
    """Yields that are asked for on the processors of now, then numbers of processors under the yields of now."""
    yields = [
        On(wanted(partition.yields, request), partition.processors) for request in at if request.processors is None
    ]
    return [
        *dict.fromkeys(yields),
        *(On(partition.yields, request.processors) for request in at if request.processors is not None),
    ]


def explore(case: Case[Locked, On], simulations: Simulations[On, Measured]) -> YieldAnswer:
    """Simulate every yield worth a look, then over contention and under each reading; raises InputError, RunError."""
    partition, least, now = case.subject, case.request.knobs["least"], case.now.yielding
    base, x9c = (everywhere(partition.names, name) for name in (X44, X9C))
    counts_asked = [request.processors for request in case.request.at if request.processors is not None]
    asked = [wanted(partition.yields, request) for request in case.request.at if request.processors is None]
    yieldings = list(dict.fromkeys([*(everywhere(partition.names, name) for name in YIELDS), now, *asked]))
    times = _FEW_STEPS if simulations.dear else _STEPS
    counts = sorted({*steps(partition.processors, partition.virtual_processors, times), *counts_asked})
    others = variations(case.constants)[: _FEW_READINGS if simulations.dear else None]
    runs = simulations.plan.replications
    simulations.expect(len(counts) * len(yieldings) * runs + 3 * _READING_RUNS * len(others))
    trials = {yielding: simulations.at(On(yielding, partition.processors)) for yielding in yieldings}
    chosen = choose(trials, now, least)
    compared = chosen if chosen != base else x9c
    readings = _readings(simulations, others, (chosen, compared, base, now), case)
    rows, skipped = [], []
    for count in counts:
        few = [base, x9c, chosen, now, *asked] if simulations.dear else yieldings
        shown = yieldings if count == partition.processors else list(dict.fromkeys(few))
        try:
            row = _row(simulations, [On(yielding, count) for yielding in shown], case)
        except InputError as error:
            if count in counts_asked:
                raise
            skipped.append(f"{count}: {error.problems[0]['what'] if error.problems else error}")
            continue
        rows.append(_with_range(row, compared, readings) if count == partition.processors else row)
    same = alike(trials, chosen, least)
    nothing = chosen == now and set(trials) - {chosen} <= set(same)
    reason = f"no yield differs from {now.words()} in throughput by more than noise and {least:g} %"
    return Answer(
        case, simulations.plan,
        Evidence(tuple(rows), base, compared, tuple(dict.fromkeys(asked)), tuple(counts_asked), tuple(skipped)),
        tuple(point for row in rows for point in row.points), None if nothing else On(chosen, partition.processors),
        reason if nothing else "", tuple(On(yielding, partition.processors) for yielding in same), readings,
        _meeting(rows, chosen, case),
    )  # fmt: skip


def choose(trials: _Trials, now: Yielding, least: float) -> Yielding:
    """The yields of now, unless others have more throughput; of those alike to the best, the usual one."""
    able = [yielding for yielding in trials if beyond(gain(trials[now].budget, trials[yielding].budget), least)]
    if not able:
        return now
    most = max(able, key=lambda one: trials[one].mean("work_percent"))
    able = [yielding for yielding in able if not below(gain(trials[most].budget, trials[yielding].budget), least)]
    return min(able, key=lambda one: (_PREFERRED.index(one.alike), one.distance(now)))


def alike(trials: _Trials, chosen: Yielding, least: float) -> tuple[Yielding, ...]:
    """Others whose difference from the chosen one does not exceed noise and `least`."""
    found = {
        yielding: gain(trials[chosen].budget, trial.budget) for yielding, trial in trials.items() if yielding != chosen
    }
    return tuple(yielding for yielding, value in found.items() if not (beyond(value, least) or below(value, least)))


def steps(now: int, virtual: int, times: Sequence[float] = _STEPS) -> list[int]:
    """Numbers of processors to look at: some each way, none more than there are virtual ones.

    >>> steps(9, 210), steps(4, 10), steps(4, 3)
    ([5, 7, 9, 14, 18], [2, 3, 4, 6, 8, 10], [2, 3, 4])
    """
    most = min(virtual, MOST_PROCESSORS)
    found = {max(1, math.ceil(factor * now)) for factor in times}
    found = {now, *(count for count in found if count <= most or count < now)}
    if now < most <= _FARTHEST * now:
        found.add(most)
    return sorted(found)


def _row(simulations: Simulations[On, Measured], variants: Sequence[On], case: Case[Locked, On]) -> Row:
    partition, count = case.subject, variants[0].processors
    base = everywhere(partition.names, X44)
    trials = {on.yielding: simulations.at(on) for on in variants}
    beside = trials[base], trials[case.now.yielding]
    points = tuple(_point(on, trials[on.yielding], beside) for on in variants)
    gains = [point.differences["gain"] for point in points if point.variant.yielding != base]
    expected = contention(partition, count, trials, gains, case.request.knobs["least"])
    return Row(count, partition.virtual_processors / count, points, expected)


def _point(variant: On, trial: Measured, beside: tuple[Measured, Measured]) -> YieldPoint:
    base, now = beside
    found = {name: known(values) for name, values in trial.columns.items()}
    gains = {"gain": gain(base.budget, trial.budget), "from_now": gain(now.budget, trial.budget)}
    return Point(variant, found, gains, saved(base.budget, trial.budget), text=trial.text)


def _with_range(row: Row, compared: Yielding, readings: Sequence[Reading[On]]) -> Row:
    """The row with the range over readings of the gain that is compared."""
    between = [reading.gain.mean for reading in readings if reading.chosen is not None]
    if len(between) < 2:
        return row
    ranges = {"gain": Span(min(between), max(between))}
    points = [replace(point, ranges=ranges) if point.variant.yielding == compared else point for point in row.points]
    return replace(row, points=tuple(points))


def _readings(
    simulations: Simulations[On, Measured],
    others: Sequence[Variation],
    settings: tuple[Yielding, Yielding, Yielding, Yielding],
    case: Case[Locked, On],
) -> tuple[Reading[On], ...]:
    """The yields chosen under each reading, and their gain; settings: chosen, compared, base, now."""
    chosen, compared, base, _ = settings
    count = case.now.processors

    def judge(trials: Mapping[On, Measured]) -> tuple[On, Estimate]:
        by_yield = {on.yielding: trial for on, trial in trials.items()}
        held = choose(by_yield, chosen, case.request.knobs["least"])
        return On(held, count), gain(by_yield[base].budget, by_yield[compared].budget)

    runs = _FEW_RUNS if simulations.dear else min(_READING_RUNS, simulations.plan.replications)
    variants = [On(yielding, count) for yielding in dict.fromkeys(settings)]
    return tuple(reading for reading, _ in readings_of(simulations, [GIVEN, *others], variants, judge, runs))


def _meeting(rows: Sequence[Row], chosen: Yielding, case: Case[Locked, On]) -> tuple[On, ...]:
    """The fewest processors on which some yields meet the target, the chosen ones if they do; none where none do."""
    target = case.request.target
    for row in rows if target else ():
        assert target is not None
        met = [point.variant for point in row.points if target.met(point.means)]
        if met:
            return (next((on for on in met if on.yielding == chosen), met[0]),)
    return ()

"""Yields compared: every yield as it is now, then over contention, then under each reading; and which to choose."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from slicewright._core import InputError
from slicewright.advise.answer import Answer, Case, Point, Reading, readings_of
from slicewright.advise.constants import GIVEN, Variation
from slicewright.advise.yields.contention import Contention, contention
from slicewright.advise.yields.locked import Locked, variations
from slicewright.advise.yields.measured import Measured
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
)  # fmt: skip
from slicewright.experiment.paired import below, beyond, known
from slicewright.experiment.simulations import Simulations
from slicewright.report.forms import Span
from slicewright.run.yield_budget import gain, saved
from slicewright.statistics import Estimate

SHOWN = (
    "work_percent", "programs_per_s", "total_percent", "guests_percent", "spinning_percent", "chargeable_cp_percent",
    "nonchargeable_cp_percent", "dispatches_per_s", "moved_percent", "ready", "unparked", "vector_empty_percent",
    "vector_depth", "x44_per_s", "fast_x44_per_s", "fast_x44_percent", "x9c_per_s", "x9c_yielded_per_s",
    "x9c_not_ready_per_s", "x9c_wait_per_s", "x9c_soft_wait_per_s", "x9c_dispatched_per_s", "sensed_per_s",
    "diagnoses_per_s", "taken_per_s", "contended_per_s", "contended_percent", "wait_us", "longest_wait_ms", "held_us",
    "spinning",
)  # fmt: skip
"""Columns of the curve; 100 % is one processor, but for shares."""
STEPS = (0.5, 0.75, 1.0, 1.5, 2.0)
"""Processors that are looked at, times those of now; and as many as there are virtual ones, up to FARTHEST times."""
FEW_STEPS = (0.5, 1.0, 2.0)
"""The same where a point takes long."""
FARTHEST = 6.0
READING_RUNS = 4
"""Replications of a reading's constants."""
FEW_RUNS, FEW_READINGS = 2, 4
"""The same where a point takes long."""
PREFERRED = (X44, X9C, SENSE, NEVER, None)
"""Of yields that do the same: the one that most guests know and most hypervisors answer; a mixture last."""

YieldPoint = Point[On]
"""Differences: `gain` over X'44' everywhere and `from_now`, in percent; parts are what the gain is made of."""
Trials = Mapping[Yielding, Measured]


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
    """Simulate every yield worth a look, then over contention and under each reading; raises InputError, RunError.

    >>> from slicewright.advise.yields.example import explored
    >>> [point.variant.words() for point in explored().evidence.rows[1].points]
    ['never', "X'44'", "X'9C'", 'sense-running']
    """
    partition, least, now = case.subject, case.request.knobs["least"], case.now.yielding
    base, x9c = (everywhere(partition.names, name) for name in (X44, X9C))
    counts_asked = [request.processors for request in case.request.at if request.processors is not None]
    asked = [wanted(partition.yields, request) for request in case.request.at if request.processors is None]
    yieldings = list(dict.fromkeys([*(everywhere(partition.names, name) for name in YIELDS), now, *asked]))
    times = FEW_STEPS if simulations.dear else STEPS
    counts = sorted({*steps(partition.processors, partition.virtual_processors, times), *counts_asked})
    others = variations(case.constants)[: FEW_READINGS if simulations.dear else None]
    runs = simulations.plan.replications
    simulations.expect(len(counts) * len(yieldings) * runs + 3 * READING_RUNS * len(others))
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


def choose(trials: Trials, now: Yielding, least: float) -> Yielding:
    """The yields of now, unless others have more throughput; of those alike to the best, the usual one."""
    able = [yielding for yielding in trials if beyond(gain(trials[now].budget, trials[yielding].budget), least)]
    if not able:
        return now
    most = max(able, key=lambda one: trials[one].mean("work_percent"))
    able = [yielding for yielding in able if not below(gain(trials[most].budget, trials[yielding].budget), least)]
    return min(able, key=lambda one: (PREFERRED.index(one.alike), one.distance(now)))


def alike(trials: Trials, chosen: Yielding, least: float) -> tuple[Yielding, ...]:
    """Others whose difference from the chosen one does not exceed noise and `least`."""
    found = {
        yielding: gain(trials[chosen].budget, trial.budget) for yielding, trial in trials.items() if yielding != chosen
    }
    return tuple(yielding for yielding, value in found.items() if not (beyond(value, least) or below(value, least)))


def steps(now: int, virtual: int, times: Sequence[float] = STEPS) -> list[int]:
    """Numbers of processors to look at: some each way, none more than there are virtual ones.

    >>> steps(9, 210), steps(4, 10), steps(4, 3)
    ([5, 7, 9, 14, 18], [2, 3, 4, 6, 8, 10], [2, 3, 4])
    """
    most = min(virtual, MOST_PROCESSORS)
    found = {max(1, math.ceil(factor * now)) for factor in times}
    found = {now, *(count for count in found if count <= most or count < now)}
    if now < most <= FARTHEST * now:
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
    found = {name: known(trial.columns[name]) for name in SHOWN}
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

    runs = FEW_RUNS if simulations.dear else min(READING_RUNS, simulations.plan.replications)
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

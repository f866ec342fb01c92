"""An answer about slices built from readings: curve, devices, partitions, recommendation, and what is to be warned of.

The callers find the readings, and print the answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from slicewright._core import Scenario
from slicewright.advise.slices.answer import DeviceLine, DomainLine, SliceAnswer, SliceReading
from slicewright.advise.slices.least import Lengths, Prices, cheapest
from slicewright.advise.slices.machine import RUNS_MS, Machine
from slicewright.advise.slices.measured import at_slice, measured
from slicewright.advise.slices.request import SWITCH_MS, SWITCHES_MS, SliceRequest
from slicewright.advise.slices.room import Growing, domain_lines
from slicewright.advise.slices.words import caveats, heading, warnings
from slicewright.advise.source import grown
from slicewright.errors import problem, refusal
from slicewright.experiment.plan import Plan
from slicewright.experiment.progress import Progress, silent, waiting
from slicewright.experiment.simulations import SEED
from slicewright.experiment.store import warm_up_of
from slicewright.io.numerals import in_scenario
from slicewright.scenario.sharing import PARAMETERS, parameter_slice_ms

REPLICATIONS = 10
IOS = 40_000
"""I/Os simulated for one point of a curve, if that takes twenty seconds of simulated time; else at most MOST_IOS."""
MOST_IOS = 100_000
TRIAL = Plan(5.0, 1.0, 2)

Grow = Callable[[float], Scenario]


@dataclass(frozen=True, slots=True)
class Case:
    """One reading: the scenario with its load in words, and why it does not fit the evidence, if so.

    >>> from slicewright.advise.slices.machine import example
    >>> Case("given", "as the scenario has it", example()).why
    ''
    """

    name: str
    load: str
    scenario: Scenario
    why: str = ""
    grow: Grow | None = None
    """The scenario with demand multiplied by a factor; None: by its populations and rates."""

    def grown(self, factor: float) -> Scenario:
        """The scenario with demand multiplied by `factor`; raises InputError.

        >>> from slicewright.advise.slices.machine import example
        >>> Case("given", "", example()).grown(2.0).view.guests[0].count
        16
        """
        return self.grow(factor) if self.grow and factor != 1 else grown(self.scenario, factor)


@dataclass(frozen=True, slots=True)
class Given:
    """The input of an answer; the first case is the main one.

    `now` says whether the slice of the cases is that of today, `switch_told` whether the time of a switch is given.
    """

    files: tuple[str, ...]
    what: str
    cases: tuple[Case, ...]
    now: bool
    switch_told: bool
    facts: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    headroom: bool = False
    busy: tuple[str, ...] | None = None
    """The partitions whose CPU time is known; None: all of them."""
    reason: str = ""
    """Why nothing is recommended; empty where something is."""


def build(
    given: Given, machine: Machine, question: SliceRequest, progress: Callable[[float], None] = lambda share: None
) -> SliceAnswer:
    """The answer; raises InputError when growth leaves no scenario that runs, RunError when one cannot go on.

    >>> from slicewright.advise.slices.example import advice
    >>> advice().recommendation.parameter
    5
    """
    switch_ms, assumed = _switch(given, machine, question)
    cases = [case for case in given.cases if not case.why] or list(given.cases[:1])
    readings = []
    for case in cases:
        scenario = case.grown(question.growth)
        plan = plan_of(scenario, machine, waiting(progress))
        rates = _rates(scenario, machine, plan)
        readings.append(Lengths(case.name, scenario, machine, plan, switch_ms, rates))
    main = readings[0]
    if not main.rates.sum() > 0:
        raise refusal(problem("no I/O to advise on", file=given.files[0], why="nothing waits for a slice without I/O"))
    devices = _devices(main)
    prices = Prices(_weight(devices, machine, question), SWITCHES_MS if assumed else ())
    found = cheapest(readings, question, prices, lambda share: progress(0.8 * share))
    growing = Growing(
        lambda factor: cases[0].grown(question.growth * factor), machine, main.plan, machine.slice_ms, switch_ms
    )
    growing.seen[1.0] = main.at(machine.slice_ms)
    domains: tuple[DomainLine, ...] = ()
    if given.now and (given.headroom or given.busy != ()):
        domains = domain_lines(growing, given.headroom, given.busy, lambda share: progress(0.8 + 0.2 * share))
    total = float(main.rates.sum())
    service = sum(device.io_per_s * device.service_ms for device in devices) / total
    least = dict(zip([case.name for case in cases], found.least_ms, strict=True))
    answer = SliceAnswer(
        files=given.files, heading=heading(given.what, machine, total, given.now),
        now_ms=machine.slice_ms if given.now else None, parameter=parameter_of(machine.slice_ms),
        recommendation=None if given.reason else found.recommended, reason=given.reason, estimate_ms=service / 2,
        switch_ms=switch_ms, switch_assumed=assumed,
        weighs=machine.weighs, processor=prices.processor,
        curve=found.points, devices=devices, domains=domains,
        readings=_told(given, question, least), facts=given.facts, open=given.open,
        needed=given.needed, at=question.at, target=found.target, growth=question.growth,
        scenario=main.scenario.resolved,
    )  # fmt: skip
    return _with_words(answer, machine, question)


def parameter_of(slice_ms: float) -> int | None:
    """The scheduling parameter that gives a slice; None where none does.

    >>> parameter_of(20.0), parameter_of(12.0)
    (3, None)
    """
    return next((parameter for parameter in PARAMETERS if abs(parameter_slice_ms(parameter) - slice_ms) < 1e-9), None)


def plan_of(scenario: Scenario, machine: Machine, progress: Progress = silent) -> Plan:
    """How long to look: for a number of I/Os, and a warm-up as the scenario declares it, or found by pilots.

    >>> from slicewright.advise.slices.machine import example, machine_of
    >>> plan_of(example(), machine_of(example().view)).replications
    10
    """
    trial = measured(scenario, [device.name for device in machine.devices], [], TRIAL)
    rate = float(np.nansum(trial.devices["io_per_s"], axis=1).mean())
    least = float(np.clip(MOST_IOS / REPLICATIONS / max(rate, 1e-9), 2.0, 20.0))
    interval = float(f"{float(np.clip(IOS / REPLICATIONS / max(rate, 1e-9), least, 300.0)):.2g}")
    warm_up = warm_up_of(scenario, SEED, progress)[0]
    return Plan(interval, float(f"{float(np.clip(warm_up, interval / 20, 2 * interval)):.3g}"), REPLICATIONS)


def _told(given: Given, question: SliceRequest, least: Mapping[str, float]) -> tuple[SliceReading, ...]:
    return tuple(
        SliceReading(
            case.name, case.load, least.get(case.name, math.nan), case.grown(question.growth).resolved, case.why
        )
        for case in given.cases
    )


def _switch(given: Given, machine: Machine, question: SliceRequest) -> tuple[float, bool]:
    shortest = machine.shortest(machine.slice_ms)
    stated = question.assumed.switch_ms if question.assumed.switch_ms is not None else machine.switch_ms
    assumed = question.assumed.switch_ms is None and not given.switch_told
    switch_ms = min(SWITCH_MS, shortest / 4) if assumed else stated
    problems = []
    if not switch_ms < shortest:
        what = f"a switch of {in_scenario(switch_ms)} ms in turns from {in_scenario(shortest)} ms"
        problems.append(problem(what, key="assume switch", allowed="less than the shortest turn"))
    for slice_ms in question.at:
        if not switch_ms < machine.shortest(slice_ms):
            what = f"turns from {in_scenario(machine.shortest(slice_ms))} ms at slices of {in_scenario(slice_ms)} ms"
            why = f"a switch takes {in_scenario(switch_ms)} ms of each"
            problems.append(problem(what, key="at", why=why, allowed="longer slices, or --assume switch=..."))
        if machine.weighs and not RUNS_MS[0] <= slice_ms <= RUNS_MS[1]:
            problems.append(
                problem(f"{in_scenario(slice_ms)} ms is no run time", key="at", allowed="1 ms to 100 ms under PR/SM")
            )
    if problems:
        raise refusal(*problems)
    return switch_ms, assumed


def _rates(scenario: Scenario, machine: Machine, plan: Plan) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """I/O per second of each device as things are now."""
    now = at_slice(scenario, machine.slice_ms, machine.switch_ms)
    trial = measured(now, [device.name for device in machine.devices], [], plan)
    return np.asarray(np.nan_to_num(trial.devices["io_per_s"]).mean(axis=0))


def _devices(main: Lengths) -> tuple[DeviceLine, ...]:
    machine, trial = main.machine, main.at(main.machine.slice_ms)
    lines = []
    for at, device in enumerate(machine.devices):
        times = trial.devices["service_ms"][:, at]
        if not np.isfinite(times).any():
            continue
        service = float(np.nanmean(times))
        frame = machine.slice_ms * len(machine.domains)
        dear = frame > service and not machine.weighs
        lines.append(DeviceLine(device.name, device.domain, float(main.rates[at]), service, dear))
    return tuple(lines)


def _weight(devices: Sequence[DeviceLine], machine: Machine, question: SliceRequest) -> float:
    """ASSUME: a partition that loses a share of the processors loses that share of the I/Os in service."""
    if question.assumed.processor is not None:
        return question.assumed.processor
    return sum(device.io_per_s * device.service_ms for device in devices) / 1000 / machine.processors


def _with_words(answer: SliceAnswer, machine: Machine, question: SliceRequest) -> SliceAnswer:
    return replace(answer, warnings=warnings(answer, machine), caveats=caveats(answer, machine, question))

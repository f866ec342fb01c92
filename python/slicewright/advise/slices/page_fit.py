"""Loads that print RMF pages again: populations and think times found by simulation, and what does not fit."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from slicewright._core import Scenario
from slicewright.advise.slices.measured import measured
from slicewright.advise.slices.page_load import PageLoad, Requester, Setting, path_ms, requesters, scenario_text
from slicewright.experiment.outcome import Array
from slicewright.experiment.plan import Plan
from slicewright.statistics import fixed

POPULATIONS = (1, 2, 3, 4, 6, 9, 13)
"""Requests per volume that are tried: between them, no queue is far from that of one of them."""
STEPS = 4
FIT_IOS = 20_000
RATE_PERCENT = 3.0
"""How far a closed load may miss a printed rate: it is adjusted by simulation, which has noise."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A load with what it prints: I/O per second and waiting requests of all volumes; `why` it does not fit, if so."""

    load: PageLoad
    io_per_s: float
    queue: float
    why: str
    seen: tuple[tuple[str, float], ...] = ()
    """MVS BUSY that it gives, by partition."""
    miss: float = 0.0
    """How far its waiting requests are from the printed ones, as a share of all requests present."""


def fit_open(setting: Setting, service: str, source: str, margin_percent: float) -> Fitted:
    """Arrivals from outside at the printed rates, held against the printed queues.

    >>> from slicewright.advise.slices.example import setting
    >>> fit_open(setting(), "rotating", "SYSA.txt", 10.0).load.requesters[0].population
    0
    """
    load = PageLoad("open", setting, requesters(setting, 0), service, source)
    return _judged(_adjusted(load), margin_percent)


def fit_closed(setting: Setting, service: str, source: str, margin_percent: float) -> Fitted:
    """A closed population per volume, with think times that give the printed rates, and a queue near the printed one.

    >>> from slicewright.advise.slices.example import setting
    >>> found = fit_closed(setting(), "rotating", "SYSA.txt", 10.0)
    >>> [one.population > 1 for one in found.load.requesters]
    [True, False]
    """
    every = {count: requesters(setting, count) for count in POPULATIONS}
    printed = every[1]
    best: list[tuple[float, Requester]] = [(np.inf, requester) for requester in every[POPULATIONS[-1]]]
    for count in POPULATIONS:
        load = _adjusted(PageLoad("closed", setting, every[count], service, source))
        run = _simulated(load)
        for at, requester in enumerate(load.requesters):
            wanted = printed[at].printed
            # A volume with aliases queues for one of them, whose number is not read: its queue says nothing of slices.
            miss = 0.0 if wanted.aliased else abs(float(run.queues[at]) - wanted.queue)
            if abs(float(run.rates[at]) / wanted.io_per_s - 1) <= RATE_PERCENT / 100 and miss < best[at][0]:
                best[at] = (miss, requester)
    chosen = PageLoad("closed", setting, tuple(requester for _, requester in best), service, source, load.paths)
    return _judged(_adjusted(chosen), margin_percent)


def found_as(load: PageLoad) -> str:
    """A load in words.

    >>> from slicewright.advise.slices.example import page_load
    >>> found_as(page_load())
    'open arrivals at the printed rate; service rotating'
    """
    counts = sorted({requester.population for requester in load.requesters})
    if counts[0] == 0:
        return f"open arrivals at the printed rate; service {load.service}"
    span = f"{counts[0]} to {counts[-1]}" if counts[0] != counts[-1] else str(counts[0])
    noun = "request" if counts[-1] == 1 else "requests"
    return f"{span} {noun} per volume, each waiting for the last; service {load.service}"


@dataclass(frozen=True, slots=True)
class _Run:
    rates: Array
    queues: Array
    seen: dict[str, float]
    """Share of time with work, by partition."""


def _adjusted(load: PageLoad) -> PageLoad:
    """Think times moved, step by step, by what a request's round is too long or too short (N / X - R).

    So is what programs compute, by how busy a partition saw itself.
    """
    for _ in range(STEPS):
        run = _simulated(load)
        thinks = []
        for requester, rate in zip(load.requesters, run.rates, strict=True):
            missing = 1000 * requester.population * (1 / requester.printed.io_per_s - 1 / max(float(rate), 1e-9))
            thinks.append(max(0.0, requester.think_ms + missing) if requester.population else 0.0)
        load = replace(load.thinking(thinks), paths=_paths(load, run))
    return load


def _paths(load: PageLoad, run: _Run) -> tuple[tuple[str, float], ...]:
    """CPU time between two I/Os by partition, in proportion to what is missing of its MVS BUSY."""
    found = []
    for share in load.setting.shares:
        if share.seen is None or share.page is None:
            continue
        before = path_ms(load, share.name)[0]
        # The handler's part is given; a busy that it exceeds leaves the programs next to nothing.
        factor = float(np.clip(share.seen / max(run.seen[share.name], 1e-6), 0.2, 5.0))
        all_of_it = 1000 * share.share * load.setting.processors / share.page.io_per_s
        found.append((share.name, float(np.clip(before * factor, 0.001, all_of_it))))
    return tuple(found)


def _simulated(load: PageLoad) -> _Run:
    """Rate and queue of each volume, and the share of time in which each partition had work."""
    total = sum(requester.printed.io_per_s for requester in load.requesters)
    interval = float(np.clip(float(f"{FIT_IOS / 4 / total:.2g}"), 2.0, 300.0))
    names = [share.name for share in load.setting.shares]
    plan = Plan(interval, interval / 10, 4)
    scenario = Scenario.read(scenario_text(load).encode(), "reading")
    trial = measured(scenario, [requester.volume for requester in load.requesters], names, plan)
    work = (trial.domains["effective_percent"] + trial.domains["pending_percent"]).mean(axis=0) / 100
    seen = dict(zip(names, (float(busy) for busy in work), strict=True))
    return _Run(trial.devices["io_per_s"].mean(axis=0), trial.devices["queue_depth"].mean(axis=0), seen)


def _judged(load: PageLoad, margin_percent: float) -> Fitted:
    run = _simulated(load)
    printed = [requester.printed for requester in load.requesters]
    compared = [at for at, volume in enumerate(printed) if not volume.aliased]
    total, queue = float(run.rates.sum()), float(run.queues[compared].sum())
    wanted, waiting = sum(volume.io_per_s for volume in printed), sum(printed[at].queue for at in compared)
    present = waiting + sum(volume.io_per_s * volume.service_ms / 1000 for volume in printed)
    allowed = sum(printed[at].queue_rounding for at in compared) + margin_percent / 100 * present
    why = ""
    if abs(total / wanted - 1) > RATE_PERCENT / 100 or abs(queue - waiting) > allowed:
        why = f"{fixed(total, 0)} I/O/s, {fixed(queue, 2)} waiting against {fixed(wanted, 0)}, {fixed(waiting, 2)}"
    seen = tuple((share.name, run.seen[share.name]) for share in load.setting.shares if share.seen is not None)
    return Fitted(load, total, queue, why, seen, abs(queue - waiting) / present)

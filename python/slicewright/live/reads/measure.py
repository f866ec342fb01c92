"""The experiment: constants, every pair of load and permits in several runs, then the same simulated."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from slicewright._core import InputError, live_lock_costs, live_tick_s
from slicewright.live.control_files import ControlFiles
from slicewright.live.environment import Elsewhere, environment, load_average, processors_here
from slicewright.live.group import HEAVIEST, Group, limited_group
from slicewright.live.hierarchy import block_hierarchy, hierarchy
from slicewright.live.reads.constants import PROBE_PER_S, PROBE_S, SLICE_MS, Constants, alone, slice_ms
from slicewright.live.reads.device import Device, device_of, limit_reads
from slicewright.live.reads.jobs import Job, Seen, run_reads
from slicewright.live.reads.plan import RUNS, Load, Plan
from slicewright.live.reads.result import LIVE, Pair, ReadsResult
from slicewright.live.reads.simulated import simulated_reads
from slicewright.live.scratch import nameless_file
from slicewright.statistics import estimate

Progress = Callable[[float], None]

SHARE_LIVE = 0.7
ALONE_S, ALONE_RUNS = 0.2, 3
NO_WEIGHT = "no control group of its own for processors: other work on them weighs as much"


@dataclass(frozen=True)
class _Place:
    """The device, the group with the limit (if there may be one) and all groups, and why there is no limit."""

    device: Device
    limited: Group | None
    groups: Sequence[Group]
    left_out: str
    notes: tuple[str, ...]


def measure_reads(plan: Plan, parent: Path | None = None, progress: Progress = lambda share: None) -> ReadsResult:
    """Measure reads behind permits on this machine, and simulate the same.

    Raises InputError when the plan is wrong, the directory cannot be used, or no pair can be measured.

    >>> measure_reads(Plan(".", requesters=0))  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: requesters: 0 threads that read
    """
    plan.check()
    load = load_average()
    with nameless_file(plan.folder) as file, _place(plan, parent) as place:
        plan = plan if place.limited else replace(plan, loads=("no limit",))
        job = Job(str(file), plan.requesters, 1, 0, round(1e9 * plan.run_s), plan.seed)
        constants, notes = _constants(job, place)
        seen = _measured(plan, job, place, lambda share: progress(SHARE_LIVE * share))
        version = place.limited.version if place.limited else 0
    elsewhere = Elsewhere.of([run.elsewhere for runs in seen.values() for run in runs])
    where = environment(processors_here()[-1], version, load, elsewhere)
    pairs = []
    for at, pair in enumerate(plan.pairs):
        progress(SHARE_LIVE + (1 - SHARE_LIVE) * at / len(plan.pairs))
        pairs.append(_pair(plan, pair, seen[pair], constants))
    every = (*place.notes, *notes)
    return ReadsResult(plan, where, place.device, constants, tuple(pairs), place.left_out, every)


@contextlib.contextmanager
def _place(plan: Plan, parent: Path | None) -> Iterator[_Place]:
    """The groups of a measurement; without the right to limit reads there is none, unless a parent was named."""
    files = ControlFiles()
    with contextlib.ExitStack() as undo:
        left_out, limited, device, notes = "", None, Device("", "unknown"), []
        try:
            device = device_of(plan.folder)
            limited = undo.enter_context(limited_group(files, block_hierarchy(files, chosen=parent)))
            limit_reads(limited, device, None)
        except InputError as error:
            if parent is not None:
                raise
            limited, left_out = None, "; ".join(_said(row) for row in error.problems)
        groups = [limited] if limited else []
        weighed = limited if limited and limited.version == 2 else None
        if weighed is None:
            with contextlib.suppress(InputError):
                weighed = undo.enter_context(limited_group(files, hierarchy(files)))
                groups.append(weighed)
        if weighed is None:
            notes.append(NO_WEIGHT)
        else:
            weighed.weigh(HEAVIEST[weighed.version])
        yield _Place(device, limited, groups, left_out, tuple(notes))


def _said(row: dict[str, object]) -> str:
    return ": ".join(str(row[key]) for key in ("what", "why") if row.get(key))


def _constants(job: Job, place: _Place) -> tuple[Constants, list[str]]:
    """One thread alone for the time of a read; the same under a small limit for the length of a slice."""
    single = replace(job, requesters=1, length_ns=round(1e9 * ALONE_S))
    runs = [replace(single, seed=job.seed + run) for run in range(ALONE_RUNS)]
    read_us, spread, cpu_us = alone(run_reads(runs, place.groups, place.device))
    costs = live_lock_costs(processors_here()[-1])
    slices, notes, tick_ms = SLICE_MS, [], round(live_tick_s() * 1000, 6)
    if place.limited:
        limit_reads(place.limited, place.device, PROBE_PER_S)
        probe = replace(single, length_ns=round(1e9 * PROBE_S))
        slices = slice_ms(run_reads([probe], place.groups, place.device)[0].spans_ns, tick_ms)
        if not 1.0 <= slices <= 1000.0:
            slices = SLICE_MS
            notes.append(f"the length of a slice could not be measured: {SLICE_MS:g} ms is assumed")
    hand_over_us = (costs["sleep_ns"] + costs["wake_ns"]) / 1000
    found = Constants(
        read_us, spread, cpu_us, hand_over_us, costs["switch_ns"] / 1000, len(processors_here()),
        tick_ms, slices,
    )  # fmt: skip
    return found, notes


def _measured(plan: Plan, job: Job, place: _Place, progress: Progress) -> dict[tuple[Load, int], list[Seen]]:
    """The measurements of every pair, run by run; the permits of a load take turns under one limit."""
    found: dict[tuple[Load, int], list[Seen]] = {pair: [] for pair in plan.pairs}
    done = 0
    for run in range(RUNS):
        for load in plan.loads:
            if place.limited:
                limit_reads(place.limited, place.device, None if load == "no limit" else round(plan.limit_per_s))
            every_ns = round(1e6 * plan.every_ms) if load == "paced" else 0
            jobs = [replace(job, depth=depth, every_ns=every_ns, seed=job.seed + run) for depth in plan.depths]
            before = done
            seen = run_reads(jobs, place.groups, place.device, lambda count, before=before: (  # type: ignore[misc]
                progress((before + count) / (RUNS * len(plan.pairs)))
            ))  # fmt: skip
            done += len(jobs)
            for depth, sight in zip(plan.depths, seen, strict=True):
                found[load, depth].append(sight)
    return found


def _pair(plan: Plan, pair: tuple[Load, int], seen: list[Seen], constants: Constants) -> Pair:
    live = {name: estimate([getattr(run, name) for run in seen]) for name in LIVE}
    others = Elsewhere.of([run.elsewhere for run in seen])
    return Pair(*pair, others.percent(others.others_s), live, simulated_reads(plan, pair, constants))

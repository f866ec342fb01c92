"""The experiment: constants, every pair in several runs, then the same simulated."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from slicewright._core import InputError, live_lock_costs, live_tick_s
from slicewright.errors import problem, refusal
from slicewright.live.control_files import ControlFiles
from slicewright.live.environment import Elsewhere, environment, load_average, processors_here
from slicewright.live.group import HEAVIEST, Group, limited_group
from slicewright.live.hierarchy import hierarchy
from slicewright.live.locks.constants import Alone, Constants
from slicewright.live.locks.jobs import Job, Seen, may_lift, run_jobs
from slicewright.live.locks.plan import RUNS, Method, Plan
from slicewright.live.locks.result import LIVE, LocksResult, Pair
from slicewright.live.locks.simulated import simulated_lock
from slicewright.statistics import estimate

Progress = Callable[[float], None]

SHARE_LIVE = 0.8
ALONE_S, ALONE_RUNS = 0.06, 3
NO_GROUP = "no control group of its own (no right, or no cpu controller): other work on its processors weighs as much"


def measure_locks(plan: Plan, parent: Path | None = None, progress: Progress = lambda share: None) -> LocksResult:
    """Measure threads behind a lock on this machine, and simulate the same.

    Raises InputError when the plan is wrong, or the system refuses what it needs.

    >>> measure_locks(Plan(threads=0))  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: threads: 0 threads
    """
    plan.check()
    tick_ms = live_tick_s() * 1000
    load = load_average()
    costs = live_lock_costs(plan.processors[-1])
    constants = Constants.of(costs, tick_ms, len(processors_here()))
    plan, left_out = _allowed(plan, constants)
    with _group(parent) as group:
        alone = _alone(plan, constants, group)
        jobs = [_job(plan, pair, constants, run) for run in range(RUNS) for pair in plan.pairs]
        seen = run_jobs(jobs, group, lambda done: progress(SHARE_LIVE * done / len(jobs)))
        around = () if group else (NO_GROUP,)
        version = group.version if group else 0
    elsewhere = Elsewhere.of([run.elsewhere for run in seen])
    where = environment(plan.processors[-1], version, load, elsewhere, around)
    pairs = []
    for at, pair in enumerate(plan.pairs):
        progress(SHARE_LIVE + (1 - SHARE_LIVE) * at / len(plan.pairs))
        pairs.append(_pair(plan, pair, seen[at :: len(plan.pairs)], constants, alone[pair[0], pair[2]]))
    return LocksResult(plan, where, constants, alone, tuple(pairs), left_out)


def _allowed(plan: Plan, constants: Constants) -> tuple[Plan, dict[str, str]]:
    """The plan without the method that this user has no right to; raises InputError when nothing is left."""
    if "handover" not in plan.methods:
        return plan, {}
    why = may_lift(_job(replace(plan, threads=1), ("handover", 0, 1.0), constants, 0, 0.002))
    if not why:
        return plan, {}
    rest = tuple(method for method in plan.methods if method != "handover")
    left_out = {"handover": f"{why}; a holder's priority needs CAP_SYS_NICE (root), or `ulimit -e 40`"}
    if not rest:
        allowed = "root, `ulimit -e 40`, or other methods"
        raise refusal(problem("the priority of a holder cannot be lifted", key="methods", why=why, allowed=allowed))
    return replace(plan, methods=rest), left_out


@contextlib.contextmanager
def _group(parent: Path | None) -> Iterator[Group | None]:
    """A group that outweighs others on its processors; none where that is not possible and none was asked for."""
    files = ControlFiles()
    with contextlib.ExitStack() as undo:
        try:
            made = undo.enter_context(limited_group(files, hierarchy(files, chosen=parent)))
        except InputError:
            if parent is not None:
                raise
            yield None
            return
        made.weigh(HEAVIEST[made.version])
        yield made


def _job(plan: Plan, pair: tuple[Method, int, float], constants: Constants, run: int, seconds: float = 0.0) -> Job:
    method, hogs, hold_us = pair
    turns = (constants.turns(plan.think_us), constants.turns(hold_us))
    length_ns = round(1e9 * (seconds or plan.run_s))
    return Job(method, plan.processors, plan.threads, hogs, turns, plan.tries, length_ns, plan.seed + run)


def _alone(plan: Plan, constants: Constants, group: Group | None) -> dict[tuple[Method, float], Alone]:
    """The times of a thread by itself, of each method and holding time: the quickest of some runs."""
    single = replace(plan, threads=1)
    kinds = [(method, hold_us) for method in plan.methods for hold_us in plan.holds_us]
    jobs = [
        _job(single, (method, 0, hold_us), constants, run, ALONE_S)
        for method, hold_us in kinds
        for run in range(ALONE_RUNS)
    ]
    seen = run_jobs(jobs, group)
    found = {}
    for at, kind in enumerate(kinds):
        best = min(seen[at * ALONE_RUNS : (at + 1) * ALONE_RUNS], key=lambda own: own.cpu_us)
        outside = max(0.001, best.cpu_us - best.usual_wait_us - best.usual_held_us)
        found[kind] = Alone(outside, best.usual_wait_us, best.usual_held_us)
    return found


def _pair(plan: Plan, pair: tuple[Method, int, float], seen: list[Seen], constants: Constants, alone: Alone) -> Pair:
    live = {name: estimate([getattr(run, name) for run in seen]) for name in LIVE}
    others = Elsewhere.of([run.elsewhere for run in seen])
    return Pair(*pair, others.percent(others.others_s), live, simulated_lock(plan, pair, constants, alone))

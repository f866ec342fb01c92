"""The scenario of a live lock, simulated: the same threads, from constants that were measured apart."""

from __future__ import annotations

from collections.abc import Mapping

from slicewright.live.locks.constants import Alone, Constants
from slicewright.live.locks.plan import Method, Plan
from slicewright.run.run import Run, run
from slicewright.statistics import Estimate, estimate

REPLICATIONS = 20
USER, HOG, GROUP, LOCK = "USER", "HOG", "live", "L"
HOG_MS = 1.0
"""A hog computes in pieces, so that its pieces count its processor time."""

LIFTED = -20

WAYS: Mapping[Method, tuple[str, str]] = {
    "spin": ("spin", "unordered"), "ticket": ("spin", "ticket"), "yield": ("yield", "unordered"),
    "ticket-yield": ("yield", "ticket"), "futex": ("sleep", "unordered"), "handover": ("yield", "unordered"),
}  # fmt: skip
"""How the scenario says what a method does: what a waiting thread does, and the order of grants."""

COUNTERS = ("wait_us", "wait_p50_us", "wait_p95_us", "wait_p99_us", "held_us")


def lock_scenario(plan: Plan, pair: tuple[Method, int, float], constants: Constants, alone: Alone) -> str:
    """Threads, their lock and hogs on a few processors, as TOML.

    A run is as long as a live one, and begins as that does: with threads that all want to run, and a free lock. Work
    outside the lock is uniform from half to one and a half of its mean, as it is live.

    >>> text = lock_scenario(Plan(), ("futex", 2, 20.0), Constants(), Alone(100.0, 0.05, 20.0))
    >>> 'wait = "sleep"' in text, 'count = 2' in text
    (True, True)
    """
    method, hogs, hold_us = pair
    outside = f'["{alone.outside_us / 2:.6f} us", "{1.5 * alone.outside_us:.6f} us"]'
    under = f'{{ thread_lock = "{LOCK}", steps = [ {{ compute = "{alone.hold_us:.6f} us" }} ] }}'
    lines = [
        f'name = "{method}, {hogs} hogs, {hold_us:.6g} us"', "", "[cec]", f"processors = {len(plan.processors)}",
        'dispatcher = "cfs"', f'base_slice = "{constants.base_slice_ms:.6f} ms"',
        f'tick = "{constants.tick_ms:.6f} ms"',
        'wakeup_preemption = "no"', 'slice_ends = "ticks"', f'sched_yield = "{constants.sched_yield}"',
        f'switch = "{constants.switch_ns:.3f} ns"', "", "[[cgroup]]", f'name = "{GROUP}"', "",
        *_lock(plan, method, constants, alone),
        *_guest(USER, plan.threads, f"{{ compute = {{ uniform = {outside} }} }}, {under}"),
    ]  # fmt: skip
    if hogs:
        lines += _guest(HOG, hogs, f'{{ compute = "{HOG_MS:g} ms" }}')
    lines += ["[measure]", f'interval = "{plan.run_s:.6f} s"', 'warm_up = "0 s"', f"replications = {REPLICATIONS}", ""]
    return "\n".join(lines)


def _lock(plan: Plan, method: Method, constants: Constants, alone: Alone) -> list[str]:
    wait, order = WAYS[method]
    own = [f'attempt = "{max(1.0, 1000 * alone.take_us):.3f} ns"']
    if wait == "yield":
        # While it waits a try is one of the loop; the first one has the whole way to the lock.
        tries = max(1, round(plan.tries * constants.attempt_ns / max(1.0, 1000 * alone.take_us)))
        own += [f"tries = {tries}", f'call = "{constants.yield_ns:.3f} ns"']
    if wait == "sleep":
        own += [f'call = "{constants.sleep_ns:.3f} ns"', f'wake = "{constants.wake_ns:.3f} ns"']
    if method == "handover":
        own.append(f"lift = {LIFTED}")
    return ["[[thread_lock]]", f'name = "{LOCK}"', f'wait = "{wait}"', f'order = "{order}"', *own, ""]


def _guest(name: str, count: int, program: str) -> list[str]:
    return ["[[guest]]", f'name = "{name}"', f'cgroup = "{GROUP}"', f"count = {count}", f"program = [ {program} ]", ""]


def simulated_lock(
    plan: Plan, pair: tuple[Method, int, float], constants: Constants, alone: Alone
) -> dict[str, Estimate]:
    """Locks a second, waits and holds in us, processor time of a lock in us, yields and sleeps for each lock.

    >>> found = simulated_lock(Plan(threads=1), ("spin", 0, 20.0), Constants(switch_ns=0.0), Alone(79.0, 1.0, 20.0))
    >>> round(found["locks_per_s"].mean / 100), round(found["cpu_us"].mean)
    (100, 100)
    """
    result = run(lock_scenario(plan, pair, constants, alone), seed=plan.seed, replications=REPLICATIONS)
    rates = result.values("thread_locks", "taken_per_s", LOCK)
    found = {name.replace("wait_p", "p"): result.values("thread_locks", name, LOCK) for name in COUNTERS}
    used = [usage / 1e6 / plan.run_s for usage in result.values("cgroups", "usage_usec", GROUP)]
    hogs = _cycles(result, pair[1])
    found["cpu_us"] = [
        1e6 * (busy - each * HOG_MS / 1e3) / rate if rate else 0.0
        for busy, each, rate in zip(used, hogs, rates, strict=True)
    ]
    for name in ("yields", "sleeps"):
        each = result.values("thread_locks", f"{name}_per_s", LOCK)
        found[name] = [value / rate if rate else 0.0 for value, rate in zip(each, rates, strict=True)]
    return {"locks_per_s": estimate(rates), **{name: estimate(values) for name, values in found.items()}}


def _cycles(result: Run, hogs: int) -> list[float]:
    return result.values("guests", "cycles_per_s", HOG) if hogs else [0.0] * REPLICATIONS

"""The scenario of live reads, simulated: the same requesters and permits, from constants that were measured apart."""

from __future__ import annotations

from collections.abc import Mapping

from slicewright.live.reads.constants import Constants
from slicewright.live.reads.plan import READ_BYTES, Load, Plan
from slicewright.run.run import run
from slicewright.statistics import Estimate, estimate

REPLICATIONS: Mapping[Load, int] = {"no limit": 5, "limit": 20, "paced": 20}
"""Without a limit there are many reads in a run, and runs differ little."""

READER, GROUP, DISK, PERMITS = "READER", "live", "DISK", "PERMITS"


def reads_scenario(plan: Plan, pair: tuple[Load, int], constants: Constants) -> str:
    """Requesters that take a permit, read and give it back, as TOML.

    A run is as long as a live one and begins as that does: with requesters that all ask.  The device has an exposure
    for each of them, so that permits alone bound the reads in progress.  The paced load comes from outside: its
    requests are planned, and one that waits delays no other.

    >>> text = reads_scenario(Plan("."), ("limit", 8), Constants())
    >>> 'limit = "3000.000/s"' in text, "count = 8" in text
    (True, True)
    """
    load, depth = pair
    half_us, paced = constants.cpu_us / 2, load == "paced"
    handed_on = depth < plan.requesters and not paced
    device = f'{{ gamma = "{constants.device_us:.6f} us", scv = {constants.device_spread:.6f} }}'
    read = (
        f'{{ compute = "{half_us:.6f} us" }}, {{ io = {{ volume = "{DISK}", bytes = "{READ_BYTES} B" }} }}, '
        f'{{ compute = "{half_us:.6f} us" }}'
    )
    program = f'{{ hold = "{PERMITS}", steps = [ {read} ] }}'
    if handed_on:
        program += f', {{ compute = "{constants.hand_over_us:.6f} us" }}'
    rate = f'arrivals = "{1000 * plan.requesters / plan.every_ms:.6f}/s"'
    lines = [
        f'name = "{load}, {depth} permits"', "", "[cec]", f"processors = {constants.processors}", 'dispatcher = "cfs"',
        f'tick = "{constants.tick_ms:.6f} ms"', f'switch = "{constants.switch_us:.6f} us"', "",
        "[[cgroup]]", f'name = "{GROUP}"', "", "[[resource]]", f'name = "{PERMITS}"', f"count = {depth}", "",
        "[[volume]]", f'name = "{DISK}"', 'device = "1000"', f"aliases = {plan.requesters - 1}",
        *_limit(plan, load, constants), f"service.connect = {device}", "",
        "[[guest]]", f'name = "{READER}"', f'cgroup = "{GROUP}"', rate if paced else f"count = {plan.requesters}",
        f"program = [ {program} ]", "", "[measure]", f'interval = "{plan.run_s:.6f} s"', 'warm_up = "0 s"',
        f"replications = {REPLICATIONS[load]}", "",
    ]  # fmt: skip
    return "\n".join(lines)


def _limit(plan: Plan, load: Load, constants: Constants) -> list[str]:
    if load == "no limit":
        return []
    return [
        f'limit = "{plan.limit_per_s:.3f}/s"', f'limit_slice = "{constants.slice_ms:.6f} ms"',
        f'limit_tick = "{constants.tick_ms:.6f} ms"',
    ]  # fmt: skip


def simulated_reads(plan: Plan, pair: tuple[Load, int], constants: Constants) -> dict[str, Estimate]:
    """Reads a second, waits in ms, processor time of a read in us, as they are measured.

    >>> found = simulated_reads(Plan(".", requesters=1, depths=(1,), seconds=1.5), ("limit", 1), Constants())
    >>> round(found["reads_per_s"].mean)
    3000
    """
    load, _ = pair
    result = run(reads_scenario(plan, pair, constants), seed=plan.seed, replications=REPLICATIONS[load])
    rates = result.values("volumes", "io_per_s", DISK)
    busy_us = [usage / plan.run_s for usage in result.values("cgroups", "usage_usec", GROUP)]
    cpu_us = [each / rate if rate else 0.0 for each, rate in zip(busy_us, rates, strict=True)]
    waits = {"wait_ms": "cycle_ms", "p50_ms": "cycle_p50_ms", "p95_ms": "cycle_p95_ms", "p99_ms": "cycle_p99_ms"}
    found = {name: estimate(result.values("guests", column, READER)) for name, column in waits.items()}
    return {"reads_per_s": estimate(rates), "cpu_us": estimate(cpu_us), **found}

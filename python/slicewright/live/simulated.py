"""The scenario of a live measurement, simulated: the same limit, waits and starts on a simulated Linux scheduler."""

from __future__ import annotations

from dataclasses import dataclass

from slicewright.live.group import Limit
from slicewright.live.threads import Case
from slicewright.run.run import Run, run
from slicewright.statistics import Estimate, estimate

REPLICATIONS = 20
TURN = "0.1 ms"
"""The base slice: the live burner gives way at once (SCHED_IDLE), and a short turn of the simulated one comes near."""

WAITER, ALARM, GROUP = "WAITER", "ALARM", "limited"


@dataclass(frozen=True)
class Machine:
    """The measured machine's constants for the simulation: the kernel's tick and bandwidth slice, in ms.

    >>> Machine(4.0, 5.0).tick_ms
    4.0
    """

    tick_ms: float
    bandwidth_slice_ms: float | None = None
    seed: int = 1


@dataclass(frozen=True)
class Waits:
    """Waits to simulate, in ms: case, length, what a waiter works before it starts (locked), how many others wait too.

    >>> Waits("uniform", 18.0).others
    0
    """

    case: Case
    wait_ms: float
    work_ms: float = 0.0
    others: int = 0


def waits_scenario(limit: Limit, waits: Waits, machine: Machine) -> str:
    """A burner and a waiter in a limited group on one processor, as TOML.

    A start uniform over the slice is a wait after work drawn uniformly over a slice: after that much of its own time
    the position of a group in its slices is uniform. A live start is a wake-up, at which the kernel notices a used-up
    quota before its tick does. So another thread wakes up right before each simulated start.

    >>> '"30000 60000"' in waits_scenario(Limit(30_000, 60_000), Waits("uniform", 18.0), Machine(4.0))
    True
    """
    quota_ms, period_ms = limit.quota_us / 1000, limit.period_us / 1000
    work = f'{{ compute = "{waits.work_ms:.6f} ms" }}'
    if waits.case == "uniform":
        drawn = f'{{ compute = {{ uniform = ["0 ms", "{quota_ms:.6f} ms"] }} }}'
        work = f'{drawn}, {{ spawn = "{ALARM}" }}, {{ compute = "1 us" }}'
    lines = [
        *_node(machine, f"waits of {waits.wait_ms:.6g} ms, slices of {quota_ms:.6g} ms"),
        *_group(limit),
        *_guest(WAITER, "count = 1", 0, f'{work}, {{ think = "{waits.wait_ms:.6f} ms" }}'),
        *_guest("BURNER", "count = 1", 19, '{ compute = "1 s" }'),
    ]
    if waits.case == "uniform":
        lines += _guest(ALARM, 'arrives = "spawned"', -20, '{ compute = "1 us" }')
    if waits.others:
        alarm = f'{{ think = {{ uniform = ["0 ms", "{period_ms:.6f} ms"] }} }}, {{ compute = "5 us" }}'
        lines += _guest("OTHERS", f"count = {waits.others}", 0, alarm)
    return "\n".join([*lines, *_measure("20 s")])


def work_scenario(limit: Limit, work_ms: float, sleep_ms: float, machine: Machine) -> str:
    """One thread in a limited group that works, sleeps, and so on, as TOML.

    >>> '"20000 100000"' in work_scenario(Limit(20_000, 100_000), 5.0, 10.0, Machine(4.0))
    True
    """
    program = f'{{ compute = "{work_ms:.6f} ms" }}, {{ think = "{sleep_ms:.6f} ms" }}'
    name = f"{work_ms:.6g} ms of work, {sleep_ms:.6g} ms of sleep"
    return "\n".join(
        [*_node(machine, name), *_group(limit), *_guest(WAITER, "count = 1", 0, program), *_measure("60 s")]
    )


def simulated_waits(limit: Limit, waits: Waits, machine: Machine) -> list[float]:
    """How late the waits are seen to be over, in ms: the mean of each replication.

    >>> from slicewright.live.formula import late_ms
    >>> found = simulated_waits(Limit(20_000, 40_000), Waits("uniform", 18.0), Machine(0.0))
    >>> abs(sum(found) / len(found) - late_ms(18.0, 20.0, 40.0)) < 0.3
    True
    """
    return _run(waits_scenario(limit, waits, machine), machine).values("threads", "wake_ms", WAITER)


def simulated_work(limit: Limit, work_ms: float, sleep_ms: float, machine: Machine) -> dict[str, Estimate]:
    """The counts of cpu.stat per second for a thread that works and sleeps, and when its work is done, in ms.

    `work_ms` is counted from the end of a sleep.

    >>> found = simulated_work(Limit(20_000, 100_000), 5.0, 1000.0, Machine(0.0))
    >>> found["nr_throttled_per_s"].mean
    0.0
    """
    result = _run(work_scenario(limit, work_ms, sleep_ms, machine), machine)
    interval_s = 60.0
    found = {
        f"{name}_per_s": estimate([value / interval_s for value in result.values("cgroups", name, GROUP)])
        for name in ("nr_periods", "nr_throttled", "throttled_usec", "usage_usec")
    }
    found["work_ms"] = estimate(result.values("guests", "transaction_ms", WAITER))
    return found


def _run(text: str, machine: Machine) -> Run:
    return run(text, seed=machine.seed, replications=REPLICATIONS)


def _node(machine: Machine, name: str) -> list[str]:
    slice_ms = machine.bandwidth_slice_ms
    taken = [f'bandwidth_slice = "{slice_ms:.6f} ms"'] if slice_ms else []
    head = [f'name = "{name}"', "", "[cec]", "processors = 1", 'dispatcher = "cfs"', f'base_slice = "{TURN}"']
    return [*head, f'tick = "{machine.tick_ms:.6f} ms"', *taken, ""]


def _group(limit: Limit) -> list[str]:
    burst = [f'"cpu.max.burst" = "{limit.burst_us}"'] if limit.burst_us else []
    return ["[[cgroup]]", f'name = "{GROUP}"', f'"cpu.max" = "{limit.quota_us} {limit.period_us}"', *burst, ""]


def _guest(name: str, population: str, nice: int, program: str) -> list[str]:
    head = ["[[guest]]", f'name = "{name}"', f'cgroup = "{GROUP}"', population, f"nice = {nice}"]
    return [*head, f"program = [ {program} ]", ""]


def _measure(interval: str) -> list[str]:
    return ["[measure]", f'interval = "{interval}"', 'warm_up = "2 s"', f"replications = {REPLICATIONS}", ""]

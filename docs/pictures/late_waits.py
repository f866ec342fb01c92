"""Picture of CPU limits: how late a group that is stopped half of the time sees that a wait is over."""

from __future__ import annotations

from slicewright import Run, run
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.statistics import estimate

from docs.pictures.slices import SERVICE_MS, hold_ms

QUOTAS_MS = range(2, 41)
NEXT_MS = 1.0
"""Computing of a waiter before its next wait, where its starts follow its last wait."""


def late_waits() -> Figure:
    """Lateness against the quota of half a period: starts anywhere in the own slice beside the formula, and in step."""
    some = [float(quota) for quota in QUOTAS_MS if quota % 2]
    anywhere = [_late(quota, f'{{ uniform = ["0 ms", "{quota} ms"] }}') for quota in QUOTAS_MS]
    in_step = [_late(quota, f'"{NEXT_MS} ms"') for quota in QUOTAS_MS]
    exact = dots(some, [hold_ms(quota) for quota in some], label="exact", of=["simulated"])
    panels = [
        Panel("Late, ms, starts anywhere in the slice", [_lateness(anywhere), exact]),
        Panel("Late, ms, starts 1 ms after the last wait", [_lateness(in_step)]),
    ]
    return Figure(panels, "Quota T of every 2 T, ms")


def _lateness(runs: list[Run]) -> Series:
    """How late the waiter is in each of the runs, one for each quota."""
    late = [estimate(run.values("threads", "wake_ms", "waiter slices")) for run in runs]
    return Series(QUOTAS_MS, [point.mean for point in late], half_width=[point.half_width for point in late])


def _late(quota_ms: int, before: str) -> Run:
    text = f"""name = "Limits"
assume = "one burner, one waiter"

[cec]
processors = 1
dispatcher = "cfs"
base_slice = "1 s"

[[cgroup]]
name = "slices"
"cpu.max" = "{quota_ms} ms {2 * quota_ms} ms"

[[guest]]
name = "burner"
cgroup = "slices"
nice = 19
count = 1
program = [ {{ compute = "1 s" }} ]

[[guest]]
name = "waiter"
cgroup = "slices"
nice = -20
count = 1
program = [ {{ compute = {before} }}, {{ think = "{SERVICE_MS} ms" }} ]

[measure]
warm_up = "1 s"
interval = "20 s"
"""
    return run(text, replications=3)

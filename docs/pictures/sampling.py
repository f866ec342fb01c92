"""The picture of sampling from inside: what happens to samples when the cycle and the frame of slices are in step."""

from __future__ import annotations

import math
from functools import cache

from slicewright import Run, run
from slicewright._core import starter
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.statistics import Estimate, estimate

CYCLES_MS = range(960, 1021, 5)
SLICE_MS = 30
"""Of the starter of two domains, at scheduling parameter 1; a frame is two of them."""
JITTERS_MS = (0, 100)
OWN, DISK = "PEMDFI", "CC1"


def sampling() -> Figure:
    """Delay of samples and the IOSQ made of them against the cycle, with clocks in step with the slices and not."""
    delays = [_line(f"jitter {jitter} ms", jitter, "partitions", "sample_delay_ms", OWN) for jitter in JITTERS_MS]
    seen = [_line(f"sampled, jitter {jitter} ms", jitter, "volumes", "iosq_rmf_ms", DISK) for jitter in JITTERS_MS]
    true = _line("true", 0, "volumes", "iosq_ms", DISK)
    exact = dots(
        [float(cycle) for cycle in CYCLES_MS], [delay_ms(cycle) for cycle in CYCLES_MS], None, "exact", ["jitter 0 ms"]
    )
    panels = [Panel(f"Delay of samples, {OWN}, ms", [*delays, exact]), Panel(f"IOSQ of {DISK}, ms", [true, *seen])]
    return Figure(panels, "Cycle, ms")


def delay_ms(cycle_ms: int, slice_ms: int = SLICE_MS) -> float:
    """Mean delay of samples of the domain that has the first of two equal slices, pops whole cycles from the start.

    Pops come at the multiples of the largest common divisor of cycle and frame, equally often. One in the other's slice
    waits for the end of the frame.

    >>> [round(delay_ms(cycle), 2) for cycle in (960, 975, 990, 1000)]
    [0.0, 11.25, 15.0, 6.67]
    """
    frame = 2 * slice_ms
    phases = range(0, frame, math.gcd(cycle_ms, frame))
    return sum(frame - phase for phase in phases if phase >= slice_ms) / len(phases)


def _line(label: str, jitter_ms: int, table: str, counter: str, name: str) -> Series:
    found: list[Estimate] = [estimate(_run(cycle, jitter_ms).values(table, counter, name)) for cycle in CYCLES_MS]
    return Series(
        CYCLES_MS, [point.mean for point in found], half_width=[point.half_width for point in found], label=label
    )


@cache
def _run(cycle_ms: int, jitter_ms: int) -> Run:
    own = f'\nrmf = {{ cycle = "{cycle_ms} ms", jitter = "{jitter_ms} ms" }}\nslih = '
    text = starter("two-domains").replace("\nslih = ", own)
    return run(text, replications=5, set={"measure.interval": "6 min", "measure.warm_up": "5 s"})

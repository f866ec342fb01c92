"""Pictures of slices: how long an ended I/O waits for its domain, how much a device does that is re-driven, and advice.

Except for the advice, no I/O queues: one I/O at a time shows the slices and nothing else.
"""

from __future__ import annotations

import math
from pathlib import Path
from tempfile import TemporaryDirectory

from slicewright import Run, run
from slicewright._core import starter
from slicewright.advise.slices.answer import answer_scenario
from slicewright.advise.slices.report import picture
from slicewright.advise.slices.request import SliceRequest
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.statistics import estimate

SERVICE_MS = 18.0
"""Of the measured disks: about that of the mean of all devices (Partitioning Large Processors, table 1)."""
FRONT_END_MS = 11.2
"""Mean service of a device that an interrupt always finds with more to do."""
SLICES_MS = range(2, 41)
STARTS = 100


def slices() -> Figure:
    """Hold time and rate against the slice: the exact formulas as points, simulations as lines."""
    some = [float(slice_ms) for slice_ms in SLICES_MS if slice_ms % 2]
    held = [_recorded(slice_ms).volumes["hold_ms"][0] for slice_ms in SLICES_MS]
    rates = [estimate(_redriven(slice_ms).values("volumes", "io_per_s", "DISK")) for slice_ms in SLICES_MS[::2]]
    rate = Series(SLICES_MS[::2], [point.mean for point in rates], half_width=[point.half_width for point in rates])
    panels = [
        Panel(
            "Hold, ms",
            [Series(SLICES_MS, held), dots(some, [hold_ms(t) for t in some], label="exact", of=["simulated"])],
        ),
        Panel(
            "I/O per second, re-driven",
            [rate, dots(some, [rate_per_s(t) for t in some], label="exact", of=["simulated"])],
        ),
    ]
    return Figure(panels, "Slice, ms")


def choose() -> Figure:
    """Advice on the starter of two domains: hold against the slice, and the cost with what it is made of."""
    return picture(answer_scenario(starter("two-domains").encode(), "two-domains.toml", SliceRequest()))


def hold_ms(slice_ms: float, service_ms: float = SERVICE_MS) -> float:
    """From the end of an I/O to the next own slice, started uniformly over the own slice, the other one as long.

    >>> [round(hold_ms(slice_ms), 1) for slice_ms in (30, 20, 10, 9)]
    [12.6, 9.9, 0.2, 0.0]
    """
    frame = 2 * slice_ms
    rest = service_ms % frame
    return rest - rest**2 / frame if rest <= slice_ms else (frame - rest) ** 2 / frame


def rate_per_s(slice_ms: float, mean_ms: float = FRONT_END_MS) -> float:
    """Rate of a device with exponential service that does one I/O after the other while its domain has its slice.

    >>> [round(rate_per_s(slice_ms), 1) for slice_ms in (30, 20, 10)]
    [60.2, 65.5, 74.2]
    """
    return 1000 * (slice_ms / mean_ms + 1 - math.exp(-slice_ms / mean_ms)) / (2 * slice_ms)


def _recorded(slice_ms: int) -> Run:
    """I/Os that start at the middles of equal parts of the own slice, each after the last is over."""
    frame_ms = 2 * slice_ms
    apart_ms = frame_ms * (SERVICE_MS // frame_ms + 3)
    starts = [apart_ms * number + slice_ms * (number + 0.5) / STARTS for number in range(STARTS)]
    with TemporaryDirectory() as folder:
        lines = ["time_ms,volume", *(f"{start:.6f},DISK" for start in starts)]
        (Path(folder) / "io.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        scenario = Path(folder) / "slices.toml"
        scenario.write_text(_text(slice_ms, f'"{SERVICE_MS} ms"', 'replay = "io.csv"'), encoding="utf-8")
        length = f"{apart_ms * (STARTS + 1)} ms"
        return run(scenario, replications=1, set={"measure.interval": length, "measure.warm_up": "0 s"})


def _redriven(slice_ms: int) -> Run:
    population = 'count = 1\nprogram = [ { io = { volume = "DISK" } } ]'
    text = _text(slice_ms, f'{{ exponential = "{FRONT_END_MS} ms" }}', population)
    return run(text, replications=5, set={"measure.interval": "60 s", "measure.warm_up": "1 s"})


def _text(slice_ms: int, service: str, population: str) -> str:
    return f"""
name = "one device of one of two domains"
assume = "an example"

[cec]
processors = 2
slice = "{slice_ms} ms"

[[partition]]
name = "OWN"
logical_processors = 2
target = "50 %"
slih = "0 ms"

[[partition]]
name = "OTHER"
logical_processors = 2
target = "50 %"

[[volume]]
name = "DISK"
device = "0100"
partition = "OWN"
service.connect = {service}

[[guest]]
name = "G"
partition = "OWN"
{population}
"""

"""Picture of token slices: what a limit in slices does to the slowest reads, over the reads at a time."""

from __future__ import annotations

from functools import cache

from slicewright import Run, run
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.statistics import estimate

PER_S, SLICES_MS = 3000, (100, 20)
DEPTHS, REQUESTERS = (1, 2, 4, 8, 16, 32), 32
SHARE = 0.99
READ_US = 50.0


def token_slices() -> Figure:
    """The response that one read in a hundred exceeds: over permits: with all asking, and with less demand."""
    permits = [
        Series(DEPTHS, *_p99([_closed(depth, slice_ms) for depth in DEPTHS]), f"slices of {slice_ms} ms")
        for slice_ms in SLICES_MS
    ]
    exact = [
        dots(DEPTHS, [slice_ms - _burst_ms(slice_ms) / depth for depth in DEPTHS], label="slice less burst", of=[label])
        for slice_ms, label in zip(SLICES_MS, [series.label for series in permits], strict=True)
    ]
    demand = [
        Series(DEPTHS, *_p99([_open(depth, slice_ms) for depth in DEPTHS]), f"slices of {slice_ms} ms")
        for slice_ms in SLICES_MS
    ]
    panels = [
        Panel("99 % response, ms; all requesters ask", [*permits, *exact]),
        Panel(f"{100 * SHARE:.0f} % of the limit arrives", demand),
    ]
    return Figure(panels, "Reads at a time")


def _burst_ms(slice_ms: int) -> float:
    """How long one permit needs for the reads of a slice."""
    return PER_S * slice_ms / 1000 * READ_US / 1000


def _p99(runs: list[Run]) -> tuple[list[float], list[float]]:
    found = [estimate(run.values("guests", "cycle_p99_ms", "READER")) for run in runs]
    return [value.mean for value in found], [value.half_width for value in found]


@cache
def _closed(depth: int, slice_ms: int) -> Run:
    return _run(f"count = {REQUESTERS}", depth, slice_ms)


@cache
def _open(depth: int, slice_ms: int) -> Run:
    return _run(f'arrivals = "{PER_S * SHARE:g}/s"', depth, slice_ms)


def _run(population: str, depth: int, slice_ms: int) -> Run:
    text = f"""
        name = "reads under a limit"
        [[resource]]
        name = "PERMITS"
        count = {depth}
        [[volume]]
        name = "DISK"
        device = "1000"
        aliases = {REQUESTERS - 1}
        limit = "{PER_S}/s"
        limit_slice = "{slice_ms} ms"
        service.connect = "{READ_US:g} us"
        [[guest]]
        name = "READER"
        {population}
        program = [ {{ hold = "PERMITS", steps = [ {{ io = {{ volume = "DISK" }} }} ] }} ]
    """
    measure = {"measure.interval": "10 s", "measure.warm_up": "1 s"}
    return run(text, seed=1, replications=10, set=measure)

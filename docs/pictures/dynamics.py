"""Pictures of changes while a machine runs: aliases and paths that go and come, a reserve, minidisks with a cache."""

from __future__ import annotations

from functools import cache

from slicewright import Run, run
from slicewright.report.figure import Figure, Panel, Series
from slicewright.statistics import Estimate, estimate
from slicewright.values.carried import data_folder

LENGTH_S = 60
"""As long as all the changes of scenarios/dynamics.toml take."""


def vary() -> Figure:
    """Response and free aliases second by second, while aliases and then paths are taken away and given back."""
    response = [_by_second("volumes", name, "response_ms", name) for name in ("DATA1", "DATA2")]
    free = [_by_second("pools", "LSS-52", "free_mean", "free"), _by_second("pools", "LSS-52", "aliases", "online")]
    panels = [Panel("Response, ms", response), Panel("Aliases of LSS-52", free)]
    return Figure(panels, "Simulated time, s")


def reserve() -> Figure:
    """The queue at a volume that another system reserves for two seconds, and the I/O it lets through."""
    panels = [
        Panel("I/O per second of USER01", [_by_second("volumes", "USER01", "io_per_s", "USER01")]),
        Panel("Waiting for LINUX1-201", [_by_second("minidisks", "LINUX1-201", "queue_depth", "LINUX1-201")]),
    ]
    return Figure(panels, "Simulated time, s")


def minidisk() -> Figure:
    """Savings of a cache for one minidisk under the same open load, with and without writes."""
    hits = range(0, 100, 10)
    panels = []
    for counter, label in (("response_ms", "Response, ms"), ("avoided_per_s", "Avoided, per second")):
        curves = []
        for reads in (100, 70):
            found = [estimate(_cached(percent, reads).values("minidisks", counter, "M")) for percent in hits]
            curves.append(_curve([float(percent) for percent in hits], found, f"{reads} % reads"))
        panels.append(Panel(label, curves))
    return Figure(panels, "Reads that the cache holds, %")


@cache
def _changing() -> Run:
    changed = {"measure.interval": "1 s", "measure.intervals": LENGTH_S, "measure.warm_up": "2 s"}
    return run(data_folder("scenarios") / "dynamics.toml", replications=10, set=changed)


def _by_second(table: str, name: str, counter: str, label: str) -> Series:
    frame = _changing().raw[table]
    own = frame.filter(frame[table.removesuffix("s")] == name)
    found = [estimate(own.filter(own["interval"] == second)[counter].to_list()) for second in range(LENGTH_S)]
    return _curve([second + 0.5 for second in range(LENGTH_S)], found, label)


@cache
def _cached(percent: int, reads: int) -> Run:
    text = f"""
name = "a minidisk with a cache"
assume = "an example"

[[volume]]
name = "V"
device = "0100"
service = {{ connect = {{ exponential = "1 ms" }} }}

[[minidisk]]
name = "M"
volume = "V"
cache = {{ read_hits = "{percent} %", time = "0.05 ms" }}

[[guest]]
name = "G"
arrivals = "800/s"
program = [ {{ io = {{ minidisk = "M", reads = "{reads} %" }} }} ]
"""
    return run(text, replications=10, set={"measure.interval": "20 s", "measure.warm_up": "1 s"})


def _curve(x: list[float], found: list[Estimate], label: str) -> Series:
    return Series(x, [point.mean for point in found], half_width=[point.half_width for point in found], label=label)

"""Pictures of CPU limits in six cases: what a burst, a period, threads, a collector and a lock do to latency."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from slicewright._core import Scenario
from slicewright.experiment.outcome import columns
from slicewright.experiment.simulations import simulate
from slicewright.report.figure import Figure, Panel, Series
from slicewright.statistics import Estimate, estimate
from slicewright.values.carried import data_folder

LATENCIES = {"cycle_p99_ms": "99 %", "cycle_p50_ms": "50 %"}
BURSTS_MS = (0, 10, 20, 30, 40, 50)
PERIODS_MS = (5, 10, 20, 50, 100)
THREADS = (1, 2, 4, 8, 16, 32)
COLLECTORS = (1, 2, 4, 8, 16)
LIMITS = (0.4, 0.5, 0.75, 1.0, 1.5, 2.0)
PROCESSORS = (2, 4, 8, 16, 32)
COLLECTION_MS, MARK_MS = 240.0, 100.0
Point = Mapping[str, Estimate]


def burst() -> Figure:
    """Latency and throttled periods over the burst, of two loads."""
    loads = {"32 % of the limit used": "6.67/s", "64 % used": "13.3/s"}
    found = {
        name: [_at("burst", f'cgroup.web.cpu.max.burst="{ms} ms"', f'guest.requests.arrivals="{rate}"')
               for ms in BURSTS_MS]
        for name, rate in loads.items()
    }  # fmt: skip
    panels = [
        Panel("99th percentile, ms", [_curve(BURSTS_MS, points, "cycle_p99_ms", name)
                                      for name, points in found.items()]),
        Panel("Periods throttled, %", [_curve(BURSTS_MS, points, "throttled_percent", name)
                                       for name, points in found.items()]),
    ]  # fmt: skip
    return Figure(panels, "cpu.max.burst, ms of a quota of 50")


def shorter_periods() -> Figure:
    """Latency over the period, of large requests and of small ones with as much work."""
    small = ('guest.requests.program.1.steps.1.compute.exponential="1 ms"', 'guest.requests.arrivals="83/s"')
    panels = []
    for words, changes in (("Requests of 20 ms", ()), ("Requests of 1 ms", small)):
        points = [_at("shorter-periods", f'cgroup.web.cpu.max="{ms / 2:g} ms {ms} ms"', *changes) for ms in PERIODS_MS]
        panels.append(Panel(f"{words}: latency, ms", _latency(PERIODS_MS, points)))
    return Figure(panels, "Period, ms, with half of it as quota")


def more_threads() -> Figure:
    """Latency and throttled periods over the number of threads."""
    points = [_at("more-threads", f"resource.threads.count={count}") for count in THREADS]
    return _both(THREADS, points, "Threads, with a limit of one processor")


def parallel_collector() -> Figure:
    """Latency of requests, and of collections, over the threads of the collector."""
    points = [_at("parallel-collector", *_divided("collector", count, COLLECTION_MS)) for count in COLLECTORS]
    panels = [
        Panel("Latency of requests, ms", _latency(COLLECTORS, points)),
        Panel("Collection, ms", [_curve(COLLECTORS, points, "collector_ms", "99 %")]),
    ]
    return Figure(panels, "Threads of the collector, with a limit of two processors")


def interpreter_lock() -> Figure:
    """Latency over the limit, of threads behind one lock and of free ones."""
    panels = []
    for name, words in (("cycle_p99_ms", "99th percentile, ms"), ("throttled_percent", "Periods throttled, %")):
        series = []
        for label, count in (("one lock", 1), ("no lock", 8)):
            points = [
                _at(
                    "interpreter-lock",
                    f'cgroup.web.cpu.max="{100 * limit:g} ms 100 ms"',
                    f"resource.lock.count={count}",
                )
                for limit in LIMITS
            ]
            series.append(_curve(LIMITS, points, name, label))
        panels.append(Panel(words, series))
    return Figure(panels, "Limit, processors")


def gomaxprocs() -> Figure:
    """Latency and throttled periods over GOMAXPROCS."""
    points = [
        _at("gomaxprocs", f"resource.gomaxprocs.count={count}", *_divided("mark", count, MARK_MS, held=True))
        for count in PROCESSORS
    ]
    return _both(PROCESSORS, points, "GOMAXPROCS, with a limit of two processors")


CASES: Mapping[str, Callable[[], Figure]] = {
    "limit-burst": burst, "limit-periods": shorter_periods, "limit-threads": more_threads,
    "limit-collector": parallel_collector, "limit-lock": interpreter_lock, "limit-gomaxprocs": gomaxprocs,
}  # fmt: skip


def _divided(guest: str, count: int, whole_ms: float, held: bool = False) -> list[str]:
    """Changes that divide work among a number of threads."""
    place = "program.1.steps.1" if held else "program.1"
    return [f"guest.clock.program.2.repeat={count}", f'guest.{guest}.{place}.compute="{whole_ms / count:g} ms"']


@cache
def _at(case: str, *changes: str) -> Point:
    """Measurements of a case with some changes."""
    file = data_folder("scenarios") / "cfs" / f"{case}.toml"
    scenario = Scenario.read(file.read_bytes(), file.name).with_(list(changes))
    count = int(scenario.measure["replications"])
    tables = simulate(scenario)
    found = columns(tables["guests"], {"guest": "requests"}, list(LATENCIES), count)
    found |= columns(tables["cgroups"], {}, ["throttled_percent"], count)
    if "collector" in tables["guests"]["guest"]:
        found["collector_ms"] = columns(tables["guests"], {"guest": "collector"}, ["cycle_p99_ms"], count)[
            "cycle_p99_ms"
        ]
    return {name: estimate([float(value) for value in values]) for name, values in found.items()}


def _both(x: Sequence[float], points: Sequence[Point], across: str) -> Figure:
    throttled = [_curve(x, points, "throttled_percent", "throttled")]
    return Figure([Panel("Latency, ms", _latency(x, points)), Panel("Periods throttled, %", throttled)], across)


def _latency(x: Sequence[float], points: Sequence[Point]) -> list[Series]:
    return [_curve(x, points, name, words) for name, words in LATENCIES.items()]


def _curve(x: Sequence[float], points: Sequence[Point], name: str, label: str) -> Series:
    found = [point[name] for point in points]
    return Series(x, [each.mean for each in found], [each.half_width for each in found], label)

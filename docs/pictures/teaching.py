"""What is in the pictures of the teaching pages: simulated curves, and points where theory has a closed form."""

from __future__ import annotations

from collections.abc import Sequence

from slicewright import Run
from slicewright.report.figure import Figure, Panel, Series, dots

from docs.teaching import theory
from docs.teaching.tables import CUSTOMERS, THINK_MS, at_load, bank, servers_behind_one_queue, system

SHORT = "15 s"
"""Long enough for a picture: a band that can be seen is part of what it shows."""


def one_server() -> Figure:
    """M/M/1: response and queue against the utilization of the server."""
    loads = (5, 10, 20, 30, 40, 50, 60, 70, 75, 80, 85, 90, 95)
    runs = [at_load(load, "1 min") for load in loads]
    shown = (10, 30, 50, 70, 80, 90, 95)
    response = [theory.one_server(load / 100) for load in shown]
    waiting = [load / 100 * (value - 1) for load, value in zip(shown, response, strict=True)]
    panels = [
        Panel("Response, ms", [_curve(loads, runs, "response_ms", "simulated"), _theory(shown, response, "simulated")]),
        Panel("Waiting", [_curve(loads, runs, "queue_depth", "simulated"), _theory(shown, waiting, "simulated")]),
    ]
    return Figure(panels, "Busy, %")


def bank_tellers() -> Figure:
    """The bank: response, service and queue against tellers, with nothing, a tenth and everything shared."""
    tellers = (1, 2, 3, 4, 5, 6, 8, 10, 12)
    sharings = ((0, "nothing shared"), (10, "10 % shared"), (100, "one till"))
    known = {
        percent: [theory.repairman(CUSTOMERS, THINK_MS, count, percent / 100) for count in tellers]
        for percent, _ in sharings
    }
    runs = {percent: [bank(count, percent, SHORT) for count in tellers] for percent, _ in sharings}
    panels = []
    for label, counter, name in (
        ("Response, ms", "response_ms", "response"),
        ("Service, ms", "service_ms", "service"),
        ("Waiting", "queue_depth", "waiting"),
    ):
        curves = [_curve(tellers, runs[percent], counter, words) for percent, words in sharings]
        exact = [_theory(tellers, [getattr(value, name) for value in known[percent]], of) for percent, of in sharings]
        panels.append(Panel(label, [*curves, *exact]))
    return Figure(panels, "Tellers")


def many_servers() -> Figure:
    """M/M/c at three loads: response and queue against servers behind one queue."""
    servers = (1, 2, 3, 4, 6, 8, 12, 16)
    loads = (50, 75, 90)
    runs = {load: [servers_behind_one_queue(count, load, SHORT) for count in servers] for load in loads}
    response = {load: [theory.many_servers(count, load / 100 * count) for count in servers] for load in loads}
    waiting = {
        load: [load / 100 * count * (value - 1) for count, value in zip(servers, response[load], strict=True)]
        for load in loads
    }
    panels = []
    for label, counter, known in (("Response, ms", "response_ms", response), ("Waiting", "queue_depth", waiting)):
        curves = [_curve(servers, runs[load], counter, f"{load} % busy") for load in loads]
        panels.append(Panel(label, [*curves, *(_theory(servers, known[load], f"{load} % busy") for load in loads)]))
    return Figure(panels, "Servers")


def _theory(xs: Sequence[float], ys: Sequence[float], of: str) -> Series:
    return dots(list(xs), list(ys), label="closed form", of=[of])


def _curve(xs: Sequence[float], runs: Sequence[Run], counter: str, label: str) -> Series:
    found = [system(run, counter) for run in runs]
    return Series(
        [float(x) for x in xs],
        [point.mean for point in found],
        half_width=[point.half_width for point in found],
        label=label,
    )

"""The answer about a fleet as OpenMetrics: for a server that keeps it beside the counters, and for dashboards."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from slicewright.measured.openmetrics import labels

if TYPE_CHECKING:
    from slicewright.advise.limits.fleet.report import FleetAnswer, Line

_GAUGES: tuple[tuple[str, str, str, Callable[[Line], float | None]], ...] = (
    ("limit", "cores", "CPU limit of one replica now", lambda line: line.limit),
    ("limit_then", "cores", "CPU limit of one replica that would do", lambda line: line.then),
    ("limit_low", "cores", "low end of the range of that limit", lambda line: line.low),
    ("limit_high", "cores", "high end of the range of that limit, +Inf is none", lambda line: line.high),
    ("used", "cores", "processors that one replica used in the busy time", lambda line: line.busy),
    ("throttled", "ratio", "throttled periods of those counted", lambda line: _share(line)),
    ("throttling_p99", "seconds", "what throttling adds to the 99th percentile", lambda line: _s(line.cost_p99_ms)),
    ("throttling_mean", "seconds", "what throttling adds to the mean", lambda line: _s(line.cost_mean_ms)),
    ("replicas", "", "replicas at the end of the time", lambda line: line.replicas),
)  # fmt: skip
"""Name, unit, help, and value of a workload; None where the counters do not tell."""


def exposition(answer: FleetAnswer) -> str:
    """Every workload in the text format of OpenMetrics; a workload has no sample of what its counters do not tell.

    The form is that of OpenMetrics 1.0: metadata, then the samples of a metric together, and `# EOF` at the end.
    """
    return "".join(f"{line}\n" for line in _lines(answer))


def _lines(answer: FleetAnswer) -> Iterator[str]:
    for name, unit, words, value in _GAUGES:
        full = f"slicewright_{name}_{unit}" if unit else f"slicewright_{name}"
        yield f"# TYPE {full} gauge"
        if unit:
            yield f"# UNIT {full} {unit}"
        yield f"# HELP {full} {words}."
        for line in answer.lines:
            number = value(line)
            if number is not None and not math.isnan(number):
                yield f"{full}{_labels(line)} {_number(number)}"
    yield "# TYPE slicewright_advice gauge"
    yield "# HELP slicewright_advice What to do with the limit of a workload: 1 for its verdict."
    for line in answer.lines:
        yield f"slicewright_advice{_labels(line, verdict=line.verdict.value)} 1"
    yield "# EOF"


def _labels(line: Line, **more: str) -> str:
    names = ("namespace", "workload", "container")
    parts = line.workload.split("/", 2)
    return labels({name: part for name, part in zip(names, parts, strict=False) if part} | more)


def _number(value: float) -> str:
    return "+Inf" if math.isinf(value) else f"{value:.5g}"


def _share(line: Line) -> float | None:
    return line.throttled / line.periods if line.periods else None


def _s(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1000

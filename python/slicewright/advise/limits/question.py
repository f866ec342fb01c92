"""The question about CPU limits: copies of a group's cpu.stat, or series of a cluster."""

from __future__ import annotations

from typing import Any

from slicewright.advise.limits.cpu_stat import is_cpu_stat
from slicewright.advise.limits.fleet.question import FLEET
from slicewright.advise.question import Option, Question, later

QUESTION: Question[Any, Any] = Question(
    name="limits",
    asks="Which CPU limit does a container need?",
    files="copies of a group's cpu.stat, or series of a cluster (Prometheus, OpenMetrics, CSV, Parquet, Docker, ECS)",
    example="advise limits cpu.stat.1 cpu.stat.2 --limit 500m --requests 40/s --threads 8",
    help={
        "at": "Additional setting to show: 750m, none, '4 threads', 'period 20 ms', 'burst 50 ms'.",
        "growth": "Growth of the rate of requests: 20%, or 1.2x.",
        "target": "Recommend the smallest limit that meets this condition: 'p99_ms <= 200'.",
        "assume": "Fact that the copies do not contain: scv=1, lock=70%, tick=1ms, margin=15%, knee=20%.",
    },
    fits=lambda view: "",
    reads=lambda files: any(is_cpu_stat(data) for _, data in files),
    check=later("slicewright.advise.limits.answering:check"),
    answer=later("slicewright.advise.limits.answering:answer"),
    document=later("slicewright.advise.limits.report:document"),
    report=later("slicewright.advise.limits.report:report"),
    scenarios=later("slicewright.advise.limits.answering:scenarios"),
    alone=later("slicewright.advise.limits.answering:alone"),
    alone_is="the scenario of the recommended limit",
    options=(
        Option("limit", "CPU", "CPU limit of the container: 500m, 0.5, 2, or the text of cpu.max."),
        Option("requests", "RATE", "Request rate while cpu.stat was copied: 40/s, 30-50/s [default: unknown]."),
        Option("threads", "N", "Threads that serve them [default: any number that fits]."),
        Option("every", "SPAN", "Time between copies of cpu.stat, or between scrapes without times: 60 s."),
        Option("period", "SPAN", "Period of the limit [default: 100 ms]."),
        Option("burst", "SPAN", "Burst of the limit (cpu.max.burst)."),
        Option("processors", "N", "Processors of its node [default: as many as its threads]."),
        Option("prometheus", "URL", "Prometheus server to ask, in place of files."),
        Option("selector", "LABELS", "Series to ask it for: '{namespace=\"shop\"}' [default: all]."),
        Option("since", "SPAN", "Range of time to ask for, until now [default: 6h]."),
        Option("step", "SPAN", "Step of its queries [default: 30s]."),
        Option("top", "N", "Workloads of a cluster to list as text [default: 20]."),
        Option("workload", "NAME", "Workload of a cluster to simulate in depth: NAMESPACE/NAME/CONTAINER."),
        Option("patch", "FILE", "File for patches with the recommended limits; they change nothing by themselves."),
    ),
    why="it applies to a control group with a CPU limit",
    fleet=FLEET,
)

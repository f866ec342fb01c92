"""The question about CPU limits: copies of a group's cpu.stat, or series of a cluster."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace

from slicewright.advise.limits.answer import Lever, LimitAnswer
from slicewright.advise.limits.cpu_stat import is_cpu_stat, limit_of
from slicewright.advise.limits.fleet.cluster import FORMS
from slicewright.advise.limits.fleet.question import FLEET
from slicewright.advise.limits.from_copies import answer_copies
from slicewright.advise.limits.intervals import read_all
from slicewright.advise.limits.report import document, report
from slicewright.advise.limits.request import LimitRequest, check
from slicewright.advise.limits.words import setting_words
from slicewright.advise.options import AdviceOptions
from slicewright.advise.printed import slug
from slicewright.advise.question import Files, Option, Question
from slicewright.errors import Problem, gathered, problem, refusal


def _check(files: Files, options: AdviceOptions) -> LimitRequest:
    """The question; problems of the options and of the files are raised together."""
    problems: list[Problem] = []
    why, allowed = "it has none of the counters of cpu.stat", f"copies of a group's cpu.stat; or {FORMS}"
    others = [name for name, data in files if not is_cpu_stat(data) and data.strip()]
    problems += [problem("no cpu.stat", file=name, why=why, allowed=allowed) for name in others]
    if not others:
        gathered(problems, functools.partial(read_all, files))
    if "limit" not in options.own and (limit := limit_of([data for _, data in files])) is not None:
        options = replace(options, own={**options.own, "limit": limit})
    asked = gathered(problems, functools.partial(check, options))
    if problems:
        raise refusal(*problems)
    return asked[0]


def _scenarios(answer: LimitAnswer) -> Iterator[tuple[str, str]]:
    """Each setting and each reading."""
    for point in answer.points:
        words = setting_words(point.lever, point.setting)
        yield f"{slug(f'limit {words}' if point.lever is Lever.LIMIT else words)}.toml", point.text
    for at, line in enumerate((line for line in answer.readings if line.text), 1):
        yield f"reading-{at:02}.toml", line.text


def _alone(answer: LimitAnswer) -> str:
    """The scenario of the recommended limit, or of now."""
    chosen = answer.recommendation
    limits = {point.setting.limit: point.text for point in answer.of(Lever.LIMIT)}
    return limits.get(chosen.limit if chosen else answer.group.limit, "")


QUESTION = Question(
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
    check=_check,
    answer=lambda files, request, progress: [answer_copies(files, request, progress)],
    document=document,
    report=report,
    scenarios=_scenarios,
    alone=_alone,
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

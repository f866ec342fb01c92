"""The question about slices: one scenario of partitions that share processors, or RMF pages of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slicewright.advise.question import OfDay, Option, Question, later
from slicewright.advise.rmf_pages import kinds
from slicewright.measured.linux.sched import is_sched

if TYPE_CHECKING:
    from slicewright.scenario.view import View

_SCENARIOS = later("slicewright.advise.slices.answering:scenarios")


def _fits(view: View) -> str:
    shared = view.cec is not None and len(view.controlled) < max(1, len(view.partitions))
    return "partitions that share processors" if shared else ""


QUESTION: Question[Any, Any] = Question(
    name="slices",
    asks="Which slice costs partitions that share processors least?",
    files="one scenario with [cec] and two or more [[partition]], RMF pages of partitions, or monitor data of a day. "
    "Output of perf sched latency and copies of schedstat ask how long tasks of Linux wait for a processor",
    example="advise slices device.txt --slices '30 ms' --share 50%",
    help={
        "at": "Additional slice to show: '20 ms', or a scheduling parameter, 1 to 5.",
        "growth": "Growth of the load: 20%, or 1.2x.",
        "target": "Recommend the longest slice that meets this condition: 'hold_ms <= 2'.",
        "assume": "Fact that the files do not contain: switch=50us, processor=10, partitions=3, processors=2, "
        "busy=82%, slih=.15ms, service=constant, arrivals=open; or threshold: margin=10%.",
    },
    fits=_fits,
    reads=lambda files: any(kinds(data) or is_sched(data) for _, data in files),
    check=later("slicewright.advise.slices.answering:check"),
    answer=later("slicewright.advise.slices.answering:answer_all"),
    document=later("slicewright.advise.slices.answering:document"),
    report=later("slicewright.advise.slices.answering:report"),
    scenarios=_SCENARIOS,
    alone=later("slicewright.advise.slices.answering:alone"),
    alone_is="the scenario of the main reading as it is now",
    options=(
        Option("slices", "SLICE", "Slice of RMF pages: '30 ms', or the scheduling parameter, 1 to 5."),
        Option("weight", "NAME=N", "PR/SM weight of a partition of monitor data: PROD=600, or PROD=DED.", True),
        Option("partition", "NAME", "Partition of the system that wrote the monitor data."),
        Option("share", "P%", "Share of the processors of an RMF page's partition; one per file.", True),
    ),
    why="it defines how partitions share processors",
    day=OfDay(
        records="6/3 or 74-1 (volumes), and 0/16 or 70-1 (partitions)",
        missing=later("slicewright.advise.slices.measured_partitions:missing"),
        given="may need --weight, --partition, --assume processors",
        answer=later("slicewright.advise.slices.day_answer:answer_day"),
        document=later("slicewright.advise.slices.day_report:document"),
        report=later("slicewright.advise.slices.day_report:report"),
        scenarios=lambda answer: _SCENARIOS(answer.hardest.answer),
        alone=lambda answer: answer.hardest.answer.scenario,
    ),
)

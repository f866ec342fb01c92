"""The question about aliases: DEVICE reports of one system, pool by pool, or one scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slicewright.advise.aliases.linux import of_linux
from slicewright.advise.question import Files, OfDay, Option, Question, later
from slicewright.advise.rmf_pages import Kind, has_exposures, kinds

if TYPE_CHECKING:
    from slicewright.scenario.view import View

_ALONE = later("slicewright.advise.aliases.answering:alone")


def _reads(files: Files) -> bool:
    """Whether Linux's tools wrote them, or RMF pages give exposures and none partitions, which ask about slices."""
    if any(of_linux(*file) for file in files):
        return True
    apart = not any(Kind.PARTITIONS in kinds(data) for _, data in files)
    return apart and any(has_exposures(data) for _, data in files)


def _fits(view: View) -> str:
    aliased = view.alias_pools or any(volume.aliases is not None for volume in view.volumes)
    return "volumes with aliases" if aliased else ""


DAY: OfDay[Any, Any] = OfDay(
    records="6/3 or 74-1 (rate, service and queue of volumes); 6/28 or 78-3 give tries and fails of pools",
    missing=later("slicewright.advise.aliases.measured_pool:missing"),
    given="may need --aliases",
    answer=later("slicewright.advise.aliases.day_answer:answer_day"),
    document=later("slicewright.advise.aliases.day_report:document"),
    report=later("slicewright.advise.aliases.day_report:report"),
    scenarios=later("slicewright.advise.aliases.answering:scenarios_of_day"),
    alone=lambda answer: _ALONE(answer.hardest.answer),
)

QUESTION: Question[Any, Any] = Question(
    name="aliases",
    asks="How many aliases does a pool of volumes need?",
    files="DEVICE reports (FCX108) or RMF DIRECT ACCESS DEVICE ACTIVITY of one system, monitor data of a day, or one "
    "scenario with aliases. Output of fio, iostat -x, btt and dasdstat asks about the queue depth of a disk of Linux",
    example="advise Y032180H.txt --at 13 --target 'response_ms <= 2'",
    help={
        "at": "Additional number of aliases to show: 13.",
        "growth": "Growth of the demand: 20%, or 1.2x.",
        "target": "Recommend the fewest aliases that meet this condition: 'response_ms <= 2'.",
        "assume": "Fact that a report does not contain: channel_busy=40%, population=3, think=.3ms, "
        "sharing=2%, gap=50us, redispatch=none, arrivals=open; or threshold: margin=2%, knee=5%.",
    },
    fits=_fits,
    reads=_reads,
    check=later("slicewright.advise.aliases.answering:check"),
    answer=later("slicewright.advise.aliases.answering:answer_all"),
    document=later("slicewright.advise.aliases.answering:document"),
    report=later("slicewright.advise.aliases.answering:report"),
    scenarios=later("slicewright.advise.aliases.answering:scenarios"),
    alone=_ALONE,
    alone_is="the scenario of the main reading",
    options=(
        Option("pool", "RANGE", "Volumes of one pool: 522A-5231.", True),
        Option("aliases", "LCU=N", "HyperPAV aliases of an LCU, which an RMF page does not give: 0016=8.", True),
        Option("pool-listing", "FILE", "Output of QUERY PAV, with the members of pools; may also be one of the files."),
    ),
    why="it lists the volumes that share aliases",
    day=DAY,
)

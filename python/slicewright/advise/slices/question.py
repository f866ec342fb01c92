"""The question about slices: one scenario of partitions that share processors, or RMF pages of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from slicewright.advise.question import Files, OfDay, Option, Question, later
from slicewright.advise.rmf_pages import kinds
from slicewright.advise.slices.request import SliceRequest, check
from slicewright.advise.slices.waits import WaitsAnswer, answer_waits, is_waiting
from slicewright.advise.source import is_scenario
from slicewright.errors import problem, refusal
from slicewright.experiment.progress import Progress

if TYPE_CHECKING:
    from slicewright.advise.slices.answer import SliceAnswer
    from slicewright.scenario.view import View

_DOCUMENT = later("slicewright.advise.slices.report:document")
_REPORT = later("slicewright.advise.slices.report:report")
_WAITS_DOCUMENT = later("slicewright.advise.slices.waits_report:document")
_WAITS_REPORT = later("slicewright.advise.slices.waits_report:report")


def _answer(files: Files, request: SliceRequest, progress: Progress) -> Sequence[SliceAnswer] | Sequence[WaitsAnswer]:
    """Waits for a processor where Linux counted them, else slices of partitions."""
    return answer_waits(files, request) if is_waiting(files) else answer(files, request, progress)


def answer(files: Files, request: SliceRequest, progress: Progress) -> list[SliceAnswer]:
    """The answer from one scenario, or from RMF pages of partitions; raises InputError.

    >>> from slicewright._core import starter
    >>> files = [("two-domains.toml", starter("two-domains").encode())]
    >>> answer(files, SliceRequest(), lambda share: None)[0].recommendation.parameter
    5
    """
    if request.weights or request.partition is not None:
        why = "pages have the weights, and a scenario has its partitions"
        raise refusal(problem("applies to monitor data alone", key="weight, partition", why=why))
    name, data = files[0]
    if len(files) == 1 and is_scenario(name, data):
        from slicewright.advise.slices.from_scenario import answer_scenario

        return [answer_scenario(data, name, request, progress)]
    from slicewright.advise.slices.from_pages import answer_pages

    return [answer_pages(files, request, progress)]


def _fits(view: View) -> str:
    shared = view.cec is not None and len(view.controlled) < max(1, len(view.partitions))
    return "partitions that share processors" if shared else ""


def _scenarios(answer: SliceAnswer) -> Iterator[tuple[str, str]]:
    """Each reading."""
    for at, reading in enumerate(answer.readings, 1):
        yield f"{at:02}-{reading.name}.toml", reading.text


QUESTION: Question[SliceRequest, Any] = Question(
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
    reads=lambda files: any(kinds(data) for _, data in files) or is_waiting(files),
    check=lambda files, options: check(options),
    answer=_answer,
    document=lambda found: (_WAITS_DOCUMENT if isinstance(found, WaitsAnswer) else _DOCUMENT)(found),
    report=lambda found: (_WAITS_REPORT if isinstance(found, WaitsAnswer) else _REPORT)(found),
    scenarios=lambda found: iter(()) if isinstance(found, WaitsAnswer) else _scenarios(found),
    alone=lambda found: "" if isinstance(found, WaitsAnswer) else found.scenario,
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
        answer=later("slicewright.advise.slices.day_answer:answer_day"),
        document=later("slicewright.advise.slices.day_report:document"),
        report=later("slicewright.advise.slices.day_report:report"),
        scenarios=lambda answer: _scenarios(answer.hardest.answer),
        alone=lambda answer: answer.hardest.answer.scenario,
    ),
)

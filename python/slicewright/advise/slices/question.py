"""The question about slices: one scenario of partitions that share processors, or RMF pages of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from slicewright.advise.question import Files, OfDay, Question, meaning
from slicewright.advise.source import is_scenario
from slicewright.measured.linux.sched import is_sched
from slicewright.measured.rmf_pages import OF_PARTITIONS, kinds
from slicewright.values.settings import Option

if TYPE_CHECKING:
    from slicewright.advise.day import Day
    from slicewright.advise.options import AdviceOptions
    from slicewright.advise.slices.answer import SliceAnswer
    from slicewright.advise.slices.day import DaySliceAnswer
    from slicewright.advise.slices.request import SliceRequest
    from slicewright.advise.slices.waits import WaitsAnswer
    from slicewright.report.model import Report
    from slicewright.scenario.view import View
    from slicewright.values.errors import Problem
    from slicewright.values.progress import Progress


class _Day(OfDay["SliceRequest", "DaySliceAnswer"]):
    records = "6/3 or 74-1 (volumes), and 0/16 or 70-1 (partitions)"
    given = "may need --weight, --partition, --assume processors"

    def missing(self, day: Day) -> Sequence[str]:
        found = day.lacks("volumes", "io_per_s", "6/3 (MRIODDEV) or 74-1: rate, service and queue of volumes")
        if day.table("partitions")["partition"].n_unique() < 2:
            found.append("0/16 (MRSYTCUP) or 70-1: two or more partitions")
        return found

    def answer(self, day: Day, request: SliceRequest, progress: Progress) -> Sequence[DaySliceAnswer]:
        from slicewright.advise.slices.day import answer_day

        return answer_day(day, request, progress)

    def scenarios(self, answer: DaySliceAnswer) -> Iterator[tuple[str, str]]:
        return QUESTION.scenarios(answer.hardest.answer)

    def alone(self, answer: DaySliceAnswer) -> str:
        return answer.hardest.answer.scenario


class _Slices(Question["SliceRequest", "SliceAnswer | WaitsAnswer"]):
    name = "slices"
    asks = "Which slice costs partitions that share processors least?"
    files = (
        "one scenario with [cec] and two or more [[partition]], RMF pages of partitions, or monitor data of a day. "
        "Output of perf sched latency and copies of schedstat ask how long tasks of Linux wait for a processor"
    )
    example = "advise slices device.txt --slices '30 ms' --share 50%"
    help = meaning(
        at="Additional slice to show: '20 ms', or a scheduling parameter, 1 to 5.",
        growth="Growth of the load: 20%, or 1.2x.",
        target="Recommend the longest slice that meets this condition: 'hold_ms <= 2'.",
        assume="Fact that the files do not contain: switch=50us, processor=10, partitions=3, processors=2, "
        "busy=82%, slih=.15ms, service=constant, arrivals=open; or threshold: margin=10%.",
    )
    alone_is = "the scenario of the main reading as it is now"
    options = (
        Option("slices", "SLICE", "Slice of RMF pages: '30 ms', or the scheduling parameter, 1 to 5."),
        Option("weight", "NAME=N", "PR/SM weight of a partition of monitor data: PROD=600, or PROD=DED.", True),
        Option("partition", "NAME", "Partition of the system that wrote the monitor data."),
        Option("share", "P%", "Share of the processors of an RMF page's partition; one per file.", True),
    )
    why = "it defines how partitions share processors"
    day = _Day()

    def fits(self, view: View) -> str:
        shared = view.cec is not None and len(view.controlled) < max(1, len(view.partitions))
        return "partitions that share processors" if shared else ""

    def reads(self, files: Files) -> bool:
        return any(set(kinds(data)) & set(OF_PARTITIONS) or is_sched(data) for _, data in files)

    def lacks(self, files: Files) -> list[Problem]:
        from slicewright.advise.slices.from_pages import partitions_of
        from slicewright.advise.slices.request import SliceRequest
        from slicewright.values.errors import gathered

        problems: list[Problem] = []
        gathered(problems, lambda: partitions_of(files, SliceRequest()))
        return problems

    def check(self, files: Files, options: AdviceOptions) -> SliceRequest:
        from slicewright.advise.slices.request import check

        return check(options)

    def answer(
        self, files: Files, request: SliceRequest, progress: Progress
    ) -> Sequence[SliceAnswer] | Sequence[WaitsAnswer]:
        """Waits for a processor where Linux counted them, else slices from one scenario, or from RMF pages."""
        if any(is_sched(data) for _, data in files):
            from slicewright.advise.slices.waits import answer_waits

            return answer_waits(files, request)
        from slicewright.values.errors import problem, refusal

        if request.weights or request.partition is not None:
            why = "pages have the weights, and a scenario has its partitions"
            raise refusal(problem("applies to monitor data alone", key="weight, partition", why=why))
        name, data = files[0]
        if len(files) == 1 and is_scenario(name, data):
            from slicewright.advise.slices.answer import answer_scenario

            return [answer_scenario(data, name, request, progress)]
        from slicewright.advise.slices.from_pages import answer_pages

        return [answer_pages(files, request, progress)]

    def report(self, answer: SliceAnswer | WaitsAnswer) -> Report:
        from slicewright.advise.slices import report, waits

        return waits.report(answer) if isinstance(answer, waits.WaitsAnswer) else report.report(answer)

    def document(self, answer: SliceAnswer | WaitsAnswer) -> dict[str, Any]:
        from slicewright.advise.slices import report, waits

        return waits.document(answer) if isinstance(answer, waits.WaitsAnswer) else report.document(answer)

    def scenarios(self, answer: SliceAnswer | WaitsAnswer) -> Iterator[tuple[str, str]]:
        """Each reading; waits have none."""
        from slicewright.advise.slices.waits import WaitsAnswer

        for at, reading in enumerate(() if isinstance(answer, WaitsAnswer) else answer.readings, 1):
            yield f"{at:02}-{reading.name}.toml", reading.text

    def alone(self, answer: SliceAnswer | WaitsAnswer) -> str:
        """The scenario of the main reading; "" for waits."""
        from slicewright.advise.slices.waits import WaitsAnswer

        return "" if isinstance(answer, WaitsAnswer) else answer.scenario


QUESTION = _Slices()

"""The question about yields: one scenario whose guests spin for locks under a control program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from slicewright.advise.question import Compares, OfDay, meaning
from slicewright.advise.yields.yielding import ALLOWED

if TYPE_CHECKING:
    from slicewright.advise.answer import Request
    from slicewright.advise.comparison import Comparison
    from slicewright.advise.day import Day
    from slicewright.advise.yields.comparison import YieldAnswer
    from slicewright.advise.yields.day import DayYields
    from slicewright.report.model import Report
    from slicewright.scenario.view import View
    from slicewright.values.progress import Progress


class _Day(OfDay["Request", "DayYields"]):
    records = "5/12 (rates of DIAGNOSE); 0/23 gives the scheduler lock"

    def missing(self, day: Day) -> Sequence[str]:
        from slicewright.advise.yields.day import missing

        return missing(day)

    def answer(self, day: Day, request: Request, progress: Progress) -> list[DayYields]:
        from slicewright.advise.yields.day import answer_day

        return answer_day(day, request, progress)


class _Yields(Compares["YieldAnswer"]):
    name = "yields"
    asks = "How should guests that spin for a lock yield their processor?"
    files = f"{ALLOWED}; or monitor data of a day or FCX102, for rates and costs"
    example = "advise yields apache-spin.toml --at 'CLIENT x9c'"
    help = meaning(
        at="Additional yields or logical processors to show: x9c, 'CLIENT x9c', 6.",
        growth="Growth of the number of virtual machines: 20%, or 1.2x.",
        target="Recommend the fewest processors that meet this condition: 'work_percent >= 400'.",
        assume="Smallest difference that counts (least=1%), or a key: virtual_machine.CLIENT.spin_retry=0.",
    )
    alone_is = "the scenario of the recommended yields"
    day = _Day()

    def fits(self, view: View) -> str:
        return "spin locks" if view.controlled and view.spin_locks else ""

    @property
    def comparison(self) -> Comparison[Any, Any, Any, Any]:
        from slicewright.advise.yields.answering import COMPARISON

        return COMPARISON

    def report(self, answer: YieldAnswer) -> Report:
        from slicewright.advise.yields.report import report

        return report(answer)

    def document(self, answer: YieldAnswer) -> dict[str, Any]:
        from slicewright.advise.yields.report import document

        return document(answer)

    def scenarios(self, answer: YieldAnswer) -> Iterator[tuple[str, str]]:
        """Each yield at each number of processors, and each reading."""
        from slicewright.advise.answer import reading_scenarios

        for point in answer.points:
            yield f"{point.variant.processors:03}-{point.variant.yielding.slug}.toml", point.text
        yield from reading_scenarios(answer.readings)


QUESTION = _Yields()

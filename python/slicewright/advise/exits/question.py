"""The question about installation exits: one scenario with ENQs, or one table of request rates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from slicewright.advise.exits.rates import ALLOWED, is_rates
from slicewright.advise.exits.syscalls import is_filtering
from slicewright.advise.question import Compares, Files, OfDay, meaning

if TYPE_CHECKING:
    from slicewright.advise.answer import Request
    from slicewright.advise.comparison import Comparison
    from slicewright.advise.day import Day
    from slicewright.advise.exits.day import DayExitAnswer
    from slicewright.advise.exits.filters import FilterAnswer
    from slicewright.advise.exits.report import ExitAnswer
    from slicewright.advise.options import AdviceOptions
    from slicewright.report.model import Report
    from slicewright.scenario.view import View
    from slicewright.values.progress import Progress


class _Day(OfDay["Request", "DayExitAnswer"]):
    records = "72-5 (rate of ENQ and DEQ) or 87-2 (each of them); 77-1 gives contention by name"

    def missing(self, day: Day) -> Sequence[str]:
        from slicewright.advise.exits.day import missing

        return missing(day)

    def answer(self, day: Day, request: Request, progress: Progress) -> list[DayExitAnswer]:
        from slicewright.advise.exits.day import answer_day

        return answer_day(day, request, progress)

    def scenarios(self, answer: DayExitAnswer) -> Iterator[tuple[str, str]]:
        return QUESTION.scenarios(answer.hardest.answer)

    def alone(self, answer: DayExitAnswer) -> str:
        hardest = answer.hardest.answer
        return hardest.point(answer.recommendation or hardest.now).text


class _Exits(Compares["ExitAnswer | FilterAnswer"]):
    name = "exits"
    asks = "Which structure of installation exits takes the least processor time for your ENQs and DEQs?"
    files = (
        f"{ALLOWED}; monitor data of a day; or strace -c or perf trace -s of a program, a"
        " seccomp profile, and a directory of live hooks"
    )
    example = "advise exits rates.csv --growth 20%"
    help = meaning(
        at="Structure of exits to mark in the table: batch, pooled, single area.",
        growth="Growth of the request rate: 20%, or 1.2x.",
        target="Name the structures that meet this condition: 'cpu_us_per_pair <= 150'.",
        assume="Smallest difference that counts (least=1%), or a key: 'serialization.answer=\"2 ms\"'; of a seccomp "
        "profile the container: caps=SYS_ADMIN,-NET_RAW (none, all), arch=s390x, kernel=6.8.",
    )
    alone_is = "the scenario of the recommended structure"
    day = _Day()

    def fits(self, view: View) -> str:
        return "resources that are enqueued on" if view.enqueues else ""

    def reads(self, files: Files) -> bool:
        return any(is_rates(data) for _, data in files) or is_filtering(files)

    @property
    def comparison(self) -> Comparison[Any, Any, Any, Any]:
        from slicewright.advise.exits.comparison import COMPARISON

        return COMPARISON

    def check(self, files: Files, options: AdviceOptions) -> Request:
        """The request; assumptions about a filter of system calls are checked with its profile."""
        if not is_filtering(files):
            return super().check(files, options)
        return replace(super().check(files, replace(options, assume=())), changes=tuple(options.assume))

    def answer(
        self, files: Files, request: Request, progress: Progress
    ) -> Sequence[ExitAnswer] | Sequence[FilterAnswer]:
        """The filter of system calls where tools of Linux counted these, else exits of ENQ and DEQ."""
        if is_filtering(files):
            from slicewright.advise.exits.filters import answer_filters

            return answer_filters(files, request)
        from slicewright.advise.exits.comparison import answer

        return answer(files, request, progress)

    def report(self, answer: ExitAnswer | FilterAnswer) -> Report:
        from slicewright.advise.exits import filters, report

        return filters.report(answer) if isinstance(answer, filters.FilterAnswer) else report.report(answer)

    def document(self, answer: ExitAnswer | FilterAnswer) -> dict[str, Any]:
        from slicewright.advise.exits import filters, report

        return filters.document(answer) if isinstance(answer, filters.FilterAnswer) else report.document(answer)

    def scenarios(self, answer: ExitAnswer | FilterAnswer) -> Iterator[tuple[str, str]]:
        """Each structure and each reading; a filter of system calls has none."""
        from slicewright.advise.answer import reading_scenarios
        from slicewright.advise.exits.filters import FilterAnswer

        if isinstance(answer, FilterAnswer):
            return
        for point in answer.points:
            yield f"{point.variant}.toml", point.text
        yield from reading_scenarios(answer.readings)

    def alone(self, answer: ExitAnswer | FilterAnswer) -> str:
        from slicewright.advise.exits.filters import FilterAnswer

        return "" if isinstance(answer, FilterAnswer) else super().alone(answer)

    def lead(self, answer: ExitAnswer | FilterAnswer) -> str:
        from slicewright.advise.exits.filters import FilterAnswer

        return "" if isinstance(answer, FilterAnswer) else super().lead(answer)


QUESTION = _Exits()

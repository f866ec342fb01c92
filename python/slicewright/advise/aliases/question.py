"""The question about aliases: DEVICE reports of one system, pool by pool, or one scenario."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from slicewright.advise.linux_files import family_of
from slicewright.advise.question import Files, OfDay, OfPair, Pair, Question, meaning
from slicewright.measured.rmf_pages import Kind, has_exposures, kinds
from slicewright.values.settings import Option

if TYPE_CHECKING:
    from slicewright.advise.aliases.answer import Answer
    from slicewright.advise.aliases.day import DayAnswer
    from slicewright.advise.aliases.depth import DepthAnswer
    from slicewright.advise.aliases.request import AliasRequest
    from slicewright.advise.day import Day
    from slicewright.advise.options import AdviceOptions
    from slicewright.advise.predictions import Line
    from slicewright.advise.second import Checked
    from slicewright.report.model import Report
    from slicewright.scenario.view import View
    from slicewright.values.errors import Problem
    from slicewright.values.progress import Progress


def _of_linux(name: str, data: bytes) -> bool:
    """Whether one of Linux's tools wrote a file, and not a person a scenario.

    >>> _of_linux("dasd.txt", b"Bus-ID    Status    Name      Device  Type"), _of_linux("a.txt", b"FCX108")
    (True, False)
    """
    family = family_of(name, data)
    return family is not None and family[1] == "aliases"


class _Day(OfDay["AliasRequest", "DayAnswer"]):
    records = "6/3 or 74-1 (rate, service and queue of volumes); 6/28 or 78-3 give tries and fails of pools"
    given = "may need --aliases"

    def missing(self, day: Day) -> Sequence[str]:
        from slicewright.advise.aliases.day import missing

        return missing(day)

    def answer(self, day: Day, request: AliasRequest, progress: Progress) -> Sequence[DayAnswer]:
        from slicewright.advise.aliases.day import answer_day

        return answer_day(day, request, progress)

    def scenarios(self, answer: DayAnswer) -> Iterator[tuple[str, str]]:
        """Every reading of the hardest intervals that fits, and the main one of the other groups."""
        from slicewright.advise.printed import slug

        yield from QUESTION.scenarios(answer.hardest.answer)
        for at, group in enumerate(answer.groups[1:], 2):
            if text := QUESTION.alone(group.answer):
                yield f"{slug(answer.name)}-group-{at:02}.toml", text

    def alone(self, answer: DayAnswer) -> str:
        return QUESTION.alone(answer.hardest.answer)

    def predicted(self, answer: DayAnswer) -> Iterator[Line]:
        """Ranges of the hardest intervals, with the aliases that these need."""
        return QUESTION.predicted(answer.hardest.answer)


class _Second(OfPair[Pair["AliasRequest"]]):
    name = "aliases"

    @property
    def single(self) -> _Aliases:
        return QUESTION

    def check(self, pair: Pair[Any], options: AdviceOptions) -> Pair[AliasRequest]:
        from slicewright.advise.aliases.second import check

        return check(options)

    def answer(self, given: Pair[Any], request: Pair[AliasRequest], progress: Progress) -> Sequence[Checked]:
        from slicewright.advise.aliases.second import answer_days, answer_pages
        from slicewright.advise.day import Day

        if isinstance(given.before, Day):
            return answer_days(given, request, progress)
        return answer_pages(given, request, progress)


class _Aliases(Question["AliasRequest", "Answer | DepthAnswer"]):
    name = "aliases"
    asks = "How many aliases does a pool of volumes need?"
    files = (
        "DEVICE reports (FCX108) or RMF DIRECT ACCESS DEVICE ACTIVITY of one system, monitor data of a day, or "
        "one scenario with aliases. Output of fio, iostat -x, btt and dasdstat asks about the queue depth of a disk of "
        "Linux"
    )
    example = "advise Y032180H.txt --at 13 --target 'response_ms <= 2'"
    help = meaning(
        at="Additional number of aliases to show: 13.",
        growth="Growth of the demand: 20%, or 1.2x.",
        target="Recommend the fewest aliases that meet this condition: 'response_ms <= 2'.",
        assume="Fact that a report does not contain: channel_busy=40%, population=3, think=.3ms, "
        "sharing=2%, gap=50us, redispatch=none, arrivals=open; or threshold: margin=2%, knee=5%.",
    )
    alone_is = "the scenario of the main reading"
    options = (
        Option("pool", "RANGE", "Volumes of one pool: 522A-5231.", True),
        Option("aliases", "LCU=N", "HyperPAV aliases of an LCU, which an RMF page does not give: 0016=8.", True),
        Option("pool-listing", "FILE", "Output of QUERY PAV, with the members of pools; may also be one of the files."),
    )
    why = "it lists the volumes that share aliases"
    day = _Day()
    second = _Second()

    def fits(self, view: View) -> str:
        aliased = view.alias_pools or any(volume.aliases is not None for volume in view.volumes)
        return "volumes with aliases" if aliased else ""

    def reads(self, files: Files) -> bool:
        """Whether Linux's tools wrote them, or RMF pages give exposures and none partitions, which ask about slices."""
        if any(_of_linux(*file) for file in files):
            return True
        apart = not any(Kind.PARTITIONS in kinds(data) for _, data in files)
        return apart and any(has_exposures(data) for _, data in files)

    def lacks(self, files: Files) -> list[Problem]:
        from slicewright.advise.aliases.from_reports import pools_of
        from slicewright.advise.aliases.request import AliasRequest
        from slicewright.values.errors import gathered

        problems: list[Problem] = []
        gathered(problems, lambda: pools_of(files, AliasRequest()))
        return problems

    def check(self, files: Files, options: AdviceOptions) -> AliasRequest:
        from slicewright.advise.aliases.request import check

        return check(options)

    def answer(
        self, files: Files, request: AliasRequest, progress: Progress
    ) -> Sequence[Answer] | Sequence[DepthAnswer]:
        """An answer per disk where Linux's tools wrote the files, else one per pool."""
        linux = [file for file in files if _of_linux(*file)]
        if not linux:
            from slicewright.advise.aliases.from_reports import answer

            return answer(files, request, progress)
        from slicewright.advise.aliases.depth import answer_depths
        from slicewright.measured.linux.forms import TOOLS
        from slicewright.values.errors import problem, refusal

        if len(linux) < len(files):
            other = next(name for name, data in files if not _of_linux(name, data))
            raise refusal(problem("beside output of Linux's tools", file=other, allowed=TOOLS))
        return answer_depths(files, request)

    def report(self, answer: Answer | DepthAnswer) -> Report:
        from slicewright.advise.aliases.answer import Answer

        if isinstance(answer, Answer):
            from slicewright.advise.aliases.report import report

            return report(answer)
        from slicewright.advise.aliases import depth

        return depth.report(answer)

    def document(self, answer: Answer | DepthAnswer) -> dict[str, Any]:
        from slicewright.advise.aliases.answer import Answer

        if isinstance(answer, Answer):
            from slicewright.advise.aliases.report import document

            return document(answer)
        from slicewright.advise.aliases import depth

        return depth.document(answer)

    def scenarios(self, answer: Answer | DepthAnswer) -> Iterator[tuple[str, str]]:
        """Every reading that fits; queue depth has none."""
        from slicewright.advise.aliases.answer import Answer
        from slicewright.advise.printed import slug

        if not isinstance(answer, Answer):
            return
        for at, reading in enumerate((reading for reading in answer.readings if reading.text), 1):
            yield f"{slug(answer.pool)}-{at:02}-{slug(reading.name)}.toml", reading.text

    def predicted(self, answer: Answer | DepthAnswer) -> Iterator[Line]:
        """Ranges with the recommended aliases, over all readings."""
        from slicewright.advise.aliases.answer import Answer
        from slicewright.advise.aliases.second import predicted

        return predicted(answer) if isinstance(answer, Answer) else iter(())

    def alone(self, answer: Answer | DepthAnswer) -> str:
        """The scenario of the first reading that fits, with the aliases of now; queue depth has none."""
        return next((text for _, text in self.scenarios(answer)), "")


QUESTION = _Aliases()

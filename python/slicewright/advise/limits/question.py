"""The question about CPU limits: copies of a group's cpu.stat, or series of a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slicewright.advise.limits.cpu_stat import is_cpu_stat
from slicewright.advise.question import Files, OfFleet, OfPair, Pair, Question, meaning
from slicewright.values.settings import RARE, Option

if TYPE_CHECKING:
    from slicewright.advise.limits.answer import LimitAnswer
    from slicewright.advise.limits.fleet.cluster import Cluster
    from slicewright.advise.limits.fleet.report import FleetAnswer
    from slicewright.advise.limits.request import FleetRequest, LimitRequest
    from slicewright.advise.options import AdviceOptions
    from slicewright.advise.predictions import Line
    from slicewright.advise.second import Checked
    from slicewright.report.model import Report
    from slicewright.values.progress import Progress

_FLEET = "Workloads of a cluster"


class _Fleet(OfFleet["FleetRequest", "FleetAnswer"]):
    def check(self, cluster: Cluster, options: AdviceOptions) -> FleetRequest:
        """The request; of the options about one container alone, too."""
        from slicewright.advise.limits.request import check_fleet
        from slicewright.values.files import refuse_unwritable

        request = check_fleet(options)
        if request.patch:
            refuse_unwritable(Path(request.patch))
        return request

    def answer(self, cluster: Cluster, request: FleetRequest, progress: Progress) -> Sequence[FleetAnswer]:
        from slicewright.advise.limits.fleet.answer import answer

        return answer(cluster, request, progress)

    def scenarios(self, answer: FleetAnswer) -> Iterator[tuple[str, str]]:
        """The workloads as a table and as metrics, patches, recommendations, and the scenario that was simulated."""
        from slicewright.advise.limits.fleet.exposition import exposition
        from slicewright.advise.limits.fleet.report import patches, recommendations
        from slicewright.advise.printed import slug

        yield "workloads.csv", answer.csv()
        yield "metrics.prom", exposition(answer)
        yield "patches.yaml", patches(answer)
        yield "recommendations.yaml", recommendations(answer)
        if text := self.alone(answer):
            yield f"{slug(answer.request.workload)}.toml", text

    def alone(self, answer: FleetAnswer) -> str:
        """The scenario of the workload that was simulated, as it is limited now; "" where none was."""
        now = answer.deep.now if answer.deep is not None else None
        return now.text if now is not None else ""

    def asked(self, answer: FleetAnswer) -> Iterator[tuple[Path, str]]:
        """The file of patches, where one is asked for."""
        from slicewright.advise.limits.fleet.report import patches

        if answer.request.patch:
            yield Path(answer.request.patch), patches(answer)


class _Second(OfPair[Pair["LimitRequest"]]):
    name = "limits"

    @property
    def single(self) -> _Limits:
        return QUESTION

    def check(self, pair: Pair[Any], options: AdviceOptions) -> Pair[LimitRequest]:
        from slicewright.advise.limits.second import check

        return check(pair, options)

    def answer(self, given: Pair[Any], request: Pair[LimitRequest], progress: Progress) -> Sequence[Checked]:
        from slicewright.advise.limits.second import answer_pair

        return [answer_pair(given, request, progress)]


class _Limits(Question["LimitRequest", "LimitAnswer"]):
    name = "limits"
    asks = "Which CPU limit does a container need?"
    files = "copies of a group's cpu.stat, or series of a cluster (Prometheus, OpenMetrics, CSV, Parquet, Docker, ECS)"
    example = "advise limits cpu.stat.1 cpu.stat.2 --limit 500m --requests 40/s --threads 8"
    help = meaning(
        at="Additional setting to show: 750m, none, '4 threads', 'period 20 ms', 'burst 50 ms'.",
        growth="Growth of the rate of requests: 20%, or 1.2x.",
        target="Recommend the smallest limit that meets this condition: 'p99_ms <= 200'.",
        assume="Fact that the copies do not contain: scv=1, lock=70%, tick=1ms, margin=15%, knee=20%.",
    )
    alone_is = "the scenario of the recommended limit"
    options = (
        Option("limit", "CPU", "CPU limit of the container: 500m, 0.5, 2, or the text of cpu.max."),
        Option("requests", "RATE", "Request rate while cpu.stat was copied: 40/s, 30-50/s [default: unknown]."),
        Option("threads", "N", "Threads that serve them [default: any number that fits]."),
        Option("every", "SPAN", "Time between copies of cpu.stat, or between scrapes without times: 60 s."),
        Option("period", "SPAN", "Period of the limit [default: 100 ms].", panel=RARE),
        Option("burst", "SPAN", "Burst of the limit (cpu.max.burst).", panel=RARE),
        Option("processors", "N", "Processors of its node [default: as many as its threads]."),
        Option("prometheus", "URL", "Prometheus server to ask, in place of files.", panel=_FLEET),
        Option("selector", "LABELS", "Series to ask it for: '{namespace=\"shop\"}' [default: all].", panel=_FLEET),
        Option("since", "SPAN", "Range of time to ask for, until now [default: 6h].", panel=_FLEET),
        Option("step", "SPAN", "Step of its queries [default: 30s].", panel=_FLEET),
        Option("top", "N", "Workloads of a cluster to list as text [default: 20].", panel=_FLEET),
        Option(
            "workload", "NAME", "Workload of a cluster to simulate in depth: NAMESPACE/NAME/CONTAINER.", panel=_FLEET
        ),
        Option(
            "patch",
            "FILE",
            "File for patches with the recommended limits; they change nothing by themselves.",
            panel=_FLEET,
        ),
    )
    why = "it applies to a control group with a CPU limit"
    fleet = _Fleet()
    second = _Second()

    def reads(self, files: Files) -> bool:
        return any(is_cpu_stat(data) for _, data in files)

    def check(self, files: Files, options: AdviceOptions) -> LimitRequest:
        from slicewright.advise.limits.from_copies import check

        return check(files, options)

    def answer(self, files: Files, request: LimitRequest, progress: Progress) -> Sequence[LimitAnswer]:
        """The answer from copies of one group."""
        from slicewright.advise.limits.from_copies import answer_copies

        return [answer_copies(files, request, progress)]

    def report(self, answer: LimitAnswer) -> Report:
        from slicewright.advise.limits.report import report

        return report(answer)

    def document(self, answer: LimitAnswer) -> dict[str, Any]:
        from slicewright.advise.limits.report import document

        return document(answer)

    def scenarios(self, answer: LimitAnswer) -> Iterator[tuple[str, str]]:
        """Each setting and each reading."""
        from slicewright.advise.limits.answer import Lever
        from slicewright.advise.limits.from_copies import setting_words
        from slicewright.advise.printed import slug

        for point in answer.points:
            words = setting_words(point.lever, point.setting)
            yield f"{slug(f'limit {words}' if point.lever is Lever.LIMIT else words)}.toml", point.text
        for at, line in enumerate((line for line in answer.readings if line.text), 1):
            yield f"reading-{at:02}.toml", line.text

    def predicted(self, answer: LimitAnswer) -> Iterator[Line]:
        """Ranges under the recommended limit."""
        from slicewright.advise.limits.second import predicted

        return predicted(answer)

    def alone(self, answer: LimitAnswer) -> str:
        """The scenario of the recommended limit, or of now."""
        from slicewright.advise.limits.answer import Lever

        chosen = answer.recommendation
        limits = {point.setting.limit: point.text for point in answer.of(Lever.LIMIT)}
        return limits.get(chosen.limit if chosen else answer.group.limit, "")


QUESTION = _Limits()

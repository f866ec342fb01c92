"""How `advise limits` is answered for a fleet: by the series of its cluster, container by container."""

from __future__ import annotations

from slicewright.advise.limits.fleet.cluster import Cluster, read_cluster
from slicewright.advise.limits.fleet.contents import contents_report
from slicewright.advise.limits.fleet.fleet import Fleet
from slicewright.advise.options import AdviceOptions
from slicewright.advise.question import OfFleet
from slicewright.errors import problem, refusal
from slicewright.experiment.progress import Progress
from slicewright.report.json import document

OF_COPIES = ("requests", "threads", "period", "burst", "processors")
"""Options about the one group that copies of cpu.stat are of."""


def check_fleet(cluster: Cluster, options: AdviceOptions) -> Cluster:
    """The request; raises InputError with every option that is about one group alone."""
    why = "the series of a cluster are of many containers"
    problems = [problem("applies to copies of cpu.stat", key=key, why=why) for key in OF_COPIES if key in options.own]
    if problems:
        raise refusal(*problems)
    return cluster


def _answer(cluster: Cluster, request: Cluster, progress: Progress) -> list[tuple[Fleet, str]]:
    return [(read_cluster(cluster, progress), request.name)]


FLEET: OfFleet[Cluster, tuple[Fleet, str]] = OfFleet(
    check=check_fleet,
    answer=_answer,
    document=lambda answer: document(contents_report(*answer)),
    report=lambda answer: contents_report(*answer),
    scenarios=lambda answer: iter(()),
    alone=lambda answer: "",
)

"""How `advise limits` is answered for a fleet: by the series of its cluster, workload by workload."""

from __future__ import annotations

from pathlib import Path

from slicewright.advise.limits.fleet.answer import FleetAnswer, answer_fleet
from slicewright.advise.limits.fleet.cluster import Cluster, read_cluster
from slicewright.advise.limits.fleet.request import FleetRequest, check, refuse_unknown
from slicewright.advise.options import AdviceOptions
from slicewright.experiment.progress import Progress
from slicewright.io.files import refuse_unwritable

READING = 0.5
"""Of the progress, that of reading the series."""


def check_fleet(cluster: Cluster, options: AdviceOptions) -> FleetRequest:
    """The request; raises InputError with every problem of the options, also of those about one container alone."""
    request = check(options)
    if request.patch:
        refuse_unwritable(Path(request.patch))
    return request


def answer(cluster: Cluster, request: FleetRequest, progress: Progress) -> list[FleetAnswer]:
    """The answer for all workloads; raises InputError."""
    fleet = read_cluster(cluster, lambda share: progress(READING * share))
    refuse_unknown(request, fleet.workloads["workload"].to_list())
    return [answer_fleet(fleet, request, lambda share: progress(READING + (1 - READING) * share))]

"""Rules for CPU limits on simulated containers whose truth is known: latency that they cost, processors that they take.

    python -m benches.limit_fleet [SITES [FIRST]]
    python -m benches.limit_fleet time [CONTAINERS]

A site (`limit_sites`) is watched for half an hour with a sample a minute, in two replicas.  Each rule sets its limit
from these samples.  The true 99th percentile of latency is then looked up between simulations under a ladder of limits.
The second form measures how long an answer takes, with the fleet in memory and from a file.
"""

from __future__ import annotations

import math
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from slicewright.advise.limits.fleet.answer import answer_fleet
from slicewright.advise.limits.fleet.cluster import Fleet, cluster_of
from slicewright.advise.limits.fleet.report import Line
from slicewright.advise.limits.fleet.samples import Watch, fleet_of, samples, simulated, workloads
from slicewright.advise.limits.fleet.series.read import read_cluster
from slicewright.advise.limits.request import FleetRequest
from slicewright.advise.options import AdviceOptions
from slicewright.experiment.simulations import processors

from benches.limit_sites import Site

SITES, FIRST = 64, 400
"""Sites that are judged, and the number of the first: none of them was looked at while the surrogate was made."""
MINUTES, REPLICAS = 30, 2
LADDER = (1.03, 1.08, 1.15, 1.25, 1.4, 1.6, 1.85, 2.2, 2.7, 3.5, 5.0, 8.0, 14.0)
"""Limits at which the truth is simulated, as multiples of what the site uses."""
TRUTH_S, TRUTHS, TRUTH_REQUESTS = 200.0, 3, 12_000
"""The least seconds of a replication of the truth, its replications, and the requests in each."""
KNEE = 1.2
"""The 99th percentile that is asked for, over that without a limit."""
MARGIN = 1.15
"""Safety margin of the recommender of VerticalPodAutoscaler (--recommendation-margin-fraction=0.15)."""


@dataclass(frozen=True)
class Truth:
    """The truth about a site: limits, and under each the 99th percentile and the share of periods throttled."""

    used: float
    limits: np.ndarray
    p99_ms: np.ndarray
    throttled_percent: np.ndarray
    free_ms: float

    def ratio(self, limit: float) -> float:
        """The 99th percentile over that without a limit; below what is used, that of the least limit."""
        if math.isinf(limit):
            return 1.0
        logs = np.log(np.maximum(self.p99_ms / self.free_ms, 1.0))
        return float(np.exp(np.interp(np.log(limit), np.log(self.limits), logs)))

    def least(self, met: Callable[[int], bool]) -> float:
        """The least limit of the ladder from which on a condition is met; the most where none does."""
        good = [at for at in range(len(self.limits)) if all(met(later) for later in range(at, len(self.limits)))]
        return float(self.limits[good[0] if good else -1])


Rule = Callable[["Judged"], float]


@dataclass(frozen=True)
class Judged:
    """A site with what a cluster knows of it, the answer about it, and the truth."""

    site: Site
    usage: np.ndarray
    line: Line
    truth: Truth


def _told(judged: Judged, high: bool) -> float:
    """The limit that is recommended, or the upper end of its range; that of now where nothing is."""
    line = judged.line
    if not line.verdict.tells or line.then is None:
        return judged.site.limit
    return max(line.high or line.then, line.then) if high else line.then


RULES: Mapping[str, Rule] = {
    "limit as it is": lambda judged: judged.site.limit,
    "no limit": lambda judged: math.inf,
    "twice the mean use": lambda judged: 2 * float(judged.usage.mean()),
    "VPA target: 90 % of use x 1.15": lambda judged: MARGIN * float(np.quantile(judged.usage, 0.9)),
    "VPA upper: 95 % of use x 1.15": lambda judged: MARGIN * float(np.quantile(judged.usage, 0.95)),
    "highest use x 1.5": lambda judged: 1.5 * float(judged.usage.max()),
    "throttled in less than 25 %": lambda judged: _throttled(judged.truth, 25.0),
    "throttled in less than 5 %": lambda judged: _throttled(judged.truth, 5.0),
    "slicewright": lambda judged: _told(judged, high=False),
    "slicewright, upper end": lambda judged: _told(judged, high=True),
    "truth: 99 % within 20 %": lambda judged: judged.truth.least(
        lambda at: judged.truth.p99_ms[at] <= KNEE * judged.truth.free_ms
    ),
}
"""The limit that each rule sets; rules of a share of periods are given the truth, as if tried until they hold."""


def _throttled(truth: Truth, percent: float) -> float:
    return truth.least(lambda at: bool(truth.throttled_percent[at] < percent))


def truth_of(site: Site) -> Truth:
    """The truth about a site, simulated under every limit of the ladder and under none."""
    used = site.share * site.limit
    seconds = float(f"{max(TRUTH_S, TRUTH_REQUESTS / site.per_s):.3g}")
    runs = [site.simulated(limit, seconds, TRUTHS, seed=77) for limit in (*(by * used for by in LADDER), math.inf)]
    p99, share = ([float(np.mean(run[name])) for run in runs] for name in ("p99_ms", "throttled_percent"))
    limits = np.array([by * used for by in LADDER])
    # Above the processors of its node a limit is none.
    return Truth(used, limits, np.minimum.accumulate(np.array(p99[:-1])), np.array(share[:-1]), p99[-1])


def watched(numbers: Sequence[int]) -> Fleet:
    """The fleet of some sites, a workload each."""
    with ThreadPoolExecutor(processors()) as threads:
        parts = list(threads.map(_rows, numbers))
    return fleet_of([row for rows, _ in parts for row in rows], [fact for _, fact in parts])


def _rows(number: int) -> tuple[list[tuple[Any, ...]], tuple[Any, ...]]:
    site, name = Site.numbered(number), f"sites/site-{number}/app"
    counted, stopped = site.kind != "no request rate", site.kind != "no throttled_usec"
    rows: list[tuple[Any, ...]] = [
        (name, f"site-{number}-{sample.replica}", sample.at_s, 60.0, sample.used_s, sample.periods, sample.throttled,
         sample.stopped_s if stopped else None, site.limit, 100.0, sample.served / 60.0 if counted else None, None)
        for sample in site.watched(MINUTES, 60.0, REPLICAS)
    ]  # fmt: skip
    return rows, (name, REPLICAS, site.limit, None, [], None, None, None, None)


def judged(numbers: Sequence[int]) -> Iterator[Judged]:
    """Each site with its answer and its truth."""
    fleet = watched(numbers)
    lines = {line.workload: line for line in answer_fleet(fleet, FleetRequest()).lines}
    with ThreadPoolExecutor(processors()) as threads:
        truths = threads.map(truth_of, [Site.numbered(number) for number in numbers])
    for number, truth in zip(numbers, truths, strict=True):
        name = f"sites/site-{number}/app"
        rows = fleet.intervals.filter(pl.col("workload") == name)
        usage = (rows["used_s"] / rows["length_s"]).to_numpy()
        yield Judged(Site.numbered(number), usage, lines[name], truth)


def table(found: Sequence[Judged]) -> str:
    """A row per rule: how often the 99th percentile is near that without a limit, its ratio, and processors."""
    best = sum(RULES["truth: 99 % within 20 %"](each) for each in found)
    lines = [
        "| rule | within 20 %, % of sites | 99 % over no limit, median | 90 % of sites | added, ms, median |"
        " processors | over the truth, % |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for name, rule in RULES.items():
        limits = [rule(each) for each in found]
        ratios = np.array([each.truth.ratio(limit) for each, limit in zip(found, limits, strict=True)])
        added = np.array([(ratio - 1) * each.truth.free_ms for each, ratio in zip(found, ratios, strict=True)])
        whole = sum(limits)
        taken = f"{whole:.1f} | {100 * (whole / best - 1):+.0f}" if math.isfinite(whole) else "all | "
        near = 100 * float(np.mean(ratios <= KNEE * 1.02))
        lines.append(
            f"| {name} | {near:.0f} | {np.median(ratios):.2f} | {np.quantile(ratios, 0.9):.2f} |"
            f" {np.median(added):.1f} | {taken} |"
        )
    return "\n".join(lines)


def verdicts(found: Sequence[Judged]) -> str:
    """How many sites have which verdict, and how often the range of the limit has the true one."""
    counts: dict[str, int] = {}
    held, told = 0, 0
    for each in found:
        counts[each.line.verdict.value] = counts.get(each.line.verdict.value, 0) + 1
        if each.line.verdict.tells and each.line.low is not None and each.line.high is not None:
            true = RULES["truth: 99 % within 20 %"](each)
            told += 1
            held += each.line.low * 0.95 <= true <= each.line.high * 1.05
    words = ", ".join(f"{count} {name}" for name, count in sorted(counts.items(), key=lambda pair: -pair[1]))
    return f"{len(found)} sites: {words}; the range of the limit contains the true one at {held} of {told}"


def timed(containers: int) -> None:
    """How long an answer about a fleet of one replica each takes, in memory and from a file."""
    base = simulated(workloads(200), Watch(900.0))
    names = base.intervals["workload"].unique(maintain_order=True).to_list()
    copies = math.ceil(containers / len(base.intervals.select("workload", "replica").unique()))
    renamed = [
        (base.intervals.with_columns(pl.col("workload").str.replace("/", f"{copy}/")),
         base.workloads.with_columns(pl.col("workload").str.replace("/", f"{copy}/")))
        for copy in range(copies)
    ]  # fmt: skip
    intervals, facts = (pl.concat([pair[at] for pair in renamed]).sort("workload") for at in (0, 1))
    fleet = Fleet(intervals, facts)
    start, used = time.perf_counter(), time.process_time()
    answer = answer_fleet(fleet, FleetRequest())
    taken = f"{time.perf_counter() - start:.1f} s, {time.process_time() - used:.1f} s of processor time"
    replicas = int(fleet.workloads["replicas"].sum())
    print(
        f"{replicas:,} containers of {len(answer.lines):,} workloads ({len(names)} kinds),"
        f" {fleet.intervals.height:,} intervals in memory: {taken}"
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "fleet.parquet")
        samples(fleet).write_parquet(file)
        start, used = time.perf_counter(), time.process_time()
        cluster = cluster_of([file], AdviceOptions())
        assert cluster is not None
        read = read_cluster(cluster)
        reading = time.perf_counter() - start
        answer_fleet(read, FleetRequest())
        print(
            f"from a Parquet file of {file.stat().st_size / 1e6:.0f} MB: {time.perf_counter() - start:.1f} s, of which"
            f" {reading:.1f} s read it; {time.process_time() - used:.1f} s of processor time"
        )


def main(arguments: Sequence[str]) -> None:
    """Print the table, or the times."""
    if arguments[:1] == ["time"]:
        timed(int(arguments[1]) if len(arguments) > 1 else 10_000)
        return
    count = int(arguments[0]) if arguments else SITES
    first = int(arguments[1]) if len(arguments) > 1 else FIRST
    found = list(judged(range(first, first + count)))
    print(table(found))
    print(verdicts(found))


if __name__ == "__main__":
    main(sys.argv[1:])

"""Advice on limits for kinds of load that neither the surrogate nor a reading was made for, and whose truth is known.

    python -m benches.limit_kinds [SITES [FIRST]]

Work comes by a clock, in a surge each minute, in two phases, with rare long jobs, in lumps, or in rushes.
A fleet of these is watched for two hours with a sample a minute, in three replicas.  Each verdict is then compared
with the true 99th percentile under the limit of now, under the limit that is advised, and under none.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from slicewright._core import Scenario
from slicewright.advise.limits.fleet.answer import answer_fleet
from slicewright.advise.limits.fleet.cluster import Fleet
from slicewright.advise.limits.fleet.report import FleetAnswer, Verdict
from slicewright.advise.limits.fleet.samples import fleet_of
from slicewright.advise.limits.request import FleetRequest
from slicewright.experiment.outcome import columns
from slicewright.experiment.simulations import processors

KINDS = ("clock", "surges", "two phases", "long jobs", "parallel lumps", "rushes")
"""The kinds, which take turns."""
SITES, FIRST = 30, 0
MINUTES, REPLICAS = 120, 3
WARM_UP_S = 10.0
TRUTH_S, TRUTHS = 1800.0, 2
"""Length of a replication of the truth, and replications: as many surges, phases and jobs as were watched."""
SHARES = (0.01, 0.03, 0.1, 0.3, 1.0, 10.0)
"""Shares of throttled periods, in percent, one of which a site's limit brings about."""
LADDER, LADDER_S = (1.05, 1.2, 1.4, 1.7, 2.0, 2.5, 3.0, 4.0, 6.0, 9.0, 14.0, 20.0, 30.0, 50.0), 600.0
"""Limits that are tried for that, as multiples of the mean use, and for how long."""
WORSE = 1.2
"""The 99th percentile, over that without a limit, from which on a limit breaks a service."""
COUNTERS = ["usage_usec", "nr_periods", "nr_throttled", "throttled_usec"]
GUEST = "requests"


@dataclass(frozen=True)
class KindSite:
    """A container: its limit, threads, request rate and CPU time, by how much and for how long the rate rises, jobs."""

    number: int
    kind: str
    limit: float
    threads: int
    per_s: float
    cpu_ms: float
    scv: float
    swing: float
    surge_s: float
    pieces: int
    job_s: float
    counted: bool

    @classmethod
    def numbered(cls, number: int) -> KindSite:
        """The site of this number, the same on every machine."""
        draw = random.Random(f"kind of load {number}")
        kind = KINDS[number % len(KINDS)]
        used = math.exp(draw.uniform(math.log(0.03), math.log(0.8)))
        cpu_ms = math.exp(draw.uniform(math.log(3.0), math.log(100.0)))
        swing, surge_s = draw.choice((0.6, 0.8, 0.95)), draw.choice((5.0, 10.0, 20.0, 30.0))
        gap_s = draw.choice((20.0, 30.0, 60.0, 90.0))
        per_s = used / cpu_ms * 1000
        pieces = draw.choice((4, 8, 16, 32)) if kind == "parallel lumps" else 1
        pieces = max(1, round(per_s * gap_s)) if kind == "rushes" else pieces
        threads = max(draw.choice((2, 4, 8)), pieces if kind == "parallel lumps" else 1)
        site = cls(
            number, kind, math.inf, threads, per_s, cpu_ms, draw.choice((0.0, 1.0)), swing, surge_s, pieces,
            draw.choice((2.0, 5.0, 15.0)), draw.random() < 0.5,
        )  # fmt: skip
        return replace(site, limit=site.throttled_in(draw.choice(SHARES)))

    def throttled_in(self, percent: float) -> float:
        """The least limit of a ladder that is throttled in no more than this share of the periods."""
        used = self.per_s * self.cpu_ms / 1000
        for room in LADDER:
            limit = max(0.02, round(used * room, 2))
            if limit >= self.threads:
                break
            group = self.simulated(self.text(limit, LADDER_S, 1), 1, seed=5)["cgroups"]
            if 100 * sum(group["nr_throttled"]) <= percent * sum(group["nr_periods"]):
                return limit
        return float(self.threads)

    def simulated(self, text: str, replications: int, seed: int) -> dict[str, dict[str, list[Any]]]:
        """The tables of a run."""
        return Scenario.read(text.encode(), self.name).simulate(seed, (0, replications), 1, WARM_UP_S)

    @property
    def name(self) -> str:
        """The workload in the fleet."""
        return f"kinds/{self.kind.replace(' ', '-')}-{self.number}/app"

    def text(self, limit: float, seconds: float, replications: int, intervals: int = 1) -> str:
        """The complete scenario under a limit (inf: none)."""
        most = "max" if limit > self.threads else str(max(1000, round(limit * 100_000)))
        lines = ['name = "site"', "[source]", 'document = "a simulated site"']
        lines += ["[cec]", f"processors = {self.threads}", 'dispatcher = "cfs"', 'tick = "4 ms"']
        lines += ["[[cgroup]]", 'name = "container"', f'"cpu.max" = "{most} 100000"']
        lines += ["[[resource]]", 'name = "threads"', f"count = {self.threads}"]
        law = (
            f'{{ constant = "{self.cpu_ms:.6f} ms" }}'
            if self.scv == 0
            else f'{{ exponential = "{self.cpu_ms:.6f} ms" }}'
        )
        work = f'{{ hold = "threads", steps = [ {{ compute = {law} }} ] }}'
        lines += [
            "[[guest]]",
            f'name = "{GUEST}"',
            'cgroup = "container"',
            'arrives = "spawned"',
            f"program = [ {work} ]",
        ]
        lines += [
            "[[guest]]",
            'name = "source"',
            "count = 1",
            f"program = [ {', '.join(self._phases(seconds * intervals))} ]",
        ]
        if self.kind == "long jobs":
            job = f'{{ think = {{ exponential = "300 s" }} }}, {{ compute = "{self.job_s:g} s" }}'
            lines += ["[[guest]]", 'name = "job"', 'cgroup = "container"', "count = 1", f"program = [ {job} ]"]
        lines += ["[measure]", f'interval = "{seconds:g} s"', f"intervals = {intervals}"]
        lines += [f'warm_up = "{WARM_UP_S:g} s"', f"replications = {replications}"]
        return "\n".join(lines) + "\n"

    def _phases(self, whole_s: float) -> list[str]:
        per_s = self.per_s / self.pieces
        come = f'{{ repeat = {self.pieces}, steps = [ {{ spawn = "{GUEST}" }} ] }}'
        match self.kind:
            case "clock" | "rushes":
                return [f'{{ think = "{1000 / per_s:.6f} ms" }}, {come}']
            case "surges":
                # Of each minute, some seconds have `swing` of the work.
                rest_s = 60.0 - self.surge_s
                phases = [(self.swing * 60 / self.surge_s, self.surge_s), ((1 - self.swing) * 60 / rest_s, rest_s)]
            case "two phases":
                phases = [(1 + self.swing, whole_s / 2), (1 - self.swing, whole_s / 2)]
            case _:
                phases = [(1.0, 10.0)]
        return [
            f"{{ repeat = {max(1, round(factor * per_s * phase_s))}, steps = ["
            f' {{ think = {{ exponential = "{1000 / per_s / factor:.6f} ms" }} }}, {come} ] }}'
            for factor, phase_s in phases
        ]

    def watched(self) -> tuple[list[tuple[Any, ...]], tuple[Any, ...]]:
        """Its rows of a fleet: intervals, and settings."""
        tables = self.simulated(self.text(self.limit, 60.0, REPLICAS, MINUTES), REPLICAS, seed=900 + self.number)
        group, guests = tables["cgroups"], tables["guests"]
        served = [each for name, each in zip(guests["guest"], guests["cycles_per_s"], strict=True) if name == GUEST]
        rows = [
            (self.name, f"{self.name.split('/')[1]}-{group['replication'][at]}",
             1.7e9 + 60.0 * (group["interval"][at] + 1),
             60.0, group["usage_usec"][at] / 1e6, round(group["nr_periods"][at]), round(group["nr_throttled"][at]),
             group["throttled_usec"][at] / 1e6, self.limit, 100.0, served[at] if self.counted else None, None)
            for at in range(len(group["replication"]))
        ]  # fmt: skip
        return rows, (self.name, REPLICAS, self.limit, None, [], None, None, None, None)

    def p99_ms(self, limit: float) -> float:
        """The true 99th percentile of requests under a limit."""
        tables = self.simulated(self.text(limit, TRUTH_S, TRUTHS), TRUTHS, seed=77)
        return float(np.nanmean(columns(tables["guests"], {"guest": GUEST}, ["cycle_p99_ms"], TRUTHS)["cycle_p99_ms"]))


@dataclass(frozen=True)
class Outcome:
    """A verdict with the true 99th percentile now, as advised, and without a limit, in ms."""

    site: KindSite
    verdict: Verdict
    then: float | None
    why: str
    now_ms: float
    then_ms: float
    free_ms: float

    @property
    def right(self) -> bool | None:
        """Whether the verdict is right; None where there is none."""
        needed = self.now_ms > WORSE * 1.02 * self.free_ms
        match self.verdict:
            case Verdict.LOWER:
                return self.then_ms <= WORSE * 1.02 * max(self.free_ms, self.now_ms)
            case Verdict.RAISE:
                return needed
            case Verdict.KEEP | Verdict.NEVER | Verdict.RARE:
                return not needed
            case _:
                return None


def fleet(sites: Sequence[KindSite]) -> Fleet:
    """The sites as a fleet."""
    with ThreadPoolExecutor(processors()) as threads:
        parts = list(threads.map(KindSite.watched, sites))
    return fleet_of([row for rows, _ in parts for row in rows], [fact for _, fact in parts])


def outcomes(sites: Sequence[KindSite], answer: FleetAnswer) -> list[Outcome]:
    """Each verdict with the truth."""
    lines = {line.workload: line for line in answer.lines}

    def judged(site: KindSite) -> Outcome:
        line = lines[site.name]
        now, free = site.p99_ms(site.limit), site.p99_ms(math.inf)
        moved = line.verdict in (Verdict.RAISE, Verdict.LOWER) and line.then is not None
        then = site.p99_ms(line.then) if moved and line.then is not None else now
        return Outcome(site, line.verdict, line.then if moved else None, line.why, now, then, free)

    with ThreadPoolExecutor(processors()) as threads:
        return list(threads.map(judged, sites))


def table(found: Sequence[Outcome]) -> list[str]:
    """How many verdicts of each kind are right, wrong, or none."""
    lines = [f"{'verdict':18}{'right':>7}{'wrong':>7}{'open':>7}   worst 99th percentile as advised, over no limit"]
    for verdict in Verdict:
        own = [each for each in found if each.verdict is verdict]
        if not own:
            continue
        counts = [sum(each.right is value for each in own) for value in (True, False, None)]
        worst = max(each.then_ms / max(each.free_ms, 1e-9) for each in own)
        lines.append(f"{verdict.value:18}" + "".join(f"{count:7}" for count in counts) + f"   x {worst:.2f}")
    return lines


def main(arguments: Sequence[str]) -> None:
    """Print each verdict with the truth, and the table."""
    count = int(arguments[0]) if arguments else SITES
    first = int(arguments[1]) if len(arguments) > 1 else FIRST
    with ThreadPoolExecutor(processors()) as threads:
        sites = list(threads.map(KindSite.numbered, range(first, first + count)))
    found = outcomes(sites, answer_fleet(fleet(sites), FleetRequest()))
    for each in found:
        then = "" if each.then is None else f"{each.then:g}"
        print(f"{each.site.name:28}{each.site.limit:7.2f}{then:>7}  {each.verdict.value:16}{each.right!s:6}"
              f"{each.now_ms:10.1f}{each.then_ms:10.1f}{each.free_ms:10.1f}  {each.why[:60]}")  # fmt: skip
    print("\n".join(table(found)))


if __name__ == "__main__":
    main(sys.argv[1:])

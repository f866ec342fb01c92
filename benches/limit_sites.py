"""Simulated containers of which everything is known: copies of their cpu.stat, and their latency under other limits.

A site has what `advise limits` cannot read from its copies, and what none of its readings has exactly.  CPU times are
lognormal or of two classes, and batches have one size.  A rate changes within seconds, or users wait for answers.
Processors are fewer than threads.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
from slicewright._core import Scenario
from slicewright.advise.limits.cpu_stat import Copy, texts
from slicewright.advise.options import AdviceOptions
from slicewright.experiment.outcome import Array, columns

KINDS = (
    "lognormal", "two classes", "fixed batches", "uneven rate", "closed", "idle and busy", "no throttled_usec",
    "no request rate",
)  # fmt: skip
"""The particular kind of a site; sites take turns."""

USUAL, IDLE, BUSY = 1.0, 0.0, -1.0
"""Rate of an interval, as a multiple of the usual one; BUSY uses the limit up."""
OVER = 1.2
"""Work that comes in a busy interval, as a multiple of what the limit lets through."""
TRUTH_REQUESTS, TRUTHS, SHORTEST_S = 15_000, 8, 150.0
"""Requests in one replication of the truth, replications, and the least seconds of each."""
EDGES = (*(at / 20 for at in range(20)), 0.975, 0.99, 0.995, 0.998, 0.9995, 1.0)
"""Quantiles between which a lognormal CPU time is one constant: the mean of that part."""
WARM_UP_S = 10.0
PERIOD_US = 100_000
MOST_USERS = 16
GUEST = "requests"
COUNTERS = ["usage_usec", "nr_periods", "nr_throttled", "throttled_usec"]
MEASURES = {"p50_ms": "cycle_p50_ms", "p90_ms": "cycle_p90_ms", "p99_ms": "cycle_p99_ms"}
"""Columns of the adviser, and of the table of guests."""


@dataclass(frozen=True)
class Sample:
    """Counters of one replica of a site in one interval."""

    replica: int
    at_s: float
    used_s: float
    periods: int
    throttled: int
    stopped_s: float
    served: float


@dataclass(frozen=True)
class Site:
    """A container with its load."""

    kind: str
    limit: float
    share: float
    """Processor time used, as a share of the limit."""
    threads: int
    processors: int
    tick_ms: float
    cpu_ms: float
    law: str
    """The kind of CPU time: lognormal, two classes, or a distribution of the scenario language."""
    scv: float
    batch: int
    fixed: bool
    """Whether all batches have one size; else sizes are geometric."""
    rates: tuple[float, ...]
    """Rate of each interval."""
    length_s: float
    told: tuple[str, ...]
    """Options that the asker knows, beside the limit."""

    @classmethod
    def numbered(cls, number: int) -> Site:
        """The site of this number, the same on every machine."""
        draw = random.Random(f"container {number}")
        kind = KINDS[number % len(KINDS)]
        limit = draw.choice((0.3, 0.5, 1.0, 2.0))
        law = draw.choice(("constant", "exponential", "gamma", "lognormal", "two classes"))
        told = {"requests"} - ({"requests"} if kind == "no request rate" else set())
        told |= {name for name in ("threads", "processors") if draw.random() < 0.5}
        rates = [USUAL] * draw.choice((2, 2, 3, 4))
        if kind == "idle and busy":
            rates = [USUAL, IDLE, USUAL, BUSY, USUAL]
        return cls(
            kind=kind,
            limit=limit,
            share=draw.uniform(0.35, 0.8),
            threads=draw.choice((2, 4, 4, 8, 16)),
            processors=draw.choice((2, 4, 8)),
            tick_ms=draw.choice((4.0, 4.0, 1.0)),
            cpu_ms=math.exp(draw.uniform(math.log(2.0), math.log(25.0))),
            law=kind if kind in ("lognormal", "two classes") else law,
            scv=draw.choice((0.5, 1.0, 2.0, 4.0)),
            batch=draw.randint(2, 6) if kind == "fixed batches" else draw.randint(1, 4),
            fixed=kind in ("fixed batches", "uneven rate"),
            rates=tuple(rates),
            length_s=draw.choice((120.0, 300.0)),
            told=tuple(sorted(told)),
        )

    @property
    def per_s(self) -> float:
        """Requests per second, as usual."""
        return self.share * self.limit / self.cpu_ms * 1000

    def measured(self) -> tuple[bytes, float]:
        """The copies of cpu.stat, oldest first, and the requests served per second between the first and the last."""
        at = Copy("a", 1, "v2", 3.0, 90, 12, 1.5, None, 1000.0, {})
        copies, served = [at], 0.0
        for number, rate in enumerate(self.rates):
            if rate != IDLE:
                own = replace(self, share=OVER) if rate == BUSY else self
                seen = own.simulated(self.limit, self.length_s, 1, seed=500 + number)
                at = replace(
                    at,
                    used_s=at.used_s + seen["usage_usec"][0] / 1e6,
                    periods=at.periods + int(seen["nr_periods"][0]),
                    throttled=at.throttled + int(seen["nr_throttled"][0]),
                    stopped_s=(at.stopped_s or 0.0) + seen["throttled_usec"][0] / 1e6,
                )
                served += seen["served"][0]
            at = replace(at, at_s=(at.at_s or 0.0) + self.length_s)
            copies.append(at)
        if self.kind == "no throttled_usec":
            copies = [replace(copy, stopped_s=None) for copy in copies]
        return texts(copies).encode(), served / (self.length_s * len(self.rates))

    def watched(self, minutes: int, every_s: float, replicas: int) -> list[Sample]:
        """Its counters sampled again and again, by replica and interval; each interval has one of its rates."""
        found: list[Sample] = []
        parts = max(1, round(60 * minutes / every_s / len(self.rates)))
        for number, rate in enumerate(self.rates):
            if rate == IDLE:
                continue
            own = replace(self, share=OVER) if rate == BUSY else self
            scenario = Scenario.read(own._text(self.limit, every_s, replicas).encode(), "site")
            scenario = scenario.with_([f"measure.intervals={parts}"])
            tables = scenario.simulate(900 + number, (0, replicas), 1, WARM_UP_S)
            group, guests = tables["cgroups"], tables["guests"]
            served: dict[tuple[int, int], float] = {}
            for at, name in enumerate(guests["guest"]):
                if name.startswith(GUEST):
                    key = guests["replication"][at], guests["interval"][at]
                    served[key] = served.get(key, 0.0) + every_s * guests["cycles_per_s"][at]
            found += [
                Sample(
                    group["replication"][at], every_s * (number * parts + group["interval"][at] + 1),
                    group["usage_usec"][at] / 1e6, int(group["nr_periods"][at]), int(group["nr_throttled"][at]),
                    group["throttled_usec"][at] / 1e6, served[group["replication"][at], group["interval"][at]],
                )
                for at in range(len(group["replication"]))
            ]  # fmt: skip
        return found

    def options(self, per_s: float) -> AdviceOptions:
        """The options that the asker gives."""
        known = {"requests": f"{per_s:.4g}/s", "threads": str(self.threads), "processors": str(self.processors)}
        own = {name: known[name] for name in self.told}
        return AdviceOptions.of(limit=f"{self.limit * 1000:g}m", **own)

    def truth(self, limit: float) -> dict[str, list[float]]:
        """Latency and share of periods throttled under a limit (inf: none), per replication; names of the adviser."""
        seconds = float(f"{max(SHORTEST_S, TRUTH_REQUESTS / self.per_s):.3g}")
        seen = self.simulated(limit, seconds, TRUTHS, seed=77)
        return {name: [float(value) for value in seen[name]] for name in (*MEASURES, "throttled_percent")}

    def simulated(self, limit: float, seconds: float, replications: int, seed: int) -> dict[str, Array]:
        """Counters of the group, latency and requests served under a limit, per replication."""
        scenario = Scenario.read(self._text(limit, seconds, replications).encode(), "site")
        tables = scenario.simulate(seed, (0, replications), 1, WARM_UP_S)
        found = columns(tables["cgroups"], {}, COUNTERS, replications)
        with np.errstate(invalid="ignore"):
            found["throttled_percent"] = np.nan_to_num(100 * found["nr_throttled"] / found["nr_periods"])
        each = [
            columns(tables["guests"], {"guest": name}, ["cycles_per_s", *MEASURES.values()], replications)
            for name in sorted(set(tables["guests"]["guest"]))
            if name.startswith(GUEST)
        ]
        # Users are alike, so that a percentile of all is the mean of theirs.
        found |= {name: np.mean([rows[column] for rows in each], axis=0) for name, column in MEASURES.items()}
        found["served"] = seconds * np.sum([rows["cycles_per_s"] for rows in each], axis=0)
        return found

    def _text(self, limit: float, seconds: float, replications: int) -> str:
        most = "max" if limit > self.processors else str(round(limit * PERIOD_US))
        lines = ['name = "site"', "[source]", 'document = "a simulated site"']
        lines += ["[cec]", f"processors = {self.processors}", 'dispatcher = "cfs"', f'tick = "{self.tick_ms:g} ms"']
        lines += ["[[cgroup]]", 'name = "container"', f'"cpu.max" = "{most} {PERIOD_US}"']
        lines += ["[[resource]]", 'name = "threads"', f"count = {self.threads}"]
        work = f'{{ hold = "threads", steps = [ {self._work()} ] }}'
        requests = ["[[guest]]", f'name = "{GUEST}"', 'cgroup = "container"']
        match self.kind:
            case "uneven rate":
                lines += [*requests, 'arrives = "spawned"', f"program = [ {work} ]", *self._uneven()]
            case "closed":
                lines += self._users(work)
            case _:
                batch = f"batch = {self.batch}" if self.fixed else f"batch_mean = {self.batch}"
                lines += [*requests, f'arrivals = "{self.per_s / self.batch:.6f}/s"', batch, f"program = [ {work} ]"]
        lines += ["[measure]", f'interval = "{seconds:g} s"', f'warm_up = "{WARM_UP_S:g} s"']
        lines += [f"replications = {replications}"]
        return "\n".join(lines) + "\n"

    def _uneven(self) -> list[str]:
        """Some 10 s with half as many batches again, then some 10 s with half as many."""
        phases = []
        for factor in (1.5, 0.5):
            gap_ms = 1000 * self.batch / self.per_s / factor
            come = f'{{ repeat = {self.batch}, steps = [ {{ spawn = "{GUEST}" }} ] }}'
            steps = f'{{ think = {{ exponential = "{gap_ms:.6f} ms" }} }}, {come}'
            phases.append(f"{{ repeat_mean = {max(1.0, 10_000 / gap_ms):.6f}, steps = [ {steps} ] }}")
        return ["[[guest]]", 'name = "clock"', "count = 1", f"program = [ {', '.join(phases)} ]"]

    def _users(self, work: str) -> list[str]:
        """Users who think, ask, and wait for the answer, which has their turn: as many as bring the rate."""
        users = min(2 * self.threads, MOST_USERS)
        think = f'{{ think = {{ exponential = "{max(1.0, 1000 * users / self.per_s - self.cpu_ms):.6f} ms" }} }}'
        lines = []
        for user in range(users):
            name, turn = f"{GUEST}-{user}", f"turn-{user}"
            ask = f'{{ spawn = "{name}" }}, {{ think = "0.001 ms" }}'
            wait = f'{{ hold = "{turn}", steps = [ {{ think = "0 ms" }} ] }}'
            lines += ["[[resource]]", f'name = "{turn}"', "count = 1"]
            lines += ["[[guest]]", f'name = "{name}"', 'cgroup = "container"', 'arrives = "spawned"']
            lines += [f'program = [ {{ hold = "{turn}", steps = [ {work} ] }} ]']
            lines += ["[[guest]]", f'name = "user-{user}"', "count = 1", f"program = [ {think}, {ask}, {wait} ]"]
        return lines

    def _work(self) -> str:
        match self.law:
            case "lognormal":
                return _chosen(_lognormal(self.cpu_ms, self.scv), "constant")
            case "two classes":
                # One in ten is eight times as long as the others.
                short = self.cpu_ms / 1.7
                return _chosen([(0.9, short), (0.1, 8 * short)], "exponential")
            case "gamma":
                return f'{{ compute = {{ gamma = "{self.cpu_ms:.6f} ms", scv = {self.scv} }} }}'
            case _:
                return f'{{ compute = {{ {self.law} = "{self.cpu_ms:.6f} ms" }} }}'


def _chosen(parts: list[tuple[float, float]], law: str) -> str:
    choices = (
        f'{{ weight = {weight:.6g}, steps = [ {{ compute = {{ {law} = "{mean:.6f} ms" }} }} ] }}'
        for weight, mean in parts
    )
    return f"{{ choose = [ {', '.join(choices)} ] }}"


def _lognormal(mean: float, scv: float) -> list[tuple[float, float]]:
    """Probability and mean of each part of a lognormal span between quantiles."""
    normal, sigma = NormalDist(), math.sqrt(math.log(1 + scv))
    points = [-math.inf, *(normal.inv_cdf(edge) for edge in EDGES[1:-1]), math.inf]
    below = [0.0, *(normal.cdf(point - sigma) for point in points[1:-1]), 1.0]
    return [
        (EDGES[at + 1] - EDGES[at], mean * (below[at + 1] - below[at]) / (EDGES[at + 1] - EDGES[at]))
        for at in range(len(EDGES) - 1)
    ]

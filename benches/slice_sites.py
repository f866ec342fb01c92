"""Simulated machines of which everything is known: the RMF pages of their partitions, and the hold at other slices.

A site has what `advise slices` cannot read from a page: the time of the interrupt handler, populations, think times,
the spread of service and of computing, arrivals in batches, and work that does no I/O.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from slicewright._core import Scenario
from slicewright.advise.options import AdviceOptions
from slicewright.run.pages.rmf import cpu_pages_of, direct_access_page_of, partition_page_of
from slicewright.run.run import run

KINDS = ("equal turns", "uneven turns", "by weight", "arrivals", "other work", "classic pages")
"""The particular kind of a site; sites take turns."""

PAGE_S, TRUTH_S, TRUTHS = 900, 60, 4
"""Seconds of the interval that pages cover (the default of RMF), of one replication of the truth, and replications."""


@dataclass(frozen=True)
class Volume:
    """A volume: its service as text, and the guest that uses it."""

    name: str
    partition: str
    service: str
    guest: str


@dataclass(frozen=True)
class Site:
    """Partitions that share processors; times in ms."""

    kind: str
    processors: int
    shares: Mapping[str, int]
    """Percent of the processors, or weights, by partition; the first ones have pages."""
    paged: int
    """Partitions with a page of devices."""
    slice_ms: float
    switch_ms: float
    handler_ms: float
    volumes: tuple[Volume, ...]
    others: tuple[str, ...]
    """Guests that only compute."""

    @classmethod
    def numbered(cls, number: int) -> Site:
        """The site of this number, the same on every machine."""
        draw = random.Random(f"slices {number}")
        kind = KINDS[number % len(KINDS)]
        weighs = kind == "by weight" or (kind == "other work" and draw.random() < 0.5)
        processors = draw.randint(1, 3)
        shares = {"PROD": 50, "TEST": 50}
        if kind == "uneven turns":
            shares = draw.choice(({"PROD": 60, "TEST": 40}, {"PROD": 50, "TEST": 30, "DEVT": 20}))
        elif weighs:
            shares = {"PROD": draw.choice((300, 500)), "TEST": draw.choice((100, 300)), "DEVT": 150}
        names = list(shares)
        paged = draw.randint(1, 2)
        handler = draw.uniform(0.1, 0.3) if kind == "classic pages" else draw.choice((0.01, 0.02, 0.05, 0.15, 0.3))
        volumes = tuple(
            _volume(kind, at, names[at % paged], draw) for at in range(draw.randint(1, 4) if paged == 1 else 4)
        )
        others = []
        if weighs:
            busy = draw.uniform(0.3, 0.9) * processors * shares[names[-1]] / sum(shares.values())
            others.append(_work("W0", names[-1], busy, draw.choice((2.0, 10.0, 30.0))))
        if kind == "other work":
            most = processors * shares["PROD"] / sum(shares.values())
            others.append(_work("W1", "PROD", draw.uniform(0.2, 0.6) * most, draw.choice((1.0, 5.0, 20.0))))
        length = draw.choice((12.5, 20.0, 25.0)) if weighs else draw.choice((10.0, 15.0, 20.0, 30.0))
        return cls(
            kind, processors, shares, paged, length, draw.choice((0.05, 0.1, 0.2)), handler, volumes, tuple(others)
        )

    @property
    def weighs(self) -> bool:
        """Whether processors go by weight (PR/SM)."""
        return sum(self.shares.values()) > 100

    def scenario(self, slice_ms: float, seconds: float, replications: int) -> Scenario:
        """The site with this slice of an equal share, or longest run."""
        lines = ['name = "SITE"', 'assume = "a simulated site"', "[cec]", f"processors = {self.processors}"]
        lines += [f'switch = "{self.switch_ms} ms"']
        lines += ['dispatcher = "prsm"', f'run_time = "{slice_ms} ms"'] if self.weighs else [f'slice = "{slice_ms} ms"']
        for name, share in self.shares.items():
            lines += ["[[partition]]", f'name = "{name}"', f"logical_processors = {self.processors}"]
            lines += [f"weight = {share}" if self.weighs else f'target = "{share} %"', f'slih = "{self.handler_ms} ms"']
        for at, volume in enumerate(self.volumes):
            lines += ["[[volume]]", f'name = "{volume.name}"', f'device = "01{at:02X}"']
            lines += [f'partition = "{volume.partition}"', f"service = {{ {volume.service} }}"]
            lines += ["[[guest]]", f'name = "G{at}"', f'partition = "{volume.partition}"', volume.guest]
        for work in self.others:
            lines += ["[[guest]]", work]
        lines += ["[measure]", f'interval = "{seconds} s"', 'warm_up = "5 s"', f"replications = {replications}"]
        return Scenario.read("\n".join(lines).encode(), "site")

    def files(self) -> list[tuple[str, bytes]]:
        """The pages: devices and processors of each partition that has them, and PARTITION DATA of the machine."""
        measured = run(self.scenario(self.slice_ms, PAGE_S, 1), seed=3000, threads=1)
        level = "classic" if self.kind == "classic pages" else "current"
        processors = cpu_pages_of(measured)
        found = []
        for name in list(self.shares)[: self.paged]:
            page = direct_access_page_of(measured, level, partition=name) + processors[name]
            found.append((f"{name}.txt", page.encode()))
        return [*found, ("machine.txt", partition_page_of(measured, "PROD").encode())]

    def options(self) -> AdviceOptions:
        """The slice, and what a switch takes, which no page has."""
        return AdviceOptions.of(slices=f"{self.slice_ms} ms", assume=[f"switch={self.switch_ms} ms"])

    def truth(self, slice_ms: float) -> tuple[dict[str, float], dict[str, float], dict[str, float]]:
        """With this slice: hold in ms of each volume, its 95 % half-width, and I/O per second."""
        volumes = run(self.scenario(slice_ms, TRUTH_S, TRUTHS), seed=79, threads=1).volumes
        names = volumes["volume"].to_list()
        columns = ("hold_ms", "hold_ms_half_width", "io_per_s")
        hold, half, rate = (dict(zip(names, volumes[column].to_list(), strict=True)) for column in columns)
        return hold, half, rate


def _volume(kind: str, at: int, partition: str, draw: random.Random) -> Volume:
    name = f"VOL{at:03d}"
    if kind == "classic pages" or draw.random() < 0.4:
        disconnect = draw.uniform(9, 18)
        service_ms = disconnect + 4
        span = f'{{ uniform = ["{disconnect - 8:.4f} ms", "{disconnect + 8:.4f} ms"] }}'
        service = f'pend = "1 ms", disconnect = {span}, connect = "3 ms"'
    else:
        connect = draw.uniform(0.4, 6)
        service_ms = connect + 0.3
        spread = draw.choice(("constant", "erlang", "exponential"))
        stages = ", stages = 3" if spread == "erlang" else ""
        service = f'pend = "0.1 ms", disconnect = "0.2 ms", connect = {{ {spread} = "{connect:.4f} ms"{stages} }}'
    computing = draw.uniform(0.05, 1.5)
    steps = [f'{{ compute = {{ {draw.choice(("constant", "exponential"))} = "{computing:.4f} ms" }} }}']
    steps += [f'{{ io = {{ volume = "{name}" }} }}']
    if kind == "arrivals":
        batch = draw.choice((1, 2, 4))
        rate = draw.uniform(0.1, 0.35) * 1000 / (service_ms + 3)
        load = f'arrivals = "{rate / batch:.4f}/s"\nbatch = {batch}'
    else:
        count = draw.choice((1, 1, 2, 3, 5, 8))
        think = count * (service_ms + 5) * draw.uniform(1, 4)
        steps.insert(0, f'{{ think = {{ exponential = "{think:.4f} ms" }} }}')
        load = f"count = {count}"
    return Volume(name, partition, service, f"{load}\nprogram = [ {', '.join(steps)} ]")


def _work(name: str, partition: str, processors: float, length_ms: float) -> str:
    program = f'[ {{ compute = {{ exponential = "{length_ms} ms" }} }} ]'
    rate = 1000 * processors / length_ms
    return f'name = "{name}"\npartition = "{partition}"\narrivals = "{rate:.4f}/s"\nprogram = {program}'

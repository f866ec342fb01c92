"""Simulated sites whose load is of a kind that `advise aliases` does not try, and their DEVICE pages.

A burst is requests that arrive together.  The kinds are bursts of several sizes, data beside paging, and writes that
nothing waits for.  Others are arrivals that stop and go, regular arrivals, and queues that were sampled six times.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from slicewright._core import Scenario
from slicewright.run.pages.run import device_page_of
from slicewright.run.run import run

KINDS = ("mixed bursts", "paging", "async writes", "on-off", "regular", "sampled queues")
"""The load of a site; sites take turns."""

PAGE_S, TRUTH_S, TRUTHS = 60, 15, 4
"""Seconds of the interval that a page covers, of one replication of the truth, and replications."""

SAMPLE_S, SELDOM_S = 2.0, 10.0
"""Time between two samples of a queue, as the z/VM monitor takes them, and of a monitor that is set to fewer."""

BURSTS = (1, 6, 20)
"""Requests of a burst, volume by volume."""


@dataclass(frozen=True)
class Volume:
    """A volume: its name, its utilization by the load (1 is a base that is always busy) and its connect time."""

    name: str
    share: float
    connect_ms: float

    @property
    def rate(self) -> float:
        """I/Os per second at that utilization."""
        return 1000 * self.share / (self.connect_ms + 0.5)


@dataclass(frozen=True)
class Site:
    """A pool of volumes with a load of one kind."""

    kind: str
    volumes: tuple[Volume, ...]
    guests: tuple[str, ...]
    """Guests as inline tables of a scenario."""
    sharing_percent: float
    aliases: tuple[int, ...]
    """Aliases that are present when the page is made."""

    @classmethod
    def numbered(cls, number: int) -> Site:
        """The site of this number, the same on every machine."""
        draw = random.Random(f"load {number}")
        kind = KINDS[number % len(KINDS)]
        connect = draw.uniform(0.4, 1.5)
        volumes = tuple(
            Volume(f"VOL{at:03d}", draw.uniform(0.25, 0.75), connect * draw.uniform(0.8, 1.2))
            for at in range(draw.randint(3, 5))
        )
        guests = tuple(guest for at, volume in enumerate(volumes) for guest in _guests(kind, at, volume, draw))
        present = draw.choice((0, 0, 0, len(volumes)))
        return cls(kind, volumes, guests, draw.choice((0.0, 1.0, 3.0)), (present,))

    def scenario(self, aliases: int, seconds: float, replications: int) -> Scenario:
        """The site with this number of aliases."""
        lines = ['name = "site"', "[source]", 'document = "a simulated site"', "[[control_unit]]", 'name = "CU"']
        lines += [f'sharing = "{self.sharing_percent} %"', "[[alias_pool]]", 'name = "POOL"', f"aliases = {aliases}"]
        for at, volume in enumerate(self.volumes):
            lines += ["[[volume]]", f'name = "{volume.name}"', f'device = "52{at:02X}"', 'control_unit = "CU"']
            lines += ['alias_pool = "POOL"', 'gap = "0.02 ms"']
            connect = f'{{ exponential = "{volume.connect_ms:.6f} ms" }}'
            lines += [f'service = {{ pend = "0.2 ms", disconnect = "0.3 ms", connect = {connect} }}']
        for guest in self.guests:
            lines += ["[[guest]]", guest]
        lines += ["[measure]", f'interval = "{seconds} s"', 'warm_up = "2 s"', f"replications = {replications}"]
        lines += [f'sample = "{SELDOM_S if self.kind == "sampled queues" else SAMPLE_S} s"']
        return Scenario.read("\n".join(lines).encode(), "site")

    def page(self, interval: int) -> bytes:
        """The DEVICE page (FCX108) of the interval."""
        measured = run(self.scenario(self.aliases[interval], PAGE_S, 1), seed=2000 + interval, threads=1)
        return device_page_of(measured, "toolkit").encode()

    def truth(self, aliases: int) -> tuple[float, float]:
        """The response in ms with this number of aliases, and its 95 % half-width."""
        system = run(self.scenario(aliases, TRUTH_S, TRUTHS), seed=78, threads=1).system
        return float(system["response_ms"][0]), float(system["response_ms_half_width"][0])


def _guests(kind: str, at: int, volume: Volume, draw: random.Random) -> list[str]:
    """The guests that load one volume."""
    io, name = f'{{ io = {{ volume = "{volume.name}" }} }}', f'name = "G{at}"'
    spawned = f'name = "W{at}"\narrives = "spawned"\nprogram = [ {io} ]'
    think = f'{{ think = {{ exponential = "{draw.uniform(0.3, 5):.6f} ms" }} }}'
    if kind == "mixed bursts":
        return [_open(name, volume.rate, BURSTS[at % len(BURSTS)], io)]
    if kind == "paging" and at == 0:
        size = draw.choice((16, 24, 32))
        return [f'{name}\narrivals = "{volume.rate / size:.4f}/s"\nbatch_mean = {size}\nprogram = [ {io} ]']
    if kind == "async writes":
        return [f'{name}\ncount = {draw.randint(1, 3)}\nprogram = [ {think}, {io}, {{ spawn = "W{at}" }} ]', spawned]
    if kind == "on-off":
        on, gap = draw.randint(20, 60), 450 / volume.rate
        off = on * (1000 / volume.rate - gap)
        burst = (
            f'{{ repeat = {on}, steps = [ {{ think = {{ exponential = "{gap:.6f} ms" }} }}, {{ spawn = "W{at}" }} ] }}'
        )
        return [f'{name}\ncount = 1\nprogram = [ {{ think = {{ exponential = "{off:.6f} ms" }} }}, {burst} ]', spawned]
    if kind == "regular":
        return [
            f'{name}\ncount = 1\nprogram = [ {{ think = "{1000 / volume.rate:.6f} ms" }}, {{ spawn = "W{at}" }} ]',
            spawned,
        ]
    return [f"{name}\ncount = {draw.randint(2, 5)}\nprogram = [ {think}, {io} ]"]


def _open(name: str, rate: float, batch: int, io: str) -> str:
    return f'{name}\narrivals = "{rate / batch:.4f}/s"\nbatch = {batch}\nprogram = [ {io} ]'

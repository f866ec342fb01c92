"""Simulated sites with disks, of which everything is known: their DEVICE pages, and their response with other aliases.

A site has what `advise aliases` cannot read from a page: serial channels, batches, uneven volumes, other spreads of
service time, hand-over rules of freed aliases, and two intervals with different loads.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from slicewright._core import Scenario
from slicewright.run.pages.run import device_page_of
from slicewright.run.run import run

KINDS = ("shared path", "serial channel", "uneven volumes", "bursty arrivals", "hand-over rule", "two intervals")
"""The particular kind of a site; sites take turns."""

PAGE_S, TRUTH_S, TRUTHS = 60, 15, 4
"""Seconds of the interval that a page covers, of one replication of the truth, and replications."""


@dataclass(frozen=True)
class Site:
    """A pool of volumes with its load; times in ms."""

    kind: str
    guests: tuple[int, ...]
    """Guests of each volume; 0 is batches from outside."""
    think_ms: float
    pend_ms: float
    disc_ms: float
    connect_ms: float
    spread: str
    sharing_percent: float
    channels: int
    serial_ms: float
    selection: str
    redispatch: str
    batch: int
    rate: float
    aliases: tuple[int, ...]
    """Aliases present in each interval that a page covers."""

    @classmethod
    def numbered(cls, number: int) -> Site:
        """The site of this number, the same on every machine."""
        draw = random.Random(f"site {number}")
        kind = KINDS[number % len(KINDS)]
        volumes = draw.randint(1, 4)
        connect = draw.uniform(0.4, 2.0)
        guests = tuple(draw.randint(2, 5) for _ in range(volumes))
        if kind == "uneven volumes":
            guests = tuple(max(1, round(8 / (at + 1))) for at in range(volumes + 1))
        channels, serial = 0, 0.0
        if kind == "serial channel":
            channels = draw.choice((1, 1, 2, 4))
            # The channels carry up to three times what the bases alone could start.
            serial = draw.uniform(0.3, 0.95) * connect * channels / len(guests)
        burst = kind == "bursty arrivals"
        service = connect + 0.5
        present = draw.choice((0, 0, 1, volumes))
        two = kind == "two intervals"
        return cls(
            kind=kind,
            guests=(0,) * volumes if burst else guests,
            think_ms=draw.uniform(0, 4),
            pend_ms=draw.uniform(0.1, 0.3),
            disc_ms=draw.choice((0.0, 0.3)),
            connect_ms=connect,
            spread=draw.choice(("constant", "erlang", "exponential", "exponential")),
            sharing_percent=0.0 if channels else draw.choice((0.0, 1.0, 3.0, 6.0)),
            channels=channels,
            serial_ms=serial,
            selection=draw.choice(("rotating", "first-free")),
            redispatch=draw.choice(("same-volume", "pool-fifo")) if kind == "hand-over rule" else "none",
            batch=draw.randint(2, 4) if burst else 1,
            rate=draw.uniform(0.3, 0.8) * 1000 / service if burst else 0.0,
            aliases=(present, present + draw.randint(1, 4)) if two else (max(present, int(kind == "hand-over rule")),),
        )

    def in_interval(self, interval: int) -> Site:
        """The site with the load of an interval: of two, the second has three quarters of the think time."""
        return replace(self, think_ms=self.think_ms * (1 if interval == 0 else 0.75))

    def scenario(self, aliases: int, seconds: float, replications: int) -> Scenario:
        """The site with this number of aliases."""
        return Scenario.read(self._text(aliases, seconds, replications).encode(), "site")

    def page(self, interval: int) -> bytes:
        """The DEVICE page (FCX108) of one interval."""
        own = self.in_interval(interval)
        measured = run(own.scenario(self.aliases[interval], PAGE_S, 1), seed=1000 + interval, threads=1)
        return device_page_of(measured, "toolkit").encode()

    def truth(self, aliases: int) -> tuple[float, float]:
        """The response in ms with this number of aliases, in the load of the last interval, and its 95 % half-width."""
        own = self.in_interval(len(self.aliases) - 1)
        system = run(own.scenario(aliases, TRUTH_S, TRUTHS), seed=77, threads=1).system
        return float(system["response_ms"][0]), float(system["response_ms_half_width"][0])

    def _text(self, aliases: int, seconds: float, replications: int) -> str:
        names = [f"{at + 1:02X}" for at in range(self.channels)]
        lines = ['name = "site"', "[source]", 'document = "a simulated site"']
        for name in names:
            lines += ["[[channel]]", f'name = "{name}"', f'per_io = "{self.serial_ms:.6f} ms"']
        lines += ["[[control_unit]]", 'name = "CU"', f'sharing = "{self.sharing_percent} %"']
        if names:
            listed = ", ".join(f'"{name}"' for name in names)
            lines += [f"channels = [{listed}]", f'selection = "{self.selection}"']
        lines += ["[[alias_pool]]", 'name = "POOL"', f"aliases = {aliases}", f'redispatch = "{self.redispatch}"']
        private = max(0.05, self.connect_ms - self.serial_ms)
        stages = ", stages = 3" if self.spread == "erlang" else ""
        connect = f'{{ {self.spread} = "{private:.6f} ms"{stages} }}'
        for at, guests in enumerate(self.guests):
            lines += ["[[volume]]", f'name = "VOL{at:03d}"', f'device = "52{at:02X}"', 'control_unit = "CU"']
            lines += ['alias_pool = "POOL"', 'gap = "0.02 ms"']
            lines += [
                f'service = {{ pend = "{self.pend_ms:.6f} ms", disconnect = "{self.disc_ms} ms", connect = {connect} }}'
            ]
            lines += ["[[guest]]", f'name = "G{at}"']
            io = f'{{ io = {{ volume = "VOL{at:03d}" }} }}'
            if guests:
                think = f'{{ think = {{ exponential = "{self.think_ms + 0.001:.6f} ms" }} }}'
                lines += [f"count = {guests}", f"program = [ {think}, {io} ]"]
            else:
                lines += [f'arrivals = "{self.rate / self.batch:.4f}/s"', f"batch = {self.batch}"]
                lines += [f"program = [ {io} ]"]
        lines += ["[measure]", f'interval = "{seconds} s"', 'warm_up = "2 s"', f"replications = {replications}"]
        return "\n".join(lines) + "\n"

"""A load on a pool: each volume's sources of I/O and its service times, as numbers ready for a scenario."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

Growth = Literal["none", "borrowed", "printed", "fitted", "assumed", "channel"]
Spread = Literal["exponential", "constant"]


@dataclass(frozen=True, slots=True)
class VolumeLoad:
    """One volume and its guests; `population` 0 is open Poisson arrivals at `io_per_s`.  Times in ms."""

    name: str
    device: str
    type: str
    population: int
    io_per_s: float
    think_ms: float
    pend_ms: float
    disc_ms: float
    connect_ms: float
    batch: float = 1.0
    """Requests that arrive together, where they come from outside: how many, or on average."""
    geometric: bool = False
    """Whether batches have random sizes, at least one, geometrically distributed; else all have one size."""
    spread: Spread = "exponential"
    """How connect times vary."""


@dataclass(frozen=True, slots=True)
class Load:
    """All volumes of a pool, and what they share.

    `classic` volumes own their aliases; others borrow them from the pool.  `sharing_percent`: of n connected I/Os
    each progresses at 1 / (1 + sharing (n - 1)).

    >>> volume = VolumeLoad("A", "522A", "3390-3", 3, 755.0, 0.3, 0.2, 0.2, 0.9)
    >>> load = Load("r", "52", (volume, volume), 0.05, 0.0, "none", "none", False, 4)
    >>> load.population, load.alias_key
    (6, 'alias_pool.52.aliases')
    """

    name: str
    pool: str
    volumes: tuple[VolumeLoad, ...]
    gap_ms: float
    sharing_percent: float
    growth: Growth
    redispatch: str
    classic: bool
    paths: int
    think_known: bool = False
    """Whether the think times were given and are not searched."""
    gap_known: bool = True
    """Whether the gap is given or borrowed; else it is fitted: a base with a queue idles only for the gap."""
    gap_borrowed_ms: float = 0.0
    serial_ms: float = 0.0
    """The serial part of each connect time, which shared channels (FICON) interleave; `paths` of them, in rotation."""
    one_at_a_time: bool = False
    """Whether the channels carry one I/O at a time (ESCON)."""

    @property
    def ceiling(self) -> float | None:
        """I/Os per second that the channels carry at most; None without serial channels."""
        return 1000 * self.paths / self.serial_ms if self.serial_ms else None

    @property
    def population(self) -> int | None:
        """Requests that circulate in all; None with open arrivals."""
        counts = [volume.population for volume in self.volumes]
        return sum(counts) if all(counts) else None

    @property
    def alias_key(self) -> str:
        """The path of the alias count in the scenario, for `--set`."""
        return f"volume.{self.volumes[0].name}.aliases" if self.classic else f"alias_pool.{self.pool}.aliases"

    def grown(self, factor: float) -> Load:
        """The load with its demand scaled: open rates by the factor, closed populations to the nearest whole total.

        Guests are added (or taken) where the exact share of a volume is farthest from whole; think times stay.

        >>> volume = VolumeLoad("A", "522A", "3390-3", 3, 0.0, 0.3, 0.2, 0.2, 0.9)
        >>> load = Load("r", "52", (volume, volume), 0.05, 0, "none", "none", False, 4)
        >>> [one.population for one in load.grown(1.2).volumes]
        [4, 3]
        """
        exact = [volume.population * factor for volume in self.volumes]
        counts = [max(1, math.floor(population)) if population else 0 for population in exact]
        missing = round(sum(exact)) - sum(counts)
        order = sorted(range(len(exact)), key=lambda at: (counts[at] - exact[at], at))
        for at in [at for at in order if exact[at]][: max(0, missing)]:
            counts[at] += 1
        volumes = tuple(
            replace(volume, population=count, io_per_s=volume.io_per_s * factor)
            for volume, count in zip(self.volumes, counts, strict=True)
        )
        return replace(self, volumes=volumes)


def concurrency(load: Load) -> int | None:
    """The most aliases that a closed load can use at once: every request but one per volume; None with open arrivals.

    >>> volume = VolumeLoad("A", "522A", "3390-3", 3, 0.0, 0.3, 0.2, 0.2, 0.9)
    >>> concurrency(Load("r", "52", (volume, volume), 0.05, 0, "none", "none", False, 4))
    4
    """
    if load.population is None:
        return None
    return sum(volume.population - 1 for volume in load.volumes)

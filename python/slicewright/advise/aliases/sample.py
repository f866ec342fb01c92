"""What one run shows of a pool: per replication and volume, what the fit and the curve need of the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from slicewright.experiment.outcome import Array, Table, grid

PER_VOLUME = ("io_per_s", "alias_io_per_s", "queue_depth", "service_ms", "response_ms")
COLUMNS = {
    "volumes": ("replication", "volume", *PER_VOLUME),
    "pools": ("replication", "aliases", "tries", "fails", "low_water"),
}
"""The columns that a sample needs of the tables of a run."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Arrays of replications x volumes; `fails_per_try` and `most_used` per replication.

    Rates per second, times in ms, queue in requests.  `most_used`: aliases of the pool in use at once at most.

    >>> from slicewright.advise.aliases.example import load, simulations
    >>> sample = simulations().simulate(load(), 1)
    >>> sample.io_per_s.shape, bool((sample.pooled("io_per_s") > 1000).all())
    ((4, 1), True)
    """

    io_per_s: Array
    alias_io_per_s: Array
    queue_depth: Array
    service_ms: Array
    response_ms: Array
    fails_per_try: Array
    most_used: int | None

    def pooled(self, name: str) -> Array:
        """One value per replication over the pool: rates and queues add, times are means over I/Os."""
        values: Array = getattr(self, name)
        if name == "fails_per_try":
            return values
        if name in ("io_per_s", "alias_io_per_s", "queue_depth"):
            return np.asarray(values.sum(axis=1))
        rates = self.io_per_s
        return np.asarray((values * rates).sum(axis=1) / rates.sum(axis=1))


def sample_of(tables: Mapping[str, Table], volumes: Sequence[str], replications: int) -> Sample:
    """The sample in the tables of a run, for the named volumes in the order given."""
    found = grid(tables["volumes"], ("volume", volumes), PER_VOLUME, replications)
    found |= {name: _filled(found[name]) for name in ("service_ms", "response_ms")}
    fails, used = _pool(tables.get("pools") or {}, replications)
    return Sample(**found, fails_per_try=fails, most_used=used)


def _filled(times: Array) -> Array:
    """Times with the volume's mean over other replications where a volume did no I/O in one; 0 where it did none."""
    there = np.isfinite(times)
    counts = there.sum(axis=0)
    means = np.divide(np.where(there, times, 0.0).sum(axis=0), counts, out=np.zeros(len(counts)), where=counts > 0)
    return np.asarray(np.where(there, times, means))


def _pool(pools: Table, replications: int) -> tuple[Array, int | None]:
    if not pools or len(pools["replication"]) != replications:
        return np.full(replications, np.nan), None
    tries = np.array(pools["tries"], dtype=float)
    fails = np.array(pools["fails"], dtype=float)
    share = np.divide(fails, tries, out=np.zeros_like(fails), where=tries > 0)
    low = [0 if value is None else int(value) for value in pools["low_water"]]
    return share, int(max(pools["aliases"])) - min(low)

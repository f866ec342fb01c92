"""The results of a run: its tables, the scenario behind them, and what it takes to repeat it."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slicewright._core import Scenario
from slicewright.run.tabulated import Tabulated
from slicewright.scenario.replay import Recording
from slicewright.statistics import plural, seconds

if TYPE_CHECKING:
    from slicewright.scenario.view import View


@dataclass(frozen=True, kw_only=True)
class Results(Tabulated):
    """The tables of one scenario simulated under one seed, and what it takes to repeat it.

    `results["volumes"]`, or `results.volumes`, has one row per volume: each counter `x` is the mean over replications,
    with its 95 % half-width in `x_half_width`.  `tables` lists the tables, those of the counters reference.  Units
    are part of the names (`_ms`, `_us`, `_per_s`, `_percent`).  `decisions` and `contention` are logs of replication
    0.  `raw[table]` has one row per replication, interval and entity, `pooled[table]` one per
    replication and entity: all intervals as one.

    >>> import slicewright
    >>> results = slicewright.run(slicewright.starter("mm1"), replications=2, set={"measure.interval": "20 s"})
    >>> results.volumes.height, results["volumes"].height
    (1, 1)
    >>> results.seed, results.replications
    (1, 2)
    """

    scenario: str
    """The resolved scenario, as TOML."""
    checksum: str
    """SHA-256 of the resolved scenario."""
    seed: int
    warm_up_s: float
    """Simulated time cut from the start of every replication."""
    numbers: Sequence[Mapping[str, str]] = ()
    """Every number of the scenario as `explain` lists it: key, value, role, why."""
    recordings: Sequence[Recording] = ()
    """The files of the replayed guests, as they were read."""

    @functools.cached_property
    def view(self) -> View:
        """The scenario, typed: `run.view.partitions`, `run.view.measure.interval_s`."""
        return Scenario.read(self.scenario.encode(), "scenario.toml").view

    @property
    def interval_s(self) -> float:
        """The length of an interval, seconds."""
        return self.view.measure.interval_s

    @property
    def measured_s(self) -> float:
        """The length of all intervals together, seconds."""
        return self.view.measure.measured_s

    @property
    def made_by(self) -> str:
        """The version that simulated the run."""
        return f"simulated by slicewright {self.version}"

    @property
    def origin(self) -> str:
        """Replications, seed and warm-up."""
        warm_up = f"warm-up cut {seconds(self.warm_up_s)}"
        return f"{plural(self.replications, 'replication')}, seed {self.seed}, {warm_up}"

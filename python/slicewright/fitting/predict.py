"""Judges the fitted scenario: each held-out value beside the simulated one, by bands that were declared before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from slicewright.experiment.outcome import Array
from slicewright.fitting.evidence import FEWEST_IOS, Evidence, Group, Level, Period, Split, Targets, level
from slicewright.fitting.model import Simulated
from slicewright.results.judge import Band, Cell, Place, Role, Ruling, Tally
from slicewright.statistics import Estimate, estimate

BANDS: Mapping[str, Band] = {
    "io_per_s": Band(rel=0.10),
    "response_ms": Band(rel=0.20, abs=0.1),
    "pend_ms": Band(rel=0.10, abs=0.05),
    "disc_ms": Band(rel=0.10, abs=0.05),
    "conn_ms": Band(rel=0.10, abs=0.05),
    "queue_depth": Band(rel=0.30, abs=0.1),
    "fails_per_try": Band(abs=0.1),
}
"""The bands of a prediction.

Lazowska et al., Quantitative System Performance, section 1.2, expects a model within 10 % of rates and within 10 to
30 % of response times.  A queue of monitor data is a mean of samples.
"""

ENOUGH = 0.9
"""A fit predicts when this share of the held-out values lie in their bands, and at least half in each interval."""

_HALF = 0.5

_UNITS = {"io_per_s": "1/s", "queue_depth": "requests", "fails_per_try": "share"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The held-out values by interval, and the shown ones as fitted, by period."""

    held_out: Mapping[int, tuple[Cell, ...]]
    fitted: tuple[Cell, ...]
    levels: Mapping[str, Sequence[float]]
    """Rate, response and queue of all volumes in the fitted scenario, by period."""

    @property
    def cells(self) -> list[Cell]:
        """All held-out values."""
        return [cell for cells in self.held_out.values() for cell in cells]

    @property
    def tally(self) -> Tally:
        """How many held-out values lie in their bands."""
        return Tally.of(self.cells)

    @property
    def missed(self) -> list[int]:
        """The held-out intervals of which less than half of the values lie in their bands, or that have none."""
        tallies = {interval: Tally.of(cells) for interval, cells in self.held_out.items()}
        return [interval for interval, tally in tallies.items() if tally.matches < _HALF * tally.scored]

    @property
    def predicts(self) -> bool:
        """Whether the fit predicts the intervals that it was not shown."""
        tally = self.tally
        return tally.scored > 0 and tally.matches >= ENOUGH * tally.scored and not self.missed


def outcome(
    evidence: Evidence, split: Split, periods: Sequence[Period], targets: Targets, sample: Simulated
) -> Outcome:
    """The values of every held-out interval beside those predicted, and the fitted values of every period."""
    simulated = _Simulated(evidence, periods, targets, sample)
    cells = {interval: tuple(simulated.held_out(interval)) for interval in split.held_out}
    return Outcome(cells, tuple(simulated.fitted()), simulated.levels())


def totals(evidence: Evidence) -> dict[str, Array]:
    """Rate, response and queue of all volumes, by interval."""
    rate = sum(group.rate.sum(axis=1) for group in evidence.groups)
    present = sum(np.nansum(group.io_per_s * group.response_ms, axis=1) for group in evidence.groups)
    waiting = sum(np.nansum(group.io_per_s * group.wait_ms, axis=1) for group in evidence.groups)
    return {"io_per_s": rate, "response_ms": present / np.maximum(rate, 1e-9), "queue_depth": waiting / 1000}


@dataclass(frozen=True, slots=True)
class _Simulated:
    """The evidence beside a simulation of the fitted scenario."""

    evidence: Evidence
    periods: Sequence[Period]
    targets: Targets
    sample: Simulated

    @property
    def places(self) -> dict[tuple[int, int, int], int]:
        """The number of each copy, by period, group and volume."""
        copies = self.targets.copies
        return {(copy.period, copy.group, copy.volume): at for at, copy in enumerate(copies)}

    def held_out(self, interval: int) -> list[Cell]:
        """The cells of a held-out interval: of each volume with I/O, and of each pool."""
        cells, at = [], level(self.periods, interval)
        for number, group in enumerate(self.evidence.groups):
            for volume in range(len(group.volumes)):
                rate = group.io_per_s[interval, volume]
                if np.isnan(rate):
                    continue
                many = rate * self.evidence.lengths_s[interval] >= FEWEST_IOS
                for name in self.sample.values if many else ("io_per_s",):
                    values = self._mixed(name, (number, volume), at)
                    if name in BANDS and (many or values.any()):
                        cells.append(_cell(group, (interval, volume), name, estimate(values.tolist())))
            cells += self._fails(group, interval, at)
        return cells

    def _mixed(self, name: str, volume: tuple[int, int], at: Level) -> Array:
        """A counter by replication at a level between two periods: times are means over I/Os."""
        rate = self._shared("io_per_s", volume, at)
        if name in ("io_per_s", "queue_depth"):
            return self._shared(name, volume, at)
        times = self._shared(name, volume, at, by_rate=True)
        return np.divide(times, rate, out=np.zeros_like(times), where=rate > 0)

    def _shared(self, name: str, volume: tuple[int, int], at: Level, *, by_rate: bool = False) -> Array:
        found = np.zeros(len(self.sample.values[name]))
        for period, share in ((at.before, 1 - at.share), (at.after, at.share)):
            place = self.places.get((period, *volume))
            if place is not None and share:
                weight = np.nan_to_num(self.sample.values["io_per_s"][:, place]) if by_rate else 1.0
                found += share * weight * np.nan_to_num(self.sample.values[name][:, place])
        return found

    def _fails(self, group: Group, interval: int, at: Level) -> list[Cell]:
        """Tries that find no free alias, where both the records and the simulation have tries."""
        measured = float(group.fails_per_try[interval])
        several = len(self.periods) > 1
        names = [
            f"{group.name}@{self.periods[period].tag}" if several else group.name for period in (at.before, at.after)
        ]
        found = [np.array(self.sample.fails_per_try.get(name, [])) for name in names]
        if not np.isfinite(measured) or not all(values.size and np.isfinite(values).all() for values in found):
            return []
        place = Place(str(interval), "fails_per_try", _UNITS["fails_per_try"], group.name)
        values = estimate(((1 - at.share) * found[0] + at.share * found[1]).tolist())
        return [Cell(place, measured, values, _ruling("predicted", "fails_per_try"))]

    def fitted(self) -> list[Cell]:
        """Rate and queue of each volume in each period, to which the load was fitted: never judged."""
        targets = self.targets
        measured = {"io_per_s": targets.io_per_s, "queue_depth": targets.queue_depth}
        cells = []
        for at, copy in enumerate(targets.copies):
            volume = self.evidence.groups[copy.group].volumes[copy.volume]
            for name, values in measured.items():
                place = Place(self.periods[copy.period].tag, name, _UNITS[name], volume)
                cells.append(Cell(place, float(values[at]), self._estimate(at, name), _ruling("calibrated", name)))
        return cells

    def levels(self) -> dict[str, list[float]]:
        """Rate, response and queue of all volumes, by period."""
        rates, times, queues = (self.sample.mean(name) for name in ("io_per_s", "response_ms", "queue_depth"))
        found: dict[str, list[float]] = {"io_per_s": [], "response_ms": [], "queue_depth": []}
        for period in range(len(self.periods)):
            own = np.array([copy.period == period for copy in self.targets.copies])
            rate = float(rates[own].sum())
            found["io_per_s"].append(rate)
            found["response_ms"].append(float((rates * times)[own].sum()) / max(rate, 1e-9))
            found["queue_depth"].append(float(queues[own].sum()))
        return found

    def _estimate(self, at: int, name: str) -> Estimate:
        return estimate(self.sample.values[name][:, at].tolist())


def _cell(group: Group, where: tuple[int, int], name: str, value: Estimate) -> Cell:
    interval, volume = where
    measured = float(np.nan_to_num(getattr(group, name)[interval, volume]))
    place = Place(str(interval), name, _UNITS.get(name, "ms"), group.volumes[volume])
    return Cell(place, measured, value, _ruling("predicted", name))


def _ruling(role: Role, name: str) -> Ruling:
    return Ruling(role, BANDS[name])

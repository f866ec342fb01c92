"""The model of a day: volumes with their guests, period by period, as one scenario in TOML and as simulated."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from slicewright._core import Scenario
from slicewright.experiment.outcome import Array, grid
from slicewright.experiment.plan import Plan
from slicewright.experiment.simulations import simulate
from slicewright.values.numerals import in_scenario

_FEWEST_IOS, _MOST_IOS = 2_000, 200
"""I/Os simulated at least of each volume; and of all volumes at most this many times those asked for each."""

_COUNTERS = ("io_per_s", "pend_ms", "disc_ms", "conn_ms", "service_ms", "response_ms", "queue_depth")


@dataclass(frozen=True, slots=True)
class VolumeLoad:
    """A volume with its guests in one period.  `population` 0 is open Poisson arrivals.  Times in ms."""

    name: str
    device: str
    """Counted from 1 where the scenario has the volume in several periods: a device number means one device."""
    population: int
    think_ms: float
    io_per_s: float
    pend_ms: float
    disc_ms: float
    connect_ms: float
    service_note: str
    """Where the service times are from, with their uncertainty."""
    load_note: str = "a step of the fit"
    """The same of guests and think time."""
    batch: int = 1
    """Requests that arrive together, of open arrivals."""


@dataclass(frozen=True, slots=True)
class PoolLoad:
    """A group of volumes in one period: what they share, and each of them."""

    name: str
    aliases: int
    pooled: bool
    """Whether aliases work for any volume; otherwise each volume has this number."""
    paths: int
    sharing: float
    growth: str
    volumes: tuple[VolumeLoad, ...]
    redispatch: str = ""
    """The use of a freed alias; "" is that of a scenario that does not say."""
    serial_ms: float = 0.0
    """The part of each connect time for which a channel carries one I/O at a time; 0 is no channels."""

    @property
    def channels(self) -> list[str]:
        """The names of its channels, one a path."""
        return [f"{self.volumes[0].device}-{number + 1}" for number in range(self.paths)] if self.serial_ms else []


@dataclass(frozen=True, slots=True)
class Model:
    """Everything that a scenario needs: pools of all periods, and where the numbers are from."""

    name: str
    document: str
    pools: tuple[PoolLoad, ...]
    remarks: tuple[str, ...] = ()
    """Lines of comment at the head of the file."""
    tables: tuple[str, ...] = ()
    """Lines of further tables at the end of the file: what the fit left open."""

    @property
    def volumes(self) -> list[VolumeLoad]:
        """The volumes of all pools, in their order."""
        return [volume for pool in self.pools for volume in pool.volumes]

    def text(self, plan: Plan) -> str:
        """The scenario; the same model gives the same text."""
        lines = [f"# {remark}".rstrip() for remark in self.remarks]
        lines += [f"name = {_text(self.name)}", "", "[source]", f"document = {_text(self.document)}", ""]
        for pool in self.pools:
            lines += [
                *[
                    line
                    for channel in channels(pool)
                    for line in ("[[channel]]", *(f"{key} = {_text(value)}" for key, value in channel.items()), "")
                ],
                *_pool(pool),
            ]
        for key, value in plan.keys().items():
            if key == "measure.interval":
                lines += ["[measure]"]
            written = _text(value) if isinstance(value, str) else value
            lines += [f"{key.removeprefix('measure.')} = {written}"]
        lines += ['assume = "long enough to judge the fit"', *(["", *self.tables] if self.tables else [])]
        return "\n".join(lines).rstrip() + "\n"

    def simulated(self, plan: Plan) -> Simulated:
        """The model simulated; raises RunError when it cannot go on."""
        scenario = Scenario.read(self.text(plan).encode(), "the fitted scenario")
        tables = simulate(scenario)
        names = [volume.name for volume in self.volumes]
        found = grid(tables["volumes"], ("volume", names), _COUNTERS, plan.replications)
        fails: dict[str, list[float]] = {}
        pools = tables.get("pools") or {"pool": [], "fails_per_try": []}
        for pool, failed in zip(pools["pool"], pools["fails_per_try"], strict=True):
            fails.setdefault(pool, []).append(np.nan if failed is None else float(failed))
        return Simulated(found, fails)


@dataclass(frozen=True, slots=True)
class Simulated:
    """What a simulation gave: arrays of replications x volumes, and per pool its fails per try by replication."""

    values: Mapping[str, Array]
    fails_per_try: Mapping[str, list[float]] = field(default_factory=dict)

    def mean(self, name: str) -> Array:
        """The mean of a counter of each volume; 0 where it did nothing."""
        values = self.values[name]
        known = np.isfinite(values)
        total = np.where(known, values, 0.0).sum(axis=0)
        counts = known.sum(axis=0)
        return np.asarray(np.divide(total, counts, out=np.zeros(values.shape[1]), where=counts > 0))

    @property
    def wait_ms(self) -> Array:
        """The mean wait in the queue of each volume."""
        return np.asarray(np.maximum(self.mean("response_ms") - self.mean("service_ms"), 0.0))


def plan_for(io_per_s: Array, population: Array, ios: int, replications: int) -> Plan:
    """A plan that simulates about `ios` I/Os of a volume, fewer of many volumes, and 30 turns of the slowest guest.

    >>> plan_for(np.array([500.0, 1500.0]), np.array([2, 3]), 20_000, 2)
    Plan(interval_s=10.0, warm_up_s=0.5, replications=2)
    """
    slowest_s = float((np.maximum(population, 1) / io_per_s).max())
    each = max(_FEWEST_IOS, min(ios, _MOST_IOS * ios / len(io_per_s)))
    interval = float(np.clip(max(each / replications / float(io_per_s.mean()), 30 * slowest_s), 0.2, 3600))
    return Plan(float(f"{interval:.2g}"), float(f"{max(interval / 20, 5 * slowest_s):.2g}"), replications)


def channels(pool: PoolLoad) -> list[dict[str, str]]:
    """The channels of a pool, one a path; none without a serial time."""
    return [{"name": name, "per_io": f"{in_scenario(pool.serial_ms)} ms"} for name in pool.channels]


def _pool(pool: PoolLoad) -> list[str]:
    role = "calibrated" if pool.sharing > 0 else "assume"
    paths = f"channels = {json.dumps(pool.channels)}" if pool.serial_ms else f"paths = {pool.paths}"
    rule = [f"redispatch = {_text(pool.redispatch)}"] if pool.redispatch else []
    lines = ["[[control_unit]]", f"name = {_text(pool.name)}", paths]
    lines += [f'sharing = "{in_scenario(100 * pool.sharing)} %"', f"{role} = {_text('sharing: ' + pool.growth)}", ""]
    if pool.pooled:
        lines += ["[[alias_pool]]", f"name = {_text(pool.name)}", f"aliases = {pool.aliases}", *rule, ""]
    for volume in pool.volumes:
        lines += ["[[volume]]", f"name = {_text(volume.name)}"]
        lines += [f"device = {_text(volume.device)}", f"control_unit = {_text(pool.name)}"]
        lines += [f"alias_pool = {_text(pool.name)}"] if pool.pooled else [f"aliases = {pool.aliases}", *rule]
        parts = [
            f'{part} = "{in_scenario(ms)} ms"'
            for part, ms in (("pend", volume.pend_ms), ("disconnect", volume.disc_ms))
        ]
        parts += [f'connect = {{ exponential = "{in_scenario(volume.connect_ms)} ms" }}']
        lines += [f"service = {{ {', '.join(parts)}, calibrated = {_text(volume.service_note)} }}", ""]
        lines += _guests(volume)
    return lines


def _guests(volume: VolumeLoad) -> list[str]:
    step = f"{{ io = {{ volume = {_text(volume.name)} }} }}"
    lines = ["[[guest]]", f"name = {_text('on-' + volume.name)}"]
    if volume.population == 0:
        lines += [f'arrivals = "{in_scenario(volume.io_per_s / volume.batch)}/s"', f"program = [ {step} ]"]
        lines += [f"batch = {volume.batch}"] if volume.batch > 1 else []
    else:
        think = (
            f'{{ think = {{ exponential = "{in_scenario(volume.think_ms)} ms" }} }}, ' if volume.think_ms > 0 else ""
        )
        lines += [f"count = {volume.population}", f"program = [ {think}{step} ]"]
    return [*lines, f"calibrated = {_text(volume.load_note)}", ""]


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)

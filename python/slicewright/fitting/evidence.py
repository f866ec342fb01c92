"""What measured intervals show of disks: arrays of rates, times and queues, for each pool or group of volumes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slicewright.errors import Problem, problem, refusal
from slicewright.experiment.outcome import Array
from slicewright.measured.tables import MeasuredTables
from slicewright.scenario.names import is_name
from slicewright.statistics import fixed

if TYPE_CHECKING:
    import polars

NOISE = 0.02
"""I/Os in service that the rounding of records may make too many."""

FEWEST_IOS = 1000
"""I/Os of a volume in an interval below which its values are too few to fit or to judge."""

RECORDS = "6/3 (devices) of MONWRITE, with 6/28 where there are alias pools; or 74-1 and 78-3 of SMF"

_QUEUES = ("queue_depth", "queue_depth_sampled", "queue_depth_rmf")
_TIMES = ("io_per_s", "pend_ms", "disc_ms", "conn_ms", "response_ms")
_ROOM_FOR_PERIOD = 16
"""Characters of a name that are kept for the period which it is of."""


@dataclass(frozen=True, slots=True)
class Group:
    """Volumes that share aliases and paths.  Arrays are intervals x volumes: rates per second, times in ms.

    A volume that did no I/O in an interval has NaN as its times; one that the records lack has NaN as its rate too.
    """

    name: str
    pool: str
    """The alias pool as the records name it; empty where volumes have no pool."""
    volumes: tuple[str, ...]
    devices: tuple[str, ...]
    aliases: tuple[int, ...]
    """Of each interval: aliases of the pool, or bound to each volume."""
    paths: int
    io_per_s: Array
    pend_ms: Array
    disc_ms: Array
    conn_ms: Array
    response_ms: Array
    queue_depth: Array
    fails_per_try: Array
    """Of each interval; NaN where it is not known."""

    @property
    def rate(self) -> Array:
        """The rates, 0 where they are not known."""
        return np.nan_to_num(self.io_per_s)

    @property
    def waiting(self) -> Array:
        """Requests waiting, by Little's law; 0 where they are not known."""
        return np.nan_to_num(self.io_per_s * self.wait_ms) / 1000

    @property
    def wait_ms(self) -> Array:
        """Time in the queue of the control program: response less its three parts of service."""
        return np.asarray(np.maximum(self.response_ms - self.pend_ms - self.disc_ms - self.conn_ms, 0.0))


@dataclass(frozen=True, slots=True)
class Evidence:
    """The groups of a measured run, the lengths of its intervals in seconds, and the volumes that are not fitted."""

    groups: tuple[Group, ...]
    lengths_s: Array
    left_out: tuple[str, ...]


def known_intervals(measured: MeasuredTables) -> list[int]:
    """The intervals in which the records have any volume."""
    return sorted({int(interval) for interval in measured.raw["volumes"]["interval"]})


def gathered(measured: MeasuredTables, shown: Sequence[int], aliases: Mapping[str, int]) -> Evidence:
    """The evidence of a measured run; `aliases` has the sizes of pools that the records do not give.

    Raises InputError where the records hold nothing that a disk model can be fitted to.
    """
    starts, ends = np.array(measured.starts_us, dtype=float), np.array(measured.ends_us, dtype=float)
    lengths = (ends - starts) / 1e6
    rows = _rows(measured, lengths)
    busy: list[str] = []
    left_out: list[str] = []
    for volume, values in rows.items():
        ios = np.nan_to_num(values["io_per_s"] * lengths)[list(shown)]
        (busy if np.median(ios) >= FEWEST_IOS else left_out).append(volume)
    if not busy:
        what = f"no volume has {FEWEST_IOS:,} I/Os in half of the shown intervals"
        raise refusal(problem(what, file=measured.name, why="a fit needs rates and response times of disks"))
    _refuse_unknown_pools(measured, aliases)
    groups = [_group(measured, members, rows, aliases) for members in _membership(measured, busy).values()]
    if over := [each for group in groups for each in _over_aliases(group, shown, measured.name, bool(aliases))]:
        raise refusal(*over)
    return Evidence(tuple(groups), lengths, tuple(left_out))


def _rows(measured: MeasuredTables, lengths: Array) -> dict[str, dict[str, Array]]:
    """Per volume, an array over intervals of each value."""
    frame = measured.raw["volumes"]
    known = [name for name in _TIMES if not frame.is_empty() and frame[name].null_count() < frame.height]
    if len(known) < len(_TIMES):
        missing = ", ".join(name for name in _TIMES if name not in known)
        why = f"the records that were read give no {missing}"
        raise refusal(problem("has nothing to fit", file=measured.name, why=why, allowed=f"records {RECORDS}"))
    queue = next((name for name in _QUEUES if frame[name].null_count() < frame.height), _QUEUES[0])
    rows: dict[str, dict[str, Array]] = {}
    for values in frame.select("volume", "interval", *_TIMES, queue).iter_rows():
        volume, interval = values[0], int(values[1])
        if volume not in rows:
            rows[volume] = {name: np.full(len(lengths), np.nan) for name in (*_TIMES, "queue_depth")}
        for name, value in zip((*_TIMES, "queue_depth"), values[2:], strict=True):
            if value is not None:
                rows[volume][name][interval] = value
    return rows


def _membership(measured: MeasuredTables, volumes: Sequence[str]) -> dict[tuple[str, str, int], list[str]]:
    """Volumes by pool; those of no pool by the first two digits of their device, and by their bound aliases."""
    frame = measured.raw["volumes"]
    places = {volume: (device, pool or "") for volume, device, pool in frame["volume", "device", "pool"].iter_rows()}
    bound = _bound(measured)
    found: dict[tuple[str, str, int], list[str]] = {}
    for volume in volumes:
        device, pool = places[volume]
        key = (pool, "", 0) if pool else ("", device[:2], bound.get(device, 0))
        found.setdefault(key, []).append(volume)
    return found


def _bound(measured: MeasuredTables) -> dict[str, int]:
    """How many aliases are bound to each base, where there are any."""
    frame = measured.raw["devices"]
    found: dict[str, set[str]] = {}
    for device, role, base in frame["device", "role", "base"].iter_rows() if not frame.is_empty() else ():
        if role == "alias" and base:
            found.setdefault(base, set()).add(device)
    return {base: len(aliases) for base, aliases in found.items()}


def _group(
    measured: MeasuredTables, volumes: Sequence[str], rows: Mapping[str, Mapping[str, Array]], given: Mapping[str, int]
) -> Group:
    frame = measured.raw["volumes"]
    places = {volume: (device, pool or "") for volume, device, pool in frame["volume", "device", "pool"].iter_rows()}
    device, pool = places[volumes[0]]
    devices = tuple(places[volume][0] for volume in volumes)
    count = len(measured.starts_us)
    aliases, fails = (
        _pool(measured, pool, count, given) if pool else (_bound(measured).get(device, 0), np.full(count, np.nan))
    )
    name = f"pool-{pool}" if pool else f"devices-{device[:2]}" + (f"-pav{aliases}" if aliases else "")
    per_interval = aliases if isinstance(aliases, tuple) else (aliases,) * count
    arrays = {name: np.column_stack([rows[volume][name] for volume in volumes]) for name in (*_TIMES, "queue_depth")}
    return Group(
        name=name, pool=pool, volumes=tuple(volumes), devices=devices, aliases=per_interval,
        paths=_paths(measured.raw["devices"], devices), fails_per_try=fails, **arrays,
    )  # fmt: skip


def _paths(frame: polars.DataFrame, devices: Sequence[str]) -> int:
    """The most paths to any of the devices; 4 where the records do not say."""
    found = [paths for device, paths in frame["device", "paths"].iter_rows() if device in devices and paths]
    return int(max(found, default=4))


def _pool(measured: MeasuredTables, pool: str, count: int, given: Mapping[str, int]) -> tuple[tuple[int, ...], Array]:
    """The aliases of a pool and its fails per try, interval by interval."""
    import polars as pl

    frame = measured.raw["pools"].filter(pl.col("pool") == pool)
    aliases, fails = np.full(count, np.nan), np.full(count, np.nan)
    for interval, online, failed in frame["interval", "aliases", "fails_per_try"].iter_rows():
        aliases[interval] = np.nan if online is None else online
        fails[interval] = np.nan if failed is None else failed
    if pool in given:
        aliases[:] = given[pool]
    if np.isnan(aliases).all():
        why = "the records that were read do not give it"
        what = f"the number of aliases of pool {pool} is not known"
        raise refusal(problem(what, key="aliases", why=why, allowed=f"--aliases {pool}=N"))
    usual = float(np.nanmedian(aliases))
    return tuple(round(usual if np.isnan(online) else online) for online in aliases), fails


def _over_aliases(group: Group, shown: Sequence[int], file: str, given: bool) -> list[Problem]:
    """A problem where more I/Os are in service than bases and aliases carry: each carries one at a time."""
    with np.errstate(invalid="ignore"):
        service = np.nan_to_num(group.pend_ms + group.disc_ms + group.conn_ms)
    present = np.array(group.aliases, dtype=float)
    beyond = np.maximum(group.rate * service / 1000 - 1, 0.0)
    used = beyond.sum(axis=1) if group.pool else beyond.max(axis=1)
    worst = max(shown, key=lambda interval: used[interval] - present[interval])
    if used[worst] <= present[worst] * 1.01 + NOISE:
        return []
    counts = f"{fixed(float(used[worst]), 1)} I/Os are in service beyond the bases"
    what = f"{counts}, and there are {present[worst]:.0f} aliases"
    remedy = f"--aliases {group.pool}=N with the number that is configured" if given else "unchanged records"
    key = f"{group.name}, interval {worst}"
    return [problem(what, file=file, key=key, why="an exposure carries one I/O at a time", remedy=remedy)]


def _refuse_unknown_pools(measured: MeasuredTables, aliases: Mapping[str, int]) -> None:
    known = list(dict.fromkeys(measured.raw["pools"]["pool"])) if not measured.raw["pools"].is_empty() else []
    wrong = [pool for pool in aliases if pool not in known]
    if wrong:
        allowed = ", ".join(known) or "none: the records have no pools"
        raise refusal(*(problem(f"there is no pool {pool}", key="aliases", allowed=allowed) for pool in wrong))


def named(volume: str, device: str) -> str:
    """The name of a volume in a scenario: its label, or its device number where a scenario cannot have the label.

    >>> named("BWPVS0", "522A"), named("A B", "522A")
    ('BWPVS0', '522A')
    """
    return volume if is_name(volume, _ROOM_FOR_PERIOD) else device

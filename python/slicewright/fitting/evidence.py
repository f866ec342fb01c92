"""Evidence of a fit: measured intervals, which are shown, their periods, and what a load has to reproduce."""

from __future__ import annotations

import datetime
import itertools
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slicewright._core import student_t
from slicewright.experiment.outcome import Array
from slicewright.measured.tables import MeasuredTables
from slicewright.reading.accept import LEAST_WAITING
from slicewright.run.stored import scan
from slicewright.scenario.names import is_name
from slicewright.statistics import fixed
from slicewright.values.errors import Problem, problem, refusal

if TYPE_CHECKING:
    pass


ALLOWED = "0..11, or parts such as 0..5,8,10..11"

_FEWEST = 2
"""Intervals without which there is nothing to fit and something to predict."""


@dataclass(frozen=True, slots=True)
class Split:
    """Numbers of intervals from 0, in order: those shown, those held out, and the rule in words.

    >>> Split.of(5)
    Split(shown=(0, 2, 4), held_out=(1, 3), rule='every second interval is held out')
    """

    shown: tuple[int, ...]
    held_out: tuple[int, ...]
    rule: str

    def among(self, known: Collection[int]) -> Split:
        """The split of the intervals that hold values; the numbers and the rule stay.

        >>> Split.of(5).among([0, 1, 2, 3])
        Split(shown=(0, 2), held_out=(1, 3), rule='every second interval is held out')
        """
        shown, held_out = (
            tuple(interval for interval in part if interval in known) for part in (self.shown, self.held_out)
        )
        if not shown or not held_out:
            which = "shown" if not shown else "held-out"
            raise refusal(problem(f"no {which} interval holds values of volumes", key="shown", allowed=ALLOWED))
        return Split(shown, held_out, self.rule)

    @staticmethod
    def of(intervals: int, shown: str | None = None, file: str = "") -> Split:
        """The split of some intervals: every second one is held out, or all but the shown ones (`0..11,14`).

        Raises InputError where either part would be empty, or for text that names no intervals.

        >>> Split.of(5, "0..2").held_out
        (3, 4)
        """
        if intervals < _FEWEST:
            why = "a fit is shown some intervals and predicts others"
            raise refusal(problem(f"has {intervals} interval", file=file, why=why, allowed="two intervals or more"))
        if shown is None:
            numbers = range(intervals)
            return Split(tuple(numbers[::2]), tuple(numbers[1::2]), "every second interval is held out")
        chosen = _numbers(shown, intervals)
        others = tuple(number for number in range(intervals) if number not in chosen)
        if not others:
            why = "no interval is left to predict"
            raise refusal(problem("every interval is shown", key="shown", why=why, allowed=ALLOWED))
        return Split(tuple(sorted(chosen)), others, f"intervals {shown} are shown")


def _numbers(text: str, intervals: int) -> set[int]:
    chosen: set[int] = set()
    for part in text.split(","):
        found = re.fullmatch(r"\s*([0-9]{1,6})(?:\.\.([0-9]{1,6}))?\s*", part)
        if found is None:
            raise refusal(problem(f"names no intervals: {text[:40]!r}", key="shown", allowed=ALLOWED))
        first, last = int(found[1]), int(found[2] or found[1])
        if first > last or last >= intervals:
            allowed = f"0 to {intervals - 1}, the first number not above the second"
            raise refusal(problem(f"there are no intervals {part.strip()}", key="shown", allowed=allowed))
        chosen |= set(range(first, last + 1))
    return chosen


_NOISE = 0.02
"""I/Os in service that the rounding of records may make too many."""

FEWEST_IOS = 1000
"""I/Os of a volume in an interval below which its values are too few to fit or to judge."""

_RECORDS = "6/3 (devices) of MONWRITE, with 6/28 where there are alias pools; or 74-1 and 78-3 of SMF"

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
    fails_per_io: Array
    """Of each interval, over all I/Os of its volumes; NaN where fails are not known."""

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
    rows = scan(measured.raw, "volumes").select("interval").unique().collect(engine="streaming")
    return sorted(rows["interval"].to_list())


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
    known = list(dict.fromkeys(measured.raw["pools"]["pool"])) if not measured.raw["pools"].is_empty() else []
    wrong = [pool for pool in aliases if pool not in known]
    if wrong:
        allowed = ", ".join(known) or "none: the records have no pools"
        raise refusal(*(problem(f"there is no pool {pool}", key="aliases", allowed=allowed) for pool in wrong))
    groups = [_group(measured, members, rows, aliases) for members in _membership(measured, busy).values()]
    if over := [each for group in groups for each in _over_aliases(group, shown, measured.name, bool(aliases))]:
        raise refusal(*over)
    return Evidence(tuple(groups), lengths, tuple(left_out))


def _rows(measured: MeasuredTables, lengths: Array) -> dict[str, dict[str, Array]]:
    """Per volume, an array over intervals of each value."""
    frame = scan(measured.raw, "volumes").select("volume", "interval", *_TIMES, *_QUEUES).collect()
    known = [name for name in _TIMES if not frame.is_empty() and frame[name].null_count() < frame.height]
    if len(known) < len(_TIMES):
        missing = ", ".join(name for name in _TIMES if name not in known)
        why = f"the records that were read give no {missing}"
        raise refusal(problem("has nothing to fit", file=measured.name, why=why, allowed=f"records {_RECORDS}"))
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
    places = _places(measured)
    bound = _bound(measured)
    found: dict[tuple[str, str, int], list[str]] = {}
    for volume in volumes:
        device, pool = places[volume]
        key = (pool, "", 0) if pool else ("", device[:2], bound.get(device, 0))
        found.setdefault(key, []).append(volume)
    return found


def _places(measured: MeasuredTables) -> dict[str, tuple[str, str]]:
    """Device and pool of each volume, those of its last interval."""
    rows = scan(measured.raw, "volumes").select("volume", "device", "pool").unique(keep="last", maintain_order=True)
    return {volume: (device, pool or "") for volume, device, pool in rows.collect().iter_rows()}


def _bound(measured: MeasuredTables) -> dict[str, int]:
    """How many aliases are bound to each base, where there are any."""
    found: dict[str, set[str]] = {}
    devices = scan(measured.raw, "devices").select("device", "role", "base").unique().collect()
    for device, role, base in devices.iter_rows():
        if role == "alias" and base:
            found.setdefault(base, set()).add(device)
    return {base: len(aliases) for base, aliases in found.items()}


def _group(
    measured: MeasuredTables, volumes: Sequence[str], rows: Mapping[str, Mapping[str, Array]], given: Mapping[str, int]
) -> Group:
    places = _places(measured)
    device, pool = places[volumes[0]]
    devices = tuple(places[volume][0] for volume in volumes)
    count = len(measured.starts_us)
    unknown = np.full(count, np.nan)
    aliases, per_try, fails = (
        _pool(measured, pool, count, given) if pool else (_bound(measured).get(device, 0), unknown, unknown)
    )
    name = f"pool-{pool}" if pool else f"devices-{device[:2]}" + (f"-pav{aliases}" if aliases else "")
    per_interval = aliases if isinstance(aliases, tuple) else (aliases,) * count
    arrays = {name: np.column_stack([rows[volume][name] for volume in volumes]) for name in (*_TIMES, "queue_depth")}
    starts, ends = np.array(measured.starts_us), np.array(measured.ends_us)
    ios = np.nansum(arrays["io_per_s"], axis=1) * (ends - starts) / 1e6
    return Group(
        name=name, pool=pool, volumes=tuple(volumes), devices=devices, aliases=per_interval,
        paths=_paths(measured, devices), fails_per_try=per_try,
        fails_per_io=np.divide(fails, ios, out=unknown.copy(), where=ios > 0), **arrays,
    )  # fmt: skip


def _paths(measured: MeasuredTables, devices: Sequence[str]) -> int:
    """The most paths to any of the devices; 4 where the records do not say."""
    rows = scan(measured.raw, "devices").select("device", "paths").unique().collect()
    found = [paths for device, paths in rows.iter_rows() if device in devices and paths]
    return int(max(found, default=4))


def _pool(
    measured: MeasuredTables, pool: str, count: int, given: Mapping[str, int]
) -> tuple[tuple[int, ...], Array, Array]:
    """The aliases of a pool, its fails per try and its fails, interval by interval."""
    import polars as pl

    frame = measured.raw["pools"].filter(pl.col("pool") == pool)
    aliases, per_try, fails = (np.full(count, np.nan) for _ in range(3))
    for interval, online, share, failed in frame["interval", "aliases", "fails_per_try", "fails"].iter_rows():
        aliases[interval] = np.nan if online is None else online
        per_try[interval] = np.nan if share is None else share
        fails[interval] = np.nan if failed is None else failed
    if pool in given:
        aliases[:] = given[pool]
    if np.isnan(aliases).all():
        why = "the records that were read do not give it"
        what = f"the number of aliases of pool {pool} is not known"
        raise refusal(problem(what, key="aliases", why=why, allowed=f"--aliases {pool}=N"))
    usual = float(np.nanmedian(aliases))
    return tuple(round(usual if np.isnan(online) else online) for online in aliases), per_try, fails


def _over_aliases(group: Group, shown: Sequence[int], file: str, given: bool) -> list[Problem]:
    """A problem where more I/Os are in service than bases and aliases carry: each carries one at a time."""
    with np.errstate(invalid="ignore"):
        service = np.nan_to_num(group.pend_ms + group.disc_ms + group.conn_ms)
    present = np.array(group.aliases, dtype=float)
    beyond = np.maximum(group.rate * service / 1000 - 1, 0.0)
    used = beyond.sum(axis=1) if group.pool else beyond.max(axis=1)
    worst = max(shown, key=lambda interval: used[interval] - present[interval])
    if used[worst] <= present[worst] * 1.01 + _NOISE:
        return []
    counts = f"{fixed(float(used[worst]), 1)} I/Os are in service beyond the bases"
    what = f"{counts}, and there are {present[worst]:.0f} aliases"
    remedy = f"--aliases {group.pool}=N with the number that is configured" if given else "unchanged records"
    key = f"{group.name}, interval {worst}"
    return [problem(what, file=file, key=key, why="an exposure carries one I/O at a time", remedy=remedy)]


def sizes_of(texts: Sequence[str]) -> dict[str, int]:
    """The sizes of pools as typed, POOL=N; raises InputError for text of another form."""
    sizes = {}
    for text in texts:
        pool, equals, size = text.rpartition("=")
        if not (pool and equals and size.isascii() and size.isdigit()):
            what = f"not the size of a pool: {text[:40]!r}"
            raise refusal(problem(what, key="aliases", allowed="POOL=N, such as 1=8"))
        sizes[pool] = int(size)
    return sizes


def named(volume: str, device: str) -> str:
    """The name of a volume in a scenario: its label, or its device number where a scenario cannot have the label.

    >>> named("BWPVS0", "522A"), named("A B", "522A")
    ('BWPVS0', '522A')
    """
    return volume if is_name(volume, _ROOM_FOR_PERIOD) else device


_LEVEL = 0.1
"""Neighbours whose rates and requests present differ by no more than this share are one period."""

_MOST = 12
"""Periods at most: the nearest neighbours are joined until no more are left."""


@dataclass(frozen=True, slots=True)
class Period:
    """Shown intervals of one level of load, one after the other."""

    tag: str
    """The clock at its start, as names have it: 0900."""
    shown: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Level:
    """The load that is predicted for a held-out interval: of one period, or linear in time between two of them."""

    before: int
    after: int
    share: float
    """The weight of the later one; 0 within a period."""

    def words(self, periods: Sequence[Period]) -> str:
        """The periods by their clocks.

        >>> Level(0, 1, 0.5).words([Period("0900", (0,)), Period("1000", (2,))])
        '0900, 1000'
        """
        return ", ".join(dict.fromkeys(periods[at].tag for at in (self.before, self.after)))


def level(periods: Sequence[Period], interval: int) -> Level:
    """The level of an interval: that of its period, or for a held-out one that of the shown ones before and after it.

    >>> level([Period("0900", (0, 2)), Period("1000", (4,))], 3)
    Level(before=0, after=1, share=0.5)
    """
    place = {shown: at for at, period in enumerate(periods) for shown in period.shown}
    before = max((shown for shown in place if shown <= interval), default=min(place))
    after = min((shown for shown in place if shown >= interval), default=max(place))
    if place[before] == place[after]:
        return Level(place[before], place[before], 0.0)
    return Level(place[before], place[after], (interval - before) / (after - before))


def periods(evidence: Evidence, split: Split, starts_us: Sequence[int]) -> list[Period]:
    """The periods of a day, from its shown intervals alone."""
    load = _load(evidence)
    parts = [[number] for number in split.shown]
    while len(parts) > 1:
        apart = [_apart(load[a].mean(axis=0), load[b].mean(axis=0)) for a, b in itertools.pairwise(parts)]
        at = int(np.argmin(apart))
        if apart[at] > _LEVEL and len(parts) <= _MOST:
            break
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    tags = _tags([starts_us[part[0]] for part in parts])
    return [Period(tag, tuple(part)) for tag, part in zip(tags, parts, strict=True)]


def _load(evidence: Evidence) -> Array:
    """Intervals x measures x groups: rates, and requests present (Little's law)."""
    rates = [group.rate.sum(axis=1) for group in evidence.groups]
    present = [np.nansum(group.io_per_s * group.response_ms, axis=1) / 1000 for group in evidence.groups]
    return np.stack([np.column_stack(rates), np.column_stack(present)], axis=1)


def _apart(one: Array, other: Array) -> float:
    """How far apart two levels are: the difference as a share of the larger, of rates or of requests present."""
    whole = np.maximum(np.maximum(one.sum(axis=1), other.sum(axis=1)), 1e-9)
    return float((np.abs(one - other).sum(axis=1) / whole).max())


def _tags(starts_us: Sequence[int]) -> list[str]:
    """The shortest clock that differs between all periods.

    >>> _tags([0, 3_600_000_000]), _tags([0, 5_000_000])
    (['0000', '0100'], ['000000', '000005'])
    """
    clocks = [datetime.datetime.fromtimestamp(us / 1e6, datetime.UTC) for us in starts_us]
    forms = ("%H%M", "%H%M%S", "%m%d-%H%M%S")
    for form in forms:
        tags = [clock.strftime(form) for clock in clocks]
        if len(set(tags)) == len(tags):
            return tags
    return [f"p{number}" for number in range(1, len(clocks) + 1)]


@dataclass(frozen=True, slots=True)
class Copy:
    """One volume in one period: numbers of the period, the group and the volume in it."""

    period: int
    group: int
    volume: int


@dataclass(frozen=True, slots=True)
class Targets:
    """Arrays over copies: rate per second, wait in ms, each with the 95 % half-width of its mean (NaN: unknown)."""

    copies: tuple[Copy, ...]
    io_per_s: Array
    wait_ms: Array
    ios: Array
    """I/Os that were measured in the shown intervals."""
    conn_ms: Array
    io_half_width: Array
    wait_half_width: Array

    @property
    def queue_depth(self) -> Array:
        """Requests waiting, by Little's law."""
        return np.asarray(self.io_per_s * self.wait_ms / 1000)

    def some(self, copies: Sequence[int]) -> Targets:
        """The targets of some copies."""
        which = list(copies)
        arrays = (self.io_per_s, self.wait_ms, self.ios, self.conn_ms, self.io_half_width, self.wait_half_width)
        return Targets(tuple(self.copies[copy] for copy in which), *(array[which] for array in arrays))


def targets(evidence: Evidence, periods: Sequence[Period]) -> Targets:
    """The targets of all volumes that did at least 1,000 I/Os in the shown intervals of a period.

    The noise is that of the residuals of the shown intervals about the mean of their period, pooled over a group.  A
    rate's is relative; a queue's counts in the deviation of a geometric number of requests, which an M/M/1 queue has.
    """
    rows = []
    for number, group in enumerate(evidence.groups):
        noise = _Noise()
        for period in periods:
            noise = noise.with_(group.io_per_s[list(period.shown)], group.waiting[list(period.shown)])
        for at, period in enumerate(periods):
            for volume in range(len(group.volumes)):
                known = [interval for interval in period.shown if group.io_per_s[interval, volume] > 0]
                values = _target(evidence, group, (known, volume), noise)
                if values[2] >= FEWEST_IOS:
                    rows.append((Copy(at, number, volume), values))
    rows.sort(key=lambda row: (row[0].period, row[0].group, row[0].volume))
    arrays = np.array([values for _, values in rows], dtype=float).reshape(-1, 6).T
    return Targets(tuple(copy for copy, _ in rows), *arrays)


def _target(
    evidence: Evidence, group: Group, where: tuple[list[int], int], noise: _Noise
) -> tuple[float, float, float, float, float, float]:
    """Rate, wait, I/Os, connect time, and the half-widths of rate and wait, of a volume over some intervals."""
    known, volume = where
    lengths, rates = evidence.lengths_s[known], group.io_per_s[known, volume]
    total = float(lengths @ rates)
    if not total:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    rate, queue = total / float(lengths.sum()), float(lengths @ group.waiting[known, volume]) / float(lengths.sum())
    connect = float((lengths * rates) @ group.conn_ms[known, volume]) / total
    of_rate, of_queue = noise.half_widths(len(known), queue)
    return rate, 1000 * queue / rate, total, connect, of_rate * rate, 1000 * of_queue / rate


@dataclass(frozen=True, slots=True)
class _Noise:
    """Sums of squared residuals of rates and of queues, each with its degrees of freedom."""

    rates: float = 0.0
    of_rates: int = 0
    queues: float = 0.0
    of_queues: int = 0

    def with_(self, rates: Array, queues: Array) -> _Noise:
        """The noise with the residuals of one more period; volumes without a queue say nothing of the noise of one."""
        used = (rates > 0).all(axis=0)
        rates, queues = rates[:, used], queues[:, used]
        queues = queues[:, queues.mean(axis=0) > LEAST_WAITING]
        rate, queue, more = rates.mean(axis=0), queues.mean(axis=0), len(rates) - 1
        return _Noise(
            self.rates + float(((rates / rate - 1) ** 2).sum()), self.of_rates + more * len(rate),
            self.queues + float(((queues - queue) ** 2 / (queue * (1 + queue))).sum()),
            self.of_queues + more * len(queue),
        )  # fmt: skip

    def half_widths(self, intervals: int, queue: float) -> tuple[float, float]:
        """Half-widths of the mean over some intervals: of a rate as a share of it, and of a queue in requests."""
        of_queue = _half_width(self.queues, self.of_queues, intervals) if queue > LEAST_WAITING else 0.0
        return _half_width(self.rates, self.of_rates, intervals), of_queue * float(np.sqrt(queue * (1 + queue)))


def _half_width(squares: float, freedom: int, intervals: int) -> float:
    """Of a mean over some intervals, from the pooled squares of residuals; NaN without any."""
    return student_t(freedom) * float(np.sqrt(squares / freedom / intervals)) if freedom else float("nan")

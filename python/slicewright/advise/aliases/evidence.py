"""A pool as DEVICE reports show it: its volumes, its aliases, the devices omitted, and how membership was decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from slicewright._core import DeviceReport
from slicewright.advise.aliases.membership import Group, Listing, by_listing, by_name
from slicewright.advise.aliases.request import Span
from slicewright.errors import Problem, problem, refusal

Kind = Literal["HyperPAV", "classic PAV"]

MEASURED = "monitor data"
"""The source of pools of measured intervals."""


@dataclass(frozen=True, slots=True)
class Device:
    """One row of a report; each number with half a unit of its last printed digit.  Times in ms.

    >>> from slicewright.advise.aliases.example import report
    >>> row = report().exposures[0]
    >>> row.device, row.io_per_s, row.io_rounding, row.queue_depth
    ('522A', 755.0, 0.5, 1.84)
    """

    device: str
    type: str
    label: str
    base: str
    io_per_s: float
    io_rounding: float
    pend_ms: float
    disc_ms: float
    conn_ms: float
    part_rounding: float
    service_ms: float
    service_rounding: float
    response_ms: float
    response_rounding: float
    queue_depth: float
    queue_rounding: float
    paths: int = 0

    @property
    def in_service(self) -> float:
        """I/Os in progress on the average: rate x service (Little)."""
        return self.io_per_s * self.service_ms / 1000


@dataclass(frozen=True, slots=True)
class Volume:
    """A base and the aliases bound to it (classic PAV): rates add, service is weighted by rate, the base has the queue.

    Source: z/VM HyperPAV Support, A Unified Look at Volume I/O Rate and Volume Response Time.

    >>> from slicewright.advise.aliases.example import report
    >>> volume = report("Y040182P").volumes[0]
    >>> [one.io_per_s for one in (volume.base, *volume.bound)], volume.io_per_s
    ([552.0, 545.0, 522.0], 1619.0)
    """

    base: Device
    bound: tuple[Device, ...] = ()

    @property
    def name(self) -> str:
        """The label, or the device number where there is none."""
        return self.base.label or self.base.device

    @property
    def io_per_s(self) -> float:
        """I/Os per second over base and bound aliases."""
        return sum(exposure.io_per_s for exposure in (self.base, *self.bound))

    @property
    def in_service(self) -> float:
        """I/Os in progress over base and bound aliases."""
        return sum(exposure.in_service for exposure in (self.base, *self.bound))

    @property
    def service_ms(self) -> float:
        """Mean service time, weighted by rate."""
        return 1000 * self.in_service / self.io_per_s


@dataclass(frozen=True, slots=True)
class Tries:
    """How often a pool was asked for an alias and had none: monitor record 6/28, or the HyperPAV sections of 78-3.

    `lent_per_s` are I/Os that aliases did; None is not known.

    >>> Tries(100.0, 0.25, None).taken_per_s
    75.0
    """

    per_s: float
    fails_per_try: float
    lent_per_s: float | None

    @property
    def taken_per_s(self) -> float:
        """Tries per second that found an alias."""
        return self.per_s * (1 - self.fails_per_try)


@dataclass(frozen=True, slots=True)
class PoolReport:
    """One report's view of one pool: volumes that did I/O, pool aliases, and what was decided on the way.

    >>> from slicewright.advise.aliases.example import report
    >>> pool = report("Y032182H")
    >>> pool.name, pool.aliases_present, pool.queue_depth, round(pool.response_ms, 2)
    ('522A-5231', 16, 0.05, 1.65)
    """

    file: str
    run: str
    started: str
    interval_s: float
    kind: Kind
    volumes: tuple[Volume, ...]
    aliases: tuple[Device, ...]
    membership: str
    """How it was decided which devices belong together; empty when the page says so itself."""
    idle: int = 0
    skipped: int = 0
    intervals: int = 1
    """Intervals in the file, of which this is the one with the longest queue."""
    elsewhere: int = 0
    """Lines of other pages in the file."""
    page: str = "z/VM DEVICE (FCX108)"
    """The kind of page."""
    source: str = "a DEVICE report"
    """The kind of input, as one more of it is asked for."""
    tries: Tries | None = None
    """None on pages."""

    @property
    def name(self) -> str:
        """The pool by its bases: "522A-5231", or "522A"."""
        first, last = self.volumes[0].base.device, self.volumes[-1].base.device
        return first if first == last else f"{first}-{last}"

    @property
    def is_device(self) -> bool:
        """Whether it is a DEVICE page, which has a row for each alias; RMF adds up the I/O of a volume."""
        return "FCX108" in self.page

    @property
    def exposures(self) -> list[Device]:
        """Every row: bases, bound aliases, pool aliases."""
        rows = [exposure for volume in self.volumes for exposure in (volume.base, *volume.bound)]
        return [*rows, *self.aliases]

    @property
    def aliases_present(self) -> int:
        """Aliases in the pool, or bound to the volume."""
        return len(self.aliases) + sum(len(volume.bound) for volume in self.volumes)

    @property
    def queue_depth(self) -> float:
        """Requests waiting, summed over the bases."""
        return sum(volume.base.queue_depth for volume in self.volumes)

    @property
    def in_service(self) -> float:
        """I/Os in progress."""
        return sum(exposure.in_service for exposure in self.exposures)

    @property
    def io_per_s(self) -> float:
        """I/Os per second."""
        return sum(exposure.io_per_s for exposure in self.exposures)

    @property
    def service_ms(self) -> float:
        """Mean service time, weighted by rate."""
        return 1000 * self.in_service / self.io_per_s

    @property
    def response_ms(self) -> float:
        """True response: (waiting + in service) / rate, by Little's law; not what the toolkit printed."""
        return 1000 * (self.queue_depth + self.in_service) / self.io_per_s


def read_pools(
    data: bytes, file: str, named: Sequence[tuple[Span, ...]] = (), listing: Listing | None = None
) -> list[PoolReport]:
    """The pools of a DEVICE page; `named` are the pools that the request names, `listing` the response to QUERY PAV.

    Pool membership is not on the page.  `->` rows give classic PAV volumes. Otherwise a pool is listed, or named, or
    made of the devices whose numbers share their first two digits.  Raises InputError when the page cannot
    be read, has no pool, or contradicts the listing.

    >>> from slicewright.advise.aliases.example import FILE
    >>> [(pool.name, pool.io_per_s) for pool in read_pools(FILE.read_bytes(), FILE.name)]
    [('522A', 755.0)]
    """
    page = DeviceReport.read(data, file)
    rows = _rows(page.devices())
    if listing is not None:
        rows = [replace(row, base=listing.base_of(row)) for row in rows]
    bound: dict[str, list[Device]] = {}
    for row in {row.device: row for row in rows if row.base}.values():
        bound.setdefault(row.base, []).append(row)
    pools: list[PoolReport] = []
    head = {"file": file, "run": page.run, "started": page.started, "interval_s": page.interval_s}
    head |= {"skipped": sum(line["why"] == "not a disk" for line in page.skipped)}
    head |= {"elsewhere": sum(line["why"] == "a line of another page" for line in page.skipped)}
    alone = [row for row in rows if not row.base]
    groups = by_name(alone, named, file) if listing is None else by_listing(rows, listing, file)
    for group in groups:
        pools += _pools_of(group, bound, head)
    if not pools:
        allowed = "a page on which at least one disk did I/O, and --pool ranges that hold some of them"
        raise refusal(problem("no volume with I/O to advise on", file=file, allowed=allowed))
    return pools


def match(reports: Sequence[Sequence[PoolReport]]) -> list[list[PoolReport]]:
    """The same pool in every report, one list per pool, fewest aliases first; raises InputError when reports differ.

    >>> from slicewright.advise.aliases.example import report
    >>> (pool,) = match([[report("Y032182H")], [report("Y032180H")]])
    >>> [one.aliases_present for one in pool]
    [0, 16]
    """
    first, *others = reports
    problems: list[Problem] = []
    matched = []
    by_bases: list[dict[tuple[str, ...], list[PoolReport]]] = []
    for other in others:
        by_bases.append({})
        for pool in other:
            by_bases[-1].setdefault(_bases(pool), []).append(pool)
    for pool in first:
        seen = [pool]
        for other, alike in zip(others, by_bases, strict=True):
            found = alike.get(_bases(pool), [])
            seen += found
            if not found:
                theirs = "; ".join(other_pool.name for other_pool in other)
                why = f"{first[0].file} has {pool.name}, this one has {theirs}"
                allowed = "reports of the same volumes on one system, at one or more alias counts"
                problems.append(problem("not the same pool", file=other[0].file, why=why, allowed=allowed))
        matched.append(sorted(seen, key=lambda one: one.aliases_present))
    if problems:
        raise refusal(*problems)
    return matched


def _bases(pool: PoolReport) -> tuple[str, ...]:
    return tuple(volume.base.device for volume in pool.volumes)


def _rows(columns: dict[str, list[Any]]) -> list[Device]:
    rows = []
    for at in range(len(columns["device"])):
        row = {name: values[at] for name, values in columns.items()}
        rows.append(
            Device(
                device=row["device"].upper(), type=row["type"], label=row["label"] or "",
                base=(row.get("base") or "").upper(),
                io_per_s=row["io_per_s"], io_rounding=row["io_per_s_rounding"],
                pend_ms=row["pend_ms"], disc_ms=row["disc_ms"], conn_ms=row["conn_ms"],
                part_rounding=sum(row[f"{name}_ms_rounding"] for name in ("pend", "disc", "conn")),
                service_ms=row["service_ms"], service_rounding=row["service_ms_rounding"],
                response_ms=row["response_ms"], response_rounding=row["response_ms_rounding"],
                queue_depth=row["queue_depth"], queue_rounding=row["queue_depth_rounding"],
                paths=int(row.get("paths") or 0),
            )
        )  # fmt: skip
    return rows


def _pools_of(group: Group, bound: Mapping[str, Sequence[Device]], head: dict[str, Any]) -> list[PoolReport]:
    """A classic PAV volume is a pool of its own; the rest of the group is one HyperPAV pool."""
    listed = group.aliases
    if listed is None:
        loose = [row for row in group.rows if not row.label and row.queue_depth == 0]
    else:
        loose = [row for row in group.rows if row.device in listed]
    lending = listed is not None or any(row.io_per_s > 0 for row in loose)
    taken = {row.device for row in loose}
    volumes = [
        Volume(row, tuple(bound.get(row.device, ())))
        for row in group.rows
        if row.device not in taken
    ]  # fmt: skip
    busy = [volume for volume in volumes if volume.io_per_s > 0]
    idle = len(volumes) - len(busy) + (0 if lending else len(loose))
    classic = [
        PoolReport(**head, kind="classic PAV", volumes=(volume,), aliases=(), membership="")
        for volume in busy
        if volume.bound
    ]
    pooled = tuple(volume for volume in busy if not volume.bound)
    if not pooled:
        return classic
    aliases = tuple(loose) if lending else ()
    alone = len(pooled) == 1 and not aliases
    told = "" if alone and group.membership.startswith("same") else group.membership
    return [*classic, PoolReport(**head, kind="HyperPAV", volumes=pooled, aliases=aliases, membership=told, idle=idle)]

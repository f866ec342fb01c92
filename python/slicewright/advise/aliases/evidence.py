"""What was measured of a pool: DEVICE and RMF pages, interval by interval, and which volumes share aliases."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from slicewright._core import DeviceReport, DirectAccessReport, PoolListing
from slicewright.advise.aliases.request import AliasRequest, DeviceRange
from slicewright.statistics import plural
from slicewright.values.carried import data_folder, study_folder
from slicewright.values.errors import Problem, problem, refusal

_LINE = re.compile(rb"^\s*device\s+[0-9a-f]{4}\s", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Group:
    """Rows that belong together, and how that was decided; `aliases` are those that a listing says to be aliases."""

    rows: list[Device]
    membership: str
    aliases: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """The responses to QUERY PAV: the listing's entry for each device number."""

    file: str
    devices: Mapping[str, Mapping[str, Any]]

    def base_of(self, row: Device) -> str:
        """The base of a row: as printed, else that of a static alias without a label in the listing."""
        told = self.devices.get(row.device.upper())
        if row.base or row.label or told is None or told["role"] != "bound-alias":
            return row.base
        return str(told["base"])


def is_listing(data: bytes) -> bool:
    """Whether a file looks like the responses to QUERY PAV and not like a DEVICE page.

    >>> is_listing(b"q pav all\\nDevice 522A is a HyperPAV base in pool 1\\n"), is_listing(b"FCX108  Run")
    (True, False)
    """
    return b"FCX108" not in data and _LINE.search(data) is not None


def read_listing(data: bytes, file: str) -> Listing:
    """Read a listing; raises InputError with every problem.

    >>> len(read_listing(b"Device 522A is a base with aliases 5249", "pav.txt").devices)
    1
    """
    return Listing(file, {row["device"]: row for row in PoolListing.read(data, file).devices()})


def _by_listing(rows: Sequence[Device], listing: Listing, file: str) -> list[_Group]:
    """A group per pool of the listing, and one per base that is in no pool; rows that it does not list are omitted.

    Raises InputError where listing and page contradict each other, or have no device in common.
    """
    listed = {row.device: listing.devices.get(row.device.upper()) for row in rows}
    contradictions = [one for row in rows if (one := _contradiction(row, listed[row.device], listing.file, file))]
    contradictions += _without_aliases(rows, listing, file)
    if contradictions:
        raise refusal(*contradictions)
    if not any(listed.values()):
        first, last = next(iter(listing.devices)), list(listing.devices)[-1]
        why = f"it lists {plural(len(listing.devices), 'device')}, {first} to {last}; the page has {_range(rows)}"
        raise refusal(problem("lists no device of the page", file=listing.file, why=why))
    groups: dict[str, list[Device]] = {}
    for row in rows:
        response = listed[row.device]
        if response is not None and not row.base:
            groups.setdefault(f"pool {response['pool']}" if response["pool"] else row.device, []).append(row)
    out = sum(1 for response in listed.values() if response is None)
    left = f"; {plural(out, 'device')} of the page not listed there: ignored" if out else ""
    return [
        _Group(
            members,
            f"as listed in {listing.file}{_missing(members, listing, name)}{left}",
            frozenset(row.device for row in members if _is_alias(listed[row.device])),
        )
        for name, members in groups.items()
        if any(not _is_alias(listed[row.device]) for row in members)
    ]


def by_name(rows: Sequence[Device], named: Sequence[tuple[DeviceRange, ...]], file: str = "") -> list[_Group]:
    """A group per pool that was named; without any, one per first two digits.

    Raises InputError where aliases that did I/O work for volumes that were not named with them too.

    >>> by_name([], [])
    []
    """
    if not named:
        alike: dict[str, list[Device]] = {}
        for row in rows:
            alike.setdefault(row.device[:2], []).append(row)
        return [_Group(alike[digits], "same first two digits") for digits in sorted(alike)]
    groups: list[_Group] = []
    for spans in named:
        inside = [row for row in rows if any(row.device in span for span in spans)]
        if any(not row.label for row in inside):
            groups.append(_Group(inside, "as named by --pool"))
            continue
        digits = sorted({row.device[:2] for row in inside})
        loose = [row for row in rows if not row.label and row.device[:2] in digits]
        others = [
            row for row in rows if row.label and row.device[:2] in digits and row not in inside and row.io_per_s > 0
        ]
        if others and any(row.io_per_s > 0 for row in loose):
            raise refusal(_part_of_a_pool(inside, others, loose, file))
        note = "bases as named by --pool" + (", aliases by the same first two digits" if loose else "")
        groups.append(_Group(inside + loose, note))
    return groups


def _part_of_a_pool(inside: Sequence[Device], others: Sequence[Device], loose: Sequence[Device], file: str) -> Problem:
    """The problem of a range without other volumes that use the same aliases."""
    why = (
        f"{plural(len(loose), 'alias', 'aliases')} ({_range(loose)}) also work for"
        f" {plural(len(others), 'volume')} beside it ({_range(others)}); the page does not divide their I/O"
    )
    allowed = f"all volumes of the pool: {_range([*inside, *others]).replace(' to ', '-')}; or the aliases in the range"
    return problem(f"part of a pool: {_range(inside)}", file=file, key="pool", why=why, allowed=allowed)


def _is_alias(response: Mapping[str, Any] | None) -> bool:
    return response is not None and response["role"] == "pool-alias"


def _contradiction(row: Device, response: Mapping[str, Any] | None, listing: str, file: str) -> Problem | None:
    """The difference between the page and the listing on one device."""
    if response is None:
        return None
    here = (
        f"an alias of {row.base}" if row.base else f"the base of {row.label}" if row.label else "no base with a label"
    )
    there = {
        "base": f"a base in pool {response['pool']}" if response["pool"] else "a base",
        "pool-alias": f"an alias in pool {response['pool']}",
        "bound-alias": f"an alias of {response['base']}",
    }[response["role"]]
    allowed = ("base",) if row.label else ("base", "pool-alias")
    if response["base"] == row.base.upper() if row.base else response["role"] in allowed:
        return None
    why = f"{listing}, line {response['line']}, has {there}"
    return problem(f"is {here}", file=file, key=row.device, why=why, allowed="a listing from the time of the report")


def _without_aliases(rows: Sequence[Device], listing: Listing, file: str) -> list[Problem]:
    """A problem for each pool and static base whose aliases are missing: in the listing, or all of them on the page."""
    here = {row.device.upper() for row in rows}
    pools: dict[str, list[str]] = {}
    problems = []
    for device, entry in listing.devices.items():
        if entry["role"] == "base":
            gone = [alias for alias in entry["aliases"] if alias not in here]
            if device in here and gone:
                why, allowed = f"{listing.file} has {' '.join(gone)} as its aliases", "a page with all devices"
                problems.append(
                    problem("rows of its aliases are missing", file=file, key=device, why=why, allowed=allowed)
                )
        if entry["pool"]:
            pools.setdefault(str(entry["pool"]), []).extend([device] if _is_alias(entry) else [])
    used = {str(entry["pool"]) for device, entry in listing.devices.items() if device in here and entry["pool"]}
    for pool in sorted(used):
        aliases = pools[pool]
        if not aliases:
            why, allowed = (
                "a HyperPAV pool has aliases, and the listing has bases of it alone",
                "responses to QUERY PAV ALL",
            )
            problems.append(problem("lists no alias", file=listing.file, key=f"pool {pool}", why=why, allowed=allowed))
        elif not any(alias in here for alias in aliases):
            why = f"{listing.file} has {plural(len(aliases), 'alias', 'aliases')} in the pool"
            allowed = "a page with all devices, aliases too"
            problems.append(
                problem("rows of the aliases are missing", file=file, key=f"pool {pool}", why=why, allowed=allowed)
            )
    return problems


def _missing(members: Sequence[Device], listing: Listing, name: str) -> str:
    """How many aliases of a pool the listing has and the page does not show."""
    shown = {row.device.upper() for row in members}
    more = [
        device for device, response in listing.devices.items()
        if _is_alias(response) and f"pool {response['pool']}" == name and device not in shown
    ]  # fmt: skip
    return f", which has {plural(len(more), 'alias', 'aliases')} that the page does not show" if more else ""


def _range(rows: Sequence[Device]) -> str:
    numbers = [row.device for row in rows]
    return f"{min(numbers)} to {max(numbers)}" if numbers else "none"


_Kind = Literal["HyperPAV", "classic PAV"]

NO_QUEUE = 0.005
"""A queue that is printed as zero."""
MEASURED = "monitor data"
"""The source of pools of measured intervals."""


@dataclass(frozen=True, slots=True)
class Device:
    """One row of a report; each number with half a unit of its last printed digit.  Times in ms."""

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

    `lent_per_s` are I/Os that aliases did; None is not known.  Older records 78-3 count all I/Os in place of tries:
    then `per` is "I/O", and both numbers are per I/O.

    >>> Tries(100.0, 0.25, None).taken_per_s
    75.0
    """

    per_s: float
    fails_per_try: float
    lent_per_s: float | None
    per: Literal["try", "I/O"] = "try"

    @property
    def counter(self) -> str:
        """The same ratio of a simulation."""
        return "fails_per_try" if self.per == "try" else "fails_per_io"

    @property
    def taken_per_s(self) -> float:
        """Tries per second that found an alias."""
        return self.per_s * (1 - self.fails_per_try)


@dataclass(frozen=True, slots=True)
class PoolReport:
    """One report's view of one pool: volumes that did I/O, pool aliases, and what was decided on the way."""

    file: str
    run: str
    started: str
    interval_s: float
    kind: _Kind
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
    channel_busy_percent: float | None = None
    """Mean utilization of the channels that lead to its control unit, where records 73 and 78-3 have it."""

    @property
    def slowest_per_s(self) -> float:
        """The rate of the slowest volume that has a queue, or of the fastest where none has."""
        rates = [volume.io_per_s for volume in self.volumes if volume.base.queue_depth > NO_QUEUE]
        return min(rates, default=max(volume.io_per_s for volume in self.volumes))

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
    data: bytes, file: str, named: Sequence[tuple[DeviceRange, ...]] = (), listing: Listing | None = None
) -> list[PoolReport]:
    """The pools of a DEVICE page; `named` are the pools that the request names, `listing` the response to QUERY PAV.

    Pool membership is not on the page.  `->` rows give classic PAV volumes. Otherwise a pool is listed, or named, or
    made of the devices whose numbers share their first two digits.  Raises InputError when the page cannot
    be read, has no pool, or contradicts the listing.
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
    groups = by_name(alone, named, file) if listing is None else _by_listing(rows, listing, file)
    for group in groups:
        pools += _pools_of(group, bound, head)
    if not pools:
        allowed = "a page on which at least one disk did I/O, and --pool ranges that hold some of them"
        raise refusal(problem("no volume with I/O to advise on", file=file, allowed=allowed))
    return pools


def match(reports: Sequence[Sequence[PoolReport]]) -> list[list[PoolReport]]:
    """The same pool in every report, one list per pool, fewest aliases first; raises InputError when reports differ."""
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
                why = f"{first[0].file} has {pool.name}, {_without(pool, other)}"
                allowed = "reports of the same volumes on one system, at one or more alias counts"
                problems.append(problem("not the same pool", file=other[0].file, why=why, allowed=allowed))
        matched.append(sorted(seen, key=lambda one: one.aliases_present))
    if problems:
        raise refusal(*problems)
    return matched


def _without(pool: PoolReport, other: Sequence[PoolReport]) -> str:
    """What another report has in place of a pool: its pools, or the volumes that did I/O in one of the two alone."""
    own = set(_bases(pool))
    near = max(other, key=lambda one: len(own & {*_bases(one)}))
    if not own & {*_bases(near)}:
        return f"this one has {'; '.join(each.name for each in other)}"
    lacks, more = sorted(own - {*_bases(near)}), sorted({*_bases(near)} - own)
    parts = [
        f"{words} of {', '.join(devices)}" for words, devices in (("no I/O", lacks), ("more I/O", more)) if devices
    ]
    return f"here is {' and '.join(parts)}"


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


def _pools_of(group: _Group, bound: Mapping[str, Sequence[Device]], head: dict[str, Any]) -> list[PoolReport]:
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


_TITLE = re.compile(rb"^1?[ \t]*(?:FCX[0-9]{3}\b|(?:[A-Z][ \t]+){5})", re.MULTILINE)
_DEVICE = re.compile(rb"FCX108\b")
_RMF = re.compile(rb"D I R E C T\s+A C C E S S\s+D E V I C E")
_START = (
    re.compile(rb"^From[ \t]+(\S+[ \t]+\S+)", re.MULTILINE),
    re.compile(rb"Interval[ \t]+(\S+)"),
)
_DATE, _TIME = re.compile(rb"\bDATE[ \t]+(\S+)"), re.compile(rb"\bTIME[ \t]+([0-9]\S+)")


def intervals(data: bytes) -> list[bytes]:
    """The pages of a file, one text per interval, each line at its place; a file of one interval is itself.

    >>> page = b"FCX108  Run\\nFrom 2007/02/04 13:16:46\\n"
    >>> [text.count(b"FCX108") for text in intervals(page + page.replace(b"13:16", b"13:26"))]
    [1, 1]
    >>> intervals(b"no title")
    [b'no title']
    """
    places = [title.start() for title in _TITLE.finditer(data)]
    if len(places) < 2:
        return [data]
    pages = [data[start:end] for start, end in zip(places, [*places[1:], len(data)], strict=True)]
    starts = [_start(page) for page in pages]
    known = list(dict.fromkeys(start for start in starts if start))
    if len(known) < 2:
        return [data]
    found = []
    for wanted in known:
        text = data[: places[0]].count(b"\n") * b"\n"
        for page, start in zip(pages, starts, strict=True):
            text += page if start == wanted else page.count(b"\n") * b"\n"
        found.append(text)
    return found


def busiest(reports: Sequence[Sequence[PoolReport]]) -> Sequence[PoolReport]:
    """The pools of the interval in which most requests wait, the first of equals; each has the number of intervals."""
    most = max(reports, key=lambda pools: sum(pool.queue_depth for pool in pools))
    return [replace(pool, intervals=len(reports)) for pool in most]


def told_apart(reports: Sequence[Sequence[PoolReport]]) -> list[list[PoolReport]]:
    """The reports, those that are called alike with the start of their interval in the name."""
    names = [pools[0].run or pools[0].file for pools in reports]
    return [
        [replace(pool, run=f"{name}, {pool.started}") if names.count(name) > 1 else pool for pool in pools]
        for name, pools in zip(names, reports, strict=True)
    ]


def _start(page: bytes) -> bytes:
    """The start of a page of devices as it is printed; empty for other pages."""
    if _DEVICE.search(page):
        return next((found[1] for pattern in _START if (found := pattern.search(page))), b"")
    if not _RMF.search(page):
        return b""
    parts = [found[1] for pattern in (_DATE, _TIME) if (found := pattern.search(page))]
    return b" ".join(parts)


_PAGE = "RMF DIRECT ACCESS DEVICE ACTIVITY"
_MOST_EXPOSURES = 256
"""Devices of a logical control unit."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A volume of the page: its device with all its I/O, its exposures, whether they are HyperPAV, and its LCU."""

    device: Device
    exposures: int
    lends: bool
    lcu: str

    @property
    def unit(self) -> str:
        """The control unit in whose aliases it has a share."""
        return unit_of(self.lcu, self.device.device)


def read_rmf_pools(data: bytes, file: str, question: AliasRequest) -> list[PoolReport]:
    """The pools of a page; raises InputError where it cannot be read, or does not say how many aliases a pool has.

    A volume with static aliases is a pool of its own.  Other volumes of one LCU are one pool: those of HyperPAV with
    the aliases that `--aliases` gives, the rest without any.
    """
    page = DirectAccessReport.read(data, file)
    rows = [replace(row, device=replace(row.device, paths=question.paths or 0)) for row in _page_rows(page, file)]
    head: dict[str, Any] = {
        "file": file,
        "run": "",
        "started": page.started,
        "interval_s": page.interval_s,
        "page": _PAGE,
        "source": "an RMF page",
    }
    head["skipped"] = sum(line["why"] == "not a disk" for line in page.skipped)
    named = [span for spans in question.pools for span in spans]
    shown = [row for row in rows if not named or any(row.device.device in span for span in named)]
    busy = [row for row in shown if row.device.io_per_s > 0]
    if not busy:
        allowed = "a page on which at least one disk did I/O, and --pool ranges that hold some of them"
        raise refusal(problem("no volume with I/O to advise on", file=file, allowed=allowed))
    problems = [*_missing_fields(busy, question.aliases, file), *_unknown(rows, question.aliases, file)]
    if problems:
        raise refusal(*problems)
    statics = [row for row in busy if row.exposures > 1 and not row.lends]
    pools = [
        PoolReport(**head, kind="classic PAV", volumes=(_static(row),), aliases=(), membership="") for row in statics
    ]
    idle = _groups([row for row in shown if row.device.io_per_s == 0], question.pools)
    for key, members in _groups([row for row in busy if row not in statics], question.pools).items():
        own = {**head, "idle": len(idle.get(key, ()))}
        pools.append(_pool(members, question.aliases, own, named=key[2] > 0))
    return pools


def _page_rows(page: DirectAccessReport, file: str) -> list[_Row]:
    fields, table = page.fields(), page.volumes()
    if not any("PAV" in field for field in fields):
        why = "without the number of exposures of each volume its aliases are unknown"
        allowed = "an RMF page of z/OS with PAV and LCU; for partitions that share in slices: advise slices FILE"
        raise refusal(problem("the page has no column PAV", file=file, key="PAV", why=why, allowed=allowed))
    queue = "queue_depth" if page.level == "current" else "queue_depth_sampled"
    found = []
    for at, field in enumerate(fields):
        row = {column: values[at] for column, values in table.items()}
        count = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]*)?)\*?([HX]?)\*?", field.get("PAV", "") or "1", re.IGNORECASE)
        if count is None or not 1 <= float(count[1]) <= _MOST_EXPOSURES:
            what = f"not a number of exposures: {field['PAV']}"
            raise refusal(problem(what, file=file, key=f"{field['DEV NUM']} PAV", allowed="4, 1.0H, 1.5X or 2.1*"))
        device = _device(row, field, queue)
        found.append(_Row(device, max(1, round(float(count[1]))), bool(count[2]), field.get("LCU", "").upper()))
    return found


def _device(row: Mapping[str, Any], field: Mapping[str, str], queue: str) -> Device:
    def of(name: str) -> float:
        return float(row[name] or 0.0)

    number = row["device"].upper()
    parts = sum(of(f"{name}_ms_rounding") for name in ("pend", "disc", "conn"))
    return Device(
        device=number[1:] if len(number) == 5 and number[0] == "0" else number,
        type=field.get("DEVICE TYPE", ""), label=row["volume"], base="",
        io_per_s=of("io_per_s"), io_rounding=of("io_per_s_rounding"),
        pend_ms=of("pend_ms"), disc_ms=of("disc_ms"), conn_ms=of("conn_ms"), part_rounding=parts,
        service_ms=of("service_ms"), service_rounding=parts,
        response_ms=of("response_ms"), response_rounding=of("response_ms_rounding"),
        queue_depth=of(queue), queue_rounding=of(f"{queue}_rounding"),
    )  # fmt: skip


def _static(row: _Row) -> Volume:
    """A volume with aliases of its own: the page adds up their I/O, which is divided evenly among them."""
    count = row.exposures
    each = replace(row.device, io_per_s=row.device.io_per_s / count, io_rounding=row.device.io_rounding / count)
    bound = [
        replace(each, device=f"{each.device}+{at}", base=each.device, queue_depth=0.0, queue_rounding=0.0)
        for at in range(1, count)
    ]
    return Volume(each, tuple(bound))


def _groups(rows: Sequence[_Row], named: Sequence[tuple[DeviceRange, ...]]) -> dict[tuple[str, bool, int], list[_Row]]:
    """Volumes that share aliases, in the order of the page: of one unit and kind, and of one range that is named."""
    groups: dict[tuple[str, bool, int], list[_Row]] = {}
    for row in rows:
        at = next((at for at, spans in enumerate(named, 1) if any(row.device.device in span for span in spans)), 0)
        apart = ("" if at else row.unit) if row.lends else row.device.device
        unit = row.lcu or apart
        groups.setdefault((unit, row.lends, at), []).append(row)
    return groups


def unit_of(lcu: str, device: str) -> str:
    """The LCU of a HyperPAV volume; where a page prints none, the first two digits of the device, as on other pages."""
    return lcu or f"{device[:2]}.."


def _pool(rows: Sequence[_Row], given: Mapping[str, int], head: dict[str, Any], *, named: bool) -> PoolReport:
    first = rows[0]
    count = given.get(first.unit, given.get("", 0)) if first.lends else 0
    none = replace(
        first.device, label="", io_per_s=0.0, io_rounding=0.0, pend_ms=0.0, disc_ms=0.0, conn_ms=0.0, service_ms=0.0,
        response_ms=0.0, queue_depth=0.0, queue_rounding=0.0,
    )  # fmt: skip
    aliases = tuple(replace(none, device=f"{first.lcu or first.device.device}+{at}") for at in range(1, count + 1))
    told = f"LCU {first.lcu}" if first.lcu and len(rows) > 1 else ""
    if first.lends and not first.lcu:
        told = "as named by --pool" if named else "same first two digits"
    volumes = tuple(Volume(row.device) for row in rows)
    return PoolReport(**head, kind="HyperPAV", volumes=volumes, aliases=aliases, membership=told)


def _missing_fields(busy: Sequence[_Row], given: Mapping[str, int], file: str) -> list[Problem]:
    """A problem for each LCU whose number of HyperPAV aliases is on no page."""
    lending: dict[str, int] = {}
    for row in busy:
        if row.lends and row.unit not in given and "" not in given:
            lending[row.unit] = lending.get(row.unit, 0) + 1
    why = "PAV with H is a mean over the interval; the page does not give the aliases of the LCU"
    return [
        problem(
            f"the number of HyperPAV aliases is missing for {plural(count, 'volume')}", file=file, key=called(unit),
            why=why, allowed=f"--aliases {'' if '.' in unit else f'{unit}='}N, or --pool for other volumes;"
            " D M=DEV gives the number configured",
        )
        for unit, count in lending.items()
    ]  # fmt: skip


def called(unit: str) -> str:
    """A control unit in words."""
    return f"devices {unit}, without an LCU" if "." in unit else f"LCU {unit}"


def _unknown(rows: Sequence[_Row], given: Mapping[str, int], file: str) -> list[Problem]:
    """A problem for each LCU of `--aliases` that has no HyperPAV volume on the page."""
    known = sorted({row.unit for row in rows if row.lends})
    return [
        problem(
            "no HyperPAV volume of this LCU",
            file=file,
            key=f"aliases {lcu}".rstrip(),
            allowed=", ".join(known) or "none",
        )
        for lcu in given
        if lcu not in known and (lcu or not known)
    ]


_STUDY = "hyperpav"
_PART = "sharing"
"""The study, and the part of its constants in which connected I/Os slow each other."""


@dataclass(frozen=True, slots=True)
class Borrowed:
    """Path length between I/Os and how connected I/Os slow each other, with where both are from.

    `printed_percent` is the sharing that the service times of the study's two calibration reports show by themselves.
    The study's constant also has to meet their rates and queues.  Both agree within the rounding of the print.
    """

    gap_ms: float
    sharing_percent: float
    printed_percent: float
    source: str


def borrow() -> Borrowed:
    """The committed constants of the HyperPAV study; raises FileNotFoundError when the installation is broken.

    >>> borrow().sharing_percent >= 0
    True
    """
    # Read as it is: the study itself, with all that simulates it, takes a tenth of a second to load.
    path = study_folder(_STUDY) / "calibrated.toml"
    part = tomllib.loads(path.read_text("utf-8"))[_PART]
    reports = [_report(table) for table in dict.fromkeys(cell["table"] for cell in part["cell"])]
    reports.sort(key=lambda report: report.aliases_present)
    place = path.relative_to(data_folder("published").parent).as_posix()
    printed_percent = 100 * printed_sharing(reports[0], reports[-1])
    return Borrowed(part["gap_ms"], part["sharing_percent"], printed_percent, f"hyperpav study, {place}")


def printed_sharing(few: PoolReport, many: PoolReport) -> float:
    """The sharing (a share of one) that takes the printed service of one report to that of another.

    With n - 1 others connected an I/O takes 1 + sharing (n - 1) times as long. Others are the mean number connected
    less an exposure's own part.  Pend and disconnect are taken as they are in the first report.
    """
    fixed = sum(exposure.io_per_s * (exposure.pend_ms + exposure.disc_ms) for exposure in few.exposures) / few.io_per_s
    connect = [report.service_ms - fixed for report in (few, many)]
    others = [
        report.io_per_s * connect_ms / 1000 * (1 - 1 / len(report.exposures))
        for report, connect_ms in zip((few, many), connect, strict=True)
    ]
    ratio = connect[1] / connect[0]
    room = others[1] - ratio * others[0]
    return max(0.0, (ratio - 1) / room) if room > 0 else 0.0


def _report(table: str) -> PoolReport:
    path = study_folder(_STUDY) / "device-reports" / f"{table}.txt"
    return read_pools(path.read_bytes(), path.name)[0]
